"""The best bet: how often an attacker who sees the outputs wins a bet on whether a person is there.

A coin decides on which of two tables the mechanism runs; the attacker bets. Someone who bets "yes"
where an event happens wins with chance

    1/2 + (P(event | one table) - P(event | other table)) / 2,

and no promise of a privacy loss lets that be above 1/2 + δ(0)/2, with its δ at ε = 0. The event is
chosen on one half of the runs and counted on the other, as by `dpviz.experiments.audit`.
Limits: a bet that wins no more than is promised proves nothing. Source: MATHEMATICS 5.6, 16.1.
"""

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.audit import (
    CONFIDENCE,
    LEAST_RUNS,
    MOST_RUNS,
    MOST_TO_CHOOSE,
    Counted,
    Mechanism,
    blocks,
)
from dpviz.experiments.audit_events import Event, Statistic, statistics, thresholds

Floats = NDArray[np.float64]


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
        (_cut(each, out[half:], inside[half:]) for each in looks), key=lambda found: found[0]
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


def _cut(statistic: Statistic, out: Floats, inside: Floats) -> tuple[float, Event]:
    """The threshold at which a bet on a statistic wins most often, and by how much."""
    scores = [np.sort(statistic.of(runs)) for runs in (out, inside)]
    places = thresholds(np.concatenate(scores))
    upto = np.array([np.searchsorted(each, places, side="right") for each in scores])
    apart = (upto[1] - upto[0]) / len(out)  # at most the threshold: likelier with the person
    place = int(np.argmax(np.abs(apart)))
    below = bool(apart[place] > 0)  # then "at most" speaks for the person, and "above" against
    return float(abs(apart[place])), Event(statistic, float(places[place]), False, below)
