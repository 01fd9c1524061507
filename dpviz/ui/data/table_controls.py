"""Which table: a sample, an upload, or one that stays. To replace one with releases asks first."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.data import (
    SAMPLES,
    Sample,
    Table,
    connection_names,
    load,
    open_connection,
    read_table,
    rows_mark,
    texts_mark,
)
from dpviz.data.read import MAX_BYTES
from dpviz.errors import ParameterError
from dpviz.parameters import decimal
from dpviz.ui.data import upload_choices
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.state import Slot, nothing
from dpviz.words import join, shorten
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.words.names import visible
from dpviz.workspace import account, takeaways
from dpviz.workspace.projects.absent import bring_another, is_absent, same_rows, waits_for
from dpviz.workspace.takeaways import cost_words
from dpviz.workspace.workspace import Workspace

UPLOAD = "upload_table"  # key of the uploader
BOX = "change_table"  # key of the popover that it is in
CONNECTION = "connection"  # key of the box with the tables of the server
AGAIN = (
    "A project keeps no table. All that was released is here without it. The project knows the "
    "same table by a mark."
)
KEPT = (
    "What you release stays in the project, the table only in this tab. After a reload "
    "of the page, open the project and bring the table again."
)
CHANGE = "Change the table"
HOW_TO_CHANGE = "Upload a table of your own, or take a sample."
SAME = "Use it as the same table"
WHERE = (
    "Your table goes into the memory of the server that runs this page, until a minute after the "
    "tab is closed. Those who run that server could read it."
)
_SEEN = Slot[str | None]("upload_seen", nothing)
_PROBLEM = Slot[str | None]("upload_problem", nothing)
_WAITING = Slot[tuple[Table, str] | None]("upload_waiting", nothing)
_UNREAD = Slot[str | None]("connection_problem", nothing)


def choose_table(ws: Workspace) -> None:
    """What is loaded, and in a popover how to load another: an upload or a sample.

    A project may wait for its table: then all of it is in plain sight.
    """
    _take(ws)
    away = is_absent(ws.table)
    with st.container(horizontal=not away, vertical_alignment="center", gap="small"):
        st.markdown(_loaded(ws), width="content")
        box = (
            st.container(border=True)
            if away
            else press.popover(CHANGE, key=BOX, icon="table", help=HOW_TO_CHANGE)
        )
    with box:
        _upload()
        upload_choices.ask_how_to_read(ws, _newest(ws))
        _offer_server_tables(ws, ws.table)
        with st.container(gap="xsmall"):
            _samples(ws)
        st.caption(KEPT if ws.keeper.name else takeaways.RELOAD)
    _ask_before_replacing(ws)
    if any(decimal(column.name) is not None for column in ws.table.columns):
        st.caption(
            "A column has a number as its name. If the file has no header line, its first row was "
            "taken for one: add a line with names on top, and upload it again."
        )


def bring_again(ws: Workspace, title: Callable[[Workspace], str]) -> None:
    """Where a project waits for the table of its statistic: ask for the same file.

    Args:
        ws: the workspace.
        title: who waits for it.
    """
    if is_absent(ws.statistic.table):
        _take(ws)
    waited = ws.statistic.table
    sealed = ws.round is not None and ws.round.mechanism.sealed_at is not None
    if not is_absent(waited) or sealed:
        return
    with st.container(border=True, gap="xsmall"):
        st.markdown(title(ws))
        st.caption(AGAIN)
        controls.file_uploader(f"Bring “{literal(waited.name)}” again", key=UPLOAD)
        _offer_server_tables(ws, waited)
        _problem()
        _ask_before_replacing(ws)


def _take(ws: Workspace) -> None:
    """Take what was uploaded, once; what cannot be read leaves the table as it was."""
    waiting = _WAITING.get()
    stays = waiting is not None and waiting[0].seconds is not None  # no upload, so none is gone
    told: list[Slot[Any]] = [
        _PROBLEM,
        upload_choices.AGAIN,
        upload_choices.NESTED,
        *([] if stays else [_WAITING]),
    ]
    upload = controls.new_upload(UPLOAD, _SEEN, *told)
    again = upload_choices.AGAIN.get()
    if upload is not None:
        sheet = upload_choices.recalled(ws, upload[0])
        _PROBLEM.set(_read(ws, *upload, sheet))
    elif again and again.asked != upload_choices.asked(_newest(ws), again.name):
        _PROBLEM.set(_read(ws, again.name, again.content))


def _newest(ws: Workspace) -> Table:
    """The table that was read last, whether it is in use or waits for that."""
    waiting = _WAITING.get()
    return waiting[0] if waiting else ws.table


def _upload() -> None:
    """Where a table of the visitor's own is uploaded, and what is wrong with it.

    Files of every ending are taken: the library says what is wrong with one, in one place, where
    the uploader would leave its own word beside the sentence about the file before.
    """
    controls.file_uploader(
        "Upload a CSV, Excel, Parquet, Stata, SPSS or SAS file",
        help="One row per person, thing or event, with the names of the columns on top: CSV or "
        "JSON Lines (also .gz), Excel (.xlsx), Parquet, Stata (.dta), SPSS (.sav), SAS (.sas7bdat, "
        f".xpt), at most {MAX_BYTES >> 20} MB.",
        key=UPLOAD,
    )
    st.caption(WHERE)
    _problem()


def _problem() -> None:
    """What is wrong with the upload."""
    if problem := _PROBLEM.get():
        parts.refusal(problem)
        upload_choices.offer_to_leave_out()


def _samples(ws: Workspace) -> None:
    """A button for each sample; that of the one in use cannot be pressed."""
    st.markdown(":small[Or take a sample]")
    for sample in SAMPLES.values():
        controls.button(
            f"Load the sample {sample.file}",
            _use_sample,
            ws,
            sample,
            icon="dataset",
            help=sample.title,
            width="stretch",
            disabled=sample.loading == ws.loading and not is_absent(ws.table),
            key=f"sample_{sample.file}",
        )


def _loaded(ws: Workspace) -> str:
    """What is loaded: of an upload the first columns, so that a row taken for a header is seen."""
    table = ws.table
    if is_absent(table):
        return f"**{literal(table.name)}** is not loaded: bring it again. {AGAIN}"
    if ws.sample:
        return f"Example data, until you bring your own table: **{literal(ws.sample.title)}**"
    columns = numbered(len(table.columns), "columns")
    named = upload_choices.some_columns([column.name for column in table.columns])
    said = [
        f"Loaded: **{literal(table.name)}**, {columns}: {named}.",
        upload_choices.how_it_was_read(table.file),
    ]
    if table.seconds is not None:
        order = literal(table.order_said)
        said.append(f"It stays on the server, where a table has no order: {order}.")
    return " ".join(filter(None, said))


def _read(ws: Workspace, name: str, content: bytes, sheet: str | None = None) -> str | None:
    """Read an upload; the sentence why it cannot be used."""
    how = upload_choices.asked(_newest(ws), name)
    how = replace(how, sheet=how.sheet or sheet)
    upload_choices.AGAIN.pop()
    upload_choices.NESTED.pop()
    try:
        with st.spinner("Reading the table …"):
            table = read_table(content, name=name, **how.chosen)
            table.pack()
            rows_mark(table)  # takes a while, too
    except ParameterError as error:
        upload_choices.refused(name, content, how, error)
        return str(error)
    upload_choices.taken(name, content, how, table)
    _take_it(ws, table, table.file.loading(table.name))
    if upload_choices.AGAIN.get() is None:  # else it may have to be read in another way
        controls.shut(BOX)
    return None


def _take_it(ws: Workspace, table: Table, loading: str) -> None:
    """Use a table that was read; where there are releases already, ask first.

    With the same texts in the same order it is the same table, and its sessions go on.
    """
    if not is_absent(ws.table) and ws.ledger and texts_mark(table) == texts_mark(ws.table):
        table = replace(table, digest=ws.table.digest)
    if ws.ledger and table.digest != ws.table.digest and not waits_for(ws, table):
        if (before := _WAITING.get()) is not None:
            before[0].close()
        _WAITING.set((table, loading))
    else:
        _replace(ws, table, loading)


def _replace(ws: Workspace, table: Table, loading: str) -> None:
    before = ws.table
    if is_absent(ws.statistic.table) and not waits_for(ws, table):
        bring_another(ws, table, loading)
    else:
        ws.bring(table, loading)
    asked = filter(None, (s.asking.table for s in ws.sessions))
    planned = [*(s.table for s in ws.statistics), *(topic.table for topic in ws.topics)]
    needed = [ws.table, *planned, *asked]
    if all(before.engine is not each.engine for each in needed):
        before.close()  # so that no connection stays open for nothing
    _WAITING.pop()


def _ask_before_replacing(ws: Workspace) -> None:
    """An upload while releases exist waits for confirmation; the releases stay either way."""
    if (found := _WAITING.get()) is None:
        return
    waiting, loading = found
    away, same = is_absent(ws.statistic.table), same_rows(ws, waiting)
    before = ws.statistic.table if away else ws.table
    with st.container(border=True, gap="xsmall"):
        if same:
            _say_it_has_the_same_rows(ws, before, waiting)
        elif away:
            _say_it_is_another(ws, waiting)
        else:
            st.markdown(f"**Replace {literal(before.name)} by {literal(waiting.name)}?**")
            st.caption(
                f"Releases made so far: {len(ws.ledger)}. They stay, and you can still download "
                "them on the page Releases. If the new table is about the same "
                f"{literal(ws.statistic.query.nouns.many)}, its privacy loss adds to theirs."
            )
        use = SAME if same else "Use this table, too" if away else "Replace the table"
        controls.button(use, _replace, ws, waiting, loading, key="replace_table", type="primary")
        keep = f"Wait for {literal(before.name)}" if away else "Keep the old one"
        controls.button(keep, _keep_the_old_one, key="keep_table")


def _say_it_has_the_same_rows(ws: Workspace, before: Table, waiting: Table) -> None:
    """A file that holds the same rows otherwise: their ledger is here, and a session is another."""
    st.markdown(
        f"**{literal(waiting.name)} has the same rows as {literal(before.name)}. Use it as the "
        "same table?**"
    )
    st.caption(
        literal(
            "They stand in another order, or are written otherwise. So a new number is drawn in "
            f"another session, whose privacy loss adds to what was lost so far: {_lost(ws)}. With "
            f"{before.name} itself the session goes on."
        )
    )


def _say_it_is_another(ws: Workspace, waiting: Table) -> None:
    """The file that was brought is not the one that is waited for: what using it means."""
    st.markdown(
        f"**{literal(waiting.name)} is another table than {literal(ws.statistic.table.name)}. "
        "Release from it, too?**"
    )
    st.caption(
        literal(
            "That is another session, and its privacy loss adds to what was lost so far: "
            f"{_lost(ws)}. What was released stays. If it is the same file in another encoding, "
            "or another sheet of it, choose that on the page Data."
        )
    )


def _lost(ws: Workspace) -> str:
    """What was lost so far, for each unit of privacy."""
    return join([f"{cost_words(loss)} where {unit}" for unit, loss in account.by_unit(ws).items()])


def _keep_the_old_one() -> None:
    if (waiting := _WAITING.pop()) is not None:
        waiting[0].close()
    upload_choices.AGAIN.pop()


def _use_sample(ws: Workspace, sample: Sample) -> None:
    ws.bring(load(sample), sample.loading)
    ws.table.pack()
    _keep_the_old_one()
    controls.shut(BOX)


def _offer_server_tables(ws: Workspace, table: Table) -> None:
    """The tables that the people who run the server offer, by name, and a button that reads one.

    A visitor never sees an address (docs/ENGINES.md); what is wrong with one is told without it.
    """
    try:
        names = connection_names(places())
    except ParameterError as error:
        parts.refusal(str(error))
        return
    if not names:
        return
    name = controls.selectbox(
        "A table on this server",
        names,
        key=controls.keyed(CONNECTION, names),
        format_func=lambda each: visible(shorten(each, 60)),
        help="The people who run this server offer it. Its rows stay where they are; only exact "
        "aggregates come into the memory of the server.",
    )
    again = table.seconds is not None and table.name == name
    label = "Read it again" if again else "Use this table of the server"
    press.button(label, _read_server_table, ws, name, key="use_connection", icon="database")
    if again:
        st.caption(
            "It is as it was when it was read. Read again, a table that has changed is another "
            "one: its releases are another session, whose privacy loss adds to what was lost."
        )
    if problem := _UNREAD.get():
        parts.refusal(problem)


def places() -> list[str]:
    """The files in which connections are written: those of Streamlit."""
    return [str(path) for path in st.get_option("secrets.files")]


def _read_server_table(ws: Workspace, name: str) -> None:
    """Read a table; what is wrong with it stays on screen until the next one is read."""
    _UNREAD.pop()
    try:
        with st.spinner("Asking for the columns of the table …"):
            table = open_connection(name, places())
    except ParameterError as error:
        _UNREAD.set(str(error))
        return
    _take_it(ws, table, f"open_connection({name!r})")
