"""The papers' numbers and figures are what the library computes, and every verdict is right."""

import math
import re
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.errors import ParameterError
from dpviz.ui.kit.page_table import PAGES
from tests.conftest import FULL, for_each
from tests.papers import frames
from tests.papers.__main__ import PLACES, TEXT, line
from tests.papers.chart import paper_chart
from tests.papers.claims import AGREES, CLAIMS, LMR25, MISPRINT, PAPERS, REMARK, WRONG
from tests.papers.figures import shown
from tests.papers.frames import list_frame, paper_frame

TESTS = Path(__file__).resolve().parents[1]
WRITTEN = TEXT.read_text(encoding="utf-8")
NUMBERS = {  # figure: line: {at: value}; of ten digits: vectors of the mathematics
    1: {
        "eq. 3, 50% pure": {20: 1.9209177337, 100: 4.467929},
        "eq. 3, 100% pure": {100: 5.756106},
        "all pure, optimal": {20: 1.788609, 100: 4.774568},
    },
    2: {
        "0% pure": {20: 0.926420, 100: 2.246026},
        "50% pure": {20: 1.3761617466, 100: 3.650226},
        "100% pure": {20: 1.788609, 100: 4.774568},
    },
    3: {
        "ε = 1": {
            0.0: 0.49277934568918 / 0.48803303534498,
            0.3: 0.41360142268715 / 0.40927849679913,
        }
    },
    4: {
        "Laplace, Lemma 6.2": {
            1: 0.0499980488,
            5: 0.2499717155,
            20: 0.8722820210,
            100: 2.2075327009,
        },
        "Gauss, Lemma 6.1": {1: 0.1306270232, 5: 0.3087075267, 20: 0.6481050995, 100: 1.5436304518},
        "Gauss, Lemma 6.3": {1: 0.1864711094, 5: 0.4186895341, 20: 0.8436290681, 100: 1.9209610944},
        "Laplace": {1: 0.0499979980, 20: 0.863016, 100: 2.193281},
    },
    5: {
        "Gauss, composed": {20: 0.6481050995, 100: 1.5436304518},
        "Gauss, round by round": {20: 3.070546, 100: 7.404949},
        "Laplace, Lemma 6.2": {20: 0.8722820210, 100: 2.2075327009},
    },
}


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


def frame_of(figure):
    """The frame of a figure; of the sixth at a fixed seed."""
    return paper_frame(figure) if figure < 6 else list_frame(rng=streams.teaching(7))


def lines(figure):
    return frame_of(figure).pivot(index="at", columns="line", values="value")


@for_each("figure", NUMBERS)
def test_the_numbers_of_a_figure_stay(figure):
    found = lines(figure)
    for name, points in NUMBERS[figure].items():
        for at, value in points.items():
            nearest = found.index[np.abs(found.index - at).argmin()]
            assert nearest == pytest.approx(at)
            assert found.loc[nearest, name] == pytest.approx(value, rel=2e-6)


def test_figure_1_bounds_lie_above_what_is_optimal_and_half_and_half_near_all_pure():
    bound, exact = lines(1), lines(2)
    for share in ("0%", "25%", "50%", "75%", "100%"):
        assert (bound[f"eq. 3, {share} pure"] >= exact[f"{share} pure"] - 1e-12).all()
    far = bound["eq. 3, 50% pure"] / bound["all pure, optimal"]
    assert ((far > 0.9) & (far < 1.1)).all()  # the paper: "almost the same"


def test_figure_2_costs_more_the_more_are_pure():
    order = [f"{share} pure" for share in ("0%", "25%", "50%", "75%", "100%")]
    assert (np.diff(lines(2)[order].to_numpy(), axis=1) > 0).all()


def test_figure_3_order_matters_below_epsilon_and_not_above():
    found = lines(3)
    assert (found[found.index < 0.999] > 1).all().all()
    assert np.allclose(found[found.index > 0.999], 1.0, rtol=1e-9)
    assert found.to_numpy().max() == pytest.approx(1.0119, abs=1e-4)


def test_figure_5_only_one_line_is_loose_and_it_turns_the_verdict():
    frame, found = paper_frame(5), lines(5)
    assert set(frame[frame["kind"] == "loose"]["line"]) == {"Gauss, round by round"}
    assert (found["Gauss, composed"] < found["Laplace"]).all()
    assert (found["Gauss, round by round"] > found["Laplace, Lemma 6.2"]).all()
    for at in (20, 60, 100):  # 20 rounds are one Gaussian release of √20 times the sensitivity
        mu = math.sqrt(at) / (math.sqrt(2) * frames.SCALE)
        assert found.loc[at, "Gauss, composed"] == pytest.approx(
            gaussian_epsilon(frames.LOG_DELTA, mu), rel=1e-12
        )


def test_figure_4_and_5_agree_where_only_the_total_counts():
    one, many = lines(4), lines(5)
    for name in ("Laplace", "Laplace, Lemma 6.2", "Gauss, Lemma 6.3"):
        for at in (20, 40, 100):
            assert many.loc[at, name] == pytest.approx(one.loc[at, name], rel=1e-9)


def test_figure_6_the_fit_helps_most_where_counts_are_small():
    found = lines(6)
    assert math.sqrt((found["Laplace"] ** 2).mean()) == pytest.approx(10 * math.sqrt(2), rel=0.05)
    assert math.sqrt((found["Gauss, as drawn"] ** 2).mean()) == pytest.approx(
        frames.figure_six_sigma(), rel=0.05
    )
    tail = found.iloc[-15:]
    assert (tail["Gauss, fitted"] ** 2).mean() < 0.8 * (tail["Laplace"] ** 2).mean()
    assert (tail["Gauss, fitted"] ** 2).mean() < (tail["Gauss, as drawn"] ** 2).mean()


@for_each("figure", range(1, 7))
def test_every_line_is_drawn_with_its_kind(figure):
    frame = frame_of(figure)
    chart = paper_chart(frame, across="x", up="y")
    assert [line.name for line in chart.data] == list(dict.fromkeys(frame["line"]))
    crossed = [line.name for line in chart.data if "markers" in line.mode]
    assert crossed == (["Gauss, round by round"] if figure == 5 else [])
    assert not frame["value"].isna().any()


@for_each("figure", [0, 6, 1.5, "1"])
def test_there_are_five_that_are_computed(figure):
    with pytest.raises(ParameterError):
        paper_frame(figure)
