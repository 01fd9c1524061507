"""Words of warning about budgets that promise next to nothing; none about the others.

ε bounds what a release can do to anybody's odds about a person: they change by a factor of at most
e^ε (Dwork and Roth 2014, section 2.3). With (ε, δ) no probability changes by more than that factor
plus δ.
Limits: a rule of thumb about one budget, no verdict on a plan.
"""

import math

from dpviz.errors import UnsureError
from dpviz.parameters import power_of_ten
from dpviz.planning.budgets import Budget

# e^10 = 22,026: a guess of one in a thousand may become a certainty of 96 in a hundred, so the
# promise alone protects nobody whom an attacker looks at; published practice is rarely above it.
LARGE_EPSILON = 10.0
# Publishing the whole row of each person with probability δ is (0, δ)-DP: of a thousand people, a δ
# of one in a thousand lets one be exposed. A δ below 1 / number of people is a rule of
# thumb: publishing one person at random passes it.
LARGE_DELTA = 1e-3


def warning(budget: Budget) -> str | None:
    """One sentence if this budget promises little, else None; to follow the tier's name.

    >>> from dpviz.planning.budgets import Amount, Setting, resolve
    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> print(warning(resolve("ε", Amount(10.5), s)))
    a privacy loss this large promises little: it lets the odds of a guess change by a factor of \
about 36,000.
    >>> warning(resolve("ε", Amount(1), s)) is None
    True
    """
    if budget.epsilon > LARGE_EPSILON:
        return (
            "a privacy loss this large promises little: it lets the odds of a guess change by a "
            f"factor of {_factor(budget.epsilon)}."
        )
    if budget.delta > LARGE_DELTA:
        return (
            "a δ this large promises little: publishing everything about one in "
            f"{1 / budget.delta:,.0f} would keep it, too."
        )
    return None


def check_meant(name: str, wanted: Budget, sure: bool) -> None:
    """Let a budget that promises next to nothing pass only where it is meant.

    Raises:
        UnsureError: if it is not.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Setting
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> from dpviz.planning.budgets import Amount, resolve
    >>> check_meant("Tier audit", resolve("ε", Amount(10.5), s), sure=True)
    """
    caution = warning(wanted)
    if caution is not None and not sure:
        raise UnsureError(f"{name}: {caution}")


def _factor(epsilon: float) -> str:
    """e^ε with two digits, or its power of ten."""
    power = epsilon / math.log(10)
    if power < 6:
        return f"about {round(math.exp(epsilon), 1 - math.floor(power)):,.0f}"
    return f"more than {power_of_ten(math.floor(power))}"
