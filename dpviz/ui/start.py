"""Start: a count gives Maria away, noise hides her, and readers who compare notes learn nothing.

Six screens, in their order.
"""

import plotly.graph_objects as go

from dpviz.charts.forms import town
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.start import blurs, plucked
from dpviz.charts.threads import number_of
from dpviz.charts.two_hills import two_hills
from dpviz.planning.cast import ASKING, AUDIT, COUNCIL, ILL, KNOWN, MONTHS, PEOPLE, STYLES
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.scenes import start as scenes
from dpviz.scenes.lessons import SEED, Report, Scene, Settings, correct_guesses
from dpviz.scenes.start import COUNCIL_RHO, PINS, READERS, RHO, Draw
from dpviz.scenes.threads import NO_STYLE, half_of
from dpviz.ui.kit import insurer
from dpviz.ui.kit.comparing import (
    RIGHT_GUESSES,
    Comparing,
    better_guess,
    guess_claim,
    in_order_of_asking,
    shape_of,
)
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen, Side
from dpviz.ui.kit.parts import chip
from dpviz.ui.kit.state import Shelf
from dpviz.words import MINUS, capitalised, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

_DRAWN = Shelf[Draw]("start_drawn")


def drawn(again: int) -> Draw:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: scenes.draw(SEED + again))


# --- 1: a count gives Maria away ---

WITH, WITHOUT = f"{ILL} people", f"{KNOWN} people"
GIVEN_AWAY = (
    f"The town reports {ILL} people with high blood pressure; an insurer knows everyone but Maria, "
    f"and counts {KNOWN}."
)
CLEARED = (
    f"The town reports {KNOWN} people with high blood pressure; an insurer knows everyone but "
    f"Maria, and counts {KNOWN}."
)
RIGHT = f"{RIGHT_GUESSES} by the insurer"
EVEN = "Suppose the insurer first thinks yes and no equally likely."


def ill(settings: Settings) -> list[bool]:
    """Who has high blood pressure, Maria first."""
    return scenes.ill(settings.chosen != WITHOUT)


def count_sentence(people: list[bool]) -> str:
    """What the insurer takes from the count."""
    return GIVEN_AWAY if people[0] else CLEARED


def count_picture(people: list[bool]) -> Picture:
    """A thousand dots, and the sum that leaves Maria."""
    total = sum(people)
    left = f"Maria: {'yes' if people[0] else 'no'}"
    return town.town(
        town.people(people),
        name="Maria",
        what=f"A town of {PEOPLE:,} people: {total} less {KNOWN} leaves {total - KNOWN}, Maria.",
        kinds=("high blood pressure", "no high blood pressure"),
        above=(
            (f"{total}", "the town reports"),
            (MINUS, ""),
            (f"{KNOWN}", "the insurer knows"),
            ("=", ""),
            (f"{total - KNOWN}", f"<b>{left}</b>"),
        ),
    )


def count_side(people: list[bool]) -> Side:
    """Every guess is right."""
    return Side(
        label=RIGHT,
        value=f"{2 * COIN:,}",
        claims=(sum_claim(sum(people)),),
        guesses=guesses_frame(("thanks to the count", COIN, None, False)),
        caption=f"One square per guess. {EVEN} The count gives the answer, every time.",
    )


def sum_claim(reported: int) -> Claim:
    """Why an exact count leaves nothing to guess."""
    return Claim(
        what="the count less the people of whom the insurer knows: Maria",
        value=float(reported - KNOWN),
        unit="people",
        fixed="the count is exact, and the insurer knows about everyone but her",
        method=f"{reported} less {KNOWN}: 1 is yes, 0 is no, so every guess is right",
    )


# --- 2: a little noise hides her ---

