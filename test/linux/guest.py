# SPDX-License-Identifier: BSD-3-Clause
"""A small Linux guest: a kernel, an initramfs made here, an emulator; no disk, no network."""

import lzma
import pathlib
import re
import stat
import subprocess

# Programs that the guest's scripts use. ip comes from iproute2, all else from busybox.
APPLETS = ("cat", "grep", "insmod", "mount", "poweroff", "sleep", "unshare")
BUSYBOX, SHELL, IP = "/bin/busybox", "/bin/dash", "/sbin/ip"


class Initramfs:
    """A cpio archive in the form that the kernel takes ("newc")."""

    def __init__(self):
        self.parts, self.names = [], set()

    def _add(self, name, mode, data):
        if name in self.names:
            return
        self.names.add(name)
        path = name.encode() + b"\0"
        fields = [len(self.names), mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0]
        entry = b"070701" + b"".join(b"%08x" % field for field in fields) + path
        self.parts += [entry + bytes(-len(entry) % 4), data, bytes(-len(data) % 4)]

    def folder(self, name):
        if name:
            self.folder(name.rpartition("/")[0])
            self._add(name, stat.S_IFDIR | 0o755, b"")

    def file(self, name, data):
        name = name.lstrip("/")
        self.folder(name.rpartition("/")[0])
        self._add(name, stat.S_IFREG | 0o755, data)

    def link(self, name, target):
        self.folder(name.rpartition("/")[0])
        self._add(name, stat.S_IFLNK | 0o777, target.encode())

    def program(self, name, path):
        """A program of this machine, and the shared objects that it needs."""
        self.file(name, pathlib.Path(path).read_bytes())
        done = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
        for shared in re.findall(r"(/\S+) \(0x", done.stdout):
            self.file(shared, pathlib.Path(shared).read_bytes())

    def bytes(self):
        self._add("TRAILER!!!", 0, b"")
        return b"".join(self.parts)


def module_bytes(path):
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def modules_in_order(folder, wanted):
    """[(name, bytes)]: modules and those that they need, each behind what it needs."""
    paths = {path.name.partition(".")[0].replace("-", "_"): path for path in folder.iterdir()}
    order, seen = [], set()

    def visit(name):
        # What is not there is built into the kernel.
        if name in seen or name not in paths:
            return
        seen.add(name)
        data = module_bytes(paths[name])
        needs = re.search(rb"\0depends=([^\0]*)\0", data)
        for need in needs[1].decode().split(",") if needs else ():
            visit(need.replace("-", "_"))
        order.append((name, data))

    for name in wanted:
        visit(name)
    return order


def run(kernel, initramfs, seconds):
    """Boot, and return what the guest printed until it powered itself off; None if it is late."""
    command = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-smp", "2", "-m", "512",
               "-nodefaults", "-nographic", "-serial", "stdio", "-no-reboot", "-kernel", kernel,
               "-initrd", initramfs, "-append", "console=ttyS0 panic=-1 quiet mitigations=off"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return (done.stdout + done.stderr).decode(errors="replace").replace("\r\n", "\n")
