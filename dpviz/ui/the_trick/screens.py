"""The six screens of the lesson on how the trick works, as data."""

from dpviz.charts.threads_frame import half_of
from dpviz.planning.cast import PUBLIC
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen
from dpviz.ui.the_trick import limits, order, paths, sealing
from dpviz.ui.the_trick.town import RHO
from dpviz.words import pm

DRAW = Act(label="Draw it", undo="Show before", icon="edit")

LESSON = Lesson(
    file="the_trick",
    after=("data", "your data"),
    onward=("bridge_paths", "releases"),
    screens=(
        Screen(
            title="Noise is a path",
            sentence="Noise is added bit by bit: the number wanders off the truth, and each "
            "reader’s number is a stop on its way.",
            frame=paths.path_frame,
            picture=paths.path_picture,
            alt=paths.path_alt,
            side=paths.path_side,
            act=AGAIN,
            choice=Choice(
                label="How much noise so far?",
                options=(paths.NONE, *paths.BLURS),
                default=pm(half_of(RHO[PUBLIC])),
                help="± holds 95 % of the noise.",
            ),
            deeper=("laplace_or_gauss", "which noise is smaller"),
        ),
        Screen(
            title="More noise: walk on",
            sentence="Research has a number when the public asks: the path goes on from it, with "
            "no look at the truth.",
            frame=paths.onward_frame,
            picture=paths.string_picture,
            alt=paths.onward_alt,
            side=paths.onward_side,
            act=DRAW,
            deeper=("releases", "draw them yourself"),
        ),
        Screen(
            title="In between: a string",
            sentence="Partners ask last: their number hangs between two that are fixed, like a "
            "string with both ends pinned.",
            frame=paths.string_frame_of,
            picture=paths.string_picture,
            alt=paths.string_alt,
            side=paths.string_side,
            act=DRAW,
            deeper=("bridge_paths", "strings of your own data"),
        ),
        Screen(
            title="Does the order matter?",
            sentence=order.GUESS,
            said=order.runs_said,
            frame=order.runs_frame,
            picture=order.runs_picture,
            alt=order.runs_alt,
            side=order.runs_side,
            act=Act(label="Public first", undo="Show before", icon="shuffle"),
            choice=Choice(label="Look at", options=order.SHOWN, default=order.NUMBER),
            deeper=("bridge_paths", "many runs at every blur"),
        ),
        Screen(
            title="Sealing the truth",
            sentence="Once nobody may get a sharper number, the truth is erased: a thief finds no "
            "more than audit has.",
            frame=sealing.seal_frame,
            picture=sealing.seal_picture,
            alt=sealing.seal_alt,
            side=sealing.seal_side,
            act=Act(label="Seal", undo="Show before", icon="lock"),
            deeper=("releases", "seal your own numbers"),
        ),
        Screen(
            title="What it does not do",
            sentence=limits.SAID[limits.QUESTIONS],
            said=limits.limit_said,
            frame=limits.limit_frame,
            picture=limits.limit_picture,
            alt=limits.limit_alt,
            side=limits.limit_side,
            choice=Choice(
                label="Which limit?", options=limits.ALL, default=limits.QUESTIONS, ahead=True
            ),
            deeper=("composition", "what many questions cost"),
        ),
    ),
)