EXACT = "exact"
EXACT_NUMBER = "Without noise the number is the count: all 1,000 guesses are right."
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget
LEFT_TO_GUESS = (
    f"With noise, a random error, {ILL} and {KNOWN} can produce the same number: the insurer can "
    "no longer be sure."
)
KNOWS = (
    f"Without noise {ILL} and {KNOWN} never give the same number: the insurer knows about Maria."
)
CALLED = "A promise to hide one person in this way is called differential privacy."
PEOPLE_AT = {float(ILL): f"{ILL}<br>people"}  # on an axis
REACH = 9.0  # people to either side of the hills: the same for every blur
WIDE_TICKS = {float(x): f"{x}" for x in range(ILL - 8, ILL + 9, 4)} | PEOPLE_AT


def report(settings: Settings) -> Report:
    """The town's number with the noise that was chosen."""
    return READERS.report(settings.chosen, drawn(settings.draw).usual)


def report_sentence(number: Report) -> str:
    """Whether the insurer is left to guess."""
    return KNOWS if number.rho is None else LEFT_TO_GUESS


def report_picture(number: Report) -> Picture:
    """Two hills, and the number."""
    figure = two_hills(
        number.hills,
        number.said,
        NO_STYLE,
        names=("Maria<br><b>not ill</b>", "Maria<br><b>ill</b>"),
        says="the town says",
        right=number.right,
        ticks=WIDE_TICKS,
        reach=REACH,
    )
    said = number_of(number.said)
    return Picture(figure, f"With Maria not ill and ill: {shape_of(number)}. The town says {said}.")


def report_side(number: Report) -> Side:
    """How often the insurer guesses right by it."""
    rho = number.rho
    claim = sum_claim(ILL) if rho is None else guess_claim("by this number", rho)
    return Side(
        label=RIGHT,
        value=f"{number.right:,}",
        claims=(claim,),
        guesses=guesses_frame(("thanks to the number", number.right - COIN, None, False)),
        caption=report_caption(number),
    )


def report_caption(number: Report) -> str:
    """What the insurer guesses by it, and what such a promise is called."""
    said = better_guess(number, exact=EXACT_NUMBER, no="not ill", yes="ill")
    return said if number.rho is None else f"{said} {CALLED}"


# --- 3: each group of readers gets a number ---

TICKS = {float(x): f"{x}" for x in range(ILL - 4, ILL + 5, 2)} | PEOPLE_AT
CONE = (
    "95 in 100 such numbers fall inside the cone, within ± (rounded up). Bars: the stronger the "
    "colour, the more often. Rounding a number afterwards costs no privacy."
)


def groups(settings: Settings) -> Scene[Draw]:
    """A number for each group, on no thread yet."""
    return scenes.each_group(drawn(settings.draw), settings)


def groups_picture(scene: Scene[Draw]) -> Picture:
    """Four blurred bars below the truth, and a number on each."""
    numbers = ", ".join(f"{name} {number_of(x)}" for name, x in scene.drawn.usual.items())
    return Picture(
        blurs(scene.frame, ticks=TICKS),
        f"Below the true count, {ILL}, four blurred bars, wider further down: {numbers}.",
    )


def groups_side(scene: Scene[Draw]) -> Side:
    """Each group, who is in it, and its number."""
    held = {tier.name: f"{tier.members or ''} {tier.note}".strip() for tier in DEFAULT_TIERS}
    rows = [
        f"{chip(name, STYLES[name])} · {literal(held[name])}  \n"
        f"**{literal(number_of(x))}** {pm(half_of(RHO[name]))} people"
        for name, x in scene.drawn.usual.items()
    ]
    return Side(lines=tuple(rows), caption=CONE)


# --- 4 and 5: they compare notes ---

FOUR = Comparing(
    readers=READERS,
    drawn=drawn,
    top="the true count",
    sharpest="the auditors",
    whose="the auditors’ number",
    shared="the auditors have",
    ticks=TICKS,
)


# --- 6: any order, any time ---

WIDE = 5.0  # people: beyond that only every other tick has its number


def council(settings: Settings) -> Scene[Draw]:
    """Four numbers on a thread, and the council's between two of them: to come, or drawn."""
    return scenes.the_council(drawn(settings.draw), settings)


