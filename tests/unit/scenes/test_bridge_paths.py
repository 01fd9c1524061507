"""Every number of the page Bridge paths by another way, its sentences, and the orders of asking.

Accuracies by scipy's laws. What neighbours weigh, and how often a draw is identical to one, from
the laws of the two steps between the levels: a step of noise is the quotient of two characteristic
functions, on whole numbers turned back by a Fourier series.
"""

import math
import re
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.guarantees import offered
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.noise.bridge_law import release_law
from dpviz.noise.family import DOUBLE_EXPONENTIAL
from dpviz.palette import TierStyle
from dpviz.planning.cast import ILL
from dpviz.release import MultipleRelease
from dpviz.scenes import bridge_paths as scenes
from dpviz.scenes.bridge_paths import (
    HIGH95,
    LOW95,
    NOISE,
    Example,
    Held,
    Pin,
    example_source,
    likelihood,
    order_steps,
    walk,
)
from dpviz.ui import bridge_paths as page
from dpviz.ui.bridge_paths import Settings, view
from dpviz.ui.kit.code import recipe_code
from dpviz.ui.kit.page_form import Missing
from tests.claim_settings import (
    GRID,
    LAWS,
    OWN,
    READY,
    in_quick,
    is_half_width,
    workspace_of,
)
from tests.claim_settings import (
    NOISE as NOISES,
)
from tests.conftest import FULL, few, for_each
from tests.visiting import check_words, numbers_of, plain

DISTANCE = "distance from the exact number"
POINTS = 2**15  # of a Fourier series: more whole numbers than noise of these levels reaches
LEVELS = (2.0, 9.0, 40.0)


def log_turned(family, level, angles):
    """The logarithm of the characteristic function of whole noise at a level; 0 at level 0."""
    if level == 0:
        return np.zeros_like(angles, dtype=complex)
    if family == "discrete_laplace":
        a = np.exp(-1 / level)
        return np.log((1 - a) ** 2 / (1 - 2 * a * np.cos(angles) + a * a)) + 0j
    once = level * (np.exp(1j * angles) - 1)
    return once if family == "poisson" else once + once.conj()


def step(family, low, high):
    """Chances of the differences 0, 1, …, -2, -1 between whole noise at two levels."""
    angles = 2 * np.pi * np.arange(POINTS) / POINTS
    quotient = np.exp(log_turned(family, high, angles) - log_turned(family, low, angles))
    return np.fft.fft(quotient).real / POINTS


def between(family, below, above, low, level, high):
    """The chances of a whole draw between two held ones: of steps up from `below`."""
    gap = round(above - below)
    first, second = step(family, low, level), step(family, level, high)
    joint = first * second[(gap - np.arange(POINTS)) % POINTS]
    return joint / joint.sum()


def rests(low, level, high, gap):
    """Chances that a Laplace draw is its lower neighbour, and its upper one, `gap` apart.

    A step from scale l to h is 0 with chance (l/h)², else Laplace noise of scale h.
    """

    def stays(low, high):
        return (low / high) ** 2

    def moved(low, high):
        return (1 - stays(low, high)) * LAWS["laplace"](high).pdf(gap)

    whole = moved(low, high)
    return stays(low, level) * moved(level, high) / whole, (
        moved(low, level) * stays(level, high) / whole
    )


def made(visit, ws, **answers):
    """The numbers of the page."""
    visit.come(**answers)
    asked = page.settings(ws, page.noise_in_use(ws))
    assert not isinstance(asked, Missing)
    return view(asked)


def check(shown):
    """Every number of the headline, for whichever noise."""
    text, b, family = page.headline(shown), shown.bridge, shown.held.family.name
    check_words(text.text, text.claims, f"{shown.settings.source.noun} 95 100")
    for sentence in page.beside(shown):
        check_words(sentence.text, sentence.claims, "1,000")
    found = {claim.what: claim.value for claim in text.claims}
    for pin in shown.held.pins:
        read = found.pop(f"the number of {pin.tier}", None)
        assert read is None or read == pytest.approx(shown.held.read(pin.value, pin.level))
    if DISTANCE in found:
        assert is_half_width(family, b.level, found.pop(DISTANCE) / shown.held.step)
    below, above = shown.held.around(b.level)
    if b.law is not None and above is None and below and b.law.atoms:
        rest = (below.level / b.level) ** 2  # the walk rests
        if family != "laplace":
            rest = step(family, below.level, b.level)[0]
        assert [value / 100 for value in found.values()] == pytest.approx([rest], abs=1e-7)
        return
    if b.law is None or above is None:
        assert not found
        return
    expected = shares(family, below.value, above.value, below.level, b.level, above.level)
    if not b.law.atoms:  # the weights are among the formulas
        weights = shown.held.weights(b.level)
        assert weights == pytest.approx(expected, abs=1e-7)
        told = re.findall(r" ([\d.]+)\s%", page.formula(shown).partition("each counts")[2])
        assert float(told[0]) == pytest.approx(100 * weights[0], abs=0.06)
    chances = [e for e in expected if e > 0] if b.law.atoms else []
    assert [value / 100 for value in found.values()] == pytest.approx(chances, abs=1e-7)


