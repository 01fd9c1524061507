"""Two tabs on one table, with the same typed seed: what they draw together gives nothing away.

No affine combination of their releases comes nearer to the truth than shared noise (of the same
question) or independent noise (of any other one) allows: the best one is found by least squares,
with hundreds of groups as repetitions, each of which has noise of its own.
"""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.data import read_csv
from dpviz.linear.comparison import compare
from dpviz.linear.contribution import contribution_of
from dpviz.local import Bloom
from dpviz.planning.amounts import Amount
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import (
    BoundedSum,
    Bounds,
    ByColumn,
    ByTime,
    Count,
    Everybody,
    ItemCounts,
    TextCounts,
    WholeNumbers,
)
from dpviz.top_k import UnknownDomain
from dpviz.workspace import Statistic, Workspace, counting, linear, sparse, top_k
from dpviz.workspace.local import rappor
from dpviz.workspace.sessions import families_in, said
from tests.conftest import few
from tests.structured_sessions import asked

SEED = 7
GROUPS = tuple(str(n) for n in range(1000, 1400))
ROWS = "".join(
    f"{group},2025-01-{1 + place % 28:02d} {place % 24:02d}:00\n"
    for place, group in enumerate(GROUPS * 30)
)
TABLE = read_csv(f"ward,when\n{ROWS}".encode(), name="wards.csv")
ONE_MORE = read_csv(f"ward,when\n{ROWS}1000,2025-01-05 03:00\n".encode(), name="wards.csv")
WARDS = Count(ByColumn("ward", GROUPS))
PLAN = (("public", "0.1"), ("research", "0.2"), ("audit", "0.4"))
NAMES = tuple(name for name, _ in PLAN)
SURE = 6 / np.sqrt(len(GROUPS))  # no correlation of independent noise comes near that


@pytest.fixture(autouse=True)
def _each_tab_has_a_number_of_its_own(monkeypatch):
    monkeypatch.setattr(streams, "any_seed", itertools.count(1).__next__)


def tab(query=WARDS, *, family="gaussian", table=TABLE, seed=SEED):
    """A new tab, with a seed that was typed."""
    ws = Workspace.fresh()
    ws.seed = seed
    kind = "ρ" if family == "gaussian" else "ε"
    assert not ws.use_tiers(as_rows([Tier(name=n, amount=a, kind=kind) for n, a in PLAN]))
    ws.use_family(family)
    ws.use(Statistic(table, query, "read_table('wards.csv')"))
    return ws


def drawn(ws, *names):
    """The noise of releases that are drawn in this order, by tier."""
    for name in names:
        ws.draw(name)
    return {t.name: t.values - ws.exact() - ws.family.mean(t.level) for t in ws.held}


def best(*errors):
    """Variance of the affine combination of releases that comes nearest to the truth."""
    together = np.cov(np.stack(errors)) + 1e-9 * np.eye(len(errors))
    return 1 / np.linalg.inv(together).sum()


@pytest.mark.parametrize("family", few(families_in("teaching"), 6))
def test_in_every_order_one_question_has_the_same_numbers(family):
    wards = Count(ByColumn("ward", GROUPS[:40]))
    orders = few(permutations(NAMES), 2)
    found = [drawn(tab(wards, family=family), *order) for order in orders]
    for name in NAMES:
        for other in found:
            np.testing.assert_array_equal(other[name], found[0][name])


@pytest.mark.parametrize("family", few(families_in("teaching"), 3))
def test_two_tabs_know_no_more_than_the_sharpest_release_of_theirs(family):
    one, two = tab(family=family), tab(family=family)
    first, second = drawn(one, "audit"), drawn(two, "public", "research")
    errors = [first["audit"], second["public"], second["research"]]
    sharpest = one.family.variance(one.held[-1].level)
    assert best(*errors) > 0.8 * sharpest
    one.start_over()
    again = drawn(one, "audit")["audit"]
    assert best(*errors, again) > 0.65 * sharpest / 2, "another session has noise of its own"
    assert best(*errors, again) < 0.7 * sharpest, "and says something more"


def of_plain(**changed):
    ws = tab(**changed)
    return drawn(ws, "audit")["audit"]


def of_second_session():
    ws = tab()
    ws.draw("research")
    ws.start_over()
    return drawn(ws, "audit")["audit"]


def of_linear():
    ws = tab()
    one = asked(ws, linear.single)
    ws.record(one.asking, one.tiers(ws)[0][-1])
    session = ws.sessions[-1].mechanism.inner
    return session.release(session.levels[0]) - one.factorization.exact(ws.exact(), ws.family)


def hours(ws, typed=None):
    by_time = Count(ByTime("when", "hour", "2025-01-01", "2025-01-30"))
    stream = counting.of_query(ws, by_time) if typed is None else counting.of_counts(typed, 1)
    return counting.subject(ws, stream, counting.Branching(arity=2))


def of_counting(typed=None):
    ws = tab()
    ws.bring(TABLE)
    one = hours(ws, typed)
    ws.record(one.asking, one.tiers(ws)[0][-1])
    session = ws.sessions[-1].mechanism.inner
    exact = counting.exact_vertices(one.stream.exact(), 2, True)
    return session.release(session.levels[0]) - exact


