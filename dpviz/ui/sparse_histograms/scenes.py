"""The two histograms of the page Sparse histograms: the made-up example, and the user's column.

The example is a session of its own, never in the workspace's ledger, and its counts are public.
Those of the user's table are handed on only after "reveal".
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpviz import streams
from dpviz.data import typed_diagnoses
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.budgets import Setting
from dpviz.queries import Sensitivity, Words
from dpviz.sparse import SparseHistogram
from dpviz.ui.kit.code import generator
from dpviz.ui.kit.state import Slot, nothing
from dpviz.ui.sparse_histograms.view import LONGEST, SEED, Scene
from dpviz.workspace.sparse import GAUSSIAN, ItemTier, Released, Subject, Wanted, tiers_at
from dpviz.workspace.workspace import Workspace

CODING = Words(LONGEST)
_ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
EXAMPLE_SETTING = Setting(
    family=GAUSSIAN, delta=USUAL_DELTA, sensitivity=_ONE, dimension=CODING.size
)


@dataclass(slots=True)
class Example:
    """The town, where each person types one diagnosis: 100 different ones are typed at all."""

    again: int = 0
    indices: NDArray[np.int64] = field(init=False)
    counts: NDArray[np.int64] = field(init=False)
    histogram: SparseHistogram = field(init=False)

    def __post_init__(self) -> None:
        typed, self.counts = typed_diagnoses()
        self.indices = np.array([CODING.index(name) for name in typed], dtype=np.int64)
        self.histogram = SparseHistogram(
            self.indices,
            self.counts,
            CODING.size,
            l2_sensitivity=1.0,
            rng=streams.teaching(SEED, 1, self.again),
        )


_EXAMPLE = Slot[Example | None]("sparse_example", nothing)


def example_scene(ws: Workspace, wanted: Wanted) -> Scene:
    """The example with the tiers of the plan."""
    one = _EXAMPLE.get()
    if one is None:
        _EXAMPLE.set(one := _opened(ws, wanted))
    held = dict(one.histogram.releases)

    def released(t: ItemTier) -> Released | None:
        return one.histogram.release(t.rho, t.threshold) if t.rho in held else None

    tiers, problems = tiers_at(ws, EXAMPLE_SETTING, wanted, held)
    by_name = {t.name: t for t in tiers}

    def draw(*names: str) -> None:
        for name in names:
            one.histogram.release(by_name[name].rho, by_name[name].threshold)

    return Scene(
        tiers=tuple(replace(t, released=released(t)) for t in tiers),
        problems=tuple(problems),
        coding=CODING,
        noun="people",
        l2=1.0,
        truth=(one.indices, one.counts),
        again=one.again,
        query=None,
        asking=None,
        asked=one.histogram.releases,
        generator="",
        allowed=wanted.allowed,
        draw=draw,
    )


def _opened(ws: Workspace, wanted: Wanted) -> Example:
    """A first example, of which the sharpest tier of the plan has its release."""
    one = Example()
    for t in tiers_at(ws, EXAMPLE_SETTING, wanted, {})[0][-1:]:
        one.histogram.release(t.rho, t.threshold)
    return one


def start_over() -> None:
    """A fresh example: other noise on the same made-up counts."""
    held = _EXAMPLE.get()
    _EXAMPLE.set(Example(again=held.again + 1 if held else 0))


def own_scene(ws: Workspace, own: Subject, wanted: Wanted, revealed: bool) -> Scene:
    """A column of the user's table; its exact counts only where they are revealed."""
    tiers, problems = own.tiers(ws, wanted)
    asking = own.asking({t.name: t.threshold for t in tiers})
    one, query = ws.find(own.key), own.query
    by_name = {t.name: t for t in tiers}

    def draw(*names: str, sure: bool = False) -> None:
        ws.record(asking, *(by_name[name].planned for name in names), sure=sure)

    return Scene(
        tiers=tuple(tiers),
        problems=tuple(problems),
        coding=query.coding,
        noun=query.noun,
        l2=query.sensitivity.l2,
        truth=query.values(own.table) if revealed else None,
        again=None,
        query=query,
        asking=asking,
        asked=one.mechanism.releases if one else (),
        generator=generator(ws, asking),
        allowed=wanted.allowed,
        draw=draw,
    )
