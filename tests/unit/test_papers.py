"""The papers' numbers are what the library computes today, and every verdict is right."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from dpviz.ui.kit.page_table import PAGES
from tests.conftest import FULL, for_each
from tests.papers.__main__ import PLACES, TEXT, line
from tests.papers.claims import AGREES, CLAIMS, LMR25, MISPRINT, PAPERS, REMARK, WRONG
from tests.papers.figures import shown

TESTS = Path(__file__).resolve().parents[1]
WRITTEN = TEXT.read_text(encoding="utf-8")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.where}, {claim.what}")
def test_the_list_is_up_to_date(claim):
    if claim.slow and not FULL:
        pytest.skip("computed in the full run")
    assert line(claim, claim.ours()) in WRITTEN, "run make papers, and look at what changed"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.where}, {claim.what}")
def test_a_printed_number_agrees_or_is_misprinted_or_wrong(claim):
    found = re.match(r"(at most |more than |below |above )?(\d+(?:\.\d+)?)$", claim.printed)
    if claim.slow or not found:
        pytest.skip("words, or slow")
    how, said, ours = found[1], float(found[2]), claim.ours()
    digits = len(found[2].partition(".")[2])
    holds = {
        "at most ": ours <= said + 1e-9,
        "more than ": ours > said,
        "below ": ours < said,
        "above ": ours > said,
        None: round(ours, digits or 9) == said,
    }[how]
    assert holds == (claim.verdict == AGREES)
    assert holds or claim.verdict in (MISPRINT, WRONG)


def test_every_paper_has_claims_that_agree():
    for paper in PAPERS:
        verdicts = {claim.verdict for claim in CLAIMS if claim.paper == paper}
        assert AGREES in verdicts
        assert verdicts <= {AGREES, MISPRINT, REMARK} | ({WRONG} if paper == LMR25 else set())


def test_the_head_of_the_list_says_how_many_rules_are_wrong_and_where():
    wrong = {claim.where for claim in CLAIMS if claim.verdict == WRONG}
    assert wrong == {"Lemma F.5", "Algorithm 6"}
    assert "there are two, of one paper" in " ".join(WRITTEN.split())


def places():
    """What, seen, library and kept by, of every result."""
    rows = [line.strip("| ").split(" | ") for line in PLACES.read_text("utf-8").splitlines()]
    return [row for row in rows if len(row) == 5 and row[0] != "result"]


@for_each("row", places())
def test_every_result_is_where_the_list_says(row):
    _, _, seen, library, kept = row
    pages = {page.title for page in PAGES} | {"make papers", "notebook", "library"}
    assert set(seen.split("; ")) <= pages
    assert resolve_name(f"dpviz.{library.strip('`')}")
    for check in re.findall(r"`(.+?)`", kept):
        file, _, name = check.partition(" ")
        text = (TESTS / file).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in text


def test_the_list_of_places_is_in_the_text():
    assert PLACES.read_text("utf-8") in WRITTEN


@pytest.mark.skipif(not FULL, reason="every figure of four papers takes half a minute")
def test_every_figure_is_drawn():
    figures = list(shown())
    assert {paper for paper, *_ in figures} == set(PAPERS)
    assert all(figure.data for *_, figure in figures)
