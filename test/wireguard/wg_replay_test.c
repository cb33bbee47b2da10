/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "replay.h"
#include "session.h"

#define NB_COUNTERS 400000u

static struct harness_rng rng;

/* All that was seen, in a plain array, from `base` on. */
struct model {
	uint64_t base, top;
	uint8_t seen[NB_COUNTERS];
};

static bool
model_note(struct model *model, uint64_t counter)
{
	if (model->top >= WG_REPLAY_WINDOW && counter <= model->top - WG_REPLAY_WINDOW)
		return false;
	if (model->seen[counter - model->base])
		return false;
	model->seen[counter - model->base] = 1;
	if (counter > model->top)
		model->top = counter;
	return true;
}

/* Steps of all sizes about the highest, backwards and forwards, over the edges of words. */
static uint64_t
next_counter(const struct model *model)
{
	static const int steps[] = { 1, 2, 63, 64, 65, 200, 9000 };
	uint32_t reach = WG_REPLAY_WINDOW + 130;
	uint64_t counter;

	if (harness_rand_below(&rng, 3) == 0)
		return model->top + (uint64_t)steps[harness_rand_below(&rng, 60) == 0 ? 6 :
						    harness_rand_below(&rng, 6)];
	counter = harness_rand_below(&rng, 2) == 0 ? harness_rand_below(&rng, 100) :
		harness_rand_below(&rng, reach);
	return model->top - model->base > counter ? model->top - counter : model->base;
}

static void
like_the_model_from(uint64_t base)
{
	struct model *model = calloc(1, sizeof(*model));
	struct wg_replay replay;
	unsigned int i, accepted = 0;
	uint64_t counter;
	bool fresh;

	assert_non_null(model);
	memset(&replay, 0, sizeof(replay));
	model->base = base;
	model->top = base;
	model_note(model, base);
	assert_true(wg_replay_note(&replay, base));
	for (i = 0; i < 200000; i++) {
		counter = next_counter(model);
		if (counter >= base + NB_COUNTERS)
			break;
		fresh = model_note(model, counter);
		if (wg_replay_note(&replay, counter) != fresh)
			fail_msg("counter %" PRIu64 ", highest %" PRIu64 ": should be %d", counter,
				 replay.top, fresh);
		accepted += fresh;
	}
	assert_true(accepted > 1000);
	assert_true(accepted < i);
	free(model);
}

static void
random_orders_are_judged_like_the_model(void **state)
{
	unsigned int i;

	harness_rng_init(&rng);
	for (i = 0; i < 20; i++) {
		like_the_model_from(0);
		like_the_model_from(UINT64_C(0xffffffff) - 5000);
		like_the_model_from(WG_REJECT_AFTER_MESSAGES - NB_COUNTERS);
	}
}

static void
the_window_has_the_length_that_it_says(void **state)
{
	struct wg_replay replay = { 0 };

	assert_true(WG_REPLAY_WINDOW >= 4096);
	assert_true(wg_replay_note(&replay, 2 * WG_REPLAY_WINDOW));
	assert_true(wg_replay_note(&replay, WG_REPLAY_WINDOW + 1));
	assert_false(wg_replay_note(&replay, WG_REPLAY_WINDOW));
	assert_false(wg_replay_note(&replay, 0));
	/* A leap beyond the ring forgets all that was there. */
	assert_true(wg_replay_note(&replay, WG_REJECT_AFTER_MESSAGES - 1));
	assert_false(wg_replay_note(&replay, WG_REJECT_AFTER_MESSAGES - 1));
	assert_true(wg_replay_note(&replay, WG_REJECT_AFTER_MESSAGES - WG_REPLAY_WINDOW));
	assert_false(wg_replay_note(&replay, WG_REJECT_AFTER_MESSAGES - WG_REPLAY_WINDOW - 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_orders_are_judged_like_the_model),
		cmocka_unit_test(the_window_has_the_length_that_it_says),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
