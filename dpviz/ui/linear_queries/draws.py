"""Ask tier by tier on the page Linear queries, see what is held, and hand the answers out.

The buttons of the made-up year and of the visitor's statistic do the same to different sessions.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.planning import cast
from dpviz.ui.kit import looking, panel, parts
from dpviz.ui.kit.code import generator, if_sealed, in_any_order
from dpviz.ui.linear_queries import example
from dpviz.ui.linear_queries.view import Answers, View, guesses_at
from dpviz.words import budget, capitalised
from dpviz.workspace import structured
from dpviz.workspace.linear.subject import Subject
from dpviz.workspace.workspace import Workspace

KEPT = "Tiers ask in any order, and keep what they get. Comparing their answers gains nothing."
OTHERS = (
    "Other questions, another noise or another factorization start a session of their own, "
    "and the losses of sessions add up."
)


def answers(ws: Workspace, shown: View, first: DeltaGenerator, cost: DeltaGenerator) -> Answers:
    """One button for all tiers, the others in a box beside it, and what the tiers hold now.

    Args:
        ws: the workspace.
        shown: what is asked.
        first: the place at the picture, of the buttons.
        cost: the place below them, of what a draw costs and why one was refused.

    Raises:
        ParameterError: if a budget of the made-up year's tiers cannot be used.
    """
    if shown.own is None:
        return _made_up(shown, first)
    return _own(ws, shown, shown.own, first, cost)


def _made_up(shown: View, first: DeltaGenerator) -> Answers:
    one = example.held(shown)
    rows = [
        panel.Row(
            name=name,
            label=_label(
                parts.chip(name, cast.STYLES[name]),
                name in one.drawn,
                shown.typical_at(found.level),
            ),
            waiting=name not in one.drawn,
            help=f"{capitalised(guesses_at(shown.family, found.loss, shown.delta))} of 1,000 "
            "guesses about one person are right (a coin: 500), "
            f"at {budget(found.letter, found.loss)}.",
        )
        for name, found in reversed(one.budgets.items())
    ]
    waiting = [name for name in cast.ASKING if name not in one.drawn]
    label = panel.rest("Show", len(waiting), len(cast.ASKING))
    with first:
        panel.draw_rest(waiting, one.draw, key="linear_rest", label=label, width="content")
        with panel.one_by_one("Show one tier, or start over."):
            st.caption(KEPT)
            panel.draw(rows, one.draw, key="linear_draw_")
            panel.start_over(
                "Start this session over",
                example.start_over,
                shown.key,
                key="linear_over",
                why="Fresh noise. Only a made-up year may be asked again like this.",
            )
    parts.problem_of_last_act()
    return example.answers(shown, one)


def _label(tier: str, is_shown: bool, typical: str) -> str:
    """What pressing does, or did, and how far off the answers typically are."""
    return f"{tier}: shown, off by {typical}" if is_shown else f"Show {tier} (off by {typical})"


def _own(
    ws: Workspace, shown: View, own: Subject, first: DeltaGenerator, cost: DeltaGenerator
) -> Answers:
    tiers, left_out = own.tiers(ws)
    with cost:
        offered = panel.offer(
            ws,
            own.asking,
            tiers,
            lambda p: f"Answers typically off by {shown.typical_at(p.budget.level)}",
            key="linear_own",
        )
        if offered.all:
            st.caption(offered.all)
    waiting = offered.waiting
    label = panel.rest("Draw", len(waiting), len(tiers), sealed=len(offered.sealed))
    with first:
        panel.draw_rest(waiting, offered.draw, key="linear_own_rest", label=label, width="content")
    with cost:
        parts.problem_of_last_act()
    with first, panel.one_by_one("Draw one tier."):
        st.caption(KEPT)
        panel.draw_own(
            ws,
            list(reversed(tiers)),
            offered,
            key="linear_own_",
            label=lambda p, has_it: (
                f": {'drawn' if has_it else 'draw'}, off by {shown.typical_at(p.budget.level)}"
            ),
        )
    st.caption(OTHERS)
    panel.left_out(left_out)
    revealed = looking.reveal(
        ws,
        own.statistic.table,
        "Reveal the exact answers: not private",
        key="linear_reveal",
        help_text="For teaching: the exact answers are drawn in grey.",
    )
    one = ws.find(own.key)
    return Answers(
        tiers=tuple(tier for tier, _ in structured.held_tiers(ws, own.asking, tiers)),
        exact=own.exact if revealed else None,
        generator=generator(ws, own.asking),
        ordered=in_any_order(ws, own.asking),
        asked=tuple((e.tier, e.level) for e in ws.entries_of(one)),
        remarks=if_sealed(one),
    )


def files(ws: Workspace, shown: View) -> None:
    """A file for each release on the visitor's statistic."""
    if shown.own is not None:
        panel.hand_out(
            ws,
            shown.own.asking,
            shown.own.tiers(ws)[0],
            key="linear_file_",
            caption="Each file holds and explains one tier’s answers: no other tier’s, no "
            "exact ones.",
        )
