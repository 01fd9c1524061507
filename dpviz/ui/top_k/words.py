"""Sentences of the page Top-k: take-away, claims, how to read, and the footer; pure functions."""

import math
from dataclasses import replace
from itertools import pairwise

import pandas as pd

from dpviz.charts.top_k.frame import (
    FATE,
    FITTED,
    ITEM,
    MISSED,
    PLACE,
    VALUE,
    WRONG,
)
from dpviz.errors import ParameterError
from dpviz.experiments.top_k import Repetitions
from dpviz.top_k.choice import MECHANISMS, TRUNCATED, Choice
from dpviz.ui.top_k.scenes import REPETITIONS, average_missed
from dpviz.ui.top_k.view import Scene
from dpviz.words import budget, capitalised, join, loss_with_delta, significant
from dpviz.words import delta as written_delta
from dpviz.words.claims import Claim
from dpviz.words.grammar import numbered, uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace import account
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import right_of_epsilon
from dpviz.workspace.takeaways import counted, loss_words
from dpviz.workspace.workspace import Workspace

NOTHING = "Correct what is typed, and the noisy list will be drawn beside the true one."

LIMIT = 3  # items of one person, as a next step
MOST_NAMED = 2  # items of an example that a sentence names, of those missing


def outcomes(frame: pd.DataFrame) -> tuple[int, int]:
    """How many items the list misses, and how many it shows wrongly."""
    return int((frame[FATE] == MISSED).sum()), int((frame[FATE] == WRONG).sum())


def take_away(scene: Scene, frame: pd.DataFrame | None, made: Repetitions | None) -> str:
    """What the list finds, as one sentence or two."""
    things = literal(scene.things)
    if scene.found is None or frame is None:
        return _forecast(scene)
    shown = len(scene.found.items)
    if not shown:
        return (
            f"The list ended before its first item: about {_threshold(scene)} {scene.noun} must "
            f"have a {literal(scene.thing)} before it can be named. A limit on the items of one "
            f"{scene.nouns.one}, a public list or a larger ε lowers that."
        )
    if scene.counts is None:
        ended = ", then it ended" if scene.found.ended else ""
        return (
            f"The noisy list names {counted(shown)} {things}{ended}. It cost a privacy loss "
            f"bounded by {_cost(scene)}; what it misses stays hidden."
        )
    missed, wrong = outcomes(frame)
    average = ""
    if made is not None:
        mean, _ = average_missed(made)
        often = significant(mean, 1 if mean < 1 else 2)
        average = f" On average, such a list misses {often} of the {counted(scene.true_k)}."
    found = _found(scene.true_k, missed, wrong, things)
    if scene.own is None and 0 < missed == wrong <= MOST_NAMED:
        found = f"{_finds(scene.true_k, missed, things)}, but {_instead(frame)}"
    return f"With noise to protect each single {scene.nouns.one}, the list {found}.{average}"


def _finds(k: int, missed: int, things: str) -> str:
    """How many of the most common items a list finds that misses some."""
    some = counted(k - missed) if k > missed else "none"
    return f"finds {some} of the {counted(k)} most common {things}"


def _instead(frame: pd.DataFrame) -> str:
    """Which items took the places of which, by name."""
    shown, missing = (frame.loc[frame[FATE] == fate, ITEM].tolist() for fate in (WRONG, MISSED))
    takes = "takes the place" if len(shown) == 1 else "take the places"
    return literal(f"{join(shown)} {takes} of {join(missing)}")


def _found(k: int, missed: int, wrong: int, things: str) -> str:
    """What a list finds of the truly most common items, after "the list".

    >>> _found(10, 1, 0, "words"), _found(3, 0, 0, "words")
    ('finds nine of the ten most common words and misses one', 'finds all three most common words')
    """
    if not missed:
        return f"finds all {counted(k)} most common {things}"
    finds = _finds(k, missed, things)
    if not wrong:
        return f"{finds} and misses {counted(missed)}"
    if wrong == missed:
        place = "its place" if missed == 1 else "their places"
        return f"{finds}, misses {counted(missed)} and shows less common ones in {place}"
    return f"{finds}, misses {counted(missed)} and shows {counted(wrong)} that are less common"


def _forecast(scene: Scene) -> str:
    start = (
        f"No list has been drawn yet. A list of {scene.k:,} would cost a privacy loss bounded by "
    )
    if scene.choice.threshold is None:
        return f"{start}{_cost(scene)}; counts that are near each other may change places."
    return (
        f"{start}{_cost(scene)} and name only what about {_threshold(scene)} {scene.noun} or more "
        "have."
    )


def _cost(scene: Scene) -> str:
    return literal(loss_with_delta("ε", scene.list_cost.value, scene.list_delta))


