"""How the trick works: noise is a path, numbers are drawn in any order, of one question.

Six screens, in their order.
"""

from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.charts.the_trick import heaps, sealed, walks
from dpviz.charts.threads import number_of
from dpviz.planning.cast import AUDIT, ILL, PARTNERS, PUBLIC, RESEARCH
from dpviz.scenes import the_trick as scenes
from dpviz.scenes.lessons import SEED, Settings, correct_guesses
from dpviz.scenes.the_trick import (
    BLURS,
    FIRST,
    ORDERS,
    OTHER,
    RHO,
    RUNS,
    STYLE,
    Draw,
    PathScene,
    Runs,
    Sealed,
)
from dpviz.scenes.threads import half_of
from dpviz.ui.kit.comparing import guess_claim, right_guesses_by
from dpviz.ui.kit.lesson import Act, Choice, Lesson, Screen, Side, answered, asking
from dpviz.ui.kit.parts import chip
from dpviz.ui.kit.state import Shelf
from dpviz.words import NARROW, number, pm
from dpviz.words.claims import Claim
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
        method="drawn by this site’s library from a fixed seed",
        kind="simulated",
    )


def about(x: float, half: float) -> str:
    r"""A number and how far off it may be.

    >>> about(310.12, 3.58).replace("\u202f", "_")
    '310.1 ±_3.6'
    """
    return f"{number(x, step=half)} {pm(half)}"


def listed(names: tuple[str, ...]) -> str:
    """Tiers in this order, with arrows."""
    return " → ".join(chip(name, STYLE[name]) for name in names)


# --- 1: noise is a path ---

NONE = "none"
CONE = "grey cone:<br>95 of 100 paths<br>end in it"
FOUR_GROUPS = (
    "Thin lines: other paths the noise could have taken; 95 in 100 end in the grey cone. ± is half "
    "its width at a stop, rounded up. Audit, research, partners and public are groups of readers."
)
ONE_STOP = (
    "Noise added step by step is a path. Each group gets one stop on it, so comparing notes tells "
    "nothing new."
)


def path(settings: Settings) -> PathScene:
    """The path as far as the noise goes, and the tiers that it has passed."""
    return scenes.the_path(drawn(settings.draw), settings)


def path_picture(scene: PathScene) -> Picture:
    """One path from the truth through the numbers of the tiers, and a dozen others."""
    passed = scene.frame["value"].dropna().tolist()[1:]
    held = ", ".join(map(number_of, passed)) or "no number yet"
    return Picture(
        walks(scene.frame, scene.path, scene.possible, ticks=TICKS, remark=CONE * bool(passed)),
        f"A jagged path wanders down from the truth, {ILL}; on it the tiers have: {held}.",
    )


def path_side(_: PathScene) -> Side:
    """What a path is."""
    return Side(caption=FOUR_GROUPS)


# --- 2: more noise: walk on ---

NEEDS = "Research has its number. Now the public gets a noisier one. What is it made from?"
FROM_RESEARCH = "The path goes on from research’s number, without the true count."
COUNT, NUMBER, BOTH = "The true count", "Research’s number", "Both"


def walk(settings: Settings) -> PathScene:
    """Research has a number; the public's is to come, or drawn."""
    return scenes.walking_on(drawn(settings.draw), settings)


def walk_sentence(scene: PathScene) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return NEEDS
    chosen = scene.settings.chosen
    return answered(FROM_RESEARCH, chosen, chosen == NUMBER)


def walk_picture(scene: PathScene) -> Picture:
    """The path down to research's number, and then on to the public's."""
    here, at = scene.drawn.here, number_of(scene.drawn.here[RESEARCH])
    alt = f"A path runs from the truth, {ILL}, to research’s number, {at}; the public has none yet."
    if scene.settings.done:
        alt = f"The path goes on from research’s number, {at}, to the public’s, "
        alt += f"{number_of(here[PUBLIC])}."
    strings = [] if scene.string is None else [(scene.string, STYLE[PUBLIC])]
    band = f"the step:<br>{pm(scenes.noise_between(RESEARCH, PUBLIC))}"
    figure = walks(scene.frame, scene.path, scene.possible, ticks=TICKS, strings=strings, band=band)
    return Picture(figure, alt)


