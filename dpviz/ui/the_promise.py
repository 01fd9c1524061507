"""What the promise says: two towns, one person apart, and how far their numbers can tell them.

Six screens, in their order; on most of them the visitor guesses first.
"""

import math
from dataclasses import replace

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
    CUT,
    ERROR,
    FAMILY,
    FOUR,
    GIVEN,
    GROUP_RHO,
    NOISE,
    OLD_GUESS,
    RHO,
    RIGHT,
    STYLE,
    VISITS,
    Limits,
    Losses,
    Ratio,
    Twin,
)
from dpviz.ui.kit.comparing import ALWAYS, EVEN, RIGHT_GUESSES, guess_claim
from dpviz.ui.kit.lesson import Act, Choice, Lesson, Screen, Side, answered, verdict
from dpviz.ui.kit.state import Shelf
from dpviz.words import fixed, join, number, percent, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

REVEAL = Act(label="Reveal", undo="Show before", icon="visibility")
GUESS = "What do you think?"
NOISY = f"Gaussian noise of ρ = {RHO:g}"


# --- 1: two towns, one person apart ---

WITH, WITHOUT = "with Maria", "without Maria"
HOW_FAR = (
    "Count the ill with Maria and without, then add the same noise to both counts: how far apart "
    "are they?"
)
ALL_YOU_CHANGE = (
    "they are always one apart, whatever the noise: one person changes no more by taking part."
)
EXACTLY, A_FEW, ANYTHING = "Exactly 1", "Up to 4", "Nobody knows"
PLUS_NOISE = '<span style="font-size:16px">plus noise</span> <b>?</b>'
APART = "How far the two numbers are apart"
Towns = tuple[tuple[Twin, ...], Settings]
_TWINS = Shelf[tuple[Twin, ...]]("promise_town")


def towns(settings: Settings) -> Towns:
    """Numbers with the same noise on both counts, made once for a visitor."""
    return _TWINS.take(0, scenes.twins), settings


def towns_sentence(scene: Towns) -> str:
    """The question, and its answer."""
    _, settings = scene
    if not settings.done:
        return HOW_FAR
    return answered(ALL_YOU_CHANGE, settings.chosen, settings.chosen == EXACTLY)


def towns_picture(scene: Towns) -> Picture:
    """The same town with Maria and without her, and what becomes of both counts."""
    (first, *_), settings = scene
    counts = {WITH: (ILL, first.here), WITHOUT: (KNOWN, first.away)}
    sign = "+" if first.noise > 0 else "−"
    noise = f"{sign} {number_of(abs(first.noise))} noise"
    seen = f'<span style="color:{STYLE.colour}">{STYLE.glyph}</span>'
    below = {
        name: (
            (f"<b>{count}</b> are ill", 17) if not settings.done else (f"{count} {noise}", 17),
            (f"{seen} <b>{number_of(x)}</b>" if settings.done else PLUS_NOISE, 26),
        )
        for name, (count, x) in counts.items()
    }
    end = "Noise is still to be added."
    if settings.done:
        end = f"With the same noise they become {number(first.here)} and {number(first.away)}."
    frames = [town.people(ill(True), named=name, left_out=name == WITHOUT) for name in counts]
    return town.town(
        pd.concat(frames),
        name="Maria",
        what=f"The same town twice. {end}",
        kinds=("ill", "not ill"),
        below=below,
        between=f"<b>{ILL - KNOWN}</b><br>apart" if settings.done else "",
    )


