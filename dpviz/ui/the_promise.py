"""What the promise says: two towns, one person apart, and how far their numbers can tell them.

Six screens, in their order; on each the visitor guesses first.
"""

import pandas as pd

from dpviz.charts.forms import town
from dpviz.charts.forms.bar_rows import BAR_ROWS, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.the_promise import (
    cut_or_noise,
    hills_and_ratio,
    hills_of_groups,
    loss_hill,
    ratio_at,
)
from dpviz.charts.threads import number_of
from dpviz.palette import GREY
from dpviz.planning.cast import ILL, KNOWN
from dpviz.scenes import the_promise as scenes
from dpviz.scenes.lessons import Settings, correct_guesses
from dpviz.scenes.start import ill
from dpviz.scenes.the_promise import (
    AS_IT_IS,
    AT,
    CUT,
    ERROR,
    FAMILY,
    FOUR,
    GIVEN,
    GROUP_RHO,
    NOISE,
    OLD_GUESS,
    PEOPLE,
    RARE,
    RHO,
    RIGHT,
    STYLE,
    Heard,
    Limits,
    Losses,
    Ratio,
)
from dpviz.ui.kit.comparing import ALWAYS, EVEN, guess_claim, right_guesses_by
from dpviz.ui.kit.lesson import Act, Lesson, Screen, Side, answered, asking
from dpviz.ui.kit.state import Shelf
from dpviz.words import capitalised
from dpviz.words.claims import Claim
from dpviz.workspace.guesses import COIN

REVEAL = Act(label="Reveal", undo="Show before", icon="visibility")
NOISY = f"Gaussian noise of budget {RHO:g}"


# --- 1: two towns, one person apart ---

WITH, WITHOUT = "with Maria", "without Maria"
WHICH_ONE = (
    "A made-up town is counted, with Maria or without her, and noise is added. Which was it?"
)
IT_CAN_BE_EITHER = "No one can tell for sure. With Maria is the better bet, but only just."
EITHER = "No one can tell for sure"
WHICH = (capitalised(WITH), capitalised(WITHOUT), EITHER)
THE_NOISE = "How much noise is in the number?"
_NUMBER = Shelf[float]("promise_number")


def towns(settings: Settings) -> Heard:
    """The number of the real town, drawn once for a visitor."""
    return Heard(number=_NUMBER.take(0, scenes.public_number), settings=settings)


def towns_sentence(scene: Heard) -> str:
    """The question, and its answer."""
    settings = scene.settings
    if not settings.done:
        return WHICH_ONE
    return answered(IT_CAN_BE_EITHER, settings.chosen, settings.chosen == EITHER)


def towns_picture(scene: Heard) -> Picture:
    """The same town with Maria and without her, and how each comes to the number."""
    counts, done = {WITH: ILL, WITHOUT: KNOWN}, scene.settings.done
    seen = f'<span style="color:{STYLE.colour}">{STYLE.glyph}</span>'
    says = f"{seen} <b>{number_of(scene.number)}</b>"
    below = {
        name: ((f"{count} {_added(scene.noise(count))} noise", 17), (f"= {says}", 24))
        if done
        else ((f"<b>{count}</b> are ill", 20), ("&nbsp;", 24))
        for name, count in counts.items()
    }
    end = f"Published: {number_of(scene.number)}."
    if done:
        noise = " or ".join(number_of(scene.noise(count)) for count in counts.values())
        end += f" The noise was {noise}."
    frames = [town.people(ill(True), named=name, left_out=name == WITHOUT) for name in counts]
    return town.town(
        pd.concat(frames),
        name="Maria",
        what=f"The same town twice. {end}",
        kinds=("ill", "not ill"),
        below=below,
        between="" if done else f"published for the public: {says}",
    )


def _added(noise: float) -> str:
    """A noise with its sign, as it is added."""
    return f"{'+' if noise > 0 else '−'} {number_of(abs(noise))}"


