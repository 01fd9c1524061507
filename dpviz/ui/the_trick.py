"""How the trick works: noise is a path, numbers are drawn in any order, and what that is not.

Six screens, in their order.
"""

import pandas as pd

from dpviz.charts.forms.bar_rows import BAR_ROWS, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.the_trick import heaps, sealed, walks
from dpviz.charts.threads import number_of, threads
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.cast import ASKING, AUDIT, ILL, MONTHS, PARTNERS, PUBLIC, RESEARCH
from dpviz.scenes import the_trick as scenes
from dpviz.scenes.lessons import SEED, Settings, correct_guesses
from dpviz.scenes.the_trick import (
    ANOTHER,
    BLURS,
    COURT,
    FIRST,
    NEW,
    ORDERS,
    OTHER,
    PRESS,
    RHO,
    RUNS,
    STYLE,
    TIERS,
    Draw,
    PathScene,
    Runs,
    Sealed,
)
from dpviz.scenes.threads import half_of
from dpviz.ui.kit.comparing import ALWAYS, RIGHT_GUESSES, guess_claim, in_order_of_asking
from dpviz.ui.kit.lesson import AGAIN, Act, Choice, Lesson, Screen, Side, answered, verdict
from dpviz.ui.kit.parts import chip
from dpviz.ui.kit.state import Shelf
from dpviz.words import NARROW, number, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

TICKS = {float(ILL + step): f"{ILL + step}" for step in (-6, -3, 0, 3, 6)}
TICKS[float(ILL)] += "<br>people"
_DRAWN = Shelf[Draw]("trick_drawn")


def drawn(again: int) -> Draw:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: scenes.draw(SEED + again))


def half_claim(what: str, half: float, method: str) -> Claim:
    """Why a number is this near."""
    return Claim(
        what=what, value=half, unit="people", fixed="95 % confidence, one draw", method=method
    )


def drawn_claim(name: str, x: float) -> Claim:
    """Where a number comes from."""
    return Claim(
        what=f"the number of {name}",
        value=x,
        unit="people",
        fixed="one seeded draw of a made-up town",
        method="a session of the library, asked in the order of the months",
        kind="simulated",
    )


def about(x: float, half: float) -> str:
    r"""A number and how far off it may be.

    >>> about(310.12, 3.58).replace("\u202f", "_")
    '310.1 ±_3.6'
    """
    return f"{number(x, step=half)} {pm(half)}"


def arrivals(here: dict[str, float], names: tuple[str, ...], to_come: str = "") -> tuple[str, ...]:
    """Who asked when, and got which number."""
    return in_order_of_asking(
        (month, name, STYLE[name], RHO[name], None if name == to_come else here[name])
        for name, month in zip(ASKING, MONTHS, strict=True)
        if name in names
    )


def listed(names: tuple[str, ...]) -> str:
    """Tiers in this order, with arrows."""
    return " → ".join(chip(name, STYLE[name]) for name in names)


# --- 1: noise is a path ---

NONE = "none"


def path(settings: Settings) -> PathScene:
    """The path as far as the noise goes, and the tiers that it has passed."""
    return scenes.the_path(drawn(settings.draw), settings)


def path_picture(scene: PathScene) -> Picture:
    """One path from the truth through the numbers of the tiers, and a dozen others."""
    passed = scene.frame["value"].dropna().tolist()[1:]
    held = ", ".join(map(number_of, passed)) or "no number yet"
    return Picture(
        walks(scene.frame, scene.path, scene.possible, ticks=TICKS),
        f"A jagged path wanders down from the truth, {ILL}; on it the tiers have: {held}.",
    )


def path_side(scene: PathScene) -> Side:
    """What a path is."""
    del scene
    return Side(
        lines=(
            f"**Four readers**  \n{listed(TIERS)}. Noise is a random number that is added: "
            "the more trusted the reader, the less of it.",
            "**One path**  \nThe noise comes in small steps, each from where the number is now. "
            "Steps after the sharpest number know nothing of the town, so comparing notes tells "
            "no more than that number.",
        ),
        caption="Thin: a dozen other paths that chance might have taken. At every noise level, "
        "95 % of the paths stay inside the grey cone.",
    )


# --- 2: more noise: walk on ---

SHADED = "Shaded: where 95 % of the paths go; inner: half of them. Thin: a dozen of them."