def towns_side(scene: Towns) -> Side:
    """How far the two numbers are apart, in several draws."""
    twins, settings = scene
    if not settings.done:
        return Side(
            label=APART,
            value="?",
            caption="One dot per person; large: ill. Maria’s is ringed, and empty where she is "
            "left out of the data. The town is made up, so its counts may be shown. Two such towns "
            "are called neighbours.",
        )
    others = [f"{number_of(each.here)} and {number_of(each.away)}" for each in twins[1:]]
    claim = Claim(
        what="how far the numbers with and without Maria are apart",
        value=round(max(each.here - each.away for each in twins), 9),
        unit="people",
        fixed="the same noise on both counts, replayed from its seed",
        method="noise is added to the count, whatever the count (MATHEMATICS 1.1)",
    )
    return Side(
        label=APART,
        value="1",
        note="in every draw",
        claims=(claim,),
        lines=(
            *verdict(settings.chosen, EXACTLY),
            "**Other draws, the same noise on both**  \n" + "  \n".join(map(literal, others)),
        ),
        caption="Nobody sees both numbers: only one town is real, and the noise is not known. "
        "Whether Maria is ill, as in Start, also moves the count by 1: the same bound holds.",
    )


# --- 2: the promise is a ratio ---

HOW_MUCH_LIKELIER = (
    "The town could give this number with Maria or without her: how many times likelier is it with "
    "her?"
)
BOUNDED = (
    "The promise: no number may be many times likelier with Maria than without, but for rare "
    "exceptions."
)
LIKELIER = "Times likelier with Maria"


def ratio_sentence(scene: Ratio) -> str:
    """The question, and its answer."""
    return BOUNDED if scene.settings.done else HOW_MUCH_LIKELIER


def ratio_picture(scene: Ratio) -> Picture:
    """Two hills; below them their ratio."""
    end = "What is their ratio?"
    if scene.settings.done:
        end = f"It is {ratio_at(scene.loss)} times likelier with Maria than without."
    return Picture(
        hills_and_ratio(scene.frame, scene.at, STYLE, revealed=scene.settings.done),
        f"Two hills, almost on top of each other, and the number {scene.at:.0f} below. {end}",
    )


def ratio_side(scene: Ratio) -> Side:
    """The ratio and its logarithm at the number."""
    if not scene.settings.done:
        return Side(
            label=LIKELIER,
            value="?",
            caption="Curves: how likely each number is, with Maria in the data and without her.",
        )
    by = "ratio of two normal densities, at distance 1 (MATHEMATICS 3.1)"
    fixed_ = f"the number {scene.at:.0f}, the noise of the public number"
    twice = Claim(
        what="draws of 100 in which the number is at least twice as likely with Maria",
        value=100 - scenes.less_than_twice(),
        fixed=f"{NOISY.replace('ρ = ', 'budget ')}, Maria in the town",
        method="the logarithm of the ratio is normal (MATHEMATICS 5.7)",
    )
    return Side(
        label=LIKELIER,
        value=ratio_at(scene.loss),
        note=f"loss by this number {signed_loss(scene.loss)}",
        claims=(
            Claim(
                what="times likelier with Maria than without",
                value=scene.times,
                fixed=fixed_,
                method=by,
            ),
            Claim(
                what="privacy loss, its natural logarithm",
                value=scene.loss,
                fixed=fixed_,
                method=by,
            ),
            twice,
        ),
        lines=(
            "**Promised here**  \nNo number is more than twice as likely with Maria as without, "
            f"except in {twice.value:.0f} of 100 draws. Some difference has to be allowed, or the "
            "numbers would be useless. Such a promise is called differential privacy.",
        ),
        caption="Privacy loss: the logarithm of the ratio. Above 0 the number points to “with "
        "Maria”, below 0 to “without”.",
    )


def signed_loss(loss: float) -> str:
    """A loss with its sign.

    >>> signed_loss(0.9), signed_loss(-0.9)
    ('+0.90', '−0.90')
    """
    return ("+" if loss > 0 else "") + fixed(loss, 2)


# --- 3: luck decides the loss ---

HOW_OFTEN_BEYOND = (
    "The privacy loss says how much likelier a number is with Maria: how often does it cross the "
    "line?"
)
TWO_LETTERS = (
    "Call the line ε: usually the loss stays below it; a second number, δ, measures what remains "
    "above."
)
PROMISE = (
    "**The promise: (ε, δ)-differential privacy**  \nAny set of results is at most $e^ε$ times as "
    "likely with Maria as without, plus δ; and the other way round:  \n"
    r"$P(\text{with Maria})\le e^ε\,P(\text{without})+δ$"
)
PASSED = "How often the line is crossed"


