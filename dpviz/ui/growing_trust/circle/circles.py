"""Circles: each made once for a question, and kept.

The person is made up, so what is drawn here is no release of anybody's data. In hardened mode the
circle is drawn by the operating system's randomness.
"""

from typing import Any

from dpviz import streams
from dpviz.parameters import EPSILON
from dpviz.ui.growing_trust.circle.view import Asked
from dpviz.ui.kit.state import Shelf, Slot, nothing
from dpviz.workspace.local.social_network import Circle

SEED = 9652  # each of Maria’s rings is told a number about as far off as is typical
MOST_SMALL = 2000  # members; of larger networks one circle is kept
_CIRCLES = Shelf[Circle]("network_circles")
_LARGE = Slot[tuple[Any, ...] | None]("network_large", nothing)


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
