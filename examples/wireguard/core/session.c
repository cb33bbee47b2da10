/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include "session.h"

struct wg_session *
wg_session_new(const struct wg_keys *keys, bool null_cipher, uint64_t mono)
{
	struct wg_session *session = calloc(1, sizeof(*session));

	if (session == NULL)
		return NULL;
	session->birth = mono;
	if (wg_cipher_init(&session->send, keys->send, true, null_cipher) &&
	    wg_cipher_init(&session->receive, keys->receive, false, null_cipher))
		return session;
	wg_session_free(session);
	return NULL;
}

void
wg_session_free(struct wg_session *session)
{
	if (session == NULL)
		return;
	wg_cipher_free(&session->send);
	wg_cipher_free(&session->receive);
	free(session);
}

bool
wg_session_good(const struct wg_session *session, uint64_t counter, uint64_t mono)
{
	return mono - session->birth < WG_REJECT_AFTER_TIME && counter < WG_REJECT_AFTER_MESSAGES;
}
