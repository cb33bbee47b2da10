# SPDX-License-Identifier: BSD-3-Clause
"""tshark as a witness: what it says of each packet, and where it is known to see other things.

The comparison is of lists: for ip, tcp and udp, the status of each layer from the outermost in.
Where two lists differ, the classes in EXCEPTIONS are tried in turn. Each has a rule that looks
only at what tshark reports of the packet, and takes away exactly the layers, or changes exactly
the status, that its reason is about. What is not equal then is a difference nobody explained.
"""

import collections

import tools

OPTIONS = ("ip.check_checksum:TRUE tcp.check_checksum:TRUE udp.check_checksum:TRUE "
           "ip.defragment:FALSE ipv6.defragment:FALSE tcp.desegment_tcp_streams:FALSE").split()
FIELDS = ("frame.number frame.protocols frame.len ip.checksum.status tcp.checksum.status "
          "udp.checksum.status ip.len ip.hdr_len ip.flags.mf ip.frag_offset "
          "ipv6.fraghdr.offset tcp.hdr_len tcp.len udp.dstport udp.length vxlan.flags").split()
# tshark's protocols that carry a status, and the field that it is in. UDP-Lite is under udp.
STATUS_OF = {"ip": "ip", "tcp": "tcp", "udp": "udp", "udplite": "udp"}
COLUMNS = ("ip", "tcp", "udp")

GOOD, BAD, UNVERIFIED, ABSENT = "1", "0", "2", "3"
ILLEGAL = "4"  # UDP over IPv6 without a checksum
STATUS = {"good": GOOD, "bad": BAD, "partial": BAD, "fragment": UNVERIFIED,
          "truncated": UNVERIFIED, "zero": ABSENT}


def version():
    """tshark's version line, or None when it is not installed."""
    try:
        code, stdout, _ = tools.run(["tshark", "--version"])
    except FileNotFoundError:
        return None
    return stdout.splitlines()[0] if code == 0 else None


def rows(name):
    """One dictionary of lists of values a packet."""
    # Of a pcapng file's custom blocks, tshark makes packets, too; those have no link type.
    command = ["tshark", "-n", "-r", str(tools.CAPTURES / name), "-Y", "frame.encap_type"]
    for option in OPTIONS:
        command += ["-o", option]
    command += ["-T", "fields", "-E", "separator=/t", "-E", "occurrence=a"]
    for field in FIELDS:
        command += ["-e", field]
    _, stdout, _ = tools.run(command)
    return [{field: cell.split(",") if cell else []
             for field, cell in zip(FIELDS, line.split("\t"))}
            for line in stdout.splitlines()]


class Layer:
    """One protocol in a packet as tshark shows it; status None where it has none."""

    def __init__(self, protocol, column=None, status=None):
        self.protocol = protocol
        self.column = column
        self.status = status


class Packet:
    """One packet: tshark's layers and fields, and our verdicts in tshark's columns."""

    def __init__(self, row, ours):
        self.row = row
        self.protocols = row["frame.protocols"][0].split(":") if row["frame.protocols"] else []
        left = {column: list(row[column + ".checksum.status"]) for column in COLUMNS}
        self.layers = []
        for protocol in self.protocols:
            column = STATUS_OF.get(protocol)
            status = left[column].pop(0) if column and left[column] else None
            self.layers.append(Layer(protocol, column, status))
        for column in COLUMNS:
            self.layers += [Layer(None, column, status) for status in left[column]]
        self.ours = {column: [] for column in COLUMNS}
        for column in ("ip", "tcp", "udp", "udplite"):
            if ours[column] != "-":
                self.ours[STATUS_OF[column]] += ours[column].split(",")

    def theirs(self, column):
        """tshark's statuses in a column."""
        return [BAD if layer.status == ILLEGAL else layer.status for layer in self.layers
                if layer.column == column and layer.status is not None]

    def differs(self, column):
        """Whether tshark and we say other things in a column."""
        return self.theirs(column) != [STATUS[verdict] for verdict in self.ours[column]]

    def equal(self):
        """Whether tshark and we say the same."""
        return not any(self.differs(column) for column in COLUMNS)

    def last(self, field):
        """A field's last value, a number; -1 when the packet has none."""
        return int(self.row[field][-1], 0) if self.row[field] else -1

    def __str__(self):
        theirs = {column: self.theirs(column) for column in COLUMNS}
        return f"{':'.join(self.protocols)}: tshark {theirs}, we {self.ours}"


def keep(packet, count):
    """Take away all layers but the first ones; True if a status went with them."""
    gone = packet.layers[count:]
    packet.layers = packet.layers[:count]
    return any(layer.status is not None for layer in gone)


def behind(*path):
    """A rule: what lies behind these protocols, in this order, is tshark's alone."""
    def rule(packet):
        for i in range(len(packet.layers) - len(path) + 1):
            if [layer.protocol for layer in packet.layers[i:i + len(path)]] == list(path):
                return keep(packet, i + len(path))
        return False
    return rule


