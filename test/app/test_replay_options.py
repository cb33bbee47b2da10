# SPDX-License-Identifier: BSD-3-Clause
"""Options of --replay: what is selected, what is left as it is, and ports with their pace."""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from pcapng_tools import Section
from replay_tools import (APP, BUILD, E, I4, I6, INNER, NULL, O4, RAW, START, T, TOP, TUNNELS,
                          U, assert_right, payload, put16, read_pcap, record, replay, replay_file,
                          run, write_pcap)
from scapy.layers.inet import IP

GOOD = bytes(E / I4 / T / payload(100))
BAD = put16(GOOD, 50, 0x1234)
PARTIAL = put16(GOOD, 50, 0x1481)  # the pseudo header of 10.0.0.1 and .2, TCP and 120 bytes
SUPER = bytes(E / I4 / T / payload(4000))
UDP = bytes(E / I6 / U / payload(50))
MS = 1_000_000


def frames(done):
    return [r.data for r in done.records]


# ---- what is selected

@pytest.mark.parametrize("packets, numbers", [
    ("1", [1]), ("2-4", [2, 3, 4]), ("1,3,5-", [1, 3, 5, 6]), ("6,2", [2, 6]), ("9", []),
    ("2-2,2", [2]),
])
def test_ranges_of_packets(tmp_path, packets, numbers):
    many = [bytes(E / I4 / U / payload(10 + n)) for n in range(6)]
    done = replay(tmp_path, many, "--packets", packets)
    assert frames(done) == [many[n - 1] for n in numbers]
    assert done.report["packets_in"] == len(numbers)
    report = run("--validate", tmp_path / "in.pcap", "--per-packet", "--packets", packets).stdout
    assert [line.split()[0] for line in report.splitlines()[1:]] == [str(n) for n in numbers]


@pytest.mark.parametrize("packets", ["", "0", "5-3", "1,", "x", "1-x", "1 2", "-3", "1,,2",
                                     "99999999999999999999", ",".join("1" * 65)])
def test_ranges_that_are_none(tmp_path, packets):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)])
    for job in (["--validate", path], ["--replay", path, "--write", tmp_path / "o"]):
        done = run(*job, "--packets", packets)
        assert done.returncode == 2 and "is not like 1-5,9,100-" in done.stderr


def test_reading_ends_with_the_last_packet_asked_for(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)] * 3)
    path.write_bytes(path.read_bytes()[:-1])
    assert run("--validate", path, "--packets", "1").returncode == 0
    assert run("--validate", path, "--packets", "1-3").returncode == 2


def test_filter(tmp_path):
    done = replay(tmp_path, [GOOD, UDP, SUPER, UDP], "--filter", "ip6 and udp port 4096")
    assert frames(done) == [UDP, UDP]


def test_filter_is_compiled_for_each_link_type(tmp_path):
    section = Section().interface(1).interface(RAW).interface(NULL)
    for number, head in enumerate((GOOD[:14], b"", b"\2\0\0\0")):
        section.packet(head + GOOD[14:], number)
        section.packet(head + bytes(I4 / U / b"12"), number)
    path = tmp_path / "in.pcapng"
    path.write_bytes(section.data)
    done = replay_file(path, tmp_path / "out.pcap", "--filter", "tcp")
    assert [f[14:] for f in frames(done)] == [GOOD[14:]] * 3


@pytest.mark.parametrize("job", ["--validate", "--replay"])
@pytest.mark.parametrize("records", [[], [record(GOOD)]], ids=["empty", "one-packet"])
def test_filter_that_makes_no_sense(tmp_path, job, records):
    path = write_pcap(tmp_path / "in.pcap", records)
    write = ["--write", tmp_path / "o"] if job == "--replay" else []
    done = run(job, path, *write, "--filter", "host host")
    assert done.returncode == 2
    assert "--filter: " in done.stderr and "EN10MB" in done.stderr
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("data, expression, status", [
    (b"", "host host", 2), (b"", "tcp", 0),
    (Section().interface(1).data, "host host", 2), (Section().interface(1).data, "ifindex 3", 0),
], ids=["no-interface", "no-interface-good", "interface", "for-another-link-type"])
def test_filter_of_a_pcapng_file_without_packets(tmp_path, data, expression, status):
    path = tmp_path / "in.pcapng"
    path.write_bytes(data or Section().data)
    done = run("--validate", path, "--filter", expression)
    assert done.returncode == status
    assert ("--filter: " in done.stderr) == (status == 2)


# ---- what is left as it is

