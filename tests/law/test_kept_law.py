"""What a project writes of a structured session is enough: it goes on with the law of one session.

Between every two draws the session is written down as bytes and made again from these and from the
exact answer. What an independent draw would give is found out by the same questions.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.queries import TextCounts
from dpviz.top_k import TopK, UnknownDomain
from dpviz.workspace import Workspace, counting, kept, top_k
from dpviz.workspace.projects.contents import released, stored
from tests import oracles_top_k
from tests.conftest import FULL, few
from tests.law.test_top_k_law import COUNTS, FEW, list_pvalue
from tests.oracles_top_k import END
from tests.statistical import DRAWS, LEVEL, broken_promises

LEVELS = (1.0, 2.0, 2.2, 6.0)
ORDERS = few([(2.2, 6.0, 1.0, 2.0), *list(permutations(LEVELS))[::6]], 5)
DISCRETE = FAMILIES["discrete_laplace"]


def seeded(monkeypatch, module, seed):
    """All that goes on draws from one stream, in place of the operating system's keys."""
    rng = streams.teaching(seed)
    monkeypatch.setattr(module.streams, "hardened", lambda: rng)


def by_bytes(content):
    return {level: released(stored(one)) for level, one in content.items()}


def stream(ws):
    """Counts of nobody, as if a table had them; only tables are kept."""
    ws.use_mode("hardened")
    none = replace(counting.of_counts([0] * DRAWS, 1), counted=ws.statistic)
    return counting.subject(ws, none, counting.Branching(7, False)).asking.keeping


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_running_counts_go_on_with_the_law_of_one_session(order, seed, monkeypatch):
    seeded(monkeypatch, kept, seed)
    of = stream(Workspace.fresh())
    exact, content, first = of.exact(), {}, {}
    for level in order:
        mechanism = of.continued(by_bytes(content), exact)
        of.inner(mechanism).release(level)
        content = of.content(mechanism)
        first.setdefault(level, mechanism.held[level])
    noise = np.array([content[level] for level in LEVELS])
    assert broken_promises(DISCRETE, LEVELS, noise) == []
    there = of.shown(by_bytes(content), sealed=False)
    for level in LEVELS:  # what is made of the vertices stays as it was shown
        np.testing.assert_array_equal(there.held[level], first[level])
    forgets = of.continued({}, exact)
    of.inner(forgets).release(order[-1])
    noise[LEVELS.index(order[-1])] = of.content(forgets)[order[-1]]
    assert broken_promises(DISCRETE, LEVELS, noise)


def shops():
    """A list of texts whose counts are those of the law tests of lists, and may end."""
    rows = "text\n" + "".join(f"{text}\n" * many for text, many in COUNTS.items())
    ws = Workspace.load(rows.encode(), name="texts.csv")
    return top_k.Subject(
        source=top_k.Source(table=ws.table, query=TextCounts("text")),
        k=3,
        step=Fraction(1, 2),
        unknown=UnknownDomain(seen=3, log_delta=np.log(0.3)),
    )


def longer(one, seed, *, afresh):
    """How often each list came: the first item by one process, two more by another."""
    of, seen, rng = top_k.KeptList(subject=one), Counter(), streams.teaching(seed, 1)
    exact = of.exact()
    assert exact == COUNTS
    for _ in range(FEW):
        top = TopK(exact, epsilon=one.step, reach=one.source.reach, unknown=one.unknown, rng=rng)
        first, content = top.rank(1), by_bytes(of.content(top))
        other = TopK(exact, epsilon=one.step, reach=one.source.reach, unknown=one.unknown, rng=rng)
        found = (other if afresh else of.continued(content, exact)).rank(3)
        items = (*first.items, *found.items[1:])
        seen[(*items, END) if first.ended or found.ended else items] += 1
    return seen


def test_a_list_goes_on_with_the_law_of_one_list(seed, monkeypatch):
    """Also where it ends; a list that is drawn afresh for its second half is found out.

    The second in the full run: a list that grew afresh is found out in test_top_k_law.py, too.
    """
    seeded(monkeypatch, top_k, seed)
    one = shops()
    law = oracles_top_k.lists_that_can_end(COUNTS, 3, epsilon=0.5, linf=1, l0=1, seen=3, delta=0.3)
    assert list_pvalue(longer(one, seed, afresh=False), law) > LEVEL
    assert not FULL or list_pvalue(longer(one, seed, afresh=True), law) < LEVEL
