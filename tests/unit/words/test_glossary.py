"""The glossary: one plain sentence per term, found where the term stands."""

from dpviz.words.glossary import GLOSSARY, explained, terms_in
from dpviz.words.markdown import plain_text
from dpviz.workspace.guesses import right_of_rho
from tests.conftest import for_each


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
