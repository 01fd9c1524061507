"""Every number of the page Releases: what the tiers hold, and what all of it costs together.

Frames are made of released numbers and nothing else, except that of the exact answer, which is
made only to be revealed. So an order or a choice of groups tells no more than the release of the
least private tier in it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting import JointLoss, half_width
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.handout.post_processing import Kind, Processing
from dpviz.noise.family import Family
from dpviz.queries import Query
from dpviz.release import MultipleRelease
from dpviz.release.ledger import LedgerEntry, tiers_at
from dpviz.workspace import account
from dpviz.workspace.facts import entry_budget, entry_noise
from dpviz.workspace.guesses import CorrectGuesses, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import Size, half_of_number, size_of
from dpviz.workspace.one_tier import Answers
from dpviz.workspace.workspace import Workspace

RELEASE = ("group", "tier", "value", "low", "high", "budget", "style")
TOO_FEW = "too few to tell"  # in place of a mean whose released number of rows is not above 0
EXACT = ("group", "value")
LEDGER = ("asked", "tier", "budget", "drawn from", "noise", "kind", "session")
STATISTICS = ("statistic", "data", "released to", "privacy loss")
Order = Literal["list", "largest", "smallest"]
ORDERS: tuple[Order, ...] = get_args(Order)

MANY = 60  # groups; of more those are shown that are looked for
WIDE_ROWS = 1000
TABLE_ROWS = 100  # of a page without a tool bar: nobody reads on, and the file has all


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the releases are looked at; nothing of it changes them.

    Attributes:
        confidence: of the intervals.
        processing: what is done to the numbers that are shown.
        revealed: whether the exact numbers are on screen.
    """

    confidence: float
    processing: Processing
    revealed: bool = False

    @property
    def processed(self) -> bool:
        """Whether the numbers are post-processed."""
        return self.processing.key != "released"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Of many groups those that are looked for."""

    search: str = ""
    order: Order = "list"
    show: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases:
    """What the tiers hold of the statistic in use, and what all releases cost together.

    Attributes:
        held: the tiers that hold a release, most private first.
        planned: those of the plan.
        view: how the releases are looked at.
        query: the statistic.
        family: its noise.
        size: how many rows a mean has, as far as is known.
        numbers: a row for each group and tier that is shown, columns `RELEASE`.
        exact: the exact answer; only while it is revealed.
        lost: whether the search found no group, so that all are shown.
        together: the loss of all that was released, in all sessions of the unit of privacy.
        apart: the same, had each release been drawn with separate noise.
        loss: the loss that is shown: of all that was released, before that of the whole plan; None
            where there is neither.
        sharers: whose releases the losses are: those drawn in this session, else those of the plan.
        sessions: how many sessions have released something.
        current: whether the session in use is among them.
        colour: of the tier with the largest budget.
        limit: how far the limit of the workspace is used, in words; "" without one.
        other_units: losses of other units of privacy, by what they are called.
        last: the last draw that leaned on others.
        sealed: whether the exact numbers are erased.
        read_off: whether groups were read off the data.
        equal: whether tiers with different releases share a number.
    """

    held: tuple[HeldTier, ...]
    planned: tuple[HeldTier, ...]
    view: View
    query: Query
    family: Family
    size: Size
    numbers: pd.DataFrame = field(repr=False, compare=False)
    exact: pd.DataFrame | None = field(repr=False, compare=False)
    lost: bool
    together: JointLoss
    apart: JointLoss
    loss: JointLoss | None
    sharers: tuple[str, ...]
    sessions: int
    current: bool
    colour: str
    limit: str
    other_units: Mapping[str, JointLoss]
    last: LedgerEntry | None
    sealed: bool
    read_off: bool
    equal: bool

    @property
    def kind(self) -> Kind:
        """What the view leaves of a lossless release."""
        return self.view.processing.kind_for(self.query)

    @property
    def earlier(self) -> bool:
        """Whether earlier sessions add to the loss."""
        return bool(self.sessions) and (self.sessions > 1 or not self.current)

    @property
    def halves(self) -> tuple[float, ...]:
        """How far off a number of each planned tier may be, in units of the statistic."""
        sure = self.view.confidence
        return tuple(
            half_of_number(tier.level, self.family, sure, self.query, self.size)
            for tier in self.planned
        )

    @property
    def right(self) -> CorrectGuesses:
        """Right guesses about one person at the loss that is shown; a bound if sessions meet."""
        found = right_by(self.loss or self.together)
        return replace(found, kind="at most") if self.earlier else found


def scene(ws: Workspace, view: View, choice: Choice | None = None) -> Releases:
    """Every number of the page.

    Args:
        ws: the workspace.
        view: how its releases are looked at.
        choice: of many groups those that are looked for.
    """
    held, query, mine = ws.held, ws.statistic.query, account.entries(ws)
    sure, processing = view.confidence, view.processing
    whole = releases_frame(query, held, ws.family, sure, processing=processing)
    shown, lost = whole, False
    if choice is not None and held:
        found = pick_groups(whole, search=choice.search, order=choice.order, show=choice.show)
        shown, lost = (whole, True) if found.empty else (found, False)
    planned = tuple(ws.values_of_tiers)
    shared = [(t.name, t.level) for t in planned]
    if mine:
        shared = [(entry.tier, entry.level) for entry in account.once(ws)]
    sharers = list({level: name for name, level in shared}.values())
    together, one = account.joint(ws), ws.round
    leaned = [entry for entry in ws.entries_of(one) if entry.neighbours]
    return Releases(
        held=tuple(held),
        planned=planned,
        view=view,
        query=query,
        family=ws.family,
        size=size_of(ws),
        numbers=shown,
        exact=exact_frame(query, ws.exact(), processing) if view.revealed and held else None,
        lost=lost,
        together=together,
        apart=account.independent(ws),
        loss=together if mine else account.plan(ws)[0] if planned else None,
        sharers=tuple(dict.fromkeys(sharers)),
        sessions=len({e.session for e in mine}),
        current=one is not None,
        colour=ws.plan.style_of(sharers[-1]).colour if sharers else "",
        limit=ws.said_of_limit(ws.statistic.table),
        other_units=account.other_units(ws),
        last=leaned[-1] if leaned else None,
        sealed=one is not None and one.mechanism.sealed_at is not None,
        read_off=bool(ws.seen.of(ws.statistic).read_off),
        equal=share_numbers(held, ws.family),
    )


def drawn(
    table: Table,
    query: Query,
    family: Family,
    levels: Sequence[float],
    *,
    rng: np.random.Generator,
    any_order: bool = False,
) -> dict[float, NDArray[np.float64]]:
    """Return what is read of the release at each level, asked for in this order.

    Args:
        table: the data.
        query: the statistic.
        family: its noise.
        levels: of the noise.
        rng: the generator of the session.
        any_order: whether the numbers of a seed are the same in whatever order they are asked for.
    """
    session = MultipleRelease(query.values(table), family, rng=rng, any_order=any_order)
    released = {level: session.release(level) for level in levels}
    return {level: query.estimate(x - family.mean(level)) for level, x in released.items()}


def share_numbers(held: Sequence[HeldTier], family: Family) -> bool:
    """Whether neighbours of different releases hold an equal number.

    Args:
        held: the releases, most private first.
        family: their noise.
    """
    return any(_equal(noisy, sharp, family) for noisy, sharp in pairwise(held))


def _equal(noisy: HeldTier, sharp: HeldTier, family: Family) -> bool:
    one, two = noisy.values, sharp.values
    if one is None or two is None or noisy.level == sharp.level:
        return False
    alike = family.mean(noisy.level) == family.mean(sharp.level)  # else they are read otherwise
    return alike and bool(np.equal(one, two).any())


# --- frames ---


def releases_frame(
    query: Query,
    tiers: Sequence[HeldTier],
    family: Family,
    confidence: float,
    *,
    processing: Processing | None = None,
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
    """
    held = [t for t in tiers if t.values is not None]
    if not held:
        return pd.DataFrame(columns=list(RELEASE))
    parts = [_read(query, t, family, confidence, processing) for t in held]
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
) -> NDArray[np.float64]:
    """Value, low and high of one tier, shape (3, labels)."""
    released = np.asarray(tier.values) - family.mean(tier.level)
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
    half = 0.0 if view.half is None else view.half
    return interval_rows(view.tier, view.names, view.values, half)


