"""Sentences about what is compared on paper: errors over the steps and the arity, the crossover.

Pure functions of what is shown.
"""

import math

import pandas as pd

from dpviz.accounting.counting_crossover import (
    counting_crossover_log_delta,
    square_root_error,
)
from dpviz.accounting.tree_errors import tree_error
from dpviz.charts.axes import probability
from dpviz.charts.counting.crossover import best_arity_of
from dpviz.charts.counting.errors import ARITY, ERROR, GAUSS, OUR_TREE, SCHEME
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
    gauss = float(base[base[SCHEME] == GAUSS][ERROR].iloc[0])
    return (
        f"For T = {steps_words(paper.steps)} the best tree has k = {int(best[ARITY])} branches: "
        f"an error of {significant(best[ERROR])} {literal(c.noun)}. The binary tree without "
        "subtraction, the same with Honaker’s estimate, and Gaussian noise at δ = "
        f"{probability(paper.log_delta)} ({significant(gauss)}) have no k. 19 is best only as T "
        "grows without end."
    )


def steps_words(steps: int) -> str:
    """T as people write it."""
    return f"{steps:,}" if steps < 10**9 else scientific(float(steps), 3)


def crossover_reading(paper: Paper) -> str:
    """How to read the lines of δ*."""
    here = "Cross: your T and δ." if paper.steps >= 10 else "Your T lies left of the picture."
    left = "" if paper.tier.loss <= 1 else " The paper’s bounds hold for ε ≤ 1 only: left out."
    return (
        f"At {budget('ε', paper.tier.loss)}. Below a line Laplace noise on the best tree has "
        "the smaller error, above it Gaussian noise, calibrated as the line says. "
        f"{here} Long dashes: δ = 1/T, as large as one would choose.{left}"
    )


def crossover_verdict(paper: Paper) -> str:
    """The honest conclusion for T and ε."""
    t, epsilon = paper.steps, paper.tier.loss
    arity = best_arity_of(t)
    star = counting_crossover_log_delta(t, epsilon, arity=arity).value
    at_one = -math.log(t)
    tree = math.sqrt(tree_error(t, arity, epsilon).value)
    gauss = math.sqrt(square_root_error(t, epsilon, at_one).value)
    winner = "Gauss" if gauss < tree else "Laplace"
    text = (
        f"**At δ = 1/T = {probability(at_one)} {winner} wins**: the Gaussian noise that is just "
        f"large enough has an error of {significant(gauss)}, Laplace noise on the tree of "
        f"{significant(tree)} (for c = 1). They are equal at δ\\* = {probability(star)}; below it "
        "the tree is more exact, and it needs no δ and far less memory."
    )
    if epsilon <= 1:
        loose = counting_crossover_log_delta(t, epsilon, arity=arity, gaussian="stated_exact").value
        half = counting_crossover_log_delta(t, epsilon, arity=arity, gaussian="root_two").value
        text += (
            f" The paper says that the tree wins below about T to the power of {MINUS}0.92, here "
            f"δ\\* = {probability(loose)}: it compares with a bound that takes more Gaussian noise "
            f"than is needed. Without a spare factor √2 in that bound δ\\* is {probability(half)}, "
            f"and the exponent 1.83 in place of 0.92."
        )
    return text
