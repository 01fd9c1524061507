"""The page Linear queries: its numbers again, its sentences, pictures and sample, its names.

Questions, factors and moves as matrices written from their definitions; noise by scipy's laws; what
no factorization is below, by looking for one that is.
"""

import math
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.linear.operators import dense
from dpviz.noise import FAMILIES
from dpviz.palette import GREY
from dpviz.queries import BoundedSum, ByBins, ByColumn, ByTime, ByTwoColumns, Count, Everybody
from dpviz.scenes import linear_queries as scenes
from dpviz.scenes.linear_queries import ANSWERS, DATA
from dpviz.ui import linear_queries as page
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace import linear
from dpviz.workspace.linear import QUARTERS, WEEKS, YEAR, of_query
from tests.claim_settings import LAWS, NOISE, OWN, in_quick, workspace_of
from tests.conftest import LAST_DIGITS, for_each
from tests.oracles_linear import least_by_descent, moves_by_trying, prefix_matrix
from tests.visiting import check_words, numbers_of, plain

SYMMETRIC = [noise for noise in dict(NOISE) if FAMILIES[noise].symmetric]
SMALL = "1 1 0\n0 1 1\n1 1 1"


def viewed(visit, ws, **answers):
    visit.come(**answers)
    return page.settings(ws, nullcontext())


def said(shown):
    sentences = (page.headline(shown), *page.beside(shown))
    claims = tuple(claim for sentence in sentences for claim in sentence.claims)
    for sentence in (sentences[0], sentences[-1]):
        check_words(sentence.text, claims, f"{shown.way.name} 1,000")
    return {claim.what: claim for claim in claims}


def check(shown, questions):
    """Errors of the ways that are named, by their matrices; a bound that none of the ways beats."""
    found = said(shown)
    assert found["answers"].value == len(questions)
    step, family = shown.numbers.step, shown.family.name
    for way in shown.comparison.ways.values():
        left, right = dense(way.factorization.left), dense(way.factorization.right)
        assert np.allclose(left @ right, questions)
        variance = LAWS[family](way.budget.level).var()
        typical = step * math.sqrt(variance * np.mean((left**2).sum(axis=1)))
        if (claim := found.get(f"typical error through “{way.name}”")) is not None:
            assert claim.value == pytest.approx(typical, rel=1e-9)
            assert claim.kind == "exact"
        if (bound := shown.comparison.bound) is not None:
            assert bound <= typical * (1 + 1e-9)
        if page.charted(shown) is not None and way in (shown.way, shown.compared):
            check_half(shown.reaches(way)[-1], left[-1], family, way.budget.level)
    assert f"typical error through “{shown.way.name}”" in found


def check_half(half, row, family, level):
    """By the law of a normal sum; of others, by how many of many sums are within it."""
    if family == "gaussian":
        deviation = math.sqrt(level * np.square(row).sum())
        assert half == pytest.approx(1.959963985 * deviation, rel=1e-8)
        return
    noise = LAWS[family](level).rvs((20_000, np.count_nonzero(row)), random_state=7)
    inside = (np.abs(noise @ row[row != 0]) <= half * (1 + 1e-9)).mean()
    assert 0.94 < inside < 0.972


@pytest.mark.parametrize(("noise", "relation", "groups", "query"), in_quick(OWN, 3))
def test_the_visitors_numbers(visit, noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query)
    shown = viewed(visit, ws, linear_source=page.OWN)
    check(shown, prefix_matrix(12))
    if shown.family.name == "skellam":
        assert "at δ = 1e-6" in plain(page.headline(shown).claims[-1].fixed)


@pytest.mark.parametrize("family", in_quick(SYMMETRIC, 2))
def test_the_made_up_year(visit, family):
    check(viewed(visit, workspace_of(*OWN[0]), linear_noise=family), prefix_matrix(52))


@pytest.mark.parametrize("family", in_quick(["gaussian", "laplace", "discrete_laplace"], 1))
def test_no_factorization_is_below_the_bound(visit, family):
    """Nor is one that is looked for by descent; and no way spends more than its budget."""
    shown = viewed(
        visit,
        workspace_of(*OWN[0]),
        linear_asked=page.TYPED,
        linear_matrix=SMALL,
        linear_noise=family,
    )
    questions = np.array([[float(n) for n in line.split()] for line in SMALL.splitlines()])
    check(shown, questions)
    budget = shown.way.budget
    least = least_by_descent(questions, 0.0, 1.0, 1, "add/remove")
    variance = (
        1 / (2 * budget.loss) if family == "gaussian" else LAWS[family](1 / budget.loss).var()
    )
    assert shown.comparison.bound <= math.sqrt(variance * least / 3) * (1 + 1e-9)
    for way in shown.comparison.ways.values():
        l1, l2, _ = moves_by_trying(dense(way.factorization.right), 1, 0.0, 1.0, "add/remove")
        spent = l2**2 / (2 * way.budget.level) if family == "gaussian" else l1 / way.budget.level
        assert spent <= way.budget.loss * (1 + 1e-12)


