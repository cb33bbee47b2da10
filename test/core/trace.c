/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Call every variant for devtools/count-loads.py, which wants the registers before each
 * instruction. On x86-64 the program executes itself a step at a time and writes them to the
 * standard output, as records of 17 words; elsewhere an emulator logs them.
 *
 * On x86-64 variants that this CPU cannot run are traced too: what it does not know is stepped
 * over, since neither a vector nor a mask decides where the kernels go next.
 *
 * usage: core-trace >FILE
 *        core-trace list          the names of the variants
 */

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include <csum.h>

#ifdef __x86_64__

/* Intel SDM vol. 1, 3.4.3.3: EFLAGS.TF traps behind each instruction. */
#define TRAP_FLAG 0x100

/* Where this program's code begins and ends, by the linker. */
extern const char __executable_start[];
extern const char etext[];

struct record {
	uint64_t rip;
	uint64_t regs[16];
};

static struct record records[4096];
static size_t nb_records;
static volatile sig_atomic_t stepping;

static void
flush(void)
{
	const char *from = (const char *)records;
	size_t left = nb_records * sizeof(records[0]);

	while (left > 0) {
		ssize_t nb = write(STDOUT_FILENO, from, left);

		if (nb <= 0)
			_exit(EXIT_FAILURE);
		from += nb;
		left -= (size_t)nb;
	}
	nb_records = 0;
}

static struct record *
new_record(void)
{
	if (nb_records == sizeof(records) / sizeof(records[0]))
		flush();
	return &records[nb_records++];
}

/* In the order that count-loads.py expects. */
static void
record_step(const greg_t *regs)
{
	static const int order[] = {
		REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};
	uint64_t start = (uint64_t)__executable_start, rip = (uint64_t)regs[REG_RIP];
	struct record *record;
	size_t i;

	if (rip < start || rip >= (uint64_t)etext)
		return;
	record = new_record();
	record->rip = rip - start;
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		record->regs[i] = (uint64_t)regs[order[i]];
}

/* Bytes of a ModRM byte and what it asks for (Intel SDM vol. 2, 2.1.5). */
static size_t
modrm_len(const uint8_t *modrm)
{
	unsigned int mod = modrm[0] >> 6, rm = modrm[0] & 7;
	size_t len = 1;

	if (mod == 3)
		return len;
	if (rm == 4) {
		len++;
		rm = modrm[1] & 7;
	}
	return len + (mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0);
}

/* Bytes of an instruction with a VEX or EVEX prefix; 0 if it has none (vol. 2, 2.3.5, 2.7.1). */
static size_t
vex_len(const uint8_t *insn)
{
	size_t prefix = insn[0] == 0xc5 ? 2 : insn[0] == 0xc4 ? 3 : insn[0] == 0x62 ? 4 : 0;
	unsigned int map = prefix == 2 ? 1 : insn[1] & (prefix == 3 ? 31 : 7);
	unsigned int opcode = insn[prefix];
	bool constant = map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) ||
		opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)));

	if (prefix == 0)
		return 0;
	if (map == 1 && opcode == 0x77) /* vzeroupper */
		return prefix + 1;
	return prefix + 1 + modrm_len(insn + prefix + 1) + constant;
}

static void
handle_trap(int signum, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (!stepping) {
		regs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
		return;
	}
	regs[REG_EFL] |= TRAP_FLAG;
	record_step(regs);
}

static void
handle_unknown(int signum, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	size_t len = vex_len((const uint8_t *)regs[REG_RIP]);

	if (len == 0)
		_exit(EXIT_FAILURE);
	regs[REG_RIP] += (greg_t)len;
	record_step(regs);
}

static bool
begin_tracing(void)
{
	struct sigaction trap = { .sa_sigaction = handle_trap, .sa_flags = SA_SIGINFO };
	struct sigaction unknown = { .sa_sigaction = handle_unknown, .sa_flags = SA_SIGINFO };

	return sigaction(SIGTRAP, &trap, NULL) == 0 && sigaction(SIGILL, &unknown, NULL) == 0;
}

static void
begin_steps(void)
{
	stepping = 1;
	raise(SIGTRAP);
}

static void
end_steps(void)
{
	stepping = 0;
	/* The trap behind one of these instructions takes the flag back. */
	__asm__ volatile("nop; nop");
}

#else

static bool
begin_tracing(void)
{
	return true;
}

static void
begin_steps(void)
{
}

static void
end_steps(void)
{
}

static void
flush(void)
{
}

#endif

#define ROOM 2560

static uint8_t src[ROOM] __attribute__((aligned(64)));
static uint8_t dst[ROOM] __attribute__((aligned(64)));

/* Addresses that tell where a call begins and where it ends; and arguments, in registers, which. */
void trace_call(unsigned int variant, bool copy, const void *to, const void *from, size_t len);
void trace_end(void);

/* Weak, and so called as they are declared: no compiler may rely on what they do not use. */
__attribute__((weak)) void
trace_call(unsigned int variant, bool copy, const void *to, const void *from, size_t len)
{
	__asm__ volatile("" : : : "memory");
}

__attribute__((weak)) void
trace_end(void)
{
	__asm__ volatile("" : : : "memory");
}

static void
trace(unsigned int i, uint8_t *to, const uint8_t *from, size_t len)
{
	const struct csum_variant *variant = csum_variant_get(i);

	begin_steps();
	trace_call(i, to != NULL, to, from, len);
	if (to != NULL)
		variant->partial_copy(to, from, len, 0);
	else
		variant->partial(from, len, 0);
	trace_end();
	end_steps();
}

/* Every path of the kernels, whatever their thresholds; a step costs 20 microseconds in a VM. */
static size_t
next_len(size_t len)
{
	return len + (len < 34 ? 1 : len < 600 ? 37 : 1766);
}

int
main(int argc, char **argv)
{
	const struct csum_variant *variant;
	unsigned int i;
	size_t len;

	if (argc == 1 && !begin_tracing())
		return EXIT_FAILURE;
	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++) {
		if (argc > 1)
			puts(variant->name);
		for (len = 0; argc == 1 && len < ROOM - 128; len = next_len(len)) {
			trace(i, dst + len * 13 % 64, src + len * 7 % 64, len);
			trace(i, NULL, src + len * 11 % 64, len);
		}
	}
	flush();
	return EXIT_SUCCESS;
}
