"""Reports of many clients: each bit counted in each cohort.

A million clients with 32 bits are 32 million permanent bits, so clients are drawn block after
block: a session for the bits of each block, whose releases are the permanent responses. Of the
reports only their sums are kept, which is all that decoding uses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.bloom import Bloom
from dpviz.local.rappor import CHAIN, Rappor, instantaneous_response
from dpviz.noise.family import Array
from dpviz.release import MultipleRelease

MOST_CLIENTS = 1_000_000
MOST_KEPT = 2**22  # permanent bits of a survey that can be asked again, at each f 32 megabytes
BLOCK = 2**19  # permanent bits drawn at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reports:
    """How often each bit was reported.

    Attributes:
        bloom: the hash functions.
        rappor: the probabilities of the responses.
        ones: reported ones, shape (cohorts, bits).
        clients: how many clients each cohort has, shape (cohorts,).

    Raises:
        ParameterError: if shapes differ from those of the filters, or there are more ones than
            clients.
    """

    bloom: Bloom
    rappor: Rappor
    ones: Array
    clients: Array

    def __post_init__(self) -> None:
        checks.instance(Bloom, bloom=self.bloom)
        checks.instance(Rappor, rappor=self.rappor)
        checks.arrays(2, least=0, most=MOST_CLIENTS, ones=self.ones)
        checks.arrays(1, least=0, most=MOST_CLIENTS, clients=self.clients)
        shape = (self.bloom.cohorts, self.bloom.bits)
        if self.ones.shape != shape or self.clients.shape != shape[:1]:
            raise ParameterError(
                f"ones must have the shape (cohorts, bits) = {shape}, and clients one number for "
                "each cohort"
            )
        if (self.ones > self.clients[:, None]).any():
            raise ParameterError("ones must be at most the clients of their cohort")

    @property
    def total(self) -> int:
        """How many clients reported."""
        return int(self.clients.sum())


class RapporSurvey:
    """Clients who were asked, and can be asked again at another f: more noise or less.

    Each joins a cohort by chance, for good. Permanent responses lie along one chain for all f;
    instantaneous ones are fresh for each triple (f, p, q), and the same triple gives the same sums.

    >>> from dpviz import streams
    >>> bloom = Bloom(bits=8, cohorts=2)
    >>> survey = RapporSurvey({"a": 300, "b": 700}, bloom, rng=streams.teaching(7))
    >>> survey.report(Rappor(f=0.5, p=0.25, q=0.75)).total
    1000
    """

    __slots__ = ("_asked", "_bloom", "_first", "_held", "_rng", "_session", "clients")

    def __init__(
        self, counts: Mapping[str, int], bloom: Bloom, *, rng: np.random.Generator
    ) -> None:
        """Ask clients to join.

        Args:
            counts: how many clients have each text. Not private.
            bloom: the public hash functions.
            rng: generator of cohorts and responses.

        Raises:
            ParameterError: if there is no client, or clients × bits are too many to be kept.
        """
        texts, many = _checked(counts, bloom, rng)
        size = int(many.sum())
        if size * bloom.bits > MOST_KEPT:
            raise ParameterError(
                f"{size:,} clients with {bloom.bits} bits are too many to be asked again: clients "
                f"× bits may be at most {MOST_KEPT:,}; pass fewer bits"
            )
        items = rng.permutation(np.repeat(np.arange(many.size), many))
        cohorts = np.sort(rng.integers(bloom.cohorts, size=size))  # whose texts come by chance
        self._bloom, self._rng = bloom, rng
        self._first = np.flatnonzero(np.diff(cohorts, prepend=-1))
        self._asked = cohorts[self._first]  # cohorts that somebody is in
        self.clients: Array = np.bincount(cohorts, minlength=bloom.cohorts)
        self._session = MultipleRelease(_bits(texts, items, cohorts, bloom), CHAIN, rng=rng)
        self._held: dict[Rappor, Reports] = {}

    def report(self, rappor: Rappor) -> Reports:
        """Sums of a report of every client; drawn once for the same probabilities.

        Raises:
            ParameterError: at f = 0 or 1, where nothing is blurred or nothing told.
        """
        checks.instance(Rappor, rappor=rappor)
        if rappor not in self._held:
            ones = np.zeros((self._bloom.cohorts, self._bloom.bits), dtype=np.int64)
            told = instantaneous_response(
                self._session.release(rappor.level), rappor, rng=self._rng
            )
            ones[self._asked] = np.add.reduceat(told, self._first, axis=0, dtype=np.int64)
            self._held[rappor] = Reports(
                bloom=self._bloom, rappor=rappor, ones=ones, clients=self.clients
            )
        return self._held[rappor]

    @property
    def held(self) -> Mapping[Rappor, Reports]:
        """All sums that were drawn, in order of asking; draws nothing."""
        return dict(self._held)


def collect_rappor(
    counts: Mapping[str, int], bloom: Bloom, asked: Sequence[Rappor], *, rng: np.random.Generator
) -> tuple[Reports, ...]:
    """Sums of reports of up to a million clients, who are forgotten block after block.

    The law is that of a `RapporSurvey`. What was asked first is drawn first, so that it does not
    depend on what else is asked.

    Args:
        counts: how many clients have each text. Not private.
        bloom: the public hash functions.
        asked: the probabilities of each report, in order of asking.
        rng: generator of cohorts and responses.

    Raises:
        ParameterError: if there is no client or more than a million, or f is 0 or 1.

    >>> from dpviz import streams
    >>> asked = [Rappor(f=f, p=0.25, q=0.75) for f in (0.75, 0.5)]
    >>> few = {"a": 300, "b": 700}
    >>> found = collect_rappor(few, Bloom(bits=8, cohorts=2), asked, rng=streams.teaching(7))
    >>> [each.total for each in found]
    [1000, 1000]
    """
    texts, many = _checked(counts, bloom, rng)
    asked = checks.listed(asked=asked)
    for each in asked:
        checks.instance(Rappor, asked=each)
        _ = each.level  # refuses before anything is drawn
    sums = [np.zeros((bloom.cohorts, bloom.bits), dtype=np.int64) for _ in asked]
    clients = np.zeros(bloom.cohorts, dtype=np.int64)
    ends, size = np.cumsum(many), int(many.sum())
    step = max(1, BLOCK // bloom.bits)
    starts = range(0, size, step)
    for start, own in zip(starts, rng.spawn(len(starts)), strict=True):
        items = np.searchsorted(ends, np.arange(start, min(start + step, size)), side="right")
        inside = np.bincount(items - items[0])
        block = {texts[items[0] + i]: int(n) for i, n in enumerate(inside.tolist()) if n}
        survey = RapporSurvey(block, bloom, rng=own)
        for one, rappor in zip(sums, asked, strict=True):
            found = survey.report(rappor)
            one += found.ones
        clients += survey.clients
    return tuple(
        Reports(bloom=bloom, rappor=rappor, ones=one, clients=clients)
        for one, rappor in zip(sums, asked, strict=True)
    )


def _checked(
    counts: Mapping[str, int], bloom: Bloom, rng: np.random.Generator
) -> tuple[list[str], Array]:
    """Texts that somebody has, and how many clients each."""
    checks.instance(Mapping, counts=counts)
    checks.instance(Bloom, bloom=bloom)
    checks.instance(np.random.Generator, rng=rng)
    for text, many in counts.items():
        checks.instance(str, counts=text)
        checks.whole(0, counts=many)
    size = sum(counts.values())
    if not 1 <= size <= MOST_CLIENTS:
        raise ParameterError(
            f"there must be between 1 and {MOST_CLIENTS:,} clients; choose a number in between"
        )
    texts = [text for text, many in counts.items() if many]
    return texts, np.array([counts[text] for text in texts], dtype=np.int64)


def _bits(texts: Sequence[str], items: Array, cohorts: Array, bloom: Bloom) -> Array:
    """The filter of each client, uint8; each pair of text and cohort is hashed once."""
    pairs, place = np.unique(items * bloom.cohorts + cohorts, return_inverse=True)
    of, where = np.divmod(pairs, bloom.cohorts)
    return bloom.filters([texts[i] for i in of.tolist()], where)[place]
