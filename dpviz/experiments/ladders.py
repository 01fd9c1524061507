"""Ladders of budgets between two ends, for pictures that ask how a cost grows with the tiers.

The caption of [LMR25, Figure 2] speaks of budgets evenly spaced on a logarithmic scale, its text of
a constant increase in budget; both are offered.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError

Spacing = Literal["factors", "steps"]
SPACINGS: tuple[Spacing, ...] = get_args(Spacing)
MOST = 1000  # tiers


def spaced_budgets(
    least: float, largest: float, count: int, spacing: Spacing = "factors"
) -> NDArray[np.float64]:
    """Budgets from `least` to `largest`, by equal factors or by equal steps.

        factors: ρ_i = ρ_1 (ρ_m/ρ_1)^((i-1)/(m-1))      steps: ρ_i = ρ_1 + (i-1)(ρ_m-ρ_1)/(m-1)

    Args:
        least: smallest budget, above 0.
        largest: largest budget, above `least`.
        count: number of tiers m, from 2 to 1,000.
        spacing: "factors" (a logarithmic scale) or "steps".

    Returns:
        Shape (count,), ascending, both ends exact.

    Raises:
        ParameterError: an argument is out of range, or two budgets would be the same float.

    Source: [LMR25, section 6 and Figure 2].

    >>> spaced_budgets(0.1, 10.0, 3).round(12).tolist(), spaced_budgets(1, 3, 3, "steps").tolist()
    ([0.1, 1.0, 10.0], [1.0, 2.0, 3.0])
    """
    checks.positive(least=least, largest=largest)
    count = checks.integer(2, count=count)
    if spacing not in SPACINGS:
        raise ParameterError(f'spacing is "factors" or "steps", got {spacing!r}')
    if count > MOST:
        raise ParameterError(f"count is at most {MOST}, got {count}")
    if not least < largest:
        raise ParameterError(
            f"the smallest budget {least:g} is not below the largest {largest:g}; "
            "type a smaller one first"
        )
    made = (np.geomspace if spacing == "factors" else np.linspace)(least, largest, count)
    made[0], made[-1] = least, largest
    if not (np.diff(made) > 0).all():
        raise ParameterError(
            "the two ends are too close for this many tiers; type ends further apart"
        )
    return made
