"""RAPPOR: what partly random answers of many browsers, or rows, say about one text.

`survey` makes the estimates; the drawer of the page shows its source. The made-up browsers report
by `reported`; the visitor's column by `dpviz.workspace.local.rappor`, where its texts stay.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from dpviz import streams
from dpviz.local import Bloom, Rappor, RapporClient, RapporSurvey, collect_rappor, decode_rappor
from dpviz.local.decoding import threshold
from dpviz.local.survey import Reports
from dpviz.noise.family import Array
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.workspace.guesses import CorrectGuesses
from dpviz.workspace.local.rappor import Subject, guesses

SHARES = {  # of a thousand browsers, all invented: their home pages
    **{"search.example": 245, "news.example": 172, "town-hall.example": 130, "mail.example": 95},
    **{"weather.example": 80, "library.example": 62, "school.example": 50, "football.example": 41},
    **{"bus-times.example": 30, "recipes.example": 25, "clinic.example": 20},
    **{"free-prizes.example": 18, "choir.example": 15, "museum.example": 10, "bees.example": 7},
}
HIJACKED, ITS_VICTIMS_HAD = "free-prizes.example", "search.example"
REPORTS_SEED = 5  # one draw, chosen to be readable
WITHOUT = 13  # the stream of the town without a thief, chosen so that its estimates are near 0
CLIENTS = 100_000
NOBODYS = 20  # candidates
REACH = -float(special.ndtri((1 - ACCURACY_CONFIDENCE) / 2))  # standard errors of an interval
ESTIMATES = ("f", "text", "estimate", "half", "found", "needed")


def browsers(clients: int, *, hijacked: bool = True) -> dict[str, int]:
    """How many browsers have each home page, with the thief at work or without.

    >>> browsers(1000)["free-prizes.example"], browsers(1000, hijacked=False)["search.example"]
    (18, 263)
    """
    counts = {name: share * clients // 1000 for name, share in SHARES.items()}
    if not hijacked:
        counts[ITS_VICTIMS_HAD] += counts.pop(HIJACKED)
    return counts


@functools.lru_cache(maxsize=16)  # of settings alone, so made once for all visitors
def reported(
    hijacked: bool, bloom: Bloom, kinds: tuple[Rappor, ...], again: int
) -> tuple[Reports, ...]:
    """Let the made-up browsers report, with the thief at work or without.

    >>> bloom, kinds = Bloom(bits=8, cohorts=2), (Rappor(f=0.5, p=0.25, q=0.75),)
    >>> [each.total for each in reported(True, bloom, kinds, 0)]
    [100000]
    """
    stream = (again,) if hijacked else (again, WITHOUT)
    clients = browsers(CLIENTS, hijacked=hijacked)
    return collect_rappor(clients, bloom, kinds, rng=streams.teaching(REPORTS_SEED, *stream))


def survey(
    clients: Mapping[str, int],
    bloom: Bloom,
    kinds: Sequence[Rappor],
    candidates: Sequence[str],
    *,
    rng: np.random.Generator,
    order: Sequence[Rappor] = (),
) -> pd.DataFrame:
    """Let every client report with each kind of answers; estimate how many have each candidate.

    Args:
        clients: how many have each text. Not private.
        bloom: the public hash functions.
        kinds: the probabilities of each kind of report.
        candidates: texts to look for.
        rng: generator of all responses.
        order: kinds in the order in which they were asked for, where that was one by one.

    >>> kinds, rng = [Rappor(f=0.5, p=0.25, q=0.75)], streams.teaching(7)
    >>> bloom = Bloom(bits=8, cohorts=2)
    >>> made = survey({"a": 900}, bloom, kinds, ["a", "b"], rng=rng)
    >>> made[["f", "text", "found"]].to_numpy().tolist()
    [[0.5, 'a', True], [0.5, 'b', False]]
    """
    if not order:
        reports = collect_rappor(clients, bloom, kinds, rng=rng)
        return estimates(reports, candidates)
    asked = RapporSurvey(clients, bloom, rng=rng)
    for kind in order:
        asked.report(kind)
    return estimates([asked.report(kind) for kind in kinds], candidates)


def estimates(reports: Sequence[Reports], candidates: Sequence[str]) -> pd.DataFrame:
    """Return what reports say about each candidate, columns `ESTIMATES`, a row for each f and text.

    half: half width of the 95 % interval, which a fit disturbed by other texts makes wider;
    needed: from which estimate on the text counts as found.

    Raises:
        ParameterError: the candidates cannot be told apart.

    >>> estimates([], ["a"]).empty
    True
    """
    frames = [pd.DataFrame(columns=list(ESTIMATES))]
    for each in reports:
        said = decode_rappor(each, candidates)
        rows = {"f": each.rappor.f, "text": said.candidates, "estimate": said.counts}
        tests = {"half": REACH * said.errors, "found": said.found}
        tests |= {"needed": threshold(len(said.candidates)) * said.errors}
        frames.append(pd.DataFrame(rows | tests))
    return pd.concat(frames[1:] or frames, ignore_index=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is chosen in the fields.

    Attributes:
        first: the probabilities that everybody is asked with at first.
        second: those of the second report, whose f is smaller.
        bloom: the public hash functions.
        suspicious: the text that f is relaxed for.
        candidates: all texts that are looked for; the suspicious one is among them.
    """

    first: Rappor
    second: Rappor
    bloom: Bloom
    suspicious: str
    candidates: tuple[str, ...]

    @property
    def kinds(self) -> tuple[Rappor, Rappor]:
        """Both kinds of report."""
        return self.first, self.second


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """How many clients seem to have the text at one f."""

    f: float
    value: float
    half: float  # of the 95 % interval
    found: bool  # whether chance would hardly explain it
    needed: float  # from which estimate on it is found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Survey:
    """What reports say about one text, and what they give away about who sent them.

    Attributes:
        question: what is chosen.
        says: as `estimates` gives it, at the first f and at the second; may be empty.
        without: the same of made-up browsers of which none is hijacked; empty elsewhere.
        truth: how many have each text; None: it stays hidden.
        clients: how many report; None: not known before they do.
        own: the visitor's column; None: the made-up browsers.
        again: how often the made-up browsers reported again.
        order: kinds of report in the order of asking, of the visitor's column.
    """

    question: Question
    says: pd.DataFrame
    without: pd.DataFrame
    truth: Mapping[str, int] | None
    clients: int | None
    own: Subject | None = None
    again: int = 0
    order: tuple[Rappor, ...] = ()

    @property
    def kinds(self) -> tuple[Estimate, ...]:
        """What was reported so far about the suspicious text."""
        return self._of(self.says)

    @property
    def kinds_without(self) -> tuple[Estimate, ...]:
        """The same where no browser is hijacked."""
        return self._of(self.without)

    def chance(self, kind: Estimate) -> float:
        """How likely the text is found, by a normal estimate around the truth; 0: it is hidden."""
        if self.truth is None:
            return 0.0
        error = kind.half / REACH
        return float(special.ndtr((self.truth[self.question.suspicious] - kind.needed) / error))

    def _of(self, frame: pd.DataFrame) -> tuple[Estimate, ...]:
        rows = frame[frame["text"] == self.question.suspicious].to_dict("records")
        return tuple(
            Estimate(
                f=row["f"],
                value=row["estimate"],
                half=row["half"],
                found=bool(row["found"]),
                needed=row["needed"],
            )
            for row in rows
        )

    @property
    def true(self) -> int | None:
        """How many have the suspicious text; None: it stays hidden."""
        return None if self.truth is None else self.truth.get(self.question.suspicious, 0)

    @property
    def noun(self) -> str:
        """Who is counted."""
        return "browsers" if self.own is None else self.own.query.noun

    @property
    def unit(self) -> str:
        """Whose text is hidden."""
        return "one browser" if self.own is None else self.own.query.bounds.unit

    def right(self, *separate: Rappor) -> CorrectGuesses:
        """Right guesses of 1,000 by kinds of report with separate noise; of linked ones the last.

        Any number of reports of each kind is seen.
        """
        return guesses(separate, self.question.bloom.hashes)


def one_client(question: Question, again: int) -> tuple[dict[str, Array], Array]:
    """The bits of one made-up client with the suspicious text, stage by stage, and its filter.

    >>> kinds = [Rappor(f=f, p=0.25, q=0.75) for f in (0.75, 0.5)]
    >>> which = {"suspicious": "a", "candidates": ("a",)}
    >>> bloom = Bloom(bits=8, cohorts=2)
    >>> question = Question(first=kinds[0], second=kinds[1], bloom=bloom, **which)
    >>> stages, own = one_client(question, 0)
    >>> len(stages), int(own.sum())
    (5, 2)
    """
    rng = streams.teaching(REPORTS_SEED, again, 1)
    client = RapporClient(question.suspicious, question.bloom, rng=rng)
    stages = {"Bloom filter of the text": client.filter}
    for kind in question.kinds:
        stages[f"kept for good at f = {kind.f:g}"] = client.permanent(kind)
        stages[f"a report at f = {kind.f:g}"] = client.report(kind)
    return stages, client.filter
