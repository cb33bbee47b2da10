# SPDX-License-Identifier: BSD-3-Clause
"""Ports come, go and are set at the prompt and by options: what dpdk-testpmd does not do, or not
say, and what test_testpmd_scripts.py therefore does not compare."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from replay_tools import payload, record, run, write_pcap
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from test_testpmd import talk
from testpmd_tools import Session, ours, pcap_port, sections

FRAME = bytes(Ether() / IP() / TCP() / payload(100))


def said(*commands, **options):
    """[what each command has printed]"""
    text = talk(*commands, **options)
    return ["\n".join(lines) for lines in sections(text, commands)]


def test_port_is_attached_forwards_and_is_detached():
    session = Session(ours("-i", vdevs=["net_null0"]))
    session.send("port attach net_null1,size=100", "port start 1", "start")
    session.wait_for("RX P=1/Q=0 (socket 0) -> TX P=0/Q=0")
    session.send("port detach 1", "stop", "port stop 1", "port detach 1", "port start 1",
                 "show port summary all", "start")
    status, text = session.end("stop", "quit")
    assert status == 0
    assert "Port not stopped" in text
    assert "Port 1 is closed\nDevice is detached\nNow total ports is 1\nDone" in text
    assert "Invalid port 1" in text
    assert "RX P=0/Q=0 (socket 0) -> TX P=0/Q=0" in text


def test_port_below_another_is_not_forwarded_on():
    attached = said("port attach net_null9", "port attach net_soft_csum9,lower=net_null9",
                    "port attach net_null9", vdevs=["net_null0"])
    assert "Port 1 is attached. Now total ports is 2" in attached[0]
    assert "net_null9 brought no port to forward on" in attached[2]


def test_numbers_of_queues_and_descriptors_are_applied():
    text = talk("port stop all", "port config all rxq 2", "port config all txq 2",
                "port config all rxd 64", "port config all txd 128", "port start all",
                "show rxq info 1 1", "show txq info 1 1", "show config fwd",
                vdevs=["net_null0", "net_soft_csum0,lower=net_null0"])
    assert "RX queue 1 " in text and "Number of RXDs: 64\n" in text
    assert "TX queue 1 " in text and "Number of TXDs: 128\n" in text
    assert "RX P=1/Q=1 (socket 0) -> TX P=1/Q=1" in text


def test_what_a_port_cannot_have_is_refused_and_changes_nothing():
    refused = said("port stop all", "port config 0 tx_offload tcp_tso on",
                   "port config 0 rx_offload keep_crc on", "port config all rxq 0",
                   "port config all txq 0", "port config all rxq 60000", "port start all",
                   vdevs=["net_ring0"])
    assert refused[1:6] == [
        "Error: tx_offload tcp_tso is not supported by port 0",
        "Error: rx_offload keep_crc is not supported by port 0",
        "Fail: input rxq (0) can't be less than 1",
        "Fail: input txq (0) can't be less than 1",
        "Fail: input rxq (60000) can't be greater than max_rx_queues (16) of port 0",
    ]
    assert "Fail to start" not in refused[6]


def test_offloads_by_option_are_enabled_and_those_a_port_lacks_keep_it_from_starting():
    vdevs = ["net_null0", "net_soft_csum0,lower=net_null0"]
    text = talk("show port 1 tx_offload configuration", "show port 1 rx_offload configuration",
                options=["--tx-offloads=0x0000e", "--enable-rx-cksum"], vdevs=vdevs)
    assert "  Port : IPV4_CKSUM UDP_CKSUM TCP_CKSUM\n" in text
    assert text.count("  Queue[ 0] : IPV4_CKSUM UDP_CKSUM TCP_CKSUM\n") == 2
    done = run("--vdev", "net_null0", "--tx-offloads", "2")
    assert done.returncode == 2
    assert "Fail to start port 0" in done.stderr


@pytest.mark.parametrize("option, complaint", [
    ("--tx-offloads=zz", "--tx-offloads: 'zz' is not a hexadecimal mask of 64 bits"),
    ("--rx-offloads=0x", "--rx-offloads: '0x' is not a hexadecimal mask of 64 bits"),
    ("--tx-offloads=0x1ffffffffffffffff", "is not a hexadecimal mask of 64 bits"),
    ("--tx-offloads=-1", "--tx-offloads: '-1' is not a hexadecimal mask of 64 bits"),
    ("--mbcache=513", "--mbcache: '513' is not a number from 0 to 512"),
    ("--max-pkt-len=63", "--max-pkt-len: '63' is not a number from 64 to 65535"),
    ("--txpt=256", "--txpt: '256' is not a number from 0 to 255"),
    ("--hot-plug", "unknown option '--hot-plug'"),
])
def test_wrong_options_are_named(option, complaint):
    done = run("--vdev", "net_null0", option)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_chosen_xstats_come_with_port_statistics():
    text = talk("show port stats 0", vdevs=["net_null0"],
                options=["--display-xstats=rx_good_packets,nonsense,tx_good_bytes"])
    assert "No xstat 'nonsense' on port 0 - skip it 1\n" in text
    assert ("                               Value            Rate (since last show)\n"
            "  rx_good_packets                     0               0\n"
            "  tx_good_bytes                       0               0\n"
            "  ####") in text


def test_port_settings_survive_a_restart(tmp_path):
    source = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    text = talk("set promisc 1 off", "port config mtu 1 1400", "port stop 1", "port start 1",
                "show port info 1", options=["--no-flush-rx"],
                vdevs=[pcap_port(source, tmp_path / "out.pcap"), "net_null0"])
    assert "MTU: 1400\n" in text


def test_ports_are_chosen_by_mask():
    vdevs = ["net_null0", "net_null1", "net_null2"]
    chosen = said("show config fwd", "set portmask 0x2", "show config fwd", "set portmask 0x80",
                  "show config fwd", options=["--portmask=0x85"], vdevs=vdevs)
    assert "RX P=0/Q=0 (socket 0) -> TX P=2/Q=0" in chosen[0] and "ports=2" in chosen[0]
    assert chosen[1].startswith("previous number of forwarding ports 2 - changed to number of "
                                "configured ports 1")
    assert chosen[3] == "portmask 0x80: there is none of these ports"
    for shown in (chosen[2], chosen[4]):
        assert "RX P=1/Q=0 (socket 0) -> TX P=1/Q=0" in shown and "ports=1" in shown
    done = run("--vdev", "net_null0", "--portmask=2")
    assert done.returncode == 2
    assert "portmask 0x2: there is none of these ports" in done.stderr


def test_tab_key_completes_words():
    text = talk("port det\t 1", "csum sho\t 0", vdevs=["net_null0"])
    assert "Invalid port 1\n" in text
    assert "Parse tunnel is off\n" in text
    assert "Bad arguments" not in text


def test_files_that_load_themselves_come_to_an_end(tmp_path):
    file = tmp_path / ("x" * 150 + ".cmd")
    file.write_text(f"load {file}\n")
    text = talk(f"load {file}", vdevs=["net_null0"])
    assert f"{file}: files load files more than 16 deep\n" in text
    assert text.count(f"Read CLI commands from {file}\n") == 16


# ---- net_vnet_tap

@pytest.fixture(name="unshare")
def make_unshare():
    command = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-r", "-n"]
    if shutil.which("unshare") is None or subprocess.run([*command, "true"], capture_output=True,
                                                         check=False).returncode != 0:
        pytest.skip("no network namespaces here")
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        pytest.skip("no /dev/net/tun")
    return command


def tap_session(unshare, *vdevs, options=()):
    session = Session([*unshare, *ours("-i", *options, vdevs=vdevs)])
    status, text = session.end("show port 0 tx_offload capabilities", "quit")
    assert status == 0
    return text


def test_tap_port_leaves_to_linux_what_it_takes(unshare):
    text = tap_session(unshare, "net_vnet_tap0")
    assert {"TCP_CKSUM", "UDP_CKSUM", "TCP_TSO", "MULTI_SEGS"} <= set(
        re.search(r"  Per Port  :(.*)", text)[1].split())


@pytest.mark.parametrize("vdevs, options, complaint", [
    (["net_vnet_tap0,ifname=x"], (), "net_vnet_tap0: its one argument is iface=<name>"),
    (["net_vnet_tap0,iface="], (), "net_vnet_tap0: its one argument is iface=<name>"),
    (["net_vnet_tap0,iface=sixteen-letters-"], (), "of at most 15 characters"),
    (["net_vnet_tap0,iface=a", "net_vnet_tap1,iface=a"], (),
     "net_vnet_tap1: cannot make the TAP device a: "),
])
def test_tap_ports_that_cannot_be_say_why(unshare, vdevs, options, complaint):
    assert complaint in tap_session(unshare, *vdevs, options=options)


def test_tap_device_of_another_program_is_taken_over(unshare):
    """One that wanted longer virtio-net headers; the device has kept their length."""
    script = pathlib.Path(__file__).with_name("tap_taken_over.py")
    done = subprocess.run([*unshare, sys.executable, script], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr + done.stdout


def test_tap_port_wants_mbufs_for_64_kb(unshare):
    session = Session([*unshare, *ours("-i", "--mbuf-size=256", vdevs=["net_vnet_tap0"])])
    status, text = session.end()
    assert status == 2
    assert "net_vnet_tap0: the mbufs are too small for packets of 64 KB" in text
