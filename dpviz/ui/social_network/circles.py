"""Circles, simulated attacks and the made-up town: each made once for a question, and kept.

The person is made up, so what is drawn here is no release of anybody's data. In hardened mode the
circle is drawn by the operating system's randomness; simulations are seeded always.
"""

from typing import Any

from dpviz import streams
from dpviz.charts.local.network_attack import sizes_of
from dpviz.experiments.averaging import ATTACKS, Attack, Measured, averaging_attacks
from dpviz.parameters import EPSILON
from dpviz.ui.kit.state import Shelf, Slot, nothing
from dpviz.ui.social_network.view import Asked
from dpviz.workspace.local.hospitals import Town, made_up_town
from dpviz.workspace.local.social_network import Circle, Coalition

SEED = 9652  # each of Maria’s rings is told a number about as far off as is typical
REPETITIONS, MOST_SIMULATED = 2000, 60
MOST_SMALL = 2000  # members; of larger networks one circle is kept
_CIRCLES = Shelf[Circle]("network_circles")
_LARGE = Slot[tuple[Any, ...] | None]("network_large", nothing)
_ATTACKS = Shelf[dict[int, dict[Attack, Measured]]]("network_attacks")
_TOWNS = Shelf[Town]("network_towns")


def circle_of(asked: Asked) -> Circle:
    """The circle of a person, answered when it is first asked for.

    Raises:
        ParameterError: what is typed does not go together.
    """
    if len(asked.network.graph) > MOST_SMALL and _LARGE.get() != asked.key:
        _CIRCLES.drop(_LARGE.pop())  # its graph takes tens of megabytes
        _LARGE.set(asked.key)
    return _CIRCLES.take(asked.key, lambda: _opened(asked))


def _opened(asked: Asked) -> Circle:
    rng = streams.hardened() if asked.mode == "hardened" else streams.teaching(SEED)
    return Circle(
        asked.network.graph,
        asked.user,
        asked.value,
        sensitivity=asked.sensitivity,
        trust=asked.trust,
        rng=rng,
    )


def begin_again(asked: Asked) -> None:
    """Forget who joined later; in teaching mode the answers come out the same."""
    _CIRCLES.drop(asked.key)


def join(asked: Asked, name: str, friend: str, epsilon: str) -> None:
    """Let somebody join, at an ε of their own if one is typed.

    Raises:
        ParameterError: one sentence with what to type instead.
    """
    own = EPSILON.read_exact(epsilon, where="ε of the new member") if epsilon.strip() else None
    circle_of(asked).join(name, friend, own)


def attacks_on(circle: Circle, coalition: Coalition | None) -> dict[int, dict[Attack, Measured]]:
    """The best estimates of a coalition if its answers had separate noise, simulated."""
    if coalition is None or len(coalition.levels) < 2:
        return {}
    levels = coalition.levels[:MOST_SIMULATED]
    sizes = [k for k in sizes_of(len(coalition.levels)) if k <= len(levels)]

    def simulated() -> dict[int, dict[Attack, Measured]]:
        found = averaging_attacks(
            circle.family, levels, sizes, REPETITIONS, rng=streams.teaching(SEED, 1)
        )
        return {k: {attack: each[attack] for attack in ATTACKS} for k, each in found.items()}

    return _ATTACKS.take((circle.family.name, levels, tuple(sizes)), simulated)


def town_of(asked: Asked, patients: int) -> Town:
    """A made-up town of people with such a circle, asked by each ring.

    Raises:
        ParameterError: what is typed does not go together.
    """
    circle = circle_of(asked)
    epsilons = [ring.epsilon for ring in circle.rings]

    def made() -> Town:
        return made_up_town(
            patients,
            float(asked.value) - float(asked.sensitivity) / 2,
            epsilons,
            family=circle.family,
            sensitivity=asked.sensitivity,
            rng=streams.teaching(SEED, 2),
        )

    return _TOWNS.take((asked.key, patients), made)
