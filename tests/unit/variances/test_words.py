"""What the words of the Variances page say of the rule, and of the numbers beside it."""

import pytest

from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.charts.variances.frame import LEVEL, PART, LadderTier, of_scheme, variances_frame
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from dpviz.ui.variances import words
from dpviz.ui.variances.controls import Ladder, Reading


def asked(name, budgets):
    setting = Setting(
        family=FAMILIES[name], delta=1e-3, sensitivity=Sensitivity.bounded(1), dimension=1
    )
    tiers = tuple(LadderTier(name=f"tier {b}", budget=b) for b in budgets)
    shown = Ladder(
        tiers=tiers, setting=setting, unit="people²", noun="people", own=True, written=""
    )
    reading = Reading(compared="independent", marked=0, relative=False)
    return variances_frame(tiers, setting), shown, reading


@pytest.mark.parametrize(
    ("name", "budgets", "rule"),
    [
        ("gaussian", [0.5, 2.0], "the part of the joint budget"),
        ("laplace", [0.5, 2.0], "the part of the joint budget"),
        ("skellam", [0.5, 2.0], "convolved privacy losses"),
        ("skellam", [0.5, 1.0, 1.5, 2.0, 2.5, 3.0], "adding ε and δ of all its releases"),
    ],
)
def test_the_claim_and_the_formulas_say_which_rule(name, budgets, rule):
    frame, shown, reading = asked(name, budgets)
    (claim,) = words.claims(frame, shown, reading)
    assert rule in claim.method
    assert (claim.kind == "exact") == (name in ("gaussian", "laplace"))
    formula = words.formula(frame, shown, reading)
    assert ("are convolved" in formula) == ("convolved" in rule)
    assert ("which is a bound" in formula) == ("adding" in rule)
    assert ("a quarter of the tier’s own budget" in formula) == (name != "skellam")


def test_the_part_shown_is_what_the_release_keeps_alone():
    frame, shown, _ = asked("skellam", [0.5, 2.0])
    row = of_scheme(frame, "independent").iloc[0]
    loss = guarantee_of(shown.setting.family).loss
    assert row[PART] == loss(row[LEVEL], shown.setting) < 0.5
