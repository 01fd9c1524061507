"""Trust grows: every phone adds independent noise, readers differ in trust, and trust may grow.

Six screens, in their order; on all but the second, where one drags, the visitor guesses first.
"""

import pandas as pd

from dpviz.charts.forms.bar_rows import BAR_ROWS, Scale, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.threads import number_of, threads
from dpviz.charts.trust_grows import SENDS, YES_NO, crowd, two_ways
from dpviz.charts.two_hills import two_hills
from dpviz.palette import GREY
from dpviz.planning.cast import ILL, PEOPLE
from dpviz.scenes import trust_grows as scenes
from dpviz.scenes.lessons import HERE, USUAL, Report, Scene, Settings, correct_guesses
from dpviz.scenes.threads import half_of
from dpviz.scenes.trust_grows import (
    CITY,
    FAR,
    HOSPITAL,
    READERS,
    RHO,
    STYLE,
    TRUSTED_RHO,
    YES,
    Draw,
    Price,
)
from dpviz.ui.kit.comparing import (
    BY_SEPARATE,
    COMPARE,
    RIGHT_GUESSES,
    guess_claim,
    shape_of,
)
from dpviz.ui.kit.lesson import Act, Choice, Lesson, Screen, Side, answered, verdict
from dpviz.ui.kit.state import Shelf
from dpviz.words import number, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

GUESS = "What do you think?"
TICKS = {float(x): number_of(x)[:-2] for x in range(-9, 12)} | YES_NO  # of the numbers' axis
FEW_TICKS = {float(x): number_of(x)[:-2] for x in range(-9, 12, 3)} | YES_NO  # of the hills' axis
QUANTILE = "quantile of Gaussian noise (MATHEMATICS 4.1)"
NOISIEST = 7.0  # of the axis to either side of the middle: the same for each noise
_DRAWN = Shelf[Draw]("trust_drawn")


def drawn(again: int) -> Draw:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: scenes.draw(scenes.FIRST + again))


# --- 1: nobody collects the truth ---

WHOM_TO_TRUST = (
    "Maria’s answer may leave her phone as it is, or with noise: who must keep it secret for her?"
)
THE_OFFICE_ALONE = "the office alone, as it has her answer; the hospital has a number with noise."
OFFICE, THE_HOSPITAL, BOTH = "The office", "The hospital", "Both"


def phone(settings: Settings) -> Scene[Draw]:
    """Her answer on her phone, and the number that the hospital gets."""
    return scenes.her_report(drawn(settings.draw), settings)


def phone_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return WHOM_TO_TRUST
    return answered(THE_OFFICE_ALONE, chosen, chosen == OFFICE)


def phone_picture(scene: Scene[Draw]) -> Picture:
    """What an office would get, and what the hospital gets."""
    done = scene.settings.done
    trusted = " Only the office must be trusted." if done else ""
    return Picture(
        two_ways(scene.frame, STYLE[HOSPITAL], true="yes", revealed=done),
        "Two ways for her answer, yes or 1, to leave her phone. An office gets it as it is; the "
        f"hospital gets {number_of(scene.drawn.here[HOSPITAL])}.{trusted}",
    )


def phone_side(scene: Scene[Draw]) -> Side:
    """A collector against her own phone."""
    x = scene.drawn.here[HOSPITAL]
    return Side(
        lines=(
            *(verdict(scene.settings.chosen, OFFICE) if scene.settings.done else ()),
            "**The office** is a collector: it gathers the true answers of all 1,000 people.",
            "**The hospital** gets no answers: every phone turns yes into 1 and no into 0, and "
            "adds noise, a random number, before anything leaves it.",
            f"Her answer **1**, noise **{literal(number_of(x - YES))}**: "
            f"her phone sends **{literal(number_of(x))}**.",
        ),
        caption="95 of 100 such numbers fall inside the cone. Maria and her town are made up.",
    )


# --- 2: one report is no proof ---

EXACT = "exact"
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget
HIDE_HER = "Drag to hide Maria better: how often does a reader of her number still guess right?"
LEFT_TO_GUESS = (
    "Had her answer been no, the same number could have come up: its reader is left to guess."
)
EVERYBODY_KNOWS = "Without noise her number is her answer: all who read it know."


def report(settings: Settings) -> Report:
    """Her report with the noise that was chosen."""
    return READERS.report(settings.chosen, drawn(settings.draw).here)


def report_sentence(number: Report) -> str:
    """What to do, and what the noise does that was chosen."""
    if number.rho is None:
        return EVERYBODY_KNOWS
    return HIDE_HER if number.who == HOSPITAL else LEFT_TO_GUESS


