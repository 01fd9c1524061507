"""Every number of a take-away, computed again by another way, over a grid of settings.

Accuracies by scipy's own distributions; losses by counting what the released noise really gives
away, outcome by outcome; what one person moves by taking a person out of a table, or for another.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.signal import fftconvolve

from dpviz.accounting.guarantees import offered
from dpviz.data import read_csv
from dpviz.noise import FAMILIES
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count
from dpviz.workspace import account, takeaways
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace

WARDS = tuple("ABCDEFGHIJKL")
BY = ByColumn("ward", WARDS)
HEAD = "who,ward,n\n"
OTHERS = "".join(f"p{i % 5},{WARDS[i % 12]},{i % 4}\n" for i in range(30))
FIRST = "".join(f"x,{ward},3\n" for ward in WARDS[:6])
OTHER = "".join(f"x,{ward},3\n" for ward in WARDS[6:])
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
GRID = list(itertools.product(NOISE, ("add/remove", "replace"), (1, 5), QUERIES))
each_setting = pytest.mark.parametrize(("noise", "relation", "groups", "query"), GRID)
each_query = pytest.mark.parametrize(
    ("noise", "relation", "groups", "query"), [g for g in GRID if g[0] == NOISE[0]]
)
LAWS = {  # scipy's own, at a level
    "gaussian": lambda level: stats.norm(scale=math.sqrt(level)),
    "laplace": lambda level: stats.laplace(scale=level),
    "discrete_laplace": lambda level: stats.dlaplace(1 / level),
    "poisson": lambda level: stats.poisson(level),
    "skellam": lambda level: stats.skellam(level, level),
}
ROUNDING = 1e-9
GRAIN = 1e-4  # of privacy losses, in nats


def told(said):
    return {claim.what: claim for claim in said.claims}


@pytest.fixture
def ws(noise, relation, groups, query):
    table = read_csv((HEAD + OTHERS + FIRST).encode(), name="x.csv")
    asked = QUERIES[query](Bounds("who", groups, 1, relation))
    ws = Workspace.fresh()
    ws.use(Statistic(table, asked, ""))
    ws.family_name, mode = noise
    ws.use_mode(mode)
    rows = (("public", "0.5"), ("audit", "2"))
    ws.use_tiers([{"tier": n, "budget": a, "as": "ε", "note": ""} for n, a in rows])
    return ws


def chance_within(law, distance, mean):
    """P(|noise - mean| <= distance)."""
    inside = law.cdf(mean + distance) - law.cdf(mean - distance)
    return inside + (law.pmf(mean - distance) if hasattr(law.dist, "pmf") else 0.0)


@each_setting
def test_distances_and_losses(ws, relation, groups):
    distances(ws)
    losses(ws, relation, groups)


def distances(ws):
    """A distance covers 95 of 100 draws, and no less would."""
    tiers = ws.values_of_tiers
    claims = told(takeaways.start(tiers, ws.family, ws.statistic.query))
    assert len(claims) == 2
    for tier in tiers:
        distance = claims[f"distance from the exact number, {tier.name}"].value
        law = LAWS[ws.family_name](tier.level)
        mean = law.mean() if ws.family_name == "poisson" else 0.0
        assert chance_within(law, distance, mean) >= 0.95 - ROUNDING
        less = distance - 1 if ws.family.integer else distance * (1 - 1e-6)
        assert chance_within(law, less, mean) < 0.95


@each_query
def test_what_one_person_moves(ws, relation, groups):
    """The most that a table shows: a person with many rows goes, or comes for another one."""
    query = ws.statistic.query
    claims = told(takeaways.data(query))
    less, more = OTHERS, OTHERS + FIRST
    if relation == "replace":
        less += OTHER
    without, with_them = (
        query.values(read_csv((HEAD + rows).encode(), name="x.csv")) for rows in (less, more)
    )
    moved = np.abs(with_them - without) * query.step
    assert claims["largest change of one number"].value == moved.max()
    assert claims["how many numbers change"].value == np.count_nonzero(moved)
    assert np.count_nonzero(moved) == groups * (2 if relation == "replace" else 1)


def moves(query, relation, groups):
    """How far one person moves each number, in steps: up, and for another one down."""
    most = int(query.sensitivity.linf)
    return [most] * groups + ([-most] * groups if relation == "replace" else [])


def delta_at(epsilon, law, shifts):
    """At most the δ that the noise really gives away: losses of its numbers, rounded down, added.

    One side of the promise: numbers with the person against numbers without.
    """
    low, high = law.ppf(1e-13), law.isf(1e-13)
    counts, sums = np.arange(low - 4, high + 5), np.ones(1)
    first = 0
    for shift in shifts:
        mine, other = law.logpmf(counts - shift), law.logpmf(counts)
        seen = np.isfinite(mine) & np.isfinite(other)
        steps = np.floor((mine[seen] - other[seen]) / GRAIN).astype(int)
        mass = np.bincount(steps - steps.min(), np.exp(mine[seen]))
        sums, first = fftconvolve(sums, mass), first + steps.min()
    losses = GRAIN * (first + np.arange(sums.size))
    return float(np.maximum(sums, 0) @ np.maximum(-np.expm1(epsilon - losses), 0))


def losses(ws, relation, groups):
    """What the least private tier holds is all there is: its noise alone decides."""
    query, shifts = ws.statistic.query, moves(ws.statistic.query, relation, groups)
    claims = told(takeaways.tiers(ws.values_of_tiers, ws.family, query, *account.plan(ws)))
    start = "bound on the privacy loss of all together"
    (claim,) = (c for what, c in claims.items() if what.startswith(start))
    level = min(tier.level for tier in ws.values_of_tiers)
    if ws.family_name == "gaussian":
        assert claim.value == pytest.approx(sum(s * s for s in shifts) / (2 * level))
    elif ws.family_name in ("laplace", "discrete_laplace"):
        assert claim.value == pytest.approx(sum(map(abs, shifts)) / level)
    else:
        law = LAWS[ws.family_name](level)
        for turned in (1, -1):
            assert delta_at(claim.value, law, [turned * s for s in shifts]) <= ws.delta


def test_a_claim_that_is_false_is_found():
    """The same oracles refuse noise of a tenth less, and a loss of a tenth less."""
    law = stats.skellam(250.0, 250.0)
    true = brentq(lambda e: delta_at(e, law, [1] * 5) - 1e-6, 0.01, 5)
    assert delta_at(0.9 * true, law, [1] * 5) > 1e-6
    assert delta_at(true, stats.skellam(225.0, 225.0), [1] * 5) > 1e-6
