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
from dpviz.planning.choice import Question, choose
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
from tests.conftest import FULL, few, for_each

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


@for_each(
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
@settings(max_examples=200 if FULL else 12, deadline=None)
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


@pytest.mark.parametrize("mix", few(MIXES, 2))
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


def test_where_a_loss_jumps_over_the_total_the_search_stays_below_or_refuses():
    found = most_within(lambda x: x if x < 0.7 else x + 1, total=1.0, at_zero=0.0, most=1.0)
    assert found == pytest.approx(0.7, rel=1e-6)
    assert found < 0.7
    with pytest.raises(ParameterError, match="type a larger total"):
        most_within(lambda _: 2.0, total=1.0, at_zero=0.0, most=1.0)


# --- Laplace or Gauss ---


def asked(epsilon=1.0, delta=1e-6, moved=1.0, l2=1.0, log_delta=None):
    log_delta = math.log(delta) if log_delta is None else log_delta
    return Question(epsilon=epsilon, log_delta=log_delta, l1=l2 * math.sqrt(moved), l2=l2)


# MATHEMATICS 9.1: (epsilon, R², ln δ* analytic)
ANALYTIC = [
    (1.0, 1, -3.2281034435708802),
    (1.0, 10, -15.048115850138949),
    (4.0, 16, -18.875651363697682),
]


@pytest.mark.parametrize(("epsilon", "moved", "log_delta"), few(ANALYTIC, 3))
def test_the_crossover_is_where_both_need_the_same(epsilon, moved, log_delta):
    c = choose(asked(epsilon, moved=moved, log_delta=-30.0))
    assert c.crossover_pure == pytest.approx(log_delta, rel=1e-12)
    pure = choose(asked(epsilon, moved=moved, log_delta=c.crossover_pure))
    assert pure.laplace_pure == pytest.approx(pure.gaussian, rel=1e-9)
    begin, end = c.gauss_between
    assert c.crossover_pure <= begin < end == math.log(0.5)
    at = choose(asked(epsilon, moved=moved, log_delta=begin))
    assert at.factor == pytest.approx(1, abs=1e-6)
    for nudge, name in ((-0.01, "laplace"), (0.01, "gaussian")):
        near = choose(asked(epsilon, moved=moved, log_delta=begin + nudge))
        assert near.better.name == name


def test_gauss_may_be_better_between_two_deltas_only():
    c = choose(asked(4.1, moved=2))
    begin, end = c.gauss_between
    assert [round(math.exp(x), 4) for x in c.gauss_between] == [0.3128, 0.4566]
    sides = [(begin - 0.01, "laplace"), (begin + 0.01, "gaussian"), (end + 0.01, "laplace")]
    for log_delta, name in sides:
        assert choose(asked(4.1, moved=2, log_delta=log_delta)).better.name == name


def test_at_top_secrets_epsilon_laplace_is_better_at_every_delta():
    assert choose(asked(4.886554)).gauss_between is None
    for delta in (1e-6, 0.1, 0.3, 0.4999):
        assert choose(asked(4.886554, delta)).better.name == "laplace"


def test_without_numbers_moved_alike_laplace_is_counted_by_its_pure_epsilon():
    q = asked(1.0, 0.01, moved=3)
    other = Question(epsilon=1.0, log_delta=q.log_delta, l1=q.l1, l2=q.l2, alike=False)
    for found in (choose(other), choose(asked(1.0, 0.01, moved=2.5))):
        assert not found.exact
        assert found.laplace == found.laplace_pure
        assert found.gauss_between[0] == found.crossover_pure
    assert choose(q).exact
    assert choose(q).laplace < choose(other).laplace


@pytest.mark.parametrize(("moved", "delta"), [(1, 0.4598493014643029), (5, 0.0084224337488568339)])
def test_the_classical_formula_gives_laplace_too_large_a_region(moved, delta):
    c = choose(asked(0.5, moved=moved))
    assert math.exp(c.crossover_classical) == pytest.approx(delta, rel=1e-12)
    assert c.crossover_pure < c.crossover_classical
    assert c.gaussian < c.gaussian_classical
    again = choose(asked(0.5, moved=moved, log_delta=c.crossover_classical))
    assert again.laplace_pure == pytest.approx(again.gaussian_classical, rel=1e-12)
    beyond = choose(asked(1.0000001))  # ε = 1, where the formula ends
    assert choose(asked(1.0)).gaussian_classical is not None
    assert (beyond.gaussian_classical, beyond.crossover_classical) == (None, None)


@pytest.mark.parametrize("epsilon", few([1.0, 0.1, 3.0], 3))
def test_laplace_wins_up_to_the_stated_number_of_groups(epsilon):
    most = choose(asked(epsilon, moved=7)).moved_up_to
    assert choose(asked(epsilon, moved=most)).better.name == "laplace"
    assert choose(asked(epsilon, moved=most + 1)).better.name == "gaussian"


def test_the_l2_mechanism_switches_where_it_says():
    c = choose(asked(1.0, moved=10))
    assert c.switch == pytest.approx(-(19**2) / 80, rel=1e-12)
    for nudge, below in ((-0.01, False), (0.01, True)):
        near = choose(asked(1.0, moved=10, log_delta=c.switch + nudge))
        assert (near.laplace_l2 < near.laplace_pure) is below
        assert near.laplace_l2 > near.gaussian
    assert choose(asked(3.0, moved=1)).switch == 0


def test_laplace_noise_uses_delta():
    c = choose(asked(1.0, 0.01))
    scale = c.laplace / math.sqrt(2)
    assert 1 - math.exp((1 - 1 / scale) / 2) == pytest.approx(0.01, rel=1e-9)
    assert c.laplace < c.laplace_pure
    assert choose(asked(1.0, 0.01, moved=2)).laplace < choose(asked(1.0, moved=2)).laplace


def test_numbers_are_in_the_unit_of_the_sensitivities():
    small, large = choose(asked(moved=4)), choose(asked(moved=4, l2=100.0))
    for name in ("laplace", "laplace_pure", "laplace_l2", "gaussian", "gaussian_classical"):
        assert getattr(large, name) == pytest.approx(100 * getattr(small, name), rel=1e-12)
    assert large.crossover_pure == pytest.approx(small.crossover_pure, rel=1e-12)
    assert large.gauss_between == small.gauss_between


def test_a_question_out_of_range_is_refused():
    good = {"epsilon": 1.0, "log_delta": -10.0, "l1": 1.0, "l2": 1.0}
    assert Question(**good).moved == 1
    wrong = {"epsilon": (0.0, math.nan), "log_delta": (0.0, -math.inf), "l1": (0.9, math.inf)}
    for name, numbers in (wrong | {"l2": (0.0,)}).items():
        for number in numbers:
            with pytest.raises(ParameterError):
                Question(**good | {name: number})
