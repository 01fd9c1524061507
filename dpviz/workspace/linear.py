"""Linear queries: the numbers that they ask about, the questions, and what a session is about.

The numbers are a made-up year, which is public, or those of the statistic in use, of which only
names and units are here: exact values are made when the first tier draws, inside the mechanism, and
again only for "reveal". Both are asked the same questions.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

import numpy as np

from dpviz import checks
from dpviz.accounting.guarantees import guarantee_of
from dpviz.errors import ParameterError
from dpviz.linear import Contribution
from dpviz.linear.accuracy import half_widths
from dpviz.linear.comparison import setting_of
from dpviz.linear.contribution import Summed, numbers_of
from dpviz.linear.factorization import Factorization
from dpviz.linear.operators_intervals import ends
from dpviz.linear.workloads import Workload, marginals, prefix_sums, ranges, single_numbers, typed
from dpviz.noise import Array
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.planning.typed import number
from dpviz.queries import ByBins, ByCycle, ByTime, ByTwoColumns, Everybody
from dpviz.release import LedgerEntry
from dpviz.words import percent, significant, within
from dpviz.words.grammar import numbered
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.kept import Levels
from dpviz.workspace.sessions import Asking, Legend, Session, Statistic, at_its_level, held_at
from dpviz.workspace.structured import budgeted
from dpviz.workspace.workspace import Workspace

WEEKS = (  # visits to a made-up clinic, week by week
    *(99, 84, 99, 81, 94, 125, 111, 120, 120, 106, 132, 122, 135),
    *(145, 129, 146, 130, 138, 161, 146, 157, 161, 139, 158, 139, 147),
    *(160, 136, 145, 130, 132, 143, 120, 133, 126, 103, 121, 95, 105),
    *(110, 84, 98, 84, 83, 100, 76, 94, 92, 76, 103, 82, 98),
)
QUARTERS, OF_QUARTER = 4, 13


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """Numbers in rows and columns: the words of the question, and the names."""

    words: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What the numbers are called.

    Attributes:
        key: what they are the numbers of.
        labels: of each, such as "3".
        one: what one of them is, such as "week"; "weeks" are several.
        noun: their unit.
        step: one whole step of them, in that unit.
        ordered: whether the list has an order of its own, as times and bins have.
        crossed: set if they are in rows and columns, row by row.
        made_up: whether they are public, and any first few of them may be asked about.
    """

    key: Hashable
    labels: tuple[str, ...]
    one: str
    noun: str
    step: float = 1.0
    ordered: bool = True
    crossed: Crossed | None = None
    made_up: bool = False

    def __post_init__(self) -> None:
        checks.positive(step=self.step)

    @property
    def many(self) -> str:
        """Several of them."""
        return f"{self.one}s"

    def name(self, place: int) -> str:
        """The name of one of them, to go on a sentence.

        >>> YEAR.name(2)
        'week 3'
        """
        return self.labels[place] if self.one == "number" else f"{self.one} {self.labels[place]}"

    def span(self, first: int, last: int) -> str:
        """The name of a range of them, both ends in it.

        >>> YEAR.span(2, 2), YEAR.span(2, 6)
        ('week 3', 'weeks 3 … 7')
        """
        if first == last:
            return self.name(first)
        return f"{self.many} {self.labels[first]} … {self.labels[last]}"


YEAR = Numbers(
    key="a made-up year",
    labels=tuple(str(week) for week in range(1, len(WEEKS) + 1)),
    one="week",
    noun="visits",
    crossed=Crossed(
        words="quarters and weeks within them",
        rows=tuple(f"quarter {q}" for q in range(1, QUARTERS + 1)),
        columns=tuple(f"week {w} of all quarters" for w in range(1, OF_QUARTER + 1)),
    ),
    made_up=True,
)


def of_query(query: Summed) -> Numbers:
    """The values of a query.

    >>> from dpviz.queries import Count
    >>> ages = of_query(Count(ByBins("age", (0, 10, 20, 30))))
    >>> ages.name(0), ages.span(0, 1), ages.noun
    ('bin 0 to 10', 'bins 0 to 10 … 10 to 20', 'people')
    """
    by = query.by
    words = {ByBins: "bin", ByTwoColumns: "pair", Everybody: "number"}
    return Numbers(
        key=query,
        labels=query.labels,
        one=by.every if isinstance(by, ByTime) else words.get(type(by), "group"),
        noun=query.noun,
        step=query.step,
        ordered=isinstance(by, ByBins | ByTime | ByCycle),
        crossed=_crossed(by) if isinstance(by, ByTwoColumns) else None,
    )


