/* SPDX-License-Identifier: BSD-3-Clause */

#include "device.h"

static void
drop(struct wg_peer *peer, struct wg_session **session)
{
	if (*session == NULL)
		return;
	wg_index_give_back(&peer->dev->indices, (*session)->local_index);
	wg_session_free(*session);
	*session = NULL;
}

/* The last one is kept for messages that are still under way. */
static void
make_current(struct wg_peer *peer, struct wg_session *session)
{
	struct wg_sessions *sessions = &peer->sessions;

	drop(peer, &sessions->previous);
	sessions->previous = sessions->current;
	sessions->current = session;
}

void
wg_sessions_add(struct wg_peer *peer, struct wg_session *session)
{
	struct wg_sessions *sessions = &peer->sessions;

	if (session->initiator) {
		/* The responder sends with it at once. Was one of ours as a responder never
		 * confirmed, then the peer may still be about to, and that one is the last.
		 */
		if (sessions->next != NULL) {
			drop(peer, &sessions->current);
			sessions->current = sessions->next;
			sessions->next = NULL;
		}
		make_current(peer, session);
	} else {
		/* The initiator has it already, and so does without the one before the current. */
		drop(peer, &sessions->previous);
		drop(peer, &sessions->next);
		sessions->next = session;
	}
}

void
wg_sessions_confirm(struct wg_peer *peer)
{
	struct wg_session *session = peer->sessions.next;

	peer->sessions.next = NULL;
	make_current(peer, session);
}

void
wg_sessions_drop(struct wg_peer *peer)
{
	drop(peer, &peer->sessions.previous);
	drop(peer, &peer->sessions.current);
	drop(peer, &peer->sessions.next);
}
