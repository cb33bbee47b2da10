# SPDX-License-Identifier: BSD-3-Clause
"""--validate FILE --diff OTHER: what differs between two captures, and whether it matters."""

import pytest
from replay_tools import (E, I4, I6, INNER, O4, RAW, T, TUNNELS, U, flip, payload, put16, record,
                          replay_file, run, write_pcap)
from scapy.layers.inet import IP, TCP, UDP, fragment
from scapy.layers.inet6 import IPv6ExtHdrFragment, fragment6
from scapy.layers.l2 import Ether

GOOD = bytes(E / I4 / T / payload(100))
UDP4 = bytes(E / I4 / U / payload(100))
SUPER = bytes(E / I4 / T / payload(4000))


def compared(tmp_path, before, after):
    """-> (exit code, [[packet, others, weight, text]], the summary)"""
    paths = [write_pcap(tmp_path / name, [f if isinstance(f, tuple) else record(f)
                                          for f in frames])
             for name, frames in (("a.pcap", before), ("b.pcap", after))]
    done = run("--validate", paths[0], "--diff", paths[1])
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    return done.returncode, [line.split("\t") for line in lines[:-1]], lines[-1]


def segments(frame, size):
    """The segments of a TCP packet, by scapy."""
    packet, data = Ether(frame), frame[54:]
    made = []
    for at in range(0, len(data), size):
        part = packet.copy()
        part[TCP].remove_payload()
        part[TCP].seq += at
        for layer in (IP, TCP):
            del part[layer].chksum
        del part[IP].len
        made.append(bytes(part / data[at:at + size]))
    return made


def test_equal(tmp_path):
    assert compared(tmp_path, [GOOD, UDP4], [GOOD, UDP4]) == (
        0, [], "2 equal, 0 changed, 0 missing, 0 added; 0 of these matter")
    assert compared(tmp_path, [], [])[0] == 0


