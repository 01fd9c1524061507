"""What is published: number, sum or mean, for whom, within which bounds.

What is chosen here is a draft; one button puts it to use, since another statistic is another
session. Limits: everything typed stays on screen, even if it cannot be used.
"""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.parameters import GRID_STEP
from dpviz.planning import typed
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    Count,
    Everybody,
    Grouping,
    Query,
    default_step,
)
from dpviz.ui.data import reading_check
from dpviz.ui.kit import (
    bound_controls,
    controls,
    group_controls,
    noun_controls,
    parts,
    plan_file,
    press,
    source,
)
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.sessions import PUBLIC, Statistic
from dpviz.workspace.workspace import Workspace

NEEDS_TABLE = "To change it, or to use another one, load the table: its columns are not known here."
COUNT, SUM, MEAN = "Number of people or rows", "Sum of a number", "Mean of a number"
_OF = {Count: COUNT, BoundedSum: SUM, BoundedMean: MEAN}
Builder = Callable[[Grouping, Bounds], Query]


def list_statistics(ws: Workspace) -> None:
    """Which of the statistics of the plan is shown, and what is done to it in the list."""
    place = source.choose_statistic(ws)
    if place is None:
        return
    _name(ws)
    earlier, off = st.columns(2)
    with earlier:
        press.button(
            "Move up",
            ws.move_up,
            ws.statistic,
            key="statistic_up",
            icon="arrow_upward",
            width="stretch",
            disabled=place == 0,
        )
    with off:
        press.button(
            "Take off the plan",
            ws.take_off,
            key="statistic_off",
            icon="playlist_remove",
            width="stretch",
            disabled=ws.released(ws.statistic),
        )


def list_topics(ws: Workspace) -> None:
    """What other pages have added to the plan."""
    for place, topic in enumerate(ws.topics):
        st.caption(f"Also on the plan: {literal(topic.name)}.")
        with st.container(horizontal=True, vertical_alignment="center"):
            parts.link(topic.page)
            press.button(
                "Take it off",
                ws.leave_topic,
                topic.key,
                key=f"topic_off_{place}",
                icon="playlist_remove",
            )


def _name(ws: Workspace) -> None:
    """What the statistic in use is called in lists and folders, if not by what is published."""
    one = ws.statistic
    typed_name = controls.text_input(
        "Its name",
        one.own_name,
        placeholder=one.query.statistic,
        key=controls.keyed(plan_file.NAME_FIELD, one.key),
        help="For lists and folders, such as “totals by site”. Empty: what is published.",
    )
    if typed_name.strip() == one.own_name:
        return
    try:
        ws.call(typed_name)
    except ParameterError as error:
        parts.refusal(str(error))
    else:
        st.rerun()  # the list above has the former name


def draft(ws: Workspace) -> tuple[Query | None, ParameterError | None]:
    """The query as chosen now, and why it cannot be used; that in use while no table is loaded.

    Who is protected is asked in a popover; of a table that is still a stranger in plain sight.
    """
    list_statistics(ws)
    list_topics(ws)
    if is_absent(ws.table):
        return ws.statistic.query, None
    mine = ws.statistic.query if ws.statistic.table.digest == ws.table.digest else None
    nouns = noun_controls.known(ws, noun_controls.of_unit(mine.bounds) if mine else None)
    counts = f"{nouns.many} or {nouns.rows}"
    if mine:  # then it is known who has a row
        counts = nouns.rows if mine.bounds.several_rows else nouns.many
    kind = noun_controls.choice(
        controls.selectbox,
        "What",
        {COUNT: f"Number of {counts}", SUM: SUM, MEAN: MEAN},
        began=_OF[type(mine)] if mine else COUNT,
        key=f"what_{ws.table.digest[:12]}",
        asked=mine,
    )
    build = _number(ws, kind, mine) if kind != COUNT else None
    by = group_controls.choose(ws, mine.by if mine else None)
    known = mine.bounds if mine else None
    rows = _rows_per_group(kind, mine)
    who = bound_controls.place(ws, known, rows)
    with who:
        bounds = bound_controls.choose(
            ws, known, named=True, rows=rows, of="" if kind == COUNT else "_number"
        )
        total = _total(ws, mine, nouns.one) if kind == COUNT else False
    try:
        split = by()
        bounded = bounds(len(split.labels))
        if build:
            query = build(split, bounded)
        else:
            query = Count(split, bounded, total=total and not isinstance(split, Everybody))
    except ParameterError as error:
        return None, error
    who.caption(literal(query.contribution))
    if query.sensitivity.l1 == 0:
        return None, ParameterError(PUBLIC)
    return query, reading_check.misreading(Statistic(ws.table, query, ws.loading))


def _rows_per_group(kind: str, mine: Query | None) -> str:
    """What was typed for a number of this kind; of a sum or a mean it is asked, as 1 is a count."""
    if mine is None or (kind == COUNT) != isinstance(mine, Count) or mine.bounds.person is None:
        return "1" if kind == COUNT else ""
    return str(mine.bounds.rows_per_group)


