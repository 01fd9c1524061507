"""The pictures of the Collusion page that need no draw.

First what comparing notes does; in a closer, for a group that somebody picks: all schemes, joint
losses, many of one tier, all coalitions.
"""

import math
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.charts.collusion.arrays import large_array
from dpviz.charts.collusion.frame import (
    COUNTS,
    GLOBAL,
    INDEPENDENT,
    LEAST,
    LOSSLESS,
    SCHEMES,
    SIZE,
    WHO,
    Holder,
    coalitions_frame,
    listed,
    members_frame,
    schemes_frame,
)
from dpviz.charts.collusion.losses import coalition_losses, losses_table
from dpviz.charts.collusion.many import coalition_dots, member_curves
from dpviz.charts.collusion.schemes import scheme_bars
from dpviz.charts.guesses import guesses_frame
from dpviz.charts.losses import loss_strips, losses_frame, reach_of
from dpviz.handout import neutral
from dpviz.palette import INKS
from dpviz.ui.collusion import controls as collusion_controls
from dpviz.ui.collusion import harm, words
from dpviz.ui.collusion.controls import Asked, View
from dpviz.ui.collusion.worlds import moved_at
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.controls import page_link
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.state import Shelf
from dpviz.words import loss
from dpviz.words.claims import Said
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN
from dpviz.workspace.workspace import Workspace

_LISTS = Shelf[pd.DataFrame]("collusion_lists")


def arrays(shown: View) -> None:
    """A thousand guesses of the group, here and with separate noise."""
    here, apart = (harm.right(shown, lossless=lossless) for lossless in (True, False))
    look, name = shown.look(shown.last), shown.last.name
    own = max(here.count - COIN, 0)
    more = max(apart.count - here.count, 0)
    each = " for each reader" if shown.persons > len(shown.members) else ""
    st.subheader(words.asked_of(shown), anchor=False)
    st.markdown(harm.arrays_reading(shown, INKS[st.context.theme.type or "light"]["mark"]))
    both = (
        ("here", "All together, one path", here, ()),
        ("apart", f"Separate noise{each}", apart, (("comparing notes", more, None, False),)),
    )
    for column, (key, heading, right, others) in zip(
        st.columns(2, gap="medium"), both, strict=True
    ):
        with column:
            parts.chart(
                large_array(
                    guesses_frame((name, own, look, False), *others),
                    name=heading,
                    number=right.said,
                ),
                heading="",
                reading="",
                alt=f"{heading}: an array of 1,000 squares, one per guess; {right.said} are right, "
                "and a coin gets 500.",
                key=f"collusion_arrays_{key}",
            )
    st.caption(harm.readers_words(shown))
    if pieces := harm.pieces_words(shown):
        st.caption(pieces)
    page_link(path("tiers"), harm.acceptable(shown))


def group(ws: Workspace, asked: Asked, whole: float) -> None:
    """A group that somebody picks: what it learns in five ways, and how likely each loss is."""
    members = collusion_controls.picked(asked)
    shown = collusion_controls.view(ws, asked, members, whole)
    if members:
        learned = Said(words.take_away(shown), words.claims(shown))
        st.markdown(f"**{harm.take_away(shown)}** {learned.text}", help=learned.why)
        bars(shown)
        st.caption(words.under_pills(shown))
        losses(shown)
    else:
        nobody()
    many(shown)


def bars(shown: View) -> None:
    """Joint loss, a bar for each scheme."""
    parts.chart(
        scheme_bars(
            schemes_frame(shown.plan, shown.members),
            letter=shown.plan.letter,
            most="" if shown.plan.adds_exactly else "≤\u202f",
        ),
        heading="What they learn together, scheme by scheme",
        reading=words.bars_reading(shown),
        alt=words.bars_alt(shown),
        key="collusion_bars",
    )


def losses(shown: View) -> None:
    """How likely each privacy loss of this coalition is; computed once it is asked for."""
    if not controls.toggle(
        "Show how likely each privacy loss is",
        key="collusion_losses",
        help=f"The whole distribution, of all numbers that one {shown.nouns.one} moves, under "
        f"three "
        "schemes.",
    ):
        return
    plan = shown.plan
    moved = moved_at(shown, plan.budget(shown.last.loss).level)
    found = coalition_losses(plan, shown.members, moved)
    if not found:
        parts.empty("Too much to add up.", "Tick fewer tiers, or let fewer persons join in.")
        return
    strips = [(SCHEMES[each.scheme], each.loss, each.mass) for each in found]
    totals = {SCHEMES[each.scheme]: each.epsilon for each in found}
    farthest = max((e for e in totals.values() if math.isfinite(e)), default=0.0)
    parts.chart(
        loss_strips(
            losses_frame(strips, reach_of(strips, farthest)),
            totals=totals,
            main=SCHEMES[LOSSLESS],
            style=shown.look(shown.last),
        ),
        heading="How likely each privacy loss is, for all that the coalition holds",
        reading=words.losses_reading(shown, found, moved),
        alt=words.losses_alt(found),
        key="collusion_losses_chart",
    )
    parts.table(
        losses_table(found),
        alt="For each scheme its releases, its ε, and how likely larger losses are.",
    )


