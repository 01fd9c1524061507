"""An auditor: a certified lower bound on what a mechanism gives away, from its outputs alone.

The game: the mechanism runs on a table without a person and on the same table with the person, many
times each. On one half of the runs the auditor chooses events that tell the two apart; on the other
half it counts them. A mechanism that is (ε, δ)-DP has, for every event,

    P(event | one) <= e^ε P(event | other) + δ,   so   ε >= ln((P(event | one) - δ) / P(other)),

and the two chances are bounded by intervals of Clopper and Pearson that all hold together with the
stated confidence, over all events that were counted. What is certified holds whatever the mechanism
is; it need not be near the true loss, and "nothing found" proves nothing.
Limits: the certificate is for the runs that were asked for; one who stops early has none.
Source: [CP34]; MATHEMATICS 16.1.

The best bet: how often an attacker who sees the outputs wins a bet on whether a person is there.

A coin decides on which of two tables the mechanism runs; the attacker bets. Someone who bets "yes"
where an event happens wins with chance

    1/2 + (P(event | one table) - P(event | other table)) / 2,

and no promise of a privacy loss lets that be above 1/2 + δ(0)/2, with its δ at ε = 0. The event is
chosen on one half of the runs and counted on the other, as above.
Limits: a bet that wins no more than is promised proves nothing. Source: MATHEMATICS 5.6, 16.1.

The most that a promise lets an event be on one table, given its chance on the other: exactly.

One pair (ε, δ) allows e^ε q + δ. Noise of a known law keeps all its pairs at once, so
the least of them over every ε is what it allows; that is 1 less the trade-off curve of its best
test, and no larger share is possible for that law. For ε below 0 the pair of the same event, turned
round, says the same: δ(-g) = 1 - e^-g + e^-g δ(g).
Limits: the least over a grid that closes in; each point of it is a bound that holds, so that a
coarse grid costs power and no truth. Source: [DRS19, Proposition 6]; MATHEMATICS 5.6 and 16.1.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks, streams
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.errors import ParameterError
from dpviz.experiments.audit_events import Event, Statistic, statistics, thresholds

Floats = NDArray[np.float64]
Looks = Callable[[Floats, Floats], list[Statistic]]
BLOCK = 65_536  # runs at a time
LEAST_RUNS, MOST_RUNS = 1_000, 10_000_000
MOST_TO_CHOOSE = 200_000  # runs of each kind from which events are chosen; the rest are counted
FINALISTS = 4  # events that are counted: their certificates share the confidence
CONFIDENCE = 0.999


class Mechanism(Protocol):
    """What is audited: it runs on one of two tables that differ in one person."""

    def __call__(self, inside: bool, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Outputs of this many runs, with the person or without, shape (size, outputs)."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One event, how often it happened, and what that certifies.

    Attributes:
        event: chosen on other runs.
        likelier: count where it was expected to be likelier.
        other: count on the other table.
        runs: of either kind that were counted.
        miss: chance that one of the two bounds is wrong, at most.
    """

    event: Event
    likelier: int
    other: int
    runs: int
    miss: float

    def __post_init__(self) -> None:
        checks.whole(1, runs=self.runs)
        checks.whole(0, likelier=self.likelier, other=self.other)
        if max(self.likelier, self.other) > self.runs:
            raise ParameterError("runs must be at least each of the two counts")
        checks.probability(miss=self.miss)

    @property
    def at_least(self) -> float:
        """Lower bound of the chance on the table where the event is likelier."""
        return _lowest(self.likelier, self.runs, self.miss)

    @property
    def at_most(self) -> float:
        """Upper bound of the chance on the other table."""
        return 1 - _lowest(self.runs - self.other, self.runs, self.miss)

    @property
    def likelier_at_most(self) -> float:
        """Upper bound of the chance on the table where the event is likelier."""
        return 1 - _lowest(self.runs - self.likelier, self.runs, self.miss)

    @property
    def other_at_least(self) -> float:
        """Lower bound of the chance on the other table."""
        return _lowest(self.other, self.runs, self.miss)

    def epsilon(self, delta: float = 0.0) -> float:
        """The ε that no mechanism with these chances can be below, at this δ.

        Raises:
            ParameterError: δ is not between 0 and 1.

        >>> from dpviz.experiments.audit_events import Seen
        >>> seen = Counted(Event(Seen("number", (0,)), 0.0, True, True), 900, 100, 1000, 0.001)
        >>> round(seen.epsilon(), 2)  # counted: ln 9 = 2.2
        1.88
        """
        checks.between(0, 1, delta=delta)
        excess = self.at_least - delta
        return max(0.0, math.log(excess / self.at_most)) if excess > 0 else 0.0

    def delta(self, epsilon: float) -> float:
        """The δ that no mechanism with these chances can be below, at this ε.

        Raises:
            ParameterError: ε is below 0.
        """
        checks.non_negative(epsilon=epsilon)
        return max(0.0, self.at_least - math.exp(min(epsilon, 700.0)) * self.at_most)


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit certifies, with this confidence, over all events that were counted."""

    counted: tuple[Counted, ...]
    confidence: float

    def __post_init__(self) -> None:
        checks.probability(confidence=self.confidence)
        if not self.counted:
            raise ParameterError("an audit counts at least one event")

    def best(self, delta: float = 0.0) -> Counted:
        """The event that certifies most at this δ."""
        return max(self.counted, key=lambda each: each.epsilon(delta))

    def epsilon(self, delta: float = 0.0) -> float:
        """Certified: the mechanism is (ε, δ)-DP for no smaller ε."""
        return self.best(delta).epsilon(delta)

    def delta(self, epsilon: float) -> float:
        """Certified: the mechanism is (ε, δ)-DP for no smaller δ."""
        return max(each.delta(epsilon) for each in self.counted)


def audit(
    mechanism: Mechanism,
    runs: int,
    *,
    rng: np.random.Generator,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
    looking: Sequence[Statistic] = (),
    digits: bool = True,
) -> Audit:
    """Certify a lower bound on the privacy loss of a mechanism.

    Args:
        mechanism: what is audited.
        runs: with the person, and as many without: at least 1,000.
        rng: its children draw the runs.
        delta: the δ at which the bound on ε is to be large; the result is valid at every δ.
        confidence: that everything certified is true.
        looking: further statistics that know the mechanism.
        digits: whether to look at last binary digits, by which noise that is made of
            floating-point numbers gives the exact answer away, whatever its law.

    Raises:
        ParameterError: a number is out of range, or the mechanism's outputs are no numbers.

    Source: [CP34]; MATHEMATICS 16.1.

    >>> def coin(inside, size, *, rng):  # tells the truth 3 times in 4: ε = ln 3 = 1.1
    ...     return (rng.random((size, 1)) < (0.75 if inside else 0.25)).astype(float)
    >>> round(audit(coin, 100_000, rng=streams.teaching(7)).epsilon(), 1)
    1.1
    """
    steps = auditing(
        mechanism, runs, rng=rng, delta=delta, confidence=confidence, looking=looking, digits=digits
    )
    *_, (_, found) = steps
    if found is None:
        raise ParameterError("an audit that was stopped certifies nothing; let it end")
    return found


def auditing(
    mechanism: Mechanism,
    runs: int,
    *,
    rng: np.random.Generator,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
    looking: Sequence[Statistic] = (),
    digits: bool = True,
) -> Iterator[tuple[float, Audit | None]]:
    """As `audit`, step by step: the share that is done, and at the end what was found.

    Raises:
        ParameterError: as `audit`, at the call.

    >>> def constant(inside, size, *, rng):
    ...     return np.zeros((size, 1))
    >>> steps = auditing(constant, 200_000, rng=streams.teaching(7))
    >>> [(round(share, 2), found is None) for share, found in steps][-2:]
    [(0.81, True), (1.0, False)]
    """
    runs = checks.integer(LEAST_RUNS, runs=runs)
    checks.between(0, 1, delta=delta)
    checks.probability(confidence=confidence)
    if runs > MOST_RUNS:
        raise ParameterError(f"runs must be at most {MOST_RUNS:,}")
    looks = partial(_looks, tuple(looking), digits)
    return _steps(mechanism, runs, delta, confidence, looks, rng)


def _steps(
    mechanism: Mechanism,
    runs: int,
    delta: float,
    confidence: float,
    looks: Looks,
    rng: np.random.Generator,
) -> Iterator[tuple[float, Audit | None]]:
    miss = (1 - confidence) / (2 * FINALISTS)
    to_choose = min(runs // 2, MOST_TO_CHOOSE)
    done, kept = 0, []
    for pair in blocks(mechanism, to_choose, rng=rng):
        kept.append(pair)
        done += len(pair[0])
        yield 0.98 * done / runs, None
    out, inside = (np.concatenate(each) for each in zip(*kept, strict=True))
    chosen = _chosen(out, inside, looks, delta, miss)
    counts = np.zeros((len(chosen), 2), dtype=np.int64)
    for pair in blocks(mechanism, runs - to_choose, rng=rng):
        counts += [[event.count(each) for each in pair] for event in chosen]
        done += len(pair[0])
        if done < runs:
            yield 0.98 * done / runs, None
    found = []
    for event, (out_of, in_it) in zip(chosen, counts.tolist(), strict=True):
        likelier, other = (in_it, out_of) if event.inside else (out_of, in_it)
        found.append(Counted(event, likelier, other, runs - to_choose, miss))
    yield 1.0, Audit(tuple(found), confidence)


def blocks(
    mechanism: Mechanism, runs: int, *, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Draw runs without the person and with, block by block.

    Args:
        mechanism: what is run.
        runs: of either kind.
        rng: its children draw the runs.

    Raises:
        ParameterError: the mechanism's outputs are no rows of numbers, one for each run.

    >>> def constant(inside, size, *, rng):
    ...     return np.zeros((size, 1))
    >>> [len(out) for out, inside in blocks(constant, 70_000, rng=streams.teaching(7))]
    [65536, 4464]
    """
    for start in range(0, runs, BLOCK):
        size = min(BLOCK, runs - start)
        pair = tuple(
            np.asarray(
                mechanism(inside, size, rng=streams.child_for_simulation(rng)), dtype=np.float64
            )
            for inside in (False, True)
        )
        for each in pair:
            checks.arrays(2, outputs=each)
            if len(each) != size:
                raise ParameterError("a mechanism must return one row of outputs for each run")
        yield pair[0], pair[1]


