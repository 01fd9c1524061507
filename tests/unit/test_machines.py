"""Another processor computes the same numbers, but for their last digits."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.data import hourly_events, long_tail
from dpviz.experiments.ladders import spaced_budgets
from dpviz.noise import ADDITIVE
from dpviz.scenes.variances import variances
from tests.conftest import LAST_DIGITS, full_run
from tests.plain_numpy import dispatched
from tests.serving import ROOT

pytestmark = full_run  # the code is the same on every processor, until NumPy's changes
DRAWS = 500
STRAYED = 0.01  # share of draws that may fall on the other side of a comparison


def drawn() -> dict[str, list[float]]:
    """Noise of every family on one seed: drawn, extended, and bridged between the two."""
    found = {}
    for name, family in ADDITIVE.items():
        rng = streams.teaching(7)
        start = np.zeros(DRAWS, dtype=np.int64 if family.integer else np.float64)
        low = family.extend(start, 0, 2.0, rng=rng)
        high = family.extend(low, 2.0, 9.0, rng=rng)
        between = family.bridge(low, high, 2.0, 4.0, 9.0, rng=rng)
        found[name] = [*low.tolist(), *high.tolist(), *between.tolist()]
    return found


def shown() -> dict[str, list[float]]:
    """Numbers of pages that nobody draws."""
    budgets = spaced_budgets(0.001, 5, 10)
    cells, counts = long_tail(100, 1000, 10**9, rng=streams.teaching(7))
    return {
        "Variances": variances(budgets.tolist(), ONE_NUMBER)["variance"].tolist(),
        "Laplace or Gauss": [gaussian_sigma(1.0, log_delta, 1.0) for log_delta in (-1, -14, -300)],
        "invented events": hourly_events(1008).tolist(),
        "invented items": [*cells.tolist(), *counts.tolist()],
    }


@pytest.fixture(scope="module")
def elsewhere() -> list[dict[str, list[float]]]:
    """The same numbers from a process that has to do without this processor's vector code."""
    asked = (
        "import json; from tests.unit.test_machines import *; print(json.dumps([drawn(), shown()]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=ROOT,
        env=os.environ | {"NPY_DISABLE_CPU_FEATURES": ",".join(dispatched())},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("family", ADDITIVE)
def test_a_seed_draws_the_same_noise_on_other_processors(elsewhere, family):
    here, there = np.array(drawn()[family]), np.array(elsewhere[0][family])
    assert (
        ~np.isclose(here, there, rtol=1e3 * LAST_DIGITS, atol=1e3 * LAST_DIGITS)
    ).mean() <= STRAYED


def test_pages_show_the_same_numbers_on_other_processors(elsewhere):
    for page, numbers in shown().items():
        assert numbers == pytest.approx(elsewhere[1][page], rel=1e3 * LAST_DIGITS), page
