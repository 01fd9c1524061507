"""The tree under continual counting: its vertices, what it costs in error, and its best arity.

A prefix sum x_1 + … + x_t is a signed sum of one vertex set per digit of t in base k. With
subtraction the digits run from -m to k-1-m, so that a long way up is a short way down from the next
vertex: m = (k-1)/2 for odd k, k/2-1 for even k; without subtraction m = 0. Since t = Σ d_l k^l, the
digits of t are the plain digits of t + m (k^h-1)/(k-1), each less m. The root is never used, every
vertex has one sign for good, and an input lies in at most one vertex of each of the h levels, which
is the ℓ1 sensitivity of the tree. Whole numbers throughout: any number of steps.

One person's event changes one input by 1, so at most h vertices: Laplace noise of scale b = h·c/ε
on every vertex is ε-private, where c is what one person can move the inputs by altogether (steps
that they are counted at, times the size of a count). A prefix sum adds |digits of t| vertices:

    mean squared error = Var(b) · (1/T) Σ_t Σ_l |d_l(t)|         Var(b) = 2b² for Laplace noise

The average is an exact fraction. Best arities are computed: 19 is best only in the limit.
Baselines: the binary tree (arity 2, no subtraction) and Honaker's estimate from the subtrees below.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 7.1 and 7.3.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders, Algorithms 1 to 3, Lemmas 3.5 and 4.7,
appendix C.
[Hon15] Honaker, Efficient use of differentially private binary trees, TPDP 2015.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.inputs import Number, elementwise, positive, representable
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Family

MOST_BITS = 10_000  # of the largest step of a tree: whole numbers that are still quick
MOST_LISTED = 100_000  # vertices of one prefix sum
ARITIES = range(2, 101)  # where the best arity is looked for
LAPLACE = ADDITIVE["laplace"]
MOST_POINTS = 10_000_000
HIGHEST = 256  # of the tree of Honaker's estimate


@dataclass(frozen=True, slots=True)
class Vertex:
    """One vertex of the tree: the inputs `first`…`last` (steps count from 1) and its sign.

    `last` may lie in the future where the sign is -1; those inputs cancel in every prefix sum.
    """

    level: int
    first: int
    last: int
    sign: int

    def __post_init__(self) -> None:
        checks.whole(0, level=self.level)
        checks.whole(1, first=self.first)
        checks.whole(self.first, last=self.last)
        checks.side(sign=self.sign)


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of `arity` k and `height` h, with or without subtraction.

    >>> tree = Tree(arity=3, height=3, subtraction=True)
    >>> tree.most_steps, tree.digits(5)  # 5 = 9 - 3 - 1
    (13, (1, -1, -1))
    >>> [(vertex.sign, vertex.first, vertex.last) for vertex in tree.vertices(5)]
    [(1, 1, 9), (-1, 7, 9), (-1, 6, 6)]
    """

    arity: int
    height: int
    subtraction: bool

    def __post_init__(self) -> None:
        arity, height = checks.integer(2, arity=self.arity), checks.integer(1, height=self.height)
        object.__setattr__(self, "arity", arity)
        object.__setattr__(self, "height", height)
        if not isinstance(self.subtraction, bool):
            raise ParameterError(
                f"subtraction must be True or False, got {checks.told(self.subtraction)}"
            )
        if height * arity.bit_length() > MOST_BITS:
            raise ParameterError(
                f"a tree of arity {checks.told(arity)} and height {checks.told(height)} gives more "
                f"than 2**{MOST_BITS:,} prefix sums; pass smaller ones"
            )

    @property
    def most_negative(self) -> int:
        """m: how far a digit goes below 0, and how many vertices of a level are subtracted."""
        return (self.arity - 1) // 2 if self.subtraction else 0

    @property
    def most_positive(self) -> int:
        """K - 1 - m: how far a digit goes above 0."""
        return self.arity - 1 - self.most_negative

    @property
    def offset(self) -> int:
        """M (k^h-1)/(k-1): what t is shifted by, so that its digits become plain ones."""
        return self.shift(self.height - 1)

    @property
    def most_steps(self) -> int:
        """T_max = (k-1-m)(k^h-1)/(k-1): how many prefix sums the tree can give."""
        return self.most_positive * self._repunit(self.height)

    @property
    def most_held(self) -> int:
        """h·max(m, k-1-m): most vertices that one prefix sum uses, and a stream has to keep."""
        return self.height * self.most_positive

    def shift(self, level: int) -> int:
        """M (k^(l+1)-1)/(k-1): what makes plain digits of those up to a level l.

        >>> Tree(arity=3, height=3, subtraction=True).shift(1)  # 1 + 3
        4
        """
        level = self._level(level)
        return self.most_negative * self._repunit(level + 1)

    def digits(self, step: int) -> tuple[int, ...]:
        """The h digits of a step, most significant first.

        Args:
            step: t, from 0 to `most_steps`.

        Raises:
            ParameterError: the step is out of range.

        >>> Tree(arity=4, height=2, subtraction=True).digits(7)  # 7 = 2·4 - 1
        (2, -1)
        """
        step = self._check(step)
        rest, found = step + self.offset, []
        for _ in range(self.height):
            rest, digit = divmod(rest, self.arity)
            found.append(digit - self.most_negative)
        return tuple(reversed(found))

    def vertices(self, step: int) -> tuple[Vertex, ...]:
        """The vertices whose signed sum is the prefix sum of a step, widest first.

        Args:
            step: t, from 0 to `most_steps`.

        Returns:
            As many vertices as the absolute digits of t add up to.

        Raises:
            ParameterError: the step is out of range, or has more than 100,000 vertices.
        """
        start, found, digits = 0, [], self.digits(step)
        if sum(map(abs, digits)) > MOST_LISTED:
            raise ParameterError(
                f"this prefix sum has more than {MOST_LISTED:,} vertices; pass a tree of a smaller "
                "arity, or use digits"
            )
        for level, digit in zip(reversed(range(self.height)), digits, strict=True):
            width, sign = self.arity**level, 1 if digit > 0 else -1
            for _ in range(abs(digit)):
                end = start + sign * width
                found.append(Vertex(level, min(start, end) + 1, max(start, end), sign))
                start = end
        return tuple(found)

    def level_total(self, level: int, steps: int) -> int:
        """A_l: the absolute digits at one level, added up over the steps 1…T.

        Args:
            level: l, from 0 to h-1.
            steps: T, from 0 to `most_steps`.

        Raises:
            ParameterError: an argument is out of range.

        >>> Tree(arity=3, height=3, subtraction=True).level_total(0, 5)  # 1, -1, 0, 1, -1
        4
        """
        steps, level = self._check(steps), self._level(level)
        width, base = self.arity**level, self.shift(level)
        return self._running(steps + 1 + base, width) - self._running(1 + base, width)

    def digit_total(self, steps: int) -> int:
        """How many vertices the first T prefix sums use, added up: Σ_t Σ_l |d_l(t)|, in O(h).

        >>> Tree(arity=3, height=4, subtraction=False).digit_total(80)
        324
        """
        return sum(self.level_total(level, steps) for level in range(self.height))

    def _repunit(self, length: int) -> int:
        """1 + k + … + k^(length-1)."""
        return int((self.arity**length - 1) // (self.arity - 1))

    def _running(self, number: int, width: int) -> int:
        """G(n): absolute digits at this width of the plain numbers 0…n-1, added up."""
        full, rest = divmod(number, self.arity * width)
        digit, part = divmod(rest, width)
        within = self._absolute(digit) * width + part * abs(digit - self.most_negative)
        return full * self._absolute(self.arity) * width + within

    def _absolute(self, digit: int) -> int:
        """F(d) = |0 - m| + … + |d-1 - m|."""
        m = self.most_negative
        if digit <= m:
            return m * digit - digit * (digit - 1) // 2
        above = digit - m - 1
        return m * (m + 1) // 2 + above * (above + 1) // 2

    def _level(self, level: int) -> int:
        """The level, refused if the tree has none such."""
        level = checks.integer(0, level=level)
        if level >= self.height:
            raise ParameterError(f"this tree has levels 0 to {self.height - 1}; pass one of them")
        return level

    def _check(self, step: int) -> int:
        """The step, refused if the tree cannot give it."""
        step = checks.integer(0, step=step)
        if step > self.most_steps:
            raise ParameterError(
                f"this tree gives {checks.told(self.most_steps)} prefix sums; pass a step up to "
                f"that, got {checks.told(step)}, or make a higher tree"
            )
        return step


def smallest_tree(steps: int, arity: int, subtraction: bool = True) -> Tree:
    """The lowest tree of this arity that gives `steps` prefix sums, found with whole numbers only.

    Args:
        steps: T, at least 1.
        arity: k, at least 2.
        subtraction: whether vertices may be subtracted.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 7.1, the largest T.

    >>> smallest_tree(10**6, 19).height, smallest_tree(10**6, 2, subtraction=False).height
    (5, 20)
    """
    steps = checks.integer(1, steps=steps)
    arity = checks.integer(2, arity=arity)
    tree = Tree(arity, 1, subtraction)
    while tree.most_steps < steps:
        tree = Tree(tree.arity, tree.height + 1, subtraction)
    return tree


@elementwise
def tree_error(
    steps: int,
    arity: int,
    epsilon: Number,
    subtraction: bool = True,
    *,
    sensitivity: Number = 1,
    family: Family = LAPLACE,
) -> float:
    """Mean squared error of the prefix sums 1…T at budget ε, exact for every T.

    Args:
        steps: T, at least 1.
        arity: k, at least 2.
        epsilon: above 0, nats.
        subtraction: whether vertices may be subtracted.
        sensitivity: c, what one person can move the inputs by altogether, above 0.
        family: Laplace, or discrete Laplace for whole numbers.

    Returns:
        Squared counts, averaged over the steps 1…T.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 7.3; [APT24] at T = T_max.

    >>> tree_error(180, 19, 1.0), tree_error(63, 2, 0.5, subtraction=False)
    (76.0, 877.7142857142857)
    """
    tree = smallest_tree(steps, arity, subtraction)
    variance = vertex_variance(tree, epsilon, sensitivity=sensitivity, family=family)
    exact = Fraction(variance) * tree.digit_total(steps) / steps
    return float(exact)


@elementwise
def vertex_variance(
    tree: Tree, epsilon: Number, *, sensitivity: Number = 1, family: Family = LAPLACE
) -> float:
    """Variance of the noise on one vertex: that of the family at scale h·c/ε.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(vertex_variance(Tree(19, 5, True), 1.0, family=ADDITIVE["discrete_laplace"]), 9)
    49.833666138
    """
    checks.instance(Tree, tree=tree)
    counting_family(family)
    scale = tree.height * positive(sensitivity=sensitivity) / positive(epsilon=epsilon)
    return family.variance(representable(scale))


def counting_family(family: Family) -> Family:
    """The family, refused unless its noise is Laplace noise, of reals or of whole numbers.

    >>> counting_family(ADDITIVE["laplace"]).label
    'Laplace'
    """
    if getattr(family, "shape", None) != DOUBLE_EXPONENTIAL:
        raise ParameterError(
            "continual counting takes Laplace or discrete Laplace noise, pass "
            'FAMILIES["laplace"] or FAMILIES["discrete_laplace"]'
        )
    return family


def step_variances(
    tree: Tree, steps: int, epsilon: Number, *, sensitivity: Number = 1, family: Family = LAPLACE
) -> NDArray[np.float64]:
    """Variance of each single prefix sum: Var(b) times the absolute digits of t.

    Args:
        tree: as of `smallest_tree`.
        steps: T, how many, at most ten million.
        epsilon: above 0, nats.
        sensitivity: c, above 0.
        family: Laplace or discrete Laplace.

    Returns:
        Shape (steps,), squared counts, for t = 1…T; their mean is `tree_error`.

    Raises:
        ParameterError: an argument is out of range.

    >>> step_variances(Tree(3, 2, True), 4, 1.0).tolist()
    [8.0, 16.0, 8.0, 16.0]
    """
    checks.instance(Tree, tree=tree)
    steps = checks.integer(1, steps=steps)
    if steps > min(tree.most_steps, MOST_POINTS):
        raise ParameterError(
            f"step_variances lists up to {min(tree.most_steps, MOST_POINTS)} steps of this tree, "
            f"got {steps}; use tree_error for their mean"
        )
    each, reach = positive(epsilon=epsilon), positive(sensitivity=sensitivity)
    variance = vertex_variance(tree, each, sensitivity=reach, family=family)
    low = smallest_tree(steps, tree.arity, tree.subtraction)  # the digits above are 0
    rest = np.arange(1, steps + 1) + low.offset
    used = np.zeros(steps)
    for _ in range(low.height):
        rest, digit = np.divmod(rest, tree.arity)
        used += np.abs(digit - tree.most_negative)
    return variance * used


def vertices_used(tree: Tree, steps: int) -> NDArray[np.int64]:
    """How many noise terms the prefix sum of each step carries, |digits of t|, shape (T,).

    >>> vertices_used(Tree(3, 2, True), 4).tolist()
    [1, 2, 1, 2]
    """
    moved = 1 / tree.height  # noise of scale 1, variance 2
    used = step_variances(tree, steps, 1.0, sensitivity=moved) / 2
    return np.rint(used).astype(np.int64)


def best_arity(steps: int, subtraction: bool = True) -> int:
    """The arity of least mean squared error over 2…100 for this number of steps, exactly.

    Args:
        steps: T, at least 1.
        subtraction: whether vertices may be subtracted.

    Returns:
        The smallest of the best.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 7.3.

    >>> best_arity(10**3), best_arity(10**6), best_arity(10**9), best_arity(10**6, False)
    (14, 18, 22, 16)
    """

    def weight(arity: int) -> int:  # T times the error at ε = 1, halved
        tree = smallest_tree(steps, arity, subtraction)
        return tree.height**2 * tree.digit_total(steps)

    return min(ARITIES, key=weight)


def chosen_tree(steps: int, arity: int | None = None, subtraction: bool = True) -> Tree:
    """The lowest tree for these steps, of the best arity unless one is given.

    >>> chosen_tree(10**6)
    Tree(arity=18, height=5, subtraction=True)
    """
    tree = smallest_tree(steps, ARITIES[0] if arity is None else arity, subtraction)  # or refuses
    return tree if arity else smallest_tree(steps, _kept(steps, subtraction), subtraction)


@lru_cache(maxsize=64)  # a page asks again in every run
def _kept(steps: int, subtraction: bool) -> int:
    """The best arity for what a tree can be made of."""
    return best_arity(steps, subtraction)


@elementwise
def honaker_error(steps: int, epsilon: Number, *, sensitivity: Number = 1) -> float:
    """Mean squared error of the binary tree whose vertices are estimated from their subtrees too.

    A vertex of height i, weighed with what its two halves say, has the variance of one noise times
    v_i = 1/(2(1 - 2^-(i+1))); the vertices of one prefix sum are disjoint, so v_i adds up.

    Args:
        steps: T, at least 1 and below 2**256.
        epsilon: above 0, nats.
        sensitivity: c, above 0.

    Returns:
        Squared counts, averaged over the steps 1…T.

    Raises:
        ParameterError: an argument is out of range.

    Source: [Hon15], estimation from below; MATHEMATICS 7.3, here for every T.

    >>> round(honaker_error(15, 1.0), 9)
    47.299047619
    """
    tree = smallest_tree(steps, 2, subtraction=False)
    if tree.height > HIGHEST:
        raise ParameterError(
            f"the exact error is a fraction of many digits: pass fewer than 2**{HIGHEST} steps"
        )
    shares = (Fraction(2**i, 2 ** (i + 1) - 1) for i in range(tree.height))
    mean = sum(share * tree.level_total(i, steps) for i, share in enumerate(shares)) / steps
    variance = vertex_variance(tree, epsilon, sensitivity=sensitivity)
    return float(mean * Fraction(variance))
