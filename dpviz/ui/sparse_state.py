"""What the page Sparse histograms looks at: a made-up example, or a column of the user's table.

The example is a session of its own, never in the workspace's ledger, and its counts are public.
Those of the user's table are handed on only after "reveal".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz import streams
from dpviz.data import long_tail
from dpviz.errors import ParameterError
from dpviz.figures.palette import TierStyle
from dpviz.figures.words import budget
from dpviz.mechanisms import SparseHistogram, expected_phantoms, threshold_for
from dpviz.mechanisms.budgets import Setting
from dpviz.mechanisms.sparse_histogram import Work
from dpviz.mechanisms.tiers import PlannedTier
from dpviz.noise import FAMILIES
from dpviz.queries import ItemCounts, Sensitivity, WholeNumbers
from dpviz.queries.item_names import Coding
from dpviz.ui import structured, typed
from dpviz.ui.sparse_facts import tier_facts
from dpviz.ui.workspace import Workspace

GAUSSIAN = FAMILIES["gaussian"]
DOMAIN, ITEMS, LARGEST = 10**9, 1000, 2000  # of the example
SEED = 7
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
MOST_PHANTOMS = 100_000  # expected, in one release: more rows than anybody reads
EXAMPLE_SETTING = Setting(family=GAUSSIAN, delta=1e-6, sensitivity=ONE, dimension=DOMAIN)
_STATE = "sparse_example"

Whole = NDArray[np.int64]
Released = tuple[Whole, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemTier:
    """One tier of the plan on this histogram."""

    planned: PlannedTier
    style: TierStyle
    threshold: float
    phantoms: float  # expected in its release
    released: Released | None

    @property
    def name(self) -> str:
        """Name of the tier."""
        return self.planned.name

    @property
    def rho(self) -> float:
        """Its budget."""
        return self.planned.budget.loss

    @property
    def words(self) -> str:
        """Its budget with the letter."""
        return budget("ρ", self.rho)

    @property
    def level(self) -> float:
        """Variance of its noise."""
        return self.planned.budget.level


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """One sparse histogram with all that the page needs to know of it."""

    tiers: tuple[ItemTier, ...]  # most private first
    problems: tuple[str, ...]
    coding: Coding
    noun: str
    l2: float
    truth: tuple[Whole, Whole] | None  # indices and counts: public, or revealed
    again: int | None  # how often the example was started over; None on the user's column
    query: ItemCounts | None
    work: tuple[Work, ...]  # of the example; empty on the user's column, whose cost tells of it
    asked: tuple[tuple[float, float], ...]  # (ρ, τ) of all releases, in the order of asking
    number: int  # of the session
    seed: int
    allowed: str  # phantoms expected at most, as typed; empty where thresholds are typed
    draw: Callable[[str], None]

    @property
    def size(self) -> int:
        """Number of items that there could be, d."""
        return self.coding.size

    @property
    def drawn(self) -> list[ItemTier]:
        """Tiers that hold their release."""
        return [t for t in self.tiers if t.released is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was chosen: a number of phantoms for all tiers, or a threshold for each, as typed."""

    allowed: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)

    def threshold(self, planned: PlannedTier, size: int, l2: float) -> float:
        """The threshold of a tier that has not been drawn.

        Raises:
            ParameterError: if more phantoms are to be expected than are served.
        """
        rho = planned.budget.loss
        if planned.name in self.typed:
            where = f"Threshold of {planned.name}"
            threshold = typed.number(self.typed[planned.name], where=where, example="20")
        else:
            allowed = float(self.allowed or 1)
            if allowed >= size:
                raise ParameterError(
                    f"Phantoms: there are {size:,} items, so {allowed:,.0f} phantoms are no limit. "
                    "Type fewer, for example 1."
                )
            threshold = threshold_for(rho, allowed, cells=size, l2_sensitivity=l2)
        expected = expected_phantoms(rho, threshold, cells=size, l2_sensitivity=l2)
        if expected > MOST_PHANTOMS:
            raise ParameterError(
                f"Threshold of {planned.name}: noise alone would lift about {expected:,.0f} items "
                f"over {threshold:g}, more than the {MOST_PHANTOMS:,} served here. Type a larger "
                "threshold, or fewer phantoms."
            )
        return threshold


@dataclass(slots=True)
class Example:
    """People who each name one item out of a billion: 1,000 items are named at all."""

    again: int = 0
    indices: Whole = field(init=False)
    counts: Whole = field(init=False)
    histogram: SparseHistogram = field(init=False)

    def __post_init__(self) -> None:
        rng = streams.teaching(SEED)
        self.indices, self.counts = long_tail(ITEMS, LARGEST, DOMAIN, rng=rng)
        self.histogram = SparseHistogram(
            self.indices,
            self.counts,
            DOMAIN,
            l2_sensitivity=1.0,
            rng=streams.teaching(SEED, 1, self.again),
        )


