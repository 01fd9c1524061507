"""Trust grows: every phone adds independent noise, readers differ in trust, and trust may grow.

Six screens, in their order.
"""

import math

from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.threads import number_of, threads
from dpviz.charts.trust_grows import YES_NO, crowd, two_ways
from dpviz.charts.two_hills import two_hills
from dpviz.planning.cast import ILL, MONTHS, PEOPLE
from dpviz.scenes import trust_grows as scenes
from dpviz.scenes.lessons import Report, Scene, Settings, correct_guesses
from dpviz.scenes.threads import half_of
from dpviz.scenes.trust_grows import (
    CITY,
    FAR,
    HOSPITAL,
    ORDER,
    READERS,
    RHO,
    STYLE,
    TRUSTED_RHO,
    YES,
    Draw,
)
from dpviz.ui.kit.comparing import (
    RIGHT_GUESSES,
    Comparing,
    better_guess,
    guess_claim,
    in_order_of_asking,
    shape_of,
)
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen, Side
from dpviz.ui.kit.state import Shelf
from dpviz.words import number, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

TICKS = {float(x): number_of(x)[:-2] for x in range(-9, 12)} | YES_NO  # of the numbers' axis
_DRAWN = Shelf[Draw]("trust_drawn")


def drawn(again: int) -> Draw:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: scenes.draw(scenes.FIRST + again))


# --- 1: nobody collects the truth ---


def phone(settings: Settings) -> Scene[Draw]:
    """Her answer on her phone, and the number that the hospital gets."""
    return scenes.her_report(drawn(settings.draw), settings)


def phone_picture(scene: Scene[Draw]) -> Picture:
    """What an office would get, and what the hospital gets."""
    return Picture(
        two_ways(scene.frame, STYLE[HOSPITAL], true="yes"),
        "Two ways for her answer, yes or 1, to leave her phone. With a collector an office gets "
        f"it as it is; without one the hospital gets {number_of(scene.drawn.here[HOSPITAL])}.",
    )


def phone_side(scene: Scene[Draw]) -> Side:
    """A collector against her own phone."""
    x = scene.drawn.here[HOSPITAL]
    return Side(
        lines=(
            "**With a collector**  \nOne office gathers all 1,000 true answers. Everybody must "
            "trust it never to leak, sell or lose them.",
            "**Without one**  \nEvery phone turns yes into 1 and no into 0, and adds noise, a "
            "random number. The true answer never leaves it.",
            f"Her answer **1**, noise **{literal(number_of(x - YES))}**: "
            f"her phone sends **{literal(number_of(x))}**.",
        ),
        caption="95 % of the numbers that a phone sends fall inside the cone, within ± (rounded "
        "up). Maria and her town of 1,000 people are made up, so draw as often as you like.",
    )


# --- 2: one report says little ---

EXACT = "exact"
EXACT_NUMBER = "Without noise everybody knows: all 1,000 guesses are right."
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget
LEFT_TO_GUESS = (
    "Had her answer been no, the same number could have come up: its reader is left to guess."
)
EVERYBODY_KNOWS = "Without noise her number is her answer: all who read it know."


def report(settings: Settings) -> Report:
    """Her report with the noise that was chosen."""
    return READERS.report(settings.chosen, drawn(settings.draw).here)


def report_sentence(number: Report) -> str:
    """Whether its reader is left to guess."""
    return EVERYBODY_KNOWS if number.rho is None else LEFT_TO_GUESS


def report_picture(number: Report) -> Picture:
    """Two hills, and the number."""
    figure = two_hills(
        number.hills,
        number.said,
        STYLE[number.who or HOSPITAL],
        names=("if <b>no</b>", "if <b>yes</b>"),
        says="she sends",
        right=number.right,
        ticks=YES_NO,
    )
    return Picture(
        figure, f"If no and if yes: {shape_of(number)}. She sends {number_of(number.said)}."
    )


