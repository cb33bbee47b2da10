#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Send a capture of super-packets through net_soft_csum over net_af_packet.

usage: send_by_port.py FILE DEVICE [RECEIVER]...      as send-frames; RECEIVERs are left alone

NB_FRAMES says how many frames must go out, COMMANDS, one a line, what to tell the port, and FORWARD
by which engine: csum if not given.
"""

import os
import re
import sys

from testpmd_tools import Session, ours

VDEVS = "net_pcap0,rx_pcap={file},tx_pcap=/dev/null net_af_packet0,iface={device} " \
        "net_soft_csum0,lower=net_af_packet0"
PORT = 2


def nb_sent(text):
    counts = re.findall(r"TX-packets: (\d+)", text)
    return int(counts[-1]) if counts else 0


def main():
    vdevs = VDEVS.format(file=sys.argv[1], device=sys.argv[2]).split()
    session = Session(ours("-i", "--no-flush-rx", vdevs=vdevs))
    session.send(f"port stop {PORT}", *os.environ["COMMANDS"].splitlines(), f"port start {PORT}",
                 "set fwd " + os.environ.get("FORWARD", "csum"), "start")

    def all_sent():
        session.send(f"show port stats {PORT}")
        return nb_sent(session.text) >= int(os.environ["NB_FRAMES"])

    session.wait_until(all_sent, "end of the frames")
    status, text = session.end("stop", "quit")
    assert status == 0, text


main()
