"""Accuracy of a release: "with 95 % confidence within +-a of the bounded statistic", and back.

The noise is de-biased first. A family with a closed form has it as `unit_half_width`, times the
level or, of a variance, its root; of the others, which are whole numbers, it is the least a with
P(|Y - mean| <= a) >= c, from their exact distribution function.
All d coordinates at once: their noise is independent, so c becomes c^(1/d), exactly; it is carried
as the small number 1 - c^(1/d), so d = 1e7 costs no digits. MATHEMATICS 4.1.
Limit: for integer families whose mean moves with the level (Poisson) the half width is a saw-tooth
of the level; the way back finds its last tooth up to level SCANNED, and beyond that a level which
fits and is within 1/sqrt(level) of the largest, relatively.
"""

import math
from collections.abc import Callable

from dpviz import checks
from dpviz.accounting.inputs import Number, elementwise, positive, probability
from dpviz.accounting.search import least
from dpviz.errors import ParameterError
from dpviz.noise.arguments import additive_family
from dpviz.noise.family import VARIANCE, Family

SCANNED = 1e5  # levels up to here are searched tooth by tooth
SHRINK = 2.0**-52


@elementwise
def half_width(family: Family, level: Number, confidence: Number, *, coordinates: int = 1) -> float:
    """Accuracy +-a of the (de-biased) release at `level`.

    Args:
        family: noise family; float families by their closed forms, integer ones by their cdf.
        level: noise level, above 0.
        confidence: probability of lying within +-a, strictly between 0 and 1.
        coordinates: how many coordinates are to lie within +-a at once.

    Returns:
        a, in units of the statistic.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 4.1.

    >>> from dpviz.noise import FAMILIES
    >>> round(half_width(FAMILIES["gaussian"], 4.0, 0.95), 4)
    3.9199
    >>> half_width(FAMILIES["poisson"], 100.0, 0.95)
    20.0
    """
    additive_family(family)
    level, miss = positive(level=level), _miss(confidence, coordinates)
    if family.unit_half_width is not None:
        return _closed(family, family.unit_half_width(miss), level)
    return _integer_half_width(family, level, miss)


@elementwise
def level_for_half_width(
    family: Family, half_width: Number, confidence: Number, *, coordinates: int = 1
) -> float:
    """Largest level, the most private one, whose half width is at most the wanted one.

    Args:
        family: noise family.
        half_width: wanted +-a, above 0, in units of the statistic.
        confidence: probability of lying within +-a, strictly between 0 and 1.
        coordinates: how many coordinates are to lie within +-a at once.

    Returns:
        The level, rounded down: `half_width` of it never exceeds the wanted one.

    Raises:
        ParameterError: an argument is out of range, or no level is that accurate.

    Source: MATHEMATICS 4.1, inverted.

    >>> from dpviz.noise import FAMILIES
    >>> round(level_for_half_width(FAMILIES["laplace"], 3.0, 0.95), 4)
    1.0014
    """
    additive_family(family)
    wanted, miss = positive(half_width=half_width), _miss(confidence, coordinates)
    if family.unit_half_width is None:
        return _integer_level(family, wanted, miss)
    unit = family.unit_half_width(miss)
    level = wanted / unit
    if family.level_unit == VARIANCE:
        level *= level
    if not 1e-300 < level < family.largest_level:
        raise ParameterError(
            "no level that a float can hold has this half width; pass one of ordinary size"
        )
    while _closed(family, unit, level) > wanted:
        level *= 1 - SHRINK
    return level


def _miss(confidence: Number, coordinates: int) -> float:
    """1 - c^(1/d): how likely one coordinate may lie outside."""
    checks.number(coordinates=coordinates)  # refuses more of them than a float can hold
    coordinates = checks.integer(1, coordinates=coordinates)
    return -math.expm1(math.log(probability(confidence=confidence)) / int(coordinates))


def _closed(family: Family, unit: float, level: float) -> float:
    """The closed form at a level: it grows as the deviation does."""
    return unit * (math.sqrt(level) if family.level_unit == VARIANCE else level)


def _integer_half_width(family: Family, level: float, miss: float) -> float:
    """Least a such that the integers within a of the mean hold all but `miss`.

    Candidates are the distances of integers from the mean; each adds the integer next farther out.
    """
    mean = family.mean(level)

    def fits(count: int) -> bool:
        lowest, highest = _nearest(mean, count)
        return _outside(family, lowest, highest, level) <= miss

    high = 1 + math.ceil(2 * math.sqrt(family.variance(level)))
    while not fits(high):
        high *= 2
    low = 0  # no integer at all never fits
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    lowest, highest = _nearest(mean, high)
    return max(mean - lowest, highest - mean)


def _nearest(mean: float, count: int) -> tuple[int, int]:
    """First and last of the `count` integers nearest to the mean."""
    below = math.floor(mean)
    fraction = mean - below
    if fraction <= 0.5:
        return below - (count - 1) // 2, below + count // 2
    return below + 1 - count // 2, below + 1 + (count - 1) // 2


