# SPDX-License-Identifier: BSD-3-Clause
"""Who forwards: ports, queues, lcores and neighbours, as testpmd lays them out."""

import os

import pytest
from replay_tools import APP
from testpmd_tools import DEBIAN, PREFIX, Session, debian_plain, ours


def talk(make_command, *commands, options=(), vdevs):
    """Lines that a session with these commands prints, from its first prompt on, in order."""
    session = Session(make_command("-i", *options, vdevs=vdevs))
    status, text = session.end(*commands, "quit")
    assert status == 0, text
    lines = text[text.index("testpmd> "):text.rindex("testpmd> quit")].splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("testpmd>")]


@pytest.mark.parametrize("option, message", [
    ("--nb-ports=3", "--nb-ports: there are 2 ports\n"),
    ("--nb-cores=2", "--nb-cores: the EAL has 1 lcores to forward on\n"),
])
def test_more_than_there_is_is_refused(option, message):
    status, text = Session([APP, "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry",
                            f"--lcores=(0-1)@{min(os.sched_getaffinity(0))}", "-m128",
                            f"--file-prefix={PREFIX}", "--vdev=net_null0", "--vdev=net_null1",
                            "--", option]).end()
    assert status == 2
    assert message in text


SHOW = "show config fwd"
CHANGES = [
    # each change is followed by what it makes of the streams
    "set nbcore 1", "set nbcore 2", "set nbcore 3", "set portlist 2,0,1", "set portlist 0,1,2,3",
    "set nbport 3", "set nbcore 2", "set corelist 3,1", "set nbcore 1", "set nbport 2",
    "set eth-peer 1 02:11:22:33:44:55", "set fwd mac retry\nset nbport 1",
    "set burst tx delay 7 retry 9", "set fwd icmpecho\nset nbcore 2", "set nbport 2",
    "set txpkts 20,30,40", "set fwd csum\nset corelist 1,2,3", "set portlist 3,1,0,2",
]
REFUSED = [
    "set nbport 5", "set nbcore 4", "set portlist 0,0", "set portlist 4", "set portlist 0,x",
    "set corelist 0", "set corelist 9", "set corelist 1,2,1", "set txpkts 20", "set txpkts 4000",
    "set eth-peer 0 02:11", "set txpkts ,64", "show config cores", "show config txpkts",
]


@pytest.mark.witness
@pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed")
@pytest.mark.parametrize("queues, topology", [(1, "paired"), (1, "chained"), (2, "loop"),
                                              (3, "chained")])
def test_streams_and_lcores_are_laid_out_as_testpmd_does(queues, topology):
    options = ["--nb-cores=3", f"--rxq={queues}", f"--txq={queues}", f"--port-topology={topology}",
               "--eth-peer=2,02:99:88:77:66:55"]
    vdevs = [f"net_null{i}" for i in range(4)]
    commands = [line for change in CHANGES for line in (*change.split("\n"), SHOW)] + REFUSED
    theirs = talk(debian_plain, *commands, options=options, vdevs=vdevs)
    # It counts the headroom among the data room, and calls another program's packets its own.
    theirs = [line.replace("mbuf_data_size=2176", "mbuf_data_size=2048") for line in theirs]
    own = talk(ours, *commands, options=options, vdevs=vdevs)
    assert own == theirs
    assert sum("Logical Core" in line for line in own) > 30
