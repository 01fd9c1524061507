"""The formula fold of every page: the formula, and the same with the current numbers put in.

Pure functions from plain records to Markdown; each is tested.
Sources: MATHEMATICS 2.1 to 2.7, 3.1, 4.1.
"""

from collections.abc import Sequence

from dpviz.accounting.guarantees import guarantee_of
from dpviz.planning.budgets import Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.words import pm, significant
from dpviz.words.markdown import literal
from dpviz.workspace.takeaways import unit_words


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
