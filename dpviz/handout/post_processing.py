"""What may be done to the numbers of a release after it is drawn, and what it does to coalitions.

Every processing is a map of one tier's numbers alone, so each processed release, and any set of
them, keeps the guarantee of the least private member. What differs is the joint law:

- *lossless* [LMR25, Definition 3.4]: given the least private member's processed numbers, those of
  the others do not depend on the data any more. An invertible map keeps this [Lemma 4.3]. A linear
  map L of additive noise keeps it as well, invertible or not: with N the noise path,

      L·Y(h) = L·Y(l) + L·(N(h) − N(l)),        l < h,

  and the increment is independent of the data and of everything at or below l. So the processed
  releases are a lossless release of the statistic L·f(x). Constants (a mean of the noise) shift it.
- *weakly lossless* [Definition 4.5]: any other map. Given a number cut to 0, a noisier one that was
  not cut still tells how far below 0 it fell: a coalition may learn more than its least private
  member's processed number says, though never more than the unprocessed one [after Corollary 4.6].

Limits: this speaks of tiers that all get the same processing; if one gets raw and another
processed numbers, only the guarantee is kept, which is the weak form.
[LMR25] arXiv:2505.22449v1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import ParameterError
from dpviz.queries import BoundedSum, Count, Query

Kind = Literal["lossless", "weakly lossless"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Processing:
    """One way to process the numbers that are read of a release.

    Attributes:
        key: its name in `PROCESSINGS`.
        label: its name for people.
        kind: what it leaves of a lossless release whose coordinates are read as they are.
        reason: why that kind, one sentence.
        offered: whether it makes sense for a query.
        apply: takes the query and the estimates, shape (…, len(query.labels)), in units of the
            statistic, and gives the processed ones in the same shape; NaN stays NaN.
    """

    key: str
    label: str
    kind: Kind
    reason: str
    offered: Callable[[Query], bool]
    apply: Callable[[Query, Floats], Floats]

    def kind_for(self, query: Query) -> Kind:
        """The kind of what is read: a mean divides two released numbers, which is not invertible.

        >>> from dpviz.queries import BoundedMean
        >>> PROCESSINGS["released"].kind_for(BoundedMean("age", 0, 100))
        'weakly lossless'
        """
        return self.kind if query.per_value == 1 else "weakly lossless"


def least_squares_totals(estimates: Floats) -> Floats:
    """Groups y₁ … yₖ and their total T, moved as little as possible until they agree.

        x̂ᵢ = yᵢ + (T − Σy) / (k + 1)        T̂ = Σx̂

    The least Σ(xᵢ − yᵢ)² + (Σx − T)², right because every coordinate has the same noise.

    Args:
        estimates: shape (…, k + 1), the total last.

    Returns:
        The same shape.

    Raises:
        ParameterError: if there is no group beside the total.

    >>> least_squares_totals(np.array([1.0, 2.0, 6.0]))
    array([2., 3., 5.])
    """
    if estimates.shape[-1] < 2:
        raise ParameterError("totals need at least one group and the total, the total last")
    groups, total = estimates[..., :-1], estimates[..., -1:]
    moved = groups + (total - groups.sum(axis=-1, keepdims=True)) / estimates.shape[-1]
    return np.concatenate([moved, moved.sum(axis=-1, keepdims=True)], axis=-1)


def _read_as_released(query: Query) -> bool:
    return query.per_value == 1


def _never_negative(query: Query) -> bool:
    return isinstance(query, Count) or (isinstance(query, BoundedSum) and query.lower >= 0)


def _has_total(query: Query) -> bool:
    return isinstance(query, Count) and query.total and len(query.labels) >= 3


_ALL = (
    Processing(
        key="released",
        label="as released",
        kind="lossless",
        reason="Nothing is done to the release.",
        offered=lambda _: True,
        apply=lambda _, estimates: estimates,
    ),
    Processing(
        key="rounded",
        label="rounded to whole units",
        kind="weakly lossless",
        reason=(
            "Rounding cannot be undone: the digits that it drops can be guessed a little better "
            "from the other members’ numbers, though never beyond what the unrounded release of "
            "the least private member says."
        ),
        offered=_read_as_released,
        apply=lambda _, estimates: np.rint(estimates) + 0.0,  # no minus before a zero
    ),
    Processing(
        key="clipped",
        label="cut at 0",
        kind="weakly lossless",
        reason=(
            "A number cut to 0 no longer says how far below it was, and the other members’ numbers "
            "still tell something about that, though never more than the uncut release of the "
            "least private member says."
        ),
        offered=_never_negative,
        apply=lambda _, estimates: np.maximum(estimates, 0.0),
    ),
    Processing(
        key="consistent",
        label="groups add up to the total",
        kind="lossless",
        reason=(
            "Least squares is linear: a noisier tier’s processed numbers are a less noisy tier’s "
            "processed numbers plus noise that is independent of the data, so beside the latter "
            "they tell nothing new, although the map itself cannot be undone."
        ),
        offered=_has_total,
        apply=lambda _, estimates: least_squares_totals(estimates),
    ),
    Processing(
        key="asinh",
        label="inverse hyperbolic sine",
        kind="lossless",
        reason=(
            "The map can be undone by the hyperbolic sine, so it tells exactly what the release "
            "tells."
        ),
        offered=_read_as_released,
        apply=lambda _, estimates: np.arcsinh(estimates),
    ),
)
PROCESSINGS: Mapping[str, Processing] = {processing.key: processing for processing in _ALL}