def loss_sentence(scene: Losses) -> str:
    """The question, and its answer."""
    return TWO_LETTERS if scene.settings.done else HOW_OFTEN_BEYOND


def loss_picture(scene: Losses) -> Picture:
    """The hill of losses, cut by the line."""
    line, done = scene.line, scene.settings.done
    end = (
        f"It is crossed in {percent(line.passed)} of draws." if done else "How often is it crossed?"
    )
    return Picture(
        loss_hill(scene.frame, line, STYLE, revealed=done),
        f"A hill of losses, and a line at {significant(line.epsilon)}. {end}",
    )


def loss_side(scene: Losses) -> Side:
    """What each of the two letters bounds."""
    line = scene.line
    if not scene.settings.done:
        return Side(
            label=PASSED,
            value="?",
            claims=(
                Claim(
                    what="times likelier with Maria at the line",
                    value=math.exp(line.epsilon),
                    fixed=f"a loss of {line.epsilon:g}",
                    method="e to the power of the loss",
                ),
            ),
            caption="Curve: how often each loss comes up, over many draws of the public number. A "
            f"loss of {line.epsilon:g} means: {ratio_at(line.epsilon)} times likelier with Maria "
            "(it is a logarithm).",
        )
    return Side(
        label=PASSED,
        value=percent(line.passed),
        note="of all draws of the public number",
        claims=(
            Claim(
                what="draws of 100 in which the loss crosses the line",
                value=100 * line.passed,
                fixed=f"{NOISY}, a line at {line.epsilon:g}, Maria in the town",
                method="the loss is normal with mean ρ and variance 2ρ (MATHEMATICS 5.7)",
            ),
            Claim(
                what="left open at this line, δ",
                value=line.delta,
                fixed=f"{NOISY}, ε = {line.epsilon:g}",
                method="the exact curve of Gaussian noise (MATHEMATICS 3.3)",
            ),
        ),
        lines=(
            f"**ε** = {significant(line.epsilon)} is the line; **δ** = "
            f"{significant(line.delta, 2)} is what counts above it.",
            PROMISE,
        ),
        caption="Faint blue: the line is crossed. Full blue: of that, only the part above the line "
        "counts, so δ is less than how often it is crossed.",
    )


# --- 4: no trick undoes it ---

WHICH_TRICK = "Anyone may compute with the number: which trick gets more guesses about Maria right?"
NO_TRICK = "no trick does, because none of them looks at the people of the town again."
ROUND, SQUARE_IT, AVERAGE, NO = "Rounding", "Squaring", "Averaging", "None"
GUESSES = f"{RIGHT_GUESSES} about Maria"
Tricks = tuple[dict[str, float], Settings]


def tricks(settings: Settings) -> Tricks:
    """Guesses right by the public number as it is, and after each trick."""
    return scenes.tricks(), settings


def tricks_sentence(scene: Tricks) -> str:
    """The question, and its answer."""
    _, settings = scene
    if not settings.done:
        return WHICH_TRICK
    return answered(NO_TRICK, settings.chosen, settings.chosen == NO)


def tricks_picture(scene: Tricks) -> Picture:
    """A bar for each trick; before they are revealed, one."""
    by_trick, settings = scene
    rows = []
    for k, (name, right) in enumerate(by_trick.items()):
        known = settings.done or k == 0
        colour = GREY if k else STYLE.colour
        length, end = (right - COIN, f"{right:.0f}") if known else (0.0, "?")
        rows.append(("", name, length, colour, end, "", ""))
    frame = pd.DataFrame(rows, columns=list(BAR_ROWS))
    return bar_rows(
        frame,
        what=f"{RIGHT_GUESSES}, by trick.",
        scale=replace(ALWAYS, line=by_trick[AS_IT_IS]),
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
        note="0 more by the best trick" if done else "by the number as it is",
        claims=claims if done else (guess_claim("about one person", RHO),),
        lines=(*(verdict(settings.chosen, NO) if done else ()), acceptable(plain)),
        caption=f"Squaring, and averaging with {OLD_GUESS}, an old guess, can be undone, so they "
        "keep what there was; rounding and more noise lose some of it."
        if done
        else "What the public number tells before any trick.",
    )


