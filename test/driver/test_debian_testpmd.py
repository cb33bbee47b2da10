# SPDX-License-Identifier: BSD-3-Clause
"""Debian's unmodified dpdk-testpmd runs on net_soft_csum, and what it puts on the wire is right.

The same commands then drive dpdk-csum-testpmd: it must put the same bytes on the wire.
"""

import os
import re

import pytest
from replay_tools import assert_right, payload, put16
from scapy.contrib.geneve import GENEVE
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import GRE, Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from testpmd_tools import (DEBIAN, ODD_MBUFS, TSHARK, asan_env, bad_by_tshark, debian, forward,
                           ours, stage_plugin, verdicts_by_reference)

pytestmark = [
    pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="a plugin folder must belong to root"),
]

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
T = TCP(sport=1024, dport=80, seq=1000, ack=2000, flags="PA", window=8192)
U = UDP(sport=1024, dport=4096)
INNER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
O4 = IP(src="192.0.2.1", dst="192.0.2.2", id=0x2000, ttl=64)
O6 = IPv6(src="2001:db8::a", dst="2001:db8::b", hlim=64)
VX = UDP(sport=50000, dport=4789) / VXLAN(vni=42, flags=8)
GN = UDP(sport=50000, dport=6081) / GENEVE(vni=42, proto=0x6558)

ISSUE_COMMANDS = ["port stop 1", "csum set ip hw 1", "csum set tcp hw 1", "tso set 1000 1",
                  "port start 1", "set fwd csum"]
OFFLOADS = {"IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM", "SCTP_CKSUM", "TCP_TSO",
            "OUTER_IPV4_CKSUM", "OUTER_UDP_CKSUM", "VXLAN_TNL_TSO", "GENEVE_TNL_TSO"}


@pytest.fixture(scope="module", name="plugin")
def staged_plugin():
    with stage_plugin() as plugin:
        yield plugin


def wire(tmp_path, program, plugin, frames, commands, nb_out, options=()):
    """-> (frames on the wire, all that was printed)"""
    folder = tmp_path / program
    folder.mkdir()
    if program == "ours":
        return forward(folder, ours, frames, commands, nb_out, options=options)
    return forward(folder, lambda *o, **k: debian(plugin, *o, **k), frames, commands, nb_out,
                   options=options, env=asan_env(plugin))


def stale(frame, at):
    """The frame with 16 bits at an offset that cannot be a right checksum."""
    return put16(frame, at, int.from_bytes(frame[at:at + 2], "big") ^ 0x1234)


def assert_stream(frames, data, segsz):
    whole = b""
    for frame in frames:
        assert_right(frame)
        tcp = Ether(frame)[TCP]
        assert tcp.seq == 1000 + len(whole)
        assert len(tcp.payload) <= segsz
        whole += bytes(tcp.payload)
    assert whole == data
    assert [str(Ether(frame)[TCP].flags) for frame in frames] == ["A"] * (len(frames) - 1) + ["PA"]


def assert_judged_right(tmp_path, frames):
    verdicts = verdicts_by_reference(tmp_path, frames)
    assert set().union(*verdicts.values()) <= {"good", "zero", "fragment"}, verdicts
    if TSHARK is not None:
        assert bad_by_tshark(tmp_path, frames) == []


@pytest.mark.parametrize("program", ["debian", "ours"])
def test_capabilities_are_shown_and_the_lower_port_is_hidden(tmp_path, plugin, program):
    _, text = wire(tmp_path, program, plugin, [bytes(E / I4 / T / payload(100))],
                   ["show port 1 tx_offload capabilities", "show port summary all",
                    "csum show 0"], 1)
    assert "Tx Offloading Capabilities of port 1 :" in text
    assert OFFLOADS <= set(re.search(r"  Per Port  :(.*)", text)[1].split())
    assert "Number of available ports: 1" in text
    assert "Invalid port 0" in text


@pytest.mark.parametrize("program", ["debian", "ours"])
@pytest.mark.parametrize("options", [(), (ODD_MBUFS,)], ids=["even-split", "odd-split"])
def test_tcp_is_cut_into_right_segments(tmp_path, plugin, program, options):
    data4, data6, data_small = payload(3001), payload(5003, 1), payload(700, 2)
    frames = [stale(bytes(E / I4 / T / data4), 24), stale(bytes(E / I6 / T / data6), 70),
              stale(bytes(E / I4 / T / data_small), 50)]
    out, text = wire(tmp_path, program, plugin, frames, [*ISSUE_COMMANDS, "set verbose 1"], 11,
                     options)
    if program == "debian":  # ours prints its prompt amid the lines perhaps
        assert "pkt_len=3055, nb_segs=2:" in text
        assert "tx: m->tso_segsz=1000" in text
    assert len(out) == 11
    assert_stream(out[:4], data4, 1000)
    assert_stream(out[4:10], data6, 1000)
    assert_stream(out[10:], data_small, 1000)
    assert [Ether(frame)[IP].id for frame in out[:4]] == [0x1000, 0x1001, 0x1002, 0x1003]
    assert_judged_right(tmp_path, out)