def towns_side(scene: Heard) -> Side:
    """Which noise each town needs for the number."""
    if not scene.settings.done:
        return Side(
            label=THE_NOISE,
            value="?",
            caption="One dot per person. Large dots: people who are ill. The second town leaves "
            "Maria out.",
        )
    claims = tuple(
        Claim(
            what=f"noise, if the real town is the one {name}",
            value=scene.noise(count),
            unit="people",
            fixed="one seeded draw of a made-up town",
            method="the number less the count",
            kind="simulated",
        )
        for name, count in ((WITH, ILL), (WITHOUT, KNOWN))
    )
    return Side(
        label=THE_NOISE,
        value=" or ".join(number_of(claim.value) for claim in claims),
        note="one apart, like the two counts",
        claims=claims,
        caption="The smaller noise comes up a little more often. The promise is about how much "
        "more often.",
    )


# --- 2: the promise is a ratio ---

HOW_MUCH_LIKELIER = (
    f"The town says {AT:.0f}. How many times as likely is that with Maria as without her?"
)
TIMES_AND_RARE = "It is {} times as likely. Even {:.0f}, which is rare, is only {} times as likely."
THE_PROMISE = "**The promise:** most numbers are about as likely with any one person as without."
LIKELIER = "Times as likely with Maria"
EQUALLY = "Equally likely"


def times_answers() -> tuple[str, str, str]:
    """Three answers about the number: as likely, as it is, and as for a rare one.

    >>> times_answers()
    ('Equally likely', '1.3 times as likely', '3.0 times as likely')
    """
    scene = scenes.ratio(Settings())
    here, rare = (f"{ratio_at(scene.loss(at))} times as likely" for at in (AT, RARE))
    return EQUALLY, here, rare


def ratio_sentence(scene: Ratio) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return HOW_MUCH_LIKELIER
    here, rare = (ratio_at(scene.loss(at)) for at in (AT, RARE))
    return answered(TIMES_AND_RARE.format(here, RARE, rare), chosen, chosen == times_answers()[1])


def ratio_picture(scene: Ratio) -> Picture:
    """Two hills; below them their ratio."""
    end = "What is their ratio?"
    if scene.settings.done:
        here, rare = (ratio_at(scene.loss(at)) for at in (AT, RARE))
        end = f"It is {here} times likelier with Maria than without; {RARE:.0f}, {rare} times."
    return Picture(
        hills_and_ratio(scene.frame, AT, RARE, STYLE, revealed=scene.settings.done),
        f"Two hills, almost on top of each other, and the number {AT:.0f} below. {end}",
    )


def ratio_side(scene: Ratio) -> Side:
    """The ratio at the number, and at a rare one."""
    if not scene.settings.done:
        return Side(
            label=LIKELIER,
            value="?",
            caption="Curves: how likely each number is, with Maria and without her. Compare their "
            "heights at the dotted line.",
        )
    claims = tuple(
        Claim(
            what=f"times likelier with Maria than without, at {at:.0f}",
            value=scene.times(at),
            fixed=f"the number {at:.0f}, the noise of the public number",
            method="ratio of two normal densities, at distance 1 (MATHEMATICS 3.1)",
        )
        for at in (AT, RARE)
    )
    here, rare = (ratio_at(scene.loss(at)) for at in (AT, RARE))
    return Side(
        label=LIKELIER,
        value=here,
        note=f"{rare} at {RARE:.0f}, a rare number",
        claims=claims,
        lines=(THE_PROMISE,),
        caption="A ratio below 1 points to the town without Maria. From line to line it doubles.",
    )


# --- 3: luck decides how much likelier ---

HOW_OFTEN_BEYOND = (
    "How often is the published number more than twice as likely with Maria as without?"
)
FEW_BEYOND = "In {} of 100 draws. How often is decided by the noise, before anything is drawn."
PROMISE = "**The whole promise:** ratios far from 1 are rare, and we fix in advance how rare."
PASSED = "Draws (of 100) beyond the line"


def often_answers() -> tuple[str, str, str]:
    """Three answers about the line: never, as it is, and half of the time.

    >>> often_answers()[1]
    '9 of 100 draws'
    """
    return "Never", f"{scenes.more_than_twice():.0f} of 100 draws", "50 of 100 draws"


def loss_sentence(scene: Losses) -> str:
    """The question, and its answer."""
    chosen = scene.settings.chosen
    if not scene.settings.done:
        return HOW_OFTEN_BEYOND
    return answered(
        FEW_BEYOND.format(f"{scenes.more_than_twice():.0f}"), chosen, chosen == often_answers()[1]
    )


