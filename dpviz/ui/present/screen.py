"""What a room, or the reader of one clearance, looks at: one tier's numbers, large.

Everything is made from one `OneTier`, which knows no other tier. Many groups stand on several
pages on one scale, turned by buttons, by the arrow keys, or by choosing a page by its groups.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpviz.charts.releases.frame import releases_frame
from dpviz.charts.releases.single import AT_ONCE, one_tier_chart, span_of
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.shell import ALONE
from dpviz.ui.kit.state import field, fill
from dpviz.words import capitalised, clean, number, shorten
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.one_tier import OneTier

TIMES = 1.25  # as large as on a page, where a tier is shown alone
CHOSEN = "presented"  # key of the field that chooses a tier, on the page around it
NOTHING_TITLE = "No number is held here"
NOTHING = (
    "This address shows the numbers of one clearance, and none are held here under its name. Ask "
    "the person who gave you this screen."
)
_LARGE = """<style>
html { font-size: 19px }
[data-testid="stMainBlockContainer"] :is(h1, h2, h3) { padding: 0.35rem 0 }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.6rem }
[data-testid="stBottomBlockContainer"] { padding-bottom: 0.6rem }
</style>"""  # as much as a projector of 800 lines shows
_MOST = 40  # letters of a group's name


def alone(view: OneTier | None) -> None:
    """The whole screen for one tier: its numbers and what they are; no menu, no other tier."""
    parts.without_menu()
    st.html(_LARGE)
    end: controls.Look = {"type": "tertiary", "shortcut": "Esc", "icon": "close"}
    beside: dict[str, Any] = {"horizontal": True, "horizontal_alignment": "distribute"}
    with st.container(**beside, vertical_alignment="center"):
        badges = st.container(width="content")
        controls.button("End", _leave, view and view.tier.name, key="present_end", **end)
    if view is None:
        parts.bare_head(NOTHING_TITLE, NOTHING)
        return
    with badges:
        parts.show_badges(view.mode, ())
    parts.bare_head(title(view), view.sentence)
    with st.bottom, st.container(horizontal=True, horizontal_alignment="center"):
        bar = st.container(width=1240)
    numbers(view, bar, times=TIMES)
    parts.look_closer("What these numbers are", lambda: facts(view), key="one_tier")


def title(view: OneTier) -> str:
    """Who is shown and the number, or how many there are."""
    query, tier = view.query, view.tier
    chip = parts.chip(tier.name, TierStyle(tier.slot, tier.symbol))
    count = len(query.labels)
    if count > 1 or query.per_value > 1:
        return f"{chip} sees {takeaways.counted(count)} number{'s' if count > 1 else ''}"
    (value,) = _frame(view)["value"]
    half = usual_half_width(view.family, tier.level, query.step)
    return f"{chip} sees {number(value, step=half)} {takeaways.unit_words(query)}"


def numbers(view: OneTier, bar: Any, *, times: float = 1.0) -> None:
    """The picture with the groups of one page, and what turns the pages.

    Args:
        view: the tier.
        bar: where the buttons stand.
        times: how much larger than usual the picture is.
    """
    frame = _frame(view)
    with bar:
        shown = _turned(frame["group"].astype(str).tolist())
    rows = frame.iloc[shown.start : shown.stop]
    fig = one_tier_chart(rows, axis_title=view.query.noun, span=span_of(frame))
    parts.chart(
        fig,
        heading=literal(capitalised(view.query.statistic)),
        reading="",
        alt=_heard(view, rows["group"], fig),
        key=f"single_{view.tier.level!r}_{shown.start}",
        times=times,
    )


def pages_of(count: int) -> list[range]:
    """Which groups stand on each page.

    >>> pages_of(7)
    [range(0, 5), range(5, 7)]
    """
    return [range(first, min(first + AT_ONCE, count)) for first in range(0, count, AT_ONCE)]


def _frame(view: OneTier) -> pd.DataFrame:
    return releases_frame(view.query, [view.tier], view.family, ACCURACY_CONFIDENCE)


def _turned(groups: Sequence[str]) -> range:
    """The groups of the page that is chosen; nothing to choose where one page holds all."""
    pages = pages_of(len(groups))
    if len(pages) < 2:
        return pages[0]
    key = controls.keyed("present_page", groups)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        turns = st.container(horizontal=True, width="content", gap="small")
        at = controls.selectbox(
            "Groups on screen",
            range(len(pages)),
            format_func=lambda page: _named(pages[page], groups),
            label_visibility="collapsed",
            lasting=False,
            key=key,
        )
    back: controls.Look = {"icon": "arrow_back", "shortcut": "Left", "disabled": at == 0}
    last = at == len(pages) - 1
    on: controls.Look = {"icon": "arrow_forward", "shortcut": "Right", "disabled": last}
    with turns:
        controls.button("Back", _turn, key, -1, len(pages), key="present_back", **back)
        controls.button("Next", _turn, key, 1, len(pages), key="present_next", **on)
    return pages[at]


def _named(shown: range, groups: Sequence[str]) -> str:
    """A page by its groups.

    >>> _named(range(5, 7), list("abcdefg")), _named(range(5, 6), list("abcdef"))
    ('6 to 7 of 7: f to g', '6 of 6: f')
    """
    first, last = shorten(groups[shown.start], _MOST), shorten(groups[shown.stop - 1], _MOST)
    names = first if len(shown) == 1 else f"{first} to {last}"
    places = f"{shown.stop:,}" if len(shown) == 1 else f"{shown.start + 1:,} to {shown.stop:,}"
    return clean(f"{places} of {len(groups):,}: {names}")


def _turn(key: str, step: int, pages: int) -> None:
    """Go on from the page that the field holds by now: a quick press does not wait for a screen."""
    fill(key, min(max((field(key) or 0) + step, 0), pages - 1))


def _heard(view: OneTier, groups: Iterable[object], fig: go.Figure) -> str:
    """The picture for those who do not see it: every number on it, as it is written there."""
    written = [note.text for note in fig.layout.annotations[1::2]]
    told = [
        f"{shorten(str(group), _MOST)} {text.replace('<b>', '').replace('</b>', '')}"
        for group, text in zip(groups, written, strict=True)
    ]
    return f"What {shorten(view.tier.name)} sees: {'; '.join(told)}."


def facts(view: OneTier) -> None:
    """What the numbers are: the header of their hand-out."""
    lines = [f"- **{literal(capitalised(name))}** {literal(text)}" for name, text in view.facts]
    st.markdown("\n".join(lines))


def _leave(name: str | None) -> None:
    """Back to the page around the screen, with the same tier chosen."""
    del st.query_params[ALONE]
    if name is not None:
        fill(CHOSEN, name)