def many(shown: View) -> None:
    """Many of one tier, then all coalitions."""
    left, right = st.columns([3, 1], gap="medium")
    with right:
        collusion_controls.of_one_tier(shown)
    with left:
        one_tier(shown, *collusion_controls.one_tier_held(shown))
    everyone(shown)


def one_tier(shown: View, tier: Holder, count: int) -> None:
    """What k members of one tier learn together."""
    plan = shown.plan
    frame = members_frame(plan, tier.loss, sorted({*COUNTS, count}))
    parts.chart(
        member_curves(frame, style=shown.look(tier), letter=plan.letter, marked=count),
        heading=f"Many members of {literal(tier.name)}: bound {plan.letter} on joint privacy loss",
        reading="Both axes in powers of ten; larger = less private. Budget split and doubling are "
        f"flat, too, but need more noise. Global release: {shown.budget(plan.whole)}.",
        alt="Three lines of joint privacy loss against the number of members: lossless is flat, "
        "independent rises without end, global plus own noise rises to the global budget.",
        key="collusion_members",
    )
    st.markdown(words.members_sentence(shown, tier, count))


def everyone(shown: View) -> None:
    """All coalitions at once: dots and a table."""
    left, right = st.columns([3, 1], gap="medium")
    others = [scheme for scheme in SCHEMES if scheme != LOSSLESS]
    with right:
        compared = str(
            controls.selectbox(
                "Dots show",
                others,
                index=others.index(INDEPENDENT),
                format_func=lambda scheme: SCHEMES[scheme],
                key="collusion_compared",
                help="Under lossless release all dots of a row would lie on its coloured line.",
            )
        )
        st.caption("left: more private · right: less private")
    frame = _all(shown, (LOSSLESS, compared))
    tiers, letter = listed(shown.plan), shown.plan.letter
    worst = frame.iloc[int((frame[compared] / frame[LOSSLESS]).to_numpy().argmax())]
    some = "" if len(tiers) == len(shown.plan.tiers) else f"Of the {len(tiers)} least private. "
    with left:
        parts.chart(
            coalition_dots(
                frame,
                compared=compared,
                letter=letter,
                ringed=", ".join(m.name for m in shown.members),
            ),
            heading=f"{'All ' * (len(frame) > 1)}{numbered(len(frame), 'coalitions')}, "
            "one member of each tier",
            reading=f"{some}Each dot is a coalition, in the row of its least private member, "
            "higher with more members. Coloured line: what all of the row learn under lossless "
            "release. Ring: the coalition ticked above. "
            f"Worst in proportion: {_briefly(worst)} would learn {loss(worst[compared])} instead "
            f"of {loss(worst[LOSSLESS])}.",
            alt=f"{numbered(len(frame), 'dots')} in {numbered(len(tiers), 'rows')}. "
            f"Lossless keeps every coalition at its least private member’s budget; "
            f"{SCHEMES[compared]} reaches {loss(frame[compared].max())}.",
            key="collusion_all",
        )
    if controls.toggle(
        "The same as a table",
        key="collusion_as_table",
        help="All coalitions under all schemes; click a heading to sort.",
    ):
        _table(_all(shown, tuple(SCHEMES)), letter)


def _briefly(row: "pd.Series[Any]") -> str:
    """A coalition by its names, or by their number where they are many."""
    many = row[SIZE] > words.MOST_NAMED
    return f"{row[SIZE]} tiers together" if many else literal(row[WHO])


def _table(frame: pd.DataFrame, letter: str) -> None:
    """Budgets only, which are public: this grid may leave the page, so no name runs as formula."""
    number = st.column_config.NumberColumn
    names = {column: frame[column].map(neutral) for column in (WHO, LEAST)}
    st.dataframe(
        frame[[WHO, SIZE, LEAST, *SCHEMES]].assign(**names),
        hide_index=True,
        column_config={
            s: number(f"{name}, {letter}", format="%.4g") for s, name in SCHEMES.items()
        },
        alt=f"{numbered(len(frame), 'coalitions')} with their joint privacy loss "
        "under five schemes.",
        key="collusion_table",
    )


def _all(shown: View, schemes: tuple[str, ...]) -> pd.DataFrame:
    """The frame of all coalitions, kept by what it is made of."""
    plan = shown.plan
    key = (plan.tiers, plan.letter, plan.whole if GLOBAL in schemes else None, schemes)
    return _LISTS.take(key, lambda: coalitions_frame(plan, schemes))


def no_tiers() -> None:
    """What is shown before any tier can be used."""
    parts.empty(
        "No tier yet.",
        "What your tiers learn together is drawn here.",
        lambda: parts.link("tiers"),
    )
    st.caption("Or choose the made-up town among the settings for specialists, below.")


def nobody() -> None:
    """What is shown while no tier is ticked."""
    parts.empty("Nobody is ticked.", "Tick one tier or more.")
