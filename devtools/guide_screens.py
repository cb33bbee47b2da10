#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The console blocks of a guide: what their commands print, as it is shown there.

usage: guide_screens.py GUIDE PROGRAM

Runs the commands of GUIDE, in order, in a folder with test/samples/sample.pcap, and writes what
they print into it. PROGRAM is the dpdk-csum-testpmd to run. test/test_doc.py compares.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(^\.\. code-block:: console\n\n)((?:   .*\n|\n)+)", re.M)
COMMAND = re.compile(r"^   \$ (.*)\n((?:(?:   (?!\$ ).*)?\n)*)", re.M)
SECONDS = 120


def console_blocks(text):
    """[[(command, output)]]: the console blocks of a guide."""
    return [COMMAND.findall(block) for _, block in BLOCK.findall(text)]


class Shell:
    """Runs commands one after the other in a folder."""

    def __init__(self, folder, program):
        shutil.copy(TOP / "test/samples/sample.pcap", folder)
        self.folder = folder
        self.env = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}")
        self.status = 0

    def run(self, command):
        """-> what was printed. The status of the last command is there to be looked at."""
        done = subprocess.run(["bash", "-c", f"(exit {self.status}); {command}"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, cwd=self.folder,
                              env=self.env)
        self.status = done.returncode
        return done.stdout


def shown(text):
    """Output as a guide shows it."""
    return "".join(f"   {line}".rstrip() + "\n" for line in text.rstrip("\n").splitlines())


def with_screens(text, shell):
    """A guide's text with what its commands print."""
    def screen(match):
        command, before = match.groups()
        behind = re.search(r"\n*\Z", before)[0][1:] if before.strip() else before
        return f"   $ {command}\n{shown(shell.run(command))}{behind}"

    return BLOCK.sub(lambda match: match[1] + COMMAND.sub(screen, match[2]), text)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    guide, program = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        guide.write_text(with_screens(guide.read_text(), Shell(folder, program)))


if __name__ == "__main__":
    main()
