"""How many rows the visitor's groups have, as far as that was typed or released."""

from collections.abc import Iterator

from dpviz.accounting import half_width
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.readable import read_sizes
from dpviz.workspace.nearness import EXAMPLE, Size, released_rows
from dpviz.workspace.workspace import Workspace

TYPED = "the smallest size of a group that is typed on the page Tiers"
RELEASED = "the smallest count of a group that was released, with its noise"


def size_of(ws: Workspace) -> Size:
    """The size for which the page says how near means come: typed, else released, else an example.

    A released count is that of the sharpest tier, so this is for those who see all tiers.

    >>> size_of(Workspace.fresh()) == EXAMPLE
    True
    """
    if ws.statistic.query.per_value == 1:
        return EXAMPLE
    typed = typed_size(ws)
    return typed if typed != EXAMPLE else _released(ws)


def typed_size(ws: Workspace) -> Size:
    """The smallest size that is typed, which everybody may know; else the example."""
    query = ws.statistic.query
    each_row = query.bounds.person is None  # then numbers of people are numbers of rows
    for counted in (query.counted, *(["people"] if each_row else [])):
        try:
            sizes = read_sizes(ws.plan.sizes.get(counted, ""), query.labels)
        except ParameterError:  # nothing is typed, or for other groups
            continue
        alike = len(sizes) == len(query.labels) and len(set(sizes.values())) == 1
        return Size.about(min(sizes.values()), least=not alike, why=TYPED)
    return EXAMPLE


def _released(ws: Workspace) -> Size:
    """The smallest released count of the same groups, of the least noise; else the example."""
    found = sorted(_counts(ws), key=lambda pair: pair[0])
    return found[0][1] if found else EXAMPLE


def _counts(ws: Workspace) -> Iterator[tuple[float, Size]]:
    """Smallest counts of the same groups, one for each session, with their ±."""
    mine = ws.statistic
    for one in ws.rounds:
        there, held = one.statistic, one.mechanism.held
        if not held or there.table.digest != mine.table.digest or there.query.by != mine.query.by:
            continue
        level, family = min(held), ADDITIVE[one.asking.family.name]
        size = released_rows(there.query, held[level] - family.mean(level), RELEASED)
        if size is not None:
            half = half_width(family, level, ACCURACY_CONFIDENCE)
            yield half * (there.query.step if there.query.per_value > 1 else 1.0), size
