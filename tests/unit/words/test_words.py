"""Words for numbers, names and terms: as exact as they deserve, harmless, each term said once."""

import math
import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import words
from dpviz.accounting import half_width
from dpviz.data import read_csv
from dpviz.data.table import quoted
from dpviz.handout import tier_csv, tier_readme
from dpviz.handout.pack_zip import folders_of
from dpviz.noise import FAMILIES
from dpviz.words.glossary import GLOSSARY, explained, terms_in
from dpviz.words.markdown import literal, plain_text
from dpviz.words.names import looks, visible
from dpviz.workspace.guesses import right_of_rho
from tests.conftest import for_each
from tests.figure_frames import HOSTILE
from tests.handouts import DAY, release_of

HIDDEN = [  # no picture, or another direction of writing
    "\u202e",  # right-to-left override
    "\u2066",  # left-to-right isolate
    "\u200b",  # zero width space
    "\u200d",  # zero width joiner
    "\u2060",  # word joiner
    "\ufeff",  # byte order mark
    "\u00ad",  # soft hyphen
    "\u034f",  # combining grapheme joiner
    "\u115f",  # Hangul filler, a letter
    "\u3164",  # Hangul filler, a letter
    "\u2800",  # blank of Braille
    "\ufe0f",  # variation selector
    "\U000e0041",  # tag
    "\ue000",  # private use
    "\x1b",  # escape
]
GATES = {
    "screen": lambda text: literal(text).replace("\\", ""),
    "figure": lambda text: words.plain(text, 500),
    "sentence": quoted,
    "CSV": lambda text: tier_csv(release_of([1], labels=("a",), entries=(text,))).decode(
        "utf-8-sig"
    ),
    "README": lambda text: tier_readme(release_of([1], tier=text), DAY).decode("utf-8-sig"),
    "column": lambda text: read_csv(f"{text},b\n1,2\n".encode(), name="t").columns[0].name,
}


@for_each(
    ("x", "step", "text"),
    [
        (1793.27, 3.2, "1,793.3"),
        (1793.0, 3.0, "1,793"),
        (-0.2, 294.0, "0"),
        (-1234.0, None, "−1,234"),
        (0.0, None, "0"),
        (0.0, 0.5, "0.00"),
        (0.0123456, None, "0.012"),
        (1e-12, None, "10⁻¹²"),
        (-1e15, None, "−10¹⁵"),
        (1e-6, 0.01, "0.000"),
        (2.5e15, None, "2.5×10¹⁵"),
        (1e9, 1.0, "1,000,000,000"),
        (math.inf, None, "∞"),
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


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("character", HIDDEN, ids=lambda c: f"{ord(c):04X}")
def test_a_hidden_character_is_shown_by_its_code_everywhere(gate, character):
    written = GATES[gate](f"top{character}secret")
    assert f"top⟨U+{ord(character):04X}⟩secret" in written
    assert character not in written


@for_each("gate", GATES)
def test_a_look_alike_in_a_latin_word_is_shown_by_its_code_everywhere(gate):
    assert "p⟨U+0430⟩rtners" in GATES[gate]("p\u0430rtners")
    assert "p⟨U+03B1⟩rtners" in GATES[gate]("p\u03b1rtners")


@for_each("text", ["ρ = 1", "Δ₂ = √ℓ₀ · ℓ∞", "рядом", "αβγ", "公衆", "Überraschung", "±\u202f5"])
def test_what_is_plain_stays(text):
    assert visible(text) == text


@given(st.text(st.characters(), max_size=40))  # to list those of UTF-8 takes seconds
def test_what_is_shown_hides_nothing_and_stays(text):
    once = visible(text)
    assert visible(once) == once
    assert all(c.isprintable() or unicodedata.category(c) == "Zs" for c in once)


ALIKE = [
    ("partners", "p\u0430rtners"),  # Cyrillic а
    ("partners", "part\u200bners"),
    ("partners", "ｐartners"),  # full width
    ("Partners", "\u03a1ARTNERS"),  # Greek Ρ
    ("top secret", "top\u00a0 secret"),
    ("cop", "\u0441\u043e\u0440"),  # a word of Cyrillic letters only
    ("public", "pubIic"),
    ("public", "pub1ic"),
    ("modern", "modem"),
    ("é", "\u0435\u0301"),
    ("a-b", "a\u2011b"),
]


@for_each(("one", "other"), ALIKE)
def test_names_that_look_alike_are_told(one, other):
    assert set(enumerate(looks(one))) & set(enumerate(looks(other)))


@for_each(("one", "other"), [("a", "b"), ("tier 1", "tier 2"), ("mine", "nine"), ("x", "xx")])
def test_names_that_differ_are_left_alone(one, other):
    assert not set(enumerate(looks(one))) & set(enumerate(looks(other)))


def test_a_folder_has_a_name_that_can_be_seen():
    names = ["top\u3164secret", "p\u0430rtners"]
    assert folders_of([release_of([1], tier=name) for name in names]) == [
        "top-U-3164-secret",
        "p-U-0430-rtners",
    ]


@for_each("term", GLOSSARY)
def test_each_term_is_explained_in_one_plain_sentence_that_begins_with_it(term):
    sentence = GLOSSARY[term]
    assert sentence.lower().startswith(term.lower())
    assert sentence.endswith(".")
    assert len(sentence) <= 160
    assert terms_in(f"Some {term}, here") == tuple(t for t in GLOSSARY if t in terms_in(term))
    assert term in terms_in(f"({term})")


def test_a_term_is_found_in_the_plural_and_not_inside_another_word():
    assert terms_in("Coalitions of tiers") == ("coalition", "tier")
    assert terms_in("frontiers, rebound, modem") == ()
    assert terms_in("privacy losses") == ("privacy loss",)


def test_nothing_is_said_where_no_term_stands():
    assert explained("Who learns what?") == ""


def test_each_term_has_a_paragraph():
    paragraphs = explained("Sealed tiers get ± of ε").split("\n\n")
    assert [plain_text(each) for each in paragraphs] == [
        GLOSSARY[term] for term in ("sealed", "tier", "ε", "±")
    ]


def test_the_sentences_of_words_md_are_there():
    wanted = "tier release noise budget sensitivity lossless mode sealed coalition bound phantom"
    assert {*wanted.split(), "privacy loss"} <= set(GLOSSARY)


def test_what_a_budget_leaves_is_what_gaussian_noise_leaves():
    sentence = GLOSSARY["ρ"]
    for rho in (0.1, 1.0):
        assert f" {right_of_rho(rho).said} " in sentence
    assert "with Gaussian noise" in sentence, "Laplace noise of this ρ leaves 600 at 0.1"