def report_picture(number: Report) -> Picture:
    """Two hills, and the number."""
    figure = two_hills(
        number.hills,
        number.said,
        STYLE[number.who or HOSPITAL],
        names=("if <b>no</b>", "if <b>yes</b>"),
        says="she sends",
        right=number.right,
        ticks=FEW_TICKS,
        across=SENDS,
        reach=NOISIEST,
    )
    return Picture(
        figure, f"If no and if yes: {shape_of(number)}. She sends {number_of(number.said)}."
    )


def report_side(number: Report) -> Side:
    """How often one guesses right by it."""
    style = STYLE[number.who or HOSPITAL]
    return Side(
        label=RIGHT_GUESSES,
        value=f"{number.right:,}",
        claims=() if number.rho is None else (guess_claim("by her number", number.rho),),
        guesses=guesses_frame(("thanks to her number", number.right - COIN, style, False)),
        caption="Curves: how likely each number is if her answer is no, and if it is yes. The more "
        "alike they are, the harder the guess.",
    )


# --- 3: a thousand reports say a lot ---

HOW_NEAR = (
    "One number tells little: how near does the average of a thousand come to the share of yes?"
)
NOISE_SHRINKS = "to within {}, as 100 times the people leave a tenth of the noise."
SHARE = "Share who say yes"


def near_answers() -> tuple[str, str, str]:
    """Three answers: as near as one number, as it is, and exactly."""
    one, all_of_them = (pm(half_of(RHO[HOSPITAL] * people)) for people in (1, PEOPLE))
    return f"{one}, like one", all_of_them, "Exactly"


def town(settings: Settings) -> Scene[Draw]:
    """The mean report of Maria, her street, her quarter and the town."""
    return scenes.of_the_town(drawn(settings.draw), settings)


def town_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return HOW_NEAR
    return answered(NOISE_SHRINKS.format(near_answers()[1]), chosen, chosen == near_answers()[1])


def town_picture(scene: Scene[Draw]) -> Picture:
    """The more people, the higher and the narrower."""
    one, _, _, most = scene.frame["half"]
    said = f"Four rows, from one person to {PEOPLE:,}. One report is within {pm(one)}"
    if scene.settings.done:
        said += f", the average of all within {pm(most)}, in ever narrower bars"
    return Picture(crowd(scene.frame, STYLE[HOSPITAL], revealed=scene.settings.done), f"{said}.")


def town_side(scene: Scene[Draw]) -> Side:
    """The share of yes, by their reports."""
    if not scene.settings.done:
        return Side(
            label=SHARE,
            value="?",
            caption="Bar: where 95 of 100 numbers of one phone fall, and in the dark part half of "
            "them. Yes is 1, no is 0.",
        )
    share, half = (float(scene.frame[name].iloc[-1]) for name in ("mean", "half"))
    return Side(
        label=SHARE,
        value=f"{number(share, step=half)} {pm(half)}",
        note=f"the truth: {ILL / PEOPLE:.3f}",
        claims=(
            Claim(
                what="share of yes, by their noisy reports",
                value=share,
                fixed="one seeded draw of a made-up town",
                method="average of the 1,000 reports, whose noise has mean 0",
                kind="simulated",
            ),
            Claim(
                what="half width of the share",
                value=half,
                fixed="95 % confidence, independent noise on each of 1,000 phones",
                method=f"{QUANTILE}, that of one report / √1,000",
            ),
        ),
        lines=verdict(scene.settings.chosen, near_answers()[1]),
        caption="Upright lines: the true share of those who were asked. From her street to the "
        "town there are 100 times the people.",
    )


# --- 4: the price of no collector ---

HOW_MUCH_FARTHER = (
    "A collector would add noise once, each phone adds its own: how much farther off is the count?"
)
FAR_OFF = "about {} times as far, as noise from a thousand phones cancels only in part."
OFF = "How far off the count is"
MOST_OFF = 100  # people, at the end of the scale


def farther_answers() -> tuple[str, str, str]:
    """Three answers: as far, as it is, and as many times as there are people."""
    return "No farther", f"About {about(scenes.price(Settings()))} times", f"{PEOPLE:,} times"


def about(scene: Price) -> str:
    """How many times as far off, to one digit.

    >>> about(scenes.price(Settings()))
    '30'
    """
    return f"{float(f'{scene.times:.0e}'):.0f}"


def price_sentence(scene: Price) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return HOW_MUCH_FARTHER
    return answered(FAR_OFF.format(about(scene)), chosen, chosen == farther_answers()[1])


