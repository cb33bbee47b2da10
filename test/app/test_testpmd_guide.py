# SPDX-License-Identifier: BSD-3-Clause
"""The sessions that the guide to forwarding shows are what is printed."""

import pathlib
import re
import shutil

import pytest
from replay_tools import APP
from testpmd_tools import Session, count_records

TOP = pathlib.Path(__file__).resolve().parents[2]
GUIDE = TOP / "doc/guides/testpmd_app_ug/forwarding.rst"


def sessions():
    """[(arguments, [(command, what it prints)])]"""
    blocks = re.findall(r"^\.\. code-block:: none\n\n((?:   .*\n|\n)+)", GUIDE.read_text(), re.M)
    for block in blocks:
        first, *lines = [line[3:].rstrip() for line in block.splitlines()]
        parts = re.split(r"^testpmd> (.*)\n", "\n".join(lines).rstrip() + "\n", flags=re.M)
        yield first.split()[2:], list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("number", range(len(list(sessions()))))
def test_session_is_what_is_printed(tmp_path, monkeypatch, number):
    arguments, commands = list(sessions())[number]
    shutil.copy(TOP / "test/samples/sample.pcap", tmp_path)
    monkeypatch.chdir(tmp_path)
    session = Session([APP, *arguments])
    for i, (command, output) in enumerate(commands):
        session.send(command)
        if command == "start":
            sent = int(re.search(r"TX-packets: (\d+)", commands[i + 1][1])[1])
            session.wait_until(lambda nb=sent: count_records("wire.pcap") >= nb, "frames")
        session.wait_until(lambda text=output: text.strip() in "\n".join(
            line.rstrip() for line in session.text.splitlines()), output)
    status, text = session.end("quit")
    assert status == 0, text
