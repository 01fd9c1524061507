"""Acts on one object take turns, since two presses of one visitor may run in two threads."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class _Locked(Protocol):
    lock: threading.RLock


Owner = TypeVar("Owner", bound=_Locked)
P = ParamSpec("P")
R = TypeVar("R")


def alone(act: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Let an act run while no other act of its owner runs; a second press waits."""

    @wraps(act)
    def in_turn(owner: Owner, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with owner.lock:
            return act(owner, *args, **kwargs)

    return in_turn
