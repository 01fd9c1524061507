"""The map of covariances: theory in bold, the simulation below it, what fails crossed out."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.covariance import (
    COVARIANCE,
    CROSS,
    LABELS,
    RED,
    covariance_frame,
    covariance_map,
)
from dpviz.experiments.covariance import CovarianceCheck
from dpviz.palette import TierStyle


def labels_of(n):
    rows = [(f"t{i}", TierStyle(i % 12 + 1, i % 12)) for i in range(n)]
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
    labels = pd.DataFrame({"tier": ["exact", "audit"], "style": [TierStyle(1, 0), TierStyle(2, 1)]})
    for theory, shade in (([0.0, 0.0, 0.0, 4.0], np.log10(4.0)), ([0.0] * 4, 0.0)):
        cells = pd.DataFrame(
            [(i // 2, i % 2, t, t, t, t, False) for i, t in enumerate(theory)],
            columns=list(COVARIANCE),
        )
        with np.errstate(all="raise"):
            fig = covariance_map(cells, labels, unit="")
        assert np.allclose(fig.data[0].z, shade)
