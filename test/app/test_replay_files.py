# SPDX-License-Identifier: BSD-3-Clause
"""What --replay does with files: formats, times, link types, and what it leaves behind."""

import json
import os
import signal
import struct
import subprocess
import time

import pytest
from pcapng_tools import Section
from replay_tools import (APP, NULL, RAW, SECOND, SLL, SLL2, START, TOP, Record, payload, read_pcap,
                          read_pcapng, record, replay, replay_file, run, write_pcap)
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

ETHER = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
IP4 = bytes(IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=1, dport=2) / payload(40))
IP6 = bytes(IPv6(src="2001:db8::1", dst="2001:db8::2") / UDP(sport=1, dport=2) / payload(40))
FRAME = bytes(ETHER / IP4)
SUPER = bytes(ETHER / IP(src="10.0.0.1", dst="10.0.0.2") / TCP(flags="A") / payload(4000))
SAMPLES = TOP / "test/samples"


def folder_of(path):
    return sorted(p.name for p in path.iterdir())


# ---- formats and times

@pytest.mark.parametrize("order", ["<", ">"], ids=["little-endian", "big-endian"])
@pytest.mark.parametrize("nano", [True, False], ids=["ns", "us"])
def test_b109_times_keep_their_resolution(tmp_path, nano, order):
    times = [START + 789 if nano else START, START + 999_876_543 // 1000 * 1000]
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME, ns) for ns in times], nano, order)
    done = replay_file(path, tmp_path / "out.pcap")
    assert read_pcap(done.out)[:2] == (nano, 1)
    assert [r.ns for r in done.records] == times


@pytest.mark.parametrize("nano", [True, False], ids=["ns", "us"])
def test_pcapng_where_the_name_says_so(tmp_path, nano):
    records = [record(FRAME, START + i * 1000 + (7 if nano else 0)) for i in range(3)]
    records += [Record(START, FRAME[:40 + i], len(FRAME)) for i in range(4)]
    path = write_pcap(tmp_path / "in.pcap", records, nano)
    out = tmp_path / "out.pcapng"
    assert run("--replay", path, "--write", out).returncode == 1
    assert read_pcapng(out) == (nano, 1, records)
    # What was written can be read again, by the program too.
    again = tmp_path / "again.pcap"
    assert run("--replay", out, "--write", again).returncode == 1
    assert read_pcap(again) == (nano, 1, records)


def pcapng_block(kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, 12 + len(body)) + body + struct.pack("<I", 12 + len(body))


def test_b109_finest_interface_of_a_pcapng_file_counts(tmp_path):
    """The first interface stamps microseconds, as is the default, the second nanoseconds."""
    section = pcapng_block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    coarse = pcapng_block(1, struct.pack("<HHI", 1, 0, 0))
    fine = pcapng_block(1, struct.pack("<HHIHHB3xI", 1, 0, 0, 9, 1, 9, 0))
    stamps = [(0, START // 1000), (1, START + 789)]
    path = tmp_path / "in.pcapng"
    path.write_bytes(section + coarse + fine + b"".join(
        pcapng_block(6, struct.pack("<IIIII", interface, stamp >> 32, stamp & 0xFFFFFFFF,
                                    len(FRAME), len(FRAME)) + FRAME)
        for interface, stamp in stamps))
    done = replay_file(path, tmp_path / "out.pcap")
    assert [r.ns for r in done.records] == [START, START + 789]


@pytest.mark.parametrize("name, reader", [("o.pcap", read_pcap), ("o.pcapng", read_pcapng)])
def test_b109_times_up_to_2106(tmp_path, name, reader):
    times = [0, 2**31 * SECOND + 1, (2**32 - 1) * SECOND + 999_999_999]
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME, ns) for ns in times], nano=True)
    assert run("--replay", path, "--write", tmp_path / name).returncode == 0
    assert [r.ns for r in reader(tmp_path / name)[2]] == times


