"""Start: a count gives Maria away, noise hides her, and readers who compare notes learn nothing.

Six screens, in their order.
"""

from dataclasses import replace

import plotly.graph_objects as go

from dpviz.charts.forms import town
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.start import blurs, plucked
from dpviz.charts.threads import number_of, threads
from dpviz.charts.two_hills import two_hills
from dpviz.planning.cast import AUDIT, COUNCIL, ILL, KNOWN, PARTNERS, PEOPLE, RESEARCH, STYLES
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.scenes import start as scenes
from dpviz.scenes.lessons import (
    DENSITY,
    SEED,
    USUAL,
    Report,
    Scene,
    Settings,
    correct_guesses,
    hills_frame,
)
from dpviz.scenes.start import PINS, READERS, RHO, Draw
from dpviz.scenes.threads import NO_STYLE, half_of
from dpviz.ui.kit import comparing, insurer
from dpviz.ui.kit.comparing import (
    COMPARE,
    alone_side,
    gained,
    guess_claim,
    mine,
    right_guesses_by,
    shape_of,
)
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen, Side, answered, asking
from dpviz.ui.kit.parts import chip
from dpviz.ui.kit.state import Shelf
from dpviz.words import MINUS, pm
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
    f"The town reports {ILL} people with high blood pressure. An insurer already knows that "
    f"{KNOWN} of the others have it."
)
CLEARED = (
    f"The town reports {KNOWN}, as many as the insurer knew of. So the insurer learns that Maria "
    "is not ill."
)
RIGHT = right_guesses_by("the insurer")
EVEN = "Imagine 1,000 such towns; in half of them Maria is ill."


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
        caption=f"{EVEN} Each square is the insurer’s guess in one town.",
    )


def sum_claim(reported: int) -> Claim:
    """Why an exact count leaves nothing to guess."""
    return Claim(
        what="the town’s count minus the people the insurer knows about",
        value=float(reported - KNOWN),
        unit="people",
        fixed="the count is exact, and the insurer knows about everyone but her",
        method=f"{reported} less {KNOWN}: 1 is yes, 0 is no, so every guess is right",
    )


# --- 2: a little noise hides her ---

EXACT = "exact"
EXACT_NUMBER = "Without noise the number is the count, and all 1,000 guesses are right."
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget
LEFT_TO_GUESS = (
    f"Noise is a random error. With it, {ILL} and {KNOWN} can give the same number, so nobody can "
    "be sure."
)
KNOWS = (
    f"Without noise, {ILL} and {KNOWN} never give the same number. The insurer knows about Maria."
)
LESS = "With less noise Maria is hidden less well: now {} guesses out of 1,000 are right."
CALLED = "Curves: how likely each number is. Hiding one person so is called differential privacy."
PEOPLE_AT = {float(ILL): f"{ILL}<br>people"}  # on an axis
REACH = 9.0  # people to either side of the hills: the same for every blur
# As high as the narrowest hill, so that all hills have one area
HIGHEST = float(hills_frame(max(RHO.values()))[DENSITY].max())
WIDE_TICKS = {float(x): f"{x}" for x in range(ILL - 8, ILL + 9, 4)} | PEOPLE_AT


def report(settings: Settings) -> Report:
    """The town's number with the noise that was chosen."""
    return READERS.report(settings.chosen, drawn(settings.draw).usual)


def report_sentence(number: Report) -> str:
    """Whether the insurer is left to guess."""
    if number.rho is None:
        return KNOWS
    return LEFT_TO_GUESS if number.rho == min(RHO.values()) else LESS.format(number.right)


def report_picture(number: Report) -> Picture:
    """Two hills, and the number."""
    figure = two_hills(
        number.hills,
        number.said,
        NO_STYLE,
        names=("Maria<br><b>not ill</b>", "Maria<br><b>ill</b>"),
        says="the town says",
        ticks=WIDE_TICKS,
        reach=REACH,
        high=None if number.rho is None else HIGHEST,
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
        caption=EXACT_NUMBER
        if rho is None
        else f"{pm(half_of(rho))}: 95 in 100 numbers are at most that far off. {CALLED}",
    )


# --- 3: each group of readers gets a number ---

TICKS = {float(x): f"{x}" for x in range(ILL - 4, ILL + 5, 2)} | PEOPLE_AT
EVERYBODY = "The public"
GROUPS = (AUDIT.capitalize(), RESEARCH.capitalize(), PARTNERS.capitalize(), EVERYBODY)
MOST_NOISE = "Four groups ask for the count. Whose number should have the most noise?"
THE_PUBLIC = (
    "The public’s should, as anyone can read it. The more we trust a group, the less noise it gets."
)


def groups(settings: Settings) -> Scene[Draw]:
    """A number for each group, on no path yet: to come, or drawn."""
    return scenes.each_group(drawn(settings.draw), settings)


def groups_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return MOST_NOISE
    chosen = scene.settings.chosen
    return answered(THE_PUBLIC, chosen, chosen == EVERYBODY)


