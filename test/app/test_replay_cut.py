# SPDX-License-Identifier: BSD-3-Clause
"""What --replay does with super-packets, and what it refuses."""

import pytest
from replay_tools import (E, I4, I6, INNER, O4, O6, START, T, TUNNELS, U, assert_right, flip,
                          frames_of, payload, put16, reassembled, record, replay, replay_cases)
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrHopByHop, Jumbo, PadN, RouterAlert
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw
from testpmd_tools import TSHARK, bad_by_tshark, tcp_by_tshark


def assert_stream(frames, data, seq=1000, max_ip=1500):
    """Right TCP segments, none longer than it may be, that carry the data and nothing else."""
    whole = b""
    for frame in frames:
        packet = Ether(frame)
        tcp = packet[TCP]
        assert tcp.seq == seq + len(whole)
        assert len(frame) - 14 - 4 * frame.count(b"\x81\x00", 12, 14) <= max_ip
        assert_right(frame)
        whole += bytes(tcp.payload)
    assert whole == data
    assert all(Ether(frame)[TCP].flags == "A" for frame in frames[:-1])
    assert Ether(frames[-1])[TCP].flags == "PA"


# ---- super-packets of TCP

@pytest.mark.parametrize("ip", [I4, I6], ids=["ipv4", "ipv6"])
@pytest.mark.parametrize("field", [0, 0x1234], ids=["no-checksum", "stale-checksum"])
def test_b104_above_mtu_is_cut_not_truncated(tmp_path, ip, field):
    data = payload(9001)
    frame = put16(bytes(E / ip / T / data), 14 + len(ip) + 16, field)
    done = replay(tmp_path, [frame])
    frames = frames_of(done)
    size = 1500 - len(ip) - 20
    assert len(frames) == -(-len(data) // size)
    assert [len(f) for f in frames[:-1]] == [1514] * (len(frames) - 1)
    assert_stream(frames, data)
    assert done.status == 0
    assert done.report == {
        "packets_in": 1, "super_packets": 1, "segments_out": len(frames),
        "packets_out": len(frames), "filled": {}, "refused": {},
        "out": {"tcp": {"good": len(frames)},
                **({"ip": {"good": len(frames)}} if ip is I4 else {})},
    }


def test_b104_full_frame_is_cut_for_a_small_mtu(tmp_path):
    data = payload(1460)
    done = replay(tmp_path, [E / I4 / T / data], "--mtu", 1280)
    assert [len(f) for f in frames_of(done)] == [14 + 1280, 14 + 40 + 220]
    assert_stream(frames_of(done), data, max_ip=1280)


def test_full_frame_is_no_super_packet(tmp_path):
    frame = bytes(E / I4 / T / payload(1460))
    done = replay(tmp_path, [frame])
    assert frames_of(done) == [frame]
    assert done.report["super_packets"] == 0 and done.report["segments_out"] == 0


def test_mtu_counts_the_ip_packet_not_the_tags(tmp_path):
    fits = bytes(E / Dot1Q(vlan=5) / Dot1Q(vlan=6) / I4 / T / payload(1460))
    data = payload(1461)
    done = replay(tmp_path, [fits, E / Dot1Q(vlan=5) / I4 / T / data])
    frames = frames_of(done)
    assert frames[0] == fits
    assert [len(f) for f in frames[1:]] == [18 + 1500, 18 + 41]
    assert_stream(frames[1:], data)


@pytest.mark.parametrize("size", [1000, 4000])
def test_b103_total_length_0_is_the_frames_length(tmp_path, size):
    data = payload(size)
    frame = put16(put16(bytes(E / I4 / T / data), 16, 0), 24, 0)
    done = replay(tmp_path, [frame])
    assert_stream(frames_of(done), data)
    assert done.status == 0
    assert done.report["super_packets"] == 1
    assert done.report["segments_out"] == done.report["packets_out"] == len(frames_of(done))


def test_b103_total_length_0_of_what_is_not_tcp(tmp_path):
    right = bytes(E / I4 / ICMP(id=1, seq=2) / payload(31))
    frame = put16(put16(put16(right, 16, 0), 24, 0), 36, 0xBEEF)
    done = replay(tmp_path, [frame])
    assert frames_of(done) == [right]
    assert done.status == 0
    assert done.report["super_packets"] == done.report["segments_out"] == 1


def test_b103_udp_length_0_in_a_super_packet(tmp_path):
    right = bytes(E / I4 / U / payload(100))
    frame = put16(put16(right, 16, 0), 38, 0)
    done = replay(tmp_path, [frame])
    assert frames_of(done) == [right]
    assert done.status == 0


@pytest.mark.parametrize("outer", [None, O4], ids=["plain", "over-ipv4"])
@pytest.mark.parametrize("inner", [I4, I6], ids=["ipv4", "ipv6"])
def test_zero_lengths_that_fit_the_mtu_are_written(tmp_path, outer, inner):
    """In the headers of a super-packet, inner and outer, and in UDP's."""
    packet = inner / T / payload(3000)
    lengths = [14 + (2 if inner is I4 else 4)]
    if outer is not None:
        packet = outer / TUNNELS["vxlan"] / INNER / packet
        lengths = [14 + 2, 34 + 4, 34 + 16 + lengths[0]]
    right = bytes(E / packet)
    frame = right
    for at in lengths:
        frame = put16(frame, at, 0)
    done = replay(tmp_path, [frame], "--mtu", 9000)
    assert [f.hex() for f in frames_of(done)] == [right.hex()]
    assert done.report["super_packets"] == done.report["segments_out"] == 1
    assert done.status == 0


@pytest.mark.parametrize("kind", ["ipv4", "ipv6", "ipv6-jumbo"])
def test_b106_more_than_64_kb(tmp_path, kind):
    data = payload(80000)
    if kind == "ipv4":
        frame = bytes(E / I4.__class__(**{**I4.fields, "len": 0}) / T / data)
    elif kind == "ipv6":
        frame = bytes(E / IPv6(**{**I6.fields, "plen": 0}) / T / data)
    else:
        hop = IPv6ExtHdrHopByHop(options=[Jumbo(jumboplen=8 + 20 + len(data))], nh=6)
        frame = bytes(E / IPv6(**{**I6.fields, "plen": 0}) / hop / T / data)
    done = replay(tmp_path, [frame])
    frames = frames_of(done)
    assert done.status == 0, done.stderr
    # The jumbo header goes, so that it takes nothing from the MTU.
    assert all(len(f) == 1514 for f in frames[:-1])
    assert_stream(frames, data)


TUNNEL_CASES = {
    f"{tunnel}-{outer_name}-{inner_name}-{check_name}": (tunnel, outer, inner, check)
    for tunnel in TUNNELS
    for outer_name, outer in (("over-ipv4", O4), ("over-ipv6", O6))
    for inner_name, inner in (("ipv4", I4), ("ipv6", I6))
    for check_name, check in (("udp-sum", None), ("udp-zero", 0))
}
TUNNEL_DATA = payload(5001)


def tunnelled(tunnel, outer, inner, check):
    head = TUNNELS[tunnel].copy()
    head.chksum = check
    return bytes(E / outer / head / INNER / inner / T / TUNNEL_DATA)


@pytest.fixture(scope="module", name="cut_tunnels")
def fixture_cut_tunnels(tmp_path_factory):
    cases = {name: tunnelled(*case) for name, case in TUNNEL_CASES.items()}
    became, done = replay_cases(tmp_path_factory.mktemp("tunnels"), cases)
    assert done.status == 0, done.stderr
    return became


@pytest.mark.parametrize("name", TUNNEL_CASES)
def test_tunnel_is_cut_to_fit_the_outermost_packet(cut_tunnels, name):
    _, outer, _, check = TUNNEL_CASES[name]
    frames = cut_tunnels[name]
    assert all(len(f) == 1514 for f in frames[:-1])
    for i, piece in enumerate(frames):
        packet = Ether(piece)
        assert_right(piece)
        assert (packet[UDP].chksum == 0) == (check == 0)
        if outer is O4:
            assert packet[IP].id == 0x2000 + i
    assert b"".join(bytes(Ether(f)[TCP].payload) for f in frames) == TUNNEL_DATA


VXLAN_HEAD = bytes.fromhex("08000000 00002a00")
GTPU_HEAD = bytes.fromhex("37ff0000 0000abcd 12340985 01100500")
LABELS = bytes.fromhex("00010040 00011140")
INNER_HEAD = bytes(INNER)[:12] + b"\x08\0"
GTPU_PORTS = UDP(sport=2152, dport=2152)


def numbered(ip, proto):
    return ip.__class__(**{**ip.fields, "proto" if isinstance(ip, IP) else "nh": proto})


MORE_TUNNELS = {
    "gtpu": [numbered(O4, 17) / GTPU_PORTS, GTPU_HEAD],
    "gtpu-over-ipv6": [numbered(O6, 17) / GTPU_PORTS, GTPU_HEAD],
    "mpls-in-udp": [numbered(O4, 17) / UDP(sport=50000, dport=6635), LABELS],
    "mpls-in-ip": [numbered(O4, 137), LABELS],
    "ethernet-in-ip": [numbered(O4, 143), INNER_HEAD],
    "vxlan-in-vxlan": [numbered(O4, 17) / UDP(sport=1, dport=4789), VXLAN_HEAD + INNER_HEAD,
                       numbered(O4, 17) / UDP(sport=2, dport=4789, chksum=0),
                       VXLAN_HEAD + INNER_HEAD],
    "vxlan-zero-around-vxlan": [
        numbered(O6, 17) / UDP(sport=1, dport=4789, chksum=0), VXLAN_HEAD + INNER_HEAD,
        numbered(O4, 17) / UDP(sport=2, dport=4789), VXLAN_HEAD + INNER_HEAD],
    "gtpu-in-ipip": [numbered(O6, 4), numbered(O4, 17) / GTPU_PORTS, GTPU_HEAD],
}


def stacked(parts, data):
    """-> (packet of headers and payload, offset of the inner IP header)"""
    body = bytes(I4 / T / Raw(data)) if len(data) < 65000 else bytes(
        numbered(IP(**{**I4.fields, "len": 0}), 6) / T / Raw(data))
    size = len(body)
    for part in reversed(parts):
        if part is GTPU_HEAD:
            length = len(body) + len(part) - 8
            part = put16(part, 2, length if length < 65536 else 0)
        elif not isinstance(part, bytes):
            part = part.copy()
            for layer in (IP, IPv6, UDP):
                if layer in part and len(body) > 65000:
                    setattr(part[layer], "plen" if layer is IPv6 else "len", 0)
            part = bytes(part / Raw(body))[:len(part)]
        body = part + body
    packet = bytes(E / parts[0])[:14] + body
    return packet, len(packet) - size


@pytest.mark.parametrize("name", MORE_TUNNELS)
@pytest.mark.parametrize("size", [5001, 70000])
def test_more_tunnels_and_one_in_the_other(tmp_path, name, size):
    data = payload(size)
    packet, at = stacked(MORE_TUNNELS[name], data)
    done = replay(tmp_path, [packet])
    frames = frames_of(done)
    assert done.status == 0, done.stderr
    assert all(len(f) == 1514 for f in frames[:-1])
    assert b"".join(f[at + 40:] for f in frames) == data
    for i, piece in enumerate(frames):
        assert_right(piece)
        assert_right(bytes(E / I4)[:14] + piece[at:])
        if "zero" in name:
            assert piece[14 + 40 + 6:14 + 40 + 8] == b"\0\0"
        if GTPU_HEAD in MORE_TUNNELS[name]:
            head = piece[at - len(GTPU_HEAD):at]
            assert int.from_bytes(head[2:4], "big") == len(piece) - at + len(GTPU_HEAD) - 8
            assert int.from_bytes(head[8:10], "big") == 0x1234 + i
            assert head[10:] == GTPU_HEAD[10:]


@pytest.mark.witness
@pytest.mark.skipif(TSHARK is None, reason="tshark is not installed")
@pytest.mark.parametrize("name", ["gtpu", "gtpu-over-ipv6", "mpls-in-udp"])
def test_tshark_finds_the_tcp_segments_in_more_tunnels(tmp_path, name):
    packet, _ = stacked(MORE_TUNNELS[name], payload(70000))
    frames = frames_of(replay(tmp_path, [packet]))
    inner = tcp_by_tshark(tmp_path, frames)
    assert [status for _, status in inner] == ["1"] * len(frames)
    size = len(frames[0]) - (len(packet) - 70000)
    assert [seq for seq, _ in inner] == [1000 + i * size for i in range(len(frames))]
    assert bad_by_tshark(tmp_path, frames) == []


def test_tunnel_header_too_long_for_an_mbuf(tmp_path):
    """128 bytes of Geneve options; l2_len has 7 bits."""
    options = b"".join(b"\x01\x02" + bytes([i, 15]) + payload(60, i) for i in range(2))
    head = bytes.fromhex("20006558 00002a00") + options
    data = payload(5001)
    tunnel = UDP(sport=50000, dport=6081) / Raw(head)
    frame = bytes(E / O4 / tunnel / Raw(bytes(INNER / I4 / T / data)))
    done = replay(tmp_path, [frame])
    frames = frames_of(done)
    assert done.status == 0, done.stderr
    assert all(len(f) == 1514 for f in frames[:-1])
    for piece in frames:
        assert_right(piece)
    assert b"".join(bytes(Ether(f)[TCP].payload) for f in frames) == data


def test_segsz_cuts_whatever_the_mtu(tmp_path):
    data = payload(1000)
    short = bytes(E / I4 / T / payload(300))
    done = replay(tmp_path, [E / I4 / T / data, short], "--segsz", 300)
    frames = frames_of(done)
    assert [len(f) - 54 for f in frames] == [300, 300, 300, 100, 300]
    assert_stream(frames[:4], data)
    assert frames[4] == short
    assert done.report["super_packets"] == 1 and done.report["segments_out"] == 4


@pytest.mark.parametrize("ip", [I4, I6], ids=["ipv4", "ipv6"])
def test_no_more_payload_than_segsz_passes_bit_for_bit(tmp_path, ip):
    """Above 1500 bytes too, and with a checksum field of 0xffff that is right."""
    head = {"sport": 1024, "dport": 80, "flags": "PA"}
    check = Ether(bytes(E / ip / TCP(window=0, **head) / payload(3000)))[TCP].chksum
    right = bytes(E / ip / TCP(window=check, **head) / payload(3000))
    field = 14 + len(ip) + 16
    assert right[field:field + 2] == b"\0\0"
    syn = bytes(E / ip / TCP(sport=1, dport=2, flags="S") / payload(2000))
    frames = [right, put16(right, field, 0xFFFF), syn]
    done = replay(tmp_path, [*frames, syn + b"\xAA" * 7], "--segsz", 3000)
    assert [f.hex() for f in frames_of(done)] == [f.hex() for f in [*frames, syn]]
    assert done.status == 0, done.stderr
    assert done.report["super_packets"] == done.report["segments_out"] == 4


@pytest.mark.parametrize("option", ["--segsz", "--uso"])
@pytest.mark.parametrize("ip", [I4, I6], ids=["ipv4", "ipv6"])
def test_largest_size_is_what_length_fields_can_say(tmp_path, ip, option):
    data = payload(140000)
    layer = {"--segsz": T, "--uso": UDP(sport=1, dport=2, len=0)}[option]
    lengths = {"len": 0, "proto": layer.overload_fields[IP]["proto"]} if ip is I4 else {
        "plen": 0, "nh": layer.overload_fields[IPv6]["nh"]}
    done = replay(tmp_path, [E / ip.__class__(**{**ip.fields, **lengths}) / layer / data],
                  option, 65535)
    frames = frames_of(done)
    assert done.status == 0, done.stderr
    assert [len(f) for f in frames[:-1]] == [14 + 65535] * 2
    for frame in frames:
        assert_right(frame)
    assert b"".join(bytes(Ether(f)[layer.__class__].payload) for f in frames) == data


@pytest.mark.parametrize("options, left", [
    ([Jumbo(), PadN(optdata=bytes(6))], 0), ([PadN(optdata=bytes(6)), Jumbo()], 0),
    ([RouterAlert(), Jumbo()], 16),
], ids=["padding-behind", "padding-before", "another-option"])
def test_jumbo_header_takes_nothing_from_the_mtu(tmp_path, options, left):
    """Pieces are full: the header goes, unless there is something else in it."""
    data = payload(80000)
    for option in options:
        if isinstance(option, Jumbo):
            option.jumboplen = 16 + 20 + len(data)
    hop = IPv6ExtHdrHopByHop(options=options, nh=6)
    frames = frames_of(replay(tmp_path, [E / IPv6(**{**I6.fields, "plen": 0}) / hop / T / data]))
    assert len(bytes(hop)) == 16
    assert all(len(f) == 1514 for f in frames[:-1])
    assert b"".join(f[14 + 40 + left + 20:] for f in frames) == data


def test_trailer_behind_a_super_packet_is_dropped(tmp_path):
    data = payload(3000)
    done = replay(tmp_path, [bytes(E / I4 / T / data) + b"\xAA" * 7])
    assert_stream(frames_of(done), data)


def test_segments_have_their_packets_time(tmp_path):
    first, second = START + 5_000, START + 77_000
    done = replay(tmp_path, [record(E / I4 / T / payload(4000), first),
                             record(E / I6 / T / payload(4000), second)])
    assert [r.ns for r in done.records] == [first] * 3 + [second] * 3
    assert all(r.wire_len == len(r.data) for r in done.records)


def test_many_segments_of_one_packet(tmp_path):
    data = payload(20000)
    done = replay(tmp_path, [E / I4 / T / data], "--segsz", 3)
    assert len(done.records) == 6667
    assert b"".join(bytes(r.data[54:]) for r in done.records) == data


def test_syn_with_payload_is_refused(tmp_path):
    frame = bytes(E / I4 / TCP(sport=1, dport=2, seq=1, flags="S") / payload(3000))
    done = replay(tmp_path, [frame])
    assert frames_of(done) == [frame]
    assert done.status == 1 and sum(done.report["refused"].values()) == 1


# ---- super-packets of UDP

@pytest.mark.parametrize("mtu", [1500, 1499, 576])
@pytest.mark.parametrize("ip", [I4, I6], ids=["ipv4", "ipv6"])
def test_oversize_udp_is_fragmented(tmp_path, ip, mtu):
    right = bytes(E / ip / U / payload(4000))
    head = 14 + len(ip)
    done = replay(tmp_path, [put16(right, head + 6, 0)], "--mtu", mtu)
    frames = frames_of(done)
    assert done.status == 0, done.stderr
    assert all(len(f) - 14 <= mtu for f in frames)
    assert reassembled(frames) == right[head:]
    assert done.report["segments_out"] == len(frames) >= 3
    assert done.report["out"]["udp"] == {"fragment": len(frames)}


def test_last_fragment_may_be_any_size_that_fits(tmp_path):
    """1479 bytes fit behind an IPv4 header; 1472 are a multiple of 8."""
    right = bytes(E / I4 / U / payload(1472 + 1479 - 8))
    done = replay(tmp_path, [right], "--mtu", 1499)
    assert [len(f) for f in frames_of(done)] == [14 + 20 + 1472, 14 + 1499]
    assert reassembled(frames_of(done)) == right[34:]


def test_fragments_fill_the_mtu(tmp_path):
    """Behind 40 + 8 bytes of IPv6 headers there is room for 1452 bytes: 1448 in units of 8."""
    right = bytes(E / I6 / U / payload(1448 + 1452 - 8))
    done = replay(tmp_path, [right])
    assert [len(f) for f in frames_of(done)] == [14 + 48 + 1448, 14 + 1500]
    assert reassembled(frames_of(done)) == right[54:]


def test_bytes_behind_an_oversize_datagram_are_dropped(tmp_path):
    """Its own length counts; the IP packet around it is longer."""
    frame = bytes(E / I4 / UDP(sport=1, dport=2, len=2008) / payload(3000))
    done = replay(tmp_path, [frame])
    whole = reassembled(frames_of(done))
    assert whole[8:] == payload(2000) and done.status == 0


def test_oversize_udp_in_a_tunnel_is_fragmented_inside(tmp_path):
    inner = bytes(INNER / I4 / U / payload(4000))
    done = replay(tmp_path, [E / O4 / TUNNELS["vxlan"] / Raw(inner)])
    frames = frames_of(done)
    assert done.status == 0, done.stderr
    assert all(len(f) <= 1514 and Ether(f)[IP].frag == 0 for f in frames)
    assert reassembled([f[14 + 20 + 8 + 8:] for f in frames]) == inner[34:]


@pytest.mark.parametrize("ip", [I4, I6], ids=["ipv4", "ipv6"])
def test_uso_cuts_into_datagrams(tmp_path, ip):
    data = payload(3000)
    done = replay(tmp_path, [E / ip / U / data], "--uso", 1200)
    frames = frames_of(done)
    assert [len(Ether(f)[UDP].payload) for f in frames] == [1200, 1200, 600]
    assert b"".join(bytes(Ether(f)[UDP].payload) for f in frames) == data
    for frame in frames:
        assert_right(frame)
    assert done.status == 0


def test_df_and_too_big_is_refused(tmp_path):
    ip = I4.copy()
    ip.flags = "DF"
    frame = bytes(E / ip / U / payload(2000))
    done = replay(tmp_path, [frame])
    assert frames_of(done) == [frame]
    assert done.status == 1
    assert done.report["refused"] == {"df": 1}
    assert done.report["super_packets"] == 1 and done.report["segments_out"] == 0


# ---- refused

@pytest.mark.parametrize("frame", [
    bytes(E / I4 / ICMP() / payload(2000)),
    bytes(E / I4.__class__(**{**I4.fields, "proto": 253}) / payload(2000)),
    bytes(E / I4.__class__(**{**I4.fields, "flags": "MF"}) / U / payload(2000)),
], ids=["icmp", "unknown-protocol", "fragment"])
def test_what_cannot_be_cut_is_refused(tmp_path, frame):
    good = bytes(E / I4 / T / payload(10))
    done = replay(tmp_path, [frame, good])
    assert frames_of(done) == [frame, good]
    assert done.status == 1
    assert sum(done.report["refused"].values()) == 1
    assert "packet 1 refused: " in done.stderr


def test_drop_refused_leaves_them_out(tmp_path):
    good = bytes(E / I4 / T / payload(10))
    done = replay(tmp_path, [E / I4 / ICMP() / payload(2000), good], "--drop-refused")
    assert frames_of(done) == [good]
    assert done.status == 1
    assert done.report["packets_in"] == 2 and done.report["packets_out"] == 1


def test_b107_snapped_is_refused_and_keeps_its_length(tmp_path):
    frame = flip(bytes(E / I4 / T / payload(1000)), 50)
    cut = record(frame[:96], wire_len=len(frame))
    done = replay(tmp_path, [cut])
    assert done.records == [cut]
    assert done.status == 1
    assert done.report["refused"] == {"snapped": 1}
    assert done.report["out"]["tcp"] == {"truncated": 1}


def test_ip_length_beyond_the_frame_is_refused(tmp_path):
    frame = bytes(E / I4 / T / payload(1000))[:500]
    done = replay(tmp_path, [frame])
    assert frames_of(done) == [frame]
    assert done.report["refused"] == {"truncated": 1}
