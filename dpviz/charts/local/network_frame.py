"""Where the members of a circle stand: the person in the middle, a ring for each distance.

The layout is that of a tree: each member stands in the sector of a friend one ring nearer, the
first of several, so the same graph gives the same picture. Rings leave a gap at the top for what
they are told. Of a large graph only the nearest members are drawn.
"""

import math
from collections.abc import Callable, Collection
from typing import Any

import pandas as pd

from dpviz.local.social_network import SocialNetwork

NAME, X, Y, HOPS, POOLS, NEW, TOLD = "name", "x", "y", "hops", "pools", "new", "told"
NODES = (NAME, X, Y, HOPS, POOLS, NEW, TOLD)
X_TO, Y_TO = "x to", "y to"
EDGES = (X, Y, X_TO, Y_TO)
MOST_DRAWN = 160  # members
INNER = 0.55  # the first ring is wider by this, so that its members stay apart
GAP = math.radians(56)  # at the top, without members


def radius(hops: int) -> float:
    """Radius of a ring.

    >>> radius(0), radius(2)
    (0.0, 2.55)
    """
    return hops + INNER if hops else 0.0


def circle_frames(
    network: SocialNetwork,
    user: Any,
    *,
    reach: int,
    told: Callable[[Any, int], str],
    pools: Collection[Any] = (),
    new: Collection[Any] = (),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Members up to a distance with their places, and the edges between them.

    Args:
        network: who knows whom.
        user: the person in the middle, first of the rows.
        reach: how many rings are drawn.
        told: name and distance to the sentence on what the member is told.
        pools: members of the coalition.
        new: those who joined later; they are drawn whatever the limit.

    Returns:
        columns `NODES`, nearest first, and columns `EDGES`.
    """
    kept = _drawn(network, user, reach, new)
    angles = _angles(network, kept)
    places = {n: _place(angles[n], d) for n, d in kept.items()}
    rows = [(n, *places[n], d, n in pools, n in new, told(n, d)) for n, d in kept.items()]
    order = {n: place for place, n in enumerate(kept)}
    lines = [
        (*places[n], *places[friend])
        for n in kept
        for friend in network.neighbours(n)
        if friend in order and order[n] < order[friend]
    ]
    return pd.DataFrame(rows, columns=list(NODES)), pd.DataFrame(lines, columns=list(EDGES))


def _drawn(network: SocialNetwork, user: Any, reach: int, new: Collection[Any]) -> dict[Any, int]:
    """The nearest members with their distances, and who is new with a path that leads there."""
    distances = network.distances(user)
    within = [n for n, d in distances.items() if d <= reach]
    shown = set(within[:MOST_DRAWN])
    for n in (n for n in within[MOST_DRAWN:] if n in new):
        while n not in shown:
            shown.add(n)
            n = next(f for f in network.neighbours(n) if distances[f] == distances[n] - 1)
    return {n: distances[n] for n in within if n in shown}


def _place(angle: float, hops: int) -> tuple[float, float]:
    return radius(hops) * math.cos(angle), radius(hops) * math.sin(angle)


def _angles(network: SocialNetwork, kept: dict[Any, int]) -> dict[Any, float]:
    """The angle of each member: the middle of its sector, which is as wide as it has leaves."""
    children: dict[Any, list[Any]] = {n: [] for n in kept}
    for n, hops in kept.items():
        if hops:
            friends = {*network.neighbours(n)}
            nearer = (f for f, d in kept.items() if d == hops - 1 and f in friends)
            children[next(nearer)].append(n)
    leaves = dict.fromkeys(kept, 1)
    for n in reversed(kept):  # farthest first
        if children[n]:
            leaves[n] = sum(leaves[child] for child in children[n])
    user = next(iter(kept))
    begins, angles = {user: 0.0}, {}
    width = (2 * math.pi - GAP) / leaves[user]
    for n in kept:
        angles[n] = math.pi / 2 - GAP / 2 - width * (begins[n] + leaves[n] / 2)
        at = begins[n]
        for child in children[n]:
            begins[child] = at
            at += leaves[child]
    return angles
