"""What lessons say alike about readers who compare notes."""

from dataclasses import replace

from dpviz.accounting import gaussian_right_guesses
from dpviz.charts.forms.guess_scale import guess_scale
from dpviz.charts.forms.squares import guesses_frame
from dpviz.palette import TierStyle
from dpviz.scenes.lessons import HERE, USUAL, Readers, Report, correct_guesses
from dpviz.ui.kit.lesson import Act, Side
from dpviz.words.claims import Claim
from dpviz.workspace.guesses import ALL, COIN

EVEN = "yes and no equally likely before, the best method of guessing"
COMPARE = Act(label="Compare notes", undo="Show before", icon="forum")
BY_SEPARATE = "would be right with separate noise"
ALWAYS = replace(guess_scale(), ticks=())  # made-up people: nobody publishes so
Guesses = tuple[str, int, TierStyle | None, bool]  # a row of `guesses_frame`


def right_guesses_by(who: str = "") -> str:
    """What the large number beside a picture counts.

    >>> right_guesses_by("all four"), right_guesses_by()
    ('Right guesses by all four, out of 1,000', 'Right guesses, out of 1,000')
    """
    return f"Right guesses{f' by {who}' * bool(who)}, out of {ALL:,}"


def guess_claim(who: str, rho: float) -> Claim:
    """Why so much of 1,000 is right."""
    return Claim(
        what=f"right guesses of 1,000, {who}",
        value=gaussian_right_guesses(rho),
        fixed=EVEN,
        method="how far the two curves lie apart (MATHEMATICS 5.6); separate numbers count "
        "together, numbers on one path as the sharpest of them (MATHEMATICS 5.4)",
    )


def shape_of(report: Report) -> str:
    """What the two hills of a number are like, for a text that takes the picture's place."""
    return "two spikes, apart" if report.rho is None else "two hills, almost on top of each other"


def alone_side(readers: Readers, who: str, whose: str, caption: str) -> Side:
    """What the one with the sharpest number guesses right alone.

    Args:
        readers: who holds which number.
        who: the one with the sharpest, such as "the doctor".
        whose: the same before "number", such as "the doctor’s".
        caption: what to notice.
    """
    return Side(
        label=right_guesses_by(),
        value=f"{correct_guesses(readers.alone):,}",
        note=f"{who} alone",
        claims=(guess_claim(who, readers.alone),),
        guesses=guesses_frame(mine(readers, whose)),
        caption=caption,
    )


def one_path_side(readers: Readers, who: str, whose: str) -> Side:
    """What all guess right by numbers on one path: no more than the one with the sharpest.

    Args:
        readers: who holds which number.
        who: the one with the sharpest, such as "the doctor".
        whose: the same before "number", such as "the doctor’s".
    """
    path, separate = (readers.together(scheme) for scheme in (HERE, USUAL))
    claims = (
        guess_claim("all four", path),
        guess_claim("all four, with separate noise", separate),
    )
    return Side(
        label=right_guesses_by("all four"),
        value=f"{correct_guesses(path):,}",
        note=gained(readers.gain(HERE), who),
        claims=claims,
        guesses=guesses_frame(mine(readers, whose), (BY_SEPARATE, readers.gain(USUAL), None, True)),
        caption=f"Outlined: with separate noise {correct_guesses(separate)} would be right. Here "
        f"each number is made from a sharper one, so nobody learns more than {who} knew already.",
    )


def gained(more: int, who: str) -> str:
    """What those who compare notes gain over one of them.

    >>> gained(87, "the doctor"), gained(0, "the doctor")
    ('87 more than the doctor alone', 'no more than the doctor alone')
    """
    return f"{more or 'no'} more than {who} alone"


def mine(readers: Readers, whose: str) -> Guesses:
    """The guesses that the sharpest number adds to those of a coin."""
    right = correct_guesses(readers.alone) - COIN
    return f"thanks to {whose} number", right, readers.styles[readers.first], False
