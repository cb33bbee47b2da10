#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Send data over TCP, or receive it, and print its SHA-256.

usage: tcp_copy.py receive SECONDS ADDRESS       prints an empty line when it listens
       tcp_copy.py send SECONDS ADDRESS BYTES

After so many SECONDS without progress the connection has stalled, and the exit status is 1.
"""

import hashlib
import random
import socket
import sys

PORT = 5999
CHUNK = 1 << 16


def receive(seconds, address):
    digest = hashlib.sha256()
    with socket.create_server((address, PORT),
                              family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                              ) as server:
        server.settimeout(seconds)
        print(flush=True)
        connection, _ = server.accept()
        with connection:
            connection.settimeout(seconds)
            while data := connection.recv(CHUNK):
                digest.update(data)
    print(digest.hexdigest())


def send(seconds, address, nb_bytes):
    data = random.Random(nb_bytes).randbytes(nb_bytes)
    with socket.create_connection((address, PORT), timeout=seconds) as connection:
        connection.sendall(data)
    print(hashlib.sha256(data).hexdigest())


try:
    if sys.argv[1] == "receive":
        receive(float(sys.argv[2]), sys.argv[3])
    else:
        send(float(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
except (TimeoutError, ConnectionError) as error:
    sys.exit(f"{sys.argv[1]}: {error}")
