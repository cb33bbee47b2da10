# SPDX-License-Identifier: BSD-3-Clause
"""The protocol core of examples/wireguard against a peer that shares nothing with it: primitives,
handshakes in both roles, cookies, data."""

import base64
import os
import random
import subprocess
import time

import noise_peer as peer
import pytest
from conftest import BUILD

PIPE = BUILD / "test/wireguard/wg-pipe"
SEED = int(os.environ.get("SEED", time.time_ns() // 1000))
SECOND = 10**9
NOW = 1_700_000_000
HOME = ("c0000201", 51820)
AWAY = ("20010db8" + 24 * "0", 9)
MTU = 1420

pytestmark = pytest.mark.skipif(not PIPE.exists(),
                                reason="libcrypto 3.0 or libsodium is missing")


class Core:
    """The program at the other end of a pipe."""

    def __init__(self):
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([PIPE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def __call__(self, command, *args):
        words = [arg.hex() or "-" if isinstance(arg, bytes) else str(arg) for arg in args]
        print(command, *words, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, "the program has ended"
        return line.rstrip("\n")

    def bytes(self, command, *args):
        """-> None if it said no"""
        text = self(command, *args)
        return None if text == "no" else b"" if text == "-" else bytes.fromhex(text)

    def time(self, seconds):
        """That much after the start."""
        assert self("time", seconds * SECOND, (NOW + seconds) * SECOND) == "ok"

    def receive(self, datagram, place=HOME):
        """-> (kind, reason, established, packet, reply)"""
        kind, why, established, packet, reply = self("receive", *place, datagram).split("\t")
        return (kind, why, established == "1", bytes.fromhex(packet.strip("-")),
                bytes.fromhex(reply.strip("-")))


@pytest.fixture(name="core")
def core_fixture():
    core = Core()
    yield core
    core.process.stdin.close()
    assert core.process.wait(timeout=10) == 0
    core.process.stdout.close()


@pytest.fixture(name="rng", scope="module")
def rng_fixture():
    print(f"SEED={SEED}")
    return random.Random(SEED)


def base64_of(key):
    return base64.b64encode(key).decode()


def packet_of(source, destination, length):
    return (b"\x45\0" + length.to_bytes(2, "big") + bytes(8) + bytes([10, 0, 0, source])
            + bytes([10, 0, 0, destination]) + bytes(i & 255 for i in range(length - 20)))


def meet(core, tmp_path, psk):
    """The core has 10.0.0.1, the peer that comes back 10.0.0.2, at HOME."""
    ours, theirs = os.urandom(32), os.urandom(32)
    config = tmp_path / "wg.conf"
    config.write_text(f"""
        [Interface]
        PrivateKey = {base64_of(ours)}
        [Peer]
        PublicKey = {base64_of(peer.public_of(theirs))}
        {f"PresharedKey = {base64_of(psk)}" if any(psk) else ""}
        AllowedIPs = 10.0.0.2/32
        Endpoint = 192.0.2.1:51820
        """)
    core.time(1)
    assert core("device", config) == "ok"
    return peer.Peer(theirs, peer.public_of(ours), psk)


def exchange(core, other):
    """Data both ways, of all paddings."""
    for length in (*range(60, 77), 1403, 1404, 1405, 1419, 1420):
        packet = packet_of(1, 2, length)
        _, text = other.open(core.bytes("seal", packet, MTU))
        assert len(text) == min(MTU, -(-length // 16) * 16)
        assert text == packet + bytes(len(text) - length)
        packet = packet_of(2, 1, length)
        assert core.receive(other.seal(packet)) == ("packet", "none", False, packet, b"")


# ---- the peer is right

def test_x25519_is_that_of_rfc_7748():
    alice = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    bob = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    assert peer.public_of(alice).hex() == (
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    assert peer.x25519(alice, peer.public_of(bob)).hex() == shared
    assert peer.x25519(bob, peer.public_of(alice)).hex() == shared
    assert peer.x25519(
        bytes.fromhex("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d"),
        bytes.fromhex("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493")
    ).hex() == "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"


SUNSCREEN = (b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
             b"future, sunscreen would be it.")
SUNSCREEN_AD = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")


def test_aead_is_that_of_rfc_8439():
    sealed = peer.aead_seal(bytes(range(0x80, 0xa0)), bytes.fromhex("070000004041424344454647"),
                            SUNSCREEN, SUNSCREEN_AD)
    assert sealed.hex().startswith("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee6")
    assert sealed.hex().endswith("1ae10b594f09e26a7e902ecbd0600691")


def test_xaead_is_that_of_the_draft():
    assert peer.hchacha(bytes(range(32)), bytes.fromhex("000000090000004a0000000031415927")
                        ).hex() == ("82413b4227b27bfed30e42508a877d73"
                                    "a0f9e4d58a74a853c12ec41326d3ecdc")
    sealed = peer.xaead_seal(bytes(range(0x80, 0xa0)), bytes(range(0x40, 0x58)), SUNSCREEN,
                             SUNSCREEN_AD)
    assert sealed.hex().startswith("bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396")
    assert sealed.hex().endswith("c0875924c1c7987947deafd8780acf49")


# ---- the core's primitives

def test_hash_is_that_of_rfc_7693(core):
    assert core("hash", b"a", b"bc") == (
        "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982")


def test_primitives_agree(core, rng):
    for length in (0, 1, 12, 16, 31, 32, 63, 64, 65, 116, 200, 1500):
        key, ad, text = rng.randbytes(32), rng.randbytes(32), rng.randbytes(length)
        assert core.bytes("hash", key, text) == peer.hash_of(key, text)
        assert core.bytes("mac", key, text) == peer.mac(key, text)
        assert core.bytes("mac", key[:16], text) == peer.mac(key[:16], text)
        for n in (1, 2, 3):
            assert core.bytes("kdf", n, key, text) == b"".join(peer.kdf(n, key, text))
        sealed = peer.aead_seal(key, bytes(12), text, ad)
        assert core.bytes("aead-seal", key, text, ad) == sealed
        assert core.bytes("aead-open", key, sealed, ad) == text
        assert core.bytes("aead-open", key, sealed, bytes([ad[0] ^ 1]) + ad[1:]) is None
        for counter in (0, 1, 2**32, rng.getrandbits(64)):
            sealed = peer.aead_seal(key, peer.counter_nonce(counter), text, b"")
            assert core.bytes("cipher-seal", key, counter, text) == sealed
            assert core.bytes("cipher-open", key, counter, sealed) == text
            assert core.bytes("cipher-open", key, counter ^ 1, sealed) is None


def test_key_agreement_agrees(core, rng):
    for _ in range(12):
        private, other = rng.randbytes(32), rng.randbytes(32)
        assert core.bytes("public", private) == peer.public_of(private)
        assert core.bytes("dh", private, other) == peer.x25519(private, other)


@pytest.mark.parametrize("point", (
    bytes(32), b"\1" + bytes(31),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    (peer.P - 1).to_bytes(32, "little"), peer.P.to_bytes(32, "little"),
    (peer.P + 1).to_bytes(32, "little")), ids=lambda point: point.hex()[:8])
def test_points_of_low_order_are_refused(core, rng, point):
    private = rng.randbytes(32)
    assert peer.x25519(private, point) == bytes(32)
    assert core.bytes("dh", private, point) is None


def test_cookie_encryption_agrees(core, rng):
    for _ in range(5):
        key, nonce, cookie, ad = map(rng.randbytes, (32, 24, 16, 16))
        sealed = peer.xaead_seal(key, nonce, cookie, ad)
        assert core.bytes("xaead-seal", key, nonce, cookie, ad) == sealed
        assert core.bytes("xaead-open", key, nonce, sealed, ad) == cookie
        assert core.bytes("xaead-open", key, nonce, sealed, cookie) is None


# ---- handshakes

@pytest.mark.parametrize("psk", (bytes(32), bytes(range(32))), ids=("no-psk", "psk"))
def test_the_core_initiates(core, tmp_path, psk):
    other = meet(core, tmp_path, psk)
    core.time(2)
    assert core.bytes("seal", packet_of(1, 2, 60), MTU) is None
    message = core.bytes("poll")
    assert message[-16:] == bytes(16)
    ephemeral = other.take_initiation(message)
    # Whole seconds, so that what is taken off the nanoseconds does not show.
    assert other.timestamp == peer.tai64n(NOW + 2, 0)
    kind, why, established, packet, reply = core.receive(other.response(ephemeral), AWAY)
    assert (kind, why, established, packet) == ("consumed", "none", True, b"")
    assert other.open(reply) == (0, b"")
    exchange(core, other)


@pytest.mark.parametrize("psk", (bytes(32), bytes(range(32))), ids=("no-psk", "psk"))
def test_the_core_responds(core, tmp_path, psk):
    other = meet(core, tmp_path, psk)
    kind, why, established, _, reply = core.receive(other.initiation(peer.tai64n(NOW, 5)))
    assert (kind, why, established) == ("consumed", "none", False)
    other.take_response(reply)
    assert core.bytes("seal", packet_of(1, 2, 60), MTU) is None
    assert core.receive(other.seal(b"")) == ("consumed", "none", True, b"", b"")
    exchange(core, other)


def test_nanoseconds_are_blurred(core, tmp_path):
    other = meet(core, tmp_path, bytes(32))
    assert core("time", SECOND, NOW * SECOND + 123_456_789) == "ok"
    core.bytes("seal", packet_of(1, 2, 60), MTU)
    other.take_initiation(core.bytes("poll"))
    assert other.timestamp == peer.tai64n(NOW, 123_456_789 >> 24 << 24)


def test_a_wrong_preshared_key_is_refused(core, tmp_path):
    other = meet(core, tmp_path, bytes(range(32)))
    other.psk = bytes(32)
    core.bytes("seal", packet_of(1, 2, 60), MTU)
    ephemeral = other.take_initiation(core.bytes("poll"))
    assert core.receive(other.response(ephemeral)) == ("refused", "bad handshake", False, b"", b"")


def test_initiations_are_taken_in_the_order_of_their_time(core, tmp_path):
    other = meet(core, tmp_path, bytes(32))
    for n, (stamp, why) in enumerate((
            (peer.tai64n(NOW, 5), "none"), (peer.tai64n(NOW, 5), "replayed initiation"),
            (peer.tai64n(NOW, 4), "replayed initiation"), (peer.tai64n(NOW, 6), "none"),
            (peer.tai64n(NOW - 1, 9 * 10**8), "replayed initiation"),
            (peer.tai64n(NOW + 1, 0), "none"))):
        core.time(2 + n)
        assert core.receive(other.initiation(stamp))[1] == why


# ---- cookies

def test_the_core_uses_a_cookie(core, tmp_path):
    other = meet(core, tmp_path, bytes(32))
    core.bytes("seal", packet_of(1, 2, 60), MTU)
    message = core.bytes("poll")
    cookie = bytes(range(16))
    assert core.receive(other.cookie_reply(message, cookie))[:2] == ("consumed", "none")
    assert core("poll") == "idle"
    core.time(7)
    message = core.bytes("poll")
    assert message[-16:] == peer.mac(cookie, message[:-16])
    other.take_initiation(message)


def test_the_core_demands_a_cookie(core, tmp_path):
    other = meet(core, tmp_path, bytes(32))
    assert core("load", 1) == "ok"
    kind, _, _, _, reply = core.receive(other.initiation(peer.tai64n(NOW, 5)))
    assert kind == "consumed"
    other.take_cookie(reply)
    core.time(2)
    message = other.initiation(peer.tai64n(NOW, 6))
    # It is bound to the place where it was given.
    assert len(core.receive(message, AWAY)[4]) == len(core.receive(message, (HOME[0], 9))[4]) == 64
    other.take_response(core.receive(message)[4])
    assert core.receive(other.seal(b""))[2]


# ---- data

def test_data_in_any_order_counts_once(core, rng, tmp_path):
    other = meet(core, tmp_path, bytes(32))
    other.take_response(core.receive(other.initiation(peer.tai64n(NOW, 5)))[4])
    datagrams = [other.seal(packet_of(2, 1, 60)) for _ in range(30)]
    rng.shuffle(datagrams)
    assert {core.receive(datagram)[0] for datagram in datagrams} == {"packet"}
    assert {core.receive(datagram)[1] for datagram in datagrams} == {"replayed"}


def test_what_a_peer_may_not_send_is_refused(core, tmp_path):
    other = meet(core, tmp_path, bytes(32))
    other.take_response(core.receive(other.initiation(peer.tai64n(NOW, 5)))[4])
    assert core.receive(other.seal(b""))[2]
    for packet, why in ((packet_of(3, 1, 60), "bad inner source"),
                        (packet_of(2, 1, 60)[:19], "malformed inner packet"),
                        (b"\x25" + bytes(59), "malformed inner packet")):
        assert core.receive(other.seal(packet)) == ("refused", why, False, b"", b"")