def walk(settings: Settings) -> PathScene:
    """Research has a number; the public's is to come, or drawn."""
    return scenes.walking_on(drawn(settings.draw), settings)


def walk_picture(scene: PathScene) -> Picture:
    """The path below research's number, and where it may go."""
    here, at = scene.drawn.here, number_of(scene.drawn.here[RESEARCH])
    alt = f"Below research’s number, {at}, a fan of paths opens: the public’s may fall there."
    if scene.settings.done:
        alt = f"The path goes on from research’s number, {at}, to the public’s, "
        alt += f"{number_of(here[PUBLIC])}."
    strings = [] if scene.string is None else [(scene.string, STYLE[PUBLIC])]
    figure = walks(scene.frame, scene.path, scene.possible, ticks=TICKS, strings=strings)
    return Picture(figure, alt)


def walk_side(scene: PathScene) -> Side:
    """Research's number and more noise."""
    here, half = scene.drawn.here, scenes.noise_between(RESEARCH, PUBLIC)
    names = (RESEARCH, PUBLIC)
    added = half_claim(
        "noise from research’s number to the public’s",
        half,
        "the difference of the two variances (MATHEMATICS 2.1)",
    )
    if not scene.settings.done:
        return Side(
            label="Where the public’s number may fall",
            value=about(here[RESEARCH], half),
            note="research’s number, and more noise",
            claims=(drawn_claim(RESEARCH, here[RESEARCH]), added),
            lines=arrivals(here, names, to_come=PUBLIC),
            caption=f"{pm(half)}: around research’s number. {pm(half_of(RHO[PUBLIC]))}: around the "
            f"truth. {SHADED}",
        )
    step = round(here[PUBLIC], 1) - round(here[RESEARCH], 1)  # as the numbers are written
    return Side(
        label="The public’s number",
        value=number_of(here[PUBLIC]),
        note=f"research’s {number_of(here[RESEARCH])}, and noise {number_of(step)}",
        claims=(drawn_claim("the public", here[PUBLIC]), added),
        lines=arrivals(here, names),
        caption=f"It is as noisy as if the town had been asked again: {pm(half_of(RHO[RESEARCH]))} "
        f"and {pm(half)} make {pm(half_of(RHO[PUBLIC]))}, as their squares add.",
    )


# --- 3: in between: a string ---


def between(settings: Settings) -> PathScene:
    """Three tiers have numbers; that of partners is to come, or drawn."""
    return scenes.in_between(drawn(settings.draw), settings)


def between_picture(scene: PathScene) -> Picture:
    """A string between two numbers that are held, and where it may hang."""
    ends = "between research’s number and the public’s"
    alt = f"A dozen strings {ends}, within bands that are narrow at both ends."
    if scene.settings.done:
        alt = f"The number of partners, {number_of(scene.drawn.here[PARTNERS])}, hangs {ends}."
    strings = [] if scene.string is None else [(scene.string, STYLE[PARTNERS])]
    return Picture(
        walks(scene.frame, scene.path, scene.possible, ticks=TICKS, strings=strings), alt
    )


def between_side(scene: PathScene) -> Side:
    """Where the string hangs, and the number drawn there."""
    here = scene.drawn.here
    middle, half, pull = scenes.of_partners(here)
    method = "the distribution between two known numbers (MATHEMATICS 2.1)"
    falls = half_claim("half width of the string at partners", half, method)
    expected = Claim(
        what="the middle of the string at partners",
        value=middle,
        unit="people",
        fixed="the numbers of research and the public",
        method=method,
    )
    caption = (
        f"The middle of the band, at partners, is {pull:.0f} times as close to research’s number "
        "as to the public’s: there is less noise on the way. "
        f"{pm(half_of(RHO[PARTNERS]))} is around the truth."
    )
    if not scene.settings.done:
        return Side(
            label="Where partners’ number may fall",
            value=about(middle, half),
            note="given the two numbers",
            claims=(expected, falls),
            lines=arrivals(here, TIERS, to_come=PARTNERS),
            caption=caption,
        )
    return Side(
        label="Partners’ number",
        value=number_of(here[PARTNERS]),
        note=f"expected: {about(middle, half)}",
        claims=(drawn_claim(PARTNERS, here[PARTNERS]), expected, falls),
        lines=arrivals(here, TIERS),
        caption=caption,
    )


