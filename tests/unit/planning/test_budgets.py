"""A budget in any kind becomes a level that never spends more, stated as typed, and back again."""

import itertools
import math
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest

from dpviz.accounting import gaussian_epsilon, half_width
from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.parameters import DELTA, EPSILON, MAX_TYPED, RHO, exact
from dpviz.planning.amounts import ACCURACIES, KINDS, PAIR, read_amount
from dpviz.planning.budgets import Amount, Setting, at_level, resolve
from dpviz.planning.tiers import DEFAULT_TIERS, Tier, restate, restate_tiers
from dpviz.queries import Sensitivity
from tests.conftest import for_each

MOVES = {
    "one": (Sensitivity.bounded(1), (1, 0)),
    "three": (Sensitivity.bounded(3), (3, 0)),
    "replace": (Sensitivity(l0=2, l1=2, l2=math.sqrt(2), linf=1), (1, 1)),
}
TYPED = {"ρ": "0.05", "ε": "0.7", "(ε, δ)": "0.7, 1e-9", "μ": "0.3"}  # every other kind: ±70
PURE = [name for name in offered() if guarantee_of(FAMILIES[name]).pure]
ZCDP = [name for name in offered() if guarantee_of(FAMILIES[name]).letter == "ρ"]
families = pytest.mark.parametrize("family", offered())
kinds = pytest.mark.parametrize("kind", KINDS)
moves = pytest.mark.parametrize("move", MOVES)


def setting(family="gaussian", move="one", **more):
    sensitivity, directions = MOVES[move]
    given = {"delta": 1e-6, "dimension": 5, "directions": directions} | more
    return Setting(family=FAMILIES[family], sensitivity=sensitivity, **given)


def amount(kind, text=None):
    return read_amount(kind, text or TYPED.get(kind, "70"), where="Budget")


@families
@kinds
@moves
def test_no_kind_overspends(family, kind, move):
    s, typed = setting(family, move), amount(kind)
    b = resolve(kind, typed, s)
    own = s if typed.delta is None else replace(s, delta=float(typed.delta))
    again = at_level(b.level, own)
    value = float(typed.value)
    if kind == PAIR and family in PURE:
        assert b == resolve("ε", Amount(typed.value), s)
    assert again.epsilon <= b.epsilon * (1 + 1e-12)
    assert again.half_width == b.half_width
    assert b.delta == (0 if family in PURE else own.delta)
    if kind in ACCURACIES:
        confidence, every = ACCURACIES[kind]
        coordinates = 5 if every else 1
        assert half_width(s.family, b.level, confidence, coordinates=coordinates) <= value
        assert half_width(s.family, b.level * 1.3, confidence, coordinates=coordinates) > value
    elif kind in ("ε", "(ε, δ)"):
        assert again.epsilon <= value == b.epsilon
        assert math.isclose(again.epsilon, value, rel_tol=1e-6)
    elif family in ZCDP:
        assert again.rho <= b.rho * (1 + 1e-15)
        assert again.rho == pytest.approx(value if kind == "ρ" else value**2 / 2)
    elif family in PURE:
        assert again.epsilon == pytest.approx(math.sqrt(2 * value) if kind == "ρ" else value)
    else:  # the ε that Gaussian noise of this ρ has
        mu = math.sqrt(2 * value) if kind == "ρ" else value
        assert again.epsilon <= gaussian_epsilon(math.log(1e-6), mu)


@families
@kinds
def test_what_is_typed_is_what_is_stated(family, kind):
    typed = amount(kind)
    b = resolve(kind, typed, setting(family))
    value = typed.value
    currency = {"ρ": b.rho, "ε": b.epsilon, "(ε, δ)": b.epsilon, "μ": b.mu}
    if family in ZCDP:
        assert (b.letter, b.loss, b.mu) == ("ρ", b.rho, pytest.approx(math.sqrt(2 * b.rho)))
        if kind in currency:
            assert currency[kind] == float(value)
        if kind in ("ρ", "μ"):
            assert b.exact == (value if kind == "ρ" else value**2 / 2)
    else:
        assert (b.letter, b.loss, b.mu) == ("ε", b.epsilon, None)
        if kind in ("ε", "(ε, δ)") or (kind == "μ" and family in PURE):
            assert b.exact == value
        assert (b.rho is None) == (family not in PURE)
        if kind == "ρ" and family in PURE:
            assert b.rho == float(value)
    assert float(b.exact) == b.loss


