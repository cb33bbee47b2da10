# SPDX-License-Identifier: BSD-3-Clause
"""More packets with the verdicts that the contract gives them: links, tags and tunnels."""

import struct

from scapy.all import (GRE, ICMP, LLC, PPP, SNAP, CookedLinux, Dot1Q, Dot3, Ether, PPPoE,
                       Raw)
from scapy.contrib.geneve import GENEVE, GeneveOptions
from scapy.contrib.gtp import GTP_U_Header
from scapy.contrib.mpls import MPLS
from scapy.layers.vxlan import VXLAN

from contract_packets import case, eth, ip4, ip6, patched, ramp, tcp, udp

P = ramp
INNER = {"ip": "good", "tcp": "good"}
BOTH = {"ip": "good,good", "tcp": "good"}


def inner_eth():
    """The Ethernet header inside a tunnel."""
    return Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")


def packet():
    """What rides in every tunnel; its sums are constants."""
    return ip4(chksum=0x566a)/tcp(0xcf98)/Raw(P(100))


def segment():
    """The first 1000 bytes of a longer packet; its sums are constants."""
    return ip4(chksum=0x52e6)/tcp(0x45c2)/Raw(P(1000))


def outer4(**fields):
    """The outer IPv4 header."""
    return ip4(**{"src": "192.0.2.1", "dst": "192.0.2.2", "id": 0x2000, **fields})


def outer6():
    """The outer IPv6 header."""
    return ip6(src="2001:db8::a", dst="2001:db8::b")


def link_types():
    """Every link type of a capture that carries IP."""
    plain = bytes(packet())
    plain6 = bytes(ip6()/tcp()/Raw(P(100)))
    for link in (12, 101, 228):
        case(f"link_{link}_ipv4", plain, link=link, **INNER)
    for link in (12, 101, 229):
        case(f"link_{link}_ipv6", plain6, link=link, tcp="good")
    case("link_113_sll", CookedLinux(proto=0x0800)/packet(), link=113, **INNER)
    case("link_113_sll_vlan",
         CookedLinux(proto=0x8100)/Raw(struct.pack("!HH", 5, 0x86dd) + plain6), link=113,
         tcp="good")
    sll2 = struct.pack("!HHIHBB8s", 0x0800, 0, 1, 1, 0, 6, b"\2\0\0\0\0\1")
    case("link_276_sll2", sll2 + plain, link=276, **INNER)
    for family, data, expect in ((2, plain, INNER), (10, plain6, {"tcp": "good"}),
                                 (24, plain6, {"tcp": "good"}), (28, plain6, {"tcp": "good"}),
                                 (30, plain6, {"tcp": "good"})):
        case(f"link_0_little_endian_family_{family}", struct.pack("<I", family) + data,
             link=0, **expect)
        case(f"link_0_big_endian_family_{family}", struct.pack(">I", family) + data, link=0,
             **expect)
        case(f"link_108_family_{family}", struct.pack(">I", family) + data, link=108, **expect)
    case("link_0_ether_type", b"\x0f\0\x08\0" + plain, link=0, **INNER)


