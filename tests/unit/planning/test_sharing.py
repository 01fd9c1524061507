"""Budgets over all statistics: typed ones stay, the others meet the total from below, by weight."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import KINDS, read_amount
from dpviz.planning.budgets import Setting, resolve
from dpviz.planning.sharing import (
    NEAR,
    Part,
    Request,
    cell_of,
    joint_of,
    letter_of_all,
    most_within,
    read_cell,
    work_out,
)
from dpviz.planning.typed import NothingTyped
from dpviz.queries import Sensitivity
from tests.conftest import FULL

Z95 = 1.959963984540054  # of the normal distribution
AMOUNTS = {"(ε, δ)": "1, 1e-7"}


def setting(family="gaussian", groups=1, far=1.0, step=1.0):
    return Setting(
        family=FAMILIES[family],
        delta=1e-6,
        sensitivity=Sensitivity.bounded(groups, far),
        dimension=5,
        step=step,
    )


def part(typed=None, weight=1, family="gaussian", **about):
    return Part(
        statistic="visits", setting=setting(family, **about), typed=typed, weight=Fraction(weight)
    )


def worked_out(total, *parts):
    total = None if total is None else Fraction(total)
    return work_out(Request(tier="audit", parts=parts, total=total))


def amounts(found):
    return [Fraction(p.tier.amount) for p in found.planned]


def losses(found, *parts):
    """The budgets as they are read again from their texts."""
    return [
        resolve(p.tier.kind, read_amount(p.tier.kind, p.tier.amount, where="it"), part.setting)
        for p, part in zip(found.planned, parts, strict=True)
    ]


# --- cells ---


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("usual", KINDS)
def test_a_cell_reads_as_what_it_was_written_for(kind, usual):
    amount = AMOUNTS.get(kind, "20")
    read = read_cell(cell_of(kind, amount), usual)
    if kind == "±a 95 %" and usual.startswith("±"):
        assert read == (usual, amount), "of a plan in other ± it is one of these"
    else:
        assert read[0] == kind
        assert read_amount(*read, where="it") == read_amount(kind, amount, where="it")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("rho = 0.1", ("ρ", "0.1")),
        ("eps 1", ("ε", "1")),
        ("±5 % of 2000", ("±a 95 %", "5 % of 2000")),
        ("much", ("ρ", "much")),
        ("SHARE", None),
    ],
)
def test_a_cell_is_typed_without_greek_letters(text, read):
    assert read_cell(text, "ρ") == read


# --- shares ---

WEIGHTS = st.fractions(Fraction(1, 100), 100, max_denominator=1000)
TOTALS = st.decimals("0.001", "50", places=4).map(Fraction)


@pytest.mark.parametrize("family", ["gaussian", "laplace"])
@given(total=TOTALS, weights=st.lists(WEIGHTS, min_size=2, max_size=6), data=st.data())
@settings(max_examples=200 if FULL else 40, deadline=None)
def test_what_adds_meets_the_total_from_below_and_is_shared_by_weight(family, total, weights, data):
    letter = letter_of_all([setting(family)])
    used = data.draw(st.fractions(0, Fraction(9, 10), max_denominator=50)) * total
    typed = [part((letter, str(float(used))), family=family)] if used else []
    used = Fraction(str(float(used))) if used else Fraction(0)
    parts = [*typed, *(part(weight=w, family=family) for w in weights)]
    found = worked_out(total, *parts)
    assert found.needed is None
    given_away = amounts(found)
    assert 0 <= total - sum(given_away) <= total * Fraction(NEAR), "exactly, of the texts"
    rest, weight = total - used, sum(weights)
    for share, one in zip(given_away[len(typed) :], weights, strict=True):
        assert abs(share - rest * one / weight) <= total * Fraction(1, 10**11)
    joint = joint_of([p.budget for p in found.planned], [p.setting for p in parts]).value
    assert joint == pytest.approx(float(sum(given_away)), rel=1e-15)
    assert joint <= float(total)
    assert [b.level for b in losses(found, *parts)] == [p.budget.level for p in found.planned]


MIXES = [
    (("skellam", 1), ("skellam", 1)),
    (("skellam", 1), ("skellam", 2), ("skellam", 3)),
    (("gaussian", 1), ("laplace", 2)),
    (("poisson", 1), ("discrete_laplace", 1)),
]


@pytest.mark.parametrize("mix", MIXES[: None if FULL else 3])
def test_what_is_searched_meets_the_total_from_below_by_one_factor(mix):
    parts = [part(weight=w, family=family, groups=2) for family, w in mix]
    found = worked_out("1.5", *parts)
    assert {p.tier.kind for p in found.planned} == {"ε"}
    joint = joint_of(losses(found, *parts), [p.setting for p in parts]).value
    assert 0 <= 1.5 - joint <= 1.5e-9
    factors = [share / w for share, (_, w) in zip(amounts(found), mix, strict=True)]
    assert float(max(factors) / min(factors)) == pytest.approx(1, abs=1e-9)


def test_a_searched_share_takes_what_a_typed_distance_leaves():
    parts = [part(("±a 95 %", "30"), family="skellam"), part(family="skellam", groups=2)]
    found = worked_out("2", *parts)
    assert found.planned[0].tier.amount == "30"
    joint = joint_of(losses(found, *parts), [p.setting for p in parts]).value
    assert 0 <= 2 - joint <= 2e-9


def test_a_share_of_what_a_typed_distance_leaves_is_the_rest():
    parts = [part(("±a 95 %", "2")), part()]
    found = worked_out("1", *parts)
    typed = Z95**2 / (2 * 2**2)
    assert [p.budget.loss for p in found.planned] == pytest.approx([typed, 1 - typed], rel=1e-9)


def test_without_a_total_typed_budgets_stand_and_nothing_is_shared():
    parts = [part(("±a 95 %", "2")), part(("ε", "1"))]
    assert [p.tier.amount for p in worked_out(None, *parts).planned] == ["2", "1"]
    with pytest.raises(NothingTyped, match="audit: type a total for the empty cells to share"):
        worked_out(None, parts[0], part())


def test_a_budget_that_cannot_be_read_names_statistic_and_tier():
    with pytest.raises(ParameterError, match="The visits: Budget of audit: “lots” is not a number"):
        worked_out("1", part(("ρ", "lots")), part())


# --- a total that cannot be met ---


def test_the_nearest_to_a_total_is_all_typed_noise_larger_by_one_factor():
    parts = [part(("±a 95 %", "20"), far=10.0), part(("±a 95 %", "35"), far=10.0)]
    need = (10 * Z95) ** 2 / 2 * (1 / 20**2 + 1 / 35**2)
    found = worked_out("0.5", *parts)
    assert found.needed.value == pytest.approx(need)
    factor = math.sqrt(need / 0.5)
    for p, typed in zip(found.planned, (20, 35), strict=True):
        near = float(p.tier.amount)
        assert typed * factor <= near <= typed * factor * 1.01, "three digits, rounded up"
    assert joint_of(losses(found, *parts), [p.setting for p in parts]).value <= 0.5


@pytest.mark.parametrize("family", ["gaussian", "laplace", "discrete_laplace", "skellam"])
@pytest.mark.parametrize("kind", ["ε", "±a 90 %, all"])
def test_the_nearest_is_within_the_total_and_no_further_than_it_must(family, kind):
    amount = {"ε": "3", "±a 90 %, all": "12"}[kind]
    parts = [part((kind, amount), family=family), part((kind, amount), family=family, groups=2)]
    need = joint_of(
        [resolve(kind, read_amount(kind, amount, where="it"), p.setting) for p in parts],
        [p.setting for p in parts],
    ).value
    total = Fraction(str(round(need * 0.7, 6)))
    found = worked_out(total, *parts)
    assert found.needed.value == need
    assert {p.tier.kind for p in found.planned} == {kind}
    joint = joint_of(losses(found, *parts), [p.setting for p in parts]).value
    whole = FAMILIES[family].integer and kind != "ε"  # ± of whole numbers comes in steps
    assert float(total) * (0.7 if whole else 0.97) <= joint <= float(total)


def test_where_others_share_the_nearest_leaves_them_their_weight():
    parts = [part(("ρ", "0.6"), weight=1), part(weight=3)]
    found = worked_out("0.4", *parts)
    assert amounts(found) == pytest.approx([0.1, 0.3], rel=0.01)
    assert 0 <= Fraction("0.4") - sum(amounts(found)) <= Fraction(4, 10**10)


def test_a_total_that_is_used_up_leaves_no_share_of_nothing():
    found = worked_out("0.6", part(("ρ", "0.6")), part())
    assert found.needed.value == 0.6
    assert min(amounts(found)) > 0.29
    assert worked_out("0.6", part(("ρ", "0.6"))).needed is None, "it is met"


def test_an_epsilon_with_a_delta_of_its_own_keeps_it():
    parts = [part(("(ε, δ)", "2, 1e-9")), part(("(ε, δ)", "2, 1e-9"))]
    need = joint_of(
        [resolve("(ε, δ)", read_amount("(ε, δ)", "2, 1e-9", where="it"), setting())] * 2,
        [setting()] * 2,
    ).value
    found = worked_out(Fraction(str(round(need / 2, 6))), *parts)
    assert all(p.tier.amount.endswith("1e-9") for p in found.planned)
    joint = joint_of(losses(found, *parts), [setting()] * 2).value
    assert need * 0.48 < joint <= need / 2


# --- the search ---


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
@pytest.mark.parametrize("used", [0.0, 0.9])
def test_the_search_takes_few_steps(power, used):
    seen = []

    def loss(x):
        seen.append(x)
        return used + x**power / (1 + 0.1 * x)

    found = most_within(loss, total=1.0, at_zero=used, most=10.0)
    assert 0 <= 1.0 - loss(found) <= NEAR
    assert len(seen) < 16


def test_where_a_loss_jumps_over_the_total_the_search_stays_below():
    found = most_within(lambda x: x if x < 0.7 else x + 1, total=1.0, at_zero=0.0, most=1.0)
    assert found == pytest.approx(0.7, rel=1e-6)
    assert found < 0.7


def test_where_nothing_is_within_the_total_it_is_refused():
    with pytest.raises(ParameterError, match="type a larger total"):
        most_within(lambda _: 2.0, total=1.0, at_zero=0.0, most=1.0)
