"""Moves of one person with weights, as the search for the best factorization takes them.

A move v is what one person can change x by, in units of M. With weights w ≥ 0, Σw = 1, of the
moves, and X = RᵀR:

    spread   M = Σ w v vᵀ                 worst   max vᵀX v, the squared sensitivity of R

and each weight is multiplied by a power of vᵀX v / Σ w vᵀX v. One group more or less is an entry
alone, ±1. Replacing one group moves an entry alone by W, or two entries, a eᵢ − b eⱼ: all are
weighed. Of several groups there are too many moves: those that are worst at some X are kept, each
found by adding one entry after the other, so `worst` may be too small there.
"""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from dpviz.linear.contribution import Contribution
from dpviz.noise import Array

POWER = 3  # of the shares; where entries do not interact, 2 is right at once and 4 swings
POWER_OF_SEVERAL = 2  # new moves come with more weight than they will keep
FADED = 1e-9  # weights below are dropped, of several groups
SHARE = 0.15  # of the weights that new moves get at most


class WeighedMoves(Protocol):
    """What the search asks for."""

    def spread(self) -> Array:
        """Σ w v vᵀ over the moves, shape (n, n)."""
        ...

    def worst(self, gram: Array) -> float:
        """The largest vᵀX v; `reweigh` then goes by this X."""
        ...

    def reweigh(self, total: float) -> None:
        """Multiply each weight by a power of its share, vᵀX v / total; scale to sum 1."""
        ...


def weighed_moves(contribution: Contribution, n: int) -> WeighedMoves:
    """All moves of a person with one group, alike; with more groups, single entries to begin with.

    >>> moves = weighed_moves(Contribution(relation="replace"), 2)  # ±e₁, ±e₂, ±(e₁ − e₂)
    >>> moves.worst(np.eye(2))
    2.0
    """
    if min(contribution.groups, n) > 1:
        return _SeveralGroups(contribution, np.eye(n), np.full(n, 1 / n))
    return _OneGroup.of(contribution, n)


@dataclass(slots=True)
class _OneGroup:
    """All moves of a person with one group.

    Attributes:
        amount: of an entry that moves alone.
        alone: weights of these moves, shape (n,).
        pairs: (a, b, weights of shape (n, n)) of the moves a eᵢ − b eⱼ.
    """

    amount: float
    alone: Array
    pairs: list[tuple[float, float, Array]] = field(default_factory=list)
    _forms: tuple[Array, list[Array]] = field(init=False, repr=False)  # at the last X

    @classmethod
    def of(cls, contribution: Contribution, n: int) -> "_OneGroup":
        """The moves of this person, with equal weights for each kind."""
        if contribution.relation != "replace":
            return cls(1.0, np.full(n, 1 / n))
        most = contribution.largest
        kinds = [(1.0, 1.0, np.triu(np.ones((n, n)), 1))]
        if not contribution.one_sided:
            ends = contribution.high / most, contribution.low / most
            kinds.append((*ends, 1 - np.eye(n)))
        kinds = [kind for kind in kinds if kind[2].any()]  # none with a single entry
        share = 1 / (1 + len(kinds))
        pairs = [(a, b, where * (share / where.sum())) for a, b, where in kinds]
        alone = np.full(n, (1 - share * len(kinds)) / n)
        return cls(contribution.swapped / most, alone, pairs)

    def spread(self) -> Array:
        """Σ w v vᵀ."""
        diagonal = self.amount**2 * self.alone
        found = np.zeros((diagonal.size, diagonal.size))
        for a, b, weights in self.pairs:
            diagonal = diagonal + a**2 * weights.sum(axis=1) + b**2 * weights.sum(axis=0)
            found -= a * b * (weights + weights.T)
        return found + np.diag(diagonal)

    def worst(self, gram: Array) -> float:
        """The largest vᵀX v, of all moves."""
        alone, pairs = self._forms = self._all_forms(gram)
        return float(max(form.max() for form in (alone, *pairs)))

    def reweigh(self, total: float) -> None:
        """Weights times the powers of their shares."""
        alone, pairs = self._forms
        self.alone = _times(self.alone, alone, total)
        self.pairs = [
            (a, b, _times(weights, form, total))
            for (a, b, weights), form in zip(self.pairs, pairs, strict=True)
        ]
        whole = self.alone.sum() + sum(weights.sum() for _, _, weights in self.pairs)
        self.alone = self.alone / whole
        self.pairs = [(a, b, weights / whole) for a, b, weights in self.pairs]

    def _all_forms(self, gram: Array) -> tuple[Array, list[Array]]:
        """Every vᵀX v; where i is j it is 0, or that of the entry alone."""
        own = np.diag(gram)
        alone = self.amount**2 * own
        return alone, [
            a**2 * own[:, None] + b**2 * own - 2 * a * b * gram for a, b, _ in self.pairs
        ]


