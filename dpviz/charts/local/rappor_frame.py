"""Frames of the page RAPPOR: estimates of texts at two f, and the bits of one client.

The true numbers enter only where the caller passes them: of made-up texts, or after "reveal".
"""

import math
from collections.abc import Mapping, Sequence

import pandas as pd
from scipy import special

from dpviz.local.decoding import Decoded
from dpviz.noise.family import Array
from dpviz.planning.budgets import ACCURACY_CONFIDENCE

TEXT, F, ESTIMATE, LOW, HIGH, FOUND, TRUE = (
    *("text", "f", "estimate", "low", "high", "found", "true number"),
)
ESTIMATES = (TEXT, F, ESTIMATE, LOW, HIGH, FOUND, TRUE)
STAGE, BIT, VALUE, OWN = "stage", "bit", "value", "bit of the text"
BITS = (STAGE, BIT, VALUE, OWN)
REACH = -float(special.ndtri((1 - ACCURACY_CONFIDENCE) / 2))  # standard errors of an interval


def estimates_frame(
    decoded: Sequence[tuple[float, Decoded]], truth: Mapping[str, int] | None
) -> pd.DataFrame:
    """A row for each candidate at each f, with its 95 % interval; columns `ESTIMATES`.

    Args:
        decoded: f and what its reports say, in the order in which they were asked for.
        truth: how many clients have each text; None: it stays hidden.
    """
    rows = []
    for f, found in decoded:
        for place, text in enumerate(found.candidates):
            estimate, error = float(found.counts[place]), REACH * float(found.errors[place])
            true = math.nan if truth is None else float(truth.get(text, 0))
            ends = estimate - error, estimate + error
            rows.append((text, f, estimate, *ends, bool(found.found[place]), true))
    return pd.DataFrame(rows, columns=list(ESTIMATES))


def bits_frame(stages: Mapping[str, Array], own: Array) -> pd.DataFrame:
    """A row for each bit of each stage of one client's report; columns `BITS`.

    Args:
        stages: name of the stage to its bits, from the filter to the last report.
        own: the filter: which bits the text sets.
    """
    rows = [
        (stage, bit, int(value), bool(own[bit]))
        for stage, bits in stages.items()
        for bit, value in enumerate(bits.tolist())
    ]
    return pd.DataFrame(rows, columns=list(BITS))
