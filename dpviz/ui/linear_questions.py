"""What the page Linear queries asks of a made-up year: the questions, their names, their places.

The numbers are made up and public, so exact answers may stand beside noisy ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dpviz.errors import ParameterError
from dpviz.mechanisms.operators_intervals import ends
from dpviz.mechanisms.workloads import (
    Workload,
    marginals,
    prefix_sums,
    ranges,
    single_numbers,
    typed,
)
from dpviz.noise import Array
from dpviz.ui.typed import number

WEEKS = (  # visits to a made-up clinic, week by week
    *(99, 84, 99, 81, 94, 125, 111, 120, 120, 106, 132, 122, 135),
    *(145, 129, 146, 130, 138, 161, 146, 157, 161, 139, 158, 139, 147),
    *(160, 136, 145, 130, 132, 143, 120, 133, 126, 103, 121, 95, 105),
    *(110, 84, 98, 84, 83, 100, 76, 94, 92, 76, 103, 82, 98),
)
NOUN = "visits"
QUARTERS, OF_QUARTER = 4, 13
MOST_QUESTIONS = 60
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
        words: what is asked, after "answer:", such as "a running total".
        workload: A.
        names: of the answers.
        places: where each answer stands on the axis.
        place_names: what is asked at each place, to begin a sentence.
        axis: title of that axis.
        sample: how the workload is made with the library.
    """

    key: object
    words: str
    workload: Workload
    names: tuple[str, ...]
    places: tuple[int, ...]
    place_names: Mapping[int, str]
    axis: str
    sample: str

    @property
    def data(self) -> tuple[int, ...]:
        """The made-up numbers that are asked about."""
        return WEEKS[: self.workload.shape[1]]

    @property
    def exact(self) -> Array:
        """The exact answers, which are public because the year is made up."""
        return self.workload.exact(self.data)


def totals() -> Asked:
    """The total from the first week to each week."""
    weeks = range(1, len(WEEKS) + 1)
    names = {t: f"the total up to week {t}" for t in weeks}
    return Asked(
        "totals",
        "a running total",
        prefix_sums(len(WEEKS)),
        tuple(f"up to week {t}" for t in weeks),
        tuple(weeks),
        names,
        "week up to which is summed",
        f"prefix_sums({len(WEEKS)})",
    )


def all_ranges() -> Asked:
    """The sum over every range of weeks."""
    first, last = ends("ranges", len(WEEKS))
    return Asked(
        "ranges",
        "the sum over a range of weeks",
        ranges(len(WEEKS)),
        tuple(f"weeks {a + 1} to {b}" for a, b in zip(first, last, strict=True)),
        tuple(int(length) for length in last - first),
        {length: f"a range of {length} weeks" for length in range(1, len(WEEKS) + 1)},
        "length of the range, weeks",
        f"ranges({len(WEEKS)})",
    )


def both_sums() -> Asked:
    """Quarters, and the weeks within a quarter: rows and columns of a table."""
    names = [f"quarter {q}" for q in range(1, QUARTERS + 1)]
    names += [f"week {w} of all quarters" for w in range(1, OF_QUARTER + 1)]
    places = range(1, len(names) + 1)
    return Asked(
        "marginals",
        "a row or column sum",
        marginals(QUARTERS, OF_QUARTER),
        tuple(names),
        tuple(places),
        {p: f"the sum over {name}" for p, name in zip(places, names, strict=True)},
        f"1–{QUARTERS}: quarters, {QUARTERS + 1}–{len(names)}: weeks of them",
        f"marginals({QUARTERS}, {OF_QUARTER})",
    )


def single_weeks() -> Asked:
    """Every week by itself."""
    weeks = range(1, len(WEEKS) + 1)
    return Asked(
        "weeks",
        "a week’s number",
        single_numbers(len(WEEKS)),
        tuple(f"week {t}" for t in weeks),
        tuple(weeks),
        {t: f"week {t}" for t in weeks},
        "week",
        f"single_numbers({len(WEEKS)})",
    )


def of_matrix(rows: Matrix) -> Asked:
    """A typed matrix, a row per question, a column per week.

    Raises:
        ParameterError: if it cannot be used.
    """
    workload = _typed(rows)
    questions = range(1, len(rows) + 1)
    return Asked(
        rows,
        "a typed question",
        workload,
        tuple(f"question {q}" for q in questions),
        tuple(questions),
        {q: f"question {q}" for q in questions},
        "question, in the order of the rows",
        f"typed({[[_short(entry) for entry in row] for row in rows]!r})",
    )


@lru_cache(maxsize=8)  # the same object for the same rows, so that nothing is computed twice
def _typed(rows: Matrix) -> Workload:
    return typed(rows)


def read_matrix(text: str) -> Matrix:
    r"""Read a matrix: a line per row, numbers set apart by spaces, commas, semicolons or tabs.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_matrix("1 0\n0.5, -1")
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
    width = len(rows[0])
    for place, row in enumerate(rows, start=1):
        if len(row) != width:
            raise ParameterError(
                f"Row {place} has {len(row)} numbers and row 1 has {width}. "
                "Give every row as many, 0 where a week is not asked about."
            )
    if width > len(WEEKS):
        raise ParameterError(
            f"The matrix has {width:,} columns, and the example has {len(WEEKS)} weeks. "
            f"Keep {len(WEEKS)} columns or fewer."
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
