"""Every number of the page Laplace or Gauss by another way, and its sentences.

The curve of Laplace noise by its atoms and splines, that of Gaussian noise by the normal law, both
at many digits; what rounds cost by literal numbers and by both curves.
"""

import math

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting.crossover import gaussian_smaller_between
from dpviz.errors import ParameterError
from dpviz.planning.choice import LAPLACE, Question
from dpviz.scenes import laplace_or_gauss as scenes
from dpviz.scenes.laplace_or_gauss import LN_10, RIGHT, Settings, border, rounds
from dpviz.ui import laplace_or_gauss as page
from dpviz.ui.kit.code import recipe_code
from tests.claim_settings import GRID, NOISE, OWN, moves, workspace_of
from tests.conftest import FULL, few, full_run
from tests.oracles_accounting import alike_laplace_delta
from tests.visiting import check_words, numbers_of, plain

EPSILONS, DELTAS = ((0.1, 1.0, 4.0), (1e-12, 1e-6, 0.1, 0.3)) if FULL else ((1.0,), (1e-6, 0.1))
PLAIN = [g for g in OWN if g[0] == NOISE[0] and g[3] == "count"]


def asked(epsilon=1.0, delta=1e-6, moved=1.0, log_delta=None):
    log_delta = math.log(delta) if log_delta is None else log_delta
    return Question(epsilon=epsilon, log_delta=log_delta, l1=math.sqrt(moved), l2=1.0)


def town(epsilon=1.0, delta=1e-6, moved=5):
    q = Question(epsilon=epsilon, log_delta=math.log(delta), l1=float(moved), l2=math.sqrt(moved))
    return scenes.scene(Settings(question=q, town=True))


def gaussian_delta(epsilon, deviation, l2):
    with mp.workdps(60):
        mu, e = mp.mpf(l2) / mp.mpf(deviation), mp.mpf(epsilon)
        return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)


def laplace_delta(epsilon, deviation, l1, moved):
    return alike_laplace_delta(l1 * math.sqrt(2) / (moved * deviation), moved, epsilon)


def equal_variance(epsilon, delta, l2):
    """Standard deviation of the Gaussian noise that has this δ."""
    with mp.workdps(60):
        target = mp.log(mp.mpf(delta))
        low, high = mp.mpf(l2) / 60, mp.mpf(l2) * 10**4
        for _ in range(60):
            middle = mp.sqrt(low * high)
            less = mp.log(gaussian_delta(epsilon, middle, l2)) > target
            low, high = (middle, high) if less else (low, middle)
        return float(high)


def check(scene, l1, l2, moved):
    """Both kinds keep the promise, neither could be smaller, and the verdict turns as it says."""
    q, delta = scene.question, math.exp(scene.question.log_delta)
    laplace, gauss = scene.deviations
    assert float(gaussian_delta(q.epsilon, gauss, l2)) == pytest.approx(delta, rel=1e-6)
    pure = math.sqrt(2) * l1 / q.epsilon
    assert scene.choice.exact == (moved is not None)
    if moved is None:
        assert laplace == pytest.approx(pure)
    else:
        assert laplace_delta(q.epsilon, laplace, l1, moved) <= delta * (1 + 1e-6)
        if laplace < pure * (1 - 1e-6):
            assert laplace_delta(q.epsilon, laplace * (1 - 1e-5), l1, moved) > delta
    said = page.headline(scene)
    check_words(said.text, said.claims, f"{moved}")
    assert (", Laplace noise is smaller: " in plain(said.text)) == (laplace <= gauss)
    assert (" on, Gaussian noise is." in said.text) == (scene.turn is not None and laplace <= gauss)
    shown = [claim.value for claim in said.claims if claim.what.startswith("standard")]
    assert shown[0] <= shown[1], "the smaller one is named first"
    most = math.exp(q.epsilon) * 1000 / (1 + math.exp(q.epsilon))  # and what δ adds
    adds = 1000 * delta / (1 + math.exp(q.epsilon))
    assert scene.right.value == pytest.approx(most + adds)
    for sentence in page.beside(scene):
        check_words(sentence.text, sentence.claims, "1,000")
    check_turn(scene)


def check_turn(scene):
    """One number more per person turns the verdict round."""
    q, delta = scene.question, math.exp(scene.question.log_delta)
    if scene.turn is None or scene.turn > 30:
        return
    one = equal_variance(q.epsilon, delta, 1)
    for count, smaller in ((scene.turn - 1, True), (scene.turn, False)):
        if count:
            kept = laplace_delta(q.epsilon, one * math.sqrt(count), count, count)
            assert (kept <= delta * (1 + 1e-6)) == smaller, count


