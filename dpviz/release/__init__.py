"""Releases of one statistic in any order: the session, its ledger, and what one tier may have."""

from dpviz.release.ledger import LedgerEntry, Neighbour, draw_neighbours, tiers_at
from dpviz.release.packs import ALLOWED_COLUMNS, neutral, tier_csv
from dpviz.release.session import MultipleRelease

__all__ = [
    "ALLOWED_COLUMNS",
    "LedgerEntry",
    "MultipleRelease",
    "Neighbour",
    "draw_neighbours",
    "neutral",
    "tier_csv",
    "tiers_at",
]
