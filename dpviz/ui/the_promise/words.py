"""What the lesson on the promise says beside its pictures."""

from collections.abc import Sequence

import pandas as pd

from dpviz.charts.promise.hills_frame import RHO as GROUP_RHO
from dpviz.charts.promise.limits import ERROR, LIMIT
from dpviz.charts.promise.loss import Line
from dpviz.charts.threads import number_of
from dpviz.ui.the_promise.town import FAMILY, Twin
from dpviz.words import capitalised, fixed, join, significant
from dpviz.words.markdown import literal

# Sentences: a question first, then its answer.
HOW_FAR = (
    "One table has Maria in it, the other does not: with the same noise, how far apart are their "
    "numbers?"
)
ALL_YOU_CHANGE = (
    "they are always one apart, whatever the noise: one person changes no more by taking part."
)
HOW_MUCH_LIKELIER = (
    "With or without Maria, the town may say this number; how many times likelier is it with her?"
)
BOUNDED = (
    "Nine numbers in ten are less than twice as likely with Maria, but a rare one can be far "
    "likelier."
)
HOW_OFTEN_BEYOND = "Chance decides what a number gives away; how often is it beyond the line?"
THREE_LETTERS = "Three letters bound the loss: its mean, a line, and what is left open beyond it."
WHICH_TRICK = "Anyone may compute with the number: which trick gets more guesses about Maria right?"
NO_TRICK = "no trick does, because none of them looks at the people of the town again."
WHAT_OF_FOUR = (
    "The number hides one person; how many guesses are right about a family of four, all ill?"
)
FAMILY_COUNTS = (
    "four people move the number four times as far, so the promise to all four is weaker."
)
WHERE_TO_CUT = (
    "One person saw the doctor far more often than the others: which limit makes the noisy sum "
    "best?"
)
BETWEEN = "a low limit cuts off too much, a high one needs too much noise; the best is in between."

# Answers to choose from
EXACTLY, A_FEW, ANYTHING = "Exactly 1", "Up to 4", "Nobody knows"
ROUND, SQUARE_IT, AVERAGE, NONE = "Rounding", "Squaring", "Averaging", "None"
OLD_GUESS = 310
TRICKS = ("as it is", "round to tens", "square it", f"average with {OLD_GUESS}", "add more noise")
TRICK_OF = {NONE: TRICKS[0], ROUND: TRICKS[1], SQUARE_IT: TRICKS[2], AVERAGE: TRICKS[3]}

# Large numbers beside the pictures
APART = "How far the two numbers are apart"
LIKELIER = "Times likelier with Maria"
PASSED = "How often the line is passed"
RIGHT = "Guesses right about Maria, of 1,000"
RIGHT_OF_FOUR = "Guesses right about all four, of 1,000"
OFF = "Usual error of the sum, in visits"
BY_NUMBER = "by the public number"

# What to notice
TABLES = (
    "One dot per person; faint: without high blood pressure. The town is made up, so its counts "
    "may be shown. Two such tables are called neighbours."
)
REPLAYED = (
    "Nobody can see both numbers: only one of the two towns is real, and the noise is not known."
)
HILLS = "Hills: how often each number would come up, with Maria in the table and without her."
LOSS = (
    "Privacy loss: the logarithm of the ratio. Above 0 the number points to “with Maria”, below 0 "
    "to “without”. A far-off number tells more, and is rarer."
)
RATIO = (
    "**The promise**  \nMost numbers are about as likely from one table as from the other; only "
    "rare ones point clearly to one of the two.",
)
LOSSES = (
    "The hill: how often each loss comes up, over many draws of the public number. Right of 0 the "
    "number points to “with Maria”."
)
LETTERS = (
    "Light blue: the line is passed. Full blue: of that, only the part above the line is left "
    "open, so δ is less than how often it is passed."
)
AS_IT_IS = "What the public number tells before any trick."
TRICKED = (
    f"Squaring, and averaging with {OLD_GUESS}, an old guess, can be undone, so they keep what "
    "there was; rounding and more noise lose some of it."
)
SQUARE = (
    "Twice as many people have four times the ρ. To hide whole families, make the promise to "
    "families: that takes more noise."
)
SUM = (
    "**Why the limit matters**  \nNoise must hide whatever one person can add: the limit. What is "
    "above it is cut off before the sum is made.",
)
CUT = (
    "Upper bars: how many people made each number of visits, on a square-root scale. Grey: cut off."
)
BOTH = (
    "Both errors together: the root of the sum of their squares. Choosing a limit by looking at "
    "the people is not private; choose it from what is known anyway."
)


def answered(sentence: str, chosen: str, right: bool) -> str:
    """The answer, after whether the visitor gave it; who gave none is told the answer alone.

    >>> answered("one.", "two", False), answered("one.", "one", True), answered("one.", "", False)
    ('Not quite: one.', 'Right: one.', 'One.')
    """
    if not chosen:
        return capitalised(sentence)
    return f"{'Right' if right else 'Not quite'}: {sentence}"


def verdict(chosen: str, right: bool, answer: str) -> tuple[str, ...]:
    """Whether the answer was right; nothing for one who gave none.

    >>> verdict("A few", False, "Exactly 1")
    ('You said “A few”; the answer is “Exactly 1”.',)
    """
    if not chosen:
        return ()
    said = "**Right.**" if right else f"You said “{chosen}”; the answer is “{answer}”."
    return (said,)


def draws(twins: Sequence[Twin]) -> str:
    """Each pair of numbers."""
    rows = [f"{number_of(each.here)} and {number_of(each.away)}" for each in twins[1:]]
    return "**Other draws of the noise**  \n" + "  \n".join(map(literal, rows))


def signed_loss(loss: float) -> str:
    """A loss with its sign.

    >>> signed_loss(0.9), signed_loss(-0.9)
    ('+0.90', '−0.90')
    """
    return ("+" if loss > 0 else "") + fixed(loss, 2)


def letters(line: Line) -> tuple[str, ...]:
    """Each letter, said in words first."""
    rho, epsilon = significant(line.rho), significant(line.epsilon)
    delta = significant(line.delta, 2)
    return (
        f"The loss is **on average** at most **ρ** = {rho}, and large ones get rare fast.",
        f"Losses up to **the line** are covered: **ε** = {epsilon}.",
        f"**Beyond it** this much is left open: **δ** = {delta}. A farther line leaves less.",
    )


def rows(right: int) -> str:
    """What the picture of groups shows, and its first number."""
    return (
        f"Each row: the hills with and without the whole group. About one person, {right} are "
        "right."
    )


def squares(groups: pd.DataFrame) -> str:
    """The budget of each group."""
    said = [significant(rho) for rho in groups[GROUP_RHO]]
    return f"For {join([str(size) for size in FAMILY])} people **ρ** is {join(said)}."


def near_enough(at: int, error: float, best: dict[str, float]) -> str:
    """Whether the visitor's limit is about the best."""
    if at == best[LIMIT]:
        return f"**Right:** no limit is better than {at}."
    more = round(100 * (error / best[ERROR] - 1))
    return f"At {at} the error is {more} % above the least."
