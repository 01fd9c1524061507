"""The plan: each row that cannot be used gives one sentence; ready plans fit every noise."""

import math

import pytest

from dpviz.accounting.conversions import zcdp_epsilon
from dpviz.accounting.guarantees import offered
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.parameters import DELTA, RHO
from dpviz.planning.budgets import KINDS, LARGE_EPSILON, Amount, Setting, resolve, warning
from dpviz.planning.practice import PRACTICE
from dpviz.planning.presets import PRESETS, without_given
from dpviz.planning.tiers import (
    COLUMNS,
    DEFAULT_TIERS,
    MAX_NAME,
    MAX_PEOPLE,
    Tier,
    as_rows,
    equal_budgets,
    never_as_large,
    out_of_order,
    ranked,
    read_tiers,
)
from dpviz.queries import Sensitivity
from tests.conftest import for_each


def setting(family="gaussian", l0=1, dimension=5, delta=1e-6):
    return Setting(
        family=FAMILIES[family],
        delta=delta,
        sensitivity=Sensitivity.bounded(l0),
        dimension=dimension,
    )


def row(name="public", amount="0.1", kind="ρ", **more):
    return {"tier": name, "budget": amount, "as": kind, **more}


def sentences(*rows, family="gaussian"):
    return read_tiers(rows, setting(family))[1]


EXAMPLES = {"ρ": "0.1", "ε": "0.5", "μ": "0.5"}


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        ("0", "0 is not a budget. Type a number above 0, for example 0.1."),
        *((amount, "is not a budget") for amount in ("-2", "NaN", "sNaN", "inf", "-Infinity")),
        ("1e-999999999", "is too small"),
        ("1e999999999", "is too large"),
        ("1e13", "is too large"),
        ("abc", "“abc” is not a number. Type a number above 0"),
        ("0,1", "Type 0.1, with a point."),
        ("1 2", "is not a number"),
        *((amount, "is empty") for amount in ("", None, float("nan"))),
    ],
)
@pytest.mark.parametrize("kind", [k for k in KINDS if k != "(ε, δ)"])
def test_a_budget_that_cannot_be_used(amount, sentence, kind):
    (found,) = sentences(row(amount=amount, kind=kind))
    assert found.startswith("Budget of public")
    expected = sentence.replace("for example 0.1", f"for example {EXAMPLES.get(kind, '50')}")
    assert expected in found


@for_each(
    ("amount", "sentence"),
    [
        ("1", "type ε and δ with a comma between, for example 1, 1e-7."),
        ("1, 1e-7, 3", "type ε and δ"),
        ("0,5; 1e-7", "ε: “0,5” is not a number. Type 0.5, with a point."),
        ("0, 1e-7", "ε: 0 is not a budget"),
        ("1, 0", "δ: 0 is not a probability above 0"),
        ("1, 0.7", "δ: 0.7 is too large"),
        (",", "ε: “” is not a number"),
        ("(1, 1e-7", "ε: “(1” is not a number"),
        ("", "is empty"),
    ],
)
def test_a_pair_that_cannot_be_used(amount, sentence):
    (found,) = sentences(row(amount=amount, kind="(ε, δ)"))
    assert found.startswith("Budget of public")
    assert sentence in found


@for_each(
    ("rows", "sentence"),
    [
        ([], "There is no tier yet"),
        ([row(""), row("b")], "Row 1 has no name"),
        ([row("a"), row("A ")], "Two tiers are called A"),
        ([row("x" * 41)], "too long"),
        ([row("a\x00b")], "control characters"),
        ([row("a\u3164b"), row("c"), row("ab")], "rows 1 and 3 look alike: a⟨U+3164⟩b and ab."),
        ([row("par"), row("p\u0430r")], "rows 1 and 2 look alike: par and p⟨U+0430⟩r."),
        ([row("public"), row("pubIic")], "rows 1 and 2 look alike"),
        ([row("ΑΝΒ"), row("ανβ")], "Two tiers are called ανβ"),
        ([row(kind="magic")], "is not a kind"),
        ([row(kind="±a")], "is not a kind"),
        ([row(f"t{i}") for i in range(101)], "at most 100 work"),
    ],
)
def test_a_table_that_cannot_be_used(rows, sentence):
    problems = read_tiers(rows, setting())[1]
    assert any(sentence in p for p in problems)


