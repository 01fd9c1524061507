"""Who holds which answers about the made-up year: a session, and the tiers that drew from it.

Each combination of questions, noise, contribution and way is a session of its own. The year is
public, so none of them is in the workspace’s ledger. Sessions live with the browser tab; two
tiers draw when one is made up, the others in button callbacks.
"""

import zlib
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dpviz import streams
from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear.answers import LinearAnswers
from dpviz.linear.comparison import setting_of
from dpviz.noise import Array
from dpviz.parameters import USUAL_DELTA
from dpviz.planning import cast
from dpviz.planning.amounts import Amount, Kind
from dpviz.planning.budgets import Budget, resolve
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.ui.linear_queries.view import Answers, View
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear.numbers import WEEKS

SEED = 31
TIERS = (cast.PUBLIC, cast.PARTNERS, cast.RESEARCH, cast.AUDIT)
OPENING = cast.ASKING[:2]  # who asked before the page is opened
_AGAIN = Slot("linear_again", lambda: 0)


@dataclass(slots=True)
class Held:
    """One session of answers, and the tiers that hold releases of it.

    Attributes:
        answers: the session.
        budgets: what each tier may have, most private first.
        seed: seed and path of its generator, for the code sample.
        drawn: tiers that hold their release, in the order of asking.
    """

    answers: LinearAnswers
    budgets: dict[str, Budget]
    seed: tuple[int, ...]
    drawn: list[str] = field(default_factory=list)

    def draw(self, *names: str) -> None:
        """Draw the answers of tiers; once drawn they stay."""
        for name in names:
            self.answers.release(self.budgets[name].level)
            if name not in self.drawn:
                self.drawn.append(name)


_HELD = Shelf[Held]("linear_sessions")


def held(shown: View) -> Held:
    """The session of this combination; opened, with two tiers, when it is first looked at.

    Raises:
        ParameterError: if a tier's budget cannot be used.
    """
    return _HELD.take(shown.key, lambda: _opened(shown))


def answers(shown: View, one: Held) -> Answers:
    """What every tier that drew holds, with the exact answers: they are public."""
    names = [name for name in TIERS if name in one.drawn]
    return Answers(
        tiers=tuple(_tier(one, name) for name in names),
        exact=np.asarray(shown.asked.workload.exact(data(shown))),
        generator=f"streams.teaching{one.seed!r}",
        asked=tuple((name, one.budgets[name].level) for name in one.drawn),
    )


def data(shown: View) -> Array:
    """The made-up numbers that are asked about."""
    return np.array(WEEKS[: shown.asked.workload.shape[1]])


def _tier(one: Held, name: str) -> HeldTier:
    found = one.budgets[name]
    return HeldTier.of(name, found, cast.STYLES[name], one.answers.release(found.level))


def start_over(key: Hashable) -> None:
    """Forget a session: the next one has other noise."""
    _AGAIN.set(_AGAIN.get() + 1)
    _HELD.drop(key)


def _opened(shown: View) -> Held:
    family, made = shown.family, shown.way.factorization
    setting = setting_of(made, family, USUAL_DELTA)
    kind: Kind = guarantee_of(family).letter
    budgets = {
        name: resolve(kind, Amount(Fraction(amount)), setting)
        for name, amount in cast.amounts(kind).items()
        if name in TIERS
    }
    seed = (SEED, zlib.crc32(repr(shown.key).encode()), _AGAIN.get())
    session = made.session(data(shown), family, rng=streams.teaching(*seed))
    one = Held(session, budgets, seed)
    one.draw(*OPENING)
    return one
