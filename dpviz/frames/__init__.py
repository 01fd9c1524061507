"""Sessions, plans and accounts as tidy frames; every column name is declared here and nowhere else.

Frames are what figures draw and tables show. They hold released numbers and public facts only; the
exact answer enters one frame, `exact_frame`, which a page builds after "reveal" and not before.
"""

from dpviz.frames.held import HeldTier, Spent
from dpviz.frames.plans import (
    DELTA_OF,
    PLAN,
    columns_frame,
    influence_frame,
    ladder_frame,
    plan_frame,
    sensitivity_frame,
)
from dpviz.frames.releases import (
    WIDE_ROWS,
    exact_frame,
    hills,
    ledger_frame,
    meter_frame,
    releases_frame,
    wide_frame,
)

__all__ = [
    "DELTA_OF",
    "PLAN",
    "WIDE_ROWS",
    "HeldTier",
    "Spent",
    "columns_frame",
    "exact_frame",
    "hills",
    "influence_frame",
    "ladder_frame",
    "ledger_frame",
    "meter_frame",
    "plan_frame",
    "releases_frame",
    "sensitivity_frame",
    "wide_frame",
]
