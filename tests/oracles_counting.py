"""Slow, literal computations of what continual counting computes fast: enumeration and matrices."""

import itertools
from fractions import Fraction

import mpmath as mp
import numpy as np


def digit_range(arity: int, subtraction: bool) -> range:
    """The digits of the paper: 0…k-1, ±(k-1)/2 for odd k, -(k/2-1)…k/2 for even k."""
    if not subtraction:
        return range(arity)
    if arity % 2:
        return range(-(arity - 1) // 2, (arity - 1) // 2 + 1)
    return range(-(arity // 2 - 1), arity // 2 + 1)


def all_digits(arity: int, height: int, subtraction: bool) -> dict[int, tuple[int, ...]]:
    """Digits of every whole number that `height` digits can write, most significant first."""
    written: dict[int, tuple[int, ...]] = {}
    for digits in itertools.product(digit_range(arity, subtraction), repeat=height):
        number = 0
        for digit in digits:
            number = number * arity + digit
        assert number not in written
        written[number] = digits
    return written


def most_steps(arity: int, height: int, subtraction: bool) -> int:
    """The largest number that `height` digits can write."""
    return sum(max(digit_range(arity, subtraction)) * arity**level for level in range(height))


def used_vertices(digits: tuple[int, ...], arity: int) -> list[tuple[int, int, int]]:
    """(sign, first, last) of every vertex, by Algorithm 1 with subtraction added."""
    start, used = 0, []
    for place, digit in enumerate(digits):
        width = arity ** (len(digits) - 1 - place)
        for i in range(1, abs(digit) + 1):
            if digit > 0:
                used.append((1, start + (i - 1) * width + 1, start + i * width))
            else:
                used.append((-1, start - i * width + 1, start - (i - 1) * width))
        start += digit * width
    return used


def height_for(steps: int, arity: int, subtraction: bool) -> int:
    """The least number of digits that can write every number up to `steps`."""
    height = 1
    while most_steps(arity, height, subtraction) < steps:
        height += 1
    return height


def mean_vertices(steps: int, arity: int, subtraction: bool) -> Fraction:
    """Average number of vertices of a prefix sum, by counting them."""
    digits = all_digits(arity, height_for(steps, arity, subtraction), subtraction)
    used = sum(len(used_vertices(digits[t], arity)) for t in range(1, steps + 1))
    return Fraction(used, steps)


def honaker_variance(height: int) -> float:
    """Variance of the best unbiased estimate of a vertex from its whole subtree, one noise = 1."""
    leaves = 2**height
    rows = [
        [float(start <= leaf < start + width) for leaf in range(leaves)]
        for width in (2**level for level in range(height + 1))
        for start in range(0, leaves, width)
    ]
    design = np.array(rows)
    target = np.ones(leaves)
    return float(target @ np.linalg.solve(design.T @ design, target))


def square_root_factor(steps: int) -> mp.mpf:
    """Γ_T = ‖R‖²_{1→2} ‖L‖_F²/T with exact f_j = C(2j, j)/4^j, to 30 digits."""
    with mp.workdps(30):
        squares = [(mp.binomial(2 * j, j) / mp.mpf(4) ** j) ** 2 for j in range(steps)]
        column = mp.fsum(squares)
        frobenius = mp.fsum((steps - j) * square for j, square in enumerate(squares))
        return column * frobenius / steps