def loss_picture(scene: Losses) -> Picture:
    """How often each ratio comes up, cut by the line."""
    often, done = scenes.more_than_twice(), scene.settings.done
    end = f"Beyond it: {often:.0f} of 100 draws." if done else "How many draws are beyond it?"
    return Picture(
        loss_hill(scene.frame, often, STYLE, revealed=done),
        f"A hill: how often a draw is how many times likelier with Maria; a line at twice. {end}",
    )


def loss_side(scene: Losses) -> Side:
    """How often the line is crossed, and what such a promise is called."""
    if not scene.settings.done:
        return Side(
            label=PASSED,
            value="?",
            caption="The curve shows how often each ratio comes up when the town, with Maria "
            "counted, draws again and again. Each step on the axis doubles the ratio.",
        )
    often = Claim(
        what="draws of 100 in which the number is more than twice as likely with Maria",
        value=scenes.more_than_twice(),
        fixed=f"{NOISY}, Maria in the town",
        method="the logarithm of the ratio is normal (MATHEMATICS 5.7)",
    )
    return Side(
        label=PASSED,
        value=f"{often.value:.0f}",
        note="more than twice as likely",
        claims=(often,),
        lines=(PROMISE,),
        caption="With more noise the line is crossed less often.",
    )


# --- 4: no trick undoes it ---

WHICH_TRICK = (
    "An insurer can do any calculation with the number. Which one helps it guess whether Maria is "
    "ill?"
)
NO_TRICK = "None does. {} is still the best, because no calculation looks at the people again."
ROUND, SQUARE_IT, NO = "Rounding", "Squaring", "None"
AVERAGE = "Averaging with an old guess"
TRICK = {ROUND: 1, SQUARE_IT: 2, AVERAGE: 3}  # rows of the picture
GUESSES = right_guesses_by("the insurer")
Tricks = tuple[dict[str, float], Settings]


def tricks(settings: Settings) -> Tricks:
    """Guesses right by the public number as it is, and after each trick."""
    return scenes.tricks(), settings


def tricks_sentence(scene: Tricks) -> str:
    """The question, and its answer."""
    by_trick, settings = scene
    if not settings.done:
        return WHICH_TRICK
    return answered(
        NO_TRICK.format(f"{by_trick[AS_IT_IS]:.0f}"), settings.chosen, settings.chosen == NO
    )


def tricks_picture(scene: Tricks) -> Picture:
    """A bar for each trick; before they are revealed, one."""
    by_trick, settings = scene
    rows, guessed = [], TRICK.get(settings.chosen, -1)
    for k, (name, right) in enumerate(by_trick.items()):
        known = settings.done or k == 0
        colour = GREY if k else STYLE.colour
        length, end = (right - COIN, f"{right:.0f}") if known else (0.0, "?")
        words = f"{name} ← your pick" if k == guessed else name
        rows.append(("", words, length, colour, end, "", ""))
    frame = pd.DataFrame(rows, columns=list(BAR_ROWS))
    return bar_rows(
        frame,
        what="Right guesses.",
        scale=ALWAYS,
    )


def tricks_side(scene: Tricks) -> Side:
    """What the best trick gains: nothing."""
    by_trick, settings = scene
    plain, done = correct_guesses(RHO), settings.done
    claims = tuple(
        Claim(
            what=f"right guesses of 1,000, {name}",
            value=right,
            fixed=EVEN,
            method="half of the larger chance of each outcome, summed (MATHEMATICS 5.6)",
        )
        for name, right in by_trick.items()
    )
    return Side(
        label=GUESSES,
        value=f"{plain}",
        note="no trick does better" if done else "with the published number",
        claims=claims if done else (guess_claim("about one person", RHO),),
        caption=f"Squaring can be undone, and so can averaging with {OLD_GUESS}, so both tell just "
        "as much. Rounding loses something."
        if done
        else "How often the insurer is right using the number as published.",
    )


# --- 5: a family counts more ---

WHAT_OF_FOUR = (
    "In a family of four, all are ill or none are. How often does the insurer guess right?"
)
FAMILY_COUNTS = "{} times in 1,000, because four people move the count four times as far."
RIGHT_OF_FOUR = right_guesses_by("the insurer")
Family = tuple[pd.DataFrame, pd.DataFrame, Settings]


