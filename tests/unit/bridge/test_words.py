"""Sentences of the Bridge paths page: every number in them is the law's, no hidden one is named."""

import contextlib
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.charts.bridge.steps import order_steps
from dpviz.noise import FAMILIES
from dpviz.parameters import exact
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import resolve
from dpviz.planning.cast import ILL, amounts
from dpviz.ui.bridge_paths import formulas, words
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import Example, example_scene, new_style
from dpviz.ui.bridge_paths.steps import ASKED, BACKWARDS, FALLING, RISING, ordered, verdict
from dpviz.words import between, percent


def opened(family, at=None, **changed):
    """The example of a family with the slider where it opens, or at a budget."""
    shown = example_scene(Example(family))
    shown = replace(shown, held=replace(shown.held, **changed))
    letter = guarantee_of(FAMILIES[family]).letter
    at = at or shown.opens
    asked = Asked(amount=at, budget=resolve(letter, Amount(exact(float(at))), shown.setting))
    return shown, asked, shown.held.law(asked.budget.level)


def opened_again(one, at):
    """The example as it stands, with the slider at a budget."""
    shown = example_scene(one)
    letter = guarantee_of(shown.held.family).letter
    asked = Asked(amount=at, budget=resolve(letter, Amount(exact(float(at))), shown.setting))
    return shown, asked, shown.held.law(asked.budget.level)


@pytest.mark.parametrize("family", offered())
def test_the_sentence_and_the_code_say_the_numbers_of_the_law(family):
    shown, asked, law = opened(family)
    said = words.take_away(shown, asked, law)
    if law.atoms:
        assert said.startswith("Yes. The council gets exactly ")
        assert all(percent(chance) in said for _, chance in law.atoms)
    else:
        assert said.startswith("Yes. The council’s new number is made from research’s ")
        assert said.endswith(" and a little new noise. Nobody looks at the data again.")
        low, _, high = words.interval(law, shown, asked.budget.level)
        falls = between(low, high)
        assert f"falls within {falls}." in words.alternative(shown, asked, law)
        assert falls not in said
        assert "±" not in said  # a second range beside that of the picture
        assert (
            "±: 95 times in 100 a number is at most this far from the exact one."
            in words.reading(shown, asked, law, whole=False)
        )
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(formulas.code(shown, asked, law), names)
    assert np.allclose(names["interval"], words.interval(law, shown, asked.budget.level))
    assert words.alternative(shown, asked, law).startswith("Pinned releases")


def test_the_staircase_says_what_the_noise_added_and_its_code_leaves_the_mean_in():
    shown, asked, law = opened("poisson", raw=True)
    added = shown.held.family.mean(asked.budget.level)
    said = words.take_away(shown, asked, law)
    assert f"Once {added:.0f} is subtracted, which the noise adds on average" in said
    assert "family.mean" not in formulas.code(shown, asked, law)


@pytest.mark.parametrize("family", offered())
def test_nothing_is_said_of_a_law_that_uses_a_hidden_number(family):
    shown, asked, law = opened(family, at="2.9", exact=None)
    assert law is None
    parts = (
        words.take_away(shown, asked, law),
        formulas.formula(shown, asked, law),
        formulas.code(shown, asked, law),
        words.alternative(shown, asked, law),
    )
    assert parts[0].startswith("Not this sharp. ")
    assert all(f" {ILL} " not in part and f"= {ILL}" not in part for part in parts)


@pytest.mark.parametrize("family", offered())
def test_a_held_level_says_who_holds_it(family):
    amount = amounts(guarantee_of(FAMILIES[family]).letter)["research"]
    shown, asked, law = opened(family, at=amount)
    assert law is None
    assert words.take_away(shown, asked, law).startswith("Research’s number is ")
    pin = shown.held.at(asked.budget.level)
    assert pin.tier == "research"
    value = shown.held.read(np.array([pin.value]), pin.level)[0]
    said = re.search(r"number is ([\d.]+)", words.take_away(shown, asked, law))
    assert float(said[1]) == pytest.approx(value, abs=0.5)
    assert "data" not in words.take_away(shown, asked, law)  # it was the first to be drawn


def test_beyond_the_noisiest_a_draw_is_more_noise_on_its_number():
    shown, asked, law = opened("gaussian", at="0.04")
    said = words.take_away(shown, asked, law)
    assert said.startswith("Yes. The council’s new number is the public’s 309.6 with more noise")
    assert said.endswith("Nobody looks at the data again.")


def test_only_the_newest_number_says_what_it_was_made_from():
    """Audit asked last of three, above all others: its number was made from the exact one."""
    shown, asked, law = opened("gaussian", at="0.4")
    said = words.take_away(shown, asked, law)
    assert ", made from the exact one, research’s 312.5 and a little new noise." in said
    assert "Nobody looked" not in said
    shown.draw("0.15", True)
    shown, asked, law = opened_again(shown.example, "0.15")
    said = words.take_away(shown, asked, law)
    assert said.startswith("The council’s number is ")
    assert said.endswith("and a little new noise. Nobody looked at the data again.")
    shown, asked, law = opened_again(shown.example, "0.4")
    assert "made from" not in words.take_away(shown, asked, law)


def test_orders_and_their_verdict():
    levels = [4.0, 1.0, 2.0]
    assert [ordered(levels, o) for o in (ASKED, BACKWARDS, RISING, FALLING)] == [
        [4.0, 1.0, 2.0],
        [2.0, 1.0, 4.0],
        [1.0, 2.0, 4.0],
        [4.0, 2.0, 1.0],
    ]
    shown, _, _ = opened("gaussian")
    first = order_steps(shown.held, shown.order)
    second = order_steps(shown.held, shown.order[::-1])
    assert "nobody can tell" in verdict(first, second)
    told = re.findall(r"= (\S+?)[,.](?= )", verdict(first, second))
    assert len(told) == 2
    assert told[0] == told[1]
    hidden = replace(shown.held, exact=None)
    assert "Likelihood" not in verdict(
        order_steps(hidden, shown.order), order_steps(hidden, shown.order[::-1])
    )


def test_a_new_tier_keeps_the_look_that_it_had_while_it_was_not_drawn_yet():
    made_up = Example("gaussian")
    before = dict(made_up.styles)
    expected = new_style(made_up.styles, "press")
    made_up.draw("press", "0.15")
    assert made_up.styles == before | {"press": expected}
