"""Errors of continual counting on a tree: exact for any number of steps, and the best arity.

One person's event changes one input by 1, so at most h vertices: Laplace noise of scale b = h·c/ε
on every vertex is ε-private, where c is what one person can move the inputs by altogether (steps
that they are counted at, times the size of a count). A prefix sum adds |digits of t| vertices:

    mean squared error = Var(b) · (1/T) Σ_t Σ_l |d_l(t)|         Var(b) = 2b² for Laplace noise

The average is an exact fraction. Best arities are computed: 19 is best only in the limit.
Baselines: the binary tree (arity 2, no subtraction) and Honaker's estimate from the subtrees below.
Source: MATHEMATICS 7.3.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders, Lemmas 3.5 and 4.7, appendix C.
[Hon15] Honaker, Efficient use of differentially private binary trees, TPDP 2015.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, positive, representable
from dpviz.accounting.trees import Tree, smallest_tree
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Family

ARITIES = range(2, 101)  # where the best arity is looked for
LAPLACE = ADDITIVE["laplace"]
MOST_POINTS = 10_000_000
HIGHEST = 256  # of the tree of Honaker's estimate


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
