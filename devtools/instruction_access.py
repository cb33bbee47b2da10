# SPDX-License-Identifier: BSD-3-Clause
"""What one instruction accesses, from its line in a disassembly by objdump."""

import collections
import re
import sys

# Bytes it loads or stores, whether a mask may leave out some of them, and a function from the
# registers before it to their address.
Access = collections.namedtuple("Access", "load store size masked address text")

X86_REGISTERS = "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
X86_MEMORY = re.compile(r"(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+),(\d))?\)")
X86_NO_ACCESS = re.compile(r"(lea|nop|prefetch)")
X86_ONLY_READS = re.compile(r"(cmp|test|bt|push|call|jmp|mul|div)[bwlq]?$")
X86_ONLY_WRITES = re.compile(r"v?mov|set|v?p?extr|pop|v?extract")

X86_REGISTER_SIZES = [
    (r"zmm\d+", 64),
    (r"ymm\d+", 32),
    (r"xmm\d+", 16),
    (r"r[a-z][a-z]|r\d+", 8),
    (r"e[a-z][a-z]|r\d+d", 4),
    (r"[a-z][xip]|r\d+w", 2),
]

# Where neither a register nor a suffix of the instruction tells how many bytes it accesses.
X86_SIZES = [
    (r"movb|mov[zs]b[wlq]|set\w+|v?p(ins|ext)rb", 1),
    (r"movw|mov[zs]w[lq]|v?p(ins|ext)rw", 2),
    (r"movl|movslq|v?movd|v?movss|v?p(ins|ext)rd|v?pbroadcastd", 4),
    (r"push|pop|v?movq|v?movsd|v?mov[hl]p[sd]|v?p(ins|ext)rq|v?pbroadcastq", 8),
    (r"v(insert|extract)[if](128|32x4|64x2)|vbroadcast[if](128|32x4|64x2)", 16),
    (r"v(insert|extract)[if](32x8|64x4)|vbroadcast[if](32x8|64x4)", 32),
]
X86_SUFFIXES = {"b": 1, "w": 2, "l": 4, "q": 8}


def x86_register_size(name):
    name = name.lstrip("%")
    for pattern, size in X86_REGISTER_SIZES:
        if re.fullmatch(pattern, name):
            return size
    return 1


def x86_size(mnemonic, operands, text):
    for pattern, size in X86_SIZES:
        if re.fullmatch(pattern, mnemonic):
            return size
    registers = [re.sub(r"{.*", "", op) for op in operands if op.startswith("%")]
    if registers:
        return max(x86_register_size(name) for name in registers)
    if mnemonic[-1] in X86_SUFFIXES:
        return X86_SUFFIXES[mnemonic[-1]]
    sys.exit(f"cannot tell how much this accesses: {text}")


def x86_address(match):
    """A function from the registers before an instruction to the address that it accesses."""
    offset, base, index, scale = match.groups()
    offset = int(offset or "0", 16)
    terms = [(X86_REGISTERS.index(name[1:]), int(factor))
             for name, factor in ((base, 1), (index, scale or 1)) if name]
    return lambda regs: offset + sum(regs[i] * factor for i, factor in terms) & (1 << 64) - 1


def x86(mnemonic, rest, text):
    """What an instruction accesses, or None if that is neither the source nor the destination."""
    rest = re.sub(r"\s*[<#].*", "", rest)
    memory = X86_MEMORY.search(rest)
    if memory is None or X86_NO_ACCESS.match(mnemonic) or "%rip" in rest or "%fs:" in rest:
        return None
    if "%es:" in rest or "{1to" in rest:
        sys.exit(f"cannot follow {text}")
    operands = re.findall(r"[^,(]*\([^)]*\)[^,]*|[^,]+", rest)
    last = "(" in operands[-1] and not X86_ONLY_READS.match(mnemonic)
    load = not last or X86_ONLY_WRITES.match(mnemonic) is None
    size = x86_size(mnemonic, [op for op in operands if "(" not in op], text)
    return Access(load, last, size, "{%k" in rest, x86_address(memory), text)


ARM_ACCESS = re.compile(r"(ld|st)(1|p|np|r|ur)(s?[bhw])?$")
ARM_SIZES = {"q": 16, "x": 8, "d": 8, "w": 4, "s": 4, "h": 2, "b": 1}
ARM_ADDRESS = re.compile(
    r"\[(\w+)(?:, #(-?\w+)|, ([xw]\d+)(?:, (lsl|sxtw|uxtw)(?: #(\d+))?)?)?\]")


def arm_size(kind, suffix, registers):
    """Bytes in memory of a load or store of these registers."""
    if suffix:
        return {"b": 1, "h": 2, "w": 4}[suffix[-1]]
    if kind == "1":
        return sum(8 if re.search(r"\.(8b|4h|2s|1d)", name) else 16 for name in registers)
    return sum(ARM_SIZES[name[0]] for name in registers)


def arm_address(match):
    base, offset, index, extension, shift = match.groups()
    base = 31 if base == "sp" else int(base[1:])
    offset = int(offset or "0", 0)
    if index is None:
        return lambda regs: regs[base] + offset
    index, factor = int(index[1:]), 1 << int(shift or 0)
    if extension in (None, "lsl"):
        return lambda regs: regs[base] + regs[index] * factor & (1 << 64) - 1
    sign = 1 << 31 if extension == "sxtw" else 0
    return lambda regs: regs[base] + (((regs[index] & 0xffffffff) ^ sign) - sign) * factor


def arm(mnemonic, rest, text):
    """As x86(), for arm64."""
    memory = ARM_ADDRESS.search(rest)
    if memory is None or mnemonic.startswith("prf"):
        return None
    access = ARM_ACCESS.match(mnemonic)
    registers = re.findall(r"[^,{} ]+", rest[:memory.start()])
    if access is None or any(name[0] not in "qxdwshbv" for name in registers):
        sys.exit(f"cannot tell how much this accesses: {text}")
    size = arm_size(access[2], access[3], registers)
    load = access[1] == "ld"
    return Access(load, not load, size, False, arm_address(memory), text)