@pytest.mark.parametrize("text", ["0.1", "0.3", "0.7", "1.1", "0.0123456789012345678901", "3e-7"])
@moves
def test_levels_keep_the_exact_decimal(text, move):
    value = Fraction(text)
    for family, kind, norm, power in (
        ("gaussian", "ρ", "l2", lambda t: 2 * t),
        ("laplace", "ε", "l1", lambda t: t),
        ("discrete_laplace", "(ε, δ)", "l1", lambda t: t),
        ("laplace", "μ", "l1", lambda t: t),
    ):
        s = setting(family, move)
        typed = f"{text}, 1e-7" if kind == "(ε, δ)" else text
        level = resolve(kind, amount(kind, typed), s).level
        moved = Fraction(getattr(s.sensitivity, norm)) ** (2 if norm == "l2" else 1)
        assert power(Fraction(level)) * value >= moved
        assert power(Fraction(math.nextafter(level, 0))) * value < moved * (1 + Fraction(1, 10**15))


def test_tenths_give_clean_levels():
    assert resolve("ρ", amount("ρ", "0.1"), setting()).level == 5.0
    assert resolve("ε", amount("ε", "0.1"), setting("laplace")).level == 10.0
    assert resolve("μ", amount("μ", "0.1"), setting()).level == pytest.approx(100.0, rel=1e-15)


@families
@pytest.mark.parametrize("step", [2.0**-10, 0.25, 8.0])
@pytest.mark.parametrize("kind", list(ACCURACIES))
def test_accuracies_are_in_units_of_the_statistic(family, step, kind):
    whole = resolve(kind, Amount(60), setting(family))
    small = resolve(kind, Amount(exact(60 * step)), setting(family, step=step))
    assert small.level == whole.level
    assert small.half_width == whole.half_width * step
    assert (small.epsilon, small.loss) == (whole.epsilon, whole.loss)


def test_an_accuracy_may_be_a_share_of_an_expected_size():
    for text in ("5 % of 2,000", "±5% of 2000", " 0.5 % of 2e4 ", "100 % of 100"):
        assert amount("±a 95 %", text) == Amount(Fraction(100)), text
    assert amount("±a 90 %, all", "0.1 % of 1234.5").value == Fraction(12345, 10000)
    for text, says in (
        ("5 %", "type a share with the size that it is of, for example 5 % of 2000"),
        ("5 of 2000 %", "type a share with the size"),
        ("x % of 2000", "“x” is not a number. Type a number above 0, for example 5"),
        ("-5 % of 2000", "is not a share above 0"),
        ("101 % of 2000", "too large"),
        ("5 % of 0", "expected size: 0 is not a size"),
        ("5 % of 2,00", "Type 2.00, with a point"),
        ("1e-8 % of 1e-11", "too small"),
    ):
        with pytest.raises(ParameterError, match=says):
            amount("±a 99 %", text)
    with pytest.raises(ParameterError, match="is not a number"):
        amount("ρ", "5 % of 2000")  # a budget has no expected size


@families
def test_more_confidence_or_all_groups_need_less_noise(family):
    s = setting(family)
    one = [resolve(k, Amount(60), s).level for k in ("±a 90 %", "±a 95 %", "±a 99 %")]
    every = [
        resolve(k, Amount(60), s).level for k in ("±a 90 %, all", "±a 95 %, all", "±a 99 %, all")
    ]
    assert one == sorted(one, reverse=True)
    assert every == sorted(every, reverse=True)
    assert all(e < o for e, o in zip(every, one, strict=True))
    alone = setting(family, dimension=1)
    for confidence in (90, 95, 99):
        typed = (f"±a {confidence} %", f"±a {confidence} %, all")
        assert len({resolve(k, Amount(60), alone).level for k in typed}) == 1