def answers() -> tuple[str, ...]:
    """Three answers about four people: as for one, as for two, as for four.

    >>> answers()
    ('588, as for one', '673, a bit more', '814, far more')
    """
    rights = scenes.groups_frame(RHO, FAMILY[:3])[RIGHT]
    words = ("as for one", "a bit more", "far more")
    return tuple(f"{right:.0f}, {said}" for right, said in zip(rights, words, strict=True))


def family(settings: Settings) -> Family:
    """Hills and guesses of groups of people who are all ill."""
    return scenes.hills_frame(ILL, RHO, FAMILY), scenes.groups_frame(RHO, FAMILY), settings


def family_sentence(scene: Family) -> str:
    """The question, and its answer."""
    _, groups, settings = scene
    if not settings.done:
        return WHAT_OF_FOUR
    four = groups.set_index(PEOPLE)[RIGHT][FOUR]
    return answered(
        FAMILY_COUNTS.format(f"{four:.0f}"), settings.chosen, settings.chosen == answers()[-1]
    )


def family_picture(scene: Family) -> Picture:
    """A pair of hills for each group."""
    hills, groups, settings = scene
    alt = "Four pairs of hills, ever farther apart: one person, two, four and eight."
    if settings.done:
        rights = ", ".join(f"{right:.0f}" for right in groups[RIGHT])
        alt += f" Guesses right of 1,000: {rights}."
    known = len(FAMILY) if settings.done else 1
    return Picture(hills_of_groups(hills, groups, known=known), alt)


def family_side(scene: Family) -> Side:
    """What four of one family lose."""
    _, groups, settings = scene
    one, _, four, _ = (round(right) for right in groups[RIGHT])
    if not settings.done:
        return Side(
            label=RIGHT_OF_FOUR,
            value="?",
            caption="Curves: how likely each number is if all are ill, and if none are. For one "
            f"person, {one} guesses are right.",
        )
    more = ("for a family of four", four - one, None, False)
    return Side(
        label=RIGHT_OF_FOUR,
        value=f"{four}",
        note=f"{four - one} more than for one person",
        worse=True,
        claims=_group_claims(groups),
        guesses=guesses_frame(("for one person", one - COIN, STYLE, False), more),
        caption="To hide whole families, the promise must be made to families. That takes more "
        "noise.",
    )


def _group_claims(groups: pd.DataFrame) -> tuple[Claim, ...]:
    """Guesses and budget of each group, the one of four people first."""
    sizes = dict(zip(FAMILY, groups[GROUP_RHO].tolist(), strict=True))
    return tuple(
        claim
        for size in sorted(sizes, key=lambda size: size != FOUR)
        for claim in (
            guess_claim("about one person" if size == 1 else f"about {size} people", sizes[size]),
            Claim(
                what=f"budget for {size}",
                value=sizes[size],
                fixed="each of them moves the count by 1",
                method="k² times that of one person (MATHEMATICS 5.12)",
            ),
        )
    )


# --- 6: cut off, or more noise? ---

WHERE_TO_CUT = (
    "The town adds up the doctor visits of a year. What is the most it should count per person?"
)
BETWEEN = (
    f"{GIVEN} is good. A lower limit cuts off too much, and a much higher one needs too much noise."
)
OFF = "Typical error of the sum, in visits"
IN_ADVANCE = (
    "Noise must hide whatever one person can add, so it grows with the limit. Doctors say that "
    "people with high blood pressure come about once a month."
)


def limits_sentence(scene: Limits) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return WHERE_TO_CUT
    return answered(BETWEEN, scene.settings.chosen, scene.is_close)


def limits_picture(scene: Limits) -> Picture:
    """The noise that each limit needs; then what it cuts off, and both together."""
    done = scene.settings.done
    figure = cut_or_noise(scene.frame, scene.at, GIVEN, STYLE, revealed=done)
    said = "A rising line: the higher the limit, the more noise the sum needs."
    if done:
        said += f" A falling one: what is cut off. The usual error is small near {GIVEN}."
    return Picture(figure, said)


