# SPDX-License-Identifier: BSD-3-Clause
"""The output contract, a packet at a time, on every program that judges packets.

CSUM_REF_JUDGE names the reference's program, CSUM_TESTPMD the application; one that is not
named is skipped. Expectations come from constants and from scapy.
"""

import os
import struct
import subprocess

import pytest

import contract_cases  # noqa: F401, fills CASES
import contract_tunnels  # noqa: F401, fills CASES
from contract_packets import CASES

COLUMNS = "ip udp udplite tcp icmp icmpv6 igmp sctp dccp gre".split()
SUBJECTS = {"reference": ("CSUM_REF_JUDGE", lambda path: [path]),
            "app": ("CSUM_TESTPMD", lambda path: ["--validate", path, "--per-packet"])}
LINK_TYPES = sorted({case.link for case in CASES.values()})


def write_capture(path, link, cases):
    """A pcap file, microseconds, little-endian."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, link))
        for case in cases:
            out.write(struct.pack("<IIII", 0, 0, len(case.data), case.wire) + case.data)


class Subject:
    """A program that judges a capture."""

    def __init__(self, name):
        variable, self.arguments = SUBJECTS[name]
        self.program = os.environ.get(variable)
        if not self.program:
            pytest.skip(f"{variable} names no program")

    def judge(self, path):
        """Exit code, lines by packet, messages."""
        done = subprocess.run([self.program] + self.arguments(str(path)), capture_output=True,
                              text=True, timeout=60, check=False)
        lines = [line for line in done.stdout.splitlines() if line.split("\t")[0].isdigit()]
        return done.returncode, lines, done.stderr


@pytest.fixture(scope="module", name="subject", params=sorted(SUBJECTS))
def subject_fixture(request):
    """Each program in turn."""
    return Subject(request.param)


@pytest.fixture(scope="module", name="verdicts")
def verdicts_fixture(subject, tmp_path_factory):
    """One run for each link type: cells that are not "-", by case."""
    verdicts = {}
    for link in LINK_TYPES:
        names = [name for name, case in CASES.items() if case.link == link]
        path = tmp_path_factory.mktemp("contract") / f"link{link}.pcap"
        write_capture(path, link, [CASES[name] for name in names])
        code, lines, errors = subject.judge(path)
        assert code in (0, 1) and len(lines) == len(names), errors
        for name, line in zip(names, lines):
            cells = dict(zip(COLUMNS, line.split("\t")[1:]))
            verdicts[name] = {column: cell for column, cell in cells.items() if cell != "-"}
    return verdicts


@pytest.mark.parametrize("name", CASES)
def test_contract(verdicts, name):
    """The cells of one packet."""
    assert verdicts[name] == CASES[name].expect


def one(name, **changes):
    """A case as it is, or changed."""
    return CASES[name]._replace(**changes)


@pytest.mark.parametrize("name, code", [("udp_without_checksum", 0), ("first_fragment", 0),
                                        ("snapped_record", 0), ("udp_off_by_one", 1),
                                        ("seed_with_length", 1)])
def test_exit_code(subject, tmp_path, name, code):
    """1 where something is bad or partial, else 0; snapped records alone change nothing."""
    write_capture(tmp_path / "one.pcap", 1, [one(name)])
    assert subject.judge(tmp_path / "one.pcap")[0] == code


def test_link_type_that_is_not_known(subject, tmp_path):
    """2, and a message with the file's name."""
    write_capture(tmp_path / "one.pcap", 195, [one("udp_constant")])
    code, lines, errors = subject.judge(tmp_path / "one.pcap")
    assert (code, lines) == (2, [])
    assert "one.pcap" in errors


def test_file_that_is_cut(subject, tmp_path):
    """What stands before the cut is judged; 2, and a message with file and packet number."""
    path = tmp_path / "cut.pcap"
    write_capture(path, 1, [one("udp_constant"), one("udp_constant")])
    path.write_bytes(path.read_bytes()[:-1])
    code, lines, errors = subject.judge(path)
    assert (code, len(lines)) == (2, 1)
    assert "cut.pcap" in errors and "2" in errors


def test_file_that_is_not_there(subject, tmp_path):
    """2, and a message with the file's name."""
    code, lines, errors = subject.judge(tmp_path / "none.pcap")
    assert (code, lines) == (2, [])
    assert "none.pcap" in errors
