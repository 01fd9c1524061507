"""The questions that are asked together, and the ways to factorize each of them.

A workload is the matrix A. For each there are several A = L·R, which answer the same questions with
the same budget and differ only in error:

    noise on data           L = A, R = I       noise on answers        L = I, R = A
    square root, trees      prefix sums        wavelet                 prefix sums and all ranges
    Gaussian optimum        any A of at most 128 columns: least error for Gaussian noise, for what
                            one person adds; "fitted to Gauss" where no certificate says so

Ranges are differences of prefix sums, so whatever answers those answers these.
Limits: `ways` lists those that exist for a workload; each is built when asked for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np

from dpviz.accounting.bounds import Stated
from dpviz.accounting.prefix_sums import least_factor, prefix_sums_bound
from dpviz.accounting.trees import Tree, chosen_tree, smallest_tree
from dpviz.errors import ParameterError
from dpviz.linear.contribution import Contribution
from dpviz.linear.error_bounds import MOST_ITERATED, Optimum, optimum
from dpviz.linear.factorization import ONE_GROUP, Factorization
from dpviz.linear.operators import (
    Identity,
    Marginals,
    Matrix,
    PrefixSums,
    SquareRoot,
    TreeSums,
    TreeVertices,
)
from dpviz.linear.operators_intervals import HaarCoefficients, HaarSums, Ranges, RangesOf
from dpviz.noise import Array

LEAST, FITTED = "Gaussian optimum", "fitted to Gauss"
Pair = tuple[Any, Any]  # L and R


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """Linear queries A on n numbers, and how they can be factorized.

    Attributes:
        name: what is asked, e.g. "running totals".
        operator: A.
        ways: name of a factorization, and what makes its L and R.
        known: what ‖L‖² · (largest column norm of R)² cannot go below, with the rule; None if
            nothing is known at this size.
    """

    name: str
    operator: Any
    ways: Mapping[str, Callable[[], Pair]] = field(repr=False)
    known: Callable[[], Stated | None] = field(repr=False)
    _made: Callable[[str, Contribution], Factorization] = field(init=False, repr=False)
    _best: Callable[[Contribution], Optimum] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compute ranks and sensitivities of a factorization once, for as long as this is kept."""
        object.__setattr__(self, "_made", lru_cache(maxsize=64)(self._make))
        object.__setattr__(self, "_best", lru_cache(maxsize=16)(partial(optimum, self.operator)))

    def _make(self, way: str, contribution: Contribution) -> Factorization:
        if way in self.ways:
            left, right = self.ways[way]()
            return Factorization(left, right, contribution, way)
        best = self._best(contribution)
        return Factorization(best.left, best.right, contribution, way)

    def fits(self, contribution: Contribution) -> bool:
        """Whether a factorization is fitted to what one person adds; A = I may be best as it is."""
        simple = contribution.groups == 1 and contribution.relation == "add/remove"
        single = isinstance(self.operator, Identity) and simple
        return self.shape[1] <= MOST_ITERATED and not single

    def names(self, contribution: Contribution = ONE_GROUP) -> tuple[str, ...]:
        """All ways for what one person adds; the fitted is `LEAST` if certified, else `FITTED`.

        >>> prefix_sums(4).names(Contribution(relation="replace"))[-1]
        'Gaussian optimum'
        """
        if not self.fits(contribution):
            return tuple(self.ways)
        return (*self.ways, LEAST if self._best(contribution).settled else FITTED)

    def bound(self, contribution: Contribution = ONE_GROUP) -> Stated | None:
        """What ‖L‖² · (Δ₂/M)² of no factorization is below, with the rule.

        One group more or less is the least that a person can move x by, so its bound is one for
        all; where a factorization is fitted, the bound is that of its moves.

        >>> round(prefix_sums(4).bound(Contribution(relation="replace")).value, 2)
        7.61
        """
        if not self.fits(contribution):
            return self.known()
        return Stated(self._best(contribution).bound, "singular values, best weights of moves")

    @property
    def shape(self) -> tuple[int, int]:
        """Answers and numbers asked about, (m, n)."""
        m, n = self.operator.shape
        return m, n

    def exact(self, data: Any) -> Array:
        """A·x: not private, unless x is public.

        >>> prefix_sums(3).exact([1, 2, 4])
        array([1, 3, 7])
        """
        return np.asarray(self.operator.apply(np.asarray(data)))

    def factorization(self, way: str, contribution: Contribution = ONE_GROUP) -> Factorization:
        """One of the ways, for what one person adds.

        Raises:
            ParameterError: if the workload has no such way.

        >>> prefix_sums(1000).factorization("square root").inner
        1000
        """
        if way not in self.ways and way not in (names := self.names(contribution)):
            raise ParameterError(
                f"{self.name} have no factorization called {way!r}; "
                f"choose one of: {', '.join(names)}"
            )
        return self._made(way, contribution)


