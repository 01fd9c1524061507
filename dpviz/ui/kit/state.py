"""All that a session keeps: the only door to Streamlit's session state.

Everything kept has a name in one of two lists: `KEPT` for single things, each in a typed `Slot`,
and `SHELVED` for things by what was asked, each on a typed `Shelf` of one bounded cache. What
is typed in a field is reached by the key of its widget. All of it goes when the session ends.
"""

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st
from cachetools import LRUCache
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz import streams
from dpviz.errors import ParameterError, UnsureError
from dpviz.streams import Mode
from dpviz.ui.kit import admitted, tally
from dpviz.ui.kit.session_end import Visit, watch
from dpviz.workspace.book import UncountedError
from dpviz.workspace.limits import OWNER, Most
from dpviz.workspace.plan_limits import standing
from dpviz.workspace.workspace import Workspace

KEPT = {
    "workspace": "table, statistic, plan and releases of the visitor",
    "workspace_lost": "whether the tab lost its workspace and has not begun a new one",
    "visit": "the mark by which Streamlit tells that the visitor left",
    "problem_of_last_act": "why the last button did nothing, until it is shown",
    "_entry_ran": "whether app.py ran before the page",
    "came_in": "who uses this tab, where people log in, once that is in the record",
    "turned_away": "whether it is in the record that this tab was turned away",
    "own_place": "the projects, as a reader has opened them",
    "own_seen": "which releases a reader has seen, for the record",
    "page_of_presses": "the page that is on screen",
    "pressed": "presses whose act is still to run, by button",
    "popovers_closed": "popovers that shut because an act in them is done",
    "press_waits": "the press whose act waits for numbers from an engine",
    "counting": "what is being counted in an engine, and for which presses",
    "counted": "what has been counted there, so that acts need not wait",
    "press_refused": "the button in a popover whose act was refused, until that is said",
    "sharing_typed": "Tiers: what is typed in the table of all statistics and not in use yet",
    "sharing_edition": "Tiers: how often that table was filled by a press",
    "sharing_base": "Tiers: that table as it began",
    "shelves": "the one cache of all that is kept by what was asked",
    "connection_problem": "why a table that stays on the server cannot be used",
    "upload_seen": "which uploaded table was read",
    "upload_problem": "why it cannot be used",
    "upload_again": "a small upload that the visitor may want read in another way",
    "upload_nested": "columns of an upload that hold lists, and so could be left out",
    "upload_left_out": "columns of an upload that the visitor leaves out, with its name",
    "upload_waiting": "the table that waits for confirmation, and how the library loads it",
    "plan_seen": "which uploaded plan was read",
    "plan_problem": "why it cannot be used",
    "plan_waiting": "the plan of another table that waits for a choice",
    "plan_address_seen": "which plan of the page's address was put to use",
    "plan_address_problem": "why it cannot be used",
    "seed_address_seen": "which seed of the page's address was put to use",
    "plan_opened": "which edition of the plan was opened last",
    "plan_turn": "whether the plan goes back or on by a change when the page is shown next",
    "plan_clash": "what another tab changed of the plan, where this one changed it, too",
    "plan_news": "what another tab changed of the plan, until it is said",
    "tier_editor_base": "the rows with which the grid of tiers started",
    "reading_suggested": "Data: the column that was looked at for a reading, and what fits",
    "groups_seen": "which uploaded list of groups was read last",
    "groups_problems": "why an uploaded list of groups cannot be used, by its field",
    "pack_checked": "which pack was checked against which ledger, and what was found",
    "bridge_examples": "Bridge paths: the made-up sessions, by family",
    "bridge_last": "Bridge paths: the budget drawn last",
    "bridge_step": "Bridge paths: the answer that the story has reached",
    "class_attended": "Class board: code and pass of the student who uses this tab",
    "class_taught": "Class board: code and secret of the class that is taught in this tab",
    "composition_rows": "Composition: the rows of the sequence, and those before the last change",
    "falsify_round": "Falsify: the round of the game, and which sampler was named",
    "fields_kept": "what fields for typed values held when it could last be used, by key",
    "gradual_again": "Growing trust: how often another path was drawn",
    "lessons": "lessons: the screen, the acts done and the draws, by page",
    "market_stall": "Growing trust: the made-up owner, the open market and those before it",
    "quiz": "Quiz: the question on screen, and the first answers",
    "rappor_again": "RAPPOR: how often the made-up browsers reported again",
    "topk_again": "Top-k: how often another list of the example was drawn",
    "trust_story_seen": "Growing trust: the story that the address asked for last",
    "work": "long work: the job that runs",
}
SHELVED = {
    "bridge_kept": "Bridge paths: the latest of each kind of picture",
    "noun_choices": "Data: choices whose texts have the words for what is protected",
    "class_boards": "Class board: the numbers of the made-up town, by class and edition",
    "class_own": "Class board: the number of a student, by class, student and round",
    "collusion_attacks": "Collusion: simulated worlds, by question",
    "falsify_drawn": "Falsify: what the four samplers of the game drew, by round",
    "gradual_stopped": "Growing trust: what many tries pay until a number is good enough",
    "gradual_values": "Growing trust: made-up values with their paths and releases",
    "linear_matrices": "Linear queries: typed matrices with their errors",
    "column_nearest": "Data: in which forms most values of a text column are, by the column",
    "column_formats": "Data: which columns most values do not fit the format of, in words",
    "column_forms": "Data: how columns write their values, in words",
    "insurer_towns": "Lesson, the front page: the made-up towns of a game, by seed and noise",
    "more_stills": "More questions: the small pictures of the cards, by page",
    "network_circles": "Growing trust: circles of made-up values, by question",
    "panel_costs": "the latest costs of what may be drawn, by panel",
    "promise_number": "Lesson, what the promise says: the made-up town and its numbers",
    "rappor_client": "RAPPOR: the bits of one made-up client, by question",
    "rappor_decoded": "RAPPOR: what reports say, by candidates",
    "start_drawn": "Lesson, the front page: the numbers of the made-up town, by draw",
    "total_rows": "Data: whether the last row of a table looks like a total",
    "trick_drawn": "Lesson, how the trick works: the made-up town's numbers and paths, by draw",
    "trust_drawn": "Lesson, trust grows: the made-up reports, by draw",
    "work_failed": "long work: why it has no result, by question",
    "work_results": "long work: results, by question",
}
MOST = 64  # things on all shelves of a session; each has at most about a megabyte

