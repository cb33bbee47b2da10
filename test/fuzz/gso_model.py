# SPDX-License-Identifier: BSD-3-Clause
"""Random super-packets, and the segments that they must become.

A packet is described by objects that build it from the inside out. They can build it for any
segment: IP, TCP, UDP, GRE and all their lengths and checksums are scapy's, other headers are put
together from their RFCs. The super-packet is what they build around no payload, with the payload
behind it and random bytes in every field whose content must not matter.
"""

import struct

from scapy.layers.inet import (IP, TCP, UDP, IPOption_NOP, IPOption_Router_Alert, IPOption_RR)
from scapy.layers.inet6 import (IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop,
                                IPv6ExtHdrRouting, IPv6ExtHdrSegmentRouting, Jumbo, PadN,
                                RouterAlert)
from scapy.layers.l2 import GRE
from scapy.packet import Raw

# rte_mbuf_core.h
TX_UDP_SEG, TX_TCP_SEG = 1 << 42, 1 << 50
TX_IP_CKSUM, TX_IPV4, TX_IPV6 = 1 << 54, 1 << 55, 1 << 56
TX_OUTER_UDP_CKSUM, TX_OUTER_IP_CKSUM = 1 << 41, 1 << 58
TX_OUTER_IPV4, TX_OUTER_IPV6 = 1 << 59, 1 << 60
TUNNEL = {name: value << 45 for name, value in (
    ("vxlan", 1), ("gre", 2), ("ipip", 3), ("geneve", 4), ("mplsinudp", 5), ("gpe", 6), ("gtp", 7),
    ("ip", 13), ("udp", 14))}
PORT = {"vxlan": 4789, "gpe": 4790, "geneve": 6081, "mplsinudp": 6635, "gtp": 2152, "udp": 30000}

# csum_gso.h
MAX_HEADERS = 512
IPID_FIXED, OUTER_IPID_FIXED, ACCECN, UFO, UDP6_ZERO = 1, 2, 4, 8, 16

FIN, PSH, URG, CWR = 0x01, 0x08, 0x20, 0x80
IPV4, IPV6, TEB, MPLS, MPLS_MULTICAST, PPPOE = 0x0800, 0x86DD, 0x6558, 0x8847, 0x8848, 0x8864
NEXT_MPLS, NEXT_ETHERNET, NEXT_L2TP, NEXT_FRAGMENT = 137, 143, 115, 44


class Built:
    """Bytes from some header to the end of the packet."""

    def __init__(self, data):
        self.data = data
        self.stale = []  # offsets of 16-bit fields whose content must not matter
        self.ips = []    # (offset, length) of IP headers, the innermost first
        self.l4 = None   # (offset, length)

    def put(self, head, *stale):
        """Put a header in front, with such fields in it."""
        n = len(head)
        self.data = head + self.data
        self.stale = [at + n for at in self.stale] + list(stale)
        self.ips = [(at + n, length) for at, length in self.ips]
        if self.l4 is not None:
            self.l4 = (self.l4[0] + n, self.l4[1])