def walk_side(scene: PathScene) -> Side:
    """Research's number and more noise."""
    label = "The public’s number"
    if not scene.settings.done:
        return Side(
            label=label,
            value="?",
            caption="The further down, the more noise.",
        )
    here, half = scene.drawn.here, scenes.noise_between(RESEARCH, PUBLIC)
    added = half_claim(
        "noise from research’s number to the public’s",
        half,
        "the difference of the two variances (MATHEMATICS 2.1)",
    )
    halves = half_of(RHO[RESEARCH]), half, half_of(RHO[PUBLIC])
    first, step, whole = (f"{pm(each).split(NARROW)[-1]}²" for each in halves)
    more = round(here[PUBLIC], 1) - round(here[RESEARCH], 1)  # as the numbers are written
    return Side(
        label=label,
        value=number_of(here[PUBLIC]),
        note=f"research’s {number_of(here[RESEARCH])} plus noise of {number_of(more)}",
        claims=(drawn_claim("the public", here[PUBLIC]), added),
        caption="95 in 100 such steps end in the band, 50 in its dark part. "
        f"The squares add up, {first} + {step} ≈ {whole}: as much noise as the public should have.",
    )


# --- 3: a number in between ---

NEARER = (
    "The partners’ noise lies between research’s and the public’s. Whose number will theirs be "
    "closer to?"
)
TO_RESEARCH = (
    "Usually research’s, whose noise is closer to theirs. The band shows where theirs may fall."
)
RESEARCHS, MIDDLE, PUBLICS = "Research’s", "Neither", "The public’s"


def between(settings: Settings) -> PathScene:
    """Research and the public have numbers; that of partners is to come, or drawn."""
    return scenes.in_between(drawn(settings.draw), settings)


def between_sentence(scene: PathScene) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return NEARER
    chosen = scene.settings.chosen
    return answered(TO_RESEARCH, chosen, chosen == RESEARCHS)


def between_picture(scene: PathScene) -> Picture:
    """Two ringed numbers, and then the string between them."""
    ends = "between research’s number and the public’s"
    alt = f"The line of partners is empty, {ends}, which are ringed."
    if scene.settings.done:
        alt = f"The number of partners, {number_of(scene.drawn.here[PARTNERS])}, hangs {ends}."
    strings = [] if scene.string is None else [(scene.string, STYLE[PARTNERS])]
    figure = walks(
        scene.frame,
        scene.path,
        scene.possible,
        ticks=TICKS,
        strings=strings,
        rings=(RESEARCH, PUBLIC),
    )
    return Picture(figure, alt)


def between_side(scene: PathScene) -> Side:
    """The number drawn there, and where it was expected."""
    here = scene.drawn.here
    label = "Partners’ number"
    if not scene.settings.done:
        return Side(
            label=label, value="?", caption="Ringed: the two numbers that are there already."
        )
    middle, half = scenes.of_partners(here)
    method = "the distribution between two known numbers (MATHEMATICS 2.1)"
    falls = half_claim("half width of the string at partners", half, method)
    expected = Claim(
        what="the middle of the string at partners",
        value=middle,
        unit="people",
        fixed="the numbers of research and the public",
        method=method,
    )
    return Side(
        label=label,
        value=number_of(here[PARTNERS]),
        note=f"expected: {about(middle, half)}",
        claims=(drawn_claim(PARTNERS, here[PARTNERS]), expected, falls),
        caption="Given the two ringed numbers, on each row 95 in 100 paths lie in the band, 50 in "
        "its dark part.",
    )


# --- 4: does the order matter? ---

WIDER, NARROWER, SAME = "It gets wider", "It gets narrower", "Not at all"
GUESS = (
    "The auditors asked first. If the public asks first instead, how does the hill of research’s "
    "numbers change?"
)
SAME_HILL = "It does not, apart from chance: each new number is drawn to fit those already there."


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
    named = {0: "<br>research’s number, people"}
    ticks = {float(ILL + k): f"{ILL + k}{named.get(k, '')}" for k in (-6, -3, 0, 3, 6)}
    what = f"runs, of {RUNS:,}"
    alt = f"A histogram like a hill, {FIRST}: research’s number of people in {RUNS:,} runs."
    if done:
        alt = f"Two histograms, {FIRST} and {OTHER}, make one hill: research’s number of people."
    figure = heaps(scene.frame, scene.single, STYLE[RESEARCH], what=what, ticks=ticks, both=done)
    return Picture(figure, alt)


