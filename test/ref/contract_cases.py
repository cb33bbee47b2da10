# SPDX-License-Identifier: BSD-3-Clause
"""Small packets, and the verdicts that the output contract gives them: IP and what rides on it.

Checksums are constants that were computed elsewhere, or scapy's; nothing of ours is asked.
"""

import struct

from scapy.all import (ICMP, SCTP, ICMPv6DestUnreach, ICMPv6EchoRequest, IPOption_NOP,
                       IPOption_RR, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment,
                       IPv6ExtHdrHopByHop, IPv6ExtHdrRouting, Jumbo, Raw, SCTPChunkData,
                       checksum)
from scapy.contrib.igmp import IGMP
from scapy.layers.inet6 import HAO, IPv6ExtHdrSegmentRouting
from scapy.layers.ipsec import AH, ESP

from contract_packets import (case, eth, filled, ip4, ip6, patched, pseudo, ramp, seeded, tcp,
                              udp)

P = ramp
L4 = 34  # Offset of the L4 header behind Ethernet and 20 bytes of IPv4.


def ipv4_headers():
    """The ip column, and whose length counts for what follows."""
    case("constants_of_an_independent_reference",
         eth()/ip4(chksum=0x566a)/tcp(0xcf98)/Raw(P(100)), ip="good", tcp="good")
    case("ip_checksum_off_by_one", eth()/ip4(chksum=0x566b)/tcp(0xcf98)/Raw(P(100)),
         ip="bad", tcp="good")
    case("ip_field_of_0_is_bad", eth()/ip4(chksum=0)/tcp(0xcf98)/Raw(P(100)),
         ip="bad", tcp="good")
    right_0 = bytes.fromhex("4500002866ce0000400600000a0000010a000002")
    case("ip_field_of_0_that_is_right", bytes(eth(type=0x0800)) + right_0 + bytes(20),
         ip="good", tcp="bad")
    case("ip_field_of_ffff_that_is_right",
         bytes(eth(type=0x0800)) + patched(right_0, 10, b"\xff\xff") + bytes(20),
         ip="good", tcp="bad")
    options = [IPOption_RR(length=7, pointer=4, routers=["0.0.0.0"]), IPOption_NOP()]
    case("ip_options_are_summed",
         eth()/ip4(options=options, chksum=0x49b4)/tcp(0x57a7)/Raw(P(10)), ip="good", tcp="good")
    case("ip_options_left_out_of_the_sum",
         eth()/ip4(options=options, chksum=0x54bc)/tcp(0x57a7)/Raw(P(10)), ip="bad", tcp="good")
    case("cut_ipv4_header_is_truncated", eth()/ip4()/tcp(), cut=14 + 19, ip="truncated")
    case("cut_ipv4_options_are_truncated", eth()/ip4(options=options)/tcp(), cut=14 + 27,
         ip="truncated")
    case("header_length_below_5_is_bad", patched(eth()/ip4()/tcp(), 14, b"\x44"), ip="bad")
    case("version_that_contradicts_the_ether_type", patched(eth()/ip4()/tcp(), 14, b"\x65"))
    case("ip_length_beyond_the_frame", eth()/ip4(len=141)/tcp(0xcf98)/Raw(P(100)),
         ip="good", tcp="truncated")
    case("ip_length_below_its_header", eth()/ip4(len=10)/tcp(), ip="good", tcp="truncated")
    case("ip_length_without_an_l4_header", eth()/ip4(len=20)/tcp(), ip="good", tcp="truncated")
    case("snapped_record", eth()/ip4()/tcp(0xcf98)/Raw(P(100)), cut=100, ip="good",
         tcp="truncated")
    case("snapped_inside_the_l4_header", eth()/ip4()/tcp(), cut=L4 + 19, ip="good",
         tcp="truncated")
    case("padding_is_not_summed", bytes(eth()/ip4()/tcp(0x6bca)) + b"\xaa" * 6, ip="good",
         tcp="good")
    case("padding_that_was_summed", bytes(eth()/ip4()/tcp(0x6bc4)) + bytes(6), ip="good",
         tcp="bad")


