"""Ready plans, usable with every noise, and the words about large budgets."""

import math

import pytest

from dpviz.accounting.guarantees import offered
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Amount, Setting, resolve
from dpviz.planning.cautions import LARGE_EPSILON, warning
from dpviz.planning.presets import PRESETS, without_given
from dpviz.planning.tiers import as_rows, read_tiers
from dpviz.queries import Sensitivity
from tests.conftest import for_each

# --- Ready plans: usable with every noise, in the same order of clearance whatever the noise -----

REPLACED = Sensitivity(l0=2, l1=2, l2=math.sqrt(2), linf=1)
RELATIONS = {"add/remove": (Sensitivity.bounded(1), (1, 0)), "replace": (REPLACED, (1, 1))}
presets = pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)


@presets
@pytest.mark.parametrize("family", offered())
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("dimension", [2, 16])
def test_every_preset_is_usable_with_every_noise(preset, family, relation, dimension):
    sensitivity, directions = RELATIONS[relation]
    setting = Setting(
        family=FAMILIES[family],
        delta=1e-6,
        sensitivity=sensitivity,
        dimension=dimension,
        directions=directions,
    )
    planned, problems = read_tiers(as_rows(preset.tiers), setting)
    assert problems == []
    levels = {p.tier: p.budget.level for p in planned}
    written = [levels[tier] for tier in preset.tiers]
    assert written == sorted(written)  # the sharpest first
    assert [warning(p.budget) for p in planned] == [None] * len(planned)


@presets
def test_presets_are_told_in_one_line(preset):
    assert 3 <= len(preset.tiers) <= 5
    assert len(preset.story) <= 100
    assert preset.story.endswith(".")
    assert not any(t.note for t in preset.tiers), "nobody typed it, and the report would say it"
    assert any(t.people for t in preset.tiers)


TYPED = {"tier": "ours", "budget": "1", "people": "2", "note": "auditors"}
LEGACY = [
    {"tier": "audit", "budget": "1", "people": "2", "note": "auditors"},
    {"tier": "public", "budget": "2", "people": "anyone", "note": None},
]


@for_each(
    ("before", "rows", "kept"),
    [
        (LEGACY, [{**LEGACY[0], "tier": "ministry"}, LEGACY[1]], [("", ""), ("anyone", None)]),
        (LEGACY, [{**LEGACY[1], "tier": "web"}], [("", None)]),  # and another row was deleted
        (LEGACY, [{**LEGACY[0], "tier": None}, LEGACY[1]], [("", ""), ("anyone", None)]),
        (
            LEGACY,
            [{**LEGACY[0], "tier": "ministry", "people": "40", "note": "ours"}],
            [("40", "ours")],
        ),
        (LEGACY, LEGACY[::-1], [("anyone", None), ("2", "auditors")]),  # sorted, and nothing else
        (LEGACY, [*LEGACY, TYPED], [("2", "auditors"), ("anyone", None), ("2", "auditors")]),
        ([TYPED], [{**TYPED, "tier": "ministry"}], [("2", "auditors")]),  # typed, not given
    ],
)
def test_a_renamed_tier_loses_what_nobody_typed(before, rows, kept):
    found = without_given(rows, before)
    assert [(row["people"], row["note"]) for row in found] == kept
    assert [row["tier"] for row in found] == [row["tier"] for row in rows]


# --- Words about large budgets, none about small ones; published practice to compare with --------


def stated(kind, value, family="laplace", delta=None):
    setting = Setting(
        family=FAMILIES[family], delta=1e-6, sensitivity=Sensitivity.bounded(1), dimension=4
    )
    return resolve(kind, Amount(value, delta), setting)


@pytest.mark.parametrize("family", offered())
@pytest.mark.parametrize(("kind", "value"), [("ε", 0.01), ("ε", 10), ("ρ", 0.5), ("±a 95 %", 50)])
def test_small_budgets_are_not_commented(family, kind, value):
    assert warning(stated(kind, value, family)) is None


@for_each(
    ("epsilon", "factor"),
    [
        (10.01, "about 22,000"),
        (11, "about 60,000"),
        (12, "about 160,000"),
        (13.8, "about 980,000"),
        (14, "more than 10⁶"),
        (100, "more than 10⁴³"),
        (1e9, "more than 10⁴³⁴²⁹⁴⁴⁸¹"),
    ],
)
def test_the_factor_is_computed(epsilon, factor):
    said = warning(stated("ε", epsilon))
    assert said == (
        "a privacy loss this large promises little: it lets the odds of a guess change by a "
        f"factor of {factor}."
    )
    if epsilon < 14:
        number = float(factor.removeprefix("about ").replace(",", ""))
        assert math.isclose(number, math.exp(epsilon), rel_tol=0.05)


def test_a_large_rho_is_judged_by_its_epsilon():
    large = stated("ρ", 3, "gaussian")
    assert large.epsilon > LARGE_EPSILON
    assert warning(large) is not None
    assert warning(stated("ρ", 0.5, "laplace")) is None


def test_a_large_delta_is_named_only_where_it_counts():
    said = warning(stated("(ε, δ)", 1, "gaussian", 0.05))
    assert said == (
        "a δ this large promises little: publishing everything about one in 20 would keep it, too."
    )
    assert warning(stated("(ε, δ)", 1, "gaussian", 1e-3)) is None
    assert warning(stated("(ε, δ)", 1, "laplace", 0.05)) is None  # keeps ε without any δ
