"""What a characteristic function rules out: a proof that noise is not sharper noise plus more.

If noisier = sharper + independent noise, then φ_noisier = φ_sharper · φ_added, and φ_added is
positive definite, as every characteristic function is. Two things rule that out:

    zero     φ_sharper(t) = 0 somewhere within an interval on which φ_noisier is not 0
    matrix   numbers v with Σ v_j v_k ψ((j - k)s) < 0, where ψ = φ_noisier/φ_sharper

Both are looked for in floats and then proved: each value is enclosed by interval arithmetic with 40
digits, so a "no" is certain. Limits: finitely many points never prove a "yes". If neither is found,
the answer is "undecided", with the least eigenvalue that was seen.
Source: Bochner's theorem; docs/LOSSLESS.md. Interval arithmetic by mpmath.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import toeplitz

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.convolution import VERDICTS, Verdict

Characteristic = Callable[[Any, Any], Any]
"""φ(t, m): t is never 0, and m has exp, cos, sin, sqrt, pi and mpc, for floats or for intervals."""
DIGITS = 40  # of interval arithmetic
POINTS = 24  # the order of the matrix
SPACINGS = tuple(2.0**k for k in range(-3, 3))  # times the scale
SMALLEST = 1e-10  # below, a float of φ_sharper is too small to divide by
HALVINGS = 50  # of an interval around a zero
PARTS = 10**6  # a number of the vector is rounded to a multiple of 1/PARTS
SUSPECT = -1e-9  # eigenvalues above may be rounding, and are not looked into


@dataclass(frozen=True, slots=True)
class Zero:
    """An interval in which φ_sharper changes its sign and |φ_noisier| is at least this."""

    low: float
    high: float
    noisier: float

    def __post_init__(self) -> None:
        checks.positive(low=self.low, high=self.high, noisier=self.noisier)
        if self.low > self.high:
            raise ParameterError("low must not be above high")


@dataclass(frozen=True, slots=True)
class Negative:
    """Numbers v, spacing s apart, whose Σ v_j v_k ψ((j - k)s) is at most this, below 0."""

    spacing: float
    vector: tuple[float, ...]
    value: float

    def __post_init__(self) -> None:
        checks.positive(spacing=self.spacing)
        checks.instance(tuple, vector=self.vector)
        for number in self.vector:
            checks.finite(vector=number)
        checks.finite(value=self.value)
        if self.value >= 0:
            raise ParameterError("value must be below 0, or it proves nothing")


@dataclass(frozen=True, slots=True)
class Refutation:
    """Whether characteristic functions rule out that the noisier noise is the sharper plus more.

    Attributes:
        verdict: "no" with one of the two proofs, or "undecided".
        zero: where φ_sharper is 0 and φ_noisier is not.
        negative: a negative quadratic form.
        least: the least eigenvalue of a matrix, of those looked at in floats; 1 if none was.
    """

    verdict: Verdict
    zero: Zero | None = None
    negative: Negative | None = None
    least: float = 1.0

    def __post_init__(self) -> None:
        checks.one_of(VERDICTS, verdict=self.verdict)
        if self.zero is not None:
            checks.instance(Zero, zero=self.zero)
        if self.negative is not None:
            checks.instance(Negative, negative=self.negative)
        checks.finite(least=self.least)
        proofs = (self.zero is not None) + (self.negative is not None)
        if self.verdict == "yes" or proofs != (self.verdict == "no"):
            raise ParameterError("a no needs one proof, undecided none, and points prove no yes")

    @property
    def sentence(self) -> str:
        """The answer in plain English.

        >>> uniform = lambda half: lambda t, m: m.sin(half * t) / (half * t)
        >>> refute_noise(uniform(1), uniform(1.5)).sentence
        'No: no independent noise makes the sharper noise into the noisier one. The sharper noise \
does not show waves of the frequency 3.14159, and the noisier one does.'
        """
        if self.verdict == "undecided":
            return (
                "Undecided: nothing was found that rules out independent noise, and no number of "
                "points can prove it."
            )
        said = "No: no independent noise makes the sharper noise into the noisier one."
        if self.zero is not None:
            return (
                f"{said} The sharper noise does not show waves of the frequency "
                f"{self.zero.low:.6g}, and the noisier one does."
            )
        return f"{said} What is added would have negative chances."


def refute_noise(
    sharper: Characteristic, noisier: Characteristic, *, scale: float = 1.0
) -> Refutation:
    """Look for a proof that no independent noise makes the sharper noise into the noisier one.

    Args:
        sharper: characteristic function φ(t, m) of the less private noise, real or complex.
        noisier: that of the more private noise.
        scale: about 1 over the standard deviation of the sharper noise: where to look.

    Returns:
        "no" with its proof, or "undecided".

    Raises:
        ParameterError: scale is not above 0, or what is passed cannot be called.

    >>> laplace = lambda b: lambda t, m: 1 / (1 + (b * t) ** 2)
    >>> refute_noise(laplace(2), laplace(1)).verdict, refute_noise(laplace(1), laplace(2)).verdict
    ('no', 'undecided')
    """
    checks.positive(scale=scale)
    if not (callable(sharper) and callable(noisier)):
        raise ParameterError(
            "a characteristic function must be a function of t and m, such as "
            "lambda t, m: m.exp(-t * t / 2)"
        )
    from mpmath import ctx_iv, fp  # here, so that the rest of the library starts without it

    context = ctx_iv.MPIntervalContext()
    context.dps = DIGITS
    least, spacings = 1.0, [scale * each for each in SPACINGS]
    for spacing in spacings:
        for start in _sign_changes(sharper, spacing, fp):
            zero = _zero(sharper, noisier, start, spacing, context)
            if zero is not None:
                return Refutation("no", zero=zero)
    for spacing in spacings:
        value, vector = _least(sharper, noisier, spacing, fp)
        least = min(least, value)
        if value < SUSPECT:
            negative = _proved(sharper, noisier, spacing, vector, context)
            if negative is not None:
                return Refutation("no", negative=negative, least=least)
    return Refutation("undecided", least=least)


def _sign_changes(sharper: Characteristic, spacing: float, floats: Any) -> Iterator[float]:
    """Starts of steps over which a real φ changes its sign."""
    before = 1.0
    for k in range(1, POINTS):
        value = sharper(k * spacing, floats)
        if abs(value.imag) > SMALLEST * abs(value):
            return
        if before * value.real < 0:
            yield (k - 1) * spacing
        before = float(value.real)


def _zero(
    sharper: Characteristic, noisier: Characteristic, start: float, spacing: float, context: Any
) -> Zero | None:
    """A narrow interval around a zero, proved; None if φ_noisier may be 0 there, too."""
    low, high = max(start, spacing * SMALLEST), start + spacing

    def sign(t: float) -> int:
        value = sharper(context.mpf(t), context)
        return 0 if value.imag != 0 else int(value.real.a > 0) - int(value.real.b < 0)

    ends = sign(low), sign(high)
    if ends[0] * ends[1] >= 0:
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        side = sign(middle) if low < middle < high else 0
        if side == 0:
            break
        low, high = (middle, high) if side == ends[0] else (low, middle)
    size = abs(noisier(context.mpf([low, high]), context)).a
    return Zero(low, high, float(size) * (1 - SMALLEST)) if size > SMALLEST else None


def _least(
    sharper: Characteristic, noisier: Characteristic, spacing: float, floats: Any
) -> tuple[float, NDArray[np.complex128]]:
    """The least eigenvalue of the matrix of ψ, and its vector, in floats."""
    quotients = [1.0 + 0.0j]
    for k in range(1, POINTS):
        below = complex(sharper(k * spacing, floats))
        if abs(below) < SMALLEST:
            break
        quotients.append(complex(noisier(k * spacing, floats)) / below)
    values, vectors = np.linalg.eigh(toeplitz(quotients))
    return float(values[0]), vectors[:, 0]


def _proved(
    sharper: Characteristic,
    noisier: Characteristic,
    spacing: float,
    vector: NDArray[np.complex128],
    context: Any,
) -> Negative | None:
    """The quadratic form of the rounded vector, enclosed; None if it may be 0 or more.

    For complex ψ the vector is real, too, if that is enough: of its two parts the better one.
    """
    psi = [
        noisier(context.mpf(k) * spacing, context) / sharper(context.mpf(k) * spacing, context)
        for k in range(1, vector.size)
    ]
    for part in (vector.real, vector.imag):
        whole = [round(float(v) * PARTS) for v in part]
        total = context.mpf(sum(v * v for v in whole))
        for k, value in enumerate(psi, start=1):
            pairs = sum(a * b for a, b in zip(whole[k:], whole, strict=False))
            total += 2 * pairs * value.real
        if total.b < 0:
            bound = float(total.b) / PARTS**2 * (1 - SMALLEST)
            return Negative(spacing, tuple(v / PARTS for v in whole), bound)
    return None
