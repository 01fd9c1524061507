"""Reports of the visitor's rows by RAPPOR: each row, or person, is a client that trusts nobody.

What is drawn is what a collector would have: sums of reports. The texts stay with the rows, and a
list of candidates is typed, never read off the column. Reports at another f go on along the same
chain, so that all of them together cost what the sharpest costs.
To ask the same clients again at another f takes the answer that each of them has kept, and the text
that it was made of. Neither was released and both are of one person, so no project writes them
down: the survey goes on in the process that opened it, and its sums last.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.accounting import ReleaseEvent
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.local.bloom import Bloom
from dpviz.local.rappor import Rappor
from dpviz.local.survey import RapporSurvey, Reports
from dpviz.noise.family import Array, Family
from dpviz.parameters import exact
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import TextCounts
from dpviz.release import LedgerEntry, Selection
from dpviz.words import significant
from dpviz.workspace.composition import ANY, Part
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.guesses import CorrectGuesses, right_of
from dpviz.workspace.kept import Content, NeverSealed
from dpviz.workspace.sessions import Asking, Legend, Session
from dpviz.workspace.structured import for_all_tiers
from dpviz.workspace.workspace import Workspace

NO_MORE = (
    "These clients were asked from another tab, or before the dashboard was started again. The "
    "answer that each of them keeps is secret, so it is in no project and they cannot be asked "
    "again. Start over, or change the filter, p or q: that is another survey, whose cost adds"
)
NO_SEAL = "A survey cannot be sealed: its clients answer from their own texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveySums:
    """How often each bit was reported at one f, as a project writes it.

    Attributes:
        f: of the reports.
        clients: how many clients each cohort has.
        ones: reported ones of each cohort, bit by bit.
    """

    f: float
    clients: tuple[int, ...]
    ones: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        checks.between(0, 1, f=self.f)
        for number in (*self.clients, *(each for row in self.ones for each in row)):
            checks.whole(0, number=number)

    @classmethod
    def of(cls, reports: Reports) -> "SurveySums":
        """The sums of one report of every client."""
        clients, ones = reports.clients.tolist(), reports.ones.tolist()
        return cls(f=reports.rappor.f, clients=tuple(clients), ones=tuple(map(tuple, ones)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldReports:
    """The sums that were released, for tabs to show; it asks nobody."""

    held: Mapping[Rappor, Reports]

    def report(self, rappor: Rappor) -> Reports:
        """The sums of reports with these probabilities.

        Raises:
            ParameterError: if nobody was asked for them.
        """
        if rappor not in self.held:
            raise ParameterError(NO_MORE)
        return self.held[rappor]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptReports(NeverSealed):
    """How a project keeps a survey; `subject` is a `dpviz.workspace.local.rappor.Subject`."""

    never_sealed: str = NO_SEAL
    lives = True  # the sums are not what it goes on from

    def exact(self) -> Any:
        """The texts and how many have them; not private."""
        return self.subject.query.values(self.subject.table)

    def content(self, mechanism: Any) -> Mapping[float, Content]:
        """The sums at every level."""
        return {rappor.level: SurveySums.of(each) for rappor, each in mechanism.held.items()}

    def serves(self, mechanism: Any, level: float) -> bool:
        """Whether everybody was asked at this level."""
        return any(rappor.level == level for rappor in mechanism.held)

    def shown(self, content: Mapping[float, Content], *, sealed: bool) -> HeldReports:
        """The sums; a survey is never sealed."""
        del sealed
        one = self.subject
        found = {}
        for sums in content.values():
            rappor = one.asked(sums.f)
            found[rappor] = Reports(
                bloom=one.bloom,
                rappor=rappor,
                ones=np.array(sums.ones, dtype=np.int64),
                clients=np.array(sums.clients, dtype=np.int64),
            )
        return HeldReports(held=found)

    def continued(self, _content: Mapping[float, Content], _exact: Any) -> Any:
        """Refuse: nobody but the process that opened it can go on.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(NO_MORE)


# --- what the session is about ---


