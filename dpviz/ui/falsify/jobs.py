"""The trials and proofs of the page Falsify, as workers run them: settings in, results out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.audit import Audit, auditing
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.covariance import CovarianceCheck, check_covariances, simulate_covariances
from dpviz.lossless import (
    FiniteMechanism,
    KernelDecision,
    LatticeLaw,
    LeastLoss,
    NoiseDecision,
    decide_kernel,
    decide_noise,
    least_joint_loss,
    only_candidate,
)
from dpviz.lossless.finite import both_ways, greatest
from dpviz.ui.falsify.games import FIRST, Question

SEED = 7  # of everything tried here; it is public
LAW_DRAWS = 80_000  # of each tier, for the test of the joint law: twenty orders of asking
AUDITED = 0.8  # of the time


@dataclass(frozen=True, slots=True)
class Trial:
    """What both checks found; the second is None for a histogram, which has tests of its own."""

    audit: Audit
    law: CovarianceCheck | None


def trial(
    kind: str, name: str, members: tuple[str, ...], runs: int
) -> Iterator[tuple[float, Trial | None]]:
    """Run the auditor, then the test of the joint law; there is a result at the end only.

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
            yield 1.0, Trial(found, law)


@cache
def first() -> Trial:
    """The trial that a visitor meets first: of settings alone, so it is made once for all visitors.

    It takes a tenth of a second, less than a worker takes to begin.
    """
    *_, (_, found) = trial(*FIRST.settings)
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


@dataclass(frozen=True, slots=True)
class MechanismAnswer:
    """Whether a blur makes a mechanism's noisier outcome, and what both outcomes cost together.

    Attributes:
        decision: with its proof.
        alone: ε of the sharper outcome and of the noisier one; infinite where one data set rules an
            outcome out and its neighbour does not.
        apart: ε of both, if each is drawn by itself.
        least: ε of both, drawn together as well as can be; None with a blur, or where ε is
            infinite.
    """

    decision: KernelDecision
    alone: tuple[float, float]
    apart: float
    least: LeastLoss | None


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


def mechanism_answer(
    sharper: FiniteMechanism, noisier: FiniteMechanism, neighbours: tuple[tuple[int, int], ...]
) -> Iterator[tuple[float, MechanismAnswer | None]]:
    """Decide on a mechanism; there is a result at the end only.

    Args:
        sharper: the less private mechanism.
        noisier: the more private one, on the same data sets.
        neighbours: pairs of data sets that one person sets apart.
    """
    yield 0.0, None
    decision = decide_kernel(sharper, noisier)
    yield 0.2, None
    alone = _epsilon(sharper.ratio(neighbours)), _epsilon(noisier.ratio(neighbours))
    rows = zip(sharper.rows, noisier.rows, strict=True)
    both = [tuple(a * b for a in p for b in q) for p, q in rows]
    apart = _epsilon(greatest(both, both_ways(neighbours, len(both))))
    least = None
    if decision.kernel is None and math.isfinite(apart):
        try:
            least = least_joint_loss(sharper, noisier, neighbours)
        except ParameterError:  # ε beyond what it computes with
            least = None
    yield 1.0, MechanismAnswer(decision, alone, apart, least)


def _epsilon(ratio: Fraction | None) -> float:
    return math.inf if ratio is None else math.log(ratio)
