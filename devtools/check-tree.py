#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check what the layout promises: each layer includes only what lies below it, and only by public
headers; every source says its licence; no file is too long and no line too wide.

usage: check-tree.py [FOLDER]        the top of the tree; default: the one this script is in
Prints each fault as FILE:LINE: what; exits with 1 when there is one.
"""

import pathlib
import re
import sys

PUBLIC = ["csum.h", "csum_mbuf.h", "csum_pkt.h", "csum_virtio.h", "csum_gso.h"]
DPDK_NAME = r"(rte_|ethdev_|bus_|cmdline|dev_driver)"
LIBC = rf"(?!{DPDK_NAME})[a-z0-9_]+(/[a-z0-9_]+)*\.h"
DPDK = rf"{DPDK_NAME}[a-z0-9_]*\.h"

# folder -> what its files may include, besides headers beside them: (public headers, patterns)
LAYERS = {
    "lib/csum/core": (PUBLIC[:1], [LIBC]),
    "lib/csum/mbuf": (PUBLIC[:2], [LIBC, DPDK]),
    "lib/csum/pkt": (PUBLIC[:4], [LIBC, DPDK]),
    "lib/csum/gso": (PUBLIC, [LIBC, DPDK]),
    "drivers/net-soft-csum": (PUBLIC, [LIBC, DPDK]),
    "app/csum-testpmd": (PUBLIC + ["ref_judge.h"], [LIBC, DPDK]),
    "examples/wireguard/core": ([], [LIBC]),
    "test/ref": ([], [LIBC]),
}
MAX_LINES = 600
MAX_COLUMNS = 100
SOURCES = {".c", ".h", ".py", ".sh", ".build"}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')


def layer_of(path):
    """The entry of LAYERS that rules a file, or None."""
    for folder in path.parents:
        if folder.as_posix() in LAYERS:
            return folder.as_posix()
    return None


def may_include(root, path, layer, header):
    public, patterns = LAYERS[layer]
    if header in PUBLIC + ["ref_judge.h"]:
        return header in public or (root / layer / header).exists()
    beside = (root / path.parent / header).resolve()
    if beside.exists():
        return (root / layer).resolve() in beside.parents
    if (root / layer / header).exists():
        return True
    if any((root / other / header).exists() for other in LAYERS):
        return False
    return any(re.fullmatch(pattern, header) for pattern in patterns)


def faults(root, path):
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    layer = layer_of(path)
    if not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in lines[:2]):
        yield 1, "no SPDX-License-Identifier: BSD-3-Clause in its first lines"
    if len(lines) > MAX_LINES:
        yield len(lines), f"longer than {MAX_LINES} lines"
    for number, line in enumerate(lines, 1):
        if len(line.expandtabs(8)) > MAX_COLUMNS:
            yield number, f"wider than {MAX_COLUMNS} columns"
        include = INCLUDE.match(line) if path.suffix in (".c", ".h") and layer else None
        if include and not may_include(root, path, layer, include[1]):
            yield number, f"{layer} may not include {include[1]}"


def sources(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        hidden = any(part.startswith((".", "build")) for part in relative.parts)
        if not hidden and path.is_file() and path.suffix in SOURCES:
            yield relative


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    found = 0
    for path in sources(root):
        for number, what in faults(root, path):
            print(f"{path}:{number}: {what}")
            found += 1
    return 1 if found else 0


sys.exit(main())
