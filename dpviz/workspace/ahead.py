"""Exact answers that take long are computed ahead of a draw, where somebody can watch and stop it.

A page cannot wait for an engine: while an act draws, its workspace is held. So a page asks, around
an act, that exact answers which may take long are at hand; the act is refused otherwise, before it
has changed anything. The page then computes them beside itself and runs the act again: the table
keeps what it has computed. Scripts and commands ask for nothing of that, and wait.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dpviz.errors import ParameterError
from dpviz.workspace.sessions import Asking

_KNOWN = ContextVar[Callable[[Hashable], bool] | None]("known", default=None)


class UncountedError(ParameterError):
    """An act needs an exact answer that is not at hand."""

    def __init__(self, asking: Asking) -> None:
        """Keep what the session is asked for."""
        self.asking = asking
        super().__init__("the exact numbers are not there yet; count them first")


@contextmanager
def at_hand(known: Callable[[Hashable], bool]) -> Iterator[None]:
    """Refuse acts within the block that would wait for an engine.

    Args:
        known: whether the answer of a key is there.
    """
    before = _KNOWN.set(known)
    try:
        yield
    finally:
        _KNOWN.reset(before)


def check_at_hand(asking: Asking) -> None:
    """Refuse what would wait for an engine, where that was asked for.

    Args:
        asking: what a session is asked for.

    Raises:
        UncountedError: with it, if its exact answer is not at hand.

    >>> from dpviz.workspace import Workspace
    >>> ws = Workspace.fresh()
    >>> with at_hand(lambda key: False):
    ...     check_at_hand(ws.statistic.asking("gaussian"))  # rows in memory take no time
    """
    known, table = _KNOWN.get(), asking.table
    if known is None or table is None or table.seconds is None or known(asking.key):
        return
    raise UncountedError(asking)