def super_packets():
    """Lengths of 0, and those above 65,535."""
    case("ipv4_length_0_is_the_frames", eth()/ip4(len=0)/tcp(0xcf98)/Raw(P(100)), ip="good",
         tcp="good")
    case("ipv4_length_0_snapped", eth()/ip4(len=0)/tcp(0xcf98)/Raw(P(100)), cut=100,
         ip="good", tcp="truncated")
    case("ipv6_length_0_with_tcp_in_a_big_frame",
         patched(eth()/ip6()/tcp()/Raw(P(2500)), 18, b"\0\0"), tcp="good")
    case("ipv6_length_0_with_tcp_in_a_frame_of_1514",
         patched(eth()/ip6()/tcp()/Raw(P(1440)), 18, b"\0\0"), tcp="truncated")
    case("ipv6_length_0_with_tcp_in_a_frame_of_1515",
         patched(eth()/ip6()/tcp()/Raw(P(1441)), 18, b"\0\0"), tcp="good")
    case("ipv6_length_0_with_extension_headers_before_tcp",
         patched(eth()/ip6()/IPv6ExtHdrDestOpt()/tcp()/Raw(P(2500)), 18, b"\0\0"), tcp="good")
    case("ipv6_length_0_with_udp_means_0",
         patched(eth()/ip6()/udp()/Raw(P(2500)), 18, b"\0\0"), udp="truncated")
    sized = bytes(udp(len=0)/Raw(P(3000)))
    long = filled(ip4(), 17, sized, 6)
    case("udp_length_0_in_a_super_packet_is_to_the_end",
         bytes(eth()/ip4(len=0, proto=17)) + long, ip="good", udp="good")
    case("udp_length_0_in_a_packet_above_1500_is_to_the_end",
         bytes(eth()/ip4(len=20 + len(long), proto=17)) + long, ip="good", udp="good")
    case("udp_length_0_otherwise_is_bad",
         bytes(eth()/ip4(len=128, proto=17)) + filled(ip4(), 17, bytes(udp(len=0)/P(100)), 6),
         ip="good", udp="bad")
    for name, ip, column in (("ipv4", ip4(len=0, proto=6), {"ip": "good"}),
                             ("ipv6", ip6(plen=0, nh=6), {})):
        data = bytes(tcp()/Raw(P(80000)))
        case(f"{name}_of_80000_bytes_sums_a_32_bit_length",
             bytes(eth()/ip) + filled(ip, 6, data, 16), tcp="good", **column)
        case(f"{name}_of_80000_bytes_with_a_16_bit_length_is_bad",
             bytes(eth()/ip) + patched(data, 16, struct.pack("!H", checksum(
                 pseudo(ip, 6, len(data) & 0xffff) + patched(data, 16, b"\0\0")))),
             tcp="bad", **column)
        case(f"{name}_of_80000_bytes_with_a_seed",
             bytes(eth()/ip) + seeded(ip, 6, data, 16, len(data)), tcp="partial", **column)
    data = filled(ip6(), 6, bytes(tcp()/Raw(P(80000))), 16)
    hop = bytes(IPv6ExtHdrHopByHop(nh=6, options=[Jumbo(jumboplen=8 + len(data))]))
    case("jumbo_payload_option", bytes(eth()/ip6(plen=0, nh=0)) + hop + data, tcp="good")
    case("jumbo_payload_option_and_a_trailer",
         bytes(eth()/ip6(plen=0, nh=0)) + hop + data + b"\xaa" * 6, tcp="good")
    case("jumbo_payload_option_beyond_the_frame",
         bytes(eth()/ip6(plen=0, nh=0)) + hop + data[:-1], tcp="truncated")


# RFC 6554: of 2001:db8::50 and ::99, the last byte, and six of padding.
COMPRESSED_ROUTE = (IPv6ExtHdrRouting(type=3, len=1, segleft=1, reserved=0xFF600000) /
                    Raw(bytes([0x50, 0x99]) + bytes(6)))


