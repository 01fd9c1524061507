"""Data: which table, what is published of it, and how much one person can change that."""

from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.charts.data import bounds_moved, rows_kept, rulers
from dpviz.charts.forms.picture import Picture
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import BoundedMean, Query
from dpviz.scenes import data as scenes
from dpviz.scenes.data import Publication
from dpviz.ui.data import query_controls, reading_check, reading_controls, table_controls
from dpviz.ui.kit import code, controls, looking, parts, project_box
from dpviz.ui.kit.bound_controls import HOW_READ
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.words import capitalised, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import numbered, times_in_100, with_noun
from dpviz.words.markdown import literal
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import counted, unit_after, unit_words
from dpviz.workspace.workspace import Workspace

NO_STATISTIC = (
    "Say what is counted, for whom, within which bounds: it will be published, with noise."
)
PREVIEW = 20  # rows of the table, shown on request


def chosen(ws: Workspace) -> Publication | Missing:
    """Ask what is published, put it to use, and check how its columns are read."""
    query, problem = query_controls.draft(ws)
    query_controls.use_button(ws, query, problem)
    if query is None:
        looking.warn(ws, ws.statistic)
        return Missing(NO_STATISTIC, file="", instead=partial(reading_controls.first_columns, ws))
    statistic = Statistic(ws.table, query, ws.loading)
    reading_check.show(ws, statistic)
    looking.warn(ws, statistic)
    return scenes.publication(ws, statistic, usable=problem is None)


# --- the sentences ---


def headline(scene: Publication) -> Said:
    """What will be published, and how far one person changes it."""
    query, size = scene.query, scene.query.sensitivity
    values = len(query.labels)
    each = "each " * (values > 1)
    count = Claim(
        what="numbers that are published",
        value=values,
        fixed=query.statistic,
        method="one for each group, and the total if it is published, too",
    )
    what = say(
        "{many} {numbers}, {each}with noise added",
        many=Number(capitalised(counted(values)), count),
        numbers=_number_word(query) + "s" * (values > 1),
        each=each,
    )
    if query.per_value > 1:
        sums = Claim(
            what="numbers that are released",
            value=query.dimension,
            fixed=query.statistic,
            method="a mean is read from a sum and a number of rows, both with noise",
        )
        what = say(
            "{what}, made of {sums} sums and numbers of {rows}",
            what=what,
            sums=Number(f"{query.dimension:,}", sums),
            rows=Name(query.nouns.rows),
        )
    return say(
        "{what}: the {statistic}. {who} can change {moved}.",
        what=what,
        statistic=Name(query.statistic),
        who=Name(_who(query)),
        moved=_moved(query, far=size.linf * query.step, numbers=size.l0),
    )


def _who(query: Query) -> str:
    replaced = query.bounds.relation == "replace"
    return f"{'Replacing one' if replaced else 'One'} {query.nouns.one}"


def _number_word(query: Query) -> str:
    return "count" if query.clip is None else "number"


def _moved(query: Query, *, far: float, numbers: int) -> Said:
    """How many numbers one person moves, and how far."""
    fixed, method = query.contribution, f"what the bounds leave of one {query.nouns.one}"
    largest = Claim(
        what="largest change of one number",
        value=far,
        unit=unit_after(query, far) if query.per_value == 1 else "",
        fixed=fixed,
        method=method,
        kind="at most",
    )
    how_many = Claim(
        what="how many numbers change", value=numbers, fixed=fixed, method=method, kind="at most"
    )
    noun = "" if query.clip is None or query.per_value > 1 else unit_words(query)
    most = say("by at most\u00a0{far}", far=Number(with_noun(significant(far, 4), noun), largest))
    if query.dimension == 1:
        return Said(f"it {most.text}", (*most.claims, how_many))
    template = "{numbers} of them {most} each" if numbers > 1 else "{numbers} of them {most}"
    return say(template, numbers=Number(counted(numbers), how_many), most=most)


def reading(scene: Publication) -> str:
    """How to read the picture: the arrows, and the noise around the number that is not shown."""
    query, noise = scene.query, scene.noise
    arrows = "the arrow" if query.sensitivity.l0 == 1 else "the arrows"
    many, one = len(query.by.labels), query.nouns.one
    reach = min(query.bounds.groups_per_person, many)
    if query.bounds.relation != "add/remove":
        arrow = f"{arrows.capitalize()}: what one {one} for another changes at most."
    elif reach < many:
        few = f"{counted(reach)} of {counted(many)} groups"
        arrow = f"{arrows.capitalize()}: one {one} more, who counts in only {few}."
    else:
        arrow = f"{arrows.capitalize()}: what one {one} more changes at most."
    if noise is None:
        return f"{arrow} Random noise is added to each number before it is published."
    return (
        f"{arrow} Grey: the noise for {literal(noise.tier)}, the most trusted readers, as it is "
        f"planned on the next page: {noise.near}, {times_in_100(ACCURACY_CONFIDENCE)}."
    )


