/* SPDX-License-Identifier: BSD-3-Clause */

/* The n-th allocation fails, of the core's own (the linker leads them here) or of libcrypto's, for
 * every n: nothing crashes or leaks, what failed says so, and the next attempt works.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "wg_lab.h"

/* How many allocations will still succeed; UINT_MAX: all. */
static unsigned int left = UINT_MAX;

static bool
allows(void)
{
	if (left == UINT_MAX)
		return true;
	if (left == 0)
		return false;
	left--;
	return true;
}

void *__real_calloc(size_t nb, size_t size);
void *__wrap_calloc(size_t nb, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *
__wrap_calloc(size_t nb, size_t size)
{
	return allows() ? __real_calloc(nb, size) : NULL;
}

void *
__wrap_realloc(void *old, size_t size)
{
	return allows() ? __real_realloc(old, size) : NULL;
}

static void *
crypto_malloc(size_t size, const char *file, int line)
{
	return allows() ? malloc(size) : NULL;
}

static void *
crypto_realloc(void *old, size_t size, const char *file, int line)
{
	return allows() ? __real_realloc(old, size) : NULL;
}

static void
crypto_free(void *old, const char *file, int line)
{
	free(old);
}

/* Whether all went well with `nb` allocations. */
static bool
new_device_with(const struct lab *lab, unsigned int nb)
{
	struct wg_device *dev;

	left = nb;
	errno = 0;
	dev = wg_device_new(&lab->config[ALICE], 0, &lab->now);
	left = UINT_MAX;
	if (dev == NULL)
		assert_true(errno == ENOMEM || errno == EIO);
	wg_device_free(dev);
	return dev != NULL;
}

static void
a_device_is_made_or_not(void **state)
{
	struct lab lab;
	unsigned int nb;

	lab_init(&lab, NULL);
	for (nb = 0; !new_device_with(&lab, nb); nb++)
		assert_in_range(nb, 0, 10000);
	assert_in_range(nb, 10, 10000);
	lab_free(&lab);
}

/* A handshake of which the initiation, the response or the end has `nb` allocations. */
static bool
handshake_with(unsigned int step, unsigned int nb)
{
	struct wg_message message;
	struct lab lab;
	bool done;

	lab_init(&lab, NULL);
	wg_timers_want_handshake(lab.peer[ALICE], true, lab.now.mono);
	left = step == 0 ? nb : UINT_MAX;
	done = wg_poll(lab.dev[ALICE], &lab.now, &message) == WG_POLL_SEND;
	left = step == 1 ? nb : UINT_MAX;
	done = done && lab_pass(&lab, BOB, message.bytes, message.len) == WG_KIND_CONSUMED;
	if (done)
		message = lab.received.reply;
	left = step == 2 ? nb : UINT_MAX;
	done = done && lab_pass(&lab, ALICE, message.bytes, message.len) == WG_KIND_CONSUMED;
	left = UINT_MAX;
	if (!done && step > 0)
		assert_int_not_equal(lab.received.why, WG_REFUSAL_NONE);

	/* Memory is there again. */
	lab_sleep(&lab, 6 * WG_SECOND);
	lab_handshake(&lab, ALICE);
	lab_send(&lab, ALICE, 60);
	lab_send(&lab, BOB, 60);
	lab_free(&lab);
	return done;
}

static void
a_handshake_is_done_or_refused(void **state)
{
	unsigned int step, nb;

	for (step = 0; step < 3; step++) {
		for (nb = 0; !handshake_with(step, nb); nb++)
			assert_in_range(nb, 0, 10000);
		assert_in_range(nb, 5, 10000);
	}
}

/* libcrypto 3.0.19 sets itself up with the first key, and crashes if there is no memory then. */
static int
set_up_libcrypto(void **state)
{
	struct lab lab;

	lab_init(&lab, NULL);
	lab_handshake(&lab, ALICE);
	lab_free(&lab);
	return 0;
}

static bool
read_with(const char *path, unsigned int nb)
{
	struct wg_config config;
	char error[100];
	int ret;

	left = nb;
	ret = wg_config_read(&config, path, error, sizeof(error));
	left = UINT_MAX;
	if (ret == 0)
		wg_config_free(&config);
	else
		assert_null(config.peer);
	return ret == 0;
}

static void
a_configuration_is_read_or_not(void **state)
{
	char path[] = "/tmp/wg-config-XXXXXX";
	int fd = mkstemp(path);
	unsigned int nb;

	assert_true(fd >= 0);
	assert_true(dprintf(fd, "[Interface]\n"
			    "PrivateKey = dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=\n"
			    "Address = 10.0.0.1\n[Peer]\n"
			    "PublicKey = 3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08=\n"
			    "AllowedIPs = 10.0.0.2, 10.0.0.3\n") > 0);
	close(fd);
	for (nb = 0; !read_with(path, nb); nb++)
		assert_in_range(nb, 0, 1000);
	assert_in_range(nb, 5, 1000);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_is_read_or_not),
		cmocka_unit_test(a_device_is_made_or_not),
		cmocka_unit_test(a_handshake_is_done_or_refused),
	};

	if (CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) != 1)
		return EXIT_FAILURE;
	return harness_finish(cmocka_run_group_tests(tests, set_up_libcrypto, NULL));
}
