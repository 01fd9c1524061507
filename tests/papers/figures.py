"""Every figure of the papers that shows numbers, by the figures that the pages show."""

import math
from collections.abc import Iterator

import plotly.graph_objects as go

from dpviz import streams
from dpviz.accounting.counting_crossover import duel, duel_at_rho, vertex_by_vertex
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.charts import theme
from dpviz.charts.variances import figure_2
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import simulate_variances
from dpviz.noise import ADDITIVE
from dpviz.scenes.variances import measured, variances
from tests.papers.chart import paper_chart
from tests.papers.claims import APT24, BCT20, DRAWS, ENDS, KHP15, LMR25, SEED
from tests.papers.composition import FIGURES, SIMULATED
from tests.papers.counting import (
    arities_chart,
    arities_frame,
    baselines_frame,
    counting_crossover_chart,
    crossover_frame,
)
from tests.papers.frames import SETTING, list_frame, paper_frame
from tests.papers.gradual import SAID, gradual_paper_chart, gradual_paper_frame
from tests.papers.gradual import SETTING as GRADUAL_SETTING

STEPS, EPSILON, LOG_DELTA = 10**6, 1.0, math.log(1e-6)  # of the streams
HOURS = 1008
WINNERS = {"tree": "the tree wins", "gauss": "Gaussian noise wins", None: "who wins is open"}
Shown = tuple[str, str, str, go.Figure]  # paper, name, what to know, picture


def shown() -> Iterator[Shown]:
    """All of them, as they are made."""
    for figure in (*_multiple_release(), *_gradual(), *_counting(), *_composition()):
        yield *figure[:3], theme.dress(figure[3], "light")


def _multiple_release() -> Iterator[Shown]:
    for count in (2, 10, 30):
        budgets = [float(rho) for rho in spaced_budgets(*ENDS, count)]
        frame = variances(budgets, ONE_NUMBER)
        levels, separate = (
            frame[frame["scheme"] == scheme]["level"].to_numpy()
            for scheme in ("lossless", "splitting")
        )
        *_, last = simulate_variances(
            ADDITIVE["gaussian"], levels, separate, DRAWS, rng=streams.teaching(SEED, count)
        )
        yield (
            LMR25,
            f"Figure 2, m = {count}",
            f"Lines: formulas. Marks: measured on {DRAWS:,} draws, seed {SEED}. Budgets from "
            "ρ = 0.001 to 5, spaced by equal factors, as the caption says.",
            figure_2(
                frame, measured(frame, "splitting", last, ONE_NUMBER), compared="splitting"
            ).figure,
        )


def _gradual() -> Iterator[Shown]:
    for number, said in SAID.items():
        frame = gradual_paper_frame(number, rng=streams.teaching(SEED, number))
        yield (
            KHP15,
            f"{said.name or f'Figure {number}'}: {said.title}",
            f"{said.says} Settings, which are ours: {GRADUAL_SETTING[number]}.",
            gradual_paper_chart(frame, across=said.across, up=said.up),
        )


def _counting() -> Iterator[Shown]:
    laplace = ADDITIVE["laplace"]
    frame = arities_frame(STEPS, EPSILON, sensitivity=1.0, family=laplace)
    others = baselines_frame(STEPS, EPSILON, LOG_DELTA, sensitivity=1.0, family=laplace)
    yield (
        APT24,
        "Corollary 4.9: which arity",
        f"Exact errors of {STEPS:,} steps at ε = 1, with and without subtraction.",
        arities_chart(frame, others, noun="events"),
    )
    yield (
        APT24,
        "Theorem 1.2: where Laplace noise is the better one",
        "Below a line the tree with Laplace noise has the smaller error than the Gaussian noise "
        f"that the line is named after. ε = 1. {_duels()}",
        counting_crossover_chart(
            crossover_frame(EPSILON), here=(math.log10(STEPS), LOG_DELTA / math.log(10))
        ),
    )


def _duels() -> str:
    """Who has the smaller error on a stream of six weeks, with δ or with ρ held fixed."""
    told = []
    rho = EPSILON**2 / 2
    for fixed, found in (
        ("ε = 1 and δ = 10⁻⁶", duel(HOURS, EPSILON, LOG_DELTA)),
        (f"ρ = {rho:g}", duel_at_rho(HOURS, rho)),
    ):
        errors = f"{found.tree:.2f} on the tree, {found.gauss.reached.value:.2f} by the best"
        told.append(
            f"At {fixed}, {HOURS:,} steps: {errors} Gaussian noise, {found.root:.2f} by the square "
            f"root; {WINNERS[found.winner]}."
        )
    counted = vertex_by_vertex(HOURS, rho)
    return f"{' '.join(told)} With its ρ added up over the vertices, the tree has {counted:.2f}."


def _composition() -> Iterator[Shown]:
    for number, said in FIGURES.items():
        frame = (
            list_frame(rng=streams.teaching(SEED, SIMULATED))
            if number == SIMULATED
            else paper_frame(number)
        )
        yield (
            BCT20,
            f"Figure {number}: {said.title}",
            f"{said.says} Settings, which are ours: {SETTING[number]}.",
            paper_chart(frame, across=said.across, up=said.up),
        )