def extension_headers():
    """IPv6 extension headers and AH: the L4 length and the final destination."""
    case("hop_by_hop_is_not_the_l4_protocol",
         eth()/ip6()/IPv6ExtHdrHopByHop()/tcp(0xec07)/Raw(P(16)), tcp="good")
    case("hop_by_hop_summed_as_the_l4_protocol",
         eth()/ip6()/IPv6ExtHdrHopByHop()/tcp(0xec05)/Raw(P(16)), tcp="bad")
    final = "2001:db8::99"
    for name, header in (
            ("routing_type_0", IPv6ExtHdrRouting(addresses=["2001:db8::50", final], segleft=2)),
            ("routing_type_0_with_one_left",
             IPv6ExtHdrRouting(addresses=["2001:db8::50", final], segleft=1)),
            ("routing_type_2", IPv6ExtHdrRouting(type=2, addresses=[final], segleft=1)),
            ("segment_routing", IPv6ExtHdrSegmentRouting(
                addresses=[final, "2001:db8::50"], segleft=1, lastentry=1)),
            ("compressed_route", COMPRESSED_ROUTE)):
        for proto, column, offset, data in (
                (6, "tcp", 16, bytes(tcp()/Raw(P(50)))),
                (17, "udp", 6, bytes(udp(len=58)/Raw(P(50)))),
                (58, "icmpv6", 2, bytes(ICMPv6EchoRequest()/Raw(P(50))))):
            start = bytes(eth()/ip6()/header.copy())
            start = patched(start, 54, bytes([proto]))
            length = struct.pack("!H", len(start) - 54 + len(data))
            start = patched(start, 18, length)
            case(f"{name}_{column}_sums_the_final_destination",
                 start + filled(ip6(dst=final), proto, data, offset), **{column: "good"})
            case(f"{name}_{column}_with_the_next_hop",
                 start + filled(ip6(), proto, data, offset), **{column: "bad"})
    home, data = "2001:db8::76", bytes(tcp()/Raw(P(50)))
    start = eth()/ip6(plen=24 + len(data))/IPv6ExtHdrDestOpt(nh=6, options=[HAO(hoa=home)])
    case("home_address_is_the_source", bytes(start) + filled(ip6(src=home), 6, data, 16),
         tcp="good")
    case("care_of_address_is_the_source", bytes(start) + filled(ip6(), 6, data, 16), tcp="bad")
    done = patched(eth()/ip6()/IPv6ExtHdrRouting(addresses=["2001:db8::50"], segleft=0), 54,
                   b"\x06")
    case("routing_header_with_no_segments_left",
         patched(done, 18, struct.pack("!H", 24 + 20)) + filled(ip6(), 6, bytes(tcp()), 16),
         tcp="good")
    case("extension_header_that_is_cut", eth()/ip6()/IPv6ExtHdrDestOpt()/tcp(), cut=60)
    ah4 = bytes(eth()/ip4(len=20 + 24 + 120)/AH(nh=6, payloadlen=4, icv=bytes(12)))
    case("ah_over_ipv4_is_parsed_through",
         ah4 + filled(ip4(), 6, bytes(tcp()/Raw(P(100))), 16), ip="good", tcp="good")
    ah6 = bytes(eth()/ip6(plen=24 + 120)/AH(nh=6, payloadlen=4, icv=bytes(12)))
    case("ah_over_ipv6_is_parsed_through",
         ah6 + filled(ip6(), 6, bytes(tcp()/Raw(P(100))), 16), tcp="good")
    for words in (0, 1):
        for name, ip, column in (("ipv4", ip4(proto=51), {"ip": "good"}), ("ipv6", ip6(nh=51), {})):
            data = bytes([6, words]) + bytes(10) + filled(ip, 6, bytes(tcp()/Raw(P(20))), 16)
            data = data if words else data[:8] + data[12:]
            case(f"ah_over_{name}_of_{8 + 4 * words}_bytes", eth()/ip/Raw(data),
                 **column, **({"tcp": "good"} if words else {}))
    short = AH(nh=4, payloadlen=0)
    case("ah_of_8_bytes_before_nothing", eth()/ip4(proto=51)/Raw(bytes(short)[:8]), ip="good")
    case("esp_is_left_alone", eth()/ip4()/ESP(spi=1, seq=1, data=P(64)), ip="good")