def shops(ws, known=False):
    query = WARDS if known else TextCounts("ward", Bounds())
    return top_k.Source(table=ws.statistic.table, query=query)


def ranking(ws, k, known=True, step=1):
    unknown = None if known else UnknownDomain(seen=300, log_delta=-14)
    return top_k.Subject(source=shops(ws, known), k=k, step=Fraction(step), unknown=unknown)


def of_listed():
    ws = tab()
    one = ranking(ws, len(GROUPS))
    one.draw(ws, sure=True)
    values = one.values(ws)
    ws.record(values.asking, values.tiers(ws)[0][-1])
    session = ws.sessions[-1].mechanism
    return session.release(session.levels[0]) - 30


def of_sparse(*names):
    ws = tab()
    one = sparse.Subject(table=TABLE, query=ItemCounts("ward", WholeNumbers(0, 10**6)))
    tiers = {t.name: t for t in one.tiers(ws, "1")[0]}
    asking = one.asking(dict.fromkeys(tiers, 12.0))
    for name in names or ("audit",):
        ws.record(asking, tiers[name].planned)
    held = ws.sessions[-1].mechanism.held
    by_name = {
        name: held[tier.planned.budget.level] for name, tier in tiers.items() if name in names
    }
    indices, values = by_name.get("audit") or held[min(held)]
    noise = np.full(len(GROUPS), np.nan)
    real = (indices >= 1000) & (indices < 1000 + len(GROUPS))
    noise[indices[real] - 1000] = values[real] - 30
    return noise


def of_truncated():
    ws = tab()
    one = top_k.Common(source=shops(ws), sigma=1.1, log_delta=-14.0, log_delta_used=-14.0)
    found = one.draw(ws)
    noise = np.full(len(GROUPS), np.nan)
    noise[[int(item) - 1000 for item in found.items]] = found.values - 30
    return noise


OTHER = {
    "plain": of_plain,
    "another family": lambda: of_plain(family="laplace"),
    "whole noise": lambda: of_plain(family="skellam"),
    "groups in another order": lambda: of_plain(query=Count(ByColumn("ward", GROUPS[::-1]))),
    "another group first": lambda: of_plain(
        query=Count(ByColumn("ward", (*GROUPS[1:], GROUPS[0])))
    ),
    "other bounds": lambda: of_plain(query=Count(ByColumn("ward", GROUPS), Bounds(person="when"))),
    "with a total": lambda: of_plain(query=replace(WARDS, total=True))[: len(GROUPS)],
    "a subset of the groups": lambda: of_plain(query=Count(ByColumn("ward", GROUPS[:320]))),
    "a row more": lambda: of_plain(table=ONE_MORE),
    "another seed": lambda: of_plain(seed=8),
    "a second session": of_second_session,
    "linear queries": of_linear,
    "running counts": of_counting,
    "typed running counts": lambda: of_counting(tuple(range(500))),
    "counts of a list": of_listed,
    "a sparse histogram": of_sparse,
    "the same in another tab": of_sparse,
    "the same in another order": lambda: of_sparse("public", "audit"),
    "a truncated histogram": of_truncated,
}


@cache
def noise(name):
    return OTHER[name]()


def shared(one, two):
    """Rank correlation of noise, place by place and from the end; where both are known."""
    size = min(one.size, two.size, len(GROUPS))
    for other in (two[:size], two[:size][::-1]):
        both = np.isfinite(one[:size]) & np.isfinite(other)
        assert both.sum() > 0.5 * size
        ranks = [np.argsort(np.argsort(each[both])) for each in (one[:size], other)]
        yield abs(np.corrcoef(*ranks)[0, 1])


@pytest.mark.parametrize("name", few(OTHER, 19))
def test_two_questions_share_no_noise(name):
    for other in OTHER:
        if other != name:
            assert max(shared(noise(name), noise(other))) < SURE, other


def test_a_list_is_the_same_whatever_shorter_one_was_asked_for_before():
    for known in (True, False):
        long = ranking(tab(), 9, known).draw(tab()).items
        ws = tab()
        for k in (2, 5, 9, 4):
            assert ranking(ws, k, known).draw(ws).items == long[:k]


def test_a_list_by_other_names_or_at_another_step_has_noise_of_its_own():
    """Noise is laid on the counts in the order of their names."""
    ws = tab()
    renamed = Count(ByColumn("ward", GROUPS, names=GROUPS[::-1]))
    mine = ranking(ws, 5)
    other = replace(mine, source=top_k.Source(table=TABLE, query=renamed))
    assert mine.key == other.key
    asked = [one.asking(ws.family) for one in (mine, other, replace(mine, step=Fraction(1, 2)))]
    assert len({ws.next_stream(each) for each in asked}) == 3


