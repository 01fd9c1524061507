"""Linear queries by factorization: release L(R·x + Z) for A = L·R, at any levels in any order.

A session of multiple release runs on R·x, whose noise has the inner dimension, and L is applied
afterwards [LMR25, section 5.1; its Algorithm 2 as printed returns the noise]. So every release is

    L·Y(ℓ) = A·x + L·N(ℓ),        variance of answer q: Var N(ℓ) · ‖row q of L‖²

and for ℓ < h the step L(N(h) − N(ℓ)) is independent of the data and of all held up to ℓ: lossless
for every L, with or without a left inverse (MATHEMATICS 1.4, 6.1; Lemma 5.1 has it for those with
one, and weakly lossless for all). L is public, so applying it is post-processing.
Limits: noise is drawn by `MultipleRelease` alone; L and R are public; a holder of several tiers
holds several vectors Y(ℓ), so sealing works as for any session.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dpviz.errors import ParameterError
from dpviz.linear.contribution import Contribution, Moves, moves
from dpviz.linear.operators import LeftFactor, RightFactor, as_operator, dense
from dpviz.noise import Array, Family
from dpviz.noise.arguments import additive_family
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.release.values import own_copy
from dpviz.streams import Mode

LARGEST_WHOLE = 2.0**62  # sums of whole numbers stay exact in 64 bits
ONE_GROUP = Contribution()


class LinearAnswers:
    """The answers to linear queries at any levels, in any order, drawn once each.

    Made by `Factorization.session`. State: a session on R·x, and the answers already read.
    """

    __slots__ = ("_answers", "_left", "_session")

    def __init__(self, left: LeftFactor, session: MultipleRelease) -> None:
        """Keep a session on R·x; use `Factorization.session`."""
        self._left = left
        self._session = session
        self._answers: dict[float, Array] = {}

    @property
    def inner(self) -> MultipleRelease:
        """The session on R·x: levels, mode, sealing, and the noisy R·x themselves."""
        return self._session

    @property
    def levels(self) -> tuple[float, ...]:
        """All levels held, ascending."""
        return self._session.levels

    @property
    def mode(self) -> Mode:
        """Mode of the generator: teaching or hardened."""
        return self._session.mode

    @property
    def held(self) -> Mapping[float, Array]:
        """The answers at every level held; draws nothing."""
        return {level: self.release(level) for level in self.levels}

    def release(self, level: float) -> Array:
        """The answers at a level, L·Y(level), drawing it if it is not held.

        Returns:
            Shape (m,); int64 where L and the family are whole, else float64. Read-only, and the
            same array whenever the same level is asked for.

        Raises:
            ParameterError: if the level is not one that the family admits.
            SealedError: if the session is sealed at a noisier level.
        """
        noisy = self._session.release(level)
        if level not in self._answers:
            answers = np.asarray(self._left.apply(self._fit_for_sums(noisy)))
            answers.setflags(write=False)
            return self._answers.setdefault(level, answers)
        return self._answers[level]

    def _fit_for_sums(self, noisy: Array) -> Array:
        """As floats if sums of these released numbers could leave 64 bits [Cauchy, Schwarz]."""
        row = np.sqrt(self._left.row_squares().max())
        if noisy.dtype.kind == "i" and row * np.linalg.norm(noisy) < LARGEST_WHOLE:
            return noisy
        return noisy.astype(np.float64)

    def seal(self, level: float) -> None:
        """Release at a level and erase the exact R·x: only that level and noisier ones remain.

        Raises:
            ParameterError: if a less noisy level is held already.
        """
        self._session.seal(level)

    def __repr__(self) -> str:
        """Shape and state; never a value."""
        return f"LinearAnswers(answers={self._left.shape[0]}, {self._session!r})"


@dataclass(frozen=True, eq=False)  # no slots: rank and sensitivities are computed once, when asked
class Factorization:
    """A = L·R, with what one person adds to x.

    Args:
        left: L, shape (m, inner): entries or a structured operator.
        right: R, shape (inner, n).
        contribution: what one person adds to x; one count more or less if left out.
        name: how it is called beside others.

    Raises:
        ParameterError: if the shapes do not fit, the entries cannot be used, or a column of R is
            all zeros, so that its entry of x would be asked by nobody.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> totals = Factorization([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> totals.l1_sensitivity, totals.has_left_inverse
    (1.0, True)
    >>> answers = totals.session([10, 20], FAMILIES["poisson"], rng=streams.teaching(7))
    >>> answers.release(4.0)  # noise of mean 4 and 8 in it
    array([13, 40])
    >>> totals.variances(FAMILIES["poisson"], 4.0)
    array([4., 8.])
    """

    left: LeftFactor
    right: RightFactor
    contribution: Contribution = ONE_GROUP
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", as_operator(self.left))
        object.__setattr__(self, "right", as_operator(self.right))
        if self.left.shape[1] != self.right.shape[0]:
            raise ParameterError(
                "L must have as many columns as R has rows, got shapes "
                f"{self.left.shape} and {self.right.shape}"
            )
        empty = np.flatnonzero(self.right.column_norms().linf == 0)
        if empty.size:
            raise ParameterError(
                f"column {empty[0] + 1} of R is all zeros, so no answer depends on entry "
                f"{empty[0] + 1} of the data; leave that entry out, or put a number there"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Answers and entries of x, (m, n)."""
        return self.left.shape[0], self.right.shape[1]

    @property
    def inner(self) -> int:
        """Inner dimension: numbers that noise is added to."""
        return self.left.shape[1]

    @property
    def kind(self) -> str:
        """Lossless: L is linear."""
        return "lossless"

    @cached_property
    def moves(self) -> Moves:
        """How far one person moves R·x, each norm with the rule that gave it."""
        return moves(self.right, self.contribution)

    @property
    def l1_sensitivity(self) -> float:
        """Δ₁ of R·x, never too small."""
        return self.moves.l1.value

    @property
    def l2_sensitivity(self) -> float:
        """Δ₂ of R·x."""
        return self.moves.l2.value

    @property
    def linf_sensitivity(self) -> float:
        """Δ∞ of R·x."""
        return self.moves.linf.value

    @property
    def sensitivity(self) -> Sensitivity:
        """All of them, as budgets take them."""
        return Sensitivity(
            self.inner, self.l1_sensitivity, self.l2_sensitivity, self.linf_sensitivity
        )

    @cached_property
    def rank_and_tolerance(self) -> tuple[int, float]:
        """Singular values of L above max(shape) · 2⁻⁵² · (the largest one), and that bound.

        Raises:
            ParameterError: if L is structured and too large to be written out.
        """
        values = np.linalg.svd(dense(self.left), compute_uv=False)
        tolerance = float(max(self.left.shape) * np.finfo(np.float64).eps * values[0])
        return int((values > tolerance).sum()), tolerance

    @cached_property
    def has_left_inverse(self) -> bool:
        """Whether the noisy R·x can be recovered from the answers: L has rank `inner`.

        Known of structured operators; of others by `rank_and_tolerance`.
        """
        known = self.left.full_column_rank
        return self.rank_and_tolerance[0] == self.inner if known is None else known

    @cached_property
    def row_squares(self) -> Array:
        """‖row q of L‖² for every answer, shape (m,): how many variances of noise it gets."""
        squares = self.left.row_squares()
        squares.setflags(write=False)
        return squares

    def variances(self, family: Family, level: float) -> Array:
        """Variance of every answer at a level: Var N · ‖row of L‖², shape (m,).

        Args:
            family: a noise family.
            level: noise level, above 0.

        Raises:
            ParameterError: if the family does not admit the level.
        """
        return additive_family(family).variance(level) * self.row_squares

    def offset(self, family: Family, level: float) -> Array:
        """Mean of the noise in every answer, shape (m,): 0 except for one-sided families."""
        return np.asarray(self.left.apply(np.full(self.inner, additive_family(family).mean(level))))

    def session(
        self, data: Any, family: Family, *, rng: np.random.Generator, any_order: bool = False
    ) -> LinearAnswers:
        """Open a session on R·x.

        Args:
            data: x, shape (n,); whole numbers for integer families.
            family: a noise family.
            rng: generator that all noise is drawn from.
            any_order: as for `MultipleRelease`.

        Raises:
            ParameterError: if x does not fit, or an integer family is given an R that is not
                whole, or the sums would leave 64 bits.
            HardenedModeError: if a float family is given a hardened generator.
        """
        exact = self.exact(data, family)
        return self.around(MultipleRelease(exact, family, rng=rng, any_order=any_order))

    def around(self, session: MultipleRelease) -> LinearAnswers:
        """The answers that are made of a session on R·x.

        Args:
            session: a session on `exact` numbers, or what it has released.
        """
        return LinearAnswers(self.left, session)

    def exact(self, data: Any, family: Family) -> Array:
        """R·x, which noise is added to; not private.

        Args:
            data: x, shape (n,); whole numbers for integer families.
            family: a noise family.

        Raises:
            ParameterError: as for `session`.
        """
        exact = own_copy(data, additive_family(family))
        if exact.ndim != 1:
            raise ParameterError(f"the data must be one-dimensional, got {exact.ndim} dimensions")
        if exact.size != self.shape[1]:
            raise ParameterError(
                f"the data must hold {self.shape[1]:,} numbers, one for each column of R, "
                f"got {exact.size:,}"
            )
        if family.integer:
            self._refuse_fractions(family)
            most = np.abs(exact.astype(np.float64)) @ self.right.column_norms().linf
            if most >= LARGEST_WHOLE:
                raise ParameterError(
                    "the sums in R·x could leave 64 bits; pass smaller data or a float family"
                )
        return self.right.apply(exact)

    def _refuse_fractions(self, family: Family) -> None:
        """Integer noise hides whole numbers only."""
        if not self.right.whole:
            raise ParameterError(
                f"{family.label} noise is for whole numbers, and R has entries that are not; "
                "take Gaussian or Laplace noise, or a factorization whose R is whole"
            )
