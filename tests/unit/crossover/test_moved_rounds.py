"""Groups × rounds: from where on Gaussian noise costs less, and what the loose way would say."""

import math

import pytest

from dpviz.accounting.histogram_rounds import (
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_tight_epsilon,
)
from dpviz.charts.crossover import moved_rounds
from dpviz.planning.choice import Question
from dpviz.ui.laplace_or_gauss.rounds_words import groups_sentence

LN = math.log(1e-6)


def asked(each, moved=1, log_delta=LN):
    """One person moves `moved` groups by 1; `each` is the own budget of a coordinate."""
    return Question(epsilon=each * moved, log_delta=log_delta, l1=float(moved), l2=moved**0.5)


@pytest.mark.parametrize(("each", "first"), [(0.05, 8), (1.0, 20)])
def test_the_crossing_is_exact(each, first):
    """MATHEMATICS 9.2: b = 20, σ = √2·20: between 5 and 20 coordinates; ε = 1 a round: from 20."""
    assert moved_rounds.coordinates_from(asked(each)) == (first, True)

    def gauss_is_cheaper(count):
        gauss = histogram_gaussian_epsilon(LN, math.sqrt(2) / each, l0_sensitivity=count)
        return gauss < histogram_tight_epsilon(LN, 1 / each, l0_sensitivity=count)

    assert [gauss_is_cheaper(n) for n in (first - 1, first)] == [False, True]


@pytest.mark.parametrize("each", [0.01, 0.3, 2.0])
def test_there_is_one_crossing(each):
    cheaper = [
        histogram_gaussian_epsilon(LN, math.sqrt(2) / each, l0_sensitivity=n)
        < histogram_laplace_epsilon(LN, 1 / each, l0_sensitivity=n)
        for n in range(1, 60)
    ]
    assert cheaper == sorted(cheaper)


@pytest.mark.parametrize("moved", [2, 10])
def test_only_groups_times_rounds_count(moved):
    assert moved_rounds.coordinates_from(asked(0.05, moved)) == (8, True)
    frame = moved_rounds.moved_rounds(asked(0.05, moved))
    assert (frame["gauss_cheaper"] == (frame["moved"] * frame["rounds"] >= 8)).all()
    row = frame[(frame["moved"] == 16) & (frame["rounds"] == 4)].iloc[0]
    want = histogram_gaussian_epsilon(LN, 20 * math.sqrt(2), l0_sensitivity=16, rounds=4)
    assert row["gauss"] == pytest.approx(want, rel=1e-9)


def test_the_loose_way_turns_the_verdict_in_many_rounds_and_never_in_one():
    frame = moved_rounds.moved_rounds(asked(0.05))
    turned = frame[moved_rounds.turned(frame)]
    assert len(turned) == 53
    assert turned["rounds"].min() == 2
    assert turned["gauss_cheaper"].all()


def test_large_budgets_never_cross_and_a_large_delta_at_once():
    assert moved_rounds.coordinates_from(asked(5.0)) == (None, True)
    assert moved_rounds.coordinates_from(asked(1.0, log_delta=math.log(0.1))) == (1, True)
    assert "Up to 10,000 coordinates" in groups_sentence(None, exact=True)
    assert "any number" in groups_sentence(1, exact=True)
    assert "upper bound" in groups_sentence(9, exact=False)


@pytest.mark.parametrize("first", [None, 1, 8, 100, 3000])
def test_the_regions_meet_at_the_border(first):
    frame = moved_rounds.moved_rounds(asked(0.05))
    figure = moved_rounds.moved_rounds_chart(frame, first=first, moved=4)
    names = [trace.name for trace in figure.data]
    assert ("border" in names) is (first is not None)
    if first is not None:
        x, y = figure.data[0].x, figure.data[0].y
        assert [a + b for a, b in zip(x, y, strict=True)] == pytest.approx(
            [max(0, math.log10(first) - 0.01)] * 2, abs=0.011
        )
