"""What an object leads to: all that a thief of the memory of a process would find from it on."""

import gc
import itertools
import types
from numbers import Real
from typing import Any

import numpy as np

CODE = (type, types.ModuleType, types.CodeType)
_SLOTS_OF_FUNCTIONS = ("__closure__", "__defaults__", "__kwdefaults__", "__dict__")


def reachable(root: Any, *, but: tuple[type, ...] = ()) -> list[Any]:
    """Everything that an object leads to, what functions hold included; code and modules left out.

    Args:
        root: where to begin.
        but: kinds of things that are left out, with what they lead to.
    """
    seen: dict[int, Any] = {}
    queue = [root]
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, (*CODE, *but)):
            continue
        seen[id(thing)] = thing
        queue += _held_by(thing)
    return [*seen.values()]


def _held_by(thing: Any) -> list[Any]:
    """What one thing holds itself. Of a function not its module, which leads everywhere."""
    if isinstance(thing, types.FunctionType):
        return [getattr(thing, name) for name in _SLOTS_OF_FUNCTIONS]
    slots = itertools.chain.from_iterable(
        _names(getattr(kind, "__slots__", ())) for kind in type(thing).__mro__
    )
    held = [getattr(thing, name) for name in slots if hasattr(thing, name)]
    return [*gc.get_referents(thing), *held, *getattr(thing, "__dict__", {}).values()]


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def numbers_in(root: Any, size: int, *, but: tuple[type, ...] = ()) -> list[np.ndarray]:
    """All that an object leads to which may be this many numbers, as floats, in whatever form.

    Args:
        root: where to begin.
        size: how many numbers.
        but: as for `reachable`.
    """
    found = []
    for thing in reachable(root, but=but):
        if isinstance(thing, np.ndarray) and thing.size == size and thing.dtype.kind in "iuf":
            found.append(thing.astype(float).ravel())
        elif isinstance(thing, list | tuple) and len(thing) == size:
            found += [np.array(thing, float)] if all(isinstance(x, Real) for x in thing) else []
        elif isinstance(thing, bytes | bytearray | memoryview) and len(thing) == 8 * size:
            found += [np.frombuffer(thing, kind).astype(float) for kind in (np.int64, np.float64)]
    return found
