"""Counts fitted to the order of a list: hand-made cases, and a solver for least squares."""

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.top_k import fit_in_order
from tests import oracles_top_k

PAPER = [5, 7, 3, 4, 4.5, -2, -1]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([1, 2, 3], [2, 2, 2]),
        ([4, 1, 5, 2], [4, 3, 3, 2]),
        ([3, 2, 1], [3, 2, 1]),
        (PAPER, [6, 6, 23 / 6, 23 / 6, 23 / 6, -1.5, -1.5]),
        ([], []),
        ([-4.0], [-4.0]),
    ],
)
def test_hand_made_rows(values, wanted):
    np.testing.assert_allclose(fit_in_order(values), wanted, rtol=1e-15)


def test_known_to_be_at_least_0():
    found = fit_in_order(PAPER, non_negative=True)
    np.testing.assert_allclose(found, [6, 6, 23 / 6, 23 / 6, 23 / 6, 0, 0], rtol=1e-15)


def test_the_same_as_non_negative_least_squares():
    rng = streams.teaching(7)
    for size in (1, 2, 3, 5, 8, 13) * 5:
        values = rng.normal(np.linspace(8, -2, size), 4)
        found = fit_in_order(values, non_negative=True)
        np.testing.assert_allclose(found, oracles_top_k.fitted(values), atol=1e-12)
        assert (np.diff(found) <= 0).all()


def test_it_keeps_the_sum_and_what_it_is_handed():
    values = np.array([4.0, 1.0, 5.0])
    assert fit_in_order(values).sum() == pytest.approx(10)
    assert values.tolist() == [4, 1, 5]


@pytest.mark.parametrize("bad", [None, "3, 2", [[1, 2]], [1, np.nan], [1, np.inf], 3.0])
def test_what_is_no_row_of_numbers_is_refused(bad):
    with pytest.raises(ParameterError):
        fit_in_order(bad)
