"""Controls of the Tiers page: noise family, δ, the editable plan, and remarks on it."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dpviz import frames
from dpviz.errors import ParameterError
from dpviz.figures.words import delta, join, significant
from dpviz.mechanisms.budgets import KINDS, PURE
from dpviz.mechanisms.tiers import (
    AMOUNT,
    COLUMNS,
    KIND,
    MAX_NAME,
    NAME,
    NOTE,
    PlannedTier,
    equal_budgets,
)
from dpviz.noise import FAMILIES
from dpviz.noise.exponential import WARNING
from dpviz.parameters import DELTA
from dpviz.streams import Mode
from dpviz.ui import parts
from dpviz.ui.text import literal
from dpviz.ui.workspace import Workspace

_EDITOR, _BASE = "tier_editor", "tier_editor_base"


def choose_mode(ws: Workspace) -> None:
    """Teaching or hardened; sessions that exist keep the mode that they began with."""
    modes: list[Mode] = ["teaching", "hardened"]
    chosen = st.segmented_control(
        "Mode",
        modes,
        default=ws.mode,
        required=True,
        format_func=lambda mode: parts.MODES[mode][0],
        key="mode",
        persist_state="session",
        help="Teaching: seeded and reproducible, no privacy claim. Hardened: randomness from the "
        "operating system, no seed, noise families on whole numbers only.",
    )
    if chosen and chosen != ws.mode:
        with st.spinner("Finding the noise level of each budget …"):
            ws.use_mode(chosen)


def choose_family(ws: Workspace) -> None:
    """Which noise; another family starts a new session."""
    names = ws.offered
    chosen = st.radio(
        "Noise",
        names,
        index=names.index(ws.family_name),
        format_func=lambda name: FAMILIES[name].label,
        key=f"family_{ws.mode}",
        persist_state="session",
        help="Gaussian: ρ. Laplace, discrete Laplace: ε, with no δ. Poisson, Skellam: ε at δ. "
        "Discrete Laplace, Poisson and Skellam: whole numbers, for counts. "
        f"Exponential noise is not offered for tiers: {WARNING}",
    )
    if chosen != ws.family_name:
        ws.family_name = str(chosen)
        with st.spinner("Finding the noise level of each budget …"):
            ws.restyle()
    if ws.ledger and ws.round is None:
        st.caption("Another noise is another session: the loss of earlier releases adds.")


def choose_delta(ws: Workspace) -> None:
    """One δ for the whole plan, beside every ε that needs one."""
    typed = st.text_input(
        "δ of the plan",
        delta(ws.delta),
        key="delta",
        persist_state="session",
        help="Chance that the promise ε fails. At most 1 / number of people; 1e-6 is usual. "
        "Laplace noise needs none.",
    )
    try:
        ws.delta = DELTA.read(str(typed), where="δ")
    except ParameterError as error:
        parts.refusal(str(error))
    if ws.family_name in PURE:
        st.caption("Laplace noise keeps ε without any δ.")


def edit(ws: Workspace) -> list[str]:
    """The editable table; shows and returns one sentence per problem. What was typed is kept."""
    st.subheader("The plan", anchor=False)
    if _EDITOR not in st.session_state:  # first visit, or back from another page
        st.session_state[_BASE] = pd.DataFrame(ws.typed_rows, columns=list(COLUMNS), dtype="str")
    edited = st.data_editor(
        st.session_state[_BASE],
        key=_EDITOR,
        num_rows="dynamic",
        hide_index=True,
        alt="Clearance tiers: name, budget, kind of budget, note.",
        column_config={
            NAME: st.column_config.TextColumn("Tier", required=True, max_chars=MAX_NAME),
            AMOUNT: st.column_config.TextColumn(
                "Budget", required=True, help="An exact decimal. Larger = less private (ρ, ε)."
            ),
            KIND: st.column_config.SelectboxColumn(
                "as",
                options=list(KINDS),
                required=True,
                default=KINDS[0],
                help="ρ, ε at the plan’s δ, or ±a: wanted accuracy of one group, 95 % confidence.",
            ),
            NOTE: st.column_config.TextColumn("Note"),
        },
    )
    with st.spinner("Finding the noise level of each budget …"):
        problems = ws.use_tiers(edited.to_dict("records"))
    for sentence in problems:
        parts.refusal(sentence)
    return problems


def remarks(ws: Workspace, planned: Sequence[PlannedTier], problems: Sequence[str]) -> None:
    """What to know about this plan, in words."""
    if problems and planned and len(planned) == len(ws.tiers):
        st.warning("The plan in use is the last one without a problem.", icon=":material/history:")
    impossible = [p.name for p in planned if not ws.possible(p.budget.level)]
    if impossible:
        st.info(
            f"The session is sealed: {literal(join(impossible))} cannot be drawn in it any more."
        )
    for names in equal_budgets(planned):
        who = literal(join(names))
        st.info(f"{who} have equal budgets: they get the very same numbers.")
    if ws.spread_anew:
        st.caption("The colours of all tiers were spread anew to make room.")
    typed_rho = any(p.tier.kind == "ρ" for p in planned)
    if typed_rho and ws.family_name in PURE:
        st.caption("Laplace noise: a typed ρ means ε = √(2ρ), since ε-DP gives ε²/2-zCDP.")
    if typed_rho and ws.family_name in ("poisson", "skellam"):
        st.caption(
            f"{ws.family.label} noise has no ρ: a typed ρ means the ε that Gaussian noise of that "
            "ρ has at δ."
        )
    if ws.family_name == "poisson":
        st.caption("Poisson noise is never negative and has mean λ; pictures subtract λ.")
    st.caption("Upper rows: more private, more noise. Lower rows: less private, less noise.")
    parts.link("releases")


def currencies(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """Every tier's budget as ρ, ε and ±a."""
    st.subheader("The same in every currency", anchor=False)
    frame = frames.plan_frame(planned, ws.family, len(ws.statistic.query.groups))
    shown = frame.astype(object)
    for name in frames.PLAN[1:]:
        written = delta if name == frames.DELTA_OF else partial(significant, digits=4)
        shown[name] = [written(x) if x == x else "–" for x in frame[name]]
    parts.table(
        shown, alt="Each tier’s budget as ρ, as ε with its δ, and as accuracy, 95 % confidence."
    )
    st.caption(
        "± in people, with 95 % confidence: for one group, and for all groups at once. "
        f"Levels: {ws.family.level_name} {ws.family.level_symbol}."
    )
