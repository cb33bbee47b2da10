# SPDX-License-Identifier: BSD-3-Clause
"""Segments judged by a Linux guest, for tunnels of which this machine's kernel knows nothing."""

import pathlib
import re
import shutil
import subprocess

import guest
import pytest
import verdict
from conftest import BUILD, TOP

pytestmark = pytest.mark.witness

HERE = pathlib.Path(__file__).parent
MODULES = ("veth", "8021q", "vxlan", "geneve", "ip_gre", "ip6_gre", "ipip", "sit", "ip6_tunnel")
FETCH_SECONDS, GUEST_SECONDS = 120, 80
INIT = """#!/bin/dash
export PATH=/sbin:/bin
mount -t proc proc /proc
for module in {modules}; do insmod /modules/$module; done
echo
for kind in {kinds}; do
	echo "== $kind"
	unshare -n /bin/dash /judge.sh /bin/send-frames $kind /$kind-bad.pcap 2>&1
	echo "== exit $?"
done
echo "== done"
poweroff -f
"""


def missing():
    """What keeps the guest from running here, or None."""
    for program in ("qemu-system-x86_64", "ldd", guest.BUSYBOX, guest.SHELL, guest.IP):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return None


@pytest.fixture(scope="module")
def kernel():
    """Folder of a kernel and its modules, kept in the build folder."""
    folder = BUILD / "guest-kernel"
    try:
        done = subprocess.run([TOP / "devtools/guest-kernel.sh", folder], capture_output=True,
                              text=True, timeout=FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("the kernel package took too long to fetch")
    if done.returncode != 0:
        pytest.skip(done.stderr.strip())
    return folder


@pytest.fixture(scope="module")
def judged(kernel, tmp_path_factory):
    """{kind: (units, bad)}, and {kind: what judge.sh printed}."""
    folder = tmp_path_factory.mktemp("guest")
    done = subprocess.run([BUILD / "test/linux/make-segments", folder], capture_output=True,
                          text=True, timeout=60, check=True)
    lines = (line.split() for line in done.stdout.splitlines())
    kinds = {kind: (int(units), int(bad)) for kind, units, bad in lines}

    image = guest.Initramfs()
    image.program("sbin/ip", guest.IP)
    image.program("bin/dash", guest.SHELL)
    image.program("bin/busybox", guest.BUSYBOX)
    for applet in guest.APPLETS:
        image.link(f"bin/{applet}", "busybox")
    image.program("bin/send-frames", BUILD / "test/linux/send-frames")
    image.file("judge.sh", (HERE / "judge.sh").read_bytes())
    for kind in verdict.MODULES:
        image.file(f"{kind}-bad.pcap", (folder / f"{kind}-bad.pcap").read_bytes())
    modules = guest.modules_in_order(kernel / "modules", MODULES)
    for name, data in modules:
        image.file(f"modules/{name}", data)
    for name in ("proc", "dev", "sys"):
        image.folder(name)
    image.file("init", INIT.format(modules=" ".join(name for name, _ in modules),
                                   kinds=" ".join(verdict.MODULES)).encode())
    archive = folder / "initramfs"
    archive.write_bytes(image.bytes())
    printed = guest.run(kernel / "vmlinuz", archive, GUEST_SECONDS)
    if printed is None:
        pytest.skip(f"the guest did not get through in {GUEST_SECONDS} s")
    assert "== done" in printed, printed[-2000:]
    runs = re.findall(r"^== (\S+)\n(.*?)^== exit (\d+)$", printed, re.M | re.S)
    return kinds, {kind: (int(code), text) for kind, text, code in runs}


# The broken segments alone: that all others are good shows there as well, and time is short.
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("kind", verdict.MODULES)
def test_guest_counts(judged, kind):
    kinds, runs = judged
    code, text = runs[kind]
    assert code == 0, text
    verdict.check(kind, *kinds[kind], text)