def fragments():
    """What lies in a fragment is not judged; an atomic one is none."""
    first = udp(0x41f3, len=3008)/Raw(P(1472))
    case("first_fragment", eth()/ip4(flags="MF")/first, ip="good", udp="fragment")
    case("later_fragment", eth()/ip4(frag=185, proto=17)/Raw(P(1000)), ip="good", udp="fragment")
    case("first_fragment_with_a_udp_length_of_0",
         eth()/ip4(flags="MF")/udp(0x1234, len=0)/Raw(P(40)), ip="good", udp="fragment")
    case("last_byte_of_a_first_fragment_is_missing", eth()/ip4(flags="MF")/first, cut=200,
         ip="good", udp="fragment")
    case("zero_wins_over_fragment", eth()/ip4(flags="MF")/udp(0, len=3008)/Raw(P(1472)),
         ip="good", udp="zero")
    for proto, column in ((1, "icmp"), (2, "igmp"), (6, "tcp"), (33, "dccp"), (132, "sctp"),
                          (136, "udplite")):
        case(f"later_fragment_shows_in_the_{column}_column",
             eth()/ip4(frag=1, proto=proto)/Raw(P(40)), ip="good", **{column: "fragment"})
    case("later_fragment_of_an_unknown_protocol", eth()/ip4(frag=1, proto=89)/Raw(P(40)),
         ip="good")
    case("later_fragment_holds_no_ip_header", eth()/ip4(frag=1, proto=4)/ip4()/tcp(), ip="good")
    case("ipv6_first_fragment", eth()/ip6()/IPv6ExtHdrFragment(m=1)/udp(0x1234)/Raw(P(40)),
         udp="fragment")
    case("ipv6_later_fragment", eth()/ip6()/IPv6ExtHdrFragment(nh=58, offset=5)/Raw(P(40)),
         icmpv6="fragment")
    case("ipv6_later_fragment_of_udp_shows_no_zero",
         eth()/ip6()/IPv6ExtHdrFragment(nh=17, offset=5)/Raw(bytes(40)), udp="fragment")
    case("atomic_fragment_is_judged",
         bytes(eth()/ip6()/IPv6ExtHdrFragment(nh=6)/Raw(
             filled(ip6(), 6, bytes(tcp()/Raw(P(40))), 16))), tcp="good")
    case("atomic_fragment_with_a_wrong_sum",
         eth()/ip6()/IPv6ExtHdrFragment(nh=6)/tcp(0x1234)/Raw(P(40)), tcp="bad")


