"""The one act by which a page draws without a press: made-up examples and simulations.

They are not releases: nobody's data is behind an example, and a simulation adds noise to numbers
that are made up or were released. The caller keeps what was made up by what was asked (a slot or
a shelf of the session), so that it is drawn once; a rerun, another view of the same, or coming back
to the page draws nothing.
"""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def made_up(draw: Callable[[], T]) -> T:
    """Draw what was asked for the first time."""
    return draw()
