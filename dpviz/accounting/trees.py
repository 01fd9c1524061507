"""The tree under continual counting: digits of a step, vertices of a prefix sum, heights, counts.

A prefix sum x_1 + … + x_t is a signed sum of one vertex set per digit of t in base k. With
subtraction the digits run from -m to k-1-m, so that a long way up is a short way down from the next
vertex: m = (k-1)/2 for odd k, k/2-1 for even k; without subtraction m = 0. Since t = Σ d_l k^l, the
digits of t are the plain digits of t + m (k^h-1)/(k-1), each less m. The root is never used, every
vertex has one sign for good, and an input lies in at most one vertex of each of the h levels, which
is the ℓ1 sensitivity of the tree. Whole numbers throughout: any number of steps.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 7.1.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders, Algorithms 1 to 3 and appendix C.
"""

from dataclasses import dataclass

from dpviz import checks
from dpviz.errors import ParameterError

MOST_BITS = 10_000  # of the largest step of a tree: whole numbers that are still quick
MOST_LISTED = 100_000  # vertices of one prefix sum


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
