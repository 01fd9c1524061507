"""What the page RAPPOR looks at: what is asked of whom, what was reported, what it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dpviz.local.bloom import Bloom
from dpviz.local.couplings import COUPLINGS, Coupling, rappor_joint_loss
from dpviz.local.decoding import Correction, Decoded
from dpviz.local.rappor import Rappor
from dpviz.local.survey import Reports
from dpviz.workspace.guesses import Right
from dpviz.workspace.local.rappor import Subject, guesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is chosen in the fields.

    Attributes:
        first: the probabilities that everybody is asked with at first.
        second: those of the second report, whose f is smaller.
        bloom: the public hash functions.
        correction: of the tests.
        suspicious: the text that f is relaxed for.
        candidates: all texts that are looked for; the suspicious one is among them.
        decoys: how many of them, at the end, were made up.
    """

    first: Rappor
    second: Rappor
    bloom: Bloom
    correction: Correction
    suspicious: str
    candidates: tuple[str, ...]
    decoys: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """What is on screen.

    Attributes:
        asked: what is chosen.
        reports: what was reported: at the first f, and at the second; may be empty.
        decoded: what these say.
        truth: how many have each text; None: it stays hidden.
        clients: how many report; None: not known before they do.
        own: the visitor's column; None: the made-up texts.
        again: how often the made-up clients reported again.
    """

    asked: Asked
    reports: tuple[Reports, ...]
    decoded: tuple[Decoded, ...]
    truth: Mapping[str, int] | None
    clients: int | None
    own: Subject | None = None
    again: int = 0

    @cached_property
    def place(self) -> int:
        """Where the suspicious text is among the candidates."""
        return self.asked.candidates.index(self.asked.suspicious)

    @property
    def noun(self) -> str:
        """Who is counted."""
        return "browsers" if self.own is None else self.own.query.noun

    @property
    def losses(self) -> dict[Coupling, float]:
        """What all reports of one person tell at both f, by the way of drawing the second bits."""
        first, second, hashes = self.asked.first.f, self.asked.second.f, self.asked.bloom.hashes
        return {each: 2 * hashes * rappor_joint_loss(each, first, second) for each in COUPLINGS}

    @property
    def alone(self) -> tuple[float, float]:
        """What all reports of each kind tell alone."""
        first, second, hashes = self.asked.first, self.asked.second, self.asked.bloom.hashes
        return first.epsilon_forever(hashes), second.epsilon_forever(hashes)

    def guesses(self, *separate: Rappor) -> Right:
        """Right guesses of 1,000 by kinds of report with separate noise."""
        return guesses(separate, self.asked.bloom.hashes)
