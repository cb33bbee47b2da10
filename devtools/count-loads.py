#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Count, in the disassembly of each variant, the loads from its source.

test/core/trace.c executes every variant, a step at a time or under an emulator. For each
instruction that a call went through the disassembly tells what is loaded or stored, and the
registers before it tell where. It must hold:
- a copy stores each byte as often as it loads it, and so nothing is summed but what was stored;
- a copy loads no byte of dst, stores none to src, and leaves out none;
- a sum loads few bytes twice: where its last vectors overlap, not in its loops.

usage: count-loads.py PROGRAM                     test/core/core-trace of a build, for x86-64
       count-loads.py PROGRAM EMULATOR TRIPLET    for arm64: qemu-aarch64 aarch64-linux-gnu
Prints a line a variant, and what does not hold; exits with 1 if anything does not.
"""

import re
import struct
import subprocess
import sys
import tempfile

import instruction_access

# From this length on the loops of a sum outweigh its ends.
LONG = 1000

INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\t(?:(?:cs|data16|lock|notrack|repz?) )*(\w+)\s*(.*)")
RECORD = struct.Struct("=17Q")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


class Program:
    """Its symbols, and its instructions by their addresses."""

    def __init__(self, path, prefix):
        self.path = path
        names = output_of(prefix + "nm", path).decode()
        self.symbols = {name: int(value, 16)
                        for value, name in re.findall(r"^(\w+) \w (\w+)$", names, re.M)}
        self.code = {}
        listing = output_of(prefix + "objdump", "-dw", "--no-show-raw-insn", path).decode()
        for line in listing.splitlines():
            match = INSTRUCTION.match(line)
            if match:
                self.code[int(match[1], 16)] = match[2], match[3], line.strip()


def trace_itself(program):
    """The steps of a program that traces itself: where, and the registers before."""
    start = program.symbols["__executable_start"]
    for rip, *regs in RECORD.iter_unpack(output_of(program.path)):
        yield start + rip, regs


def trace_emulated(program, emulator):
    """The steps of a program that an emulator logs, for arm64: PC, X0 to X30 and SP."""
    begin, end = min(program.code), max(program.code) + 4
    with tempfile.NamedTemporaryFile("r") as log:
        output_of(emulator, "-singlestep", "-d", "cpu,nochain", "-D", log.name,
                  "-dfilter", f"{begin:#x}..{end:#x}", program.path)
        for block in re.split(r"^ PC=", log.read(), flags=re.M)[1:]:
            address, *regs = (int(word, 16) for word in re.findall(r"\b[0-9a-f]{16}\b", block)[:33])
            yield address, regs


class Call:
    """One call of a variant, and how often each byte of its buffers was accessed."""

    def __init__(self, variant, copy, dst, src, length):
        self.variant = variant
        self.copy, self.dst, self.src, self.len = copy & 1, dst, src, length
        self.nb_loads = 0
        self.nb_stores = 0
        self.loaded = [0] * self.len
        self.stored = [0] * self.len
        self.faults = []

    def __str__(self):
        return f"{self.variant}: {'copy' if self.copy else 'sum'} of {self.len} bytes"

    def touch(self, access, begin, address, counts):
        """Count an access if it is to the buffer at begin, and tell whether it is."""
        off = address - begin
        if off + access.size <= 0 or off >= self.len:
            return False
        if not access.masked and (off < 0 or off + access.size > self.len):
            self.faults.append(f"bytes beside the buffer: {access.text}")
        for i in range(max(off, 0), min(off + access.size, self.len)):
            counts[i] += 1
        return True

    def step(self, access, regs):
        address = access.address(regs)
        if access.load and self.touch(access, self.src, address, self.loaded):
            self.nb_loads += 1
        if access.store and self.copy and self.touch(access, self.dst, address, self.stored):
            self.nb_stores += 1
        if access.store and self.touch(access, self.src, address, [0] * self.len):
            self.faults.append(f"store to the source: {access.text}")
        if access.load and self.copy and self.touch(access, self.dst, address, [0] * self.len):
            self.faults.append(f"load from the destination: {access.text}")

    def judge(self):
        if 0 in self.loaded:
            self.faults.append(f"byte {self.loaded.index(0)} is not loaded")
        if self.copy and self.loaded != self.stored:
            i = next(i for i in range(self.len) if self.loaded[i] != self.stored[i])
            self.faults.append(f"byte {i} is loaded {self.loaded[i]} times and stored"
                               f" {self.stored[i]} times")
        twice = sum(nb > 1 for nb in self.loaded)
        if self.len >= LONG and twice > self.len / 2:
            self.faults.append(f"{twice} bytes are loaded more than once")
        return self.faults


def calls(program, steps, decode, arguments, names):
    """The calls that steps make up, each with what its instructions accessed."""
    call = None
    accesses = {}
    for address, regs in steps:
        if address == program.symbols["trace_call"]:
            variant, *rest = (regs[i] for i in arguments)
            call = Call(names[variant], *rest)
        elif call is not None and address == program.symbols["trace_end"]:
            yield call
            call = None
        if call is None:
            continue
        if address not in accesses:
            accesses[address] = decode(*program.code[address])
        if accesses[address] is not None:
            call.step(accesses[address], regs)


def traced_calls(path, emulator=None, triplet=None):
    if emulator is None:
        program = Program(path, "")
        names = output_of(path, "list").decode().split()
        arguments = [instruction_access.X86_REGISTERS.index(name)
                     for name in ("rdi", "rsi", "rdx", "rcx", "r8")]
        return calls(program, trace_itself(program), instruction_access.x86, arguments, names)
    program = Program(path, triplet + "-")
    names = output_of(emulator, path, "list").decode().split()
    return calls(program, trace_emulated(program, emulator), instruction_access.arm, range(5),
                 names)


def main():
    totals = {}
    status = 0
    for call in traced_calls(*sys.argv[1:]):
        total = totals.setdefault(call.variant, [0] * 5)
        for i, nb in enumerate((1, call.nb_loads, call.nb_stores) if call.copy else
                               (0, 0, 0, 1, call.nb_loads)):
            total[i] += nb
        for fault in call.judge()[:3]:
            print(f"{call}: {fault}")
            status = 1
    for variant, (copies, loads, stores, sums, sum_loads) in totals.items():
        print(f"{variant}: {loads} loads from src and {stores} stores to dst in {copies} copies,"
              f" {sum_loads} loads in {sums} sums")
    return status if totals else 1


sys.exit(main())