# --- 4: does the order matter? ---

WIDER, NARROWER, SAME = "Wider", "Narrower", "The same"
GUESS = (
    "Ten thousand runs, audit first: if the public asks first, will the hill be wider, narrower or "
    "the same?"
)
SEEDS = (
    "The same seed gives everybody the same number in both orders. Another seed gives other "
    "numbers, and the same hills."
)
SAME_HILL = "the same, as single numbers change, but their distribution does not."


def runs(settings: Settings) -> Runs:
    """Research's number in many runs of both orders."""
    return scenes.many_runs(drawn(settings.draw), settings)


def runs_sentence(scene: Runs) -> str:
    """A question first, then its answer."""
    if not scene.settings.done:
        return GUESS
    chosen = scene.settings.chosen
    return answered(SAME_HILL, chosen, chosen == SAME)


def runs_picture(scene: Runs) -> Picture:
    """One heap, or two in one hill."""
    done = scene.settings.done
    what = f"research’s number of people, in {RUNS:,} runs"
    named = {0: "<br>the truth"}
    ticks = {float(ILL + k): f"{ILL + k}{named.get(k, '')}" for k in (-6, -3, 0, 3, 6)}
    alt = f"A histogram like a hill, {FIRST}: {what}."
    if done:
        alt = f"Two histograms, {FIRST} and {OTHER}, coincide with one smooth hill: {what}."
    figure = heaps(scene.frame, scene.single, STYLE[RESEARCH], what=what, ticks=ticks, both=done)
    return Picture(figure, alt)


def runs_side(scene: Runs) -> Side:
    """How many runs are near, in one order and in the other."""
    done, chosen = scene.settings.done, scene.settings.chosen
    claims = [_near_claim(order, scene) for order in (ORDERS if done else (FIRST,))]
    expected = round(RUNS * ACCURACY_CONFIDENCE)
    note = f"{OTHER}: {scene.near[OTHER]:,}; in theory {expected:,}" if done else FIRST
    down, up = (listed(tiers) for tiers in ORDERS.values())
    told = (
        f"**Audit first**  \n{down}: each time the path walks on.",
        f"**Public first**  \n{up}: each time a string between the truth and the last number.",
    )
    return Side(
        label=f"Of {RUNS:,} runs, within ±{NARROW}{scene.half:g} (as written: {pm(scene.half)})",
        value=f"{scene.near[FIRST]:,}",
        note=note,
        claims=tuple(claims),
        lines=(*((*verdict(chosen, SAME), orders_table(scene.orders), SEEDS) if done else told),),
        caption="One run draws all four numbers once, with new noise. "
        + (
            "What differs between the two hills is chance."
            if done
            else "The hill shows where research’s number fell. Guess first, then look."
        ),
    )


