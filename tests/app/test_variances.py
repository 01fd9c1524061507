"""The Variances page by AppTest: its numbers are the library's, and its samples reproduce them."""

import math
import re
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
from dpviz.planning.tiers import NAME, Tier
from dpviz.ui.kit import controls
from tests.app.reading import (
    button,
    errors,
    numbers_in,
    plain,
    run_sample,
    specs,
    words,
    workspace,
)
from tests.cast import RHO


def pick(app, key, value):
    app.segmented_control(key=key).set_value(value).run()
    assert not app.exception


def said(app):
    """What the fold with the lines says of the tier that is read off."""
    (text,) = (m.value for m in app.markdown if "Lossless release costs none" in m.value)
    return text


def lines(app):
    """The figure of the lines; the bars stand before it."""
    return specs(app)[1]


def finished(app):
    """Rerun until nothing is being drawn, and once more: the page's own clock stands still."""
    while "work" in app.session_state:
        time.sleep(0.05)
        app.run()
    app.run()
    assert not app.exception


def test_a_fresh_visitor_sees_what_research_would_pay(open_page):
    app = open_page("variances")
    rhos = list(RHO.values())
    lossless = scheme_variances(rhos, "lossless")
    times = [
        (scheme_variances(rhos, scheme) / lossless)[2] ** 0.5
        for scheme in ("splitting", "independent")
    ]
    reach = NormalDist().inv_cdf(0.975)
    least, half = (math.ceil(10 * reach / (2 * x) ** 0.5) / 10 for x in (0.12, 0.1))
    worst = f"numbers would be off by ± {least} to ± {half} people instead of ± 2.6"
    assert worst in app.header[0].value.replace("\u202f", " ")
    bars = " ".join(note["text"] for note in specs(app)[0]["layout"]["annotations"])
    assert "<b>Separate, budget split:</b> ρ = 0.1 of the 0.4" in bars
    assert "<b>Separate, all budgets × 0.4:</b> ρ = 0.12 instead of 0.3" in bars
    shown = np.array(list(numbers_in(specs(app)[0])))
    for one in times:
        assert min(abs(shown - one)) < 1e-9
    assert "673 of 1,000 guesses about one person are right" in words(app)
    whose = next(p for p in app.pills if p.label == "Whose numbers?")
    whose.set_value(0).run()
    assert "public’s numbers would be off by" in app.header[0].value
    assert list(numbers_in(specs(app)[0])) != shown.tolist()


def test_with_all_folds_closed_nothing_is_measured_and_the_sample_is_of_the_bars(
    open_page, monkeypatch
):
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", False)
    app = open_page("variances")
    assert len(specs(app)) == 1
    assert "shelves" not in app.session_state
    app.session_state["closer_specialists"] = True
    app.run()
    names = run_sample(app)
    ours, theirs, _ = map(float, re.findall(r"±\s?([\d.]+)", app.header[0].value)[::-1])
    assert theirs / ours == pytest.approx(names["factor"] ** 0.5, rel=0.05)
    assert "measured" not in names


def test_the_lines_are_figure_2_of_the_paper(open_page):
    app = open_page("variances")
    factor = scheme_variances(spaced_budgets(0.001, 5, 10), "splitting")
    factor = (factor / scheme_variances(spaced_budgets(0.001, 5, 10), "lossless"))[5]
    assert f"{factor:.2f} times as large" in said(app)
    assert "joint budget of ρ" in said(app)
    assert "all schemes at the same joint budget" in words(app)
    shown = list(numbers_in(lines(app)))
    for scheme in ("lossless", "splitting", "independent", "doubling"):
        for value in scheme_variances(spaced_budgets(0.001, 5, 10), scheme):
            assert min(abs(np.array(shown) - value)) < 1e-9


def test_the_sample_reproduces_factor_and_marks(open_page):
    app = open_page("variances")
    names = run_sample(app)
    assert f"{names['factor']:.2f} times" in said(app)
    shown = set(numbers_in(lines(app)))
    assert {float(x) for x in names["measured"].lossless} <= shown
    assert {float(x) for x in names["measured"].baseline} <= shown