def price_picture(scene: Price) -> Picture:
    """A bar with a collector, and one without."""
    done = scene.settings.done
    here = (scene.by_phones, pm(scene.by_phones)) if done else (0.0, "?")
    bars = (
        ("with a collector, who adds noise once", scene.collected, GREY, pm(scene.collected)),
        ("without one: each phone adds noise", here[0], STYLE[HOSPITAL].colour, here[1]),
    )
    rows = [("", words, length, colour, end, "people", "") for words, length, colour, end in bars]
    return bar_rows(
        pd.DataFrame(rows, columns=list(BAR_ROWS)),
        what=f"{OFF}, 95 times in 100.",
        scale=Scale(
            low=0, high=MOST_OFF, low_words="0: exact", high_words=f"{MOST_OFF} people off"
        ),
    )


def price_side(scene: Price) -> Side:
    """How far off the count is without a collector."""
    if not scene.settings.done:
        return Side(
            label=f"{OFF}, without a collector",
            value="?",
            caption=f"Of {PEOPLE:,} people, how many say yes? Her own report hides Maria "
            "as well as the collector’s count does.",
        )
    fixed = "95 % confidence; the same promise to each of 1,000 people"
    return Side(
        label=f"{OFF}, without a collector",
        value=f"{pm(scene.by_phones)} people",
        note=f"with a collector: {pm(scene.collected)}",
        claims=(
            Claim(
                what="half width of the count by the phones",
                value=scene.by_phones,
                unit="people",
                fixed=fixed,
                method=f"{QUANTILE}, √1,000 times that of one report",
            ),
            Claim(
                what="half width of the count of a collector",
                value=scene.collected,
                unit="people",
                fixed=fixed,
                method=f"{QUANTILE}, at the budget of one report",
            ),
            Claim(
                what="times the error of a collector",
                value=scene.times,
                fixed=fixed,
                method="the root of the number of people, each of whom adds noise",
            ),
        ),
        lines=verdict(scene.settings.chosen, farther_answers()[1]),
        caption="That is the price of trusting nobody. The more people take part, the less it "
        "matters to the share of yes.",
    )


# --- 5: one path for all four ---

WHO_LEARNS = (
    "The doctor’s number is the sharpest, the others are made from it: who learns by comparing "
    "notes?"
)
ALL_BUT_ONE = (
    "all but the doctor, whose number is the sharpest: together they know no more than that."
)
ALL_FOUR, ALL_BUT, NOBODY = "All four", "All but the doctor", "Nobody"


def one_path(settings: Settings) -> Scene[Draw]:
    """Four numbers on one path."""
    return READERS.in_one_session(drawn(settings.draw), settings)


def one_path_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return WHO_LEARNS
    return answered(ALL_BUT_ONE, chosen, chosen == ALL_BUT)


def one_path_picture(scene: Scene[Draw]) -> Picture:
    """One path to her answer, with four stops on it."""
    near = pm(half_of(READERS.alone))
    who = "All four together" if scene.settings.done else "The doctor"
    return Picture(
        threads(scene.frame, ticks=TICKS, across=SENDS),
        "One path runs from her answer to the doctor’s number and on to the other three. "
        f"Within {near}: {who}.",
    )


def one_path_side(scene: Scene[Draw]) -> Side:
    """How often all four guess right: as often as the doctor."""
    alone = READERS.alone
    mine = ("thanks to the doctor’s number", correct_guesses(alone) - COIN, STYLE["doctor"], False)
    if not scene.settings.done:
        return Side(
            label=RIGHT_GUESSES,
            value=f"{correct_guesses(alone):,}",
            note="the doctor alone",
            claims=(guess_claim("the doctor", alone),),
            guesses=guesses_frame(mine),
            caption="Maria trusts her doctor most and a far clinic least: the less trust, the more "
            "noise.",
        )
    joint, other = (READERS.together(scheme) for scheme in (HERE, USUAL))
    gain = READERS.gain(HERE)
    return Side(
        label=f"{RIGHT_GUESSES} by all four",
        value=f"{correct_guesses(joint):,}",
        note=f"{gain} more than the doctor alone",
        claims=(
            guess_claim("all four", joint),
            guess_claim("all four, with separate noise", other),
        ),
        guesses=guesses_frame(mine, (BY_SEPARATE, READERS.gain(USUAL), None, True)),
        caption=f"Outlined: with separate noise the doctor would learn, too, and all four would "
        f"guess {correct_guesses(other)} right.",
    )


# --- 6: trust grows ---

WHAT_IT_NEEDS = (
    "Maria trusts the far clinic more: what does her phone make its sharper number from?"
)
TWO_ARE_ENOUGH = "two of them, the numbers around it; her answer is not needed again."
LEFTMOST = -2.5  # of the axis: the hospital’s number keeps clear of the names
HER_ANSWER, ALL_NUMBERS, AROUND = "Her answer", "All four numbers", "Two of them"


def growth(settings: Settings) -> Scene[Draw]:
    """Three numbers, the far clinic’s, and a sharper one for it: to come, or drawn."""
    return scenes.growth(drawn(settings.draw), settings)


