"""Bloom filters: a text becomes a few ones in a short row of bits, by public hash functions.

RAPPOR divides its clients into cohorts, each with hash functions of its own, so that two texts
that share bits in one cohort differ in another. The hash is BLAKE2b with a key: the same on every
machine and in every process, unlike that of Python. It is public and protects nobody; the noise
does.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Array

MOST_BITS, MOST_HASHES, MOST_COHORTS = 1024, 16, 1024
MOST_ROWS = 16_384  # bits of all cohorts: rows of the regression
LONGEST_KEY = 64  # bytes that BLAKE2b takes
_WORD = 8  # bytes of a digest for each position


@dataclass(frozen=True, slots=True, kw_only=True)
class Bloom:
    """Bloom filters of one length, with hash functions for each cohort.

    A text sets exactly `hashes` different bits of `bits`, in every cohort others: a position that
    comes twice is drawn again from the digest. So two texts differ in at most 2·hashes bits.

    Attributes:
        bits: length of a filter.
        hashes: ones that a text sets; fewer than `bits`.
        cohorts: how many sets of hash functions there are.
        key: names the hash functions; at most 64 bytes.

    Raises:
        ParameterError: if a number is out of bounds, or all cohorts together have too many bits.

    >>> Bloom(bits=16, hashes=2, cohorts=4).positions("weather.example", 0)
    (7, 12)
    """

    bits: int = 32
    hashes: int = 2
    cohorts: int = 32
    key: str = "dpviz"

    def __post_init__(self) -> None:
        for name, least, most in (
            ("bits", 2, MOST_BITS),
            ("hashes", 1, MOST_HASHES),
            ("cohorts", 1, MOST_COHORTS),
        ):
            checks.whole(least, **{name: getattr(self, name)})
            checks.between(least, most, **{name: getattr(self, name)})
            object.__setattr__(self, name, int(getattr(self, name)))
        if self.hashes >= self.bits:
            raise ParameterError(
                f"hashes must be fewer than the {self.bits} bits, or every text sets all of them; "
                f"got {self.hashes}"
            )
        if self.rows > MOST_ROWS:
            raise ParameterError(
                f"bits × cohorts may be at most {MOST_ROWS:,}, got {self.rows:,}; pass fewer of "
                "either"
            )
        checks.instance(str, key=self.key)
        if len(_encoded(self.key)) > LONGEST_KEY:
            raise ParameterError(f"key may have at most {LONGEST_KEY} bytes; pass a shorter one")

    @property
    def rows(self) -> int:
        """Bits of all cohorts."""
        return self.bits * self.cohorts

    def positions(self, text: str, cohort: int) -> tuple[int, ...]:
        """The bits that a text sets in a cohort, ascending.

        Args:
            text: any text.
            cohort: from 0 to cohorts - 1.

        Raises:
            ParameterError: if `text` is no text or there is no such cohort.

        >>> len(Bloom(bits=8, hashes=7).positions("", 0))
        7
        """
        checks.instance(str, text=text)
        checks.whole(0, cohort=cohort)
        checks.between(0, self.cohorts - 1, cohort=cohort)
        return self._positions(_encoded(text), int(cohort))

    def filters(self, texts: Sequence[str], cohorts: Array) -> Array:
        """The filter of each text in its cohort.

        Args:
            texts: one for each row.
            cohorts: the cohort of each, shape (n,).

        Returns:
            Shape (n, bits), uint8.
        """
        found = np.zeros((len(texts), self.bits), dtype=np.uint8)
        for row, (text, cohort) in enumerate(zip(texts, cohorts.tolist(), strict=True)):
            found[row, self._positions(_encoded(text), cohort)] = 1
        return found

    def design(self, texts: Sequence[str]) -> sparse.csc_array:
        """Which text sets which bit: the matrix of the regression.

        Returns:
            Shape (cohorts·bits, texts), zeros and ones; the bits of cohort 0 come first.
        """
        rows = [
            cohort * self.bits + place
            for text in map(_encoded, texts)
            for cohort in range(self.cohorts)
            for place in self._positions(text, cohort)
        ]
        per_text = self.cohorts * self.hashes
        ends = np.arange(len(texts) + 1) * per_text
        ones = np.ones(len(rows))
        return sparse.csc_array((ones, np.array(rows, int), ends), shape=(self.rows, len(texts)))

    def _positions(self, text: bytes, cohort: int) -> tuple[int, ...]:
        found: set[int] = set()
        part = 0
        while len(found) < self.hashes:  # a digest has eight words, and more than one may coincide
            digest = hashlib.blake2b(
                text,
                key=_encoded(self.key),
                salt=cohort.to_bytes(16, "little"),
                person=part.to_bytes(16, "little"),
            ).digest()
            for start in range(0, len(digest), _WORD):
                word = int.from_bytes(digest[start : start + _WORD], "little")
                found.add(word % self.bits)  # 64 bits: no position is favoured by more than 2⁻⁵⁴
                if len(found) == self.hashes:
                    break
            part += 1
        return tuple(sorted(found))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
