#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Captures at work: dpdk-csum-testpmd beside tshark, tcpdump and tcprewrite, in one run.

A capture is made for the purpose in a folder of its own, which is removed. Prints, with tabs
between, `job tool seconds ratio`. Seconds are those that a process keeps a CPU busy, in user and
kernel mode, so that the machine's other work does not count; files are read from the page cache.
The ratio is to dpdk-csum-testpmd's seconds for the same job. In its place `topspeed` has the rates
that these seconds make, and `stream` the peak of memory in MB.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

APP = pathlib.Path(__file__).resolve().parents[2] / "app/csum-testpmd/dpdk-csum-testpmd"
OURS = APP.name
MB = 1_000_000
BLOCK_PACKETS = 8192
READ_SIZE = 256 * 1024

# tshark prints what is wrong alone, as --validate does but for its table.
TSHARK_CHECKS = [f"-o{proto}.check_checksum:TRUE" for proto in ("ip", "tcp", "udp")]
TSHARK_BAD = " || ".join(f"{proto}.checksum.status == Bad"
                         for proto in ("ip", "tcp", "udp", "icmp", "icmpv6"))


def raw_sum(data, total=0):
    """The sum of 16-bit words, by Python's own arithmetic: 2^16 is 1 modulo 65,535."""
    number = int.from_bytes(data + b"\0" * (len(data) & 1), "big") + total
    return number % 65535 or (65535 if number else 0)


def with_check(head, at, body, total=0):
    """Header and body with their checksum filled in."""
    check = 65535 - raw_sum(head + body, total)
    return head[:at] + struct.pack("!H", check or 65535) + head[at + 2:] + body


def transport(proto, number, body, total):
    """A TCP, UDP or ICMP header before the body; total is the sum of the addresses."""
    port = 1024 + number % 50000
    if proto == 6:
        head = struct.pack("!HHIIBBHHHBBBBII", port, 443, number * 1448 % 2**32, number, 0x80, 0x10,
                           501, 0, 0, 1, 1, 8, 10, number, number)
        at = 16
    elif proto == 17:
        head, at = struct.pack("!HHHH", port, 4433, 8 + len(body), 0), 6
    else:
        head, at = struct.pack("!BBHHH", 8 if proto == 1 else 128, 0, 0, port, number % 65536), 2
    pseudo = total + proto + len(head) + len(body)
    if proto == 6 and number % len(MIX) == PARTIAL:
        return head[:at] + struct.pack("!H", raw_sum(b"", pseudo)) + head[at + 2:] + body
    return with_check(head, at, body, 0 if proto == 1 else pseudo)


def packet4(number, proto, body):
    addresses = struct.pack("!II", 0x0A000001 + number % 251, 0x0A010001)
    rest = transport(proto, number, body, raw_sum(addresses))
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(rest), number % 65536, 0x4000, 64, proto,
                       0) + addresses
    return b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + with_check(head, 10, b"") + rest


def packet6(number, proto, body):
    addresses = struct.pack("!QQQQ", 0x20010DB8 << 32, 1 + number % 251, 0x20010DB8 << 32, 2)
    rest = transport(proto, number, body, raw_sum(addresses))
    head = struct.pack("!IHBB", 6 << 28, len(rest), proto, 64) + addresses
    return b"\2\0\0\0\0\2\2\0\0\0\0\1\x86\xdd" + head + rest


# As on a server's link: half of the packets are full segments, a quarter are ACKs.
MIX = ([(packet4, 6, 1448)] * 6 + [(packet6, 6, 1428)] * 2 + [(packet4, 6, 0)] * 4 +
       [(packet4, 17, 180), (packet6, 17, 1200), (packet4, 17, 512), (packet4, 1, 56)])
PARTIAL = 8  # of these, the ACK that the host left to its NIC


def make_block(first):
    """Some thousand records."""
    noise, records = os.urandom(4096), []
    for number in range(first, first + BLOCK_PACKETS):
        make, proto, size = MIX[number % len(MIX)]
        start = number % 2000
        packet = make(number, proto, noise[start:start + size])
        records.append(struct.pack("=IIII", 1_700_000_000 + number // MB, number % MB, len(packet),
                                   len(packet)) + packet)
    return b"".join(records)


