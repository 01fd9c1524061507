"""Releases of one statistic in any order: the session, its ledger, and what one tier may have."""

from dpviz.release.ledger import LedgerEntry, Neighbour, draw_neighbours, software, tiers_at, today
from dpviz.release.pack_zip import pack_zip
from dpviz.release.packs import (
    estimates_csv,
    neutral,
    tier_csv,
    tier_files,
    tier_json,
    tier_readme,
)
from dpviz.release.session import MultipleRelease
from dpviz.release.tier_release import ALLOWED_COLUMNS, DERIVED_COLUMNS, TierRelease
from dpviz.release.verify import Finding, verify_pack

__all__ = [
    "ALLOWED_COLUMNS",
    "DERIVED_COLUMNS",
    "Finding",
    "LedgerEntry",
    "MultipleRelease",
    "Neighbour",
    "TierRelease",
    "draw_neighbours",
    "estimates_csv",
    "neutral",
    "pack_zip",
    "software",
    "tier_csv",
    "tier_files",
    "tier_json",
    "tier_readme",
    "tiers_at",
    "today",
    "verify_pack",
]
