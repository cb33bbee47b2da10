# SPDX-License-Identifier: BSD-3-Clause
"""Copy random bytes over TCP; both ends print their number and SHA-256.

usage: copy_bytes.py receive ADDRESS
       copy_bytes.py send ADDRESS MEGABYTES MBIT        MBIT 0: as fast as it goes
"""

import hashlib
import os
import socket
import sys

PORT = 7879
PIECE = 1 << 20
SECONDS = 50
SO_MAX_PACING_RATE = 47


def receive(address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, PORT), family=family) as server:
        print("ready", flush=True)
        server.settimeout(SECONDS)
        connection, _ = server.accept()
    connection.settimeout(SECONDS)
    digest, number = hashlib.sha256(), 0
    while piece := connection.recv(PIECE):
        digest.update(piece)
        number += len(piece)
    print(number, digest.hexdigest())


def send(address, megabytes, mbit):
    digest = hashlib.sha256()
    piece = os.urandom(PIECE)
    with socket.create_connection((address, PORT), SECONDS) as connection:
        if mbit != 0:
            connection.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, mbit * 1000000 // 8)
        for i in range(megabytes):
            # No two pieces are alike.
            piece = piece[:-8] + i.to_bytes(8, "little")
            connection.sendall(piece)
            digest.update(piece)
    print(megabytes * PIECE, digest.hexdigest())


if sys.argv[1] == "receive":
    receive(sys.argv[2])
else:
    send(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
