# SPDX-License-Identifier: BSD-3-Clause
"""Formats of captures: pcapng with interfaces of all kinds, gzip, standard input and output."""

import gzip
import json
import os
import pty
import struct
import subprocess

import pytest
from pcapng_tools import Section
from replay_tools import (APP, E, I4, NULL, SECOND, SLL, START, T, TOP, payload,
                          put16, read_pcap, read_pcapng, record, replay_file, run, write_pcap)

GOOD = bytes(E / I4 / T / payload(100))
BAD = put16(GOOD, 50, 0x1234)
SUPER = bytes(E / I4 / T / payload(4000))
IP4 = GOOD[14:]
SAMPLE = TOP / "test/samples/sample.pcap"


def save(path, *sections):
    path.write_bytes(b"".join(section.data for section in sections))
    return path


def tcp_column(path):
    """-> (exit code, the tcp cell of each packet, standard error)"""
    done = run("--validate", path, "--per-packet")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return done.returncode, [cells[4] for cells in lines[1:]], done.stderr


# ---- pcapng

@pytest.mark.parametrize("order", "<>")
def test_interfaces_of_several_link_types(tmp_path, order):
    section = Section(order).interface(1).interface(101).interface(NULL).interface(SLL, 96)
    section.packet(GOOD).packet(IP4, 1).packet(b"\2\0\0\0" + IP4, 2)
    section.packet(struct.pack("!HHH8xH", 0, 1, 6, 0x0800) + IP4, 3).packet(BAD, 0)
    path = save(tmp_path / "in.pcapng", section)
    assert tcp_column(path) == (1, ["good"] * 4 + ["bad"], "")
    done = replay_file(path, tmp_path / "out.pcap")
    assert done.status == 0 and [r.data[14:] for r in done.records] == [IP4] * 5


def test_link_types_that_are_not_supported_are_named_and_skipped(tmp_path):
    section = Section().interface(1).interface(105).interface(147)
    section.packet(GOOD).packet(GOOD, 1).packet(GOOD, 1).packet(GOOD, 2).packet(BAD)
    path = save(tmp_path / "in.pcapng", section)
    code, cells, err = tcp_column(path)
    assert (code, cells) == (2, ["good", "-", "-", "-", "bad"])
    assert [line.split(" is not")[0] for line in err.splitlines()] == [
        f"{path}: packet 2: link type IEEE802_11 (105)",
        f"{path}: packet 4: link type unknown (147)"]
    report = json.loads(run("--validate", path, "--json").stdout)
    assert (report["packets"], report["skipped"]) == (5, 3)
    assert "3 packets skipped" in run("--validate", path).stdout
    done = replay_file(path, tmp_path / "out.pcap")
    assert done.status == 1 and done.report["refused"] == {"link_type": 3}
    assert done.report["packets_in"] == 5 and len(done.records) == 2