CHANGES = {
    # before, after: weight, text
    "filled": (put16(GOOD, 50, 0x1481), GOOD, "harmless", "tcp checksum partial, now good"),
    "spoilt": (GOOD, put16(GOOD, 50, 7), "matters", "tcp checksum good, now bad"),
    "still-bad": (put16(GOOD, 50, 8), put16(GOOD, 50, 7), "harmless",
                  "a checksum changed that covers the same"),
    "payload": (UDP4, flip(UDP4, 80), "matters",
                "udp checksum good, now bad, other bytes changed, the first at 80"),
    "addresses": (bytes(E / I4 / T), b"\x02\x09" + bytes(E / I4 / T)[2:], "harmless",
                  "ethernet MAC addresses changed"),
    "padding": (UDP4 + bytes(4), UDP4 + b"1234", "harmless", "padding changed"),
    "padding-dropped": (UDP4 + bytes(4), UDP4, "harmless", "146 bytes, now 142"),
    "cut-short": (UDP4, UDP4[:-1], "matters", "142 bytes, now 141"),
    "flags": (GOOD, put16(put16(GOOD, 46, 0x5011), 50, 0), "matters", "other bytes changed"),
    "ttl": (UDP4, bytes(E / IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=63) / U /
                        payload(100)), "harmless", "ipv4 TTL changed"),
    "length": (put16(GOOD, 16, 0), GOOD, "harmless", "ipv4 length filled"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed(tmp_path, name):
    before, after, weight, text = CHANGES[name]
    code, lines, summary = compared(tmp_path, [GOOD, before, GOOD], [GOOD, after, GOOD])
    assert [line[:3] for line in lines] == [["2", "2", weight]] and text in lines[0][3]
    assert code == (weight == "matters")
    assert summary.startswith("2 equal, 1 changed, 0 missing, 0 added")


def test_missing_and_added(tmp_path):
    many = [bytes(E / IP(src="10.0.0.1", dst="10.0.0.2", id=n) / U / payload(20))
            for n in range(8)]
    code, lines, summary = compared(tmp_path, many[:6], [many[0], many[7]] + many[2:5])
    assert code == 1
    assert lines == [["2", "-", "matters", "missing"], ["-", "2", "matters", "added"],
                     ["6", "-", "matters", "missing"]]
    assert summary == "4 equal, 0 changed, 2 missing, 1 added; 3 of these matter"


def test_segments_belong_to_their_super_packet(tmp_path):
    parts = segments(SUPER, 1460)
    code, lines, _ = compared(tmp_path, [GOOD, SUPER, UDP4], [GOOD, *parts, UDP4])
    assert (code, lines) == (0, [["2", "2-4", "harmless", "4054 bytes cut into 3 packets"]])


@pytest.mark.parametrize("change, text", [
    (lambda parts: parts[:2], "1080 of 4000 bytes of payload missing"),
    (lambda parts: [parts[0], put16(parts[1], 50, 0), parts[2]], "not all checksums good"),
    (lambda parts: [parts[0], flip(parts[1], 100), parts[2]], "payload changed"),
], ids=["lost", "checksum", "payload"])
def test_segments_that_are_wrong(tmp_path, change, text):
    code, lines, _ = compared(tmp_path, [SUPER], change(segments(SUPER, 1460)))
    assert code == 1 and lines[0][2] == "matters" and text in lines[0][3]


def test_segment_out_of_place(tmp_path):
    parts = segments(SUPER, 1460)
    code, lines, _ = compared(tmp_path, [SUPER], [parts[0], parts[2], parts[1]])
    assert code == 1 and "2540 of 4000 bytes of payload missing" in lines[0][3]
    assert [line[3] for line in lines[1:]] == ["added", "added"]


def test_fragments_and_datagrams(tmp_path):
    whole4 = E / I4 / U / payload(4000)
    parts4 = [bytes(p) for p in fragment(Ether(bytes(whole4)), 1480)]
    code, lines, _ = compared(tmp_path, [whole4, UDP4], [*parts4, UDP4])
    assert (code, lines[0][1:3]) == (0, ["1-3", "harmless"])
    plain = Ether(bytes(E / I6 / U / payload(4000)))
    parts6 = fragment6(E / I6 / IPv6ExtHdrFragment(id=7) / plain[UDP], 1280)
    code, lines, _ = compared(tmp_path, [bytes(plain)], parts6)
    assert (code, len(lines), lines[0][2]) == (0, 1, "harmless")
    parts = [bytes(E / I4 / U / payload(4000)[at:at + 1000]) for at in range(0, 4000, 1000)]
    code, lines, _ = compared(tmp_path, [whole4], parts)
    assert (code, lines[0][1:3]) == (0, ["1-4", "harmless"])


def test_more_pieces_than_the_window_holds(tmp_path):
    parts = segments(SUPER, 20)
    code, lines, _ = compared(tmp_path, [GOOD, SUPER, UDP4], [GOOD, *parts, UDP4])
    assert (code, [line[1] for line in lines]) == (0, ["2-201"])


def test_other_link_type(tmp_path):
    """What had no Ethernet header is compared from its IP header on."""
    before = write_pcap(tmp_path / "a.pcap", [record(GOOD[14:]), record(UDP4[14:])], linktype=RAW)
    done = replay_file(before, tmp_path / "b.pcap")
    assert done.status == 0
    done = run("--validate", before, "--diff", tmp_path / "b.pcap")
    assert (done.returncode, done.stdout[:7]) == (0, "2 equal")


def test_replay_changes_nothing_that_matters(tmp_path):
    tunnel = bytes(E / O4 / TUNNELS["geneve"] / INNER / I4 / T / payload(5000))
    frames = [GOOD, put16(GOOD, 50, 0), SUPER, tunnel, UDP4, bytes(E / I6 / U / payload(9000)),
              bytes(E / I4 / U / payload(9000))]
    before = write_pcap(tmp_path / "a.pcap", [record(f) for f in frames])
    assert replay_file(before, tmp_path / "b.pcap").status == 0
    done = run("--validate", before, "--diff", tmp_path / "b.pcap")
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("2 equal, 5 changed, 0 missing, 0 added; 0 of")


def test_captures_that_cannot_be_read(tmp_path):
    good = write_pcap(tmp_path / "a.pcap", [record(GOOD)] * 2)
    cut = tmp_path / "b.pcap"
    cut.write_bytes(good.read_bytes()[:-1])
    for pair in ((good, cut), (cut, good), (good, tmp_path / "none"), (tmp_path / "none", good)):
        done = run("--validate", pair[0], "--diff", pair[1])
        assert done.returncode == 2 and done.stderr != ""
    done = run("--validate", good, "--diff", good, "--quiet")
    assert (done.returncode, done.stdout) == (0, "")
