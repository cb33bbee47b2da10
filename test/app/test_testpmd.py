# SPDX-License-Identifier: BSD-3-Clause
"""The testpmd side of dpdk-csum-testpmd: commands, wording, life and death, forwarding."""

import os
import pty
import re
import signal

import pytest
from replay_tools import APP, payload, read_pcap, record, write_pcap
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from testpmd_tools import (DEBIAN, EAL, Session, count_records, forward, ours, pcap_port, said)

E = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
I4 = IP(src="10.0.0.1", dst="10.0.0.2", id=0x1000, ttl=64)
FRAMES = [bytes(E / I4 / UDP(sport=1, dport=n) / payload(n)) for n in range(100, 110)]


def talk(*commands, options=(), vdevs=("net_ring0", "net_ring1")):
    """What a session with these commands prints."""
    session = Session(ours("-i", *options, vdevs=vdevs))
    status, text = session.end(*commands, "quit")
    assert status == 0, text
    return text


# ---- wording

COMMANDS = [
    "show port stats all", "show port summary all", "show config fwd",
    "show port 0 tx_offload configuration", "clear port stats 0", "show port xstats 0",
    "port stop 0", "csum show 0", "csum set ip hw 0", "csum set udp hw 0", "csum set tcp hw 0",
    "csum set sctp hw 0", "csum set outer-ip hw 0", "csum set outer-udp hw 0", "csum set ip sw 0",
    "csum parse-tunnel on 0", "csum parse-tunnel off 0", "csum mac-swap off 0", "tso set 1000 0",
    "tso set 0 0", "tso show 0", "tunnel_tso set 1000 0", "tunnel_tso set 0 0", "start",
    "port start 0", "set verbose 1", "set verbose 0", "set burst 16", "set burst 513",
    "set fwd csum", "start", "start", "csum set ip hw 0", "tso set 5 0", "stop", "stop",
    "show fwd stats all", "port close 0", "port stop 0", "port close 0", "csum show 7",
    "show port stats 9", "nonsense", "set fwd nonsense", "load /nonexistent/file",
]


@pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed")
def test_wording_is_testpmds():
    vdevs = [word for name in ("net_ring0", "net_ring1") for word in ("--vdev", name)]
    theirs = Session([DEBIAN, *EAL, *vdevs, "--", "-i", "--total-num-mbufs=8192"])
    their_status, their_text = theirs.end(*COMMANDS, "quit")
    assert their_status == 0
    assert said(talk(*COMMANDS)) - said(their_text) == set()


def test_port_statistics_are_laid_out_as_scripts_expect():
    text = talk("show port stats 0")
    assert ("\n  ######################## NIC statistics for port 0  ########################\n"
            "  RX-packets: 0          RX-missed: 0          RX-bytes:  0\n"
            "  RX-errors: 0\n"
            "  RX-nombuf:  0         \n"
            "  TX-packets: 0          TX-errors: 0          TX-bytes:  0\n"
            "\n  Throughput (since last show)\n"
            "  Rx-pps:            0          Rx-bps:            0\n"
            "  Tx-pps:            0          Tx-bps:            0\n"
            "  ############################################################################\n"
            ) in text


def test_throughput_is_counted_between_two_shows():
    session = Session(ours("-i", vdevs=["net_null0", "net_null1"]))

    def rates():
        return [int(n) for n in re.findall(r"Rx-pps: +(\d+)", session.text)]

    def moves():
        # On a busy machine the forwarding core may have had no turn since the last one.
        session.send("show port stats 0")
        return any(rates())

    session.send("start", "show port stats 0")
    session.wait_until(rates, "rate")
    session.wait_until(moves, "rate above 0")
    session.send("stop")
    session.wait_for("Done.")
    status, _ = session.end("quit")
    assert status == 0
    assert rates()[0] == 0


def test_forward_statistics_show_checksums_in_csum_mode_only():
    io = talk("start", "stop")
    csum = talk("set fwd csum", "start", "stop")
    assert "Bad-ipcsum" not in io
    assert csum.count("  Bad-ipcsum: 0              Bad-l4csum: 0             "
                      "Bad-outer-l4csum: 0             \n"
                      "  Bad-outer-ipcsum: 0             \n") == 2
    for text in (io, csum):
        assert text.count("  ---------------------- Forward statistics for port ") == 2
        assert ("+++++++++++++++ Accumulated forward statistics for all ports+++++++++++++++\n"
                ) in text


