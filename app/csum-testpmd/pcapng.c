/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "capture.h"
#include "pcapng.h"

#define BLOCK_SECTION    0x0a0d0d0a /* a palindrome: the same in either byte order */
#define BLOCK_INTERFACE  1
#define BLOCK_PACKET     2 /* obsolete, but still about */
#define BLOCK_SIMPLE     3
#define BLOCK_ENHANCED   6
#define BYTE_ORDER_MAGIC 0x1a2b3c4d

/* Type and length before a block's body, and the length again behind it. */
#define BLOCK_FRONT_LEN  8
#define BLOCK_BACK_LEN   4

#define OPTION_END       0
#define OPTION_TSRESOL   9
#define OPTION_TSOFFSET  14
#define TSRESOL_BINARY   0x80 /* units of 2^-n, not 10^-n seconds */
#define TSRESOL_DEFAULT  6

#define LINKTYPE_RAW     101 /* the only one that we know whose DLT_ has another number */

#define NS_PER_S         1000000000

/* More is a fault: memory does not grow with the file. */
#define MAX_INTERFACES   65536

struct interface {
	int link_type;
	uint32_t snaplen; /* 0: no limit */
	uint8_t tsresol;
	int64_t tsoffset; /* seconds to add to time stamps */
};

struct block {
	uint32_t type;
	uint32_t len;  /* of the whole block */
	uint32_t left; /* bytes of its body that have not been read */
};

struct pcapng {
	FILE *file;
	struct interface *interface;
	unsigned int nb_interfaces;
	unsigned int room;
	bool swapped;     /* the section's byte order is not ours */
	bool nano;
	bool ahead;       /* next_packet_block() has been called, and came to `found` */
	int found;
	struct block block;
	uint64_t offset;  /* where the block begins in the file */
	char error[128];
	uint8_t data[CAPTURE_MAX_CAPLEN];
};

bool
pcapng_is_magic(const uint8_t *head)
{
	const uint32_t magic = BLOCK_SECTION;

	return memcmp(head, &magic, sizeof(magic)) == 0;
}

static int __attribute__((format(printf, 2, 3)))
fail(struct pcapng *ng, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(ng->error, sizeof(ng->error), format, ap);
	va_end(ap);
	return -1;
}

static uint32_t
u32(const struct pcapng *ng, uint32_t v)
{
	return ng->swapped ? __builtin_bswap32(v) : v;
}

static uint16_t
u16(const struct pcapng *ng, uint16_t v)
{
	return ng->swapped ? __builtin_bswap16(v) : v;
}

static int
read_bytes(struct pcapng *ng, void *buf, size_t len)
{
	if (fread(buf, 1, len, ng->file) == len)
		return 0;
	if (ferror(ng->file))
		return fail(ng, "cannot be read: %s", strerror(errno));
	return fail(ng, "the file ends inside a block of %u bytes", ng->block.len);
}

/* Take bytes from the block's body. */
static int
take(struct pcapng *ng, void *buf, uint32_t len)
{
	if (len > ng->block.left)
		return fail(ng, "a block of type %u is too short, %u bytes", ng->block.type,
			    ng->block.len);
	ng->block.left -= len;
	return read_bytes(ng, buf, len);
}

/* Pass over what is left of a block. */
static int
end_block(struct pcapng *ng)
{
	uint8_t scratch[4096];
	uint32_t len;

	while (ng->block.left > 0)
		if (take(ng, scratch, RTE_MIN(ng->block.left, (uint32_t)sizeof(scratch))) != 0)
			return -1;
	if (read_bytes(ng, &len, sizeof(len)) != 0)
		return -1;
	if (u32(ng, len) != ng->block.len)
		return fail(ng, "a block of %u bytes ends with the length %u", ng->block.len,
			    u32(ng, len));
	return 0;
}

/* The section's byte order, by which its block's length is to be read, too. */
static int
read_byte_order(struct pcapng *ng, uint32_t *magic)
{
	if (read_bytes(ng, magic, sizeof(*magic)) != 0)
		return -1;
	ng->swapped = *magic != BYTE_ORDER_MAGIC;
	if (u32(ng, *magic) != BYTE_ORDER_MAGIC)
		return fail(ng, "a section without a byte order");
	return 0;
}

static int
begin_section(struct pcapng *ng)
{
	uint16_t version[2];

	if (take(ng, version, sizeof(version)) != 0)
		return -1;
	/* 1.2 is 1.0 by another name, says the draft. */
	if (u16(ng, version[0]) != 1 || (u16(ng, version[1]) != 0 && u16(ng, version[1]) != 2))
		return fail(ng, "a section of version %u.%u", u16(ng, version[0]),
			    u16(ng, version[1]));
	ng->nb_interfaces = 0;
	return end_block(ng);
}

