# SPDX-License-Identifier: BSD-3-Clause
"""examples/wireguard with the kernel's own WireGuard, which runs in a guest."""

import hashlib
import os
import subprocess

import guest
import pytest
import tunnel

pytestmark = [pytest.mark.witness,
              pytest.mark.skipif(tunnel.missing("ping") is not None,
                                 reason=str(tunnel.missing("ping"))),
              pytest.mark.skipif(guest.missing() is not None, reason=str(guest.missing()))]

BOOT_SECONDS = 60
MEGABYTES = 4
MODULES = ("virtio_pci", "virtio_net", "chacha-x86_64", "poly1305-x86_64", "wireguard")
APPLETS = ("cat", "nc", "ping", "sha256sum", "sleep")
# What comes from the other end first; then a file goes there.
SCRIPT = """
ip link set eth0 up
ip link add wg0 type wireguard
wg set wg0 listen-port {port} private-key /private peer {peer} allowed-ips {allowed} {endpoint}
ip link set wg0 mtu 1420 up
for version in 4 6; do
	ip addr add $(cat /eth0-$version) dev eth0 nodad
	ip addr add $(cat /wg0-$version) dev wg0 nodad
done
nc -l -p 7879 </dev/null >/received &
sleep 1
echo "== listening"
wait
sha256sum /received
ping -c 3 -W 5 {target}
nc {target} 7879 </payload
"""


class Kernel(tunnel.Endpoint):
    """A guest at a TAP device, which is in the namespace of the other end."""

    def __init__(self, space):
        self.tap = tunnel.unique("q")[-15:]
        super().__init__(space, self.tap, 2)
        space.ip("tuntap", "add", "dev", self.tap, "mode", "tap")
        space.ip("link", "set", self.tap, "up")
        self.payload = os.urandom(1 << 20)
        self.log = None

    def start(self, folder, peer, to):
        image = guest.image(MODULES, APPLETS, SCRIPT.format(
            port=tunnel.PORT, peer=peer.key.public, allowed=peer.allowed(), target=peer.inner(4),
            # Whoever sends keepalives begins by himself.
            endpoint="" if to is None else f"endpoint {peer.outer(to)} persistent-keepalive 1"))
        image.program("bin/wg", "/usr/bin/wg")
        image.file("private", self.key.private.encode())
        image.file("payload", self.payload)
        for version in (4, 6):
            for device, form in (("eth0", tunnel.OUTER), ("wg0", tunnel.INNER)):
                address = form[version].format(**self.numbers)
                image.file(f"{device}-{version}", f"{address}/{tunnel.BITS[version]}".encode())
        archive = folder / "initramfs"
        archive.write_bytes(image.bytes())
        self.log = folder / "guest.log"
        # What it sends has its checksums, and is cut.
        self.process = self.space.start(
            *guest.command(archive, "-netdev",
                           f"tap,id=n0,ifname={self.tap},script=no,downscript=no,vnet_hdr=off",
                           "-device", "virtio-net-pci,netdev=n0"),
            stdout=self.log.open("w"), stderr=subprocess.STDOUT)
        tunnel.wait_until(lambda: "== listening" in self.log.read_text(errors="replace"),
                          "guest", BOOT_SECONDS)

    def printed(self):
        """-> all that the guest has to say, once it is through"""
        self.process.wait(tunnel.SECONDS)
        return self.log.read_text(errors="replace").replace("\r\n", "\n")


@pytest.mark.parametrize("outer, role", [(4, "initiator"), (6, "responder")])
def test_with_the_kernel(tmp_path, outer, role):
    """Ping and TCP in both directions. The kernel takes inner checksums for right, since the tag
    vouches for the bytes: that they are shows with wireguard-go."""
    if (why := guest.fetch_kernel()) is not None:
        pytest.skip(why)
    with tunnel.spaces(1) as (space,):
        kernel = Kernel(space)
        ours = tunnel.Dpdk(space, kernel.tap, 1)
        kernel.start(tmp_path, ours, None if role == "initiator" else outer)
        ours.start(tmp_path, [(kernel, outer if role == "initiator" else None)], 1420)
        if role == "responder":
            tunnel.wait_until(lambda: ours.counters().get("peer 0 handshakes") == 1, "handshake")
        for version in (4, 6):
            tunnel.ping(ours, kernel, version)
        receiver = space.start("/usr/bin/python3", tunnel.COPY, "receive", ours.inner(4),
                               stdout=subprocess.PIPE)
        sent = space.run("/usr/bin/python3", tunnel.COPY, "send", kernel.inner(4), MEGABYTES, 20)
        received, _ = receiver.communicate(timeout=tunnel.SECONDS)
        printed = kernel.printed()
        counters = ours.stop()
    assert "== done" in printed, printed[-2000:]
    assert f"{sent.split()[1]}  /received" in printed
    assert "3 packets transmitted, 3 packets received" in printed
    assert received.split() == ["ready", str(len(kernel.payload)),
                                hashlib.sha256(kernel.payload).hexdigest()]
    assert counters["tun read super-packets"] > 10
    assert counters["initiations sent" if role == "initiator" else "responses sent"] == 1
