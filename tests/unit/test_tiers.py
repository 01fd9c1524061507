"""The typed plan: every row that cannot be used gives one sentence, the others stay usable."""

import math

import pytest

from dpviz.errors import ParameterError
from dpviz.mechanisms.budgets import KINDS, Setting, at_level, resolve
from dpviz.mechanisms.tiers import DEFAULT_TIERS, as_rows, equal_budgets, read_tiers
from dpviz.noise import FAMILIES
from dpviz.parameters import DELTA, RHO
from dpviz.queries import Sensitivity


def setting(family="gaussian", l0=1, dimension=5):
    return Setting(
        family=FAMILIES[family],
        delta=1e-6,
        sensitivity=Sensitivity.bounded(l0),
        dimension=dimension,
    )


def row(name="public", amount="0.1", kind="ρ", note=""):
    return {"tier": name, "budget": amount, "as": kind, "note": note}


def sentences(*rows, family="gaussian"):
    return read_tiers(rows, setting(family))[1]


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        ("0", "0 is not a budget. Type a number above 0, for example 0.1."),
        ("0.0", "is not a budget"),
        ("-2", "is not a budget"),
        ("NaN", "is not a budget"),
        ("sNaN", "is not a budget"),
        ("inf", "is not a budget"),
        ("-Infinity", "is not a budget"),
        ("1e-400", "is too small"),
        ("1e400", "is too large"),
        ("1e13", "is too large"),
        ("abc", '"abc" is not a number. Type a number above 0'),
        ("0,1", "Type 0.1, with a point."),
        ("1 2", "is not a number"),
        ("", "is empty"),
        (None, "is empty"),
        (float("nan"), "is empty"),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_budget_that_cannot_be_used(amount, sentence, kind):
    (found,) = sentences(row(amount=amount, kind=kind))
    assert found.startswith("Budget of public")
    expected = sentence.replace("for example 0.1", f"for example {EXAMPLES[kind]}")
    assert expected in found


EXAMPLES = {"ρ": "0.1", "ε": "0.5", "±a": "50"}


def test_one_bad_row_leaves_the_others_usable():
    planned, problems = read_tiers([row("a"), row("b", "x"), row("c", "0.2")], setting())
    assert [p.name for p in planned] == ["a", "c"]
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "There is no tier yet"),
        ([row(""), row("b")], "Row 1 has no name"),
        ([row("a"), row("A ")], "Two tiers are called A"),
        ([row("x" * 41)], "too long"),
        ([row("a\x00b")], "control characters"),
        ([row(kind="magic")], "is no kind"),
        ([row(f"t{i}") for i in range(101)], "at most 100 work"),
    ],
)
def test_a_table_that_cannot_be_used(rows, sentence):
    problems = read_tiers(rows, setting())[1]
    assert any(sentence in p for p in problems)


def test_a_hundred_tiers_work():
    rows = [row(f"tier {i}", str((i + 1) / 1000)) for i in range(100)]
    planned, problems = read_tiers(rows, setting())
    assert len(planned) == 100
    assert problems == []
    assert [p.budget.loss for p in planned] == sorted(p.budget.loss for p in planned)


def test_equal_budgets_are_named():
    planned, _ = read_tiers([row("a"), row("b"), row("c", "1")], setting())
    assert equal_budgets(planned) == [["a", "b"]]


def test_what_is_typed_is_what_is_stated():
    assert [p.budget.rho for p in read_tiers(as_rows(DEFAULT_TIERS), setting())[0]] == [
        0.002,
        0.01,
        0.05,
        0.5,
    ]
    assert resolve("ε", 1.0, setting()).epsilon == 1.0
    assert resolve("ε", 1.0, setting("laplace")).loss == 1.0


@pytest.mark.parametrize("family", ["gaussian", "laplace", "poisson"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("l0", [1, 3])
def test_currencies_agree_and_never_overspend(family, kind, l0):
    s = setting(family, l0)
    value = {"ρ": 0.05, "ε": 0.7, "±a": 21.0}[kind]
    b = resolve(kind, value, s)
    again = at_level(b.level, s)
    assert again.epsilon <= b.epsilon * (1 + 1e-12)
    if kind == "±a":
        assert b.half_width <= value
        assert resolve("±a", value * 1.1, s).level > b.level
    if kind == "ρ" and family == "laplace":
        assert math.isclose(again.epsilon, math.sqrt(2 * value))
    if kind == "ρ" and family == "poisson":
        assert b.rho is None
        assert again.epsilon <= resolve("ρ", value, setting(l0=l0)).epsilon
    assert math.isclose(again.half_width, b.half_width)


def test_delta_is_read_by_the_same_rule():
    assert DELTA.read(" 1e-9 ", where="δ") == 1e-9
    for bad in ("0", "1", "-1", "nan", "x", "1e-301"):
        with pytest.raises(ParameterError, match=r"^δ: "):
            DELTA.read(bad, where="δ")
    assert RHO.read("1_000", where="x") == 1000


def test_too_little_poisson_noise_has_no_guarantee_and_says_what_to_type():
    (found,) = sentences(row(amount="2", kind="±a"), family="poisson")
    assert found == (
        "Budget of public: no guarantee holds with so little Poisson noise at δ = 1e-06. "
        "Type a larger ±a, or a larger δ for the plan."
    )
