"""Continual counting of the visitor's own stream: its session, what tiers hold, and the facts.

The exact counts are made when the first tier draws, inside the mechanism, and again only for
"reveal". Every draw is a button, stands in the ledger, and is kept.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from dpviz.accounting.guarantees import rounded_down
from dpviz.accounting.laplace_sums import laplace_sum_half_width
from dpviz.accounting.trees import Tree
from dpviz.charts.counting.frame import CountedTier, vertices_used
from dpviz.counting.counted_stream import CountedStream
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry
from dpviz.streams import Mode
from dpviz.ui.continual_counting.example import (
    Branching,
    Counting,
    Reader,
    counted,
    family_of,
    planned_readers,
)
from dpviz.ui.continual_counting.streams import Stream
from dpviz.words import budget, percent, pm
from dpviz.workspace import structured
from dpviz.workspace.facts import DEFINITION_WORDS, MODE_WORDS, Facts
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Own:
    """A stream of the visitor's with its tree, noise and session."""

    stream: Stream
    branching: Branching
    tree: Tree
    family: Family
    readers: list[tuple[PlannedTier, Reader]]
    left_out: list[str]

    @property
    def key(self) -> Hashable:
        """Everything that the answer and its noise depend on, but for the mode."""
        s = self.stream
        return "continual counting", s.key, s.moved, self.branching, self.family.name


def own_of(ws: Workspace, stream: Stream, branching: Branching) -> Own:
    """The stream with the tree and the plan in use."""
    tree = branching.tree(stream.steps)
    readers, left_out = planned_readers(ws, tree, stream.steps, stream.moved)
    return Own(
        stream=stream,
        branching=branching,
        tree=tree,
        family=family_of(ws),
        readers=readers,
        left_out=left_out,
    )


def draw(ws: Workspace, own: Own, name: str) -> None:
    """Draw a tier's running counts and put them into the ledger; again changes nothing.

    Raises:
        ParameterError: the tier is not in the plan, or its budget cannot be used.
    """
    mine = [pair for pair in own.readers if pair[1].name == name]
    if not mine:
        raise ParameterError("There is no tier of this name now. Choose one of the list.")
    structured.draw(ws, _asking(own), mine[0][0])


def _asking(own: Own) -> structured.Asking:
    s = own.stream

    def mechanism(rng: np.random.Generator) -> CountedStream:
        return CountedStream(
            s.exact(),
            own.branching.arity,
            own.branching.subtraction,
            sensitivity=s.moved,
            family=own.family,
            rng=rng,
        )

    def release(stream: CountedStream, tier: PlannedTier) -> float:
        epsilon = rounded_down(tier.budget.exact)
        stream.release(epsilon)
        return stream.level(epsilon)

    return structured.Asking(
        key=own.key,
        statistic=f"running count, {s.statistic}",
        data=s.data,
        family=own.family,
        kind="lossless",
        mechanism=mechanism,
        release=release,
        facts=lambda tier, mode: hand_out_facts(own, tier, mode),
        about=s.table,
    )


def own_view(ws: Workspace, own: Own, revealed: bool) -> Counting:
    """The stream for the pictures: what was drawn, and exact counts only after "reveal"."""
    held = tuple(tier for tier, _ in held_tiers(ws, own))
    s = own.stream
    readers = tuple(
        counted(reader, ws.plan.style_of(p.name), p.budget.level) for p, reader in own.readers
    )
    return Counting(
        own=True,
        steps=s.steps,
        every=s.every,
        noun=s.noun,
        labels=s.labels,
        tree=own.tree,
        family=own.family,
        moved=s.moved,
        counts=s.exact() if revealed else None,
        tiers=lambda _: held,
        readers=readers,
        used=vertices_used(own.tree, s.steps),
    )


def held_tiers(ws: Workspace, own: Own) -> list[tuple[CountedTier, LedgerEntry]]:
    """Every release of the session in use, most private first, with its entry in the ledger."""
    one = structured.find(ws, own.key)
    if one is None:
        return []
    planned = {(p.name, r.epsilon) for p, r in own.readers}
    held, found = one.mechanism.held, []
    for entry in ws.entries_of(one):
        epsilon = rounded_down(exact(entry.event.budget))
        now = (entry.tier, epsilon) in planned
        name = entry.tier if now else f"{entry.tier} (before, {budget('ε', epsilon)})"
        reader = Reader(name, epsilon)
        style = ws.plan.style_of(entry.tier)
        found.append((counted(reader, style, entry.level, values=held[entry.level]), entry))
    return sorted(found, key=lambda pair: -pair[0].level)


def hand_out_facts(own: Own, planned: PlannedTier, mode: Mode) -> Facts:
    """The header block of one tier's running counts."""
    s, tree, b = own.stream, own.tree, planned.budget
    most = int(vertices_used(tree, s.steps).max())
    half = laplace_sum_half_width(most, b.level, ACCURACY_CONFIDENCE, family=own.family)
    kind = "with" if own.branching.subtraction else "without"
    return (
        ("tier", planned.name),
        ("statistic", f"running count from the first {s.every} on: {s.statistic}"),
        ("data", s.data),
        ("definition", DEFINITION_WORDS["ε-DP"]),
        ("budget", f"{budget(b.letter, b.loss)}, for all {s.steps:,} {s.every}s together"),
        ("unit", s.unit),
        ("neighbours", s.neighbours),
        ("bounds", s.contribution),
        ("sensitivity", sensitivity_words(tree, s.moved)),
        (
            "noise",
            f"{own.family.label}, {own.family.level_name} {b.level!r}, on every vertex of a tree "
            f"of arity {tree.arity} and height {tree.height} {kind} subtraction",
        ),
        (
            "accuracy",
            f"with {percent(ACCURACY_CONFIDENCE)} confidence each running count by itself is "
            f"within {pm(half)} ({s.noun}) of the bounded one; most are nearer",
        ),
        ("kind", "lossless: a coalition learns what its least private member learns alone"),
        ("mode", MODE_WORDS[mode]),
    )


def sensitivity_words(tree: Tree, moved: int) -> str:
    """Δ₁ of the vertices as formula with the numbers in."""
    return (
        f"Δ₁ = h·c = {tree.height}·{moved} = {tree.height * moved} (tree of height h; one person "
        f"moves the counts by c altogether)"
    )