def test_time_that_pcap_cannot_hold(tmp_path):
    """pcapng has 64 bits for it, and interfaces may add an offset."""
    section = Section().interface(1, tsoffset=2**32 - 1)
    section.packet(FRAME, units=999_999).packet(FRAME, units=1_000_000)
    path = tmp_path / "in.pcapng"
    path.write_bytes(section.data)
    done = run("--replay", path, "--write", tmp_path / "o.pcap")
    assert done.returncode == 2 and folder_of(tmp_path) == ["in.pcapng"]
    assert f"{path}: packet 2: the seconds of its time, 4294967296, do not fit" in done.stderr
    assert run("--replay", path, "--write", tmp_path / "o.pcapng").returncode == 0
    assert [r.ns for r in read_pcapng(tmp_path / "o.pcapng")[2]] == [
        2**32 * SECOND - 1000, 2**32 * SECOND]


def test_times_beyond_what_nanoseconds_hold(tmp_path):
    """They become the nearest: neither wraps around."""
    section = Section().interface(1, tsresol=0).interface(1, tsresol=9, tsoffset=-2**40)
    section.packet(FRAME, units=2**40).packet(FRAME, interface=1, units=5)
    path = tmp_path / "in.pcapng"
    path.write_bytes(section.data)
    assert run("--replay", path, "--write", tmp_path / "o.pcapng").returncode == 0
    assert [r.ns for r in read_pcapng(tmp_path / "o.pcapng")[2]] == [2**64 - 1, 0]


def test_empty_capture(tmp_path):
    done = replay(tmp_path, [])
    assert done.status == 0 and done.records == []
    assert done.report["packets_in"] == done.report["packets_out"] == 0


# ---- link types

def sll(proto):
    return struct.pack("!HHH8sH", 0, 1, 6, b"\2\0\0\0\0\1", proto)


def sll2(proto):
    return struct.pack("!HHIHBB8s", proto, 0, 1, 1, 0, 6, b"\2\0\0\0\0\1")


LINKS = {
    "sll-ipv4": (SLL, sll(0x0800), IP4, "0800"),
    "sll-ipv6": (SLL, sll(0x86DD), IP6, "86dd"),
    "sll-vlan": (SLL, sll(0x8100), b"\0\5\x08\0" + IP4, "8100"),
    "sll-arp": (SLL, sll(0x0806), bytes(28), "0806"),
    "sll2-ipv4": (SLL2, sll2(0x0800), IP4, "0800"),
    "sll2-ipv6": (SLL2, sll2(0x86DD), IP6, "86dd"),
    "raw-ipv4": (RAW, b"", IP4, "0800"),
    "raw-ipv6": (RAW, b"", IP6, "86dd"),
    "null-ipv4": (NULL, struct.pack("<I", 2), IP4, "0800"),
    "null-ipv6": (NULL, struct.pack(">I", 30), IP6, "86dd"),
}


@pytest.mark.parametrize("link", LINKS)
def test_b108_other_link_types_get_an_ethernet_header(tmp_path, link):
    linktype, head, rest, ether_type = LINKS[link]
    done = replay(tmp_path, [head + rest], linktype=linktype)
    frame = done.records[0].data
    assert read_pcap(done.out)[1] == 1
    assert frame[12:].hex() == ether_type + rest.hex()
    assert all(frame[i] & 3 == 2 for i in (0, 6)), "locally administered, for one station"
    assert done.records[0].wire_len == len(frame)
    assert done.status == 0


def test_super_packet_without_ethernet_is_cut(tmp_path):
    done = replay(tmp_path, [sll(0x0800) + SUPER[14:]], linktype=SLL)
    assert [len(r.data) for r in done.records] == [1514, 1514, 14 + 40 + 1080]
    assert b"".join(r.data[54:] for r in done.records) == SUPER[54:]


def test_snapped_packet_without_ethernet_keeps_what_is_missing(tmp_path):
    done = replay(tmp_path, [Record(START, sll(0x0800) + IP4[:30], 16 + len(IP4))], linktype=SLL)
    assert done.records[0].data[14:] == IP4[:30]
    assert done.records[0].wire_len == 14 + len(IP4)


def test_unsupported_link_type(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)], linktype=147)
    done = run("--replay", path, "--write", tmp_path / "out.pcap")
    assert done.returncode == 2
    assert "link type" in done.stderr
    assert folder_of(tmp_path) == ["in.pcap"]


# ---- as long as a record may be

LONGEST = 262144


def raw_ip(proto, size):
    """With a total length of 0, which means all there is."""
    return bytes(IP(src="10.0.0.1", dst="10.0.0.2", len=0, proto=proto)) + payload(size - 20)


