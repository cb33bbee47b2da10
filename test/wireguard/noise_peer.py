# SPDX-License-Identifier: BSD-3-Clause
"""A second WireGuard, to judge the one in C by: the primitives straight from their RFCs, in whole
numbers, and both sides of the handshake as in the whitepaper. It shares no library with the one in
C; BLAKE2s and HMAC are Python's own. Slow, and not safe against anybody who has a clock."""

import hashlib
import hmac
import os
import struct

P = 2**255 - 19
CONSTRUCTION = b"Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s"
IDENTIFIER = b"WireGuard v1 zx2c4 Jason@zx2c4.com"
INITIATION, RESPONSE, COOKIE, DATA = 1, 2, 3, 4
MASK = 0xffffffff


# ---- RFC 7748

def x25519(private, public):
    k = int.from_bytes(private, "little") & ~7 & ~(1 << 255) | 1 << 254
    u = int.from_bytes(public, "little") & (1 << 255) - 1
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in range(254, -1, -1):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def public_of(private):
    return x25519(private, (9).to_bytes(32, "little"))


# ---- RFC 8439, draft-irtf-cfrg-xchacha

def rotate(word, n):
    return (word << n | word >> 32 - n) & MASK


def quarter(s, a, b, c, d):
    for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = s[x] + s[y] & MASK
        s[z] = rotate(s[z] ^ s[x], n)