def acceptable(right: int) -> str:
    """Who decides how many right guesses are acceptable.

    >>> acceptable(588).endswith("the number adds 88.")
    True
    """
    return (
        f"**Is {right} acceptable?**  \nYou decide: we know of no law that names a number. A coin "
        f"is right {COIN} times anyway, and the number adds {right - COIN}."
    )


# --- 5: a family counts more ---

WHAT_OF_FOUR = (
    "The number hides one person; how many guesses are right about a family of four, all ill?"
)
FAMILY_COUNTS = (
    "four people move the number four times as far, so the promise to all four is weaker."
)
RIGHT_OF_FOUR = f"{RIGHT_GUESSES} about all four"
Family = tuple[pd.DataFrame, pd.DataFrame, Settings]


def answers() -> tuple[str, ...]:
    """Three answers about four people: as for one, as for two, as for four."""
    return tuple(f"{right:.0f}" for right in scenes.groups_frame(RHO, FAMILY[:3])[RIGHT])


def family(settings: Settings) -> Family:
    """Hills and guesses of groups of people who are all ill."""
    return scenes.hills_frame(ILL, RHO, FAMILY), scenes.groups_frame(RHO, FAMILY), settings


def family_sentence(scene: Family) -> str:
    """The question, and its answer."""
    *_, settings = scene
    if not settings.done:
        return WHAT_OF_FOUR
    return answered(FAMILY_COUNTS, settings.chosen, settings.chosen == answers()[-1])


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
            caption=f"Each row: the curves with and without the whole group. About one person, "
            f"{one} guesses are right.",
        )
    budgets = [significant(rho) for rho in groups[GROUP_RHO]]
    sizes = [str(size) for size in FAMILY]
    more = ("more about four people", four - one, None, False)
    return Side(
        label=RIGHT_OF_FOUR,
        value=f"{four}",
        note=f"{four - one} more than about one person",
        worse=True,
        claims=_group_claims(groups),
        guesses=guesses_frame(("about one person", one - COIN, STYLE, False), more),
        lines=(
            *verdict(settings.chosen, answers()[-1]),
            f"**The loss on average** (ρ) of {join(sizes)} people: {join(budgets)}.",
        ),
        caption="Twice as many people have four times the loss. To hide whole families, make the "
        "promise to families: that takes more noise.",
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
                what=f"budget ρ for {size}",
                value=sizes[size],
                fixed="each of them moves the count by 1",
                method="k² times that of one person (MATHEMATICS 5.12)",
            ),
        )
    )


# --- 6: cut off, or more noise? ---

WHERE_TO_CUT = (
    "The town publishes a year’s visits to doctors: how many of one person’s should the sum count "
    "at most?"
)
BETWEEN = "a low limit cuts off too much, a high one needs too much noise; once a month does well."
OFF = "How far off the sum usually is, in visits"
KNOWN_BEFORE = (
    "**Known before anyone looks**  \nNoise must hide whatever one person can add: the limit. And "
    f"in this made-up town hardly anyone sees a doctor more than {GIVEN} times a year, once a "
    "month."
)


def limits_sentence(scene: Limits) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return WHERE_TO_CUT
    return answered(BETWEEN, str(scene.at), scene.is_close)


