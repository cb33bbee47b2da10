# SPDX-License-Identifier: BSD-3-Clause
"""--validate FILE --explain N: what it says of a packet, and of what is wrong with it."""

import re
import struct

import pytest
from replay_tools import (E, I4, I6, INNER, O4, T, TUNNELS, U, payload, put16, record, run,
                          write_pcap)
from scapy.layers.sctp import SCTP, SCTPChunkData

TCP4 = bytes(E / I4 / T / payload(101))
UDP6 = bytes(E / I6 / U / payload(64))


def explain(path, number=1, *options):
    done = run("--validate", path, "--explain", number, *options)
    return done.returncode, done.stdout, done.stderr


def explained(tmp_path, frame, **written):
    rec = frame if isinstance(frame, tuple) else record(frame)
    return explain(write_pcap(tmp_path / "in.pcap", [rec], **written))


def raw_sum(data, total=0):
    data += b"\0" * (len(data) & 1)
    total += sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def be16(frame, at):
    return struct.unpack_from("!H", frame, at)[0]


def swapped(value):
    return (value & 0xFF) << 8 | value >> 8


SEED = raw_sum(TCP4[26:34] + struct.pack("!HH", 6, len(TCP4) - 34))
BARE = raw_sum(TCP4[26:34] + struct.pack("!H", 6))
RIGHT = be16(TCP4, 50)
BODY = put16(TCP4, 50, 0)[34:]
PAD = bytes(range(1, 8))
STALE = {
    # what the field holds: what it is said to be
    "zero": (0, "0: nobody has filled it"),
    "seed": (SEED, "the sum of the pseudo header: a NIC was to complete it"),
    "seed-bare": (BARE, "the sum of the pseudo header without its length, as a NIC that segments"),
    "complement": (~RIGHT & 0xFFFF, "the ones' complement of the right one"),
    "swapped": (swapped(RIGHT), "the right one with its bytes swapped"),
    "seed-complement": (~SEED & 0xFFFF, "the ones' complement of the pseudo header's sum"),
    "seed-swapped": (swapped(SEED), "the sum of the pseudo header with its bytes swapped"),
    "bare-swapped": (swapped(BARE), "header without its length, with its bytes swapped"),
    "padding": (~raw_sum(BODY + PAD, SEED) & 0xFFFF, "had the padding been part of the packet's"),
    "padding-counted": (~raw_sum(BODY + PAD, SEED + len(PAD)) & 0xFFFF, "its length included"),
    "no-pseudo": (~raw_sum(BODY) & 0xFFFF, "right without the pseudo header"),
    "no-length": (~raw_sum(BODY, BARE) & 0xFFFF, "right without the length in the pseudo header"),
}


@pytest.mark.parametrize("name", STALE)
def test_what_a_stale_checksum_looks_like(tmp_path, name):
    stored, text = STALE[name]
    code, out, err = explained(tmp_path, put16(TCP4, 50, stored) + PAD)
    assert (code, err) == (1, "")
    verdict = "partial" if name in ("seed", "seed-bare") else "bad"
    assert re.search(rf"^ +34 +{len(TCP4) - 34} +tcp +at 50: 0x{stored:04x} {verdict}, "
                     rf"right is 0x{RIGHT:04x}\n +it is .*{re.escape(text)}", out, re.M)


def test_nothing_is_made_up(tmp_path):
    out = explained(tmp_path, put16(TCP4, 50, RIGHT ^ 0x0350))[1]
    assert "right is" in out and "it is" not in out


def test_ttl_that_was_counted_down_alone(tmp_path):
    frame = TCP4[:22] + bytes([TCP4[22] - 1]) + TCP4[23:]
    assert "right for a TTL that is one higher" in explained(tmp_path, frame)[1]


@pytest.mark.parametrize("change, text", [
    (lambda crc: crc[::-1], "bytes swapped"), (lambda crc: bytes(4), "nobody has filled it"),
    (lambda crc: bytes(b ^ 255 for b in crc), "ones' complement of the right one"),
], ids=["swapped", "zero", "complement"])
def test_sctp(tmp_path, change, text):
    frame = bytes(E / I4 / SCTP(sport=1, dport=2) / SCTPChunkData(data=b"1234"))
    out = explained(tmp_path, frame[:42] + change(frame[42:46]) + frame[46:])[1]
    assert text in out and f"right is 0x{frame[42:46].hex()}" in out


def test_layers_of_a_tunnel_and_their_bytes(tmp_path):
    inner = INNER / I4 / T / payload(10)
    frame = bytes(E / O4 / TUNNELS["vxlan"] / inner)
    code, out, _ = explained(tmp_path, frame)
    assert code == 0
    rows = re.findall(r"^ +(\d+) +(\d+)  ([a-z0-9]+)(?: +at (\d+): 0x(\w+) (\w+))?$", out, re.M)
    assert [(row[2], int(row[0])) for row in rows] == [
        ("ethernet", 0), ("ipv4", 14), ("udp", 34), ("vxlan", 42), ("ethernet", 50), ("ipv4", 64),
        ("tcp", 84)]
    assert [row[3] for row in rows if row[3]] == ["24", "40", "74", "100"]
    assert all(be16(frame, int(row[3])) == int(row[4], 16) and row[5] == "good"
               for row in rows if row[3])
    shown = "".join(re.findall(r"^ +\d+ ((?:[\[\] ][0-9a-f]{2})+)\]?", out, re.M))
    assert bytes.fromhex(re.sub(r"[\[\]]", " ", shown)) == frame
    assert re.findall(r"\[(.. ..)\]", out) == [frame[at:at + 2].hex(" ")
                                               for at in (24, 40, 74, 100)]


@pytest.mark.parametrize("cut", range(0, len(UDP6), 3))
def test_cut_anywhere(tmp_path, cut):
    code, out, err = explained(tmp_path, record(UDP6[:cut], wire_len=len(UDP6)))
    assert (code, err) == (0, "")
    assert f"{len(UDP6)} bytes, {cut} of them captured" in out


def test_exit_status_is_the_packets(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(TCP4), record(put16(TCP4, 50, 1))])
    assert explain(path, 1)[0] == 0
    assert explain(path, 2)[0] == 1
    assert explain(path, 3) == (2, "", f"{path}: there is no packet 3, the last is 2\n")
    assert explain(tmp_path / "none")[0] == 2


def test_colour_only_where_it_is_wanted(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(TCP4)])
    assert "\033" not in explain(path)[1] + explain(path, 1, "--color", "never")[1]
    assert "\033[32mgood\033[0m" in explain(path, 1, "--color", "always")[1]
