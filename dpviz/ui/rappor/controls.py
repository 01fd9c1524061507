"""Controls of the page RAPPOR: whose texts, how noisy, which text is suspicious."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.errors import ParameterError
from dpviz.local.bloom import Bloom
from dpviz.local.decoding import CORRECTIONS, Correction
from dpviz.local.rappor import Rappor
from dpviz.ui.kit import controls, looking, parts, press
from dpviz.ui.rappor import examples, own, scenes, words
from dpviz.ui.rappor.view import Asked, Scene
from dpviz.words import percent
from dpviz.workspace.workspace import Workspace

_LABEL, _ICON, _COLOUR, _ = parts.WEAKLY_LOSSLESS
REPORTS: parts.Badge = (_LABEL, _ICON, _COLOUR, words.WEAKLY)

EXAMPLE, OWN = "example", "my column"
CLIENTS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
STEPS = tuple(step / 20 for step in range(21))  # of f, p and q
BITS, COHORTS = (8, 16, 32, 64, 128), (1, 2, 4, 8, 16, 32, 64, 128)
DECOYS = (0, 20, 50, 100, 200, 500)
ALIKE = (
    "The later report must have fewer random answers than the first one. "
    "Choose a smaller share for the later report"
)


def scene(ws: Workspace, settings: DeltaGenerator) -> Scene | None:
    """What is looked at; None, with the reason, while something cannot be used.

    Args:
        ws: the workspace.
        settings: where what only specialists change goes.
    """
    chosen = controls.look_at(
        EXAMPLE,
        OWN,
        key="rappor_source",
        help="The example is made up: its truth is public. In your own column each row "
        "reports its text, which stays hidden.",
    )
    clients, texts = CLIENTS[0], tuple(examples.SHARES)
    if chosen == EXAMPLE:
        clients = controls.select_slider(
            "Browsers that report",
            CLIENTS,
            value=100_000,
            format_func=lambda many: f"{many:,}",
            key="rappor_clients",
            help="Simulated one by one. Beyond about 100,000 a button starts the simulation.",
        )
    try:
        if chosen == EXAMPLE:
            return scenes.example_scene(_asked(texts, settings, decoys=True), clients)
        if looking.is_away(ws):
            return None
        counted = own.query(ws)
        return own.scene(ws, counted, _asked(own.candidates(), settings, decoys=False))
    except ParameterError as error:
        parts.problem(error)
        return None


def _asked(texts: tuple[str, ...], settings: DeltaGenerator, *, decoys: bool) -> Asked:
    """What is chosen.

    Raises:
        ParameterError: if the choices make no sense together.
    """
    usual = texts.index(examples.SUSPICIOUS) if examples.SUSPICIOUS in texts else 0
    suspicious = controls.selectbox(
        "Suspicious page" if decoys else "Suspicious text",
        texts,
        index=usual,
        key=controls.keyed("rappor_text", texts),
        help="The collector wants to know whether anybody reports this one.",
    )
    left, right = st.columns(2)
    with left:
        before = _chance("Random answers, first", 0.75, "rappor_f1", F_HELP)
    with right:
        after = _chance("Random answers, later", 0.5, "rappor_f2", F_HELP)
    with settings:
        st.caption(BITS_TOLD)
        p = _chance("Chance that a 0 is sent as 1 (p)", 0.25, "rappor_p", FRESH)
        q = _chance("Chance that a 1 is sent as 1 (q)", 0.75, "rappor_q", FRESH)
        hashes, bits, cohorts, added, correction = _filter(decoys)
    first, second = Rappor(f=before, p=p, q=q), Rappor(f=after, p=p, q=q)
    for each in (first, second):
        _ = each.level
    if not second.f < first.f:
        raise ParameterError(ALIKE)
    return Asked(
        first=first,
        second=second,
        bloom=Bloom(bits=bits, hashes=hashes, cohorts=cohorts),
        correction=correction,
        suspicious=suspicious,
        candidates=(*texts, *examples.nobodys(added)),
        decoys=added,
    )


def _filter(decoys: bool) -> tuple[int, int, int, int, Correction]:
    """Hash functions, bits, cohorts, candidates that nobody has, and the correction of tests."""
    hashes = controls.slider(
        "Hash functions h",
        1,
        8,
        2,
        key="rappor_h",
        help="Ones that a text sets in its filter. More cost more privacy.",
    )
    bits = controls.select_slider("Bits of a filter", BITS, value=16, key="rappor_bits")
    cohorts = controls.select_slider(
        "Cohorts",
        COHORTS,
        value=64,
        key="rappor_cohorts",
        help="Groups of browsers with hash functions of their own, so that two texts which "
        "share bits in one group differ in another.",
    )
    added = 0
    if decoys:
        added = controls.select_slider(
            "Further candidates that nobody has",
            DECOYS,
            value=20,
            key="rappor_decoys",
            help="A collector looks for many texts. What is found among these is false.",
        )
    correction: Correction = controls.segmented_control(
        "False discoveries",
        CORRECTIONS,
        default=CORRECTIONS[0],
        key="rappor_correction",
        help="Bonferroni: with probability 95 % nothing is found that nobody has. "
        "Benjamini–Hochberg: at most 5 % of what is found is false, on average.",
    )
    return hashes, bits, cohorts, added, correction


BITS_TOLD = (
    "The answers are bits of a Bloom filter; coin tosses replace a share f₁ of them for good, and "
    "f₂ in the later report. The method is RAPPOR (Erlingsson, Pihur and Korolova, 2014)."
)
FRESH = "For each kept bit, every report decides again by chance what it sends."
F_HELP = (
    "The share of answers that coin tosses replace, once and for good. Larger = more private. "
    "The later report has a smaller share, so it says more."
)


def _chance(label: str, usual: float, key: str, help: str) -> float:
    return controls.select_slider(
        label, STEPS, value=usual, key=key, help=help, format_func=percent
    )


def acts(ws: Workspace, shown: Scene) -> None:
    """Let all report: the example again, or in numbers that take a while; or a column."""
    if shown.own is not None:
        own.acts(ws, shown)
        return
    if not shown.reports:
        scenes.collect_button(shown)
        return
    press.button(
        "Let the browsers report again",
        scenes.report_again,
        key="rappor_over",
        type="primary",
        icon="restart_alt",
        width="stretch",
        help="Fresh noise on the same public numbers. For real people it would cost privacy again.",
    )


def badges(shown: Scene) -> list[parts.Badge]:
    """That both kinds of report keep one bound, and whether the truth is on screen."""
    revealed = shown.own is not None and shown.truth is not None
    return [REPORTS, *([parts.REVEALED] if revealed else [])]
