# SPDX-License-Identifier: BSD-3-Clause
"""Tunnels between network namespaces that are made here and removed again: an endpoint is
examples/wireguard over net_af_packet, or wireguard-go."""

import contextlib
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from conftest import BUILD

WIREGUARD = BUILD / "test/wireguard/app/wireguard"
COPY = pathlib.Path(__file__).with_name("copy_bytes.py")
OUTER = {4: "10.77.{net}.{number}", 6: "fd77:{net}::{number}"}
INNER = {4: "10.78.0.{number}", 6: "fd78::{number}"}
BITS = {4: 24, 6: 64}
ROUTER = 254
PORT = 51820
SECONDS = 60
# Names of namespaces and devices are unique on this machine: wireguard-go's are in /var/run.
numbers = itertools.count(1)


def unique(word):
    return f"{word}{os.getpid()}x{next(numbers)}"


def missing(*programs):
    """What keeps tunnels from being made here, or None."""
    if os.geteuid() != 0:
        return "namespaces that last need root"
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "no /dev/net/tun"
    if not WIREGUARD.exists():
        return "examples/wireguard is not built: libcrypto or libsodium is missing"
    for program in ("ip", "wg", *programs):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode != 0:
        return "no network namespaces"
    return None


def run(*command, stdin=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          input=stdin, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def wait_until(condition, what, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"no {what} in {seconds} s"
        time.sleep(0.02)


class Space:
    """A network namespace."""

    def __init__(self):
        self.name = unique("wg")
        self.prefix = []  # of each command
        self.processes = []
        run("ip", "netns", "add", self.name)
        self.ip("link", "set", "lo", "up")

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        run("ip", "netns", "del", self.name)

    def ip(self, *words):
        return run("ip", "-n", self.name, *words)

    def run(self, *command, stdin=None):
        return run("ip", "netns", "exec", self.name, *self.prefix, *command, stdin=stdin)

    def start(self, *command, **options):
        process = subprocess.Popen(
            ["ip", "netns", "exec", self.name, *map(str, (*self.prefix, *command))],
            text=True, stdin=subprocess.DEVNULL, **options)
        self.processes.append(process)
        return process

    def address(self, device, form, **numbers):
        for version in (4, 6):
            address = f"{form[version].format(**numbers)}/{BITS[version]}"
            self.ip("addr", "add", address, "dev", device, *(["nodad"] if version == 6 else []))

    def counters(self):
        """{name: value} of the stack's counters."""
        found = {}
        for file in ("snmp", "netstat"):
            lines = self.run("cat", f"/proc/net/{file}").splitlines()
            for names, values in zip(lines[::2], lines[1::2]):
                group, *names = names.split()
                found.update((group.rstrip(":") + name, int(value))
                             for name, value in zip(names, values.split()[1:]))
        found.update((name, int(value)) for name, value in (
            line.split() for line in self.run("cat", "/proc/net/snmp6").splitlines()))
        return found

    def csum_errors(self):
        return sum(value for name, value in self.counters().items()
                   if re.search("Csum(Errors|Err)$|IpInHdrErrors$", name))


class Key:
    def __init__(self):
        self.private = run("wg", "genkey").strip()
        self.public = run("wg", "pubkey", stdin=self.private).strip()


class Endpoint:
    """One end of a tunnel; number N has the addresses that end with N. All are in the outer network
    0, or each is in one of its own, with a router."""

    def __init__(self, space, device, number, routed=False):
        self.space, self.device, self.number = space, device, number
        self.routed = routed
        self.numbers = {"net": number if routed else 0, "number": number}
        self.key = Key()
        self.tun = unique("t")[-15:]
        self.process = None

    def inner(self, version):
        return INNER[version].format(number=self.number)

    def gateway(self, version):
        return OUTER[version].format(net=self.numbers["net"], number=ROUTER)

    def outer(self, version):
        address = OUTER[version].format(**self.numbers)
        return f"[{address}]:{PORT}" if version == 6 else f"{address}:{PORT}"

    def allowed(self):
        return f"{self.inner(4)}/32,{self.inner(6)}/128"

    def kill(self, number):
        # ip netns exec, and chrt, become the program: there is no process between.
        self.process.send_signal(number)


class Dpdk(Endpoint):
    """examples/wireguard."""

    def __init__(self, *where):
        super().__init__(*where)
        self.log = None
        # The port is DPDK's: the kernel answers for nothing on its device.
        self.space.run("sh", "-c", f"echo 1 >/proc/sys/net/ipv6/conf/{self.device}/disable_ipv6")

    def config(self, folder, peers, mtu):
        lines = ["[Interface]", f"PrivateKey = {self.key.private}", f"ListenPort = {PORT}",
                 f"MTU = {mtu}",
                 "Address = " + ", ".join(f"{self.inner(version)}/{BITS[version]}"
                                          for version in (4, 6))]
        for peer, to in peers:
            lines += ["[Peer]", f"PublicKey = {peer.key.public}", f"AllowedIPs = {peer.allowed()}",
                      *([] if to is None else [f"Endpoint = {peer.outer(to)}"])]
        path = folder / f"{self.tun}.conf"
        path.write_text("\n".join(lines) + "\n")
        return path

    def start(self, folder, peers, mtu, options=(), vdevs=None):
        if vdevs is None:
            vdevs = [f"net_af_packet0,iface={self.device},qdisc_bypass=1,framecnt=1024"]
        # Not bound to one CPU: the program sleeps, and others are there as well.
        command = [WIREGUARD, "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "128",
                   "--log-level=lib.eal:error", "--file-prefix", self.tun,
                   "--lcores", f"0@(0-{os.cpu_count() - 1})",
                   *(word for vdev in vdevs for word in ("--vdev", vdev)),
                   "--", "--config", self.config(folder, peers, mtu), "--tun", self.tun]
        for version in (4, 6):
            address = OUTER[version].format(**self.numbers)
            command += ["--address", f"{address}/{BITS[version]}"]
            if self.routed:
                command += ["--gateway", self.gateway(version)]
        self.log = folder / f"{self.tun}.log"
        self.process = self.space.start(*command, *options, stdout=self.log.open("w"),
                                        stderr=subprocess.STDOUT)
        wait_until(lambda: f"{self.tun}: MTU" in self.log.read_text() or
                   self.process.poll() is not None, "start")
        assert self.process.poll() is None, self.log.read_text()

    @staticmethod
    def parse(text):
        """{name: number} of the counters."""
        return {name: int(value) for name, value in re.findall(r"^(.+): (\d+)$", text, re.M)}

    def counters(self):
        before = self.log.read_text()
        self.kill(signal.SIGUSR1)
        wait_until(lambda: len(self.log.read_text()) > len(before), "counters")
        time.sleep(0.1)
        return self.parse(self.log.read_text()[len(before):])

    def stop(self):
        """-> its last counters"""
        before = self.log.read_text()
        self.kill(signal.SIGTERM)
        status = self.process.wait(SECONDS)
        text = self.log.read_text()
        for root in ("/var/run/dpdk", "/tmp/dpdk"):
            shutil.rmtree(pathlib.Path(root, self.tun), ignore_errors=True)
        assert status == 0, text
        return self.parse(text[len(before):])


class Go(Endpoint):
    """wireguard-go over the kernel's UDP."""

    program = "wireguard-go"
    # What its kernel sends goes to a packet socket, with checksums and cut.
    finished = True

    def __init__(self, *where):
        super().__init__(*where)
        self.space.address(self.device, OUTER, **self.numbers)
        if self.routed:
            for version in (4, 6):
                self.space.ip(f"-{version}", "route", "add", "default", "via",
                              self.gateway(version))
        if self.finished:
            self.space.run("ethtool", "-K", self.device, "tx", "off", "tso", "off", "gso", "off")

    def start(self, folder, peers, mtu):
        log = (folder / f"{self.tun}.log").open("w")
        self.process = self.space.start(self.program, "-f", self.tun, stdout=log,
                                        stderr=subprocess.STDOUT)
        socket = pathlib.Path(f"/var/run/wireguard/{self.tun}.sock")
        wait_until(socket.exists, "wireguard-go")
        private = folder / f"{self.tun}.key"
        private.write_text(self.key.private)
        words = ["listen-port", PORT, "private-key", private]
        for peer, to in peers:
            words += ["peer", peer.key.public, "allowed-ips", peer.allowed(),
                      *([] if to is None else ["endpoint", peer.outer(to)])]
        self.space.run("wg", "set", self.tun, *words)
        self.space.address(self.tun, INNER, number=self.number)
        self.space.ip("link", "set", self.tun, "mtu", mtu, "up")

    def stop(self):
        self.kill(signal.SIGTERM)
        self.process.wait(SECONDS)
        return {}


def link(one, two):
    """A device in each of two namespaces, with a wire between them."""
    devices = [unique("v")[-15:], unique("v")[-15:]]
    one.ip("link", "add", devices[0], "type", "veth", "peer", "name", devices[1],
           "netns", two.name)
    for space, device in zip((one, two), devices):
        space.ip("link", "set", device, "up")
    return devices


@contextlib.contextmanager
def spaces(number):
    made = []
    try:
        for _ in range(number):
            made.append(Space())
        yield made
    finally:
        for space in made:
            space.close()


@contextlib.contextmanager
def ends(first, second):
    """Two endpoints with a link between them: each is a class and makes one of a place."""
    with spaces(2) as (one, two):
        devices = link(one, two)
        yield first(one, devices[0], 1), second(two, devices[1], 2)


@contextlib.contextmanager
def around_a_router(*kinds):
    """Endpoints that each have a link to a router."""
    with spaces(len(kinds) + 1) as (router, *others):
        for file in ("ipv4/ip_forward", "ipv6/conf/all/forwarding"):
            router.run("sh", "-c", f"echo 1 >/proc/sys/net/{file}")
        made = []
        for number, (kind, space) in enumerate(zip(kinds, others), 1):
            near, far = link(router, space)
            router.address(near, OUTER, net=number, number=ROUTER)
            # Into a packet socket go finished packets only.
            router.run("ethtool", "-K", near, "tx", "off", "tso", "off", "gso", "off")
            made.append(kind(space, far, number, True))
        yield made


def ping(source, target, version):
    source.space.run("ping", f"-{version}", "-c", 3, "-i", 0.2, "-W", 5, target.inner(version))


def copy(source, target, version, megabytes, mbit=0):
    """Send random bytes over TCP, at so many Mbit/s at most. What arrived is what was sent."""
    address = target.inner(version)
    receiver = target.space.start("/usr/bin/python3", COPY, "receive", address,
                                  stdout=subprocess.PIPE)
    assert receiver.stdout.readline() == "ready\n"
    sent = source.space.run("/usr/bin/python3", COPY, "send", address, megabytes, mbit)
    received, _ = receiver.communicate(timeout=SECONDS)
    assert received == sent and sent.split()[0] == str(megabytes << 20)
