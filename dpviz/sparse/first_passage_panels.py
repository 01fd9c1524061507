"""Logarithms of probabilities on a line, as polynomials on panels that bisect until they converge.

A logarithm keeps relative accuracy where the probability itself falls by hundreds of orders of
magnitude within one panel, and it is smooth: 16 Gauss-Legendre nodes on a panel 1.5 standard
deviations wide leave 1e-14. Limits: one variable, smooth inside each panel; noise of the function
is recognised by its size and not chased. Symbols: dpviz/NOTATION.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.noise.family import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
ORDER = NODES.size
PASSES = 14  # bisections of one panel at most
MOST = 128  # panels that may be rough at once: more are noise
_VALUES = np.polynomial.legendre.legvander(NODES, ORDER - 1)
_TO_COEFFICIENTS = (np.arange(ORDER) + 0.5)[:, None] * (_VALUES * WEIGHTS[:, None]).T
_SLOPE = np.zeros((ORDER, ORDER))
_SLOPE[:-1] = np.polynomial.legendre.legder(np.eye(ORDER))
_BEND_AT_NODES = _VALUES @ _SLOPE @ _SLOPE
_NARROWEST = 1e-100  # a panel's numbers are divided by its width squared
_TAIL = 3  # last coefficients, which say whether a panel has converged

Function = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Panels:
    """A function on `edges[0] … edges[-1]`: a Legendre series of degree 15 on each panel.

    Shapes: edges (P+1,), ascending; coefficients (16, P); bends (P,), the largest size of the
    second derivative on the panel.
    """

    edges: Array
    coefficients: Array
    bends: Array

    def __post_init__(self) -> None:
        checks.arrays(1, edges=self.edges)
        checks.arrays(2, coefficients=self.coefficients)
        checks.arrays(1, least=0, bends=self.bends)

    def at(self, x: Array) -> Array:
        """Values at points inside the panels, any shape; outside, the last panel is continued.

        >>> parabola = build(lambda x: x * x, np.array([0.0, 1.0, 3.0]))
        >>> np.round(parabola.at(np.array([0.5, 2.0])), 12)
        array([0.25, 4.  ])
        """
        place, local = self._inside(x)
        return _series(self.coefficients, place, local)

    def slope(self, x: Array) -> Array:
        """First derivative at the same points.

        >>> parabola = build(lambda x: x * x, np.array([0.0, 1.0, 3.0]))
        >>> np.round(parabola.slope(np.array([0.5, 2.0])), 12)
        array([1., 4.])
        """
        place, local = self._inside(x)
        slopes = (_SLOPE @ self.coefficients) * (2 / np.diff(self.edges))
        return _series(slopes, place, local)

    def _inside(self, x: Array) -> tuple[Array, Array]:
        """Panel of each point, and its coordinate in -1…1 there."""
        place = np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, self.bends.size - 1)
        left, width = self.edges[place], np.diff(self.edges)[place]
        return place, 2 * ((x - left) / width) - 1


def nodes(edges: Array) -> tuple[Array, Array]:
    """Gauss-Legendre points and weights of every panel, each of shape (P, 16).

    >>> points, weights = nodes(np.array([0.0, 1.0, 3.0]))
    >>> round(float((weights * points**2).sum()), 12)
    9.0
    """
    half = np.diff(edges)[:, None] / 2
    return edges[:-1, None] + half * (1 + NODES), half * WEIGHTS


def apart(edges: Array) -> Array:
    """Ascending edges without those so near to the next that the panel between is nothing.

    >>> apart(np.array([-1.0, -1e-200, 0.0]))
    array([-1.,  0.])
    """
    return np.asarray(edges[np.append(np.diff(edges) > _NARROWEST, True)])


def build(function: Function, edges: Array) -> Panels:
    """Fit a function, bisecting panels until their series end in noise.

    Args:
        function: values at points of shape (K,), the same shape back.
        edges: first guess, ascending, shape (P+1,).

    Raises:
        Nothing: after 14 bisections, or where very many panels stay rough, the rest is noise.

    >>> build(np.sin, np.array([0.0, 30.0])).edges.size > 2
    True
    """
    edges = apart(edges)
    left, right = edges[:-1], edges[1:]
    done: list[tuple[Array, Array, Array]] = []
    for final in [False] * PASSES + [True]:
        points = left[:, None] + (right - left)[:, None] / 2 * (1 + NODES)
        values = function(points.ravel()).reshape(points.shape)
        series = values @ _TO_COEFFICIENTS.T
        bent = np.abs(values @ (_BEND_AT_NODES @ _TO_COEFFICIENTS).T).max(axis=1) * 4  # x width²
        size = np.abs(values).max(axis=1)
        steep = np.ptp(values, axis=1) / (right - left) * np.maximum(abs(left), abs(right))
        noise = 2e-15 * (size + steep)  # of the values, and of the positions that they belong to
        rough = np.abs(series[:, -_TAIL:]).max(axis=1) > 1e-13 + noise
        split = rough & (not final) & (rough.sum() <= MOST)
        good = ~split
        width = right[good] - left[good]
        done.append((left[good], series[good], bent[good] / width**2))
        middle = (left + right)[split] / 2
        left = np.column_stack([left[split], middle]).ravel()
        right = np.column_stack([middle, right[split]]).ravel()
        if not left.size:
            break
    starts, series, bends = (np.concatenate(part) for part in zip(*done, strict=True))
    order = np.argsort(starts)
    return Panels(
        np.append(starts[order], edges[-1]),
        np.ascontiguousarray(series[order].T),
        bends[order],
    )


def _series(coefficients: Array, place: Array, x: Array) -> Array:
    """Sum of the Legendre series of panel `place` at x, by Clenshaw's recurrence."""
    after: Array = np.zeros_like(x)
    now: Array = np.zeros_like(x)
    for k in range(ORDER - 1, 0, -1):
        now, after = (
            coefficients[k][place]
            + ((2 * k + 1) / (k + 1)) * x * now
            - ((k + 1) / (k + 2)) * after,
            now,
        )
    result: Array = coefficients[0][place] + x * now - 0.5 * after
    return result
