# SPDX-License-Identifier: BSD-3-Clause
"""examples/, as a user has them: copied out of the tree, built in each way that they offer against
an installed copy, and run. The reference and tshark judge what they send."""

import collections
import functools
import os
import pathlib
import re
import shutil
import subprocess
import textwrap

import pytest
import replay_tools
from conftest import BUILD, TOP
from installed import build_env, libdir, pkg_config, plugins, run, staged

SAMPLE = TOP / "test/samples/sample.pcap"
GUIDE = TOP / "doc/guides/sample_app_ug/l2fwd_soft.rst"
HEADERS = sorted(path.name for path in (TOP / "lib/csum").glob("*.h"))
PREFIX = f"csum-examples-{os.getpid()}"
EAL = ("--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "64",
       "--log-level=lib.eal:error", "--file-prefix", PREFIX)
CFLAGS = "-O2 -Wall -Wextra -Wshadow -Werror"
TSHARK = ("ip.check_checksum:TRUE", "tcp.check_checksum:TRUE", "tcp.desegment_tcp_streams:FALSE",
          "tcp.relative_sequence_numbers:FALSE")
GOOD = "1"

pytestmark = pytest.mark.witness
needs_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")

Way = collections.namedtuple("Way", "name tool option program")
SHARED = Way("make", "make", "all", "{}")
STATIC = Way("make-static", "make", "static", "{}-static")
MESON = Way("meson", "meson", "-Dwerror=true", "build/{}")
MESON_STATIC = Way("meson-static", "meson", "-Dstatic=true", "build/{}")


