"""A noise family that nobody has accounted for is refused by name, never given a guessed number."""

from dataclasses import replace
from pathlib import Path

import pytest

from dpviz.accounting import half_width, level_for_half_width
from dpviz.errors import ParameterError
from dpviz.experiments.attack_tests import best_misses, best_success, moved_by
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import KINDS, Amount
from dpviz.planning.budgets import Setting, at_level, resolve
from dpviz.queries import Sensitivity

README = Path(__file__).resolve().parents[2] / "README.md"
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
COPIES = [replace(f, name="tulip", label="Tulip") for f in FAMILIES.values()]  # type: ignore[type-var]


@pytest.mark.parametrize("copy", COPIES, ids=lambda f: type(f).__name__)
def test_no_half_width_is_guessed(copy):
    """The copy of Gaussian noise got ±4.0 where ±3.92 is right."""
    with pytest.raises(ParameterError, match="tulip"):
        half_width(copy, 4.0, 0.95)
    with pytest.raises(ParameterError, match="tulip"):
        level_for_half_width(copy, 4.0, 0.95)


@pytest.mark.parametrize("copy", COPIES, ids=lambda f: type(f).__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_no_budget_has_a_level(copy, kind):
    setting = Setting(family=copy, delta=1e-6, sensitivity=ONE, dimension=3)
    amount = Amount(0.5, 1e-7 if "δ" in kind else None)
    with pytest.raises(ParameterError, match="Tulip noise is not offered"):
        resolve(kind, amount, setting)
    with pytest.raises(ParameterError, match="Tulip noise is not offered"):
        at_level(1.0, setting)


def test_no_attack_is_made_up():
    for ask in (
        lambda: moved_by("tulip", ONE),
        lambda: best_misses("tulip", [1.0], 1.0, [0.5]),
        lambda: best_success("tulip", [1.0], 1.0),
    ):
        with pytest.raises(ParameterError, match="tulip"):
            ask()


def test_nothing_promises_a_family_in_one_line():
    assert "one line" not in README.read_text(encoding="utf-8")