@pytest.mark.parametrize("family", ["gaussian", "poisson", "skellam"])
def test_a_delta_of_its_own_is_kept_and_used(family):
    plan = resolve("ε", Amount(1), setting(family))
    stricter = resolve("(ε, δ)", Amount(1, Fraction(1, 10**9)), setting(family))
    same = resolve("(ε, δ)", Amount(1, 1e-6), setting(family))
    assert (plan.delta, stricter.delta) == (1e-6, 1e-9)
    assert stricter.level > plan.level == same.level
    assert stricter.epsilon == 1


def test_unknown_directions_never_need_less_poisson_noise():
    s = setting("poisson", "replace")
    known = resolve("ε", Amount(1), s)
    unknown = resolve("ε", Amount(1), replace(s, directions=None))
    assert unknown.level > known.level
    assert at_level(unknown.level, replace(s, directions=None)).epsilon <= 1
    assert at_level(unknown.level, s).epsilon < 1


@families
@pytest.mark.parametrize("kind", ["ρ", "ε", "μ", "±a 95 %"])
@pytest.mark.parametrize("value", [Fraction(1, 10**12), 10**12])
def test_the_ends_of_the_range_give_a_number_or_a_sentence(family, kind, value):
    with suppress(ParameterError):  # a sentence
        b = resolve(kind, Amount(value), setting(family))
        assert 0 < b.level < math.inf
        assert 0 <= b.epsilon < math.inf


@for_each(
    ("kind", "text", "value", "delta"),
    [
        ("ρ", "0.1", Fraction(1, 10), None),
        ("±a 90 %, all", " 12.5 ", Fraction(25, 2), None),
        ("(ε, δ)", "1, 1e-7", 1, Fraction(1, 10**7)),
        ("(ε, δ)", "(1, 1e-7)", 1, Fraction(1, 10**7)),
        ("(ε, δ)", "1; 1e-7", 1, Fraction(1, 10**7)),
        ("(ε, δ)", " ( 0.5 ;1e-7 ) ", Fraction(1, 2), Fraction(1, 10**7)),
    ],
)
def test_amounts_are_read_exactly(kind, text, value, delta):
    assert read_amount(kind, text, where="x") == Amount(value, delta)


def test_amounts_and_settings_in_code_are_checked_and_a_family_without_tiers_is_refused():
    for bad in (0, -1, math.nan, math.inf, "1", None, True):
        with pytest.raises(ParameterError, match="budget must be a"):
            Amount(bad)
        if bad is not None:
            with pytest.raises(ParameterError, match="delta must"):
                Amount(1, bad)
    for name, wrong in (("step", 0.0), ("step", math.nan), ("delta", 1.0), ("dimension", 0)):
        with pytest.raises(ParameterError):
            setting(**{name: wrong})
    with pytest.raises(ParameterError, match="Exponential noise is not offered"):
        at_level(1.0, setting("exponential"))


def test_decimals_are_exact_and_floats_stand_for_their_decimal():
    digits = "0.1000000000000000000000000000000000001"
    assert RHO.read_exact(digits, where="x") == Fraction(digits)
    assert RHO.read(digits, where="x") == 0.1
    assert DELTA.read_exact("1e-300", where="x") == Fraction(1, 10**300)
    assert RHO.read_exact("0." + "1" * (MAX_TYPED - 2), where="x") < Fraction(1, 9)
    for a, b in itertools.product(("0.1", "0.2", "0.7", "1e-9"), repeat=2):
        one, other = EPSILON.read_exact(a, where="x"), EPSILON.read_exact(b, where="x")
        assert one + other == exact(float(a)) + exact(float(b)) == Fraction(a) + Fraction(b)


@pytest.mark.parametrize("digits", [MAX_TYPED, 4400, 10**6])
@pytest.mark.parametrize("kind", ["ρ", "ε", "(ε, δ)", "±a 95 %"])
def test_a_number_of_more_digits_than_anybody_types_is_refused_in_a_sentence(kind, digits):
    for number in ("0." + digits * "1", digits * "0" + "1.5", digits * "1"):
        for text in (f"{number}, 1e-6", f"1, {number}") if kind == PAIR else (number,):
            with pytest.raises(ParameterError) as refusal:
                read_amount(kind, text, where="Budget of audit")
            assert str(refusal.value).startswith("Budget of audit")
            assert len(str(refusal.value)) < 150


