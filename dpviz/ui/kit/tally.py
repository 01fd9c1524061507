"""What all tabs of this server have released, of which rows, and its classes: all that they share.

It holds budgets under marks that nobody can read (`dpviz.workspace.others`), and looks into the
projects of the server, also those of others: the limit of the person who runs it counts them all.
Classes know nothing of a visitor's table (`dpviz.workspace.classroom`).
"""

import os
from functools import lru_cache

from dpviz.accounting.odometer import Limit
from dpviz.data import Table
from dpviz.workspace.classroom import Classes
from dpviz.workspace.others import ByProject, Server
from dpviz.workspace.projects import Projects, place_from


def kept(table: Table, limit: Limit | None) -> ByProject:
    """What the projects of this server have released of the rows of a table.

    Args:
        table: whose rows.
        limit: in whose currency it is told; None: as it was stated.

    Raises:
        ParameterError: if they cannot be read.
    """
    place = place_from(os.environ, shared=False)
    if place is None or not Projects.begun(place):
        return {}
    return _opened(place).holding(table, limit)


@lru_cache(maxsize=1)
def _opened(place: str) -> Projects:
    """The projects of a place, looked through for damage once."""
    return Projects(place)


SERVER = Server(kept)
CLASSES = Classes()