def _looks(
    looking: Sequence[Statistic], digits: bool, out: Floats, inside: Floats
) -> list[Statistic]:
    """All that is looked at: what the caller brings, and what these runs suggest."""
    return [*looking, *statistics(out, inside, digits=digits)]


def _chosen(out: Floats, inside: Floats, looks: Looks, delta: float, miss: float) -> list[Event]:
    """The best event of each of the best statistics, learned on one half and cut on the other."""
    half = len(out) // 2
    candidates = [
        _cut(each, out[half:], inside[half:], delta, miss)
        for each in looks(out[:half], inside[:half])
    ]
    best = sorted(candidates, key=lambda found: found[0], reverse=True)
    return [event for _, event in best[:FINALISTS]]


def _cut(
    statistic: Statistic, out: Floats, inside: Floats, delta: float, miss: float
) -> tuple[float, Event]:
    """The threshold at which a statistic promises the largest certificate, and that certificate."""
    scores = [np.sort(statistic.of(runs)) for runs in (out, inside)]
    places = thresholds(np.concatenate(scores))
    upto = np.array([np.searchsorted(each, places, side="right") for each in scores])
    counts = np.array([upto, len(out) - upto])  # at most, above; without, with; threshold
    spread = -special.ndtri(miss)
    least = _shifted(counts, -spread) / len(out)
    most = _shifted(counts, spread) / len(out)
    other = most[:, ::-1]
    bound = np.log(np.maximum(least - delta, 1e-300)) - np.log(other)
    side, table, place = np.unravel_index(int(np.argmax(bound)), bound.shape)
    event = Event(statistic, float(places[place]), bool(side == 1), bool(table == 1))
    return float(bound[side, table, place]), event