RESOLUTIONS = {
    # if_tsresol: (units since 1970, nanoseconds)
    None: (START // 1000, START),
    0: (1_700_000_000, 1_700_000_000 * SECOND),
    3: (START // 10**6, START // 10**6 * 10**6),
    9: (START + 7, START + 7),
    12: ((START // 10**4 + 7) * 1000 + 5, START // 10**4 + 7),
    0x80 | 0: (1_700_000_000, 1_700_000_000 * SECOND),
    0x80 | 10: ((1_700_000_000 << 10) + 512, 1_700_000_000 * SECOND + SECOND // 2),
    0x80 | 30: ((1_700_000_000 << 30) + 1, 1_700_000_000 * SECOND),
    0x80 | 127: (2**64 - 1, 0),
    127: (2**64 - 1, 0),
}


@pytest.mark.parametrize("order", "<>")
def test_each_interface_has_its_time_resolution(tmp_path, order):
    section = Section(order)
    for resolution in RESOLUTIONS:
        section.interface(1, tsresol=resolution, extra=section.option(2, b"eth0"))
    for number, (units, _) in enumerate(RESOLUTIONS.values()):
        section.packet(GOOD, number, units)
    done = replay_file(save(tmp_path / "in.pcapng", section), tmp_path / "out.pcap")
    assert read_pcap(done.out)[0], "nanoseconds"
    assert [r.ns for r in done.records] == [ns for _, ns in RESOLUTIONS.values()]


def test_time_offset(tmp_path):
    section = Section().interface(tsresol=9, tsoffset=1_600_000_000).packet(GOOD, units=SECOND + 1)
    done = replay_file(save(tmp_path / "in.pcapng", section), tmp_path / "out.pcap")
    assert [r.ns for r in done.records] == [1_600_000_001 * SECOND + 1]


def test_sections_have_byte_orders_and_interfaces_of_their_own(tmp_path):
    path = save(tmp_path / "in.pcapng", Section("<").interface(1).packet(GOOD),
                Section(">", minor=2).interface(101).packet(IP4).packet(IP4),
                Section("<").interface(1).packet(BAD))
    assert tcp_column(path) == (1, ["good"] * 3 + ["bad"], "")


def test_simple_and_obsolete_blocks_and_those_nobody_knows(tmp_path):
    section = Section().interface(1, snaplen=100).block(4, bytes(20)).simple(GOOD[:100], len(GOOD))
    section.packet(GOOD, kind=2).block(0xBAD, b"custom").block(0x80001234, bytes(70000))
    section.packet(BAD)
    assert tcp_column(save(tmp_path / "in.pcapng", section))[1] == ["truncated", "good", "bad"]


BROKEN = {
    "interface": (Section().packet(GOOD).data, "packet 1: byte 28: interface 0"),
    "too-long": (Section().interface().packet(GOOD).packet(bytes(262145)).data,
                 "packet 2: byte 236: 262145 bytes are more than 262144"),
    "version": (Section().data.replace(b"\1\0\0\0\xff", b"\2\0\0\0\xff"), "version 2.0"),
    "trailer": (Section().interface().data[:-4] + b"\1\0\0\0", "ends with the length 1"),
    "unaligned": (Section().data + struct.pack("<III", 5, 13, 13), "a block of 13 bytes"),
    "short-block": (Section().data + struct.pack("<III", 5, 8, 8), "a block of 8 bytes"),
    "no-room": (Section().interface().block(6, bytes(8)).data, "type 6 is too short"),
    "cut-front": (Section().interface().packet(GOOD).data + b"\6\0\0", "inside a block's first 8"),
    "cut-body": (Section().interface().packet(GOOD).packet(GOOD).data[:-9],
                 "packet 2: byte 236: the file ends inside a block of 188 bytes"),
    "order": (b"\x0a\x0d\x0d\x0a" + bytes(40), "without a byte order"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_pcapng_is_named(tmp_path, name):
    data, message = BROKEN[name]
    path = tmp_path / "in.pcapng"
    path.write_bytes(data)
    code, cells, err = tcp_column(path)
    assert code == 2 and err.startswith(f"{path}: packet {len(cells) + 1}: byte ")
    assert message in err


def test_longest_packet(tmp_path):
    big = GOOD + bytes(262144 - len(GOOD))
    assert tcp_column(save(tmp_path / "in.pcapng", Section().interface().packet(big)))[1] == [
        "good"]


# ---- gzip

@pytest.mark.parametrize("ng", [False, True], ids=["pcap", "pcapng"])
def test_compressed_input(tmp_path, ng):
    plain = write_pcap(tmp_path / "in.pcap", [record(GOOD), record(BAD)])
    if ng:
        save(plain, Section().interface().packet(GOOD).packet(BAD))
    packed = tmp_path / "in.gz"
    # In two members, as gzip files put one behind the other are.
    packed.write_bytes(gzip.compress(plain.read_bytes()[:200]) +
                       gzip.compress(plain.read_bytes()[200:]))
    assert tcp_column(packed) == (1, ["good", "bad"], "")


@pytest.mark.parametrize("cut", [1, 9, 400])
def test_compressed_input_that_breaks_off(tmp_path, cut):
    plain = write_pcap(tmp_path / "in.pcap", [record(GOOD)] * 3 + [record(os.urandom(1000))] * 2)
    path = tmp_path / "in.pcap.gz"
    path.write_bytes(gzip.compress(plain.read_bytes())[:-cut])
    code, cells, err = tcp_column(path)
    assert code == 2 and cells[:3] == ["good"] * 3
    assert f"packet {len(cells) + 1}: byte " in err and "unexpected end of file" in err


def test_compressed_input_with_a_wrong_sum(tmp_path):
    path = tmp_path / "in.pcap.gz"
    packed = bytearray(gzip.compress(write_pcap(tmp_path / "p", [record(GOOD)]).read_bytes()))
    packed[-5] ^= 1
    path.write_bytes(packed)
    code, _, err = tcp_column(path)
    assert code == 2 and str(path) in err


@pytest.mark.parametrize("damage, cells, complaint", [
    (lambda second: second[:20], 1, "unexpected end of file"),
    (lambda second: second[:2], 1, "unexpected end of file"),
    (lambda second: second[:10] + b"\xff" * 10 + second[20:], 1, "invalid block type"),
    (lambda second: second[:-8] + b"\0" * 8, 2, "incorrect data check"),
    (lambda second: second + b"\x1f and more", 2, None),
    (lambda second: second + bytes(1000), 2, None),
], ids=["cut", "cut-early", "senseless", "wrong-sum", "garbage-behind", "zeros-behind"])
def test_member_that_is_damaged_and_what_is_none(tmp_path, damage, cells, complaint):
    plain = write_pcap(tmp_path / "in.pcap", [record(GOOD)] * 2).read_bytes()
    path = tmp_path / "in.gz"
    half = (len(plain) + 24) // 2
    path.write_bytes(gzip.compress(plain[:half]) + damage(gzip.compress(plain[half:])))
    err = f"{path}: packet {cells + 1}: byte {half if cells == 1 else len(plain)}: {complaint}\n"
    assert tcp_column(path) == (2 if complaint else 0, ["good"] * cells, err if complaint else "")


@pytest.mark.parametrize("data, reason", [
    (b"\x1f\x8b", "unexpected end of file"),
    (b"\x1f\x8b\7" + bytes(30), "unknown compression method"),
    (gzip.compress(b"a")[:-8] + bytes(8), "incorrect data check"),
], ids=["cut", "no-gzip", "wrong-sum"])
def test_compressed_input_without_a_beginning_says_why(tmp_path, data, reason):
    path = tmp_path / "in.gz"
    path.write_bytes(data)
    assert tcp_column(path)[::2] == (2, f"{path}: {reason}\n")


@pytest.mark.parametrize("name, reader", [("o.pcap.gz", read_pcap), ("o.pcapng.gz", read_pcapng)])
def test_compressed_output(tmp_path, name, reader):
    path = write_pcap(tmp_path / "in.pcap", [record(SUPER), record(BAD)])
    assert run("--replay", path, "--write", tmp_path / name).returncode == 0
    (tmp_path / "plain").write_bytes(gzip.decompress((tmp_path / name).read_bytes()))
    records = reader(tmp_path / "plain")[2]
    assert len(records) == 4 and records[3].data == GOOD


# ---- standard input and output

@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("nano", [False, True], ids=["us", "ns"])
def test_standard_input_keeps_its_resolution(tmp_path, nano, pack):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD, START + 7 * nano)], nano)
    done = subprocess.run([APP, "--replay", "-", "--write", tmp_path / "out.pcap"], check=False,
                          input=pack(path.read_bytes()), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert read_pcap(tmp_path / "out.pcap") == (nano, 1, [record(GOOD, START + 7 * nano)])


def test_standard_output_has_the_capture_and_nothing_else(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(SUPER), record(GOOD)])
    done = subprocess.run([APP, "--replay", path, "--write", "-", "--json"], check=False,
                          capture_output=True)
    assert done.returncode == 0
    (tmp_path / "out.pcap").write_bytes(done.stdout)
    assert len(read_pcap(tmp_path / "out.pcap")[2]) == 4
    assert json.loads(done.stderr)["packets_out"] == 4


def test_a_pipe_of_two(tmp_path):
    done = subprocess.run(f'"{APP}" --replay - --write - <"{SAMPLE}" | "{APP}" --validate - --json',
                          shell=True, check=False, capture_output=True)
    assert done.returncode == 0 and json.loads(done.stdout)["packets"] == 38


def test_no_capture_goes_to_a_terminal(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD)])
    ours, theirs = pty.openpty()
    done = subprocess.run([APP, "--replay", path, "--write", "-"], check=False, stdout=theirs,
                          stderr=subprocess.PIPE, text=True)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2 and "is a terminal" in done.stderr


def test_place_of_a_fault_in_a_pcap_file(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD), record(GOOD)])
    path.write_bytes(path.read_bytes()[:-1])
    assert f"{path}: packet 2: byte {24 + 16 + len(GOOD)}: " in tcp_column(path)[2]


def test_record_longer_than_any(tmp_path):
    path = write_pcap(tmp_path / "in.pcap", [record(GOOD), record(bytes(262145))])
    code, cells, err = tcp_column(path)
    assert (code, cells) == (2, ["good"])
    assert f"packet 2: byte {24 + 16 + len(GOOD)}: " in err and "262145" in err
