"""Numbers as exact as they deserve, and names that cannot do anything."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import words
from dpviz.accounting import half_width
from dpviz.noise import FAMILIES
from tests.conftest import for_each
from tests.figure_frames import HOSTILE


@for_each(
    ("x", "step", "text"),
    [
        (1793.27, 294.0, "1,793"),
        (1793.27, 3.2, "1,793.3"),
        (1793.0, 3.0, "1,793"),
        (3.14159, 0.02, "3.142"),
        (-0.2, 294.0, "0"),
        (-1234.0, None, "−1,234"),
        (0.0, None, "0"),
        (0.0, 0.5, "0.00"),
        (41.58, None, "42"),
        (0.0123456, None, "0.012"),
        (1.2e-7, None, "1.2×10⁻⁷"),
        (1e-12, None, "10⁻¹²"),
        (-1e15, None, "−10¹⁵"),
        (1e-6, 0.01, "0.000"),
        (2.5e15, None, "2.5×10¹⁵"),
        (1e9, 1.0, "1,000,000,000"),
        (math.inf, None, "∞"),
        (math.nan, None, "–"),
    ],
)
def test_number(x, step, text):
    assert words.number(x, step=step) == text


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_a_number_read_back_is_off_by_less_than_five_per_cent(x):
    text = words.number(x).replace(",", "")
    if text[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        mantissa, power = text.split("×10") if "×" in text else ("1", text[2:])
        table = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
        text = f"{mantissa}e{power.translate(table)}"
    assert float(text) == pytest.approx(x, rel=0.0501)


@for_each(
    ("share", "text"),
    [
        (0.0, "0"),
        (1.0, "100"),
        (0.5, "50"),
        (0.86, "86"),
        (0.905, "90.5"),
        (0.95, "95"),
        (0.995, "99.5"),
        (0.999999, "99.9999"),
        (0.0000004, "4×10⁻⁵"),
    ],
)
def test_percent_keeps_clear_of_certainty(share, text):
    assert words.percent(share) == f"{text}\u202f%"


@given(st.floats(min_value=0.5, max_value=1 - 1e-9, exclude_max=True))
def test_percent_never_says_a_hundred_for_less(share):
    assert not words.percent(share).startswith("100")


def test_no_break_spaces_hold_numbers_together():
    assert words.pm(293.6) == "±\u202f294"
    assert words.budget("ε", 2.5e-6) == "ε\u00a0=\u00a02.5×10⁻⁶"
    assert words.budget("ρ", 1) == "ρ\u00a0=\u00a01"


def test_aligned_gives_all_the_same_decimals():
    assert words.aligned([1.0, 0.02, 1.42]) == ["1.00", "0.02", "1.42"]
    assert words.aligned([math.nan, 1.5]) == ["–", "1.5"]


def test_lists_and_capitals():
    assert words.join(["a", "b"]) == "a and b"
    assert words.capitalised("") == ""
    assert words.capitalised("éclair FDA") == "Éclair FDA"


@for_each("name", HOSTILE)
def test_plain_leaves_nothing_that_plotly_would_read(name):
    text = words.plain(name, 500)
    assert not set("<>$\n\t\u202e") & set(text)
    assert "%{" not in text
    without = text
    for entity in ("&amp;", "&lt;", "&gt;", "&#36;", "&#37;"):
        without = without.replace(entity, "")
    assert "&" not in without


def test_plain_shows_what_was_typed():
    shown = words.plain('<b>%{x}</b> & $5 50 % "quoted" it\'s')
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&#36;", "$"), ("&#37;", "%")):
        shown = shown.replace(entity, letter)
    assert shown.replace("&amp;", "&") == '<b>%{x}</b> & $5 50 % "quoted" it\'s'
    assert words.plain("=1+1") == "=1+1"
    assert words.plain("![](http://x)") == "![](http://x)"
    assert words.plain("&lt;") == "&amp;lt;"


def test_plain_shortens_before_it_escapes():
    assert words.plain("<" * 100, 5) == "&lt;&lt;&lt;&lt;…"
    assert words.plain("") == "(no name)"


@given(st.text(st.characters(), max_size=80), st.integers(min_value=2, max_value=40))
def test_shorten_keeps_its_promise(text, limit):
    short = words.shorten(text, limit)
    assert words.columns(short) <= limit
    assert "\n" not in short
    assert short


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_a_half_width_is_never_written_smaller_than_it_is(digits, seed):
    rng = random.Random(seed)
    for _ in range(500):
        half = 10 ** rng.uniform(-9, 15)
        up = words.rounded_up(half, digits)
        written = words.significant(up, digits) if digits > 2 else words.number(up)
        assert half * (1 - 2**-39) <= up <= half * (1 + 10.0 ** (1 - digits))
        said = words.pm(half, digits)
        if digits > 2 and "." in said and "×" not in said:
            said = said.rstrip("0").rstrip(".")  # these keep their zeros
        assert said == f"±{words.NARROW}{written}"
        if 1e-4 <= up < 1e12:  # beyond, as a × 10ⁿ
            assert float(written.replace(",", "")) == up


def test_ninety_five_per_cent_is_at_least_that_for_what_is_written():
    """±13 for 13.21 was 94.8 % of the Laplace noise that ±13.21 holds 95 % of."""
    for scale in (0.013, 0.4, 1.0, 7.7, 123.0):
        half = half_width(FAMILIES["laplace"], scale, 0.95)
        shown = float(words.pm(half)[2:])
        assert 1 - math.exp(-shown / scale) >= 0.95
    assert words.pm(13.21) == "±\u202f14"  # was ±13


def test_what_only_a_float_adds_is_not_rounded_up():
    assert words.rounded_up(0.1 * 3) == 0.3
    assert words.rounded_up(1.1 * 1.1 * 100, 3) == 121.0
    assert words.rounded_up(121.0001, 3) == 122.0
    assert math.isnan(words.rounded_up(math.nan))
    assert words.rounded_up(math.inf) == math.inf


def test_the_ends_of_an_interval_are_rounded_outwards():
    assert words.between(102.4, 141.6) == "102 to 142"
    assert words.between(102.6, 141.4) == "102 to 142"  # was 103 to 141
    assert words.between(-3.14159, 4.2) == "−3.2 to 4.2"
    assert words.between(5.0, 5.0) == "5 to 5"
