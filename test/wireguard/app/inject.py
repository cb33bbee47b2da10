# SPDX-License-Identifier: BSD-3-Clause
"""Play the attacker: catch a data message that leaves by a device, and send what nobody must
accept to where it went. Prints how many frames came back.

usage: inject.py DEVICE TIMES
"""

import contextlib
import os
import socket
import sys
import time

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

DATA, WG_PORT = b"\4\0\0\0", 51820
ETH_P_ALL, SECONDS = 3, 10


def open_device(device):
    packet = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    packet.bind((device, 0))
    packet.settimeout(SECONDS)
    return packet


def catch(packet):
    while True:
        data, where = packet.recvfrom(2000)
        frame = Ether(data)
        if where[2] == socket.PACKET_OUTGOING and UDP in frame and \
                bytes(frame[UDP].payload).startswith(DATA):
            return frame


def came_in(packet):
    """Number of frames that have been received since the last call."""
    packet.setblocking(False)
    nb = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            nb += packet.recvfrom(2000)[1][2] != socket.PACKET_OUTGOING
    return nb


def rebuilt(frame, payload, **fields):
    """The same headers around another payload; lengths and checksums are right unless given."""
    ip = frame[IP]
    return (Ether(dst=frame.dst, src=frame.src) /
            IP(src=ip.src, dst=ip.dst, flags=fields.pop("flags", 0)) /
            UDP(sport=frame[UDP].sport, dport=WG_PORT, **fields) / Raw(payload))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def attacks(frame):
    message = bytes(frame[UDP].payload)
    counter = int.from_bytes(message[8:16], "little") + 1000
    fresh = message[:8] + counter.to_bytes(8, "little") + message[16:]
    yield bytes(rebuilt(frame, message))                        # replayed
    yield bytes(rebuilt(frame, flipped(fresh, 20)))             # forged
    yield bytes(rebuilt(frame, fresh))                          # forged: the counter
    yield bytes(rebuilt(frame, fresh[:31]))                     # length
    yield bytes(rebuilt(frame, b""))                            # length
    yield bytes(rebuilt(frame, b"\5" + message[1:]))            # type
    yield bytes(rebuilt(frame, flipped(message, 5)))            # no session
    yield bytes(rebuilt(frame, b"\1\0\0\0" + os.urandom(144)))  # mac1
    yield bytes(rebuilt(frame, b"\2\0\0\0" + os.urandom(88)))   # mac1
    yield bytes(rebuilt(frame, message))[:-10]                  # frame truncated
    yield bytes(rebuilt(frame, message, chksum=0x1234))         # UDP checksum
    yield bytes(rebuilt(frame, message, flags="MF"))            # a fragment


def main():
    device, times = sys.argv[1], int(sys.argv[2])
    packet = open_device(device)
    print("ready", flush=True)
    caught = catch(packet)
    time.sleep(1)
    came_in(packet)
    for frame in attacks(caught):
        for _ in range(times):
            packet.send(frame)
    time.sleep(0.5)
    print("returned", came_in(packet))


main()
