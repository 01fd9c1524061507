"""The numbers of the mistakes, by another way: simulation, vectors, and the law that is right."""

import re
from fractions import Fraction as F

import numpy as np
import pytest

from dpviz.charts.labels import PHONE, pixels
from dpviz.charts.method.alarms import alarm_squares
from dpviz.charts.method.mistakes import mistake_bars
from dpviz.errors import ParameterError
from dpviz.experiments.broken.bridges import BrokenPrintedBridge
from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.noise import ADDITIVE
from dpviz.palette import BEYOND, GREY, rgba
from dpviz.ui.method import errata, words
from dpviz.ui.method.errata import CITED
from dpviz.ui.method.rules import RULES, alarms_frame, broken
from dpviz.words import plain
from tests.papers.claims import CLAIMS, WRONG
from tests.unit.test_citations import SOURCES

DRAWS = 400_000
LAPLACE = ADDITIVE["laplace"]


@pytest.mark.parametrize(("reading", "printed"), [("right", False), ("printed, exchanged", True)])
def test_the_variance_of_a_bridge_is_that_of_its_draws(reading, printed, seed):
    low, level, high = errata.SCALES
    rng = np.random.default_rng(seed)
    below = rng.laplace(scale=low, size=DRAWS)
    above = LAPLACE.extend(below, low, high, rng=rng)
    drawn = BrokenPrintedBridge(LAPLACE, reading).bridge(below, above, low, level, high, rng=rng)
    assert np.mean(drawn**2) == pytest.approx(
        bridged_variance(low, level, high, printed=printed), rel=0.03
    )


def test_the_counterexample_to_lemma_f5_in_fractions():
    """Both parts together are what two releases differ by: 2h² - 2l². As printed they are not."""
    low, level, high = (F(int(scale)) for scale in errata.SCALES)

    def together(below, above):
        """Of parts that are 0 with (l/b)² and with (b/h)², else Laplace of these scales."""
        near, far = (low / level) ** 2, (level / high) ** 2
        return (1 - near) * 2 * below**2 + (1 - far) * 2 * above**2

    assert together(level, high) == 2 * high**2 - 2 * low**2 == 198  # b and b₁, as in Claim F.3
    assert together(low, level) == F(8171, 450)  # b₂ and b, as printed


def test_a_rule_is_called_wrong_only_with_its_words_a_counterexample_and_what_was_meant():
    """Those of the page are those of docs/PAPERS.md, and each gives more away than promised."""
    told = {each.where.rpartition("elease, ")[2] for each in errata.mistakes()}
    wrong = {claim.where for claim in CLAIMS if claim.verdict == WRONG}
    assert {re.search(r"(Lemma|Algorithm) [\w.]+", where)[0] for where in told} == wrong
    for each in errata.mistakes():
        assert each.times > 1
        assert len(each.quote) > 40
        assert len(each.meant) > 40
        assert "as printed" in each.told or "needed at" in each.told
    said = words.heading() + words.take_away()
    assert said.count("two printed rules") == 2
    assert said.count("one of the papers") == 2


@pytest.mark.parametrize("level", [0.2, 1.0, 2.5])
def test_corrected_it_is_that_of_one_release(level):
    assert bridged_variance(0.1, level, 50, printed=False) == pytest.approx(2 * level**2, rel=1e-6)


@pytest.mark.parametrize("levels", [(1, 1, 2), (0, 1, 2), (3, 2, 5), (1, 2, float("nan"))])
def test_scales_must_rise(levels):
    with pytest.raises(ParameterError):
        bridged_variance(*levels, printed=True)


def test_bars_leave_the_outline_where_more_is_given_than_promised():
    shown = mistake_bars(errata.frame())
    outlines = [shape for shape in shown.layout.shapes if shape.type == "rect"]
    for outline, each in zip(outlines, errata.mistakes(), strict=True):
        assert (outline.x0, outline.x1) == (0, 1)
        parts = [bar for bar in shown.data if outline.y0 < bar.y[0] < outline.y1]
        ends = [end for bar in parts for end in bar.x]
        assert (min(ends), max(ends)) == (0, pytest.approx(each.times))
        beyond = [bar for bar in parts if bar.line.color == rgba(BEYOND, 0.75)]
        assert [bar.x[0] for bar in beyond] == [1] * (each.times > 1)
    assert BEYOND != GREY
    said = [note.text for note in shown.layout.annotations]
    assert all(
        each.said in said and each.times == pytest.approx(float(each.said.split()[0]), rel=0.005)
        for each in errata.mistakes()
    )


def test_words_beside_bars_stay_inside_on_a_phone():
    shown = mistake_bars(errata.frame())
    start, end = shown.layout.xaxis.range
    beside = {note.text: note.x for note in shown.layout.annotations}
    for each in errata.mistakes():
        place = PHONE * (beside[each.said] - start) / (end - start)
        assert place + pixels(each.said) < PHONE


def test_the_mistake_that_is_told_as_an_example_is_a_square():
    assert words.EXAMPLE in set(alarms_frame()["mistake"])
    assert words.EXAMPLE in words.ALARMS_READING


def bare(text):
    """Without what lines are broken by."""
    return re.sub(r"\s", "", text.replace("<br>", ""))


def test_every_mistake_that_was_made_on_purpose_is_a_square():
    frame = alarms_frame()
    (shown,) = alarm_squares(frame).data
    assert len(shown.x) == len(frame) == broken()
    assert len(set(zip(shown.x, shown.y, strict=True))) == broken(), "no two in one place"
    told = bare(" ".join(shown.hovertext))
    for rule in RULES:
        for said in (rule.says, rule.code, rule.check, rule.source, *rule.mistakes):
            assert bare(plain(said, 1000)) in told
    with pytest.raises(ParameterError, match="lacks"):
        alarm_squares(frame.drop(columns="rule"))


def test_papers_are_cited_as_the_mathematics_lists_them():
    assert {each.paper for each in errata.mistakes()} == set(CITED)
    for key, cited in CITED.items():
        title, who = cited.removeprefix("“").split("” (")
        assert title in SOURCES[key]
        assert who.split()[0].rstrip(",") in SOURCES[key]
        assert who[-5:-1] in SOURCES[key]
