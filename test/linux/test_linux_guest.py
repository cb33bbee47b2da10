# SPDX-License-Identifier: BSD-3-Clause
"""Segments judged by a Linux guest, for tunnels of which this machine's kernel knows nothing."""

import pathlib
import re
import subprocess

import guest
import pytest
import verdict
from conftest import BUILD

pytestmark = pytest.mark.witness

HERE = pathlib.Path(__file__).parent
MODULES = ("veth", "8021q", "vxlan", "geneve", "ip_gre", "ip6_gre", "ipip", "sit", "ip6_tunnel")
GUEST_SECONDS = 80
APPLETS = ("cat", "grep", "sleep", "unshare")
SCRIPT = """
for kind in {kinds}; do
	echo "== $kind"
	unshare -n /bin/dash /judge.sh /bin/send-frames $kind /$kind-bad.pcap 2>&1
	echo "== exit $?"
done"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """{kind: (units, bad)}, and {kind: what judge.sh printed}."""
    if (why := guest.fetch_kernel()) is not None:
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("guest")
    done = subprocess.run([BUILD / "test/linux/make-segments", folder], capture_output=True,
                          text=True, timeout=60, check=True)
    lines = (line.split() for line in done.stdout.splitlines())
    kinds = {kind: (int(units), int(bad)) for kind, units, bad in lines}

    image = guest.image(MODULES, APPLETS, SCRIPT.format(kinds=" ".join(verdict.MODULES)))
    image.program("bin/send-frames", BUILD / "test/linux/send-frames")
    image.file("judge.sh", (HERE / "judge.sh").read_bytes())
    for kind in verdict.MODULES:
        image.file(f"{kind}-bad.pcap", (folder / f"{kind}-bad.pcap").read_bytes())
    archive = folder / "initramfs"
    archive.write_bytes(image.bytes())
    printed = guest.run(archive, GUEST_SECONDS)
    if printed is None:
        pytest.skip(f"the guest did not get through in {GUEST_SECONDS} s")
    assert "== done" in printed, printed[-2000:]
    runs = re.findall(r"^== (\S+)\n(.*?)^== exit (\d+)$", printed, re.M | re.S)
    return kinds, {kind: (int(code), text) for kind, text, code in runs}


# The broken segments alone: that all others are good shows there as well, and time is short.
@pytest.mark.skipif(guest.missing() is not None, reason=str(guest.missing()))
@pytest.mark.parametrize("kind", verdict.MODULES)
def test_guest_counts(judged, kind):
    kinds, runs = judged
    code, text = runs[kind]
    assert code == 0, text
    verdict.check(kind, *kinds[kind], text)
