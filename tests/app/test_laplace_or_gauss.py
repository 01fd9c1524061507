"""The page Laplace or Gauss by AppTest: its controls turn the verdict and no plan.

Its sentences and numbers are in tests/unit/scenes/test_laplace_or_gauss.py.
"""

import math

import pytest

from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.ui.laplace_or_gauss import OWN
from tests.app.reading import head, run_sample, specs, words, workspace


def slide(app, key, value):
    next(s for s in app.select_slider if s.key.startswith(key)).set_value(value).run()


def choose(app, value):
    next(s for s in app.get("button_group") if s.key == "crossover_query").set_value(value).run()
    return app


def here(app):
    """The query in the map."""
    (trace,) = (t for t in specs(app)[0]["data"] if t["name"] == "here")
    return 10 ** trace["x"][0], trace["y"][0]


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_moving_δ_and_ε_turns_the_verdict_and_no_plan(open_page):
    app = choose(open_page("laplace_or_gauss"), OWN)
    kept = head(app)
    assert "Laplace noise is smaller" in words(app)
    assert "number of people per group of “education”" in words(app)
    slide(app, "crossover_delta", 0.1)
    assert "for your statistic, Gaussian noise is smaller" in words(app)
    assert here(app)[1] == pytest.approx(-1)
    made = run_sample(app)["numbers"]
    gauss = gaussian_sigma(1.0, math.log(0.1), 1.0)
    assert made.set_index("noise")["deviation"]["gaussian"] == gauss
    slide(app, "crossover_epsilon", 5.0)
    assert ", Laplace noise is smaller: " in words(app)
    assert head(app) == kept
    assert workspace(app).delta == 1e-6
    assert workspace(app).ledger == []
