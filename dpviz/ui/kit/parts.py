"""The pieces every page is made of: head, badges, chart, typed fields, closers, drawer, refusals.

Text that people typed passes through `literal` before it reaches a place that renders Markdown.
What was typed into a field stays on screen; while it cannot be used, what was usable last is in
use, and one sentence says why. In a lecture room a figure is the same picture with all that is
measured in pixels made larger.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.charts import theme
from dpviz.charts.forms.picture import Picture
from dpviz.checks import positive
from dpviz.errors import DataError, ParameterError
from dpviz.palette import TierStyle
from dpviz.planning.budgets import Budget, warning
from dpviz.planning.typed import NothingTyped
from dpviz.ui.kit import admitted, controls, state
from dpviz.ui.kit.page_table import MORE, OVERVIEW, after, page, path
from dpviz.ui.kit.state import Slot
from dpviz.words import capitalised, join, shorten
from dpviz.words.claims import Said
from dpviz.words.glossary import explained
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts

pio.templates.default = None  # in this server: a figure gets its template by `theme.dress` alone
T = TypeVar("T")
Badge = tuple[str, str, str, str]  # words, icon, colour, one sentence

TEACHING: Badge = (
    "Practice mode",
    "school",
    "orange",
    "For trying things out: the noise can be computed again, so it hides nobody. Do not publish "
    "these numbers.",
)
HARDENED: Badge = (
    "Hardened",
    "shield_lock",
    "blue",
    "The noise comes from the operating system’s randomness, without a seed, and is sampled "
    "exactly, in whole numbers. How long a draw takes is not hidden.",
)
SHARPEST = 32  # letters of a name in a badge
SHEET = 1240  # pixels: the widest page, on a sheet of paper
MOST_LISTED = 6  # tiers beside one another; more are in a box
SPECIALISTS = "For specialists"
DRAWER = "closer_specialists"  # its key
TABS = ("Why this is true", "Formula", "Python", "Definitions")
SETTINGS = ("Settings",)
DRAWN_ON = "releases"  # the page where numbers are drawn
NO_NUMBERS = "The headline states no number."
WHERE_TO_RUN = (
    "Run this in the folder of dpviz, or with dpviz installed. Put an uploaded file beside it."
)
MODES = {"teaching": TEACHING, "hardened": HARDENED}
SEALED: Badge = (
    "Sealed",
    "lock",
    "gray",
    "The exact numbers are erased from this session; only noisier releases can be drawn.",
)
REVEALED: Badge = (
    "Exact numbers on screen: not private",
    "visibility",
    "red",
    "Shown for teaching; they enter no download.",
)
T_co = TypeVar("T_co", covariant=True)
_KEPT = Slot[dict[str, tuple[tuple[str, ...], tuple[Any, ...]]]]("fields_kept", dict)
PIXELS = frozenset({"size", "xshift", "yshift", "height", "borderpad", "standoff", "ax", "ay"})
_INSIDE = {"line": {"width"}, "margin": {"t", "b", "l", "r"}}
_DATA = frozenset({"x", "y", "z", "base", "customdata", "text", "ids"})


def lossless(sharpest: str, *, weakly: bool = False) -> Badge:
    """What readers gain by comparing notes, in one form on every page.

    Args:
        sharpest: who has the least private number, in the middle of a sentence.
        weakly: whether some of what was released is hidden, such as counts below a limit.

    >>> lossless("audit")[0]
    'All readers together learn no more than audit alone'
    """
    who = literal(shorten(sharpest, SHARPEST))
    if weakly:
        return (
            f"All releases together are as private as {who}’s",
            "check",
            "green",
            "Weakly lossless: tiers that compare notes may see more than the least private of them "
            "does, but nothing that could not be worked out from its noisy numbers before any were "
            "hidden or rounded. Each tier sees what it would see alone.",
        )
    return (
        f"All readers together learn no more than {who} alone",
        "check",
        "green",
        "Lossless: tiers that compare notes learn exactly what the least private of them learns "
        "alone. Nothing is lost by releasing several times: each release has the noise of a single "
        "one at its budget.",
    )


def chip(name: str, style: TierStyle) -> str:
    """A tier's name with its symbol in its colour, for labels that render Markdown."""
    return f':color[{style.glyph}]{{foreground="{style.colour}"}}\u00a0{literal(name)}'


