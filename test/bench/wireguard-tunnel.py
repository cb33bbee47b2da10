#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a whole tunnel carries: TCP by iperf3 between two network namespaces of this machine, with
examples/wireguard at both ends, and with wireguard-go at both ends, in turns. Not a test of speed.

usage: wireguard-tunnel.py [--rounds N] [--seconds S] [--go PROGRAM]... [--only TEXT] [--realtime]

Prints Mbit/s that arrived, medians of the rounds; and for examples/wireguard what a segment costs
at the sender and at the receiver, in cycles of the time stamp counter, by the work they went into.
--go names another wireguard-go; more than one may be given. --only leaves out tunnels that TEXT is
not in the names of. --realtime gives all that takes part real-time priority, so that what else
runs here does not disturb it, and gets nothing done meanwhile.
CSUM_BUILD names the build folder.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).parents[2]
sys.path += [str(TOP / "test"), str(TOP / "test/wireguard/app")]

import tunnel  # noqa: E402  (its folder is known only now)
from tunnel import Dpdk, Go  # noqa: E402

MTU = 1420
PRIORITY = 51


class Case:
    """One kind of tunnel, and what has been measured of it."""

    def __init__(self, name, kind, vdev=None, options=()):
        self.name, self.kind, self.vdev, self.options = name, kind, vdev, options
        self.mbits, self.resent, self.counters = [], [], None

    def start(self, end, folder, peers):
        if self.vdev is None:
            end.start(folder, peers, MTU)
            return
        role = "server" if end.number == 1 else "client"
        vdev = self.vdev.format(device=end.device, role=role, folder=folder, number=end.number)
        end.start(folder, peers, MTU, self.options, [vdev])

    def run(self, seconds, realtime):
        with tempfile.TemporaryDirectory() as name, tunnel.ends(self.kind, self.kind) as ends:
            folder = pathlib.Path(name)
            one, two = ends
            self.start(one, folder, [(two, None)])
            self.start(two, folder, [(one, 4)])
            tunnel.ping(two, one, 4)
            if realtime:
                # Not from the start: EAL waits for its threads in a way that keeps them away.
                for end in ends:
                    tunnel.run("chrt", "-a", "-f", "-p", PRIORITY, end.process.pid)
                    end.space.prefix = ["chrt", "-f", PRIORITY]
            result = iperf(two, one, seconds)
            if self.kind is Dpdk:
                self.counters = two.stop(), one.stop()
        self.mbits.append(result["end"]["sum_received"]["bits_per_second"] / 1e6)
        self.resent.append(result["end"]["sum_sent"]["retransmits"])


def iperf(source, target, seconds):
    server = target.space.start("iperf3", "-s", "-1", "--forceflush", stdout=subprocess.PIPE)
    while "Server listening" not in server.stdout.readline():
        pass
    return json.loads(source.space.run("iperf3", "-J", "-t", seconds, "-c", target.inner(4)))


def works(counters, segments):
    """The parts that take more than a hundredth, the largest first."""
    cycles = {name[len("cycles: "):]: value for name, value in counters.items()
              if name.startswith("cycles: ")}
    total = sum(cycles.values())
    return "  ".join(f"{name} {value / segments:.0f} ({100 * value / total:.0f} %)"
                     for name, value in sorted(cycles.items(), key=lambda item: -item[1])
                     if value > total / 100)


def version(program):
    found = re.search(r"v\S+", tunnel.run(program, "--version"))
    return found[0] if found else "?"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--go", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--realtime", action="store_true")
    options = parser.parse_args()
    if options.realtime:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK,
                              os.sched_param(PRIORITY + 1))
    # Namespaces are removed by whoever leaves the block that made them.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("wireguard-tunnel.py: ended by a signal"))
    why = tunnel.missing("iperf3", "ethtool", "ping", *(options.go or ["wireguard-go"]))
    if why is not None:
        sys.exit(f"wireguard-tunnel.py: {why}")

    af_packet = "net_af_packet0,iface={device},qdisc_bypass=1,framecnt=1024"
    memif = "net_memif0,role={role},socket={folder}/memif,socket-abstract=no,rsize=11," \
            "mac=02:00:00:00:00:0{number}"
    cases = [
        Case("DPDK, af_packet", Dpdk, af_packet),
        Case("DPDK, af_xdp", Dpdk, "net_af_xdp0,iface={device}"),
        Case("DPDK, memif", Dpdk, memif),
        Case("DPDK, memif, null cipher", Dpdk, memif, ["--null-cipher"]),
        Case("DPDK, memif, no coalescing", Dpdk, memif, ["--no-coalesce"]),
    ]
    for program in options.go or ["wireguard-go"]:
        kind = type("Go", (Go,), {"program": program, "finished": False})
        cases.append(Case(f"wireguard-go {version(program)}", kind))
    cases = [case for case in cases if options.only in case.name]
    for _ in range(options.rounds):
        for case in cases:
            case.run(options.seconds, options.realtime)

    print("tunnel\tMbit/s\tlowest\thighest\tresent")
    for case in cases:
        print(case.name, f"{statistics.median(case.mbits):.0f}", f"{min(case.mbits):.0f}",
              f"{max(case.mbits):.0f}", f"{statistics.median(case.resent):.0f}", sep="\t")
    for case in cases:
        if case.counters is None:
            continue
        sender, receiver = case.counters
        print(f"\n{case.name}: cycles a segment")
        print("  sender:  ", works(sender, sender["segments made"]))
        print("  receiver:", works(receiver, receiver["tun written packets"]))


main()
