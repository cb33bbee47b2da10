/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Runs a fuzz target over the files given, and then over mutations of them; reports in TAP.
 *
 * usage: PROGRAM [--runs N] [--seconds N] FILE|FOLDER...
 *
 * The input being tried is kept in a file, which is left behind, and named, when the target
 * crashes. SEED in the environment repeats a run.
 */

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define MAX_FILES 4096
#define MAX_SIZE  65536
#define MAX_EDITS 8

struct input {
	uint8_t *data;
	size_t size;
};

static struct input corpus[MAX_FILES];
static unsigned int nb_files;
static char kept_path[64];
static uint8_t *kept;
static uint64_t state;

/* splitmix64, by Sebastiano Vigna (public domain). */
static uint64_t
next_random(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Below a limit that is not 0. */
static size_t
pick(size_t limit)
{
	return next_random() % limit;
}

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static void
add_file(const char *path)
{
	struct input *input = &corpus[nb_files];
	FILE *file = fopen(path, "rb");

	if (file == NULL)
		die(path);
	input->data = malloc(MAX_SIZE);
	if (input->data == NULL || nb_files == MAX_FILES - 1)
		die("out of room");
	input->size = fread(input->data, 1, MAX_SIZE, file);
	fclose(file);
	nb_files++;
}

static void
add_path(const char *path)
{
	struct dirent **names;
	char sub[4096];
	struct stat st;
	int i, nb;

	if (stat(path, &st) != 0)
		die(path);
	if (!S_ISDIR(st.st_mode)) {
		add_file(path);
		return;
	}
	/* In order, so that the seed repeats a run. */
	nb = scandir(path, &names, NULL, alphasort);
	for (i = 0; i < nb; i++) {
		if (names[i]->d_name[0] != '.') {
			snprintf(sub, sizeof(sub), "%s/%s", path, names[i]->d_name);
			add_path(sub);
		}
		free(names[i]);
	}
	if (nb >= 0)
		free(names);
}

/* Make the file that keeps the input while it is tried. */
static void
keep_inputs(void)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(kept_path, sizeof(kept_path), "%.40s/fuzz-XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(kept_path);
	if (fd < 0)
		die(kept_path);
	kept = mmap(NULL, MAX_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (kept == MAP_FAILED || ftruncate(fd, MAX_SIZE) != 0)
		die(kept_path);
	close(fd);
}

static void
try_input(const uint8_t *data, size_t size)
{
	/* The mapping stays; what lies beyond the new end is not touched. */
	if (truncate(kept_path, (off_t)(size > 0 ? size : 1)) != 0)
		die(kept_path);
	memcpy(kept, data, size);
	LLVMFuzzerTestOneInput(data, size);
}

static void
say_where(int sig)
{
	static const char text[] = "# the input is in ";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)!write(STDERR_FILENO, kept_path, strlen(kept_path));
	(void)!write(STDERR_FILENO, "\n", 1);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Numbers that lengths and counts go wrong at. */
static void
overwrite_number(uint8_t *data, size_t size)
{
	static const uint32_t numbers[] = {
		0, 1, 7, 8, 20, 40, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x40000, 0x40001,
		0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
	};
	uint32_t number = numbers[pick(sizeof(numbers) / sizeof(numbers[0]))];
	size_t width = (size_t)1 << pick(3);

	if (size < width)
		return;
	if (pick(2) == 0)
		number = __builtin_bswap32(number) >> (32 - 8 * width);
	memcpy(data + pick(size - width + 1), &number, width);
}

/* Copies a stretch of one input over a place in another, or in between there. */
static size_t
graft(uint8_t *data, size_t size, const struct input *from, bool between)
{
	size_t at = pick(size + 1), start, len;

	if (from->size == 0)
		return size;
	start = pick(from->size);
	len = 1 + pick(from->size - start);
	if (between) {
		if (size + len > MAX_SIZE)
			return size;
		memmove(data + at + len, data + at, size - at);
		size += len;
	} else if (len > size - at) {
		len = size - at;
	}
	memcpy(data + at, from->data + start, len);
	return size;
}

static size_t
edit(uint8_t *data, size_t size)
{
	const struct input *from = &corpus[pick(nb_files)];
	size_t at, len;

	switch (pick(6)) {
	case 0:
		if (size > 0)
			data[pick(size)] ^= (uint8_t)(1 << pick(8));
		return size;
	case 1:
		if (size > 0)
			data[pick(size)] = (uint8_t)next_random();
		return size;
	case 2:
		overwrite_number(data, size);
		return size;
	case 3:
		at = pick(size + 1);
		len = pick(size - at + 1);
		len = pick(2) == 0 && len > 4 ? 4 : len;
		memmove(data + at, data + at + len, size - at - len);
		return size - len;
	case 4:
		return graft(data, size, from, true);
	default:
		return graft(data, size, from, false);
	}
}

static void
try_mutation(void)
{
	static uint8_t data[MAX_SIZE];
	const struct input *input = &corpus[pick(nb_files)];
	size_t size = input->size;
	size_t edits = 1 + pick(MAX_EDITS);

	memcpy(data, input->data, size);
	while (edits-- > 0)
		size = edit(data, size);
	try_input(data, size);
}

static uint64_t
mutate(uint64_t runs, unsigned int seconds)
{
	time_t end = time(NULL) + seconds;
	uint64_t done = 0;

	while (done < runs || (seconds != 0 && time(NULL) < end)) {
		try_mutation();
		done++;
	}
	return done;
}

int
main(int argc, char **argv)
{
	const char *seed = getenv("SEED");
	unsigned int seconds = 0, i;
	uint64_t runs = 0;

	for (i = 1; i < (unsigned int)argc; i++) {
		if (strcmp(argv[i], "--runs") == 0 && argv[i + 1] != NULL)
			runs = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--seconds") == 0 && argv[i + 1] != NULL)
			seconds = (unsigned int)strtoul(argv[++i], NULL, 10);
		else
			add_path(argv[i]);
	}
	if (nb_files == 0) {
		fprintf(stderr, "usage: %s [--runs N] [--seconds N] FILE|FOLDER...\n", argv[0]);
		return 2;
	}
	state = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	printf("# SEED=%" PRIu64 "\n1..2\n", state);
	fflush(stdout);
	keep_inputs();
	signal(SIGABRT, say_where);
	signal(SIGSEGV, say_where);
	for (i = 0; i < nb_files; i++)
		try_input(corpus[i].data, corpus[i].size);
	printf("ok 1 - %u files\n", nb_files);
	printf("ok 2 - %" PRIu64 " mutations\n", mutate(runs, seconds));
	unlink(kept_path);
	for (i = 0; i < nb_files; i++)
		free(corpus[i].data);
	return 0;
}
