"""Sessions, plans and accounts as tidy frames; every column name is declared here and nowhere else.

Frames are what figures draw and tables show. They hold released numbers and public facts only; the
exact answer enters one frame, `exact_frame`, which a page builds after "reveal" and not before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import half_width
from dpviz.mechanisms.tiers import PlannedTier
from dpviz.noise.family import Family
from dpviz.queries import CountPerGroup
from dpviz.release.ledger import LedgerEntry, tiers_at

RELEASE = ("group", "tier", "value", "half_width", "budget", "slot", "symbol")
EXACT = ("group", "value")
METER = ("row", "tier", "start", "stop", "slot", "symbol", "label", "total", "letter")
CURVE = ("tier", "x", "density")
MARK = ("tier", "centre", "half_width", "label", "slot", "symbol")
LADDER = ("tier", "half_width", "budget", "slot", "symbol")
PLAN = ("tier", "ρ", "ε", "δ of ε", "± one group", "± all groups at once", "noise level")
LEDGER = ("asked", "session", "tier", "budget", "noise level", "kind", "drawn from")

EARLIER = "earlier sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTier:
    """One tier as it is drawn: its style, its budget in words, and its release (None: not held)."""

    name: str
    level: float
    budget: str
    loss: float
    slot: int
    symbol: int
    values: NDArray[Any] | None = None


def releases_frame(
    groups: Sequence[str], tiers: Sequence[HeldTier], family: Family, confidence: float
) -> pd.DataFrame:
    """One row per group and held tier; columns `RELEASE`. Values are de-biased.

    Args:
        groups: names of the d groups.
        tiers: tiers in the order to draw them; those without a release are left out.
        family: the noise family of the session.
        confidence: of the half width, for one group, e.g. 0.95.
    """
    parts = [
        pd.DataFrame(
            {
                "group": list(groups),
                "tier": t.name,
                "value": t.values - family.mean(t.level),
                "half_width": half_width(family, t.level, confidence),
                "budget": t.budget,
                "slot": t.slot,
                "symbol": t.symbol,
            }
        )
        for t in tiers
        if t.values is not None
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(RELEASE))


def exact_frame(groups: Sequence[str], values: NDArray[Any]) -> pd.DataFrame:
    """The exact answer, columns `EXACT`: not private, built only after "reveal"."""
    return pd.DataFrame({"group": list(groups), "value": values})


def meter_frame(
    tiers: Sequence[HeldTier], *, letter: str, earlier: float, earlier_independent: float
) -> pd.DataFrame:
    """Segments of the meter "max, not sum"; columns `METER`.

    Args:
        tiers: tiers that hold a release, most private first; tiers of one level count once.
        letter: currency of the losses, ρ or ε.
        earlier: loss of the earlier sessions, which adds in both rows.
        earlier_independent: what their releases would have cost if drawn independently.
    """
    once = list({t.level: t for t in tiers}.values())
    nested = [(t, earlier, earlier + t.loss) for t in once]
    stops = np.cumsum([earlier_independent] + [t.loss for t in once]).tolist()
    chained = list(zip(once, stops[:-1], stops[1:], strict=True))
    rows: list[dict[str, Any]] = []
    for row, segments, before in (
        ("lossless", nested, earlier),
        ("independent", chained, earlier_independent),
    ):
        total = max([before, *(stop for _, _, stop in segments)])
        shared = {"row": row, "total": total, "letter": letter}
        if before > 0:
            rows.append(_segment(EARLIER, 0.0, before, 0, 0) | shared)
        rows += [_segment(t.name, a, b, t.slot, t.symbol) | shared for t, a, b in segments]
    return pd.DataFrame(rows, columns=list(METER))


def _segment(name: str, start: float, stop: float, slot: int, symbol: int) -> dict[str, Any]:
    return {
        "tier": name,
        "label": name,
        "start": start,
        "stop": stop,
        "slot": slot,
        "symbol": symbol,
    }


def hills(
    tiers: Sequence[HeldTier], family: Family, confidence: float, group: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The law of each tier's error around what the tier holds of one group; `CURVE` and `MARK`.

    Before a release the hill stands at 0: it is the law of release − exact, and tells nothing of
    the data. Afterwards it stands on the released number.

    Args:
        tiers: tiers to draw, most private first.
        family: the noise family.
        confidence: of the interval, e.g. 0.95.
        group: index of the group whose release is shown.
    """
    held = [t for t in tiers if t.values is not None]
    shown = held or list(tiers)
    centres = [0.0 if t.values is None else float(t.values[group]) for t in shown]
    centres = [
        c - family.mean(t.level) * (t.values is not None)
        for c, t in zip(centres, shown, strict=True)
    ]
    middle = centres[-1] if centres else 0.0
    reach = max((3.3 * family.variance(t.level) ** 0.5 for t in shown), default=1.0)
    x = np.linspace(middle - reach, middle + reach, 601)
    curves, marks = [], []
    for t, centre in zip(shown, centres, strict=True):
        error = x - centre + family.mean(t.level)
        density = family.density(np.round(error) if family.integer else error, t.level)
        curves.append(pd.DataFrame({"tier": t.name, "x": x, "density": density}))
        a = half_width(family, t.level, confidence)
        marks.append((t.name, centre, a, t.budget, t.slot, t.symbol))
    return pd.concat(curves, ignore_index=True), pd.DataFrame(marks, columns=list(MARK))


