"""A small table of people, and what the library itself draws for it with the dashboard's seed."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.data import read_table
from dpviz.noise import FAMILIES
from dpviz.queries import Query
from dpviz.release import MultipleRelease

GROUPS = ("east", "north", "south", "west")
SIZES = (217, 361, 503, 649)  # as text on no axis
PEOPLE = "region,age\n" + "".join(
    f"{g},{20 + i % 60}\n" for g, size in zip(GROUPS, SIZES, strict=True) for i in range(size)
)


def drawn(
    query: Query, content: bytes, name: str, rhos: Mapping[str, float]
) -> dict[str, NDArray[np.float64]]:
    """Releases in the order of `rhos`, by tier, as the first session of a new workspace."""
    values = query.values(read_table(content, name=name))
    session = MultipleRelease(values, FAMILIES["gaussian"], rng=streams.teaching(7, 1))
    l2 = query.sensitivity.l2
    return {tier: session.release(gaussian_level(rho, l2)) for tier, rho in rhos.items()}