def groups_picture(scene: Scene[Draw]) -> Picture:
    """Four blurred bars below the truth, and a number on each; before, four lines without names."""
    figure = blurs(scene.frame, ticks=TICKS)
    if not scene.settings.done:
        return Picture(figure, f"Below the true count, {ILL}, four lines wait for their groups.")
    numbers = ", ".join(f"{name} {number_of(x)}" for name, x in scene.drawn.usual.items())
    return Picture(
        figure, f"Below the true count, {ILL}, four blurred bars, wider further down: {numbers}."
    )


def groups_side(scene: Scene[Draw]) -> Side:
    """Each group, who is in it, and its number."""
    held = {
        tier.name: f"{tier.members or ''} {tier.note.split(';')[0]}".strip()
        for tier in DEFAULT_TIERS
    }
    done = scene.settings.done
    rows = [
        f"{chip(name, STYLES[name])} · {literal(held[name])}"
        + f"  \n**{literal(number_of(x))}** {pm(half_of(RHO[name]))} people" * done
        for name, x in scene.drawn.usual.items()
    ]
    return Side(lines=tuple(rows), caption=BARS if done else LINES)


LINES = (
    "One line for each group’s number. The lower the line, the more noise. 95 in 100 numbers fall "
    "in the grey cone."
)
BARS = "95 in 100 numbers fall on their bar, most often where the colour is strongest."


# --- 4 and 5: they compare notes ---

MORE, SAME, FEWER = "More", "Just as much", "Less"
SHARPEST = ("the auditors", "the auditors’")  # with the least noise, alone and before "number"
SEPARATE = "Each number has separate noise. Do all four together know more than the auditors?"
CANCEL = "They know more, because separate errors partly cancel out."
ONE_PATH = (
    "Now only the auditors’ number is made from the count. Do all four together know more than the "
    "auditors?"
)
NOTHING_NEW = (
    "They know just as much: the other numbers are only the auditors’ number with more noise."
)


def separate(settings: Settings) -> Scene[Draw]:
    """Four numbers with separate noise; once notes are compared, what they come to."""
    return READERS.separately(drawn(settings.draw), settings)


def separate_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    return answered(CANCEL, chosen, chosen == MORE) if scene.settings.done else SEPARATE


def separate_picture(scene: Scene[Draw]) -> Picture:
    """Four threads to the truth; once notes are compared, the number they come to."""
    done = scene.settings.done
    alone, together = (pm(half_of(rho)) for rho in (READERS.alone, READERS.together(USUAL)))
    so = f"Together they are within {together}" if done else "Each has its own error"
    return Picture(
        threads(scene.frame, ticks=TICKS),
        f"Paths run from the true count to four numbers. {so}; the auditors’ is within {alone}.",
    )


def separate_side(scene: Scene[Draw]) -> Side:
    """How much better all guess by numbers with separate noise."""
    if not scene.settings.done:
        return alone_side(
            READERS, *SHARPEST, "The auditors’ number is the sharpest: it has the least noise."
        )
    together, gain = READERS.together(USUAL), READERS.gain(USUAL)
    nearer = Claim(
        what="draws of 100 in which all four together are closer to the truth than the auditors",
        value=READERS.nearer(),
        fixed="the four numbers weighted by their budgets",
        method="the sign of a product of two normal errors: 1/2 + arcsin(correlation) / 180°",
    )
    return Side(
        label=right_guesses_by("all four"),
        value=f"{correct_guesses(together):,}",
        note=gained(gain, SHARPEST[0]),
        worse=True,
        claims=(guess_claim("all four", together), nearer),
        guesses=guesses_frame(
            mine(READERS, SHARPEST[1]), ("from comparing notes", gain, None, False)
        ),
        caption="The large dot is their average, in which sharper numbers count more. More often "
        "than not it is closer to the truth than the auditors’ number.",
    )


def one_path(settings: Settings) -> Scene[Draw]:
    """Four numbers on one path."""
    return READERS.in_one_session(drawn(settings.draw), settings)


def one_path_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    return answered(NOTHING_NEW, chosen, chosen == SAME) if scene.settings.done else ONE_PATH


def one_path_picture(scene: Scene[Draw]) -> Picture:
    """One thread to the truth, and the others below it."""
    done = scene.settings.done
    who = "all four together" if done else "the auditors"
    return Picture(
        threads(scene.frame, ticks=TICKS),
        "One path runs from the true count to the auditors’ number and on to the other three, one "
        f"below the other. Within {pm(half_of(READERS.alone))}: {who}.",
    )


def one_path_side(scene: Scene[Draw]) -> Side:
    """How much better all guess by numbers on one path: no better."""
    if scene.settings.done:
        return comparing.one_path_side(READERS, *SHARPEST)
    return alone_side(READERS, *SHARPEST, ONE_AFTER_ANOTHER)


ONE_AFTER_ANOTHER = (
    "The auditors keep their number. The others are drawn again: each is the next sharper number "
    "with more noise added."
)


# --- 6: a latecomer ---

