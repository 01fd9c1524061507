"""What the page Composition says: the totals, how to read each picture, and the footer."""

from collections.abc import Sequence

import pandas as pd

from dpviz.accounting.bounds import ANY_ORDER, EXACT, FIXED_ORDER, IN_ADVANCE, Bound
from dpviz.charts.axes import probability
from dpviz.charts.composition.bounds import FEW
from dpviz.charts.composition.orders import RATIO, TOTAL
from dpviz.ui.composition.controls import View
from dpviz.words import NO_BREAK, budget, capitalised, delta, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.grammar import uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace.composition import ANY, Part
from dpviz.workspace.composition_room import MOST_MORE
from dpviz.workspace.composition_totals import SUM, usable
from dpviz.workspace.facts import DEFINITION_WORDS, SYMBOLS, Facts
from dpviz.workspace.guesses import Right, right_of_epsilon
from dpviz.workspace.takeaways import counted

MOST_LISTED = 6  # questions that are named before the form is opened
NOTHING = "Say which answers are given, and this line will say what all of them cost together."
WRONG = "Correct what is typed, and this line will say what all answers cost together."
NO_EPSILON = (
    f"No answer of this sequence has an ordinary ε. Add one, such as “{ANY.name}” with ε = 0.1."
)
GRANTED = {
    ANY_ORDER: "each question, and its kind, may depend on the answers before it",
    FIXED_ORDER: "each question may depend on the answers before it, but not its kind",
    IN_ADVANCE: "no question depends on an answer",
}


def answers(count: int) -> str:
    """How many answers, in words.

    >>> answers(1), answers(20)
    ('one answer', '20 answers')
    """
    return "one answer" if count == 1 else f"{counted(count)} answers"


def these(count: int) -> str:
    """The answers of the sequence, in words.

    >>> these(1), these(2), these(20)
    ('one answer', 'both answers', 'all 20 answers')
    """
    named = {1: "one answer", 2: "both answers"}
    return named.get(count, f"all {answers(count)}")


def at_most(total: Bound, *, of: str = "") -> str:
    """A total as it is said: exact, or a bound that is not made smaller by being written.

    Args:
        total: what is said.
        of: before "at most", where the sentence wants it.
    """
    relation = f"{NO_BREAK}={NO_BREAK}" if total.kind == EXACT else f" {of}at most "
    return f"ε{relation}{_written(total)}"


def _written(total: Bound) -> str:
    return significant(rounded_up(total.value, FEW), FEW)


def gains(view: View) -> bool:
    """Whether all answers together cost less than their sum, as both are written."""
    return _written(view.best) != _written(view.added)


def at(view: View) -> str:
    """The δ of all answers together."""
    return f"δ{NO_BREAK}={NO_BREAK}{probability(view.log_delta)}"


def take_away(view: View | None, *, empty: bool = False) -> str:
    """What all answers cost together, and the total against the sum."""
    if view is None:
        return NOTHING if empty else WRONG
    every, together = capitalised(these(view.count)), "" if view.count == 1 else " together"
    if not gains(view):
        return literal(f"{every}{together} cost{_s(view)} {at_most(view.best)}.")
    what = "its budget says" if view.count == 1 else "their sum"
    return literal(
        f"{every}{together} cost{_s(view)} less privacy than {what}: a privacy loss "
        f"{at_most(view.best, of='of ')}, not {_written(view.added)}."
        f"{_so_fit(view)}"
    )


def _so_fit(view: View) -> str:
    """What the gain is good for: how many more answers fit, as a sentence; "" if none do."""
    found = view.room
    if view.limit is None or found is None or found.best <= max(found.added, 0):
        return ""
    return f" That leaves room for {uncapitalised(_at_least(found.best))}."


def _number(view: View) -> int:
    """Of the question that more answers are like."""
    return view.sequence.index(view.more) + 1


