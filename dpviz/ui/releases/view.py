"""How the releases are looked at: confidence, post-processing, raw or de-biased, revealed."""

from dataclasses import dataclass

import streamlit as st

from dpviz.handout.post_processing import PROCESSINGS, Kind, Processing
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import controls, looking, parts
from dpviz.words import capitalised, percent
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

CONFIDENCES = (0.90, 0.95, 0.99)
AS_RELEASED = "released"
QUOTIENT = (
    "A mean is the quotient of two released numbers, which cannot be undone. The sums and numbers "
    "of rows themselves, which are in the files, are a lossless release."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the releases are looked at; nothing of it changes them."""

    confidence: float
    processing: Processing
    kind: Kind
    raw: bool
    revealed: bool

    @property
    def processed(self) -> bool:
        """Whether the marks are post-processed."""
        return self.processing.key != AS_RELEASED

    def axis(self, noun: str) -> str:
        """Title of the axis of the numbers: their unit, and the scale where it is another one."""
        return f"arsinh of {noun}" if self.processing.key == "asinh" else noun


def view(ws: Workspace) -> View:
    """All controls of how the releases are looked at."""
    confidence, processing, raw = _confidence(), _processing(ws), _raw(ws)
    return View(
        confidence=confidence,
        processing=processing,
        kind=processing.kind_for(ws.statistic.query),
        raw=raw,
        revealed=not raw and _reveal(ws),
    )


def _confidence() -> float:
    """Confidence of the intervals in the picture."""
    chosen = controls.segmented_control(
        "Confidence of the intervals",
        CONFIDENCES,
        default=ACCURACY_CONFIDENCE,
        format_func=percent,
        key="confidence",
    )
    return chosen


def _processing(ws: Workspace) -> Processing:
    """How the numbers are shown: as released or post-processed, each with its badge."""
    query = ws.statistic.query
    offered = [key for key, p in PROCESSINGS.items() if p.offered(query)]
    chosen = controls.selectbox(
        "Show the numbers",
        offered,
        format_func=lambda key: PROCESSINGS[key].label,
        key=f"processing_{type(query).__name__}_{query.dimension > len(query.by.labels)}",
        help="Post-processing changes what is shown and added to the pack; never the release.",
    )
    made = PROCESSINGS[chosen]
    if made.key != AS_RELEASED or query.per_value > 1:
        why = made.reason if query.per_value == 1 else QUOTIENT
        st.caption(f"**{capitalised(made.kind_for(query))}.** {literal(why)}")
    return made


def _raw(ws: Workspace) -> bool:
    """Noise with a mean can be shown raw or de-biased."""
    if ws.family.mean(1.0) == 0 or ws.statistic.query.per_value > 1:
        return False
    return controls.toggle(
        "Raw: with the mean of the noise",
        key="raw",
        help=f"{ws.family.label} noise is never negative. When off, the page subtracts its mean.",
    )


def _reveal(ws: Workspace) -> bool:
    """Show the exact numbers: teaching mode only, off at each visit, impossible once sealed."""
    return looking.reveal(
        ws,
        ws.statistic.table,
        "Reveal the exact numbers: not private",
        key="releases_reveal",
        help_text="For teaching. They enter no download and no other tier’s view.",
    )


def badges(ws: Workspace, shown: View) -> list[parts.Badge]:
    """Kind of what is shown, seal, reveal."""
    found = [parts.KINDS_OF_RELEASE[shown.kind], *looking.badges(ws)]
    if ws.round is not None and ws.round.mechanism.sealed_at is not None:
        found.append(parts.SEALED)
    if shown.revealed:
        found.append(parts.REVEALED)
    return found
