# SPDX-License-Identifier: BSD-3-Clause
"""--validate: what it prints, its exit codes, the files and link types it reads.

The verdicts themselves are tested packet by packet elsewhere; here each capture is small, and its
packets are scapy's, so that what is good and what is bad is plain.
"""

import json
import os
import struct
import subprocess

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import GRE, Dot1Q, Ether

from replay_tools import (APP, ETHERNET, NULL, RAW, SLL, SLL2, payload, put16, record, run,
                          write_pcap)

COLUMNS = "ip udp udplite tcp icmp icmpv6 igmp sctp dccp gre".split()
VERDICTS = "good bad partial zero fragment truncated".split()
LOOP, IPV4_ONLY, IPV6_ONLY = 108, 228, 229
E = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
I4 = IP(src="10.0.0.1", dst="10.0.0.2")
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2")
GOOD = bytes(E / I4 / TCP() / payload(100))
GOOD6 = bytes(E / I6 / UDP() / payload(100))
BAD = put16(GOOD, 50, 0x1234)


def seeded(frame, with_length=True):
    """The frame of an IPv4 TCP packet as it is before its checksum was made."""
    words = struct.unpack("!4H", frame[26:34]) + (6, len(frame) - 34 if with_length else 0)
    total = sum(words)
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return put16(frame, 50, total)


def nested(depth):
    """So many IPv4 headers, one in the other, and a TCP header whose checksum is bad."""
    packet = I4
    for _ in range(depth - 1):
        packet = packet / I4
    return put16(bytes(E / packet / TCP()), 14 + 20 * depth + 16, 0x1234)


def validate(path, *options):
    done = run("--validate", path, *options)
    return done.returncode, done.stdout, done.stderr


def capture(tmp_path, *frames, **written):
    records = [frame if isinstance(frame, tuple) else record(frame) for frame in frames]
    return write_pcap(tmp_path / "in.pcap", records, **written)


def per_packet(path):
    """The cells that are not "-", a dictionary a packet; the rest of the format is checked."""
    code, out, err = validate(path, "--per-packet")
    lines = out.split("\n")
    assert lines[0] == "\t".join(["frame"] + COLUMNS) and lines[-1] == "", err
    packets = []
    for number, line in enumerate(lines[1:-1], 1):
        frame, *cells = line.split("\t")
        assert frame == str(number) and len(cells) == len(COLUMNS)
        packets.append({c: cell for c, cell in zip(COLUMNS, cells) if cell != "-"})
    return code, packets


def summary(path):
    """The JSON summary, its keys in their order, without counts of 0."""
    code, out, _ = validate(path, "--json")
    report = json.loads(out)
    assert list(report)[:4] == ["file", "packets", "super_packets", "layers"]
    assert list(report["layers"]) == COLUMNS
    for counts in report["layers"].values():
        assert list(counts) == VERDICTS
    report["layers"] = {name: {v: n for v, n in counts.items() if n}
                        for name, counts in report["layers"].items() if any(counts.values())}
    return code, report


def test_per_packet_lines(tmp_path):
    tunnel = E / I4 / GRE(chksum_present=1) / I4 / UDP(chksum=0) / payload(9)
    path = capture(tmp_path, GOOD, BAD, tunnel, E / I6 / TCP(), b"\0" * 60)
    assert per_packet(path) == (1, [
        {"ip": "good", "tcp": "good"},
        {"ip": "good", "tcp": "bad"},
        {"ip": "good,good", "udp": "zero", "gre": "good"},
        {"tcp": "good"},
        {},
    ])


def test_per_packet_prints_no_table(tmp_path):
    code, out, err = validate(capture(tmp_path, GOOD), "--per-packet")
    assert (code, len(out.splitlines()), err) == (0, 2, "")


def test_capture_without_packets(tmp_path):
    path = capture(tmp_path)
    assert per_packet(path) == (0, [])
    assert summary(path) == (0, {"file": str(path), "packets": 0, "super_packets": 0,
                                 "layers": {}})