def later_fragment(packet):
    """tshark stops at a fragment's data; we name the column of its protocol."""
    tail = [layer.protocol for layer in packet.layers[-2:]]
    if not (tail == ["ip", "data"] and packet.last("ip.frag_offset") > 0 or
            tail == ["ipv6.fraghdr", "data"] and packet.last("ipv6.fraghdr.offset") > 0):
        return False
    for column in ("tcp", "udp"):
        if packet.differs(column) and packet.ours[column][-1:] == ["fragment"]:
            packet.ours[column].pop()
            return True
    return False


def restate(packet, verdict):
    """tshark summed what we say cannot be judged: where that is so, make its status ours."""
    tcp = [layer for layer in packet.layers if layer.column == "tcp"]
    if not tcp or tcp[-1].status != BAD or packet.ours["tcp"][-1:] != [verdict]:
        return False
    tcp[-1].status = UNVERIFIED
    return True


def beyond_the_frame(packet):
    """The IPv4 length says more than tshark found behind the header, and summed."""
    said = packet.last("ip.len") - packet.last("ip.hdr_len")
    return said > packet.last("tcp.hdr_len") + packet.last("tcp.len") >= 0 and \
        restate(packet, "truncated")


def inside_a_fragment(packet):
    """An outer header has more fragments, the inner one has not: tshark forgets the outer."""
    more = [value in ("1", "True") for value in packet.row["ip.flags.mf"]]
    return any(more[:-1]) and not more[-1] and restate(packet, "fragment")


def big_tcp(packet):
    """Above 64 KB tshark gives up at the first length of 0 behind an IP header."""
    if packet.last("frame.len") <= 0xffff or packet.protocols[-1] not in ("udp", "tcp"):
        return False
    for column in COLUMNS:
        packet.ours[column] = packet.ours[column][:len(packet.theirs(column))]
    return True


def cut_ipv4_header(packet):
    """tshark shows no status for an IPv4 header that is not all there."""
    if packet.protocols[-1:] != ["ip"] or packet.ours["ip"][-1:] != ["truncated"]:
        return False
    packet.ours["ip"].pop()
    return True


def udp_length_below_8(packet):
    """tshark looks no further; we say what the field says."""
    if packet.protocols[-1:] != ["udp"] or not 0 <= packet.last("udp.length") < 8 or \
            packet.last("frame.len") > 0xffff:
        return False
    packet.ours["udp"].pop()
    return True


def geneve_by_source_port(packet):
    """Only the destination port makes a tunnel."""
    return packet.row["udp.dstport"][:1] != ["6081"] and behind("udp", "geneve")(packet)


def vxlan_gpe_without_p(packet):
    """Without the P flag an Ethernet header follows, whatever the next protocol field holds."""
    return bool(packet.row["vxlan.flags"]) and "vxlan" not in packet.protocols and \
        packet.last("vxlan.flags") & 0x04 == 0 and behind("udp")(packet)


Known = collections.namedtuple("Known", "name reason rule")

EXCEPTIONS = [
    Known("quoted by ICMP", "headers in ICMP errors are no layers", behind("icmp")),
    Known("quoted by ICMPv6", "headers in ICMP errors are no layers", behind("icmpv6")),
    Known("later fragment", later_fragment.__doc__, later_fragment),
    Known("beyond the frame", beyond_the_frame.__doc__, beyond_the_frame),
    Known("inside a fragment", inside_a_fragment.__doc__, inside_a_fragment),
    Known("BIG TCP", big_tcp.__doc__, big_tcp),
    Known("cut IPv4 header", cut_ipv4_header.__doc__, cut_ipv4_header),
    Known("UDP length below 8", udp_length_below_8.__doc__, udp_length_below_8),
    Known("Geneve by source port", geneve_by_source_port.__doc__, geneve_by_source_port),
    Known("VXLAN-GPE without P", vxlan_gpe_without_p.__doc__, vxlan_gpe_without_p),
    Known("NSH", "not a layer we parse", behind("nsh")),
    Known("Cisco metadata", "not a layer we parse", behind("cmd")),
    Known("FabricPath", "not a layer we parse", behind("cfp")),
    Known("MPLS pseudowire", "a guess of tshark's: the label stack does not say",
               behind("mpls", "pwethheuristic")),
    Known("PPTP", "GRE version 1 is not parsed", behind("gre", "ppp")),
    Known("NHRP", "a packet quoted in an error indication", behind("gre", "nhrp")),
    Known("802.11 in GRE", "not a layer we parse", behind("gre", "wlan")),
    Known("GRE in UDP", "not a layer we parse", behind("udp", "gre")),
    Known("LISP control", "not a layer we parse", behind("udp", "lisp")),
    Known("LISP data", "not a layer we parse", behind("udp", "lisp-data")),
    Known("IPComp", "compressed data; tshark unpacks it", behind("ipcomp")),
    Known("OpenFlow", "a packet reported to a controller, in a TCP stream",
               behind("openflow")),
]


def compare(row, ours):
    """Compare one packet.

    Returns the names of the exceptions that it needed, and what is unexplained or None.
    """
    packet = Packet(row, ours)
    before = str(packet)
    used = []
    for exception in EXCEPTIONS:
        if packet.equal():
            break
        if exception.rule(packet):
            used.append(exception.name)
    return used, None if packet.equal() else before