def _total(ws: Workspace, mine: Query | None, one: str) -> bool:
    return controls.checkbox(
        "Publish the total as well",
        value=isinstance(mine, Count) and mine.total,
        key=f"total_{ws.table.digest[:12]}",
        help=f"One more number, with independent noise: one {one} then moves more, and the page "
        "Releases can make groups and total consistent.",
    )


def _number(ws: Workspace, kind: str, mine: Query | None) -> Builder:
    """The column of the number and its clip bounds, typed."""
    held = mine if isinstance(mine, BoundedSum | BoundedMean) else None
    digest = ws.table.digest[:12]
    usual = next(iter(ws.sample.bounds), None) if ws.sample else None
    column = group_controls.readable(
        ws, "Number", "number", group_controls.NUMBERS, held.column if held else usual
    )
    same = held if held and held.column == column else None
    public = ws.sample.bounds.get(str(column)) if ws.sample else None
    low, high = (same.lower, same.upper) if same else public or ("", "")
    left, right = st.columns(2)
    with left:
        lower = controls.text_input("Lower clip bound", str(low), key=f"lower_{digest}_{column}")
    with right:
        upper = controls.text_input(
            "Upper clip bound",
            str(high),
            key=f"upper_{digest}_{column}",
            help="Smaller values count as the lower, larger ones as the upper bound. Type what "
            "is known without the data: bounds that fit the data leak something about it. Values "
            "that are not finite numbers are left out.",
        )
    step_text = _step(digest, str(column), same) if kind == SUM else ""
    unit = noun_controls.measure(ws, str(column), same.nouns if same else None)

    def build(by: Grouping, bounds: Bounds) -> Query:
        name = group_controls.chosen_column(ws, column, group_controls.NUMBERS)
        low = typed.awaited(lower, where="Lower clip bound", example="0")
        high = typed.awaited(upper, where="Upper clip bound", example="100")
        bounds = replace(bounds, nouns=replace(bounds.nouns, measure=unit))
        if kind == MEAN:
            return BoundedMean(name, low, high, by, bounds)
        step = (
            GRID_STEP.read(step_text, where="Grid step")
            if step_text.strip()
            else default_step(low, high)
        )
        return BoundedSum(name, low, high, by, bounds, step)

    return build


def _step(digest: str, column: str, same: BoundedSum | BoundedMean | None) -> str:
    typed_step = controls.text_input(
        "Grid step",
        f"{same.step!r}" if isinstance(same, BoundedSum) else "",
        placeholder="a power of two; empty: about 1/1,000 of the range",
        key=f"step_{digest}_{column}",
        help="Each value is rounded to a multiple of the step before it is added, so that the sum "
        "is a whole number of steps and whole-number noise can hide it.",
    )
    return typed_step


def use_button(ws: Workspace, query: Query | None, problem: ParameterError | None) -> None:
    """Put the draft to use; says what that starts. Of what is in use there is nothing to say."""
    if is_absent(ws.table):
        press.forget("use_statistic")
        st.caption(literal(f"{ws.statistic.query.statistic}. {NEEDS_TABLE}"))
        return
    wanted = Statistic(ws.table, query, ws.loading) if query and not problem else None
    same = wanted is not None and wanted.key == ws.statistic.key
    if wanted and same and wanted.words == ws.statistic.words:
        press.forget("use_statistic")
        return
    answer = wanted is not None and same and wanted.words[2] != ws.statistic.words[2]
    if not same:
        press.button(
            "Add it to the plan",
            _use,
            ws,
            ws.use,
            wanted,
            key="add_statistic",
            width="stretch",
            icon="playlist_add",
            disabled=wanted is None or wanted.key in [s.key for s in ws.statistics],
        )
    press.button(
        "Use this answer" if answer else "Use these words" if same else "Use this statistic",
        _use,
        ws,
        ws.use_instead,
        wanted,
        key="use_statistic",
        type="primary",
        width="stretch",
        icon="check",
        disabled=wanted is None,
    )
    if problem:
        parts.problem(problem)
    elif wanted:
        st.caption(_what_it_starts(ws, wanted, same=same, answer=answer))


def _what_it_starts(ws: Workspace, wanted: Statistic, *, same: bool, answer: bool) -> str:
    """What a press changes, and what it leaves."""
    if answer:
        return (
            "No number changes, and its session goes on. Files say from now on what is protected "
            "by this answer; tell those who have earlier ones."
        )
    if same:
        return (
            "Only words change: the same statistic, and its session goes on. Files that were "
            "handed out before have the former words; the check of a pack says which groups have "
            "another name now."
        )
    text = "The other pages show it once you press."
    if wanted.key in [s.key for s in ws.statistics]:
        text = "Used before: its session continues where it stopped."
    elif ws.ledger:
        text = "This starts a new session. Releases made so far stay, and their losses still count."
    names = ws.asked_again(wanted)
    if not names:
        return text
    return (
        f"{text} The page Tiers will ask for the ± of {literal(join(names))} again: it was typed "
        "for another kind of number."
    )


def _use(ws: Workspace, put: Callable[[Statistic], None], wanted: Statistic | None) -> None:
    """Put a statistic to use, beside those of the plan or instead of the one in use.

    Why a draft cannot be used is said beside its fields.
    """
    if wanted is not None:
        put(wanted)
        plan_file.refill_sizes(ws)
