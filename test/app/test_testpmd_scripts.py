# SPDX-License-Identifier: BSD-3-Clause
"""Scripts written for dpdk-testpmd run unchanged: the same files of commands, in scripts/, drive it
and dpdk-csum-testpmd over the same captures, and both print and send the same.

The commands come in the order of DPDK's test plans for checksum offload and TSO, and mean ports
0 and 1: those are net_soft_csum here, created before the net_pcap ports below them.
"""

import os
import pathlib
import re

import pytest
from replay_tools import payload, put16, read_pcap, record, write_pcap
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from testpmd_tools import (DEBIAN, Session, asan_env, count_records, debian, ours, sections,
                           stage_plugin)

pytestmark = [
    pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="a plugin folder must belong to root"),
]

SCRIPTS = pathlib.Path(__file__).parent / "scripts"
# What the test plans' command lines have.
OPTIONS = ("-i", "--no-flush-rx", "--burst=32", "--rxd=512", "--txd=512", "--rxfreet=64",
           "--mbcache=128", "--txpt=36", "--txht=0", "--txwt=0", "--txfreet=32", "--txrst=32",
           "--enable-rx-cksum", "--max-pkt-len=9600")

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
T = TCP(sport=1024, dport=80, seq=1000, ack=2000, flags="PA", window=8192)
U = UDP(sport=1024, dport=4096)
VX = UDP(sport=50000, dport=4789) / VXLAN(vni=42, flags=8)
INNER = Ether(dst="02:00:00:00:01:02", src="02:00:00:00:01:01")
O4 = IP(src="192.0.2.1", dst="192.0.2.2", id=0x2000, ttl=64)

PLAIN = [E / ip / l4 / payload(n) for n in (1, 128, 800) for ip in (I4, I6) for l4 in (T, U)]
PLAIN += [E / Dot1Q(vlan=1) / I4 / T / payload(64), E / Dot1Q(vlan=1) / I6 / U / payload(65)]
TUNNELED = [E / O4 / VX / INNER / ip / T / payload(n) for n in (128, 900) for ip in (I4, I6)]
BIG = [E / ip / T / payload(n) for n in (800, 801, 1700, 2500, 8500) for ip in (I4, I6)]
TUNNELED_BIG = [E / O4 / VX / INNER / ip / T / payload(n) for n in (801, 8500) for ip in (I4, I6)]


def stale(packet):
    """With wrong checksums, as the test plans send them."""
    frame = bytes(packet)
    return put16(frame, 24, 0xdead) if IP in packet and Dot1Q not in packet else frame


SCRIPTED = {
    # script: (frames into port 0, frames out of port 1)
    "checksum-sw": (PLAIN, len(PLAIN)),
    "checksum-hw": (PLAIN, len(PLAIN)),
    "checksum-tunnel": (TUNNELED, len(TUNNELED)),
    "tso": (BIG + TUNNELED_BIG, 2 * (1 + 2 + 3 + 4 + 11) + 2 * (2 + 11)),
}


@pytest.fixture(scope="module", name="plugin")
def staged_plugin():
    with stage_plugin() as plugin:
        yield plugin


NOISE = ("EAL: ", "testpmd> ", "vdev_probe", "-----------------",
         # Said while links stay as they are, and of invalid ports.
         "Checking link statuses...", "The valid ports array is", "invalid port")


def normal(lines):
    """Without what cannot be the same, or is of no interest."""
    # Some ports make up their address.
    lines = [re.sub(r"(?:[0-9A-F]{2}:){5}[0-9A-F]{2}", "ADDRESS", line).removeprefix("testpmd: ")
             for line in lines]
    return [line for line in lines if line != "" and not line.startswith(NOISE)]


def dump(text):
    """What the csum engine has printed of packets."""
    # The prompt may be on the same line.
    lines = re.findall(r"(?:rx: |tx: |port=\d+, ).*", text)
    return [re.sub(r"mbuf=0x[0-9a-f]+", "mbuf=", line) for line in lines]


def statistics(text):
    """What was printed when forwarding stopped."""
    return re.search(r"^Telling cores to stop.*^Done\.$", text, re.M | re.S)[0].splitlines()


def run(folder, command, commands, frames, nb_out, env=None):
    """-> (all that was printed, frames out of either port)"""
    folder.mkdir()
    sources = [write_pcap(folder / f"in{i}.pcap", [record(stale(frame)) for frame in group])
               for i, group in enumerate((frames, []))]
    sinks = [folder / f"out{i}.pcap" for i in range(2)]
    vdevs = [f"net_soft_csum{i},lower=net_pcap{i}" for i in range(2)]
    vdevs += [f"net_pcap{i},rx_pcap={sources[i]},tx_pcap={sinks[i]}" for i in range(2)]
    session = Session(command(*OPTIONS, vdevs=vdevs), env)
    session.send(*commands, "start")
    if nb_out != 0:
        session.wait_until(lambda: count_records(sinks[1]) >= nb_out, f"{nb_out} frames")
    status, text = session.end("stop", "quit")
    assert status == 0, text
    return text, [[rec.data.hex() for rec in read_pcap(path)[2]] for path in sinks]


def both(tmp_path, plugin, script, frames=(), nb_out=0):
    """What dpdk-testpmd and dpdk-csum-testpmd print and send, with the script's commands."""
    commands = (SCRIPTS / f"{script}.cmd").read_text().splitlines()
    theirs = run(tmp_path / "debian", lambda *o, **k: debian(plugin, *o, **k), commands, frames,
                 nb_out, asan_env(plugin))
    return commands, theirs, run(tmp_path / "ours", ours, commands, frames, nb_out)


# What is printed differently on purpose: see differences.rst.
DIFFERS = {"csum show 0", "port config mtu 0 20", "start"}


def compare(commands, theirs, own):
    # From the start on, packets are printed amid the rest.
    commands = [*commands, "start"]
    for command, their_lines, own_lines in zip(commands, sections(theirs, commands),
                                               sections(own, commands), strict=True):
        if command not in DIFFERS:
            assert normal(own_lines) == normal(their_lines), command


@pytest.mark.parametrize("script", SCRIPTED)
def test_scripts_send_and_print_the_same(tmp_path, plugin, script):
    frames, nb_out = SCRIPTED[script]
    commands, theirs, own = both(tmp_path, plugin, script, frames, nb_out)
    assert own[1] == theirs[1]
    assert len(own[1][1]) == nb_out
    compare(commands, theirs[0], own[0])
    assert dump(own[0]) == dump(theirs[0])
    assert len(dump(own[0])) >= 3 * len(frames)
    assert normal(statistics(own[0])) == normal(statistics(theirs[0]))


def test_commands_of_ports_print_the_same(tmp_path, plugin):
    commands, theirs, own = both(tmp_path, plugin, "ports")
    compare(commands, theirs[0], own[0])
