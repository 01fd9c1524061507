"""Sharpen until it is good enough, and pay for where it stopped: noise reduction on one path.

Levels are asked for from noisy to sharp until a rule is content. Seen from what was shown in the
end, all of it is made from the last release, so the privacy loss of that outcome is the loss of the
last release alone, and not the sum of all, nor that of the sharpest level that was on offer:

    Laplace, discrete Laplace   ε = Δ₁/b of the last release, always
    Gaussian                    μ²/2 + μ z at the last release, μ = Δ₂/√t, but for a probability δ,
                                where z is the (1 - δ/K)-quantile of the normal law, for K levels

The rule sees releases only. One that looks at the exact values tells more than any release, since
where it stops is a fact about them; `PrivateRule` asks them through noise, at a cost that is added.
What is charged beforehand is another number: before anybody looks, all levels may be reached, so a
ledger counts the sharpest (and the rule). An outcome's loss is no tier's loss.
Source: Ligett, Neel, Roth, Waggoner and Wu (2017), Whitehouse, Ramdas, Wu and Rogers (2022);
MATHEMATICS 5.13.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from dpviz import checks, streams
from dpviz.accounting.composition import PURE, ZCDP
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.levels import gaussian_rho, laplace_epsilon
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array, Family
from dpviz.parameters import USUAL_DELTA
from dpviz.queries import Sensitivity
from dpviz.release.session import MultipleRelease

MOST_LEVELS = 10_000
UP = 1 + 2.0**-46  # above the rounding of a sum
LAPLACE_THEOREM = "Ligett et al. (2017), noise reduction; MATHEMATICS 5.13"
GAUSSIAN_THEOREM = "Whitehouse et al. (2022), a bound for each level; MATHEMATICS 5.13"
Rule = Callable[[Array, float], bool]  # the released numbers and their level


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeLoss:
    """The privacy loss of where it stopped.

    Attributes:
        epsilon: no outcome is more than e^epsilon times as likely without one person, in nats.
        delta: the probability with which that may fail; 0 if it never does.
        theorem: where it is proved.
    """

    epsilon: float
    delta: float
    theorem: str

    def __post_init__(self) -> None:
        checks.non_negative(epsilon=self.epsilon)
        checks.between(0, 1, delta=self.delta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharpened:
    """Where sharpening stopped.

    Attributes:
        release: the last release.
        level: its level.
        met: whether the rule was content; if not, it is the sharpest level there was.
        levels: all levels that were asked for, noisy first.
        loss: of this outcome.
        charged: what a ledger counts, as nobody knew beforehand where it would stop: of the
            sharpest level on offer.
    """

    release: Array
    level: float
    met: bool
    levels: tuple[float, ...]
    loss: OutcomeLoss
    charged: OutcomeLoss

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        for level in self.levels:
            checks.positive(levels=level)
        checks.arrays(np.ndim(self.release), release=self.release)


class PrivateRule:
    """A rule that looks at the exact values through noise: whether a release is near them.

    It is AboveThreshold: a bound with Laplace noise of scale 2Δ/ε, drawn once, and for each release
    the distance with noise of scale 4Δ/ε. It ends with the first yes. All answers together are
    ε-DP, whatever the releases are, and ε is added to the loss.
    """

    def __init__(
        self,
        values: Array,
        within: float,
        epsilon: float,
        *,
        sensitivity: Sensitivity,
        rng: np.random.Generator,
    ) -> None:
        """A rule that is used for one sharpening.

        Args:
            values: the exact values.
            within: content if no number is further off than about this, in steps.
            epsilon: of the rule, in nats.
            sensitivity: of the values; the largest distance moves by at most Δ∞.
            rng: the generator of its noise, of practice; its numbers are in floating point.

        Raises:
            ParameterError: an argument is out of range.
        """
        checks.positive(within=within, epsilon=epsilon)
        if streams.mode_of(rng) == "hardened":
            raise ParameterError(
                "this rule draws floating-point noise, whose last digits give values away: it is "
                "for practice; pass streams.teaching(seed)"
            )
        self.epsilon, self._rng, self._done = epsilon, rng, False
        self._values = np.array(values, dtype=np.float64)
        self._scale = sensitivity.linf / epsilon
        self._bound = within + rng.laplace(0, 2 * self._scale) if self._scale else within

    def __call__(self, release: Array, level: float) -> bool:
        """Whether the release is near enough, by noisy comparison."""
        del level
        if self._done:
            raise ParameterError("this rule has said yes, which ends it; make another one")
        off = float(np.abs(np.asarray(release) - self._values).max())
        noise = self._rng.laplace(0, 4 * self._scale) if self._scale else 0.0
        self._done = off + noise <= self._bound
        return self._done


def sharpen(
    session: MultipleRelease,
    levels: Sequence[float],
    enough: Rule | PrivateRule,
    *,
    sensitivity: Sensitivity | None = None,
    delta: float = USUAL_DELTA,
) -> Sharpened:
    """Ask a session for less and less noise until it is enough.

    Args:
        session: of Laplace, discrete Laplace or Gaussian noise, that holds nothing less noisy than
            the first level.
        levels: from noisy to sharp, all that will be on offer in this session, chosen before
            anything is released.
        enough: of the released numbers and their level, whether that is enough. It must know no
            more of the exact values than these, unless it is a `PrivateRule`.
        sensitivity: of the values; None: one person moves one of them by 1.
        delta: of Gaussian noise, the probability with which its bound may fail.

    Returns:
        The last release, its level and the loss of this outcome.

    Raises:
        ParameterError: the levels do not descend, the session holds a sharper release, its noise
            has no such bound, or the rule answers neither yes nor no.
        SealedError: the session is sealed at a noisier level.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> session = MultipleRelease([312], FAMILIES["discrete_laplace"], rng=streams.teaching(7))
    >>> found = sharpen(session, [64.0, 16.0, 4.0, 1.0], relative(0.1, 2.0))
    >>> found.level, found.met, found.loss.epsilon
    (4.0, True, 0.25)
    """
    family = _family(session)
    listed = _descending(levels)
    moved = Sensitivity.bounded(1) if sensitivity is None else sensitivity
    checks.instance(Sensitivity, sensitivity=moved)
    checks.probability(delta=delta)
    if session.levels and session.levels[0] < listed[0]:
        raise ParameterError(
            f"the session holds a release at level {session.levels[0]!r}, less noisy than the "
            f"first level {listed[0]!r}: it tells more than these; open a session of its own"
        )
    added = enough.epsilon if isinstance(enough, PrivateRule) else 0.0
    asked: list[float] = []
    met = False
    for level in listed:
        release = session.release(level)
        asked.append(level)
        met = _answer(enough(release, level))
        if met:
            break

    def loss(level: float) -> OutcomeLoss:
        found = outcome_loss(family, level, moved, levels=len(listed), delta=delta)
        return replace(found, epsilon=found.epsilon + added)

    return Sharpened(
        release=release,
        level=level,
        met=met,
        levels=tuple(asked),
        loss=loss(level),
        charged=loss(listed[-1]),
    )


def outcome_loss(
    family: Family,
    level: float,
    sensitivity: Sensitivity,
    *,
    levels: int,
    delta: float = USUAL_DELTA,
) -> OutcomeLoss:
    """The loss of an outcome whose last release has this level, one of K on offer.

        Laplace, discrete Laplace   Δ₁/b
        Gaussian                    μ²/2 + μ Φ⁻¹(1 - δ/K),  μ = Δ₂/√t

    Args:
        family: the noise.
        level: of the last release.
        sensitivity: of the values, in steps.
        levels: K.
        delta: of Gaussian noise.

    Raises:
        ParameterError: the family has no such bound, or an argument is out of range.

    >>> from dpviz.noise import FAMILIES
    >>> one = Sensitivity.bounded(1)
    >>> outcome_loss(FAMILIES["laplace"], 4.0, one, levels=10).epsilon
    0.25
    >>> round(outcome_loss(FAMILIES["gaussian"], 100.0, one, levels=10).epsilon, 4)
    0.5249
    """
    checks.whole(1, levels=levels)
    checks.probability(delta=delta)
    checks.positive(level=level)
    if _definition(family) == PURE:
        return OutcomeLoss(
            epsilon=laplace_epsilon(level, sensitivity.l1), delta=0.0, theorem=LAPLACE_THEOREM
        )
    mu = math.sqrt(2 * gaussian_rho(level, sensitivity.l2))
    quantile = max(0.0, -float(special.ndtri(delta / levels)))
    epsilon = (mu * mu / 2 + mu * quantile) * UP
    return OutcomeLoss(epsilon=epsilon, delta=delta, theorem=GAUSSIAN_THEOREM)


def relative(share: float, quantile: float) -> Rule:
    """A rule: the noise is at most this share of each released number.

    Args:
        share: above 0, as 0.1 for 10 %.
        quantile: how many levels off a number may be: of Laplace noise 3.0 for 95 %.

    Raises:
        ParameterError: a number is not above 0.

    >>> relative(0.1, 3.0)(np.array([300.0]), 16.0), relative(0.1, 3.0)(np.array([300.0]), 8.0)
    (False, True)
    """
    checks.positive(share=share, quantile=quantile)
    return lambda release, level: bool(np.all(quantile * level <= share * np.abs(release)))


def decided(threshold: float, quantile: float) -> Rule:
    """A rule: each released number is on one side of a threshold by more than the noise.

    Args:
        threshold: that decides.
        quantile: how many levels off a number may be.

    Raises:
        ParameterError: the quantile is not above 0, or the threshold is no number.

    >>> decided(250.0, 3.0)(np.array([300.0]), 16.0), decided(250.0, 3.0)(np.array([260.0]), 16.0)
    (True, False)
    """
    checks.finite(threshold=threshold)
    checks.positive(quantile=quantile)
    return lambda release, level: bool(np.all(np.abs(release - threshold) > quantile * level))


def _family(session: MultipleRelease) -> Family:
    checks.instance(MultipleRelease, session=session)
    family = ADDITIVE.get(session.family.name)
    if family is None:
        raise ParameterError("this noise is added to no number: use Laplace or Gaussian noise")
    _definition(family)
    return family


def _definition(family: Family) -> str:
    definition = guarantee_of(family).definition
    if definition not in (PURE, ZCDP):
        raise ParameterError(
            f"{family.label} noise has no bound for single outcomes here: use Laplace, discrete "
            "Laplace or Gaussian noise"
        )
    return definition


def _descending(levels: Sequence[float]) -> list[float]:
    listed = [float(level) for level in checks.listed(levels=levels)]
    for level in listed:
        checks.positive(level=level)
    falls = all(b < a for a, b in itertools.pairwise(listed))
    if not listed or not falls or len(listed) > MOST_LEVELS:
        raise ParameterError(
            f"levels must be 1 to {MOST_LEVELS:,} levels, each below the one before: from noisy to "
            "sharp"
        )
    return listed


def _answer(said: object) -> bool:
    if not isinstance(said, bool | np.bool_):
        raise ParameterError(f"enough must answer True or False, got {type(said).__name__}")
    return bool(said)