def test_json_counts(tmp_path):
    fragment = E / IP(src="10.0.0.1", dst="10.0.0.2", flags="MF") / UDP() / payload(16)
    path = capture(tmp_path, GOOD, GOOD6, BAD, seeded(GOOD), seeded(GOOD, False), fragment,
                   record(GOOD[:60], wire_len=len(GOOD)), E / I4 / ICMP() / payload(3))
    assert summary(path) == (1, {"file": str(path), "packets": 8, "super_packets": 0, "layers": {
        "ip": {"good": 7},
        "udp": {"good": 1, "fragment": 1},
        "tcp": {"good": 1, "bad": 1, "partial": 2, "truncated": 1},
        "icmp": {"good": 1},
    }})


def test_json_with_per_packet_lines(tmp_path):
    code, out, _ = validate(capture(tmp_path, GOOD, GOOD), "--per-packet", "--json")
    lines = out.splitlines()
    assert code == 0 and len(lines) == 4
    assert json.loads(lines[3])["packets"] == 2


@pytest.mark.parametrize("name", ['quo"te', "back\\slash", "new\nline", "Gr\u00fc\u00dfe",
                                  "\U0001f4e6", "del\x7f"])
def test_json_escapes_file_names(tmp_path, name):
    path = tmp_path / name
    write_pcap(path, [record(GOOD)])
    assert summary(path)[1]["file"] == str(path)


def test_json_of_a_file_name_that_is_no_utf8(tmp_path):
    """Each byte that is none becomes the character of that number."""
    path = os.fsencode(tmp_path) + b"/a\xe4\xff\xc3.pcap"
    write_pcap(path, [record(GOOD)])
    code, out, _ = validate(os.fsdecode(path), "--json")
    assert code == 0 and json.loads(out)["file"].endswith("/a\xe4\xff\xc3.pcap")


def test_table(tmp_path):
    path = capture(tmp_path, GOOD, BAD, seeded(GOOD), E / I4 / TCP() / payload(1461))
    code, out, err = validate(path)
    lines = out.splitlines()
    assert (code, err) == (1, "")
    assert lines[0] == f"{path}: 4 packets, 1 super-packet"
    assert [line.split() for line in lines[2:5]] == [
        ["layer"] + VERDICTS, ["ip", *"400000"], ["tcp", *"211000"]]
    assert lines[6] == "Not clean: 1 bad, 1 partial, the first in packet 2."
    assert len({len(line) for line in lines[2:5]}) == 1  # columns in line


def test_table_of_a_clean_capture(tmp_path):
    code, out, _ = validate(capture(tmp_path, GOOD))
    assert code == 0 and "Not clean" not in out
    assert out.startswith(f"{tmp_path}/in.pcap: 1 packet, 0 super-packets\n")


@pytest.mark.parametrize("frame, code", [
    (GOOD, 0), (BAD, 1), (seeded(GOOD), 1), (seeded(GOOD, False), 1),
    (E / I4 / UDP(chksum=0), 0), (E / I6 / UDP(chksum=0), 1),
    (E / IP(frag=1, proto=6) / payload(20), 0), (record(GOOD[:40], wire_len=len(GOOD)), 0),
], ids=["good", "bad", "seed", "seed-without-length", "zero", "zero-over-ipv6", "fragment",
        "snapped"])
def test_exit_codes(tmp_path, frame, code):
    assert validate(capture(tmp_path, frame))[0] == code


@pytest.mark.parametrize("size, nb", [(1460, 0), (1461, 1)])
def test_super_packets_begin_above_1500(tmp_path, size, nb):
    assert summary(capture(tmp_path, E / Dot1Q(vlan=5) / I4 / TCP() /
                           payload(size)))[1]["super_packets"] == nb


def test_super_packets_by_zero_length(tmp_path):
    """IPv4 with a length of 0 is one of any size; IPv6 only where 0 cannot be the length."""
    short = E / I6 / TCP() / payload(1440)
    long = E / I6 / TCP() / payload(1441)
    path = capture(tmp_path, put16(GOOD, 16, 0), put16(bytes(short), 18, 0),
                   put16(bytes(long), 18, 0))
    code, packets = per_packet(path)
    assert (code, packets) == (1, [{"ip": "bad", "tcp": "good"}, {"tcp": "truncated"},
                                   {"tcp": "good"}])
    assert summary(path)[1]["super_packets"] == 2