def test_help_lists_every_command():
    text = talk("help", "help all")
    for words in ("help control", "start: ", "stop: ", "quit: ", "load <filename>", "set fwd",
                  "set nbport|nbcore|burst|verbose", "set corelist|portlist",
                  "set txpkts", "set eth-peer", "start tx_first",
                  "set port <port_id> gso|gro", "set gso segsz", "set gro flush", "gso|gro: Show",
                  "show config rxtx|cores|fwd|txpkts", "csum set", "csum show", "csum parse-tunnel",
                  "csum mac-swap", "tso set", "tso show", "tunnel_tso set", "tunnel_tso show",
                  "port start|stop|close", "show port info|stats|xstats", "clear port",
                  "tx_offload capabilities|configuration", "fwd stats all"):
        assert words in text


def test_guides_slip_outer_ip_with_underscore_is_taken():
    assert "Bad arguments" not in talk("port stop 0", "csum set outer_ip sw 0",
                                       "csum set outer_udp sw 0", "csum parse_tunnel on 0")


def test_refused_tunnel_tso_is_not_stored():
    """dpdk-testpmd 22.11 keeps the size, and its engine asks for what the port cannot do."""
    text = talk("port stop 0", "tunnel_tso set 1000 0", "tunnel_tso show 0")
    assert "Error: port=0 don't support tunnel TSO offloads." in text
    assert "TSO for tunneled packets is disabled" in text


def test_burst_of_nothing_is_refused():
    """dpdk-testpmd 22.11 takes it, and then never receives a packet."""
    text = talk("set burst 0", "set fwd io", "show config fwd")
    assert "nb pkt per burst: 0 < 1  ignored" in text


def test_commands_come_from_files_too(tmp_path):
    inner = tmp_path / "inner.cmd"
    inner.write_text("set burst 17\nquit\nset burst 18\n")
    text = talk(f"load {inner}", "set burst 19")
    assert "burst set to 17" in text and "burst set to 18" not in text
    assert f"Read CLI commands from {inner}\n" in text
    assert "burst set to 19" in text
    text = talk(options=[f"--cmdline-file={inner}"])
    assert text.index("Interactive-mode selected") < text.index("burst set to 17")


# ---- life and death

def test_auto_start():
    text = talk("stop", options=["-a"])
    assert "Start automatic packet forwarding\nio packet forwarding - ports=2" in text
    assert "Packet forwarding not started" not in text


def test_quit_stops_forwarding_and_shows_what_was_forwarded():
    text = talk("start")
    assert "Accumulated forward statistics" in text
    assert text.endswith("Port 1 is closed\nDone\n\nBye...\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("options, started", [
    (["-i", "-a"], "Start automatic packet forwarding"),
    ([], "Press enter to exit"),
    (["--stats-period=60"], "No commandline core given"),
], ids=["prompt", "unattended", "with-statistics"])
def test_signal_ends_cleanly_with_statistics(number, options, started):
    session = Session(ours(*options, vdevs=["net_null0"]))
    session.wait_for(started)
    session.wait_for("forwards packets on")
    session.signal(number)
    session.wait_for("Bye...")
    status, text = session.end()
    assert status == 0
    assert "Forward statistics for port 0" in text
    assert int(text.split("RX-packets: ")[1].split()[0]) > 0


@pytest.mark.parametrize("command, started", [
    ("load {file}", "more than 16 deep"),
    ("load /dev/zero", ""),
    ("start tx_first 4294967295", "TX threshold registers"),
    ("set burst tx delay 4294967295 retry 4294967295\nset fwd txonly retry\nstart",
     "TX threshold registers"),
], ids=["files-in-files", "file-without-end", "tx-first", "retry"])
def test_signal_ends_what_would_take_for_ever(tmp_path, command, started):
    file = tmp_path / "commands"
    file.write_text(f"load {file}\n" * 8)
    # A ring that nobody empties takes no more soon.
    session = Session(ours("-i", vdevs=["net_ring0"]))
    session.send("show config cores", command.format(file=file))
    session.wait_for("List of forwarding lcores")
    session.wait_for(started)
    session.signal()
    session.wait_for("Bye...")
    assert session.end()[0] == 0


def test_ctrl_c_at_a_terminal_ends_cleanly_with_statistics():
    child, terminal = pty.fork()
    if child == 0:
        os.execv(APP, [str(word) for word in ours("-i", "-a", vdevs=["net_null0"])])
    text = b""
    sent = False
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # a terminal without a process behind it
            break
        if not data:
            break
        text += data
        if b"testpmd> " in text and not sent:
            os.write(terminal, b"\x03")
            sent = True
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    os.close(terminal)
    assert b"Forward statistics for port 0" in text
    assert text.endswith(b"Bye...\r\n")


def test_enter_ends_unattended_forwarding():
    session = Session(ours(vdevs=["net_null0"]))
    session.wait_for("Press enter to exit")
    status, text = session.end("")
    assert status == 0
    assert "Forward statistics for port 0" in text


