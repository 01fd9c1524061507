"""A family is asked for facts, never for its name: a copy of Gaussian noise is as good as it."""

import ast
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import half_width, level_for_half_width
from dpviz.accounting.guarantees import (
    GUARANTEES,
    Guarantee,
    Setting,
    guarantee_of,
    offered,
    register,
)
from dpviz.errors import ParameterError
from dpviz.experiments.attack import attack_worlds
from dpviz.experiments.attack_tests import Moved, best_misses, best_success, most_exposed
from dpviz.experiments.covariance import levels_with_variances
from dpviz.linear.accuracy import half_widths
from dpviz.linear.comparison import compare
from dpviz.linear.workloads import prefix_sums
from dpviz.noise import ADDITIVE, FAMILIES, Family, Process
from dpviz.noise.bridge_law import release_law
from dpviz.planning.amounts import KINDS, Amount
from dpviz.planning.budgets import at_level, resolve
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers, restate
from dpviz.queries import Sensitivity
from tests.conftest import for_each
from tests.sources import nodes
from tests.tulip import TULIP, registered

ROOT = Path(__file__).resolve().parents[2]
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
GAUSSIAN = FAMILIES["gaussian"]
OWN = {ROOT / f"dpviz/noise/{name}.py" for name in FAMILIES}
OWN.add(ROOT / "dpviz/accounting/guarantees.py")

SOURCES = sorted(
    file for room in ("dpviz", "pages") for file in (ROOT / room).rglob("*.py") if file not in OWN
)
FACTS = [name for name in (*vars(Process), *vars(Family)) if not name.startswith("_")]
RECORD = list(Guarantee.__dataclass_fields__)


@pytest.fixture
def tulip():
    with registered() as family:
        yield family


def setting(family, **changes):
    return Setting(family=family, delta=1e-6, sensitivity=ONE, dimension=3, **changes)


def named_by_string(text):
    """Where a family's name stands, but for a choice of one family: FAMILIES["gaussian"]."""
    chosen = {
        id(node.slice)
        for node in nodes(text)
        if isinstance(node, ast.Subscript)
        and str(getattr(node.value, "id", getattr(node.value, "attr", ""))).endswith(
            ("FAMILIES", "ADDITIVE")
        )
    }
    return [
        node.lineno
        for node in nodes(text)
        if isinstance(node, ast.Constant) and node.value in FAMILIES and id(node) not in chosen
    ]


def test_no_family_is_asked_for_its_name():
    found = {f.relative_to(ROOT).as_posix(): named_by_string(f.read_text("utf-8")) for f in SOURCES}
    assert {file: names for file, names in found.items() if names} == {}


@for_each(
    "text",
    [
        'x = family.name == "gaussian"',
        'x = name in ("laplace", "poisson")',
        'x = {"skellam": 1}',
        'match name:\n    case "exponential":\n        pass',
    ],
)
def test_the_search_finds_names(text):
    assert named_by_string(text)
    assert not named_by_string('x = dpviz.FAMILIES["gaussian"]; y = "gaussian noise"')


@for_each("fact", FACTS)
def test_a_family_that_lacks_a_fact_is_refused_with_the_name_of_the_fact(fact):
    kept = {name: getattr(GAUSSIAN, name) for name in FACTS if name != fact}
    with pytest.raises(ParameterError, match=f"lacks {fact}:"):
        register(SimpleNamespace(**kept), GUARANTEES["gaussian"])


def test_only_a_family_of_whole_numbers_is_counted():
    kept = {name: getattr(GAUSSIAN, name) for name in FACTS} | {"name": "rose"}
    with pytest.raises(ParameterError, match="lacks unit_half_width:"):
        register(SimpleNamespace(**kept | {"unit_half_width": None}), GUARANTEES["gaussian"])


@for_each("fact", RECORD)
def test_a_guarantee_that_lacks_a_fact_is_refused_with_the_name_of_the_fact(fact):
    record = GUARANTEES["gaussian"]
    kept = {name: getattr(record, name) for name in RECORD if name != fact}
    with pytest.raises(TypeError, match=fact):
        Guarantee(**kept)


