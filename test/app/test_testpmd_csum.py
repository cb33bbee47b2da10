# SPDX-License-Identifier: BSD-3-Clause
"""The csum engine of dpdk-csum-testpmd where dpdk-testpmd's is wrong, or leaves things undone.

The lower port is net_pcap, which has no offloads, alone or below net_soft_csum.
"""

import struct

import pytest
from replay_tools import assert_right, flip, payload, put16
from scapy.contrib.geneve import GENEVE, GeneveOptions
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop
from scapy.layers.l2 import ARP, GRE, Ether
from scapy.layers.sctp import SCTP, SCTPChunkData
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw
from testpmd_tools import forward, ours, verdicts_by_reference

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
T = TCP(sport=1024, dport=80, seq=1000, ack=2000, flags="PA", window=8192)
U = UDP(sport=1024, dport=4096)
INNER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
O4 = IP(src="192.0.2.1", dst="192.0.2.2", id=0x2000, ttl=64)
O6 = IPv6(src="2001:db8::a", dst="2001:db8::b", hlim=64)
VX = UDP(sport=50000, dport=4789) / VXLAN(vni=42, flags=8)


def csum(tmp_path, frames, *settings, nb_out=None, soft_csum=False, options=()):
    """Frames after the csum engine, which keeps their addresses."""
    port = 1 if soft_csum else 0
    commands = [f"port stop {port}", f"csum mac-swap off {port}",
                *(f"{setting} {port}" for setting in settings), f"port start {port}",
                "set fwd csum"]
    return forward(tmp_path, ours, [bytes(frame) for frame in frames], commands,
                   len(frames) if nb_out is None else nb_out, soft_csum, options)[0]


def assert_all_good(tmp_path, frames):
    assert set().union(*verdicts_by_reference(tmp_path, frames).values()) == {"good"}


@pytest.mark.parametrize("frame", [
    E / I4 / T / payload(11),
    E / I6 / T / payload(12),
    E / I6 / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt() / T / payload(13),
    E / I6 / IPv6ExtHdrDestOpt() / U / payload(14),
    E / I4 / T / payload(1400),
], ids=["tcp4", "tcp6", "tcp6-two-extension-headers", "udp6-extension-header", "long"])
def test_stale_checksums_are_made_in_software(tmp_path, frame):
    """dpdk-testpmd takes an IPv6 header for 40 bytes whatever follows it."""
    right = bytes(frame)
    at = right.index(b"\x04\x00" + (b"\x00\x50" if TCP in frame else b"\x10\x00"), 34)
    at += 16 if TCP in frame else 6
    wrong = put16(right, at, struct.unpack_from("!H", right, at)[0] ^ 0x5555)
    if IP in frame:
        wrong = flip(wrong, 24)
    assert csum(tmp_path, [wrong]) == [right]


@pytest.mark.parametrize("settings, soft_csum", [([], False), (["csum set sctp hw"], True)],
                         ids=["software", "port"])
def test_sctp_gets_its_crc32c(tmp_path, settings, soft_csum):
    """dpdk-testpmd writes 0."""
    right = bytes(E / I4 / SCTP(sport=1, dport=2, tag=7) / SCTPChunkData(data=payload(20)))
    wrong = right[:42] + b"\xde\xad\xbe\xef" + right[46:]
    assert csum(tmp_path, [wrong], *settings, soft_csum=soft_csum) == [right]


@pytest.mark.parametrize("ip", [I4, I6], ids=["ipv4", "ipv6"])
def test_udp_without_checksum_stays_without(tmp_path, ip):
    frame = bytes(E / ip / UDP(sport=1, dport=2, chksum=0) / payload(31))
    assert csum(tmp_path, [frame]) == [frame]
    assert csum(tmp_path, [frame], "csum set udp hw", soft_csum=True) == [frame]


def test_l4_of_fragments_is_left_alone(tmp_path):
    """dpdk-testpmd writes a checksum into each IPv4 fragment, over payload in the later ones."""
    udp = bytes(I4 / UDP(sport=1, dport=2, len=88, chksum=0x1234) / payload(80))[20:]
    first = I4.copy()
    first.flags, first.proto = "MF", 17
    last = I4.copy()
    last.frag, last.proto = 6, 17
    frames = [bytes(E / first / Raw(udp[:48])), bytes(E / last / Raw(udp[48:])),
              bytes(E / I6 / IPv6ExtHdrFragment(m=1, nh=17, id=9) / Raw(udp[:48]))]
    assert csum(tmp_path, [flip(frames[0], 24), flip(frames[1], 24), frames[2]]) == frames


def test_what_is_no_ip_or_cut_short_passes_unchanged(tmp_path):
    whole = bytes(E / I4 / T / payload(100))
    frames = [bytes(E / ARP()), bytes(E / I4 / ICMP() / payload(9)), bytes(14), whole[:30],
              whole[:14] + b"\x45", bytes(E)[:12] + b"\x86\xdd" + bytes(20), b"\x02" * 13]
    assert csum(tmp_path, frames) == frames


