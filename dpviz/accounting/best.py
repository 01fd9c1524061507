"""The smallest valid bound of what a mixture of mechanisms costs together, beside all others.

No bound is the smallest everywhere, and not all hold for mechanisms that are chosen as results come
in: those that need everything fixed in advance are shown, and used only if that is said.
Source: Cesar and Rogers (2021); MATHEMATICS 5.8 to 5.11.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from dpviz.accounting.adaptive_composition import LONGEST, adaptive_composition_epsilon, worst_order
from dpviz.accounting.bounds import ANY_ORDER, EXACT, IN_ADVANCE, UPPER, Best, Bound
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.conversions import zcdp_epsilon
from dpviz.accounting.inputs import Number, log_probability, representable
from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_SUM
from dpviz.accounting.loss_classes import LARGEST_RHO
from dpviz.accounting.mixed_composition import LARGEST_RANGE, mixed_composition_epsilon
from dpviz.accounting.privacy_loss import concentrated as concentrated_loss
from dpviz.accounting.privacy_loss import exponential_mechanism, randomised_response
from dpviz.accounting.pure_composition import LARGEST_COUNT, NAME, PureLosses, enumerable, fewer
from dpviz.accounting.setwise import Mechanisms
from dpviz.errors import ParameterError

UP = 1 + 2.0**-46  # above the rounding of a sum
MOST_DIFFERENT = 30  # budgets of one kind whose losses are convolved; of more, some are raised


def best_epsilon(
    pure: Iterable[Number] = (),
    bounded_range: Iterable[Number] = (),
    concentrated: Iterable[tuple[Number, Number]] = (),
    *,
    log_delta: Number,
    fixed_in_advance: bool = False,
) -> Best:
    """The least epsilon that any bound here proves at this delta, with all bounds that were tried.

    Args:
        pure: epsilon of each pure mechanism, above 0, nats.
        bounded_range: epsilon of each bounded-range mechanism, above 0, nats.
        concentrated: (mu, tau) of each concentrated mechanism, at least 0 each.
        log_delta: ln delta, below 0.
        fixed_in_advance: whether all mechanisms are fixed before the first result is seen. Only
            then may a bound that assumes it be chosen; else it is in the list to compare with.

    Returns:
        the smallest bound that may be used, and all, the smallest first.

    Raises:
        ParameterError: there is no mechanism, or an argument is out of range.

    Source: MATHEMATICS 5.8 to 5.11.

    >>> answer = best_epsilon([0.1] * 10, [0.1] * 10, log_delta=math.log(1e-6))
    >>> round(answer.value, 4), answer.method, answer.chosen.kind
    (1.3801, 'chosen as results come in', 'upper bound')
    >>> fixed = best_epsilon(
    ...     [0.1] * 10, [0.1] * 10, log_delta=math.log(1e-6), fixed_in_advance=True
    ... )
    >>> round(fixed.value, 4), fixed.method, fixed.chosen.kind
    (1.3762, 'fixed in advance', 'exact')
    """
    if not isinstance(fixed_in_advance, bool):
        raise ParameterError("fixed_in_advance must be True or False")
    mechanisms = Mechanisms.of(pure, bounded_range, concentrated)
    log_delta = log_probability(log_delta)
    bounds = sorted(_bounds(mechanisms, log_delta), key=lambda each: each.value)
    usable = (each for each in bounds if fixed_in_advance or each.assumes == ANY_ORDER)
    chosen = next(usable)
    return Best(chosen.value, chosen.name, tuple(bounds))


def _bounds(mechanisms: Mechanisms, log_delta: float) -> list[Bound]:
    """Every bound that applies."""
    xi, rho = mechanisms.zcdp()
    zcdp = representable((xi + zcdp_epsilon(rho * UP, log_delta)) * UP)
    found = [
        Bound(
            "any choice and order",
            mechanisms.equation(log_delta),
            "[BCT20] equation 3; MATHEMATICS 5.8",
            UPPER,
            ANY_ORDER,
        ),
        Bound("zCDP", zcdp, "[CKS20] Proposition 12; MATHEMATICS 3.2, 5.8", UPPER, ANY_ORDER),
    ]
    losses = _losses(mechanisms, log_delta)
    found += [losses] if losses else []
    if mechanisms.concentrated:
        return found
    both = (*mechanisms.pure, *mechanisms.bounded_range)
    found.append(Bound("sum", mechanisms.whole(), "[DMNS06]; MATHEMATICS 5.1", UPPER, ANY_ORDER))
    if mechanisms.bounded_range and len({epsilon for epsilon, _ in both}) == 1:
        found += _equal(mechanisms, both[0][0], log_delta)
    return found


def _losses(mechanisms: Mechanisms, log_delta: float) -> Bound | None:
    """The privacy losses of all convolved; None beyond the limits of a convolution."""
    whole = mechanisms.whole()
    if not (mechanisms.bounded_range or mechanisms.concentrated):
        within = enumerable(mechanisms.pure) or whole <= LARGEST_SUM
        pure = PureLosses(mechanisms.pure) if within else None
        return pure.bound(pure.epsilon(log_delta)) if pure else None
    xi, rho = mechanisms.zcdp()
    if xi > 0 or rho > LARGEST_RHO or whole > LARGEST_SUM or log_delta < -DEEPEST:
        return None
    loss = PrivacyLoss()
    for epsilon, count in fewer(mechanisms.pure, MOST_DIFFERENT):
        loss = loss.compose(randomised_response(epsilon), times=count)
    loss = _classes(mechanisms, loss)
    if not loss.terms:  # nothing but concentrated ones of no cost
        return None
    stated = loss.stated(math.exp(log_delta) * (1 - 1e-12))
    return replace(stated, name=NAME)


def _classes(mechanisms: Mechanisms, loss: PrivacyLoss) -> PrivacyLoss:
    """The loss with those of the mechanisms that are only known by their class.

    A class of mechanisms may be counted together, as zCDP or as one size of bounded range, where
    all else has a fixed worst law. One concentrated mechanism has; several that alternate with
    others of bounded range count together with those, as zCDP.
    """
    rho = math.fsum(tau * tau / 2 for _, tau in mechanisms.concentrated)
    if len(mechanisms.concentrated) < 2:
        for epsilon, count in fewer(mechanisms.bounded_range, MOST_DIFFERENT):
            loss = loss.compose(exponential_mechanism(epsilon), times=count)
    else:
        rho += math.fsum(n * e * e / 8 for e, n in mechanisms.bounded_range)
    return loss.compose(concentrated_loss(rho * UP)) if rho else loss


def _equal(mechanisms: Mechanisms, epsilon: float, log_delta: float) -> list[Bound]:
    """The bounds of mechanisms of one size, at least one of them of bounded range."""
    pure, ranges = (
        sum(n for _, n in counted) for counted in (mechanisms.pure, mechanisms.bounded_range)
    )
    found = []
    if pure + ranges <= LONGEST:
        order = worst_order(pure, ranges)
        found.append(adaptive_composition_epsilon(order, epsilon, log_delta))
    if ranges > 1 and ranges <= LARGEST_RANGE and pure <= LARGEST_COUNT:
        fixed = mixed_composition_epsilon(pure, ranges, epsilon, log_delta)
        theorem = "[BCT20] Theorem 3; MATHEMATICS 5.9"
        found.append(Bound("fixed in advance", fixed, theorem, EXACT, IN_ADVANCE))
    return found
