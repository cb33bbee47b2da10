/* SPDX-License-Identifier: BSD-3-Clause */

#include "replay.h"

bool
wg_replay_note(struct wg_replay *replay, uint64_t counter)
{
	uint64_t bit = UINT64_C(1) << (counter % 64);
	uint64_t word = counter / 64, top_word = replay->top / 64, nb_new, i;
	uint64_t *bits = &replay->bits[word % WG_REPLAY_WORDS];

	if (counter > replay->top) {
		nb_new = word - top_word;
		if (nb_new > WG_REPLAY_WORDS)
			nb_new = WG_REPLAY_WORDS;
		for (i = 1; i <= nb_new; i++)
			replay->bits[(top_word + i) % WG_REPLAY_WORDS] = 0;
		replay->top = counter;
	} else if (replay->top - counter >= WG_REPLAY_WINDOW) {
		return false;
	}
	if ((*bits & bit) != 0)
		return false;
	*bits |= bit;
	return true;
}
