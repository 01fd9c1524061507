"""Top-k: the most common items by noisy counts, beside those that are truly the most common.

`listed` draws a list with its counts; the drawer of the page shows its source. The example is made
up, so that the truth may be shown; a list of a visitor's column is drawn in the workspace. Exact
counts are in a scene only of the example, or once they are revealed.
"""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd

from dpviz import streams
from dpviz.accounting import Stated, half_width
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array, Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import Nouns, TextCounts
from dpviz.queries.nouns import PERSON
from dpviz.release import MultipleRelease
from dpviz.scenes.releases import interval_rows
from dpviz.top_k import (
    ListCost,
    Reach,
    TopK,
    TruncatedHistogram,
    UnknownDomain,
    choose_top_k,
    fit_in_order,
)
from dpviz.top_k.choice import HISTOGRAM, TRUNCATED, Choice
from dpviz.top_k.truncated_histogram import concentrated_cost
from dpviz.workspace import structured
from dpviz.workspace.held import HeldTier
from dpviz.workspace.top_k import Common, Source, Subject, Values
from dpviz.workspace.workspace import Workspace

GAUSSIAN = ADDITIVE["gaussian"]
SEEN = 1000  # of an unknown domain, how many of the largest counts compete
SEED = 5
LISTS = 200  # that are drawn to say how good they are on average
BEST = "the best here"  # in place of the name of a mechanism
ITEM, TRUE_PLACE, COUNT = "item", "true place", "true count"
PLACE, VALUE, FITTED, FATE = "place on the list", "count as drawn", "count, fitted", "what it is"
RANKINGS = (ITEM, TRUE_PLACE, COUNT, PLACE, VALUE, FITTED, FATE)
FOUND, MISSED, WRONG, LISTED, TRUE = "found", "missed", "wrongly shown", "listed", "common"

