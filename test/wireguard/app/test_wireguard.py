# SPDX-License-Identifier: BSD-3-Clause
"""examples/wireguard with wireguard-go, and with itself, in network namespaces."""

import os
import pathlib
import re
import subprocess

import pytest
import tunnel
from tunnel import Dpdk, Go

pytestmark = [pytest.mark.witness,
              pytest.mark.skipif(tunnel.missing("ping") is not None,
                                 reason=str(tunnel.missing("ping")))]
needs_go = pytest.mark.skipif(tunnel.missing("wireguard-go", "ethtool") is not None,
                              reason=str(tunnel.missing("wireguard-go", "ethtool")))
INJECT = pathlib.Path(__file__).with_name("inject.py")
REFUSED = re.compile("refused: (?!tx)|received (truncated|with wrong)")
# With which wireguard-go, slow here, is done in some seconds.
NB_MEGABYTES = int(os.environ.get("WIREGUARD_MEGABYTES", "30"))
RELIABLE = ("dropped by a full port", "refused by the port", "out of mbufs", "tun read refused",
            "tun read too long", "tun write failed", "received truncated",
            "received with wrong checksum", "refused: forged", "refused: replayed")


def check_counters(counters):
    assert {name: counters[name] for name in RELIABLE if name in counters} == {}


@needs_go
@pytest.mark.parametrize("outer, mtu, role", [
    (4, 1420, "initiator"), (6, 1420, "responder"), (4, 1280, "responder"), (6, 1280, "initiator"),
])
def test_with_wireguard_go(tmp_path, outer, mtu, role):
    """Ping and TCP in both directions, IPv4 and IPv6 inside."""
    with tunnel.ends(Dpdk, Go) as (ours, go):
        go.start(tmp_path, [(ours, outer if role == "responder" else None)], mtu)
        ours.start(tmp_path, [(go, outer if role == "initiator" else None)], mtu)
        first, second = (ours, go) if role == "initiator" else (go, ours)
        for version in (4, 6):
            tunnel.ping(first, second, version)
            tunnel.ping(second, first, version)
        tunnel.copy(ours, go, outer, 4)
        tunnel.copy(go, ours, 10 - outer, 4)
        assert ours.space.csum_errors() == go.space.csum_errors() == 0
        counters = ours.stop()
    check_counters(counters)
    assert counters["tun read super-packets"] > 20
    assert counters["segments made"] > (1 << 20) // mtu
    assert counters["tun writes"] < counters["tun written packets"]
    assert counters["initiations sent" if role == "initiator" else "responses sent"] == 1


@needs_go
def test_new_sessions_during_a_copy(tmp_path):
    """They come while it goes on, since the protocol's clock is fast."""
    with tunnel.ends(Dpdk, Go) as (ours, go):
        go.start(tmp_path, [(ours, None)], 1420)
        ours.start(tmp_path, [(go, 4)], 1420, ["--clock-rate", 60])
        tunnel.copy(ours, go, 4, NB_MEGABYTES, mbit=60)
        assert go.space.csum_errors() == 0
        counters = ours.stop()
    check_counters(counters)
    assert counters["peer 0 handshakes"] >= 2


@pytest.mark.parametrize("outer, options, megabytes", [
    (4, [], 100), (6, ["--no-coalesce"], 30), (4, ["--null-cipher"], 30),
], ids=["outer4", "outer6-no-coalesce", "null-cipher"])
def test_with_itself(tmp_path, outer, options, megabytes):
    """New sessions come on the way."""
    with tunnel.ends(Dpdk, Dpdk) as (one, two):
        one.start(tmp_path, [(two, None)], 1420, [*options, "--clock-rate", 60])
        two.start(tmp_path, [(one, outer)], 1420, [*options, "--clock-rate", 60])
        tunnel.copy(two, one, outer, megabytes, megabytes * 8 // 3)
        tunnel.ping(one, two, 10 - outer)
        assert one.space.csum_errors() == two.space.csum_errors() == 0
        counters = two.stop(), one.stop()
    for each in counters:
        check_counters(each)
        assert each["peer 0 handshakes"] >= 2
    sender, receiver = counters
    assert sender["segments made"] >= megabytes * (1 << 20) // 1368
    assert ("--no-coalesce" in options) == \
        (receiver["tun writes"] == receiver["tun written packets"])


@needs_go
@pytest.mark.parametrize("outer", (4, 6))
def test_two_peers_behind_a_router(tmp_path, outer):
    """Next hops are not the peers; one peer is asked by us, the other asks."""
    with tunnel.around_a_router(Dpdk, Go, Dpdk) as (ours, go, other):
        go.start(tmp_path, [(ours, None)], 1420)
        other.start(tmp_path, [(ours, outer)], 1420)
        ours.start(tmp_path, [(go, outer), (other, None)], 1420)
        tunnel.ping(other, ours, 4)
        tunnel.ping(ours, go, 6)
        tunnel.copy(ours, other, 6, 2)
        tunnel.copy(go, ours, 4, 2)
        counters = ours.stop()
        other.stop()
    check_counters(counters)
    assert counters["peer 0 handshakes"] == counters["peer 1 handshakes"] == 1


@needs_go
def test_broken_checksums_are_counted_at_the_far_end(tmp_path):
    with tunnel.ends(Dpdk, Go) as (ours, go):
        go.start(tmp_path, [(ours, None)], 1420)
        ours.start(tmp_path, [(go, 4)], 1420, ["--break", 500])
        # At a pace at which wireguard-go's socket loses nothing.
        tunnel.copy(ours, go, 4, 10, mbit=40)
        errors = go.space.csum_errors()
        counters = ours.stop()
    broken = counters["segments broken"]
    assert broken == -(-counters["segments made"] // 500) and broken >= 10
    assert errors == broken


@needs_go
def test_attacks_are_counted_and_not_answered(tmp_path):
    times = 3
    with tunnel.ends(Dpdk, Go) as (ours, go):
        go.start(tmp_path, [(ours, None)], 1420)
        ours.start(tmp_path, [(go, 4)], 1420)
        attacker = go.space.start("/usr/bin/python3", INJECT, go.device, times,
                                  stdout=subprocess.PIPE)
        assert attacker.stdout.readline() == "ready\n"
        tunnel.ping(ours, go, 4)
        printed, _ = attacker.communicate(timeout=tunnel.SECONDS)
        tunnel.ping(ours, go, 4)
        counters = ours.stop()
    assert printed == "returned 0\n"
    # The stack at the other end sends of its own accord what is for others.
    assert counters.pop("received for others") >= times
    assert {name: value for name, value in counters.items() if REFUSED.match(name)} == {
        "received truncated": times, "received with wrong checksum": times,
        "refused: unknown type": times, "refused: bad length": 2 * times,
        "refused: bad mac1": 2 * times, "refused: no session": times,
        "refused: forged": 2 * times, "refused: replayed": times}
