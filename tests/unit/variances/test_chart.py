"""Frames and figures of the Variances page: numbers against literal formulas, texts, limits."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.charts import theme
from dpviz.charts.axes import log_ticks, spread
from dpviz.charts.variances.chart import variance_chart
from dpviz.charts.variances.covariance import (
    COVARIANCE,
    CROSS,
    LABELS,
    RED,
    covariance_frame,
    covariance_map,
)
from dpviz.charts.variances.frame import (
    SCHEMES,
    LadderTier,
    measured_frame,
    of_scheme,
    price_frame,
    relative,
    variances_frame,
)
from dpviz.errors import ParameterError
from dpviz.experiments.covariance import CovarianceCheck
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import SampleVariances
from dpviz.noise import FAMILIES
from dpviz.palette import GREY
from dpviz.queries import Sensitivity


def test_a_large_variance_is_said_in_full_on_hover():
    frame = variances_frame(ladder([1e-7, 2e-7]))
    figure = variance_chart(frame, None, compared="splitting", marked=0, unit="people²")
    (lossless,) = [trace for trace in figure.data if trace.name == SCHEMES["lossless"]]
    assert lossless.hovertext[0].endswith("variance 5,000,000 people².")


def ladder(budgets, own=False):
    return [
        LadderTier(name=f"tier {i}", budget=float(b), slot=i + 1 if own else 0, symbol=i % 12)
        for i, b in enumerate(budgets)
    ]


def literal_variances(rhos, l2):
    """MATHEMATICS 5.5, written out."""
    most, total = max(rhos), sum(rhos)
    grid = [rhos[0]]
    while 2 * grid[-1] <= most:
        grid.append(2 * grid[-1])
    best = [max(g for g in grid if g <= rho) for rho in rhos]
    return {
        "lossless": [l2**2 / (2 * r) for r in rhos],
        "splitting": [l2**2 / (2 * (r - b)) for r, b in zip(rhos, [0.0, *rhos[:-1]], strict=True)],
        "independent": [l2**2 * total / (2 * r * most) for r in rhos],
        "doubling": [l2**2 * sum(grid) / (2 * g * most) for g in best],
    }


@pytest.mark.parametrize("l2", [1.0, 3.5])
def test_the_frame_holds_the_formulas(l2):
    rhos = [0.003, 0.01, 0.05, 0.7]
    frame = variances_frame(
        ladder(rhos), replace(ONE_NUMBER, sensitivity=Sensitivity.bounded(1, l2))
    )
    for scheme, expected in literal_variances(rhos, l2).items():
        rows = of_scheme(frame, scheme)
        np.testing.assert_allclose(rows["variance"], expected, rtol=1e-12)
        lossless = of_scheme(frame, "lossless")["variance"].to_numpy()
        np.testing.assert_allclose(rows["factor"], expected / lossless, rtol=1e-12)


@pytest.mark.parametrize(("m", "factor"), [(2, 1.0002), (10, 1.634), (30, 3.93), (100, 12.13)])
def test_the_price_of_figure_2_by_factors(m, factor):
    frame = variances_frame(ladder(spaced_budgets(0.001, 5.0, m)))
    split = of_scheme(frame, "splitting")["factor"].to_numpy()
    assert split[0] == 1
    np.testing.assert_allclose(split[1:], factor, rtol=5e-4)


@pytest.mark.parametrize(("m", "last"), [(10, 9.0), (30, 29.0), (100, 99.0)])
def test_the_price_of_figure_2_by_steps(m, last):
    frame = variances_frame(ladder(spaced_budgets(0.001, 5.0, m, "steps")))
    assert of_scheme(frame, "splitting")["factor"].iloc[-1] == pytest.approx(last, rel=2e-3)


@pytest.mark.parametrize("m", [2, 10, 30, 100])
def test_doubling_costs_less_than_four_times(m):
    frame = variances_frame(ladder(spaced_budgets(0.001, 5.0, m)))
    assert of_scheme(frame, "doubling")["factor"].max() < 4


def test_tiers_must_ascend():
    with pytest.raises(ParameterError):
        variances_frame(ladder([0.5, 0.1]))


def test_measured_factors_are_by_the_formula_of_lossless():
    frame = variances_frame(ladder([0.1, 0.5]))
    found = SampleVariances(np.array([5.1, 0.9]), np.array([5.2, 1.3]), 10_000)
    measured = measured_frame(frame, "splitting", found)
    assert measured["scheme"].tolist() == ["lossless"] * 2 + ["splitting"] * 2
    np.testing.assert_allclose(measured["factor"], [5.1 / 5, 0.9, 5.2 / 5, 1.3])
    assert (measured["low"] < measured["variance"]).all()
    assert (measured["variance"] < measured["high"]).all()
    shown = relative(measured)
    np.testing.assert_allclose(shown["variance"], measured["factor"])
    np.testing.assert_allclose(shown["high"] / shown["low"], measured["high"] / measured["low"])


def test_laplace_tiers_are_measured_and_named_in_their_own_currency():
    setting = replace(ONE_NUMBER, family=FAMILIES["laplace"], step=2.0)
    frame = variances_frame(ladder([0.1, 0.5]), setting)
    assert of_scheme(frame, "lossless")["variance"].round(6).tolist() == [800.0, 32.0]
    found = SampleVariances(np.array([200.0, 8.0]), np.array([210.0, 13.0]), 10_000)
    measured = measured_frame(frame, "splitting", found, setting)
    assert measured["variance"].tolist() == [800.0, 32.0, 840.0, 52.0]
    gaussian = measured_frame(frame, "splitting", found, ONE_NUMBER)
    wider = (measured["high"] - measured["low"]) / (gaussian["high"] - gaussian["low"]) / 4
    np.testing.assert_allclose(wider, 2.5**0.5, rtol=1e-3)
    fig = variance_chart(
        frame, measured, compared="splitting", marked=1, unit="people²", letter="ε"
    )
    assert "ε" in fig.layout.xaxis.title.text
    assert "ρ" not in fig.to_json().encode().decode("unicode_escape", "ignore")


def test_the_price_of_one_tier_names_every_scheme():
    price = price_frame(variances_frame(ladder([0.1, 0.2, 0.5])), 1)
    assert price["scheme"].tolist() == list(SCHEMES.values())
    assert price["variance"].round(4).tolist() == [2.5, 5.0, 4.0, 3.5]
    assert price["wider"].round(4).tolist() == [1.0, 1.4142, 1.2649, 1.1832]


def chart(budgets, own=False, **more):
    frame = variances_frame(ladder(budgets, own))
    asked = {"compared": "splitting", "marked": 0, "unit": "people²"} | more
    return frame, variance_chart(frame, None, **asked)


def test_lines_are_formulas_and_lossless_is_lowest_and_on_top():
    frame, fig = chart([0.1, 0.2, 0.5])
    assert [t.name for t in fig.data] == ["independent", "doubling", "budget split", "lossless"]
    for trace in fig.data:
        scheme = next(k for k, v in SCHEMES.items() if v == trace.name)
        np.testing.assert_array_equal(trace.y, of_scheme(frame, scheme)["variance"])
        assert trace.mode == "lines"
    assert {t.line.color for t in fig.data[:3]} == {GREY}
    assert all((t.y >= fig.data[3].y).all() for t in fig.data)


def test_everything_is_inside_the_axes():
    for own in (False, True):
        frame, fig = chart(spaced_budgets(0.001, 5.0, 5), own)
        low, high = fig.layout.yaxis.range
        assert low < math.log10(frame["variance"].min())
        assert high > math.log10(frame["variance"].max())
        left, right = fig.layout.xaxis.range
        assert left < -3
        assert right > math.log10(5)


def test_marks_carry_their_intervals_and_are_not_joined():
    frame, _ = chart([0.1, 0.5])
    found = SampleVariances(np.array([5.1, 0.9]), np.array([5.2, 1.3]), 1000)
    measured = measured_frame(frame, "doubling", found)
    fig = variance_chart(
        frame, measured, compared="doubling", marked=1, unit="people²", how="1,000 repetitions"
    )
    marks = [t for t in fig.data if t.mode == "markers"]
    assert [m.name for m in marks] == ["doubling, measured", "lossless, measured"]
    np.testing.assert_allclose(marks[1].y, [5.1, 0.9])
    np.testing.assert_allclose(marks[1].y + marks[1].error_y.array, measured["high"].to_numpy()[:2])
    assert "1,000 repetitions" in marks[0].hovertext[0]


def test_the_reading_says_tier_budget_and_factor():
    _, fig = chart([0.1, 0.2, 0.5], marked=1)
    text = next(a.text for a in fig.layout.annotations if "×" in a.text)
    assert "tier 1" in text
    assert "0.2" in text
    assert "budget split × 2" in text
    assert fig.layout.shapes[0].x0 == 0.2


def test_a_name_from_outside_does_nothing():
    evil = [LadderTier(name="<b>%{x}</b>$y$", budget=b, slot=2) for b in (0.1, 0.9)]
    fig = variance_chart(variances_frame(evil), None, compared="splitting", marked=0, unit="<i>²")
    assert "<b>%{x}" not in fig.to_json()
    assert "<i>" not in fig.to_json()


@pytest.mark.parametrize("m", [1, 2, 100])
def test_any_number_of_tiers_draws_in_both_themes(m):
    _, fig = chart(np.geomspace(0.001, 5, m))
    assert [np.isfinite(line.y).sum() for line in fig.data] == len(SCHEMES) * [m]
    for mode, ink in theme.INKS.items():
        dressed = theme.dress(fig, mode).layout
        assert dressed.template.layout.font.color == ink["text"]
        assert all(note.font.color is None for note in dressed.annotations)  # the theme's ink


def test_names_stand_beside_the_marks_of_few_own_tiers_only():
    def names(budgets, own):
        _, fig = chart(budgets, own)
        return [a.text for a in fig.layout.annotations if a.text.startswith("<b>tier")]

    assert len(names([0.1, 0.2, 0.5], True)) == 3
    assert len(names(np.geomspace(0.1, 5, 7), True)) == 0
    assert len(names([0.1, 0.2, 0.5], False)) == 1  # the reading


@pytest.mark.parametrize("span", [(0.0, 0.3), (-3.1, 0.8), (-12, 12), (1.0, 1.05), (2.0, 2.7)])
def test_logarithmic_ticks_are_few_round_and_inside(span):
    ticks = log_ticks(*span, most=6)
    values = np.log10(ticks["tickvals"])
    assert 2 <= len(values) <= 6
    assert (np.diff(values) > 0).all()
    assert values[0] >= span[0] - 1e-6
    assert values[-1] <= span[1] + 1e-6
    assert len(set(ticks["ticktext"])) == len(values)


def test_labels_are_spread_within_limits_and_in_order():
    moved = spread([0.0, 1.0, 2.0, 99.0, 100.0], 10.0, 0.0, 100.0)
    assert moved == [0.0, 10.0, 20.0, 90.0, 100.0]
    assert spread([10.0, 30.0], 10.0, 0.0, 100.0) == [10.0, 30.0]


def labels_of(n):
    rows = [(f"t{i}", i % 12 + 1, i % 12) for i in range(n)]
    return pd.DataFrame(rows, columns=list(LABELS))


def matrix(n, outside=()):
    theory = np.minimum.outer(np.arange(1.0, n + 1), np.arange(1.0, n + 1))
    out = np.zeros((n, n), dtype=bool)
    for cell in outside:
        out[cell] = True
    none = {"events": (), "shares": np.zeros(0), "strange": np.zeros(0, dtype=bool)}
    check = CovarianceCheck(theory, theory * 1.01, 0.05 * theory, out, **none)
    return covariance_frame(check), labels_of(n)


def test_cells_hold_theory_and_simulation_least_noisy_top_left():
    fig = covariance_map(*matrix(3), unit="people²")
    (heat,) = fig.data
    np.testing.assert_allclose(10 ** np.asarray(heat.z, float)[0], [1, 1, 1])
    assert fig.layout.annotations[8].text.startswith("<b>3</b><br>3.03")
    assert list(fig.layout.yaxis.range) == [2.5, -0.5]
    assert heat.hovertext[0][1].startswith("<b>t0</b> and t1: theory 1 people²")


def test_a_failing_cell_is_red_and_crossed_and_said():
    fig = covariance_map(*matrix(3, [(0, 1)]), unit="")
    blue, red = fig.data
    assert red.colorscale == tuple(map(tuple, RED))
    assert np.isfinite(np.asarray(red.z, float)).sum() == 1
    assert np.isnan(np.asarray(blue.z, float)).sum() == 1
    crossed = [a for a in fig.layout.annotations if CROSS in a.text]
    assert [(a.x, a.y) for a in crossed] == [(1, 0)]
    assert "outside its band" in red.hovertext[0][1]


@pytest.mark.parametrize(("n", "texts"), [(1, 1), (6, 36), (7, 1), (20, 1), (100, 0)])
def test_many_tiers_keep_only_what_can_be_read(n, texts):
    fig = covariance_map(*matrix(n, [(0, 0)]), unit="")
    assert len(fig.layout.annotations) == texts
    assert fig.layout.height <= 560


def test_no_noise_is_as_light_as_the_least_and_warns_of_nothing():
    labels = pd.DataFrame({"tier": ["exact", "audit"], "slot": [1, 2], "symbol": [0, 1]})
    for theory, shade in (([0.0, 0.0, 0.0, 4.0], np.log10(4.0)), ([0.0] * 4, 0.0)):
        cells = pd.DataFrame(
            [(i // 2, i % 2, t, t, t, t, False) for i, t in enumerate(theory)],
            columns=list(COVARIANCE),
        )
        with np.errstate(all="raise"):
            fig = covariance_map(cells, labels, unit="")
        assert np.allclose(fig.data[0].z, shade)
