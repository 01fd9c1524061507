"""The Variances page by AppTest: the visitor's own tiers, Figure 2, and what cannot be used.

Its sentences and numbers are in tests/unit/scenes/test_variances.py.
"""

import math
import time
from statistics import NormalDist

import numpy as np
import pytest

from dpviz.planning.presets import Preset
from dpviz.planning.tiers import Tier
from tests.app.reading import numbers_in, plain
from tests.cast import RHO


def finished(app):
    """Rerun until nothing is being drawn, and once more: the page's own clock stands still."""
    while "work" in app.session_state:
        time.sleep(0.05)
        app.run()
    app.run()


def own_noise(open_page, family, mode="teaching"):
    app = open_page("tiers")
    app.segment("mode", mode)
    app.radio(key=f"family_{mode}").set_value(family).run()
    app.go("variances")
    return app


def half(rho):
    return NormalDist().inv_cdf(0.975) / math.sqrt(2 * rho)


@pytest.mark.usefixtures("pictured", "shut")
def test_a_fresh_visitor_sees_all_tiers_measures_nothing_and_chooses_one(open_page):
    app = open_page("variances")
    assert "shelves" not in app.session_state
    (bars,) = app.specs()
    shown = np.array(list(numbers_in(bars)))
    for rho in RHO.values():
        for length in (half(rho), half(rho * 0.4) - half(rho)):
            assert min(abs(shown - length)) < 1e-9
    app.session_state["closer_specialists"] = True
    app.run()
    numbers = app.run_sample()["numbers"]
    for ours in numbers[numbers["scheme"] == "lossless"]["half_width"]:
        assert min(abs(shown - ours)) == 0
    next(p for p in app.pills if p.label == "Whose numbers?").set_value(0).run()
    assert "widen public’s" in plain(app.header[0].value)
    assert list(numbers_in(app.specs()[0])) != shown.tolist()


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("noise")
def test_the_page_follows_tiers_noise_and_unit_of_the_plan(open_page):
    app = own_noise(open_page, "laplace")
    losses = np.sqrt(2 * np.array(list(RHO.values())))
    ws = app.workspace()
    assert [loss.budget.loss for loss in ws.planned()[0]] == pytest.approx(losses)
    shown = np.array(list(numbers_in(app.specs()[0])))
    for loss in losses:
        assert min(abs(shown - math.log(20) / loss)) < 1e-9
    near = (Tier(name="one", amount="0.5", kind="ε"), Tier(name="two", amount="2", kind="ε"))
    ws.plan.use_preset(Preset(name="pair", story="two tiers", tiers=near), ws.setting)
    app.run()
    assert "widen one’s" in plain(app.header[0].value)


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("variance_lines")
def test_without_two_tiers_the_page_says_what_to_add(open_page):
    app = open_page("variances")
    app.workspace().plan.tiers = app.workspace().plan.tiers[:1]
    app.run()
    assert app.header[0].value.startswith("Add ")
    assert "tiers" in [link.proto.page for link in app.get("page_link")]
    assert len(app.specs()) == 1, "Figure 2 needs no plan"
