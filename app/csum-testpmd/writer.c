/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_common.h>

#include "capture_stream.h"
#include "writer.h"

/* What Ethernet captures hold at most, as libpcap has it. */
#define SNAPLEN 262144
#define LINKTYPE_ETHERNET 1

/* Bytes given to the system at a time. */
#define BUFFER_LEN (256 * 1024)

struct writer {
	FILE *file;
	const char *path;
	bool named; /* not standard output: its temporary file is to be renamed */
	bool force;
	bool nano;
	bool ng;
	int err; /* of the first write that failed */
	char buffer[BUFFER_LEN];
};

struct pcap_header {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t zone;
	uint32_t accuracy;
	uint32_t snaplen;
	uint32_t linktype;
};

struct pcap_record {
	uint32_t sec;
	uint32_t frac;
	uint32_t caplen;
	uint32_t len;
};

/* A section header block and an interface description block (draft-ietf-opsawg-pcapng). */
struct ng_header {
	uint32_t shb_type;
	uint32_t shb_len;
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t section_len[2];
	uint32_t shb_len_again;

	uint32_t idb_type;
	uint32_t idb_len;
	uint16_t linktype;
	uint16_t reserved;
	uint32_t snaplen;
	uint16_t tsresol_code;
	uint16_t tsresol_len;
	uint8_t tsresol;
	uint8_t tsresol_pad[3];
	uint32_t end_of_options;
	uint32_t idb_len_again;
};

#define NG_SHB_LEN 28
#define NG_IDB_LEN 32

struct ng_record {
	uint32_t type;
	uint32_t block_len;
	uint32_t interface;
	uint32_t time_high;
	uint32_t time_low;
	uint32_t caplen;
	uint32_t len;
};

static char temp_path[PATH_MAX];

/* SIGKILL alone leaves the file behind, and a fault in the program itself. */
static const int fatal_signals[] = {
	SIGABRT, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ
};
static struct sigaction handler_before[RTE_DIM(fatal_signals)];

/* Async-signal-safe. Once the file has its own name, the unlink() fails and does no harm. */
static void
remove_and_die(int sig)
{
	unlink(temp_path);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* What whoever started us has ignored (nohup does) stays ignored. */
static void
catch_signals(void)
{
	const struct sigaction catch = { .sa_handler = remove_and_die };
	unsigned int i;

	for (i = 0; i < RTE_DIM(fatal_signals); i++) {
		sigaction(fatal_signals[i], NULL, &handler_before[i]);
		if (handler_before[i].sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &catch, NULL);
	}
}

static void
release_signals(void)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(fatal_signals); i++)
		sigaction(fatal_signals[i], &handler_before[i], NULL);
}

static void
put(struct writer *w, const void *data, size_t len)
{
	if (fwrite(data, 1, len, w->file) != len && w->err == 0)
		w->err = errno != 0 ? -errno : -EIO;
}

static void
put_pcap_header(struct writer *w)
{
	struct pcap_header header = {
		.magic = w->nano ? 0xa1b23c4d : 0xa1b2c3d4,
		.major = 2,
		.minor = 4,
		.snaplen = SNAPLEN,
		.linktype = LINKTYPE_ETHERNET,
	};

	put(w, &header, sizeof(header));
}

static void
put_ng_header(struct writer *w)
{
	struct ng_header header = {
		.shb_type = 0x0a0d0d0a,
		.shb_len = NG_SHB_LEN,
		.magic = 0x1a2b3c4d,
		.major = 1,
		.section_len = { UINT32_MAX, UINT32_MAX },
		.shb_len_again = NG_SHB_LEN,
		.idb_type = 1,
		.idb_len = NG_IDB_LEN,
		.linktype = LINKTYPE_ETHERNET,
		.snaplen = SNAPLEN,
		.tsresol_code = 9,
		.tsresol_len = 1,
		.tsresol = w->nano ? 9 : 6,
		.idb_len_again = NG_IDB_LEN,
	};

	RTE_BUILD_BUG_ON(sizeof(header) != NG_SHB_LEN + NG_IDB_LEN);
	put(w, &header, sizeof(header));
}

static void
put_pcap_record(struct writer *w, const uint8_t *data, uint32_t caplen, uint32_t len,
		uint64_t ns)
{
	struct pcap_record record = {
		.sec = ns / 1000000000,
		.frac = ns % 1000000000 / (w->nano ? 1 : 1000),
		.caplen = caplen,
		.len = len,
	};

	put(w, &record, sizeof(record));
	put(w, data, caplen);
}

static void
put_ng_record(struct writer *w, const uint8_t *data, uint32_t caplen, uint32_t len, uint64_t ns)
{
	static const uint8_t zeros[4];
	uint64_t time = ns / (w->nano ? 1 : 1000);
	uint32_t pad = -caplen & 3;
	struct ng_record record = {
		.type = 6,
		.block_len = sizeof(record) + caplen + pad + sizeof(record.block_len),
		.time_high = time >> 32,
		.time_low = (uint32_t)time,
		.caplen = caplen,
		.len = len,
	};

	put(w, &record, sizeof(record));
	put(w, data, caplen);
	put(w, zeros, pad);
	put(w, &record.block_len, sizeof(record.block_len));
}