def write_capture(file, size, repeat=4):
    """A capture of about that many bytes, of blocks that come again: making one takes long."""
    file.write(struct.pack("=IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
    blocks = [make_block(i * BLOCK_PACKETS) for i in range(repeat)]
    written = i = 0
    while written < size:
        written += file.write(blocks[i % repeat])
        i += 1


def read_alone(path):
    buffer = bytearray(READ_SIZE)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def run_tool(*command, stdout=subprocess.DEVNULL):
    """-> what it printed, if that is wanted; 1 is our word for checksums that are not good."""
    done = subprocess.run([str(word) for word in command], stdout=stdout, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode not in ((0, 1) if command[0] == APP else (0,)):
        sys.exit(f"{command[0]} has failed: {done.stderr.decode(errors='replace')}")
    return done.stdout


def cpu_seconds():
    """Of this process and all that it has waited for."""
    return sum(usage.ru_utime + usage.ru_stime for usage in
               map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def seconds_of(job):
    start = cpu_seconds()
    job()
    return cpu_seconds() - start


def row(job, tool, seconds, value):
    print(job, tool, f"{seconds:.3f}", value, sep="\t", flush=True)


def compare(job, tools, rounds):
    """A row a tool, ours first, from rounds that take turns; one that is not there has a `-`."""
    times = {name: [] for name in tools}
    for _ in range(rounds):
        for name, work in tools.items():
            if work is not None:
                times[name].append(seconds_of(work))
    ours = statistics.median(times[OURS])
    for name, taken in times.items():
        if taken:
            row(job, name, statistics.median(taken), f"{statistics.median(taken) / ours:.2f}")
        else:
            print(job, name, "-", "-", sep="\t")


def if_there(program, *arguments):
    """A run of that program with these arguments; None where it is not installed."""
    return (lambda: run_tool(program, *arguments)) if shutil.which(program) else None


def bench_validate(path, rounds):
    compare("validate", {
        OURS: lambda: run_tool(APP, "--validate", path, "--quiet"),
        "read": lambda: read_alone(path),
        "tcpdump": if_there("tcpdump", "-nvvr", path),
        "tshark": if_there("tshark", "-nr", path, *TSHARK_CHECKS, "-Y", TSHARK_BAD),
    }, rounds)


def bench_rewrite(path, folder, rounds):
    out = folder / "out.pcap"
    compare("rewrite", {
        OURS: lambda: run_tool(APP, "--replay", path, "--write", out, "--judge", "off", "--force",
                               "--quiet"),
        "cp": if_there("cp", path, out),
        "tcprewrite": if_there("tcprewrite", "--fixcsum", f"--infile={path}", f"--outfile={out}"),
    }, rounds)
    out.unlink()


def bench_topspeed(path, rounds):
    """Rates by the same seconds: reading the file, and the start of the EAL, are in them."""
    reports = []

    def send():
        out = run_tool(APP, "--replay", path, "--port", "net_null0", "--vdev", "net_null0",
                       "--topspeed", "--judge", "off", "--json", stdout=subprocess.PIPE)
        reports.append(json.loads(out))

    seconds = statistics.median([seconds_of(send) for _ in range(rounds)])
    row("topspeed", "Mpps", seconds, f"{reports[0]['packets_out'] / seconds / 1e6:.2f}")
    row("topspeed", "Gbit/s", seconds, f"{reports[0]['bytes_out'] * 8 / seconds / 1e9:.2f}")


def peak_memory(pid):
    """In bytes; what wait4() tells counts the process that it was forked from."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def bench_stream(size):
    """A capture through a pipe, longer than memory may be."""
    for job in (["--validate", "-"], ["--replay", "-", "--write", "-", "--judge", "off"]):
        with subprocess.Popen([APP, *job, "--quiet"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            write_capture(process.stdin, size)
            peak = peak_memory(process.pid)
            process.stdin.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{job[0]} of a stream has failed")
        row("stream", job[0][2:], usage.ru_utime + usage.ru_stime, f"{peak / MB:.0f}")


def main():
    parser = argparse.ArgumentParser(prog="replay-bench", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="5 MB, one round")
    parser.add_argument("--size", type=int, default=1000, metavar="MB", help="the capture (1000)")
    parser.add_argument("--stream", type=int, metavar="MB", help="what a pipe gets (2000)")
    parser.add_argument("--rounds", type=int, default=3, help="of which the median counts (3)")
    parser.add_argument("--dir", default=None, help="where there is room for two such captures")
    options = parser.parse_args()
    if options.quick:
        options.size, options.rounds = 5, 1
    if options.stream is None:
        options.stream = 20 if options.quick else 2000
    with tempfile.TemporaryDirectory(prefix="replay-bench-", dir=options.dir) as name:
        folder = pathlib.Path(name)
        path = folder / "in.pcap"
        with open(path, "wb") as file:
            write_capture(file, options.size * MB)
        print("job\ttool\tseconds\tratio", flush=True)
        bench_validate(path, options.rounds)
        bench_rewrite(path, folder, options.rounds)
        bench_topspeed(path, options.rounds)
    bench_stream(options.stream * MB)


if __name__ == "__main__":
    main()
