"""Frames of releases: what the tiers hold, what they have spent, and the laws of their errors."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import half_width
from dpviz.frames.held import HeldTier, Spent
from dpviz.noise.family import Family
from dpviz.release.ledger import LedgerEntry, tiers_at

RELEASE = ("group", "tier", "value", "half_width", "budget", "slot", "symbol")
EXACT = ("group", "value")
METER = ("row", "tier", "start", "stop", "slot", "symbol", "label", "total", "letter")
CURVE = ("tier", "x", "density")
MARK = ("tier", "centre", "half_width", "label", "slot", "symbol")
LEDGER = ("asked", "tier", "budget", "drawn from", "noise", "kind", "session")

EARLIER = "earlier sessions"
HILL_POINTS, WIDE_ROWS = 601, 1000
HILL_REACH = 3.3  # standard deviations to either side


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


def wide_frame(releases: pd.DataFrame) -> pd.DataFrame:
    """Released numbers as people read them: a row per group, a column per tier, one decimal."""
    wide = releases.pivot(index="group", columns="tier", values="value")
    order = releases["group"].drop_duplicates().head(WIDE_ROWS)
    shown = wide.loc[order, releases["tier"].drop_duplicates()].map("{:,.1f}".format)
    return shown.rename_axis(columns=None).reset_index()


def exact_frame(groups: Sequence[str], values: NDArray[Any]) -> pd.DataFrame:
    """The exact answer, columns `EXACT`: not private, built only after "reveal"."""
    return pd.DataFrame({"group": list(groups), "value": values})


def meter_frame(
    spent: Sequence[Spent], *, letter: str, total: float, independent: Sequence[float]
) -> pd.DataFrame:
    """Segments of the meter "max, not sum"; columns `METER`.

    Args:
        spent: releases of the session in use, ascending, in the currency of the totals.
        letter: that currency, ρ or ε.
        total: loss of all sessions taken together; what is not of this session is earlier.
        independent: where each release would end if all were drawn independently, one after the
            other; first of all where the earlier sessions end.
    """
    before = _rest(total, max((s.loss for s in spent), default=0.0))
    nested = [(s, before, before + s.loss) for s in spent]
    chained = list(zip(spent, independent[:-1], independent[1:], strict=True))
    rows: list[tuple[Any, ...]] = []
    for row, segments, earlier, end in (
        ("lossless", nested, before, total),
        ("independent", chained, _rest(independent[0], 0.0), independent[-1]),
    ):
        if earlier > 0:
            rows.append((row, EARLIER, 0.0, earlier, 0, 0, EARLIER, end, letter))
        rows += [(row, s.name, a, b, s.slot, s.symbol, s.name, end, letter) for s, a, b in segments]
    return pd.DataFrame(rows, columns=list(METER))


def _rest(whole: float, part: float) -> float:
    """The difference, without the dust that rounding leaves."""
    return whole - part if whole - part > 1e-9 * whole else 0.0


def hills(
    tiers: Sequence[HeldTier],
    family: Family,
    confidence: float,
    *,
    group: int,
    describe: Callable[[float, float], str],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The law of each tier's error, around what the tier holds of one group: `CURVE` and `MARK`.

    Before a release the hill stands at 0: it is the law of release − exact, and tells nothing of
    the data. Afterwards it stands on the de-biased release and is the law of what the exact number
    may be.

    Args:
        tiers: tiers to draw, most private first.
        family: the noise family.
        confidence: of the interval, e.g. 0.95.
        group: index of the group whose release is shown.
        describe: centre and half width as the label of a mark.
    """
    held = [t for t in tiers if t.values is not None]
    shown = held or list(tiers)
    centres = [_centre(t, family, group) for t in shown]
    deviations = [family.variance(t.level) ** 0.5 for t in shown]
    low = min(c - HILL_REACH * sd for c, sd in zip(centres, deviations, strict=True))
    high = max(c + HILL_REACH * sd for c, sd in zip(centres, deviations, strict=True))
    window = np.linspace(low, high, HILL_POINTS)
    curves, marks = [], []
    for t, centre in zip(shown, centres, strict=True):
        x, density = _hill(t, centre, window, family)
        curves.append(pd.DataFrame({"tier": t.name, "x": x, "density": density}))
        a = half_width(family, t.level, confidence)
        marks.append((t.name, centre, a, describe(centre, a), t.slot, t.symbol))
    return pd.concat(curves, ignore_index=True), pd.DataFrame(marks, columns=list(MARK))


def _centre(tier: HeldTier, family: Family, group: int) -> float:
    if tier.values is None:
        return 0.0
    return float(tier.values[group]) - family.mean(tier.level)


def _hill(
    tier: HeldTier, centre: float, window: NDArray[Any], family: Family
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Points of one hill: noise as it falls around 0, or mirrored around what is held."""
    sign, mean = (1.0 if tier.values is None else -1.0), family.mean(tier.level)
    noise = sign * (window - centre) + mean
    if family.integer:
        noise = np.unique(np.round(noise))[:: int(sign)]
    return centre + sign * (noise - mean), family.density(noise, tier.level)


def ledger_frame(entries: Sequence[LedgerEntry]) -> pd.DataFrame:
    """The ledger in order of asking, columns `LEDGER`."""
    rows = [
        (
            e.number,
            e.tier,
            e.budget,
            _drawn_from(e, entries),
            e.noise,
            e.kind,
            e.event.session,
        )
        for e in entries
    ]
    return pd.DataFrame(rows, columns=list(LEDGER))


def _drawn_from(entry: LedgerEntry, entries: Sequence[LedgerEntry]) -> str:
    """Neighbours and weights in words; the exact number is named, never shown."""
    if not entry.neighbours:
        return "the same numbers as a tier before it"
    earlier = [e for e in entries if e.number < entry.number]
    names = [
        (tiers_at(earlier, entry.event.session, n.level) or ["the exact number (not shown)"])[0]
        for n in entry.neighbours
    ]
    weights = [f"{100 * n.weight:.3g} %" for n in entry.neighbours]
    if len(names) == 1:
        share = "" if entry.neighbours[0].weight in (0, 1) else f" ({weights[0]})"
        return f"fresh noise on {names[0]}{share}"
    return ", ".join(f"{name} {weight}" for name, weight in zip(names, weights, strict=True))
