"""The numbers of the mistakes, by another way: simulation, vectors, and the law that is right."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.method import alarm_squares
from dpviz.errors import ParameterError
from dpviz.experiments.broken.table import BrokenPrintedBridge
from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.noise import ADDITIVE
from dpviz.palette import BEYOND
from dpviz.scenes.method import SCALES, rules, scene
from dpviz.ui import method as page
from dpviz.words import plain
from tests.conftest import for_each
from tests.papers.claims import CLAIMS, WRONG
from tests.unit.test_docs import ROOT, SOURCES
from tests.visiting import check_words

DRAWS = 400_000
LAPLACE = ADDITIVE["laplace"]


@pytest.mark.parametrize(("reading", "printed"), [("right", False), ("printed, exchanged", True)])
def test_the_variance_of_a_bridge_is_that_of_its_draws(reading, printed, seed):
    low, level, high = SCALES
    rng = np.random.default_rng(seed)
    below = rng.laplace(scale=low, size=DRAWS)
    above = LAPLACE.extend(below, low, high, rng=rng)
    drawn = BrokenPrintedBridge(LAPLACE, reading).bridge(below, above, low, level, high, rng=rng)
    assert np.mean(drawn**2) == pytest.approx(
        bridged_variance(low, level, high, printed=printed), rel=0.03
    )


def test_a_rule_is_called_wrong_only_with_its_words_a_counterexample_and_what_was_meant():
    """Those of the page are those of docs/PAPERS.md, and each gives more away than promised."""
    assert {each.name for each in page.MISPRINTS} == set(scene().misprints)
    assert set(scene().misprints) == {claim.where for claim in CLAIMS if claim.verdict == WRONG}
    for each in page.MISPRINTS:
        assert each.name in each.place
        assert scene().times(each.name) > 1
        assert len(each.quote) > 40
        assert len(each.meant) > 40
        assert "as printed" in each.told or "needed at" in each.told
        assert "{" not in page.story(scene(), each)


def test_every_number_of_the_headline_is_claimed():
    said = page.headline(scene())
    check_words(said.text, said.claims)
    assert said.values == (sum(len(rule.mistakes) for rule in rules()), 2)
    for more in page.beside(scene()):
        check_words(more.text, more.claims, given=page.LMR25[1])


def test_what_is_wrong_in_the_papers_is_as_many_lines_of_the_table_of_corrections():
    """Both rules and all misprints are of one paper; no other one has a line of either kind."""
    text = (ROOT / "docs" / "MATHEMATICS.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| \[(\w+)\][^|]*\| (wrong|misprint) \|", text, re.MULTILINE)
    (paper,) = {each.paper[0] for each in page.MISPRINTS}
    assert Counter(lines) == {
        (paper, "wrong"): len(page.MISPRINTS),
        (paper, "misprint"): page.MISPRINTED,
    }


@pytest.mark.parametrize("level", [0.2, 1.0, 2.5])
def test_corrected_it_is_that_of_one_release(level):
    assert bridged_variance(0.1, level, 50, printed=False) == pytest.approx(2 * level**2, rel=1e-6)


@for_each("levels", [(1, 1, 2), (0, 1, 2), (3, 2, 5), (1, 2, float("nan"))])
def test_scales_must_rise(levels):
    with pytest.raises(ParameterError):
        bridged_variance(*levels, printed=True)


def test_bars_go_beyond_what_was_promised_by_as_much_as_is_said():
    _, bars = page.pictures(scene())
    promised, drawn, line = bars.figure.data
    assert [*line.x] == [1]
    assert [*zip(promised.base, promised.x, strict=True)] == [(0, 1), (0, 1)]
    assert {*drawn.marker.color} == {BEYOND}
    for base, beyond, each in zip(drawn.base, drawn.x, page.MISPRINTS, strict=True):
        assert base == 1
        assert base + beyond == pytest.approx(scene().times(each.name))
        assert f"{scene().times(each.name):.2f} times" in bars.alt
        assert each.rule in bars.alt


def test_the_mistake_that_is_told_as_an_example_is_a_square():
    assert page.EXAMPLE in {told for rule in rules() for told in rule.mistakes.values()}


def bare(text):
    """Without what lines are broken by."""
    return re.sub(r"\s", "", text.replace("<br>", ""))


def test_every_mistake_that_was_made_on_purpose_is_a_square():
    squares, _ = page.pictures(scene())
    (shown,) = squares.figure.data
    assert len(shown.x) == scene().broken
    (title,) = squares.figure.layout.annotations
    assert re.findall(r"\d+", title.text) == 2 * [str(scene().broken)]
    assert len(set(zip(shown.x, shown.base, strict=True))) == scene().broken, "no two in one place"
    told = bare(" ".join(shown.hovertext))
    for rule in rules():
        for said in (rule.says, rule.code, rule.check, rule.source, *rule.mistakes.values()):
            assert bare(plain(said, 1000)) in told
    with pytest.raises(ParameterError, match="lacks"):
        alarm_squares(pd.DataFrame({"rule": [""]}))


def test_papers_are_cited_as_the_mathematics_lists_them():
    for key, cited in {each.paper for each in page.MISPRINTS}:
        title, who = cited.removeprefix("“").split("” (")
        assert title in SOURCES[key]
        assert who.split()[0].rstrip(",") in SOURCES[key]
        assert who[-5:-1] in SOURCES[key]
