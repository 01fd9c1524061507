"""How a project keeps a survey by RAPPOR: the sums that were released, and nothing of a client.

To ask the same clients again at another f takes the answer that each of them has kept, and the text
that it was made of. Neither was released and both are of one person, so no project writes them
down: the survey goes on in the process that opened it, and its sums last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.rappor import Rappor
from dpviz.local.survey import Reports
from dpviz.workspace.kept import Content

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
class KeptReports:
    """How a project keeps a survey; `subject` is a `dpviz.workspace.local.rappor.Subject`."""

    subject: Any

    @property
    def never_sealed(self) -> str:
        """Why a survey cannot be sealed."""
        return NO_SEAL

    @property
    def lives(self) -> bool:
        """The sums are not what it goes on from."""
        return True

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

    def from_released(self, _content: Mapping[float, Content], _level: float) -> bool:
        """Never: more of it is drawn from the exact numbers."""
        return False

    def continued(self, _content: Mapping[float, Content], _exact: Any) -> Any:
        """Refuse: nobody but the process that opened it can go on.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(NO_MORE)

    def sealed_at(self, _mechanism: Any) -> None:
        """A survey cannot be sealed."""

    def seal(self, _mechanism: Any, _level: float) -> None:
        """Refuse.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(NO_SEAL)

    def retire(self, mechanism: Any) -> None:
        """The project goes on with it."""