def limits_picture(scene: Limits) -> Picture:
    """What is known before; then the people, and below them the errors."""
    noise, done = f"{scene.row(scene.at)[NOISE]:.0f}", scene.settings.done
    figure = cut_or_noise(VISITS, scene.frame, scene.at, GIVEN, STYLE, looked=done)
    if not done:
        return Picture(
            figure,
            f"A rising line, the noise that each limit needs: {noise} visits at a limit of "
            f"{scene.at}. What is cut away is not known yet.",
        )
    return Picture(
        figure,
        f"Bars of people by their visits, and a limit at {scene.at}. Cutting falls with it, noise "
        f"rises; the limit given before, {GIVEN}, is near to the least of both.",
    )


def limits_side(scene: Limits) -> Side:
    """The error at the visitor's limit against the one that was given before."""
    if not scene.settings.done:
        return Side(
            label=OFF,
            value="?",
            lines=(KNOWN_BEFORE,),
            caption="A person’s visits above the limit are left out of the sum.",
        )
    more = round(100 * (scene.error / scene.given - 1))
    compared = f"{abs(more)} % {'above' if more > 0 else 'below'} that of the limit given before"
    return Side(
        label=OFF,
        value=f"{scene.error:.0f}",
        note=f"at once a month, {GIVEN}: {scene.given:.0f}",
        claims=_limit_claims(scene),
        lines=(
            f"**A limit given before**: {GIVEN}, once a month. "
            + (f"At {scene.at} the error is {compared}." if more else "Your limit does as well."),
        ),
        caption=f"The least error of all, {scene.row(scene.least)[ERROR]:.0f} at a limit of "
        f"{scene.least}, takes a look at the people, and a limit chosen so would tell about them.",
    )


def _limit_claims(scene: Limits) -> tuple[Claim, ...]:
    """The errors at the visitor's limit, at the one given before, and the least of any."""
    here, fixed_ = scene.row(scene.at), f"a limit of {scene.at}, {NOISY}"
    both = "root of the sum of the squares of what is cut away and of the noise"
    every = f"{NOISY}, every limit from 1 to {len(scene.frame)}"
    return (
        _visits("error of the sum, root mean square", here[ERROR], fixed_, both),
        _visits("cut away", here[CUT], fixed_, "sum of what is above the limit"),
        _visits(
            "noise, standard deviation",
            here[NOISE],
            fixed_,
            "the limit / √(2ρ): one person moves the sum by at most the limit (MATHEMATICS 3.1)",
        ),
        _visits("error at the limit given before", scene.given, f"a limit of {GIVEN}", both),
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
            sentence=HOW_FAR,
            said=towns_sentence,
            scene=towns,
            picture=towns_picture,
            side=towns_side,
            act=Act(label="Add the noise", undo="Show before", icon="blur_on"),
            choice=Choice(label=GUESS, options=(EXACTLY, A_FEW, ANYTHING), default="", ahead=True),
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
            sentence=HOW_OFTEN_BEYOND,
            said=loss_sentence,
            scene=scenes.losses,
            picture=loss_picture,
            side=loss_side,
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
            title="Can a trick undo it?",
            sentence=WHICH_TRICK,
            said=tricks_sentence,
            scene=tricks,
            picture=tricks_picture,
            side=tricks_side,
            act=REVEAL,
            choice=Choice(
                label=GUESS, options=(ROUND, SQUARE_IT, AVERAGE, NO), default="", ahead=True
            ),
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
            choice=Choice(label=GUESS, options=answers(), default="", ahead=True),
            deeper=("data", "what one person can change"),
        ),
        Screen(
            title="Cut off, or more noise?",
            sentence=WHERE_TO_CUT,
            said=limits_sentence,
            scene=scenes.limits,
            picture=limits_picture,
            side=limits_side,
            act=Act(label="Now look", undo="Show before", icon="visibility"),
            choice=Choice(
                label="Your limit for the visits of one person in a year",
                options=("6", "10", "12", "15", "20", "30", "45", "60"),
                default="30",
                ahead=True,
            ),
            deeper=("data", "limits of a sum"),
        ),
    ),
)
