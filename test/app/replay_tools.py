# SPDX-License-Identifier: BSD-3-Clause
"""What the replay tests share: run the program, write and read captures, judge frames.

Captures are written and read here by their formats' definitions, and frames are judged by building
them anew with scapy: nothing of the program's own is used.
"""

import collections
import json
import os
import pathlib
import struct
import subprocess

from scapy.contrib.geneve import GENEVE
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
from scapy.layers.l2 import GRE, Ether
from scapy.layers.vxlan import VXLAN
from scapy.packet import NoPayload

TOP = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ.get("CSUM_BUILD", TOP / "build"))
APP = BUILD / "app/csum-testpmd/dpdk-csum-testpmd"

ETHERNET, NULL, RAW, SLL, SLL2 = 1, 0, 101, 113, 276
SECOND = 1_000_000_000
START = 1_700_000_000 * SECOND + 123_456_000

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
T = TCP(sport=1024, dport=80, seq=1000, ack=2000, flags="PA", window=8192)
U = UDP(sport=1024, dport=4096)
INNER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
O4 = IP(src="192.0.2.1", dst="192.0.2.2", id=0x2000, ttl=64)
O6 = IPv6(src="2001:db8::a", dst="2001:db8::b", hlim=64)
TUNNELS = {
    "vxlan": UDP(sport=50000, dport=4789) / VXLAN(vni=42, flags=8),
    "geneve": UDP(sport=50000, dport=6081) / GENEVE(vni=42, proto=0x6558),
}

Record = collections.namedtuple("Record", "ns data wire_len")
Result = collections.namedtuple("Result", "status report records stderr out")


def record(frame, ns=START, wire_len=None):
    data = bytes(frame)
    return Record(ns, data, len(data) if wire_len is None else wire_len)


def write_pcap(path, records, nano=False, order="<", linktype=ETHERNET):
    with open(path, "wb") as file:
        magic = 0xA1B23C4D if nano else 0xA1B2C3D4
        file.write(struct.pack(order + "IHHIIII", magic, 2, 4, 0, 0, 262144, linktype))
        for rec in records:
            fraction = rec.ns % SECOND // (1 if nano else 1000)
            file.write(struct.pack(order + "IIII", rec.ns // SECOND, fraction, len(rec.data),
                                   rec.wire_len) + rec.data)
    return path


def read_pcap(path):
    """-> (nano, linktype, records)"""
    data = pathlib.Path(path).read_bytes()
    magic, _, _, _, _, _, linktype = struct.unpack_from("=IHHIIII", data)
    nano = magic == 0xA1B23C4D
    assert nano or magic == 0xA1B2C3D4
    records, at = [], 24
    while at < len(data):
        sec, fraction, caplen, wire_len = struct.unpack_from("=IIII", data, at)
        at += 16
        records.append(Record(sec * SECOND + fraction * (1 if nano else 1000),
                              data[at:at + caplen], wire_len))
        at += caplen
    assert at == len(data)
    return nano, linktype, records


def read_pcapng(path):
    """-> (nano, linktype, records)"""
    data = pathlib.Path(path).read_bytes()
    records, at, linktype, resolution = [], 0, None, 6
    while at < len(data):
        kind, length = struct.unpack_from("=II", data, at)
        assert struct.unpack_from("=I", data, at + length - 4)[0] == length and length % 4 == 0
        body = data[at + 8:at + length - 4]
        if kind == 0x0A0D0D0A:
            assert struct.unpack_from("=IHH", body) == (0x1A2B3C4D, 1, 0)
        elif kind == 1:
            linktype = struct.unpack_from("=H", body)[0]
            assert struct.unpack_from("=HHB", body, 8)[:2] == (9, 1)
            resolution = body[12]
        else:
            assert kind == 6
            _, high, low, caplen, wire_len = struct.unpack_from("=IIIII", body)
            ns = (high << 32 | low) * 10 ** (9 - resolution)
            records.append(Record(ns, body[20:20 + caplen], wire_len))
        at += length
    return resolution == 9, linktype, records


def run(*args, **kwargs):
    return subprocess.run([APP, *map(str, args)], capture_output=True, text=True, check=False,
                          timeout=120, **kwargs)


def without_zeros(layers):
    """The layers and verdicts that occur."""
    occur = {name: {k: n for k, n in counts.items() if n} for name, counts in layers.items()}
    return {name: counts for name, counts in occur.items() if counts}


def replay_file(path, out, *options):
    """Replay; a report there must be, whether clean or not."""
    done = run("--replay", path, "--write", out, "--json", *options)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    report = json.loads(done.stdout)
    report["out"] = without_zeros(report["out"])
    return Result(done.returncode, report, read_pcap(out)[2], done.stderr, out)


def replay(tmp_path, frames, *options, **written):
    """Replay frames, or records, all of which lie in one file."""
    records = [f if isinstance(f, Record) else record(f, START + i * 1000)
               for i, f in enumerate(frames)]
    path = write_pcap(tmp_path / "in.pcap", records, **written)
    return replay_file(path, tmp_path / "out.pcap", *options)


def replay_cases(folder, cases, *options):
    """Replay named frames in one go -> ({name: the frames it became}, result)

    What came out is told apart by its time stamp.
    """
    times = {name: START + i * 1000 for i, name in enumerate(cases)}
    done = replay(folder, [record(frame, times[name]) for name, frame in cases.items()], *options)
    became = {name: [r.data for r in done.records if r.ns == ns] for name, ns in times.items()}
    assert sum(map(len, became.values())) == len(done.records)
    return became, done


def frames_of(result):
    return [rec.data for rec in result.records]


def rebuilt(frame):
    """The frame with every length and checksum made anew; a UDP checksum of 0 stays."""
    packet = Ether(frame)
    layer = packet
    while not isinstance(layer, NoPayload):
        if isinstance(layer, UDP) and layer.chksum == 0:
            del layer.len
        else:
            for field in ("chksum", "cksum", "len", "plen"):
                if isinstance(layer, (IP, IPv6, TCP, UDP, ICMP, GRE)) or "ICMPv6" in layer.name:
                    if field in layer.fields:
                        delattr(layer, field)
        layer = layer.payload
    return bytes(packet)


def assert_right(frame):
    """Every length and checksum of a frame without padding is right."""
    assert rebuilt(frame).hex() == frame.hex()


def put16(frame, at, value):
    return frame[:at] + struct.pack("!H", value) + frame[at + 2:]


def flip(frame, at):
    return frame[:at] + bytes([frame[at] ^ 0xFF]) + frame[at + 1:]


def payload(size, salt=0):
    return bytes((i * 13 + i // 253 + salt) & 0xFF for i in range(size))


def reassembled(frames):
    """The IP payload of a datagram from its fragments, in any order; offsets must be gapless."""
    parts = {}
    for frame in frames:
        packet = Ether(frame)
        if IP in packet:
            parts[packet[IP].frag * 8] = (bytes(packet[IP].payload), packet[IP].flags.MF)
        else:
            header = packet[IPv6ExtHdrFragment]
            parts[header.offset * 8] = (bytes(header.payload), header.m)
    whole = b""
    for offset in sorted(parts):
        assert offset == len(whole)
        whole += parts[offset][0]
    assert [bool(parts[offset][1]) for offset in sorted(parts)] == [True] * (len(parts) - 1) + [
        False
    ]
    return whole
