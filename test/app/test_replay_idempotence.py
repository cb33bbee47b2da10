# SPDX-License-Identifier: BSD-3-Clause
"""What replay must leave alone: what is good already, and what it has made itself.

All frames of the shared captures, and of samples of our own, go through in one run each.
"""

import os
import pathlib
import struct

import pytest
from replay_tools import (E, I4, I6, INNER, O4, O6, START, T, TOP, TUNNELS, U, payload, put16,
                          read_pcap, record, replay_file, run, write_pcap)
from scapy.layers.inet import ICMP
from scapy.layers.l2 import GRE, Dot1Q
from scapy.layers.sctp import SCTP, SCTPChunkData

CAPTURES = pathlib.Path(os.environ.get("CSUM_CAPTURES", TOP.parent / "shared/captures"))
LEFT_ALONE = {"good", "zero", "fragment", "-"}

OWN = [bytes(frame) for frame in (
    E / I4 / T / payload(1460), E / I4 / U / payload(7), E / I6 / T / payload(1), E / I6 / U,
    E / I4 / ICMP() / payload(33), E / I4 / SCTP() / SCTPChunkData(data=b"1234"),
    E / Dot1Q(vlan=1) / I4 / T / b"x", E / O4 / GRE(chksum_present=1) / I4 / U / payload(9),
    E / O4 / TUNNELS["vxlan"] / INNER / I6 / T / payload(20),
    E / O6 / TUNNELS["geneve"] / INNER / I4 / U / payload(20), bytes(60), b"\0" * 14, b"",
    bytes(E / I4 / U / payload(3)) + b"padding, not 0",
)]
WRONG = [put16(OWN[0], 50, 0), put16(OWN[1], 40, 1), put16(OWN[0], 24, 0)]
SUPER = [bytes(frame) for frame in (
    E / I4 / T / payload(9000), E / I6 / T / payload(5000), E / I4 / U / payload(4000),
    E / O4 / TUNNELS["vxlan"] / INNER / I4 / T / payload(6000),
)]


def ethernet_frames(path):
    """(data, length on the wire) of each record of an Ethernet pcap file in our byte order."""
    data = path.read_bytes()
    if len(data) < 24 or struct.unpack_from("=I", data)[0] not in (0xA1B2C3D4, 0xA1B23C4D):
        return
    if struct.unpack_from("=I", data, 20)[0] != 1:
        return
    at = 24
    while at + 16 <= len(data):
        caplen, wire_len = struct.unpack_from("=II", data, at + 8)
        at += 16
        if caplen > 262144 or at + caplen > len(data):
            return
        yield data[at:at + caplen], max(wire_len, caplen)
        at += caplen


def shared_frames():
    found = {}
    for path in sorted(CAPTURES.rglob("*.pcap")):
        for data, wire_len in ethernet_frames(path):
            found.setdefault((data, wire_len))
    return list(found)


def left_alone(path):
    """Numbers of the packets that have nothing wrong and are no super-packets, by --validate."""
    done = run("--validate", path, "--per-packet")
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    return {int(row[0]) for row in rows
            if {verdict for cell in row[1:] for verdict in cell.split(",")} <= LEFT_ALONE}


def check(tmp_path, records):
    """Replay twice -> the number of packets that were left alone."""
    path = write_pcap(tmp_path / "in.pcap", records, nano=True)
    once = replay_file(path, tmp_path / "once.pcap")
    by_time = {}
    for rec in once.records:
        by_time.setdefault(rec.ns, []).append(rec)
    alone = [records[number - 1] for number in left_alone(path)]
    alone = [rec for rec in alone if rec.wire_len <= 1518]
    for rec in alone:
        assert by_time[rec.ns] == [rec]
    twice = replay_file(tmp_path / "once.pcap", tmp_path / "twice.pcap")
    assert twice.records == once.records
    assert twice.report["filled"] == {} and twice.report["segments_out"] == 0
    done = run("--validate", tmp_path / "once.pcap", "--diff", tmp_path / "twice.pcap")
    assert done.returncode == 0
    assert f"{len(once.records)} equal, 0 changed, 0 missing, 0 added" in done.stdout
    return len(alone)


def test_own_samples(tmp_path):
    records = [record(frame, START + i) for i, frame in enumerate(OWN + WRONG + SUPER)]
    assert check(tmp_path, records) == len(OWN)


@pytest.mark.skipif(not CAPTURES.is_dir(), reason=f"{CAPTURES} is not there")
def test_shared_captures(tmp_path):
    records = [record(data, START + i, wire_len)
               for i, (data, wire_len) in enumerate(shared_frames())]
    assert check(tmp_path, records) > 1000


@pytest.mark.parametrize("options", [["--fix-only"], ["--mtu", "600"], ["--segsz", "500"],
                                     ["--uso", "1000"]], ids=lambda options: options[0][2:])
def test_twice_with_options(tmp_path, options):
    records = [record(frame, START + i) for i, frame in enumerate(OWN + WRONG + SUPER)]
    path = write_pcap(tmp_path / "in.pcap", records)
    once = replay_file(path, tmp_path / "once.pcap", *options)
    twice = replay_file(once.out, tmp_path / "twice.pcap", *options)
    assert twice.records == once.records and twice.report["filled"] == {}


def test_formats_change_no_packet(tmp_path):
    """pcap, pcapng, compressed, standard output: the same packets at the same times."""
    records = [record(frame, START + i * 1000) for i, frame in enumerate(OWN)]
    path = write_pcap(tmp_path / "0.pcap", records)
    for name in ("1.pcapng", "2.pcap.gz", "3.pcapng.gz", "4.pcap"):
        assert run("--replay", path, "--write", tmp_path / name).returncode == 0
        path = tmp_path / name
    assert read_pcap(path) == (False, 1, records)