def report_side(number: Report) -> Side:
    """How often one guesses right by it."""
    style = STYLE[number.who or HOSPITAL]
    who = f"the {number.who}" if number.who else "everybody"
    return Side(
        label=f"{RIGHT_GUESSES} by {who}",
        value=f"{number.right:,}",
        claims=() if number.rho is None else (guess_claim(f"the {number.who}", number.rho),),
        guesses=guesses_frame(("thanks to her number", number.right - COIN, style, False)),
        caption=better_guess(number, exact=EXACT_NUMBER, no="no", yes="yes"),
    )


# --- 3: a thousand reports say a lot ---

SHARE = "Share with high blood pressure"
ROOT = (
    "**Four times as many people: half the noise in the average.** With "
    f"{PEOPLE:,} people the error is about {100 / math.sqrt(PEOPLE):.0f} % of that for one."
)


def town(settings: Settings) -> Scene[Draw]:
    """The mean report of Maria, her street, her neighbourhood and the town."""
    return scenes.of_the_town(drawn(settings.draw), settings)


def town_picture(scene: Scene[Draw]) -> Picture:
    """The more people, the higher and the narrower."""
    one, _, _, most = scene.frame["half"]
    return Picture(
        crowd(scene.frame, STYLE[HOSPITAL], revealed=scene.settings.done),
        f"Four bars, from one person to {PEOPLE:,}, ever narrower: one report is within {pm(one)}, "
        f"the average of all within {pm(most)}.",
    )


def town_side(scene: Scene[Draw]) -> Side:
    """The share with high blood pressure, by their reports."""
    if not scene.settings.done:
        return Side(
            label=SHARE,
            value="?",
            lines=(ROOT,),
            caption="Upright lines: the true share who say yes. Bars: where half of the averages "
            "fall, and 95 % of them.",
        )
    share, of_share = (100 * float(scene.frame[name].iloc[-1]) for name in ("mean", "half"))
    of_sum, hidden = scenes.of_the_sum(), half_of(RHO[HOSPITAL])
    quantile = "quantile of Gaussian noise (MATHEMATICS 4.1)"
    return Side(
        label=SHARE,
        value=f"{number(share, step=of_share)} % {pm(of_share)} %",
        note=f"the truth: {100 * ILL / PEOPLE:.1f} %",
        claims=(
            Claim(
                what="share with high blood pressure, by their noisy reports",
                value=share,
                unit="%",
                fixed="one seeded draw of a made-up town",
                method="average of the 1,000 reports, whose noise has mean 0",
                kind="simulated",
            ),
            Claim(
                what="half width of the count by the reports",
                value=of_sum,
                unit="people",
                fixed="95 % confidence, independent noise on each of 1,000 phones",
                method=f"{quantile}, √1,000 times that of one report",
            ),
            Claim(
                what="half width of the count of a trusted collector, with the same promise to "
                "each",
                value=hidden,
                unit="people",
                fixed="95 % confidence; one person moves the count by 1",
                method=f"{quantile}, at the budget of one report",
            ),
            Claim(
                what="times the error of a trusted collector",
                value=of_sum / hidden,
                fixed="the same promise to each of 1,000 people",
                method="the root of the number of people, each of whom adds noise",
            ),
        ),
        lines=(ROOT,),
        caption=f"Without a collector the count is within {pm(of_sum)} people, about "
        f"{of_sum / hidden:.0f} times as far off as the {pm(hidden)} of a collector "
        "who has all answers and hides each just as well.",
    )


# --- 4 and 5: trust differs, and notes are compared ---

FOUR = Comparing(
    readers=READERS,
    drawn=drawn,
    top="her answer",
    sharpest="the doctor",
    whose="the doctor’s number",
    shared="the hospital has",
    ticks=TICKS,
)


# --- 6: trust grows ---


def growth(settings: Settings) -> Scene[Draw]:
    """Three numbers, the far clinic’s, and a sharper one for it: to come, or drawn."""
    return scenes.growth(drawn(settings.draw), settings)


