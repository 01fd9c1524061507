"""What the page Composition says: the totals, how to read each picture, and the footer."""

import math

from dpviz.charts.axes import probability
from dpviz.parameters import exact
from dpviz.ui.composition.controls import View
from dpviz.words import NO_BREAK, NARROW, budget, percent, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.composition import Part
from dpviz.workspace.composition_totals import ADDED, Room, Total
from dpviz.workspace.facts import DEFINITION_WORDS, Facts
from dpviz.workspace.takeaways import counted

NOTHING = (
    "Say on the right which answers are given, and this line will say what all of them cost "
    "together."
)
COIN = "a coin: 500"
ATTACK = "whether one person is in the table"


def answers(count: int) -> str:
    """How many answers, in words.

    >>> answers(1), answers(20)
    ('one answer', '20 answers')
    """
    return "one answer" if count == 1 else f"{counted(count)} answers"


def at_most(total: Total) -> str:
    """A total as it is said: exact, or a bound that is not made smaller by being written."""
    if total.exact:
        return budget("ε", total.epsilon)
    return f"at most {budget('ε', rounded_up(total.epsilon, 3))}"


def guesses(view: View) -> int:
    """Right guesses of 1,000, rounded up."""
    return min(1000, math.ceil(view.guesses - 1e-9))


def take_away(view: View | None) -> str:
    """What an attacker gains from all answers, and the total against the sum."""
    if view is None:
        return NOTHING
    best, added = view.best, view.total(ADDED)
    after = "After one answer" if view.count == 1 else f"After all {answers(view.count)}"
    harm = (
        f"{after}, an attacker guesses {ATTACK} right at most {guesses(view):,} times in 1,000 "
        f"({COIN})."
    )
    cost = f"Together they cost {at_most(best)} at δ{NO_BREAK}={NO_BREAK}{at(view)}"
    if best.epsilon < added.epsilon:
        cost += f", not {significant(added.epsilon)}, the sum"
    return f"{harm} {literal(cost)}."


def at(view: View) -> str:
    """The δ of all answers together."""
    return probability(view.log_delta)


def claims(view: View | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    if view is None:
        return ()
    best, added = view.best, view.total(ADDED)
    asked = "later questions may depend on earlier answers" if view.seen else (
        "all questions are fixed in advance"
    )
    fresh = "each answer has randomness of its own"
    found = [
        Claim(
            what="right guesses of 1,000",
            value=view.guesses,
            fixed=f"the {answers(view.count)} on the right; in the table or not equally likely",
            method="500 (1 + δ at ε = 0), the best test there is (MATHEMATICS 5.6); "
            + view.guessed_by,
            assumes=f"{asked}, and {fresh}",
            kind="at most",
        ),
        Claim(
            what="total ε",
            value=best.epsilon,
            fixed=f"the {answers(view.count)} on the right, δ = {at(view)}",
            method=best.method,
            assumes=f"{asked}, and {fresh}",
            kind="exact" if best.exact else "at most",
        ),
    ]
    if best.epsilon < added.epsilon:
        found.append(
            Claim(
                what="the sum",
                value=added.epsilon,
                fixed=f"the {answers(view.count)} on the right, δ = {at(view)}",
                method=added.method,
                kind="at most",
            )
        )
    return tuple(found)


def bounds_reading(view: View) -> str:
    """What the bars say."""
    text = (
        "Each bar is a true upper bound for the same answers; the shorter it is, the more you "
        "know."
    )
    if any(not total.holds(seen=view.seen) for total in view.totals):
        text += " Hollow: true only if no question depends on an earlier answer."
    return text


def bounds_alt(view: View) -> str:
    """The bars in words."""
    listed = ", ".join(f"{t.name} {significant(t.epsilon)}" for t in view.totals)
    return f"Bars of total ε, the tightest first: {listed}."[:200]


def room(view: View, found: Room | None) -> str:
    """How many more answers fit under the total that may be spent."""
    if view.limit is None or found is None:
        return "Type a total ε on the right, and this line will say how many more answers fit."
    like = f"{_like(view.more)}"
    limit = budget("ε", view.limit)
    if found.best < 0:
        return (
            f"These answers may cost more than {limit} already: remove some, or spend more "
            "on the right."
        )
    simply = "not even these fit" if found.added < 0 else f"{_many(found.added)} would"
    return (
        f"Under a total of {limit}, **{_many(found.best)} more** like {like} "
        f"{'fits' if found.best == 1 else 'fit'}. If budgets are simply added, {simply}."
    )


def _many(more: int) -> str:
    if more >= Room.MOST:
        return f"at least {Room.MOST:,}"
    return "none" if more == 0 else f"{more:,}"


def _like(part: Part) -> str:
    return f"“{literal(part.answer.name)}” with {literal(part.words)}"


def losses_reading(view: View) -> str:
    """What the strips say."""
    beyond = percent(math.exp(view.log_delta))
    return (
        "Every answer is a little evidence for or against the person; evidence adds up and partly "
        f"cancels, so the sum {significant(view.total(ADDED).epsilon)} is all but impossible. "
        f"Beyond the dotted line lies next to nothing: δ = {beyond} covers it."
    )


def losses_alt(stages: int) -> str:
    """The strips in words."""
    return (
        f"{stages} strips of bars: how likely each privacy loss is after each question. The strips "
        "widen downwards, but far less than the sum of all ε."
    )


def orders_sentence(epsilon: float, ratio: float, total: float) -> str:
    """What the order of three answers changes."""
    return (
        f"Three answers of ε = {significant(epsilon)} each, two of them the best of a list. Asking "
        "for the other one first is the worst order, because both choices can then react to it: "
        f"δ is up to {significant(ratio, 6)} times as large, at a total ε of "
        f"{significant(total)}. Asked between or after them it makes no difference, and from a "
        f"total of ε = {significant(epsilon)} on all orders cost the same."
    )


def facts(view: View | None, footer: Facts) -> Facts:
    """The footer's fields for this page: answers of any kind meet in (ε, δ)."""
    return tuple(
        (
            dict(footer)
            | {
                "Definition": DEFINITION_WORDS["(ε, δ)-DP"],
                "Unit": "one person, as each answer counts them",
                "Neighbours": "two tables that differ by that person",
                "Sensitivity": "each answer’s own: it is part of its budget",
                "Data": "none: budgets alone, which are public",
            }
        ).items()
    )
