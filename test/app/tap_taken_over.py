# SPDX-License-Identifier: BSD-3-Clause
"""In a network namespace of its own: a TAP device that outlives its first user, whose virtio-net
headers are longer than net_vnet_tap's, and then is net_vnet_tap's. Frames still come back right."""

import fcntl
import os
import socket
import struct
import subprocess

from testpmd_tools import Session, ours

NAME = "oldtap"
TUNSETIFF, TUNSETPERSIST, TUNSETVNETHDRSZ = 0x400454CA, 0x400454CB, 0x400454D8
IFF_TAP, IFF_NO_PI, IFF_VNET_HDR = 0x0002, 0x1000, 0x4000
MERGEABLE_HEADER_LEN = 12
SOURCE, SINK = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")
REST = struct.pack("!H", 0x88B5) + bytes(range(100))


def make_old_tap():
    file = os.open("/dev/net/tun", os.O_RDWR)
    flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", NAME.encode(), flags))
    fcntl.ioctl(file, TUNSETVNETHDRSZ, struct.pack("i", MERGEABLE_HEADER_LEN))
    fcntl.ioctl(file, TUNSETPERSIST, 1)
    os.close(file)


def main():
    make_old_tap()
    subprocess.run(["ip", "link", "set", NAME, "up"], check=True)
    session = Session(ours("-i", "--forward-mode=macswap", vdevs=[f"net_vnet_tap0,iface={NAME}"]))
    session.send("start")
    session.wait_for("TX threshold registers")
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5)) as link:
        link.bind((NAME, 0x88B5))
        link.settimeout(5)
        link.send(SINK + SOURCE + REST)
        assert link.recv(2000) == SOURCE + SINK + REST
    assert session.end("stop", "quit")[0] == 0


if __name__ == "__main__":
    main()