def _crossed(by: ByTwoColumns) -> Crossed:
    first, second = by.first, by.second
    return Crossed(
        words="row and column sums",
        rows=tuple(f"{first.title} {group}" for group in first.labels),
        columns=tuple(f"{second.title} {group}" for group in second.labels),
    )


# --- the questions ---


MOST_QUESTIONS = 60
MOST_RANGED = 60  # numbers, whose ranges are 1,830
EXAMPLE = """1 1 1 0 0 0
0 0 0 1 1 1
1 1 1 1 1 1
1 0 0 0 0 -1"""
Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
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


def offered(numbers: Numbers) -> dict[str, Callable[[Numbers], Queries]]:
    """The questions that make sense of these numbers, by their words; a matrix may be typed, too.

    >>> from dpviz.workspace.linear import YEAR
    >>> list(offered(YEAR))[1:3]
    ['all ranges of weeks', 'quarters and weeks within them']
    """
    found: dict[str, Callable[[Numbers], Queries]] = {}
    if len(numbers.labels) > 1:
        found["running totals"] = totals
        if len(numbers.labels) <= MOST_RANGED:
            found[f"all ranges of {numbers.many}"] = all_ranges
    if numbers.crossed is not None:
        found[numbers.crossed.words] = both_sums
    found[f"every {numbers.one} by itself"] = single
    return found


def totals(numbers: Numbers) -> Queries:
    """The total from the first number to each."""
    n = len(numbers.labels)
    ups = tuple(f"up to {numbers.name(t)}" for t in range(n))
    return Queries(
        "totals",
        numbers,
        f"{n:,} running totals",
        "total",
        prefix_sums(n),
        ups,
        f"prefix_sums({n})",
    )


def all_ranges(numbers: Numbers) -> Queries:
    """The sum over every range."""
    n = len(numbers.labels)
    first, last = ends("ranges", n)
    return Queries(
        "ranges",
        numbers,
        f"{len(first):,} sums over ranges",
        "sum",
        ranges(n),
        tuple(numbers.span(int(a), int(b) - 1) for a, b in zip(first, last, strict=True)),
        f"ranges({n})",
    )


IN_ORDER = (totals, all_ranges)  # they depend on the order of the list


def both_sums(numbers: Numbers) -> Queries:
    """Rows and columns of numbers that are in both.

    Raises:
        ParameterError: if they do not.
    """
    table = numbers.crossed
    if table is None:
        raise ParameterError("these numbers have no rows and columns; ask for running totals")
    names = (*table.rows, *table.columns)
    return Queries(
        "marginals",
        numbers,
        f"{len(names):,} sums ({table.words})",
        "sum",
        marginals(len(table.rows), len(table.columns)),
        names,
        f"marginals({len(table.rows)}, {len(table.columns)})",
    )


def single(numbers: Numbers) -> Queries:
    """Every number by itself."""
    n = len(numbers.labels)
    names = tuple(numbers.name(place) for place in range(n))
    return Queries(
        "singles",
        numbers,
        "one number" if n == 1 else f"{n:,} single numbers",
        "number",
        single_numbers(n),
        names,
        f"single_numbers({n})",
    )


