# SPDX-License-Identifier: BSD-3-Clause
"""The command line of dpdk-csum-testpmd: what it takes, what it refuses, how the EAL is started."""

import os
import pathlib
import pwd
import re
import shutil
import subprocess
import tempfile

import pytest
from replay_tools import APP, BUILD, TOP, record, write_pcap
from testpmd_tools import EAL, Session, ours

VERSION = (TOP / "VERSION").read_text().strip()


def run(*args, **kwargs):
    return subprocess.run([APP, *map(str, args)], capture_output=True, text=True, check=False,
                          timeout=60, stdin=subprocess.DEVNULL, **kwargs)


def run_and_look(*args):
    """-> (the result, what the process has left in the EAL's runtime directories)"""
    with subprocess.Popen([APP, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        stdout, stderr = process.communicate(timeout=60)
    left = [path for root in ("/var/run/dpdk", "/tmp/dpdk")
            for path in pathlib.Path(root).glob(f"csum-testpmd-{process.pid}*")]
    return subprocess.CompletedProcess(args, process.returncode, stdout, stderr), left


def test_help_names_every_option_and_goes_to_standard_output():
    done = run("--help-all")
    assert done.returncode == 0 and done.stderr == ""
    for option in ("--validate FILE", "--per-packet", "--replay FILE", "--write OUT", "--mtu N",
                   "--segsz N", "--uso N", "--force", "--drop-refused", "--json",
                   "-i, --interactive", "--forward-mode MODE", "--vdev DEVICE", "-h, --help"):
        assert option in done.stdout
    assert all(len(line) <= 90 for line in done.stdout.splitlines())


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_fits_a_screen(option):
    """And names no option that there is not, but the jobs, and where all options are."""
    done = run(option)
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", done.stdout))
    assert named <= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", run("--help-all").stdout))
    assert named >= {"--validate", "--replay", "--write", "--port", "--help-all"}


def test_version_names_ours_and_dpdk():
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith(f"dpdk-csum-testpmd {VERSION} (DPDK ")


REFUSED = {
    # arguments: what the message says
    "--frobnicate": "unknown option '--frobnicate'",
    "-x": "unknown option '-x'",
    "-ix": "unknown option '-x'",
    "stray": "unexpected argument 'stray'",
    "--validate": "--validate needs an argument",
    "--json=yes --validate f": "--json=yes takes no argument",
    "--mtu 67 --replay f --write o": "--mtu: '67' is not a number from 68 to 65535",
    "--mtu 65536 --replay f --write o": "--mtu: '65536' is not a number from 68 to 65535",
    "--mtu -1500 --replay f --write o": "--mtu: '-1500' is not a number from 68 to 65535",
    "--mtu 1500B --replay f --write o": "--mtu: '1500B' is not a number from 68 to 65535",
    "--mtu 99999999999999999999 --replay f": "is not a number from 68 to 65535",
    "--segsz 0 --replay f --write o": "--segsz: '0' is not a number from 1 to 65535",
    "--uso x --replay f --write o": "--uso: 'x' is not a number from 1 to 65535",
    "--burst 513": "--burst: '513' is not a number from 1 to 512",
    "--forward-mode 5tswap": "'5tswap' is none of: io mac macswap flowgen rxonly txonly csum "
                             "icmpecho",
    "--txpkts 20": "--txpkts: 20 is not a list of segment lengths",
    "--txpkts 64,x": "character x is not a decimal digit",
    "--txpkts 64,,64": "No valid value before comma",
    "--txpkts 64,": "No valid value after comma",
    "--txpkts 64,70000": "segment lengths 70000 > 65535 (maximum value)",
    "--txpkts 64,0": "length[1]=0 < 1 - give up",
    f"--txpkts {','.join(33 * ['2000'])}": "total packet length=66000 > 65535 - give up",
    f"--txpkts {','.join(256 * ['9'])}": "Number of segment lengths = 256 > 255 (maximum items)",
    "--txpkts 2049": "length[0]=2049 > mbuf_data_size=2048 - give up",
    "--total-num-mbufs=16777216 --mbuf-size=65535":
        "16777216 mbufs of 65535 bytes need more than 262144 MB",
    "--txpkts 300 --mbuf-size=400": "length[0]=300 > mbuf_data_size=272 - give up",
    "--tx-ip 10.0.0.1": "--tx-ip: 10.0.0.1 is not two IPv4 addresses",
    "--tx-ip 10.0.0.1,10.0.0.256": "--tx-ip: 10.0.0.1,10.0.0.256 is not two IPv4 addresses",
    "--tx-udp 1,2,3": "--tx-udp: 1,2,3 is not one or two UDP ports",
    "--eth-peer 0": "--eth-peer: 0 is not a port below",
    "--eth-peer 0,02:00:00:00:00": "--eth-peer: 0,02:00:00:00:00 is not a port below",
    "--flowgen-flows 0": "--flowgen-flows: '0' is not a number from 1 to 2147483647",
    "-i --tx-first": "--tx-first cannot be used with -i",
    "--port-topology ring": "--port-topology: 'ring' is none of: paired chained loop",
    "--validate a --validate b": "--validate is given twice",
    "--validate a --replay b --write c": "--replay cannot be used with --validate",
    "--replay a --write b --mtu 1500 --segsz 1000": "--segsz cannot be used with --mtu",
    "--replay a": "--replay needs --write OUT, or --port PORT",
    "--replay a --write b --port c": "--port cannot be used with --write",
    "--replay a --write b --loop 2": "--loop needs --port PORT",
    "--replay a --write b --speed 2": "--speed needs --port PORT",
    "--replay a --write b --topspeed": "--topspeed needs --port PORT",
    "--replay a --port b --pps 1 --mbps 1": "--pps, --mbps and --topspeed exclude each other",
    "--replay a --port b --speed 0": "--speed: '0' is not a number from 0.000001 to 1000000",
    "--replay a --port b --speed inf": "--speed: 'inf' is not a number",
    "--replay a --port b --speed 0x10": "--speed: '0x10' is not a number",
    "--replay a --port b --speed 1e3": "--speed: '1e3' is not a number",
    "--replay a --port b --speed .": "--speed: '.' is not a number",
    "--replay a --port b --force": "--force needs --write OUT",
    "--replay a --port b --drop-refused": "--drop-refused needs --write OUT",
    "--replay a --write b --vdev net_null0": "--vdev needs --port PORT",
    "--replay - --port b --loop 2": "--loop cannot be used with standard input",
    "--replay a --write b --fix-only --mtu 900": "--fix-only cuts nothing",
    "--validate a --keep-bad": "--keep-bad cannot be used with --validate",
    "--validate a --explain 0": "--explain: '0' is not a number from 1 to 4294967295",
    "--validate a --explain 1 --json": "--explain is for people: no --json, --tsv or --per-packet",
    "--validate a --explain 1 --tsv": "--explain is for people: no --json, --tsv or --per-packet",
    "--validate a --diff b --per-packet": "--diff is for people: no --json, --tsv or --per-packet",
    "--validate a --json --tsv": "--json cannot be used with --tsv",
    "--validate a --diff b --filter tcp": "--diff stands alone",
    "--validate a --color yes": "--color: 'yes' is none of: auto always never",
    "--write a": "--write needs --replay FILE",
    "--per-packet": "--per-packet needs --validate FILE",
    "--json": "--json needs --validate FILE or --replay FILE",
    "--validate a --force": "--force cannot be used with --validate",
    "--replay a --write b -i": "--interactive cannot be used with --replay",
    "--validate a --vdev net_null0": "--vdev cannot be used with --validate",
    "--no-huge -- --vdev net_null0": "--vdev goes before --, to the EAL",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_wrong_command_line_is_refused_by_name(arguments):
    done = run(*arguments.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert REFUSED[arguments] in done.stderr


def test_validation_starts_no_eal(tmp_path):
    path = write_pcap(tmp_path / "empty.pcap", [])
    # An argument that the EAL would refuse is not even seen by it.
    done = run("--no-such-eal-option", "--", "--validate", path)
    assert done.returncode == 0
    assert "EAL" not in done.stdout
    assert "--validate needs no EAL" in done.stderr


def test_eal_arguments_before_the_separator_are_passed_on_verbatim():
    done = run("--no-such-eal-option", "--", "-i")
    assert done.returncode == 2
    assert "unrecognized option '--no-such-eal-option'" in done.stderr
    assert "Cannot start the EAL" in done.stderr


def test_eal_speaks_on_standard_error_only():
    done = run(*EAL, "--vdev", "net_null0", "--")
    assert done.returncode == 0
    assert "EAL: " in done.stderr
    assert "EAL" not in done.stdout


def test_a_device_that_does_not_exist_is_an_error():
    done, left = run_and_look("--vdev", "net_nonsense0")
    assert done.returncode == 2
    assert "net_nonsense0" in done.stderr
    assert left == []


def test_without_ports_there_is_nothing_to_forward():
    done = run()
    assert done.returncode == 2
    assert "No ports to forward between" in done.stderr


def test_nothing_is_left_in_the_file_system():
    done, left = run_and_look("--vdev", "net_null0")
    assert done.returncode == 0
    assert left == []


def test_two_run_side_by_side():
    sessions = [Session(ours("-i", vdevs=["net_null0"])) for _ in range(2)]
    for session in sessions:
        session.send("start", "show port summary all")
        session.wait_for("net_null0")
    for session in sessions:
        status, text = session.end("quit")
        assert status == 0
        assert "Forward statistics for port 0" in text


@pytest.mark.parametrize("cpu", sorted(os.sched_getaffinity(0))[:2])
def test_one_cpu_is_enough_for_prompt_and_forwarding(cpu):
    session = Session(ours("-i", vdevs=["net_null0"]),
                      preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    session.send("start")
    session.wait_for("forwards packets on 1 streams")
    status, text = session.end("stop", "quit")
    assert status == 0
    assert int(text.split("RX-packets: ")[1].split()[0]) > 0


def test_one_lcore_of_the_eal_is_enough_for_prompt_and_forwarding():
    session = Session([APP, *EAL, "-l", min(os.sched_getaffinity(0)), "--vdev", "net_null0", "--",
                       "-i"])
    session.send("start")
    session.wait_for("forwards packets on 1 streams")
    status, text = session.end("stop", "quit")
    assert status == 0
    assert int(text.split("RX-packets: ")[1].split()[0]) > 0


def test_more_forwarding_cores_than_lcores_is_an_error():
    done = run(*EAL, "-l", min(os.sched_getaffinity(0)), "--vdev", "net_null0", "--",
               "--nb-cores=2")
    assert done.returncode == 2
    assert "--nb-cores: the EAL has 1 lcores to forward on" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed")
def test_root_is_not_needed():
    nobody = pwd.getpwnam("nobody")
    with tempfile.TemporaryDirectory() as stage:
        # The tree may be where only root can read it: the program and what it loads, for all.
        stage = pathlib.Path(stage)
        stage.chmod(0o755)
        for part in ("app/csum-testpmd/dpdk-csum-testpmd", "lib/csum/libdpdk_csum.so.0",
                     "drivers/net-soft-csum/librte_net_soft_csum.so"):
            (stage / part).parent.mkdir(parents=True)
            shutil.copy(BUILD / part, stage / part)
        source = write_pcap(stage / "in.pcap", [record(bytes(60))])
        out = subprocess.run(
            ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups",
             stage / "app/csum-testpmd/dpdk-csum-testpmd", "--vdev",
             f"net_pcap0,rx_pcap={source}", "--vdev", "net_soft_csum0,lower=net_pcap0"],
            capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
            cwd="/", env={"PATH": os.environ["PATH"]})
    assert out.returncode == 0, out.stderr
    assert "Forward statistics for port 1" in out.stdout
