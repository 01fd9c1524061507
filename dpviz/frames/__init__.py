"""Sessions, plans and accounts as tidy frames; every column name is declared here and nowhere else.

Frames are what figures draw and tables show. They hold released numbers and public facts only; the
exact answer enters three frames, `exact_frame`, `bounding_frame` and `kept_frame`, which a page
builds after "reveal" and not before.
"""

from dpviz.frames.bounding import BOUNDING, KEPT, bounding_frame, kept_frame
from dpviz.frames.choice import ORDERS, Order, pick_groups
from dpviz.frames.held import HeldTier, Spent
from dpviz.frames.hills import has_hills, hills
from dpviz.frames.meter import meter_frame
from dpviz.frames.plans import (
    DELTA_OF,
    PLAN,
    columns_frame,
    influence_frame,
    ladder_frame,
    plan_frame,
    sensitivity_frame,
)
from dpviz.frames.readable import READABLE, readable_frame
from dpviz.frames.releases import (
    RELEASE,
    TOO_FEW,
    WIDE_ROWS,
    exact_frame,
    ledger_frame,
    releases_frame,
    statistics_frame,
    wide_frame,
)

__all__ = [
    "BOUNDING",
    "DELTA_OF",
    "KEPT",
    "ORDERS",
    "PLAN",
    "READABLE",
    "RELEASE",
    "TOO_FEW",
    "WIDE_ROWS",
    "HeldTier",
    "Order",
    "Spent",
    "bounding_frame",
    "columns_frame",
    "exact_frame",
    "has_hills",
    "hills",
    "influence_frame",
    "kept_frame",
    "ladder_frame",
    "ledger_frame",
    "meter_frame",
    "pick_groups",
    "plan_frame",
    "readable_frame",
    "releases_frame",
    "sensitivity_frame",
    "statistics_frame",
    "wide_frame",
]
