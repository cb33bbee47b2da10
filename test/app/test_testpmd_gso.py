# SPDX-License-Identifier: BSD-3-Clause
"""GSO and GRO in the csum engine of dpdk-csum-testpmd, over a port without offloads: what goes out
is complete. dpdk-testpmd leaves the TCP checksums of what it has cut or merged as they were."""

import pytest
from replay_tools import assert_right, flip, payload, put16, read_pcap, record, write_pcap
from scapy.contrib.geneve import GENEVE
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import GRE, Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from testpmd_tools import Session, forward, ours, pcap_port, verdicts_by_reference

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
T = TCP(sport=1024, dport=80, seq=1000, ack=2000, flags="A", window=8192)
INNER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
O4 = IP(src="192.0.2.1", dst="192.0.2.2", id=0x2000, ttl=64)
O6 = IPv6(src="2001:db8::a", dst="2001:db8::b", hlim=64)
VX = UDP(sport=50000, dport=4789) / VXLAN(vni=42, flags=8)
GN = UDP(sport=50000, dport=6081) / GENEVE(vni=42, proto=0x6558)


def run(tmp_path, frames, nb_out, *settings, soft_csum=False, csum=()):
    """Frames after the csum engine, which keeps their addresses."""
    port = 1 if soft_csum else 0
    commands = [f"port stop {port}", f"csum mac-swap off {port}",
                *(f"{setting} {port}" for setting in csum), f"port start {port}", "set fwd csum",
                *settings]
    return forward(tmp_path, ours, [bytes(frame) for frame in frames], commands, nb_out,
                   soft_csum)


def assert_good(tmp_path, frames):
    assert set().union(*verdicts_by_reference(tmp_path, frames).values()) == {"good"}


def tcp_payload(frames):
    return b"".join(bytes(Ether(frame)[TCP].payload) for frame in frames)


# ---- GSO

HEADERS = [E / I4, E / I6, E / Dot1Q(vlan=5) / Dot1Q(vlan=6) / I4, E / O4 / VX / INNER / I4,
           E / O6 / GN / INNER / I6, E / O4 / GRE(proto=0x800, chksum_present=1) / I4,
           E / O4 / I6]