CASES = [  # the noise of the plan changes nothing: with one of them at every ε and δ
    (setting, epsilon, delta)
    for setting in (GRID if FULL else PLAIN[::2])
    for epsilon in EPSILONS
    for delta in DELTAS
    if setting[0] == NOISE[0] or (epsilon, delta) == (1.0, 1e-6)
]


@pytest.mark.parametrize(("setting", "epsilon", "delta"), few(CASES, 4))
def test_the_visitors_statistic(visit, setting, epsilon, delta):
    """Whichever noise the plan has: the page compares the same two."""
    ws, (_, relation, groups, _) = workspace_of(*setting), setting
    shifts = [s * ws.statistic.query.step for s in moves(ws.statistic.query, relation, groups)]
    visit.come(crossover_query=page.OWN, crossover_epsilon=epsilon, crossover_delta=delta)
    l1, l2 = sum(map(abs, shifts)), math.sqrt(sum(s * s for s in shifts))
    check(scenes.scene(page.settings(ws, page.promise(ws))), l1, l2, len(shifts))


@full_run
@pytest.mark.parametrize("counts", few([5, 1, 8, 9, 20], 5))
def test_the_town(visit, counts):
    visit.come(crossover_counts=counts)
    ws = workspace_of(*OWN[0])
    check(scenes.scene(page.settings(ws, page.promise(ws))), counts, math.sqrt(counts), counts)


QUERIES = [  # ε, δ, Δ₁, Δ₂
    (1.0, 1e-6, 2.5, 1.0),  # not a whole number of groups: by its pure ε
    (4.1, 0.1, math.sqrt(2), 1.0),  # Gauss is better only between two δ
    (4.1, 0.4, math.sqrt(2), 1.0),
    (4.886554, 1e-6, 1.0, 1.0),  # Laplace is better at every δ
]


@pytest.mark.parametrize(("epsilon", "delta", "l1", "l2"), few(QUERIES, 4))
def test_any_query(epsilon, delta, l1, l2):
    question = Question(epsilon=epsilon, log_delta=math.log(delta), l1=l1, l2=l2)
    moved = round((l1 / l2) ** 2)
    alike = math.isclose(moved, (l1 / l2) ** 2)
    check(scenes.scene(Settings(question=question)), l1, l2, moved if alike else None)


# --- the sentences ---


@pytest.mark.parametrize(
    ("moved", "name", "where"), [(5, "Laplace", "From"), (10, "Gaussian", "Below")]
)
def test_what_is_said_of_the_town(moved, name, where):
    said = page.headline(town(moved=moved))
    told = plain(said.text)
    assert f"in {moved} counts, {name} noise is smaller" in told
    assert f"{where} 9 counts" in told
    assert said.values == (*sorted(town(moved=moved).deviations), 9)
    (beside,) = page.beside(town(moved=moved))
    check_words(beside.text, beside.claims, "1,000")


def test_the_bars_the_sentence_and_the_map_have_one_yardstick():
    """Where tails decide the 95 % half widths say the contrary: the page never mixes both."""
    near = scenes.scene(Settings(question=asked(delta=0.06)))
    laplace, gauss = near.deviations
    assert near.choice.better == LAPLACE
    assert -math.log(0.05) / math.sqrt(2) * laplace > 1.959963984540054 * gauss
    bars = (bar for bar in page.bars(near).figure.data if bar.type == "bar")
    assert [length for bar in bars for length in bar.x] == [laplace, gauss]
    assert plain(page.headline(near).text).startswith("For your statistic, Laplace noise")


def test_where_no_turn_is_known_none_is_said():
    for scene in (town(delta=0.1, moved=2), scenes.scene(Settings(question=asked(moved=2.5)))):
        assert scene.turn is None
        assert "noise is." not in page.headline(scene).text


def test_the_definitions_of_the_town_name_no_data():
    footer = (("Definition", "ρ-zCDP"), ("Unit", "one person"), ("Data", "NHEFS"))
    own, made_up = (
        dict(page.facts(scenes.scene(Settings(question=asked(), footer=footer, town=town))))
        for town in (False, True)
    )
    assert own["Definition"].startswith("(ε, δ)-DP")
    assert own["Data"] == "NHEFS"
    assert "NHEFS" not in str(made_up)


@full_run
def test_the_formulas_have_the_numbers_of_the_query():
    text = plain(page.formula(town(moved=4)))
    assert "= 8 times the variance of Gaussian noise" in text
    assert "Classical formula" in text
    assert "Classical formula" not in page.formula(town(epsilon=2.0))
    between = page.formula(scenes.scene(Settings(question=asked(4.1, 0.4, moved=2))))
    assert "0.31 to 0.46" in between
    assert "3.1×10⁻³⁰²" in page.formula(scenes.scene(Settings(question=asked(moved=683))))


