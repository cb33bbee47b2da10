# SPDX-License-Identifier: BSD-3-Clause
"""pcapng blocks, written by the format's definition (draft-ietf-opsawg-pcapng)."""

import struct

ORDER_MAGIC = 0x1A2B3C4D


class Section:
    """A section being written; `data` is what it holds so far."""

    def __init__(self, order="<", minor=0):
        self.order = order
        self.data = b""
        self.block(0x0A0D0D0A, self.pack("IHHq", ORDER_MAGIC, 1, minor, -1))

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def block(self, kind, body):
        body += b"\0" * (-len(body) % 4)
        size = self.pack("I", len(body) + 12)
        self.data += self.pack("I", kind) + size + body + size
        return self

    def option(self, code, value):
        return self.pack("HH", code, len(value)) + value + b"\0" * (-len(value) % 4)

    def interface(self, link=1, snaplen=0, tsresol=None, tsoffset=None, extra=b""):
        options = extra
        if tsresol is not None:
            options += self.option(9, bytes([tsresol]))
        if tsoffset is not None:
            options += self.option(14, self.pack("q", tsoffset))
        if options:
            options += self.option(0, b"")
        return self.block(1, self.pack("HHI", link, 0, snaplen) + options)

    def packet(self, data, interface=0, units=0, wire_len=None, kind=6):
        size = len(data) if wire_len is None else wire_len
        head = (self.pack("I", interface) if kind == 6 else self.pack("HH", interface, 7))
        return self.block(kind, head + self.pack("IIII", units >> 32, units & 0xFFFFFFFF,
                                                 len(data), size) + data)

    def simple(self, data, wire_len=None):
        size = len(data) if wire_len is None else wire_len
        return self.block(3, self.pack("I", size) + data)
