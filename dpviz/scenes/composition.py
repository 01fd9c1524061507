"""Composition: what many private answers cost together, by every bound, and what more would fit.

`costs` makes the numbers; the drawer of the page shows its source.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from dpviz import checks
from dpviz.accounting.bounds import ANY_ORDER, ASSUMPTIONS, Bound
from dpviz.accounting.inputs import positive
from dpviz.parameters import exact
from dpviz.words import rounded_up, significant
from dpviz.workspace.composition import Part, kind_of, read_part, typed
from dpviz.workspace.composition_totals import BY_RHO, SUM, Room, room, sum_of, totals
from dpviz.workspace.guesses import CorrectGuesses, right_of, right_of_epsilon

BOUNDS = ("bound", "epsilon", "kind", "holds", "assumes", "theorem")
MOST_LISTED = 5  # questions that have a bar of their own
FEW = 3  # digits of a total in a sentence
LARGEST = 20.0  # an ε from which on all orders are as good as public


def costs(rows: Sequence[tuple[str, str, str]], delta: str, granted: str) -> pd.DataFrame:
    """Return the total ε of all answers by every bound, the tightest first, as `BOUNDS`.

    Args:
        rows: kind, budget and number of answers, as they are typed.
        delta: δ of all together, as it is typed.
        granted: what may depend on earlier answers, one of `bounds.ASSUMPTIONS`.

    Raises:
        ParameterError: something typed cannot be used, or there is no answer.

    >>> ten = ("anything that promises ε", "0.1", "20")
    >>> costs([ten], "1e-6", ASSUMPTIONS[0])["epsilon"].round(3).tolist()[0]
    1.789
    """
    parts = [read_part(kind_of(name), budget, count, where=name) for name, budget, count in rows]
    return table(totals(parts, Fraction(delta)), granted)


def table(bounds: Sequence[Bound], granted: str) -> pd.DataFrame:
    """Bounds as a table, columns `BOUNDS`: the tightest first, those that do not hold last.

    >>> one = Bound("sum", 2.0, "MATHEMATICS 5.1", "exact", ASSUMPTIONS[0])
    >>> table([one], ASSUMPTIONS[-1])["holds"].tolist()
    [True]
    """
    most = ASSUMPTIONS.index(granted)
    rows = [
        (b.name, b.value, b.kind, ASSUMPTIONS.index(b.assumes) <= most, b.assumes, b.theorem)
        for b in bounds
    ]
    rows.sort(key=lambda row: (not row[3], row[1]))
    return pd.DataFrame(rows, columns=list(BOUNDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """The answers, and what they may cost together.

    Attributes:
        sequence: the answers in order.
        notes: what each of them was, for a visitor; "" where that is only its kind.
        delta: δ of all together, exact.
        granted: what may depend on earlier answers, one of `bounds.ASSUMPTIONS`.
        limit: the total ε that may be spent, exact; None: no limit.
    """

    sequence: tuple[Part, ...]
    notes: tuple[str, ...]
    delta: Fraction
    granted: str
    limit: Fraction | None

    def __post_init__(self) -> None:
        positive(delta=self.delta)
        checks.between(0, 1, delta=float(self.delta))
        checks.one_of(ASSUMPTIONS, granted=self.granted)
        if self.limit is not None:
            positive(limit=self.limit)

    @property
    def typed(self) -> dict[str, object]:
        """What the recipe needs."""
        rows = tuple((p.answer.name, amount(p), str(p.count)) for p in self.sequence)
        return {"rows": rows, "delta": typed(self.delta), "granted": self.granted}


def amount(part: Part) -> str:
    """The budget of each answer as it is typed, with its δ where it has one.

    >>> from dpviz.workspace.composition import WITH_DELTA
    >>> amount(Part(answer=WITH_DELTA, budget=0.5, delta=1e-7))
    '0.5, 1e-7'
    """
    return typed(part.amount) + (f", {typed(exact(part.delta))}" if part.delta else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What all answers cost together.

    Attributes:
        questions: the answers.
        bounds: as `costs` gives them.
        best: the row of the smallest bound that holds.
        added: the row of the sum of all ε.
        room: how many more answers fit; None without a limit.
        right: guesses about one person from all answers, with the noise that they have.
        filled: what each of the first questions costs with all before it, but for the last one:
            the row of the smallest bound that holds.
    """

    questions: Questions
    bounds: pd.DataFrame
    best: Mapping[Any, Any]
    added: Mapping[Any, Any]
    room: Room | None
    right: CorrectGuesses
    filled: tuple[Mapping[Any, Any], ...]

    @property
    def count(self) -> int:
        """How many answers there are."""
        return sum(part.count for part in self.questions.sequence)

    @property
    def gains(self) -> bool:
        """Whether all answers together cost less than their sum, as both are written."""
        return shown(self.best["epsilon"]) != shown(self.added["epsilon"])

    @property
    def begins_as_a_sum(self) -> bool:
        """Whether the first question costs no less than its answers added, and others follow."""
        added = sum_of(self.questions.sequence[:1], self.questions.delta)
        return any(shown(row["epsilon"]) == shown(float(added)) for row in self.filled[:1])

    @property
    def likelier(self) -> float | None:
        """How many times as likely what the answers say may be with a person as without: e^ε.

        None: more than anybody would call a promise.
        """
        epsilon = float(self.best["epsilon"])
        return math.exp(epsilon) if epsilon <= LARGEST else None

    @property
    def promised(self) -> CorrectGuesses:
        """What a promise of ε as it is written, and δ, may allow at worst; no more is known."""
        written = rounded_up(float(self.best["epsilon"]), FEW)
        return right_of_epsilon(written, float(self.questions.delta))

    @property
    def at_limit(self) -> CorrectGuesses | None:
        """The same of the limit; None without one."""
        if self.questions.limit is None:
            return None
        return right_of_epsilon(float(self.questions.limit), float(self.questions.delta))

    @property
    def registered(self) -> float:
        """The total ε where the budgets are known beforehand, and the rest follows the answers."""
        return float(self.bounds.loc[self.bounds["assumes"] == ANY_ORDER, "epsilon"].min())

    @property
    def on_the_way(self) -> float:
        """The total ε where each budget, too, is chosen by the answers before it.

        Sums of ε and of ρ hold then ([RRUV16], [WRRW23]); of other bounds that is not known.
        """
        return float(self.bounds.loc[self.bounds["bound"].isin([SUM, BY_RHO]), "epsilon"].min())

    @property
    def exact_sum(self) -> Fraction | None:
        """The sum of all ε, exact; None where an answer has a ρ."""
        pure = all(part.epsilon is not None for part in self.questions.sequence)
        return sum_of(self.questions.sequence, self.questions.delta) if pure else None


def shown(epsilon: float, digits: int = FEW) -> str:
    """A total as it is written: never smaller than it is.

    >>> shown(1.3851), shown(2.0)
    ('1.39', '2')
    """
    return significant(rounded_up(epsilon, digits), digits)


def scene(questions: Questions) -> Composition:
    """All numbers of the page.

    Raises:
        ParameterError: there is no answer, or the δ of their promises use up that of all.
    """
    sequence = questions.sequence
    bounds = table(totals(sequence, questions.delta), questions.granted)
    rows, more = bounds.to_dict("records"), None
    if questions.limit is not None:
        more = room(
            sequence,
            sequence[-1],
            limit=questions.limit,
            delta=questions.delta,
            granted=questions.granted,
        )
    return Composition(
        questions=questions,
        bounds=bounds,
        best=rows[0],
        added=next(row for row in rows if row["bound"] == SUM),
        room=more,
        right=right_of(sequence),
        filled=tuple(
            table(totals(sequence[:many], questions.delta), questions.granted).iloc[0].to_dict()
            for many in range(1, min(len(sequence), MOST_LISTED + 1))
        ),
    )