def test_the_sample_shown_is_what_made_the_numbers():
    scene = town()
    again = numbers_of(recipe_code(scenes.sizes, question=scene.question))
    assert again.equals(scene.sizes)


# --- the border of the map ---


@pytest.mark.parametrize("epsilon", few([1.0, 0.1, 4.1], 3))
def test_on_the_border_both_kinds_are_equally_large(epsilon):
    """Where the line passes a whole number, δ is its δ*; it never leaves the next whole number."""
    line = border(epsilon, -15.0, exact=True)
    assert line["log10_delta"].iloc[[0, -1]].tolist() == [-15.0, RIGHT]
    assert (np.diff(line["moved"][line["log10_delta"] < -3]) < 0).all()
    for count in (3, 5, 12):
        star, _ = gaussian_smaller_between(epsilon, moved=count)
        at = np.interp(star / LN_10, line["log10_delta"], line["moved"])
        assert at == pytest.approx(count, abs=1e-6)
    low = line[line["moved"].between(1, 28)]
    slopes = np.diff(low["log10_delta"]) / np.diff(np.log10(low["moved"]))
    assert (np.diff(slopes) > 0).all() or epsilon > 4, "the border bends one way: no kinks"


@full_run
@pytest.mark.parametrize("delta", few([1e-6, 1e-12, 1e-3], 3))
def test_the_query_is_on_the_side_of_the_smaller_noise(delta):
    for count in (1, 2, 5, 8, 9, 20):
        scene = town(delta=delta, moved=count)
        log10 = scene.question.log_delta / LN_10
        at = np.interp(log10, scene.border["log10_delta"], scene.border["moved"])
        assert (count <= at) == (scene.choice.better == LAPLACE), count


def test_the_border_is_computed_once_for_all_counts_and_reaches_a_small_delta():
    assert town(moved=3).border is town(moved=50).border
    low = town(delta=1e-300).border["log10_delta"].iloc[0]
    assert -330 < low < -300
    pure = border(1.0, -15.0, exact=False)
    exact = border(1.0, -15.0, exact=True)
    at = np.interp(exact["log10_delta"], pure["log10_delta"], pure["moved"])
    assert (at <= exact["moved"] + 0.02).all()  # the pure line is drawn straight between its rows


# --- rounds ---


def test_each_bound_lies_above_what_is_exact_and_all_rise():
    lines = rounds(asked(moved=10)).lines
    by = lines.pivot(index="rounds", columns="method", values="epsilon")
    assert by.index.max() == 100
    assert (by["gauss_loose"] >= by["gauss"]).all()
    assert (by["gauss_loose"][by.index > 1] > 1.05 * by["gauss"][by.index > 1]).all()
    assert (by["laplace_bound"] >= by["laplace_exact"] * (1 - 1e-6)).all()
    assert (by["gauss_zcdp"] > by["gauss"]).all()
    assert (np.diff(by.to_numpy(), axis=0) > 0).all()


@pytest.mark.parametrize(
    ("epsilon", "moved", "first"), few([(1.0, 3, 4), (1.0, 1, 20), (1.0, 50, 1)], 3)
)
def test_where_gauss_becomes_cheaper_is_found_exactly(epsilon, moved, first):
    question = asked(epsilon, moved=moved)
    assert rounds(question).exact == first
    for k in (first - 1, first, first + 1, 40):
        if k:
            gauss, laplace = (scenes.total(question, m, k) for m in ("gauss", "laplace_exact"))
            assert (gauss < laplace) == (k >= first)


def test_what_is_no_histogram_has_no_rounds_and_what_is_out_of_reach_a_bound():
    with pytest.raises(ParameterError, match="whole number of counts"):
        rounds(asked(moved=7.5))
    assert scenes.most_rounds(asked(moved=10_000)) == 2
    far = asked(delta=1e-300)
    assert scenes.laplace_line(far) == "laplace_bound"
    assert "laplace_exact" not in set(rounds(far).lines["method"])


@pytest.mark.parametrize(
    "scene", few([{"moved": 5}, {"moved": 1}, {"moved": 20}, {"epsilon": 4.0}], 4)
)
def test_the_sentences_of_rounds_have_their_claims(scene):
    scene = town(**scene)
    made = rounds(scene.question)
    said = page.cheaper(scene, made)
    check_words(said.text, said.claims)
    assert ("From" in said.text) == (made.exact not in (None, 1))
