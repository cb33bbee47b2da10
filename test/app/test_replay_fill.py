# SPDX-License-Identifier: BSD-3-Clause
"""What --replay does with the checksums of packets that need no cutting."""

import pytest
from replay_tools import (E, I4, I6, INNER, O4, O6, T, TUNNELS, U, flip, frames_of, payload, put16,
                          replay, replay_cases)
from scapy.contrib.igmp import IGMP
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP, IPOption_RR
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6ExtHdrDestOpt
from scapy.layers.l2 import ARP, GRE, Ether
from scapy.layers.sctp import SCTP, SCTPChunkData
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw


def udplite(ip, coverage, data):
    """scapy has none: the checksum is that of UDP with the coverage for its length."""
    head = bytes(UDP(sport=1, dport=2, len=coverage, chksum=0))
    whole = bytes(E / ip.__class__(**{**ip.fields, "proto": 136}) / Raw(head + data))
    pseudo = whole[26:34] + bytes([0, 136]) + (8 + len(data)).to_bytes(2, "big")
    covered = (head + data)[:coverage] if coverage else head + data
    covered += bytes(-len(covered) % 2)
    total = sum(int.from_bytes((pseudo + covered)[i:i + 2], "big")
                for i in range(0, len(pseudo + covered), 2))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return put16(whole, 34 + 6, total ^ 0xFFFF or 0xFFFF)


def dccp(data):
    """A request: source, destination, data offset 5 words, coverage 0, extended sequence."""
    head = bytes.fromhex("0001000205000000010000000000000100000000")
    whole = bytes(E / I4.__class__(**{**I4.fields, "proto": 33}) / Raw(head + data))
    pseudo = whole[26:34] + bytes([0, 33]) + (len(head) + len(data)).to_bytes(2, "big")
    summed = pseudo + head + data + bytes(len(data) % 2)
    total = sum(int.from_bytes(summed[i:i + 2], "big") for i in range(0, len(summed), 2))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return put16(whole, 34 + 6, total ^ 0xFFFF)


KINDS = {
    # name: (a right frame, a byte of the checksum field)
    "ip": (bytes(E / I4 / T), 25),
    "tcp": (bytes(E / I4 / T / payload(101)), 51),
    "tcp6": (bytes(E / I6 / T / payload(101)), 71),
    "udp": (bytes(E / I4 / U / payload(101)), 41),
    "udp6": (bytes(E / I6 / U / payload(101)), 61),
    "udplite": (udplite(I4, 20, payload(101)), 41),
    "icmp": (bytes(E / I4 / ICMP(id=1) / payload(33)), 37),
    "icmpv6": (bytes(E / I6 / ICMPv6EchoRequest(data=payload(33))), 57),
    "igmp": (bytes(E / IP(src="10.0.0.1", dst="224.0.0.1", ttl=1) / IGMP(gaddr="0.0.0.0")), 37),
    "sctp": (bytes(E / I4 / SCTP(sport=1, dport=2, tag=3) /
                   SCTPChunkData(data=payload(8))), 43),
    "dccp": (dccp(payload(33)), 41),
    "gre": (bytes(E / O4 / GRE(chksum_present=1) / I4 / U / payload(33)), 39),
}


@pytest.fixture(scope="module", name="filled")
def fixture_filled(tmp_path_factory):
    cases = {}
    for kind, (right, at) in KINDS.items():
        cases[kind, "wrong"] = flip(right, at)
        cases[kind, "padded"] = flip(right, at) + b"\x55" * 5
        cases[kind, "right"] = right
    return replay_cases(tmp_path_factory.mktemp("filled"), cases)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_filled(filled, kind):
    assert filled[0][kind, "wrong"] == [KINDS[kind][0]]


@pytest.mark.parametrize("kind", KINDS)
def test_padding_behind_a_filled_packet_stays(filled, kind):
    assert filled[0][kind, "padded"] == [KINDS[kind][0] + b"\x55" * 5]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_passes_when_it_is_good(filled, kind):
    assert filled[0][kind, "right"] == [KINDS[kind][0]]


def test_what_is_filled_is_counted_by_kind(filled):
    _, done = filled
    assert done.status == 0
    assert done.report["filled"] == {
        "ip": 2, "udp": 4, "udplite": 2, "tcp": 4, "icmp": 2, "icmpv6": 2, "igmp": 2,
        "sctp": 2, "dccp": 2, "gre": 2,
    }
    assert done.report["super_packets"] == done.report["segments_out"] == 0


@pytest.mark.parametrize("with_length", [True, False])
def test_partial_checksum_is_completed(tmp_path, with_length):
    right = bytes(E / I4 / U / payload(50))
    words = [0x0A00, 0x0001, 0x0A00, 0x0002, 17, 58 if with_length else 0]
    done = replay(tmp_path, [put16(right, 40, sum(words))])
    assert frames_of(done) == [right]
    assert done.report["filled"] == {"udp": 1}