@dataclass(slots=True)
class _SeveralGroups:
    """Some moves of a person with several groups: columns of `moves`, with their weights."""

    contribution: Contribution
    moves: Array
    weights: Array
    _forms: Array = field(init=False, repr=False)  # vᵀX v of all of them at the last X

    def spread(self) -> Array:
        """Σ w v vᵀ."""
        found: Array = (self.moves * self.weights) @ self.moves.T
        return found

    def worst(self, gram: Array) -> float:
        """The largest vᵀX v that is found; moves beyond those held join them."""
        self._forms = _forms(self.moves, gram)
        held = self._forms.max()
        new = grown(self.contribution, gram)
        sizes = _forms(new, gram)
        beyond = sizes > held * (1 + 1e-9)
        if beyond.any():
            new = np.unique(new[:, beyond], axis=1)
            share = min(2 * SHARE, new.shape[1] / self.weights.size) / 2
            added = np.full(new.shape[1], share / new.shape[1])
            self.moves = np.hstack([self.moves, new])
            self._forms = np.concatenate([self._forms, _forms(new, gram)])
            self.weights = np.concatenate([self.weights * (1 - share), added])
        return float(max(held, sizes.max()))

    def reweigh(self, total: float) -> None:
        """Weights times the powers of their shares; the faded are dropped."""
        weights = _times(self.weights, self._forms, total, POWER_OF_SEVERAL)
        weights = weights / weights.sum()
        kept = weights > FADED
        self.moves, self.weights = self.moves[:, kept], weights[kept] / weights[kept].sum()


def _forms(moves: Array, gram: Array) -> Array:
    """The vᵀX v of every column v."""
    found: Array = np.einsum("ij,ij->j", moves, gram @ moves)
    return found


def grown(contribution: Contribution, gram: Array) -> Array:
    """A move from every entry, made larger by the best entry as long as that helps; columns.

    >>> gram = np.array([[1.0, 0.5, -0.5], [0.5, 1.0, 0.0], [-0.5, 0.0, 1.0]])
    >>> grown(Contribution(groups=2), gram)[:, 0]  # with the second: 1 + 1 + 2·0.5
    array([1., 1., 0.])
    """
    n, most = len(gram), contribution.largest
    ends = [end / most for end in contribution.ends if end]
    own, columns = np.diag(gram)[:, None], np.arange(n)
    signs = (1.0, -1.0) if contribution.relation == "replace" else (1.0,)
    room = {sign: np.full(n, min(contribution.groups, n)) for sign in signs}
    first = max(ends, key=abs)
    found = first * np.eye(n)
    image = first * gram
    room[1.0] -= 1
    free = ~np.eye(n, dtype=bool)
    while True:
        gains, amounts, of = np.zeros(n), np.zeros(n), np.zeros(n, dtype=np.int64)
        whose = np.zeros(n)
        for sign in signs:
            for end in ends:
                amount = sign * end
                gain = np.where(free & (room[sign] > 0), 2 * amount * image + end**2 * own, -np.inf)
                place = gain.argmax(axis=0)
                better = gain[place, columns] > gains
                gains = np.where(better, gain[place, columns], gains)
                amounts, of = np.where(better, amount, amounts), np.where(better, place, of)
                whose = np.where(better, sign, whose)
        helped = columns[gains > 0]
        if not helped.size:
            return found
        found[of[helped], helped] = amounts[helped]
        free[of[helped], helped] = False
        image[:, helped] += gram[:, of[helped]] * amounts[helped]
        for sign in signs:
            room[sign] -= whose == sign


def _times(weights: Array, forms: Array, total: float, power: int = POWER) -> Array:
    """Weights times the powers of the shares."""
    return np.asarray(weights * (np.maximum(forms, 0.0) / total) ** power)
