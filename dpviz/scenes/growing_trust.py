"""Growing trust: one number for many readers, as a patient’s pulse, a circle and a data market.

In each story one person’s number is told at many budgets, all from one path of noise, so readers
who compare notes know what the best informed of them knows: the meter says how much that is. The
values are made up, so they may be shown and enter no ledger. `pulse`, `circle` and `market` make
the numbers afresh; the drawer of the page shows their source. (Hardened draws cannot be repeated:
made afresh, they are other numbers of the same kind.)
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpviz import checks, streams
from dpviz.accounting.inputs import positive
from dpviz.experiments.doubling import DOUBLING, SHARPEN, compare
from dpviz.local import DataMarket, MarketTerms, Trust, graphs
from dpviz.noise.family import ReleaseLaw
from dpviz.planning.budgets import usual_half_width
from dpviz.release.sharpening import relative
from dpviz.streams import Mode
from dpviz.workspace.gradual import OneValue, Reading
from dpviz.workspace.guesses import CorrectGuesses, question, right_between
from dpviz.workspace.local.data_market import Owner, Stall, guesses, open_market
from dpviz.workspace.local.social_network import Circle, Coalition

if TYPE_CHECKING:
    import networkx as nx

LEVELS = 60  # budgets at which the cone is drawn
POINTS = 401  # of the curve of a law
BARS = 160  # a law on fewer whole numbers has a bar for each
LEAST_SHOWN = 1e-4  # a law is shown between these two quantiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """How well all readers together tell two values apart, here and with separate noise."""

    right: tuple[CorrectGuesses, CorrectGuesses]
    losses: tuple[Fraction | float, Fraction | float]  # ε
    readers: int
    values: str  # the two values, such as "62 or 63"
    far: CorrectGuesses  # the same by the best number, between values `FAR` times as far apart
    far_values: str


FAR = 5  # times as far apart


# --- a patient’s pulse ---

PATH_SEED = (7, 528)  # its errors shrink towards larger ε, and all its jumps are seen
HANDED_OUT = (0.1, 1.0, 0.5)  # trust of the first readers, in this order


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """A value with the numbers that readers have of it, and where its path is read."""

    one: OneValue
    least: float  # the smallest ε that is drawn
    most: float
    epsilon: float  # where the path is read

    @property
    def reading(self) -> Reading:
        """The value, its unit and what is hidden."""
        return self.one.reading

    @property
    def picked(self) -> bool:
        """Whether the path is the one that was picked because it is easy to read."""
        return self.one.seed == PATH_SEED and not self.one.family.integer

    @property
    def digit(self) -> float:
        """What numbers are written to about: a step; of whole numbers 1."""
        return 1.0 if self.one.family.integer else self.reading.step

    @property
    def number(self) -> float:
        """What is read."""
        return self.one.number(self.epsilon)

    def half(self, epsilon: float) -> float:
        """How far off 95 % of the numbers at a budget are at most."""
        return usual_half_width(self.one.family, self.one.level(epsilon))

    @property
    def meter(self) -> Meter:
        """The most trusted reader alone, and all of them with separate noise."""
        held, size = self.one.released, self.reading.step
        levels = sorted(self.one.level(epsilon) for epsilon in held)
        losses = max(held), math.fsum(held)
        here = right_between(self.one.family, size, levels[:1], losses[0])
        apart = right_between(self.one.family, size, levels, losses[1])
        far = right_between(self.one.family, FAR * size, levels[:1], FAR * losses[0])
        return Meter(
            right=(here, apart),
            losses=losses,
            readers=len(held),
            values=question(self.reading.value, size),
            far=far,
            far_values=question(self.reading.value, size, times=FAR),
        )

    @property
    def steps(self) -> pd.DataFrame:
        """Where the path rests, among the budgets that are drawn: columns low, high and value."""
        ends, values = self.one.path.steps()
        frame = pd.DataFrame({"low": [0.0, *ends[:-1]], "high": ends, "value": values})
        frame = frame[(frame["high"] >= self.least) & (frame["low"] < self.most)]
        return frame.assign(
            low=frame["low"].clip(lower=self.least), high=frame["high"].clip(upper=self.most)
        ).reset_index(drop=True)

    @property
    def cone(self) -> pd.DataFrame:
        """How far off 95 % of all numbers are: columns epsilon and half_width."""
        epsilons = np.geomspace(self.least, self.most, LEVELS)
        halves = [self.half(epsilon) for epsilon in epsilons.tolist()]
        return pd.DataFrame({"epsilon": epsilons, "half_width": halves})


def handed_out(
    reading: Reading,
    mode: Mode,
    seed: tuple[int, ...],
    trusts: Sequence[float] = HANDED_OUT,
    grown: Sequence[float] = (),
) -> OneValue:
    """Draw the path of a value, let it grow to these budgets in order, and hand numbers out.

    >>> from dpviz.workspace.gradual import EXAMPLES
    >>> [round(x, 1) for x in handed_out(EXAMPLES[0], "teaching", PATH_SEED).released.values()]
    [74.5, 61.4, 63.5]
    """
    one = OneValue(reading, mode, *seed)
    for epsilon in grown:
        one.serve(min(epsilon, one.least), max(epsilon, one.most))
    for epsilon in trusts:
        one.release(epsilon)
    return one


def pulse(
    reading: Reading,
    mode: Mode,
    seed: tuple[int, ...],
    trusts: Sequence[float],
    grown: Sequence[float],
    epsilon: float,
) -> dict[str, object]:
    """Return what each reader has, by ε, and what the path says at one ε.

    >>> from dpviz.workspace.gradual import EXAMPLES
    >>> found = pulse(EXAMPLES[0], "teaching", PATH_SEED, (0.1,), (), 0.5)
    >>> round(found["read"], 1), found["readers"].keys()
    (63.5, dict_keys([0.1]))
    """
    one = handed_out(reading, mode, seed, trusts, grown)
    return {"read": one.number(epsilon), "readers": dict(one.released)}


RUNS = 400
FIRST_SCALE, LOOKS = 64.0, 12  # in steps of what is hidden: from ε = 1/64 on, doubled each time
NEAR_BY = -math.log(0.05)  # scales of Laplace noise within which a number is, 95 times in 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """What it costs to sharpen a number until it is good enough, of many runs.

    Attributes:
        share: how near is good enough, as a share of the number.
        runs: as `doubling.compare` gives them.
    """

    share: float
    runs: pd.DataFrame

    def __post_init__(self) -> None:
        checks.positive(share=self.share)

    def paid(self, way: str) -> float:
        """The ε that half of the runs pay at most."""
        return float(self.runs.loc[self.runs["way"] == way, "epsilon"].median())

    @property
    def one_path(self) -> float:
        """What the path pays."""
        return self.paid(SHARPEN)

    @property
    def again(self) -> float:
        """What starting again pays."""
        return self.paid(DOUBLING)

    @property
    def met(self) -> bool:
        """Whether most runs come as near as that."""
        return bool(self.runs["met"].mean() > 0.5)


def stopping(value: float, step: float, share: float, *, runs: int = RUNS) -> Stopping:
    """Sharpen a value until its noise is at most a share of it, on one path and by starting again.

    Args:
        value: the exact value.
        step: the difference that is hidden.
        share: how near is good enough, above 0.
        runs: how many times.

    >>> found = stopping(72.0, 1.0, 0.1)
    >>> found.one_path, found.again
    (0.5, 0.984375)
    """
    frame = compare(
        [value / step],
        FIRST_SCALE,
        LOOKS,
        relative(share, NEAR_BY),
        runs=runs,
        rng=streams.teaching(PATH_SEED[0]),
    )
    return Stopping(share=share, runs=frame)


def law(found: ReleaseLaw, *, whole: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A law as a curve or as masses, and its atoms; columns value and chance.

    Args:
        found: of one value.
        whole: whether it is on whole numbers: then masses hold the atoms, too.

    >>> from dpviz.gradual import gradual_law
    >>> curve, atoms = law(gradual_law({1.0: 0.75}, 2.0, exact=0.0), whole=False)
    >>> atoms.round(4).values.tolist()
    [[0.75, 0.2362]]
    """
    low, high = found.quantile(np.array([LEAST_SHOWN, 1 - LEAST_SHOWN]))
    if whole:
        at = np.arange(low, high + 1, max(1, int((high - low) // BARS)), dtype=float)
    else:
        kinks = [value for value, _ in found.atoms]
        near = [np.nextafter(kink, side) for kink in kinks for side in (-np.inf, np.inf)]
        at = np.unique([*np.linspace(low, high, POINTS), *near])
    atoms = [(value, chance) for value, chance in found.atoms if chance > 0]
    return (
        pd.DataFrame({"value": at, "chance": found.density(at)}),
        pd.DataFrame(atoms, columns=["value", "chance"]),
    )


# --- a circle of friends ---

FRIENDS = (
    "Maria,Ana Maria,Bo Maria,Cleo Maria,Dan Ana,Bo Ana,Finn Ana,Gita Finn,Gita Bo,Hugo Bo,Iris "
    "Cleo,Jon Cleo,Kim Jon,Kim Dan,Leo Dan,Mina Finn,Nils Gita,Olga Gita,Pia Hugo,Quin Iris,Rosa "
    "Iris,Sam Jon,Tara Kim,Uma Leo,Vera Leo,Will Mina,Yara Pia,Abel Sam,Bea Uma,Cem Dora,Emil"
)
REFERRALS = (
    "Maria,doctor;Maria,heart clinic;doctor,hospital;doctor,laboratory;heart clinic,university;"
    "hospital,insurer;university,research;laboratory,register"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A network of the page, as a classic’s name or an edge list, and somebody to begin with."""

    name: str  # tells it from others
    told: str  # where it comes from, one sentence
    source: str
    somebody: str
    places: bool = False
    graph: "nx.Graph" = field(repr=False, default=None)


NETWORKS = {
    each.name: each
    for each in (
        Network(
            name="Maria’s town",
            told="Made up: 29 people, two of whom know only each other.",
            source=FRIENDS.replace(" ", "\n"),
            somebody="Maria",
        ),
        Network(
            name="Maria and her hospitals",
            told="Made up: who refers patients to whom. Each referral is one step farther from "
            "Maria.",
            source=REFERRALS.replace(";", "\n"),
            somebody="Maria",
            places=True,
        ),
        *(
            Network(name=c.title, told=f"{c.source}.", source=c.name, somebody=c.somebody)
            for c in graphs.CLASSIC_NETWORKS.values()
        ),
    )
}

CIRCLE_SEED = 9652  # each of Maria’s rings is told a number about as far off as is typical


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleSettings:
    """Whose circle it is, what is told in it, and who compares notes."""

    network: str  # the name of a classic one, or an edge list
    mark: str  # what tells it from other networks
    graph: "nx.Graph"
    places: bool  # whether its members are hospitals
    user: str
    what: str  # the value in a word or two
    value: float  # a whole number, or a float
    unit: str
    sensitivity: Fraction
    trust: Trust
    mode: Mode

    def __post_init__(self) -> None:
        checks.finite(value=self.value)
        positive(sensitivity=self.sensitivity)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from other circles."""
        value = repr(self.value)  # 142 and 142.0 have other noise
        return (self.mark, self.user, value, self.sensitivity, self.trust.epsilons, self.mode)


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleScene:
    """A circle, and those of it who compare notes."""

    settings: CircleSettings
    circle: Circle
    rings: tuple[int, ...]  # that compare notes as a whole
    members: tuple[str, ...]  # who do so by name

    @property
    def pooling(self) -> tuple[str, ...]:
        """All who compare notes."""
        return pooled(self.circle, self.rings, self.members)

    @property
    def coalition(self) -> Coalition | None:
        """What they know; None where nobody of them was told anything."""
        return self.circle.coalition(self.pooling) if self.pooling else None

    @property
    def meter(self) -> Meter | None:
        """The best informed of them alone, and all of them with separate noise."""
        found, moves = self.coalition, float(self.settings.sensitivity)
        if found is None:
            return None
        here, apart = found.together.largest.value, found.together.added.value
        family = self.circle.family
        return Meter(
            right=(
                right_between(family, moves, found.levels[:1], here),
                right_between(family, moves, found.levels, apart),
            ),
            losses=(here, apart),
            readers=len(found.viewers),
            values=question(self.settings.value, moves),
            far=right_between(family, FAR * moves, found.levels[:1], FAR * here),
            far_values=question(self.settings.value, moves, times=FAR),
        )


def graph_of(network: str) -> "nx.Graph":
    """A graph of the literature by its name, or what an edge list holds.

    >>> len(graph_of("karate_club")), sorted(graph_of("Ana, Bo"))
    (34, ['Ana', 'Bo'])
    """
    if network in graphs.CLASSIC_NETWORKS:
        return graphs.classic_network(network)
    return graphs.read_edges(network)


def answered(
    graph: "nx.Graph", user: str, value: float, sensitivity: Fraction, trust: Trust, mode: Mode
) -> Circle:
    """The circle of a made-up person, who answers all rings at once, nearest first.

    >>> found = answered(graph_of("Ana, Bo"), "Ana", 142, Fraction(20), Trust((4,)), "teaching")
    >>> [(ring.members, ring.answer) for ring in found.rings]
    [(('Bo',), 148.0)]
    """
    rng = streams.hardened() if mode == "hardened" else streams.teaching(CIRCLE_SEED)
    return Circle(graph, user, value, sensitivity=sensitivity, trust=trust, rng=rng)


def pooled(found: Circle, rings: Iterable[int], members: Iterable[str]) -> tuple[str, ...]:
    """Everybody in these rings, and these members.

    >>> found = answered(graph_of("Ana, Bo"), "Ana", 142, Fraction(20), Trust((4,)), "teaching")
    >>> pooled(found, [1], ["Bo"])
    ('Bo',)
    """
    whole = [name for ring in found.rings if ring.distance in rings for name in ring.members]
    return tuple(dict.fromkeys([*whole, *members]))


def circle(
    network: str,
    user: str,
    value: float,
    sensitivity: Fraction,
    trust: Trust,
    mode: Mode,
    joined: Sequence[tuple[str, str, Fraction | None]],
    rings: Sequence[int],
    members: Sequence[str],
) -> dict[str, object]:
    """Return what each ring is told, and what those who compare notes know together.

    >>> found = circle(
    ...     "Ana, Bo", "Ana", 142, Fraction(20), Trust((4,)), "teaching",
    ...     joined=(), rings=[1], members=(),
    ... )
    >>> found["told"], found["together"].viewers
    ({1: 148.0}, ('Bo',))
    """
    found = answered(graph_of(network), user, value, sensitivity, trust, mode)
    for name, friend, epsilon in joined:
        found.join(name, friend, epsilon)
    pooling = pooled(found, rings, members)
    return {
        "told": {ring.distance: ring.answer for ring in found.rings},
        "joined": found.joined,
        "together": found.coalition(pooling) if pooling else None,
    }


# --- a data market ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """An open market, and which of the owner’s values is drawn."""

    stall: Stall
    place: int

    @property
    def sales(self) -> pd.DataFrame:
        """Every purchase, as `sales` gives it."""
        return sales(self.stall.market, self.place)

    @property
    def best(self) -> list[str]:
        """Who holds the sharpest number."""
        ledger = self.stall.ledger
        return [name for name, held in ledger.held.items() if held == ledger.loss]

    @property
    def meter(self) -> Meter:
        """The best informed buyer alone, and all purchases with separate noise."""
        ledger, owner = self.stall.ledger, self.stall.owner
        best = [ledger.loss] if ledger.sales else []
        return Meter(
            right=(
                guesses(ledger.terms, best),
                guesses(ledger.terms, [sale.epsilon for sale in ledger.sales]),
            ),
            losses=(ledger.loss, ledger.apart),
            readers=len(ledger.held),
            values=question(owner.values[0], owner.moves),
            far=guesses(ledger.terms, best, times=FAR),
            far_values=question(owner.values[0], owner.moves, times=FAR),
        )


def sales(found: DataMarket, place: int) -> pd.DataFrame:
    """Return every purchase in its order, with one of the numbers that were sold.

    Returns:
        before: the ε that the buyer held; holds: whether the buyer has no better number by now;
        price: what the ε costs in all; revenue, loss and apart: totals so far, the last one as it
        would be with separate noise. Budgets and money are exact.

    >>> found = Stall.example()
    >>> sales(found.market, 0)["holds"].tolist(), str(sales(found.market, 0)["revenue"].iloc[-1])
    ([False, True, True, True, True, True], '62/5')
    """
    ledger, rows = found.ledger, []
    for sale, (revenue, loss, apart) in zip(ledger.sales, ledger.running, strict=True):
        row = {
            "buyer": sale.buyer,
            "before": sale.before,
            "epsilon": sale.epsilon,
            "number": float(found.number(sale).reshape(-1)[place]),
            "half_width": usual_half_width(ledger.terms.family, sale.level),
            "paid": sale.paid,
            "price": ledger.terms.curve.price(sale.epsilon),
            "holds": ledger.held[sale.buyer] == sale.epsilon,
        }
        rows.append(row | {"revenue": revenue, "loss": loss, "apart": apart})
    return pd.DataFrame(rows)


def market(
    owner: Owner,
    terms: MarketTerms,
    mode: Mode,
    number: int,
    purchases: Sequence[tuple[str, Fraction]],
    place: int,
) -> pd.DataFrame:
    """Open the market of this number, sell to everybody in order, and return every purchase.

    >>> from dpviz.workspace.local.data_market import OFFER, OWNER
    >>> found = market(OWNER, OFFER, "teaching", 0, [("ada", Fraction(1))], 0)
    >>> found["number"].round(1).tolist(), str(found["paid"].item())
    ([145.3], '4')
    """
    found = open_market(owner, terms, mode, number)
    for buyer, epsilon in purchases:
        found.sell(buyer, epsilon)
    return sales(found, place)
