"""Keep this tab’s work as a project, or open one, such as one that has a ledger of the same rows.

It opens from the eyebrow, and where a tab was lost. A project is for those who may see every tier.
So a dashboard that others can reach offers none, unless the person who runs it has named a place
for them.

A tab says before its first draw that the rows of its table have a ledger: in a project, which it
offers to open, or in another tab. Hardened mode draws only once a second ledger is meant. Somebody
who has the rows hears how much was lost of them in all; of other rows nobody hears anything.
"""

import os
from collections.abc import Callable, Sequence
from ipaddress import ip_address

import pandas as pd
import streamlit as st

from dpviz.accounting import joint_loss
from dpviz.data import Table, load, quoted
from dpviz.errors import ParameterError
from dpviz.ui.kit import (
    admitted,
    controls,
    lesson_view,
    parts,
    plan_file,
    press,
    state,
    tally,
    workers,
)
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.state import Slot, nothing
from dpviz.words import shorten
from dpviz.words.markdown import literal
from dpviz.workspace import others
from dpviz.workspace.projects import PLACE, Projects, place_from
from dpviz.workspace.projects.absent import is_absent, waits_for
from dpviz.workspace.projects.contents import overview, sentences
from dpviz.workspace.projects.versions import Elsewhere, PlanChangedError
from dpviz.workspace.takeaways import cost_words
from dpviz.workspace.workspace import Workspace

_CLASH = Slot[Elsewhere | None]("plan_clash", nothing)
_NEWS = Slot[Elsewhere | None]("plan_news", nothing)
LATEST = 50  # acts on screen
OFF = (
    "This dashboard keeps no projects, because others may reach it and would see every release. "
    f"Run it on your own computer, or ask the person who runs it to name a place in {PLACE}."
)
SWITCHED_OFF = f"This dashboard keeps no projects: {PLACE} says so. Unset it to have them."
WHAT = (
    "A project keeps the plan, the ledger and all releases for the next time, never the table. It "
    "is a file that only the account that runs this dashboard can read."
)
HARDENS = "Projects are in hardened mode: this tab switches to it, and to noise in whole numbers."
COUNTED = (
    "The limit of this dashboard counts what this project has released, so it is not deleted here. "
    "Ask the person who runs the dashboard, who can type: dpviz project delete"
)
PRACTICE = (
    "This tab has practice releases, and no project keeps those: anyone who guesses their seed "
    "has the exact numbers. Open the dashboard in another tab to begin a project."
)
LIMIT = "The limit of this dashboard counts all of it."


def begin_run() -> None:
    """Show what other tabs have drawn in the project since, or why it cannot be read."""
    _said(state.workspace().catch_up)


def say_changed() -> None:
    """Say what another tab has changed of the plan; where this one did, too, ask which to keep."""
    ws, clash, news = state.workspace(), _CLASH.get(), _NEWS.pop()
    if news is not None:
        plan_file.refill_tiers(ws)
        st.info(
            literal(f"{news.told} You see the plan as it is now; undo goes back no further."),
            icon=":material/sync:",
        )
    if clash is None:
        return
    st.warning(literal(f"{clash.told} {clash.lost}"), icon=":material/call_split:")
    with st.container(horizontal=True):
        press.button("Take the other plan", _settle, plan_file.take_other, ws, key="plan_take")
        press.button("Keep my plan", _settle, Workspace.keep_plan, ws, key="plan_keep_mine")


def plan_waits() -> bool:
    """Whether what this tab changed of the plan is not kept, as another one changed it, too."""
    return _CLASH.get() is not None


def _settle(choose: Callable[[Workspace], None], ws: Workspace) -> None:
    choose(ws)
    _CLASH.pop()


def end_run() -> None:
    """Keep the plan as it is after this run, and let a plan that was changed elsewhere be seen.

    What is typed was read by now, so nothing of it is lost.
    """
    ws, clash = state.workspace(), None
    try:
        ws.save_plan()
    except PlanChangedError as error:
        clash = error.elsewhere
    except ParameterError as error:
        parts.refusal(str(error))
        return
    news = None if clash else ws.follow_plan()
    if news is not None:
        _NEWS.set(news)
    if news is not None or clash != _CLASH.get():
        _CLASH.set(clash)
        st.rerun()