def test_a_guarantee_is_known_and_whole():
    record = GUARANTEES["gaussian"]
    with pytest.raises(ParameterError, match="definition"):
        replace(record, definition="secret")
    with pytest.raises(ParameterError, match="level_at_epsilon"):
        replace(record, level_at_epsilon=None)
    with pytest.raises(ParameterError, match="lacks guarantee"):
        register(TULIP, "ρ-zCDP")
    with pytest.raises(ParameterError, match="is there already"):
        register(GAUSSIAN, record)
    assert "tulip" not in FAMILIES


def test_every_family_says_what_it_promises():
    assert set(GUARANTEES) == set(ADDITIVE)


@for_each("kind", KINDS)
def test_noise_without_a_guarantee_is_legal_and_no_tier_has_it(kind):
    bare, asked = FAMILIES["exponential"], setting(FAMILIES["exponential"])
    assert bare.name not in offered()
    with pytest.raises(ParameterError, match="Exponential noise is not offered"):
        resolve(kind, Amount(0.5, 1e-7 if "δ" in kind else None), asked)
    with pytest.raises(ParameterError, match="Exponential noise is not offered"):
        at_level(1.0, asked)
    assert half_width(bare, 1.0, 0.95) > 0
    with pytest.raises(ParameterError, match="Tulip noise is not offered"):  # in no table
        guarantee_of(TULIP)


def test_levels_with_variances_are_found_for_every_family():
    for family in ADDITIVE.values():
        found = levels_with_variances(family, [0.3, 4.0, 900.0])
        assert [family.variance(level) for level in found] == pytest.approx([0.3, 4.0, 900.0])


@pytest.mark.parametrize("kind", KINDS)
def test_the_copy_is_planned_like_gaussian_noise(tulip, kind):
    amount = Amount(Fraction(1, 2), Fraction(1, 10**7) if "δ" in kind else None)
    mine, its = (resolve(kind, amount, setting(family)) for family in (tulip, GAUSSIAN))
    assert mine == its
    assert at_level(mine.level, setting(tulip)) == at_level(its.level, setting(GAUSSIAN))
    texts = [restate(mine.level, kind, setting(family)) for family in (tulip, GAUSSIAN)]
    assert texts[0] == texts[1]
    assert "tulip" in offered()


def test_tiers_of_the_copy_are_those_of_gaussian_noise(tulip):
    mine, its = (read_tiers(as_rows(DEFAULT_TIERS), setting(f)) for f in (tulip, GAUSSIAN))
    assert mine == its
    assert not mine[1]


def test_the_copy_is_as_accurate_as_gaussian_noise(tulip):
    for confidence in (0.3, 0.95):
        width = half_width(tulip, 4.0, confidence, coordinates=3)
        assert width == half_width(GAUSSIAN, 4.0, confidence, coordinates=3)
        levels = [level_for_half_width(f, width, confidence) for f in (tulip, GAUSSIAN)]
        assert levels[0] == levels[1]
    for ask in ("mean", "variance", "fourth_moment"):
        assert getattr(tulip, ask)(4.0) == getattr(GAUSSIAN, ask)(4.0)
    held = (0.0, 8.0, 1.0, 2.0, 3.0)
    assert release_law(tulip, *held) == release_law(GAUSSIAN, *held)


def test_the_copy_is_attacked_like_gaussian_noise(tulip):
    moved, alarms = Moved(((1.0, 3),)), [0.1, 0.4]
    moves = moved, Moved(((2.0, 1),))
    assert most_exposed(tulip, 1.0, moves) == most_exposed(GAUSSIAN, 1.0, moves) == moves[1]
    both = [best_misses(f, [1.0, 2.0], moved, alarms).tolist() for f in (tulip, GAUSSIAN)]
    assert both[0] == both[1]
    assert best_success(tulip, [1.0, 2.0], moved) == best_success(GAUSSIAN, [1.0, 2.0], moved)
    worlds = [
        attack_worlds(f, [1.0, 2.0], moved, 500, lossless=False, rng=streams.teaching(3))
        for f in (tulip, GAUSSIAN)
    ]
    assert worlds[0].out.tolist() == worlds[1].out.tolist()


def test_linear_queries_take_the_copy(tulip):
    mine, its = (compare(prefix_sums(8), f, "ρ", Amount(Fraction(1, 2))) for f in (tulip, GAUSSIAN))
    assert math.isclose(mine.bound, its.bound)
    assert mine.best.name == its.best.name
    widths = [half_widths(mine.best.factorization, f, 2.0, 0.9) for f in (tulip, GAUSSIAN)]
    np.testing.assert_array_equal(*widths)