def shares(family, below, above, low, level, high):
    """Of both neighbours: chances to be identical to one, or weights in the mean of the draw."""
    if family == "gaussian":  # a Brownian bridge in the variance
        return (high - level) / (high - low), (level - low) / (high - low)
    if family == "laplace":
        return rests(low, level, high, above - below)
    chances, gap = between(family, below, above, low, level, high), round(above - below)
    if FAMILIES[family].shape == DOUBLE_EXPONENTIAL:
        return (chances[0], chances[gap % POINTS]) if gap else (chances[0],)
    if not gap:  # the weights are those of any other gap
        return shares(family, below, above + 1, low, level, high)
    steps = np.arange(POINTS)
    steps[POINTS // 2 :] -= POINTS
    far = (chances @ steps) / gap
    return 1 - far, far


@pytest.mark.parametrize(
    ("noise", "relation", "groups", "query"), in_quick(OWN, 1) + (READY if FULL else [])
)
def test_a_draw_on_the_visitors_data(visit, noise, relation, groups, query):
    """Between two held releases."""
    ws = workspace_of(noise, relation, groups, query)
    ws.draw("public")
    ws.draw("audit")
    check(made(visit, ws, bridge_source=page.OWN, bridge_group=1))


@pytest.mark.parametrize("family", few(dict(NOISES), 3))
def test_the_made_up_town(visit, family):
    """As it opens; beyond its ends; and where a release is held."""
    ws, letter = workspace_of(*GRID[0]), "ρ" if family == "gaussian" else "ε"
    check(made(visit, ws, bridge_family=family))
    for amount in {"ρ": ("0.04", "0.3", "0.8"), "ε": ("0.3", "1.5", "3")}[letter]:
        check(made(visit, ws, bridge_family=family, bridge_budget=amount))


# --- the sentences ---


def opened(family, at=None, one=None, **changed):
    """The made-up town of a noise, with the slider where it opens or at a budget."""
    source = example_source(one or Example(family))
    source = replace(source, held=replace(source.held, **changed))
    asked = Settings(source=source, amount=at or source.opens)
    return view(asked)


def headline(shown):
    return plain(page.headline(shown).text)


def test_the_headline_of_the_town():
    assert headline(opened("gaussian")) == (
        "Yes. In this made-up town, the council’s number is made from research’s 312.5, the "
        "public’s 309.6 and a little new noise. Nobody looks at the data again."
    )
    beyond = headline(opened("gaussian", at="0.04"))
    assert "the council’s number is the public’s 309.6 with more noise added." in beyond
    sharper = headline(opened("gaussian", at="0.8"))
    assert sharper.startswith("Not for a sharper number than research’s")


@pytest.mark.parametrize("family", few(offered(), 3))
def test_the_sample_and_the_picture_have_the_ends_of_the_law(family):
    shown = opened(family)
    code = recipe_code(scenes.new_number, **scenes.inputs(shown.held, shown.bridge.level))
    assert numbers_of(code)["value"].tolist() == list(shown.bridge.ends)
    (bar,) = [t for t in page.picture(shown).figure.data if t.name == "new"]
    assert list(bar.x) == [shown.bridge.ends[0], shown.bridge.ends[2]]
    chances = [t.x[0] for t in page.picture(shown).figure.data if t.name == "chance"]
    assert len(chances) == len(shown.bridge.chances)
    assert bool(chances) == shown.held.family.lazy


@for_each("family", offered())
def test_nothing_is_said_of_a_law_that_uses_a_hidden_number(family):
    shown = opened(family, at="2.9")
    assert shown.bridge.law is None
    code = recipe_code(scenes.new_number, **scenes.inputs(shown.held, shown.bridge.level))
    texts = (headline(shown), page.formula(shown), code, page.picture(shown).alt)
    assert texts[0].startswith("Not for a sharper number")
    if ILL not in [shown.held.read(pin.value, pin.level) for pin in shown.held.pins]:
        assert not any(re.search(rf"\b{ILL}\b(?!\.)", text) for text in texts)


def test_a_held_number_says_what_it_was_drawn_from_and_nothing_that_came_later():
    """Research asked first and the public second: neither was made from the council's."""
    one = Example("gaussian")
    one.draw("council", "0.15")
    names = {"0.3": [], "0.1": ["research"], "0.15": ["research", "public"]}
    for amount, sources in names.items():
        shown = opened("gaussian", at=amount, one=one)
        assert [pin.tier for pin in shown.bridge.ends_at if pin] == sources
        threads = [t for t in page.picture(shown).figure.data if t.name == "thread"]
        assert len(threads) == len(sources)
    assert "made from research’s 312.5, the public’s 309.6" in headline(shown)
    assert headline(shown).endswith("Nobody looked at the data again.")
    first = headline(opened("gaussian", at="0.3", one=one))
    assert first.startswith(
        "Research’s number is 312.5, within ± 2.6 people of the exact one (95 times in 100). It is "
        "the exact one with"
    )
    assert "Nobody" not in first


def test_the_axis_stays_where_it_is_when_the_number_is_drawn():
    one = Example("gaussian")
    ranges = [page.picture(opened("gaussian", at="0.15", one=one)).figure.layout.xaxis.range]
    one.draw("council", "0.15")
    drawn = opened("gaussian", at="0.15", one=one)
    ranges.append(page.picture(drawn).figure.layout.xaxis.range)
    assert ranges[1] == pytest.approx(ranges[0])
    assert "95 times in 100" in page.reading(drawn)


def test_the_picture_shows_what_the_number_is_made_from_and_one_accuracy():
    one = Example("gaussian")
    before = page.picture(opened("gaussian", at="0.15", one=one))
    ends = {(t.x[0], t.y[0]) for t in before.figure.data if t.name == "source"}
    (held,) = (t for t in before.figure.data if t.name == "held")
    assert ends == set(zip(held.x, held.y, strict=True))
    one.draw("council", "0.15")
    after = page.picture(opened("gaussian", at="0.15", one=one))
    assert [alt.count("±") for alt in (before.alt, after.alt)] == [0, 1]


# --- the walk ---


def held_of(name, levels=LEVELS, exact=120, step=1.0):
    family = FAMILIES[name]
    values = np.array([exact], dtype=np.int64 if family.integer else np.float64)
    session = MultipleRelease(values, family, rng=streams.teaching(3))
    pins = tuple(
        Pin(
            tier=f"t{i}",
            level=level,
            value=float(session.release(level)[0]),
            budget=f"ρ = {i}",
            style=TierStyle(1 + i, i),
        )
        for i, level in enumerate(levels)
    )
    return Held(family=family, pins=pins, exact=None, top=levels[-1] * 2, step=step)


@pytest.mark.parametrize("name", few(offered(), 3))
def test_the_walk_is_pinched_at_stops_nested_between_and_hides_what_is_hidden(name):
    held = held_of(name)
    found = walk(held)
    for pin in held.pins:
        rows = found[np.isclose(found[NOISE], held.noise(pin.level))]
        assert len(rows)
        assert np.allclose(rows[[LOW95, HIGH95]], held.read(pin.value, pin.level))
    assert (found[LOW95] <= found[HIGH95]).all()
    assert (found[HIGH95] - found[LOW95]).max() > 1
    first = held.noise(held.pins[0].level) * (1 - 1e-9)
    assert found[NOISE].min() >= first
    assert held.law(1.5) is None
    ten = walk(held_of(name, step=10.0))
    assert np.allclose(ten[[NOISE, HIGH95]], 10 * found[[NOISE, HIGH95]])


# --- the order of asking ---


def product(steps):
    return math.fsum(math.log(step.likelihood) for step in steps)


@pytest.mark.parametrize("name", few(ADDITIVE, 4))
def test_answers_are_equally_likely_in_every_order(name):
    held = replace(held_of(name), exact=120.0)
    found = [product(order_steps(held, order)) for order in permutations(LEVELS)]
    assert max(found) - min(found) < 1e-9


@pytest.mark.parametrize("name", few(ADDITIVE, 4))
def test_a_draw_that_forgets_the_noisier_neighbour_would_be_seen(name):
    held = replace(held_of(name), exact=120.0)
    low, mid, high = held.pins
    right = product(order_steps(held, LEVELS))
    alone = likelihood(release_law(held.family, 120.0, None, 0.0, 9.0, None), mid.value)
    last = likelihood(release_law(held.family, low.value, None, 2.0, 40.0, None), high.value)
    first = likelihood(release_law(held.family, 120.0, None, 0.0, 2.0, None), low.value)
    assert abs(math.log(alone) + math.log(last) + math.log(first) - right) > 1e-3


@pytest.mark.parametrize("name", few(["laplace", "gaussian", "skellam"], 2))
def test_the_last_step_is_the_walk_of_all_stops_and_hides_what_is_hidden(name):
    held = held_of(name)
    steps = order_steps(held, (9.0, 2.0, 40.0))
    assert [len(step.pins) for step in steps] == [1, 2, 3]
    assert [math.isnan(step.likelihood) for step in steps] == [True, True, False]
    whole, last = walk(held, count=33), steps[-1].walk
    assert np.allclose(whole[[NOISE, LOW95, HIGH95]], last[[NOISE, LOW95, HIGH95]])
    ranges = {
        page.order_picture(steps, at, held, "people").figure.layout.xaxis.range for at in (1, 2, 3)
    }
    assert len(ranges) == 1


def test_both_orders_are_said_to_be_equally_likely_or_nothing_is():
    shown = opened("gaussian")
    levels = shown.settings.source.order
    orders = (order_steps(shown.held, each) for each in (levels, levels[::-1]))
    told = re.findall(r"(?:left|right) (\S+?)[,.](?= )", page.verdict(*orders))
    assert len(told) == 2
    assert told[0] == told[1]
    hidden = replace(shown.held, exact=None)
    orders = (order_steps(hidden, each) for each in (levels, levels[::-1]))
    assert "Likelihood" not in page.verdict(*orders)
