"""What the report says: one frozen record, which has no place for a released number or a seed."""

import datetime
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpviz import checks
from dpviz.accounting.schemes import INDEPENDENT, SCHEMES
from dpviz.errors import ParameterError
from dpviz.noise import Array
from dpviz.words import NO_BREAK, clean, significant

_COLOUR = re.compile("#[0-9A-Fa-f]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTier:
    """One tier, as the report shows it.

    Raises:
        ParameterError: if `colour` is not "#RRGGBB", as in the style of the page, or a
            number is negative.
    """

    name: str
    colour: str
    glyph: str  # of its symbol
    note: str = ""  # who sees it
    people: int | None = None  # how many have this clearance
    budget: str  # as stated to people, e.g. "ρ = 0.1, ε = 2.1 at δ = 1e-6"
    half_width: float  # in units of the statistic; NaN: no guarantee
    drawn: datetime.date | None  # the day of its release, None before
    before: str = ""  # said of a release at another budget than the tier has now

    def __post_init__(self) -> None:
        """Refuse what the page would take for something else than a colour."""
        if not _COLOUR.fullmatch(self.colour):
            raise ParameterError('the colour of a tier must be written as "#RRGGBB"')
        if self.people is not None:
            checks.whole(0, people=self.people)
        checks.stated(half_width=self.half_width)

    @property
    def known(self) -> bool:
        """Whether a guarantee stands behind the half width."""
        return math.isfinite(self.half_width)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportStatistic:
    """One of several statistics of a plan, with what each tier gets of it, most private first."""

    name: str
    noun: str  # unit of the accuracies
    tiers: tuple[ReportTier, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSum:
    """What a tier learns by all statistics together, or all tiers do who compare notes."""

    name: str
    stated: str  # the loss, e.g. "ρ = 0.9"
    right: str  # of 1,000 guesses about one person, e.g. "at most 780"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFacts:
    """Everything that the report says.

    Attributes:
        title: of the page.
        takeaway: the sentence that must be read if no other is.
        badges: in words, e.g. "practice mode: no privacy claim".
        kind: of the releases; weakly lossless if they are processed by rounding or cutting.
        tiers: most private first, at least one.
        noun: unit of the accuracies.
        confidence: of the accuracies, between 0 and 1.
        definition: of the privacy loss, in words.
        lossless: loss of all tiers together as released; not finite: no guarantee.
        lossless_stated: the same in words, e.g. "ρ = 0.5".
        independent: what it would have been with separate noise for each tier.
        independent_stated: the same in words.
        sessions: how many sessions these losses run over; sessions compose.
        statistics: all of the plan, where it has several.
        sums: what each tier learns by those whose losses add, and at the end all tiers together.
        topics: names of structured mechanisms of the plan, such as running totals.
        not_added: names of statistics that protect another unit than these.
        one: what the unit of privacy is called.
        groups: names of all released numbers.
        caveats: pairs of a few words and a sentence: what weakens the promise.
        facts: pairs of name and text: unit, neighbours, sensitivity, data.
        key: fingerprint of the key that signs the packs of these releases.
        made: the day.
        versions: pairs of name and version of the software.

    Raises:
        ParameterError: if there is no tier, or a number is out of range.
    """

    title: str
    takeaway: str
    badges: tuple[str, ...]
    kind: Literal["lossless", "weakly lossless"]
    tiers: tuple[ReportTier, ...]
    noun: str
    confidence: float
    definition: str
    lossless: float
    lossless_stated: str
    independent: float
    independent_stated: str
    sessions: int = 1
    statistics: tuple[ReportStatistic, ...] = ()
    sums: tuple[ReportSum, ...] = ()
    topics: tuple[str, ...] = ()
    not_added: tuple[str, ...] = ()
    one: str = "person"
    groups: tuple[str, ...]
    caveats: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str], ...]
    key: str
    made: datetime.date
    versions: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        """Refuse a report about nobody."""
        if not self.tiers:
            raise ParameterError("a report needs at least one tier; add one")
        checks.probability(confidence=self.confidence)
        checks.whole(1, sessions=self.sessions)
        checks.stated(lossless=self.lossless, independent=self.independent)

    @property
    def is_stretched(self) -> bool:
        """Whether long bars of accuracies are drawn shortened, which the page then says."""
        return narrowest([tier.half_width for tier in self.tiers]) is not None

    @property
    def reaches(self) -> list[float]:
        """Lengths of the bars of accuracies, the longest 1; 0 without a guarantee."""
        half = np.array([tier.half_width if tier.known else 0.0 for tier in self.tiers])
        placed = place(half, narrowest(half))
        return list((placed / (placed.max() or 1.0)).tolist())

    @property
    def shares(self) -> list[float | None]:
        """Lengths of the two bars of losses, the longer one 1; None without a guarantee."""
        losses = [x if math.isfinite(x) else None for x in (self.lossless, self.independent)]
        longest = max(filter(None, losses), default=1.0)
        return [None if x is None else x / longest for x in losses]

    @property
    def collusion(self) -> str:
        """What all tiers together learn, against what independent releases would have told them."""
        if len(self.tiers) == 1 and self.sessions == 1:
            return f"There is one tier, so nobody to compare notes with: {self.lossless_stated}."
        if not math.isfinite(self.lossless):
            return "No guarantee stands behind these releases, so none stands behind them together."
        everybody = f"If all {len(self.tiers)} tiers" if len(self.tiers) > 1 else "If anybody"
        least = f"“{clean(self.tiers[-1].name)}”"
        if self.sessions > 1:
            learnt = (
                f"put the releases of all {self.sessions} sessions together, what they learn is "
                f"bounded by {self.lossless_stated}: in each session the largest loss counts, and "
                "sessions compose."
            )
        elif self.kind == "lossless":
            learnt = (
                f"put their releases together, they learn what {least} learns alone, "
                f"{self.lossless_stated}, and no more."
            )
        else:
            learnt = (
                "put their processed releases together, they learn at most what the unprocessed "
                f"release of {least} says: {self.lossless_stated}."
            )
        return f"{everybody} {learnt} {self._otherwise}"

    @property
    def _otherwise(self) -> str:
        start = f"Had each tier been given {SCHEMES[INDEPENDENT].name}, they would together hold"
        if not math.isfinite(self.independent):
            return f"{start} something without any guarantee."
        more = self.independent / self.lossless if self.lossless else 1.0
        times = f", {significant(more, 2)}{NO_BREAK}times as much" if more > 1.005 else ""
        return f"{start} {self.independent_stated}{times}."


# --- how long a bar of ± is drawn: evenly, or by arsinh(x / narrowest) ---
# which is even near 0 and logarithmic further out, so that every bar is seen.


EVEN_UP_TO = 30.0  # ratio of the widest bar to the narrowest on an even scale


def narrowest(half_widths: Sequence[float] | Array) -> float | None:
    """The narrowest ±, if bars are drawn by arsinh in its unit, or None if they are even.

    A ± of 0 has no length, and NaN no guarantee: neither counts.

    >>> narrowest([1.0, 29.0]), narrowest([0.0, 1.0, 31.0, float("nan")]), narrowest([])
    (None, 1.0, None)
    """
    half = np.asarray(half_widths, dtype=float)
    seen = half[np.isfinite(half) & (half > 0)]
    wide = seen.size > 0 and seen.max() > EVEN_UP_TO * seen.min()
    return float(seen.min()) if wide else None


def place(x: Array, unit: float | None) -> Array:
    """Where the scale puts x: arsinh(x / unit), or x itself without a unit.

    >>> place(np.array([3.0]), None), place(np.array([0.0]), 2.0)
    (array([3.]), array([0.]))
    """
    return x if unit is None else np.arcsinh(x / unit)