static int
read_option(struct pcapng *ng, struct interface *itf, uint16_t code, uint16_t len)
{
	uint8_t value[8];
	uint32_t rest = RTE_ALIGN_CEIL((uint32_t)len, 4);
	uint32_t used = RTE_MIN(rest, (uint32_t)sizeof(value));
	uint64_t seconds;

	if (take(ng, value, used) != 0)
		return -1;
	if (code == OPTION_TSRESOL && len == 1) {
		itf->tsresol = value[0];
	} else if (code == OPTION_TSOFFSET && len == sizeof(seconds)) {
		memcpy(&seconds, value, sizeof(seconds));
		itf->tsoffset = (int64_t)(ng->swapped ? __builtin_bswap64(seconds) : seconds);
	}
	for (rest -= used; rest > 0; rest -= used) {
		used = RTE_MIN(rest, (uint32_t)sizeof(value));
		if (take(ng, value, used) != 0)
			return -1;
	}
	return 0;
}

static int
read_options(struct pcapng *ng, struct interface *itf)
{
	uint16_t option[2];

	while (ng->block.left >= sizeof(option)) {
		if (take(ng, option, sizeof(option)) != 0)
			return -1;
		if (option[0] == OPTION_END)
			break;
		if (read_option(ng, itf, u16(ng, option[0]), u16(ng, option[1])) != 0)
			return -1;
	}
	return 0;
}

static struct interface *
new_interface(struct pcapng *ng)
{
	unsigned int room = ng->room == 0 ? 4 : 2 * ng->room;
	struct interface *grown;

	if (ng->nb_interfaces < ng->room)
		return &ng->interface[ng->nb_interfaces++];
	if (ng->nb_interfaces == MAX_INTERFACES) {
		fail(ng, "more than %u interfaces", MAX_INTERFACES);
		return NULL;
	}
	grown = realloc(ng->interface, room * sizeof(*grown));
	if (grown == NULL) {
		fail(ng, "out of memory");
		return NULL;
	}
	ng->interface = grown;
	ng->room = room;
	return &ng->interface[ng->nb_interfaces++];
}

/* Whether a unit is below a microsecond, next to which 2^-20 is the binary one. */
static bool
tsresol_is_nano(uint8_t resol)
{
	return (resol & TSRESOL_BINARY) != 0 ? (resol & ~TSRESOL_BINARY) > 20 :
					       resol > TSRESOL_DEFAULT;
}

static int
read_interface(struct pcapng *ng)
{
	struct {
		uint16_t link_type;
		uint16_t reserved;
		uint32_t snaplen;
	} fixed;
	struct interface *itf;
	int link_type;

	if (take(ng, &fixed, sizeof(fixed)) != 0)
		return -1;
	itf = new_interface(ng);
	if (itf == NULL)
		return -1;
	link_type = u16(ng, fixed.link_type);
	*itf = (struct interface){
		.link_type = link_type == LINKTYPE_RAW ? DLT_RAW : link_type,
		.snaplen = u32(ng, fixed.snaplen),
		.tsresol = TSRESOL_DEFAULT,
	};
	if (read_options(ng, itf) != 0)
		return -1;
	ng->nano |= tsresol_is_nano(itf->tsresol);
	return end_block(ng);
}

/* Read what every block begins with. Returns 1, 0 at the end of the file, or -1. */
static int
begin_block(struct pcapng *ng)
{
	uint32_t front[2], magic;
	uint32_t fixed = BLOCK_FRONT_LEN + BLOCK_BACK_LEN;
	size_t n;

	ng->offset = ftello(ng->file);
	n = fread(front, 1, sizeof(front), ng->file);
	ng->block = (struct block){ .len = sizeof(front) };
	if (n == 0 && !ferror(ng->file))
		return 0;
	if (n != sizeof(front))
		return fail(ng, ferror(ng->file) ? "cannot be read" :
						   "the file ends inside a block's first 8 bytes");
	if (front[0] == BLOCK_SECTION) {
		if (read_byte_order(ng, &magic) != 0)
			return -1;
		fixed += sizeof(magic);
	}
	ng->block.type = u32(ng, front[0]);
	ng->block.len = u32(ng, front[1]);
	if (ng->block.len < fixed || ng->block.len % 4 != 0)
		return fail(ng, "a block of %u bytes", ng->block.len);
	ng->block.left = ng->block.len - fixed;
	return 1;
}

/* Go on to the body of the next block that holds a packet. Returns 1, 0 at the end, or -1. */
static int
next_packet_block(struct pcapng *ng)
{
	int ret;

	while ((ret = begin_block(ng)) == 1) {
		switch (ng->block.type) {
		case BLOCK_PACKET:
		case BLOCK_SIMPLE:
		case BLOCK_ENHANCED:
			return 1;
		case BLOCK_SECTION:
			ret = begin_section(ng);
			break;
		case BLOCK_INTERFACE:
			ret = read_interface(ng);
			break;
		default:
			ret = end_block(ng);
		}
		if (ret != 0)
			return -1;
	}
	return ret;
}

