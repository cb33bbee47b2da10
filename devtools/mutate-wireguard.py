#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plant bugs in examples/wireguard/core, one at a time and in a copy, and see whether
test/wireguard catches each.

Prints what was caught and what was missed, and fails if anything was missed.

usage: devtools/mutate-wireguard.py BUILD [NAME...]
       all bugs, or those named; BUILD: a build folder without sanitizers
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
CORE = TOP / "examples/wireguard/core"
PATIENCE = 20  # seconds for what takes one
SUITES = ("replay", "allowed-ips", "config", "handshake", "data", "timers", "cookie", "hostile",
          "peers")

# A name, a file of the core, what stands there once, and what stands there instead.
BUGS = [
    # primitives and handshake: the peer in Python is what catches most of these
    ("null-tag-not-looked-at", "cipher.c", "return wg_equal(text + len, null_tag, WG_TAG_LEN)",
     "return null_tag[0] == 0"),
    ("nonce-in-the-wrong-place", "cipher.c", "nonce + 4", "nonce"),
    ("hash-without-additional-data", "cipher.c",
     "seal(cipher.ctx, 0, out, text, (int)len, ad)", "seal(cipher.ctx, 0, out, text, (int)len, 0)"),
    ("kdf-counts-from-zero", "crypto.c", "(uint8_t)(i + 1)", "(uint8_t)i"),
    ("mac-of-full-length-cut", "crypto.c", "size_t size = WG_MAC_LEN", "size_t size = 32"),
    ("keys-swapped", "noise.c", "derive(hs, keys->receive, keys->send)",
     "derive(hs, keys->send, keys->receive)"),
    ("psk-not-mixed-into-the-hash", "noise.c",
     "WG_KEY_LEN) &&\n		mix_hash(hs, temp, sizeof(temp))",
     "WG_KEY_LEN)"),
    ("psk-left-out", "noise.c", "wg_kdf(out, 3, hs->chain, psk, WG_KEY_LEN)",
     "wg_kdf(out, 3, hs->chain, temp, 0)"),
    ("static-key-of-the-wrong-side", "noise.c",
     "begin(hs, remote->public_key)", "begin(hs, identity->public_key)"),
    ("ephemeral-not-in-the-chain", "noise.c",
     "mix_key(hs, ephemeral, NULL) && mix_hash(hs, ephemeral, WG_KEY_LEN)",
     "mix_hash(hs, ephemeral, WG_KEY_LEN)"),
    ("tai-is-utc", "handshake.c", "0x400000000000000a", "0x4000000000000000"),
    ("nanoseconds-in-full", "handshake.c", "(~UINT64_C(0xffffff))", "(~UINT64_C(0))"),
    ("same-timestamp-taken", "handshake.c", "WG_TIMESTAMP_LEN) <= 0)", "WG_TIMESTAMP_LEN) < 0)"),
    ("timestamp-not-kept", "handshake.c",
     "	memcpy(peer->timestamp, timestamp, WG_TIMESTAMP_LEN);\n", ""),
    ("flood-not-slowed", "handshake.c", "WG_SECOND / INITIATIONS_PER_SECOND", "0"),
    ("mac1-not-looked-at", "handshake.c",
     "!wg_cookie_check_mac1(&dev->checker, datagram, len)", "false"),
    ("endpoint-before-proof", "handshake.c",
     "	if (peer == NULL)\n",
     "	if (peer != NULL)\n		peer->endpoint.port++;\n	else\n"),
    ("response-for-a-session", "handshake.c",
     "entry == NULL || entry->session != NULL)", "entry == NULL)"),
    ("handshake-not-forgotten", "handshake.c",
     "now. */\n	wg_zero(&peer->handshake, sizeof(peer->handshake));", "now. */"),
    ("no-confirming-keepalive", "handshake.c",
     "	wg_keepalive(peer, now->mono, &received->reply);\n", ""),
    # sessions
    ("next-session-used-at-once", "sessions.c", "		sessions->next = session;",
     "		sessions->current = session;"),
    ("no-previous-session", "sessions.c", "	sessions->previous = sessions->current;",
     "	drop(peer, &sessions->current);"),
    ("unconfirmed-session-dropped", "sessions.c",
     "			sessions->current = sessions->next;",
     "			drop(peer, &sessions->next);"),
    ("index-not-given-back", "sessions.c",
     "	wg_index_give_back(&peer->dev->indices, (*session)->local_index);\n", ""),
    ("expiry-a-nanosecond-late", "session.c", "< WG_REJECT_AFTER_TIME", "<= WG_REJECT_AFTER_TIME"),
    ("counter-without-end", "session.c", "counter < WG_REJECT_AFTER_MESSAGES", "true"),
    ("index-by-its-place-alone", "index.c", " && entry->index == index", ""),
    # data
    ("replay-not-looked-at", "data.c",
     "!wg_replay_note(&session->replay, counter)", "false"),
    ("replay-noted-before-proof", "data.c",
     "!wg_session_good(session, counter, mono)",
     "!wg_session_good(session, counter, mono) || !wg_replay_note(&session->replay, counter)"),
    ("padded-beyond-the-mtu", "data.c", "	if (padded > mtu)\n		padded = mtu;\n",
     ""),
    ("padding-not-zeroed", "data.c", "	memset(packet + len, 0, padded - len);\n", ""),
    ("padding-not-taken-off", "data.c", "received->len = inner.len", "received->len = len"),
    ("inner-length-not-looked-at", "data.c", " || inner.len > len ||", " ||"),
    ("inner-length-below-its-header", "data.c", "inner.len < inner.header_len", "false"),
    ("inner-source-not-looked-at", "data.c", "inner.src, inner.addr_len) != peer",
     "inner.src, inner.addr_len) == NULL"),
    ("routed-by-source", "data.c", "inner.dst, inner.addr_len)", "inner.src, inner.addr_len)"),
    ("counter-not-increased", "data.c", "session->send_counter++", "session->send_counter"),
    ("keepalive-is-data", "data.c", "wg_timers_sent(peer, len != 0, mono)",
     "wg_timers_sent(peer, true, mono)"),
    ("does-not-follow-a-peer", "data.c", "	peer->endpoint = *from;\n", ""),
    ("header-length-from-ipv6", "inner.c", "inner->header_len >= IPV4_HEADER_LEN", "true"),
    # replay window, allowed IPs
    ("window-a-word-too-long", "replay.h", "((WG_REPLAY_WORDS - 1) * 64u)",
     "(WG_REPLAY_WORDS * 64u)"),
    ("first-word-not-cleared", "replay.c", "for (i = 1;", "for (i = 2;"),
    ("last-word-not-cleared", "replay.c", "i <= nb_new", "i < nb_new"),
    ("any-match-found", "allowed_ips.c", "		if (node->peer != NULL)\n",
     "		if (node->peer != NULL && found == NULL)\n"),
    ("parting-forgets-its-child", "allowed_ips.c",
     "		parting->child[bit_of(node->bytes, common)] = node;\n", ""),
    ("second-peer-not-put-in", "allowed_ips.c",
     "		node->peer = peer;\n		return true;",
     "		return true;"),
    # timers
    ("no-jitter", "timers.c", "mono + WG_REKEY_TIMEOUT + peer->timers.jitter",
     "mono + WG_REKEY_TIMEOUT + WG_SECOND"),
    ("initiations-without-a-break", "timers.c", "timers->last_initiation != 0 &&", "false &&"),
    ("responder-rekeys", "timers.c", "(session->initiator && mono", "(mono"),
    ("no-rekey-by-count", "timers.c", "session->send_counter > WG_REKEY_AFTER_MESSAGES", "false"),
    ("no-rekey-by-receiving", "data.c", "	wg_timers_keep_fresh_received(peer, mono);\n", ""),
    ("keepalive-though-answered", "timers.c", "	stop(peer, WG_TIMER_KEEPALIVE);\n", ""),
    ("no-second-keepalive", "timers.c", "		peer->timers.another_keepalive = true;",
     "		peer->timers.another_keepalive = false;"),
    ("silence-not-noticed", "timers.c", "	if (data && !runs(peer, WG_TIMER_UNANSWERED))",
     "	if (false)"),
    ("silence-though-answered", "timers.c", "	stop(peer, WG_TIMER_UNANSWERED);\n", ""),
    ("silence-counted-from-the-last", "timers.c", "data && !runs(peer, WG_TIMER_UNANSWERED)",
     "data"),
    ("deadline-not-brought-forward", "timers.c", "	if (at < peer->dev->deadline)\n",
     "	if (false)\n"),
    ("initiations-go-on", "timers.c", "	stop(peer, WG_TIMER_INITIATE);\n", ""),
    ("waiting-data-does-not-count", "timers.c", "		if (data_waits)\n",
     "		if (false)\n"),
    ("never-gives-up", "poll.c", "mono - peer->timers.attempt_began < WG_REKEY_ATTEMPT_TIME",
     "true"),
    ("keys-never-zeroed", "poll.c", "		wg_sessions_drop(peer);\n", ""),
    # cookies
    ("mac2-without-mac1", "cookie.c", "wg_mac(mac2, cookie, WG_MAC_LEN, bytes, mac2_off(len))",
     "wg_mac(mac2, cookie, WG_MAC_LEN, bytes, mac1_off(len))"),
    ("cookie-for-every-port", "cookie.c", "from->addr.len + 2u", "from->addr.len"),
    ("secret-never-changes", "cookie.c",
     "checker->secret_birth == 0 || mono - checker->secret_birth >= WG_COOKIE_TIME",
     "checker->secret_birth == 0"),
    ("old-cookie-used", "cookie.c",
     "jar->cookie_birth == 0 || mono - jar->cookie_birth >= WG_COOKIE_TIME - COOKIE_LATENCY",
     "jar->cookie_birth == 0"),
    ("cookie-taken-twice", "cookie.c", "	jar->asked = false;\n", ""),
    ("load-of-one-second", "load.c", "load->forced || load->loaded ||", "load->forced ||"),
    ("load-for-ever", "load.c", "mono - load->second < 2 * WG_SECOND &&", ""),
    ("burst-without-end", "load.c", "mono + WG_LOAD_BURST * MESSAGE_TIME", "UINT64_MAX"),
    ("all-sources-are-one", "load.c", "% WG_LOAD_BUCKETS", "% 1"),
    # several peers
    ("first-peer-alone-polled", "poll.c", "dev->next_poll < dev->nb_peers", "dev->next_poll < 1"),
    ("deadline-of-the-first-peer", "poll.c", "for (i = 0; i < dev->nb_peers; i++)",
     "for (i = 0; i < 1; i++)"),
    ("polls-from-where-it-was", "poll.c", "	dev->next_poll = 0;\n", ""),
    ("first-peer-alone-found", "handshake.c", "for (i = 0; i < dev->nb_peers; i++)",
     "for (i = 0; i < 1; i++)"),
    ("index-not-random-but-taken", "index.c", "while (entry->peer != NULL)", "while (false)"),
    # messages and configuration
    ("reserved-bytes-not-looked-at", "receive.c", "switch (wg_get_le32(datagram))",
     "switch (datagram[0])"),
    ("response-of-any-length", "receive.c", "len != sizeof(struct wg_response)", "len < 60"),
    ("host-bits-kept", "config_keys.c", "	clear_host_bits(&prefix);\n", ""),
    ("key-given-twice", "config_keys.c", "	*seen |= bit;\n", ""),
    ("comment-is-a-value", "config.c", '	text[strcspn(text, "#")] = \'\\0\';\n', ""),
    ("sign-is-a-digit", "config_value.c", "!isdigit((unsigned char)text[0])", "text[0] == 0"),
]