def test_whatever_decides_how_much_noise_a_mechanism_lays_on_decides_which():
    """Else two scales of one noise would give the numbers away, as 2 × one less the other does."""
    ws = tab()
    ws.bring(TABLE)
    found = top_k.Source(table=TABLE, query=TextCounts("ward", Bounds()))
    commons = [
        top_k.Common(source=found, sigma=sigma, log_delta=delta, log_delta_used=delta)
        for sigma, delta in [(1.1, -14.0), (2.2, -14.0), (1.1, -15.0)]
    ]
    unknown = [UnknownDomain(seen=seen, log_delta=delta) for seen, delta in [(9, -14), (9, -15)]]
    rankings = [
        top_k.Subject(source=found, k=5, step=Fraction(step), unknown=each)
        for step, each in [(1, unknown[0]), (1, unknown[1]), (2, unknown[0])]
    ]
    stream = hours(ws).stream
    shapes = [(2, True), (4, True), (2, False)]
    trees = [
        counting.subject(ws, stream, counting.Branching(arity=arity, subtraction=less))
        for arity, less in shapes
    ]
    several = Count(ByTime("when", "hour", "2025-01-01", "2025-01-30"), Bounds(person="ward"))
    trees.append(counting.subject(ws, counting.of_query(ws, several), trees[0].branching))
    trees += [hours(ws, typed) for typed in ((1, 2, 3), (1, 2, 4))]
    few = tab(Count(ByColumn("ward", GROUPS[:8])))
    best = asked(few)
    budget = ("ρ", Amount(Fraction("0.05")))
    contribution = contribution_of(best.query)
    compared = compare(
        best.queries.workload, ws.family, *budget, contribution=contribution, delta=ws.delta
    )
    ways = [replace(best, factorization=way.factorization) for way in compared.ways.values()]
    askings = [
        *(one.asking() for one in commons),
        *(one.asking(ws.family) for one in rankings),
        *(one.asking for one in [*trees, *ways]),
    ]
    assert len(ways) > 1
    streams_of = [ws.next_stream(each) for each in askings]
    assert len({*streams_of}) == len(streams_of)


def survey(ws, *order):
    query = TextCounts("ward", Bounds(relation="replace"))
    one = rappor.Subject(table=TABLE, query=query, bloom=Bloom(bits=16, cohorts=16), p=0.25, q=0.75)
    for f in order:
        one.draw(ws, f)
    return [reports.ones for reports in one.reports(ws)]


def test_reports_of_two_tabs_are_of_clients_who_throw_their_own_coins():
    first, second = survey(tab(), 0.5, 0.75), survey(tab(), 0.75, 0.5)
    assert not np.array_equal(first[0], second[1])
    assert not np.array_equal(first[1], second[0])
    ws = tab()
    assert survey(ws, 0.5)[0] is survey(ws, 0.5)[0], "in one tab they are kept"


def test_what_repeats_an_order_only_is_below_the_number_of_the_tab():
    one, two = tab(), tab()
    two.tab = one.tab
    askings = [
        sparse.Subject(table=TABLE, query=ItemCounts("ward", WholeNumbers(0, 10**6))).asking({}),
        one.statistic.asking("gaussian"),
    ]
    for asking in askings:
        assert one.next_stream(asking) == two.next_stream(asking)
    two.tab += 1
    hidden, free = askings
    assert one.next_stream(hidden) != two.next_stream(hidden)
    assert one.next_stream(free) == two.next_stream(free)
    before = one.tab
    one.forget()
    assert one.tab != before, "what was drawn is forgotten, and its stream with it"


def test_a_hardened_session_has_no_stream():
    ws = tab(family="discrete_laplace")
    ws.use_mode("hardened")
    ws.draw("public")
    assert ws.round.stream == ws.next_stream(ws.statistic.asking("discrete_laplace")) == ()


def test_all_that_tells_two_questions_apart_is_in_the_text_and_nothing_else():
    by = ByColumn("ward", ("A", "B"))
    base = BoundedSum("pay", 0, 10, by)
    for other in (
        BoundedSum("pay", 0, 11, by),
        BoundedSum("pay", 0, 10, ByColumn("ward", ("A", "B", "C"))),
        BoundedSum("pay", 0, 10, ByColumn("ward", ("A, 'B'",))),
        BoundedSum("pay", 0, 10, Everybody()),
        BoundedSum("pay", 0, 10, by, Bounds(person="id")),
        BoundedSum("pay", 0, 10, by, Bounds(person="id", salt="x")),
        Count(by),
    ):
        assert other != base
        assert said(other) != said(base)
    for same in (
        BoundedSum("pay", 0.0, 10.0, by),
        BoundedSum("pay", 0, 10, ByColumn("ward", ("A", "B"), names=("x", "y"))),
    ):
        assert same == base
        assert said(same) == said(base)
    assert said("a", ("b",)) != said("a", "b") != said("a', 'b")
    with pytest.raises(TypeError, match="not made of Table"):
        said(TABLE)


def test_the_stream_of_a_question_is_the_same_on_every_machine():
    ws = tab()
    words = (371188016, 3235700161, 4115437736, 4109573022)
    assert ws.next_stream(hours(ws, (1, 2, 3)).asking) == (7, *words, 1)