def test_statistics_come_period_by_period():
    session = Session(ours("--stats-period=1", vdevs=["net_null0"]))
    session.wait_until(lambda: session.text.count("NIC statistics for port 0") >= 2, "statistics")
    session.signal()
    status, _ = session.end()
    assert status == 0


# ---- forwarding

TOPOLOGIES = {
    # what goes out by port i came in by port [i]
    "paired": [1, 0, 2],
    "chained": [2, 0, 1],
    "loop": [0, 1, 2],
}


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("cores", [1, 3])
def test_io_passes_packets_unchanged_by_topology(tmp_path, topology, cores):
    vdevs, sinks, sent = [], [], []
    for i in range(3):
        sent.append(FRAMES[3 * i:3 * i + 3])
        source = write_pcap(tmp_path / f"in{i}.pcap", [record(frame) for frame in sent[i]])
        sinks.append(tmp_path / f"out{i}.pcap")
        vdevs.append(f"net_pcap{i},rx_pcap={source},tx_pcap={sinks[i]}")
    session = Session(ours("-i", "--no-flush-rx", f"--port-topology={topology}",
                           f"--nb-cores={cores}", vdevs=vdevs))
    session.send("start")
    for sink in sinks:
        session.wait_until(lambda path=sink: count_records(path) == 3, "frames on the wire")
    status, text = session.end("stop", "quit")
    assert status == 0
    assert f"io packet forwarding - ports=3 - cores={cores} - streams=3" in text
    for i, source in enumerate(TOPOLOGIES[topology]):
        assert [rec.data for rec in read_pcap(sinks[i])[2]] == sent[source]
    assert "RX-packets: 9              RX-dropped: 0             RX-total: 9\n" in text
    assert "TX-packets: 9              TX-dropped: 0             TX-total: 9\n" in text


def test_queues_are_forwarded_one_by_one(tmp_path):
    sources = [write_pcap(tmp_path / f"in{i}.pcap", [record(frame) for frame in FRAMES[i::2]])
               for i in range(2)]
    sinks = [tmp_path / f"out{i}.pcap" for i in range(2)]
    vdev = "net_pcap0," + ",".join(f"rx_pcap={path}" for path in sources) + "," + ",".join(
        f"tx_pcap={path}" for path in sinks)
    session = Session(ours("-i", "--no-flush-rx", "--rxq=2", "--txq=2", "--port-topology=loop",
                           vdevs=[vdev]))
    session.send("start")
    for sink in sinks:
        session.wait_until(lambda path=sink: count_records(path) == 5, "frames on the wire")
    status, text = session.end("stop", "quit")
    assert status == 0
    assert "  RX P=0/Q=1 (socket 0) -> TX P=0/Q=1 (socket 0) peer=02:00:00:00:00:00\n" in text
    for queue in range(2):
        assert (f"\n  ------- Forward Stats for RX Port= 0/Queue= {queue} -> "
                f"TX Port= 0/Queue= {queue} -------\n"
                f"  RX-packets: {5:<14} TX-packets: {5:<14} TX-dropped: {0:<14}\n") in text
    for i, sink in enumerate(sinks):
        assert [rec.data for rec in read_pcap(sink)[2]] == FRAMES[i::2]


def test_what_came_before_the_start_is_flushed(tmp_path):
    source = write_pcap(tmp_path / "in.pcap", [record(frame) for frame in FRAMES])
    text = talk("start", "stop", vdevs=[pcap_port(source, tmp_path / "out.pcap")])
    assert "RX-packets: 0  " in text
    assert count_records(tmp_path / "out.pcap") == 0


def test_packets_can_be_watched(tmp_path):
    # The prompt is printed at the same time, amid the first of the lines perhaps.
    frames = 5 * [bytes(E / I4 / TCP(sport=1, dport=2, flags="A") / payload(3000))]
    commands = ["port stop 1", "csum set ip hw 1", "tso set 1000 1", "port start 1",
                "set fwd csum", "set verbose 1"]
    _, text = forward(tmp_path, ours, frames, commands, 15)
    dump = re.search(r"-----------------\n"
                     r"port=1, mbuf=0x[0-9a-f]+, pkt_len=3054, nb_segs=2:\n"
                     r"rx: l2_len=14 ethertype=800 l3_len=20 l4_proto=6 l4_len=20 flags=.*\n"
                     r"tx: m->l2_len=14 m->l3_len=20 m->l4_len=20\n"
                     r"tx: m->tso_segsz=1000\n"
                     r"tx: flags=(.*)\n", text)
    assert dump is not None, text
    assert set(dump[1].split()) == {"RTE_MBUF_F_TX_IP_CKSUM", "RTE_MBUF_F_TX_L4_NO_CKSUM",
                                    "RTE_MBUF_F_TX_TCP_SEG", "RTE_MBUF_F_TX_IPV4"}
