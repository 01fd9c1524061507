"""Slow and literal: matrices written from their definitions, and moves of one person by trying all.

Nothing here shares code with dpviz/linear/operators*.py or contribution.py.
"""

from itertools import product

import numpy as np
from scipy import optimize

from tests.oracles_accounting import all_digits, used_vertices


def prefix_matrix(n):
    return np.tril(np.ones((n, n)))


def range_matrix(n):
    rows = []
    for first in range(n):
        for last in range(first, n):
            rows.append([1.0 if first <= t <= last else 0.0 for t in range(n)])
    return np.array(rows)


def marginal_matrix(rows, columns):
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    return np.array(
        [[float(i == row) for i, _ in cells] for row in range(rows)]
        + [[float(j == column) for _, j in cells] for column in range(columns)]
    )


def haar_matrix(n):
    """Coefficients of n numbers: the total, then left half minus right half, wide nodes first."""
    width = 1
    while width < n:
        width *= 2
    rows = [[1.0] * n]
    while width > 1:
        for start in range(0, n, width):
            row = [0.0] * n
            for t in range(start, min(start + width, n)):
                row[t] = 1.0 if t < start + width // 2 else -1.0
            rows.append(row)
        width //= 2
    return np.array(rows)


def tree_factors(n, arity, height, subtraction):
    """L and R by walking through the vertices of every total [APT24, Algorithms 1 and 2]."""
    digits, rows = all_digits(arity, height, subtraction), []
    for t in range(1, n + 1):
        used = used_vertices(digits[t], arity)
        rows.append({(last - first, first, last): float(sign) for sign, first, last in used})
    order = sorted(set().union(*rows))
    left = np.array([[row.get(vertex, 0.0) for vertex in order] for row in rows])
    right = [[float(first <= x <= last) for x in range(1, n + 1)] for _, first, last in order]
    return left, np.array(right)


def all_moves(n, groups, low, high, relation):
    """All v of one person, the amounts at their ends, one row each."""
    amounts = sorted({min(0.0, low), 0.0, max(0.0, high)})
    persons = [np.array(v) for v in product(amounts, repeat=n) if np.count_nonzero(v) <= groups]
    if relation == "replace":
        persons = [one - other for one in persons for other in persons]
    return np.unique(np.array(persons), axis=0)


def least_by_descent(entries, low, high, groups=1, relation="replace"):
    """Least ‖L‖²·Δ₂² of all A = L·R, by descent over triangular R with a maximum made sharper."""
    n = entries.shape[1]
    moves = all_moves(n, groups, low, high, relation)
    place = np.triu_indices(n)

    def parts(numbers):
        right = np.zeros((n, n))
        right[place] = numbers
        return (np.linalg.solve(right.T, entries.T) ** 2).sum(), ((moves @ right.T) ** 2).sum(
            axis=1
        )

    def soft(numbers, power):
        if abs(np.prod(numbers[place[0] == place[1]])) < 1e-12:
            return 1e6
        left, squares = parts(numbers)
        most = squares.max()
        return np.log(left * most) + np.log(((squares / most) ** power).sum()) / power

    found, numbers = np.inf, np.eye(n)[place] + 0.1
    for power in (4, 16, 64, 256, 1024):
        numbers = optimize.minimize(soft, numbers, args=(power,)).x
        left, squares = parts(numbers)
        found = min(found, left * squares.max())
    return found


def moves_by_trying(columns, groups, low, high, relation):
    """Largest ℓ₁, ℓ₂ and ℓ∞ of R·v over all v of one person, the amounts at their ends."""
    moved = all_moves(columns.shape[1], groups, low, high, relation) @ columns.T
    return (
        np.abs(moved).sum(axis=1).max(),
        np.sqrt((moved**2).sum(axis=1)).max(),
        np.abs(moved).max(),
    )