def _outside(family: Family, lowest: float, highest: float, level: float) -> float:
    """P(noise < lowest) + P(noise > highest), for whole bounds."""
    return float(family.cdf(lowest - 1, level)) + (1 - float(family.cdf(highest, level)))


def _integer_level(family: Family, wanted: float, miss: float) -> float:
    """Largest level that fits: some crossing first, then the teeth of the saw beyond it."""
    largest = family.largest_level

    def excess(level: float) -> float:
        lowest, highest = _window(family.mean(level), wanted)
        return _outside(family, lowest, highest, level) - miss

    guess = max(4 / min(max(wanted, 1e-100), 1e100) ** 2, 2 / largest)
    inverse = least(lambda x: excess(min(1 / x, largest)), guess, lowest=1 / largest, highest=1e290)
    if inverse is None or inverse <= 1 / largest:
        raise ParameterError(
            f"no {family.label} noise of a level up to {largest:g} has just this half width; "
            "pass another one"
        )
    level = min(1 / inverse, largest)
    while excess(level) > 0:
        level *= 1 - SHRINK
    return _last_tooth(excess, level, wanted, largest) if family.mean(level) == level else level


def _last_tooth(
    excess: Callable[[float], float], level: float, wanted: float, largest: float
) -> float:
    """Largest level that fits, the mean being the level: a tooth begins as an integer enters.

    Teeth have one shape and lower and lower tips, so the last one that fits is found by doubled and
    halved strides; at small levels tips are no order, so all teeth within about sqrt(level) of it
    are looked at, too, until none of them fits.
    """
    if level > SCANNED:
        return _bisect(excess, level, math.floor(level + wanted) + 1 - wanted)

    def fitting(top: int) -> float | None:
        return _fitting(excess, top, wanted, level)

    level, top = _by_strides(fitting, level, math.floor(level + wanted))
    barren = 0
    while level <= SCANNED and barren < 8 + math.sqrt(level):
        found = fitting(top)
        level, barren = (level, barren + 1) if found is None else (found, 0)
        top += 1
    if level > SCANNED:  # teeth go on fitting beyond what is searched one by one
        return _largest_whole(excess, level, int(largest))
    return _bisect(excess, level, math.floor(level + wanted) + 1 - wanted)


def _by_strides(
    fitting: Callable[[int], float | None], level: float, top: int
) -> tuple[float, int]:
    """From tooth `top` on: the level of one that fits, and the next one, which does not."""
    fits, step = top - 1, 1
    while level <= SCANNED and (found := fitting(fits + step)) is not None:
        level, fits, step = found, fits + step, 2 * step
    fails = fits + step
    while level <= SCANNED and fails - fits > 1:
        middle = (fits + fails) // 2
        if (found := fitting(middle)) is None:
            fails = middle
        else:
            level, fits = found, middle
    return level, fails


def _fitting(
    excess: Callable[[float], float], top: int, wanted: float, level: float
) -> float | None:
    """A level of this tooth that fits, not below `level`, the largest of four; None if none does.

    Within a tooth the window holds one more integer, from `start` to `end`, then one less; each
    part is likeliest a little below the middle of its window.
    """
    start = _nudge(top - wanted, math.inf, top, wanted)
    bottom = _window(start, wanted)[0]
    end = _nudge(bottom + wanted, 0.0, bottom, wanted)
    inside = sorted((start, _peak(bottom, top), end, _peak(bottom + 1, top)), reverse=True)
    tried = (x for x in inside if max(start, level) <= x < start + 1)
    return next((x for x in tried if excess(x) <= 0), None)  # with no look at less


def _largest_whole(excess: Callable[[float], float], level: float, fails: int) -> float:
    """About the largest level that fits, of whole ones, in the middle of whose window one is."""
    fits = math.floor(level) + 1
    if excess(float(fits)) > 0:
        return level
    while fails - fits > 1:
        middle = (fits + fails) // 2
        fits, fails = (middle, fails) if excess(float(middle)) <= 0 else (fits, middle)
    return float(fits)


def _window(mean: float, wanted: float) -> tuple[int, int]:
    """First and last integer within `wanted` of the mean, as `_integer_half_width` rounds."""
    lowest, highest = math.ceil(mean - wanted), math.floor(mean + wanted)
    return lowest + (mean - lowest > wanted), highest - (highest - mean > wanted)


def _nudge(level: float, towards: float, integer: int, wanted: float) -> float:
    """The level, moved by single bits until the integer is within `wanted` of it as floats go."""
    while abs(integer - level) > wanted:
        level = math.nextafter(level, towards)
    return level


def _peak(bottom: int, top: int) -> float:
    """About the rate for which the window is likeliest: (top! / (bottom - 1)!)^(1 / size)."""
    middle, size = (bottom + top) / 2, top - bottom + 1
    return middle - size * size / (24 * max(middle, 1.0))


def _bisect(excess: Callable[[float], float], fits: float, fails: float) -> float:
    """Last level that fits between one that does and one that does not, to the last bit."""
    while (middle := (fits + fails) / 2) not in (fits, fails):
        fits, fails = (middle, fails) if excess(middle) <= 0 else (fits, middle)
    return fits
