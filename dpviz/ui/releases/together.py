"""Draws of every statistic of a plan in one press: a tier gets all that it is planned to have."""

from collections.abc import Sequence

import streamlit as st

from dpviz.ui.kit import controls, panel, parts, press
from dpviz.ui.kit.panel import Offer, Row
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace import changes
from dpviz.workspace.changes import Together
from dpviz.workspace.projects.absent import drawable_of_all
from dpviz.workspace.takeaways import cost_words, counted
from dpviz.workspace.topics import PlannedDraw
from dpviz.workspace.workspace import Workspace

CANNOT = (
    "Not of all statistics: one has no budget for this tier, waits for its table, or is sealed. "
    "Draw the others one statistic at a time."
)


def chosen(ws: Workspace) -> bool:
    """Whether a press draws of every statistic; asked where the plan has several."""
    if _many(ws) < 2:
        return False
    return controls.toggle(f"Draw {_all(ws)} statistics at once", key="draw_together")


def ask(ws: Workspace) -> None:
    """One button for all tiers, and one for each, with what a press draws and costs."""
    draws = ws.draws()
    if not any(ws.waiting_for(one.asking, one.tiers) for one in draws):
        press.forget("draw_all_rest", *(f"draw_all_{name}" for name in _names(ws)))
        st.badge(f"All drawn of {_all(ws)} statistics", icon=":material/check:", color="green")
        return
    offered, count, practice = offer(ws, draws), len(ws.planned()[0]), ws.mode == "teaching"
    with st.container(gap="xsmall"):
        panel.draw_rest(
            offered.waiting,
            offered.draw,
            key="draw_all_rest",
            label=f"{panel.rest(len(offered.waiting), count, practice=practice)} of {_all(ws)} "
            "statistics",
        )
        st.markdown("or one by one, in any order:")
        panel.draw(
            [_row(ws, draws, name, offered) for name in _names(ws)], offered.draw, key="draw_all_"
        )
    if offered.all:
        st.caption(offered.all)


def offer(ws: Workspace, draws: Sequence[PlannedDraw]) -> Offer:
    """Who waits for a number of any statistic, and what presses would cost."""
    waiting = drawable_of_all(ws)
    for statistic in ws.statistics:
        if unsaid := ws.unsaid(ws.asking_of(statistic)):  # a press says it, too
            st.warning(f"{literal(unsaid)}.", icon=":material/person:")
            parts.link("data")
    rest = changes.of_all(ws, waiting)
    ticked: dict[str, bool] = {}
    keys = [draw.asking.key for draw in draws]
    for name, draw, budget in rest.weak:
        who, place = f"{name}, {draw.name}", keys.index(draw.asking.key)
        meant = parts.confirm_weak_budget(budget, f"draw_all_{place}_{name}", who=who)
        ticked[name] = ticked.get(name, True) and meant
    return Offer(
        waiting=tuple(rest.drawn),
        each={name: literal(f"{_told(of)}.") for name, of in rest.drawn.items()},
        all=literal(_cost(rest)) if rest.drawn else "",
        sealed=(),
        ticked=ticked,
        act=ws.draw_all,
    )


def _cost(rest: Together) -> str:
    before = cost_words(rest.before) if rest.before.value else "none so far"
    return (
        f"Bound on the privacy loss of all together: {before} → {cost_words(rest.after)}. "
        "Losses of the statistics add."
    )


def _told(names: tuple[str, ...]) -> str:
    return f"Draws the {join(list(names))}"


def _names(ws: Workspace) -> list[str]:
    return [p.name for p in ws.planned()[0]][::-1]


def _row(ws: Workspace, draws: Sequence[PlannedDraw], name: str, offered: Offer) -> Row:
    """The button of a tier: of how many statistics it waits for a number."""
    lacks = [d for d in draws if ws.waiting_for(d.asking, d.of(name))]
    chip = parts.chip(name, ws.plan.style_of(name))
    waiting = name in offered.waiting
    state = " ✓"
    if lacks:
        state = f": {counted(len(lacks))} statistic{'s' * (len(lacks) > 1)}"
    return Row(
        name=name,
        label=f"{chip}{state}",
        waiting=waiting,
        help=offered.each.get(name) if waiting or not lacks else CANNOT,
    )


def _all(ws: Workspace) -> str:
    many = _many(ws)
    return "both" if many == 2 else f"all {counted(many)}"


def _many(ws: Workspace) -> int:
    return len(ws.statistics) + len(ws.topics)
