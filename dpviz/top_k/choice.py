"""Which of four mechanisms finds the most common items, at one budget for the list and its counts.

- Known domain, one person moves at most Δ₀ counts: noise in every count, the list is read off.
- Known domain, no such bound: a list by Gumbel noise, then noise in its counts.
- Unknown domain, at most Δ₀: truncated Gaussian noise in every count, and a threshold.
- Unknown domain, no such bound: a list by Gumbel noise that can end, then noise in its counts.

Gumbel lists need no bound, so they are there for restricted data, too: they are better where the
list is short and one person has much. A list and its counts share the budget in halves, which add.
Source: MATHEMATICS 13.6; the table is that of [BCT20] section 6.2.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting import gaussian_sigma, zcdp_epsilon
from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.accounting.search import least
from dpviz.errors import ParameterError
from dpviz.parameters import exact
from dpviz.top_k.costs import list_step
from dpviz.top_k.reach import Reach, UnknownDomain
from dpviz.top_k.truncated import truncation

HISTOGRAM, LIST = "noisy histogram", "Gumbel list"
TRUNCATED, ENDING = "truncated histogram", "Gumbel list that can end"
MECHANISMS = {  # (domain known, one person moves a bounded number of counts) -> mechanism
    (True, True): HISTOGRAM,
    (True, False): LIST,
    (False, True): TRUNCATED,
    (False, False): ENDING,
}
GUMBEL_SD = math.pi / math.sqrt(6)  # of scale 1
MOST_ITEMS = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A mechanism at a budget, in numbers, and why it is the one to use.

    Attributes:
        mechanism: one of `MECHANISMS`.
        scale: of the noise that the list is read from: σ of Gaussian, or the scale of Gumbel noise.
        spread: standard deviation of that noise.
        value_sigma: standard deviation of the noise in each count that is published.
        threshold: what a noisy count must exceed, an unknown domain only; of a list that can end it
            is above the largest count that does not compete.
        epsilon: ε of list and counts together.
        delta: δ likewise.
        step: ε of each draw of a list; None: nothing is drawn item by item.
        log_hidden: ln of the δ that hides which items there are: of a list that can end, or of one
            count of a truncated histogram.
        log_used: ln of the δ' at which the draws of a list compose, or ρ is converted.
        reason: why, in one sentence.
        others: the other mechanisms that could be used, worse ones last.
    """

    mechanism: str
    scale: float
    spread: float
    value_sigma: float
    threshold: float | None
    epsilon: float
    delta: float
    reason: str
    step: Fraction | None = None
    log_hidden: float | None = None
    log_used: float | None = None
    others: "tuple[Choice, ...]" = ()

    def __post_init__(self) -> None:
        checks.one_of(tuple(MECHANISMS.values()), mechanism=self.mechanism)
        checks.positive(scale=self.scale, spread=self.spread, value_sigma=self.value_sigma)
        checks.known(checks.positive, threshold=self.threshold)
        checks.positive(epsilon=self.epsilon)
        checks.between(0, 1, delta=self.delta)
        for name in ("log_hidden", "log_used"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, log_probability(value))
        if self.step is not None:
            checks.instance(Fraction, step=self.step)
            checks.positive(step=float(self.step))

    def named(self, mechanism: str) -> "Choice":
        """This one or one of the others, by its name.

        Raises:
            ParameterError: that mechanism cannot be used here.
        """
        for each in (self, *self.others):
            if each.mechanism == mechanism:
                return each
        raise ParameterError(
            f"mechanism must be one that can be used here: {self.mechanism!r}"
            + "".join(f" or {other.mechanism!r}" for other in self.others)
        )

    @property
    def criterion(self) -> float:
        """What the choice goes by: the threshold if there is one, else the spread of the noise."""
        return self.spread if self.threshold is None else self.threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    k: int
    epsilon: Number
    log_delta: float
    reach: Reach
    seen: int
    whole: bool

    def part(self, share: int) -> float:
        """The ln of one part of δ out of `share`."""
        return self.log_delta - math.log(share)

    @property
    def half(self) -> Fraction:
        return exact(self.epsilon) / 2


def choose_top_k(
    k: int,
    *,
    epsilon: Number,
    log_delta: float,
    reach: Reach,
    known: bool,
    whole: bool = True,
    seen: int = 1000,
) -> Choice:
    """The mechanism that disturbs a list of k items and their counts least.

    Args:
        k: length of the list.
        epsilon: ε for the list and its counts together.
        log_delta: ln of the δ for both.
        reach: what one person can do to the counts.
        known: whether the domain is known, so that the list of all items is public.
        whole: of an unknown domain, whether every item that somebody has can be looked at.
        seen: of an unknown domain, how many of the largest counts a list is drawn from.

    Returns:
        The best one; the others that could be used are in it.

    Raises:
        ParameterError: an argument is out of range, or no mechanism fits.

    >>> one = choose_top_k(10, epsilon=1, log_delta=math.log(1e-6), reach=Reach(l0=3), known=True)
    >>> one.mechanism, round(one.spread, 2), [other.mechanism for other in one.others]
    ('noisy histogram', 7.32, ['Gumbel list'])
    >>> choose_top_k(
    ...     10, epsilon=1, log_delta=math.log(1e-6), reach=Reach(l0=900), known=True
    ... ).mechanism
    'Gumbel list'
    """
    checks.instance(bool, known=known, whole=whole)
    asked = _checked(k, epsilon, log_delta, reach, seen, whole)
    makers: list[Callable[[_Asked], Choice | None]] = [_list if known else _ending]
    if not known and reach.both_ways:
        makers = []
    if reach.l0 is not None and (known or whole):
        makers.append(_histogram if known else _truncated)
    made = [choice for make in makers if (choice := make(asked)) is not None]
    found = sorted(made, key=lambda each: each.criterion)
    if makers and not found:
        raise ParameterError("epsilon is too small for this reach; type a larger one")
    if not found:
        raise ParameterError(
            "no mechanism here fits an unknown domain where one person is replaced by another and "
            "moves any number of counts, or where only the largest are looked at: bound the counts "
            "and pass all, or choose add/remove"
        )
    best, *others = found
    return Choice(
        **{
            name: getattr(best, name)
            for name in Choice.__dataclass_fields__
            if name not in ("reason", "others")
        },
        reason=_reason(best, others, asked),
        others=tuple(others),
    )