class Ip:
    """An IP header with its options or extension headers."""

    def __init__(self, rng):
        self.v6 = rng.random() < 0.5
        self.id = rng.getrandbits(16)
        self.tos = rng.getrandbits(8)
        self.ttl = rng.randrange(1, 256)
        self.flow = rng.getrandbits(20)
        self.df = rng.random() < 0.5
        self.options = rng.choice([None, None, "nop", "alert", "route"])
        self.ext = []
        self.atomic_id = rng.getrandbits(32)
        self.salt = rng.randrange(200)
        if self.v6 and rng.random() < 0.5:
            self.ext = [kind for kind, odds in (
                ("hop", .3), ("dst", .2), (rng.choice(["route0", "route2", "srh", "past"]), .4),
                ("atomic", .15), ("dst", .3)) if rng.random() < odds]
        if self.v6 and rng.random() < 0.1:
            self.ext = [rng.choice(["jumbo", "jumbo+"])] + [k for k in self.ext if k != "hop"]

    def ether_type(self):
        return IPV6 if self.v6 else IPV4

    def number(self):
        """As a protocol number."""
        return 41 if self.v6 else 4

    def split(self):
        """How many extension headers go into every fragment, a fragment header not counted."""
        if "atomic" in self.ext:
            return self.ext.index("atomic")
        last = [i for i, kind in enumerate(self.ext) if kind != "dst"]
        return last[-1] + 1 if last else 0

    def _ext(self, kind, nh, source):
        # None is the header's own destination.
        addrs = [f"2001:db8::{self.salt + n:x}" for n in (2, 3, 4)]
        if kind == "dst":
            return IPv6ExtHdrDestOpt(nh=nh, options=[PadN(optdata=bytes(12))])
        if kind == "hop":
            return IPv6ExtHdrHopByHop(nh=nh, options=[RouterAlert(value=0), PadN(optdata=b"")])
        if kind == "jumbo":
            # The jumbo option is gone in a segment, and its header with it.
            return IPv6ExtHdrHopByHop(nh=nh, options=[PadN(optdata=bytes(6)),
                                                      Jumbo(jumboplen=99)]) if source else None
        if kind == "jumbo+":
            first = Jumbo(jumboplen=99) if source else PadN(optdata=bytes(4))
            return IPv6ExtHdrHopByHop(nh=nh, options=[first, RouterAlert(value=0),
                                                      PadN(optdata=bytes(2))])
        if kind == "atomic":
            return IPv6ExtHdrFragment(nh=nh, offset=0, m=0, id=self.atomic_id)
        if kind == "srh":
            return IPv6ExtHdrSegmentRouting(nh=nh, addresses=addrs, segleft=2, lastentry=2)
        return IPv6ExtHdrRouting(nh=nh, type=2 if kind == "route2" else 0,
                                 addresses=addrs[:1] if kind == "route2" else addrs,
                                 segleft=0 if kind == "past" else 1 if kind == "route2" else 2)

    def headers(self, i, step, proto, source=False, frag=None):
        """The header as scapy has it, of segment i; frag: (offset, more, id) of a fragment."""
        if not self.v6:
            options = {None: [], "nop": [IPOption_NOP()] * 4,
                       "alert": [IPOption_Router_Alert()],
                       "route": [IPOption_RR(length=7, pointer=4, routers=["1.2.3.4"]),
                                 IPOption_NOP()]}[self.options]
            if frag is not None and frag[0] > 0 and self.options == "route":
                options = [IPOption_NOP()] * 8
            flags, offset = "DF" if self.df else 0, 0
            if frag is not None:
                flags, offset = "MF" if frag[1] else 0, frag[0] // 8
            return IP(src=f"10.0.{self.salt}.1", dst=f"10.0.{self.salt}.2", tos=self.tos,
                      ttl=self.ttl, id=(self.id + i * step) & 0xFFFF, proto=proto, flags=flags,
                      frag=offset, options=options)
        ext = [kind for kind in self.ext if source or kind != "jumbo"]
        if frag is not None:
            ext = [kind for kind in self.ext[:self.split()] if kind != "jumbo"]
        names = {"dst": 60, "hop": 0, "jumbo": 0, "jumbo+": 0, "atomic": NEXT_FRAGMENT}
        numbers = [names.get(kind, 43) for kind in ext] + [proto if frag is None else NEXT_FRAGMENT]
        packet = IPv6(src=f"2001:db8::{self.salt:x}", dst=f"2001:db8::{self.salt + 1:x}",
                      tc=self.tos, fl=self.flow, hlim=self.ttl, nh=numbers[0])
        for kind, nh in zip(ext, numbers[1:]):
            packet = packet / self._ext(kind, nh, source)
        if frag is not None:
            packet = packet / IPv6ExtHdrFragment(nh=frag[3], offset=frag[0] // 8, m=int(frag[1]),
                                                 id=frag[2])
        return packet

    def put(self, built, i, step, proto, l4=None, source=False, frag=None):
        """Put IP, and the L4 header on it, in front."""
        head = self.headers(i, step, proto, source, frag)
        packet = head if l4 is None else head / l4
        data = bytes(packet / Raw(built.data) if built.data else packet)
        ip_len = len(head)
        l4_len = len(data) - len(built.data) - ip_len
        whole, built.data = built.data, b""
        built.put(data[:ip_len + l4_len], *((4,) if self.v6 else (2, 10)))
        built.data += whole
        built.ips.append((0, ip_len))
        return ip_len, l4_len


