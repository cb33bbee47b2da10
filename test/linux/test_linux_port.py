# SPDX-License-Identifier: BSD-3-Clause
"""What net_soft_csum sends through a real device, judged by the stack of this machine's kernel."""

import os

import pytest
import test_linux_stack as stack
import verdict
from conftest import TOP
from replay_tools import payload, record, write_pcap
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.layers.vxlan import VXLAN

pytestmark = pytest.mark.witness

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
INNER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64, chksum=0xdead)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
T = TCP(sport=1024, dport=80, seq=1000, ack=2000, flags="PA", window=8192, chksum=0xdead)
U = UDP(sport=1024, dport=4096, chksum=0xdead)
O4 = IP(src="192.0.2.1", dst="192.0.2.2", id=0x2000, ttl=64, chksum=0xdead)
VX = UDP(sport=50000, dport=4789, chksum=0) / VXLAN(vni=42, flags=8)
NB = 5
REQUESTS = ("csum set ip hw 2", "csum set tcp hw 2", "csum set udp hw 2", "csum mac-swap off 2")
TUNNEL = ("csum set outer-ip hw 2", "csum parse-tunnel on 2", "tunnel_tso set 1398 2")

namespaces = stack.namespaces


def sent(tmp_path, kind, frame, nb_out, **env):
    """What judge.sh prints of a frame that is forwarded NB times, as so many frames."""
    source = write_pcap(tmp_path / "in.pcap", [record(bytes(frame))] * NB)
    env = dict(os.environ, NB_FRAMES=str(nb_out), PYTHONPATH=f"{TOP}/test/app:{TOP}/test", **env)
    return stack.judge(kind, stack.HERE / "send_by_port.py", source, env)


@pytest.mark.parametrize("kind, frame, commands, nb_out", [
    ("tcp4", E / I4 / T / payload(60001), ("tso set 1448 2",), 42),
    ("tcp6", E / I6 / T / payload(60001), ("tso set 1428 2",), 43),
    ("udp4", E / I4 / U / payload(1401), (), 1),
    ("udp6", E / I6 / U / payload(1401), (), 1),
    ("vxlan", E / O4 / VX / INNER / I4 / T / payload(60001), TUNNEL, 43),
], ids=["tcp4", "tcp6", "udp4", "udp6", "vxlan"])
def test_port_sends_what_the_stack_accepts(tmp_path, kind, frame, commands, nb_out):
    output = sent(tmp_path, kind, frame, NB * nb_out, COMMANDS="\n".join(REQUESTS + commands))
    verdict.check(kind, NB * nb_out, 0, output)


def test_port_leaves_checksums_that_nobody_asks_about(tmp_path):
    """So that the counters above can move."""
    frame = E / I4 / T / payload(100)
    moved = verdict.changes(sent(tmp_path, "tcp4", frame, NB, COMMANDS="", FORWARD="io"))
    assert moved["IpExtInCsumErrors"] == NB
