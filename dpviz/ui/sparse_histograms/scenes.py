"""The two histograms of the page Sparse histograms: the made-up example, and the user's column.

The example is a session of its own, never in the workspace's ledger, and its counts are public.
Those of the user's table are handed on only after "reveal".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.data import long_tail
from dpviz.errors import ParameterError
from dpviz.planning.budgets import Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import ItemCounts, Sensitivity, WholeNumbers
from dpviz.sparse import SparseHistogram, expected_phantoms
from dpviz.ui.kit.state import Slot, nothing
from dpviz.ui.sparse_histograms.facts import tier_facts
from dpviz.ui.sparse_histograms.view import (
    DOMAIN,
    GAUSSIAN,
    ITEMS,
    LARGEST,
    SEED,
    ItemTier,
    Released,
    Scene,
    Wanted,
    Whole,
)
from dpviz.workspace import structured
from dpviz.workspace.workspace import Workspace

_ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
EXAMPLE_SETTING = Setting(family=GAUSSIAN, delta=1e-6, sensitivity=_ONE, dimension=DOMAIN)


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


_EXAMPLE = Slot[Example | None]("sparse_example", nothing)


def example_scene(ws: Workspace, wanted: Wanted) -> Scene:
    """The example with the tiers of the plan; on the first visit every second tier has drawn."""
    one = _EXAMPLE.get()
    first = one is None
    if one is None:
        _EXAMPLE.set(one := Example())
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
    held = _EXAMPLE.get()
    _EXAMPLE.set(Example(again=held.again + 1 if held else 0))


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
        return mechanism.held[gaussian_level(t.rho, query.sensitivity.l2)]

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
    table = ws.table

    def release(histogram: SparseHistogram, planned: PlannedTier) -> float:
        histogram.release(tier.rho, tier.threshold)
        return planned.budget.level

    asking = structured.Asking(
        key=own_key(ws, query),
        statistic=query.statistic,
        data=table.name,
        family=GAUSSIAN,
        kind="weakly lossless",
        mechanism=lambda rng: SparseHistogram(
            *query.values(table),
            query.coding.size,
            l2_sensitivity=query.sensitivity.l2,
            rng=rng,
        ),
        release=release,
        facts=lambda planned, mode: tier_facts(planned, query, table.name, tier.threshold, mode),
        about=table,
    )
    structured.draw(ws, asking, tier.planned)


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
