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
from dpviz.scenes.lessons import DENSITY, Report, Scene, Settings, correct_guesses, hills_frame
from dpviz.scenes.threads import NO_STYLE, half_of
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
from dpviz.ui.kit import comparing
from dpviz.ui.kit.comparing import COMPARE, alone_side, guess_claim, right_guesses_by, shape_of
from dpviz.ui.kit.lesson import Act, Choice, Lesson, Screen, Side, answered, asking
from dpviz.ui.kit.state import Shelf
from dpviz.words import number, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

TICKS = {float(x): number_of(x)[:-2] for x in range(-9, 12)} | YES_NO  # of the numbers' axis
FEW_TICKS = {float(x): number_of(x)[:-2] for x in range(-9, 12, 3)} | YES_NO  # of the hills' axis
QUANTILE = "quantile of Gaussian noise (MATHEMATICS 4.1)"
NOISIEST = 7.0  # of the axis to either side of the middle: the same for each noise
HIGHEST = float(hills_frame(max(RHO.values()))[DENSITY].max())  # so that all hills have one area
_DRAWN = Shelf[Draw]("trust_drawn")


def drawn(again: int) -> Draw:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: scenes.draw(scenes.FIRST + again))


# --- 1: noise on her own phone ---

WHOM_TO_TRUST = (
    "Maria’s phone adds noise for the hospital, but not for the office. Whom must she trust?"
)
THE_OFFICE_ALONE = "Only the office, as it gets her true answer. The hospital never sees it."
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
    if not scene.settings.done:
        return Side(
            caption="Both ask about high blood pressure: yes is 1, no is 0. 95 in 100 numbers from "
            "her phone fall inside the grey cone; ± is half its width, rounded up. All is made up."
        )
    return Side(
        lines=(
            "**The office** collects the true answers of all 1,000 people.",
            "**The hospital** gets no true answer. Each phone turns yes into 1 and no into 0, and "
            "adds noise before it sends anything.",
            f"Hers: **1** plus noise of **{literal(number_of(x - YES))}** gives "
            f"**{literal(number_of(x))}**.",
        ),
        caption="95 in 100 such numbers fall inside the grey cone.",
    )


# --- 2: one number is no proof ---

EXACT = "exact"
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget
HIDE_HER = "Drag right to hide Maria better. How often is a guess from her number still right?"
STILL_RIGHT = (
    "Now {} guesses out of 1,000 are right. Had she said no, the number could be the same."
)
EVERYBODY_KNOWS = "Without noise her number is her answer, and everybody who sees it knows."


def report(settings: Settings) -> Report:
    """Her report with the noise that was chosen."""
    return READERS.report(settings.chosen, drawn(settings.draw).here)


def report_sentence(number: Report) -> str:
    """What to do, and what the noise does that was chosen."""
    if number.rho is None:
        return EVERYBODY_KNOWS
    return HIDE_HER if number.who == HOSPITAL else STILL_RIGHT.format(number.right)


def report_picture(number: Report) -> Picture:
    """Two hills, and the number."""
    figure = two_hills(
        number.hills,
        number.said,
        NO_STYLE,
        names=("if <b>no</b>", "if <b>yes</b>"),
        says="she sends",
        ticks=FEW_TICKS,
        across=SENDS,
        reach=NOISIEST,
        high=None if number.rho is None else HIGHEST,
    )
    return Picture(
        figure, f"If no and if yes: {shape_of(number)}. She sends {number_of(number.said)}."
    )


def report_side(number: Report) -> Side:
    """How often one guesses right by it."""
    return Side(
        label=right_guesses_by(),
        value=f"{number.right:,}",
        claims=() if number.rho is None else (guess_claim("by her number", number.rho),),
        guesses=guesses_frame(("thanks to her number", number.right - COIN, None, False)),
        caption="Curves: how likely each number is if she says no, and if she says yes. The more "
        "they overlap, the harder the guess.",
    )


# --- 3: a thousand reports say a lot ---

HOW_NEAR = (
    "One number says little. How close does the average of a thousand come to the true share?"
)
NOISE_SHRINKS = "It is within {}. Averaging a thousand numbers divides the noise by about 32."
SHARE = "Share of people who say yes"


def near_answers() -> tuple[str, str, str]:
    """Three answers: as if of ten people, as it is, and as if the noise were shared out."""
    ten, all_of_them, shared = (pm(half_of(RHO[HOSPITAL] * n)) for n in (10, PEOPLE, PEOPLE**2))
    return ten, all_of_them, shared


def town(settings: Settings) -> Scene[Draw]:
    """The mean report of Maria, her street, her area and the town."""
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
            caption="Yes counts as 1 and no as 0. Of 100 numbers from one phone, 95 fall on the "
            "bar, 50 in its dark part.",
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
        caption="Vertical lines: the true share who say yes. An average of n numbers has the noise "
        "of one divided by √n, and √1,000 ≈ 32.",
    )


# --- 4: the price of no collector ---

HOW_MUCH_FARTHER = (
    "The office would add noise once. A thousand phones each add their own. How much farther off "
    "is the count?"
)
FAR_OFF = "About {} times as far off: the noise of a thousand phones cancels only in part."
OFF = "How far off the count is"
MOST_OFF = 100  # people, at the end of the scale


