"""What a page says once its fields hold certain answers: its own controls, and no browser.

A page's view is made by its own controls; here they give the answers of a test where it has one,
and else what the field holds at first. Nothing is rendered.
"""

import io
import logging
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from types import SimpleNamespace
from typing import Any

import pytest

from dpviz.ui.kit import controls, press, state
from dpviz.words.claims import Claim

CONTEXT = "streamlit.runtime.scriptrunner_utils.script_run_context"  # warns of no browser
FIELDS = (
    *(
        "checkbox",
        "multiselect",
        "number_input",
        "optional_radio",
        "optional_selectbox",
        "pill",
        "pills",
        "radio",
        "segmented_control",
        "select_slider",
    ),
    *("selectbox", "slider", "text_area", "text_input", "toggle"),
)
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NUMBER = re.compile(r"(?<![\w.])(?:\d[\d,]*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|e-?\d+)?)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*")


class Visit:
    """A visitor who gives these answers, by the beginning of a field's key."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(logging.getLogger(CONTEXT), "disabled", True)
        self.answers: Mapping[str, object] = {}
        self.kept: dict[str, object] = {}
        for name in FIELDS:
            patch.setattr(controls, name, self._answering(getattr(controls, name)))
        patch.setattr(press, "button", lambda *_, **__: None)
        patch.setattr(state, "st", SimpleNamespace(session_state=self.kept))

    def _answering(self, real):
        def field(*args, key, **said):
            held = real(*args, key=key, **said)
            return next((a for start, a in self.answers.items() if key.startswith(start)), held)

        return field

    def come(self, **answers: object) -> None:
        """Come afresh, with these answers."""
        self.kept.clear()
        self.answers = answers


def numbers_of(code: str) -> Any:
    """What a page's code sample calls its numbers, once it has run."""
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()):
        exec(code, names)
    return names["numbers"]


def plain(text: str) -> str:
    """A sentence without what keeps it literal and on its line."""
    for mark, instead in (("\\", ""), ("\u2060", ""), ("\u202f", " "), ("\xa0", " ")):
        text = text.replace(mark, instead)
    return text


def value_of(token: str) -> tuple[float, float]:
    """A number as it is written, and one unit of its last digit."""
    token = token.replace(",", "").rstrip(".")
    head, power, tail = token.partition("×10")
    if not power and head.startswith("10") and head[2:].translate(RAISED) != head[2:]:
        head, tail = "1", head[2:]
    exponent = float(tail.translate(RAISED) or 0)
    unit = 10.0 ** (exponent - len(head.partition("e")[0].partition(".")[2]))
    if "e" in head:
        unit *= 10.0 ** float(head.partition("e")[2])
    return float(head) * 10.0**exponent, unit


def unclaimed(text: str, claims: tuple[Claim, ...], given: str = "") -> list[str]:
    """The numbers of a sentence that no claim gives, and that nobody typed.

    A number may be rounded in its last digit, of a bound to its own side only.
    """
    known = plain(" ".join([given, *(c.fixed for c in claims), *(c.what for c in claims)]))
    typed = [value_of(token)[0] for token in NUMBER.findall(known)]
    found = []
    for token in NUMBER.findall(plain(text)):
        written, unit = value_of(token)
        rounding = 0 if unit >= 1 else unit
        if not any(abs(number - written) <= rounding for number in typed) and not any(
            _gives(claim, written, unit) for claim in claims
        ):
            found.append(token)
    return found


def _gives(claim: Claim, written: float, unit: float) -> bool:
    rounding = abs(claim.value) * 1e-11
    size = abs(claim.value) if claim.kind == "exact" else claim.value  # a token has no sign
    low, high = size - unit - rounding, size + unit + rounding
    if claim.unit == "%":
        low, high = claim.value - unit, claim.value + unit
    if claim.kind == "at most":
        low = claim.value - rounding
    if claim.kind == "at least":
        high = claim.value + rounding
    return low <= written <= high


def check_words(text: str, claims: tuple[Claim, ...], given: str = "") -> None:
    """Every number of the sentence is claimed, and every claim can be read."""
    assert not unclaimed(text, claims, given), (text, [c.stated for c in claims])
    for claim in claims:
        assert not claim.stated.startswith("Δ*"), claim.stated  # Δ is a sensitivity
        assert claim.fixed
        assert re.search(r"MATHEMATICS \d|counted|compared", claim.method), claim.method