def picture(scene: Publication) -> Picture:
    """What one person moves, and the noise around it; no number of the table is in it."""
    query, exact = scene.query, f"exact {_number_word(scene.query)}"
    return rulers(
        scene.influence,
        axis_title=f"{query.noun_released}, more or fewer than the {exact}",
        hidden=f"{exact}, not published",
        noise=(scene.noise.tier, scene.noise.half) if scene.noise else None,
        one=query.nouns.one,
    )


def formula(scene: Publication) -> str:
    """The three norms of what one person can change, and what is made of the released numbers."""
    query, one = scene.query, scene.query.nouns.one
    norms = "\n".join(f"- {literal(query.formula(norm))}" for norm in ("l1", "l2", "linf"))
    text = (
        f"What one {one} can change ({query.neighbours}), in the three norms:\n\n{norms}\n\n"
        "Gaussian noise is scaled to $\\Delta_2$, Laplace noise to $\\Delta_1$."
    )
    if not isinstance(query, BoundedMean):
        return text
    rows, half = query.nouns.rows, (query.upper - query.lower) / 2
    middle = (query.lower + query.upper) / 2
    return text + (
        f"\n\nSum and number of {rows} are released together, from one budget: with the middle "
        f"$m={middle:g}$ and half the range $h={half:g}$ each value counts as $(x-m)/h$, between "
        f"−1 and 1, so that one {query.nouns.row} moves the sum as far as the number of {rows}. "
        f"The mean is $m+h\\cdot$ sum / {rows}, a post-processing of the release."
    )


# --- the closers ---


def how_read(ws: Workspace) -> None:
    """How the columns are read, where the table is from, and its first rows on request."""
    reading_controls.columns(ws)
    st.subheader("Where is the table from?", anchor=False)
    if (sample := ws.sample) is not None:
        st.caption(
            f"**Sample** {sample.title}. **One row** {sample.row}. **Source** {sample.source}. "
            f"**Licence** {sample.licence}."
        )
    wanted = controls.toggle(
        "Look at the table: not private",
        help="The raw rows, for those who may see them.",
        lasting=False,
        key=f"look_at_table_{ws.table.digest[:12]}",  # another table begins out of sight
    )
    if wanted and looking.sure_of_rows(ws):
        looking.note(ws, ws.table)
        st.badge("Raw rows on screen: not private", icon=":material/visibility:", color="red")
        parts.table(
            ws.table.preview(PREVIEW), alt=f"First {PREVIEW} rows of the table, not private."
        )
        st.caption(f"First {PREVIEW} of {numbered(ws.table.rows(), 'rows')}.")


def left_out(ws: Workspace, scene: Publication) -> None:
    """The rows that the bounds keep, and how far they move each number: exact, so on request."""
    if ws.mode == "hardened":
        st.caption(
            "Hardened mode does not look: choose bounds from what is known without the data."
        )
        return
    st.caption(
        "Every accuracy in this dashboard is about the bounded statistic. How much the bounds cut "
        "off is itself a private number. Looking at it, or choosing bounds by it, leaks."
    )
    label, key = "Look at what bounding costs: not private", "bounding_reveal"
    if not looking.reveal(ws, ws.table, label, key=f"{key}_{ws.table.digest[:12]}"):
        return
    st.badge("Exact numbers on screen: not private", icon=":material/visibility:", color="red")
    cost = parts.value_or_refusal(partial(scenes.bound_cost, scene.statistic))
    if cost is None:
        return
    nouns = scene.query.nouns
    if cost.kept.in_groups == 0:
        st.warning(
            f"No {nouns.row} counts at all. Check how the columns are read, the list of groups, "
            f"and the column that names the {nouns.one}.",
            icon=":material/warning:",
        )
    clipped = scene.query.clip is not None
    kept = rows_kept(cost.kept, rows_are=nouns.rows, clipped=clipped)
    parts.chart(
        kept.figure,
        heading="",
        reading=f"{capitalised(nouns.rows)} that each bound leaves, in the order of the bounds.",
        alt=kept.alt,
        key="kept",
    )
    moved = bounds_moved(cost.groups, unit=scene.query.noun)
    parts.chart(
        moved.figure,
        heading="What bounding changes, in each group",
        reading="Bounded minus unbounded statistic; no noise is in it.",
        alt=moved.alt,
        key="bounding",
    )


PAGE = PageForm(
    file="data",
    controls=chosen,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=lambda _: (),
    formula=formula,
    recipe=scenes.influence,
    arguments=lambda scene: {"query": code.query_text(scene.statistic)},
    closers=(
        Closer(label=HOW_READ, inside=how_read, key="reading", with_scene=False),
        Closer(label="Which rows are left out?", inside=left_out, key="left_out"),
    ),
    badges=lambda scene: [looking.READ_OFF] if scene.read_off else [],
    facts=lambda scene: scene.facts,
    ready=lambda scene: scene.in_use,  # else the next page shows another statistic
)


def show(ws: Workspace) -> None:
    """Show which table is loaded, and below it the page."""
    top = st.container()
    table_controls.choose_table(ws)
    project_box.show_elsewhere(ws, ws.table)
    reading_check.ask_about_total(ws)
    page = replace(PAGE, closers=()) if is_absent(ws.table) else PAGE
    page.show(ws, top)
