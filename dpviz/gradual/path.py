"""The release of one value, or of several, at every budget between two: drawn once, then looked up.

A path costs as many draws as it has jumps, 2·ln(ε₂/ε₁) for each coordinate on average. A
reader of the value at some ε, or at many, learns what the largest of them tells.

It holds the steps of all coordinates, one after the other in flat arrays: those of coordinate i are
entries offsets[i] to offsets[i + 1]. Step k has the value that the path has from just above the
budget of step k - 1 up to, and including, its own; the last one ends at the largest budget. So a
jump is what lies between two steps, and the value at any ε is that of the first step whose budget
is at least ε.

Steps are drawn from the sharpest budget down, and from there up. The sizes of jumps are draws of
the family's own `extend` from level 0; numbers of jumps are draws of the Poisson family. New is the
clock alone: where between two budgets a jump is, and upwards whether it goes inwards, and then to
which place between the truth and the value.
Laplace noise of scale b is b times noise of scale 1, so that all jumps are one draw; whole numbers
are drawn jump by jump.
Source: [KHP15] section 3.4 and MATHEMATICS 14.2.
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data, arXiv:1504.00429.
"""

import threading
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from dpviz import checks, streams
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.gradual.laws import LAPLACE, JumpLaw, ascending, clock_of, jump_law, level_of
from dpviz.noise.arguments import GENERATOR
from dpviz.noise.family import Array, Family
from dpviz.noise.whole import add, subtract
from dpviz.release.one_place import Uncopied
from dpviz.release.values import own_copy

Rng = np.random.Generator
MOST_JUMPS, MOST_WHOLE_JUMPS = 4_000_000, 3_000  # that are expected at once: about a second each


class Steps(NamedTuple):
    """Flat arrays, never changed once they are made."""

    offsets: Array  # shape (d + 1,)
    epsilons: Array  # ascending within a coordinate
    values: Array

    @classmethod
    def of(cls, size: int, owner: Array, epsilons: Array, values: Array) -> "Steps":
        """Put steps in order.

        Args:
            size: number of coordinates.
            owner: coordinate of each step.
            epsilons: budget at which it ends.
            values: its value.

        >>> Steps.of(1, np.array([0, 0]), np.array([2.0, 1.0]), np.array([5.0, 9.0])).at(1.5)
        array([5.])
        """
        order = np.lexsort((epsilons, owner))
        offsets = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=size))])
        return cls(offsets, epsilons[order], values[order])

    @property
    def owner(self) -> Array:
        """Coordinate of each step."""
        return np.repeat(np.arange(self.offsets.size - 1), np.diff(self.offsets))

    def at(self, epsilon: float) -> Array:
        """The value of each coordinate at a budget that is served."""
        if self.offsets.size == 2:
            return np.array([self.values[np.searchsorted(self.epsilons, epsilon)]])
        ended = self.offsets[:-1] + self._ended(self.epsilons < epsilon)
        return np.asarray(self.values[ended])

    def jumps(self, least: float, most: float) -> Array:
        """How many jumps each coordinate makes from one budget to another, both included."""
        inside = (self.epsilons >= least) & (self.epsilons <= most)
        inside[self.offsets[1:] - 1] = False  # the last step ends where the path does
        return self._ended(inside)

    def _ended(self, marked: Array) -> Array:
        """How many steps of each coordinate are marked."""
        if self.offsets.size == 1:
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(marked.astype(np.int64), self.offsets[:-1])


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


