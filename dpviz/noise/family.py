"""What a noise family must offer: noise is a process in its level [LMR25, Def. 1.1].

`Y(level) = f(x) + N(level)`, where `N(h) - N(l)` is independent of everything up to `l < h`. So two
draws are enough for releases in any order: `extend` towards more noise, `bridge` between two held
releases (MATHEMATICS 1.2). A session needs no more than these two; all else that follows from the
distribution of the noise is a member here as well, and code outside asks for the fact, never for
the name.
What a noise promises does not follow from its distribution alone: dpviz/accounting/guarantees.py.
[LMR25] Private Lossless Multiple Release, ICML 2025.
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError

Array = NDArray[Any]

# What the density is proportional to: exp(-x²/(2·level)), exp(-|x|/level), or something else; for
# an integer family on the whole numbers.
Shape = Literal["normal", "double exponential", "other"]
NORMAL: Shape = "normal"
DOUBLE_EXPONENTIAL: Shape = "double exponential"
LevelUnit = Literal["variance", "scale", "rate"]
VARIANCE: LevelUnit = "variance"


class ReleaseLaw(Protocol):
    """Law of the value at a level, one coordinate."""

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """(value, chance to be exactly that), the neighbour below first; only for lazy paths."""

    def cdf(self, x: Array) -> Array:
        """P(value <= x), elementwise, atoms included."""

    def density(self, x: Array) -> Array:
        """Density without the atoms; for an integer family the mass, atoms included."""

    def log_density(self, x: Array) -> Array:
        """Log of the chance where x is an atom, else of the density, elementwise; may be -inf."""

    def quantile(self, p: Array) -> Array:
        """Least x with cdf(x) >= p, elementwise, for 0 < p < 1."""


class Process(Protocol):
    """A random process in its level, on arrays of shape (d,), coordinate by coordinate.

    It is all that a session needs. Levels outside its span, and what is no number, are refused:
    `ParameterError`.
    """

    def __hash__(self) -> int:
        """Families are frozen records, so that what was computed for one can be looked up."""

    @property
    def name(self) -> str:
        """Key in FAMILIES, e.g. "gaussian"."""

    @property
    def label(self) -> str:
        """Name for people, e.g. "Gaussian"."""

    @property
    def level_symbol(self) -> str:
        """Letter of the level, e.g. "t"."""

    @property
    def level_name(self) -> str:
        """What the level is, e.g. "noise variance"."""

    @property
    def integer(self) -> bool:
        """Whether it takes and returns whole numbers only."""

    @property
    def categories(self) -> int | None:
        """Number K of values 0 … K-1 that it takes and returns; None: any numbers."""

    @property
    def lazy(self) -> bool:
        """Whether a path rests and then jumps, so that a draw may equal a neighbour exactly."""

    @property
    def span(self) -> tuple[float, float]:
        """Least and greatest level above 0 that it takes."""

    def extend(
        self,
        values: Array,
        low: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Values held at `low` (0: the exact ones) to values at the noisier level `high`."""

    def bridge(
        self,
        below: Array,
        above: Array,
        low: float,
        level: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Values at `level`, given `below` held at `low` and `above` held at `high`."""


class Family(Process, Protocol):
    """An additive noise family: a process with independent increments, and the law of its noise."""

    @property
    def shape(self) -> Shape:
        """What the density is proportional to; formulas of a shape hold for every family of it."""

    @property
    def symmetric(self) -> bool:
        """Whether the noise and its negative have one law."""

    @property
    def never_falls(self) -> bool:
        """Whether noise is never negative, so that a path only rises with the level."""

    @property
    def slow(self) -> bool:
        """Whether a draw takes so long that a page shows fewer of them."""

    @property
    def level_unit(self) -> LevelUnit:
        """Whether the level is in squared units of the statistic, in units, or a rate of counts."""

    @property
    def largest_level(self) -> float:
        """Level up to which half widths are exact."""

    @property
    def weight_meaning(self) -> str:
        """What `weights` says, e.g. "share of that neighbour in the mean of the draw"."""

    @property
    def half_width_formula(self) -> str:
        """Words and LaTeX of ±a that holds with the probability c."""

    @property
    def bridge_formula(self) -> str:
        """Words and LaTeX of the law of `bridge`."""

    def mean(self, level: float) -> float:
        """Mean of the noise at `level`, in units of the statistic."""

    def variance(self, level: float) -> float:
        """Variance of the noise at `level`, in squared units of the statistic."""

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment at `level`, in units to the fourth power; inf where no float is."""

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise at `level`)], elementwise, for real and for imaginary z.

        NaN or infinite at a real z where there is no such moment; z is unchecked.
        """

    @property
    def unit_half_width(self) -> Callable[[float], float] | None:
        """Least a with P(|noise - mean| > a) <= miss at level 1, a function of miss.

        None where no closed form is known, so that it is found from the exact `cdf` on the whole
        numbers; only an integer family may have none.
        """

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise at `level` <= x)."""

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise at `level`; for an integer family its probability mass."""

    def law_between(
        self, below: float, above: float | None, low: float, level: float, high: float | None
    ) -> ReleaseLaw:
        """Law of what `bridge` draws, or `extend` if `above` and `high` are None; unchecked."""

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """What each neighbour contributes to a draw at `level`, as (below, above).

        Depends on the levels only, never on the values. `high=None`: nothing noisier is held.
        """


def check_family(family: Family) -> None:
    """Refuse what lacks a fact that code outside the family asks for.

    Raises:
        ParameterError: with the name of the fact.

    >>> check_family("only a name")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: the noise family 'only a name' lacks name: give it every \
member of dpviz.noise.family.Family
    """
    for fact in (*vars(Process), *vars(Family)):
        if not fact.startswith("_") and not hasattr(family, fact):
            name = getattr(family, "name", family)
            raise ParameterError(
                f"the noise family {checks.told(name)} lacks {fact}: give it every member of "
                "dpviz.noise.family.Family"
            )
    if family.unit_half_width is None and not family.integer:
        raise ParameterError(
            f"the noise family {family.name!r} lacks unit_half_width: only that of an integer "
            "family is found from its cdf"
        )
