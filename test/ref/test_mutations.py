# SPDX-License-Identifier: BSD-3-Clause
"""The application against the reference on packets that were damaged at random.

CSUM_REF_JUDGE and CSUM_TESTPMD name the programs. SEED chooses the damage; a failure names it.
"""

import os
import random
import struct

import pytest

from contract_packets import CASES
from test_ref_judge import LINK_TYPES, Subject, write_capture

SEED = int(os.environ.get("SEED", "1"))
# Damage to BIG TCP's payload shows nothing that a short one does not.
MAX_SIZE = 4000
PACKETS = 1000  # a link type
# Headers end within the first bytes; there damage means something.
HEADERS = 120
VALUES = [0, 1, 2, 3, 4, 5, 6, 8, 17, 41, 43, 44, 47, 51, 58, 60, 0x45, 0x60, 0x80, 0xff]


def damage(rnd, case):
    """A case with up to three faults: a bit, a byte, a word, a cut, a trailer, a length."""
    data, wire = bytearray(case.data), case.wire
    for _ in range(rnd.randint(1, 3)):
        at = rnd.randrange(min(len(data), HEADERS)) if data else 0
        fault = rnd.choice("bbyyyywctl")
        if fault == "b" and data:
            data[at] ^= 1 << rnd.randrange(8)
        elif fault == "y" and data:
            data[at] = rnd.choice(VALUES)
        elif fault == "w":
            data[at:at + 2] = rnd.choice([b"\0\0", b"\xff\xff", b"\x08\0", b"\x86\xdd",
                                          struct.pack("!H", rnd.randrange(200))])
        elif fault == "c":
            del data[rnd.choice([at, rnd.randrange(len(data) + 1)]):]
        elif fault == "t":
            data += rnd.randbytes(rnd.randrange(20))
        else:
            wire += rnd.choice([-100, 1, 10, 2000, 70000])
    return case._replace(data=bytes(data), wire=max(wire, len(data)))


@pytest.mark.parametrize("link", LINK_TYPES)
def test_damaged_packets(tmp_path, link):
    """Whatever the packet, both say the same."""
    rnd = random.Random(SEED * 1000 + link)
    whole = [case for case in CASES.values()
             if case.link == link and len(case.data) <= MAX_SIZE]
    damaged = [damage(rnd, rnd.choice(whole)) for _ in range(PACKETS)]
    path = tmp_path / "damaged.pcap"
    write_capture(path, link, damaged)
    _, ours, errors = Subject("app").judge(path)
    _, theirs, _ = Subject("reference").judge(path)
    assert len(ours) == len(theirs) == PACKETS, errors
    for case, our, their in zip(damaged, ours, theirs):
        assert our.split("\t")[:11] == their.split("\t"), \
            f"SEED={SEED} wire length {case.wire} {case.data.hex()}"