class LaplacePath(Uncopied):
    """Values with Laplace noise at every budget ε of an interval.

    It stays with the owner of the values: it holds what everybody with a budget up to the largest
    may see, and until `seal` the exact values. Give away what `at` returns, never the path. It is
    neither copied nor pickled, and grows in no child process; it ends with its process.

    With discrete Laplace noise the values are whole numbers. Teaching only, with either noise: the
    clock of the jumps is a floating-point number. In hardened mode a `MultipleRelease` with
    discrete Laplace noise draws the same values exactly, at those budgets that are asked for.

    >>> path = LaplacePath(62.0, 0.1, 2.0, rng=streams.teaching(7))
    >>> [float(path.at(epsilon).round(2)) for epsilon in (2.0, 1.9, 0.5, 0.1)]
    [62.14, 61.85, 62.65, 64.47]
    >>> path
    LaplacePath(family='laplace', dimension=1, least_epsilon=0.1, most_epsilon=2.0, sealed=False)
    """

    __slots__ = ("_exact", "_family", "_lock", "_rng", "_served", "_shape", "_unit")
    _instead = "look it up where it is, and hand out the values that `at` returns"

    def __init__(
        self,
        values: Any,
        least_epsilon: float,
        most_epsilon: float,
        *,
        rng: np.random.Generator,
        l1_sensitivity: float = 1.0,
        family: Family = LAPLACE,
    ) -> None:
        """Draw the path of some values, from the largest budget down.

        Args:
            values: the exact values, of any shape; copied. Whole numbers for discrete Laplace.
            least_epsilon: the smallest budget that is served, above 0.
            most_epsilon: the largest one.
            rng: a teaching generator, from which the path is drawn.
            l1_sensitivity: Δ₁, the change of the values that costs ε; noise has the scale Δ₁/ε.
            family: Laplace or discrete Laplace noise.

        Raises:
            ParameterError: budgets are not finite, above 0 and ascending, the noise has no such
                path, or values are not finite numbers of its kind.
            HardenedModeError: the generator is a hardened one.
        """
        _teaching(rng)
        clock_of(family)
        least, most = ascending(least_epsilon, most_epsilon)
        exact = own_copy(values, family)
        level = level_of(most, l1_sensitivity, family)
        self._family, self._unit, self._shape = family, float(l1_sensitivity), exact.shape
        self._exact: Array | None = exact.reshape(-1)
        self._rng, self._lock = rng, threading.RLock()
        self._affordable(least, most, exact.size)
        top = family.extend(self._exact, 0, level, rng=rng)
        drawn = downwards(family, top, least, most, self._unit, rng=rng)
        self._served: tuple[float, float, Steps] = (least, most, drawn)

    @property
    def least_epsilon(self) -> float:
        """The smallest budget that is served."""
        return self._served[0]

    @property
    def most_epsilon(self) -> float:
        """The largest budget that is served."""
        return self._served[1]

    @property
    def dimension(self) -> int:
        """Number d of coordinates: of values, whatever their shape."""
        return self._served[2].offsets.size - 1

    def at(self, epsilon: float) -> Array:
        """The values at a budget: the same whenever they are looked up.

        Raises:
            ParameterError: the budget is not between the two that are served.

        >>> path = LaplacePath([3, 5], 0.1, 2, rng=streams.teaching(7))
        >>> bool((path.at(0.3) == path.at(0.3)).all())
        True
        """
        least, most, steps = self._served
        checks.between(least, most, epsilon=epsilon)
        found = steps.at(float(epsilon)).reshape(self._shape)
        found.setflags(write=False)
        return found

    def steps(self, coordinate: SupportsIndex = 0) -> tuple[Array, Array]:
        """Where one coordinate rests: budgets that end a step, ascending, and the values there.

        The value of a step holds from just above the budget before it up to its own; the last ends
        at `most_epsilon`. They are copies, and stay with the owner as the path does.

        Raises:
            ParameterError: there is no such coordinate.

        >>> ends, values = LaplacePath(62.0, 0.1, 2.0, rng=streams.teaching(7)).steps()
        >>> ends.round(3).tolist()
        [0.146, 0.196, 0.814, 1.019, 1.969, 2.0]
        """
        index = checks.integer(0, coordinate=coordinate)
        if index >= self.dimension:
            raise ParameterError(f"coordinate must be below {self.dimension}, got {index}")
        _, _, steps = self._served
        part = slice(steps.offsets[index], steps.offsets[index + 1])
        return steps.epsilons[part].copy(), steps.values[part].copy()

    def jumps(self, least_epsilon: float | None = None, most_epsilon: float | None = None) -> Array:
        """How often each coordinate jumps between two budgets, by default all that are served.

        Of whole numbers those of size 0 are counted, too: the law is that of `jump_law`.

        Raises:
            ParameterError: the budgets do not ascend or are not served.

        >>> int(LaplacePath(62.0, 0.1, 2.0, rng=streams.teaching(7)).jumps())
        5
        """
        least, most, steps = self._served
        low = least if least_epsilon is None else least_epsilon
        high = most if most_epsilon is None else most_epsilon
        checks.between(least, most, least_epsilon=low, most_epsilon=high)
        return steps.jumps(*ascending(low, high)).reshape(self._shape)

    def relax_to(self, most_epsilon: float) -> None:
        """Serve larger budgets, too: go on from the sharpest values, which stay as they are.

        Args:
            most_epsilon: the new largest budget; nothing changes if it is served already.

        Raises:
            ParameterError: it is not finite and above 0.
            SealedError: the exact values are erased.

        Source: MATHEMATICS 14.2, forwards.

        >>> path = LaplacePath(62.0, 0.1, 0.5, rng=streams.teaching(7))
        >>> before = path.at(0.3)
        >>> path.relax_to(2.0)
        >>> path.most_epsilon, bool(path.at(0.3) == before)
        (2.0, True)
        """
        level_of(most_epsilon, self._unit, self._family)
        with self._lock:
            least, most, steps = self._served
            if most_epsilon <= most:
                return
            if self._exact is None:
                raise SealedError(
                    f"this path is sealed at ε = {most:g} and the exact values are erased; ask for "
                    "that budget or a smaller one"
                )
            self._refuse_in_child()
            self._affordable(most, most_epsilon, self.dimension)
            new = float(most_epsilon)
            more = upwards(self._family, self._exact, steps, new, self._unit, rng=self._rng)
            self._served = (least, new, more)

    def tighten_to(self, least_epsilon: float) -> None:
        """Serve smaller budgets, too: noise is added to the noisiest values.

        Args:
            least_epsilon: the new smallest budget; nothing changes if it is served already.

        Raises:
            ParameterError: it is not finite and above 0.

        >>> path = LaplacePath(62.0, 0.5, 2.0, rng=streams.teaching(7))
        >>> path.tighten_to(0.1)
        >>> path.least_epsilon
        0.1
        """
        level_of(least_epsilon, self._unit, self._family)
        with self._lock:
            least, most, steps = self._served
            if least_epsilon >= least:
                return
            self._refuse_in_child()
            self._affordable(least_epsilon, least, self.dimension)
            new, noisiest = float(least_epsilon), steps.at(least)
            lower = downwards(self._family, noisiest, new, least, self._unit, rng=self._rng)
            kept = np.ones(lower.values.size, dtype=bool)
            kept[lower.offsets[1:] - 1] = False  # its last steps go on in the ones there are
            parts = ((lower.owner[kept], steps.owner), (lower.epsilons[kept], steps.epsilons),
                     (lower.values[kept], steps.values))  # fmt: skip
            joined = Steps.of(self.dimension, *(np.concatenate(part) for part in parts))
            self._served = (new, most, joined)

    def seal(self) -> None:
        """Erase the exact values: nothing sharper than `most_epsilon` can be served from now on.

        The generator is replaced, as a kept one could be rewound. It cannot reach copies that the
        caller keeps.
        """
        with self._lock:
            if self._exact is not None:
                self._rng = streams.hardened()
                erased, self._exact = self._exact, None
                erased.fill(0)

    def __repr__(self) -> str:
        """Family, size and budgets; never a value."""
        return (
            f"LaplacePath(family={self._family.name!r}, dimension={self.dimension}, "
            f"least_epsilon={self.least_epsilon!r}, most_epsilon={self.most_epsilon!r}, "
            f"sealed={self._exact is None})"
        )

    def _affordable(self, least: float, most: float, size: int) -> None:
        """Refuse a draw that would take minutes."""
        if not size or least == most:
            return
        law = jump_law(least, most, dimension=size, l1_sensitivity=self._unit, family=self._family)
        limit = MOST_WHOLE_JUMPS if self._family.integer else MOST_JUMPS
        if law.mean + size > limit:
            raise ParameterError(
                f"these values are expected to jump {law.mean:,.0f} times, and a path draws at "
                f"most {limit:,} at once; pass fewer values, or budgets that are closer"
            )


def _teaching(rng: np.random.Generator) -> None:
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(GENERATOR)
    if streams.mode_of(rng) == "hardened":
        raise HardenedModeError(
            "the budgets at which a path jumps are floating-point numbers, so a path is for "
            "teaching only; open a MultipleRelease with discrete Laplace noise, which draws every "
            "budget exactly when it is asked for, or pass streams.teaching(seed)"
        )