def _cancels(view: View) -> bool:
    """Whether several answers together allow fewer right guesses than one with their total."""
    return gains(view) and view.count > 1 and view.guesses.count < _alone(view).count


def _alone(view: View) -> Right:
    """What one answer with the whole total could allow."""
    return right_of_epsilon(view.best.value)


def _whole(part: Part) -> str:
    """The budget of a part, whose letter and number stay on one line; Markdown."""
    return literal(part.words).replace(" = ", f"{NO_BREAK}={NO_BREAK}")


def questions(asked: Sequence[Part], notes: Sequence[str]) -> str:
    """The first questions of the sequence in Markdown, each with its number, times and budget."""
    lines = [
        f"**{place}** {literal((note or capitalised(part.answer.name)).rstrip('.'))}: "
        f"{answers(part.count)} ({_whole(part)}{f'{NO_BREAK}each' * (part.count > 1)})."
        for place, (part, note) in enumerate(zip(asked, notes, strict=True), 1)
    ]
    more = len(lines) - MOST_LISTED
    rest = [f"… and {more:,} more"] if more > 0 else []
    return "  \n".join(lines[:MOST_LISTED] + rest)


def total(view: View) -> str:
    """What all answers cost together, and of how much, in few words."""
    of = "" if view.limit is None else f" of {significant(float(view.limit))}"
    return f"together {literal(at_most(view.best))}{of}"


def _s(view: View) -> str:
    return "s" if view.count == 1 else ""


