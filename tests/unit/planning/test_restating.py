"""Switching the kind of budget: never less private, nearly the same, and nothing typed is lost."""

import itertools
import math

import pytest

from dpviz.accounting.guarantees import offered
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import ACCURACIES, KINDS, read_amount
from dpviz.planning.budgets import Setting, resolve
from dpviz.planning.restating import restate, restate_tiers
from dpviz.planning.tiers import DEFAULT_TIERS, Tier
from dpviz.queries import Sensitivity
from tests.conftest import few, for_each

WHOLE = ("discrete_laplace", "poisson", "skellam")
families = pytest.mark.parametrize("family", offered())


def setting(family="gaussian", l0=1, **more):
    given = {"delta": 1e-6, "dimension": 16, "sensitivity": Sensitivity.bounded(l0)} | more
    return Setting(family=FAMILIES[family], **given)


def level_of(kind, text, s):
    return resolve(kind, read_amount(kind, text, where="Budget"), s).level


@families
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [1.0, 2.0**-10])
def test_a_restated_level_is_never_less_private_and_near(family, kind, step):
    s = setting(family, step=step)
    for typed in ("0.013", "0.12"):
        level = level_of("ρ", typed, s)
        text = restate(level, kind, s)
        again = level_of(kind, text, s)
        assert again >= level
        assert len(text) <= 24
        if kind not in ACCURACIES or family not in WHOLE:
            assert math.isclose(again, level, rel_tol=1e-5)
        elif step == 1 and family != "poisson":  # the next whole accuracy
            assert level_of(kind, f"{float(text) - 1 or 0.5:g}", s) < level


@for_each(
    ("kind", "text"),
    [("ρ", "0.1"), ("μ", "0.25"), ("ε", "0.7"), ("(ε, δ)", "0.7, 1e-6"), ("±a 95 %", "30")],
)
def test_a_short_decimal_comes_back_as_it_was_typed(kind, text):
    s = setting()
    assert restate(level_of(kind, text, s), kind, s) == text


@for_each(
    ("rho", "text"),
    [("0.00000123", "1.23e-6"), ("123000", "123000"), ("1e-12", "1e-12"), ("1e12", "1e+12")],
)
def test_texts_are_short_at_any_size(rho, text):
    s = setting()
    assert restate(level_of("ρ", rho, s), "ρ", s) == text


def test_a_level_without_such_a_budget_gets_a_sentence():
    with pytest.raises(ParameterError, match="this noise has no ε above 0"):
        restate(1e300, "ε", setting())
    with pytest.raises(ParameterError, match="no finite epsilon holds"):
        restate(1.0, "ε", setting("poisson", sensitivity=Sensitivity(2, 2, 2, 2), dimension=4))
    with pytest.raises(ParameterError, match="this noise has no ±a 90 % above 0"):
        restate(0.01, "±a 90 %", setting("skellam"))


def switched(kinds, s, tiers=DEFAULT_TIERS):
    """Switch through these kinds as the page does, remembering every text on the way."""
    remembered = {(t.name, t.kind): t.amount for t in tiers}
    for kind in kinds:
        tiers = restate_tiers(tiers, kind, s, remembered)
        remembered |= {(t.name, t.kind): t.amount for t in tiers}
    return tiers


@families
@pytest.mark.parametrize("kind", KINDS[1:])
def test_there_and_back_brings_back_what_was_typed(family, kind):
    assert switched((kind, "ρ"), setting(family)) == DEFAULT_TIERS


@families
def test_a_long_way_round_brings_back_what_was_typed(family):
    for way in few(itertools.permutations(("ε", "±a 95 %", "μ"), 3), 3):
        assert switched((*way, "ρ"), setting(family)) == DEFAULT_TIERS


@for_each("text", ["0.1", "0.10", "1e-1", " 0.1000 ", "0.12345678901234567890"])
def test_texts_come_back_word_for_word(text):
    tier = Tier(name="a", amount=text, kind="ε", people="3", order="2", note="n")
    (there,) = switched(["(ε, δ)"], setting("skellam"), (tier,))
    assert (there.kind, there.people, there.order, there.note) == ("(ε, δ)", "3", "2", "n")
    assert switched(["(ε, δ)", "ε"], setting("skellam"), (tier,)) == (tier,)


def test_what_was_changed_since_is_restated_anew():
    s = setting()
    remembered = {("a", "ρ"): "0.1"}
    changed = Tier(name="a", amount="3", kind="ε")
    (found,) = restate_tiers([changed], "ρ", s, remembered)
    assert found.amount == restate(level_of("ε", "3", s), "ρ", s) != "0.1"
    (other,) = restate_tiers([Tier(name="b", amount="3", kind="ε")], "ρ", s, remembered)
    assert other.amount == found.amount


def test_a_text_remembered_from_another_plan_is_not_used():
    there = switched(["ε"], setting())
    remembered = {(t.name, t.kind): t.amount for t in DEFAULT_TIERS}
    other = setting(delta=1e-9)
    back = restate_tiers(there, "ρ", other, remembered)
    assert [t.amount for t in back] != [t.amount for t in DEFAULT_TIERS]
    for one, two in zip(there, back, strict=True):
        assert level_of("ρ", two.amount, other) >= level_of("ε", one.amount, other)


def test_a_tier_that_cannot_be_restated_stays_as_it_is():
    bad = Tier(name="bad", amount="x", kind="ρ")
    assert restate_tiers([bad, DEFAULT_TIERS[0]], "ε", setting(), {})[0] == bad
    nonsense = {("public", "ε"): "nonsense"}
    assert restate_tiers(DEFAULT_TIERS[:1], "ε", setting(), nonsense)[0].kind == "ε"


def test_a_plus_minus_is_restated_in_units_and_a_step_away_only_to_the_private_side():
    assert restate(1.0, "±a 95 %", setting(step=4.0)) == "7.839856"
    s = setting("skellam")
    for level in (3.1, 47.3, 911.0):  # the nearest decimal alone would be less private
        assert level_of("ε", restate(level, "ε", s, digits=2), s) >= level
