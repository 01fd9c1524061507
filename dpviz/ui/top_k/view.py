"""What the page Top-k looks at: what was asked, by which mechanism, and what was found."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpviz.accounting import Stated
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array
from dpviz.queries import Nouns
from dpviz.queries.nouns import PERSON
from dpviz.top_k import ListCost, Reach, choose_top_k
from dpviz.top_k.choice import HISTOGRAM, TRUNCATED, Choice
from dpviz.top_k.truncated_histogram import concentrated_cost
from dpviz.ui.top_k.examples import Example
from dpviz.workspace.held import HeldTier
from dpviz.workspace.top_k.common import Common
from dpviz.workspace.top_k.lists import Subject, Values
from dpviz.workspace.top_k.source import Source

GAUSSIAN = ADDITIVE["gaussian"]
SEEN = 1000  # of an unknown domain, how many of the largest counts compete
SEED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is typed: a list of k items at this budget, of people who reach this far.

    Attributes:
        whole: whether noise that is no whole number may be used, which needs every count.
    """

    k: int
    epsilon: Fraction
    delta: Fraction
    reach: Reach
    known: bool
    whole: bool = True

    @property
    def log_delta(self) -> float:
        """Ln δ."""
        return math.log(self.delta)

    def choose(self) -> Choice:
        """The mechanism that disturbs this list least.

        Raises:
            ParameterError: no mechanism can be used.
        """
        return choose_top_k(
            self.k,
            epsilon=self.epsilon,
            log_delta=self.log_delta,
            reach=self.reach,
            known=self.known,
            whole=self.whole,
            seen=SEEN,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """A list that was drawn, with its noisy counts if they were."""

    items: tuple[str, ...]
    values: Array | None
    asked: int
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Own:
    """The visitor's column: what is counted, what draws its list, and who holds the counts.

    Attributes:
        source: what is counted.
        listing: the list, or list and counts in one; None: neither is drawn on this page.
        values: the counts of a list that was drawn.
        tiers: every tier that holds counts, most private first.
    """

    source: Source
    listing: Subject | Common | None
    values: Values | None
    tiers: tuple[HeldTier, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """One list with all that the page needs to know of it.

    Attributes:
        things: what the items are, plural.
        thing: singular.
        noun: what is counted.
        asked: what was typed.
        best: the mechanism that disturbs the list least, with the others.
        choice: the mechanism in use.
        found: the private list; None: nothing is drawn.
        counts: exact counts; None: they are hidden.
        example: which example; None: the visitor's column.
        again: how often the example was drawn again.
        own: the visitor's column; None: an example.
    """

    things: str
    thing: str
    noun: str
    asked: Asked
    best: Choice
    choice: Choice
    found: Found | None
    counts: Mapping[str, int] | None
    example: Example | None = None
    again: int = 0
    own: Own | None = None

    @property
    def nouns(self) -> Nouns:
        """What is protected is called."""
        return self.own.source.query.bounds.nouns if self.own else PERSON

    @property
    def k(self) -> int:
        """Length of the list that is on screen, or that would be drawn."""
        return self.found.asked if self.found else self.asked.k

    @property
    def true_k(self) -> int:
        """How many items it could find: fewer than k where there are no more."""
        return self.k if self.counts is None else min(self.k, len(self.counts))

    @property
    def list_cost(self) -> Stated:
        """What the list costs: with its counts, where both are one release."""
        choice, log_used = self.choice, self.choice.log_used
        if choice.step is not None:
            cost = ListCost(steps=self.k, step=choice.step, log_hidden=choice.log_hidden)
            return cost.epsilon(log_used)
        if choice.mechanism == TRUNCATED and choice.log_hidden and log_used:
            hidden, reach = choice.log_hidden, self.asked.reach
            return concentrated_cost(choice.scale, hidden, reach).epsilon(log_used)
        return Stated(choice.epsilon, "the exact curve of Gaussian noise")

    @property
    def list_delta(self) -> float:
        """The δ at which it costs that: half of it is for the counts, where they come later."""
        return float(self.asked.delta / (1 if self.in_one else 2))

    @property
    def in_one(self) -> bool:
        """Whether list and counts are one release."""
        return self.choice.mechanism in (HISTOGRAM, TRUNCATED)
