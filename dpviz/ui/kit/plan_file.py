"""Save the plan to a file or an address, and open one: on the page Tiers.

A file that cannot be used changes nothing. A plan that was opened is a change that undo takes back,
and one that was made for another table says what does not fit and offers its tiers alone.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import streamlit as st

from dpviz.data import HowRead
from dpviz.errors import ParameterError
from dpviz.queries import Query
from dpviz.streams import Mode
from dpviz.ui.kit import controls, parts, state
from dpviz.ui.kit.state import Slot, attempt, nothing
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace.plan_file import (
    PlanFile,
    examples,
    misfits,
    opened,
    others_in_file,
    saved,
    typed_delta,
    use,
    use_tiers,
)
from dpviz.workspace.plan_file.link import DELTA, MODE, NOISE, TIERS, address_of, plan_in
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.undo import note
from dpviz.workspace.workspace import Workspace

FILES = "Save the plan, or open one"
UPLOAD = "upload_plan"  # key of the uploader
MEGABYTES = 1
SEED_FIELD = "seed"  # key of the field for the seed
NAME_FIELD = "statistic_name"  # how the keys of the fields for the name of a statistic begin
_TIERS_PAGE = "tiers"
_SEEN = Slot[str | None]("plan_seen", nothing)
_PROBLEM = Slot[str | None]("plan_problem", nothing)
_WAITING = Slot[PlanFile | None]("plan_waiting", nothing)
_ADDRESS_SEEN = Slot[str | None]("plan_address_seen", nothing)
_ADDRESS_PROBLEM = Slot[str | None]("plan_address_problem", nothing)
_OPENED = Slot[int | None]("plan_opened", nothing)


def noise_key(mode: Mode) -> str:
    """Key of the field for the noise: each mode offers other kinds."""
    return f"family_{mode}"


def sizes_key(query: Query) -> str:
    """Key of the field for expected sizes."""
    return f"sizes_{query.counted}"


def take(ws: Workspace) -> None:
    """Open the plan that was uploaded, once; called before the fields that it fills."""
    upload = controls.new_upload(UPLOAD, _SEEN, _PROBLEM, _WAITING)
    if upload is not None:
        _PROBLEM.set(_open(ws, upload[1]))


def take_address() -> None:
    """Put the plan to use that the address of the page asks for, once; or say why it cannot be."""
    asked = st.query_params.to_dict()
    if TIERS not in asked:
        for slot in (_ADDRESS_SEEN, _ADDRESS_PROBLEM):
            slot.pop()
        return
    seen = repr([asked.get(name) for name in (TIERS, NOISE, MODE, DELTA)])
    if _ADDRESS_SEEN.get() != seen:
        _ADDRESS_SEEN.set(seen)
        ws = state.workspace()
        try:
            with st.spinner("Finding the noise level of each budget …"):
                _put(ws, use_tiers, plan_in(asked, ws))
        except ParameterError as error:
            _ADDRESS_PROBLEM.set(str(error))
    if problem := _ADDRESS_PROBLEM.get():
        parts.refusal(problem)


def expected(name: str) -> HowRead:
    """How the plan that waits for its table reads a file of this name."""
    plan = _WAITING.get()
    return plan.how if plan is not None and plan.table == name else HowRead()


def show(ws: Workspace) -> None:
    """What one does with a plan as a file."""
    with st.popover(FILES, icon=":material/draft:"):
        _save(ws)
        _address(ws)
        controls.file_uploader(
            "Open a plan",
            max_upload_size=MEGABYTES,
            key=UPLOAD,
            help="A file that was saved with “Save the plan”. It replaces the statistic, the "
            "tiers, the noise, the mode and δ; it draws nothing, and releases stay as they are.",
        )
        if problem := _PROBLEM.get():
            parts.refusal(problem)
        _ask_what_to_use(ws)
        _examples(ws)
    if _OPENED.get() == ws.plan.edition:
        _opened()


def _save(ws: Workspace) -> None:
    """The plan as a download, or why it cannot be saved."""
    try:
        content = saved(ws)
    except ParameterError as error:
        st.caption(f"The plan cannot be saved yet: {literal(error)}")
        return
    table = re.sub(r"[^A-Za-z0-9_-]+", "-", ws.statistic.table.name.rpartition(".")[0] or "table")
    controls.download_button(
        "Save the plan",
        content,
        key="save_plan",
        file_name=f"plan-{table[:40]}.json",
        mime="application/json",
        help="A file with the statistic, the tiers, the noise, the mode, δ and expected sizes. It "
        "names columns and the groups that you list; it has no data and no release. A practice "
        "plan has its seed: with it and the table one can take the noise off practice numbers.",
    )
    if left_out := len(ws.statistics) - 1 - len(others_in_file(ws)):
        st.caption(
            f"Not in the file: {numbered(left_out, 'statistics')} of another table, or read "
            "otherwise."
        )


def _address(ws: Workspace) -> None:
    """An address of the page Tiers that opens this plan for somebody else."""
    here = urlsplit(st.context.url or "")
    base = here.path.removesuffix("/").removesuffix(f"/{_TIERS_PAGE}")
    try:
        opens = here._replace(path=f"{base}/{_TIERS_PAGE}", query=address_of(ws), fragment="")
    except ParameterError as error:
        st.caption(literal(error))
        return
    seed = ", δ and seed" if ws.mode == "teaching" else " and δ"
    st.caption(f"Or copy an address that opens these tiers, with their noise, mode{seed}:")
    st.code(opens.geturl(), language=None, wrap_lines=True)


def _open(ws: Workspace, content: bytes) -> str | None:
    """Open a plan file; the sentence why it cannot be used."""
    _WAITING.pop()
    try:
        with st.spinner("Finding the noise level of each budget …"):
            plan = opened(content)
            if misfits(plan, ws.table):
                _WAITING.set(plan)
            else:
                _put(ws, use, plan)
    except ParameterError as error:
        return str(error)
    return None


def _ask_what_to_use(ws: Workspace) -> None:
    """A plan of another table: what does not fit, and what of it can be used."""
    waiting = _WAITING.get()
    if waiting is None:
        return
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**This plan was made for {literal(waiting.table)}. Use its tiers alone?**")
        for sentence in misfits(waiting, ws.table) if not is_absent(ws.table) else ():
            st.caption(literal(sentence))
        if is_absent(ws.table):
            st.caption(f"{literal(ws.table.name)} is not loaded, so its statistic cannot be used.")
        st.caption("Its tiers come with their noise, mode and δ; your statistic stays.")
        controls.button(
            "Use its tiers", attempt, _put, ws, use_tiers, waiting, key="plan_tiers", type="primary"
        )
        controls.button("Keep my plan", _WAITING.pop, key="plan_keep")


def _examples(ws: Workspace) -> None:
    """The example of the sample that is loaded."""
    example = examples().get(ws.table.name) if ws.sample else None
    if example is None:
        return
    st.caption(f"An example for this sample: {literal(example.query.statistic)}.")
    controls.button("Open the example", attempt, _put, ws, use, example, key="plan_example")


def _opened() -> None:
    """What was done, and the way back."""
    st.caption(
        "Another plan is in use now. Nothing was drawn, and releases stay as they are; undo takes "
        "it back."
    )


def _put(ws: Workspace, act: Callable[[Workspace, PlanFile], None], plan: PlanFile) -> None:
    """Put a plan to use and let every field show it."""
    act(ws, plan)
    _WAITING.pop()
    _show_opened(ws)


def take_other(ws: Workspace) -> None:
    """Put the plan to use that another tab has changed; this one can be gone back to."""
    note(ws)
    ws.take_plan()
    _show_opened(ws)


def _show_opened(ws: Workspace) -> None:
    _OPENED.set(ws.plan.edition)
    refill(ws)


def refill(ws: Workspace, *, drafts: bool = True) -> None:
    """Let the fields of the pages Tiers and Data begin with what is in use now.

    A field that was not shown yet begins so by itself.

    Args:
        ws: the workspace.
        drafts: whether what was chosen on the page Data and is not in use goes, too.
    """
    _fill({"mode": ws.mode, noise_key(ws.mode): ws.family_name})
    refill_tiers(ws)
    refill_seed(ws)
    state.empty(NAME_FIELD)
    if drafts:
        state.empty(ws.table.digest[:12])


def refill_tiers(ws: Workspace) -> None:
    """Let the fields of the page Tiers beside the grid begin with what goes with its tiers now."""
    _fill({"delta": typed_delta(ws)})
    refill_sizes(ws)


def _fill(wanted: Mapping[str, object]) -> None:
    for key, value in wanted.items():
        if state.field(key) is not None:
            state.fill(key, value)


def refill_seed(ws: Workspace) -> None:
    """Let the field of the seed show that of the workspace."""
    if state.field(SEED_FIELD) is not None:
        state.fill(SEED_FIELD, str(ws.seed))


def refill_sizes(ws: Workspace) -> None:
    """Let the field of the expected sizes show them by the names that the groups have now."""
    key, sizes = sizes_key(ws.statistic.query), ws.plan.sizes.get(ws.statistic.query.counted)
    if sizes and state.field(key) is not None:
        state.fill(key, sizes)
    elif not sizes:
        state.empty(key)