WIDE = 5.0  # people: beyond that only every other tick has its number
COUNT, ONE, AROUND = "A new count", "The auditors’", "Its two neighbours"
WHERE_FROM = "A month later, a council asks as well. What is its number made from?"
FROM_TWO = (
    "It is made from its two neighbours. Made from the auditors’, it would let them learn more "
    "together."
)


def council(settings: Settings) -> Scene[Draw]:
    """Four numbers on a path, and the council's between two of them: to come, or drawn."""
    return scenes.the_council(drawn(settings.draw), settings)


def council_sentence(scene: Scene[Draw]) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return WHERE_FROM
    chosen = scene.settings.chosen
    return answered(FROM_TWO, chosen, chosen == AROUND)


def council_picture(scene: Scene[Draw]) -> Picture:
    """The numbers on their path; then the council's, within its band between two ringed ones."""
    numbers, done = (ILL, *scene.drawn.here.values()), scene.settings.done
    string = scene.string
    holds = () if string is None else (string["low"].min(), string["high"].max())
    step = 1 if max(numbers) - min(numbers) < WIDE else 2
    figure: go.Figure = plucked(
        scene.frame,
        string if done else None,
        STYLES[COUNCIL.name],
        pins=PINS if done else (),
        truth=READERS.truth,
        holds=holds,
        ticks={float(x): f"{x}" for x in range(ILL - 30, ILL + 31, step)} | PEOPLE_AT,
    )
    if not done:
        return Picture(figure, "Four numbers on one path; the line of the council is empty.")
    between = " and ".join(f"{name}’s number" for name in PINS)
    at = number_of(scene.drawn.council)
    return Picture(figure, f"Between {between} the council’s, {at}, is drawn.")


def council_side(scene: Scene[Draw]) -> Side:
    """What partners and council know together, and what they would know."""
    label = right_guesses_by("partners and council")
    if not scene.settings.done:
        return Side(label=label, value="?", caption=WAITS)
    claim = guess_claim("partners and council together", scenes.around())
    instead = guess_claim("the same, from the auditors’ number", scenes.from_the_auditors())
    more = round(claim.value) - correct_guesses(RHO[PARTNERS])
    return Side(
        label=label,
        value=f"{claim.value:.0f}",
        note=gained(more, "the partners"),
        claims=(claim, instead),
        lines=(f"From the auditors’ number it would be **{instead.value:.0f}**.",),
        caption=HANGS,
    )


WAITS = (
    "The council may have a sharper number than the public’s, but not as sharp as the partners’."
)
HANGS = (
    "Ringed: the two numbers it was made from. 95 in 100 such numbers fall in the band, 50 in its "
    "dark part."
)

LESSON = Lesson(
    file="start",
    front=True,
    after=("data", "your data"),
    onward=("data", "releases"),
    purpose="This site shows how to publish such a number and still protect Maria. We try it on "
    "made-up people first.",
    screens=(
        Screen(
            title="A count gives Maria away",
            sentence=GIVEN_AWAY,
            said=count_sentence,
            scene=ill,
            picture=count_picture,
            side=count_side,
            below=f"{PEOPLE:,} people, one dot each. Large dots: high blood pressure.",
            choice=Choice(
                label=f"Try {KNOWN}. Is she safe now?", options=(WITH, WITHOUT), default=WITH
            ),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="A little noise hides her",
            sentence=LEFT_TO_GUESS,
            said=report_sentence,
            scene=report,
            picture=report_picture,
            side=report_side,
            act=replace(AGAIN, idle_at=EXACT),
            choice=Choice(
                label="Drag left for less noise (± people). Is she still hidden?",
                options=(EXACT, *BLURS),
                default=pm(half_of(min(RHO.values()))),
                help="±: 95 times in 100 the number is at most this far off.",
            ),
            opening=insurer.SCREEN,
        ),
        Screen(
            title="One number per group",
            sentence=MOST_NOISE,
            said=groups_sentence,
            scene=groups,
            picture=groups_picture,
            side=groups_side,
            act=Act(label="Draw the numbers", undo="Show before", icon="casino"),
            choice=asking(*GROUPS),
            deeper=("releases", "the numbers of a real table"),
        ),
        Screen(
            title="Separate noise",
            sentence=SEPARATE,
            said=separate_sentence,
            scene=separate,
            picture=separate_picture,
            side=separate_side,
            act=COMPARE,
            choice=asking(MORE, SAME, FEWER),
            deeper=("variances", "what separate noise costs"),
        ),
        Screen(
            title="One path for all four",
            sentence=ONE_PATH,
            said=one_path_sentence,
            scene=one_path,
            picture=one_path_picture,
            side=one_path_side,
            act=COMPARE,
            choice=asking(MORE, SAME, FEWER),
            deeper=("collusion", "what a coalition learns"),
        ),
        Screen(
            title="A latecomer",
            sentence=WHERE_FROM,
            said=council_sentence,
            scene=council,
            picture=council_picture,
            side=council_side,
            act=Act(label="Draw its number", undo="Show before", icon="casino"),
            choice=asking(COUNT, ONE, AROUND),
            deeper=("bridge_paths", "numbers drawn between two others"),
        ),
    ),
)
