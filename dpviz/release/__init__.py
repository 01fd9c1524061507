"""Releases of one statistic in any order: the session, and the ledger of what was released."""

from dpviz.release.ledger import (
    LedgerEntry,
    Neighbour,
    Provenance,
    Selection,
    draw_neighbours,
    event_of,
    software,
    tiers_at,
    today,
)
from dpviz.release.one_place import FileStore, MemoryStore, Store, Uncopied
from dpviz.release.session import MultipleRelease

__all__ = [
    "FileStore",
    "LedgerEntry",
    "MemoryStore",
    "MultipleRelease",
    "Neighbour",
    "Provenance",
    "Selection",
    "Store",
    "Uncopied",
    "draw_neighbours",
    "event_of",
    "software",
    "tiers_at",
    "today",
]