def limits_side(scene: Limits) -> Side:
    """The usual error at the visitor's limit, against the one that was known in advance."""
    if not scene.settings.done:
        return Side(
            label=OFF,
            value="?",
            lines=(IN_ADVANCE,),
            caption="Visits beyond the limit are not counted. Typical error: the root mean square, "
            "about half the ±.",
        )
    at = scene.at or GIVEN
    here = scene.row(at)
    before = f"at {GIVEN}, once a month: {scene.given:.0f}"
    noise, cut, both = (f"{scene.row(at)[name]:.0f}" for name in (NOISE, CUT, ERROR))
    return Side(
        label=OFF,
        value=f"{scene.row(at)[ERROR]:.0f}",
        note=f"at {GIVEN}, once a month" if at == GIVEN else before,
        claims=_limit_claims(scene, at),
        lines=(
            f"From noise **{noise}**, from cutting off **{cut}**: {noise}² + {cut}² ≈ {both}²."
            if here[CUT]
            else f"From noise **{noise}**, and nothing is cut off.",
        ),
        caption=f"The best limit would be {scene.least}, with an error of "
        f"{scene.row(scene.least)[ERROR]:.0f}. But you would have to look at the data to know "
        "that.",
    )


def _limit_claims(scene: Limits, at: int) -> tuple[Claim, ...]:
    """The errors at a limit, at the one that was known in advance, and the least of any."""
    here, fixed_ = scene.row(at), f"a limit of {at}, {NOISY}"
    both = "root of the sum of the squares of what is cut away and of the noise"
    every = f"{NOISY}, every limit from 1 to {len(scene.frame)}"
    return (
        _visits("error of the sum, root mean square", here[ERROR], fixed_, both),
        _visits("cut away", here[CUT], fixed_, "sum of what is above the limit"),
        _visits(
            "noise, standard deviation",
            here[NOISE],
            fixed_,
            "that of a count times the limit, by which one person moves the sum (MATHEMATICS 3.1)",
        ),
        _visits("error at the limit known in advance", scene.given, f"a limit of {GIVEN}", both),
        _visits("least error", scene.row(scene.least)[ERROR], every, both),
        _visits("limit with the least error", scene.least, every, "each of them tried"),
    )


def _visits(what: str, value: float, fixed_: str, method: str) -> Claim:
    return Claim(what=what, value=float(value), unit="visits", fixed=fixed_, method=method)


LESSON = Lesson(
    file="the_promise",
    after=("data", "your data"),
    onward=("collusion", "composition", "laplace_or_gauss"),
    screens=(
        Screen(
            title="Two towns, one person apart",
            sentence=WHICH_ONE,
            said=towns_sentence,
            scene=towns,
            picture=towns_picture,
            side=towns_side,
            act=REVEAL,
            choice=asking(*WHICH),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="The promise is a ratio",
            sentence=HOW_MUCH_LIKELIER,
            said=ratio_sentence,
            scene=scenes.ratio,
            picture=ratio_picture,
            side=ratio_side,
            act=REVEAL,
            choice=asking(*times_answers()),
            deeper=("laplace_or_gauss", "another noise, another hill"),
        ),
        Screen(
            title="How rare is a large ratio?",
            sentence=HOW_OFTEN_BEYOND,
            said=loss_sentence,
            scene=scenes.losses,
            picture=loss_picture,
            side=loss_side,
            act=REVEAL,
            choice=asking(*often_answers()),
            deeper=("composition", "ε and δ, the letters of the promise"),
        ),
        Screen(
            title="Can a trick undo the noise?",
            sentence=WHICH_TRICK,
            said=tricks_sentence,
            scene=tricks,
            picture=tricks_picture,
            side=tricks_side,
            act=REVEAL,
            choice=asking(ROUND, SQUARE_IT, AVERAGE, NO),
            deeper=("collusion", "how guesses are counted"),
        ),
        Screen(
            title="What about a family?",
            sentence=WHAT_OF_FOUR,
            said=family_sentence,
            scene=family,
            picture=family_picture,
            side=family_side,
            act=REVEAL,
            choice=asking(*answers()),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="Cut off visits, or add noise?",
            sentence=WHERE_TO_CUT,
            said=limits_sentence,
            scene=scenes.limits,
            picture=limits_picture,
            side=limits_side,
            act=REVEAL,
            choice=asking("6 visits", f"{GIVEN} visits", "30 visits", "60 visits"),
            deeper=("data", "limits of a sum"),
        ),
    ),
)