def test_a_hundred_tiers_work():
    rows = [row(f"tier {i}", str((i + 1) / 1000)) for i in range(100)]
    planned, problems = read_tiers(rows, setting())
    assert (len(planned), problems) == (100, [])


def test_rows_read_back_what_was_typed():
    typed = Tier(name="a", amount="2, 1e-7", kind="(ε, δ)", people="7", order="-1.5", note="b")
    (found,) = as_rows([typed])
    assert tuple(found) == COLUMNS
    (planned,), problems = read_tiers([found], setting())
    assert planned.tier == typed
    assert planned.people == 7
    assert problems == []
    assert read_tiers([row()], setting())[0][0].people is None


@for_each("people", ["x", "-1", "1.5", "1,000", "1e3", "٣", "9" * 5000, "inf"])
def test_people_that_cannot_be_read_cost_only_their_cell(people):
    planned, problems = read_tiers([row("a", people=people, order="1"), row("b")], setting())
    assert [p.name for p in planned] == ["a", "b"]
    assert planned[0].tier.people == ""
    assert planned[0].tier.order == "1"
    (found,) = problems
    assert found.startswith("People of a: ")
    assert "Type a whole number in digits" in found
    assert len(found) < 150


@for_each("order", ["x", "nan", "sNaN", "inf", "1,5", "1" * 31])
def test_an_order_that_cannot_be_read_costs_only_its_cell(order):
    (planned,), problems = read_tiers([row("a", people="0", order=order)], setting())
    assert planned.tier.order == ""
    assert planned.people == 0
    (found,) = problems
    assert found.startswith("Order of a: ")
    assert "leave it empty" in found


def test_ranked_is_by_number_stable_and_empty_last():
    typed = [("a", ""), ("b", "10"), ("c", "9"), ("d", "x"), ("e", "9.0"), ("f", "-1")]
    tiers = [Tier(name=n, amount="1", kind="ρ", order=o) for n, o in typed]
    assert [t.name for t in ranked(tiers)] == ["f", "c", "e", "b", "a", "d"]


@for_each(
    ("typed", "expected"),
    [
        ({"a": ("1", "0.1"), "b": ("2", "0.2"), "c": ("3", "0.3")}, []),
        ({"a": ("1", "0.1"), "b": ("2", "0.3"), "c": ("3", "0.2")}, [("b", "c")]),
        ({"a": ("3", "0.1"), "b": ("2", "0.2"), "c": ("1", "0.3")}, [("c", "b"), ("b", "a")]),
        ({"a": ("1", "0.3"), "b": ("", "0.2"), "c": ("2", "0.1")}, [("a", "c")]),
        ({"a": ("1", "0.3"), "b": ("1", "0.2"), "c": ("2", "0.25")}, [("a", "c")]),
        ({"a": ("", "0.3"), "b": ("", "0.2")}, []),
    ],
)
def test_clearance_against_noise(typed, expected):
    rows = [row(name, amount, order=order) for name, (order, amount) in typed.items()]
    assert out_of_order(read_tiers(rows, setting())[0]) == expected


def test_equal_budgets_are_named_and_of_which_delta_alone_asks_for_the_noise():
    some = [row("a"), row("b"), row("x", "x"), row("c", "1")]  # one of them cannot be used
    planned, problems = read_tiers(some, setting())
    assert (equal_budgets(planned), len(problems)) == ([["a", "b"]], 1)
    assert [p.name for p in planned] == ["a", "b", "c"]
    planned, _ = read_tiers(as_rows(DEFAULT_TIERS), setting("poisson"))
    assert equal_budgets(planned) == [never_as_large(planned, setting("poisson"))]
    assert len(equal_budgets(planned)[0]) == 3


