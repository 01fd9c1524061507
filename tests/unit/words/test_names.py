"""Names from outside: nothing hidden on screen or in files, and look-alikes told apart."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import words
from dpviz.data import read_csv
from dpviz.data.table import quoted
from dpviz.handout import tier_csv, tier_readme
from dpviz.handout.pack_zip import folders_of
from dpviz.words.markdown import literal
from dpviz.words.names import looks, visible
from tests.conftest import for_each
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