@pytest.mark.parametrize("options, proto, reason", [
    ([], 1, "too_long"), (["--fix-only"], 17, "too_long"), ([], 17, None),
], ids=["refused", "whole", "cut"])
def test_longest_record_with_an_ethernet_header_before_it(tmp_path, options, proto, reason):
    """What would be 14 bytes longer than libpcap reads is left out, and said so."""
    packet = raw_ip(proto, LONGEST)
    if proto == 17:
        packet = packet[:20] + struct.pack("!HHHH", 1, 2, 0, 0) + packet[28:]
    uso = ["--uso", "1400"] if reason is None else options
    done = replay(tmp_path, [IP4, packet, IP4], *uso, linktype=RAW)
    assert max(len(r.data) for r in done.records) <= LONGEST
    if reason is None:
        assert done.report["refused"] == {} and len(done.records) > 150
    else:
        assert done.report["refused"] == {reason: 1} and len(done.records) == 2
        assert f"packet 2 refused: {reason}" in done.stderr


# ---- what is left behind

def test_existing_output_is_kept(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    out = tmp_path / "out.pcap"
    out.write_text("mine")
    done = run("--replay", path, "--write", out)
    assert done.returncode == 2
    assert "out.pcap" in done.stderr and "--force" in done.stderr
    assert out.read_text() == "mine"
    assert folder_of(tmp_path) == ["in.pcap", "out.pcap"]


def test_force_replaces_the_output(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    out = tmp_path / "out.pcap"
    out.write_text("old")
    assert run("--replay", path, "--write", out, "--force").returncode == 0
    assert read_pcap(out)[2] == [record(FRAME)]
    assert folder_of(tmp_path) == ["in.pcap", "out.pcap"]


def test_output_may_be_the_input(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(SUPER)])
    assert run("--replay", path, "--write", path, "--force").returncode == 0
    assert len(read_pcap(path)[2]) == 3


def test_device_is_not_replaced(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    out = tmp_path / "null"
    out.symlink_to("/dev/null")
    assert run("--replay", path, "--write", out, "--force").returncode == 2
    assert out.is_symlink()


def test_output_has_the_permissions_of_a_new_file(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    out = tmp_path / "out.pcap"
    run("--replay", path, "--write", out, umask=0o027)
    assert out.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["new", "force"])
@pytest.mark.parametrize("cut", [10, 20, 60])
def test_input_that_breaks_leaves_no_output(tmp_path, force, cut):
    path = write_pcap(tmp_path / "in.pcap", [record(SUPER)] * 3)
    path.write_bytes(path.read_bytes()[:-cut - (len(SUPER) if cut == 20 else 0)])
    out = tmp_path / "out.pcap"
    if force:
        out.write_text("old")
    done = run("--replay", path, "--write", out, *force)
    assert done.returncode == 2
    assert "in.pcap" in done.stderr and "packet" in done.stderr
    assert folder_of(tmp_path) == ["in.pcap"] + (["out.pcap"] if force else [])
    assert not force or out.read_text() == "old"


@pytest.mark.parametrize("content", [None, b"", b"no capture at all, but long enough to be read"])
def test_unreadable_input(tmp_path, content):
    path = tmp_path / "in.pcap"
    if content is not None:
        path.write_bytes(content)
    done = run("--replay", path, "--write", tmp_path / "out.pcap")
    assert done.returncode == 2
    assert "in.pcap" in done.stderr
    assert not (tmp_path / "out.pcap").exists()


def test_output_folder_that_is_not_there(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    done = run("--replay", path, "--write", tmp_path / "none/out.pcap")
    assert done.returncode == 2
    assert "none/out.pcap" in done.stderr


@pytest.mark.parametrize("trap, status", [('trap "" XFSZ;', 2), ("", -signal.SIGXFSZ)],
                         ids=["error", "signal"])
def test_full_disk_leaves_no_output(tmp_path, trap, status):
    path = write_pcap(tmp_path / "in.pcap", [record(SUPER)] * 50)
    command = f'ulimit -f 100; {trap} exec "{APP}" --replay "{path}" --write "{tmp_path}/o"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert folder_of(tmp_path) == ["in.pcap"]


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for 64 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk],
                          capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("needs leave to mount")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("name", ["o.pcap", "o.pcapng", "o.pcap.gz"])
@pytest.mark.parametrize("nb", [20, 400], ids=["at-the-end", "half-way"])
def test_disk_that_fills_up(tmp_path, small_disk, name, nb):
    """What is to be written is 80 KB, which are flushed at the end, or 1.6 MB."""
    noise = [record(bytes(ETHER / IP(src="10.0.0.1", dst="10.0.0.2") / TCP(flags="A") /
                          os.urandom(4000))) for _ in range(nb)]
    path = write_pcap(tmp_path / "in.pcap", noise)
    done = run("--replay", path, "--write", small_disk / name)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f"{small_disk / name}: cannot be written: No space left on device\n"
    assert folder_of(small_disk) == []


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                                 signal.SIGABRT])
def test_signal_leaves_no_output(tmp_path, sig):
    pipe, out = tmp_path / "in", tmp_path / "o"
    os.mkfifo(pipe)
    whole = write_pcap(tmp_path / "in.pcap", [record(SUPER)] * 20).read_bytes()
    # Not ignored, as it is where the tests run under nohup.
    with subprocess.Popen([APP, "--replay", pipe, "--write", out],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=lambda: signal.signal(sig, signal.SIG_DFL)) as process:
        with open(pipe, "wb") as feed:
            feed.write(whole[:-1000])
            feed.flush()
            deadline = time.monotonic() + 30
            while len(folder_of(tmp_path)) < 3 and time.monotonic() < deadline:
                time.sleep(0.01)
            assert len(folder_of(tmp_path)) == 3, "no temporary file has appeared"
            time.sleep(0.1)
            process.send_signal(sig)
            process.wait(30)
    assert process.returncode == -sig
    assert folder_of(tmp_path) == ["in", "in.pcap"]