def orders_table(orders: pd.DataFrame) -> str:
    """Each tier's number in two orders with one seed, and with another, in Markdown."""
    rows = [["", FIRST, OTHER, ANOTHER], [":--", "--:", "--:", "--:"]]
    rows += [
        [chip(name, STYLE[name]), *map(number_of, orders.loc[name].tolist())]
        for name in orders.index
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _near_claim(order: str, scene: Runs) -> Claim:
    return Claim(
        what=f"runs within {scene.half:g} of the truth, {order}",
        value=scene.near[order],
        fixed=f"{RUNS:,} runs of the made-up town with one seed",
        method="sessions of the library, one coordinate per run; in theory 95 of 100",
        kind="simulated",
    )


# --- 5: erasing the exact count ---

WHO_CANNOT = (
    "The town erases its exact count; which of three late askers can no longer get a number?"
)
THE_COURT = "a court gets none, as a number sharper than all others needs the exact count."
ASKERS = {"A court": COURT, "The council": NEW, "The press": PRESS}
CLOSED = "A court"


def seal(settings: Settings) -> Sealed:
    """Four numbers, three who may ask later, and what a session would do for them."""
    return scenes.sealing(drawn(settings.draw), settings)


def seal_sentence(scene: Sealed) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return WHO_CANNOT
    chosen = scene.settings.chosen
    return answered(THE_COURT, chosen, chosen == CLOSED)


def seal_picture(scene: Sealed) -> Picture:
    """The path with the truth, or what is left of it."""
    done = scene.settings.done
    figure = sealed(
        scene.frame,
        scene.path,
        ticks=TICKS,
        strings=scene.strings,
        can_ask=scene.can_ask,
        erased=done,
    )
    said = ", ".join(f"{who}: {'open' if can else 'closed'}" for who, can in scene.can_ask.items())
    truth = "The truth is crossed out" if done else "The truth is above four numbers"
    return Picture(figure, f"{truth}; who may ask later: {said}.")


def seal_side(scene: Sealed) -> Side:
    """What a thief would guess right."""
    label = f"{RIGHT_GUESSES} by a thief"
    if not scene.settings.done:
        return Side(
            label=label,
            value=f"{2 * COIN:,}",
            note="the exact count is on the town’s computer",
            caption="The thief, who knows about all others, guesses whether Maria is ill. Open: "
            "nobody has asked yet, and a number can still be drawn, within the shaded band.",
        )
    best = number_of(scene.drawn.here[AUDIT])
    return Side(
        label=label,
        value=f"{correct_guesses(RHO[AUDIT]):,}",
        note="as often as the auditors",
        claims=(guess_claim("the thief, by the auditors’ number", RHO[AUDIT]),),
        lines=(
            *verdict(scene.settings.chosen, CLOSED),
            f"**Nothing sharper** than the auditors’ {best} {pm(half_of(RHO[AUDIT]))} can be drawn "
            "any more. All that is noisier still can, from the numbers that are there.",
        ),
        caption="The patients’ records still exist. What is erased is the count, on the computer "
        "that answers.",
    )


# --- 6: what it does not do ---

QUESTIONS, NOISE, FRIENDS = "More questions", "Exact numbers", "Leaks"
LIMITS = {
    QUESTIONS: "One path is one question: each further question has its own, and their privacy "
    "losses add up.",
    NOISE: "“Lossless” is about privacy, not about sharpness: each reader’s number keeps all its "
    "noise.",
    FRIENDS: "Once the auditors pass on their number, others know what they know: the sharpest "
    "number counts.",
}
COUNTS = {1: "one question", 2: "two questions", 3: "three questions"}


def limit(settings: Settings) -> tuple[str, Draw]:
    """Which limit is meant, and the draw."""
    return settings.chosen or QUESTIONS, drawn(settings.draw)


def limit_sentence(scene: tuple[str, Draw]) -> str:
    """What is not promised."""
    return LIMITS[scene[0]]


def limit_picture(scene: tuple[str, Draw]) -> Picture:
    """Bars of right guesses, or the numbers below the truth."""
    which, made = scene
    if which == NOISE:
        held = ", ".join(f"{name} {number_of(x)}" for name, x in made.here.items())
        return Picture(
            threads(scenes.numbers(made), ticks=TICKS, guesses=False),
            f"The truth is {ILL}. The numbers, each within its noise: {held}.",
        )
    rows = [(words, scenes.questions(k), AUDIT) for k, words in COUNTS.items()]
    if which == FRIENDS:
        rows = [("the public alone", RHO[PUBLIC], PUBLIC)]
        friends = {PARTNERS: "partners", RESEARCH: "research", AUDIT: "the auditors"}
        rows += [(f"with {who}", scenes.with_friend(name), name) for name, who in friends.items()]
    bars = [
        ("", words, right - COIN, STYLE[name].colour, f"{right}", "", "")
        for words, rho, name in rows
        for right in (correct_guesses(rho),)
    ]
    return bar_rows(
        pd.DataFrame(bars, columns=list(BAR_ROWS)),
        what=f"{RIGHT_GUESSES} about Maria.",
        scale=ALWAYS,
    )


def limit_side(scene: tuple[str, Draw]) -> Side:
    """The number that one should remember."""
    which, made = scene
    return {QUESTIONS: _questions, FRIENDS: _friends}[which]() if which != NOISE else _noise(made)


def _questions() -> Side:
    alone, joint = (correct_guesses(scenes.questions(k)) for k in (1, 2))
    return Side(
        label=RIGHT_GUESSES,
        value=f"{joint:,}",
        note=f"after two questions: {joint - alone} more than after one",
        worse=True,
        claims=tuple(guess_claim(COUNTS[k], scenes.questions(k)) for k in (2, 1)),
        guesses=guesses_frame(
            ("thanks to one question", alone - COIN, STYLE[AUDIT], False),
            ("thanks to the second", joint - alone, None, False),
        ),
        caption="The auditors ask about blood pressure, then about smoking, and guess whether "
        "Maria counts in both or in neither. The losses add up; right guesses grow by less.",
    )


def _noise(made: Draw) -> Side:
    x, half = made.here[PUBLIC], half_of(RHO[PUBLIC])
    rows = [
        f"{chip(name, STYLE[name])} **{literal(number_of(made.here[name]))}**" for name in TIERS
    ]
    return Side(
        label="The public’s number is off by",
        value=number_of(abs(x - ILL)),
        note=f"in most draws within {pm(half)}",
        claims=(
            drawn_claim("the public", x),
            half_claim(
                "half width of the public’s number",
                half,
                "quantile of Gaussian noise (MATHEMATICS 4.1)",
            ),
        ),
        lines=("**On the computer of the town**", " · ".join(rows)),
        caption="What is not lost: all numbers together tell no more about Maria than the sharpest "
        "one. No number is exact.",
    )


def _friends() -> Side:
    joint = scenes.with_friend(AUDIT)
    alone, right = correct_guesses(RHO[PUBLIC]), correct_guesses(joint)
    return Side(
        label=f"{RIGHT_GUESSES} by both",
        value=f"{right:,}",
        note=f"with the auditors: {right - alone} more than alone",
        worse=True,
        claims=(
            guess_claim("the public and the auditors", joint),
            guess_claim("the public", RHO[PUBLIC]),
        ),
        guesses=guesses_frame(
            ("thanks to the public’s number", alone - COIN, STYLE[PUBLIC], False),
            ("thanks to the auditors’", right - alone, STYLE[AUDIT], False),
        ),
        caption="No more than the auditors know alone. So choose your auditors well.",
    )


DRAW = Act(label="Draw it", undo="Show before", icon="edit")

LESSON = Lesson(
    file="the_trick",
    after=("data", "your data"),
    onward=("bridge_paths", "releases"),
    screens=(
        Screen(
            title="Noise is a path",
            sentence="Add noise in small steps and the number wanders off; each reader gets one "
            "stop on the way.",
            scene=path,
            picture=path_picture,
            side=path_side,
            act=AGAIN,
            choice=Choice(
                label="Drag: how many people off, 95 times in 100?",
                options=(NONE, *BLURS),
                default=pm(half_of(RHO[PUBLIC])),
                help="How far off a number is at most, in people, 95 times in 100; rounded up.",
            ),
            deeper=("laplace_or_gauss", "which noise is smaller"),
        ),
        Screen(
            title="More noise: walk on",
            sentence="When the public asks after research, the path goes on from research’s "
            "number, without looking at the truth.",
            scene=walk,
            picture=walk_picture,
            side=walk_side,
            act=DRAW,
            deeper=("releases", "draw them yourself"),
        ),
        Screen(
            title="In between: a string",
            sentence="Partners ask last: their number hangs between two that are fixed, like a "
            "string with both ends pinned.",
            scene=between,
            picture=between_picture,
            side=between_side,
            act=DRAW,
            deeper=("bridge_paths", "strings of your own data"),
        ),
        Screen(
            title="Does the order matter?",
            sentence=GUESS,
            said=runs_sentence,
            scene=runs,
            picture=runs_picture,
            side=runs_side,
            act=Act(label="Public first", undo="Show before", icon="shuffle"),
            choice=Choice(
                label="What do you think?",
                options=(WIDER, NARROWER, SAME),
                default="",
                ahead=True,
            ),
            deeper=("bridge_paths", "step by step, in two orders"),
        ),
        Screen(
            title="Erasing the exact count",
            sentence=WHO_CANNOT,
            said=seal_sentence,
            scene=seal,
            picture=seal_picture,
            side=seal_side,
            act=Act(label="Erase it", undo="Show before", icon="lock"),
            choice=Choice(
                label="What do you think?", options=tuple(ASKERS), default="", ahead=True
            ),
            deeper=("releases", "erase your own count"),
        ),
        Screen(
            title="What it does not do",
            sentence=LIMITS[QUESTIONS],
            said=limit_sentence,
            scene=limit,
            picture=limit_picture,
            side=limit_side,
            choice=Choice(
                label="What is not covered?", options=tuple(LIMITS), default=QUESTIONS, ahead=True
            ),
            deeper=("composition", "what many questions cost"),
        ),
    ),
)
