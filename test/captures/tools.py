# SPDX-License-Identifier: BSD-3-Clause
"""The captures, and the programs that judge them, each run once a file."""

import collections
import concurrent.futures
import contextlib
import gzip
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPTURES = pathlib.Path(os.environ.get("CSUM_CAPTURES", ROOT.parent / "shared" / "captures"))
# Seconds that one program may take over one capture; the largest takes well below one.
TIME_LIMIT = 60
COLUMNS = "ip udp udplite tcp icmp icmpv6 igmp sctp dccp gre".split()

# What a program said: its exit code (None: it was stopped), its lines a packet, its messages.
Verdicts = collections.namedtuple("Verdicts", "code header packets stderr")


def capture_files():
    """Names of all captures, relative to their folder."""
    if not CAPTURES.is_dir():
        return []
    return sorted(str(path.relative_to(CAPTURES)) for path in CAPTURES.rglob("*")
                  if path.is_file() and path.suffix != ".tsv")


def program(variable):
    """Path of a program that an environment variable names, or None."""
    path = os.environ.get(variable)
    return path if path and os.access(path, os.X_OK) else None


def run(command):
    """Exit code (None when it took too long), output, messages."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired as late:
        return None, late.stdout or "", late.stderr or ""
    return done.returncode, done.stdout, done.stderr


def verdicts(command):
    """Run a program that prints verdicts by packet, and take its table apart."""
    code, stdout, stderr = run(command)
    header, packets = None, []
    for line in stdout.splitlines():
        cells = line.split("\t")
        if len(cells) > len(COLUMNS) and cells[0] == "frame":
            header = cells
        elif header is not None and len(cells) == len(header) and cells[0].isdigit():
            packets.append(dict(zip(header, cells)))
    return Verdicts(code, header, packets, stderr)


@contextlib.contextmanager
def unpacked(name):
    """Path of a capture, or of a plain copy of one that is compressed."""
    path = CAPTURES / name
    if path.suffix != ".gz":
        yield str(path)
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder, path.stem)
        with gzip.open(path) as packed:
            plain.write_bytes(packed.read())
        yield str(plain)


def app(name):
    """The application's verdicts."""
    with unpacked(name) as path:
        return verdicts([program("CSUM_TESTPMD"), "--validate", path, "--per-packet"])


def reference(name):
    """The reference's verdicts."""
    with unpacked(name) as path:
        return verdicts([program("CSUM_REF_JUDGE"), path])


def for_every_capture(function):
    """Dictionary of function(name) by name, two at a time."""
    names = capture_files()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(function, names)))
