"""The trials of the page Falsify, as workers run them: settings in, results out."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpviz import streams
from dpviz.experiments.audit import Audit, auditing
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.covariance import CovarianceCheck, check_covariances, simulate_covariances
from dpviz.ui.falsify.games import Question

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


def law_of(game: Coalition, path: int) -> CovarianceCheck:
    """The test of the joint law of all tiers that asked."""
    levels = sorted(game.order)
    rng = streams.teaching(SEED, path, 1)
    *_, sample = simulate_covariances(
        game.family, levels, LAW_DRAWS, rng=rng, open_releases=game.open_releases
    )
    return check_covariances(game.family, levels, sample)
