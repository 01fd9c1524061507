"""Figure 2 of the paper on the page Variances: lines, marks, one tier read off."""

import math

import numpy as np
import pytest

from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.accounting.schemes import SCHEMES
from dpviz.charts import theme
from dpviz.charts.axes import log_ticks, spread
from dpviz.charts.variances import figure_2
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import SampleVariances
from dpviz.palette import GREY
from dpviz.scenes.variances import LINES, measured, variances


def chart(budgets, **more):
    frame = variances([float(b) for b in budgets], ONE_NUMBER)
    return frame, figure_2(frame, None, **{"compared": "splitting", "marked": 0} | more)


def test_lines_are_formulas_and_lossless_is_lowest_and_on_top():
    frame, made = chart([0.1, 0.2, 0.5])
    lines = made.figure.data
    assert [t.name for t in lines] == [SCHEMES[k].name for k in (*LINES[2:], *LINES[1::-1])]
    for trace in lines:
        scheme = next(k for k in LINES if SCHEMES[k].name == trace.name)
        np.testing.assert_array_equal(trace.y, frame[frame["scheme"] == scheme]["variance"])
        assert trace.mode == "lines"
    assert {t.line.color for t in lines[:3]} == {GREY}
    assert all((t.y >= lines[3].y).all() for t in lines)


def test_everything_is_inside_the_axes():
    frame, made = chart(spaced_budgets(0.001, 5.0, 5))
    low, high = made.figure.layout.yaxis.range
    assert low < math.log10(frame["variance"].min())
    assert high > math.log10(frame["variance"].max())
    left, right = made.figure.layout.xaxis.range
    assert left < -3
    assert right > math.log10(5)


def test_marks_carry_their_intervals_and_are_not_joined():
    frame, _ = chart([0.1, 0.5])
    found = SampleVariances(np.array([5.1, 0.9]), np.array([5.2, 1.3]), 1000)
    rows = measured(frame, "doubling", found, ONE_NUMBER)
    made = figure_2(frame, rows, compared="doubling", marked=1, how="1,000 repetitions")
    marks = [t for t in made.figure.data if t.mode == "markers"]
    assert [m.name for m in marks] == ["doubling budgets, measured", "lossless, measured"]
    np.testing.assert_allclose(marks[1].y, [5.1, 0.9])
    np.testing.assert_allclose(marks[1].y + marks[1].error_y.array, rows["high"].to_numpy()[:2])
    assert "1,000 repetitions" in marks[0].hovertext[0]


def test_picture_and_alt_read_off_tier_budget_and_factor():
    _, made = chart([0.1, 0.2, 0.5], marked=1)
    text = next(a.text for a in made.figure.layout.annotations if "×" in a.text)
    assert "tier 2 of 3" in text
    assert "0.2" in text
    assert "budget split × 2" in text
    assert made.figure.layout.shapes[0].x0 == 0.2
    said = "At tier 2 of 3 it has 2.5, budget split 5, 2 times that of lossless release."
    assert made.alt.endswith(said)
    assert chart([0.1, 0.2])[1].alt.endswith("5, the same as that of lossless release.")


def test_a_large_variance_is_said_in_full_on_hover():
    _, made = chart([1e-7, 2e-7])
    assert made.figure.data[-1].hovertext[0].endswith("variance 5,000,000.")


@pytest.mark.parametrize("m", [1, 2, 100])
def test_any_number_of_tiers_draws_in_both_themes(m):
    _, made = chart(np.geomspace(0.001, 5, m))
    assert [np.isfinite(line.y).sum() for line in made.figure.data] == len(LINES) * [m]
    for mode, ink in theme.INKS.items():
        dressed = theme.dress(made.figure, mode).layout
        assert dressed.template.layout.font.color == ink["text"]
        assert all(note.font.color is None for note in dressed.annotations)  # the theme's ink


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