def test_a_bound_from_below_is_written_no_larger_than_it_is(visit):
    """17.68 is not written as 17.7."""
    ws = workspace_of(("gaussian", "teaching"), "replace", 5, "count")
    shown = viewed(visit, ws, linear_source=page.OWN, linear_budget="0.05")
    assert 17.65 < shown.comparison.bound < 17.7
    assert plain(page.limit(shown)).startswith(
        "No way of placing this noise has a typical error below 17.6 "
    )


def test_the_sentences(visit):
    shown = viewed(visit, workspace_of(*OWN[0]))
    assert plain(page.headline(shown).text) == (
        "A clinic publishes 52 running totals. With noise on each total, they are typically off by "
        "16 visits; with noise on weighted sums of weeks, just as private, by 4.6."
    )
    told = [plain(each.text) for each in page.beside(shown)]
    assert told[0] == (
        "All ways keep the same limit: at the worst, a guess about one person is right 588 times "
        "in 1,000 (a coin: 500)."
    )
    (why,) = told[1:]
    assert why.startswith("One person in the first week moves all totals, so noise on each")
    middle, data, totals = (
        each.factorization
        for each in (shown.way, *(shown.comparison.ways[name] for name in (DATA, ANSWERS)))
    )
    assert "weighted sums of weeks" in why  # one moves little, and little adds up
    rounding = 1 + LAST_DIGITS
    assert data.l2_sensitivity <= middle.l2_sensitivity * rounding < totals.l2_sensitivity / 3
    assert totals.row_squares.max() <= middle.row_squares.max() < data.row_squares.max() / 9
    assert "The best way attains the bound by singular values, up to one in a thousand" in str(
        page.remarks(shown)
    )
    assert page.reading(shown) == (
        "Bands: where a total lands 95 times in 100, about twice the typical error. Typical error: "
        "the root mean square over all totals. What to expect; no number is drawn yet."
    )
    other = viewed(visit, workspace_of(*OWN[0]), linear_noise="laplace")
    assert "lands at least 95 times in 100." in page.reading(other)
    single = viewed(visit, workspace_of(*OWN[0]), linear_asked="every week by itself")
    assert plain(page.headline(single).text).endswith(
        "52 single numbers: typically off by 2.2 visits."
    )
    assert page.reading(single) == "What to expect; no number is drawn yet."


@pytest.mark.parametrize("noise", SYMMETRIC)
@pytest.mark.parametrize(
    ("asked", "matrix"),
    [
        *((asked, "") for asked in ("all ranges of weeks", "quarters and weeks within them")),
        ("every week by itself", ""),
        (page.TYPED, "1 0\n1 1\n0.5, -1"),
    ],
)
def test_the_sample_of_every_question_and_noise_makes_the_numbers(visit, noise, asked, matrix):
    answers = {"linear_asked": asked, "linear_noise": noise} | (
        {"linear_matrix": matrix} if matrix else {}
    )
    shown = viewed(visit, workspace_of(*OWN[0]), **answers)
    errors, drawn = numbers_of(recipe_code(scenes.answers, **page.arguments(shown)))
    assert errors.to_dict() == {name: way.typical for name, way in shown.comparison.ways.items()}
    assert drawn == []
    whole = asked == "every week by itself"
    left_out = noise in ("skellam", "discrete_laplace") and not whole
    assert ("because its numbers are not whole" in str(page.remarks(shown))) == left_out


def bars_from_the_top(shown):
    """Length and colour of each bar, and the words."""
    bars = page.bars(shown)
    found = sorted(
        (y, x, colour)
        for trace in bars.figure.data
        for x, y, colour in zip(trace.x, trace.y, trace.marker.color, strict=True)
    )
    return [(x, colour) for _, x, colour in found], bars.alt


def test_the_bars_are_the_errors_of_both_ways_and_of_the_best_in_the_colours_of_the_bands(visit):
    shown = viewed(visit, workspace_of(*OWN[0]))
    assert page.aside(shown).alt == page.bars(shown).alt
    best, plain_way = shown.way.typical, shown.comparison.ways["noise on answers"].typical
    data = shown.comparison.ways["noise on data"]
    found, alt = bars_from_the_top(shown)
    assert found == [(best, page.USED), (data.typical, GREY), (plain_way, GREY)]
    assert "Noise on weighted sums of weeks, 4.6 visits" in plain(alt)
    found, alt = bars_from_the_top(replace(shown, way=data))
    assert found == [(best, GREY), (data.typical, page.USED), (plain_way, GREY)]
    assert "Noise on weighted sums of weeks, 4.6 visits" in plain(alt)


