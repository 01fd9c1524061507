"""Lists in a workspace: drawn once for all tiers, in the ledger with what they cost."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from dpviz.data import read_csv
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.handout import tier_csv
from dpviz.queries import (
    BoundedSum,
    Bounds,
    ByColumn,
    Count,
    Everybody,
    ItemCounts,
    TextCounts,
    Words,
)
from dpviz.top_k import ListCost, UnknownDomain
from dpviz.workspace import Workspace, account, structured
from dpviz.workspace.facts import entry_noise
from dpviz.workspace.top_k import Common, Source, Subject

ROWS = "".join(f"{n % 400},{'abcdefgh'[min(7, n * n % 11)]}\n" for n in range(3000))
TABLE = read_csv(f"id,to\n{ROWS}".encode(), name="trips")
PERSON = Bounds(person="id", groups_per_person=3)
FREE = Source(table=TABLE, query=TextCounts("to", PERSON))
LISTED = Source(table=TABLE, query=Count(ByColumn("to", tuple("abcdefghij")), PERSON))
HIDDEN = UnknownDomain(seen=100, log_delta=math.log(1e-6))


def asked(source=FREE, k=3, unknown=HIDDEN, step="1"):
    return Subject(source=source, k=k, step=Fraction(step), unknown=unknown)


KNOWN = asked(LISTED, 2, None)


@pytest.fixture
def ws():
    return Workspace.fresh()


def test_the_three_ways_to_count_agree():
    words = Source(table=TABLE, query=ItemCounts("to", Words(1), PERSON))
    exact = FREE.counts()
    assert exact == words.counts() == {k: n for k, n in LISTED.counts().items() if n}
    assert set(LISTED.counts()) == set("abcdefghij")
    assert (FREE.known, words.known, LISTED.known) == (False, False, True)
    assert FREE.reach == words.reach == LISTED.reach
    assert FREE.reach.l0 == 3


@pytest.mark.parametrize("subject", [asked(), KNOWN])
def test_a_list_is_drawn_once_and_stands_in_the_ledger(ws, subject):
    assert subject.ranking(ws) is None
    assert ws.ledger == []
    found = subject.draw(ws)
    assert subject.draw(ws) == subject.ranking(ws) == found
    (entry,) = ws.ledger
    hidden = math.log(1e-6) if subject is not KNOWN else None
    assert entry.event == ListCost(steps=subject.k, step=1, log_hidden=hidden).event(1)
    assert account.joint(ws, subject.source.query.bounds).value == subject.k
    assert entry_noise(entry) == "Gumbel noise, scale 1"


def test_a_longer_list_is_another_entry_of_one_session(ws):
    short, long = KNOWN.draw(ws), replace(KNOWN, k=4).draw(ws)
    assert long.items[:2] == short.items
    assert [(e.session, e.tier) for e in ws.ledger] == [(1, "list of 2"), (1, "list of 4")]
    bounds = KNOWN.source.query.bounds
    assert account.joint(ws, bounds).value == 4
    assert account.independent(ws, bounds).value == 6
    assert [n.level for e in ws.ledger for n in e.neighbours] == [0, 0]


def test_counts_are_another_session_whose_cost_adds(ws):
    with pytest.raises(ParameterError, match="Draw the list first"):
        asked().values(ws)
    found = asked().draw(ws)
    counts = asked().values(ws)
    tiers, _ = counts.tiers(ws)
    for place in (3, 0, 2):
        ws.record(counts.asking, tiers[place])
    assert [e.session for e in ws.ledger] == [1, 2, 2, 2]
    held = structured.held_tiers(ws, counts.asking, tiers)
    assert len(held) == 3
    size = len(found.items)
    assert counts.setting(1e-6).sensitivity.l2 == pytest.approx(math.sqrt(min(3, size)))
    for tier, entry in held:
        assert tier.values.shape == (size,)
        release = structured.release_of(ws, entry)
        assert release.entries == found.items
    total = account.joint(ws, counts.subject.source.query.bounds)
    assert total.definition == "(ε, δ)-DP"
    assert total.value > 3
    assert counts.tiers(ws)[0][0].budget.level > tiers[-1].budget.level


def test_files_say_what_they_are(ws):
    asked().draw(ws)
    text = tier_csv(structured.release_of(ws, ws.ledger[0])).decode()
    for said in ("the 3 most common items", "Gumbel, scale 1.0", "the list ends where", "unknown:"):
        assert said in text
    common = Common(source=FREE, sigma=5.0, log_delta=math.log(1e-8), log_delta_used=-14.0)
    found = common.draw(ws)
    assert common.draw(ws) is common.found(ws) is found
    text = tier_csv(structured.release_of(ws, ws.ledger[-1])).decode()
    assert "cut at ±" in text
    assert entry_noise(ws.ledger[-1]) == "truncated Gaussian noise, scale 5"
    assert ws.ledger[-1].event.delta == pytest.approx(3e-8 + math.exp(-14), rel=1e-7)
    assert len(ws.ledger) == 2


def test_hardened_lists_are_exact_and_truncated_noise_is_refused(ws):
    ws.use_mode("hardened")
    assert len(KNOWN.draw(ws).items) == 2
    text = tier_csv(structured.release_of(ws, ws.ledger[0])).decode()
    assert "none: practice mode" not in text
    ws.use_family("discrete_laplace")
    counts = KNOWN.values(ws)
    ws.record(counts.asking, counts.tiers(ws)[0][0])
    common = Common(source=FREE, sigma=5.0, log_delta=-18.0, log_delta_used=-14.0)
    with pytest.raises(HardenedModeError):
        common.draw(ws)
    assert common.found(ws) is None
    assert [e.session for e in ws.ledger] == [1, 2]


def test_what_has_no_counts_or_no_list_is_refused():
    for query in (
        BoundedSum("to", 0, 1),
        Count(Everybody()),
        Count(ByColumn("to", ("a", "b")), total=True),
    ):
        with pytest.raises(ParameterError, match="top-k needs"):
            Source(table=TABLE, query=query)
    with pytest.raises(ParameterError, match="where the items are not on a list"):
        asked(LISTED)
    with pytest.raises(ParameterError, match="where the items are not on a list"):
        asked(unknown=None)
    with pytest.raises(ParameterError, match="public list"):
        Common(source=LISTED, sigma=5.0, log_delta=-18.0, log_delta_used=-14.0)
    with pytest.raises(ParameterError):
        asked(k=0)


def test_a_list_longer_than_its_known_domain_is_refused():
    with pytest.raises(ParameterError, match="at most the 10 items"):
        asked(LISTED, 11, None)
