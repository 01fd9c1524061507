"""Sentences about what is compared on paper: errors over the steps and the arity, the crossover.

Pure functions of what is shown.
"""

import math

import pandas as pd

from dpviz.accounting.counting_crossover import counting_crossover_log_delta
from dpviz.accounting.counting_gauss import (
    SEARCHED,
    Duel,
    duel,
    duel_at_rho,
    gaussian_crossovers,
    vertex_by_vertex,
)
from dpviz.accounting.prefix_sums import MOST_SEARCHED
from dpviz.charts.axes import probability
from dpviz.charts.counting.crossover import best_arity_of
from dpviz.charts.counting.errors import ARITY, BEST_GAUSS, ERROR, GAUSS, OUR_TREE, SCHEME
from dpviz.ui.continual_counting.example import Counting
from dpviz.ui.continual_counting.player import Paper
from dpviz.words import MINUS, budget, scientific, significant
from dpviz.words.markdown import literal


def deviations_reading(c: Counting, paper: Paper) -> str:
    """How to read the errors over the steps."""
    return (
        f"At {budget('ε', paper.tier.loss)}, {literal(paper.tier.name)}. Jagged: a step with "
        f"small digits carries little noise. Gauss, √: Gaussian noise on the square root of all "
        f"prefix sums, at the same ε and δ = {probability(paper.log_delta)}; it keeps all "
        f"{c.steps:,} numbers."
    )


def arities_reading(c: Counting, paper: Paper, arities: pd.DataFrame, base: pd.DataFrame) -> str:
    """Which arity is best for T, and against what."""
    mine = arities[arities[SCHEME] == OUR_TREE]
    best = mine.loc[mine[ERROR].idxmin()]
    errors = dict(zip(base[SCHEME], base[ERROR], strict=True))
    gauss = f"on the square root ({significant(errors[GAUSS])})"
    if BEST_GAUSS in errors:
        gauss += f" and on the best factorization ({significant(errors[BEST_GAUSS])})"
    return (
        f"For T = {steps_words(paper.steps)} the best tree has k = {int(best[ARITY])} branches: "
        f"an error of {significant(best[ERROR])} {literal(c.noun)}. The binary tree without "
        "subtraction, the same with Honaker’s estimate, and Gaussian noise at the same ε and δ = "
        f"{probability(paper.log_delta)} {gauss} have no k. 19 is best only as T grows without end."
    )


def steps_words(steps: int) -> str:
    """T as people write it."""
    return f"{steps:,}" if steps < 10**9 else scientific(float(steps), 3)


def crossover_reading(paper: Paper) -> str:
    """How to read the lines of δ*."""
    here = "Cross: your T and δ." if paper.steps >= 10 else "Your T lies left of the picture."
    left = "" if paper.tier.loss <= 1 else " The paper’s bounds hold for ε ≤ 1 only: left out."
    return (
        f"At {budget('ε', paper.tier.loss)}. Below the dotted line “every Gauss” Laplace noise on "
        "the best tree has a smaller error than Gaussian noise on any factorization. Below "
        "another line it has a smaller error than Gaussian noise on the square root, calibrated "
        f"as the line says. {here} Long dashes: δ = 1/T, as large as one would choose.{left}"
    )


def crossover_verdict(paper: Paper) -> str:
    """Who wins at one (ε, δ), at one ρ; where they change places; what the paper claims."""
    return "\n\n".join([_at_delta(paper), _at_rho(paper), _places(paper), *_as_stated(paper)])


def _at_delta(paper: Paper) -> str:
    """Who wins at the same (ε, δ): at the δ that was typed, and at 1/T."""
    t, epsilon = paper.steps, paper.tier.loss
    arity = best_arity_of(t)
    typed = duel(t, epsilon, paper.log_delta, arity=arity)
    at_one = duel(t, epsilon, -math.log(t), arity=arity)
    return (
        f"**Held fixed: ε = {significant(epsilon)} and δ = {probability(paper.log_delta)}, for one "
        f"stream (c = 1). {_winner(typed)}** {_errors(typed)} At δ = 1/T = "
        f"{probability(-math.log(t))}: {_winner(at_one)} {_errors(at_one)}"
    )


