# SPDX-License-Identifier: BSD-3-Clause
"""What the engines of dpdk-csum-testpmd make and answer, where dpdk-testpmd is no measure."""

import re

import pytest
from replay_tools import payload
from scapy.layers.inet import ICMP, IP, UDP, IPOption_Router_Alert
from scapy.layers.l2 import ARP, Dot1Q, Ether
from testpmd_tools import Session, forward, ours, verdicts_by_reference

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
BACK = Ether(dst=E.src, src=E.dst)
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=9)
PING = ICMP(type=8, id=7, seq=3)
PONG = ICMP(type=0, id=7, seq=3)
HEADERS = 14 + 20 + 8


def made(src, dst, sport, dport, length):
    return bytes(Ether(src="02:70:63:61:70:00", dst="02:00:00:00:00:00") /
                 IP(src=src, dst=dst, id=0, ttl=64) / UDP(sport=sport, dport=dport, chksum=0) /
                 bytes(length - HEADERS))[:HEADERS]


@pytest.mark.parametrize("options, expected", [
    ([], made("198.18.0.1", "198.18.0.2", 9, 9, 64)),
    (["--tx-ip=10.1.2.3,10.4.5.6", "--tx-udp=7", "--txpkts=42"],
     made("10.1.2.3", "10.4.5.6", 7, 7, 42)),
    (["--tx-udp=7,65535", "--txpkts=1,1,1,39,2048"], made("198.18.0.1", "198.18.0.2", 7, 65535,
                                                          2090)),
], ids=["default", "shortest", "many-segments"])
def test_txonly_sends_what_options_say(tmp_path, options, expected):
    length = sum(int(n) for option in options if option.startswith("--txpkts")
                 for n in option.split("=")[1].split(",")) or 64
    out, text = forward(tmp_path, ours, [], ["set burst 3", "start tx_first 2", "stop"], 6,
                        soft_csum=False, options=options)
    assert [len(frame) for frame in out] == 6 * [length]
    assert {frame[:HEADERS] for frame in out} == {expected}
    assert "TX-packets: 6 " in text


def test_unattended_forwarding_may_begin_with_a_burst():
    session = Session(ours("--tx-first", "--forward-mode=rxonly", vdevs=["net_ring0"]))
    session.wait_for("Press enter to exit")
    status, text = session.end("")
    assert status == 0
    assert text.count("  TX-packets: 32             TX-dropped: 0  ") == 2


def test_packets_that_are_not_taken_are_counted():
    """A ring that nobody reads is full soon."""
    session = Session(ours("-i", vdevs=["net_ring0"]))
    session.send("set fwd txonly retry", "set burst tx delay 0 retry 2", "start")

    def dropped():
        session.send("show fwd stats all")
        return any(int(n) for n in re.findall(r"TX-dropped: (\d+)", session.text))

    session.wait_until(dropped, "dropped packets")
    status, text = session.end("stop", "quit")
    assert status == 0
    assert 0 < int(re.findall(r"TX-packets: (\d+)", text)[-1]) <= 1024


def echoed(tmp_path, packets, nb_out):
    return forward(tmp_path, ours, [bytes(packet) for packet in packets],
                   ["set fwd icmpecho", "set verbose 2"], nb_out, soft_csum=False)


def test_icmpecho_answers_behind_options_tags_and_from_no_multicast_address(tmp_path):
    alert = IP(src=I4.src, dst=I4.dst, options=[IPOption_Router_Alert()])
    alert_back = IP(src=I4.dst, dst=I4.src, options=[IPOption_Router_Alert()])
    tags = Dot1Q(vlan=5) / Dot1Q(vlan=6)
    out, text = echoed(tmp_path, [
        E / alert / PING / payload(9),
        E / tags / I4 / PING / payload(10),
        E / IP(src="10.0.0.5", dst="239.1.2.3") / PING,
    ], 3)
    assert out == [bytes(frame) for frame in (
        BACK / alert_back / PONG / payload(9),
        BACK / tags / IP(src=I4.dst, dst=I4.src, id=9) / PONG / payload(10),
        BACK / IP(src="10.0.0.6", dst="10.0.0.5") / PONG,
    )]
    assert set().union(*verdicts_by_reference(tmp_path, out).values()) == {"good"}
    assert "port 0/queue 0: sent 3 packets" in text
    assert "  IPV4: src=10.0.0.5 dst=239.1.2.3 proto=1 (ICMP)\n" in text
    assert " [vlan id=6] type=0x0800\n" in text


def test_icmpecho_answers_nothing_that_is_cut_short_or_in_pieces(tmp_path):
    whole = bytes(E / I4 / PING / payload(100))
    first, last = I4.copy(), I4.copy()
    first.flags = "MF"
    last.frag, last.proto = 2, 1
    out, text = echoed(tmp_path, [
        whole[:60], whole[:40], whole[:20], whole[:9], E / first / PING / payload(8),
        E / last / PING / payload(8), bytes(E / ARP(op=1))[:41], E / I4 / PING / b"last",
    ], 1)
    assert out == [bytes(BACK / IP(src=I4.dst, dst=I4.src, id=9) / PONG / b"last")]
    assert "RX-packets: 8 " in text