def test_fix_only_cuts_nothing(tmp_path):
    zero_len = put16(put16(SUPER, 16, 0), 50, 0)
    tunnel = bytes(E / O4 / TUNNELS["vxlan"] / INNER / I4 / T / payload(3000))
    done = replay(tmp_path, [SUPER, put16(SUPER, 50, 0), zero_len, put16(tunnel, 100, 7), BAD],
                  "--fix-only")
    assert frames(done) == [SUPER, SUPER, SUPER, tunnel, GOOD]
    assert done.status == 0 and done.report["filled"] == {"udp": 1, "tcp": 4}


def test_fix_only_of_a_packet_that_fits_no_length(tmp_path):
    """Its length stays 0; its checksum has all 32 bits of the length in the pseudo header."""
    head = bytes(E / IP(src="10.0.0.1", dst="10.0.0.2", len=0) / T)
    done = replay(tmp_path, [head + payload(80001)], "--fix-only")
    assert done.status == 0 and done.report["out"] == {"ip": {"good": 1}, "tcp": {"good": 1}}
    assert [len(f) for f in frames(done)] == [len(head) + 80001]
    assert done.records[0].data[16:18] == b"\0\0"


def test_keep_bad_fills_what_is_partial_alone(tmp_path):
    done = replay(tmp_path, [GOOD, BAD, PARTIAL, put16(UDP, 60, 0)], "--keep-bad")
    assert frames(done) == [GOOD, BAD, GOOD, put16(UDP, 60, 0)]
    assert done.status == 1 and done.report["filled"] == {"tcp": 1}


def test_keep_bad_makes_segments_right(tmp_path):
    done = replay(tmp_path, [put16(SUPER, 50, 1)], "--keep-bad")
    assert done.status == 0 and len(done.records) == 3
    for frame in frames(done):
        assert_right(frame)


def test_judge_off_writes_the_same(tmp_path):
    done = replay(tmp_path, [GOOD, BAD, SUPER], "--judge", "off")
    assert len(done.records) == 5 and done.report["out"] == {}
    assert done.report["filled"] == {"tcp": 1}


def test_quiet(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(BAD)])
    done = run("--validate", path, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    done = run("--replay", path, "--write", tmp_path / "o", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("option", ["--json", "--tsv", "--per-packet", "--explain=1"])
def test_quiet_is_about_tables(tmp_path, option):
    path = write_pcap(tmp_path / "in.pcap", [record(BAD)])
    plain, quiet = (run("--validate", path, option, *more) for more in ((), ("--quiet",)))
    assert plain.stdout != "" and quiet.stdout == plain.stdout


@pytest.mark.parametrize("option", ["--json", "--tsv"])
def test_quiet_replay_reports_to_programs(tmp_path, option):
    path = write_pcap(tmp_path / "in.pcap", [record(BAD)])
    plain, quiet = (run("--replay", path, "--write", tmp_path / "o", "--force", option, *more)
                    for more in ((), ("--quiet",)))
    assert plain.stdout != "" and quiet.stdout == plain.stdout


# ---- ports

def send(tmp_path, records, *options):
    """Replay to a port that writes -> (the report, what arrived)"""
    path = write_pcap(tmp_path / "in.pcap", records)
    out = tmp_path / "wire.pcap"
    done = run("--replay", path, "--port", "net_pcap0", "--vdev", f"net_pcap0,tx_pcap={out}",
               "--json", *options)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout), read_pcap(out)[2]


def test_port_sends_what_write_would_write(tmp_path):
    records = [record(f, START + i) for i, f in enumerate([GOOD, BAD, SUPER, UDP])]
    written = replay(tmp_path, records)
    report, sent = send(tmp_path, records, "--topspeed")
    assert [r.data for r in sent] == frames(written)
    assert list(report)[-2:] == ["bytes_out", "seconds"]
    assert report["packets_out"] == len(sent) == 6
    assert report["bytes_out"] == sum(len(r.data) for r in sent)
    assert report["super_packets"] == 1 and report["segments_out"] == 3


def test_refused_packets_are_not_sent(tmp_path):
    report, sent = send(tmp_path, [record(GOOD), record(GOOD[:60], wire_len=154)], "--topspeed")
    assert report["refused"] == {"snapped": 1} and len(sent) == 1


def test_loop(tmp_path):
    report, sent = send(tmp_path, [record(GOOD), record(SUPER)], "--topspeed", "--loop", 3)
    assert report["packets_in"] == 6
    assert [len(r.data) for r in sent] == [154, 1514, 1514, 1134] * 3


PACES = {
    # options: the seconds that 5 packets, 100 ms apart, take
    "captured": ([], 0.4), "twice": (["--speed", "2"], 0.2), "slower": (["--speed", "0.8"], 0.5),
    "pps": (["--pps", "20"], 0.2), "mbps": (["--mbps", "1"], 4 * 1250 * 8 / 1e6),
}


@pytest.mark.parametrize("name", PACES)
def test_pace(tmp_path, name):
    """At least so long: a busy machine may add to it."""
    options, seconds = PACES[name]
    frame = bytes(E / I4 / U / payload(1250 - 42)) if name == "mbps" else GOOD
    records = [record(frame, START + i * 100 * MS) for i in range(5)]
    path = write_pcap(tmp_path / "in.pcap", records)
    done = run("--replay", path, "--port", "net_null0", "--vdev", "net_null0", "--json", *options)
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["packets_out"] == 5
    assert seconds - 0.001 <= report["seconds"] < seconds + 2


def replay_in_time(tmp_path, times, *options):
    """-> (the report, messages); it is over in less than 20 seconds."""
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD, ns) for ns in times], nano=True)
    done = run("--replay", path, "--port", "net_null0", "--vdev", "net_null0", "--json", *options)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["packets_out"] == len(times) and report["seconds"] < 20
    return report, done.stderr


