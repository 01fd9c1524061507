"""Laplace or Gaussian noise: how much each needs for the same (ε, δ), and which needs less.

With L = ln(1/δ), Δ₁ and Δ₂ the sensitivities, and R = Δ₁/Δ₂, which lies between 1 and √d:

    Laplace             the least b whose exact (ε, δ) curve keeps δ      standard deviation √2·b
    Laplace, pure ε     b = Δ₁/ε                              √2·b, no δ needed
    Laplace, ℓ2         b = Δ₂(√(ε+L) + √L)/(√2·ε)            √2·b      [APT24, Lemma 5.4]
    Gauss, exact        δ(ε; μ = Δ₂/σ) = δ                    σ         [BW18]
    Gauss, classical    σ = Δ₂√(2 ln(1.25/δ))/ε, ε <= 1       σ         [DR14, Theorem A.1]

The verdict and δ* are those of the exact curves of both; the crossing with pure Laplace noise, in
closed form, is that of the paper (MATHEMATICS 9.1).
Limits: one release at one (ε, δ); at one ρ: see below. The curve of Laplace noise is known where
one person moves R² numbers by the same amount; elsewhere Laplace noise is counted by its pure ε,
an upper bound. Symbols: dpviz/NOTATION.md.
[APT24] Andersson, Pagh, Torkamani.  [BW18] Balle, Wang.  [DR14] Dwork, Roth.

Laplace or Gaussian noise at the same ρ, which is what adds up over many releases.

    Gauss               σ² = Δ₂²/(2ρ)                                   exactly
    Laplace, exact      e + e^(-e) - 1 = ρ/R² for each of R² numbers moved alike, b = Δ₁/(R² e)
    Laplace, by ε²/2    b = Δ₁/√(2ρ), an upper bound: how budgets typed in ρ are read

By the bound Laplace noise has exactly 2R² times the variance of Gaussian noise. Exactly it has less
than twice, and is the smaller one where ρ/R² exceeds 1.63. At the same ε and δ: see above.
Source: MATHEMATICS 3.2, 9.1.
[BS16] Bun, Steinke, arXiv:1605.02065.  [HM25] Harrison, Manurangsi, arXiv:2510.25746.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting.crossover import (
    classical_gaussian_sigma,
    crossover_log_delta,
    gaussian_smaller_between,
    laplace_smaller_up_to,
)
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.inputs import log_probability, positive
from dpviz.accounting.laplace import l2_mechanism, laplace_epsilon_at_rho, laplace_l2_scale
from dpviz.accounting.laplace_composition import HALF, laplace_alike_scale
from dpviz.accounting.levels import gaussian_level, gaussian_rho
from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.noise import ADDITIVE, Family


@dataclass(frozen=True, slots=True, kw_only=True)
class SameRho:
    """Standard deviations of noise that costs the same ρ, in units of the statistic.

    Attributes:
        rho: what is held fixed.
        gaussian: of Gaussian noise.
        laplace: of Laplace noise by its exact ρ; None unless numbers are moved alike.
        laplace_bound: of Laplace noise by ρ = ε²/2.
    """

    rho: float
    gaussian: float
    laplace: float | None
    laplace_bound: float

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho, gaussian=self.gaussian, laplace_bound=self.laplace_bound)
        checks.known(checks.positive, laplace=self.laplace)

    @property
    def ratio(self) -> float:
        """Variance of Laplace noise over that of Gaussian noise; by the bound if need be."""
        least = self.laplace_bound if self.laplace is None else self.laplace
        return (least / self.gaussian) ** 2

    @property
    def ratio_bound(self) -> float:
        """The same by the bound: 2R²."""
        return (self.laplace_bound / self.gaussian) ** 2


def at_rho(rho: float, *, l1: float, l2: float, count: int | None) -> SameRho:
    """What each noise needs to cost ρ.

    Args:
        rho: above 0.
        l1: Δ₁, above 0, in units of the statistic.
        l2: Δ₂, likewise.
        count: R² as a number of coordinates moved alike, or None.

    Raises:
        ParameterError: an argument is out of range, or the noise needed is beyond any float.

    Source: [BS16] Propositions 1.4 and 1.6; [HM25]; MATHEMATICS 3.2, 9.1.

    >>> held = at_rho(0.5, l1=3.0, l2=3**0.5, count=3)
    >>> round(held.ratio, 4), round(held.ratio_bound, 4)
    (1.6344, 6.0)
    """
    rho, l1 = positive(rho=rho), positive(l1=l1)
    exact = None
    if count is not None:
        count = checks.integer(1, count=count)
        exact = math.sqrt(2) * l1 / count / laplace_epsilon_at_rho(rho / count)
    return SameRho(
        rho=rho,
        gaussian=math.sqrt(gaussian_level(rho, l2)),
        laplace=exact,
        laplace_bound=l1 / math.sqrt(rho),
    )


LAPLACE, GAUSSIAN = ADDITIVE["laplace"], ADDITIVE["gaussian"]
CLASSICAL_UP_TO = 1.0  # ε beyond which the classical formula proves nothing
LAST_BITS = 1 + 1e-12  # what rounding may leave between two norms that are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One query and what it is to keep: the point (ε, δ, Δ₁, Δ₂).

    Attributes:
        epsilon: above 0, nats.
        log_delta: ln δ, below 0.
        l1: Δ₁, in units of the statistic.
        l2: Δ₂, likewise; at most Δ₁.
        alike: whether who moves the numbers furthest moves R² of them by the same amount.

    Raises:
        ParameterError: a number is out of range, or Δ₂ exceeds Δ₁.
    """

    epsilon: float
    log_delta: float
    l1: float
    l2: float
    alike: bool = True

    def __post_init__(self) -> None:
        checks.instance(bool, alike=self.alike)
        positive(epsilon=self.epsilon)
        log_probability(self.log_delta)
        positive(l1=self.l1)
        positive(l2=self.l2)
        if self.l2 > self.l1 * LAST_BITS:
            raise ParameterError(
                f"Δ₂ cannot exceed Δ₁, got Δ₁ = {self.l1:g} and Δ₂ = {self.l2:g}: "
                "type a larger Δ₁ or a smaller Δ₂"
            )

    @property
    def moved(self) -> float:
        """R² = (Δ₁/Δ₂)²: how many coordinates one person moves, if each by the same amount.

        >>> Question(epsilon=1.0, log_delta=-14.0, l1=4.0, l2=2.0).moved
        4.0
        """
        return max(1.0, (self.l1 / self.l2) ** 2)

    @property
    def count(self) -> int | None:
        """R² as a whole number of coordinates moved alike; None if it is not such a number.

        >>> Question(epsilon=1.0, log_delta=-14.0, l1=3.0, l2=3**0.5).count
        3
        """
        nearest = round(self.moved)
        whole = abs(self.moved - nearest) <= 1e-9 * nearest
        return nearest if whole and self.alike else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What each noise needs for a question, as standard deviations, and where they cross.

    Attributes:
        question: what was asked.
        laplace: standard deviation of the least Laplace noise, in units of the statistic, as all
            below.
        exact: whether `laplace` and what is compared with it are by the exact curve, δ used; by the
            pure ε, an upper bound, if not.
        laplace_pure: of Laplace noise that keeps ε without any δ.
        laplace_l2: of the ℓ2 Laplace mechanism at this δ.
        gaussian: of exactly calibrated Gaussian noise.
        gaussian_classical: of the classical formula; None where it proves nothing (ε > 1).
        gauss_between: ln δ from which on Gaussian noise is the smaller one, and up to which, at
            most ln 0.5; None where Laplace noise is at every δ up to 0.5.
        crossover_pure: ln δ* of pure Laplace noise, which has the smaller variance up to it.
        crossover_classical: the same against the classical formula; None as `gaussian_classical`.
        switch: ln δ above which the ℓ2 Laplace scale is below the pure one; 0: it never is.
        moved_up_to: R² up to which Laplace noise is no larger at this (ε, δ), moved alike.
    """

    question: Question
    laplace: float
    exact: bool
    laplace_pure: float
    laplace_l2: float
    gaussian: float
    gaussian_classical: float | None
    gauss_between: tuple[float, float] | None
    crossover_pure: float
    crossover_classical: float | None
    switch: float
    moved_up_to: int

    def __post_init__(self) -> None:
        checks.positive(
            laplace=self.laplace,
            laplace_pure=self.laplace_pure,
            laplace_l2=self.laplace_l2,
            gaussian=self.gaussian,
        )
        checks.whole(0, moved_up_to=self.moved_up_to)
        checks.instance(bool, exact=self.exact)
        checks.known(checks.positive, gaussian_classical=self.gaussian_classical)
        checks.between(-math.inf, 0, crossover_pure=self.crossover_pure, switch=self.switch)
        if self.crossover_classical is not None:
            checks.between(-math.inf, 0, crossover_classical=self.crossover_classical)
        for end in self.gauss_between or ():
            checks.between(-math.inf, 0, gauss_between=end)

    @property
    def better(self) -> Family:
        """The noise of the smaller variance; Laplace where they are equal."""
        return LAPLACE if self.laplace <= self.gaussian else GAUSSIAN

    @property
    def factor(self) -> float:
        """Variance of the worse noise over that of the better one, at least 1."""
        ratio = self.laplace / self.gaussian
        return max(ratio, 1 / ratio) ** 2


def choose(question: Question) -> Choice:
    """What each noise needs for a question, and which needs less.

    Args:
        question: the point (ε, δ, Δ₁, Δ₂).

    Returns:
        Standard deviations, and the δ at which the better noise changes.

    Raises:
        ParameterError: the noise needed is beyond any float.

    Source: MATHEMATICS 3.3 to 3.7, 9.1; [APT24] Theorem 1.3.

    >>> c = choose(Question(epsilon=1.0, log_delta=math.log(1e-6), l1=1.0, l2=1.0))
    >>> c.better.label, round(c.laplace, 4), round(c.gaussian, 4)
    ('Laplace', 1.4142, 4.2247)
    >>> [round(math.exp(x), 4) for x in (*c.gauss_between, c.crossover_pure)]
    [0.0629, 0.5, 0.0396]
    """
    epsilon, log_delta, l2 = question.epsilon, question.log_delta, question.l2
    l1 = max(question.l1, l2)
    classical = epsilon <= CLASSICAL_UP_TO
    pure = math.sqrt(2) * l1 / epsilon
    crossover = crossover_log_delta(epsilon, l1, l2)
    least, exact = _least_laplace(question, l1)
    return Choice(
        question=question,
        laplace=pure if least is None else min(pure, math.sqrt(2) * least),
        exact=exact,
        laplace_pure=pure,
        laplace_l2=math.sqrt(2) * laplace_l2_scale(epsilon, log_delta, l2),
        gaussian=gaussian_sigma(epsilon, log_delta, l2),
        gaussian_classical=classical_gaussian_sigma(epsilon, log_delta, l2) if classical else None,
        gauss_between=gauss_between(epsilon, question.moved, question.count),
        crossover_pure=crossover,
        crossover_classical=crossover_log_delta(epsilon, l1, l2, gaussian="classical")
        if classical
        else None,
        switch=l2_mechanism(epsilon, log_delta, l2, l1_sensitivity=l1).log_delta_switch,
        moved_up_to=laplace_smaller_up_to(epsilon, log_delta),
    )


def _least_laplace(question: Question, l1: float) -> tuple[float | None, bool]:
    """Scale of the least Laplace noise by its exact curve, if that is known, and whether it is."""
    if question.count is None:
        return None, False
    try:
        found = laplace_alike_scale(question.epsilon, question.log_delta, l1, moved=question.count)
    except NoGuaranteeError:
        return None, False
    return found, True


def gauss_between(epsilon: float, moved: float, count: int | None) -> tuple[float, float] | None:
    """From which ln δ on Gaussian noise is the smaller one, and up to which, at most ln 0.5.

    Args:
        epsilon: above 0, nats.
        moved: R².
        count: R² as a number of coordinates moved alike: then by the exact curve of Laplace noise;
            None: by its pure ε.

    >>> [round(math.exp(x), 4) for x in gauss_between(1.0, 1.0, None)]
    [0.0396, 0.5]
    """
    try:
        if count is not None:
            return gaussian_smaller_between(epsilon, moved=count)
    except NoGuaranteeError:
        pass
    pure = crossover_log_delta(epsilon, math.sqrt(moved), 1.0)
    return (pure, HALF) if pure < HALF else None


def same_rho(choice: Choice) -> SameRho:
    """The same question at the ρ of the Gaussian noise that it needs.

    >>> question = Question(epsilon=1.0, log_delta=math.log(1e-6), l1=1.0, l2=1.0)
    >>> held = same_rho(choose(question))
    >>> round(held.gaussian, 4), round(held.laplace, 4), round(held.laplace_bound, 4)
    (4.2247, 5.739, 5.9746)
    """
    q = choice.question
    rho = gaussian_rho(choice.gaussian**2, q.l2)
    return at_rho(rho, l1=max(q.l1, q.l2), l2=q.l2, count=q.count)