def _at_rho(paper: Paper) -> str:
    """Who wins at the same ρ."""
    t, rho = paper.steps, paper.tier.loss**2 / 2
    arity = best_arity_of(t)
    found = duel_at_rho(t, rho, arity=arity)
    why = "in which the plan is typed, and " if paper.in_rho else ""
    return (
        f"**Held fixed: ρ = {significant(rho)}, {why}which adds up over many releases. "
        f"{_winner(found)}** {_errors(found)} The tree keeps this ρ by its ε, as ε²/2; if ρ is "
        "added up over the blocks that hold one event, less noise keeps it, and the tree’s error "
        f"is {significant(vertex_by_vertex(t, rho, arity=arity), 4)}."
    )


def _winner(found: Duel) -> str:
    """Who wins, as far as it is proved."""
    if found.winner == "tree":
        return "Laplace wins, whatever the factorization of the Gaussian noise."
    if found.winner == "gauss":
        return "Gauss wins."
    return "Laplace beats the square root; whether another factorization beats the tree is open."


def _errors(found: Duel) -> str:
    """The errors with their names: proved least, reached, square root, tree."""
    bound, reached = found.gauss.bound, found.gauss.reached
    text = f"Root mean squared errors: Laplace noise on the tree {significant(found.tree, 4)}, "
    if reached.method == SEARCHED:
        text += f"Gaussian noise on the best factorization {significant(reached.value, 4)}, "
    text += f"on the square root {significant(found.root, 4)}"
    if reached.method == SEARCHED:
        return f"{text}."
    return f"{text}, on no factorization below {significant(bound.value, 4)}."


def _places(paper: Paper) -> str:
    """Where they change places: two δ*, with what is proved between them."""
    t, epsilon = paper.steps, paper.tier.loss
    arity = best_arity_of(t)
    both = gaussian_crossovers(t, epsilon, arity=arity)
    root = counting_crossover_log_delta(t, epsilon, arity=arity)
    costs = "The tree needs no δ and far less memory."
    if both.reached.method == SEARCHED:
        return (
            f"At this ε the tree and the best Gaussian factorization are equal at δ\\* = "
            f"{probability(both.bound.value)}: below it Laplace noise on the tree has the smaller "
            f"error. The square root falls behind the tree at {probability(root)} already. {costs}"
        )
    return (
        f"At this ε, below δ\\* = {probability(both.bound.value)} the tree has a smaller error "
        f"than Gaussian noise on any factorization; above δ\\* = {probability(root)} Gaussian "
        "noise on the square root has the smaller one. In between, which is smaller is not proved: "
        f"the best factorization is computed up to {MOST_SEARCHED:,} steps. {costs}"
    )


def _as_stated(paper: Paper) -> list[str]:
    """What the paper claims in the limit; and, apart from it, what its bounds give at this T."""
    t, epsilon = paper.steps, paper.tier.loss
    if epsilon > 1:
        return []
    arity = best_arity_of(t)
    loose = counting_crossover_log_delta(t, epsilon, arity=arity, gaussian="stated_exact")
    half = counting_crossover_log_delta(t, epsilon, arity=arity, gaussian="root_two")
    return [
        f"As T grows without end, the paper says, the tree wins below about T to the power of "
        f"{MINUS}0.92. It compares with a bound on Gaussian noise whose constant, by its own first "
        f"footnote, can plausibly be reduced; without a spare factor √2 in it the power is "
        f"{MINUS}1.83.",
        f"At your T, with the square root’s exact error, the constant as stated gives δ\\* = "
        f"{probability(loose)}; without the factor √2 it is {probability(half)}.",
    ]
