"""The visitor's own column on the page RAPPOR: each row, or person, is a client.

Which texts there are is hidden, so candidates are typed; the true numbers stay hidden until they
are revealed for teaching.
"""

from collections.abc import Sequence

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.local.decoding import MOST_CANDIDATES
from dpviz.planning.typed import NothingTyped
from dpviz.queries import Bounds, TextCounts
from dpviz.ui.kit import bound_controls, controls, looking, noun_controls, panel, parts, press
from dpviz.ui.rappor import scenes
from dpviz.ui.rappor.view import Asked, Scene
from dpviz.words import percent
from dpviz.workspace.local.rappor import Subject
from dpviz.workspace.workspace import Workspace

EACH_ROW, ANY_ROW = "one row", "one row, of whomever"
NO_TEXT = (
    "This table has no column of texts. On the page Data, upload a table that has one, or load a "
    "sample"
)
NOTHING = "There are no candidates yet. Type texts to look for, one on each line"


def candidates() -> tuple[str, ...]:
    """The texts to look for, each once, as they are typed.

    Raises:
        NothingTyped: no text is typed.
        ParameterError: there are too many.
    """
    typed = controls.text_area(
        "Texts to look for, one on each line",
        key="rappor_candidates",
        placeholder="first text\nsecond text",
        help="Typed, not read off the column: which texts there are is secret. White space at the "
        "ends is left out.",
    )
    found = tuple(dict.fromkeys(line.strip() for line in typed.splitlines() if line.strip()))
    if not found:
        raise NothingTyped(NOTHING)
    if len(found) > MOST_CANDIDATES:
        raise ParameterError(
            f"There are {len(found):,} candidates; at most {MOST_CANDIDATES:,} are possible. "
            "Delete some lines"
        )
    return found


def query(ws: Workspace) -> TextCounts:
    """Whose texts are reported.

    Raises:
        ParameterError: if the table has no texts.
    """
    names = [c.name for c in ws.table.columns if c.kind == "text"]
    if not names:
        raise ParameterError(NO_TEXT)
    digest, nouns = ws.table.digest[:12], noun_controls.in_use(ws)
    column = str(
        controls.selectbox(
            "Column of texts",
            names,
            key=f"rappor_column_{digest}",
            help="The column with the texts that are reported.",
        )
    )
    texts = {
        EACH_ROW: f"each {nouns.row}: it is one {nouns.one}",
        ANY_ROW: f"each {nouns.row}, though {nouns.a_unit} may have several",
    }
    names = [c.name for c in ws.table.columns if c.name != column]
    client = controls.optional_selectbox(
        "Who reports",
        [EACH_ROW, *names, ANY_ROW],
        index=_reports(ws, names),
        placeholder="Choose who reports",
        format_func=lambda name: texts.get(name, f"all {nouns.rows} with the same “{name}”"),
        key=controls.keyed("rappor_client", (digest, column)),
        help="Of several texts the first in the alphabet is reported.",
    )
    if client is None:
        raise NothingTyped(
            f"Who reports: nothing is chosen. Say whether {nouns.a_unit} can have several "
            f"{nouns.rows}, and which column says who"
        )
    person = None if client in texts else client
    several = None if person is not None or ws.sample else client == ANY_ROW
    return TextCounts(
        column, Bounds(person=person, relation="replace", several_rows=several, nouns=nouns)
    )


def _reports(ws: Workspace, names: Sequence[str]) -> int | None:
    """Who reports at first: of a sample one row, else as it was said of the statistic in use."""
    said = bound_controls.answered(ws, None)
    if ws.sample or (said and not said.unsaid and said.person is None and not said.several_rows):
        return 0
    if said is None or said.unsaid or (said.person is not None and said.person not in names):
        return None
    return len(names) + 1 if said.person is None else 1 + names.index(said.person)


def scene(ws: Workspace, counted: TextCounts, asked: Asked) -> Scene:
    """The column with what was reported.

    Raises:
        ParameterError: if the reports cannot be decoded.
    """
    p, q = asked.first.p, asked.first.q
    of = Subject(table=ws.table, query=counted, bloom=asked.bloom, p=p, q=q)
    shown = looking.reveal(
        ws,
        of.table,
        "Reveal the true numbers: not private",
        key="rappor_reveal",
        help_text="For teaching: then the picture shows how far off the estimates are.",
    )
    one = ws.find(of.key)
    drawn = {reports.rappor: reports for reports in of.reports(ws)}
    reports = tuple(drawn[each] for each in (asked.first, asked.second) if each in drawn)
    return Scene(
        asked=asked,
        reports=reports,
        decoded=scenes.decoded(reports, asked, (of.key, ws.mode, one.number if one else 0)),
        truth=of.query.values(of.table) if shown else None,
        clients=reports[0].total if reports else None,
        own=of,
    )


def acts(ws: Workspace, shown: Scene) -> None:
    """Ask everybody, and ask again at the second f."""
    of, held = shown.own, {each.rappor for each in shown.reports}
    if of is None:
        return
    waiting = True
    for place, rappor in enumerate((shown.asked.first, shown.asked.second)):
        offered = _offer(ws, of, rappor.f, place)
        name = of.planned(rappor.f).name
        press.button(
            f"Ask everybody, {percent(rappor.f)} random answers"
            + (" (done)" if rappor in held else ""),
            offered.draw,
            name,
            key=f"rappor_ask_{place}",
            type="primary" if waiting and rappor not in held else "secondary",
            width="stretch",
            disabled=rappor in held,
            help=f"{offered.each.get(name, '')} However often one reports like this, it costs no "
            "more. Of all reports of the same survey only the largest ε counts.".lstrip(),
        )
        if offered.all:
            st.caption(offered.all)
        waiting = waiting and rappor in held
    parts.problem_of_last_act()
    st.caption(
        "Another filter, p or q starts another survey, and the two costs add up. Who takes part is "
        "not hidden: only what they say."
    )


def _offer(ws: Workspace, of: Subject, f: float, place: int) -> panel.Offer:
    """What it costs to ask everybody at this f."""

    def draw(_name: str, *, sure: bool) -> None:
        of.draw(ws, f, sure=sure)

    key = f"rappor_{place}"
    return panel.offer(
        ws, of.asking(f, ws.family), [of.planned(f)], lambda _: "", key=key, act=draw
    )


def files(ws: Workspace, shown: Scene) -> None:
    """A file with the sums of each f."""
    of = shown.own
    if of is None or not shown.reports:
        return
    planned = [of.planned(each.rappor.f) for each in shown.reports]
    panel.hand_out(
        ws,
        of.asking(shown.asked.first.f, ws.family),
        planned,
        key="rappor_file_",
        caption="Each file says how often each bit was reported at one f; it has nobody’s text.",
    )


def told(of: Subject) -> str:
    """What is asked of whom, for the footer."""
    return f"{of.table.described(of.query.columns)}; texts of “{of.query.column}”"
