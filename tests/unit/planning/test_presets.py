"""Ready plans: usable with every noise, in the same order of clearance whatever the noise."""

import math

import pytest

from dpviz.accounting.guarantees import offered
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import KINDS
from dpviz.planning.budgets import Setting
from dpviz.planning.cautions import warning
from dpviz.planning.presets import PRESETS, without_given
from dpviz.planning.tiers import FIRST_PLAN, as_rows, read_tiers
from dpviz.queries import Sensitivity

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


def test_five_presets_that_show_the_kinds():
    assert [p.name for p in PRESETS] == [
        "Town",
        "Hospital",
        "Company",
        "Data market",
        "Open science",
    ]
    assert PRESETS[0].tiers == FIRST_PLAN
    shown = {t.kind for p in PRESETS for t in p.tiers}
    assert {"ρ", "ε", "(ε, δ)", "μ", "±a 95 %", "±a 90 %, all"} == shown <= set(KINDS)


TYPED = {"tier": "ours", "budget": "1", "people": "2", "note": "auditors"}
LEGACY = [
    {"tier": "audit", "budget": "1", "people": "2", "note": "auditors"},
    {"tier": "public", "budget": "2", "people": "anyone", "note": None},
]


@pytest.mark.parametrize(
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
