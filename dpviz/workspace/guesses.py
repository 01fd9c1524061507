"""Harm before Greek: of 1,000 guesses about one person, how many a privacy loss lets be right.

Yes and no are equally likely before; the guesser knows all else and has the best method. Gaussian
noise tells the number exactly, for a person who moves the statistic as far as the bounds allow;
of an ε, with or without a δ, the number is what it allows at most.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dpviz import checks
from dpviz.accounting import JointLoss, gaussian_right_guesses, right_guesses, tradeoff
from dpviz.accounting.composition import ZCDP
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.inputs import Number
from dpviz.accounting.tradeoff import promised_advantage
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, Family
from dpviz.planning.budgets import Budget
from dpviz.words import number
from dpviz.words.claims import Claim, Kind
from dpviz.words.claims import Number as Written
from dpviz.workspace.composition import Part
from dpviz.workspace.composition_totals import UP, loss_of, whole_rho

ALL, COIN = tradeoff.GUESSES, tradeoff.COIN
GUESSER = "The guesser knows everyone else; both answers are equally likely."
EXACT = "500 (1 + advantage of the best test) (MATHEMATICS 5.6)"
BOUND = "500 (1 + what ε and δ allow a test) (MATHEMATICS 5.6)"
BEST = "500 (1 + δ at ε = 0), the best guess (MATHEMATICS 5.6)"
CONVOLVED = f"{BEST}: all losses convolved (5.7)"
BY_MEAN = "the mean loss is at most ρ, then the inequality of Bretagnolle and Huber"
A_COIN = Written(
    f"a coin: {COIN}",
    Claim(
        what="guesses that a coin gets right",
        value=COIN,
        unit=f"of {ALL:,}",
        fixed="yes and no equally likely before",
        method="half of all (MATHEMATICS 5.6)",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectGuesses:
    """Guesses right of 1,000, how true that is, and by which method if it is a special one."""

    value: float
    kind: Kind = "exact"
    method: str = ""

    def __post_init__(self) -> None:
        checks.between(0, ALL, value=self.value)

    @property
    def count(self) -> int:
        """As a whole number, a bound rounded to its own side.

        >>> CorrectGuesses(value=673.4).count, CorrectGuesses(value=731.1, kind="at most").count
        (673, 732)
        """
        if self.kind == "exact":
            return round(self.value)
        return math.ceil(self.value) if self.kind == "at most" else math.floor(self.value)

    @property
    def said(self) -> str:
        """The number as a text.

        >>> CorrectGuesses(value=731.1, kind="at most").said
        'at most 732'
        """
        return f"{self.count:,}" if self.kind == "exact" else f"{self.kind} {self.count:,}"

    def times(self, what: str, fixed: str, one: str = "person") -> Written:
        """How often a guess is right, as it stands in a sentence, with its claim.

        >>> CorrectGuesses(value=673.4).times("right by all tiers", "ρ = 0.4").text
        '673 times in 1,000'
        """
        return Written(f"{self.said} times in {ALL:,}", self.claim(what, fixed, one))

    def claim(self, what: str, fixed: str, one: str = "person") -> Claim:
        """Why the number is what it is; `what` says whose guesses these are, `one` about what."""
        return Claim(
            what=what,
            value=self.value,
            unit=f"of {ALL:,}",
            fixed=f"{fixed}; yes and no equally likely before",
            method=self.method or (EXACT if self.kind == "exact" else BOUND),
            assumes=f"one {one} counts no further than the bounds say",
            kind=self.kind,
        )


def right_by(loss: JointLoss) -> CorrectGuesses:
    """Right guesses about one person by all releases of a joint loss.

    >>> right_by(JointLoss(0.4, 0.0, ZCDP, "the largest")).said
    '673'
    """
    if loss.definition == ZCDP:
        return right_of_rho(loss.value)
    return right_of_epsilon(loss.value, loss.delta)


def right_in_all(loss: JointLoss) -> CorrectGuesses:
    """Right guesses about one person by several statistics together, at most.

    It is reached only where one person moves all of them as far as the bounds allow.

    >>> right_in_all(JointLoss(0.4, 0.0, ZCDP, "added")).said
    'at most 673'
    """
    return replace(right_by(loss), kind="at most")


def right_at(budget: Budget) -> CorrectGuesses:
    """Right guesses about one person by one release at this budget."""
    if budget.letter == "ρ":
        return right_of_rho(budget.loss)
    return right_of_epsilon(budget.epsilon, budget.delta)


def right_of(parts: Sequence[Part]) -> CorrectGuesses:
    """Right guesses about one person by all answers of a sequence together, at most.

    Source: MATHEMATICS 5.6, 5.7.

    >>> from dpviz.workspace.composition import ANY
    >>> round(right_of([Part(answer=ANY, budget=math.log(3))]).value, 6)
    750.0
    """
    return _right_of(tuple(replace(part, note="") for part in parts))


@lru_cache(maxsize=256)  # mathematics of public numbers
def _right_of(parts: tuple[Part, ...]) -> CorrectGuesses:
    try:
        most, method = float(loss_of(parts).delta(0.0)), CONVOLVED
    except ParameterError:  # too small, too large or too many to convolve
        own = math.fsum(part.count * float(part.delta) for part in parts)
        most, method = math.sqrt(-math.expm1(-whole_rho(parts))) * UP + own, BY_MEAN
    return CorrectGuesses(value=right_guesses(min(1.0, most)), kind="at most", method=method)


def right_of_rho(rho: float) -> CorrectGuesses:
    """Right guesses by Gaussian noise at this budget, exactly.

    >>> right_of_rho(0.4).said
    '673'
    """
    return CorrectGuesses(value=gaussian_right_guesses(rho))


def right_of_epsilon(epsilon: float, delta: float = 0.0) -> CorrectGuesses:
    """Right guesses that a promise of ε, and of δ, leaves at most.

    >>> right_of_epsilon(1.0).said
    'at most 732'
    """
    return CorrectGuesses(value=right_guesses(promised_advantage(epsilon, delta)), kind="at most")


def right_between(
    family: Family, moves: float, levels: Sequence[float], epsilon: Number
) -> CorrectGuesses:
    """Right guesses between two values by independent numbers about them, at most.

    Exact but for the rounding up of convolved losses; where these are too small or too large to
    convolve, it is what the sum of all ε allows.

    Args:
        family: the noise.
        moves: how far apart the two values are.
        levels: of the noise of each number; none: a coin.
        epsilon: sum of what the numbers cost.

    >>> from dpviz.noise import ADDITIVE
    >>> right_between(ADDITIVE["laplace"], 1.0, [1.0], 1).said  # 1000 (1 - e^(-1/2) / 2)
    'at most 697'
    """
    try:
        value = _between(family.name, float(moves), tuple(sorted(levels)))
    except ParameterError:
        return right_of_epsilon(float(epsilon))
    return CorrectGuesses(value=value, kind="at most", method=CONVOLVED)


@lru_cache(maxsize=256)  # mathematics of public numbers
def _between(family: str, moves: float, levels: tuple[float, ...]) -> float:
    if not levels:
        return float(COIN)
    loss_at = guarantee_of(ADDITIVE[family]).coordinate_loss
    (first, count), *others = Counter(levels).items()
    together = loss_at(first, moves)
    if count > 1:
        together = together.compose(together, times=count - 1)
    for level, times in others:
        together = together.compose(loss_at(level, moves), times=times)
    return min(float(ALL), right_guesses(min(1.0, float(together.delta(0.0)))) * UP)


def question(value: float, moves: float, *, times: int = 1) -> str:
    """What a guess about a number is asked: which of two values that are this many changes apart.

    >>> question(147.0, 1.0), question(147.0, 1.0, times=5), question(1.0, 1e-17)
    ('147 or 148', '147 or 152', 'this value or one larger by 10⁻¹⁷')
    """
    far = times * moves
    one, other = (number(v, step=moves) for v in (value, value + far))
    return f"{one} or {other}" if one != other else f"this value or one larger by {number(far)}"
