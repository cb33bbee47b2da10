# SPDX-License-Identifier: BSD-3-Clause
"""The forwarding engines beside those of Debian's dpdk-testpmd: the same commands, the same
captures, the same bytes on the wire. One process each runs all engines, every one on a port of its
own."""

import re
import resource
import signal

import pytest
from replay_tools import payload, read_pcap, record, write_pcap
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from testpmd_tools import (DEBIAN, Session, count_records, debian_plain, ours, said)

pytestmark = pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed")

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
I6 = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=64)
PING = ICMP(type=8, id=7, seq=3)
MIXED = [E / I4 / UDP(sport=1, dport=2) / payload(9), E / I6 / TCP(sport=1, dport=2) / payload(80),
         E / Dot1Q(vlan=5) / I4 / TCP(sport=3, dport=4), E / ARP(op=2, pdst="10.0.0.9"),
         E / I4 / UDP(sport=5, dport=6) / payload(3000)]
ASKED = [E / ARP(op=1, psrc="10.0.0.1", pdst="10.0.0.9", hwsrc=E.src),
         E / Dot1Q(vlan=9) / ARP(op=1, psrc="10.0.0.1", pdst="10.0.0.9", hwsrc=E.src),
         E / I4 / PING / payload(56), E / I4 / PING, E / Dot1Q(vlan=9) / I4 / PING / payload(33),
         E / IP(src="10.0.0.1", dst="224.0.0.1") / PING / payload(8),
         E / IP(src="10.0.0.4", dst="224.0.0.251") / PING / payload(8),
         E / I4 / PING / payload(3000)]
UNASKED = [E / ARP(op=2, psrc="10.0.0.1", pdst="10.0.0.9"), E / I4 / ICMP(type=0) / payload(8),
           E / I4 / UDP(sport=1, dport=2), E / I6 / UDP(sport=1, dport=2),
           E / ARP(op=1, hwtype=6, psrc="10.0.0.1"), Ether(type=0x88cc) / payload(46)]
NB_FLOWS = 1024
HEADERS = 14 + 20 + 8
FLOWGEN_RECORD = 16 + 60
MAX_FILE = 1 << 20

STEPS = {
    # engine or what it does: (commands before the start, start, frames in, frames on the wire)
    "io": (["set fwd io"], "start", MIXED, 5),
    "mac": (["set fwd mac"], "start", MIXED, 5),
    "macswap": (["set fwd macswap"], "start", MIXED, 5),
    "csum": (["set fwd csum"], "start", MIXED, 5),
    "icmpecho": (["set fwd icmpecho"], "start", [*UNASKED, *ASKED, *UNASKED], 8),
    "neighbour": (["set fwd mac", "set eth-peer 5 02:aa:bb:cc:dd:ee"], "start", MIXED, 5),
    "tx_first": (["set fwd io", "set burst 4"], "start tx_first", [], 4),
    "tx_first-n": (["set txpkts 200"], "start tx_first 3", [], 12),
    "segments": (["set txpkts 20,10,40,1400"], "start tx_first 1", [], 4),
    "flowgen": (["set fwd flowgen retry", "set txpkts 64", "set burst 32"], "start", [],
                NB_FLOWS + 40),
    "rxonly": (["set fwd rxonly", "set verbose 1"], "start", MIXED, 0),
}


def limit_files():
    """What is longer is cut: flowgen sends as long as it is let."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE, MAX_FILE))


def wire(name, sink):
    """The frames of a step, without what generators leave as they find it: the payload."""
    generated = not STEPS[name][2]
    if name == "flowgen":
        sink.write_bytes(sink.read_bytes()[:24 + FLOWGEN_RECORD * STEPS[name][3]])
    return [(len(rec.data), rec.data[:HEADERS] if generated else rec.data)
            for rec in read_pcap(sink)[2]]


def run_steps(tmp_path, make_command):
    """-> ({step: frames on the wire}, all that was printed)"""
    vdevs, sinks = [], []
    for i, (_, _, frames, _) in enumerate(STEPS.values()):
        source = write_pcap(tmp_path / f"in{i}.pcap", [record(bytes(frame)) for frame in frames])
        sinks.append(tmp_path / f"out{i}.pcap")
        vdevs.append(f"net_pcap{i},rx_pcap={source},tx_pcap={sinks[i]}")
    session = Session(make_command("-i", "--no-flush-rx", "--port-topology=loop", vdevs=vdevs),
                      preexec_fn=limit_files)
    for i, (commands, start, frames, nb_out) in enumerate(STEPS.values()):
        session.send(f"set portlist {i}", *commands, start)
        if nb_out == 0:
            session.wait_until(lambda nb=len(frames): session.text.count("Receive queue") >= nb,
                               "packets shown")
        elif commands[0] == "set fwd flowgen retry":
            session.wait_until(
                lambda i=i, nb=nb_out: sinks[i].stat().st_size > 24 + nb * FLOWGEN_RECORD, "flows")
        else:
            session.wait_until(lambda i=i, nb=nb_out: count_records(sinks[i]) >= nb, f"step {i}")
        session.send("stop")
    status, text = session.end("set verbose 0", "quit")
    assert status == 0, text
    return {name: wire(name, sink) for name, sink in zip(STEPS, sinks, strict=True)}, text


@pytest.fixture(scope="module", name="outcomes")
def both_programs(tmp_path_factory):
    return {"debian": run_steps(tmp_path_factory.mktemp("debian"), debian_plain),
            "ours": run_steps(tmp_path_factory.mktemp("ours"), ours)}


@pytest.mark.parametrize("step", STEPS)
def test_the_same_goes_on_the_wire(outcomes, step):
    theirs, own = (outcomes[program][0][step] for program in ("debian", "ours"))
    nb_out = STEPS[step][3]
    assert len(own) == nb_out
    assert own == theirs


def test_flowgen_makes_all_flows_one_after_the_other(outcomes):
    flows = [frame[30:34] for _, frame in outcomes["ours"][0]["flowgen"]]
    assert len(set(flows)) == NB_FLOWS
    assert flows[NB_FLOWS:] == flows[:len(flows) - NB_FLOWS]


def dumped(text):
    """What is printed of packets; a prompt may stand before it on the line."""
    return set(re.findall(r"src=.*|ol_flags: .*|(?:received|sent) \d+ packets", text))


def test_the_same_is_printed_of_packets(outcomes):
    own, theirs = (dumped(outcomes[program][1]) for program in ("ours", "debian"))
    assert own == theirs
    assert sum(line.startswith("src=") for line in own) == len(MIXED)


def test_the_same_is_printed(outcomes):
    """But for counters, as how long flowgen has run depends on the machine, and for scraps of
    prompts, which are printed while packets are."""
    own, theirs = (said(outcomes[program][1]) for program in ("ours", "debian"))
    assert {line for line in own - theirs
            if len(line) > 20 and not re.search("packets|src=|ol_flags", line)} == set()