def ladder_frame(
    tiers: Sequence[HeldTier], family: Family, confidence: float
) -> pd.DataFrame:
    """Accuracy of every tier, columns `LADDER`; nothing is drawn for it."""
    rows = [
        (t.name, half_width(family, t.level, confidence), t.budget, t.slot, t.symbol)
        for t in tiers
    ]
    return pd.DataFrame(rows, columns=list(LADDER))


def plan_frame(planned: Sequence[PlannedTier], family: Family, dimension: int) -> pd.DataFrame:
    """Every tier's budget in every currency, columns `PLAN`; ± at 95 % confidence."""
    rows = [
        (
            p.name,
            p.budget.rho,
            p.budget.epsilon,
            p.budget.delta,
            p.budget.half_width,
            half_width(family, p.budget.level, 0.95, coordinates=dimension),
            p.budget.level,
        )
        for p in planned
    ]
    frame = pd.DataFrame(rows, columns=list(PLAN))
    return frame.astype({name: "float64" for name in PLAN[1:]})


def ledger_frame(entries: Sequence[LedgerEntry]) -> pd.DataFrame:
    """The ledger in order of asking, columns `LEDGER`."""
    rows = [
        (
            e.number,
            e.event.session,
            e.tier,
            e.budget,
            e.level,
            e.kind,
            _drawn_from(e, entries),
        )
        for e in entries
    ]
    return pd.DataFrame(rows, columns=list(LEDGER))


def _drawn_from(entry: LedgerEntry, entries: Sequence[LedgerEntry]) -> str:
    """Neighbours and weights in words; the exact number is named, never shown."""
    if not entry.neighbours:
        return "the same numbers as a tier before it"
    parts = []
    for n in entry.neighbours:
        earlier = [e for e in entries if e.number < entry.number]
        names = tiers_at(earlier, entry.event.session, n.level)
        who = names[0] if names else "exact number (not shown)"
        parts.append(f"{who} {100 * n.weight:.3g} %")
    return ", ".join(parts)


def influence_frame(query: CountPerGroup) -> pd.DataFrame:
    """How far one person of the first groups moves each count; columns group, change."""
    s, groups = query.sensitivity, list(query.groups)
    moved = [s.linf if i < s.l0 else 0 for i in range(len(groups))]
    return pd.DataFrame({"group": groups, "change": moved})


def sensitivity_frame(query: CountPerGroup) -> pd.DataFrame:
    """The three norms as formulas with their numbers, and who needs them."""
    s = query.sensitivity
    return pd.DataFrame(
        [
            ("ℓ₁", s.formula("l1"), "Laplace, Poisson"),
            ("ℓ₂", s.formula("l2"), "Gaussian, Poisson"),
            ("ℓ∞", s.formula("linf"), "Poisson"),
        ],
        columns=["norm", "one person changes at most", "needed by"],
    )
