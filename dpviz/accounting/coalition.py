"""What a coalition has learned together, under each way of serving tiers.

An entry of `rhos` or `epsilons` is a person; several may hold the same tier. Under lossless,
splitting, averaged and doubling members of one tier hold the same numbers, which count once; under
independent and global the noise of all is independent. In units of the sensitivity, with t = 1/rho
for every person and g = 1/global rho,

    lossless, averaged  max rho    independent  sum rho    splitting, doubling  sum of pieces held
    global    1 / (g + 1 / sum(1 / (t_i - g)))       a member at the global budget: global rho

The precision of what is held adds as rho does: for Gaussian noise it is 2 rho / l2². With pure
epsilon the same pieces add; under global two persons can hold equal values, and so the global
release and its budget. Budgets are exact fractions, rounded up once at the end.
Source: MATHEMATICS 5.4.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from dpviz.accounting.bounds import Stated
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.schemes import GLOBAL, SCHEMES, budgets, check_scheme, pieces, total, upward
from dpviz.errors import ParameterError
from dpviz.parameters import exact

WORST = "two members who hold equal values hold the global release"


def coalition_rho(
    rhos: Iterable[Number],
    scheme: str,
    *,
    tiers: Iterable[Number] | None = None,
    global_rho: Number | None = None,
) -> Stated:
    """Joint zCDP budget of the members of a coalition (formulas in the module's docstring).

    Args:
        rhos: one budget per person.
        scheme: one of SCHEMES.
        tiers: budgets of all tiers, needed by splitting, averaged and doubling.
        global_rho: budget of the global release, needed by global.

    Returns:
        rho, exact and rounded up once; and which budgets were counted.

    Raises:
        ParameterError: an unknown scheme, no member, tiers or global_rho missing, a budget that
            is not a tier (splitting, averaged), below all tiers (doubling) or above the global
            one.

    Source: MATHEMATICS 5.4; additivity of zCDP, Bun and Steinke (2016), Lemma 1.7.

    >>> coalition_rho([0.5, 0.3, 0.1], "lossless").value
    0.5
    >>> [round(coalition_rho([0.1] * k, "global", global_rho=1.0).value, 4) for k in (2, 4, 16)]
    [0.1818, 0.3077, 0.64]
    """
    check_scheme(scheme)
    members = budgets(rhos, "rhos")
    if scheme == GLOBAL:
        whole = _global(members, "rho", global_rho)
        return Stated(upward(_seen_through(members, whole)), f"{SCHEMES[scheme].held}, exact")
    whole = total(pieces(members, scheme, tiers))
    return Stated(upward(whole), f"{SCHEMES[scheme].held}, exact for Gaussian noise")


def coalition_epsilon(
    epsilons: Iterable[Number],
    scheme: str,
    *,
    tiers: Iterable[Number] | None = None,
    global_epsilon: Number | None = None,
) -> Stated:
    """Joint pure budget of the members of a coalition, all with Laplace noise.

    Args:
        epsilons: one budget per person, nats.
        scheme: one of SCHEMES.
        tiers: budgets of all tiers, needed by splitting, averaged and doubling.
        global_epsilon: budget of the global release, needed by global.

    Returns:
        epsilon in nats, exact for delta = 0 and rounded up once; and which budgets were counted.

    Raises:
        ParameterError: as `coalition_rho`.

    Source: MATHEMATICS 5.4; basic composition (Dwork et al. 2006), which Laplace noise attains.
    At a delta above 0 independent releases cost less: `composed_laplace_epsilon`.

    >>> coalition_epsilon([0.1, 0.1], "global", global_epsilon=1.0).value
    1.0
    """
    check_scheme(scheme)
    members = budgets(epsilons, "epsilons")
    if scheme == GLOBAL:
        whole = _global(members, "epsilon", global_epsilon)
        if len(members) > 1:
            return Stated(upward(whole), f"the global budget: {WORST}")
        return Stated(upward(members[0]), "the budget of the only member, exact")
    whole = total(pieces(members, scheme, tiers))
    return Stated(upward(whole), f"{SCHEMES[scheme].held}, exact for δ = 0")


def _global(members: list[Fraction], name: str, value: Number | None) -> Fraction:
    """The checked global budget; nobody may hold more."""
    if value is None:
        raise ParameterError(f"the scheme 'global' needs global_{name}; pass the global budget")
    positive(**{f"global_{name}": value})
    whole = exact(value)
    if max(members) > whole:
        raise ParameterError(
            f"budget {float(max(members)):g} is above global_{name} {float(whole):g}; pass a "
            "global budget that nobody exceeds"
        )
    return whole


def _seen_through(precisions: list[Fraction], whole: Fraction) -> Fraction:
    """Joint precision 1 / (g + 1 / sum(1 / (t_i - g))), t = 1/precision, g = 1/whole.

    With s = sum(precision / (whole - precision)) it is whole s / (1 + s).
    """
    if max(precisions) == whole:
        return whole
    above, below = 0, 1  # the sum of each / (whole - each), not reduced until the end
    for each, count in Counter(precisions).items():
        own = each * whole.denominator  # over the denominator of the whole
        gap = whole.numerator * own.denominator - own.numerator
        above, below = above * gap + count * own.numerator * below, below * gap
    return whole * Fraction(above, above + below)