def of_matrix(rows: Matrix, numbers: Numbers) -> Queries:
    """A typed matrix, a row per question, a column per number.

    Raises:
        ParameterError: if it cannot be used.
    """
    names = tuple(f"question {q}" for q in range(1, len(rows) + 1))
    return Queries(
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

    >>> from dpviz.workspace.linear import YEAR
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


# --- what a session is about ---


def statistic_of(ws: Workspace) -> tuple[Statistic, Summed]:
    """The statistic in use as linear queries take it, and its query.

    Raises:
        ParameterError: if its numbers do not add up, or are too many.
    """
    used = ws.statistic
    query = numbers_of(used.query)
    return replace(used, query=query), query


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """What a session is about: a statistic, what is asked of it, the noise, and how it is split."""

    statistic: Statistic
    query: Summed
    queries: Queries
    family: Family
    factorization: Factorization

    @property
    def key(self) -> Hashable:
        """Everything that the answers and their noise depend on, but for the mode."""
        what = self.statistic.key
        return "linear queries", self.queries.key, self.family.name, what, self.factorization.name

    @property
    def exact(self) -> Array:
        """The exact answers in units, computed again: not private, for "reveal" only."""
        data = self.query.values(self.statistic.table)
        return np.asarray(self.queries.workload.exact(data) * self.queries.numbers.step)

    def tiers(self, ws: Workspace) -> tuple[list[PlannedTier], list[str]]:
        """The plan's tiers for these numbers, most private first, and who is left out."""
        step = self.queries.numbers.step
        return budgeted(ws, setting_of(self.factorization, self.family, ws.delta, step))

    def asked(self, ws: Workspace) -> tuple[Asking, list[PlannedTier]]:
        """What a plan asks of it, and for whom."""
        return self.asking, self.tiers(ws)[0]

    @property
    def asking(self) -> Asking:
        """What the mechanism is asked for, and how its releases are accounted for."""
        statistic, query, family = self.statistic, self.query, self.family
        made = self.factorization
        kept = Levels(
            subject=self,
            family=family,
            exact=lambda: made.exact(query.values(statistic.table), family),
            around=made.around,
            inner=lambda answers: answers.inner,
        )
        return Asking(
            key=self.key,
            statistic=f"{self.queries.workload.name} of: {query.statistic}",
            data=statistic.data,
            family=family,
            kind="lossless",
            mechanism=lambda rng: kept.opened(rng=rng),
            release=at_its_level,
            facts=self._facts,
            values=held_at,
            entries=lambda *_: self.queries.names,
            step=self.queries.numbers.step,
            about=statistic,
            bounds=query.bounds,
            kept=kept,
            any_order=True,
            legend=Legend(
                one="answer",
                many="answers",
                noun=self.queries.numbers.noun,
                half=lambda entry: self._half_widths(entry.level),
                offset=lambda level: made.offset(family, level),
            ),
        )

    def _half_widths(self, level: float) -> Array:
        """How far off each answer by itself may be."""
        found = half_widths(self.factorization, self.family, level, ACCURACY_CONFIDENCE)
        return np.asarray(found * self.queries.numbers.step)

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of one tier's answers."""
        query, numbers, family = self.query, self.queries.numbers, self.family
        made, level = self.factorization, entry.level
        most = float(self._half_widths(level).max())
        return header(
            entry,
            one.mode,
            statistic=f"{self.queries.workload.name} of: {query.statistic}",
            questions=self._typed_questions(),
            data=self.statistic.data,
            together=f"for all {len(self.queries.names):,} answers together",
            unit=query.unit,
            neighbours=query.neighbours,
            bounds=query.contribution,
            sensitivity=sensitivity_words(made, family, numbers.step),
            noise=f"{family.label}, {family.level_name} {level!r}, on each of {made.inner:,} "
            f"numbers R·x, of which L makes the answers; factorization A = L·R: {made.name}",
            accuracy=f"with {percent(ACCURACY_CONFIDENCE)} confidence each answer by itself is "
            f"{within(most, f'({numbers.noun}) of the bounded one')}; most are nearer",
        )

    def _typed_questions(self) -> str:
        """A typed matrix in full: nobody could read the answers without it."""
        if not isinstance(self.queries.key, tuple):
            return ""
        rows = self.queries.sample.removeprefix("typed(").removesuffix(")")
        return f"row by row {rows}, times the numbers of: {'; '.join(self.queries.numbers.labels)}"


def most_words(person: Contribution, step: float) -> str:
    """M: what one person adds to one number at most, in its unit."""
    steps = "" if step == 1 else f" ({significant(person.largest)} steps of {significant(step, 6)})"
    return f"{significant(person.largest * step)}{steps}"


def sensitivity_words(made: Factorization, family: Family, step: float) -> str:
    """The norm of R·x that counts, and the rule that gave it."""
    moves = made.moves
    norm, found = ("Δ₂", moves.l2) if guarantee_of(family).norm == "l2" else ("Δ₁", moves.l1)
    steps = "" if step == 1 else f" steps of {significant(step, 6)}"
    return (
        f"{norm} of R·x = {significant(found.value, 4)}{steps}: {found.method}, with "
        f"M = {most_words(made.contribution, step)}"
    )