class Link:
    """From an Ethernet header to IP; no Ethernet header: nothing."""

    def __init__(self, rng, ether=True):
        self.ether = ether
        self.tags = []
        self.labels = []
        self.last = None
        self.inner = rng.random() < 0.5
        if ether:
            self.tags = rng.choice([[], [], [(0x8100, 5)], [(0x88A8, 10), (0x8100, 100)],
                                    [(0x9100, 1), (0x8100, 2), (0x8100, 3)]])
            self.last = rng.choice([None] * 6 + ["pppoe", "snap", "mpls", "pppoe+mpls"])
        if self.last in ("mpls", "pppoe+mpls"):
            self.labels = [rng.getrandbits(20) for _ in range(rng.randrange(1, 4))]

    def put(self, built, ether_type):
        if self.labels:
            built.put(mpls(self.labels))
        if self.last in ("pppoe", "pppoe+mpls"):
            ppp = 0x0281 if self.labels else {IPV4: 0x21, IPV6: 0x57}[ether_type]
            built.put(struct.pack("!BBHHH", 0x11, 0, 7, len(built.data) + 2, ppp), 4)
            ether_type = PPPOE
        elif self.labels:
            ether_type = MPLS
        stale = ()
        if self.last == "snap":
            built.put(b"\xaa\xaa\x03\0\0\0" + struct.pack("!H", ether_type))
            ether_type, stale = len(built.data), (0,)
        if not self.ether:
            return
        for tpid, tci in reversed(self.tags):
            built.put(struct.pack("!HH", tci, ether_type), *(at + 2 for at in stale))
            ether_type, stale = tpid, ()
        macs = bytes.fromhex("020000000102020000000101" if self.inner else
                             "020000000002020000000001")
        built.put(macs + struct.pack("!H", ether_type), *(at + 12 for at in stale))


def mpls(labels):
    return b"".join(struct.pack("!I", label << 12 | (n == len(labels) - 1) << 8 | 64)
                    for n, label in enumerate(labels))