def show(ws: Workspace) -> None:
    """Keep this work, open a project, rename or delete the one that is open."""
    name, place = ws.keeper.name, offered()
    parts.problem_of_last_act()
    if place is None:
        st.caption(SWITCHED_OFF if os.environ.get(PLACE) else OFF)
        return
    if name:
        _kept(ws, place, name)
    else:
        _keep(ws, place)
    _open(place, ws)


def offer_to_open() -> None:
    """For a tab that lost its workspace: the projects that it can go on with, if there are some."""
    place = offered()
    if place is not None and Projects.begun(place):
        _open(place, None)
        parts.problem_of_last_act()


def offered() -> str | None:
    """Where projects are kept for this visitor; None: nowhere."""
    hosts = [st.get_option("server.address") or "", *st.get_option("server.allowedHosts")]
    asked = st.context.headers
    hosts += [asked[name] for name in ("Host", "X-Forwarded-Host") if name in asked]
    others = "X-Forwarded-For" in asked or not all(map(is_own, hosts))
    return place_from(os.environ, shared=others)


def is_own(host: str) -> bool:
    """Whether a host, with its port or not, is the computer itself.

    >>> [is_own(h) for h in ("localhost:8501", "[::1]:80", "127.0.0.1", "dp.example.org", "")]
    [True, True, True, False, False]
    """
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def _said(act: Callable[[], None]) -> None:
    """Run an act of the page itself; why it is refused is said at its place."""
    try:
        act()
    except ParameterError as error:
        parts.refusal(str(error))


def _keep(ws: Workspace, place: str) -> None:
    """Keep what this tab has under a name."""
    st.markdown("**Keep this work**")
    st.caption(WHAT)
    if any(one.mode == "teaching" for one in ws.sessions):
        st.caption(PRACTICE)
        return
    if ws.mode == "teaching":
        st.caption(HARDENS)
    name = controls.text_input(
        "Name of the project", key="project_name", placeholder="wages 2026", lasting=False
    )
    press.button("Keep as a project", _create, ws, place, name, key="project_keep", icon="folder")


def _create(ws: Workspace, place: str, name: str) -> None:
    before = ws.mode, ws.family_name
    if not ws.sessions:
        ws.use_mode("hardened")
    try:
        admitted.projects(place).create(name, ws)
    except ParameterError:
        ws.use_mode(before[0])
        ws.use_family(before[1])
        raise
    plan_file.refill(ws)


def _kept(ws: Workspace, place: str, name: str) -> None:
    """What is kept; another name for it; and the end of it."""
    st.markdown("**This project**")
    st.caption(literal(" ".join(sentences(overview(ws)))))
    new = controls.text_input("Another name", key="project_new_name", lasting=False)
    press.button("Rename the project", _rename, ws, place, name, new, key="project_rename")
    st.caption(
        "To delete it, type its name. Its plan, ledger and releases are then gone for good: files "
        "that you handed out stay out, and nobody counts their privacy loss any more."
    )
    typed = controls.text_input("Name of the project to delete", key="project_gone", lasting=False)
    press.button("Delete the project", _delete, place, name, typed, key="project_delete")
    if admitted.asked():
        _record(place, name)


def _record(place: str, name: str) -> None:
    """Who did what in this project, the latest first, where people log in."""
    acts = admitted.projects(place).acts(name)[::-1][:LATEST]
    rows = [(f"{a.at:%Y-%m-%d %H:%M:%S}", a.who, a.what, a.tier, a.session or "") for a in acts]
    st.markdown("**Who did what here**, the latest first")
    columns = ["When (universal time)", "Who", "What", "Tier", "Session"]
    parts.table(
        pd.DataFrame(rows, columns=columns).astype(str),
        alt="A table of the latest acts on this project: when, who, what, and for which tier.",
    )
    st.caption("“dpviz record” says all of it, with who logged in and who was turned away.")


def _rename(ws: Workspace, place: str, name: str, new: str) -> None:
    admitted.projects(place).rename(name, new)
    ws.catch_up()


def _delete(place: str, name: str, typed: str) -> None:
    if typed.strip() != name:
        raise ParameterError(
            f"Name of the project to delete: {quoted(typed.strip())} is not {quoted(name)}, so "
            f"nothing was deleted. Type {quoted(name)}"
        )
    projects = admitted.projects(place)
    if state.owner() is not None and projects.open(name).ledger:
        raise ParameterError(COUNTED)
    projects.delete(name)
    _begin_again(state.opened())


