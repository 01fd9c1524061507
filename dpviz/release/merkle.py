"""A Merkle tree: one digest of many leaves, and a short proof that one leaf is among them.

The digest of a leaf is SHA-256(00 ‖ leaf), of a node SHA-256(01 ‖ left ‖ right), and the left half
of n leaves has the largest power of two below n, so that no leaf can pass for a node [RFC9162,
section 2.1]. The proof of a leaf are the digests of the halves without it, the innermost first.
[LMS21] Certificate Transparency Version 2.0, RFC 9162.
"""

import hashlib
from collections.abc import Sequence

from dpviz import checks

DIGEST = 32  # bytes


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The digest of all leaves in their order.

    Args:
        leaves: at least one.

    >>> root_of([b""]).hex()[:8]
    '6e340b9c'
    """
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    half = _left(len(leaves))
    return _node(root_of(leaves[:half]), root_of(leaves[half:]))


def proof_of(place: int, leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    """The digests that lead from the leaf at a place, counted from 0, to the root.

    Raises:
        ParameterError: there is no such place.

    >>> proof_of(0, [b"a"]), len(proof_of(2, [b"a", b"b", b"c"]))
    ((), 1)
    """
    checks.between(0, len(leaves) - 1, place=place)
    if len(leaves) == 1:
        return ()
    half = _left(len(leaves))
    if place < half:
        return (*proof_of(place, leaves[:half]), root_of(leaves[half:]))
    return (*proof_of(place - half, leaves[half:]), root_of(leaves[:half]))


def root_by(leaf: bytes, place: int, count: int, proof: Sequence[bytes]) -> bytes | None:
    """The root to which a proof leads, or None if it fits no place like this among `count`.

    >>> leaves = [b"a", b"b", b"c"]
    >>> root_by(b"c", 2, 3, proof_of(2, leaves)) == root_of(leaves)
    True
    """
    if not 0 <= place < count or any(len(digest) != DIGEST for digest in proof):
        return None
    sides = []  # whether the leaf is on the left, from the root inwards
    while count > 1:
        half = _left(count)
        sides.append(place < half)
        place, count = (place, half) if place < half else (place - half, count - half)
    if len(sides) != len(proof):
        return None
    found = root_of([leaf])
    for on_the_left, other in zip(reversed(sides), proof, strict=True):
        found = _node(found, other) if on_the_left else _node(other, found)
    return found


def _left(count: int) -> int:
    """How many of `count` leaves are in the left half."""
    return 1 << (count - 1).bit_length() - 1


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
