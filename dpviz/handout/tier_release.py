"""What one tier may have of one release: a plain record, and the two tables that it makes.

Every file of a hand-out is written from such a record alone, so no other tier's number, no exact
one and no seed can enter. Only the columns named here exist. What a reader can compute from a
release (units, estimates, intervals) stands beside it, computed from it.
"""

import datetime
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError

# Columns of the estimates, with what they are; all follow from the release alone.
DERIVED_COLUMNS = {
    "estimate": "estimate of the bounded statistic, from the release alone",
    "low": "lower end of the interval that the accuracy above speaks of",
    "high": "upper end of that interval",
    "rounded": "estimate, rounded to whole units (post-processing)",
    "clipped": "estimate, cut at 0 where it is below (post-processing)",
    "consistent": "estimate, moved by least squares until the groups add up to the total "
    "(post-processing)",
    "asinh": "inverse hyperbolic sine of the estimate (post-processing, can be undone)",
}
PRACTICE = "practice"  # the fact that comes first where numbers are for trying out alone
_FORBIDDEN_FACTS = frozenset({"seed", "exact"})
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,39}")

Columns = dict[str, list[Any]]  # name → cells, in order; all of one length


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TierRelease:
    """One release, with everything its tier may have, and nothing else.

    Attributes:
        tier: name of the tier, as typed.
        session: number of the session that drew it.
        level: noise level, in steps; the smaller, the less private.
        entries: names of the d released coordinates.
        values: the release as drawn, in steps, shape (d,); kept as a read-only copy.
        step: one whole step in units of the statistic; 1 for counts.
        mean: mean of the noise in steps; where it is not 0 the numbers are de-biased as well.
        measure: unit of the estimates, where these are what is handed out, a mean or a sum, and the
            released steps are for programs alone; "" where the numbers are read as released.
        facts: pairs of name and text at the head of every file.
        labels: names of the numbers that are read; the same as `entries`, except for means.
        derived: pairs of a name of `DERIVED_COLUMNS` and numbers of shape (len(labels),) in units
            of the statistic, computed from the release alone; NaN where it says too little.
        drawn: the day on which it was drawn; no hand-out of it is older.
        versions: pairs of name and version of the software that drew it, letters, digits and
            . + _ - only.
        name: what somebody calls the statistic; it names the folder, where a tier has several.
        opening: what shows that the release was committed to, as `opening_json` writes it; empty
            where it was not.

    Raises:
        ParameterError: if shapes differ, a column or a version is not allowed, or a fact would
            give a secret.

    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([40]), mean=34.5, facts=(("unit", "one row"),), labels=("a",))
    >>> one.debiased, one.in_units
    (array([5.5]), array([5.5]))
    """

    tier: str
    session: int
    level: float
    entries: tuple[str, ...]
    values: NDArray[Any]
    step: float = 1.0
    mean: float = 0.0
    measure: str = ""
    facts: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]
    derived: tuple[tuple[str, NDArray[np.float64]], ...] = ()
    drawn: datetime.date = datetime.date.min
    versions: tuple[tuple[str, str], ...] = ()
    name: str = ""
    opening: bytes = b""

    def __post_init__(self) -> None:
        """Check everything at once, so that a record that exists can be handed out."""
        checks.positive(level=self.level, step=self.step)
        checks.finite(mean=self.mean)
        checks.whole(0, session=self.session)
        object.__setattr__(self, "session", int(self.session))
        for name in ("level", "step", "mean"):  # a numpy number would write its type's name
            object.__setattr__(self, name, float(getattr(self, name)))
        values = _own("values", self.values)
        if values.shape != (len(self.entries),) or not np.isfinite(values).all():
            raise ParameterError(
                "a release needs one finite value for each entry: pass both of one session"
            )
        object.__setattr__(self, "values", values)
        names = [name for name, _ in self.facts]
        if len(set(names)) < len(names) or _FORBIDDEN_FACTS & set(names):
            raise ParameterError(
                "each fact needs its own name, and neither the seed nor the exact answer may be "
                "one; leave it out"
            )
        if not all(_VERSION.fullmatch(text) for pair in self.versions for text in pair):
            raise ParameterError(
                "names and versions of software are letters, digits and . + _ - only; shorten them"
            )
        derived = tuple((name, _own(name, numbers)) for name, numbers in self.derived)
        if [n for n in DERIVED_COLUMNS if n in dict(derived)] != [name for name, _ in derived]:
            raise ParameterError(
                f"derived columns are {', '.join(DERIVED_COLUMNS)}, each at most once and in this "
                "order; pass only these"
            )
        if any(numbers.shape != (len(self.labels),) for _, numbers in derived):
            raise ParameterError("a derived column needs one number for each label")
        object.__setattr__(self, "derived", derived)
        if self.measure and not derived:
            raise ParameterError("a release has a measure only if it has estimates; pass both")

    @property
    def practice(self) -> bool:
        """Whether the numbers are for trying out alone, as every file of them then says first."""
        return PRACTICE in dict(self.facts)

    @property
    def debiased(self) -> NDArray[Any]:
        """The released numbers without the mean of the noise, in steps: values − mean."""
        return self.values - self.mean if self.mean else self.values

    @property
    def in_units(self) -> NDArray[np.float64]:
        """The de-biased numbers in units of the statistic: (values − mean) · step."""
        return np.asarray(self.debiased * self.step, dtype=np.float64)

    @property
    def released(self) -> Columns:
        """The table of the released coordinates, named entry, value, debiased, in_units.

        >>> TierRelease(tier="audit", session=1, level=4.0, entries=("a",), step=0.25,
        ...     values=np.array([6]), facts=(), labels=("a",)).released
        {'entry': ['a'], 'value': [6], 'in_units': [1.5]}
        """
        columns: Columns = {"entry": list(self.entries), "value": self.values.tolist()}
        if self.mean:
            columns["debiased"] = self.debiased.tolist()
        if self.step != 1:
            columns["in_units"] = self.in_units.tolist()
        return columns

    @property
    def estimates(self) -> Columns:
        """The table of the numbers that are read; empty where none is derived."""
        if not self.derived:
            return {}
        numbers = {name: column.tolist() for name, column in self.derived}
        return {"group": list(self.labels), **numbers}


def _own(name: str, numbers: NDArray[Any]) -> NDArray[Any]:
    copy = np.array(numbers)
    if copy.dtype.kind not in "iuf":
        raise ParameterError(f"{name} must hold numbers, got dtype {copy.dtype}")
    copy.setflags(write=False)
    return copy
