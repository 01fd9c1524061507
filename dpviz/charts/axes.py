"""Logarithmic axes and their ticks, a δ written from its logarithm, and names moved apart."""

import math
from typing import Any

import numpy as np

from dpviz.charts.labels import Floats, round_step
from dpviz.parameters import power_of_ten
from dpviz.words import significant

LN_10 = math.log(10)


def probability(log_delta: float, digits: int = 2) -> str:
    """A probability from its natural logarithm, also where no float holds it.

    >>> probability(math.log(0.0396)), probability(-694.2506835611689)
    ('0.04', '3.1×10⁻³⁰²')
    >>> probability(-100_018.728), probability(math.log(1e-6))
    ('2.6×10⁻⁴³⁴³⁸', '10⁻⁶')
    """
    tens = log_delta / LN_10
    exponent = math.floor(tens + 1e-12)
    if exponent >= -4:
        return significant(math.exp(log_delta), digits)
    mantissa = round(10 ** (tens - exponent), digits - 1)
    if mantissa >= 10:
        mantissa, exponent = 1.0, exponent + 1
    power = power_of_ten(exponent)
    return power if mantissa == 1 else f"{mantissa:g}×{power}"


def power_axis(low: float, high: float, *, most: int = 6) -> dict[str, Any]:
    """Range and ticks of an axis of log₁₀ δ; at most `most` ticks, at round powers of ten.

    >>> power_axis(-15.0, -0.3)["ticktext"]
    ['10⁻¹⁵', '10⁻¹²', '10⁻⁹', '10⁻⁶', '10⁻³', '0.5']
    >>> power_axis(-2.0, -2.0)["ticktext"], power_axis(-0.5, -0.3)["ticktext"]
    (['10⁻³', '0.01'], ['0.32', '0.5'])
    """
    if low == high:  # a single point
        low = high - 1
    step = 3.0 if high - low < 3 * most else round_step((high - low) / most)
    step = step if high - low >= 3 else 1.0
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = [float(step * k) for k in range(first, last + 1)]
    texts = [_power(int(value)) for value in values]
    if not values:  # no round power at all
        values, texts = [low], [significant(10.0**low, 2)]
    if high - values[-1] > 0.1 * (high - low):  # the right edge, if it is far from the last tick
        values, texts = [*values, high], [*texts, significant(10.0**high, 2)]
    return {
        "range": (low, high),
        "tickmode": "array",
        "tickvals": values,
        "ticktext": texts,
        "tickangle": 0,
    }


def ratio_axis(bottom: float, top: float, *, whole: bool) -> dict[str, Any]:
    """Range and ticks of a logarithmic axis drawn on log₁₀ values: 1, 3, 10, 30 and so on.

    >>> ratio_axis(0.01, 10.0, whole=False)["ticktext"]
    ['0.01', '0.03', '0.1', '0.3', '1', '3', '10']
    """
    decades = range(math.floor(math.log10(bottom)), math.ceil(math.log10(top)) + 1)
    ticks = [m * 10.0**k for k in decades for m in (1, 3)]
    ticks = [t for t in ticks if bottom * (1 - 1e-9) <= t <= top * (1 + 1e-9)]
    if whole:
        ticks = [t for t in ticks if t >= 1]
    return {
        "range": (math.log10(bottom), math.log10(top)),
        "tickmode": "array",
        "tickvals": [math.log10(t) for t in ticks],
        "ticktext": [significant(t) for t in ticks],
    }


def _power(exponent: int) -> str:
    """A power of ten as a tick."""
    if -2 <= exponent <= 0:
        return significant(10.0**exponent)
    return power_of_ten(exponent)


def log_range(values: Floats, pad: float = 0.06) -> tuple[float, float]:
    """Ends of a logarithmic axis around positive values, as powers of ten.

    >>> log_range(np.array([1.0, 100.0]), 0.1)
    (-0.2, 2.2)
    """
    low, high = float(np.log10(values.min())), float(np.log10(values.max()))
    room = max(pad * (high - low), 0.02)
    return low - room, high + room


def log_ticks(low: float, high: float, most: int) -> dict[str, Any]:
    """Ticks of a logarithmic axis, the densest of four kinds that has at most `most`.

    Args:
        low: lower end, as a power of ten.
        high: upper end, as a power of ten.
        most: ticks that there is room for.

    >>> log_ticks(-1.2, 1.1, 5)["ticktext"]
    ['0.1', '0.3', '1', '3', '10']
    >>> log_ticks(-3.0, 3.0, 4)["ticktext"]
    ['0.001', '0.1', '10', '1,000']
    """
    first, last = math.floor(low), math.ceil(high)
    for steps in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        values = [s * 10.0**p for p in range(first, last + 1) for s in steps]
        inside = [v for v in values if low - 1e-9 <= math.log10(v) <= high + 1e-9]
        if 2 <= len(inside) <= most:
            return _ticks(inside)
    inside = [v for v in values if low - 1e-9 <= math.log10(v) <= high + 1e-9]
    if len(inside) >= 2:
        return _ticks(inside[:: -(-len(inside) // most)])
    return _ticks([10**low, 10**high])  # less than a factor of three: the ends as they are


def _ticks(values: list[float]) -> dict[str, Any]:
    texts = [significant(v) for v in values]
    return {"tickmode": "array", "tickvals": values, "ticktext": texts, "tickangle": 0}


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """The same places, moved as little as needed to be so far apart and within two limits.

    >>> spread([50.0, 52.0, 10.0], 10.0, 0.0, 100.0)
    [46.0, 56.0, 10.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    clusters: list[list[int]] = []
    for i in order:
        clusters.append([i])
        while len(clusters) > 1 and _start(clusters[-1], places, gap, low, high) < (
            _start(clusters[-2], places, gap, low, high) + gap * len(clusters[-2])
        ):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    moved = list(places)
    for cluster in clusters:
        start = _start(cluster, places, gap, low, high)
        for rank, i in enumerate(cluster):
            moved[i] = start + gap * rank
    return moved


def _start(cluster: list[int], places: list[float], gap: float, low: float, high: float) -> float:
    """Where the lowest of a cluster goes, so that the cluster is centred on its own places."""
    length = gap * (len(cluster) - 1)
    middle = sum(places[i] for i in cluster) / len(cluster)
    return min(max(middle - length / 2, low), high - length)
