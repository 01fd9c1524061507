"""The settings over which every number of a page is computed again, and oracles of the noise.

Families × modes × relations × ℓ₀ × statistics of several tables. The oracles know scipy's laws and
how far a person moves each number, and nothing of how the library accounts for it.
"""

import itertools
import math
from functools import cache

import numpy as np
from scipy import stats
from scipy.signal import fftconvolve

from dpviz.accounting.guarantees import offered
from dpviz.data import SAMPLES, read_csv
from dpviz.data.samples import load
from dpviz.noise import FAMILIES
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests.conftest import FULL

WARDS = tuple("ABCDEFGHIJKL")
BY = ByColumn("ward", WARDS)
HEAD = "who,ward,n\n"
OTHERS = "".join(f"p{i % 5},{WARDS[i % 12]},{i % 4}\n" for i in range(30))
FIRST = "".join(f"x,{ward},3\n" for ward in WARDS[:6])
READY_SAMPLES = dict(zip(("survey", "visits", "words"), SAMPLES.values(), strict=True))
RELATIONS, MOST_GROUPS = ("add/remove", "replace"), (1, 5)
QUERIES = {
    "count": lambda bounds: Count(BY, bounds),
    "sum": lambda bounds: BoundedSum("n", 0, 3, BY, bounds, step=1),
}
NOISE = [  # of each mode
    (family, mode)
    for family in offered()
    for mode in ("teaching", "hardened")
    if mode == "teaching" or FAMILIES[family].integer
]
OWN = list(itertools.product(NOISE, RELATIONS, MOST_GROUPS, QUERIES))
READY = list(itertools.product(NOISE, RELATIONS, MOST_GROUPS, READY_SAMPLES))
GRID = OWN + READY
LAWS = {  # scipy's own, at a level
    "gaussian": lambda level: stats.norm(scale=math.sqrt(level)),
    "laplace": lambda level: stats.laplace(scale=level),
    "discrete_laplace": lambda level: stats.dlaplace(1 / level),
    "poisson": lambda level: stats.poisson(level),
    "skellam": lambda level: stats.skellam(level, level),
}
PLAN = (("public", "0.5"), ("audit", "2"))  # ε
GRAIN = 1e-4  # of privacy losses, in nats


def in_quick(grid, count):
    """All settings in the full run; in the quick one this many of them, as unlike as they are."""
    return grid if FULL else grid[:: len(grid) // count][:count]


@cache
def table_of(statistic):
    """The table of a statistic, read once."""
    if statistic in READY_SAMPLES:
        return load(READY_SAMPLES[statistic])
    return read_csv((HEAD + OTHERS + FIRST).encode(), name="x.csv")


def query_of(statistic, relation, groups):
    """What is counted, or added up, within which bounds."""
    if statistic in QUERIES:
        return QUERIES[statistic](Bounds("who", groups, 1, relation))
    sample = READY_SAMPLES[statistic]
    by = ByColumn(sample.column, sample.groups[sample.column])
    return Count(by, Bounds(sample.person, groups, 1, relation))


def workspace_of(noise, relation, groups, statistic, plan=PLAN):
    """A workspace whose statistic, noise, mode and plan are these."""
    table, sample = table_of(statistic), READY_SAMPLES.get(statistic)
    loading = sample.loading if sample else ""
    asked = Statistic(table, query_of(statistic, relation, groups), loading)
    ws = Workspace(table, loading, asked)
    ws.use(asked)
    ws.family_name, mode = noise
    ws.use_mode(mode)
    ws.use_tiers([{"tier": name, "budget": a, "as": "ε", "note": ""} for name, a in plan])
    return ws


def chance_within(law, distance, mean):
    """P(|noise - mean| <= distance)."""
    inside = law.cdf(mean + distance) - law.cdf(mean - distance)
    return inside + (law.pmf(mean - distance) if hasattr(law.dist, "pmf") else 0.0)


def is_half_width(family, level, distance):
    """Whether 95 of 100 draws are within the distance of their mean, and no less would do."""
    law = LAWS[family](level)
    mean = law.mean() if family == "poisson" else 0.0
    less = distance - 1 if FAMILIES[family].integer else distance * (1 - 1e-6)
    return chance_within(law, distance, mean) >= 0.95 - 1e-9 and (
        chance_within(law, less, mean) < 0.95
    )


def moves(query, relation, groups):
    """How far one person moves each number, in steps: up, and for another one down."""
    most, entries = int(query.sensitivity.linf), query.dimension
    up = min(groups, entries)
    down = min(groups, entries - up) if relation == "replace" else 0
    return [most] * up + [-most] * down


def delta_at(epsilon, law, shifts):
    """At most the δ that the noise really gives away: losses of its numbers, rounded down, added.

    One side of the promise: numbers with the person against numbers without.
    """
    return delta_of([(law, shift) for shift in shifts], epsilon)


def delta_of(moved, epsilon):
    """The same of numbers whose noise differs: pairs of a law and how far a number moves."""
    sums, first = np.ones(1), 0
    for law, shift in moved:
        steps, mass = losses(law, shift)
        sums, first = fftconvolve(sums, mass), first + steps
    losses_of_all = GRAIN * (first + np.arange(sums.size))
    return float(np.maximum(sums, 0) @ np.maximum(-np.expm1(epsilon - losses_of_all), 0))


def losses(law, shift):
    """Losses of one number in grains, rounded down: the first, and the masses from there on."""
    low = law.ppf(1e-13)
    high = law.isf(1e-13) if law.mean() else -low  # near 1, scipy finds none of Skellam noise
    counts = np.arange(low - 4, high + 5)
    mine, other = law.logpmf(counts - shift), law.logpmf(counts)
    seen = np.isfinite(mine) & np.isfinite(other)
    steps = np.floor((mine[seen] - other[seen]) / GRAIN).astype(int)
    return steps.min(), np.bincount(steps - steps.min(), np.exp(mine[seen]))
