"""How the variances are measured: by a million draws, or at once from a law that is known.

The joint law of sample variances is known for Gaussian noise only; other noise is simulated.

Every measurement has a teaching stream of its own, named by what is asked, so that the same
question shows the same picture. No data enters.
"""

import zlib
from dataclasses import dataclass, field
from functools import partial

import pandas as pd
import streamlit as st

from dpviz import checks, streams
from dpviz.charts.variances.frame import LEVEL, LOSSLESS, of_scheme
from dpviz.experiments.exact import exact_law_variances
from dpviz.experiments.simulation import SampleVariances
from dpviz.noise.family import NORMAL, Family
from dpviz.ui.kit import controls, press, work
from dpviz.ui.kit.state import Slot
from dpviz.ui.variances import jobs
from dpviz.ui.variances.jobs import SEED

EXACT, DIRECT = "exact", "direct"
METHODS = {EXACT: "exact distribution", DIRECT: "simulation"}
_ATTEMPT = Slot("variance_attempt", lambda: 0)
REPETITIONS = {10**5: "100,000", 10**6: "1 million", 10**7: "10 million"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One measurement: two lists of levels, how often, how, and which attempt."""

    family_name: str = field(repr=False)  # its stream does not depend on it
    lossless: tuple[float, ...]
    baseline: tuple[float, ...]
    repetitions: int
    method: str
    attempt: int

    def __post_init__(self) -> None:
        checks.whole(1, repetitions=self.repetitions)
        checks.whole(0, attempt=self.attempt)
        for level in (*self.lossless, *self.baseline):
            checks.positive(level=level)

    @property
    def path(self) -> int:
        """The number of the stream below `SEED` that belongs to this question."""
        return zlib.crc32(repr(self).encode())

    def exact(self) -> SampleVariances:
        """Draw from the exact law: instant."""
        rng = streams.teaching(SEED, self.path)
        return exact_law_variances(self.lossless, self.baseline, self.repetitions, rng=rng)

    @property
    def settings(self) -> tuple[str, tuple[float, ...], tuple[float, ...], int, int]:
        """What `jobs.variances` needs to draw every repetition through the sampler."""
        return self.family_name, self.lossless, self.baseline, self.repetitions, self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What was asked, and what is known of it by now."""

    question: Question
    found: SampleVariances | None

    @property
    def how(self) -> str:
        """How the marks were made, in words; empty before there are marks."""
        if self.found is None:
            return ""
        drawn = f"{self.found.repetitions:,} repetitions"
        if self.question.method == EXACT:
            return f"drawn from the exact distribution of {drawn}"
        return f"{drawn} through the sampler"


def measure(frame: pd.DataFrame, compared: str, family: Family) -> Measurement:
    """The controls of the measurement, and its result as far as there is one."""
    method = _method() if family.shape == NORMAL else DIRECT
    repetitions = controls.segmented_control(
        "Repetitions",
        REPETITIONS,
        default=10**6,
        key="variance_repetitions",
        help="More repetitions, shorter intervals.",
    )
    question = Question(
        family_name=family.name,
        lossless=tuple(of_scheme(frame, LOSSLESS)[LEVEL].tolist()),
        baseline=tuple(of_scheme(frame, compared)[LEVEL].tolist()),
        repetitions=repetitions,
        method=method,
        attempt=_ATTEMPT.get(),
    )
    return _exact(question) if question.method == EXACT else _direct(question)


def _method() -> str:
    chosen = controls.segmented_control(
        "Marks from",
        METHODS,
        default=EXACT,
        key="variance_method",
        help="Exact distribution: that of the sample variance of Gaussian draws is known "
        "(Bartlett), and one draw from it takes no time. Simulation: every repetition goes "
        "through the real sampler, in random orders.",
    )
    return str(chosen or EXACT)


def _exact(question: Question) -> Measurement:
    found = work.result(question) or work.keep(question, question.exact())
    _again()
    return Measurement(question=question, found=found)


def _direct(question: Question) -> Measurement:
    found = work.result(question)
    busy = work.pending(question)
    press.button(
        f"Draw {REPETITIONS[question.repetitions]} repetitions",
        work.start,
        question,
        jobs.variances,
        *question.settings,
        key="variance_draw",
        type="primary",
        icon="casino",
        width="stretch",
        disabled=busy or found is not None,
    )
    work.watch(question, partial(told, question.repetitions))
    if found is not None:
        st.caption(said(found.repetitions, question.repetitions))
        _again()
    elif not busy:
        st.caption("The lines are formulas; the button adds measured marks. You can stop any time.")
    return Measurement(question=question, found=found)


def _again() -> None:
    """Other draws for the same question."""
    controls.button(
        "Measure again",
        lambda: _ATTEMPT.set(_ATTEMPT.get() + 1),
        key="variance_again",
        icon="refresh",
        width="stretch",
        help="Other draws from the same distribution: the marks move within their intervals.",
    )


def told(total: int, share: float) -> str:
    """How many of all draws are made, at this share."""
    return f"Drawn {round(share * total):,} of {total:,} times"


def said(repetitions: int, total: int) -> str:
    """One sentence on how much was drawn."""
    if repetitions < total:
        return (
            f"Stopped after {repetitions:,} of {total:,} repetitions; these are complete and kept."
        )
    return f"Drawn {repetitions:,} times, and kept."
