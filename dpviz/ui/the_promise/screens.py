"""The six screens of the lesson on the promise, as data."""

from dpviz.ui.kit.lesson import Act, Choice, Lesson, Screen
from dpviz.ui.the_promise import attempts, letters, limits, tables, words

REVEAL = Act(label="Reveal", undo="Show before", icon="visibility")
GUESS = "What do you think?"

LESSON = Lesson(
    file="the_promise",
    after=("data", "your data"),
    onward=("collusion", "composition", "laplace_or_gauss"),
    screens=(
        Screen(
            title="Two tables, one person apart",
            sentence=words.HOW_FAR,
            said=tables.tables_said,
            frame=tables.tables_scene,
            picture=tables.tables_picture,
            alt=tables.tables_alt,
            side=tables.tables_side,
            act=Act(label="Add the noise", undo="Show before", icon="blur_on"),
            choice=Choice(
                label=GUESS,
                options=(words.EXACTLY, words.A_FEW, words.ANYTHING),
                default="",
                ahead=True,
            ),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="The promise is a ratio",
            sentence=words.HOW_MUCH_LIKELIER,
            said=tables.ratio_said,
            frame=tables.ratio_scene,
            picture=tables.ratio_picture,
            alt=tables.ratio_alt,
            side=tables.ratio_side,
            act=REVEAL,
            choice=Choice(
                label="Suppose the town says",
                options=("305", "307", "309", "311", "313", "315", "317"),
                default="313",
                ahead=True,
            ),
            deeper=("laplace_or_gauss", "another noise, another hill"),
        ),
        Screen(
            title="Luck decides the loss",
            sentence=words.HOW_OFTEN_BEYOND,
            said=letters.loss_said,
            frame=letters.loss_scene,
            picture=letters.loss_picture,
            alt=letters.loss_alt,
            side=letters.loss_side,
            act=REVEAL,
            choice=Choice(
                label="Where is the line?",
                options=("0.25", "0.5", "1", "2"),
                default="0.5",
                ahead=True,
            ),
            deeper=("composition", "losses of many questions"),
        ),
        Screen(
            title="No trick undoes it",
            sentence=words.WHICH_TRICK,
            said=attempts.tricks_said,
            frame=attempts.tricks_scene,
            picture=attempts.tricks_picture,
            alt=attempts.tricks_alt,
            side=attempts.tricks_side,
            act=REVEAL,
            choice=Choice(
                label=GUESS,
                options=(words.ROUND, words.SQUARE_IT, words.AVERAGE, words.NONE),
                default="",
                ahead=True,
            ),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="A family counts more",
            sentence=words.WHAT_OF_FOUR,
            said=attempts.family_said,
            frame=attempts.family_scene,
            picture=attempts.family_picture,
            alt=attempts.family_alt,
            side=attempts.family_side,
            act=REVEAL,
            choice=Choice(label=GUESS, options=attempts.answers(), default="", ahead=True),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="Cut off, or blur more?",
            sentence=words.WHERE_TO_CUT,
            said=limits.limits_said,
            frame=limits.limits_scene,
            picture=limits.limits_picture,
            alt=limits.limits_alt,
            side=limits.limits_side,
            act=REVEAL,
            choice=Choice(
                label="Your limit for the visits of one person",
                options=("6", "10", "15", "20", "30", "45", "60"),
                default="30",
                ahead=True,
            ),
            deeper=("data", "limits of a sum"),
        ),
    ),
)
