#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make sample.pcap: what a capture looks like on a host that leaves its work to the NIC.

usage: make_sample.py [OUT]      the same bytes every time
"""

import pathlib
import struct
import sys

from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from scapy.utils import checksum, wrpcap

TCP_FIELD, UDP_FIELD, ICMP_FIELD = 16, 6, 2
START_US = 1_700_000_000_000_000

ETHER = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
INNER_ETHER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
V4 = IP(src="192.0.2.1", dst="192.0.2.2", ttl=64)
OUTER_V4 = IP(src="198.51.100.1", dst="198.51.100.2", ttl=64, id=0x800)
V6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
STAMPS = [("NOP", None), ("NOP", None), ("Timestamp", (1000, 2000))]


def payload(size, salt=0):
    return bytes((i * 7 + i // 251 + salt) & 0xff for i in range(size))


def ip4(ident):
    header = V4.copy()
    header.id = ident
    return header


def tcp(seq, flags="A"):
    return TCP(sport=40000, dport=5001, seq=seq, ack=5000, flags=flags, window=512,
               options=STAMPS)


def seed(ip, proto, length):
    """The pseudo header's sum: what a stack leaves in the field for the NIC to complete."""
    if isinstance(ip, IPv6):
        pseudo = bytes(ip)[8:40] + struct.pack("!II", length, proto)
    else:
        pseudo = bytes(ip)[12:20] + struct.pack("!HH", proto, length)
    return checksum(pseudo) ^ 0xffff


def put16(frame, at, value):
    return frame[:at] + struct.pack("!H", value) + frame[at + 2:]


def with_l4_check(frame, ip_header, l4_at, proto, value="seed"):
    """Replace the checksum at l4_at: by the pseudo header's sum, or by a value given."""
    if value == "seed":
        value = seed(ip_header, proto, len(frame) - l4_at)
    return put16(frame, l4_at + (TCP_FIELD if proto == 6 else UDP_FIELD), value)


def plain4(ident, l4, data, value="seed"):
    proto = 6 if isinstance(l4, TCP) else 17
    return with_l4_check(bytes(ETHER / ip4(ident) / l4 / data), V4, 34, proto, value)


def plain6(l4, data, value="seed"):
    proto = 6 if isinstance(l4, TCP) else 17
    return with_l4_check(bytes(ETHER / V6 / l4 / data), V6, 54, proto, value)


def vlan_super():
    frame = bytes(ETHER / Dot1Q(vlan=100) / ip4(0x300) / tcp(109010, "PA") / payload(5000, 3))
    return with_l4_check(frame, V4, 38, 6)


def large_send():
    """What some stacks show: total length 0, for the frame is longer than the NIC was told."""
    frame = plain4(0x400, tcp(114010, "PA"), payload(4000, 4))
    return put16(put16(frame, 16, 0), 24, 0)


def vxlan_super():
    inner = INNER_ETHER / ip4(0x500) / tcp(118010, "PA") / payload(6000, 5)
    tunnel = UDP(sport=51000, dport=4789) / VXLAN(vni=42, flags=8)
    frame = bytes(ETHER / OUTER_V4 / tunnel / inner)
    frame = with_l4_check(frame, V4, 34 + len(tunnel) + 14 + 20, 6)
    return with_l4_check(frame, OUTER_V4, 34, 17)


def icmp_bad():
    frame = bytes(ETHER / ip4(0x900) / ICMP(id=7, seq=1) / payload(56))
    return put16(frame, 34 + ICMP_FIELD, 0xbeef)


def frames():
    udp = UDP(sport=40001, dport=5002)
    return [
        bytes(ETHER / ARP(op=1, hwsrc=ETHER.src, psrc=V4.src, pdst=V4.dst)),
        plain4(0x100, tcp(99999, "S"), b""),
        bytes(ETHER / ip4(0x101) / tcp(100000) / payload(10)),
        plain4(0x102, tcp(100010, "PA"), payload(9000)),
        plain6(tcp(200000, "PAF"), payload(7001, 1)),
        vlan_super(),
        large_send(),
        vxlan_super(),
        plain4(0x600, udp, payload(200, 6)),
        plain4(0x601, udp, payload(201, 7), value=0x1234),
        plain4(0x602, udp, payload(202, 8), value=0),
        plain6(udp, payload(203, 9)),
        plain6(udp, payload(204, 10), value=0),
        plain4(0x603, udp, payload(4000, 11)),
        put16(bytes(ETHER / ip4(0x700) / tcp(124010) / payload(20)), 24, 0),
        icmp_bad(),
        bytes(ETHER / V6 / ICMPv6EchoRequest(id=7, seq=1, data=payload(56))),
    ]


def main(out):
    packets = []
    for i, frame in enumerate(frames()):
        packet = Ether(frame)
        packet.time = (START_US + i * 1001) / 1_000_000
        packets.append(packet)
    wrpcap(out, packets, endianness="<", linktype=1, nano=False)


if __name__ == "__main__":
    default = pathlib.Path(__file__).with_name("sample.pcap")
    main(sys.argv[1] if len(sys.argv) > 1 else str(default))
