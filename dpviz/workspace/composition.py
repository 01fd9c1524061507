"""A sequence of private answers, and where one comes from: typed rows, or what was released here.

Each part of the sequence is a kind of answer, its budget as an exact decimal, and how often it is
given. What all of them cost together is in composition_totals.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from itertools import groupby

from dpviz import checks
from dpviz.accounting.composition import APPROXIMATE, PURE, ZCDP
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import DOUBLE_EXPONENTIAL
from dpviz.parameters import DELTA, EPSILON, RHO, Parameter, exact
from dpviz.planning.typed import whole
from dpviz.release import LedgerEntry
from dpviz.workspace.workspace import Workspace

MOST_OF_A_PART, MOST_PARTS = 1_000, 30
DEVIATION = Parameter(
    symbol="σ",
    kind="standard deviation above 0",
    unit="what one person can move",
    above=0.0,
    least=1e-6,
    most=1e6,
    example="5",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A kind of private answer.

    Attributes:
        name: in words, as a visitor chooses it.
        budget: the label of its budget.
        read: how the budget is typed.
        meaning: one sentence for a visitor.
    """

    name: str
    budget: str
    read: Parameter
    meaning: str


ANY = Answer(
    name="anything that promises ε",
    budget="Budget ε",
    read=EPSILON,
    meaning="such as randomised response: no answer is more than e^ε times as likely with a "
    "person as without",
)
LAPLACE = Answer(
    name="number with Laplace noise",
    budget="Budget ε",
    read=EPSILON,
    meaning="its loss is known exactly, and it costs less than the worst answer with this ε",
)
GAUSS = Answer(
    name="number with Gaussian noise", budget="Budget ρ", read=RHO, meaning="ρ = Δ₂²/(2σ²)"
)
GAUSS_BY_SIZE = Answer(
    name="number with Gaussian noise of known size",
    budget="Noise σ, in Δ₂",
    read=DEVIATION,
    meaning="σ is the standard deviation of the noise, as a multiple of what one person can move",
)
CHOICE = Answer(
    name="best of a list",
    budget="Budget ε",
    read=EPSILON,
    meaning="the exponential mechanism, also called bounded range: it names the best item of a "
    "list and costs less than the worst answer with this ε",
)
CONCENTRATED = Answer(
    name="anything that promises ρ", budget="Budget ρ", read=RHO, meaning="whatever is ρ-zCDP"
)
WITH_DELTA = Answer(
    name="anything that promises ε and δ",
    budget="Budget ε, δ",
    read=EPSILON,
    meaning="whatever is (ε, δ)-DP",
)
ANSWERS = (ANY, LAPLACE, CHOICE, GAUSS, GAUSS_BY_SIZE, CONCENTRATED, WITH_DELTA)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some answers of one kind, each with the same budget and independent randomness.

    Attributes:
        answer: its kind, one of `ANSWERS`.
        budget: of each answer, exact; ε, ρ or σ/Δ₂, as the kind says.
        delta: of each answer, exact; above 0 for an (ε, δ) promise only.
        count: how many answers.
        note: what they were, for a visitor.

    Raises:
        ParameterError: the budget is not above 0, the count not from 1 on, or a δ is there that
            the kind does not have.

    >>> Part(answer=GAUSS_BY_SIZE, budget=5).rho
    Fraction(1, 50)
    """

    answer: Answer
    budget: Number
    delta: Number = 0
    count: int = 1
    note: str = ""

    def __post_init__(self) -> None:
        checks.instance(Answer, answer=self.answer)
        positive(budget=self.budget)
        checks.whole(1, count=self.count)
        if (self.answer is WITH_DELTA) != (self.delta != 0):
            raise ParameterError(f"{self.answer.name} {'needs' if not self.delta else 'has no'} δ")
        object.__setattr__(self, "budget", exact(self.budget))
        object.__setattr__(self, "delta", exact(self.delta))
        checks.between(0, 1, delta=float(self.delta))

    @property
    def amount(self) -> Fraction:
        """The budget of each answer, exact."""
        return exact(self.budget)

    @property
    def words(self) -> str:
        """The budget with its letter, as it is typed.

        >>> Part(answer=ANY, budget=0.1).words
        'ε = 0.1'
        """
        letter = "σ/Δ₂" if self.answer is GAUSS_BY_SIZE else "ε" if self.rho is None else "ρ"
        own = f", δ = {typed(exact(self.delta))}" if self.delta else ""
        return f"{letter} = {typed(self.amount)}{own}"

    @property
    def epsilon(self) -> Fraction | None:
        """The ε that each answer promises (beside its δ), exact; None where there is only a ρ."""
        return None if self.rho is not None else self.amount

    @property
    def rho(self) -> Fraction | None:
        """The ρ that each answer promises, exact; None where the promise is an ε."""
        if self.answer is GAUSS_BY_SIZE:
            return 1 / (2 * self.amount**2)
        return self.amount if self.answer in (GAUSS, CONCENTRATED) else None


EXAMPLE = (
    (ANY.name, "0.1", "10", "Yes or no"),
    (CHOICE.name, "0.1", "10", "Top illness"),
)


def kind_of(name: str) -> Answer:
    """The kind of answer of this name.

    >>> kind_of("best of a list").budget
    'Budget ε'
    """
    return next(answer for answer in ANSWERS if answer.name == name)


def read_part(answer: Answer, budget: str, count: str, *, where: str) -> Part:
    """A part as it was typed, its budget read exactly.

    Args:
        answer: its kind, one of `ANSWERS`.
        budget: what was typed; of an (ε, δ) promise both, with a comma between.
        count: what was typed.
        where: which part, to begin the sentence of a refusal.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_part(WITH_DELTA, "0.5, 1e-7", "3", where="Part 1").delta
    Fraction(1, 10000000)
    """
    place, delta = f"{where}, {answer.budget}", Fraction(0)
    if answer is WITH_DELTA:
        epsilon, _, then = budget.strip().strip("()").partition(",")
        if not then.strip():
            raise ParameterError(f"{place}: type both with a comma between, for example 1, 1e-7.")
        budget, delta = epsilon, DELTA.read_exact(then, where=f"{where}, δ")
    amount = answer.read.read_exact(budget, where=place)
    times = whole(count, where=f"{where}, how many", least=1, most=MOST_OF_A_PART)
    return Part(answer=answer, budget=amount, delta=delta, count=times)


def from_ledger(ws: Workspace) -> tuple[Part, ...]:
    """What was released in this workspace: a part for each session, at its largest budget.

    Releases of one session are lossless: together they cost what the least private one costs.
    Sessions in a row that cost the same are one part.
    """
    sessions: dict[int, list[LedgerEntry]] = {}
    for entry in ws.ledger:
        sessions.setdefault(entry.session, []).append(entry)
    parts = [_of_session(ws, entries) for entries in sessions.values()]
    return tuple(_counted(parts))


def _of_session(ws: Workspace, entries: Sequence[LedgerEntry]) -> Part:
    """One session as a part, by what its noise promises."""
    least_private = max(entries, key=lambda entry: exact(entry.event.budget))
    event, family = least_private.event, ADDITIVE[least_private.family]
    known = ws.session_of(least_private).asking.plain is not None
    smooth = known and family.shape == DOUBLE_EXPONENTIAL and not family.integer
    answers = {ZCDP: GAUSS, PURE: LAPLACE if smooth else ANY, APPROXIMATE: WITH_DELTA}
    return Part(
        answer=answers[event.definition],
        budget=exact(event.budget),
        delta=max(exact(entry.event.delta) for entry in entries),
        note=ws.session_of(least_private).asking.statistic,
    )


def _counted(parts: Iterable[Part]) -> Iterable[Part]:
    """Equal parts in a row as one."""
    for part, equal in groupby(parts):
        yield Part(
            answer=part.answer,
            budget=part.budget,
            delta=part.delta,
            count=part.count * len(list(equal)),
            note=part.note,
        )


def typed(number: Fraction) -> str:
    """An exact budget as people type it; a number that no decimal is, rounded up in 15 digits.

    >>> typed(Fraction(1, 10)), typed(Fraction(1, 10**7)), typed(Fraction(1, 3))
    ('0.1', '1e-7', '0.333333333333334')
    """
    with localcontext() as context:
        context.prec, context.rounding = 50, ROUND_CEILING
        shown = Decimal(number.numerator) / Decimal(number.denominator)
        if Fraction(shown) != number:
            context.prec = 15
            shown = +shown
        shown = shown.normalize()
    text = f"{shown:f}"
    return text if len(text) <= 20 and float(shown) >= 1e-4 else f"{shown:e}".replace("e+", "e")