bool
writer_holds(const struct writer *w, uint64_t ns)
{
	return w->ng || ns / 1000000000 <= UINT32_MAX;
}

void
writer_put(struct writer *w, const uint8_t *data, uint32_t caplen, uint32_t len, uint64_t ns)
{
	if (w->ng)
		put_ng_record(w, data, caplen, len, ns);
	else
		put_pcap_record(w, data, caplen, len, ns);
}

int
writer_error(const struct writer *w)
{
	return w->err;
}

static int
check_target(const char *path, bool force)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? 0 : -errno;
	/* A rename onto a device, a pipe or a link would replace it, and not write through it. */
	return force && S_ISREG(st.st_mode) ? 0 : -EEXIST;
}

/* mkstemp() makes private files; the result has the permissions of any new file. */
static void
allow_umask(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static bool
ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path), suffix_len = strlen(suffix);

	return len >= suffix_len && strcmp(path + len - suffix_len, suffix) == 0;
}

/* The signals are held back while there is a file that the handler does not know of. */
static int
open_temp(void)
{
	sigset_t block, before;
	unsigned int i;
	int fd, err;

	sigemptyset(&block);
	for (i = 0; i < RTE_DIM(fatal_signals); i++)
		sigaddset(&block, fatal_signals[i]);
	sigprocmask(SIG_BLOCK, &block, &before);
	fd = mkstemp(temp_path);
	err = fd < 0 ? -errno : fd;
	if (fd >= 0) {
		allow_umask(fd);
		catch_signals();
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

/* Whether a name says that the format is pcapng, compressed or not. */
static bool
is_ng(const char *path)
{
	return ends_in(path, ".pcapng") || ends_in(path, ".pcapng.gz");
}

static int
begin(struct writer *w, int fd)
{
	w->file = ends_in(w->path, ".gz") ? capture_stream_deflate(fd) : fdopen(fd, "wb");
	if (w->file == NULL) {
		close(fd);
		return -ENOMEM;
	}
	setvbuf(w->file, w->buffer, _IOFBF, sizeof(w->buffer));
	if (w->ng)
		put_ng_header(w);
	else
		put_pcap_header(w);
	return 0;
}

/* The capture takes over standard output; all else that is meant for it goes to standard error. */
static int
open_stdout(struct writer *w)
{
	int fd;

	if (isatty(STDOUT_FILENO))
		return -ENOTTY;
	fflush(stdout);
	fd = dup(STDOUT_FILENO);
	if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return -errno;
	return begin(w, fd);
}

static int
open_named(struct writer *w)
{
	int ret = check_target(w->path, w->force);
	int fd;

	if (ret != 0)
		return ret;
	if (snprintf(temp_path, sizeof(temp_path), "%s.XXXXXX", w->path) >= (int)sizeof(temp_path))
		return -ENAMETOOLONG;
	fd = open_temp();
	if (fd < 0)
		return fd;
	ret = begin(w, fd);
	if (ret != 0) {
		unlink(temp_path);
		release_signals();
	}
	return ret;
}

int
writer_open(const char *path, bool force, bool nano, struct writer **w)
{
	struct writer *new = calloc(1, sizeof(*new));
	int ret;

	if (new == NULL)
		return -ENOMEM;
	*new = (struct writer){
		.path = path,
		.named = strcmp(path, "-") != 0,
		.force = force,
		.nano = nano,
		.ng = is_ng(path),
	};
	ret = new->named ? open_named(new) : open_stdout(new);
	if (ret != 0) {
		free(new);
		return ret;
	}
	*w = new;
	return 0;
}

/* Without leave to replace, a file that has appeared meanwhile is kept too. */
static int
give_name(const struct writer *w)
{
	int ret;

	if (w->force)
		return rename(temp_path, w->path) == 0 ? 0 : -errno;
	ret = renameat2(AT_FDCWD, temp_path, AT_FDCWD, w->path, RENAME_NOREPLACE);
	/* EINVAL: the file system does not know the flag. */
	if (ret != 0 && errno == EINVAL)
		ret = rename(temp_path, w->path);
	return ret == 0 ? 0 : -errno;
}

int
writer_commit(struct writer *w)
{
	int ret = w->err;

	if (fclose(w->file) != 0 && ret == 0)
		ret = -errno;
	if (w->named) {
		if (ret == 0)
			ret = give_name(w);
		if (ret != 0)
			unlink(temp_path);
		release_signals();
	}
	free(w);
	return ret;
}

void
writer_abort(struct writer *w)
{
	if (w == NULL)
		return;
	fclose(w->file);
	if (w->named) {
		unlink(temp_path);
		release_signals();
	}
	free(w);
}
