"""Items of a huge public domain: each has an index, and each index a name that can be shown.

The coding is fixed before any data are seen, by what is typed: the longest word, or a range. It is
one to one, so a cell that noise alone lifted can be named, too. Limits: up to 1e12 items.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError

MOST_ITEMS = 10**12
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LETTERS_AND_DIGITS = LETTERS + "0123456789"
ALPHABETS = (LETTERS, LETTERS_AND_DIGITS)


class Coding(Protocol):
    """A public list of items that nobody writes down: how many, which index, which name."""

    @property
    def size(self) -> int:
        """Number of items, d; the indices are 0 … d-1."""

    @property
    def described(self) -> str:
        """What the items are, for people to read."""

    def names(self, indices: NDArray[np.int64]) -> list[str]:
        """Names of the items with these indices, each in 0 … d-1."""

    def position(self, text: Any) -> Any:
        """Ibis expression of a column's index as int64; null for what is no item."""


@dataclass(frozen=True, slots=True)
class Words:
    """All words of 1 to `longest` letters: short ones first, those of one length by alphabet.

    A word of n letters with places x₁ … xₙ in the alphabet of a letters, counted from 1, has the
    index x₁ aⁿ⁻¹ + … + xₙ - 1; there are a + a² + … + aᵐ words of up to m letters. Large letters
    count as small ones.

    Attributes:
        longest: the most letters, m.
        alphabet: one of `ALPHABETS`.

    Raises:
        ParameterError: if there are more than 1e12 words, or there is no such alphabet.

    >>> words = Words(2)
    >>> words.size, words.names(np.array([0, 25, 26, 701])), words.index("ZZ"), words.index("é")
    (702, ['a', 'z', 'aa', 'zz'], 701, None)
    """

    longest: int
    alphabet: str = LETTERS

    def __post_init__(self) -> None:
        object.__setattr__(self, "longest", checks.integer(1, longest=self.longest))
        checks.one_of(ALPHABETS, alphabet=self.alphabet)
        most = longest(self.alphabet)
        if self.longest > most:
            raise ParameterError(
                f"words of up to {checks.told(self.longest)} of {len(self.alphabet)} characters "
                f"are more than the 10¹² items that are served; type at most {most}"
            )

    @property
    def size(self) -> int:
        """Number of words, d."""
        return int(sum(len(self.alphabet) ** n for n in range(1, self.longest + 1)))

    @property
    def described(self) -> str:
        """What the items are."""
        last = f"{self.alphabet[0]}–z" + (" and 0–9" if self.alphabet != LETTERS else "")
        return f"all words of up to {self.longest} characters {last}, large and small alike"

    def index(self, word: str) -> int | None:
        """Index of a word, or None if it is not in the domain.

        Raises:
            ParameterError: the word is no text.
        """
        checks.instance(str, word=word)
        small, index = word.lower(), 0
        if not word.isascii() or not 0 < len(small) <= self.longest:
            return None
        if any(character not in self.alphabet for character in small):
            return None
        for character in small:
            index = index * len(self.alphabet) + self.alphabet.index(character) + 1
        return index - 1

    def names(self, indices: NDArray[np.int64]) -> list[str]:
        """The words with these indices."""
        return [self._name(index) for index in _inside(indices, self.size)]

    def position(self, text: Any) -> Any:
        """Ibis expression of the index; see `Coding.position`."""
        import ibis  # only where it is needed: it takes half a second

        both = self.alphabet + LETTERS.upper()
        inside = text.re_search(f"^[{both}]{{1,{self.longest}}}$")
        # engines differ on small letters beyond the alphabet, which are in no word
        small, width = inside.ifelse(text, "").lower(), len(self.alphabet)
        padded, index = small.lpad(self.longest, " "), ibis.literal(0, "int64")
        for place in range(self.longest):  # a blank is not found, -1, and so counts 0
            value = ibis.literal(self.alphabet).find(padded.substr(place, 1)).cast("int64") + 1
            index = index + value * width ** (self.longest - 1 - place)
        return inside.ifelse(index - 1, None)

    def _name(self, index: int) -> str:
        found, rest = "", index + 1
        while rest:
            rest, place = divmod(rest - 1, len(self.alphabet))
            found = self.alphabet[place] + found
        return found


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """All whole numbers of a range, in their order: the index of x is x - `low`.

    Attributes:
        low: the smallest.
        high: the largest.

    Raises:
        ParameterError: if there is no number between, or there are more than 1e12.

    >>> WholeNumbers(-5, 999_999_999_990).size
    999999999996
    >>> WholeNumbers(-5, 5).names(np.array([0, 10]))
    ['-5', '5']
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", checks.integer(-(10**15), low=self.low))
        object.__setattr__(self, "high", checks.integer(-(10**15), high=self.high))
        if self.high > 10**15:
            raise ParameterError("high must be at most 10¹⁵; type a smaller one")
        if self.high < self.low:
            raise ParameterError(
                f"the largest item, {self.high}, is below the smallest, {self.low}; type it larger"
            )
        if self.size > MOST_ITEMS:
            raise ParameterError(
                f"there are {self.size:.3g} numbers in this range, more than the 10¹² that are "
                "served; type a narrower one"
            )

    @property
    def size(self) -> int:
        """How many numbers, d."""
        return self.high - self.low + 1

    @property
    def described(self) -> str:
        """What the items are."""
        return f"all whole numbers from {self.low:,} to {self.high:,}".replace("-", "−")

    def names(self, indices: NDArray[np.int64]) -> list[str]:
        """The numbers with these indices, as text."""
        return [str(index + self.low) for index in _inside(indices, self.size)]

    def position(self, text: Any) -> Any:
        """Ibis expression of the index; see `Coding.position`."""
        number = text.re_search("^-?(0|[1-9][0-9]{0,15})$").ifelse(text, None).cast("int64")
        return number.between(self.low, self.high).ifelse(number - self.low, None)


def longest(alphabet: str) -> int:
    """The most letters of words that are no more than 1e12.

    >>> longest(LETTERS), longest(LETTERS_AND_DIGITS)
    (8, 7)
    """
    total, letters = 0, 0
    while (total := total + len(alphabet) ** (letters + 1)) <= MOST_ITEMS:
        letters += 1
    return letters


def _inside(indices: Iterable[int], size: int) -> list[int]:
    """The indices as Python's whole numbers; one outside the domain is refused."""
    found = [int(index) for index in indices]
    if found and not 0 <= min(found) <= max(found) < size:
        raise ParameterError(f"indices must lie between 0 and {size - 1:,}")
    return found
