# SPDX-License-Identifier: BSD-3-Clause
"""What a Linux stack must count when it gets our segments, good or one in a hundred broken."""

import re

# Kinds that need no more than veth and VXLAN devices, and those that need modules.
PLAIN = ("tcp4", "tcp6", "udp4", "udp6", "fragments4", "fragments6")
VXLAN = ("vxlan", "vxlan_checked", "vxlan6_checked")
MODULES = ("vlan", "qinq", "geneve", "geneve6_checked", "gre", "gre_all", "nvgre", "gre6", "ipip",
           "sit", "4in6", "6in6")
# Where the payload goes in the end; TCP counts IPv4 and IPv6 together.
UDP4 = {"udp4", "fragments4", "vxlan6_checked", "4in6"}
UDP6 = {"udp6", "fragments6", "qinq", "gre6"}
# Who finds a wrong byte of payload before the inner stack can: the outer UDP checksum, or GRE's,
# for which there is no counter.
OUTER_UDP = {"vxlan_checked": "Udp", "vxlan6_checked": "Udp6", "geneve6_checked": "Udp6"}
OUTER_GRE = {"gre_all"}

# Not ICMP's: the stack's answers find no neighbour, and it complains of that to itself.
TROUBLE = re.compile(r"(?!Icmp6?InErrors)\w*(In\w*Err|InDiscards|InTruncated|InUnknown|ReasmFails)")


def parse_counters(text):
    """{"TcpInSegs": 7, ...} of what judge.sh printed of one moment."""
    counters, names = {}, None
    for line in text.splitlines():
        group, _, rest = line.partition(": ")
        words = rest.split()
        if not words:
            name, *value = line.split()
            counters[name] = int(value[0])
        elif names is None:
            names = words
        else:
            counters.update((group + name, int(value)) for name, value in zip(names, words))
            names = None
    return counters


def changes(output):
    """Counters that moved, and by how much."""
    before, after = re.fullmatch(r"before\n(.*)\nafter\n(.*)", output.strip(), re.S).groups()
    before, after = parse_counters(before), parse_counters(after)
    moved = {name: value - before.get(name, 0) for name, value in after.items()}
    return {name: n for name, n in moved.items() if n != 0}


def expected(kind, units, bad):
    """Counters that must move, and by how much; 0: not at all."""
    early = bad if kind in OUTER_UDP or kind in OUTER_GRE else 0
    late = bad - early
    if kind in UDP4 or kind in UDP6:
        udp = "Udp" if kind in UDP4 else "Udp6"
        want = {udp + "NoPorts": units - bad, udp + "InErrors": late, udp + "InCsumErrors": late}
    else:
        want = {"TcpInSegs": units - early, "TcpOutRsts": units - bad, "TcpInErrs": late,
                "TcpInCsumErrors": late}
    if kind in OUTER_UDP:
        udp = OUTER_UDP[kind]
        want[udp + "InErrors"] = want[udp + "InCsumErrors"] = bad
    return want


def check(kind, units, bad, output):
    """Fail unless the stack counted just what it must, and nothing else went wrong."""
    moved = changes(output)
    want = expected(kind, units, bad)
    got = {name: moved.get(name, 0) for name in want}
    assert got == want, f"{got} instead of {want}, among {moved}"
    trouble = {name: n for name, n in moved.items() if TROUBLE.match(name) and name not in want}
    assert trouble == {}, trouble