def _open(place: str, ws: Workspace | None) -> None:
    """Choose a project by what it holds, and open it in this tab."""
    st.markdown("**Open a project**")
    names = parts.value_or_refusal(lambda: _names(place, ws.keeper.name if ws else ""))
    if not names:
        if names is not None:
            st.caption("There is no other project here yet.")
        return
    name = controls.selectbox(
        "Project", names, key="project_chosen", format_func=shorten, lasting=False
    )
    there = parts.value_or_refusal(
        lambda: " ".join(sentences(overview(Projects(place).open(name))))
    )
    if there:
        st.caption(literal(there))
    sure = ws is None or _may_go(ws)
    press.button(
        "Open the project",
        _go,
        place,
        name,
        sure,
        key="project_open",
        icon="folder_open",
        disabled=there is None,
    )


def open_button(place: str, name: str) -> None:
    """Offer a project that a tab without releases may go on with.

    Args:
        place: where it is kept.
        name: of the project.
    """
    label = f"Open the project {literal(quoted(shorten(name)))}"
    press.button(label, _go, place, name, True, key=f"open_{name}", icon="folder_open")


def _names(place: str, mine: str) -> Sequence[str]:
    """The projects of a place but the one that is open; looking makes no file."""
    names = Projects(place).names() if Projects.begun(place) else []
    return [name for name in names if name != mine]


def _may_go(ws: Workspace) -> bool:
    """Whether what this tab has may go: what is kept may, releases that are not need a tick."""
    if ws.keeper.name or not ws.ledger:
        return True
    st.warning(
        f"Releases of this tab that are not kept: {len(ws.ledger)}. They end when you open a "
        "project, and their privacy loss is counted nowhere.",
        icon=":material/warning:",
    )
    return controls.checkbox("Let them go", key="project_let_go", lasting=False)


def _go(place: str, name: str, sure: bool) -> None:
    """Open a project in this tab; one on a ready sample has its table at once."""
    if not sure:
        raise ParameterError(
            "This tab has releases that are not kept. Tick “Let them go”, or open the project in "
            "another tab"
        )
    made = admitted.projects(place).open(name)
    made.keeper.note("open")
    made.owner, made.others = state.owner(), tally.SERVER
    if made.sample is not None and is_absent(made.table):
        table = load(made.sample)
        if waits_for(made, table):
            made.bring(table, made.sample.loading)
            made.table.pack()
    made.catch_up()
    _begin_again(made)
    lesson_view.start_over()
    st.switch_page(path("releases"))


def _begin_again(ws: Workspace) -> None:
    """Go on with another workspace; what was computed for the one before is dropped."""
    workers.shared().leave(state.session())
    state.put(ws)


def show_elsewhere(ws: Workspace, table: Table) -> None:
    """Say that the rows of a table have a ledger elsewhere, as long as none was drawn from here.

    Args:
        ws: the workspace.
        table: that the next number would be drawn from.
    """
    found = parts.value_or_refusal(lambda: ws.elsewhere(table)) if ws.is_new(table) else None
    if found is None or not found.events:
        return
    place = offered()
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**These rows have a ledger already: {literal(quoted(table.name))}**")
        st.caption(literal(_of_elsewhere(ws, found, named=place is not None)))
        with st.container(horizontal=True, gap="small"):
            if place and not ws.ledger:
                for name in found.projects:
                    open_button(place, name)
            if ws.mode == "hardened" and table.digest not in ws.seconds:
                press.button("Begin a second ledger", ws.begin_second, table, key="second_ledger")


def _of_elsewhere(ws: Workspace, found: others.Elsewhere, *, named: bool) -> str:
    """Where the ledgers are, how much was lost there, and what a draw here means."""
    said = []
    for name, events in found.projects.items():
        lost = cost_words(joint_loss(events, delta=ws.delta))
        who = f"The project {quoted(name)}" if named else "A project of this server"
        open_it = " Open it, so that all adds up in one place." if named else ""
        said.append(f"{who} has released of them: {lost} in all.{open_it}")
    if found.tabs:
        lost = cost_words(joint_loss(found.tabs, delta=ws.delta))
        said.append(f"Other tabs of this server have released of them: {lost} in all.")
    said.append("What this tab draws adds to that, and its own meter does not count it.")
    return " ".join([*said, *([LIMIT] if ws.owner is not None else [])])
