#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What net_soft_csum is worth to an application: Debian's dpdk-testpmd, unmodified, whose csum
engine makes IPv4 and TCP checksums in software on a net_pcap port, or asks net_soft_csum over one.

A process for each, and they take turns; packets come out of memory, and are dropped behind the
port. Cycles are those that testpmd counts itself (--record-core-cycles: of the time stamp
counter, in which a packet is received, looked at and sent), medians over rounds. Tab-separated;
"ours" is hardware mode over net_soft_csum, "direct" is software mode without it.

usage: testpmd_bench.py [--rounds N] [--seconds S] [--cpu CPU] [--size BYTES]...
Needs root: the EAL loads plugins from folders that nobody else may write to. Takes 64 MB of huge
pages if they are free; without them, each mbuf in a page of its own, all is slower.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app"))
os.environ.setdefault("CSUM_BUILD", str(pathlib.Path(__file__).parents[2] / "build"))

from replay_tools import record, write_pcap  # noqa: E402
from scapy.layers.inet import IP, TCP  # noqa: E402
from scapy.layers.l2 import Ether  # noqa: E402
from testpmd_tools import BUILD, DEBIAN, PREFIX, Session, asan_env  # noqa: E402

MEMORY_MB = 32  # of each process
NB_FRAMES = 64
IP_AND_TCP = 0xa  # RTE_ETH_TX_OFFLOAD_*_CKSUM
CYCLES = re.compile(r"CPU cycles/packet=([0-9.]+)")


def free_huge_mb():
    text = pathlib.Path("/proc/meminfo").read_text(encoding="ascii")
    pages, size = (int(re.search(rf"{name}:\s*(\d+)", text)[1])
                   for name in ("HugePages_Free", "Hugepagesize"))
    return pages * size // 1024


def capture(path, size):
    """Frames of so many payload bytes, whose checksums are wrong."""
    frame = bytes(Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01") /
                  IP(src="10.0.0.1", dst="10.0.0.2", chksum=1) /
                  TCP(sport=1024, dport=80, chksum=1) / bytes(i * i % 251 for i in range(size)))
    return write_pcap(path, [record(frame)] * NB_FRAMES)


def command(plugin, source, cpu, ours):
    memory = ["--in-memory"] if free_huge_mb() >= MEMORY_MB else ["--no-huge", "--no-shconf"]
    cpus = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    lower = f"net_pcap0,rx_pcap={source},infinite_rx=1"
    # Or its figures come when it ends.
    line = ["stdbuf", "-oL", DEBIAN, *memory, "-m", str(MEMORY_MB), "--no-pci", "--no-telemetry",
            "--file-prefix", PREFIX, f"--lcores=0@({cpus}),1@{cpu}", "-d", plugin, "--vdev", lower]
    options = ["--", "-i", "--total-num-mbufs=2048", "--record-core-cycles", "--no-flush-rx",
               "--port-topology=loop", "--forward-mode=csum"]
    if not ours:
        return line + options
    return [*line, "--vdev", "net_soft_csum0,lower=net_pcap0", *options,
            f"--tx-offloads={IP_AND_TCP:#x}"]


def turn(session, seconds):
    """-> cycles a packet"""
    before = len(session.text)
    session.send("start")
    time.sleep(seconds)
    session.send("stop")
    session.wait_until(lambda: CYCLES.search(session.text, before), "cycles")
    return float(CYCLES.search(session.text, before)[1])


def measure(plugin, size, options):
    source = capture(pathlib.Path(plugin).with_name("in.pcap"), size)
    sessions = {ours: Session(command(plugin, source, options.cpu, ours), asan_env(plugin))
                for ours in (True, False)}
    turns = {ours: [] for ours in sessions}
    for number in range(options.rounds + 1):
        for ours in sorted(sessions, reverse=number % 2 == 1):
            turns[ours].append(turn(sessions[ours], options.seconds))
    sessions[False].end("quit")
    _, text = sessions[True].end("show port xstats 1", "quit")
    if not re.search(r"tx_checksummed_packets: [1-9]", text):
        sys.exit(f"testpmd_bench.py: net_soft_csum has not filled in checksums:\n{text}")
    # The first round warms up.
    ours, direct = turns[True][1:], turns[False][1:]
    extra = statistics.median(a - b for a, b in zip(ours, direct))
    ratio = statistics.median(a / b for a, b in zip(ours, direct))
    print("testpmd-csum", "pcap", "both", size, f"{statistics.median(ours):.1f}",
          f"{statistics.median(direct):.1f}", f"{extra:.1f}", f"{ratio:.3f}", sep="\t", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each turn")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--size", type=int, action="append", help="of payload; 64 and 1448")
    options = parser.parse_args()
    if DEBIAN is None or os.geteuid() != 0:
        sys.exit("testpmd_bench.py: skipped: it takes dpdk-testpmd, and root")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="csum-plugin-", dir="/opt"))
    try:
        folder.chmod(0o755)
        plugin = shutil.copy(BUILD / "drivers/net-soft-csum/librte_net_soft_csum.so", folder)
        shutil.copy(BUILD / "lib/csum/libdpdk_csum.so.0", folder)
        print("case\tlower\tdir\tsize\tours_cycles\tdirect_cycles\textra_cycles\tratio")
        for size in options.size or (64, 1448):
            measure(plugin, size, options)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
