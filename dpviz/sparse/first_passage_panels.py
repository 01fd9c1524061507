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
_TO_COEFFICIENTS = (np.arange(ORDER) + 0.5) * (_VALUES * WEIGHTS[:, None])
_SLOPE = np.zeros((ORDER, ORDER))
_SLOPE[:-1] = np.polynomial.legendre.legder(np.eye(ORDER))
_TO_BEND = _TO_COEFFICIENTS @ (_VALUES @ _SLOPE @ _SLOPE).T  # second derivatives at the nodes
_TO_BOTH = np.hstack([_TO_COEFFICIENTS, _TO_BEND])
_CHEBYSHEV = np.linalg.solve(np.polynomial.chebyshev.chebvander(NODES, ORDER - 1), _VALUES)
_CHEBYSHEV_SLOPE = _CHEBYSHEV @ _SLOPE
_BLOCK = 4096  # points whose polynomials are held at once
_EIGHTHS = np.linspace(-1, 1, 9)
_AT_EIGHTHS = np.polynomial.legendre.legvander(np.linspace(-1, 1, 33), ORDER - 1)
_SHORTENED = [  # series on what is right of each eighth, from the series on the whole panel
    np.polynomial.legendre.legvander(start + (1 - start) / 2 * (1 + NODES), ORDER - 1).T
    @ _TO_COEFFICIENTS
    for start in _EIGHTHS[:-1]
]
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

    @property
    def widths(self) -> Array:
        """Widths of the panels, shape (P,)."""
        return np.asarray(self.edges[1:] - self.edges[:-1])

    def at(self, x: Array) -> Array:
        """Values at points inside the panels, any shape; outside, those at the nearest end.

        >>> parabola = build(lambda x: x * x, np.array([0.0, 1.0, 3.0]))
        >>> np.round(parabola.at(np.array([0.5, 2.0])), 12)
        array([0.25, 4.  ])
        """
        values: Array = self._series((_CHEBYSHEV @ self.coefficients,), x)[0]
        return values

    def slope(self, x: Array) -> Array:
        """First derivative at the same points.

        >>> parabola = build(lambda x: x * x, np.array([0.0, 1.0, 3.0]))
        >>> np.round(parabola.slope(np.array([0.5, 2.0])), 12)
        array([1., 4.])
        """
        slopes: Array = self.at_with_slope(x)[1]
        return slopes

    def at_with_slope(self, x: Array) -> Array:
        """Values and first derivatives at the same points, one after the other.

        >>> parabola = build(lambda x: x * x, np.array([0.0, 1.0, 3.0]))
        >>> np.round(parabola.at_with_slope(np.array([0.5, 2.0])), 12)
        array([[0.25, 4.  ],
               [1.  , 4.  ]])
        """
        slopes = (_CHEBYSHEV_SLOPE @ self.coefficients) * (2 / self.widths)
        return self._series((_CHEBYSHEV @ self.coefficients, slopes), x)

    def at_nodes(self) -> Array:
        """Values at the Gauss-Legendre points of every panel, shape (P, 16).

        >>> parabola = build(lambda x: x * x, np.array([0.0, 1.0, 3.0]))
        >>> bool(np.allclose(parabola.at_nodes(), nodes(parabola.edges)[0] ** 2))
        True
        """
        return np.asarray(self.coefficients.T @ _VALUES.T)

    def without_nothing(self, nothing: float) -> "Panels | None":
        """The same function from where its size exceeds `nothing` on, or None where it never does.

        >>> cube = build(lambda x: x**3, np.array([-1.0, 0.0, 8.0]))
        >>> cube.without_nothing(1.1).edges, np.round(cube.without_nothing(1.1).at(np.array([2.0])))
        (array([1., 8.]), array([8.]))
        """
        (matters,) = (np.abs(self.coefficients).sum(axis=0) > nothing).nonzero()
        if not matters.size:
            return None
        first = int(matters[0])
        (felt,) = (np.abs(_AT_EIGHTHS @ self.coefficients[:, first]) > nothing).nonzero()
        eighth = max(int(felt[0]) - 1, 0) // 4 if felt.size else 0
        edges, coefficients = self.edges[first:].copy(), self.coefficients[:, first:].copy()
        edges[0] += (edges[1] - edges[0]) * eighth / 8
        coefficients[:, 0] = coefficients[:, 0] @ _SHORTENED[eighth]
        return Panels(edges, coefficients, self.bends[first:])

    def _series(self, coefficients: tuple[Array, ...], x: Array) -> Array:
        """Sums of Chebyshev series of its panel at each point, shape (series, *shape of x)."""
        result: Array = np.empty((len(coefficients), *x.shape))
        points, sums = x.ravel(), result.reshape(len(coefficients), -1)
        for start in range(0, points.size, _BLOCK):
            place, local = self._inside(points[start : start + _BLOCK])
            polynomials = _chebyshev(np.minimum(np.maximum(local, -1), 1))
            for each, found in zip(coefficients, sums[:, start : start + _BLOCK], strict=True):
                np.einsum("ij,ij->j", each.take(place, axis=1), polynomials, out=found)
        return result

    def _inside(self, x: Array) -> tuple[Array, Array]:
        """Panel of each point, and its coordinate in -1…1 there."""
        place = np.minimum(self.edges[1:-1].searchsorted(x, side="right"), self.bends.size - 1)
        left = self.edges[place]
        return place, 2 * ((x - left) / (self.edges[place + 1] - left)) - 1


