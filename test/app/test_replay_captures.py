# SPDX-License-Identifier: BSD-3-Clause
"""Replay of captures of real hosts, with tshark as a witness."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from replay_tools import TOP, read_pcap, replay_file, run, write_pcap
from scapy.utils import RawPcapReader

CAPTURES = pathlib.Path(os.environ.get("CSUM_CAPTURES", TOP.parent / "shared/captures"))

SUPER = [
    "the-tcpdump-group__tcpdump/tests/" + name + ".pcap" for name in (
        "bigtcp-ipv4", "bigtcp-ipv4-geneve-ipv4", "bigtcp-ipv4-vxlan-ipv4", "bigtcp-ipv6",
        "bigtcp-ipv6-geneve-ipv4", "bigtcp-ipv6-vxlan-ipv4", "bigtcp-ipv6-vxlan-ipv6",
        "gso-ipv4", "gso-ipv4-geneve-ipv4", "gso-ipv4-geneve-ipv6", "gso-ipv4-vxlan-ipv6",
        "gso-ipv6", "gso-ipv6-geneve-ipv6", "gso-ipv6-vxlan-ipv4", "gso-ipv6-vxlan-ipv6",
        "ipv4_tcp_http_xml_tso",
    )
] + [
    "zeek__zeek/testing/btest/Traces/krb/kerberos_tso.pcapng",
    "seladb__PcapPlusPlus/Tests/Packet++Test/PacketExamples/IPv4-TSO.pcap",
]

TSHARK_OPTIONS = [
    option for name in (
        "ip.check_checksum:TRUE", "tcp.check_checksum:TRUE", "udp.check_checksum:TRUE",
        "ip.defragment:FALSE", "ipv6.defragment:FALSE", "tcp.desegment_tcp_streams:FALSE",
    ) for option in ("-o", name)
]


def capture(name):
    path = CAPTURES / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def all_captures():
    if not CAPTURES.is_dir():
        return []
    return sorted(str(p.relative_to(CAPTURES)) for p in CAPTURES.rglob("*")
                  if p.is_file() and p.name != "INDEX.tsv")


def frames_of(path):
    """scapy cuts frames at 64 KB, so that it reads only what we cannot."""
    if path.suffix == ".pcapng":
        return [data for data, _ in RawPcapReader(str(path))]
    return [rec.data for rec in read_pcap(path)[2]]


def be16(frame, at):
    return int.from_bytes(frame[at:at + 2], "big")


def innermost_tcp(frame, at=12):
    """-> (addresses, offset of the TCP header, end of its payload), or None. Lengths may be 0."""
    found, end = None, len(frame)
    while be16(frame, at) == 0x8100:
        at += 4
    at += 2
    while found is None:
        if frame[at] >> 4 == 4:
            proto, after, length = frame[at + 9], at + (frame[at] & 15) * 4, be16(frame, at + 2)
            addresses = frame[at + 12:at + 20]
            end = min(end, at + length) if length else end
        else:
            proto, after, length = frame[at + 6], at + 40, be16(frame, at + 4)
            addresses = frame[at + 8:at + 40]
            end = min(end, after + length) if length else end
            while proto in (0, 60):
                proto, after = frame[after], after + (frame[after + 1] + 1) * 8
        if proto == 6:
            found = (addresses, after, end)
        elif proto == 17 and be16(frame, after + 2) == 4789:
            at = after + 16 + 14
        elif proto == 17 and be16(frame, after + 2) == 6081:
            at = after + 16 + (frame[after + 8] & 63) * 4 + 14
        else:
            break
    return found


def flows(frames):
    """Payload bytes of every TCP flow: {flow: {sequence number: the values seen there}}."""
    payload = {}
    for frame in frames:
        if be16(frame, 12) not in (0x0800, 0x86DD, 0x8100):
            continue
        found = innermost_tcp(frame)
        if found is None:
            continue
        addresses, tcp, end = found
        start = tcp + (frame[tcp + 12] >> 4) * 4
        seq = int.from_bytes(frame[tcp + 4:tcp + 8], "big")
        stream = payload.setdefault((addresses, frame[tcp:tcp + 4]), {})
        for i, byte in enumerate(frame[start:end]):
            stream.setdefault((seq + i) & 0xFFFFFFFF, set()).add(byte)
    return payload


def tshark_bad(path):
    """Frames in which tshark finds a checksum or a length to be wrong."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed")
    wrong = ("ip.checksum.status==0 || tcp.checksum.status==0 || udp.checksum.status==0 || "
             "tcp.checksum.status==4 || udp.checksum.status==4 || icmp.checksum.status==0 || "
             "icmpv6.checksum.status==0 || ip.bogus_ip_length || tcp.bogus_header_length")
    done = subprocess.run(["tshark", *TSHARK_OPTIONS, "-r", path, "-Y", wrong],
                          capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("name", SUPER)
def test_super_packets_of_real_hosts(tmp_path, name):
    path = capture(name)
    done = replay_file(path, tmp_path / "out.pcap")
    assert done.status == 0, done.stderr
    assert done.report["super_packets"] >= 1
    frames = [r.data for r in done.records]
    assert max(len(frame) for frame in frames) <= 1514
    assert all(counts.keys() <= {"good", "zero"} for counts in done.report["out"].values())
    assert flows(frames) == flows(frames_of(path))
    assert flows(frames) or "IPv4-TSO" in name, "that one is ICMP"
    assert tshark_bad(done.out) == ""


@pytest.mark.parametrize("name", [n for n in SUPER if "ipv4-vxlan-ipv" in n or "bigtcp-ipv6." in n])
@pytest.mark.parametrize("mtu", [1280, 9000])
def test_other_mtus(tmp_path, name, mtu):
    path = capture(name)
    done = replay_file(path, tmp_path / "out.pcap", "--mtu", mtu)
    assert done.status == 0, done.stderr
    frames = [r.data for r in done.records]
    assert max(len(frame) for frame in frames) <= mtu + 14
    assert flows(frames) == flows(frames_of(path))


@pytest.fixture(scope="module", name="came_out")
def fixture_came_out():
    """Records that came out of all captures so far."""
    return []


@pytest.mark.skipif(not CAPTURES.is_dir(), reason=f"{CAPTURES} is not there")
@pytest.mark.witness
@pytest.mark.parametrize("name", all_captures())
def test_every_capture_ends_well(tmp_path, came_out, name):
    """No crash, no hang, nothing half-written."""
    out = tmp_path / "out.pcap"
    done = run("--replay", CAPTURES / name, "--write", out, "--json")
    assert done.returncode in (0, 1, 2), done.stderr
    if done.returncode == 2:
        assert done.stderr.strip()
        assert not any(tmp_path.iterdir())
        return
    assert list(tmp_path.iterdir()) == [out]
    records = read_pcap(out)[2]
    assert len(records) == json.loads(done.stdout)["packets_out"]
    came_out += records


@pytest.mark.witness
def test_what_came_out_needs_nothing_more(tmp_path, came_out):
    if not came_out:
        pytest.skip("no capture was replayed")
    path = write_pcap(tmp_path / "in.pcap", came_out, nano=True)
    done = replay_file(path, tmp_path / "out.pcap")
    assert done.report["filled"] == {} and done.report["segments_out"] == 0
    assert done.records == came_out
