"""The Variances page by AppTest: the visitor's own tiers, Figure 2, and what cannot be used.

Its sentences are in tests/unit/variances/test_claims.py, its numbers in tests/unit/scenes.
"""

import math
import time
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from dpviz.accounting import scheme_variances
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.experiments.ladders import spaced_budgets
from dpviz.noise import FAMILIES
from dpviz.planning.presets import Preset
from dpviz.planning.tiers import Tier
from dpviz.ui.kit import controls
from tests.app.reading import errors, numbers_in, plain, run_sample, specs, words, workspace
from tests.cast import RHO
from tests.conftest import few as cases

SCHEMES = ("lossless", "splitting", "independent", "doubling")


def pick(app, key, value):
    app.segmented_control(key=key).set_value(value).run()
    assert not app.exception


def lines(app):
    """The figure of the closer; the bars stand before it."""
    return specs(app)[1]


def shows(app, values, within=1e-9):
    shown = np.array(list(numbers_in(lines(app))))
    return all(min(abs(shown - value)) < within for value in values)


def finished(app):
    """Rerun until nothing is being drawn, and once more: the page's own clock stands still."""
    while "work" in app.session_state:
        time.sleep(0.05)
        app.run()
    app.run()
    assert not app.exception


def own_noise(open_page, family, mode="teaching"):
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value(mode).run()
    app.radio(key=f"family_{mode}").set_value(family).run()
    app.switch_page("pages/variances.py").run()
    assert not app.exception
    return app


def half(rho):
    return NormalDist().inv_cdf(0.975) / math.sqrt(2 * rho)


def test_a_fresh_visitor_sees_all_tiers_and_what_research_would_pay(open_page):
    app = open_page("variances")
    worst, ours = (math.ceil(10 * half(rho)) / 10 for rho in (0.1, RHO["research"]))
    assert f"± {worst} people instead of ± {ours}" in plain(app.header[0].value)
    rhos, shown = list(RHO.values()), np.array(list(numbers_in(specs(app)[0])))
    for rho, below in zip(rhos, [0, *rhos], strict=False):
        assert min(abs(shown - half(rho))) < 1e-9
        extra = [half(rho - below) - half(rho), half(rho * 0.4) - half(rho)]
        assert all(min(abs(shown - each)) < 1e-9 for each in extra)
    whose = next(p for p in app.pills if p.label == "Whose numbers?")
    whose.set_value(0).run()
    assert "public’s numbers" in plain(app.header[0].value)
    assert list(numbers_in(specs(app)[0])) != shown.tolist()


def test_with_the_closer_shut_nothing_is_measured_and_the_sample_is_of_the_bars(
    open_page, monkeypatch
):
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", False)
    app = open_page("variances")
    assert len(specs(app)) == 1
    assert "shelves" not in app.session_state
    app.session_state["closer_specialists"] = True
    app.run()
    numbers = run_sample(app)["numbers"]
    shown = np.array(list(numbers_in(specs(app)[0])))
    ours = numbers[numbers["scheme"] == "lossless"]["half_width"]
    assert all(min(abs(shown - each)) == 0 for each in ours)


def test_the_page_follows_tiers_noise_and_unit_of_the_plan(open_page):
    app = own_noise(open_page, "laplace")
    losses = np.sqrt(2 * np.array(list(RHO.values())))
    ws = workspace(app)
    assert [loss.budget.loss for loss in ws.planned()[0]] == pytest.approx(losses)
    shown = np.array(list(numbers_in(specs(app)[0])))
    for loss in losses:
        assert min(abs(shown - math.log(20) / loss)) < 1e-9
    split = (losses / np.diff(losses, prepend=0)) ** 2
    numbers = run_sample(app)["numbers"]
    np.testing.assert_allclose(numbers[numbers["scheme"] == "splitting"]["factor"], split)
    near = (Tier(name="one", amount="0.5", kind="ε"), Tier(name="two", amount="2", kind="ε"))
    ws.plan.use_preset(Preset(name="pair", story="two tiers", tiers=near), ws.setting)
    app.run()
    assert plain(app.header[0].value).startswith("For the same privacy, one’s numbers")


