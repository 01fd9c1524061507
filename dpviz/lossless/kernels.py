"""Can the noisier report of a mechanism be made from the sharper one alone? Decided with proof.

A mechanism that adds no noise to a number is lossless in the strong sense if some fixed way to
blur the sharper outcome, the same for all data, gives the noisier one:

    noisier = sharper · K,   each row of K a law on the outcomes

Then one who holds both learns what the sharper one tells. To find K is a linear program (HiGHS).
K is made exact by elimination over fractions, and checked. Where no K exists, a bet proves it
[BLA53]: payoffs v(data set, guess), such that letting the noisier outcome choose the guess pays
more, summed over the data sets, than any use of the sharper outcome can:

    Σ_d Σ_y v(d, y) noisier(d, y)  >  Σ_x max_y Σ_d v(d, y) sharper(d, x)

It is a sum over fractions, however the payoffs were found.
Limits: tables of at most 400 chances. Without K the joint loss may still be that of the sharper
report: see `least_joint_loss`. Source: docs/LOSSLESS.md.
[BLA53] Blackwell, Equivalent comparisons of experiments, Annals of Mathematical Statistics, 1953.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.convolution import ROUNDINGS, VERDICTS, Verdict
from dpviz.lossless.finite import MOST_CELLS, FiniteMechanism, Row
from dpviz.lossless.lattice import chances

Floats = NDArray[np.float64]
ZERO = Fraction(0)
SMALL = 1e-9  # of a solution by floats: below, a chance is taken for 0 and then proved


@dataclass(frozen=True, slots=True)
class Guessing:
    """Payoffs that prove that the noisier outcome is no blurred sharper one.

    Attributes:
        payoffs: v(data set, guess), a row for each data set, a column for each noisier outcome.
        noisier: what guessing by the noisier outcome pays, summed over the data sets.
        sharper: the most that the sharper outcome can be made to pay.
    """

    payoffs: tuple[Row, ...]
    noisier: Fraction
    sharper: Fraction

    def __post_init__(self) -> None:
        checks.instance(tuple, payoffs=self.payoffs)
        for row in self.payoffs:
            checks.instance(tuple, payoffs=row)
            chances(*row)
        checks.instance(Fraction, noisier=self.noisier, sharper=self.sharper)
        if not 0 <= self.sharper < self.noisier:
            raise ParameterError("guessing proves something only if the noisier outcome pays more")


@dataclass(frozen=True, slots=True)
class KernelDecision:
    """Whether one fixed blur makes the sharper outcome into the noisier one, with the proof.

    Attributes:
        verdict: "yes", "no" or "undecided".
        kernel: if yes, the blur: a row for each sharper outcome.
        guessing: if no, the bet that proves it.
    """

    verdict: Verdict
    kernel: tuple[Row, ...] | None = None
    guessing: Guessing | None = None

    def __post_init__(self) -> None:
        checks.one_of(VERDICTS, verdict=self.verdict)
        if self.kernel is not None:
            FiniteMechanism(self.kernel)
        if self.guessing is not None:
            checks.instance(Guessing, guessing=self.guessing)
        given = (self.kernel is not None, self.guessing is not None)
        if given != (self.verdict == "yes", self.verdict == "no"):
            raise ParameterError("a yes needs its kernel, a no its guessing, and neither the other")

    @property
    def sentence(self) -> str:
        """The answer and its proof in plain English.

        >>> from dpviz.lossless.finite import response
        >>> decide_kernel(response("1/2", 2), response("1/4", 2)).sentence
        'Yes: one fixed blur, the same for all data, turns the sharper outcome into the noisier.'
        """
        if self.guessing is None:
            return (
                "Yes: one fixed blur, the same for all data, turns the sharper outcome into the "
                "noisier."
                if self.verdict == "yes"
                else "Undecided: the two are closer to a blur than the computation can tell."
            )
        return (
            "No: no fixed blur turns the sharper outcome into the noisier. A bet proves it: "
            f"guesses by the noisier outcome win {float(self.guessing.noisier):.6g} in all, and by "
            f"the sharper at most {float(self.guessing.sharper):.6g}."
        )


def decide_kernel(sharper: FiniteMechanism, noisier: FiniteMechanism) -> KernelDecision:
    """Decide whether some K, the same for all data, makes the sharper outcome into the noisier.

    Raises:
        ParameterError: the mechanisms are of another kind or about different numbers of data sets,
            or the numbers of their outcomes multiply to more than 400.

    >>> from dpviz.lossless.finite import response
    >>> decide_kernel(response("1/2", 3), response("1/4", 3)).kernel[0]  # half of what was kept
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    >>> sharper = FiniteMechanism.of([[1, 1], [4, 1], [16, 1]])  # exponential mechanisms
    >>> noisier = FiniteMechanism.of([[1, 1], [2, 1], [4, 1]])
    >>> decide_kernel(sharper, noisier).verdict
    'no'
    """
    checks.instance(FiniteMechanism, sharper=sharper, noisier=noisier)
    if len(sharper.rows) != len(noisier.rows):
        raise ParameterError("sharper and noisier must be about the same data sets, row by row")
    if sharper.outcomes * noisier.outcomes > MOST_CELLS:
        raise ParameterError(f"the blur may have at most {MOST_CELLS} cells; pass fewer outcomes")
    program = _program(sharper, noisier)
    if program is None:
        return KernelDecision("undecided")
    kernel, payoffs = program
    exact = _exact(sharper, noisier, kernel)
    if exact is not None:
        return KernelDecision("yes", kernel=exact)
    guessing = _guessing(sharper, noisier, payoffs)
    return KernelDecision("undecided" if guessing is None else "no", guessing=guessing)


def blurs(kernel: tuple[Row, ...], sharper: FiniteMechanism, noisier: FiniteMechanism) -> bool:
    """Whether the blur makes the sharper mechanism into the noisier, exactly.

    Raises:
        ParameterError: an argument is of another kind, or a row of the blur is no law.

    >>> keep = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    >>> one = FiniteMechanism.of([[3, 1], [1, 3]])
    >>> blurs(keep, one, one)
    True
    """
    checks.instance(FiniteMechanism, sharper=sharper, noisier=noisier)
    fits = (FiniteMechanism(kernel).outcomes, len(kernel)) == (noisier.outcomes, sharper.outcomes)
    return fits and noisier.rows == tuple(
        tuple(
            sum((p * row[y] for p, row in zip(mine, kernel, strict=True)), ZERO)
            for y in range(noisier.outcomes)
        )
        for mine in sharper.rows
    )


def _program(sharper: FiniteMechanism, noisier: FiniteMechanism) -> tuple[Floats, Floats] | None:
    """The K whose mechanism is nearest, and the prices of not being there, both in floats.

    Minimise Σ |sharper·K - noisier| over K whose rows are laws; the duals of its equations are
    payoffs between -1 and 1.
    """
    p, q = (np.array(each.rows, dtype=float) for each in (sharper, noisier))
    sets, ins, outs = *p.shape, q.shape[1]
    one = sparse.identity(sets * outs)
    match = sparse.hstack([sparse.kron(p, sparse.identity(outs)), one, -one])
    laws = sparse.hstack(
        [
            sparse.kron(sparse.identity(ins), np.ones((1, outs))),
            sparse.csr_array((ins, 2 * sets * outs)),
        ]
    )
    cost = np.concatenate([np.zeros(ins * outs), np.ones(2 * sets * outs)])
    found = linprog(
        cost,
        A_eq=sparse.vstack([match, laws]),
        b_eq=np.concatenate([q.ravel(), np.ones(ins)]),
        method="highs-ds",
    )
    if found.x is None:  # chances too far apart for floats
        return None
    prices = found.eqlin.marginals[: sets * outs].reshape(sets, outs)
    return found.x[: ins * outs].reshape(ins, outs), prices


def _exact(
    sharper: FiniteMechanism, noisier: FiniteMechanism, near: Floats
) -> tuple[Row, ...] | None:
    """The blur in fractions with the same cells above 0, or None.

    The program ends in a corner, where these cells are determined by the equations.
    """
    outs = noisier.outcomes
    cells = [(x, y) for x in range(len(near)) for y in range(outs) if near[x, y] > SMALL]
    place = {cell: i for i, cell in enumerate(cells)}
    equations = [
        ({place[x, y]: p for x, p in enumerate(row) if p and (x, y) in place}, aim[y])
        for row, aim in zip(sharper.rows, noisier.rows, strict=True)
        for y in range(outs)
    ]
    for x in range(len(near)):
        parts = {place[x, y]: Fraction(1) for y in range(outs) if (x, y) in place}
        equations.append((parts, Fraction(1)))
    solved = solve(equations, len(cells))
    if solved is None or min(solved) < 0:
        return None
    kernel = tuple(
        tuple(solved[place[x, y]] if (x, y) in place else Fraction(0) for y in range(outs))
        for x in range(len(near))
    )
    return kernel if blurs(kernel, sharper, noisier) else None


def solve(
    equations: list[tuple[dict[int, Fraction], Fraction]], unknowns: int
) -> list[Fraction] | None:
    """Solve linear equations in fractions; unknowns that are left free are 0.

    Args:
        equations: coefficients by unknown, and what they add up to.
        unknowns: how many there are.

    Returns:
        The solution, or None where no number solves it.

    >>> one = Fraction(1)
    >>> solve([({0: one, 1: one}, Fraction(3)), ({1: one}, one)], 2)
    [Fraction(2, 1), Fraction(1, 1)]
    """
    pivots: dict[int, tuple[dict[int, Fraction], Fraction]] = {}
    for given, value in sorted(equations, key=lambda each: len(each[0])):
        row, aim = dict(given), value
        while row:
            at = min(row)
            if at not in pivots:
                scale = row[at]
                pivots[at] = {j: c / scale for j, c in row.items()}, aim / scale
                break
            other, theirs = pivots[at]
            factor = row[at]
            aim -= factor * theirs
            for j, c in other.items():
                row[j] = row.get(j, Fraction(0)) - factor * c
                if not row[j]:
                    del row[j]
        if not row and aim:
            return None
    found = [Fraction(0)] * unknowns
    for at in sorted(pivots, reverse=True):
        row, aim = pivots[at]
        found[at] = aim - sum((c * found[j] for j, c in row.items() if j != at), Fraction(0))
    return found


def _guessing(
    sharper: FiniteMechanism, noisier: FiniteMechanism, prices: Floats
) -> Guessing | None:
    """The payoffs rounded to simple ones, proved in fractions."""
    low, high = float(prices.min()), float(prices.max())
    if high <= low:
        return None
    scaled = (prices - low) / (high - low)
    for unit in ROUNDINGS:
        payoffs = tuple(
            tuple(Fraction(round(float(v) * unit), unit) for v in row) for row in scaled
        )
        mine = _paid(payoffs, noisier, guess=lambda place: [place])
        theirs = _paid(payoffs, sharper, guess=lambda _: range(noisier.outcomes))
        if mine > theirs:
            return Guessing(payoffs, mine, theirs)
    return None


def _paid(
    payoffs: tuple[Row, ...], mechanism: FiniteMechanism, guess: Callable[[int], Iterable[int]]
) -> Fraction:
    """What the best of the guesses allowed at each outcome pays, summed over the data sets."""
    return sum(
        (
            max(
                sum((v[y] * row[x] for v, row in zip(payoffs, mechanism.rows, strict=True)), ZERO)
                for y in guess(x)
            )
            for x in range(mechanism.outcomes)
        ),
        ZERO,
    )
