# SPDX-License-Identifier: BSD-3-Clause
"""The layers hold: devtools/check-tree.py finds nothing here, and finds what is planted."""

import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).parents[1]
CHECK = TOP / "devtools/check-tree.py"
SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */\n"


def check(folder):
    run = subprocess.run([CHECK, folder], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def test_tree_holds_its_layers():
    assert check(TOP) == (0, "")


@pytest.mark.parametrize(
    "path, text, what",
    [
        ("lib/csum/core/x.c", SPDX + "#include <rte_mbuf.h>\n", "may not include rte_mbuf.h"),
        ("lib/csum/mbuf/x.c", SPDX + "#include <csum_pkt.h>\n", "may not include csum_pkt.h"),
        ("lib/csum/gso/x.c", SPDX + '#include "../pkt/p.h"\n', "may not include ../pkt/p.h"),
        ("test/ref/x.c", SPDX + "#include <csum.h>\n", "may not include csum.h"),
        ("app/csum-testpmd/x.c", SPDX + "\n" * 600, "longer than 600 lines"),
        ("lib/csum/core/x.c", SPDX + "/*" + "-" * 99 + "*/\n", "wider than 100 columns"),
        ("lib/csum/core/x.c", "int x;\n", "no SPDX-License-Identifier"),
    ],
)
def test_planted_fault_is_found(tmp_path, path, text, what):
    source = tmp_path / path
    source.parent.mkdir(parents=True)
    (tmp_path / "lib/csum/pkt").mkdir(parents=True, exist_ok=True)
    (tmp_path / "lib/csum/pkt/p.h").write_text(SPDX)
    source.write_text(text)
    status, printed = check(tmp_path)
    assert status == 1
    assert f"{path}:" in printed and what in printed
