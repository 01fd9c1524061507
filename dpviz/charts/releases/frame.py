"""Frames of releases: what the tiers hold with its intervals, the exact answer, the ledger."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import half_width
from dpviz.charts.tidy import RELEASE, TOO_FEW
from dpviz.handout.post_processing import Processing
from dpviz.noise.family import Family
from dpviz.queries import Query
from dpviz.release.ledger import LedgerEntry, tiers_at
from dpviz.workspace.facts import entry_budget, entry_noise
from dpviz.workspace.held import HeldTier
from dpviz.workspace.one_tier import Answers

EXACT = ("group", "value")
LEDGER = ("asked", "tier", "budget", "drawn from", "noise", "kind", "session")
STATISTICS = ("statistic", "data", "released to", "privacy loss")

WIDE_ROWS = 1000
TABLE_ROWS = 100  # of a page without a tool bar: nobody reads on, and the file has all


def releases_frame(
    query: Query,
    tiers: Sequence[HeldTier],
    family: Family,
    confidence: float,
    *,
    processing: Processing | None = None,
    raw: bool = False,
) -> pd.DataFrame:
    """One row per label of the statistic and held tier; columns `RELEASE`, in its units.

    The value is what the tier reads from its release, NaN where that is too little to tell (a mean
    of hardly any rows). [low, high] holds the exact bounded number with the confidence given, for
    one label at a time. Processing changes the value; the interval stays that of the release,
    except on the scale of arsinh, which all three take.

    Args:
        query: the statistic that was released.
        tiers: tiers in the order to draw them; those without a release are left out.
        family: the noise family of the session.
        confidence: of the interval, e.g. 0.95.
        processing: what is done to the numbers after the release.
        raw: numbers as drawn, with the mean of the noise still in them (Poisson, exponential).
            Value and interval are both shifted by it: the interval then holds exact + mean.
    """
    held = [t for t in tiers if t.values is not None]
    if not held:
        return pd.DataFrame(columns=list(RELEASE))
    parts = [_read(query, t, family, confidence, processing, raw) for t in held]
    value, low, high = np.concatenate(parts, axis=1)
    count = len(query.labels)
    tier = np.repeat(np.arange(len(held)), count)
    return pd.DataFrame(
        {
            "group": _names(query.labels, np.tile(np.arange(count), len(held))),
            "tier": _names([t.name for t in held], tier),
            "value": value,
            "low": low,
            "high": high,
            "budget": _names([t.budget for t in held], tier),
            "style": np.array([t.style for t in held], dtype=object)[tier],
        }
    )


def _read(
    query: Query,
    tier: HeldTier,
    family: Family,
    confidence: float,
    processing: Processing | None,
    raw: bool,
) -> NDArray[np.float64]:
    """Value, low and high of one tier, shape (3, labels)."""
    released = np.asarray(tier.values) - (0.0 if raw else family.mean(tier.level))
    value = query.estimate(released)
    reach = half_width(family, tier.level, confidence, coordinates=query.per_value)
    low, high = query.interval(released, reach)
    if processing is not None:
        value = processing.apply(query, value)
        if processing.key == "asinh":
            low, high = np.arcsinh(low), np.arcsinh(high)
    return np.array([value, low, high], dtype=np.float64)


def answers_frame(view: Answers) -> pd.DataFrame:
    """What one tier holds of a structured session, a row for each number; columns `RELEASE`.

    [low, high] is the number alone where there is no ±.

    Args:
        view: the answers of the tier.
    """
    tier, half = view.tier, 0.0 if view.half is None else view.half
    rows = np.arange(len(view.names))
    return pd.DataFrame(
        {
            "group": _names(view.names, rows),
            "tier": tier.name,
            "value": view.values,
            "low": view.values - half,
            "high": view.values + half,
            "budget": tier.budget,
            "style": tier.style,
        }
    ).astype({"value": float, "low": float, "high": float})


def answers_table(view: Answers) -> pd.DataFrame:
    """The same as a table to read, at most `TABLE_ROWS` rows long, under the names of its legend.

    Args:
        view: the answers of the tier.
    """
    name, number = view.legend.columns
    values = [_written(float(x), 0 if float(x).is_integer() else 1) for x in view.values]
    return pd.DataFrame({name: view.names, number: values}).head(TABLE_ROWS)


def _names(names: Sequence[str], at: NDArray[Any]) -> pd.Categorical:
    """A column of names, each stored once: a million rows stay quick to group and to search."""
    codes, known = pd.factorize(np.array(names, dtype=object))
    return pd.Categorical.from_codes(codes[at], known)


def sharpest_first(releases: pd.DataFrame) -> pd.DataFrame:
    """The same rows with the tiers the other way round; the groups of each stay as they are.

    >>> frame = pd.DataFrame({"tier": ["public", "public", "audit"], "group": ["a", "b", "a"]})
    >>> sharpest_first(frame)["group"].tolist()
    ['a', 'a', 'b']
    """
    place = pd.factorize(releases["tier"])[0]
    return releases.iloc[np.argsort(-place, kind="stable")].reset_index(drop=True)


def wide_frame(releases: pd.DataFrame) -> pd.DataFrame:
    """Released numbers as people read them: a row per group, a column per tier.

    A tier's numbers have one decimal, more where its intervals are narrower than 1.
    """
    order = releases["group"].drop_duplicates().head(WIDE_ROWS)
    columns = {"group": order.astype(str).to_numpy()}
    for tier, rows in releases.groupby("tier", sort=False, observed=True):
        values = rows.drop_duplicates("group").set_index("group")["value"].reindex(order)
        places = _decimals((rows["high"] - rows["low"]).median() / 2)
        columns[str(tier)] = [TOO_FEW if x != x else _written(x, places) for x in values]
    return pd.DataFrame(columns)


def _written(x: float, places: int) -> str:
    """Grouped thousands and a true minus sign, never before a zero."""
    return f"{round(x, places) + 0.0:,.{places}f}".replace("-", "−")


def _decimals(half: float) -> int:
    """Decimals of a number known to ± half: at least one, and two digits of half below 1."""
    return max(1, min(12, 1 - math.floor(math.log10(half)))) if 0 < half < 1 else 1


def exact_frame(
    query: Query, values: NDArray[Any], processing: Processing | None = None
) -> pd.DataFrame:
    """The exact answer in units, columns `EXACT`: not private, built only after "reveal".

    Args:
        query: the statistic.
        values: its exact coordinates in steps, as `query.values` gives them.
        processing: what is done to the releases beside it; the scale of arsinh is taken, too.
    """
    estimates = query.estimate(values)
    if processing is not None and processing.key == "asinh":
        estimates = np.arcsinh(estimates)
    return pd.DataFrame({"group": list(query.labels), "value": estimates})


def statistics_frame(rows: Sequence[tuple[str, str, str, str]]) -> pd.DataFrame:
    """Every released statistic with its data, its tiers and its privacy loss in words."""
    return pd.DataFrame(rows, columns=list(STATISTICS))


def ledger_frame(entries: Sequence[LedgerEntry], written: Callable[[float], str]) -> pd.DataFrame:
    """The ledger in order of asking, columns `LEDGER`; `written` turns a weight into a text."""
    rows = [
        (
            e.number,
            e.tier,
            entry_budget(e),
            _drawn_from(e, entries, written),
            entry_noise(e),
            e.kind,
            e.session,
        )
        for e in entries
    ]
    return pd.DataFrame(rows, columns=list(LEDGER))


def _drawn_from(
    entry: LedgerEntry, entries: Sequence[LedgerEntry], written: Callable[[float], str]
) -> str:
    """Neighbours and weights in words; the exact number is named, never shown."""
    if not entry.neighbours:
        return "the same numbers as a tier before it"
    earlier = [e for e in entries if e.number < entry.number]
    names = [
        (tiers_at(earlier, entry.session, n.level) or ["the exact number (not shown)"])[0]
        for n in entry.neighbours
    ]
    weights = [written(n.weight) for n in entry.neighbours]
    if len(names) == 1:
        share = "" if entry.neighbours[0].weight in (0, 1) else f": {weights[0]}"
        return f"fresh noise on {names[0]}{share}"
    return ", ".join(f"{name} {weight}" for name, weight in zip(names, weights, strict=True))
