# SPDX-License-Identifier: BSD-3-Clause
"""What the contract's cases are made of: a table to fill, and short names for headers."""

import collections
import struct

from scapy.all import IP, TCP, UDP, Ether, IPv6, checksum

# A packet as a capture holds it: link type, bytes captured, length on the wire; and the cells
# that are not "-".
Case = collections.namedtuple("Case", "link data wire expect")
CASES = {}


def case(name, packet, cut=None, wire=None, link=1, **expect):
    """Record a packet: cut keeps that many bytes, wire is the length that it had."""
    assert name not in CASES
    data = bytes(packet)
    CASES[name] = Case(link, data[:cut], wire or len(data), expect)


def patched(packet, offset, value):
    """A packet's bytes with some of them replaced."""
    data = bytes(packet)
    return data[:offset] + value + data[offset + len(value):]


def ramp(size):
    """The payload that the constants were computed with."""
    return bytes(i % 251 for i in range(size))


def eth(**fields):
    """An Ethernet header."""
    return Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01", **fields)


def ip4(**fields):
    """An IPv4 header between the usual addresses."""
    return IP(**{"src": "10.0.0.1", "dst": "10.0.0.2", "id": 0x1000, "ttl": 64, **fields})


def ip6(**fields):
    """An IPv6 header between the usual addresses."""
    return IPv6(**{"src": "2001:db8::1", "dst": "2001:db8::2", "hlim": 64, **fields})


def tcp(check=None, **fields):
    """A TCP header."""
    return TCP(**{"sport": 1024, "dport": 80, "seq": 1000, "ack": 2000, "flags": "A",
                  "window": 8192, "chksum": check, **fields})


def udp(check=None, **fields):
    """A UDP header."""
    return UDP(**{"sport": 1024, "dport": 4096, "chksum": check, **fields})


def pseudo(ip, proto, length):
    """Pseudo header of a scapy IP or IPv6 packet; the length is 32 bits in both."""
    if IPv6 in ip:
        return bytes(ip[IPv6])[8:40] + struct.pack("!II", length, proto)
    return bytes(ip[IP])[12:20] + struct.pack("!II", length, proto)


def filled(ip, proto, data, offset, covered=None):
    """L4 bytes with scapy's checksum over pseudo header and their first ones in the field."""
    data = patched(data, offset, b"\0\0")
    check = checksum(pseudo(ip, proto, len(data)) + data[:covered])
    return patched(data, offset, struct.pack("!H", check))


def seeded(ip, proto, data, offset, length):
    """L4 bytes with the pseudo header's sum in the field, as a port with offloads wants it."""
    seed = checksum(pseudo(ip, proto, length)) ^ 0xffff
    return patched(data, offset, struct.pack("!H", seed))