@for_each(
    ("family", "amount", "kind", "expected"),
    [
        ("poisson", "0.5", "ρ", ["public"]),
        ("poisson", "1", "μ", ["public"]),
        ("poisson", "0.05", "ρ", []),
        ("poisson", "5", "ε", []),  # it is stated as it was typed
        ("skellam", "0.5", "ρ", []),
        ("laplace", "0.5", "ρ", []),
    ],
)
def test_a_loss_that_delta_alone_keeps_below_the_typed_one(family, amount, kind, expected):
    within = setting(family)
    planned, _ = read_tiers([row(amount=amount, kind=kind)], within)
    assert never_as_large(planned, within) == expected


def test_delta_is_read_by_the_same_rule():
    assert DELTA.read(" 1e-9 ", where="δ") == 1e-9
    for bad in ("0", "1", "-1", "nan", "x", "1e-301", "1_0", "٣"):
        with pytest.raises(ParameterError, match=r"^δ: "):
            DELTA.read(bad, where="δ")
    assert RHO.read("1000", where="x") == 1000
    with pytest.raises(ParameterError, match="a number between 10⁻¹² and 10¹²"):
        RHO.read("1e-13", where="x")


@for_each(
    ("family", "amount", "kind", "sentence"),
    [
        (
            *("poisson", "2", "±a 95 %"),
            "no guarantee holds with so little Poisson noise at δ = 1e-06. "
            "Type a larger ±a, or a larger δ for the plan.",
        ),
        (
            *("skellam", "1e7", "±a 95 %"),
            "Skellam noise of this size is out of reach here. "
            "Type another ±a, or choose another noise.",
        ),
        (
            *("discrete_laplace", "1e9", "ρ"),  # below the least float there is no noise
            "discrete Laplace noise of this size is out of reach here. "
            "Type another budget, or choose another noise.",
        ),
    ],
)
def test_too_little_and_too_much_noise_say_what_to_type(family, amount, kind, sentence):
    (found,) = sentences(row(amount=amount, kind=kind), family=family)
    assert found == f"Budget of public: {sentence}"


@pytest.mark.parametrize("family", ["poisson", "skellam"])
def test_noise_that_the_delta_alone_covers_is_no_budget(family):
    """Its ε is 0: nothing that adds up, or that a logarithmic axis can show."""
    for delta, accuracy in ((0.01, "400"), (0.5, "40")):
        told = read_tiers([row(amount=accuracy, kind="±a 95 %")], setting(family, delta=delta))[1]
        assert told == [
            f"Budget of public: this {FAMILIES[family].label} noise keeps ε = 0 at δ = {delta:g}, "
            "which alone counts. Type a smaller ±a, or a smaller δ for the plan."
        ]
    if family == "poisson":
        told = read_tiers([row(amount="1e9")], setting(family, delta=0.5))[1]
        assert "Type the budget as ε, or a smaller δ for the plan." in told[0]


def test_names_and_numbers_of_readers_have_a_largest_length():
    most = [row("x" * MAX_NAME, people=str(MAX_PEOPLE)), row("b", people=str(MAX_PEOPLE + 1))]
    planned, problems = read_tiers(most, setting())
    assert [(len(p.name), p.people) for p in planned] == [(MAX_NAME, MAX_PEOPLE), (1, None)]
    assert len(problems) == 1


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
    return resolve(kind, Amount(value, delta), setting(family))


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


def test_the_rho_of_the_census_is_that_of_its_code_and_of_the_epsilon_it_published():
    """Persons and housing units: scales 339/542 and 12343/3379, ρ = 1/scale², ε at δ = 1e-10."""
    parts = [1 / scale**2 for scale in (339 / 542, 12343 / 3379)]
    assert [round(zcdp_epsilon(rho, math.log(1e-10)), 2) for rho in parts] == [17.14, 2.47]
    (census,) = (one for one in PRACTICE if "Census" in one.name)
    assert census.rho == round(sum(parts), 2)
