"""Laplace or Gaussian noise: how much each needs for the same (ε, δ), and which needs less.

With L = ln(1/δ), Δ₁ and Δ₂ the sensitivities, and R = Δ₁/Δ₂, which lies between 1 and √d:

    Laplace             b = Δ₁/ε                              standard deviation √2·b, no δ needed
    Laplace, ℓ2         b = Δ₂(√(ε+L) + √L)/(√2·ε)            √2·b      [APT24, Lemma 5.4]
    Gauss, exact        δ(ε; μ = Δ₂/σ) = δ                    σ         [BW18]
    Gauss, classical    σ = Δ₂√(2 ln(1.25/δ))/ε, ε <= 1       σ         [DR14, Theorem A.1]

Laplace noise is the more exact one where δ <= δ*, in closed form (MATHEMATICS 9.1).
Limits: the comparison is at one (ε, δ), for one release. Where one coordinate moves, Laplace noise
that may use δ needs a little less than the pure one; that is `laplace_with_delta`, and the
verdict and δ* are about the pure one. Symbols: dpviz/NOTATION.md.
[APT24] Andersson, Pagh, Torkamani.  [BW18] Balle, Wang.  [DR14] Dwork, Roth.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting.crossover import (
    classical_gaussian_sigma,
    crossover_dimension,
    crossover_log_delta,
)
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.inputs import log_probability, positive
from dpviz.accounting.laplace import l2_mechanism, laplace_l2_scale, laplace_scale
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES, Family
from dpviz.planning.budgets import Setting
from dpviz.planning.tiers import PlannedTier

LAPLACE, GAUSSIAN = FAMILIES["laplace"], FAMILIES["gaussian"]
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

    Raises:
        ParameterError: a number is out of range, or Δ₂ exceeds Δ₁.
    """

    epsilon: float
    log_delta: float
    l1: float
    l2: float

    def __post_init__(self) -> None:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What each noise needs for a question, as standard deviations, and where they cross.

    Attributes:
        question: what was asked.
        laplace: standard deviation of pure Laplace noise, in units of the statistic, as all below.
        laplace_l2: of the ℓ2 Laplace mechanism at this δ.
        laplace_with_delta: of Laplace noise that uses δ; None unless one coordinate moves.
        gaussian: of exactly calibrated Gaussian noise.
        gaussian_classical: of the classical formula; None where it proves nothing (ε > 1).
        crossover: ln δ*; up to it Laplace noise has the smaller variance.
        crossover_classical: the same against the classical formula; None likewise.
        switch: ln δ above which the ℓ2 Laplace scale is below the pure one; 0: it never is.
        moved_up_to: R² up to which Laplace noise has the smaller variance at this (ε, δ).
    """

    question: Question
    laplace: float
    laplace_l2: float
    laplace_with_delta: float | None
    gaussian: float
    gaussian_classical: float | None
    crossover: float
    crossover_classical: float | None
    switch: float
    moved_up_to: float

    def __post_init__(self) -> None:
        checks.positive(
            laplace=self.laplace,
            laplace_l2=self.laplace_l2,
            gaussian=self.gaussian,
            moved_up_to=self.moved_up_to,
        )
        checks.known(
            checks.positive,
            laplace_with_delta=self.laplace_with_delta,
            gaussian_classical=self.gaussian_classical,
        )
        checks.between(-math.inf, 0, crossover=self.crossover, switch=self.switch)
        if self.crossover_classical is not None:
            checks.between(-math.inf, 0, crossover_classical=self.crossover_classical)

    @property
    def better(self) -> Family:
        """The noise of the smaller variance; Laplace where they are equal, for it needs no δ."""
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
    >>> c.better.label, round(c.laplace, 4), round(c.gaussian, 4), round(math.exp(c.crossover), 4)
    ('Laplace', 1.4142, 4.2247, 0.0396)
    """
    epsilon, log_delta, l2 = question.epsilon, question.log_delta, question.l2
    l1 = max(question.l1, l2)
    one = question.moved <= LAST_BITS
    classical = epsilon <= CLASSICAL_UP_TO
    return Choice(
        question=question,
        laplace=math.sqrt(2) * l1 / epsilon,
        laplace_l2=math.sqrt(2) * laplace_l2_scale(epsilon, log_delta, l2),
        laplace_with_delta=math.sqrt(2) * laplace_scale(epsilon, log_delta, l1) if one else None,
        gaussian=gaussian_sigma(epsilon, log_delta, l2),
        gaussian_classical=float(classical_gaussian_sigma(epsilon, log_delta, l2))
        if classical
        else None,
        crossover=float(crossover_log_delta(epsilon, l1, l2)),
        crossover_classical=float(crossover_log_delta(epsilon, l1, l2, gaussian="classical"))
        if classical
        else None,
        switch=l2_mechanism(epsilon, log_delta, l2, l1_sensitivity=l1).log_delta_switch,
        moved_up_to=float(crossover_dimension(epsilon, log_delta)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TierChoice:
    """Which noise one tier of the plan should use, at its own ε."""

    planned: PlannedTier
    choice: Choice


def choose_for_tiers(planned: Sequence[PlannedTier], setting: Setting) -> list[TierChoice]:
    """What each noise would need for the (ε, δ) that each tier has, in the plan's order.

    A tier of Gaussian, Poisson or Skellam noise keeps its ε at a δ; one of Laplace noise keeps it
    without any, and is compared at the plan's δ.

    Args:
        planned: tiers with their budgets.
        setting: what the budgets refer to.

    Returns:
        One entry per tier, in units of the statistic; none for a tier whose ε is 0 at its δ, and
        none at all if nobody can move the statistic.

    >>> from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers
    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, dimension=30,
    ...     sensitivity=Sensitivity.bounded(20))
    >>> for t in choose_for_tiers(read_tiers(as_rows(DEFAULT_TIERS), s)[0], s):
    ...     print(t.planned.name, t.choice.better.label, round(t.choice.factor, 2))
    public Gaussian 2.7
    restricted Gaussian 2.42
    confidential Gaussian 2.14
    top secret Gaussian 1.68
    """
    s = setting.sensitivity
    if not (s.l1 > 0 and s.l2 > 0):
        return []
    found = []
    for p in planned:
        if p.budget.epsilon > 0:
            question = Question(
                epsilon=p.budget.epsilon,
                log_delta=math.log(p.budget.delta or setting.delta),
                l1=s.l1 * setting.step,
                l2=s.l2 * setting.step,
            )
            found.append(TierChoice(planned=p, choice=choose(question)))
    return found