def test_udp_zero_over_ipv4_stays_and_over_ipv6_is_filled(tmp_path):
    four = put16(bytes(E / I4 / U / payload(50)), 40, 0)
    six = bytes(E / I6 / U / payload(50))
    done = replay(tmp_path, [four, put16(six, 60, 0)])
    assert frames_of(done) == [four, six]
    assert done.report["filled"] == {"udp": 1}
    assert done.report["out"]["udp"] == {"good": 1, "zero": 1}
    assert done.status == 0


def test_outer_udp_zero_over_ipv6_stays(tmp_path):
    head = UDP(sport=50000, dport=4789, chksum=0) / VXLAN(vni=42, flags=8)
    right = bytes(E / O6 / head / INNER / I4 / T / payload(50))
    done = replay(tmp_path, [flip(right, 14 + 40 + 16 + 14 + 20 + 17)])
    assert frames_of(done) == [right]
    assert done.report["filled"] == {"tcp": 1}


def test_inner_and_outer_are_filled(tmp_path):
    right, wrong = {}, {}
    for tunnel in TUNNELS:
        for outer in (O4, O6):
            name = tunnel, outer.version
            right[name] = bytes(E / outer / TUNNELS[tunnel] / INNER / I4 / U / payload(51))
            udp = 14 + len(outer)
            inner = udp + 16 + 14
            wrong[name] = flip(flip(flip(right[name], udp + 7), inner + 11), inner + 27)
    became, done = replay_cases(tmp_path, wrong)
    assert became == {name: [frame] for name, frame in right.items()}
    assert done.report["filled"] == {"ip": 4, "udp": 8}


def test_outer_checksum_follows_the_inner_one(tmp_path):
    """The outer checksum is right over wrong inner bytes: it must be made anew with them."""
    right = bytes(E / O4 / TUNNELS["vxlan"] / INNER / I4 / U / payload(51))
    inner = bytes(INNER / I4 / U / payload(51))
    wrong = bytes(E / O4 / TUNNELS["vxlan"] / Raw(flip(inner, 41)))
    assert wrong != right
    done = replay(tmp_path, [wrong])
    assert frames_of(done) == [right]
    assert done.status == 0


def test_gre_checksum_follows_what_the_port_fills(tmp_path):
    head = O4 / GRE(chksum_present=1, proto=0x0800)
    right = bytes(E / head / I4 / T / payload(51))
    wrong = bytes(E / head / Raw(flip(bytes(I4 / T / payload(51)), 37)))
    done = replay(tmp_path, [wrong])
    assert frames_of(done) == [right]


def test_deep_nesting_is_filled(tmp_path):
    right, wrong = {}, {}
    packet = I4 / T / payload(20)
    for depth in (2, 3, 4):
        packet = O4.copy() / TUNNELS["vxlan"].copy() / INNER.copy() / packet
        right[depth] = bytes(E / packet)
        wrong[depth] = flip(right[depth], 14 + (depth - 1) * (20 + 16 + 14) + 20 + 16)
    became, done = replay_cases(tmp_path, wrong)
    assert became == {depth: [frame] for depth, frame in right.items()}
    assert done.status == 0


def test_good_packets_pass_bit_for_bit(tmp_path):
    # With its own checksum for a window, the sum of all else is 0xffff: 0 and 0xffff are right.
    check = Ether(bytes(E / I4 / TCP(sport=1024, dport=80, window=0)))[TCP].chksum
    tcp_zero = bytes(E / I4 / TCP(sport=1024, dport=80, window=check))
    assert tcp_zero[50:52] == b"\0\0"
    frames = [
        bytes(E / ARP()),
        tcp_zero,
        put16(tcp_zero, 50, 0xFFFF),
        bytes(E / I4 / T / payload(7)) + b"\x99" * 9,
        bytes(E / I4 / ICMP(type=3, code=1) / Raw(bytes(I4 / U))),
        bytes(E / I6 / IPv6ExtHdrDestOpt() / U / payload(9)),
        b"\x00" * 14,
        b"\x01" * 60,
        b"\x02" * 5,
    ]
    done = replay(tmp_path, frames)
    assert [f.hex() for f in frames_of(done)] == [f.hex() for f in frames]
    assert done.status == 0
    assert done.report["filled"] == {}


def test_b111_options_stay_as_they_are(tmp_path):
    ip = I4.copy()
    ip.options = [IPOption_RR(routers=["1.2.3.4", "5.6.7.8"], pointer=4), IPOption_NOP()]
    right = bytes(E / ip / U / payload(60))
    head = (right[14] & 15) * 4
    done = replay(tmp_path, [put16(put16(right, 24, 0), 14 + head + 6, 1)])
    assert frames_of(done) == [right]


def test_fragments_pass(tmp_path):
    ip = I4.copy()
    ip.flags = "MF"
    first = bytes(E / ip / U / payload(64))
    ip.flags, ip.frag = 0, 9
    later = bytes(E / ip / Raw(payload(64)))
    done = replay(tmp_path, [flip(first, 25), later])
    assert frames_of(done) == [first, later]
    assert done.report["filled"] == {"ip": 1}
    assert done.status == 0
