# SPDX-License-Identifier: BSD-3-Clause
"""Random super-packets are cut by the library, and must become what scapy builds, to the byte.

SEED repeats a run; GSO_FUZZ_PACKETS is the number of packets. One packet of a run can be repeated
alone: GSO_FUZZ_ONLY is its number. CSUM_GSO_CUT names another program than the build folder's.
"""

import collections
import os
import pathlib
import random
import struct
import subprocess
import sys
import time

import gso_model
import pytest
from replay_tools import ETHERNET, RAW, record, write_pcap

BUILD = pathlib.Path(os.environ["CSUM_BUILD"])
CUT = pathlib.Path(os.environ.get("CSUM_GSO_CUT", BUILD / "test/fuzz/gso-cut"))
JUDGE = pathlib.Path(os.environ["CSUM_REF_JUDGE"])
PACKETS = int(os.environ.get("GSO_FUZZ_PACKETS", "1500"))
BATCH = 250
JOB = struct.Struct("=QII9H3B3x")

ROWS = set("""
    tcp uso ufo levels-0 levels-1 levels-2 flat named-0 named-1 raw-ip pppoe snap mpls pppoe+mpls
    tags-0 tags-1 tags-2 tags-3 hop dst route0 route2 srh past atomic jumbo jumbo+
    options-None options-nop options-alert options-route
""".split()) | {f"{kind}-over-{ip}" for kind in gso_model.TUNNEL for ip in ("ipv4", "ipv6")}


def pieces(rng, size):
    """Lengths of the mbufs that hold the input: one, many, tiny and empty ones."""
    if rng.random() < 0.4:
        return []
    lens = []
    for _ in range(rng.randrange(1, 80)):
        lens.append(rng.choice([0, 1, 1, 2, 7, 20, 54, 500, rng.randrange(1500)]))
        if sum(lens) > size:
            lens.pop()
            break
    return lens


def job(rng, model, data, request):
    lens = pieces(rng, len(data))
    return JOB.pack(request["ol_flags"], len(data), model.conf, request["outer_l2_len"],
                    request["outer_l3_len"], request["l2_len"], request["l3_len"],
                    request["l4_len"], request["segsz"], rng.randrange(129), rng.randrange(100),
                    len(lens), rng.randrange(3), rng.randrange(2), rng.randrange(2)) + \
        struct.pack(f"={len(lens)}H", *lens) + data


def results(output):
    """-> [(result, segments)]"""
    at, found = 0, []
    while at < len(output):
        ret, _ = struct.unpack_from("=iI", output, at)
        at += 8
        segments = []
        for _ in range(max(ret, 0)):
            length, = struct.unpack_from("=I", output, at)
            segments.append(output[at + 4:at + 4 + length])
            at += 4 + length
        found.append((ret, segments))
    return found


def difference(got, want):
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return (f"byte {at} of {len(got)}, want {len(want)}: "
            f"{got[at:at + 8].hex()}, want {want[at:at + 8].hex()}\n"
            f"got  {got[:200].hex()}\nwant {want[:200].hex()}")


def check(name, model, ret, got):
    where = f"{name}, {sorted(set(model.features()))}"
    assert ret > 0, f"refused with {ret}: {where}"
    want = model.segments(got)
    assert len(got) == len(want), where
    for i, (a, b) in enumerate(zip(got, want)):
        assert a == b, f"segment {i} of {len(got)}, {difference(a, b)}\n{where}"


def judge(tmp_path, frames, link):
    """The reference finds nothing wrong either."""
    path = write_pcap(tmp_path / "out.pcap", [record(frame) for frame in frames], linktype=link)
    done = subprocess.run([JUDGE, path], capture_output=True, text=True, check=False)
    bad = [line for line in done.stdout.splitlines() if "bad" in line or "partial" in line]
    assert done.returncode == 0 and not bad, bad[:5]


def run_batch(tmp_path, seed, numbers, seen):
    models, jobs = [], []
    for number in numbers:
        rng = random.Random(f"{seed}/{number}")
        model = gso_model.make(rng)
        jobs.append(job(rng, model, *model.source()))
        models.append(model)
        seen.update(set(model.features()))
    done = subprocess.run([CUT], input=b"".join(jobs), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    frames = collections.defaultdict(list)
    outcome = results(done.stdout)
    assert len(outcome) == len(models)
    for number, model, (ret, got) in zip(numbers, models, outcome):
        check(f"SEED={seed} GSO_FUZZ_ONLY={number}", model, ret, got)
        # To the reference, a port of no tunnel is none, and UDP over IPv6 must have a checksum.
        if not any(tunnel.on_any_port() and tunnel.ip.v6 for tunnel in model.tunnels):
            frames[ETHERNET if model.link.ether else RAW] += got
    for link, some in frames.items():
        judge(tmp_path, some, link)


@pytest.mark.witness
def test_segments_are_what_scapy_builds(tmp_path):
    seed = os.environ.get("SEED", str(time.time_ns()))
    print(f"SEED={seed}", file=sys.stderr)
    only = os.environ.get("GSO_FUZZ_ONLY")
    seen = collections.Counter()
    if only is not None:
        run_batch(tmp_path, seed, [int(only)], seen)
        return
    for begin in range(0, PACKETS, BATCH):
        run_batch(tmp_path, seed, range(begin, min(begin + BATCH, PACKETS)), seen)
    if PACKETS >= 1000:
        assert not ROWS - set(seen), "no packet of these rows"