HOUR = 3600 * 1000 * MS


def test_steps_of_time_stamps_are_not_waited_for(tmp_path):
    """Up and down; what follows keeps the pace again."""
    times = [0, START, START + 200 * MS, START - 2 * HOUR, START - 2 * HOUR + 200 * MS]
    report, said = replay_in_time(tmp_path, times)
    assert report["seconds"] >= 0.399
    assert said.count("packet 2: its time is more than an hour away") == 1
    assert said.count("more than an hour") == 1


def test_time_that_goes_back_takes_no_time(tmp_path):
    """The pace is that of the latest time so far, so that the order of capture adds nothing."""
    times = [START, START + 300 * MS, START + 100 * MS, START + 400 * MS]
    report, said = replay_in_time(tmp_path, times)
    assert 0.399 <= report["seconds"] < 0.4 + 2 and said == ""


def test_an_hour_is_waited_for(tmp_path):
    report, said = replay_in_time(tmp_path, [START, START + HOUR], "--speed", "7200")
    assert report["seconds"] >= 0.499 and said == ""


def test_signal_while_reading_standard_input(tmp_path):
    """It is waited for a packet of which only a part has come."""
    whole = write_pcap(tmp_path / "in.pcap", [record(GOOD)] * 3).read_bytes()
    with subprocess.Popen([APP, "--replay", "-", "--port", "net_null0", "--vdev", "net_null0",
                           "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        process.stdin.write(whole[:-60])
        process.stdin.flush()
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.wait(30)
        stdout, stderr = process.stdout.read(), process.stderr.read()
    assert (process.returncode, stderr) == (0, b"")
    assert json.loads(stdout)["packets_out"] == 2


def test_signal_ends_with_a_report(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD), record(GOOD, START + 1000 * 1000 * MS)])
    with subprocess.Popen([APP, "--replay", path, "--port", "net_null0", "--vdev", "net_null0",
                           "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and json.loads(stdout)["packets_out"] == 1


@pytest.mark.parametrize("name", ["0", "net_null0"])
def test_port_by_id_and_name(tmp_path, name):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)])
    done = run("--replay", path, "--port", name, "--vdev", "net_null0", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["packets_out"] == 1


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
@pytest.mark.skipif("asan" in BUILD.name, reason="a sanitizer wants to be loaded first")
@pytest.mark.skipif(not os.access("/dev/net/tun", os.W_OK), reason="needs /dev/net/tun")
def test_pool_outlives_the_port_below(tmp_path):
    """The Rx queue of a tap port holds mbufs until it is closed; a shim looks when that goes."""
    shim = tmp_path / "shim.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, TOP / "test/app/pool_shim.c",
                    "-ldl"], check=True)
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)])
    done = run("--replay", path, "--port", "net_tap0", "--vdev", "net_tap0,iface=csumcap0",
               env=os.environ | {"LD_PRELOAD": str(shim)})
    assert done.returncode == 0, done.stderr
    assert "pool replay: 0 in use" in done.stderr


@pytest.mark.parametrize("port", ["net_null7", "7", "", " 0", "-0", "+0"])
def test_port_that_is_not_there(tmp_path, port):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)])
    done = run("--replay", path, f"--port={port}", "--vdev", "net_null0")
    assert done.returncode == 2 and f"there is no port {port}\n" in done.stderr