def test_frames_above_64k(tmp_path):
    """The pseudo header has all 32 bits of the length; the sum crosses several mbufs."""
    data = bytes(E / I4 / TCP() / payload(1000))[:34] + bytes(TCP(dataofs=5)) + payload(150001)
    words = struct.unpack("!4H", data[26:34]) + (6, (len(data) - 34) >> 16,
                                                 (len(data) - 34) & 0xFFFF)
    l4 = data[34:] + b"\0" * (len(data) & 1)
    total = sum(words) + sum(struct.unpack(f"!{len(l4) // 2}H", put16(l4, 16, 0)))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    data = put16(put16(data, 16, 0), 50, ~total & 0xFFFF)
    assert per_packet(capture(tmp_path, data))[1][0]["tcp"] == "good"
    assert per_packet(capture(tmp_path, put16(data, 140000, 0)))[1][0]["tcp"] == "bad"


LLC_SNAP = b"\xaa\xaa\x03\0\0\0\x08\0"
IP4, IP6 = GOOD[14:], GOOD6[14:]


def sll(protocol, hardware=1):
    return struct.pack("!HHH8xH", 0, hardware, 6, protocol)


def sll2(protocol, hardware=1):
    return struct.pack("!HHIHBB8x", protocol, 0, 1, hardware, 0, 6)


CELLS4, CELLS6 = {"ip": "good", "tcp": "good"}, {"udp": "good"}
LINKS = {
    "ethernet": (ETHERNET, GOOD[:14], IP4, CELLS4),
    "802.3": (ETHERNET, GOOD[:12] + struct.pack("!H", 8 + len(IP4)) + LLC_SNAP, IP4, CELLS4),
    "raw-4": (RAW, b"", IP4, CELLS4),
    "raw-6": (RAW, b"", IP6, CELLS6),
    "ipv4": (IPV4_ONLY, b"", IP4, CELLS4),
    "ipv4-with-ipv6": (IPV4_ONLY, b"", IP6, {}),
    "ipv6": (IPV6_ONLY, b"", IP6, CELLS6),
    "null-little-endian": (NULL, b"\2\0\0\0", IP4, CELLS4),
    "null-big-endian": (NULL, b"\0\0\0\2", IP4, CELLS4),
    "null-linux-6": (NULL, b"\x0a\0\0\0", IP6, CELLS6),
    "null-netbsd-6": (NULL, b"\x18\0\0\0", IP6, CELLS6),
    "null-freebsd-6": (NULL, b"\0\0\0\x1c", IP6, CELLS6),
    "null-macos-6": (NULL, b"\x1e\0\0\0", IP6, CELLS6),
    "null-iso": (NULL, b"\7\0\0\0", IP4, {}),
    "null-ether-type": (NULL, b"\x0f\0\x08\0", IP4, CELLS4),
    "loop-4": (LOOP, b"\0\0\0\2", IP4, CELLS4),
    "loop-6": (LOOP, b"\0\0\0\x18", IP6, CELLS6),
    "sll-4": (SLL, sll(0x0800), IP4, CELLS4),
    "sll-6": (SLL, sll(0x86DD), IP6, CELLS6),
    "sll-vlan": (SLL, sll(0x8100) + b"\0\5\x08\0", IP4, CELLS4),
    "sll-llc": (SLL, sll(4) + LLC_SNAP, IP4, CELLS4),
    "sll-novell": (SLL, sll(1) + LLC_SNAP, IP4, {}),
    "sll-netlink": (SLL, sll(0x0800, hardware=824), IP4, {}),
    "sll2-4": (SLL2, sll2(0x0800), IP4, CELLS4),
    "sll2-6": (SLL2, sll2(0x86DD), IP6, CELLS6),
    "sll2-llc": (SLL2, sll2(4) + LLC_SNAP, IP4, CELLS4),
    "sll2-netlink": (SLL2, sll2(0x0800, hardware=824), IP4, {}),
}


@pytest.mark.parametrize("name", LINKS)
def test_link_types(tmp_path, name):
    link, header, packet, cells = LINKS[name]
    path = capture(tmp_path, header + packet, linktype=link)
    assert per_packet(path)[1] == [cells]


@pytest.mark.parametrize("link", [NULL, LOOP, SLL, SLL2, RAW, ETHERNET])
def test_link_header_cut(tmp_path, link):
    path = capture(tmp_path, *[record(b"\0\2\0\0"[:n], wire_len=200) for n in range(4)],
                   linktype=link)
    assert per_packet(path) == (0, [{}] * 4)


