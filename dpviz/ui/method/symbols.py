"""Every symbol of the pages, read from the list that the library keeps: dpviz/NOTATION.md."""

from functools import cache
from importlib.resources import files

import pandas as pd

COLUMNS = ("Name", "Symbol", "Unit", "Meaning")


@cache
def symbols_frame() -> pd.DataFrame:
    """All rows of the list, in its order.

    >>> frame = symbols_frame()
    >>> frame[frame["Symbol"] == "ρ"].iloc[0]["Name"]
    'rho'
    """
    text = (files("dpviz") / "NOTATION.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    rows = [_cells(line) for line in lines]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _cells(line: str) -> list[str]:
    """The four cells of a row; the last one may have bars of its own."""
    return [cell.strip() for cell in line.strip("|").split("|", 3)]