def choose_tier(label: str, names: Sequence[str], styles: Sequence[TierStyle], *, key: str) -> int:
    """Ask for a tier; its place, at first that below the highest clearance, which stands on top.

    Args:
        label: of the field.
        names: the tiers, most private first.
        styles: how they look.
        key: of the field, which begins afresh for other names.
    """
    order, key = list(range(len(names) - 1, -1, -1)), controls.keyed(key, tuple(names))
    opens = min(1, len(order) - 1)
    if len(order) > MOST_LISTED:
        return controls.selectbox(label, order, index=opens, key=key, format_func=names.__getitem__)
    chips = [chip(name, style) for name, style in zip(names, styles, strict=True)]
    return controls.pill(label, order, default=order[opens], key=key, format_func=chips.__getitem__)


def head(file: str, takeaway: Said | str, badges: Sequence[Badge] = ()) -> None:
    """Title, headline and what is true of this page’s numbers; the eyebrow stands above them."""
    bare_head(page(file).question, takeaway)
    show_badges(badges)


def show_badges(badges: Sequence[Badge]) -> None:
    """These badges, side by side."""
    if not badges:
        return
    with st.container(horizontal=True, gap="xsmall"):
        for words, icon, colour, sentence in badges:
            st.badge(words, icon=f":material/{icon}:", color=colour, help=sentence)  # type: ignore[arg-type]


def bare_head(title: str, takeaway: Said | str) -> None:
    """Title and headline alone, for a screen that a room looks at."""
    with st.container(gap="xxsmall"):
        st.title(title, anchor=False)
        headline(takeaway)


def headline(takeaway: Said | str) -> None:
    """The sentence below the title; why it is true stands in the drawer."""
    text = takeaway if isinstance(takeaway, str) else takeaway.text
    st.header(text, anchor=False, width=880)


def without_menu() -> None:
    """Hide the menu and use the whole width, for a screen that a room looks at."""
    st.html(
        """<style>
[data-testid="stHeader"] { display: none }
[data-testid="stMainBlockContainer"] { padding-top: 1rem; max-width: 100% }
</style>"""
    )


def on_one_page(*hidden: str) -> None:
    """Print what is on screen as it is there, on one sheet: no menu, no buttons, no links.

    Streamlit would print columns one below the other; here a sheet is as wide as the screen, and
    the browser makes it as small as it must be.

    Args:
        hidden: beginnings of the keys of what else is not printed.
    """
    keys = "".join(f', [class*="st-key-{key}"]' for key in hidden)  # `:not(#x)` outweighs the row
    st.html(
        f"""<style>@media print {{
@page {{ size: landscape; margin: 10mm }}
body {{ min-width: {SHEET}px }}
[data-testid="stMainBlockContainer"] {{ padding: 0 !important }}
[data-testid="stHorizontalBlock"] {{ display: flex !important; flex-wrap: nowrap !important }}
[data-testid="stHeader"], [data-testid="stBottom"], [data-testid="stPageLink"],
[data-testid="stButton"], [data-testid="stDownloadButton"],
:is(.st-key-eyebrow, .st-key-onward{keys}):not(#x) {{ display: none !important }}
}}</style>"""
    )


def chart(
    fig: go.Figure,
    *,
    heading: str,
    reading: str,
    alt: str,
    key: str,
    pressed: Callable[[int], None] | None = None,
    times: float = 1.0,
    most: float = math.inf,
) -> None:
    """A figure with its heading and one sentence on how to read it, both as page text.

    `pressed` is run with the `customdata` of a mark that is clicked, a whole number; `times` makes
    a figure larger, for a lecture room, but at most `most` pixels high.
    """
    if heading:
        st.subheader(heading, anchor=False)
    theme.dress(fig, st.context.theme.type or "light")
    shown: dict[str, Any] = {"key": key, "alt": alt, "theme": None, "config": theme.CONFIG}
    if pressed is not None:
        act = admitted.guarded(partial(_clicked, key, pressed))
        shown |= {"on_select": act, "selection_mode": "points"}
    if times != 1:
        fig = enlarged(fig, times)
        if fig.layout.height > most:
            fig.update_layout(height=most)
    st.plotly_chart(fig, **shown)
    if reading:
        st.caption(reading)


def picture(made: Picture, *, key: str, heading: str = "", reading: str = "") -> None:
    """A picture of a form, with its heading and one sentence on how to read it."""
    chart(made.figure, heading=heading, reading=reading, alt=made.alt, key=key)