@pytest.mark.parametrize(("m", "spacing"), [(2, "factors"), (30, "steps"), (100, "factors")])
def test_ladders_schemes_and_axes(open_page, m, spacing):
    app = open_page("variances")
    pick(app, "variance_count", m)
    pick(app, "variance_spacing", spacing)
    pick(app, "variance_axis", "price")
    rhos = spaced_budgets(0.001, 5, m, spacing)
    lossless = scheme_variances(rhos, "lossless")
    for scheme in ("splitting", "independent", "doubling"):
        app.selectbox(key="variance_compared").set_value(scheme).run()
        assert not app.exception
        factor = (scheme_variances(rhos, scheme) / lossless)[m // 2]
        assert run_sample(app)["factor"] == pytest.approx(factor, rel=1e-12)
        shown = np.array(list(numbers_in(lines(app))))
        assert min(abs(shown - factor)) < 1e-9


def test_the_slider_reads_off_any_tier(open_page):
    app = open_page("variances")
    pick(app, "variance_spacing", "steps")
    slider = next(s for s in app.select_slider if s.label == "Read off at tier")
    slider.set_value(9).run()
    assert "tier 10 of 10 a noise variance 9 times" in said(app)
    slider.set_value(0).run()
    assert "cost tier 1 of 10 nothing" in said(app)


def test_own_tiers_are_compared_at_their_own_sensitivity(open_page):
    app = open_page("variances")
    pick(app, "variance_count", 0)
    rhos = list(RHO.values())
    variances = run_sample(app)["variances"]
    np.testing.assert_allclose(variances["lossless"], scheme_variances(rhos, "lossless"))
    assert "research" in said(app)
    factor = scheme_variances(rhos, "splitting")[2] * 2 * RHO["research"]
    assert f"{factor:.3g} times" in said(app)
    assert "people²" in words(app)


def test_a_tier_name_is_no_markup_on_the_slider(open_page):
    app = open_page("tiers")
    rows = [dict(row) for row in workspace(app).plan.typed_rows]
    rows[-1][NAME] = "![](http://host.invalid/x.png)"
    assert workspace(app).use_tiers(rows) == []
    app.switch_page("pages/variances.py").run()
    pick(app, "variance_count", 0)
    slider = next(s for s in app.select_slider if s.label == "Read off at tier")
    assert "host.invalid" in plain(slider.options[0])
    assert "![](" not in slider.options[0]
    assert "http" not in slider.options[0]


def own_tiers(open_page, family, mode="teaching"):
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value(mode).run()
    app.radio(key=f"family_{mode}").set_value(family).run()
    app.switch_page("pages/variances.py").run()
    few = guarantee_of(FAMILIES[family]).with_delta
    pick(app, "variance_few" if few else "variance_count", 0)
    return app


def test_a_laplace_plan_has_one_family_and_one_scale_on_the_page(open_page):
    app = own_tiers(open_page, "laplace")
    epsilon = np.sqrt(2 * np.array(list(RHO.values())))
    factor = (epsilon[2] / (epsilon[2] - epsilon[1])) ** 2  # of research
    assert f"{factor:.3g} times" in said(app)
    assert f"ε\u00a0=\u00a0{math.ceil(1e4 * epsilon[-1]) / 1e4}" in said(app)
    assert "ρ" not in said(app)
    shown = np.array(list(numbers_in(lines(app))))
    for variance in 2 / epsilon**2:  # 10, 5, 3.33 and 2.5
        assert min(abs(shown / variance - 1)) < 1e-9
    assert "budget ρ" not in str(lines(app))
    assert "Laplace noise, as in your plan" in words(app)
    names = run_sample(app)
    np.testing.assert_allclose(names["variances"]["lossless"], 2 / epsilon**2)
    assert names["factor"] == pytest.approx(factor)


@pytest.mark.parametrize(
    ("family", "mode"), [("discrete_laplace", "hardened"), ("poisson", "hardened")]
)
def test_plans_of_whole_numbers_are_compared_and_simulated_in_their_own_noise(
    open_page, family, mode
):
    app = own_tiers(open_page, family, mode)
    assert len(app.segmented_control(key="variance_repetitions").options) == 3
    assert not any(s.key == "variance_method" for s in app.segmented_control)
    assert ("the convolved privacy losses" in words(app)) == (family == "poisson")
    assert "which is a bound" not in words(app)
    assert (" at δ" in said(app)) == (family == "poisson")
    pick(app, "variance_repetitions", 100_000)
    app.button(key="variance_draw").click().run()
    finished(app)
    names = run_sample(app)
    assert names["measured"].repetitions == 100_000
    noise = names["setting"].family
    for found, levels in zip(
        (names["measured"].lossless, names["measured"].baseline), names["both"], strict=True
    ):
        right = np.array([noise.variance(level) for level in levels])
        fourth = np.array([noise.fourth_moment(level) for level in levels])
        assert (np.abs(found - right) < 6 * np.sqrt((fourth - right**2) / 100_000)).all()


def test_a_ladder_has_the_noise_and_the_currency_of_the_plan(open_page):
    app = own_tiers(open_page, "laplace")
    pick(app, "variance_count", 10)
    assert app.text_input(key="variance_smallest_epsilon").value == "0.05"
    assert "joint budget of ε\u00a0=\u00a05" in said(app)
    setting = replace(ONE_NUMBER, family=FAMILIES["laplace"])
    shown = np.array(list(numbers_in(lines(app))))
    for value in scheme_variances(spaced_budgets(0.05, 5, 10), "splitting", setting=setting):
        assert min(abs(shown - value)) < 1e-9


def test_budgets_for_which_there_is_no_noise_get_one_sentence(open_page):
    app = own_tiers(open_page, "poisson", "hardened")
    amounts = ("1", "1.0000001", "2", "3", "4", "5")  # too many for the convolution: ε and δ add
    near = tuple(Tier(name=f"tier {a}", amount=a, kind="ε") for a in amounts)
    ws = workspace(app)
    ws.plan.use_preset(Preset(name="near", story="nearly one budget", tiers=near), ws.setting)
    app.run()
    assert not app.exception
    assert len(set(errors(app))) == 1  # beside the bars, and in the fold that has the same tiers
    assert "cannot be compared" in app.header[0].value


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


def test_no_tier_at_all_says_what_to_do(open_page):
    app = open_page("variances")
    workspace(app).plan.tiers = ()
    pick(app, "variance_count", 0)
    assert "say on the page Tiers" in app.header[0].value
    assert "No tier yet." in words(app)


def test_a_rerun_shows_the_same_marks_and_again_shows_others(open_page):
    app = open_page("variances")
    before = specs(app)
    app.run()
    assert specs(app) == before
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/variances.py").run()
    assert specs(app) == before
    button(app, "Measure again").click().run()
    assert lines(app) != before[1]
    assert specs(app)[0] == before[0]


def test_the_simulation_is_drawn_on_request_and_kept(open_page):
    app = open_page("variances")
    pick(app, "variance_repetitions", 100_000)
    pick(app, "variance_method", "direct")
    assert "the button adds measured marks" in words(app)
    app.button(key="variance_draw").click().run()
    finished(app)
    assert "Drawn 100,000 times" in words(app)
    assert app.button(key="variance_draw").disabled
    names = run_sample(app)
    assert names["measured"].repetitions == 100_000
    shown = set(numbers_in(lines(app)))
    assert {float(x) for x in names["measured"].lossless} <= shown
    rhos = spaced_budgets(0.001, 5, 10)
    for found, scheme in (("lossless", "lossless"), ("baseline", "splitting")):
        ratio = getattr(names["measured"], found) / scheme_variances(rhos, scheme)
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
    pick(app, "variance_axis", "price")  # the rest of the page stays usable
    app.button(key="work_stop").click().run()
    assert not app.exception
    assert not job.running
    finished(app)
    done = job.latest.repetitions
    assert 0 < done < 10_000_000
    assert f"Stopped after {done:,} of 10,000,000" in words(app)
    names = run_sample(app)
    assert names["measured"].repetitions == done
    np.testing.assert_array_equal(names["measured"].lossless, job.latest.lossless)