def growth_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return WHAT_IT_NEEDS
    return answered(TWO_ARE_ENOUGH, chosen, chosen == AROUND)


def growth_picture(scene: Scene[Draw]) -> Picture:
    """A row for a sharper number; then where it usually falls, between two others, and it."""
    alt = "Four numbers on a path, and a row for a new one between the hospital’s and the city’s."
    if scene.settings.done:
        alt = (
            f"The far clinic’s new number, {number_of(scene.drawn.trusted)}, is drawn between the "
            "hospital’s and the city clinic’s; bands show where it usually falls."
        )
    figure = threads(
        scene.frame,
        ticks=TICKS,
        string=scene.string,
        pinned=STYLE[FAR],
        holds=(LEFTMOST,),
        across=SENDS,
        rings=(HOSPITAL, CITY) if scene.settings.done else (),
    )
    return Picture(figure, alt)


def growth_side(scene: Scene[Draw]) -> Side:
    """How much better the far clinic guesses."""
    done = scene.settings.done
    before, after = (correct_guesses(rho) for rho in (RHO[FAR], TRUSTED_RHO))
    if not done:
        return Side(
            label=f"{RIGHT_GUESSES} by the far clinic",
            value=f"{before:,}",
            note="trusted least",
            claims=(guess_claim("the far clinic", RHO[FAR]),),
            caption="The empty row is for the far clinic: less noise than the city clinic, more "
            "than the hospital.",
        )
    return Side(
        label=f"{RIGHT_GUESSES} by the far clinic",
        value=f"{after:,}",
        note=f"{after - before} more than before",
        claims=(guess_claim("the far clinic, by both its numbers", scenes.by_both()),),
        lines=verdict(scene.settings.chosen, AROUND),
        caption="Ringed: the two numbers. Light band: where 95 of 100 new numbers fall; dark: half "
        "of them. The old number adds nothing now; what the clinic has learned cannot be taken "
        "back.",
    )


LESSON = Lesson(
    file="trust_grows",
    after=("data", "your data"),
    onward=("growing_trust", "rappor"),
    screens=(
        Screen(
            title="Nobody collects the truth",
            sentence=WHOM_TO_TRUST,
            said=phone_sentence,
            scene=phone,
            picture=phone_picture,
            side=phone_side,
            act=Act(label="Reveal", undo="Show before", icon="visibility"),
            choice=Choice(
                label=GUESS, options=(OFFICE, THE_HOSPITAL, BOTH), default="", ahead=True
            ),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="One report is no proof",
            sentence=HIDE_HER,
            said=report_sentence,
            scene=report,
            picture=report_picture,
            side=report_side,
            choice=Choice(
                label="How far off is her number, 95 times in 100?",
                options=(EXACT, *BLURS),
                default=pm(half_of(RHO[HOSPITAL])),
                help="±: 95 times in 100 the number is at most this far off. Yes is 1, no is 0.",
                ahead=True,
            ),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="A thousand reports say a lot",
            sentence=HOW_NEAR,
            said=town_sentence,
            scene=town,
            picture=town_picture,
            side=town_side,
            act=Act(label="Ask the town", undo="Only Maria", icon="groups"),
            choice=Choice(label=GUESS, options=near_answers(), default="", ahead=True),
            deeper=("rappor", "rare answers in noisy reports"),
        ),
        Screen(
            title="The price of no collector",
            sentence=HOW_MUCH_FARTHER,
            said=price_sentence,
            scene=scenes.price,
            picture=price_picture,
            side=price_side,
            act=Act(label="Reveal", undo="Show before", icon="visibility"),
            choice=Choice(label=GUESS, options=farther_answers(), default="", ahead=True),
            deeper=("rappor", "rare answers in noisy reports"),
        ),
        Screen(
            title="One path for all four",
            sentence=WHO_LEARNS,
            said=one_path_sentence,
            scene=one_path,
            picture=one_path_picture,
            side=one_path_side,
            act=COMPARE,
            choice=Choice(label=GUESS, options=(ALL_FOUR, ALL_BUT, NOBODY), default="", ahead=True),
            deeper=("collusion", "what a coalition learns"),
        ),
        Screen(
            title="Trust grows",
            sentence=WHAT_IT_NEEDS,
            said=growth_sentence,
            scene=growth,
            picture=growth_picture,
            side=growth_side,
            act=Act(label="Trust it more", undo="Show before", icon="handshake"),
            choice=Choice(
                label=GUESS, options=(HER_ANSWER, ALL_NUMBERS, AROUND), default="", ahead=True
            ),
            deeper=("bridge_paths", "a number between two others"),
        ),
    ),
)