def tcp_and_udp():
    """Seeds, both zeros, and UDP's own length."""
    case("seed_with_length", eth()/ip4()/tcp(0x1481)/Raw(P(100)), ip="good", tcp="partial")
    case("seed_without_length", eth()/ip4()/tcp(0x1409)/Raw(P(100)), ip="good", tcp="partial")
    case("complement_of_a_seed_is_bad", eth()/ip4()/tcp(0x1481 ^ 0xffff)/Raw(P(100)),
         ip="good", tcp="bad")
    for name, ip, column in (("ipv4", ip4(), {"ip": "good"}), ("ipv6", ip6(), {})):
        for length in (0, 108):
            data = seeded(ip, 17, bytes(udp(len=108)/Raw(P(100))), 6, length)
            case(f"{name}_udp_seed_with_length_{length}",
                 bytes(eth()/ip/udp()/Raw(P(100)))[:-108] + data,
                 udp="partial", **column)
    # The two payload bytes that make the right checksum what a seed with length would be.
    seed = checksum(pseudo(ip4(), 6, 22)) ^ 0xffff
    rest = checksum(pseudo(ip4(), 6, 22) + bytes(tcp(seed)/Raw(b"\0\0")))
    case("good_beats_partial", eth()/ip4()/tcp(seed)/Raw(struct.pack("!H", rest)),
         ip="good", tcp="good")
    case("tcp_field_of_0_that_is_right", eth()/ip4()/tcp(0)/Raw(bytes.fromhex("6bc8")),
         ip="good", tcp="good")
    case("tcp_field_of_ffff_that_is_right", eth()/ip4()/tcp(0xffff)/Raw(bytes.fromhex("6bc8")),
         ip="good", tcp="good")
    case("tcp_field_of_0_that_is_wrong", eth()/ip4()/tcp(0)/Raw(P(100)), ip="good", tcp="bad")
    case("tcp_over_ipv6_field_of_0", eth()/ip6()/tcp(0)/Raw(bytes.fromhex("2456")), tcp="good")
    case("udp_constant", eth()/ip4()/udp(0x3b46)/Raw(P(100)), ip="good", udp="good")
    case("udp_off_by_one", eth()/ip4()/udp(0x3b47)/Raw(P(100)), ip="good", udp="bad")
    case("udp_field_of_ffff", eth()/ip4()/udp(0xffff)/Raw(bytes.fromhex("d7d7")), ip="good",
         udp="good")
    case("udp_over_ipv6_field_of_ffff", eth()/ip6()/udp(0xffff)/Raw(bytes.fromhex("9065")),
         udp="good")
    case("udp_without_checksum", eth()/ip4()/udp(0)/Raw(P(100)), ip="good", udp="zero")
    case("zero_wins_over_truncated", eth()/ip4()/udp(0)/Raw(P(100)), cut=60, ip="good",
         udp="zero")
    case("udp_without_checksum_over_ipv6_is_bad", eth()/ip6()/udp(0)/Raw(P(100)), udp="bad")
    short = bytes(udp(0x3b46)/Raw(P(100)))
    case("bytes_behind_the_udp_length_are_ignored",
         eth()/ip4(proto=17)/Raw(short + b"\xaa" * 7), ip="good", udp="good")
    case("udp_length_beyond_the_ip_payload",
         bytes(eth()/ip4(proto=17, len=20 + 107)/Raw(short)), ip="good", udp="truncated")
    case("udp_length_below_8_is_bad", eth()/ip4()/udp(0x1234, len=7)/Raw(P(100)), ip="good",
         udp="bad")
    case("cut_udp_header", eth()/ip4()/udp(), cut=L4 + 7, ip="good", udp="truncated")


def udp_lite():
    """Coverage 0 is all, 1 to 7 and too much is illegal; the field must not be 0."""
    def packet(coverage, covered, check=None, ip=ip4()):
        data = bytes(udp(0, len=coverage)/Raw(P(50)))
        data = filled(ip, 136, data, 6, covered) if check is None else patched(data, 6, check)
        start = bytes(eth()/(ip4(proto=136, len=20 + 58) if ip == ip4() else
                             ip6(nh=136, plen=58)))
        return start + data

    case("coverage_0_is_all", packet(0, 58), ip="good", udplite="good")
    case("coverage_0_with_a_changed_last_byte", patched(packet(0, 58), 91, b"\xee"), ip="good",
         udplite="bad")
    case("coverage_8", packet(8, 8), ip="good", udplite="good")
    case("coverage_8_over_ipv6", packet(8, 8, ip=ip6()), udplite="good")
    case("coverage_9_is_odd", packet(9, 9), ip="good", udplite="good")
    case("coverage_is_not_the_pseudo_headers_length", packet(20, 20), ip="good", udplite="good")
    case("coverage_full", packet(58, 58), ip="good", udplite="good")
    case("uncovered_bytes_may_change", patched(packet(20, 20), 60, b"\xee"), ip="good",
         udplite="good")
    case("covered_bytes_may_not", patched(packet(20, 20), 53, b"\xee"), ip="good", udplite="bad")
    case("coverage_4_is_illegal", packet(4, 4), ip="good", udplite="bad")
    case("coverage_7_is_illegal", packet(7, 7), ip="good", udplite="bad")
    case("coverage_beyond_the_payload_is_illegal", packet(59, 58), ip="good", udplite="bad")
    case("udplite_field_of_0_is_bad", packet(20, 20, check=b"\0\0"), ip="good", udplite="bad")
    # Illegal ones whose sums come out right: by the source port, and by the payload.
    ports = patched(packet(6, 8), L4, b"\0\0")
    port = checksum(pseudo(ip4(), 136, 58) + ports[L4:L4 + 6])
    case("coverage_6_whose_sum_is_right", patched(ports, L4, struct.pack("!H", port)),
         ip="good", udplite="bad")
    zero = patched(packet(0, 58, check=b"\0\0"), L4 + 8, b"\0\0")
    word = checksum(pseudo(ip4(), 136, 58) + zero[L4:])
    case("udplite_field_of_0_that_is_right", patched(zero, L4 + 8, struct.pack("!H", word)),
         ip="good", udplite="bad")
    case("covered_part_is_there", packet(20, 20), cut=L4 + 20, ip="good", udplite="good")
    case("covered_part_is_not_there", packet(20, 20), cut=L4 + 19, ip="good",
         udplite="truncated")


