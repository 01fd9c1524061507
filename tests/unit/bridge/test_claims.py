"""Every number that the page Bridge paths claims, computed again over a grid of settings.

Accuracies by scipy's laws. What neighbours weigh, and how often a draw is identical to one, from
the laws of the two steps between the levels: a step of noise is the quotient of two characteristic
functions, on whole numbers turned back by a Fourier series.
"""

import re

import numpy as np
import pytest
import streamlit as st

from dpviz.noise import FAMILIES
from dpviz.noise.family import DOUBLE_EXPONENTIAL
from dpviz.ui.bridge_paths import controls, formulas, words
from tests.claim_settings import (
    GRID,
    LAWS,
    NOISE,
    OWN,
    READY,
    in_quick,
    is_half_width,
    workspace_of,
)
from tests.visiting import check_words, plain

DISTANCE, ADDED = "distance from the exact number", "what the noise adds on average"
POINTS = 2**15  # of a Fourier series: more whole numbers than noise of these levels reaches


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
    """What the words of the page are made of."""
    visit.come(**answers)
    shown = controls.as_read(controls.scene(ws, st.container()))
    asked = controls.new_level(shown)
    return shown, asked, shown.held.law(asked.budget.level)


def check(shown, asked, law):
    """Every number of the take-away, for whichever noise."""
    claims, family = words.claims(shown, asked, law), shown.held.family.name
    text, level = words.take_away(shown, asked, law), asked.budget.level
    check_words(text, claims, f"{asked.words} {shown.noun}")
    assert "number of the exact number" not in text
    found = {claim.what: claim.value for claim in claims}
    for pin in shown.held.pins:
        said = found.pop(f"the number of {pin.tier}", None)
        assert said is None or said == pytest.approx(shown.held.read(pin.value, pin.level))
    if law is None:
        if DISTANCE in found:  # it is held
            assert is_half_width(family, level, found.pop(DISTANCE) / shown.held.step)
        assert not found
        return
    if DISTANCE in found:
        assert is_half_width(family, level, found.pop(DISTANCE) / shown.held.step)
    if ADDED in found:
        assert found.pop(ADDED) == pytest.approx(LAWS[family](level).mean() * shown.held.step)
        assert "is subtracted" in text
    below, above = shown.held.around(level)
    if above is None:
        return
    low, start = (below.level, below.value) if below else (0.0, shown.held.exact)
    expected = shares(family, start, above.value, low, level, above.level)
    if not law.atoms:  # the weights are among the formulas
        weights = [weight for weight in shown.held.weights(level) if weight == weight]
        assert weights == pytest.approx(list(expected)[-len(weights) :], abs=1e-7)
        said = re.findall(
            r" ([\d.]+)\s%", formulas.formula(shown, asked, law).partition("each counts")[2]
        )
        assert float(said[0]) == pytest.approx(100 * weights[0], abs=0.06)
    chances = [e for e in expected if e > 0] if law.atoms else []
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
    ("noise", "relation", "groups", "query"), in_quick(OWN, 8) + in_quick(READY, 1)
)
def test_a_draw_on_the_visitors_data(visit, noise, relation, groups, query):
    """Between two held releases; between the exact number, revealed, and the least private one."""
    ws = workspace_of(noise, relation, groups, query)
    ws.draw("public")
    ws.draw("audit")
    check(*made(visit, ws, bridge_source=controls.OWN))
    if ws.mode == "teaching":
        answers = {"bridge_source": controls.OWN, "bridge_reveal": True, "bridge_group": 1}
        for amount in ("3", "0.4" if ws.family_name != "gaussian" else "0.004"):
            check(*made(visit, ws, **answers, bridge_budget=amount))


@pytest.mark.parametrize("family", dict(NOISE))
def test_the_made_up_example(visit, family):
    """As it opens; beyond its ends; where a release is held; and, of Poisson noise, as drawn."""
    ws, letter = workspace_of(*GRID[0]), "ρ" if family == "gaussian" else "ε"
    at = {"ρ": ("0.04", "0.3", "0.8"), "ε": ("0.3", "1.5", "3")}[letter]
    answers = {"bridge_family": family}
    check(*made(visit, ws, **answers))
    for amount in at:
        for mean in (controls.LEFT_IN, controls.TAKEN_OFF):
            check(*made(visit, ws, **answers, bridge_budget=amount, bridge_mean=mean))


def test_a_discrete_draw_may_be_the_exact_number_itself(visit):
    ws = workspace_of(*GRID[0])
    held = made(visit, ws, bridge_family="discrete_laplace", bridge_budget="3")
    said = plain(words.take_away(*held))
    assert said.startswith("Only with the data. The council gets exactly the exact one with ")
    assert "% chance, which audit holds, too, otherwise a new number." in said