def claims(view: View | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    if view is None:
        return ()
    fixed = f"these {answers(view.count)}, {at(view)}"
    assumes = f"{GRANTED[view.granted]}, and that each answer has fresh randomness"
    found = [
        Claim(
            what="total ε",
            value=view.best.value,
            fixed=fixed,
            method=f"“{view.best.name}”, {view.best.theorem}",
            assumes=assumes,
            kind="exact" if view.best.kind == EXACT else "at most",
        ),
    ]
    if gains(view):
        found.append(
            Claim(
                what="the sum",
                value=view.added.value,
                fixed=fixed,
                method=f"every ε added, {view.added.theorem}",
                kind="at most",
            )
        )
    if _so_fit(view) and view.room is not None and view.limit is not None:
        found.append(
            Claim(
                what="more answers that fit",
                value=view.room.best,
                fixed=f"{budget('ε', float(view.limit))} that may be spent, more answers like "
                f"question {_number(view)}, {fixed}",
                method="searched by the totals of longer sequences (MATHEMATICS 5.7, 5.9)",
                assumes=assumes,
                kind="at least",
            )
        )
    return tuple(found)


def two_named(view: View) -> dict[str, str]:
    """What the two bars of the main picture are called."""
    if view.count == 1:
        return {view.best.name: "One answer", SUM: "What its budget says"}
    return {view.best.name: f"{capitalised(these(view.count))} together", SUM: "Simply added"}


def two_reading(view: View) -> str:
    """Why the bars differ, and what an attacker makes of all answers."""
    source = "this answer" if view.count == 1 else "all answers"
    right = f"From {source}, {view.guesses.said} of 1,000 guesses about one person are right (a "
    if not _cancels(view):
        return f"{right}coin: 500)."
    return (
        "Simply adding assumes the worst of every answer at once; in fact, some evidence "
        f"cancels. {right}coin: 500), fewer than the {_alone(view).count:,} that a "
        f"single answer of ε = {_written(view.best)} could allow."
    )


def two_alt(view: View) -> str:
    """The two bars in words."""
    added = f"Simply added, {these(view.count)} cost ε at most {_written(view.added)}"
    return f"{added}; together, {at_most(view.best)}." if gains(view) else f"{added}."


def bounds_reading(view: View) -> str:
    """What the bars say."""
    text = f"{capitalised(counted(len(view.totals)))} proven ceilings of one total, at {at(view)}."
    if len(usable(view.totals, view.granted)) < len(view.totals):
        text += " Hollow: true only if the questions are chosen in advance."
    return text


def bounds_alt(view: View) -> str:
    """The bars in words."""
    listed = ", ".join(f"{t.name} {significant(t.value)}" for t in view.totals)
    return f"Bars of total ε, the tightest first: {listed}."


def room(view: View) -> str:
    """How many more answers fit under the total that may be spent."""
    found = view.room
    if view.limit is None or found is None:
        return "Type how much ε may be spent, to read here how many more answers fit."
    limit = literal(budget("ε", float(view.limit)))
    if found.best < 0:
        return (
            f"These answers may cost more than the {limit} that may be spent. Remove some, lower a "
            "budget, or allow more."
        )
    more = f"like {'that' if found.best == 1 else 'those'} to question {_number(view)}"
    fit = "fits" if found.best == 1 else "fit"
    simply = "not even these" if found.added < 0 else _many(found.added)
    return (
        f"**{_at_least(found.best)}** {more} {fit} under {limit}{_each(view)}. Simply added, "
        f"{simply} would."
    )


def _each(view: View) -> str:
    """What each of the answers that still fit adds to the total, if counting together gains."""
    found = view.room
    if found is None or view.limit is None or not max(found.added, 1) < found.best < MOST_MORE:
        return ""
    left = (float(view.limit) - view.best.value) / found.best
    return f": on average, each adds at most {significant(rounded_up(left, 2), 2)}"


def _at_least(more: int) -> str:
    return f"At least {more:,} more answer{'s' * (more > 1)}" if more else "Perhaps no more answers"


def _many(more: int) -> str:
    return "none" if more == 0 else f"{'at least ' if more == MOST_MORE else ''}{more:,}"


def orders_reading(epsilon: float, frame: pd.DataFrame) -> str:
    """What the order of three answers changes."""
    peak = frame.iloc[int(frame[RATIO].to_numpy().argmax())]
    return (
        f"Three answers of {budget('ε', epsilon)}, two of them the best of a list, chosen one by "
        f"one. Asking the other one first is worst: δ is up to {significant(peak[RATIO], 6)} "
        f"times as large (at a total of {budget('ε', peak[TOTAL])}), exactly. Between or last "
        f"makes no difference, and from a total of {budget('ε', epsilon)} on no order does."
    )


def orders_alt(frame: pd.DataFrame) -> str:
    """The ratio in words."""
    ratio = frame[RATIO]
    return (
        f"A line that begins at {significant(ratio.iloc[0], 6)}, rises to at most "
        f"{significant(ratio.max(), 6)} and falls to 1, where the order no longer matters."
    )


def table(view: View, frame: pd.DataFrame) -> pd.DataFrame:
    """The bars as a table, its numbers rounded up."""
    return pd.DataFrame(
        {
            "answers": "; ".join(
                f"{p.count:,} × {p.answer.name}, {p.words}" for p in view.sequence
            ),
            "bound": [str(name) for name in frame["bound"]],
            "total ε": [f"{rounded_up(value, 6):.6g}" for value in frame["epsilon"]],
            "δ": delta(float(view.delta)),
            "it is": [str(kind) for kind in frame["kind"]],
            "what may depend on earlier answers": [GRANTED[each] for each in frame["assumes"]],
            "theorem": [str(reason) for reason in frame["reason"]],
        }
    )


def facts(footer: Facts, view: View | None) -> Facts:
    """The footer's fields for this page: answers of any kind meet in (ε, δ)."""
    here = f"; here {at(view)}" if view else ""
    named = {name: text for name, text in footer if name != SYMBOLS} | {
        "Definition": DEFINITION_WORDS["(ε, δ)-DP"] + here,
        "Unit": "one person, as each answer counts them",
        "Neighbours": "two tables that differ in one person",
        "Sensitivity": "that of each answer, which is part of its budget",
        "Data": "none: only budgets, which are public",
    }
    return tuple(named.items())