def runs_side(scene: Runs) -> Side:
    """How many runs are near, in one order and in the other."""
    done = scene.settings.done
    claims = [_near_claim(order, scene) for order in (ORDERS if done else (FIRST,))]
    down, up = (listed(tiers) for tiers in ORDERS.values())
    told = (f"**Audit first**  \n{down}", f"**Public first**  \n{up}")
    return Side(
        label=f"Runs, out of {RUNS:,}, within {pm(scene.half)} people of the truth",
        value=" and ".join(f"{scene.near[order]:,}" for order in (ORDERS if done else (FIRST,))),
        note=f"{FIRST}, and {OTHER}" if done else FIRST,
        claims=tuple(claims),
        lines=() if done else told,
        caption="Each run draws all four numbers once, with new noise. "
        + (
            "The two counts of runs differ by chance alone."
            if done
            else "The hill shows where research’s number lands."
        ),
    )


def _near_claim(order: str, scene: Runs) -> Claim:
    return Claim(
        what=f"runs within {scene.half:g} of the truth, {order}",
        value=scene.near[order],
        fixed=f"{RUNS:,} runs of the made-up town with one seed",
        method="sessions of the library, one coordinate per run",
        kind="simulated",
    )


# --- 5: erasing the exact count ---

WHO_CANNOT = (
    "A court and the mayor may ask later. Once the exact count is erased, who can no longer get a "
    "number?"
)
THE_COURT = (
    "The court gets none: it wants less noise than anyone else, and that takes the exact count."
)
COURTS, MAYORS, BOTH_ASKERS = "The court", "The mayor", "Both"


def seal(settings: Settings) -> Sealed:
    """Four numbers, three who may ask later, and what a session would do for them."""
    return scenes.sealing(drawn(settings.draw), settings)


def seal_sentence(scene: Sealed) -> str:
    """The question, and its answer."""
    if not scene.settings.done:
        return WHO_CANNOT
    chosen = scene.settings.chosen
    return answered(THE_COURT, chosen, chosen == COURTS)


def seal_picture(scene: Sealed) -> Picture:
    """The numbers with the truth, or what is left of them."""
    done = scene.settings.done
    figure = sealed(
        scene.frame,
        ticks=TICKS,
        strings=scene.strings,
        can_ask=scene.can_ask,
        erased=done,
    )
    said = ", ".join(f"{who}: {'yes' if can else 'no'}" for who, can in scene.can_ask.items())
    truth = "The truth is crossed out" if done else "The truth is above four numbers"
    return Picture(figure, f"{truth}; who can still get a number: {said}.")


def seal_side(scene: Sealed) -> Side:
    """What a hacker would guess right."""
    label = right_guesses_by("a hacker")
    if not scene.settings.done:
        return Side(
            label=label,
            value=f"{2 * COIN:,}",
            note="who finds the exact count",
            caption="Why erase it? Someone may break into the town’s computer. Bands: where a "
            "later number would usually fall.",
        )
    return Side(
        label=label,
        value=f"{correct_guesses(RHO[AUDIT]):,}",
        note="as many as the auditors",
        claims=(guess_claim("a hacker, by the auditors’ number", RHO[AUDIT]),),
        caption="A break-in finds only noisy numbers now. Counting again would be a new release, "
        "with its own cost to privacy.",
    )


# --- 6: a second question ---

ONE, TWO = (correct_guesses(scenes.questions(count)) for count in (1, 2))
ACROSS, TALLER = 50, 100  # squares in a row; pixels, so that they are squares at this width
BOTH_WITHIN = pm(half_of(RHO[AUDIT]))
FEW, SOME = f"{ONE}, as before", f"{TWO}, a bit more"
TWICE = f"{2 * ONE - COIN}, twice the gain"
AND_SMOKING = (
    "The auditors also ask how many smoke. Maria is in both counts or in neither. How often do "
    "they guess right?"
)
USED_UP = f"{TWO} times in 1,000. The second count is a second hint: it has separate noise."


