# SPDX-License-Identifier: BSD-3-Clause
"""The line of progress: on a terminal and nowhere else, and gone at the end."""

import os
import pty
import re
import subprocess
import time

import pytest
from replay_tools import APP, TOP, E, I4, T, payload, record, write_pcap

GUIDE = TOP / "doc/guides/testpmd_app_ug/capture.rst"
GOOD = bytes(E / I4 / T / payload(100))
NB = 3000


def shape(line):
    """A line without its numbers, and with a short bar."""
    return re.sub(r" *\d+(\.\d)?", "N", re.sub(r"[# ]+]", "]", line))


def all_of(terminal):
    """What was written to a terminal that nobody has open any more."""
    text = b""
    while True:
        try:
            text += os.read(terminal, 65536)
        except OSError:
            return text


def said(tmp_path, *options, terminal=True):
    """What standard error has of a validation whose input comes in two parts."""
    whole = write_pcap(tmp_path / "in.pcap", [record(GOOD)] * NB * 2).read_bytes()
    ours, theirs = pty.openpty()
    with subprocess.Popen([APP, "--validate", "-", *options], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE,
                          stderr=theirs if terminal else subprocess.PIPE) as process:
        os.close(theirs)
        process.stdin.write(whole[:len(whole) // 2])
        process.stdin.flush()
        time.sleep(0.5)
        out, err = process.communicate(whole[len(whole) // 2:], timeout=60)
    if terminal:
        err = all_of(ours)
    os.close(ours)
    assert process.returncode == 0 and (f"{NB * 2} packets" in out.decode() or options)
    return err.decode()


def test_line_on_a_terminal_is_removed_at_the_end(tmp_path):
    text = said(tmp_path)
    assert " packets, " in text and " MB/s" in text
    assert text.endswith("\r\033[K")


def test_rate_of_a_pipe_is_that_of_its_bytes(tmp_path):
    """A megabyte, of which no more than the half came in the first half second."""
    rate = re.search(r" (\d+\.\d) MB/s", said(tmp_path))
    assert 0 <= float(rate[1]) < 3


def test_line_of_a_file_is_as_the_guide_shows_it(tmp_path):
    """Time passes while nobody reads what --per-packet prints."""
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)] * 30 * NB)
    ours, theirs = pty.openpty()
    with subprocess.Popen([APP, "--validate", path, "--per-packet"], stdout=subprocess.PIPE,
                          stderr=theirs) as process:
        os.close(theirs)
        time.sleep(0.5)
        process.stdout.read()
    line = all_of(ours).decode().split("\r\033[K")[1]
    os.close(ours)
    shown = re.search(r"^   (\[#.*left)$", GUIDE.read_text(), re.M)[1]
    assert len(line.split("]")[0]) == len(shown.split("]")[0])
    assert shape(line) == shape(shown)


@pytest.mark.parametrize("options, terminal", [(["--quiet"], True), ([], False)],
                         ids=["quiet", "no-terminal"])
def test_no_line(tmp_path, options, terminal):
    assert said(tmp_path, *options, terminal=terminal) == ""
