"""Releases of one statistic in any order: the session, and the ledger of what was released."""

from dpviz.release.ledger import (
    LedgerEntry,
    Neighbour,
    Provenance,
    draw_neighbours,
    event_of,
    software,
    tiers_at,
    today,
)
from dpviz.release.session import MultipleRelease

__all__ = [
    "LedgerEntry",
    "MultipleRelease",
    "Neighbour",
    "Provenance",
    "draw_neighbours",
    "event_of",
    "software",
    "tiers_at",
    "today",
]
