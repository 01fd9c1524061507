"""The formula fold of every page: the formula, and the same with the current numbers put in.

Pure functions from plain records to Markdown; each is tested.
Sources: MATHEMATICS 2.1 to 2.7, 3.1, 4.1.
"""

from collections.abc import Sequence

from dpviz.accounting.guarantees import guarantee_of
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import BoundedMean, Query
from dpviz.words import pm, significant
from dpviz.words.grammar import times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace.takeaways import counted, unit_words


def influence_reading(query: Query, sharpest: str = "", near: str = "") -> str:
    """How to read the picture of the Data page.

    Args:
        query: what is published.
        sharpest: the tier whose noise is in the picture; none: "".
        near: how near that tier comes, such as "within ±2.2 people".
    """
    arrows = "the arrow" if query.sensitivity.l0 == 1 else "the arrows"
    many = len(query.by.labels)
    reach = min(query.bounds.groups_per_person, many)
    one = query.nouns.one
    if query.bounds.relation != "add/remove":
        arrow = f"{arrows.capitalize()}: what one {one} for another changes at most."
    elif reach < many:
        arrow = f"One {one} counts in only {counted(reach)} of {counted(many)} groups: {arrows}."
    else:
        arrow = f"{arrows.capitalize()}: what one {one} more changes at most."
    if not sharpest:
        return f"{arrow} Random noise is added to each number before it is published."
    sure = times_in_100(ACCURACY_CONFIDENCE)
    who = f"the most trusted readers (“{literal(sharpest)}”)"
    return f"{arrow} Grey: the noise for {who}: {near}, {sure}."


def sensitivity(query: Query) -> str:
    """The three norms of what one person can change, and what is made of the released numbers."""
    lines = [query.formula("l1"), query.formula("l2"), query.formula("linf")]
    text = (
        f"What one {query.nouns.one} can change ({query.neighbours}), in the three norms:\n\n- "
        + "\n- ".join(literal(line) for line in lines)
        + "\n\nGaussian noise is scaled to $\\Delta_2$, Laplace noise to $\\Delta_1$."
    )
    if isinstance(query, BoundedMean):
        middle, half = (query.lower + query.upper) / 2, (query.upper - query.lower) / 2
        text += (
            f"\n\nSum and number of {query.nouns.rows} are released together, from one budget: "
            f"with "
            f"the middle $m={middle:g}$ and half the range $h={half:g}$ each value counts as "
            f"$(x-m)/h$, between −1 and 1, so that one {query.nouns.row} moves the sum as far "
            f"as the "
            f"number of {query.nouns.rows}. The mean is $m+h\\cdot$ sum / {query.nouns.rows}, a "
            "post-processing of the release."
        )
    return text


def plan(planned: Sequence[PlannedTier], setting: Setting, query: Query) -> str:
    """Budget to level to accuracy, with the numbers of the least private tier."""
    text = (
        f"Level: {guarantee_of(setting.family).formula}. Accuracy with confidence $c$: "
        f"{setting.family.half_width_formula}."
    )
    if planned:
        last = planned[-1]
        b = last.budget
        text += (
            f"\n\n{literal(last.name)}: {b.letter} = {significant(b.loss, 6)} gives a "
            f"{setting.family.level_name} of {setting.family.level_symbol} = "
            f"{significant(b.level, 6)}{_in_steps(setting)}; one group: "
            f"{pm(b.half_width, 4, unit_words(query))} (95 %)."
        )
    return text + (
        "\n\nTogether the tiers cost the largest budget, not the sum: every noisier release is the "
        "less noisy one plus independent noise."
    )


def _in_steps(setting: Setting) -> str:
    """The unit of a level where numbers are whole steps of a grid."""
    return "" if setting.step == 1 else f" (in steps of {setting.step:g})"