def _shifted(counts: NDArray[np.int64], spread: float) -> Floats:
    """About the end of an interval of a Poisson mean: quick, and good enough to choose by."""
    return np.asarray(counts + spread**2 / 2 + spread * np.sqrt(counts + spread**2 / 4))


def _lowest(count: int, runs: int, miss: float) -> float:
    """Clopper and Pearson: the chance at which this many or more have the probability `miss`."""
    return float(special.betaincinv(count, runs - count + 1, miss)) if count else 0.0


def best_bet(
    mechanism: Mechanism,
    runs: int,
    *,
    rng: np.random.Generator,
    confidence: float = CONFIDENCE,
    digits: bool = True,
) -> Counted:
    """Find the event on which a bet wins most often, and count it on other runs.

    Args:
        mechanism: what is bet on.
        runs: with the person, and as many without: at least 1,000. Half of them, and at most
            200,000, choose the event.
        rng: its children draw the runs.
        confidence: of both intervals together.
        digits: whether to look at last binary digits.

    Raises:
        ParameterError: a number is out of range, or the mechanism's outputs are no numbers.

    >>> from dpviz import streams
    >>> def coin(inside, size, *, rng):  # tells the truth 3 times in 4
    ...     return (rng.random((size, 1)) < (0.75 if inside else 0.25)).astype(float)
    >>> round(wins(best_bet(coin, 100_000, rng=streams.teaching(7))), 2)
    0.75
    """
    runs = checks.integer(LEAST_RUNS, runs=runs)
    checks.probability(confidence=confidence)
    if runs > MOST_RUNS:
        raise ParameterError(f"runs must be at most {MOST_RUNS:,}")
    to_choose = min(runs // 2, MOST_TO_CHOOSE)
    kept = list(blocks(mechanism, to_choose, rng=rng))
    out, inside = (np.concatenate(each) for each in zip(*kept, strict=True))
    half = to_choose // 2
    looks = statistics(out[:half], inside[:half], digits=digits)
    _, event = max(
        (_tuned(each, out[half:], inside[half:]) for each in looks), key=lambda found: found[0]
    )
    counts = [0, 0]
    for pair in blocks(mechanism, runs - to_choose, rng=rng):
        counts = [have + event.count(each) for have, each in zip(counts, pair, strict=True)]
    likelier, other = (counts[1], counts[0]) if event.inside else (counts[0], counts[1])
    return Counted(event, likelier, other, runs - to_choose, (1 - confidence) / 2)


def wins(counted: Counted) -> float:
    """Share of the tries that a bet on this event won, those with the person and those without.

    >>> from dpviz.experiments.audit_events import Seen
    >>> wins(Counted(Event(Seen("number", (0,)), 0.0, True, True), 700, 300, 1000, 0.001))
    0.7
    """
    return (counted.likelier + counted.runs - counted.other) / (2 * counted.runs)


def _tuned(statistic: Statistic, out: Floats, inside: Floats) -> tuple[float, Event]:
    """The threshold at which a bet on a statistic wins most often, and by how much."""
    scores = [np.sort(statistic.of(runs)) for runs in (out, inside)]
    places = thresholds(np.concatenate(scores))
    upto = np.array([np.searchsorted(each, places, side="right") for each in scores])
    apart = (upto[1] - upto[0]) / len(out)  # at most the threshold: likelier with the person
    place = int(np.argmax(np.abs(apart)))
    below = bool(apart[place] > 0)  # then "at most" speaks for the person, and "above" against
    return float(abs(apart[place])), Event(statistic, float(places[place]), False, below)


POINTS, ZOOMS = 33, 9  # of the grid, and how often it closes in
FURTHEST = 40.0  # ε that is looked at; beyond, e^ε q is above 1 for every chance that is counted


@lru_cache(maxsize=512)
def most_allowed(promise: PrivacyLoss, rare: float) -> float:
    """The largest chance on one table of an event whose chance on the other one is at most `rare`.

    Args:
        promise: the loss of what is promised.
        rare: from 0 to 1.

    Raises:
        ParameterError: the promise is no loss, or the chance is out of range.

    >>> from dpviz.accounting.privacy_loss import gaussian, laplace
    >>> round(most_allowed(gaussian(0.6**0.5), 0.0036), 3)  # ρ = 0.3
    0.028
    >>> round(most_allowed(laplace(1.0, 1.0), 0.01), 4)  # pure: e times as much
    0.0272
    """
    checks.instance(PrivacyLoss, promise=promise)
    checks.between(0, 1, rare=rare)
    low, high, found = -FURTHEST, FURTHEST, 1.0
    for _ in range(1 + ZOOMS):
        grid = np.linspace(low, high, POINTS)
        size = np.abs(grid)
        delta = np.asarray(promise.delta(size), dtype=np.float64)
        shrunk = np.exp(-size)
        allowed = np.where(
            grid >= 0, rare / shrunk + delta, 1 - shrunk * np.maximum(1 - rare - delta, 0.0)
        )
        place = int(np.argmin(allowed))
        found = min(found, float(allowed[place]))
        low, high = grid[max(place - 1, 0)], grid[min(place + 1, POINTS - 1)]
    return found
