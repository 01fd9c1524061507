"""What a session is asked for: taken apart for a project, and put together in another process.

A kind of session has one function each way, for its `subject`. What is not written follows from
what is: a tree from the number of steps, a factorization from its name. This is the one place of
the workspace that knows every topic: it stands above them, as the dashboard does.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpviz.data import Table
from dpviz.linear.contribution import contribution_of, numbers_of
from dpviz.local.bloom import Bloom
from dpviz.noise import ADDITIVE
from dpviz.top_k import ListCost, UnknownDomain
from dpviz.top_k.ranking import Ranking
from dpviz.workspace import counting, linear
from dpviz.workspace.linear import Subject as Linear
from dpviz.workspace.local.rappor import Subject as Survey
from dpviz.workspace.local.rappor import SurveySums
from dpviz.workspace.projects.plans import (
    Asked,
    CountingPart,
    LinearPart,
    ListedPart,
    ListPart,
    MechanismPart,
    RapporPart,
)
from dpviz.workspace.projects.records import KINDS
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.top_k import Source, Values
from dpviz.workspace.top_k import Subject as Listing

Parts = tuple[Table, Any, str, MechanismPart | None]  # table, query, how it is loaded, the rest
Sessions = Mapping[int, Session]
_QUESTIONS = {
    "totals": linear.totals,
    "ranges": linear.all_ranges,
    "marginals": linear.both_sums,
    "singles": linear.single,
}
RELEASED = (Ranking, ListCost, SurveySums)  # what a release is where it is no array of numbers
KINDS.update({kind.__name__: kind for kind in RELEASED})
_F, _K = 0.5, 1  # of a survey and of a list that go on: what is asked next says its own


def _of_statistic(one: Statistic) -> Parts:
    return one.table, one.query, one.loading, None


def _of_linear(one: Linear) -> Parts:
    key = one.queries.key
    asked: Any = [list(row) for row in key] if isinstance(key, tuple) else key
    part = LinearPart(kind="linear queries", questions=asked, factorization=one.factorization.name)
    return one.statistic.table, one.query, one.statistic.loading, part


def _of_stream(one: counting.Subject) -> Parts:
    counted, shape = one.stream.counted, one.branching
    assert counted is not None  # typed counts are not kept
    part = CountingPart(kind="continual counting", arity=shape.arity, subtraction=shape.subtraction)
    return counted.table, counted.query, counted.loading, part


def _of_list(one: Listing) -> Parts:
    unknown = one.unknown
    part = ListPart(
        kind="list",
        step=str(one.step),
        seen=unknown.seen if unknown else None,
        log_delta=unknown.log_delta if unknown else None,
    )
    return one.source.table, one.source.query, "", part


def _of_values(one: Values) -> Parts:
    part = ListedPart(
        kind="counts of a list", session=one.listed.number, items=len(one.ranking.items)
    )
    return one.subject.source.table, one.subject.source.query, "", part


def _of_survey(one: Survey) -> Parts:
    bloom = one.bloom
    part = RapporPart(
        kind="RAPPOR",
        bits=bloom.bits,
        hashes=bloom.hashes,
        cohorts=bloom.cohorts,
        key=bloom.key,
        p=one.p,
        q=one.q,
    )
    return one.table, one.query, "", part


_TAKEN: dict[type, Callable[[Any], Parts]] = {
    Statistic: _of_statistic,
    Linear: _of_linear,
    counting.Subject: _of_stream,
    Listing: _of_list,
    Values: _of_values,
    Survey: _of_survey,
}


def parts_of(subject: Any) -> Parts:
    """What a session is about, as a project writes it.

    Args:
        subject: the `subject` of a `dpviz.workspace.kept.Keeping`.
    """
    return _TAKEN[type(subject)](subject)


def asking_of(asked: Asked, table: Table, before: Sessions) -> Asking:
    """What a session is asked for, from what its project wrote.

    Args:
        asked: what was written.
        table: the table, or what stands in its place.
        before: the sessions with smaller numbers.

    Raises:
        ParameterError: if it cannot be.
        LookupError: likewise.
    """
    part = asked.mechanism
    if part is None:
        return Statistic(table, asked.query, asked.loading).asking(asked.family)
    return _MADE[type(part)](part, asked, table, before)


def before_of(asked: Asked) -> tuple[int, ...]:
    """Numbers of the sessions that have to be there before this one: the list of its counts.

    Args:
        asked: what was written.
    """
    part = asked.mechanism
    return (part.session,) if isinstance(part, ListedPart) else ()


def _linear(part: LinearPart, asked: Asked, table: Table, _: Sessions) -> Asking:
    query = numbers_of(asked.query)
    named, typed = linear.of_query(query), part.questions
    questioned = (
        _QUESTIONS[typed](named)
        if isinstance(typed, str)
        else linear.of_matrix(tuple(map(tuple, typed)), named)
    )
    made = questioned.workload.factorization(part.factorization, contribution_of(query))
    return Linear(
        statistic=Statistic(table, query, asked.loading),
        query=query,
        queries=questioned,
        family=ADDITIVE[asked.family],
        factorization=made,
    ).asking


def _counting(part: CountingPart, asked: Asked, table: Table, _: Sessions) -> Asking:
    stream = counting.of_statistic(Statistic(table, asked.query, asked.loading), asked.query)
    shape = counting.Branching(part.arity, part.subtraction)
    return counting.Subject(
        stream=stream, branching=shape, tree=shape.tree(stream.steps), family=ADDITIVE[asked.family]
    ).asking


def _list(part: ListPart, asked: Asked, table: Table, _: Sessions) -> Asking:
    unknown = None
    if part.seen is not None and part.log_delta is not None:
        unknown = UnknownDomain(seen=part.seen, log_delta=part.log_delta)
    source = Source(table=table, query=asked.query)
    one = Listing(source=source, k=_K, step=Fraction(part.step), unknown=unknown)
    return one.asking(ADDITIVE[asked.family])


def _values(part: ListedPart, asked: Asked, _: Table, before: Sessions) -> Asking:
    listed = before[part.session]
    return Values(
        subject=listed.asking.keeping.subject,
        ranking=listed.mechanism.rank(part.items),
        family=ADDITIVE[asked.family],
        listed=listed,
    ).asking


def _survey(part: RapporPart, asked: Asked, table: Table, _: Sessions) -> Asking:
    bloom = Bloom(bits=part.bits, hashes=part.hashes, cohorts=part.cohorts, key=part.key)
    one = Survey(table=table, query=asked.query, bloom=bloom, p=part.p, q=part.q)
    return one.asking(_F, ADDITIVE[asked.family])


_MADE: dict[type, Callable[[Any, Asked, Table, Sessions], Asking]] = {
    LinearPart: _linear,
    CountingPart: _counting,
    ListPart: _list,
    ListedPart: _values,
    RapporPart: _survey,
}