@lru_cache(maxsize=16)
def single_numbers(n: int) -> Workload:
    """The n numbers themselves: A = I, which cannot be bettered if a person adds to one of them.

    >>> single_numbers(5).bound()
    Stated(value=5.0, method='all singular values are 1')
    """
    identity = Identity(n)
    return Workload(
        "single numbers",
        identity,
        {"noise on data": lambda: (identity, identity)},
        lambda: Stated(float(n), "all singular values are 1"),
    )


@lru_cache(maxsize=16)  # pure mathematics of public numbers, here and below
def prefix_sums(n: int) -> Workload:
    """Running totals of n numbers: x₁, x₁ + x₂, … up to all of them.

    >>> list(prefix_sums(52).ways)[2:6]
    ['square root', 'binary tree', '8-ary tree', '10-ary tree ±']
    """
    operator = PrefixSums(n)
    ways = _both_ends(operator) | _prefix_ways(n)
    ways["Haar wavelet"] = lambda: (HaarSums(n, "prefixes"), HaarCoefficients(n))
    return Workload("running totals", operator, ways, lambda: _bound_of_totals(n))


@lru_cache(maxsize=16)
def ranges(n: int) -> Workload:
    """The sums of all n(n + 1)/2 ranges of n numbers.

    >>> ranges(4).shape
    (10, 4)
    """
    operator = Ranges(n)
    ways = _both_ends(operator)
    for way, build in _prefix_ways(n).items():
        ways[way] = partial(_of_ranges, build)
    ways["Haar wavelet"] = lambda: (HaarSums(n, "ranges"), HaarCoefficients(n))
    return Workload("all ranges", operator, ways, lambda: None)


@lru_cache(maxsize=16)
def marginals(rows: int, columns: int) -> Workload:
    """Row sums and column sums of a two-way table, its cells given row by row.

    >>> marginals(3, 4).shape
    (7, 12)
    """
    operator = Marginals(rows, columns)
    return Workload("row and column sums", operator, _both_ends(operator), lambda: None)


def typed(entries: Any) -> Workload:
    """Any matrix of numbers, one row for each question.

    Raises:
        ParameterError: if it cannot be used, or a row or column is all zeros.

    >>> typed([[1, 1, 0], [0, 1, 1]]).shape
    (2, 3)
    """
    operator = Matrix(entries)
    empty = np.flatnonzero(operator.column_norms().linf == 0)
    if empty.size:
        raise ParameterError(
            f"column {empty[0] + 1} of the matrix is all zeros, so no question asks about number "
            f"{empty[0] + 1}; leave that column out, or type a number in it"
        )
    silent = np.flatnonzero(operator.row_squares() == 0)
    if silent.size:
        raise ParameterError(
            f"row {silent[0] + 1} of the matrix is all zeros, so it asks nothing; "
            "leave it out, or type a number in it"
        )
    return Workload("typed questions", operator, _both_ends(operator), lambda: None)


def _both_ends(operator: Any) -> dict[str, Callable[[], Pair]]:
    """A = A·I and A = I·A."""
    m, n = operator.shape
    return {
        "noise on data": lambda: (operator, Identity(n)),
        "noise on answers": lambda: (Identity(m), operator),
    }


def _prefix_ways(n: int) -> dict[str, Callable[[], Pair]]:
    """What answers running totals."""
    ways: dict[str, Callable[[], Pair]] = {"square root": lambda: (SquareRoot(n), SquareRoot(n))}
    for words, tree in trees(n).items():
        ways[words] = partial(_of_tree, tree, n)
    return ways


def trees(n: int) -> dict[str, Tree]:
    """The binary tree, and for Laplace noise the best arity plain and with subtraction.

    The sign ± stands for subtraction. The best arity has the least h² ‖L‖², h the height [APT24,
    section 4]. Left out where it is 2, the binary tree, or h is 1, which is noise on data.

    >>> trees(1000)["14-ary tree ±"].height
    3
    """
    found = {"binary tree": smallest_tree(n, 2, subtraction=False)}
    for subtraction, words in ((False, ""), (True, " ±")):
        tree = chosen_tree(n, subtraction=subtraction)
        if tree.arity > 2 and tree.height > 1:
            found[f"{tree.arity}-ary tree{words}"] = tree
    return found


def _of_ranges(prefixes: Callable[[], Pair]) -> Pair:
    """L and R of all ranges from those of prefix sums."""
    left, right = prefixes()
    return RangesOf(left), right


def _of_tree(tree: Tree, n: int) -> Pair:
    """L and R of n prefix sums by a tree."""
    return TreeSums(tree, n), TreeVertices(tree, n)


def _bound_of_totals(n: int) -> Stated:
    """What no factorization of n running totals is below, for one group more or less."""
    best = least_factor(n)
    if best is None:
        return Stated(prefix_sums_bound(n), "singular values, equal weights")
    return Stated(best.bound * n, "singular values, best weights")