def test_segments_are_complete_in_any_tunnel(tmp_path):
    data = payload(4000)
    wholes = [bytes(headers / T / data) for headers in HEADERS]
    stale = [put16(whole, len(whole) - len(data) - 4, 0x1234) for whole in wholes]
    numbers = [-(-len(data) // (1514 - (len(whole) - len(data)))) for whole in wholes]
    out, _ = run(tmp_path, stale, sum(numbers), "set port 0 gso on", csum=["csum parse-tunnel on"])
    assert_good(tmp_path, out)
    for number in numbers:
        segments_out, out = out[:number], out[number:]
        assert [len(frame) for frame in segments_out[:-1]] == (number - 1) * [1514]
        assert tcp_payload(segments_out) == data
    assert out == []


@pytest.mark.parametrize("csum", [[], ["csum set ip hw", "csum set tcp hw", "csum set udp hw"]],
                         ids=["software", "port"])
def test_port_or_application_fill_the_same(tmp_path, csum):
    data = payload(2500)
    out, text = run(tmp_path, [E / I4 / T / payload(9), E / I4 / T / data, E / I6 / T / data], 5,
                    "set port 1 gso on", "show port 1 gso", soft_csum=True, csum=csum)
    assert "Max GSO'd packet size: 1514B\n" in text
    assert [len(frame) for frame in out] == [63, 1514, 14 + 40 + 1040, 1514, 14 + 60 + 1060]
    for frame in out:
        assert_right(frame)
    assert tcp_payload(out[1:3]) == tcp_payload(out[3:]) == data


def test_udp_becomes_fragments_of_a_whole_datagram(tmp_path):
    datagram = I4 / UDP(sport=1, dport=2) / payload(4000)
    whole = bytes(E / datagram)
    out, _ = run(tmp_path, [flip(whole, 40)], 3, "set port 0 gso on")
    fragments = [Ether(frame)[IP] for frame in out]
    assert [int(ip.frag) * 8 for ip in fragments] == [0, 1480, 2960]
    assert b"".join(bytes(ip.payload) for ip in fragments) == bytes(datagram)[20:]
    verdicts = verdicts_by_reference(tmp_path, out)
    assert set().union(*verdicts.values()) == {"good", "fragment"}


def test_what_cannot_be_cut_or_need_not_goes_whole(tmp_path):
    keep = I4.copy()
    keep.flags = "DF"
    frames = [bytes(E / keep / UDP(sport=1, dport=2) / payload(3000)),
              bytes(E / I4 / TCP(sport=1, dport=2, flags="S") / payload(3000)),
              bytes(E / I4 / T / payload(1460))]
    out, _ = run(tmp_path, [flip(frame, len(frame) % 2 + 40) for frame in frames[:1]] + frames[1:],
                 3, "set port 0 gso on")
    assert out == frames


def test_gso_goes_off_again_and_needs_a_sensible_size(tmp_path):
    frame = bytes(E / I4 / T / payload(3000))
    out, text = run(tmp_path, [frame], 1, "set gso segsz 54", "set port 0 gso on",
                    "set port 0 gso off", "show port 0 gso")
    assert out == [frame]
    assert "gso_size should be larger than 55. Please input a legal value\n" in text
    assert "GSO is not enabled on Port 0\n" in text


# ---- GRO

def segments(size, nb, ip=I4, last="A"):
    frames = []
    for i in range(nb):
        tcp = T.copy()
        tcp.seq += i * size
        tcp.flags = last if i == nb - 1 else "A"
        numbered = ip.copy()
        numbered.id = ip.id + i
        frames.append(bytes(E / numbered / tcp / payload(size, i)))
    return frames


@pytest.mark.parametrize("settings", [[], ["set gro flush 3", "set burst 2"]],
                         ids=["one-burst", "three-bursts"])
def test_segments_are_merged_and_the_packet_is_complete(tmp_path, settings):
    frames = segments(700, 6)
    out, text = run(tmp_path, frames, 1, "set port 0 gro on", *settings, "show port 0 gro")
    assert len(out) == 1
    assert tcp_payload(out) == tcp_payload(frames)
    assert Ether(out[0])[IP].id == 0x1000 and Ether(out[0])[IP].len == 20 + 20 + 6 * 700
    assert_right(out[0])
    assert "GRO type: TCP/IPv4\n" in text


def test_nothing_is_kept_back_at_the_stop(tmp_path):
    """It comes while packets wait for three more bursts: other ports keep the lcore busy."""
    frames = segments(300, 4)
    source = write_pcap(tmp_path / "in.pcap", [record(frame) for frame in frames])
    vdevs = [pcap_port(source, tmp_path / "out.pcap"), *(f"net_null{i}" for i in range(24))]
    session = Session(ours("-i", "--no-flush-rx", "--port-topology=loop", "--burst=512",
                           vdevs=vdevs))
    status, text = session.end("set fwd csum", "set port 0 gro on", "set gro flush 4", "start",
                               "stop", "quit")
    assert status == 0 and "RX-packets: 4 " in text
    out = [rec.data for rec in read_pcap(tmp_path / "out.pcap")[2]]
    assert tcp_payload(out) == tcp_payload(frames)


def test_only_what_follows_is_merged(tmp_path):
    frames = segments(100, 3)
    other = bytes(E / I6 / T / payload(100))
    syn = bytes(E / I4 / TCP(sport=5, dport=6, flags="S"))
    padded = frames[2] + b"\0\0"
    out, _ = run(tmp_path, [frames[0], other, frames[1], syn, padded], 4, "set port 0 gro on")
    assert sorted(map(len, out)) == sorted([len(frames[0]) + 100, len(other), len(syn),
                                            len(padded)])
    assert {other, syn, padded} <= set(out)


def test_tagged_segments_are_not_merged(tmp_path):
    """librte_gro takes those of different VLANs for one flow."""
    frames = [frame[:12] + b"\x81\x00\x00" + bytes([vlan]) + frame[12:]
              for vlan, frame in enumerate(segments(100, 3), 5)]
    out, _ = run(tmp_path, frames, 3, "set port 0 gro on")
    assert out == frames


def test_what_was_merged_can_be_cut_anew(tmp_path):
    frames = segments(500, 6)
    out, _ = run(tmp_path, frames, 3, "set port 0 gro on", "set port 0 gso on",
                 "set gso segsz 1054")
    assert [len(frame) for frame in out] == 3 * [1054]
    assert tcp_payload(out) == tcp_payload(frames)
    assert_good(tmp_path, out)