def example_scene(ws: Workspace, wanted: Wanted) -> Scene:
    """The example with the tiers of the plan; on the first visit every second tier has drawn."""
    first = _STATE not in st.session_state
    one: Example = st.session_state.setdefault(_STATE, Example())
    held = dict(one.histogram.releases)

    def released(t: ItemTier) -> Released | None:
        return one.histogram.release(t.rho, t.threshold) if t.rho in held else None

    tiers, problems = _tiers(ws, EXAMPLE_SETTING, wanted, held, DOMAIN)
    if first:
        for t in tiers[1::2]:
            one.histogram.release(t.rho, t.threshold)
            held[t.rho] = t.threshold
    by_name = {t.name: t for t in tiers}

    def draw(name: str) -> None:
        one.histogram.release(by_name[name].rho, by_name[name].threshold)

    return Scene(
        tiers=tuple(replace(t, released=released(t)) for t in tiers),
        problems=tuple(problems),
        coding=WholeNumbers(0, DOMAIN - 1),
        noun="people",
        l2=1.0,
        truth=(one.indices, one.counts),
        again=one.again,
        query=None,
        work=one.histogram.work,
        asked=one.histogram.releases,
        number=0,
        seed=SEED,
        allowed=wanted.allowed,
        draw=draw,
    )


def start_over() -> None:
    """A fresh example: other noise on the same made-up counts."""
    held: Example | None = st.session_state.get(_STATE)
    st.session_state[_STATE] = Example(again=held.again + 1 if held else 0)


def own_key(ws: Workspace, query: ItemCounts) -> tuple[object, ...]:
    """What the answer depends on: the bytes of the table and the query."""
    return ("sparse histogram", ws.table.digest, query)


def own_setting(ws: Workspace, query: ItemCounts) -> Setting:
    """What budgets refer to on the user's column."""
    return Setting(
        family=GAUSSIAN,
        delta=ws.delta,
        sensitivity=query.sensitivity,
        dimension=query.coding.size,
    )


def own_scene(ws: Workspace, query: ItemCounts, wanted: Wanted, revealed: bool) -> Scene:
    """A column of the user's table; its exact counts only where they are revealed."""
    key, setting = own_key(ws, query), own_setting(ws, query)
    one = structured.find(ws, key)
    mechanism: SparseHistogram | None = one.mechanism if one else None
    asked = {(e.tier, e.level) for e in ws.entries_of(one)} if one else set()
    held = dict(mechanism.releases) if mechanism else {}

    def released(t: ItemTier) -> Released | None:
        if mechanism is None or (t.name, t.level) not in asked:
            return None
        return mechanism.release(t.rho, t.threshold)

    tiers, problems = _tiers(ws, setting, wanted, held, query.coding.size)
    by_name = {t.name: t for t in tiers}

    def draw(name: str) -> None:
        _draw(ws, query, by_name[name])

    return Scene(
        tiers=tuple(replace(t, released=released(t)) for t in tiers),
        problems=tuple(problems),
        coding=query.coding,
        noun=query.noun,
        l2=query.sensitivity.l2,
        truth=query.values(ws.table) if revealed else None,
        again=None,
        query=query,
        work=(),
        asked=mechanism.releases if mechanism else (),
        number=one.number if one else ws.next_number,
        seed=one.seed if one else ws.seed,
        allowed=wanted.allowed,
        draw=draw,
    )


def _draw(ws: Workspace, query: ItemCounts, tier: ItemTier) -> None:
    """Draw one tier's release on the user's data, once, and write it into the ledger."""
    one = structured.opened(
        ws,
        own_key(ws, query),
        statistic=query.statistic,
        data=ws.table.name,
        family=GAUSSIAN,
        mechanism=lambda rng: SparseHistogram(
            *query.values(ws.table),
            query.coding.size,
            l2_sensitivity=query.sensitivity.l2,
            rng=rng,
        ),
    )
    one.mechanism.release(tier.rho, tier.threshold)
    structured.record(
        ws,
        one,
        tier.planned,
        family=GAUSSIAN,
        kind="weakly lossless",
        facts=tier_facts(tier.planned, query, ws.table.name, tier.threshold, one.mode),
    )


def _tiers(
    ws: Workspace,
    setting: Setting,
    wanted: Wanted,
    held: Mapping[float, float],
    size: int,
) -> tuple[list[ItemTier], list[str]]:
    """The tiers of the plan with their thresholds: what was drawn keeps its own."""
    planned, problems = ws.plan.planned(setting)
    found, l2 = [], setting.sensitivity.l2
    for p in planned:
        rho = p.budget.loss
        try:
            threshold = held[rho] if rho in held else wanted.threshold(p, size, l2)
        except ParameterError as error:
            problems.append(str(error))
            continue
        expected = expected_phantoms(rho, threshold, cells=size, l2_sensitivity=l2)
        style = ws.plan.style_of(p.name)
        found.append(
            ItemTier(planned=p, style=style, threshold=threshold, phantoms=expected, released=None)
        )
    return found, list(dict.fromkeys(problems))
