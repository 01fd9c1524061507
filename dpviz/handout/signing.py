"""The key that signs hand-outs, and the form in which they are signed.

Ed25519 [RFC8032] gives the same signature for the same bytes and key, so the same releases make the
same pack. Signed is JSON in canonical form [RFC8785]: fields sorted, no blanks, UTF-8; whole
numbers and texts only, so that no float has to be written alike everywhere. What a signature tells:
somebody who holds the private key signed these bytes. Limits: it does not tell who that is.
[RFC8032] Edwards-Curve Digital Signature Algorithm. [RFC8785] JSON Canonicalization Scheme.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpviz.errors import ParameterError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY, SIGNATURE = "key", "signature"  # fields of what is signed
_PRINT = 32  # hexadecimal digits of a fingerprint: nobody finds a second key with the same 128 bits
_GROUP = 4
_BETWEEN = re.compile(r"[\s:-]+")


class SigningKey:
    """A private key; it shows only its public half, and a store may keep its 32 bytes.

    >>> key = SigningKey.from_private_bytes(bytes(32))
    >>> key
    SigningKey(3b6a 27bc…)
    """

    __slots__ = ("_private",)

    def __init__(self, private: "Ed25519PrivateKey") -> None:
        self._private = private

    @classmethod
    def fresh(cls) -> "SigningKey":
        """A new key from the entropy of the operating system."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_private_bytes(cls, secret: bytes) -> "SigningKey":
        """The key that a store has kept.

        Raises:
            ParameterError: if these are not the 32 bytes of a key.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        try:
            return cls(Ed25519PrivateKey.from_private_bytes(secret))
        except (ValueError, TypeError):
            raise ParameterError(
                "a signing key has 32 bytes; pass those that private_bytes gave"
            ) from None

    def private_bytes(self) -> bytes:
        """The 32 secret bytes, for a store that nobody else can read."""
        return self._private.private_bytes_raw()

    @property
    def public(self) -> str:
        """The public key, 32 bytes in hexadecimal digits."""
        return self._private.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> str:
        """The signature of these bytes, 64 bytes in hexadecimal digits."""
        return self._private.sign(content).hex()

    def __repr__(self) -> str:
        return f"SigningKey({self.public[:_GROUP]} {self.public[_GROUP : 2 * _GROUP]}…)"


def canonical(content: Mapping[str, Any]) -> bytes:
    """JSON in canonical form.

    Args:
        content: texts, whole numbers, lists and records with ASCII names.

    Raises:
        ValueError: if a text holds half a character, or a number is not finite.

    >>> canonical({"b": ["ρ"], "a": 1}).decode()
    '{"a":1,"b":["ρ"]}'
    """
    text = json.dumps(
        content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return text.encode("utf-8")


def signed(content: Mapping[str, Any], key: SigningKey) -> bytes:
    """These fields with the public key and a signature of all, in canonical form.

    >>> text = signed({"made": "2020-01-01"}, SigningKey.from_private_bytes(bytes(32)))
    >>> is_signed(json.loads(text))
    True
    """
    named = {**content, KEY: key.public}
    return canonical({**named, SIGNATURE: key.sign(canonical(named))})


def is_signed(content: Mapping[str, Any]) -> bool:
    """Whether the signature in these fields is that of all others, by the key among them.

    >>> is_signed({"made": "2020-01-01", "key": "00" * 32, "signature": "00" * 64})
    False
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    named = {name: value for name, value in content.items() if name != SIGNATURE}
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(content[KEY]))
        public.verify(bytes.fromhex(content[SIGNATURE]), canonical(named))
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: str) -> str:
    """A public key in few digits, to be compared by eye: the beginning of its SHA-256.

    >>> fingerprint("00" * 32)
    '6668 7aad f862 bd77 6c8f c18b 8e9f 8e20'
    """
    digits = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:_PRINT]
    return " ".join(digits[at : at + _GROUP] for at in range(0, _PRINT, _GROUP))


def read_fingerprint(typed: str) -> str:
    """A fingerprint as somebody typed it, in the form in which `fingerprint` writes it.

    Args:
        typed: capitals, blanks, hyphens and colons make no difference.

    Raises:
        ParameterError: if it is no whole fingerprint.

    >>> read_fingerprint("66687AAD-F862BD77-6C8FC18B-8E9F8E20")
    '6668 7aad f862 bd77 6c8f c18b 8e9f 8e20'
    """
    digits = _BETWEEN.sub("", typed).lower()
    if not re.fullmatch(f"[0-9a-f]{{{_PRINT}}}", digits):
        raise ParameterError(
            f"A fingerprint has {_PRINT} digits from 0 to 9 and a to f; type all of them, as they "
            "stand on the report"
        )
    return " ".join(digits[at : at + _GROUP] for at in range(0, _PRINT, _GROUP))