@pytest.mark.parametrize("link, name", [(105, "IEEE802_11"), (10, "FDDI"), (65000, "65000")])
def test_link_type_that_is_not_supported(tmp_path, link, name):
    code, out, err = validate(capture(tmp_path, GOOD, linktype=link), "--per-packet")
    assert code == 2 and len(out.splitlines()) == 1
    assert "in.pcap" in err and "packet 1" in err and name in err


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("nano", [False, True])
def test_byte_orders_and_resolutions(tmp_path, order, nano):
    path = capture(tmp_path, GOOD, BAD, order=order, nano=nano)
    assert [p["tcp"] for p in per_packet(path)[1]] == ["good", "bad"]


def pcapng(frames, order="<"):
    def block(kind, body):
        body += b"\0" * (-len(body) % 4)
        size = struct.pack(order + "I", len(body) + 12)
        return struct.pack(order + "I", kind) + size + body + size

    data = block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    data += block(1, struct.pack(order + "HHI", ETHERNET, 0, 0))
    for frame in frames:
        data += block(6, struct.pack(order + "IIIII", 0, 0, 0, len(frame), len(frame)) + frame)
    return data


@pytest.mark.parametrize("order", "<>")
def test_pcapng(tmp_path, order):
    path = tmp_path / "in.pcapng"
    path.write_bytes(pcapng([GOOD, BAD], order))
    assert [p["tcp"] for p in per_packet(path)[1]] == ["good", "bad"]


def test_standard_input(tmp_path):
    path = capture(tmp_path, GOOD, BAD)
    with open(path, "rb") as file:
        done = run("--validate", "-", "--json", stdin=file)
    assert done.returncode == 1 and json.loads(done.stdout)["packets"] == 2


@pytest.mark.parametrize("cut", [1, 100, len(GOOD) + 1, len(GOOD) + 15])
def test_file_cut_inside_a_packet(tmp_path, cut):
    """What stands before the cut is reported, even though it is bad."""
    path = capture(tmp_path, BAD, GOOD, GOOD)
    path.write_bytes(path.read_bytes()[:-cut])
    code, packets = per_packet(path)
    assert (code, [p["tcp"] for p in packets]) == (2, ["bad", "good"])
    code, report = summary(path)
    assert (code, report["packets"]) == (2, 2)
    code, out, err = validate(path)
    assert code == 2 and "2 packets" in out
    assert str(path) in err and "packet 3:" in err


def test_record_longer_than_any(tmp_path):
    path = capture(tmp_path, GOOD)
    path.write_bytes(path.read_bytes() + struct.pack("<IIII", 0, 0, 300000, 300000) +
                     b"\0" * 300000)
    code, _, err = validate(path)
    assert code == 2 and "packet 2:" in err


@pytest.mark.parametrize("content", [b"", b"\xd4\xc3\xb2\xa1", b"no capture at all" * 10],
                         ids=["empty", "magic", "text"])
def test_not_a_capture(tmp_path, content):
    path = tmp_path / "in.pcap"
    path.write_bytes(content)
    code, _, err = validate(path)
    assert code == 2 and err.startswith(f"{path}: ")


def test_file_that_cannot_be_opened(tmp_path):
    code, _, err = validate(tmp_path / "none")
    assert (code, err) == (2, f"{tmp_path}/none: No such file or directory\n")
    code, _, err = validate(tmp_path)
    assert (code, err) == (2, f"{tmp_path}: Is a directory\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_report_that_cannot_be_written(tmp_path):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([APP, "--validate", capture(tmp_path, GOOD)],
                              stdout=full, check=False)
    assert done.returncode == 2


def test_packets_with_more_headers_than_are_parsed(tmp_path):
    """31 headers and the rest are no problem; of 32 the last one cannot be judged."""
    path = capture(tmp_path, nested(29), nested(31), nested(40))
    code, out, err = validate(path, "--json")
    report = json.loads(out)
    assert (code, report["too_deep"], report["layers"]["tcp"]["bad"]) == (2, 2, 1)
    assert "packet 2: more than 31 headers" in err and "packet 3" not in err
    assert "2 packets judged in part" in validate(path)[1]
    done = run("--replay", path, "--write", tmp_path / "o", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["refused"] == {"tunnel": 2}
