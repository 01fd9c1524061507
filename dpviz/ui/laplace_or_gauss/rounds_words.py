"""What the page Laplace or Gauss says of counts that are released again and again."""

import math

import pandas as pd

from dpviz.charts.axes import probability
from dpviz.charts.crossover import moved_rounds as by_groups
from dpviz.charts.crossover import rounds
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.ui.laplace_or_gauss.words import bullets
from dpviz.words import budget, significant
from dpviz.workspace.takeaways import counted


def rounds_reading(view: View, exact: int | None, most: int) -> str:
    """What the lines over the rounds say; `exact`: from how many on Gaussian noise costs less."""
    q = view.question
    if exact is None:
        now = f"In {most:,} rounds Laplace noise costs less"
    elif exact == 1:
        now = "Gaussian noise costs less at any number of rounds"
    else:
        now = f"From {counted(exact)} rounds on Gaussian noise costs less"
    return (
        f"{now}. Both kinds are as large as pure Laplace noise for {budget('ε', q.epsilon)} in one "
        f"round; δ = {probability(q.log_delta)} covers all rounds."
    )


def rounds_lines(view: View, loose: int | None, most: int) -> str:
    """The lines over the rounds, one by one; Markdown.

    Args:
        view: what is compared.
        loose: from how many rounds on Gaussian noise costs less in the loose way.
        most: rounds that are drawn.
    """
    then = f"Laplace noise would cost less in {most:,} rounds"
    if loose is not None:
        rounds_ = f"{counted(loose)} round{'s' if loose > 1 else ''}"
        then = f"Gaussian noise would cost less from {rounds_} on"
    lines = [
        "Solid: exact. k rounds of Gaussian noise are again one Gaussian release, of sensitivity "
        "√k·Δ₂; the losses of Laplace noise are added up.",
        "Dashed: upper bounds, those of Figure 5 of Cesar and Rogers, arXiv:2004.07223. Laplace "
        "noise is composed as any noise that keeps ε alone, and each Gaussian round’s (ε, δ) as "
        f"if it were any private mechanism. By the dashed Gaussian line {then}.",
        "Dotted: an upper bound, too: Gaussian noise by zCDP.",
        "Lossless releases of one statistic need no rounds at all: together they cost the largest.",
    ]
    if rounds.laplace_line(view.question) != rounds.ROUNDS_LAPLACE:
        lines[0] = (
            "Solid: exact. k rounds of Gaussian noise are again one Gaussian release, of "
            "sensitivity √k·Δ₂. Laplace noise is compared by its upper bound: its exact ε is not "
            "known."
        )
    return bullets(lines)


def groups_sentence(first: int | None, *, exact: bool) -> str:
    """From how many coordinates in all Gaussian noise costs less.

    >>> groups_sentence(8, exact=True)
    'From 8 coordinates in all (groups × rounds) Gaussian noise costs less; below, Laplace noise.'
    """
    if first is None:
        most = f"{by_groups.MOST**2:,}"
        return f"Up to {most} coordinates in all (groups × rounds) Laplace noise costs less."
    if first == 1:
        return "Gaussian noise costs less for any number of groups and rounds."
    text = f"From {first:,} coordinates in all (groups × rounds) Gaussian noise costs less"
    if not exact:
        return f"{text} than the upper bound of Laplace noise, whose exact cost is not known here."
    return f"{text}; below, Laplace noise."


def groups_reading(first: int | None, *, exact: bool) -> str:
    """What to notice in the picture of groups and rounds."""
    return f"{groups_sentence(first, exact=exact)} Dotted: your query."


def groups_lines(view: View, frame: pd.DataFrame, first: int | None, *, exact: bool) -> str:
    """What is held fixed in it, and what its border and its crosses are; Markdown."""
    q = view.question
    lines = [
        f"Both kinds have the standard deviation {significant(q.l1 / q.epsilon * math.sqrt(2))} "
        f"{view.noun}, and δ = {probability(q.log_delta)} holds for all rounds together."
    ]
    if first:
        kind = "exact" if exact else "by the bound of Lemma 6.2 for Laplace noise"
        lines.append(f"The border is {kind}: the costs depend on groups × rounds alone.")
    if wrong := int(by_groups.turned(frame).sum()):
        lines.append(
            f"Crosses: at {wrong} of the {len(frame)} marked points the loose way of the paper’s "
            "Figure 5 names Laplace noise instead."
        )
    return bullets(lines)
