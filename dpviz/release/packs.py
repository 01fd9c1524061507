"""What one tier may have, as a CSV: a header block that says what the numbers are, and the numbers.

Only the columns in `ALLOWED_COLUMNS` exist, and every number is one that this tier's own release
holds. Text from people is neutralised, so that no spreadsheet runs it as a formula.
"""

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from dpviz.errors import ParameterError

ALLOWED_COLUMNS = ("group", "value", "debiased")
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "#", "'")


def neutral(text: str) -> str:
    """Text that a spreadsheet shows and never runs; plain numbers stay as they are.

    >>> neutral("=1+1"), neutral("-5"), neutral("plain")
    ("'=1+1", '-5', 'plain')
    """
    flat = " ".join(text.splitlines()) if text else text
    return "'" + flat if flat.startswith(_RISKY) and not _is_plain_number(flat) else flat


def tier_csv(
    facts: Sequence[tuple[str, str]],
    groups: Sequence[str],
    values: NDArray[Any],
    *,
    mean: float = 0.0,
) -> bytes:
    r"""Write one tier's release.

    Args:
        facts: pairs of name and text for the header block, each written as a line `# name,text`.
        groups: names of the d groups.
        values: the release of this tier, shape (d,).
        mean: mean of the noise; where it is not 0 a column `debiased` = value − mean is added.

    Returns:
        UTF-8 text with columns `group`, `value` (and `debiased`); floats are written so that they
        read back to the same double.

    Raises:
        ParameterError: if there is not one value for each group.

    >>> import numpy as np
    >>> print(tier_csv([("unit", "one row")], ["a"], np.array([1.5])).decode().replace("\r", ""))
    # unit,one row
    group,value
    a,1.5
    <BLANKLINE>
    """
    if len(groups) != len(values):
        raise ParameterError("a release needs one value for each group: pass both of one session")
    sink = io.StringIO(newline="")
    writer = csv.writer(sink)
    for name, text in facts:
        writer.writerow([f"# {name}", neutral(text)])
    biased = mean != 0
    writer.writerow(ALLOWED_COLUMNS if biased else ALLOWED_COLUMNS[:2])
    for group, value in zip(groups, values.tolist(), strict=True):
        extra = [repr(value - mean)] if biased else []
        writer.writerow([neutral(group), repr(value), *extra])
    return sink.getvalue().encode("utf-8")


def _is_plain_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and text.isascii()
    except ValueError:
        return False