def start(prefix, program, vdevs, *arguments, plugin=None):
    """-> (exit status, all that was printed)"""
    eal = [*EAL, *([] if plugin is None else ["-d", plugin])]
    eal += [word for vdev in vdevs for word in ("--vdev", vdev)]
    done = subprocess.run([program, *eal, "--", *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                          check=False, env=dict(os.environ, LD_LIBRARY_PATH=str(libdir(prefix))))
    return done.returncode, done.stdout


def needed(program):
    """The shared objects of ours or DPDK's that a program names."""
    return set(re.findall(r"\[lib((?:dpdk_csum|rte_\w+)\.so)", run(["readelf", "-d", program])))


def judged(path):
    """The reference's verdicts: {layer: Counter of verdicts}"""
    done = subprocess.run([os.environ["CSUM_REF_JUDGE"], path], capture_output=True, text=True,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    names, *lines = [line.split("\t")[1:] for line in done.stdout.splitlines()]
    return {name: collections.Counter(word for cell in column for word in cell.split(",")
                                      if word != "-")
            for name, column in zip(names, zip(*lines))}


def tshark(path, keep, *fields):
    options = [word for option in TSHARK for word in ("-o", option)]
    names = [word for field in fields for word in ("-e", field)]
    text = run(["tshark", "-n", "-r", path, *options, "-Y", keep, "-T", "fields", *names])
    return [line.split("\t") for line in text.splitlines()]


@pytest.fixture(scope="module", name="prefix")
def prefix_fixture():
    with staged(BUILD) as prefix:
        yield prefix
    for root in ("/var/run/dpdk", "/tmp/dpdk"):
        shutil.rmtree(pathlib.Path(root, PREFIX), ignore_errors=True)


@pytest.fixture(scope="module", name="build")
def build_fixture(prefix, tmp_path_factory):
    """Builds a copy of an example in a way, once; -> the program"""
    @functools.cache
    def build(example, way):
        folder = tmp_path_factory.mktemp(way.name) / example
        shutil.copytree(TOP / "examples" / example, folder)
        env = dict(build_env(prefix), CFLAGS=CFLAGS)
        if way.tool == "make":
            run(["make", "-C", folder, way.option], env=env)
        else:
            run(["meson", "setup", way.option, folder / "build", folder], env=env)
            run(["ninja", "-C", folder / "build"])
        return folder / way.program.format(example)
    return build


def in_ways(*ways):
    return pytest.mark.parametrize("way", ways, ids=lambda way: way.name)


# ---- the headers

@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_each_header_is_complete_in_cplusplus(prefix, tmp_path):
    """By itself, as a program's first; DPDK's own are not judged."""
    sources = []
    for header in HEADERS:
        sources.append(tmp_path / header.replace(".h", ".cc"))
        sources[-1].write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n")
    assert len(sources) == 5
    flags = [flag.replace("-I/usr", "-isystem/usr")
             for flag in pkg_config(prefix, "--cflags", "libdpdk-csum")]
    run(["g++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror",
         "-fsyntax-only", *flags, *sources])


# ---- link-gso: a program that links the library

@needs_tshark
@in_ways(SHARED, STATIC, MESON, MESON_STATIC)
def test_link_gso_sends_segments(prefix, build, way, tmp_path):
    program = build("link-gso", way)
    libraries = needed(program)
    assert ("dpdk_csum.so" in libraries) == (way in (SHARED, MESON))
    assert ("rte_eal.so" in libraries) == (way != STATIC)

    out, payload_len, segsz = tmp_path / "out.pcap", 20001, 1448
    status, printed = start(prefix, program, [f"net_pcap0,tx_pcap={out}"], payload_len, segsz)
    assert (status, printed) == (0, "1 packet of 20055 bytes in 11 mbufs: 14 segments, 14 sent by "
                                    "port 0\n")
    layers = judged(out)
    assert layers["ip"] == layers["tcp"] == {"good": 14}

    payload, ids, pushed = b"", [], []
    for number, ip, tcp, seq, flags, data in tshark(
            out, "tcp", "ip.id", "ip.checksum.status", "tcp.checksum.status", "tcp.seq",
            "tcp.flags.push", "tcp.payload"):
        assert (ip, tcp, int(seq)) == (GOOD, GOOD, 1 + len(payload))
        payload += bytes.fromhex(data.replace(":", ""))
        ids.append(int(number, 16))
        pushed.append(flags in ("1", "True"))
    assert payload == bytes(i % 251 for i in range(payload_len))
    assert ids == list(range(1, 15))
    assert pushed == [False] * 13 + [True]


def test_link_gso_says_what_a_full_port_did_not_take(prefix, build):
    status, printed = start(prefix, build("link-gso", SHARED), ["net_ring0"], 1000000, 500)
    found = re.fullmatch(r"1 packet of 1000054 bytes in \d+ mbufs: 2000 segments, (\d+) sent by "
                         r"port 0\n", printed)
    assert status == 1 and found and 0 < int(found[1]) < 2000


@pytest.mark.parametrize("vdevs, arguments, what", [
    ([], [], "no port: name one with -a or --vdev"),
    (["net_null0"], ["0"], "'0' is not a number from 1 to 1048576"),
    (["net_null0"], ["12x"], "'12x' is not a number"),
    (["net_null0"], ["1000", "-1"], "'-1' is not a number from 1 to 65535"),
    (["net_null0"], ["1000000", "100"], "not cut: No space left on device"),
])
def test_link_gso_refuses(prefix, build, vdevs, arguments, what):
    status, printed = start(prefix, build("link-gso", SHARED), vdevs, *arguments)
    assert status == 1 and what in printed


# ---- wireguard: a tunnel

@in_ways(STATIC, MESON)
def test_wireguard_starts(prefix, build, way, tmp_path):
    """As far as it goes without a TUN device; what it does then is in test/wireguard."""
    if subprocess.run(["pkg-config", "--exists", "libcrypto >= 3.0", "libsodium"],
                      check=False).returncode != 0:
        pytest.skip("libcrypto or libsodium is missing")
    program = build("wireguard", way)
    assert ("dpdk_csum.so" in needed(program)) == (way == MESON)
    if way == STATIC:
        # With the same object files.
        run(["make", "-C", program.parent], env=dict(build_env(prefix), CFLAGS=CFLAGS))
        assert {"dpdk_csum.so", "rte_eal.so"} <= needed(program.with_name("wireguard"))
    for vdevs, arguments, what in (
            (["net_null0"], [], "--config is missing"),
            (["net_null0"], ["--config", "x"], "--address is missing"),
            ([], ["--config", "x", "--address", "192.0.2.1/24"], "name one with -a or --vdev"),
            (["net_null0"], ["--address", "192.0.2.1/33"], "192.0.2.1/33: not ADDRESS/BITS"),
            (["net_null0"], ["--gateway", "gw"], "--gateway gw: not an address"),
            (["net_null0"], ["--mtu", "575"], "--mtu 575: not a number from 576 to 9000"),
            (["net_null0"], ["--config", tmp_path / "none", "--address", "192.0.2.1/24"],
             "none: No such file or directory")):
        status, printed = start(prefix, program, vdevs, *arguments)
        assert status == 1 and what in printed
    status, printed = start(prefix, program, ["net_null0"], "--help")
    assert status == 0 and "usage: wireguard" in printed


# ---- l2fwd-soft: a program that knows nothing of us

def streams(path):
    """TCP payload outside of tunnels, as tshark sees it: {sender: bytes}"""
    found = collections.defaultdict(bytes)
    for ip, ipv6, data in tshark(path, "tcp && !vxlan", "ip.src", "ipv6.src", "tcp.payload"):
        found[ip or ipv6] += bytes.fromhex(data.replace(":", ""))
    return dict(found)


@in_ways(SHARED, MESON)
def test_l2fwd_soft_knows_nothing_of_us(build, way):
    program = build("l2fwd-soft", way)
    assert "csum" not in (TOP / "examples/l2fwd-soft/main.c").read_text().lower()
    assert "rte_eal.so" in needed(program)
    assert not {"dpdk_csum.so", "rte_net_soft_csum.so"} & needed(program)


@in_ways(SHARED, STATIC)
def test_l2fwd_soft_alone_changes_nothing(prefix, build, way, tmp_path):
    program = build("l2fwd-soft", way)
    out = tmp_path / "out.pcap"
    status, printed = start(prefix, program, [f"net_pcap0,rx_pcap={SAMPLE},tx_pcap={out}"], 17)
    assert (status, printed) == (0, "port 0: MTU 1500, Tx offloads: none\n"
                                    "port 0: received 17, sent 17, dropped 0\n")
    assert textwrap.indent(printed, "   ") in GUIDE.read_text()
    frames = [[rec.data for rec in replay_tools.read_pcap(path)[2]] for path in (SAMPLE, out)]
    assert frames[0] == frames[1]


@needs_tshark
@pytest.mark.skipif(os.geteuid() != 0, reason="a plugin folder must belong to root")
@in_ways(SHARED, MESON, STATIC)
def test_l2fwd_soft_gains_offloads_by_a_vdev(prefix, build, way, tmp_path):
    """From a port without it to one with it. The two datagrams above the MTU are dropped."""
    program = build("l2fwd-soft", way)
    assert ("rte_eal.so" in needed(program)) == (way != STATIC)
    out = tmp_path / "out.pcap"
    vdevs = [f"net_pcap0,rx_pcap={SAMPLE},tx_pcap={tmp_path / 'back.pcap'}",
             f"net_pcap1,tx_pcap={out}", "net_soft_csum0,lower=net_pcap1"]
    plugin = None if way == STATIC else plugins(prefix) / "librte_net_soft_csum.so"
    status, printed = start(prefix, program, vdevs, 17, plugin=plugin)
    assert (status, printed) == (0, (
        "port 0: MTU 1500, Tx offloads: none\n"
        "port 2: MTU 1500, Tx offloads: IPV4_CKSUM UDP_CKSUM TCP_CKSUM TCP_TSO MULTI_SEGS\n"
        "port 0: received 17, sent 0, dropped 0\n"
        "port 2: received 0, sent 15, dropped 2\n"))
    layers = judged(out)
    assert {name: set(layers[name]) for name in ("ip", "udp", "tcp")} == {
        "ip": {"good"}, "udp": {"good"}, "tcp": {"good"}}
    assert (layers["tcp"]["good"], layers["udp"]["good"]) == (22, 5)
    assert layers["icmp"] == {"bad": 1}, "nobody asked for that one"
    assert streams(out) == streams(SAMPLE)
    assert max(len(rec.data) for rec in replay_tools.read_pcap(out)[2]) == 1518
