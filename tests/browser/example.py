"""A small table of people, and what the library itself draws for it with a tab's seed."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.data import Table
from dpviz.noise import FAMILIES
from dpviz.queries import Query
from dpviz.release import MultipleRelease
from dpviz.workspace import Statistic, Workspace

GROUPS = ("east", "north", "south", "west")
SIZES = (217, 361, 503, 649)  # as text on no axis
PEOPLE = "region,age\n" + "".join(
    f"{g},{20 + i % 60}\n" for g, size in zip(GROUPS, SIZES, strict=True) for i in range(size)
)


def stream_of(query: Query, table: Table, tab: Page) -> tuple[int, ...]:
    """Seed and path of the first session on this statistic, by the seed in the address of a tab."""
    ws = Workspace.around(Statistic(table, query, ""))
    ws.seed = int(parse_qs(urlsplit(tab.url).query)["seed"][0])
    return ws.next_stream(ws.statistic.asking(ws.family_name))


def drawn(
    query: Query, table: Table, rhos: Mapping[str, float], stream: Sequence[int]
) -> dict[str, NDArray[np.float64]]:
    """Releases by tier, in the order of `rhos`, as a practice session of a stream draws them."""
    session = MultipleRelease(
        query.values(table), FAMILIES["gaussian"], rng=streams.teaching(*stream), any_order=True
    )
    l2 = query.sensitivity.l2
    return {tier: session.release(gaussian_level(rho, l2)) for tier, rho in rhos.items()}