def test_truncated_tcp_keeps_its_checksum(tmp_path):
    """dpdk-testpmd sums what lies behind the packet's end."""
    whole = bytes(E / I4 / T / payload(1000))
    cut = whole[:500]
    assert csum(tmp_path, [flip(cut, 24)]) == [cut]


def test_ethernet_padding_is_not_summed(tmp_path):
    right = bytes(E / I4 / T / payload(2)) + b"\xaa\xbb\xcc\xdd"
    assert csum(tmp_path, [flip(right, 50)]) == [right]
    assert csum(tmp_path, [flip(right, 50)], "csum set tcp hw", soft_csum=True) == [right]


@pytest.mark.parametrize("outer", [O4, O6], ids=["outer-ipv4", "outer-ipv6"])
@pytest.mark.parametrize("settings", [
    ["csum parse-tunnel on"],
    ["csum parse-tunnel on", "csum set ip hw", "csum set tcp hw"],
    ["csum parse-tunnel on", "csum set outer-ip hw"],
], ids=["all-software", "inner-port", "outer-ip-port"])
def test_outer_udp_checksum_covers_the_inner_ones_as_they_go_out(tmp_path, outer, settings):
    """dpdk-testpmd sums the inner packet before the port has filled its checksums in."""
    right = bytes(E / outer / VX / INNER / I4 / T / payload(333))
    tcp = right.index(bytes((I4 / T / payload(333))[TCP])[:16])
    wrong = flip(flip(right, tcp + 16), tcp - 10)
    assert csum(tmp_path, [wrong], *settings, soft_csum=True) == [right]


@pytest.mark.parametrize("settings", [[], ["csum set ip hw", "csum set tcp hw"]],
                         ids=["software", "inner-port"])
def test_gre_checksum_covers_the_inner_ones_as_they_go_out(tmp_path, settings):
    """dpdk-testpmd leaves it as it was."""
    right = bytes(E / O4 / GRE(proto=0x800, chksum_present=1) / I4 / T / payload(50))
    assert_all_good(tmp_path, [right])
    wrong = flip(flip(right, len(right) - 50 - 4), 38)
    assert csum(tmp_path, [wrong], "csum parse-tunnel on", *settings, soft_csum=True) == [right]


def test_headers_too_long_for_metadata_are_done_in_software(tmp_path):
    """l2_len has 7 bits: dpdk-testpmd's port gets the lower 7 of what it takes."""
    options = [GeneveOptions(classid=1, type=1, data=bytes(120))]
    tunnel = UDP(sport=50000, dport=6081) / GENEVE(vni=42, proto=0x6558, optionlen=31,
                                                   options=options)
    right = bytes(E / O4 / tunnel / INNER / I4 / T / payload(300))
    assert_all_good(tmp_path, [right])
    tcp = right.index(bytes((I4 / T / payload(300))[TCP])[:16])
    settings = ["csum parse-tunnel on", "csum set ip hw", "csum set tcp hw", "csum set outer-ip hw",
                "csum set outer-udp hw"]
    assert csum(tmp_path, [flip(right, tcp + 16)], *settings, soft_csum=True) == [right]


def test_tso_needs_an_enabled_port(tmp_path):
    """dpdk-testpmd 22.11 asks for segmentation whatever the port can do."""
    frame = bytes(E / I4 / T / payload(1400))
    assert csum(tmp_path, [frame], "tso set 1000") == [frame]


def test_trailer_is_not_cut_into_segments(tmp_path):
    """For segmentation a packet ends where it ends: dpdk-testpmd makes the trailer payload."""
    data = payload(2500)
    out = csum(tmp_path, [bytes(E / I4 / T / data) + b"\xee" * 7], "csum set ip hw",
               "csum set tcp hw", "tso set 1000", soft_csum=True, nb_out=3)
    assert b"".join(bytes(Ether(frame)[TCP].payload) for frame in out) == data
    for frame in out:
        assert_right(frame)


def test_payload_of_just_one_segment_is_not_segmented(tmp_path):
    frames = [bytes(E / I4 / T / payload(n)) for n in (999, 1000)]
    out = csum(tmp_path, [*frames, bytes(E / I4 / T / payload(1001))], "csum set ip hw",
               "csum set tcp hw", "tso set 1000", soft_csum=True, nb_out=4)
    assert out[:2] == frames
    assert [len(Ether(frame)[TCP].payload) for frame in out] == [999, 1000, 1000, 1]


def test_addresses_are_written_unless_told_otherwise(tmp_path):
    frame = bytes(E / I4 / T / payload(5))
    out, _ = forward(tmp_path, ours, [frame], ["set fwd csum"], 1, soft_csum=False)
    packet = Ether(out[0])
    assert packet.dst == "02:00:00:00:00:00"  # of neighbour 0
    assert packet.src == "02:70:63:61:70:00"  # net_pcap's own
    assert out[0][12:] == frame[12:]