@pytest.mark.parametrize(
    ("m", "spacing"), cases([(30, "steps"), (10, "factors"), (100, "factors")], 2)
)
def test_the_lines_are_figure_2_of_the_paper(open_page, m, spacing):
    app = open_page("variances")
    pick(app, "variance_count", m)
    pick(app, "variance_spacing", spacing)
    rhos = spaced_budgets(0.001, 5, m, spacing)
    for scheme in SCHEMES:
        assert shows(app, scheme_variances(rhos, scheme))
    for scheme in SCHEMES[1:]:
        app.selectbox(key="variance_compared").set_value(scheme).run()
        assert not app.exception
        row = (scheme_variances(rhos, scheme) / scheme_variances(rhos, "lossless"))[m // 2]
        assert f"{row:.3g} times as large" in words(app)


def test_the_slider_reads_off_any_tier(open_page):
    app = open_page("variances")
    pick(app, "variance_spacing", "steps")
    app.select_slider(key="variance_place_10").set_value(9).run()
    assert "gives tier 10 of 10 a noise variance 9 times" in words(app)
    app.select_slider(key="variance_place_10").set_value(0).run()
    assert "costs tier 1 of 10 nothing" in words(app)


def test_a_ladder_has_the_noise_and_the_currency_of_the_plan(open_page):
    app = own_noise(open_page, "laplace")
    assert app.text_input(key="variance_smallest_epsilon").value == "0.05"
    setting = replace(ONE_NUMBER, family=FAMILIES["laplace"])
    assert shows(app, scheme_variances(spaced_budgets(0.05, 5, 10), "splitting", setting=setting))
    assert "ρ" not in lines(app)["layout"]["xaxis"]["title"]["text"]


def test_ends_that_cannot_be_used_get_one_sentence_and_keep_the_picture(open_page):
    app = open_page("variances")
    before = lines(app)
    for typed, sentence in (
        ("7", "is not below the largest"),
        ("0,001", "with a point"),
        ("-1", "is not a budget"),
    ):
        app.text_input(key="variance_smallest").set_value(typed).run()
        assert not app.exception
        assert len(errors(app)) == 1
        assert sentence in errors(app)[0]
        assert app.text_input(key="variance_smallest").value == typed
        assert lines(app) == before


@pytest.mark.parametrize("left", [0, 1])
def test_without_two_tiers_the_page_says_what_to_add(open_page, left):
    app = open_page("variances")
    workspace(app).plan.tiers = workspace(app).plan.tiers[:left]
    app.run()
    assert not app.exception
    assert app.header[0].value.startswith("Add ")
    assert "tiers" in [link.proto.page for link in app.get("page_link")]
    assert len(specs(app)) == 1, "Figure 2 needs no plan"


def test_budgets_for_which_there_is_no_noise_get_one_sentence(open_page):
    app = own_noise(open_page, "poisson", "hardened")
    amounts = ("1", "1.0000001", "2", "3", "4", "5")  # too many for the convolution: ε and δ add
    near = tuple(Tier(name=f"tier {a}", amount=a, kind="ε") for a in amounts)
    ws = workspace(app)
    ws.plan.use_preset(Preset(name="near", story="nearly one budget", tiers=near), ws.setting)
    app.run()
    assert not app.exception
    assert len(errors(app)) == 1
    assert "cannot be used" in app.header[0].value


def test_a_plan_with_nonsense_shows_the_rest_and_says_why(open_page):
    app = open_page("tiers")
    ws = workspace(app)
    rows = [("![](http://host.invalid/x.png)", "0.1"), ("bad", "nonsense"), ("good", "1")]
    tiers = tuple(Tier(name=name, amount=amount, kind="ρ") for name, amount in rows)
    ws.plan.tiers = tiers
    app.switch_page("pages/variances.py").run()
    assert not app.exception
    assert "nonsense" in words(app)
    pills = next(p for p in app.pills if p.label == "Whose numbers?")
    assert not any("![](" in option or "http" in option for option in pills.options)


def test_a_rerun_shows_the_same_marks_and_again_shows_others(open_page):
    app = open_page("variances")
    before = specs(app)
    app.run()
    assert specs(app) == before
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/variances.py").run()
    assert specs(app) == before
    app.button(key="variance_again").click().run()
    assert lines(app) != before[1]
    assert specs(app)[0] == before[0]


def test_the_simulation_is_drawn_on_request_and_kept(open_page):
    app = open_page("variances")
    pick(app, "variance_repetitions", 100_000)
    pick(app, "variance_method", "direct")
    assert len(lines(app)["data"]) == 4
    app.button(key="variance_draw").click().run()
    finished(app)
    assert app.button(key="variance_draw").disabled
    assert "100,000 repetitions through the sampler" in words(app)
    rhos = spaced_budgets(0.001, 5, 10)
    *_, theirs, ours = lines(app)["data"]
    for trace, scheme in ((theirs, "splitting"), (ours, "lossless")):
        ratio = np.array(list(numbers_in(trace["y"]))) / scheme_variances(rhos, scheme)
        assert np.abs(ratio - 1).max() < 6 * (2 / 100_000) ** 0.5


@pytest.mark.usefixtures("processes")
def test_a_stopped_simulation_keeps_what_is_complete(open_page):
    app = open_page("variances")
    pick(app, "variance_count", 30)
    pick(app, "variance_repetitions", 10_000_000)
    pick(app, "variance_method", "direct")
    app.button(key="variance_draw").click().run()
    job = app.session_state["work"].job
    while job.latest is None:
        time.sleep(0.01)
    assert app.button(key="variance_draw").disabled
    whose = next(p for p in app.pills if p.label == "Whose numbers?")
    whose.set_value(0).run()  # the rest of the page stays usable
    app.button(key="work_stop").click().run()
    assert not app.exception
    assert not job.running
    finished(app)
    done = job.latest.repetitions
    assert 0 < done < 10_000_000
    assert f"Stopped after {done:,} of 10,000,000" in words(app)


@pytest.mark.parametrize(
    ("family", "mode"), cases([("poisson", "hardened"), ("discrete_laplace", "hardened")], 2)
)
def test_plans_of_whole_numbers_are_simulated_in_their_own_noise(open_page, family, mode):
    app = own_noise(open_page, family, mode)
    assert not any(s.key == "variance_method" for s in app.segmented_control)
    few = guarantee_of(FAMILIES[family]).with_delta
    assert any(s.key == "variance_few" for s in app.segmented_control) == few
    pick(app, "variance_repetitions", 100_000)
    app.button(key="variance_draw").click().run()
    finished(app)
    noise, setting = FAMILIES[family], replace(ONE_NUMBER, family=FAMILIES[family])
    budgets = spaced_budgets(0.05, 5, 10)
    right = scheme_variances(budgets, "lossless", setting=replace(setting, delta=1e-6))
    found = np.array(list(numbers_in(lines(app)["data"][-1]["y"])))
    assert noise.integer
    assert np.abs(found / right - 1).max() < 0.2