def _threshold(scene: Scene) -> str:
    return f"{math.ceil(scene.choice.threshold or 0.0):,}"


def claims(
    scene: Scene | None, frame: pd.DataFrame | None, made: Repetitions | None
) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are true."""
    if scene is None:
        return ()
    choice, fixed = scene.choice, settings(scene)
    list_delta = written_delta(scene.list_delta)
    found = [
        Claim(
            what="privacy loss of the list and its counts"
            if scene.in_one
            else "privacy loss of the list",
            value=scene.list_cost.value,
            fixed=fixed if scene.in_one else f"{fixed}, δ = {list_delta} for the list",
            method=f"{scene.list_cost.method} (MATHEMATICS 5.3, 13.1, 13.4)",
            kind="at most",
        )
    ]
    if choice.threshold is not None:
        found.append(
            Claim(
                what="noisy count above which an item can be named",
                value=choice.threshold,
                unit=scene.noun,
                fixed=fixed,
                method="the sign that the list has ended, or the cut of the noise (MATHEMATICS "
                "13.2, 13.4)",
            )
        )
    if frame is None or scene.counts is None or not scene.found or not scene.found.items:
        return tuple(found)
    missed, wrong = outcomes(frame)
    compared = "the list compared with the exact counts, of equal ones in alphabetical order"
    found += [
        Claim(what="items missed by this list", value=missed, fixed=fixed, method=compared),
        Claim(what="items shown instead", value=wrong, fixed=fixed, method=compared),
    ]
    if made is not None:
        mean, error = average_missed(made)
        found.append(
            Claim(
                what="items missed on average",
                value=mean,
                fixed=fixed,
                method=f"{REPETITIONS} lists with fresh noise, which make it known to about "
                f"±{significant(2 * error, 2)} (MATHEMATICS 13.1, 13.2, 13.4)",
                kind="simulated",
            )
        )
    return tuple(found)


def settings(scene: Scene) -> str:
    """What is held fixed, in words."""
    reach = scene.asked.reach
    moved = "any number of counts" if reach.l0 is None else f"at most {reach.l0:,} counts"
    return (
        f"{scene.choice.mechanism}, {scene.k:,} items, ε = {significant(scene.asked.epsilon, 4)} "
        f"and δ = {written_delta(float(scene.asked.delta))} for list and counts, one "
        f"{scene.nouns.one} moves {moved} by at most {reach.linf:,}"
    )


def reading(scene: Scene, frame: pd.DataFrame) -> str:
    """How to read the two rankings, and why some noisy counts are equal."""
    if scene.counts is None:
        return (
            f"What the noisy list names, in its order. The true ranking is of real "
            f"{scene.nouns.many} "
            "and stays hidden."
        )
    if scene.found is None:
        return "The true ranking: not private. Draw the list to see what it finds."
    shared = ""
    if averaged(frame):
        shared = (
            " Equal counts in a row: their noisy counts contradicted the order of the list, so "
            "each shows their average."
        )
    return (
        f"Each line joins the same {literal(scene.thing)}. The numbers are counts of "
        f"{scene.noun}, on the right with noise.{shared}"
    )


def averaged(frame: pd.DataFrame) -> bool:
    """Whether the fit made the noisy counts of some neighbours on the list equal."""
    rows = frame[frame[PLACE] == frame[PLACE]].sort_values(PLACE).to_dict("records")
    return any(
        one[FITTED] == other[FITTED] > 0 and one[VALUE] < other[VALUE]
        for one, other in pairwise(rows)
    )


def alternative(scene: Scene, frame: pd.DataFrame) -> str:
    """The two rankings in words."""
    shown = len(scene.found.items) if scene.found else 0
    if scene.counts is None:
        listed = numbered(shown, "items")
        return f"The noisy list of {listed} in its order; the true ranking is hidden."
    missed, wrong = outcomes(frame)
    return (
        f"The {scene.true_k:,} truly most common {scene.things} beside the noisy list of "
        f"{shown:,}: {missed:,} missing, {wrong:,} shown instead."
    )


def table(scene: Scene) -> pd.DataFrame:
    """The four mechanisms at this budget: by domain and by what one person can have."""
    l0 = scene.asked.reach.l0
    one = scene.nouns.one
    bounded = f"a limit on the items of one {one}"
    if l0 is not None:
        bounded = f"one {one} has at most {l0:,} item" + ("" if l0 == 1 else "s")
    rows = []
    for known, domain in ((True, "public list of all items"), (False, "private list")):
        cells = _cells(scene, known)
        rows.append((domain, *(cells[MECHANISMS[known, few]] for few in (True, False))))
    return pd.DataFrame(rows, columns=["", bounded, "no limit"])


def _cells(scene: Scene, known: bool) -> dict[str, str]:
    """What each mechanism of one kind of domain would do, or why it cannot."""
    asked = scene.asked
    names = [name for (listed, _), name in MECHANISMS.items() if listed == known]
    try:
        best = replace(asked, known=known).choose()
    except ParameterError:
        return {name: f"{capitalised(name)}: does not fit these neighbours" for name in names}
    fits = {each.mechanism: each for each in (best, *best.others)}
    cells = {}
    for name in names:
        if name not in fits:
            why = "needs a limit" if asked.reach.l0 is None else "does not fit these neighbours"
            if name == TRUNCATED and not asked.whole:
                why = "not in hardened mode"
            cells[name] = f"{capitalised(name)}: {why}"
            continue
        used = name == scene.choice.mechanism
        cells[name] = ("▶ in use: " if used else "") + f"{capitalised(name)}: {harm(fits[name])}"
    return cells


def reason(scene: Scene) -> str:
    """Why the best mechanism is the best one, to follow a colon."""
    return uncapitalised(scene.best.reason)


def harm(choice: Choice) -> str:
    """What a mechanism does to a list, in a few words."""
    if choice.threshold is None:
        return f"order by noise of ±{significant(choice.spread, 2)}"
    return f"names what about {math.ceil(choice.threshold):,} or more have"


def cost(scene: Scene) -> str:
    """What list and counts cost."""
    right, what, after = right_of_epsilon(*_spent(scene)), "list and counts", ""
    if scene.in_one:
        what = "this release of list and counts"
    elif scene.own is not None:
        what = "the list"
        after = " Its counts cost what each tier may have; together, the largest of these."
    return (
        f"Somebody who guesses from {what} whether one {scene.nouns.one} is in the data is right "
        f"**{right.said} times in 1,000** (a coin: 500).{after}"
    )


def _spent(scene: Scene) -> tuple[float, float]:
    """ε and δ of list and counts; of the list alone where tiers get its counts later."""
    if scene.own is not None and not scene.in_one:
        return scene.list_cost.value, scene.list_delta
    return float(scene.asked.epsilon), float(scene.asked.delta)


def next_step(scene: Scene) -> str:
    """What a limit on the items of one person would change in this list; empty: nothing."""
    asked, least = scene.asked, scene.choice.threshold
    if asked.reach.l0 is not None or asked.known or least is None:
        return ""
    common = sorted((scene.counts or {}).values(), reverse=True)[: scene.true_k]
    short = sum(count < least for count in common)
    if not short:
        return ""
    other = replace(asked, reach=replace(asked.reach, l0=LIMIT)).choose()
    if other.threshold is None or other.threshold >= least:
        return ""
    return (
        f"The list can name only what about {_threshold(scene)} {scene.noun} or more have, and "
        f"{counted(short)} of the {counted(scene.true_k)} have fewer. With a limit of {LIMIT} "
        f"items for each {scene.nouns.one}, {math.ceil(other.threshold):,} are enough."
    )


def ledger(ws: Workspace) -> str:
    """What everything in the workspace costs so far."""
    if not ws.ledger:
        return "Nothing has been released in this workspace yet."
    units = account.by_unit(ws)
    if len(units) < 2:
        (loss,) = units.values() or (account.joint(ws),)
        return f"Everything released in this workspace so far: {loss_words(loss)}."
    each = [f"{loss_words(loss)} where {literal(unit)}" for unit, loss in units.items()]
    return f"Everything released in this workspace so far, unit by unit: {join(each)}."


def facts(scene: Scene | None) -> Facts:
    """The footer: for a column of the table, or for an example."""
    name, meant = _about(scene)[0]
    spent = ""
    if scene:
        loss, at = _spent(scene)
        spent = f"; here {budget('ε', loss)}" + f", δ = {significant(at)}" * bool(at)
    return ((name, meant + spent), *_about(scene)[1:])


def _about(scene: Scene | None) -> Facts:
    if scene is None or scene.own is None:
        told = scene.example.told if scene and scene.example else "nothing yet"
        reach = scene.asked.reach if scene else None
        moved = "any number of" if reach is None or reach.l0 is None else f"at most {reach.l0:,}"
        return footer(
            "(ε, δ)-DP",
            unit="one person",
            neighbours="add or remove one person",
            sensitivity=f"one person moves {moved} counts, each by at most 1",
            data=uncapitalised(told),
            symbols="Δ∞ = 1",
        )
    query, reach = scene.own.source.query, scene.asked.reach
    return footer(
        "(ε, δ)-DP",
        unit=query.bounds.unit,
        neighbours=query.bounds.neighbours,
        sensitivity=f"one {query.bounds.nouns.one} moves at most {reach.l0:,} counts, each by at "
        f"most {reach.linf:,}",
        data=f"{scene.own.source.table.described(query.columns)}; {query.statistic}",
        symbols=f"Δ∞ = {reach.linf:,}",
    )