HW = ["csum set ip hw 1", "csum set udp hw 1", "csum set tcp hw 1"]
OUTER_HW = ["csum set outer-ip hw 1", "csum set outer-udp hw 1"]
TUNNEL = [*HW, *OUTER_HW, "csum parse-tunnel on 1"]
PLAIN = [E / I4 / T / payload(999), E / I6 / T / payload(1000), E / I4 / U / payload(33),
         E / I6 / U / payload(1), E / Dot1Q(vlan=5) / I4 / T / payload(77),
         E / I4 / UDP(sport=1, dport=2, chksum=0) / payload(50), E / I4 / T]
BIG = [E / I4 / T / payload(4001), E / I6 / T / payload(2999),
       E / Dot1Q(vlan=5) / Dot1Q(vlan=6) / I4 / T / payload(2500)]
TUNNELED = [E / o / t / INNER / i / T / payload(n)
            for n, (o, t) in enumerate([(O4, VX), (O6, VX), (O4, GN), (O4, GRE(proto=0x6558))], 99)
            for i in (I4, I6)]
TUNNELED_BIG = [E / o / t / INNER / i / T / payload(n)
                for n, (o, t) in enumerate([(O4, VX), (O6, VX), (O4, GN)], 3001)
                for i in (I4, I6)]

IN_ORDER = [E / IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000 + i) /
            TCP(sport=1024, dport=80, seq=1000 + 300 * i, ack=2000, flags="A") / payload(300, i)
            for i in range(4)]

# It merges what the port says is TCP, which this one does when it looks at checksums.
TYPED = ["port config 1 rx_offload tcp_cksum on"]

DIFFERENTIAL = {
    # name: (commands while the port is stopped, frames, frames on the wire)
    "software": ([], PLAIN, 7),
    "hardware": (HW, PLAIN, 7),
    "tso": ([*HW, "tso set 1000 1"], PLAIN + BIG, 7 + 5 + 3 + 3),
    "tso-ip-in-software": (["csum set tcp hw 1", "tso set 536 1"], BIG, 8 + 6 + 5),
    "mac-swap-off": ([*HW, "csum mac-swap off 1"], PLAIN, 7),
    "tunnel-not-parsed": (HW, TUNNELED, 8),
    "tunnel-inner-hardware": ([*HW, "csum set outer-udp hw 1", "csum parse-tunnel on 1"],
                              TUNNELED, 8),
    "tunnel-all-hardware": (TUNNEL, TUNNELED, 8),
    "tunnel-all-software": (["csum parse-tunnel on 1"], TUNNELED, 8),
    "gso": ([*HW, "set port 1 gso on", "set gso segsz 1000"],
            [E / I4 / T / payload(4001), E / Dot1Q(vlan=5) / I4 / T / payload(2500),
             E / I4 / T / payload(946)], 5 + 3 + 1),
    "gso-udp": (["csum set ip hw 1", "set port 1 gso on"],
                [E / I4 / U / payload(n) for n in (4000, 1473, 1472)], 3 + 2 + 1),
    "gro": ([*HW, *TYPED, "set port 1 gro on"], IN_ORDER, 1),
    "gro-flush": ([*HW, *TYPED, "set port 1 gro on", "set gro flush 3", "set burst 2"], IN_ORDER,
                  1),
    "tunnel-tso": ([*TUNNEL, "tunnel_tso set 1000 1"], TUNNELED_BIG, 6 * 4),
}


@pytest.mark.parametrize("name", DIFFERENTIAL)
def test_both_put_the_same_on_the_wire(tmp_path, plugin, name):
    stopped, frames, nb_out = DIFFERENTIAL[name]
    frames = [bytes(frame) for frame in frames]
    commands = ["port stop 1", *stopped, "port start 1", "set fwd csum"]
    theirs, _ = wire(tmp_path, "debian", plugin, frames, commands, nb_out)
    own, _ = wire(tmp_path, "ours", plugin, frames, commands, nb_out)
    assert [frame.hex() for frame in own] == [frame.hex() for frame in theirs]
    assert len(own) == nb_out
    assert_judged_right(tmp_path, own)