NEIGHBOURS = "the text of one client is replaced; who takes part is public"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A survey of the clients behind one column.

    Attributes:
        table: whose rows they are.
        query: the text of each client; of one text each, with the number of clients public.
        bloom: the public hash functions.
        p: chance of a one in a report where the permanent bit is 0.
        q: chance of a one in a report where the permanent bit is 1.

    Raises:
        ParameterError: if a client may have several texts, or p and q make no sense.
    """

    table: Table
    query: TextCounts
    bloom: Bloom
    p: float
    q: float

    def __post_init__(self) -> None:
        checks.instance(TextCounts, query=self.query)
        checks.instance(Bloom, bloom=self.bloom)
        self.asked(0.5)
        bounds = self.query.bounds
        if (bounds.relation, bounds.groups_per_person, bounds.rows_per_group) != ("replace", 1, 1):
            raise ParameterError(
                "a client reports one text, and one is replaced by another: choose one text and "
                "one row for each person, and “replaced”"
            )

    @property
    def key(self) -> Hashable:
        """Everything that the survey depends on, but for the mode."""
        return (
            "RAPPOR",
            self.table.source(self.query.columns),
            self.query,
            self.bloom,
            self.p,
            self.q,
        )

    def asked(self, f: float) -> Rappor:
        """The probabilities of a report at f."""
        return Rappor(f=f, p=self.p, q=self.q)

    def reports(self, ws: Workspace) -> tuple[Reports, ...]:
        """What was reported so far; draws nothing."""
        one = ws.find(self.key)
        return tuple(one.mechanism.held.values()) if one else ()

    def draw(self, ws: Workspace, f: float, *, sure: bool = False) -> None:
        """Ask every client for a report at f, once, and write the cost into the ledger.

        Args:
            ws: the workspace.
            f: of random answers in the permanent bits.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: if there are no clients, too many, f is 0 or 1, or it is not meant.
        """
        ws.record(self.asking(f, ws.family), self.planned(f), sure=sure)

    def planned(self, f: float) -> PlannedTier:
        """Reports at f as the ledger takes them: what any number of them would tell."""
        rappor = self.asked(f)
        level = rappor.level
        loss = exact(math.nextafter(rappor.epsilon_forever(self.bloom.hashes), math.inf))
        return for_all_tiers(f"reports at f = {significant(f)}", level, loss, 0.0)

    def asking(self, f: float, family: Family) -> Asking:
        """What the survey is asked for, and how it is accounted for.

        Args:
            f: of the report.
            family: noise of the other releases, which share its ledger.
        """
        query, rappor = self.query, self.asked(f)

        def release(survey: RapporSurvey, tier: PlannedTier) -> float:
            survey.report(rappor)
            return tier.budget.level

        def selection(number: int) -> Selection:
            loss = exact(self.planned(f).budget.loss)
            cost = ReleaseEvent(session=number, definition="ε-DP", budget=loss)
            return Selection(noise="RAPPOR", cost=cost)

        return Asking(
            key=self.key,
            statistic=f"RAPPOR reports of {query.statistic}",
            data=self.table.described(self.query.columns),
            family=family,
            kind="lossless",
            mechanism=lambda rng: RapporSurvey(query.values(self.table), self.bloom, rng=rng),
            release=release,
            facts=self._facts,
            values=_sums,
            entries=lambda *_: self._entries(),
            about=self.table,
            bounds=query.bounds,
            selection=selection,
            kept=KeptReports(subject=self),
            legend=Legend(
                one="sum of reports",
                many="sums of reports",
                columns=("cohort and bit", "clients who reported it"),
                says="Each client answered partly at random, so a sum is no count of texts: how "
                "common a text is has to be estimated from all of them.",
            ),
        )

    def _entries(self) -> tuple[str, ...]:
        """Names of the sums, in their order."""
        bloom = self.bloom
        return tuple(
            f"cohort {cohort + 1}, bit {bit + 1}"
            for cohort in range(bloom.cohorts)
            for bit in range(bloom.bits)
        )

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of the sums of one f."""
        bloom, f = self.bloom, -math.expm1(-entry.level)
        return header(
            entry,
            one.mode,
            statistic=f"how often each bit was reported, for {self.query.statistic}",
            data=self.table.described(self.query.columns),
            unit=self.query.bounds.unit,
            neighbours=NEIGHBOURS,
            bounds="Each client reports the Bloom filter of one text, in a cohort drawn by chance.",
            sensitivity=f"two texts differ in at most {2 * bloom.hashes} bits",
            items=f"{bloom.bits} bits, {bloom.hashes} of which a text sets, in each of "
            f"{bloom.cohorts:,} cohorts; key {bloom.key!r}",
            noise=f"RAPPOR, f = {significant(f)}, p = {significant(self.p)}, "
            f"q = {significant(self.q)}",
            accuracy="each sum is one of independent responses; see MATHEMATICS 15.2 for counts",
        )


def guesses(separate: Sequence[Rappor], hashes: int) -> CorrectGuesses:
    """Of 1,000 guesses which of two texts one client has, how many are right at most.

    Both texts are equally likely beforehand, and any number of reports is seen. Two texts differ in
    at most 2h bits, each kept by a randomised response.

    Args:
        separate: probabilities of reports whose kept bits are drawn independently. Of reports
            linked along the chain the sharpest alone counts.
        hashes: h, ones that a text sets.

    Source: MATHEMATICS 5.6, 15.2.

    >>> round(guesses([Rappor(f=0.5, p=0.25, q=0.75)], 2).value, 2)
    843.75
    """
    bits = 2 * hashes
    return right_of(
        [Part(answer=ANY, budget=r.epsilon_forever(hashes) / bits, count=bits) for r in separate]
    )


def _sums(survey: RapporSurvey, level: float) -> Array:
    """How often each bit was reported at a level."""
    found: Array = next(
        reports.ones.reshape(-1) for rappor, reports in survey.held.items() if rappor.level == level
    )
    return found
