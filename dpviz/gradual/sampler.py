"""Draw the steps of a path: from the sharpest budget down, and from there up.

The sizes of jumps are draws of the family's own `extend` from level 0; numbers of jumps are draws
of the Poisson family. New is the clock alone: where between two budgets a jump is, and upwards
whether it goes inwards, and then to which place between the truth and the value.
Laplace noise of scale b is b times noise of scale 1, so that all jumps are one draw; whole numbers
are drawn jump by jump.
Source: MATHEMATICS 14.2.
"""

import numpy as np

from dpviz.gradual.clock import clock_of
from dpviz.gradual.laws import JumpLaw
from dpviz.gradual.record import Steps
from dpviz.noise.family import Array, Family
from dpviz.noise.whole import add, subtract

Rng = np.random.Generator


def noise_of(family: Family, scales: Array, *, rng: Rng) -> Array:
    """Noise of the family at a scale for each number.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> noise_of(FAMILIES["discrete_laplace"], np.array([1.0, 50.0]), rng=streams.teaching(7))
    array([   0, -138])
    """
    if family.integer:
        none = np.zeros(1, dtype=np.int64)
        drawn = [family.extend(none, 0, float(scale), rng=rng)[0] for scale in scales]
        return np.array(drawn, dtype=np.int64)
    return family.extend(np.zeros(scales.size), 0, 1.0, rng=rng) * scales


def downwards(
    family: Family, values: Array, least: float, most: float, unit: float, *, rng: Rng
) -> Steps:
    """Steps from `values`, held at the budget `most`, down to `least`.

    Args:
        family: Laplace or discrete Laplace noise.
        values: shape (d,).
        least: the smallest budget.
        most: the budget of the values.
        unit: Δ₁: the noise scale of ε is Δ₁/ε.
        rng: what is drawn from.
    """
    clock, size = clock_of(family), values.size
    expected = clock.expected(least / unit, most / unit)
    counts = JumpLaw(expected).draw(size, rng=rng)
    owner = np.repeat(np.arange(size), counts)
    passed = expected * rng.random(owner.size)  # given their number, uniform on the clock
    rates = np.clip(clock.below(most / unit, passed), least / unit, most / unit)
    epsilons = np.clip(unit * rates, least, most)
    sizes = noise_of(family, 1 / rates, rng=rng)
    order = np.lexsort((-epsilons, owner))  # each coordinate from the top down
    owner, epsilons, sizes = owner[order], epsilons[order], sizes[order]
    return Steps.of(
        size,
        np.concatenate([np.arange(size), owner]),
        np.concatenate([np.full(size, most), epsilons]),
        np.concatenate([values, _added_up(values, sizes, counts)]),
    )


def _added_up(values: Array, sizes: Array, counts: Array) -> Array:
    """Running sums of each coordinate's jumps, its value included: coordinate by coordinate.

    One sum over all of them would round the values of one coordinate by those of another.
    """
    reached, first = np.empty_like(sizes), np.cumsum(counts) - counts
    for done in range(int(counts.max(initial=0))):
        going = np.flatnonzero(counts > done)
        places = first[going] + done
        before = values[going] if done == 0 else reached[places - 1]
        reached[places] = _sum(before, sizes[places])
    return reached


def upwards(
    family: Family, exact: Array, steps: Steps, most: float, unit: float, *, rng: Rng
) -> Steps:
    """The same steps, and those that follow up to a larger budget.

    Args:
        family: Laplace or discrete Laplace noise.
        exact: the values without noise, shape (d,).
        steps: what is held.
        most: the new largest budget.
        unit: Δ₁.
        rng: what is drawn from.
    """
    last = steps.offsets[1:] - 1
    held, highest = steps.epsilons.copy(), most / unit
    held[last] = most  # unless it jumps before
    owners, ends, values = [steps.owner], [held], [steps.values]
    going, places = np.arange(last.size), last  # of these coordinates, and their last steps
    rates = steps.epsilons[last] / unit
    noise = _difference(steps.values[last], exact, family)
    while going.size:
        inwards, outwards = _clocks(family, rates, noise, rng=rng)
        rates = np.minimum(inwards, outwards)
        jumps = rates < highest
        ends[-1][places[jumps]] = rates[jumps] * unit
        going, rates, noise = going[jumps], rates[jumps], noise[jumps]
        outside = (outwards < inwards)[jumps]
        noise = _moved(family, rates, noise, outside, rng=rng)
        owners.append(going)
        ends.append(np.full(going.size, most))
        values.append(_sum(exact[going], noise))
        places = np.arange(going.size)
    return Steps.of(last.size, *(np.concatenate(parts) for parts in (owners, ends, values)))


def _clocks(family: Family, rates: Array, noise: Array, *, rng: Rng) -> tuple[Array, Array]:
    """The rates of the next jump inwards and of the next one outwards; some are infinite."""
    with np.errstate(divide="ignore", over="ignore"):
        inwards = rates + rng.standard_exponential(rates.size) / np.abs(noise)
    return inwards, clock_of(family).above(rates, rng.standard_exponential(rates.size))


def _moved(family: Family, rates: Array, noise: Array, outside: Array, *, rng: Rng) -> Array:
    """The noise after a jump at these rates, inwards unless it goes outside."""
    places = rng.random(rates.size)
    if family.integer:
        moved = np.sign(noise) * np.floor(places * np.abs(noise)).astype(np.int64)
    else:
        moved = noise * places
    before, scales = noise[outside], 1 / (2 * rates[outside])
    added = noise_of(family, scales, rng=rng)
    beyond_truth = np.where(before < 0, added > 0, added < 0)
    moved[outside] = np.where(beyond_truth, added, before + added)
    return moved


def _sum(first: Array, second: Array) -> Array:
    """A fresh sum; of whole numbers one that leaves the 64 bits is refused."""
    if first.dtype.kind == "f":
        return first + second
    result = second.copy()
    add(first, result)
    return result


def _difference(first: Array, second: Array, family: Family) -> Array:
    return subtract(first, second) if family.integer else first - second