# What stays when a tab begins again.
_STAY = {"visit", "_entry_ran", "page_of_presses", "lessons", "came_in", "class_attended"}

T = TypeVar("T")


@dataclass(frozen=True)
class Slot(Generic[T]):
    """One thing that a session keeps.

    Attributes:
        name: its name in `KEPT`.
        make: what it is at first; None is not kept.
    """

    name: str
    make: Callable[[], T]

    def get(self) -> T:
        """What is kept, else what it is at first, kept from now on."""
        if self.name not in st.session_state:
            made = self.make()
            if made is None:
                return made
            st.session_state[self.name] = made
        kept: T = st.session_state[self.name]
        return kept

    def set(self, thing: T) -> None:
        """Keep this in its place."""
        st.session_state[self.name] = thing

    def pop(self) -> T:
        """What is kept, once; else what it is at first."""
        kept: T = st.session_state.pop(self.name) if self.name in st.session_state else self.make()
        return kept


def nothing() -> None:
    """What is in a slot that begins empty."""


_SHELVES = Slot[LRUCache[tuple[str, Hashable], Any]]("shelves", lambda: LRUCache(MOST))


@dataclass(frozen=True)
class Shelf(Generic[T]):
    """Things of one kind that a session keeps by what was asked.

    Of more than `MOST` on all shelves together the longest unused goes.

    Attributes:
        name: its name in `SHELVED`.
    """

    name: str

    def get(self, key: Hashable) -> T | None:
        """What is kept for this key."""
        kept: T | None = _SHELVES.get().get((self.name, key))
        return kept

    def put(self, key: Hashable, thing: T) -> T:
        """Keep this for the key, and give it back."""
        _SHELVES.get()[self.name, key] = thing
        return thing

    def take(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept for this key, else made now and kept."""
        kept = self.get(key)
        return self.put(key, make()) if kept is None else kept

    def drop(self, key: Hashable) -> None:
        """Forget what is kept for this key."""
        _SHELVES.get().pop((self.name, key), None)


def field(key: str) -> Any:
    """What is in the widget of this key; None before it was shown."""
    return st.session_state.get(key)


def fill(key: str, value: object) -> None:
    """Put this into the widget of this key, before the widget is shown in this run."""
    st.session_state[key] = value


def empty(part: str) -> None:
    """Forget what is in every widget whose key has this part: each begins afresh when shown."""
    for key in [key for key in st.session_state if part in str(key)]:
        del st.session_state[key]


def opened() -> Workspace:
    """A new workspace, with the limit of the person who started the dashboard."""
    admitted.check_custodian()
    made = Workspace.fresh()
    made.asks = True
    made.seed = streams.any_seed()
    made.keeper = admitted.keeper()
    made.bind(owner())
    made.others = tally.SERVER
    return made


def owner() -> Most | None:
    """The limit of the person who started the dashboard, for every workspace of it."""
    return standing(os.environ.get(OWNER))


_WORKSPACE = Slot("workspace", opened)
_VISIT = Slot("visit", lambda: Visit(session(), _WORKSPACE.get()))
_LOST = Slot("workspace_lost", lambda: _came_back())
_PROBLEM = Slot[str | None]("problem_of_last_act", nothing)


def workspace() -> Workspace:
    """The workspace of this visitor; a first visit gets one with the sample loaded.

    While an earlier press still draws, the page waits: it would show what is no longer true.
    """
    admitted.check_custodian()
    found = _WORKSPACE.get()
    watch(_VISIT.get())
    with found.lock:
        return found


def lost() -> bool:
    """Whether this tab lost its workspace and the visitor has not begun a new one yet."""
    return _LOST.get()


def _came_back() -> bool:
    """Whether the tab comes back to a session that has no workspace."""
    return "workspace" not in st.session_state and _session_before() not in ("", session())


def begin(mode: Mode) -> None:
    """A new workspace in this mode, in the place of one that was lost."""
    made = opened()
    made.use_mode(mode)
    _WORKSPACE.set(made)
    _LOST.set(False)


def put(ws: Workspace) -> None:
    """Begin this tab again around another workspace: no field keeps its text."""
    before = _WORKSPACE.get() if "workspace" in st.session_state else None
    for key in [key for key in st.session_state if key not in _STAY]:
        del st.session_state[key]
    ws.asks = True
    _WORKSPACE.set(ws)
    _VISIT.get().workspace = ws
    if before is not None:
        before.close()


def give_up() -> bool:
    """Forget all that this tab has: who uses it may not see it any more.

    Returns:
        whether it had something.
    """
    had = "workspace" in st.session_state
    if had:
        _WORKSPACE.get().close()
        for key in [*st.session_state]:
            del st.session_state[key]
    return had


def would_lose() -> bool:
    """Whether this tab has releases that end with it."""
    if "workspace" not in st.session_state:  # it was lost, and there is nothing more to lose
        return False
    ws = _WORKSPACE.get()
    return bool(ws.ledger) and not ws.keeper.name


def _session_before() -> str:
    """The session that the tab had when it connected: after a cut the browser names it.

    It is the third in the list of the websocket's protocols; a tab that is opened or reloaded
    names none.
    """
    listed = st.context.headers.get("Sec-WebSocket-Protocol", "").split(",")
    return listed[2].strip() if len(listed) > 2 else ""


def session() -> str:
    """The mark of this tab's session, by which the server tells one visitor from another."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def attempt(act: Callable[..., object], *args: object) -> bool:
    """Run an act from a button; False if it was refused: why is kept, and shown once.

    Raises:
        UncountedError: if it waits for an engine, where that was asked for.
    """
    try:
        act(*args)
    except UncountedError:
        raise
    except UnsureError as error:
        _PROBLEM.set(error.told("Tick “I mean this budget”"))
        return False
    except ParameterError as error:
        _PROBLEM.set(str(error))
        return False
    return True


def take_problem() -> str | None:
    """The refusal of the last act, once."""
    return _PROBLEM.pop()