def _chebyshev(x: Array) -> Array:
    """Chebyshev polynomials T_0 … T_15 at points of shape (K,), shape (16, K).

    T_{h+j} = 2 T_h T_j - T_{h-j}, all j at once: four steps where a recurrence has fourteen.
    """
    found = np.empty((ORDER, x.size))
    found[0], found[1] = 1.0, x
    for half in (1, 2, 4, 8):
        rest = min(half, ORDER - 1 - half)
        new = found[half + 1 : half + 1 + rest]
        np.multiply(found[half] * 2, found[1 : rest + 1], out=new)
        new -= found[half - rest : half][::-1]
    return found


def nodes(edges: Array) -> tuple[Array, Array]:
    """Gauss-Legendre points and weights of every panel, each of shape (P, 16).

    >>> points, weights = nodes(np.array([0.0, 1.0, 3.0]))
    >>> round(float((weights * points**2).sum()), 12)
    9.0
    """
    half = (edges[1:] - edges[:-1])[:, None] / 2
    return edges[:-1, None] + half * (1 + NODES), half * WEIGHTS


def apart(edges: Array) -> Array:
    """Ascending edges without those so near to the next that the panel between is nothing.

    >>> apart(np.array([-1.0, -1e-200, 0.0]))
    array([-1.,  0.])
    """
    wide = edges[1:] - edges[:-1] > _NARROWEST
    return edges if wide.all() else np.asarray(edges[np.append(wide, True)])


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
    values = function((points := _points(left, right)).ravel()).reshape(points.shape)
    done: list[tuple[Array, Array, Array]] = []
    for passed in range(PASSES + 1):
        series, bends, rough = _fitted(values, left, right)
        many = np.count_nonzero(rough)
        if not many or many > MOST or passed == PASSES:
            done.append((left, series, bends))
            break
        good = ~rough
        done.append((left[good], series[good], bends[good]))
        middle = (left[rough] + right[rough]) / 2
        left = np.column_stack([left[rough], middle]).ravel()
        right = np.column_stack([middle, right[rough]]).ravel()
        values = function((points := _points(left, right)).ravel()).reshape(points.shape)
    starts, series, bends = done[0]
    if len(done) > 1:
        starts, series, bends = (np.concatenate(part) for part in zip(*done, strict=True))
        order = starts.argsort()
        starts, series, bends = starts[order], series[order], bends[order]
    return Panels(np.append(starts, edges[-1]), np.ascontiguousarray(series.T), bends)


def _points(left: Array, right: Array) -> Array:
    """Gauss-Legendre points of panels with these ends, shape (P, 16)."""
    return np.asarray(left[:, None] + (right - left)[:, None] / 2 * (1 + NODES))


def _fitted(values: Array, left: Array, right: Array) -> tuple[Array, Array, Array]:
    """Series of each panel from its values, its largest bend, and whether it must be bisected."""
    both = values @ _TO_BOTH
    width, series = right - left, both[:, :ORDER]
    bends = np.abs(both[:, ORDER:]).max(axis=1) * 4 / width**2
    high, low = values.max(axis=1), values.min(axis=1)
    steep = (high - low) / width * np.maximum(abs(left), abs(right))
    noise = 2e-15 * (np.maximum(high, -low) + steep)  # of values, and of positions they belong to
    return series, bends, np.abs(series[:, -_TAIL:]).max(axis=1) > 1e-13 + noise
