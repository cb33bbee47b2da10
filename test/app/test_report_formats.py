# SPDX-License-Identifier: BSD-3-Clause
"""Reports for programs, --json and --tsv, which say the same; and colour for people."""

import json
import os
import pty
import subprocess

import pytest
from replay_tools import APP, TOP, E, I4, T, payload, put16, record, run, write_pcap

SAMPLE = TOP / "test/samples/sample.pcap"
GOOD = bytes(E / I4 / T / payload(100))
BAD = put16(GOOD, 50, 0x1234)
COLOURS = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM")


def flat(value, name=""):
    """The leaves of a JSON object by their full names, in order."""
    if not isinstance(value, dict):
        return {name: str(value)}
    leaves = {}
    for key, inner in value.items():
        leaves |= flat(inner, f"{name}.{key}" if name else key)
    return leaves


def table(text):
    """name -> value of what --tsv printed."""
    header, *lines = text.split("\n")
    assert header == "field\tvalue" and lines.pop() == ""
    rows = [line.split("\t") for line in lines]
    assert all(len(row) == 2 for row in rows)
    assert len({name for name, _ in rows}) == len(rows)
    return dict(rows)


@pytest.mark.parametrize("job", [
    ["--validate", SAMPLE], ["--replay", SAMPLE, "--write", "OUT"],
    ["--replay", SAMPLE, "--write", "OUT", "--mtu", "100"],
    ["--replay", SAMPLE, "--port", "net_null0", "--vdev", "net_null0", "--topspeed"],
], ids=["validate", "write", "refused", "port"])
def test_tsv_says_what_json_says(tmp_path, job):
    done = {}
    for option in ("--json", "--tsv"):
        words = [tmp_path / option if word == "OUT" else word for word in job]
        done[option] = run(*words, option)
    assert done["--json"].returncode == done["--tsv"].returncode
    expected, found = flat(json.loads(done["--json"].stdout)), table(done["--tsv"].stdout)
    expected.pop("seconds", None), found.pop("seconds", None)
    assert list(found.items()) == list(expected.items())


def test_tsv_names(tmp_path):
    found = table(run("--validate", write_pcap(tmp_path / "in.pcap", [record(GOOD)] * 3),
                      "--tsv").stdout)
    assert found["file"] == str(tmp_path / "in.pcap")
    assert (found["packets"], found["super_packets"]) == ("3", "0")
    assert (found["layers.ip.good"], found["layers.gre.truncated"]) == ("3", "0")


def test_tsv_of_a_name_with_tabs(tmp_path):
    path = write_pcap(tmp_path / "a\tb\nc\\d", [])
    assert table(run("--validate", path, "--tsv").stdout)["file"].endswith(
        "/a\\x09b\\x0ac\\x5cd")


def test_tsv_follows_the_lines_of_per_packet(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)])
    lines = run("--validate", path, "--per-packet", "--tsv").stdout.split("\n")
    assert lines[0].startswith("frame\tip\t") and lines[2] == "field\tvalue"


# ---- colour

def table_of(tmp_path, *options, terminal=False, **variables):
    """What --validate prints about a good and a bad packet."""
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD), record(BAD)])
    env = {k: v for k, v in os.environ.items() if k not in COLOURS} | variables
    command = [APP, "--validate", path, *options]
    if not terminal:
        return subprocess.run(command, env=env, capture_output=True, text=True,
                              check=False).stdout
    ours, theirs = pty.openpty()
    subprocess.run(command, env=env, stdout=theirs, check=False)
    os.close(theirs)
    text = os.read(ours, 65536).decode()
    os.close(ours)
    return text


def test_table_in_colour(tmp_path):
    """Each count has the colour of its verdict; columns stay where they are without."""
    plain, coloured = table_of(tmp_path), table_of(tmp_path, "--color", "always")
    assert "\033" not in plain
    assert "\033[32m   1\033[0m  \033[31m  1\033[0m        0" in coloured
    for sequence in ("\033[32m", "\033[31m", "\033[0m"):
        coloured = coloured.replace(sequence, "")
    assert coloured == plain


def test_diff_in_colour(tmp_path):
    one = write_pcap(tmp_path / "1", [record(GOOD)])
    other = write_pcap(tmp_path / "2", [record(BAD)])
    for a, b, words in ((one, other, "\033[31mmatters\033[0m"),
                        (other, one, "\033[32mharmless\033[0m")):
        assert words in run("--validate", a, "--diff", b, "--color", "always").stdout


@pytest.mark.parametrize("terminal, variables, expected", [
    (True, {"TERM": "xterm"}, True), (False, {"TERM": "xterm"}, False),
    (True, {}, False), (True, {"TERM": "dumb"}, False),
    (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
    (True, {"TERM": "xterm", "NO_COLOR": ""}, True),
    (True, {"TERM": "xterm", "CLICOLOR": "0"}, False),
    (True, {"TERM": "xterm", "CLICOLOR": "1"}, True),
    (False, {"CLICOLOR_FORCE": "1"}, True), (False, {"CLICOLOR_FORCE": "0"}, False),
    (False, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
])
def test_colour_by_terminal_and_environment(tmp_path, terminal, variables, expected):
    assert ("\033[" in table_of(tmp_path, terminal=terminal, **variables)) == expected


@pytest.mark.parametrize("when, expected", [("always", True), ("never", False)])
def test_colour_by_option(tmp_path, when, expected):
    """The option wins over the environment."""
    for variables in ({"NO_COLOR": "1"}, {"CLICOLOR_FORCE": "1"}):
        assert ("\033[" in table_of(tmp_path, "--color", when, **variables)) == expected