def second(settings: Settings) -> Settings:
    """What the visitor wants to see: nothing is drawn."""
    return settings


def second_sentence(settings: Settings) -> str:
    """The question, and its answer."""
    if not settings.done:
        return AND_SMOKING
    return answered(USED_UP, settings.chosen, settings.chosen == SOME)


def second_picture(settings: Settings) -> Picture:
    """A thousand guesses by one answer, or by two."""
    first = ("thanks to the first question", ONE - COIN, STYLE[AUDIT], False)
    more = (("thanks to the second", TWO - ONE, None, False),) if settings.done else ()
    made = squares(guesses_frame(first, *more), across=ACROSS, key=True)
    made.figure.layout.height += TALLER
    return made


def second_side(settings: Settings) -> Side:
    """How many guesses are right."""
    if not settings.done:
        return Side(
            label=right_guesses_by(),
            value=f"{ONE:,}",
            note="with one question",
            claims=(guess_claim("one question", scenes.questions(1)),),
            caption=f"One square per guess. Both counts are within {BOTH_WITHIN}.",
        )
    return Side(
        label=right_guesses_by(),
        value=f"{TWO:,}",
        note=f"{TWO - ONE} more than with one question",
        worse=True,
        claims=tuple(guess_claim(f"{k} questions", scenes.questions(k)) for k in (2, 1)),
        caption="One square per guess. Every further question uses up privacy, so ask only what "
        "you need.",
    )


DRAW = Act(label="Draw the number", undo="Show before", icon="casino")

LESSON = Lesson(
    file="the_trick",
    after=("data", "your data"),
    onward=("bridge_paths", "releases"),
    screens=(
        Screen(
            title="Noise is a path",
            sentence=ONE_STOP,
            scene=path,
            picture=path_picture,
            side=path_side,
            choice=Choice(
                label="Noise so far (± people): drag to walk the path",
                options=(NONE, *BLURS),
                default=list(BLURS)[-1],
                help="How far off a number is at most, in people, 95 times in 100.",
            ),
            deeper=("laplace_or_gauss", "which noise is smaller"),
        ),
        Screen(
            title="For more noise, walk on",
            sentence=NEEDS,
            said=walk_sentence,
            scene=walk,
            picture=walk_picture,
            side=walk_side,
            act=DRAW,
            choice=asking(COUNT, NUMBER, BOTH),
            deeper=("releases", "draw them yourself"),
        ),
        Screen(
            title="A number in between",
            sentence=NEARER,
            said=between_sentence,
            scene=between,
            picture=between_picture,
            side=between_side,
            act=DRAW,
            choice=asking(RESEARCHS, MIDDLE, PUBLICS),
            deeper=("bridge_paths", "numbers between your own"),
        ),
        Screen(
            title="Does the order matter?",
            sentence=GUESS,
            said=runs_sentence,
            scene=runs,
            picture=runs_picture,
            side=runs_side,
            act=Act(label="Public first", undo="Show before", icon="shuffle"),
            choice=asking(WIDER, NARROWER, SAME),
            deeper=("bridge_paths", "step by step, in two orders"),
        ),
        Screen(
            title="Erasing the exact count",
            sentence=WHO_CANNOT,
            said=seal_sentence,
            scene=seal,
            picture=seal_picture,
            side=seal_side,
            act=Act(label="Erase it", undo="Show before", icon="ink_eraser"),
            choice=asking(COURTS, MAYORS, BOTH_ASKERS),
            deeper=("releases", "erase your own count"),
        ),
        Screen(
            title="A second question",
            sentence=AND_SMOKING,
            said=second_sentence,
            scene=second,
            picture=second_picture,
            side=second_side,
            act=Act(label="Ask it", undo="Show before", icon="add"),
            choice=asking(FEW, SOME, TWICE),
            deeper=("composition", "what many questions cost"),
        ),
    ),
)