def flags(*packages):
    return subprocess.run(["pkg-config", "--cflags", "--libs", *packages], check=True, text=True,
                          capture_output=True).stdout.split()


class Lab:
    """A copy of the core, and the tests' objects of a build, linked with it."""

    def __init__(self, work, folder):
        self.core, self.folder, self.tests = work / "core", folder, folder / "test/wireguard"
        self.program = work / "program"
        self.fake = work / "build"
        (self.fake / "test/wireguard").mkdir(parents=True)
        shutil.copytree(CORE, self.core)
        self.libraries = flags("libdpdk", "cmocka", "libcrypto", "libsodium")
        self.compile(*self.core.glob("*.c"))

    def compile(self, *sources):
        for source in sources:
            subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-w",
                            "-c", source, "-o", source.with_suffix(".o")], check=True)

    def link(self, program, *objects):
        subprocess.run(["cc", *objects, self.tests / "libwg_lab.a", *self.core.glob("*.o"),
                        self.folder / "test/harness/libcsum_harness.a", *self.libraries,
                        "-o", program], check=True)

    def caught(self):
        """Who says so, or None if all pass."""
        for suite in SUITES:
            source = f"wireguard-{suite}.p/wg_{suite.replace('-', '_')}_test.c.o"
            self.link(self.program, self.tests / source)
            try:
                done = subprocess.run([self.program], capture_output=True, text=True, check=False,
                                      timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return f"{suite}: does not end"
            if done.returncode != 0:
                failed = [line.split()[-1] for line in done.stderr.splitlines()
                          if "FAILED  ]" in line and "below" not in line]
                return f"{suite}: {failed[0] if failed else 'crashed'}"
        self.link(self.fake / "test/wireguard/wg-pipe", self.tests / "wg-pipe.p/wg_pipe.c.o")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x",
             TOP / "test/wireguard/test_wireguard_peer.py"], cwd=TOP, check=False, text=True,
            env={**os.environ, "CSUM_BUILD": str(self.fake)}, capture_output=True)
        lines = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
        return lines[0].split("::")[1].split()[0] if done.returncode != 0 else None

    def plant(self, file, old, new):
        """-> what takes it out again"""
        path = self.core / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"mutate-wireguard.py: no longer applies to {file}: {old}")
        path.write_text(text.replace(old, new))
        return path, text

    def build(self, path):
        self.compile(*(self.core.glob("*.c") if path.suffix == ".h" else [path]))


def main():
    folder, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    bugs = [bug for bug in BUGS if not names or bug[0] in names]
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        lab = Lab(pathlib.Path(temporary), folder)
        says = lab.caught()
        if says is not None:
            sys.exit(f"mutate-wireguard.py: a test fails without any planted bug: {says}")
        for name, *bug in bugs:
            path, text = lab.plant(*bug)
            lab.build(path)
            says = lab.caught()
            path.write_text(text)
            lab.build(path)
            missed += says is None
            print(f"MISSED {name}" if says is None else f"caught {name}: {says}", flush=True)
    print(f"{len(bugs) - missed} of {len(bugs)} planted bugs caught")
    sys.exit(missed != 0 or not bugs)


if __name__ == "__main__":
    main()