CITIES = {
    **{"Paris": 671, "London": 654, "Rome": 609, "Madrid": 571, "Vienna": 562, "Berlin": 549},
    **{"Lisbon": 497, "Athens": 486, "Prague": 471, "Dublin": 449, "Oslo": 441, "Warsaw": 436},
    **{"Helsinki": 424, "Budapest": 401, "Zurich": 342, "Seville": 261, "Porto": 188},
    **{"Kraków": 121, "Tartu": 58, "Bergen": 31, "Ghent": 22, "Lund": 9, "Trogir": 3},
    **{"Hallstatt": 1},
}
TOLD = "Made up: where travellers of an invented agency went. No traveller is real."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is typed: a list of k items at this budget, of people who reach this far.

    Attributes:
        whole: whether noise that is no whole number may be used, which needs every count.
    """

    k: int
    epsilon: Fraction
    delta: Fraction
    reach: Reach
    known: bool
    whole: bool = True

    @property
    def log_delta(self) -> float:
        """Ln δ."""
        return math.log(self.delta)

    def choose(self) -> Choice:
        """The mechanism that disturbs this list least.

        Raises:
            ParameterError: no mechanism can be used.
        """
        return _choose(self)


@functools.lru_cache(maxsize=64)
def _choose(settings: Settings) -> Choice:
    return choose_top_k(
        settings.k,
        epsilon=settings.epsilon,
        log_delta=settings.log_delta,
        reach=settings.reach,
        known=settings.known,
        whole=settings.whole,
        seen=SEEN,
    )


def listed(
    counts: Mapping[str, int],
    settings: Settings,
    mechanism: str,
    *,
    rng: np.random.Generator,
    values_rng: np.random.Generator,
    levels: Sequence[float],
    family: Family = GAUSSIAN,
    any_order: bool = False,
) -> "tuple[list[str], list[Array], bool]":
    """Draw the most common items, and their counts once for each level of noise.

    Args:
        counts: how many have each item. Not private.
        settings: how many items are asked for, at which budget.
        mechanism: how they are drawn.
        rng: generator of the list, or of list and counts in one.
        values_rng: generator of counts that come after the list.
        levels: of their noise.
        family: their noise.
        any_order: whether a practice session gives its numbers in any order.

    Returns:
        the items in noisy order; their counts at each level, or those of the one release that both
        are; whether the list ended before it was full.

    >>> one = Settings(
    ...     k=1, epsilon=Fraction(1), delta=Fraction(1, 10**6), reach=Reach(), known=True
    ... )
    >>> rngs = {"rng": streams.teaching(7), "values_rng": streams.teaching(7, 1)}
    >>> listed({"a": 900, "b": 5}, one, one.choose().mechanism, levels=(), **rngs)
    (['a'], [], False)
    """
    k, reach = settings.k, settings.reach
    choice = settings.choose().named(mechanism)
    if choice.mechanism == HISTOGRAM:
        names = sorted(counts)
        session = MultipleRelease(np.array([counts[name] for name in names]), GAUSSIAN, rng=rng)
        noisy = session.release(choice.value_sigma**2)
        best = np.argsort(-noisy, kind="stable")[:k]
        return [names[place] for place in best], [noisy[best]], False
    if choice.mechanism == TRUNCATED and choice.log_hidden is not None:
        histogram = TruncatedHistogram(
            counts,
            sigma=choice.scale,
            log_delta=choice.log_hidden,
            reach=reach,
            whole=True,
            rng=rng,
        )
        common = histogram.release()
        items = [str(item) for item in common.items[:k]]
        return items, [common.values[:k]], len(items) < k
    top = TopK(
        counts,
        epsilon=choice.step or 1,
        reach=reach,
        unknown=unknown(choice),
        rng=rng,
        any_order=any_order,
    )
    ranking = top.rank(k)
    if not ranking.items or not levels:
        return [*map(str, ranking.items)], [], ranking.ended
    values = top.values(family, rng=values_rng, any_order=any_order)
    return [*map(str, ranking.items)], [values.release(x) for x in levels], ranking.ended


def unknown(choice: Choice) -> UnknownDomain | None:
    """How a list that can end is drawn; None of another."""
    if choice.log_hidden is None or choice.step is None:
        return None
    return UnknownDomain(seen=SEEN, log_delta=choice.log_hidden)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnList:
    """A list that was drawn, with its noisy counts if they were."""

    items: tuple[str, ...]
    values: Array | None
    length: int  # that was asked for
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Own:
    """The visitor's column: what is counted, what draws its list, and who holds the counts.

    Attributes:
        source: what is counted.
        listing: the list, or list and counts in one; None: neither is drawn on this page.
        values: the counts of a list that was drawn.
        tiers: every tier that holds counts, most private first.
    """

    source: Source
    listing: Subject | Common | None
    values: Values | None
    tiers: tuple[HeldTier, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TopList:
    """One list with all that the page needs to know of it.

    Attributes:
        things: what the items are, plural.
        thing: singular.
        noun: what is counted.
        settings: what was typed.
        best: the mechanism that disturbs the list least, with the others.
        choice: the mechanism in use.
        drawn: the private list; None: nothing is drawn.
        counts: exact counts; None: they are hidden.
        again: how often the example was drawn again.
        own: the visitor's column; None: the example.
    """

    things: str
    thing: str
    noun: str
    settings: Settings
    best: Choice
    choice: Choice
    drawn: DrawnList | None
    counts: Mapping[str, int] | None
    again: int = 0
    own: Own | None = None

    @property
    def nouns(self) -> Nouns:
        """What is protected is called."""
        return self.own.source.query.bounds.nouns if self.own else PERSON

    @property
    def k(self) -> int:
        """Length of the list that is on screen, or that would be drawn."""
        return self.drawn.length if self.drawn else self.settings.k

    @property
    def true_k(self) -> int:
        """How many items it could find: fewer than k where there are no more."""
        return self.k if self.counts is None else min(self.k, len(self.counts))

    @property
    def list_cost(self) -> Stated:
        """What the list costs: with its counts, where both are one release."""
        choice, log_used = self.choice, self.choice.log_used
        if choice.step is not None:
            cost = ListCost(steps=self.k, step=choice.step, log_hidden=choice.log_hidden)
            return cost.epsilon(log_used)
        if choice.mechanism == TRUNCATED and choice.log_hidden and log_used:
            hidden, reach = choice.log_hidden, self.settings.reach
            return concentrated_cost(choice.scale, hidden, reach).epsilon(log_used)
        return Stated(choice.epsilon, "the exact curve of Gaussian noise")

    @property
    def list_delta(self) -> float:
        """The δ at which it costs that: half of it is for the counts, where they come later."""
        return float(self.settings.delta / (1 if self.in_one else 2))

    @property
    def in_one(self) -> bool:
        """Whether list and counts are one release."""
        return self.choice.mechanism in (HISTOGRAM, TRUNCATED)

    @property
    def frame(self) -> pd.DataFrame:
        """Both rankings, as `rankings` gives them; empty where there is neither."""
        drawn = self.drawn
        return rankings(
            drawn.items if drawn else None, drawn.values if drawn else None, self.counts, self.k
        )

    @property
    def outcomes(self) -> tuple[int, int]:
        """How many items the list misses, and how many it shows wrongly."""
        fates = self.frame[FATE]
        return int((fates == MISSED).sum()), int((fates == WRONG).sum())

    @property
    def in_place(self) -> int:
        """How many of the true k the list names at their true place."""
        return int((self.frame[TRUE_PLACE] == self.frame[PLACE]).sum())

    @property
    def count_half(self) -> float | None:
        """How far off 95 % of the counts of a list are at most; None if their noise chose it."""
        if self.choice.step is None:
            return None
        return half_width(GAUSSIAN, self.choice.value_sigma**2, ACCURACY_CONFIDENCE)

    @property
    def spent(self) -> tuple[float, float]:
        """ε and δ of list and counts; of the list alone where tiers get its counts later."""
        if self.own is not None and not self.in_one:
            return self.list_cost.value, self.list_delta
        return float(self.settings.epsilon), float(self.settings.delta)


def chosen(settings: Settings, mechanism: str) -> tuple[Choice, Choice]:
    """Return the best mechanism, and the one in use.

    Raises:
        ParameterError: that one does not fit.
    """
    best = settings.choose()
    fits = [best.mechanism, *(other.mechanism for other in best.others)]
    if mechanism not in (BEST, *fits):
        raise ParameterError(
            f"The {mechanism} does not fit here. Under “For specialists”, choose another way to "
            f"draw, such as {fits[0]}"
        )
    return best, best if mechanism == BEST else best.named(mechanism)


@functools.lru_cache(maxsize=64)  # all of it is public
def of_example(settings: Settings, mechanism: str, again: int) -> TopList:
    """Return the example with the list that its seed draws.

    Raises:
        ParameterError: the mechanism does not fit.
    """
    best, choice = chosen(settings, mechanism)
    return TopList(
        things="destinations",
        thing="destination",
        noun="people",
        settings=settings,
        best=best,
        choice=choice,
        drawn=draw(CITIES, settings, choice, again),
        counts=CITIES,
        again=again,
    )


def of_column(
    ws: Workspace, of: Source, settings: Settings, mechanism: str, *, revealed: bool
) -> TopList:
    """Return the list of a visitor's column with what was drawn of it; draws nothing.

    Raises:
        ParameterError: the mechanism does not fit.
    """
    best, choice = chosen(settings, mechanism)
    own, drawn = _held(ws, of, _listing(of, settings, choice), settings.k)
    things, thing = "groups", "group"
    if isinstance(of.query, TextCounts):
        things, thing = (f"{word} of “{of.query.column}”" for word in ("values", "value"))
    return TopList(
        things=things,
        thing=thing,
        noun=of.query.noun,
        settings=settings,
        best=best,
        choice=choice,
        drawn=drawn,
        counts=of.counts() if revealed else None,
        own=own,
    )


def _listing(of: Source, settings: Settings, choice: Choice) -> Subject | Common | None:
    """What draws the list; None where it is read off a release of the page Releases."""
    if choice.step is not None:
        return Subject(source=of, k=settings.k, step=choice.step, unknown=unknown(choice))
    if choice.mechanism != TRUNCATED or choice.log_hidden is None or choice.log_used is None:
        return None
    return Common(
        source=of, sigma=choice.scale, log_delta=choice.log_hidden, log_delta_used=choice.log_used
    )


def _held(
    ws: Workspace, of: Source, listing: Subject | Common | None, k: int
) -> tuple[Own, DrawnList | None]:
    """What was drawn of a column."""
    own = Own(source=of, listing=listing, values=None, tiers=())
    if isinstance(listing, Common):
        common = listing.found(ws)
        if common is None:
            return own, None
        items = tuple(map(str, common.items[:k]))
        return own, DrawnList(items=items, values=common.values[:k], length=k, ended=len(items) < k)
    ranking = listing.ranking(ws) if listing else None
    if listing is None or ranking is None:
        return own, None
    items = tuple(map(str, ranking.items))
    sharpest = None
    if items:
        values = listing.values(ws)
        held = structured.held_tiers(ws, values.asking, values.tiers(ws)[0])
        tiers = tuple(tier for tier, _ in held)
        own = replace(own, values=values, tiers=tiers)
        if tiers and tiers[-1].values is not None:
            sharpest = tiers[-1].values - ws.family.mean(tiers[-1].level)
    return own, DrawnList(items=items, values=sharpest, length=ranking.asked, ended=ranking.ended)


def tiers_frame(items: Sequence[str], tiers: Sequence[HeldTier], family: Family) -> pd.DataFrame:
    """Return what each tier holds of the items on the list, as a picture of releases takes it.

    Args:
        items: the list.
        tiers: most private first; each with its release.
        family: noise of the counts.
    """
    parts = []
    for tier in tiers:
        values = np.asarray(tier.values) - family.mean(tier.level)
        half = half_width(family, tier.level, ACCURACY_CONFIDENCE)
        parts.append(interval_rows(tier, items, values, half))
    return pd.concat(parts, ignore_index=True)


def draw(counts: Mapping[str, int], settings: Settings, choice: Choice, again: int) -> DrawnList:
    """Draw a list of the example, and its counts."""
    items, values, ended = listed(
        counts,
        settings,
        choice.mechanism,
        rng=streams.teaching(SEED, again),
        values_rng=streams.teaching(SEED, again, 1),
        levels=(choice.value_sigma**2,),
    )
    return DrawnList(
        items=tuple(items), values=values[0] if values else None, length=settings.k, ended=ended
    )


@functools.lru_cache(maxsize=16)
def usually_right(settings: Settings, mechanism: str) -> float:
    """How many of the true most common items a list of the example names, on average of `LISTS`."""
    choice, true = chosen(settings, mechanism)[1], set(ranked(CITIES)[: settings.k])
    rng = streams.teaching(SEED, 0, 2)
    right = 0
    for _ in range(LISTS):
        items, *_ = listed(CITIES, settings, choice.mechanism, rng=rng, values_rng=rng, levels=())
        right += len(true.intersection(items))
    return right / LISTS


def ranked(counts: Mapping[str, int]) -> list[str]:
    """All items, the most common first; of equal counts, in the order of the alphabet.

    >>> ranked({"b": 3, "c": 9, "a": 3})
    ['c', 'a', 'b']
    """
    return sorted(counts, key=lambda item: (-counts[item], item))


def rankings(
    found: Sequence[str] | None, values: Array | None, counts: Mapping[str, int] | None, k: int
) -> pd.DataFrame:
    """One row per item of the private list or of the true k; columns `RANKINGS`.

    Args:
        found: the private list; None: nothing is drawn.
        values: noisy counts of its items; None: none are drawn.
        counts: exact counts of all items; None: they are hidden.
        k: how many items were asked for.

    Raises:
        ParameterError: values are not as many as items.

    >>> rankings(["a", "c"], None, {"a": 9, "b": 8, "c": 1}, 2)["what it is"].tolist()
    ['found', 'missed', 'wrongly shown']
    """
    shown = list(found or ())
    if values is not None and len(values) != len(shown):
        raise ParameterError("values must be as many as the items that were found")
    order = ranked(counts) if counts is not None else []
    places = {item: place for place, item in enumerate(order, start=1)}
    listed = {item: place for place, item in enumerate(shown, start=1)}
    drawn = dict(zip(shown, values.tolist(), strict=True)) if values is not None else {}
    fitted: dict[str, float] = {}
    if values is not None:
        fitted = dict(zip(shown, fit_in_order(values, non_negative=True).tolist(), strict=True))
    rows = [
        (
            item,
            places.get(item, math.nan),
            counts.get(item, 0) if counts is not None else math.nan,
            listed.get(item, math.nan),
            drawn.get(item, math.nan),
            fitted.get(item, math.nan),
            _fate(item in listed, places.get(item), k, found is not None, counts is not None),
        )
        for item in dict.fromkeys([*order[:k], *shown])
    ]
    return pd.DataFrame(rows, columns=list(RANKINGS))


def _fate(listed: bool, place: int | None, k: int, drawn: bool, known: bool) -> str:
    if not known:
        return LISTED
    if not drawn:
        return TRUE
    if place is None or place > k:
        return WRONG
    return FOUND if listed else MISSED


def averaged(frame: pd.DataFrame) -> bool:
    """Whether the fit made the noisy counts of some neighbours on the list equal.

    >>> averaged(rankings(["a", "b"], np.array([4.0, 6.0]), None, 2))
    True
    """
    rows = frame[frame[PLACE] == frame[PLACE]].sort_values(PLACE).to_dict("records")
    return any(
        one[FITTED] == other[FITTED] > 0 and one[VALUE] < other[VALUE]
        for one, other in pairwise(rows)
    )