def others():
    """ICMP, ICMPv6, IGMP, SCTP and DCCP."""
    case("icmp", eth()/ip4()/ICMP()/Raw(P(51)), ip="good", icmp="good")
    case("icmp_bad", eth()/ip4()/ICMP(chksum=1)/Raw(P(51)), ip="good", icmp="bad")
    case("icmp_snapped", eth()/ip4()/ICMP()/Raw(P(51)), cut=60, ip="good", icmp="truncated")
    case("quoted_headers_are_no_layers",
         eth()/ip4()/ICMP(type=3, code=1)/ip4(chksum=1)/udp(1), ip="good", icmp="good")
    case("icmpv6", eth()/ip6()/ICMPv6EchoRequest(data=P(51)), icmpv6="good")
    case("icmpv6_bad", eth()/ip6()/ICMPv6EchoRequest(cksum=1, data=P(51)), icmpv6="bad")
    case("icmpv6_seed", bytes(eth()/ip6(nh=58, plen=58)) + seeded(
        ip6(), 58, bytes(ICMPv6EchoRequest(data=P(50))), 2, 58), icmpv6="partial")
    case("headers_quoted_by_icmpv6_are_no_layers",
         eth()/ip6()/ICMPv6DestUnreach()/ip6()/udp(1), icmpv6="good")
    case("igmp", eth()/ip4(dst="224.0.0.1", ttl=1)/IGMP(), ip="good", igmp="good")
    case("igmp_bad", eth()/ip4(dst="224.0.0.1", ttl=1)/IGMP(chksum=1), ip="good", igmp="bad")
    sctp = eth()/ip4()/SCTP(sport=1, dport=2, tag=3)/SCTPChunkData(
        data=b"abcd", beginning=1, ending=1, tsn=1)
    case("sctp_constant", patched(sctp, L4 + 8, bytes.fromhex("385f83d8")), ip="good",
         sctp="good")
    case("sctp_in_the_other_byte_order", patched(sctp, L4 + 8, bytes.fromhex("d8835f38")),
         ip="good", sctp="bad")
    case("sctp_field_of_0", patched(sctp, L4 + 8, bytes(4)), ip="good", sctp="bad")

    def dccp(coverage, covered, change=None):
        # Ports, data offset 4 words, CsCov, checksum, type 0 with X, reserved, sequence number.
        data = struct.pack("!HHBBHBBHI", 1024, 80, 4, coverage, 0, 1, 0, 0, 7) + P(30)
        data = filled(ip4(), 33, data, 6, covered)
        return bytes(eth()/ip4(proto=33, len=20 + 46)) + \
            (data if change is None else patched(data, change, b"\xee"))

    case("dccp_covers_all", dccp(0, 46), ip="good", dccp="good")
    case("dccp_covers_its_header", dccp(1, 16), ip="good", dccp="good")
    case("dccp_covers_two_words_of_data", dccp(3, 24), ip="good", dccp="good")
    case("dccp_uncovered_byte_changed", dccp(3, 24, change=24), ip="good", dccp="good")
    case("dccp_covered_byte_changed", dccp(3, 24, change=23), ip="good", dccp="bad")
    case("dccp_coverage_beyond_its_data", dccp(9, 46), ip="good", dccp="bad")


ipv4_headers()
super_packets()
extension_headers()
fragments()
tcp_and_udp()
udp_lite()
others()