def _checked(
    k: int, epsilon: Number, log_delta: float, reach: Reach, seen: int, whole: bool
) -> _Asked:
    checks.instance(Reach, reach=reach)
    k, seen = checks.integer(1, k=k), checks.integer(1, seen=seen)
    if max(k, seen) > MOST_ITEMS:
        raise ParameterError(f"k and seen must be at most {MOST_ITEMS:,}; type smaller ones")
    positive(epsilon=epsilon)
    log_delta = log_probability(log_delta)
    return _Asked(k=k, epsilon=epsilon, log_delta=log_delta, reach=reach, seen=seen, whole=whole)


def _made(asked: _Asked, mechanism: str, **numbers: float | Fraction | None) -> Choice:
    return Choice(
        mechanism=mechanism,
        epsilon=float(asked.epsilon),
        delta=math.exp(asked.log_delta),
        reason="",
        **numbers,  # type: ignore[arg-type]
    )


def _histogram(asked: _Asked) -> Choice:
    """Gaussian noise in every count; one person moves Δ₀ of them."""
    l2 = asked.reach.sensitivity(asked.reach.l0 or 1).l2
    sigma = gaussian_sigma(asked.epsilon, asked.log_delta, l2)
    return _made(asked, HISTOGRAM, scale=sigma, spread=sigma, value_sigma=sigma, threshold=None)


def _list(asked: _Asked) -> Choice:
    """Half of the budget for k draws, half for Gaussian noise in k counts."""
    used = asked.part(2)
    return _of_list(asked, LIST, list_step(asked.half, asked.k, used), log_used=used)


def _ending(asked: _Asked) -> Choice:
    """The same, where a quarter of δ hides that an item is there."""
    part = asked.part(4)
    step = list_step(asked.half, asked.k, part)
    above = UnknownDomain(seen=asked.seen, log_delta=part).above(step, asked.reach)
    return _of_list(asked, ENDING, step, threshold=float(above), log_hidden=part, log_used=part)


def _of_list(
    asked: _Asked,
    name: str,
    step: Fraction,
    *,
    log_used: float,
    threshold: float | None = None,
    log_hidden: float | None = None,
) -> Choice:
    ways = 2 if asked.reach.both_ways else 1
    scale = float(asked.reach.linf * ways / step)
    l2 = asked.reach.sensitivity(asked.k).l2
    return _made(
        asked,
        name,
        scale=scale,
        spread=GUMBEL_SD * scale,
        value_sigma=gaussian_sigma(asked.half, asked.part(2), l2),
        threshold=threshold,
        step=step,
        log_hidden=log_hidden,
        log_used=log_used,
    )


def _truncated(asked: _Asked) -> Choice | None:
    """Half of δ converts ρ, half is for the outcomes that only one neighbour has.

    None where it would take more noise than anybody would publish.
    """
    moved, linf = asked.reach.l0 or 1, asked.reach.linf
    wanted, half = float(asked.epsilon), asked.part(2)

    def excess(sigma: float) -> float:
        return zcdp_epsilon(moved * (linf / sigma) ** 2 / 2, half) - wanted

    sigma = least(excess, linf * math.sqrt(moved), lowest=1e-6 * linf, highest=1e6 * linf)
    if sigma is None:
        return None
    each = half - math.log(moved)
    return _made(
        asked,
        TRUNCATED,
        scale=sigma,
        spread=sigma,
        value_sigma=sigma,
        threshold=linf + truncation(sigma, linf, each),
        log_hidden=each,
        log_used=half,
    )


def _reason(best: Choice, others: list[Choice], asked: _Asked) -> str:
    """Why the best one is the one to use."""
    if not others:
        if asked.reach.l0 is None:
            return (
                "One person may move any number of counts, so only a list of bounded length is "
                "private"
            )
        if best.mechanism == TRUNCATED:
            return "A list that can end is not private where one person replaces another"
        if asked.whole:
            return "At this budget a truncated histogram would drown in noise"
        return "Only the largest counts are looked at, and a histogram needs all of them"
    other = others[0]
    what = "noise that the order is read from" if best.threshold is None else "threshold"
    unit = "standard deviation " if best.threshold is None else ""
    return (
        f"The {what} is smaller than that of the {other.mechanism}: "
        f"{unit}{best.criterion:.3g} against {other.criterion:.3g}"
    )
