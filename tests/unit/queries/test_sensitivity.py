"""The sensitivities are norms of one vector."""

import math

import pytest

from dpviz.errors import ParameterError
from dpviz.queries import Sensitivity


@pytest.mark.parametrize("l0", [1, 2, 3, 10, 100_000])
@pytest.mark.parametrize("linf", [0.0, 1.0, 0.5, 7.25])
def test_bounded_gives_the_norms_of_the_full_vector(l0: int, linf: float) -> None:
    sensitivity = Sensitivity.bounded(l0, linf)
    vector = [linf] * l0
    assert sensitivity.l0 == l0
    assert sensitivity.l1 == pytest.approx(math.fsum(vector))
    assert sensitivity.l2 == pytest.approx(math.sqrt(math.fsum(x * x for x in vector)))
    assert sensitivity.linf == linf


@pytest.mark.parametrize(
    "numbers",
    [
        (1, 1.1, 1.0, 1.0),  # more than l0 entries of linf
        (4, 4.0, 2.1, 1.0),
        (4, 1.9, 2.0, 1.0),  # no vector has Δ₁ below Δ₂
        (4, 4.0, 0.9, 1.0),  # nor Δ₂ below Δ∞
        (-1, 0.0, 0.0, 0.0),
        (1.5, 1.0, 1.0, 1.0),
        (1, math.nan, 1.0, 1.0),
        (1, math.inf, math.inf, math.inf),
    ],
)
def test_numbers_that_no_vector_has_are_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ParameterError):
        Sensitivity(*numbers)  # type: ignore[arg-type]


def test_nothing_that_moves() -> None:
    with pytest.raises(ParameterError, match="l0 must be a whole number of at least 1"):
        Sensitivity.bounded(0)
    assert Sensitivity(0, 0.0, 0.0, 0.0).l1 == 0  # a statistic that nobody moves
