#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Let two stacks talk through dpdk-csum-testpmd, and print what came of it as JSON.

usage: unshare -n kernel_traffic.py LAYOUT BYTES

The near stack's way out is a net_vnet_tap port: what it sends is large and has partial checksums.
LAYOUT says by which port it goes on to the far stack:
  soft  net_soft_csum over net_af_packet, on a veth device
  bare  net_af_packet alone, which has no offloads
  taps  another net_vnet_tap
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

from testpmd_tools import Session, ours

FAR_VDEVS = {
    "soft": ["net_af_packet0,iface=veth0", "net_soft_csum0,lower=net_af_packet0"],
    "bare": ["net_af_packet0,iface=veth0"],
    "taps": ["net_vnet_tap1,iface=far0"],
}
COPY = pathlib.Path(__file__).with_name("tcp_copy.py")
NEAR = {4: "10.79.0.1", 6: "fd00:79::1"}
FAR = {4: "10.79.0.2", 6: "fd00:79::2"}


def run(*command, check=True):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=check)


class Stack:
    """A network namespace with one device, which comes from ours."""

    def __init__(self, device, addresses):
        self.process = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo; exec cat"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        run("ip", "link", "set", device, "netns", self.process.pid)
        self.run("ip", "link", "set", device, "up")
        self.run("ip", "addr", "add", addresses[4] + "/24", "dev", device)
        self.run("ip", "addr", "add", addresses[6] + "/64", "dev", device, "nodad")

    def command(self, *command):
        return ["nsenter", "-t", str(self.process.pid), "-n", *(str(word) for word in command)]

    def run(self, *command, **options):
        return run(*self.command(*command), **options)

    def start(self, *command):
        return subprocess.Popen(self.command(*command), stdout=subprocess.PIPE, text=True)

    def csum_errors(self):
        lines = [line.split() for line in self.run("cat", "/proc/net/snmp").stdout.splitlines()]
        tcp = [line for line in lines if line[0] == "Tcp:"]
        return int(tcp[1][tcp[0].index("InCsumErrors")])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def make_veth():
    run("ip", "link", "add", "veth0", "type", "veth", "peer", "name", "far0")
    # What comes back is complete: af_packet could not tell if it were not.
    run("ethtool", "-K", "far0", "tx", "off", "tso", "off", "gso", "off", "gro", "off")
    run("ip", "link", "set", "veth0", "up")


def copy(source, sink, address, nb_bytes, seconds=30):
    """Whether data sent from one stack to another arrives, and as it was sent."""
    receiver = sink.start(COPY, "receive", seconds, address)
    receiver.stdout.readline()
    sent = source.run(COPY, "send", seconds, address, nb_bytes, check=False)
    received, _ = receiver.communicate()
    return sent.returncode == 0 and sent.stdout == received


def iperf3(source, sink, address, nb_bytes):
    """Whether it is content, or None where there is none."""
    if shutil.which("iperf3") is None:
        return None
    server = sink.start("iperf3", "-s", "-1", "--forceflush")
    server.stdout.readline()
    done = source.run("iperf3", "-c", address, "-n", nb_bytes, "-J", check=False)
    server.communicate()
    return done.returncode == 0 and json.loads(done.stdout)["end"]["sum_received"]["bytes"] > 0


def talk(layout, near, far, nb_bytes):
    ping = near.run("ping", "-c", "1", "-W", "20", FAR[4], check=False)
    result = {"ping": ping.returncode == 0}
    if layout == "bare":
        result["copy"] = copy(near, far, FAR[4], nb_bytes, seconds=3)
    else:
        result["copy"] = copy(near, far, FAR[4], nb_bytes)
        result["copy6"] = copy(near, far, FAR[6], nb_bytes)
        result["back"] = copy(far, near, NEAR[4], nb_bytes // 4)
        result["iperf3"] = iperf3(near, far, FAR[4], nb_bytes)
    result["near_errors"] = near.csum_errors()
    result["far_errors"] = far.csum_errors()
    return result


def main():
    layout, nb_bytes = sys.argv[1], int(sys.argv[2])
    if layout != "taps":
        make_veth()
    port = 2 if layout == "soft" else 1
    session = Session(ours("-i", "--burst=8",
                           vdevs=["net_vnet_tap0,iface=near0", *FAR_VDEVS[layout]]))
    session.send("start")
    session.wait_for("forwards packets on")
    near, far = Stack("near0", NEAR), Stack("far0", FAR)
    result = talk(layout, near, far, nb_bytes)
    near.close()
    far.close()
    status, text = session.end(f"show port xstats {port}", "stop", "quit")
    assert status == 0, text
    result["xstats"] = {name: int(value) for name, value in re.findall(r"^(\w+): (\d+)$", text,
                                                                      re.M)}
    print(json.dumps(result))


main()