def chacha_rounds(key, last):
    """-> (the state before, the state after 20 rounds)"""
    state = list(struct.unpack("<16L", b"expand 32-byte k" + key + last))
    s = state[:]
    for _ in range(10):
        for i in range(4):
            quarter(s, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return state, s


def chacha_block(key, counter, nonce):
    state, s = chacha_rounds(key, struct.pack("<L", counter) + nonce)
    return struct.pack("<16L", *((a + b) & MASK for a, b in zip(state, s)))


def chacha(key, counter, nonce, text):
    stream = b"".join(chacha_block(key, counter + i, nonce) for i in range((len(text) + 63) // 64))
    return bytes(a ^ b for a, b in zip(text, stream))


def poly1305(key, text):
    r = int.from_bytes(key[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    total = 0
    for i in range(0, len(text), 16):
        total = (total + int.from_bytes(text[i:i + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def padded(text):
    return text + bytes(-len(text) % 16)


def tag_of(key, nonce, sealed, ad):
    lengths = struct.pack("<QQ", len(ad), len(sealed))
    return poly1305(chacha_block(key, 0, nonce)[:32], padded(ad) + padded(sealed) + lengths)


def aead_seal(key, nonce, text, ad):
    sealed = chacha(key, 1, nonce, text)
    return sealed + tag_of(key, nonce, sealed, ad)


def aead_open(key, nonce, sealed, ad):
    """-> None if it is forged"""
    if tag_of(key, nonce, sealed[:-16], ad) != sealed[-16:]:
        return None
    return chacha(key, 1, nonce, sealed[:-16])


def hchacha(key, nonce):
    _, s = chacha_rounds(key, nonce)
    return struct.pack("<8L", *s[:4], *s[12:])


def xaead_seal(key, nonce, text, ad):
    return aead_seal(hchacha(key, nonce[:16]), bytes(4) + nonce[16:], text, ad)


def xaead_open(key, nonce, sealed, ad):
    return aead_open(hchacha(key, nonce[:16]), bytes(4) + nonce[16:], sealed, ad)


# ---- whitepaper, section 5.4

def hash_of(*parts):
    return hashlib.blake2s(b"".join(parts)).digest()


def mac(key, text):
    return hashlib.blake2s(text, key=key, digest_size=16).digest()


def hmac_of(key, text):
    return hmac.new(key, text, hashlib.blake2s).digest()


def kdf(n, key, text):
    secret, last, out = hmac_of(key, text), b"", []
    for i in range(1, n + 1):
        last = hmac_of(secret, last + bytes([i]))
        out.append(last)
    return out


def counter_nonce(counter):
    return bytes(4) + struct.pack("<Q", counter)


def tai64n(seconds, nanoseconds):
    return struct.pack(">QL", 2**62 + 10 + seconds, nanoseconds)


class Peer:
    """One side. It remembers one handshake, and the session that came of it."""

    def __init__(self, private, remote_public, psk=bytes(32)):
        self.private, self.public = private, public_of(private)
        self.remote_public, self.psk = remote_public, psk
        self.cookie = None
        self.index = os.urandom(4)
        self.ephemeral = self.remote_index = self.last_mac1 = self.timestamp = None
        self.chain = self.hash = self.send_key = self.receive_key = None
        self.counter = 0

    # -- the symmetric state

    def begin(self, responder):
        self.chain = hash_of(CONSTRUCTION)
        self.hash = hash_of(hash_of(self.chain, IDENTIFIER), responder)

    def mix_hash(self, data):
        self.hash = hash_of(self.hash, data)

    def mix_key(self, data):
        self.chain, key = kdf(2, self.chain, data)
        return key

    def mix_ephemeral(self, public):
        self.chain, = kdf(1, self.chain, public)
        self.mix_hash(public)

    def seal_mix(self, key, text):
        sealed = aead_seal(key, counter_nonce(0), text, self.hash)
        self.mix_hash(sealed)
        return sealed

    def open_mix(self, key, sealed):
        text = aead_open(key, counter_nonce(0), sealed, self.hash)
        assert text is not None, "does not decrypt"
        self.mix_hash(sealed)
        return text

    def new_ephemeral(self):
        self.ephemeral = os.urandom(32)
        public = public_of(self.ephemeral)
        self.mix_ephemeral(public)
        return public

    def mix_psk(self):
        self.chain, temp, key = kdf(3, self.chain, self.psk)
        self.mix_hash(temp)
        return key

    def with_macs(self, message):
        self.last_mac1 = mac(hash_of(b"mac1----", self.remote_public), message)
        message += self.last_mac1
        return message + (bytes(16) if self.cookie is None else mac(self.cookie, message))

    def check_mac1(self, message):
        assert mac(hash_of(b"mac1----", self.public), message[:-32]) == message[-32:-16]

    # -- the messages

    def initiation(self, timestamp):
        self.begin(self.remote_public)
        ephemeral = self.new_ephemeral()
        key = self.mix_key(x25519(self.ephemeral, self.remote_public))
        static = self.seal_mix(key, self.public)
        key = self.mix_key(x25519(self.private, self.remote_public))
        return self.with_macs(struct.pack("<L4s", INITIATION, self.index) + ephemeral + static
                              + self.seal_mix(key, timestamp))

    def take_initiation(self, message):
        assert len(message) == 148 and message[:4] == struct.pack("<L", INITIATION)
        self.check_mac1(message)
        self.remote_index = message[4:8]
        remote_ephemeral = message[8:40]
        self.begin(self.public)
        self.mix_ephemeral(remote_ephemeral)
        key = self.mix_key(x25519(self.private, remote_ephemeral))
        assert self.open_mix(key, message[40:88]) == self.remote_public
        key = self.mix_key(x25519(self.private, self.remote_public))
        self.timestamp = self.open_mix(key, message[88:116])
        return remote_ephemeral

    def response(self, remote_ephemeral):
        ephemeral = self.new_ephemeral()
        self.mix_key(x25519(self.ephemeral, remote_ephemeral))
        self.mix_key(x25519(self.ephemeral, self.remote_public))
        nothing = self.seal_mix(self.mix_psk(), b"")
        self.receive_key, self.send_key = kdf(2, self.chain, b"")
        self.counter = 0
        return self.with_macs(struct.pack("<L4s4s", RESPONSE, self.index, self.remote_index)
                              + ephemeral + nothing)

    def take_response(self, message):
        assert len(message) == 92 and message[:4] == struct.pack("<L", RESPONSE)
        self.check_mac1(message)
        assert message[8:12] == self.index
        self.remote_index = message[4:8]
        remote_ephemeral = message[12:44]
        self.mix_ephemeral(remote_ephemeral)
        self.mix_key(x25519(self.ephemeral, remote_ephemeral))
        self.mix_key(x25519(self.private, remote_ephemeral))
        assert self.open_mix(self.mix_psk(), message[44:60]) == b""
        self.send_key, self.receive_key = kdf(2, self.chain, b"")
        self.counter = 0

    def take_cookie(self, message):
        assert len(message) == 64 and message[:4] == struct.pack("<L", COOKIE)
        assert message[4:8] == self.index
        self.cookie = xaead_open(hash_of(b"cookie--", self.remote_public), message[8:32],
                                 message[32:], self.last_mac1)
        assert self.cookie is not None, "does not decrypt"

    def cookie_reply(self, message, cookie):
        nonce = os.urandom(24)
        return struct.pack("<L4s", COOKIE, message[4:8]) + nonce + xaead_seal(
            hash_of(b"cookie--", self.public), nonce, cookie, message[-32:-16])

    def seal(self, packet):
        sealed = aead_seal(self.send_key, counter_nonce(self.counter), padded(packet), b"")
        self.counter += 1
        return struct.pack("<L4sQ", DATA, self.remote_index, self.counter - 1) + sealed

    def open(self, message):
        """-> (counter, packet with its padding)"""
        kind, index, counter = struct.unpack("<L4sQ", message[:16])
        assert (kind, index) == (DATA, self.index)
        packet = aead_open(self.receive_key, counter_nonce(counter), message[16:], b"")
        assert packet is not None, "does not decrypt"
        return counter, packet