def sentence(said: Said) -> None:
    """A sentence within a page; why its numbers are true stands beside it, on hover."""
    st.markdown(said.text, help=said.why or None)


def _clicked(key: str, pressed: Callable[[int], None]) -> None:
    """Run what a click on a mark of a figure is for; other marks have no `customdata`."""
    for point in state.field(key)["selection"]["points"][:1]:
        found = point.get("customdata")
        found = found[0] if isinstance(found, list) and found else found
        if isinstance(found, int):
            pressed(found)


def table(frame: pd.DataFrame, *, alt: str) -> None:
    """A table without a tool bar: it is shown, and leaves the page by no other way.

    (The grid of streamlit offers its content as a CSV, with no word on what the numbers are.)
    """
    names = {name: literal(name) for name in frame.columns}
    shown = frame.map(lambda cell: literal(cell) if isinstance(cell, str) else cell)
    st.table(shown.rename(columns=names), hide_index=True, alt=alt)


class Drawer:
    """The drawer “For specialists”, the last thing on a page, with a tab for each kind of detail.

    What is in it is made only while it is open; its settings alone count while it is shut.
    """

    def __init__(self, *, settings: bool = False) -> None:
        """Place the drawer; a page with settings fills `settings` before it computes."""
        fold = controls.fold(SPECIALISTS, key=DRAWER, icon="school")
        self.is_open: bool = fold.open
        self.settings: DeltaGenerator | None = None
        self._tabs: Sequence[DeltaGenerator] = ()
        if settings or self.is_open:
            with fold:
                tabs = st.tabs([*SETTINGS[: int(settings)], *TABS])
            if settings:
                self.settings, *tabs = tabs
            self._tabs = tabs

    def fill(
        self,
        file: str,
        said: Said | str,
        *,
        formula: Callable[[], str],
        code: Callable[[], str],
        facts: Facts,
        more: Callable[[], object] | None = None,
    ) -> None:
        """Say why the headline is true, its formula, the same in Python, and what words mean.

        What `more` shows stands below the formula.
        """
        if not self.is_open:
            return
        said = Said(said) if isinstance(said, str) else said
        why, formulas, python, definitions = self._tabs
        why.markdown(said.why or NO_NUMBERS)
        formulas.markdown(formula())
        if more is not None:
            with formulas:
                more()
        with python:
            st.code(code(), language="python")
            st.caption(WHERE_TO_RUN)
        with definitions:
            for name, text in facts:
                st.markdown(f"**{name}** {literal(text)}")
            st.markdown(explained(page(file).question, said.text, *(text for _, text in facts)))


def look_closer(label: str, inside: Callable[[], object], *, key: str) -> None:
    """What specialists want, behind a fold: made only while it is open."""
    fold = controls.fold(label, key=f"closer_{key}")
    if fold.open:
        with fold:
            try:
                inside()
            except DataError as error:  # a table that stays in an engine may not answer
                refusal(str(error))


def onward(file: str) -> None:
    """Where the story goes on: the next page, by its question; small, the overview it is in."""
    following = after(file)
    with st.container(horizontal=True, vertical_alignment="center", key="onward"):
        st.markdown(f"**Next:** {following.joins}".strip(), width="content")
        controls.page_link(path(following.file), following.question)
    if page(file).group == MORE and file != OVERVIEW:
        controls.page_link(path(OVERVIEW), "All questions")


def decide(sentence: str) -> None:
    """Say under which condition numbers are to be drawn, with the one button that leads there."""
    practice = state.workspace().mode == "teaching"
    label = "Try it: draw practice numbers" if practice else "Draw the numbers"
    with st.container(horizontal=True, vertical_alignment="center", key="decision"):
        st.markdown(sentence, width="content")
        if controls.button(label, key="decide", icon="arrow_forward", type="primary"):
            st.switch_page(path(DRAWN_ON))


def refusal(sentence: str) -> None:
    """One sentence that says what is wrong and what to type instead."""
    ended = sentence if sentence.endswith(".") else f"{sentence}."
    whole = capitalised(ended) if ended[0].isascii() else ended
    st.error(literal(whole), icon=":material/error:")


def value_or_refusal(found: Callable[[], T]) -> T | None:
    """What a field holds, or what follows; None, with one sentence, if it cannot be used."""
    try:
        return found()
    except ParameterError as error:
        refusal(str(error))
        return None


