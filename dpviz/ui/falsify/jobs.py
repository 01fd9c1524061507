"""The trials and proofs of the page Falsify, as workers run them: settings in, results out."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from dpviz import streams
from dpviz.experiments.audit import Audit, Counted, auditing
from dpviz.experiments.audit_bet import best_bet
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.covariance import CovarianceCheck, check_covariances, simulate_covariances
from dpviz.lossless import LatticeLaw, NoiseDecision, decide_noise, only_candidate
from dpviz.ui.falsify.games import Question

SEED = 7  # of everything tried here; it is public
LAW_DRAWS = 80_000  # of each tier, for the test of the joint law: twenty orders of asking
AUDITED = 0.8  # of the time


@dataclass(frozen=True, slots=True)
class Trial:
    """What was found: the best clue, the noise's law (None for a histogram), and the best bet."""

    audit: Audit
    law: CovarianceCheck | None
    bet: Counted


def trial(
    kind: str, name: str, members: tuple[str, ...], runs: int
) -> Iterator[tuple[float, Trial | None]]:
    """Run the auditor, the test of the joint law and the bets; there is a result at the end only.

    Args:
        kind: of what is tried.
        name: of the noise, or of the broken copy.
        members: tiers that compare notes.
        runs: with Maria, and as many without.
    """
    asked = Question(kind=kind, name=name, members=members, runs=runs)
    game, rng = asked.game, streams.teaching(SEED, asked.path)
    for share, found in auditing(game, runs, rng=rng, delta=asked.delta, digits=asked.digits):
        if found is None:
            yield AUDITED * share, None
        else:
            law = law_of(game, asked.path) if isinstance(game, Coalition) else None
            bets = streams.teaching(SEED, asked.path, 2)
            yield 1.0, Trial(found, law, best_bet(game, runs, rng=bets, digits=asked.digits))


@cache
def first(asked: Question) -> Trial:
    """A trial that a visitor meets first: of settings alone, so made once for all visitors."""
    *_, (_, found) = trial(*asked.settings)
    assert found is not None
    return found


def law_of(game: Coalition, path: int) -> CovarianceCheck:
    """The test of the joint law of all tiers that asked."""
    levels = sorted(game.order)
    rng = streams.teaching(SEED, path, 1)
    *_, sample = simulate_covariances(
        game.family, levels, LAW_DRAWS, rng=rng, open_releases=game.open_releases
    )
    return check_covariances(game.family, levels, sample)


@dataclass(frozen=True, slots=True)
class NoiseAnswer:
    """Whether noise of a visitor's own works, what would have to be added, and the other way round.

    Attributes:
        decision: with its proof.
        candidate: if some chances would do that are below 0, all of them by number.
        exchanged: whether it works once the two columns change places.
    """

    decision: NoiseDecision
    candidate: tuple[tuple[int, Fraction], ...]
    exchanged: bool


def noise_answer(
    sharper: LatticeLaw, noisier: LatticeLaw
) -> Iterator[tuple[float, NoiseAnswer | None]]:
    """Decide on noise; there is a result at the end only.

    Args:
        sharper: the less private noise.
        noisier: the more private noise.
    """
    yield 0.0, None
    decision = decide_noise(sharper, noisier)
    yield 0.6, None
    candidate = only_candidate(sharper, noisier) if decision.negative is not None else None
    exchanged = decision.verdict != "yes" and decide_noise(noisier, sharper).verdict == "yes"
    yield 1.0, NoiseAnswer(decision, tuple(sorted((candidate or {}).items())), exchanged)
