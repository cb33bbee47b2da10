# SPDX-License-Identifier: BSD-3-Clause
"""A small Linux guest: a kernel, an initramfs made here, an emulator; no disk."""

import lzma
import pathlib
import re
import shutil
import stat
import subprocess

from conftest import BUILD, TOP

BUSYBOX, SHELL, IP = "/bin/busybox", "/bin/dash", "/sbin/ip"
KERNEL = BUILD / "guest-kernel" # a kernel and its modules, once they have been fetched
FETCH_SECONDS = 120
# Applets of busybox that each guest needs.
APPLETS = ("insmod", "mount", "poweroff")
INIT = """#!/bin/dash
export PATH=/sbin:/bin
mount -t proc proc /proc
mount -t devtmpfs dev /dev
for module in {modules}; do insmod /modules/$module; done
echo
{script}
echo "== done"
poweroff -f
"""


def missing(*programs):
    """What keeps a guest from running here, or None."""
    for program in ("qemu-system-x86_64", "ldd", BUSYBOX, SHELL, IP, *programs):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return None


def fetch_kernel():
    """-> why there is no KERNEL, or None"""
    try:
        done = subprocess.run([TOP / "devtools/guest-kernel.sh", KERNEL], capture_output=True,
                              text=True, timeout=FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "the kernel package took too long to fetch"
    return None if done.returncode == 0 else done.stderr.strip()


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


def image(modules, applets, script):
    """An archive with ip, a shell, applets of busybox and modules. The guest loads these, runs a
    script for the shell, and powers itself off."""
    made = Initramfs()
    made.program("sbin/ip", IP)
    made.program("bin/dash", SHELL)
    made.program("bin/busybox", BUSYBOX)
    for applet in (*APPLETS, *applets):
        made.link(f"bin/{applet}", "busybox")
    loaded = modules_in_order(KERNEL / "modules", modules)
    for name, data in loaded:
        made.file(f"modules/{name}", data)
    for name in ("proc", "dev", "sys"):
        made.folder(name)
    made.file("init", INIT.format(modules=" ".join(name for name, _ in loaded),
                                  script=script).encode())
    return made


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


def command(initramfs, *options):
    """The emulator's command; the guest's console is its standard output."""
    return ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-smp", "2", "-m", "512",
            "-nodefaults", "-nographic", "-serial", "stdio", "-no-reboot",
            "-kernel", KERNEL / "vmlinuz", "-initrd", initramfs,
            "-append", "console=ttyS0 panic=-1 quiet mitigations=off", *options]


def run(initramfs, seconds):
    """Boot, and return what the guest printed until it powered itself off; None if it is late."""
    try:
        done = subprocess.run(command(initramfs), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return (done.stdout + done.stderr).decode(errors="replace").replace("\r\n", "\n")