def problem(error: ParameterError) -> None:
    """Why something cannot be used: a neutral word where a field is only still empty."""
    if isinstance(error, NothingTyped):
        st.info(literal(error), icon=":material/edit:")
    else:
        refusal(str(error))


def confirm_weak_budget(budget: Budget, key: str, *, who: str = "") -> bool:
    """Whether this budget is meant: one that promises next to nothing needs a tick.

    Args:
        budget: that is going to be drawn.
        key: of the tick; another budget needs another one.
        who: whose it is, where there are several.
    """
    caution = warning(budget)
    if caution is None:
        return True
    sentence = f"{who}: {caution}" if who else capitalised(caution)
    st.warning(literal(sentence), icon=":material/warning:")
    return controls.checkbox(
        "I mean this budget", key=f"meant_{key}_{budget.level!r}", lasting=False
    )


def problem_of_last_act() -> None:
    """Show why the last button did nothing, if it did nothing."""
    sentence = state.take_problem()
    if sentence:
        refusal(sentence)


def link(file: str) -> None:
    """A link to a page by its title."""
    controls.page_link(path(file), f"Go to {page(file).title}")


def empty(title: str, text: str, button: Callable[[], object] | None = None) -> None:
    """What is shown in place of a picture: what is missing and how to get it."""
    with st.container(border=True):
        st.markdown(f"**{title}**")
        st.caption(text)
        if button:
            button()


class Reader(Protocol[T_co]):
    """What makes a value of a typed text, or refuses it in one sentence."""

    def __call__(self, text: str, *, where: str) -> T_co:
        """Read the text of the field with this label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(Generic[T]):
    """A value that somebody types.

    Attributes:
        label: which also begins the sentence of a refusal.
        default: what is typed there at first; it must be usable.
        help: what the value is, on hover.
        reader: such as `dpviz.parameters.RHO.read`.
        key: of the widget.
    """

    label: str
    default: str
    help: str
    reader: Reader[T]
    key: str

    def value(self) -> T:
        """Show the field and return the value in use."""
        (value,) = in_use(self)
        return value


def in_use(
    *fields: Field[T], check: Callable[[tuple[T, ...]], object] = lambda _: None
) -> tuple[T, ...]:
    """Show fields side by side and return the values in use.

    Args:
        fields: which are used together or not at all.
        check: refuses values that do not go together.
    """
    typed = []
    for field, place in zip(fields, st.columns(len(fields)), strict=True):
        with place:
            typed.append(
                controls.text_input(field.label, field.default, key=field.key, help=field.help)
            )
    kept, name = _KEPT.get(), " ".join(field.key for field in fields)
    try:
        values = _read(fields, typed)
        check(values)
    except ParameterError as error:
        refusal(str(error))
        defaults = [field.default for field in fields]
        texts, values = kept.get(name) or (defaults, _read(fields, defaults))
        st.caption(f"Still in use: {literal(join([text for text in texts if text.strip()]))}.")
        return values
    _KEPT.set({**kept, name: (tuple(typed), values)})
    return values


def _read(fields: tuple[Field[T], ...], texts: list[str]) -> tuple[T, ...]:
    return tuple(f.reader(text, where=f.label) for f, text in zip(fields, texts, strict=True))


def enlarged(fig: go.Figure, times: float) -> go.Figure:
    """A copy of a dressed figure whose type, marks, lines and margins are `times` as large.

    Places in the data stay where they are, and the width is that of the page.

    Raises:
        ParameterError: `times` is not positive.

    >>> fig = go.Figure(go.Scatter(x=[1], y=[2], marker={"size": 6}), {"height": 300})
    >>> large = enlarged(fig, 1.5)
    >>> large.layout.height, large.data[0].marker.size, large.data[0].x
    (450.0, 9.0, (1,))
    """
    positive(times=times)
    whole = fig.to_dict()  # with its template, which has the usual sizes
    return go.Figure({part: _grown(each, part, times) for part, each in whole.items()})


def _grown(value: Any, name: str, times: float, inside: str = "") -> Any:
    if name in _DATA:
        return value
    if isinstance(value, dict):
        return {key: _grown(each, key, times, name) for key, each in value.items()}
    if name in PIXELS or name in _INSIDE.get(inside, ()):
        return _times(value, times)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
        return [_grown(each, name, times, inside) for each in value]
    return value


def _times(value: Any, times: float) -> Any:
    if isinstance(value, (list, tuple)):
        return [_times(each, times) for each in value]
    return value * times if isinstance(value, (int, float)) else value