static uint64_t
power_of_10(unsigned int n)
{
	uint64_t power = 1;

	while (n-- > 0)
		power *= 10;
	return power;
}

/*
 * A product of 64 and 30 bits: nothing is lost before the end. What 64 bits cannot hold, from 2554
 * on or before 1970, becomes the nearest that they can.
 */
static uint64_t
to_ns(const struct interface *itf, uint64_t units)
{
	unsigned int n = itf->tsresol & ~TSRESOL_BINARY;
	__int128 ns = units;

	if ((itf->tsresol & TSRESOL_BINARY) != 0)
		ns = ns * NS_PER_S >> n;
	else if (n <= 9)
		ns *= power_of_10(9 - n);
	else
		/* 10^19 is the last to fit; nothing in 64 bits is as long as 10^20 units. */
		ns = n - 9 > 19 ? 0 : ns / power_of_10(n - 9);
	ns += (__int128)itf->tsoffset * NS_PER_S;
	return ns < 0 ? 0 : ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static const struct interface *
find_interface(struct pcapng *ng, uint32_t id)
{
	if (id < ng->nb_interfaces)
		return &ng->interface[id];
	fail(ng, "interface %u is not described before", id);
	return NULL;
}

static int
read_data(struct pcapng *ng, uint32_t caplen, uint32_t len, struct capture_record *rec)
{
	if (caplen > CAPTURE_MAX_CAPLEN)
		return fail(ng, "%u bytes are more than %u", caplen, CAPTURE_MAX_CAPLEN);
	if (take(ng, ng->data, caplen) != 0)
		return -1;
	rec->data = ng->data;
	rec->caplen = caplen;
	rec->len = RTE_MAX(len, caplen);
	return end_block(ng);
}

/* It belongs to the first interface, has no time, and is as long as that allows. */
static int
read_simple(struct pcapng *ng, struct capture_record *rec)
{
	const struct interface *itf = find_interface(ng, 0);
	uint32_t len, caplen;

	if (itf == NULL || take(ng, &len, sizeof(len)) != 0)
		return -1;
	len = u32(ng, len);
	caplen = itf->snaplen != 0 ? RTE_MIN(len, itf->snaplen) : len;
	rec->link_type = itf->link_type;
	rec->ns = 0;
	return read_data(ng, caplen, len, rec);
}

/* The obsolete block has a count of drops in the upper half of the interface's number. */
static int
read_enhanced(struct pcapng *ng, struct capture_record *rec)
{
	struct {
		uint32_t interface;
		uint32_t time_high;
		uint32_t time_low;
		uint32_t caplen;
		uint32_t len;
	} fixed;
	const struct interface *itf;
	uint16_t old_id;
	uint32_t id;

	if (take(ng, &fixed, sizeof(fixed)) != 0)
		return -1;
	id = u32(ng, fixed.interface);
	if (ng->block.type == BLOCK_PACKET) {
		memcpy(&old_id, &fixed.interface, sizeof(old_id));
		id = u16(ng, old_id);
	}
	itf = find_interface(ng, id);
	if (itf == NULL)
		return -1;
	rec->link_type = itf->link_type;
	rec->ns = to_ns(itf, (uint64_t)u32(ng, fixed.time_high) << 32 | u32(ng, fixed.time_low));
	return read_data(ng, u32(ng, fixed.caplen), u32(ng, fixed.len), rec);
}

struct pcapng *
pcapng_open(FILE *file)
{
	struct pcapng *ng = calloc(1, sizeof(*ng));

	if (ng == NULL)
		return NULL;
	ng->file = file;
	ng->found = next_packet_block(ng);
	ng->ahead = true;
	return ng;
}

bool
pcapng_is_nano(const struct pcapng *ng)
{
	return ng->nano;
}

int
pcapng_next(struct pcapng *ng, struct capture_record *rec)
{
	int ret = ng->ahead ? ng->found : next_packet_block(ng);

	ng->ahead = false;
	if (ret != 1)
		return ret;
	ret = ng->block.type == BLOCK_SIMPLE ? read_simple(ng, rec) : read_enhanced(ng, rec);
	return ret == 0 ? 1 : -1;
}

uint64_t
pcapng_offset(const struct pcapng *ng)
{
	return ng->offset;
}

const char *
pcapng_error(const struct pcapng *ng)
{
	return ng->error;
}

void
pcapng_close(struct pcapng *ng)
{
	if (ng == NULL)
		return;
	free(ng->interface);
	free(ng);
}