def council_picture(scene: Scene[Draw]) -> Picture:
    """The string between two ringed numbers, and the ways in which it may hang."""
    numbers = scene.drawn.here.values()
    step = 1 if max(numbers) - min(numbers) < WIDE else 2
    figure: go.Figure = plucked(
        scene.frame,
        scene.string,
        () if scene.settings.done else scene.drawn.ways,
        STYLES[COUNCIL.name],
        pins=PINS,
        new=COUNCIL.name,
        ticks={float(x): f"{x}" for x in range(ILL - 30, ILL + 31, step)} | PEOPLE_AT,
        below={COUNCIL.name: COUNCIL.note},
        remark="the truth lies above<br>and is not needed",
    )
    between = " and ".join(f"{name}’s number" for name in PINS)
    if scene.settings.done:
        at = number_of(scene.drawn.council)
        return Picture(figure, f"Between {between} the council’s, {at}, is drawn.")
    return Picture(
        figure, f"Faint lines between {between} show where the council’s number may fall."
    )


def council_side(scene: Scene[Draw]) -> Side:
    """What all know together, and who asked when."""
    done, made = scene.settings.done, scene.drawn
    claim = guess_claim("all five" if done else "all four", scenes.everybody(council=done))
    more = round(claim.value) - correct_guesses(RHO[AUDIT])
    heard = [
        (month, name, STYLES[name], RHO[name], made.here[name])
        for month, name in zip(MONTHS, ASKING, strict=True)
    ]
    if done:
        new = (capitalised(COUNCIL.note), COUNCIL.name, STYLES[COUNCIL.name])
        heard.append((*new, COUNCIL_RHO, made.council))
    return Side(
        label=f"{RIGHT_GUESSES} by all {'five' if done else 'four'}",
        value=f"{claim.value:.0f}",
        note=f"{more} more than {FOUR.sharpest} alone",
        claims=(claim,),
        lines=in_order_of_asking(heard),
        caption=ANY_ORDER if done else MAY_FALL,
    )


MAY_FALL = (
    "Hollow marks: a dozen numbers that the council might get. Bands: where its number usually "
    "falls; the inner one: half of the time."
)
ANY_ORDER = (
    "Any other order would have done: each number would be just as noisy, and lean on the others "
    "in the same way."
)

LESSON = Lesson(
    file="start",
    front=True,
    after=("data", "your data"),
    onward=("data", "releases"),
    purpose="This site shows how to publish such a number and still protect Maria, on made-up "
    "people first.",
    screens=(
        Screen(
            title="A count gives Maria away",
            sentence=GIVEN_AWAY,
            said=count_sentence,
            scene=ill,
            picture=count_picture,
            side=count_side,
            below="One dot per person; large: high blood pressure, from here on “ill”.",
            choice=Choice(label="Suppose the town reports", options=(WITH, WITHOUT), default=WITH),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="A little noise hides her",
            sentence=LEFT_TO_GUESS,
            said=report_sentence,
            scene=report,
            picture=report_picture,
            side=report_side,
            act=AGAIN,
            choice=Choice(
                label="How far off is the number, 95 times in 100?",
                options=(EXACT, *BLURS),
                default=pm(half_of(min(RHO.values()))),
                help="±: 95 times in 100 the number is at most this far off; rounded up.",
            ),
            deeper=("collusion", "how guesses are counted"),
            opening=insurer.SCREEN,
        ),
        Screen(
            title="Each group gets one number",
            sentence="Auditors may see the count to within about two people, the public to within "
            "about four.",
            scene=groups,
            picture=groups_picture,
            side=groups_side,
            act=AGAIN,
            deeper=("releases", "the numbers of a real table"),
        ),
        FOUR.with_separate_noise(
            title="Separate noise for all four",
            deeper=("variances", "what separate noise costs"),
        ),
        FOUR.in_one_session(
            title="One path for all four",
            deeper=("collusion", "what a coalition learns"),
        ),
        Screen(
            title="Any order, any time",
            sentence="Next month the council asks: its number is drawn between two others, without "
            "looking at the town.",
            scene=council,
            picture=council_picture,
            side=council_side,
            act=Act(label="Draw it", undo="Show before", icon="edit"),
            deeper=("bridge_paths", "numbers drawn between two others"),
        ),
    ),
)
