"""The six screens of the lesson on trust, as data."""

from dpviz.charts.threads_frame import half_of
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen
from dpviz.ui.kit.notes import COMPARE
from dpviz.ui.trust_grows import alone, several, words
from dpviz.ui.trust_grows.town import FOUR, HOSPITAL, RHO
from dpviz.words import pm

LESSON = Lesson(
    file="trust_grows",
    after=("data", "your data"),
    onward=("growing_trust", "rappor"),
    screens=(
        Screen(
            title="Nobody collects the truth",
            sentence="A hospital asks about high blood pressure; Maria’s phone adds noise to her "
            "answer before it leaves.",
            frame=alone.phone_frame,
            picture=alone.phone_picture,
            alt=alone.phone_alt,
            side=alone.phone_side,
            act=Act(label="Send it", undo="Show before", icon="send"),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="One report says little",
            sentence=words.LEFT_TO_GUESS,
            said=alone.report_said,
            frame=alone.report_frame,
            picture=alone.report_picture,
            alt=alone.report_alt,
            side=alone.report_side,
            act=AGAIN,
            choice=Choice(
                label="How far off may her number be?",
                options=(words.EXACT, *words.BLURS),
                default=pm(half_of(RHO[HOSPITAL])),
                help="± holds 95 % of the noise. Yes is 1, no is 0.",
            ),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="A thousand reports say a lot",
            sentence="Averaged over many people, the noise shrinks: the more of them report, the "
            "sharper the share of yes.",
            frame=alone.crowd_scene,
            picture=alone.crowd_picture,
            alt=alone.crowd_alt,
            side=alone.crowd_side,
            act=Act(label="Ask the town", undo="Only Maria", icon="groups"),
            deeper=("rappor", "rare answers in noisy reports"),
        ),
        Screen(
            title="Trust differs",
            sentence="Her doctor gets a sharper number than a far clinic; with separate noise, "
            "comparing notes reveals more.",
            frame=FOUR.usual_frame,
            picture=several.usual_picture,
            alt=FOUR.usual_alt,
            side=FOUR.usual_side,
            act=COMPARE,
            deeper=("variances", "what separate noise costs"),
        ),
        Screen(
            title="Here, comparing gains nothing",
            sentence="Each noisier number is made from a sharper one, so together the four know no "
            "more than the doctor alone.",
            frame=FOUR.here_frame,
            picture=several.here_picture,
            alt=FOUR.here_alt,
            side=FOUR.here_side,
            act=COMPARE,
            deeper=("collusion", "what a coalition learns"),
        ),
        Screen(
            title="Trust grows",
            sentence="The far clinic earns more trust: a sharper number replaces its old one, at "
            "any time, in any order.",
            frame=several.growth_frame,
            picture=several.growth_picture,
            alt=several.growth_alt,
            side=several.growth_side,
            act=Act(label="Trust it more", undo="Show before", icon="handshake"),
            deeper=("bridge_paths", "the string between two numbers"),
        ),
    ),
)