# ---- the report

def test_json_keys_and_their_order(tmp_path):
    done = run("--replay", SAMPLES / "sample.pcap", "--write", tmp_path / "o.pcap", "--json")
    report = json.loads(done.stdout)
    assert list(report) == ["packets_in", "super_packets", "segments_out", "packets_out",
                            "filled", "refused", "out"]
    assert list(report["out"]) == ["ip", "udp", "udplite", "tcp", "icmp", "icmpv6", "igmp",
                                   "sctp", "dccp", "gre"]


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_report_that_cannot_be_written(tmp_path, options):
    path = write_pcap(tmp_path / "in.pcap", [record(FRAME)])
    with open("/dev/full", "w") as full:
        done = subprocess.run([APP, "--replay", path, "--write", tmp_path / "o", *options],
                              stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "cannot write the report: No space left on device\n"


def test_text_shows_before_and_after(tmp_path):
    done = run("--replay", SAMPLES / "sample.pcap", "--write", tmp_path / "o.pcap")
    assert done.returncode == 0, done.stderr
    before, after = done.stdout.split("\nafter: ")
    assert before.startswith("before: ")
    assert "partial" in before and "6 super-packets became 27 packets\n" in after
    assert "filled:" in after and "refused: none" in after


def test_refused_packets_are_listed(tmp_path):
    big = bytes(ETHER / IP() / ICMP() / payload(3000))
    done = replay(tmp_path, [FRAME, big, FRAME, big])
    assert [line for line in done.stderr.splitlines() if "refused" in line] == [
        f"{tmp_path / 'in.pcap'}: packet {n} refused: protocol" for n in (2, 4)
    ]


# ---- the sample

def test_sample_is_what_its_script_makes(tmp_path):
    made = tmp_path / "made.pcap"
    subprocess.run(["/usr/bin/python3", "-B", SAMPLES / "make_sample.py", made], check=True)
    assert made.read_bytes() == (SAMPLES / "sample.pcap").read_bytes()
    assert made.stat().st_size < 100_000


def test_sample_comes_out_clean(tmp_path):
    done = replay_file(SAMPLES / "sample.pcap", tmp_path / "out.pcap")
    assert done.status == 0, done.stderr
    assert done.report["refused"] == {}
    assert done.report["super_packets"] == 6
    assert all(counts.keys() <= {"good", "zero", "fragment"}
               for counts in done.report["out"].values())
    assert max(len(r.data) for r in done.records) <= 1518
