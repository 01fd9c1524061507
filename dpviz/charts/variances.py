"""Figure 2 of the paper: variance against budget, both logarithmic, tier by tier.

Lines are formulas, marks are measured and never joined. The lossless line is the lowest; the
alternatives are grey, the one that is compared is thicker [LMR25, Figure 2]. Limits: lines connect
tiers, and mean nothing between them.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import pandas as pd

from dpviz.accounting.schemes import DOUBLING, INDEPENDENT, LOSSLESS, SCHEMES, SPLITTING
from dpviz.charts.forms.lines import DETAIL, HIGH, INK, LINE, LOW, Axis, Look, X, Y, lines
from dpviz.charts.forms.picture import Picture
from dpviz.palette import DASHED, DOTTED, GREY, MIXED, SOLID
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes.variances import LINES
from dpviz.words import budget, percent, significant

DASHES = {LOSSLESS: SOLID, SPLITTING: DOTTED, INDEPENDENT: DASHED, DOUBLING: MIXED}


def figure_2(
    frame: pd.DataFrame,
    measured: pd.DataFrame | None,
    *,
    compared: str,
    letter: str = "ρ",
    how: str = "",
) -> Picture:
    """Draw the lines of all schemes, and measured marks on two of them.

    Args:
        frame: as `dpviz.scenes.variances.variances` gives it, of all schemes.
        measured: columns `MEASURED`, or None while nothing is measured.
        compared: the scheme that is measured beside the lossless one.
        letter: of the budgets, "ρ" or "ε".
        how: how the marks were made, for the hover, such as "1,000,000 repetitions".

    Raises:
        ParameterError: there is no tier.

    >>> from dpviz.scenes.variances import variances
    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> two = variances([0.1, 1.0], ONE_NUMBER)
    >>> line = figure_2(two, None, compared="splitting").figure.data[-1]
    >>> line.name, line.y.round(3).tolist()
    ('lossless', [5.0, 0.5])
    """
    tiers = frame["place"].max() + 1
    order = [scheme for scheme in LINES[1:] if scheme != compared] + [compared, LOSSLESS]
    rows, looks = [], {}
    for scheme in order:
        ours, name = scheme == LOSSLESS, SCHEMES[scheme].name
        colour = INK if ours else GREY
        looks[name] = Look(
            colour=colour, width=2.5 if scheme in order[-2:] else 1.5, dash=DASHES[scheme]
        )
        for row in frame[frame["scheme"] == scheme].to_dict("records"):
            least = significant(row["variance"] / row["factor"])
            told = (
                f"tier {row['place'] + 1} of {tiers} ({budget(letter, row['budget'])}), variance "
                f"{significant(row['variance'])}{'' if ours else f' (lossless release: {least})'}."
            )
            rows.append({LINE: name, X: row["budget"], Y: row["variance"], DETAIL: told})
        if measured is None or scheme not in order[-2:]:
            continue
        marks = f"{name}, measured"
        looks[marks] = Look(colour=colour, symbol="" if ours else "diamond-open", marks=True)
        for row in measured[measured["scheme"] == scheme].to_dict("records"):
            value, low, high = (significant(row[end], 4) for end in ("variance", "low", "high"))
            told = (
                f"tier {row['place'] + 1} of {tiers}, {value} by {how}; "
                f"{percent(ACCURACY_CONFIDENCE)} interval {low} to {high}."
            )
            ends = {LOW: row["low"], HIGH: row["high"]}
            rows.append({LINE: marks, X: row["budget"], Y: row["variance"], **ends, DETAIL: told})
    return lines(
        pd.DataFrame(rows),
        what="Noise variance against budget; lossless release lowest.",
        x=Axis(title=f"budget {letter} of the tier (larger = less private)", log=True),
        y=Axis(title="variance", log=True),
        looks=looks,
    )
