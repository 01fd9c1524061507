"""Continual counting of the visitor's own stream: draw, hand out, and what the pictures show."""

from dataclasses import replace

import streamlit as st

from dpviz.accounting.guarantees import rounded_down
from dpviz.accounting.tree_errors import vertices_used
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.continual_counting.example import Counting, Reader, counted
from dpviz.ui.kit import panel, parts
from dpviz.words import percent, within
from dpviz.workspace import structured
from dpviz.workspace.counting import Subject, epsilon_of
from dpviz.workspace.workspace import Workspace


def buttons(ws: Workspace, own: Subject) -> None:
    """What a draw costs, one button per tier, and who has none."""
    tiers, left_out = own.tiers(ws)
    sure = percent(ACCURACY_CONFIDENCE)
    offered = panel.offer(
        ws,
        own.asking,
        tiers,
        lambda p: (
            f"Each running count {within(own.half_width(p.budget.level), own.stream.noun)} "
            f"({sure} confidence)"
        ),
        key="counting",
    )
    panel.draw_own(
        ws,
        tiers,
        offered,
        key="counting_draw_",
        label=lambda _, held: ": drawn" if held else "",
    )
    parts.problem_of_last_act()
    kept = "In any order, drawn once and kept: asking again gives the same numbers."
    st.caption(f"{offered.all} {kept}".lstrip())
    panel.left_out(left_out)


def downloads(ws: Workspace, own: Subject) -> None:
    """A file for each release."""
    panel.hand_out(
        ws,
        own.asking,
        own.tiers(ws)[0],
        key="counting_download_",
        caption="Each file holds and explains one tier’s numbers: no other tier’s, no exact ones.",
    )


def own_view(ws: Workspace, own: Subject, revealed: bool) -> Counting:
    """The stream for the pictures: what was drawn, and exact counts only after "reveal"."""
    s, planned = own.stream, own.tiers(ws)[0]
    held = tuple(
        replace(tier, loss=rounded_down(exact(entry.event.budget)))  # at which it was drawn
        for tier, entry in structured.held_tiers(ws, own.asking, planned)
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
        tiers=lambda: held,
        readers=tuple(
            counted(Reader(p.name, epsilon_of(p)), ws.plan.style_of(p.name), p.budget.level)
            for p in planned
        ),
        used=vertices_used(own.tree, s.steps),
        one=s.one,
    )