class Tunnel:
    """An outer IP header, and what is between it and the next packet."""

    def __init__(self, rng, named):
        kinds = list(TUNNEL) if named else [k for k in TUNNEL if k != "udp"]
        self.kind = rng.choice(kinds)
        self.ip = Ip(rng)
        self.proto = 17
        self.port = PORT.get(self.kind)
        if named and self.kind in PORT and rng.random() < 0.3:
            self.port = rng.randrange(40000, 50000)
        self.sport = rng.getrandbits(16)
        self.field = rng.choice([0, 0, 0x1234])
        self.checked = False  # asked for by a flag
        self.link = Link(rng, self.kind == "vxlan")
        self.rng_bytes = rng.randbytes(128)
        self.seq = rng.getrandbits(32)
        self.flags = 0
        self.words = 0
        getattr(self, "_init_" + self.kind, lambda rng, named: None)(rng, named)

    def _maybe_ether(self, rng):
        if rng.random() < 0.5:
            self.link = Link(rng)

    def _init_geneve(self, rng, _):
        self.words = rng.choice([0, 1, 7, 31])
        self._maybe_ether(rng)

    def _init_gpe(self, rng, _):
        self.flags = rng.choice([0x08, 0x0C, 0x0C])
        self.link = Link(rng, self.flags == 0x08 or rng.random() < 0.5)
        if self.flags == 0x0C and not self.link.ether and rng.random() < 0.3:
            self.link.labels = [rng.getrandbits(20), 7]

    def _init_gtp(self, rng, _):
        self.flags = rng.randrange(8)
        self.words = rng.randrange(1, 4)

    def _init_mplsinudp(self, rng, _):
        self.link.labels = [rng.getrandbits(20) for _ in range(rng.randrange(1, 4))]

    def _init_gre(self, rng, _):
        self.flags = rng.getrandbits(16) & 0xB000
        self.proto = 47
        self._maybe_ether(rng)
        if not self.link.ether and rng.random() < 0.2:
            self.link.labels = [5, rng.getrandbits(20)]

    def _init_ipip(self, _, named):
        self.proto = None

    def _init_ip(self, rng, named):
        self.proto = rng.choice([None, NEXT_MPLS, NEXT_ETHERNET] + [NEXT_L2TP] * named)
        if self.proto == NEXT_MPLS:
            self.link.labels = [rng.getrandbits(20), 9]
        elif self.proto == NEXT_ETHERNET:
            self.link = Link(rng)
        self.words = rng.randrange(1, 5)

    def _init_udp(self, rng, _):
        self.words = rng.randrange(0, 30)

    def hides(self):
        """Nothing is known of the header but where it ends."""
        return self.kind == "udp" or (self.kind == "ip" and self.proto == NEXT_L2TP)

    def on_any_port(self):
        return self.kind == "udp" or self.port != PORT.get(self.kind)

    def carries(self, inner):
        """The EtherType that names what the tunnel header carries."""
        if self.link.ether:
            return TEB
        return MPLS if self.link.labels else inner.ether_type()

    def header(self, built, i, inner):
        """Put the header between UDP, or IP, and what is carried in front."""
        if self.kind == "vxlan":
            built.put(b"\x08\0\0\0\0\0\x2a\0")
        elif self.kind == "gpe":
            following = {IPV4: 1, IPV6: 2, TEB: 3, MPLS: 5}[self.carries(inner)]
            built.put(bytes([self.flags, 0, 0, following if self.flags & 4 else 0, 0, 0, 42, 0]))
        elif self.kind == "geneve":
            built.put(struct.pack("!BBHI", self.words, 0, self.carries(inner), 42 << 8) +
                      self.rng_bytes[:self.words * 4])
        elif self.kind == "gtp":
            self._put_gtp(built, i)
        elif self.kind == "udp":
            built.put(self.rng_bytes[:self.words])
        elif self.kind == "ip" and self.proto == NEXT_L2TP:
            built.put(self.rng_bytes[:self.words * 4 - 1])

    def _put_gtp(self, built, i):
        """3GPP TS 29.281: the length counts from byte 8."""
        optional = b""
        if self.flags:
            seq = (self.seq + (i if self.flags & 2 else 0)) & 0xFFFF
            optional = struct.pack("!HBB", seq, self.rng_bytes[0],
                                   0x85 if self.flags & 4 else 0 if self.flags & 2 else 0x85)
        if self.flags & 4:
            for words, following in ((self.words, 0xC0), (1, 0)):
                optional += bytes([words, *self.rng_bytes[:words * 4 - 2], following])
        built.put(struct.pack("!BBHI", 0x30 | self.flags, 255, len(optional) + len(built.data),
                              0xABCD) + optional, 2)

    def put(self, built, i, model, inner, source):
        self.link.put(built, inner.ether_type())
        self.header(built, i, inner)
        step = 0 if model.conf & OUTER_IPID_FIXED else 1
        if self.kind in PORT:
            stays = (self.field == 0 and not self.checked and
                     (not self.ip.v6 or model.conf & UDP6_ZERO))
            l4 = UDP(sport=self.sport, dport=self.port, chksum=0 if stays else None)
            ip_len, _ = self.ip.put(built, i, step, 17, l4, source)
            built.stale.append(ip_len + 4)
            if source:
                built.data = (built.data[:ip_len + 6] + struct.pack("!H", self.field) +
                              built.data[ip_len + 8:])
        elif self.kind == "gre":
            flag = [self.flags >> bit & 1 for bit in (15, 13, 12)]
            l4 = GRE(chksum_present=flag[0], key_present=flag[1], seqnum_present=flag[2],
                     key=7 if flag[1] else None, proto=self.carries(inner),
                     sequence_number=(self.seq + i) & 0xFFFFFFFF if flag[2] else None)
            ip_len, _ = self.ip.put(built, i, step, 47, l4, source)
            built.stale += [ip_len + 4] * flag[0]
        else:
            proto = inner.number() if self.proto is None else self.proto
            self.ip.put(built, i, step, proto, None, source)