def growth_picture(scene: Scene[Draw]) -> Picture:
    """The string between the hospital’s number and the city clinic’s."""
    between = "between the hospital’s number and the city clinic’s"
    alt = f"Four numbers on a thread; bands {between} show where a new number may fall."
    if scene.settings.done:
        alt = f"The far clinic’s new number, {number_of(scene.drawn.trusted)}, is drawn {between}."
    figure = threads(
        scene.frame,
        ticks=TICKS,
        string=scene.string,
        pinned=STYLE[FAR],
        remark="the truth lies above<br>and is not needed",
        waiting="?",
    )
    return Picture(figure, alt)


def growth_side(scene: Scene[Draw]) -> Side:
    """How much better the far clinic guesses, and who asked when."""
    done = scene.settings.done
    before, after = (correct_guesses(rho) for rho in (RHO[FAR], TRUSTED_RHO))
    both, everything = (
        guess_claim("the far clinic, by both its numbers", scenes.by_both()),
        guess_claim("all four, by all they ever got", scenes.by_everything()),
    )
    heard = [
        (month, name, STYLE[name], RHO[name], scene.drawn.here[name])
        for month, name in zip(MONTHS, ORDER, strict=True)
    ]
    if not done:
        return Side(
            label=f"{RIGHT_GUESSES} by the far clinic",
            value=f"{before:,}",
            note="trusted least",
            claims=(guess_claim("the far clinic", RHO[FAR]),),
            lines=in_order_of_asking(heard),
            caption=f"Bands: where the sharper number usually falls, given those of the {HOSPITAL} "
            f"and the {CITY}; inner: half of the time. Her answer is not needed for it.",
        )
    heard.append(("Today", FAR, STYLE[FAR], TRUSTED_RHO, scene.drawn.trusted))
    return Side(
        label=f"{RIGHT_GUESSES} by the far clinic",
        value=f"{after:,}",
        note=f"{after - before} more, as Maria wishes",
        claims=(both, everything),
        lines=in_order_of_asking(heard),
        caption=f"Its old number then adds nothing: with both it guesses {both.value:.0f} right, "
        f"and all four, with all they ever got, {everything.value:.0f}. What it has learned cannot "
        "be taken back.",
    )


LESSON = Lesson(
    file="trust_grows",
    after=("data", "your data"),
    onward=("growing_trust", "rappor"),
    screens=(
        Screen(
            title="Nobody collects the truth",
            sentence="A hospital asks about high blood pressure; Maria’s phone adds noise to her "
            "answer before it leaves.",
            scene=phone,
            picture=phone_picture,
            side=phone_side,
            act=AGAIN,
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="One report says little",
            sentence=LEFT_TO_GUESS,
            said=report_sentence,
            scene=report,
            picture=report_picture,
            side=report_side,
            act=AGAIN,
            choice=Choice(
                label="How far off is her number, 95 times in 100?",
                options=(EXACT, *BLURS),
                default=pm(half_of(RHO[HOSPITAL])),
                help="±: 95 times in 100 the number is at most this far off; rounded up. Yes is 1, "
                "no is 0.",
            ),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="A thousand reports say a lot",
            sentence="Averaged over many people, the noise shrinks: the more of them report, the "
            "sharper the share of yes.",
            scene=town,
            picture=town_picture,
            side=town_side,
            act=Act(label="Ask the town", undo="Only Maria", icon="groups"),
            deeper=("rappor", "rare answers in noisy reports"),
        ),
        FOUR.with_separate_noise(
            title="Trust differs",
            deeper=("variances", "what separate noise costs"),
        ),
        FOUR.in_one_session(
            title="One path for all four",
            deeper=("collusion", "what a coalition learns"),
        ),
        Screen(
            title="Trust grows",
            sentence="The far clinic earns trust and gets a sharper number; trust can grow, but it "
            "cannot be taken back.",
            scene=growth,
            picture=growth_picture,
            side=growth_side,
            act=Act(label="Trust it more", undo="Show before", icon="handshake"),
            deeper=("bridge_paths", "a number between two others"),
        ),
    ),
)