def farther_answers() -> tuple[str, str, str]:
    """Three answers: as far, as it is, and as many times as there are people."""
    return (
        "No farther",
        f"About {about(scenes.price(Settings()))} times as far off",
        f"{PEOPLE:,} times as far off",
    )


def about(scene: Price) -> str:
    """How many times as far off, as a whole number.

    >>> about(scenes.price(Settings()))
    '32'
    """
    return f"{scene.times:.0f}"


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
        ("the office adds noise once", scene.collected, GREY, pm(scene.collected)),
        ("each phone adds its own noise", here[0], STYLE[HOSPITAL].colour, here[1]),
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
            label=f"{OFF}, with phones",
            value="?",
            caption=f"How many of {PEOPLE:,} people say yes? The number from her phone tells as "
            "much about Maria as the office’s count does to someone who knows all other answers.",
        )
    fixed = "95 % confidence; the same promise to each of 1,000 people"
    return Side(
        label=f"{OFF}, with phones",
        value=f"{pm(scene.by_phones)} people",
        note=f"by the office: {pm(scene.collected)}",
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
        caption="That is the price of trusting nobody. The more people take part, the less it "
        "matters for the share who say yes.",
    )


# --- 5: one path for all four ---

WHO_LEARNS = (
    "Maria’s phone sends four numbers, the sharpest to her doctor. Who learns more by comparing "
    "notes?"
)
ALL_BUT_ONE = "Everyone but the doctor does. The doctor’s number alone tells as much as all four."
ALL_FOUR, ALL_BUT, NOBODY = "All four", "Everyone but the doctor", "Nobody"


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
    if scene.settings.done:
        return comparing.one_path_side(READERS, *SHARPEST)
    return alone_side(READERS, *SHARPEST, LESS_TRUST)


SHARPEST = ("the doctor", "the doctor’s")  # with the least noise, alone and before "number"
LESS_TRUST = (
    "Each noisier number is made from a sharper one. The less Maria trusts a reader, the more "
    "noise."
)


# --- 6: trust grows ---

WHAT_IT_NEEDS = "Maria now trusts the far clinic more. What is its new, sharper number made from?"
TWO_ARE_ENOUGH = (
    "It is made from its two neighbours. Made from her answer, it would tell all of them more."
)
LEFTMOST = -2.5  # of the axis: the hospital’s number keeps clear of the names
HER_ANSWER, ALL_NUMBERS, AROUND = "Her answer", "All four numbers", "The hospital’s and the city’s"


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
            label=right_guesses_by("the far clinic"),
            value=f"{before:,}",
            note="trusted least",
            claims=(guess_claim("the far clinic", RHO[FAR]),),
            caption="The empty row is for its new number: less noise than the city clinic’s, more "
            "than the hospital’s.",
        )
    return Side(
        label=right_guesses_by("the far clinic"),
        value=f"{after:,}",
        note=f"{after - before} more than before",
        claims=(guess_claim("the far clinic, by both its numbers", scenes.by_both()),),
        caption="95 in 100 such numbers fall in the band between the two ringed ones, 50 in its "
        "dark part. The clinic’s old number adds nothing to it.",
    )


LESSON = Lesson(
    file="trust_grows",
    after=("data", "your data"),
    onward=("growing_trust", "rappor"),
    screens=(
        Screen(
            title="Noise on her own phone",
            sentence=WHOM_TO_TRUST,
            said=phone_sentence,
            scene=phone,
            picture=phone_picture,
            side=phone_side,
            act=Act(label="Reveal", undo="Show before", icon="visibility"),
            choice=asking(OFFICE, THE_HOSPITAL, BOTH),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="One number is no proof",
            sentence=HIDE_HER,
            said=report_sentence,
            scene=report,
            picture=report_picture,
            side=report_side,
            choice=Choice(
                label="Noise (95 in 100 numbers are at most this far off)",
                options=(EXACT, *BLURS),
                default=pm(half_of(RHO[HOSPITAL])),
                help="±: 95 times in 100 the number is at most this far off. Yes is 1, no is 0.",
                ahead=True,
            ),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="A thousand say a lot",
            sentence=HOW_NEAR,
            said=town_sentence,
            scene=town,
            picture=town_picture,
            side=town_side,
            act=Act(label="Ask the town", undo="Only Maria", icon="groups"),
            choice=asking(*near_answers()),
            deeper=("rappor", "rare answers in noisy reports"),
        ),
        Screen(
            title="The price of trusting nobody",
            sentence=HOW_MUCH_FARTHER,
            said=price_sentence,
            scene=scenes.price,
            picture=price_picture,
            side=price_side,
            act=Act(label="Reveal", undo="Show before", icon="visibility"),
            choice=asking(*farther_answers()),
            deeper=("rappor", "rare answers in noisy reports"),
        ),
        Screen(
            title="Who gains by comparing notes?",
            sentence=WHO_LEARNS,
            said=one_path_sentence,
            scene=one_path,
            picture=one_path_picture,
            side=one_path_side,
            act=COMPARE,
            choice=asking(ALL_FOUR, ALL_BUT, NOBODY),
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
            choice=asking(HER_ANSWER, ALL_NUMBERS, AROUND),
            deeper=("bridge_paths", "a number between two others"),
        ),
    ),
)