@pytest.mark.parametrize("text", ["0.1", "0.8", "1.1", "2.2"])  # their floats are above them
@pytest.mark.parametrize("family", ["gaussian", "laplace"])
def test_accuracies_keep_the_exact_decimal(text, family):
    s = setting(family)
    assert Fraction(float(text)) > Fraction(text)
    assert Fraction(resolve("±a 95 %", amount("±a 95 %", text), s).half_width) <= Fraction(text)


# Switching the kind of budget: never less private, nearly the same, and nothing typed is lost.


WHOLE = ("discrete_laplace", "poisson", "skellam")


def setting_of(family="gaussian", l0=1, **more):
    given = {"delta": 1e-6, "dimension": 16, "sensitivity": Sensitivity.bounded(l0)} | more
    return Setting(family=FAMILIES[family], **given)


def level_of(kind, text, s):
    return resolve(kind, read_amount(kind, text, where="Budget"), s).level


@families
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [1.0, 2.0**-10])
def test_a_restated_level_is_never_less_private_and_near(family, kind, step):
    s = setting_of(family, step=step)
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
    s = setting_of()
    assert restate(level_of(kind, text, s), kind, s) == text
    for rho, short in (("0.00000123", "1.23e-6"), ("123000", "123000"), ("1e12", "1e+12")):
        assert restate(level_of("ρ", rho, s), "ρ", s) == short


def test_a_level_without_such_a_budget_gets_a_sentence():
    with pytest.raises(ParameterError, match="this noise has no ε above 0"):
        restate(1e300, "ε", setting_of())
    with pytest.raises(ParameterError, match="no finite epsilon holds"):
        restate(1.0, "ε", setting_of("poisson", sensitivity=Sensitivity(2, 2, 2, 2), dimension=4))
    with pytest.raises(ParameterError, match="this noise has no ±a 90 % above 0"):
        restate(0.01, "±a 90 %", setting_of("skellam"))


def switched(kinds, s, tiers=DEFAULT_TIERS):
    """Switch through these kinds as the page does, remembering every text on the way."""
    remembered = {(t.name, t.kind): t.amount for t in tiers}
    for kind in kinds:
        tiers = restate_tiers(tiers, kind, s, remembered)
        remembered |= {(t.name, t.kind): t.amount for t in tiers}
    return tiers


@for_each("text", ["0.1", "0.10", "1e-1", " 0.1000 ", "0.12345678901234567890"])
def test_texts_come_back_word_for_word(text):
    tier = Tier(name="a", amount=text, kind="ε", people="3", order="2", note="n")
    (there,) = switched(["(ε, δ)"], setting_of("skellam"), (tier,))
    assert (there.kind, there.people, there.order, there.note) == ("(ε, δ)", "3", "2", "n")
    assert switched(["(ε, δ)", "ε"], setting_of("skellam"), (tier,)) == (tier,)


def test_a_text_remembered_from_another_plan_is_not_used():
    there = switched(["ε"], setting_of())
    remembered = {(t.name, t.kind): t.amount for t in DEFAULT_TIERS}
    other = setting_of(delta=1e-9)
    back = restate_tiers(there, "ρ", other, remembered)
    assert [t.amount for t in back] != [t.amount for t in DEFAULT_TIERS]
    for one, two in zip(there, back, strict=True):
        assert level_of("ρ", two.amount, other) >= level_of("ε", one.amount, other)


def test_a_tier_that_cannot_be_restated_stays_as_it_is():
    bad = Tier(name="bad", amount="x", kind="ρ")
    assert restate_tiers([bad, DEFAULT_TIERS[0]], "ε", setting_of(), {})[0] == bad
    nonsense = {("public", "ε"): "nonsense"}
    assert restate_tiers(DEFAULT_TIERS[:1], "ε", setting_of(), nonsense)[0].kind == "ε"


def test_a_plus_minus_is_restated_in_units_and_a_step_away_only_to_the_private_side():
    assert restate(1.0, "±a 95 %", setting_of(step=4.0)) == "7.839856"
    s = setting_of("skellam")
    for level in (3.1, 47.3, 911.0):  # the nearest decimal alone would be less private
        assert level_of("ε", restate(level, "ε", s, digits=2), s) >= level