class Model:
    """A super-packet, what is asked for, and what must come out."""

    def __init__(self, rng):
        self.rng = rng
        self.conf = rng.randrange(32)
        levels = rng.choice([0, 0, 1, 1, 1, 2])
        raw = rng.random() < 0.1
        self.flat = levels > 0 and not raw and rng.random() < 0.4
        self.named = 0 if self.flat or levels < 2 or raw else rng.randrange(2)
        self.link = Link(rng, not raw)
        self.tunnels = [Tunnel(rng, n == self.named) for n in range(levels)]
        # A header that nothing is known of hides another tunnel.
        for n in range(levels - 1):
            while n == self.named and self.tunnels[n].hides():
                self.tunnels[n] = Tunnel(rng, True)
        if levels and rng.random() < 0.4:
            self.tunnels[self.named].checked = True
        self.ip = Ip(rng)
        self.tcp = rng.random() < 0.6
        self.ufo = not self.tcp and bool(self.conf & UFO)
        self.ip.df = self.ip.df and not self.ufo
        self.l4 = {"seq": rng.getrandbits(32), "flags": rng.getrandbits(9) & ~0x06,
                   "urgptr": rng.choice([0, rng.randrange(5000)]),
                   "window": rng.getrandbits(16), "ack": rng.getrandbits(32),
                   "reserved": rng.randrange(8),
                   "options": [("NOP", None)] * rng.choice([0, 0, 1, 4, 12, 40])}
        self.size = rng.choice([0, 1, 3, 500, 3000, 9000, 20000, 66000])
        self.size = rng.randrange(self.size + 1)
        if self.ufo:
            self.size = min(self.size, 60000)
        self.payload = self._payload()
        most = max(1, self.size // rng.choice([1, 2, 3, 5, 8, 30]) + rng.choice([-1, 0, 0, 1, 7]))
        self.segsz = min(max(most, self.size // 150 + 1), 30000)
        if self.ufo:
            self.segsz = max(self.segsz, 120)

    def _payload(self):
        kind = self.rng.randrange(6)
        if kind == 0:
            return b"\xff" * self.size
        if kind == 1:
            return bytes(self.size)
        return self.rng.randbytes(self.size)

    def _levels(self, built, i, source):
        inner = self.ip
        for tunnel in reversed(self.tunnels):
            tunnel.put(built, i, self, inner, source)
            inner = tunnel.ip
        self.link.put(built, inner.ether_type())
        return built

    def _tcp(self, i, done, last):
        fields = dict(self.l4)
        fields["seq"] = (fields["seq"] + done) & 0xFFFFFFFF
        if not last:
            fields["flags"] &= ~(FIN | PSH)
        if i > 0:
            if not self.conf & ACCECN:
                fields["flags"] &= ~CWR
            if fields["flags"] & URG:
                fields["urgptr"] = max(fields["urgptr"] - done, 0)
                if fields["urgptr"] == 0:
                    fields["flags"] &= ~URG
        return TCP(sport=1024, dport=80, **fields)

    def build(self, i, done, data, last=True, source=False):
        """Segment i, behind so many bytes of payload."""
        built = Built(data)
        l4 = self._tcp(i, done, last) if self.tcp else UDP(sport=1024, dport=4096)
        step = 0 if self.conf & IPID_FIXED else 1
        ip_len, l4_len = self.ip.put(built, i, step, 6 if self.tcp else 17, l4, source)
        built.l4 = (ip_len, l4_len)
        built.stale += [ip_len + 16] if self.tcp else [ip_len + 4, ip_len + 6]
        return self._levels(built, i, source)

    def source(self):
        """-> (super-packet, request)"""
        built = self.build(0, 0, b"", source=True)
        data = bytearray(built.data)
        for at in built.stale:
            data[at:at + 2] = self.rng.randbytes(2)
        built.ips.reverse()
        at, length = built.ips[-1]
        request = {"l3_len": length, "l4_len": built.l4[1], "segsz": self.segsz, "l2_len": at,
                   "outer_l2_len": 0, "outer_l3_len": 0}
        flags = TX_TCP_SEG if self.tcp else TX_UDP_SEG
        flags |= TX_IPV6 if self.ip.v6 else TX_IPV4
        if self.tunnels:
            named = self.tunnels[self.named]
            flags |= TUNNEL[named.kind]
            flags |= TX_OUTER_UDP_CKSUM if named.checked else 0
            flags |= self.rng.choice([0, TX_OUTER_IPV6 if named.ip.v6 else TX_OUTER_IPV4])
            if not self.flat:
                request["outer_l2_len"], request["outer_l3_len"] = built.ips[self.named]
                request["l2_len"] -= sum(built.ips[self.named])
        request["ol_flags"] = flags
        return bytes(data) + self.payload, request

    def segments(self, got):
        """What must come out; got: what did, for the fragment ID, which is free."""
        if self.ufo and self._datagram_len() > self.segsz:
            return self._fragments(got)
        cuts = range(0, max(self.size, 1), self.segsz)
        return [self.build(i, at, self.payload[at:at + self.segsz],
                           at + self.segsz >= self.size).data for i, at in enumerate(cuts)]

    def _parts(self):
        """Of the whole datagram as IP would send it: (repeated, rest behind a fragment header)."""
        built = Built(self.payload)
        ip_len, _ = self.ip.put(built, 0, 0, 17, UDP(sport=1024, dport=4096))
        if not self.ip.v6:
            return 0, 17, built.data[ip_len:]
        kept = [kind for kind in self.ip.ext if kind != "jumbo"]
        split = len([kind for kind in self.ip.ext[:self.ip.split()] if kind != "jumbo"])
        at, nh = 40, built.data[6]
        for kind in kept[:split]:
            nh, at = built.data[at], at + (built.data[at + 1] + 1) * 8
            assert kind != "atomic"
        if kept[split:split + 1] == ["atomic"]:
            nh, at = built.data[at], at + 8
        return at, nh, built.data[at:]

    def _datagram_len(self):
        return len(self._parts()[2]) + (8 if "atomic" in self.ip.ext and self.ip.v6 else 0)

    def _fragments(self, got):
        _, nh, rest = self._parts()
        room = self.segsz - (8 if self.ip.v6 else 0)
        ident = self.ip.atomic_id
        if self.ip.v6 and "atomic" not in self.ip.ext:
            probe = self._fragment(0, 0, b"", True, 0, nh)
            at = len(probe) - 4
            ident = int.from_bytes(got[0][at:at + 4], "big")
        frags, at = [], 0
        while at < len(rest):
            last = len(rest) - at <= room
            n = len(rest) - at if last else room & ~7
            frags.append(self._fragment(len(frags), at, rest[at:at + n], not last, ident, nh))
            at += n
        return frags

    def _fragment(self, i, at, data, more, ident, nh):
        built = Built(data)
        self.ip.put(built, i, 0, 17, frag=(at, more, ident, nh))
        return self._levels(built, i, False).data

    def features(self):
        """The rows that this packet exercises."""
        yield "tcp" if self.tcp else "ufo" if self.ufo else "uso"
        yield f"levels-{len(self.tunnels)}"
        if self.tunnels:
            yield "flat" if self.flat else f"named-{self.named}"
        for tunnel in self.tunnels:
            yield f"{tunnel.kind}-over-{'ipv6' if tunnel.ip.v6 else 'ipv4'}"
        links = [self.link] + [tunnel.link for tunnel in self.tunnels]
        yield from (link.last for link in links if link.last)
        yield from (f"tags-{len(link.tags)}" for link in links)
        if not self.link.ether:
            yield "raw-ip"
        for ip in [self.ip] + [tunnel.ip for tunnel in self.tunnels]:
            if ip.v6:
                yield from ip.ext
            else:
                yield f"options-{ip.options}"


def make(rng):
    """A random super-packet whose headers are no longer than the library takes, 8 to spare."""
    while True:
        model = Model(rng)
        if len(model.build(0, 0, b"", source=True).data) <= MAX_HEADERS - 8:
            return model