def tags():
    """What lies between Ethernet and IP."""
    case("vlan", eth()/Dot1Q(vlan=100)/packet(), **INNER)
    case("qinq", eth(type=0x88a8)/Dot1Q(vlan=10, type=0x8100)/Dot1Q(vlan=100)/packet(), **INNER)
    case("three_tags_9100", eth(type=0x9100)/Dot1Q(vlan=1, type=0x9100)/
         Dot1Q(vlan=2, type=0x8100)/Dot1Q(vlan=3)/packet(), **INNER)
    case("mpls_two_labels_ipv4", eth()/MPLS(label=16, s=0)/MPLS(label=17, s=1)/packet(), **INNER)
    case("mpls_ipv6", eth(type=0x8848)/MPLS(label=2, s=1)/ip6()/tcp(), tcp="good")
    # scapy writes PPP's protocol in one byte; RFC 2516 section 7 forbids that here.
    case("pppoe_ipv4", eth(type=0x8864)/PPPoE(sessionid=1)/Raw(b"\0\x21" + bytes(packet())),
         **INNER)
    case("pppoe_ipv6",
         eth(type=0x8864)/PPPoE(sessionid=1)/Raw(b"\0\x57" + bytes(ip6()/tcp())), tcp="good")
    case("llc_snap", Dot3(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")/
         LLC(dsap=0xaa, ssap=0xaa, ctrl=3)/SNAP(OUI=0, code=0x0800)/packet(), **INNER)
    case("llc_of_something_else", Dot3(dst="01:80:c2:00:00:00", src="02:00:00:00:00:01")/
         LLC(dsap=0x42, ssap=0x42, ctrl=3)/Raw(bytes(packet())))


def ip_in_ip():
    """All four mixes, and deeper."""
    case("ipip", eth()/outer4()/packet(), **BOTH)
    case("ipip_constant", eth()/outer4(chksum=0xd2d2, len=1060)/segment(), **BOTH)
    case("sit", eth()/outer4()/ip6()/tcp(), ip="good", tcp="good")
    case("4in6", eth()/outer6()/packet(), **INNER)
    case("6in6", eth()/outer6()/ip6()/tcp(0x1234), tcp="bad")
    case("verdicts_from_the_outermost_in", eth()/outer4(chksum=1)/ip4()/ip4(chksum=2)/udp(0),
         ip="bad,good,bad", udp="zero")
    case("ethernet_in_ipv6", patched(outer6()/inner_eth()/packet(), 6, b"\x8f"),
         link=229, **INNER)
    case("inner_length_beyond_the_outer", eth()/outer4(len=100)/packet(), ip="good,good",
         tcp="truncated")
    case("inner_ipv4_length_0", eth()/outer4()/ip4(len=0)/tcp(0xcf98)/Raw(P(100)),
         ip="good,good", tcp="good")
    case("inner_l4_in_an_outer_fragment", eth()/outer4(flags="MF")/packet(), ip="good,good",
         tcp="fragment")


def gre():
    """Only a header with the checksum field is listed."""
    case("gre_without_checksum", eth()/outer4()/GRE()/packet(), **BOTH)
    summed = GRE(chksum_present=1, key_present=1, seqnum_present=1, key=7,
                 sequence_number=100, chksum=0x5f99)
    case("gre_checksum_key_sequence", eth()/outer4()/summed/segment(), gre="good", **BOTH)
    case("gre_checksum_off_by_one", eth()/outer4()/summed.copy()/ip4(chksum=0x52e6)/
         tcp(0x45c3)/Raw(P(1000)), ip="good,good", tcp="bad", gre="bad")
    case("gre_field_of_0", eth()/outer4()/GRE(chksum_present=1, chksum=0)/packet(), gre="bad",
         **BOTH)
    case("gre_snapped", eth()/outer4()/summed/segment(), cut=500, ip="good,good",
         tcp="truncated", gre="truncated")
    case("gre_teb", eth()/outer6()/GRE(proto=0x6558, key_present=1, key=0x123456)/inner_eth()/
         packet(), **INNER)
    case("gre_version_1_is_not_parsed",
         eth()/outer4()/GRE(version=1, proto=0x880b, key_present=1, key=1)/PPP()/packet(),
         ip="good")
    case("gre_version_1_has_no_checksum", eth()/outer4()/
         GRE(version=1, chksum_present=1, chksum=1, key_present=1)/packet(), ip="good")
    mirrored = bytes(inner_eth()/packet())
    case("erspan_type_1", eth()/outer4()/GRE(proto=0x88be)/Raw(mirrored), **BOTH)
    case("erspan_type_2", eth()/outer4()/GRE(proto=0x88be, seqnum_present=1)/
         Raw(struct.pack("!HHI", 0x1064, 0, 0) + mirrored), **BOTH)
    case("erspan_type_3", eth()/outer4()/GRE(proto=0x22eb, seqnum_present=1)/
         Raw(struct.pack("!HHIHH", 0x2064, 0, 0, 0, 0) + mirrored), **BOTH)
    case("erspan_type_3_of_another_frame_type",
         eth()/outer4()/GRE(proto=0x22eb, seqnum_present=1)/
         Raw(struct.pack("!HHIHH", 0x2064, 0, 0, 0, 2 << 10) + mirrored), ip="good")
    case("erspan_type_3_with_a_subheader", eth()/outer4()/GRE(proto=0x22eb, seqnum_present=1)/
         Raw(struct.pack("!HHIHHQ", 0x2064, 0, 0, 0, 1, 0) + mirrored), **BOTH)


def udp_tunnels():
    """By destination port; GTP-U by either."""
    vxlan = VXLAN(vni=42, flags=8)
    case("vxlan_constant", eth()/outer4(chksum=0xd2a7)/udp(0x758a, sport=50000, dport=4789)/
         vxlan/inner_eth()/segment(), udp="good", **BOTH)
    case("vxlan_over_ipv6_constant", eth()/outer6()/udp(0x9e07, sport=50000, dport=4789)/vxlan/
         inner_eth()/segment(), udp="good", **INNER)
    case("vxlan_zero_over_ipv6_is_legal", eth()/outer6()/udp(0, sport=50000, dport=4789)/vxlan/
         inner_eth()/segment(), udp="zero", **INNER)
    for name, kept in (("whole", 8), ("part", 3), ("none", 0)):
        case(f"vxlan_zero_over_ipv6_in_a_frame_with_{name}_of_its_header",
             bytes(eth()/outer6()/udp(0, sport=50000, dport=4789)/vxlan/inner_eth()/
                   segment())[:14 + 40 + 8 + kept], udp="zero")
    case("vxlan_zero_over_ipv6_without_room_for_its_header_is_bad",
         eth()/outer6()/udp(0, sport=50000, dport=4789)/Raw(bytes(vxlan)[:7]), udp="bad")
    case("vxlan_without_its_flag_is_no_tunnel",
         eth()/outer4()/udp(sport=50000, dport=4789)/VXLAN(vni=42, flags=0)/inner_eth()/packet(),
         ip="good", udp="good")
    case("vxlan_by_source_port_is_no_tunnel",
         eth()/outer4()/udp(sport=4789, dport=50000)/vxlan/inner_eth()/packet(),
         ip="good", udp="good")
    case("zero_over_ipv6_by_source_port_is_bad",
         eth()/outer6()/udp(0, sport=4789, dport=50000)/vxlan/inner_eth()/packet(), udp="bad")
    for value, name, inside, expect in (
            (1, "ipv4", packet(), BOTH), (2, "ipv6", ip6()/tcp(), {"ip": "good", "tcp": "good"}),
            (3, "ethernet", inner_eth()/packet(), BOTH)):
        case(f"vxlan_gpe_{name}", eth()/outer4()/udp(dport=4790)/
             Raw(bytes([0x0c, 0, 0, value, 0, 0, 42, 0]) + bytes(inside)), udp="good", **expect)
    option = GeneveOptions(classid=0x0102, type=1, data=b"\1\2\3\4")
    geneve = GENEVE(vni=42, proto=0x6558, options=[option])
    case("geneve_with_an_option", eth()/outer4()/udp(dport=6081)/geneve/inner_eth()/packet(),
         udp="good", **BOTH)
    case("geneve_ip", eth()/outer6()/udp(0, dport=6081)/GENEVE(vni=42, proto=0x0800)/packet(),
         udp="zero", **INNER)
    case("mpls_in_udp", eth()/outer4()/udp(dport=6635)/MPLS(label=16, s=1)/packet(), udp="good",
         **BOTH)
    gtp = GTP_U_Header(teid=1, gtp_type=255)
    case("gtp_u", eth()/outer4()/udp(dport=2152)/gtp/packet(), udp="good", **BOTH)
    case("gtp_u_by_source_port", eth()/outer4()/udp(sport=2152)/gtp/packet(), udp="good", **BOTH)
    # Flags E and S; then sequence number, N-PDU, type 0x85; then one word of it and no next.
    extended = struct.pack("!BBHIHBB", 0x36, 255, 148, 1, 9, 0, 0x85) + b"\1\0\5\0"
    case("gtp_u_with_an_extension_header",
         eth()/outer4()/udp(dport=2152)/Raw(extended + bytes(packet())), udp="good", **BOTH)
    case("gtp_u_echo_holds_no_packet", eth()/outer4()/udp(dport=2152)/
         GTP_U_Header(teid=0, gtp_type=1)/Raw(bytes(packet())), ip="good", udp="good")
    # Lengths of 0 all the way in, as the kernel's BIG TCP has them.
    big = bytes(eth()/outer4(len=0)/udp(0, dport=4789, len=0)/vxlan/inner_eth()/
                ip4(len=0)/tcp(0xcf98)/Raw(P(100)))
    case("zero_lengths_in_a_tunnel", big, ip="good,good", udp="zero", tcp="good")
    outer = eth()/outer4()/udp(dport=4789)/vxlan/inner_eth()
    case("inner_icmp", outer/ip4()/ICMP()/Raw(P(9)), ip="good,good", udp="good", icmp="good")
    case("inner_udp_seed", patched(outer/ip4()/udp(0)/Raw(P(100)), 84 + 6, b"\x14\x14"),
         ip="good,good", udp="bad,partial")


link_types()
tags()
ip_in_ip()
gre()
udp_tunnels()
