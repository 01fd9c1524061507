"""The six screens of the front page, as data."""

from dpviz.charts.threads_frame import half_of
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen
from dpviz.ui.kit.notes import COMPARE
from dpviz.ui.start import alone, several, words
from dpviz.ui.start.town import FOUR, RHO
from dpviz.words import pm

LESSON = Lesson(
    file="start",
    front=True,
    after=("data", "your data"),
    onward=("data", "releases"),
    screens=(
        Screen(
            title="A count gives Maria away",
            sentence=words.GIVEN_AWAY,
            said=alone.count_said,
            frame=alone.count_frame,
            picture=alone.count_picture,
            alt=alone.count_alt,
            side=alone.count_side,
            below=words.DOTS,
            choice=Choice(
                label="Suppose the town reports",
                options=(words.WITH, words.WITHOUT),
                default=words.WITH,
            ),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="A little noise hides her",
            sentence=words.LEFT_TO_GUESS,
            said=alone.noise_said,
            frame=alone.noise_frame,
            picture=alone.noise_picture,
            alt=alone.noise_alt,
            side=alone.noise_side,
            act=AGAIN,
            choice=Choice(
                label="How far off may the number be?",
                options=(words.EXACT, *words.BLURS),
                default=pm(half_of(min(RHO.values()))),
                help="± holds 95 % of the noise.",
            ),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="Four clearances, four blurs",
            sentence="Auditors may see the count to within about two people, the public to within "
            "about four; each gets one number.",
            frame=several.blurs_frame,
            picture=several.blurs_picture,
            alt=several.blurs_alt,
            side=several.blurs_side,
            act=AGAIN,
            deeper=("releases", "the numbers of a real table"),
        ),
        Screen(
            title="Separate noise: comparing pays",
            sentence="With one separate number each, some errors cancel when averaged: the four "
            "are usually nearer than audit.",
            frame=FOUR.usual_frame,
            picture=several.usual_picture,
            alt=FOUR.usual_alt,
            side=FOUR.usual_side,
            act=COMPARE,
            deeper=("variances", "what separate noise costs"),
        ),
        Screen(
            title="Here, it gains nothing",
            sentence="Each noisier number is made from a sharper one, so together the four "
            "know no more than audit alone.",
            frame=FOUR.here_frame,
            picture=several.here_picture,
            alt=FOUR.here_alt,
            side=FOUR.here_side,
            act=COMPARE,
            deeper=("collusion", "what a coalition learns"),
        ),
        Screen(
            title="Any order, any time",
            sentence="Next month the council asks: its number is drawn on the string between two "
            "others, with no look at the town.",
            frame=several.council_frame,
            picture=several.council_picture,
            alt=several.council_alt,
            side=several.council_side,
            act=Act(label="Draw it", undo="Show before", icon="edit"),
            deeper=("bridge_paths", "the string between two numbers"),
        ),
    ),
)