def test_the_line_is_the_totals_and_95_of_100_are_in_the_bands(visit):
    shown = viewed(visit, workspace_of(*OWN[0]))
    picture = page.picture(shown)
    true = np.cumsum(WEEKS)
    for name, way in (
        ("noise on each total", shown.compared),
        ("noise on weighted sums of weeks", shown.way),
    ):
        band = next(t for t in picture.figure.data if t.name == name and len(t.x) == 2 * len(true))
        half = 1.959963985 * np.sqrt(way.variances)
        assert band.y[: len(true)] == pytest.approx(true - half)
        assert band.y[len(true) :] == pytest.approx((true + half)[::-1])
    line = next(trace for trace in picture.figure.data if trace.name == "the true totals")
    assert line.y.tolist() == true.tolist()


# --- Names of the numbers that linear queries ask about, and of the answers: none stands twice ---

QUERIES = {
    "bins": Count(ByBins("age", (0, 10, 20, 30))),
    "groups": BoundedSum("x", -1, 3, ByColumn("g", ("b", "a", "week 2")), step=0.5),
    "days": Count(ByTime("when", "day", "2025-01-06", "2025-01-09")),
    "pairs": Count(ByTwoColumns(ByColumn("g", ("a", "b")), ByColumn("h", ("a", "b", "c")))),
    "everybody": Count(Everybody()),
}
OFFERED = {
    "bins": ["running totals", "all ranges of bins", "every bin by itself"],
    "groups": ["running totals", "all ranges of groups", "every group by itself"],
    "days": ["running totals", "all ranges of days", "every day by itself"],
    "pairs": [
        "running totals",
        "all ranges of pairs",
        "row and column sums",
        "every pair by itself",
    ],
    "everybody": ["every number by itself"],
}
ALL = {name: of_query(query) for name, query in QUERIES.items()} | {"year": YEAR}


@for_each("name", OFFERED)
def test_only_what_makes_sense_is_offered(name):
    assert list(linear.offered(ALL[name])) == OFFERED[name]


@for_each("name", ALL)
def test_every_answer_has_a_name_and_a_place_of_its_own(name):
    for make in linear.offered(ALL[name]).values():
        asked = make(ALL[name])
        m, n = asked.workload.shape
        assert n == len(ALL[name].labels)
        assert len(set(asked.names)) == len(asked.names) == m


def test_names_say_which_numbers_are_summed():
    asked = linear.all_ranges(ALL["days"])
    matrix = dense(asked.workload.operator)
    at = asked.names.index("days 2025-01-07 … 2025-01-08")
    assert matrix[at].tolist() == [0, 1, 1]
    asked = linear.both_sums(ALL["pairs"])
    matrix = dense(asked.workload.operator)
    labels = ALL["pairs"].labels
    for name, row in zip(asked.names, matrix, strict=True):
        side, group = name.split("” ")
        place = 0 if side == "“g" else 1
        assert [label.split(" × ")[place] == group for label in labels] == (row == 1).tolist()
    asked = linear.totals(ALL["bins"])
    assert asked.names[1] == "up to bin 10 to 20"


def test_the_made_up_year_is_quarters_of_its_weeks():
    asked = linear.both_sums(YEAR)
    assert asked.workload.exact(WEEKS)[:QUARTERS].tolist() == [
        sum(WEEKS[13 * q : 13 * (q + 1)]) for q in range(QUARTERS)
    ]
    with pytest.raises(ParameterError, match="no rows and columns"):
        linear.both_sums(ALL["days"])


@for_each("name", ALL)
def test_the_matrix_to_begin_with_can_be_used(name):
    rows = linear.read_matrix(linear.matrix_to_begin_with(ALL[name]), ALL[name])
    asked = linear.of_matrix(rows, ALL[name])
    assert np.array_equal(dense(asked.workload.operator), np.array(rows))


def test_a_matrix_of_other_width_is_refused_for_a_statistic_alone():
    assert len(linear.read_matrix("1 1", YEAR)) == 1
    for text in ("1 1", "1 1 1 1"):
        with pytest.raises(ParameterError, match=r"the statistic has 3 days"):
            linear.read_matrix(text, ALL["days"])


def test_ranges_are_offered_up_to_their_limit():
    for count in (linear.MOST_RANGED, linear.MOST_RANGED + 1):
        numbers = of_query(Count(ByBins("x", tuple(range(count + 1)))))
        is_offered = "all ranges of bins" in linear.offered(numbers)
        assert is_offered == (count == linear.MOST_RANGED)