def interval_rows(
    tier: HeldTier, names: Sequence[str], values: NDArray[Any], half: "NDArray[Any] | float"
) -> pd.DataFrame:
    """What a tier holds, a row for each number; columns `RELEASE`.

    Args:
        tier: who holds them.
        names: of the numbers.
        values: the numbers.
        half: half widths of their intervals.
    """
    return pd.DataFrame(
        {
            "group": _names(names, np.arange(len(names))),
            "tier": tier.name,
            "value": values,
            "low": values - half,
            "high": values + half,
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
        return f"new noise on {names[0]}{share}"
    return ", ".join(f"{name} {weight}" for name, weight in zip(names, weights, strict=True))


# --- of many groups, some ---


def pick_groups(
    frame: pd.DataFrame, *, search: str = "", order: Order = "list", show: int = 20
) -> pd.DataFrame:
    """The rows of the first `show` groups that the search finds, in the order asked for.

    Every tier's rows stay, in the order of the frame; within a tier the groups run as ordered. A
    group that the least private tier cannot tell is last.

    Args:
        frame: columns `RELEASE`.
        search: plain text that the name of a group contains, in small or capital letters.
        order: "list" keeps the order of the frame; "largest" and "smallest" go by the released
            value. The numbers of the last tier decide, the least private one.
        show: how many groups, at least 1.

    Returns:
        Rows of the frame; none if the search finds nothing.

    Raises:
        ParameterError: if there is no such order, or `show` is not at least 1.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "tier": "x", "value": [1.0, 9.0],
    ...     "low": [0.0, 8.0], "high": [2.0, 10.0]})
    >>> list(pick_groups(frame, order="largest")["group"])
    ['b', 'a']
    """
    checks.whole(1, show=show)
    if order not in ORDERS:
        raise ParameterError(f"there is no such order: choose one of {', '.join(ORDERS)}")
    rows = frame if frame.empty else frame[frame["tier"] == frame["tier"].iloc[-1]]
    rows = _found(rows, search)
    keys = _keys(rows, order)
    ranked = rows if keys is None else rows.iloc[np.argsort(keys, kind="stable")]
    return _only(frame, ranked["group"].head(show))


def _found(rows: pd.DataFrame, search: str) -> pd.DataFrame:
    wanted = search.strip().casefold()
    if not wanted or rows.empty:
        return rows
    return rows[[wanted in str(group).casefold() for group in rows["group"]]]


def _keys(rows: pd.DataFrame, order: Order) -> NDArray[np.float64] | None:
    """Numbers by which to sort upwards; NaN sorts last. None: as they stand."""
    if order == "list" or rows.empty:
        return None
    value: NDArray[np.float64] = rows["value"].to_numpy(np.float64)
    return np.negative(value) if order == "largest" else value


def _only(frame: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """The rows of these groups, tier by tier as in the frame, in the order given."""
    place = {group: float(rank) for rank, group in enumerate(groups)}
    rank = frame["group"].map(place).to_numpy(np.float64)  # NaN: not among them
    tier = pd.factorize(frame["tier"])[0]
    kept = np.lexsort((rank, tier))
    return frame.iloc[kept[~np.isnan(rank[kept])]].reset_index(drop=True)
