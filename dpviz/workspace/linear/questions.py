"""What is asked of a list of numbers: the questions and their names.

The same questions for the made-up year and for the user's statistic; no value of either is here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.errors import ParameterError
from dpviz.linear.operators_intervals import ends
from dpviz.linear.workloads import (
    Workload,
    marginals,
    prefix_sums,
    ranges,
    single_numbers,
    typed,
)
from dpviz.planning.typed import number
from dpviz.words.grammar import numbered
from dpviz.workspace.linear.numbers import Numbers

MOST_QUESTIONS = 60
MOST_RANGED = 60  # numbers, whose ranges are 1,830
EXAMPLE = """1 1 1 0 0 0
0 0 0 1 1 1
1 1 1 1 1 1
1 0 0 0 0 -1"""
Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The questions of the page.

    Attributes:
        key: tells them apart; hashable.
        numbers: what they are asked of.
        words: what is asked, such as "52 running totals".
        one: what an answer is, such as "total".
        workload: A.
        names: of the answers.
        sample: how the workload is made with the library.
    """

    key: object
    numbers: Numbers
    words: str
    one: str
    workload: Workload
    names: tuple[str, ...]
    sample: str


def offered(numbers: Numbers) -> dict[str, Callable[[Numbers], Asked]]:
    """The questions that make sense of these numbers, by their words; a matrix may be typed, too.

    >>> from dpviz.workspace.linear.numbers import YEAR
    >>> list(offered(YEAR))[1:3]
    ['all ranges of weeks', 'quarters and weeks within them']
    """
    found: dict[str, Callable[[Numbers], Asked]] = {}
    if len(numbers.labels) > 1:
        found["running totals"] = totals
        if len(numbers.labels) <= MOST_RANGED:
            found[f"all ranges of {numbers.many}"] = all_ranges
    if numbers.crossed is not None:
        found[numbers.crossed.words] = both_sums
    found[f"every {numbers.one} by itself"] = single
    return found


def totals(numbers: Numbers) -> Asked:
    """The total from the first number to each."""
    n = len(numbers.labels)
    ups = tuple(f"up to {numbers.name(t)}" for t in range(n))
    return Asked(
        "totals",
        numbers,
        f"{n:,} running totals",
        "total",
        prefix_sums(n),
        ups,
        f"prefix_sums({n})",
    )


def all_ranges(numbers: Numbers) -> Asked:
    """The sum over every range."""
    n = len(numbers.labels)
    first, last = ends("ranges", n)
    return Asked(
        "ranges",
        numbers,
        f"{len(first):,} sums over ranges",
        "sum",
        ranges(n),
        tuple(numbers.span(int(a), int(b) - 1) for a, b in zip(first, last, strict=True)),
        f"ranges({n})",
    )


IN_ORDER = (totals, all_ranges)  # they depend on the order of the list


def both_sums(numbers: Numbers) -> Asked:
    """Rows and columns of numbers that are in both.

    Raises:
        ParameterError: if they do not.
    """
    table = numbers.crossed
    if table is None:
        raise ParameterError("these numbers have no rows and columns; ask for running totals")
    names = (*table.rows, *table.columns)
    return Asked(
        "marginals",
        numbers,
        f"{len(names):,} sums ({table.words})",
        "sum",
        marginals(len(table.rows), len(table.columns)),
        names,
        f"marginals({len(table.rows)}, {len(table.columns)})",
    )


def single(numbers: Numbers) -> Asked:
    """Every number by itself."""
    n = len(numbers.labels)
    names = tuple(numbers.name(place) for place in range(n))
    return Asked(
        "singles",
        numbers,
        "one number" if n == 1 else f"{n:,} single numbers",
        "number",
        single_numbers(n),
        names,
        f"single_numbers({n})",
    )


def of_matrix(rows: Matrix, numbers: Numbers) -> Asked:
    """A typed matrix, a row per question, a column per number.

    Raises:
        ParameterError: if it cannot be used.
    """
    names = tuple(f"question {q}" for q in range(1, len(rows) + 1))
    return Asked(
        rows,
        numbers,
        "one typed answer" if len(rows) == 1 else f"{len(rows):,} typed answers",
        "answer",
        typed(rows),
        names,
        f"typed({[[_short(entry) for entry in row] for row in rows]!r})",
    )


def matrix_to_begin_with(numbers: Numbers) -> str:
    """What is in the field before anything is typed: the example, or all and the first half."""
    if numbers.made_up:
        return EXAMPLE
    n = len(numbers.labels)
    half = [*["1"] * ((n + 1) // 2), *["0"] * (n // 2)]
    return "\n".join([" ".join(["1"] * n), *([" ".join(half)] if n > 1 else [])])


def read_matrix(text: str, numbers: Numbers) -> Matrix:
    r"""Read a matrix: a line per row, numbers set apart by spaces, commas, semicolons or tabs.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> from dpviz.workspace.linear.numbers import YEAR
    >>> read_matrix("1 0\n0.5, -1", YEAR)
    ((1.0, 0.0), (0.5, -1.0))
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ParameterError("The matrix is empty. Type a row of numbers, for example 1 1 0.")
    if len(lines) > MOST_QUESTIONS:
        raise ParameterError(
            f"The matrix has {len(lines):,} rows. Keep {MOST_QUESTIONS} questions or fewer."
        )
    rows = tuple(_row(line, place) for place, line in enumerate(lines, start=1))
    width, n = len(rows[0]), len(numbers.labels)
    for place, row in enumerate(rows, start=1):
        if len(row) != width:
            raise ParameterError(
                f"Row {place} has {numbered(len(row), 'numbers')} and row 1 has {width}. "
                f"Give every row as many, 0 for each {numbers.one} that is not asked about."
            )
    if width > n and numbers.made_up:
        raise ParameterError(
            f"The matrix has {numbered(width, 'columns')}, and the example has {n} {numbers.many}. "
            f"Keep {n} columns or fewer."
        )
    if width != n and not numbers.made_up:
        raise ParameterError(
            f"The matrix has {numbered(width, 'columns')}, and the statistic has "
            f"{numbered(n, numbers.many)}. "
            "Give every row one number for each of them."
        )
    return rows


def _row(line: str, place: int) -> tuple[float, ...]:
    """The numbers of one line."""
    plain = line.replace(",", " ").replace(";", " ").replace('"', " ")
    pieces = plain.split()
    return tuple(
        number(piece, where=f"Row {place}, number {column}", example="1")
        for column, piece in enumerate(pieces, start=1)
    )


def _short(entry: float) -> float | int:
    """A whole number without a point."""
    return int(entry) if entry == int(entry) else entry
