"""Falsify: noise on trial, ours beside a copy of it that is broken on purpose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pandas as pd
import streamlit as st

from dpviz.accounting.guarantees import offered
from dpviz.charts import falsify as charts
from dpviz.charts.forms.bar_rows import AGAINST, FROM, TO, bar_rows
from dpviz.charts.forms.guess_scale import guess_row, guess_scale
from dpviz.charts.forms.picture import Picture
from dpviz.experiments.audit import CONFIDENCE
from dpviz.lossless import LatticeLaw, read_noise
from dpviz.noise import ADDITIVE
from dpviz.palette import BEYOND, GREY
from dpviz.planning.cast import ASKING
from dpviz.scenes import falsify as scenes
from dpviz.ui.kit import controls, parts, press, work
from dpviz.ui.kit.page_form import Closer, PageForm
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import join, percent, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import ALL, COIN, CorrectGuesses
from dpviz.workspace.workspace import Workspace

TWIN_NAMES = {
    "small": "too little noise",
    "fresh": "separate noise for each tier",
    "redraw": "new noise at each rerun",
    "copies": "a copied session",
    "copying bridge": "a bridge that copies",
    "straight bridge": "a bridge with the wrong shape",
    "Lemma F.5": "the paper’s Lemma F.5, as printed",
    "Algorithm 6": "the paper’s Algorithm 6, as printed",
    "floats": "floating-point noise",
}
WRONG = {
    "small": "The noise here is far too small: less than a third of what it should be.",
    "fresh": "Each tier got separate noise, so the budgets of all four add up.",
    "redraw": "People who ask again get new noise, and the mean of four answers has less noise "
    "than any of them.",
    "copies": "Every copy of the session draws independent noise, so four holders of copies can "
    "take the mean.",
    "copying bridge": "The number in between is a copy of the sharper one, so its readers learn "
    "what only others may know.",
    "straight bridge": "Mean and spread of the noise are right, but large errors are too rare, and "
    "that tells more than is promised.",
    "Lemma F.5": "Two scales stand in each other’s place, so the number in between lies far too "
    "near the sharper one.",
    "Algorithm 6": "An item that was hidden at first gets a value that does not know it must now "
    "be large enough to show.",
    "floats": "The last binary digits of a sum of two floats depend on both, so they can tell the "
    "exact answer whatever the noise.",
}
TOWN = "A made-up town is counted with Maria and without her: can an attacker tell which?"
BY_BOUNDS = "counted, with intervals of Clopper and Pearson (MATHEMATICS 16.1)"
CAUGHT: parts.Badge = ("Attack: promise broken", "block", "red", "It proves more than is promised.")
HOLDS: parts.Badge = (
    "Attack: no breach found",
    "check",
    "green",
    "Nothing that it asked tells more than exact noise of this budget may. That proves nothing: "
    "another question might. These runs are of practice mode; the library’s tests attack hardened "
    "mode, too.",
)
LAW_FAILS: parts.Badge = (
    "Noise: not as it should be",
    "block",
    "red",
    "The numbers have another distribution than said.",
)
LAW_PASSES = (
    f"In {scenes.LAW_DRAWS:,} draws of each tier, asked for in many orders, the covariances of all "
    "tiers’ numbers and how often each number moves where lie in the bands of the exact "
    "distribution. Correct noise leaves a band about once in 1,000 tests."
)


# --- what is tried ---


def specialist(_: Workspace) -> str:
    """Ask which noise is on trial."""
    return str(
        controls.selectbox(
            "Noise on trial",
            offered(),
            format_func=lambda name: ADDITIVE[name].label,
            key="falsify_noise",
            help="Of noise with decimals the law is on trial: its last binary digits tell all, so "
            "it is for teaching only.",
        )
    )


def settings(_: Workspace, noise: str) -> tuple[scenes.Question, scenes.Question]:
    """Ask for the broken copy's mistake."""
    twin = controls.selectbox(
        "What we broke on purpose",
        list(TWIN_NAMES),
        index=list(TWIN_NAMES).index(scenes.BESIDE.name),
        format_func=TWIN_NAMES.__getitem__,
        key="falsify_twin",
        help="Two are printed in the paper behind this dashboard. The others are slips that "
        "programs really have.",
    )
    return (
        scenes.Question(kind=scenes.OURS, name=noise, members=tuple(ASKING), runs=scenes.QUICK),
        scenes.Question(kind=scenes.BROKEN, name=str(twin), members=(), runs=scenes.QUICK),
    )


def trials(asked: tuple[scenes.Question, scenes.Question]) -> scenes.Trials:
    """Both trials; while one runs, how far it is."""
    ours, broken = map(_tried, asked)
    return scenes.Trials(asked[0], ours, broken)


def _tried(question: scenes.Question) -> scenes.Tried | None:
    """A trial; those that a visitor meets first are there at once."""
    found: scenes.Trial | None = work.result(question)
    if found is None and question in (scenes.FIRST, scenes.BESIDE):
        found = work.keep(question, scenes.first(question))
    if found is None:
        found = work.result_or_progress(
            question, scenes.trial, *question.settings, what="Trial running"
        )
    return None if found is None else scenes.Tried(question, found)


# --- the sentences ---


def headline(scene: scenes.Trials) -> Said:
    """What our noise lets an attacker win, and what the best bet did win."""
    ours = scene.ours
    if ours is None:
        return Said(TOWN)
    lucky = round(ours.won) > math.ceil(ours.question.guesses)
    return say(
        "An attacker bets on whether Maria was counted. Our noise lets them win {most}; in "
        "{tries} tries the best bet won {won}{luck}.",
        most=_promised(ours),
        tries=Name(f"{2 * ours.trial.bet.runs:,}"),
        won=_won(ours),
        luck=", and luck explains the difference" if lucky else "",
    )


def beside(scene: scenes.Trials) -> tuple[Said, ...]:
    """What is proved of ours, and what the broken copy did wrong."""
    ours, broken = scene.ours, scene.broken
    return (
        *([] if ours is None else [proof(ours)]),
        *([] if broken is None else [verdict(broken)]),
    )


def proof(tried: scenes.Tried) -> Said:
    """Why what was counted and what is promised agree, or when they would not."""
    return say(
        "{found}Luck moves a count: in the long run the best bet wins {least} to {most} (at least "
        "{sure} confidence). A breach would be proved only if even the lower end (here {least}) "
        "were above {allowed}.",
        found="" if tried.caught else "**Ours: no breach found.** ",
        sure=Name(percent(scenes.BOTH_ENDS)),
        least=_proved(tried, bare=True),
        most=_possible(tried),
        allowed=Number(f"{_guesses(tried).count:,}", _promised(tried).claim),
    )


def verdict(tried: scenes.Tried) -> Said:
    """What a broken copy did wrong, and what proves it."""
    wrong = Said(WRONG[tried.question.name])
    if not tried.caught:
        return say("{wrong} Not proved yet: luck may explain what is seen.", wrong=wrong)
    if tried.breaks:
        return say(
            "**Caught.** {wrong} Allowing for luck, the best bet wins {least}; the promise allows "
            "{most}.",
            wrong=wrong,
            least=_proved(tried),
            most=_promised(tried),
        )
    return say(
        "**Caught by a rare clue.** {wrong} The clue came more often than the promise allows, but "
        "too rarely to win many bets.",
        wrong=wrong,
    )


def _guesses(tried: scenes.Tried) -> CorrectGuesses:
    best = "500 (1 + δ at ε = 0), the best bet (MATHEMATICS 5.6)"
    return CorrectGuesses(value=tried.question.guesses, kind="at most", method=best)


def _promised(tried: scenes.Tried) -> Number:
    """How many bets the promise lets anybody win."""
    return _guesses(tried).times("bets that the promise lets anybody win", _noise(tried))


def _noise(tried: scenes.Tried) -> str:
    """The promise, and the noise that it is of."""
    question, at = tried.question, f", δ = {tried.question.delta:g}" if tried.question.delta else ""
    return (
        f"the noise of the least private number alone: ε = {significant(question.promised, 4)}{at}"
    )


def _counting(tried: scenes.Tried) -> str:
    """The tries by which a bet is judged."""
    return (
        f"{2 * tried.trial.bet.runs:,} tries that did not choose the bet, half of them with Maria"
    )


def _won(tried: scenes.Tried) -> Number:
    claim = Claim(
        what="bets that the best one won",
        value=tried.won,
        unit=f"of {ALL:,}",
        fixed=_counting(tried),
        method="counted (MATHEMATICS 16.1)",
        kind="simulated",
    )
    return Number(f"{tried.won:.0f} in {ALL:,}", claim)


def _proved(tried: scenes.Tried, *, bare: bool = False) -> Number:
    """How many bets the best one wins at least; bare: as one end of two."""
    least = CorrectGuesses(value=tried.proved, kind="at least", method=BY_BOUNDS)
    sure = f"{_counting(tried)}; {percent(CONFIDENCE)} confidence of both intervals together"
    if bare:
        return Number(f"{least.count:,}", least.claim("bets that it wins", sure))
    return least.times("bets that it wins", sure)


def _possible(tried: scenes.Tried) -> Number:
    """How many bets the best one wins at most."""
    most = CorrectGuesses(value=tried.possible, kind="at most", method=BY_BOUNDS)
    sure = f"{_counting(tried)}; {percent(scenes.BOTH_ENDS)} confidence of both ends together"
    return Number(f"{most.count:,} times in {ALL:,}", most.claim("bets that it wins", sure))


def badges(scene: scenes.Trials) -> Sequence[parts.Badge]:
    """What the attack says of ours, and that the noise is not as it should be, if so."""
    if scene.ours is None:
        return ()
    return [CAUGHT if scene.ours.caught else HOLDS, *[LAW_FAILS] * scene.ours.law_fails]


def facts(scene: scenes.Trials) -> Facts:
    """The definitions in the drawer: those of the town."""
    return footer(
        "(ε, δ)-DP" if scene.question.delta else "ε-DP",  # as which it is tried
        unit="one person of the made-up town: Maria",
        neighbours="the town with and without her",
        sensitivity="one person moves the count by at most 1 person",
        data="none: a made-up town",
        symbols="Δ₁ = Δ₂ = 1 person",
    )


# --- the picture, and its formulas ---


def picture(scene: scenes.Trials) -> Sequence[Picture]:
    """The bets that were won against each, beside what is promised."""
    rows = [row for tried in (scene.ours, scene.broken) if tried for row in _rows(tried)]
    if not rows:
        return ()
    what = f"Of {ALL:,} bets, as many as the best one won."
    return (bar_rows(pd.DataFrame(rows), what=what, scale=replace(guess_scale(), ticks=())),)


def _rows(tried: scenes.Tried) -> list[dict[str, object]]:
    """A bar; what lies beyond a promise that is proved broken has the colour of a breach."""
    won, most = CorrectGuesses(value=tried.won), tried.question.guesses
    beyond = won.value - most if tried.breaks else 0.0
    row = guess_row(
        won,
        colour=GREY,
        group=who(tried.question),
        row=f"line: promise, at most {math.ceil(most)}; bracket: "
        f"{math.floor(tried.proved)} to {math.ceil(tried.possible)}",
        detail=f"Counted in {2 * tried.trial.bet.runs:,} tries.",
    )
    cut = [(won.value - COIN - beyond, GREY), (beyond, BEYOND)]
    row |= {AGAINST: most, FROM: tried.proved, TO: tried.possible}
    return [
        {**row, "length": length, "colour": colour}
        for length, colour in cut
        if length or colour == GREY
    ]


def who(question: scenes.Question) -> str:
    """What is on trial, as a name."""
    if question.kind == scenes.BROKEN:
        return f"Broken on purpose: {TWIN_NAMES[question.name]}"
    return "Our noise: all four tiers together"


def reading(scene: scenes.Trials) -> str:
    """How to read the bars."""
    return (
        "Bracket: where the long run lies, allowing for luck with Maria and without her separately "
        f"(at least {percent(scenes.BOTH_ENDS)} confidence). A "
        f"made-up town was counted {scene.question.runs:,} times with Maria and as often without; "
        "half of the runs served to choose the best bet, half to count how often it won."
    )


def formula(scene: scenes.Trials) -> str:
    """The inequality of the promise, with the counted numbers."""
    text = (
        "Tried are bets on a single number, on two of them and on a weighted sum of all.\n\n"
        r"Promised for every event $E$ and every $\varepsilon$, with the $\delta(\varepsilon)$ of "
        r"the least private number alone: "
        r"$P(E\mid\text{one table})\le e^{\varepsilon}\,P(E\mid\text{other table})"
        r"+\delta(\varepsilon)$. So $p\le\min_\varepsilon e^{\varepsilon}q+\delta(\varepsilon)$, "
        r"and at one $\delta$ $\varepsilon\ge\ln\dfrac{p-\delta}{q}$, with $p$ a lower bound of "
        r"the larger chance and $q$ an upper bound of the smaller one, both by Clopper and Pearson."
    )
    if scene.ours is None:
        return text
    seen, delta = scene.ours.seen, scene.question.delta
    checked = scene.ours.trial.law is not None and not scene.ours.law_fails
    law = f"\n\n**Is the noise itself right?** No error found. {LAW_PASSES}" if checked else ""
    return (
        f"{text}\n\nOf the best one: {seen.likelier:,} and {seen.other:,} of {seen.runs:,} runs, "
        f"so $p$ = {significant(seen.at_least, 4)}, $q$ = {significant(seen.at_most, 4)}, "
        rf"$\delta$ = {delta:g} and $\varepsilon\ge$ "
        f"{significant(seen.epsilon(delta), 4)}; promised: $\\varepsilon$ = "
        f"{significant(scene.question.promised, 4)}, for the sharpest number held, by which the "
        f"most that is allowed is {percent(scene.ours.allowed)}.{law}"
    )


# --- closer: find the broken one, a game ---


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How samplers are looked at.

    Attributes:
        across: what the first number of a dot is.
        up: what the second one is.
        reading: what a right sampler looks like.
    """

    across: str
    up: str
    reading: str


TIERS = View(
    across="sharper number’s error",
    up="blurrier number’s error",
    reading="Three noise makers are right: in 6 of 10 runs both tiers get the same number, so the "
    "dots lie on the diagonal. One made a mistake.",
)
TWICE = View(
    across="first answer’s error",
    up="second answer’s error",
    reading="Each dot is one number that was asked for twice. A right noise maker gives the "
    "same answer again; one of the four does not.",
)
VIEWS = {
    **dict.fromkeys(TWIN_NAMES, TIERS),
    **dict.fromkeys(("redraw", "copies"), TWICE),
    "floats": View(
        across="number",
        up="place of its last binary digit",
        reading="Three noise makers draw whole numbers, whose last binary digit stands at 0 or "
        "above. One draws numbers with a long tail of digits.",
    ),
    "Algorithm 6": View(
        across="above the threshold",
        up="run",
        reading="Each dot is an item that nobody has: hidden in a first release, shown in the "
        "second. The right noise makers spread its number; one does not.",
    ),
}
_ROUND = Slot[tuple[int, str]]("falsify_round", lambda: (0, ""))
_DRAWN = Shelf[scenes.Round]("falsify_drawn")


def game(_: Workspace) -> None:
    """The dots of four doors, a guess, and what was wrong."""
    number, said = _ROUND.get()
    shown = _DRAWN.take(number, lambda: scenes.round_of(number))
    view = VIEWS[shown.twin]
    left, right = st.columns([3, 1], gap="medium")
    with left:
        parts.chart(
            charts.four_doors(charts.doors_frame(shown.drawn), across=view.across, up=view.up),
            heading=f"Round {number + 1}: four noise makers, one dot a run",
            reading=view.reading,
            alt=f"Four clouds of {scenes.DOTS} dots, {join(scenes.DOORS)}: {view.across} across, "
            f"{view.up} up. One of them has another shape.",
            key="falsify_doors",
        )
    with right:
        door = controls.segmented_control(
            "The broken one is", scenes.DOORS, default="A", key="falsify_door"
        )
        press.button("Say so", _ROUND.set, (number, str(door)), key="falsify_guess", icon="gavel")
        if said:
            st.markdown(answer(shown, said))
            controls.button(
                "Play again", _ROUND.set, (number + 1, ""), key="falsify_again", icon="refresh"
            )


def answer(shown: scenes.Round, said: str) -> str:
    """Whether that is right."""
    if said != shown.broken:
        return f"**Not {said}.** That one is right: look again."
    return f"**Yes, {said}: {TWIN_NAMES[shown.twin]}.** {WRONG[shown.twin]}"


# --- closer: noise of the visitor's own ---

WHAT = (
    "Two levels of noise work together if the noisier number can be made from the sharper one "
    "alone, by adding independent noise. Who holds both then learns what the sharper one tells."
)
GEOMETRIC = "value, sharper, noisier\n..., 1/3, 1/2\n0, 1/2, 1/3\n..., 1/3, 1/2"
TABLE_HELP = (
    "A row for each number that the noise can be: the number, its chance in the sharper noise, its "
    "chance in the noisier one. A first or last row of dots gives tails: each further step "
    "multiplies the chances by these. Paste or type; 1/3, 0.25 and 1e-3 are read as they stand."
)
HIGH = 210  # pixels of a table that is typed
MOST_DIGITS = 12
WORKS = (
    "So it works. Draw the sharper number first and add this noise to it, or draw them in the "
    "other order by a bridge: who holds both learns what the sharper one tells."
)
FAILS = (
    "So the noisier number cannot be drawn from the sharper one by adding noise: who holds both "
    "may learn more than the sharper one tells."
)
PROOF = (
    "Why that is a proof: adding noise only moves the sharper noise about, so if that made the "
    "noisier one, no bet could pay it more."
)
UNDECIDED = (
    "The tables go on for ever and do not divide; what would be added is too near to a chance of "
    "0, or the tables are too long; and no bet rules it out."
)
YES = "Yes: the noisier number is the sharper one with this noise added"
NO_CHANCE = "No: what is added would need a chance below 0"
NO_BET = "No: a bet tells the two apart, whatever is added"
NO_OTHER = "No: nothing that is added turns the sharper noise into the noisier one"
OPEN = "Not decided: nothing was found that settles it"
CODE = (
    "In Python: `lossless.decide_noise(sharper, noisier)`; `lossless.read_noise` reads a table. "
    "Discrete Gaussian noise and mechanisms of few outcomes: `docs/notebooks/your_own_noise.py`."
)


def own(_: Workspace) -> None:
    """The field, the answer and its picture."""
    st.markdown(WHAT)
    left, right = st.columns([3, 1], gap="medium")
    with right:
        text = controls.text_area(
            "Chances of both", GEOMETRIC, height=HIGH, key="falsify_own_table", help=TABLE_HELP
        )
        typed = parts.value_or_refusal(lambda: read_noise(text))
    with left:
        if typed is None:
            parts.empty("No answer yet.", "What is typed cannot be read: the field says why.")
            return
        sharper, noisier, sums_ = typed
        _answer(sharper, noisier)
        if any(each != 1 for each in sums_):
            st.caption("Each column was divided by its sum, so that all add up to 1.")
        st.caption(CODE)


def _answer(sharper: LatticeLaw, noisier: LatticeLaw) -> None:
    found: scenes.NoiseAnswer | None = work.result_or_progress(
        ("noise", sharper, noisier), scenes.noise_answer, sharper, noisier, what="The proof"
    )
    if found is None:
        return
    said, alt = of_noise(found), "Bars of what is added, number by number."
    if found.decision.added is not None:
        figure = charts.added_bars(charts.added_frame(found.decision.added))
    elif found.candidate:
        figure = charts.added_bars(
            charts.would_be_frame({x: float(chance) for x, chance in found.candidate})
        )
    else:
        figure = charts.bet_bars(charts.bet_frame(sharper, noisier, found.decision.bet))
        alt = "Two kinds of noise, number by number."
    alt = f"{alt} {said.reading}"
    parts.chart(figure, heading=said.heading, reading=said.reading, alt=alt, key="falsify_own")
    for sentence in said.then:
        st.markdown(sentence)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of an answer: the answer, what to notice in its picture, and what follows."""

    heading: str
    reading: str
    then: tuple[str, ...]


def of_noise(found: scenes.NoiseAnswer) -> Verdict:
    """The verdict on noise that is given by a table."""
    decision, bet = found.decision, found.decision.bet
    if decision.added is not None:
        law = decision.added
        best = max(range(law.first, law.last + 1), key=law.mass)
        read = f"Each bar: how likely this number is added; most often it is {best}. There is no "
        return Verdict(YES, f"{read}other such noise.", (WORKS,))
    if decision.verdict == "undecided":
        return Verdict(OPEN, "Both kinds of noise, side by side.", (UNDECIDED,))
    if decision.negative is not None:
        place, chance = decision.negative
        read = f"Only these chances would do: {place} would have to be added with a chance of "
        return Verdict(NO_CHANCE, f"{read}{percent(float(chance))}.", (FAILS,))
    if bet is not None:
        better, worse = apart(bet.noisier, bet.sharper)
        return Verdict(
            NO_BET,
            f"The bet pays 1 where shaded, less where fainter: on average {better} under the "
            f"noisier noise, at most {worse} under the sharper one, whatever is added.",
            (PROOF, FAILS),
        )
    return Verdict(
        NO_OTHER,
        "Both kinds of noise, side by side. Divided exactly, they leave what is no noise.",
        (FAILS,),
    )


def apart(larger: Fraction, smaller: Fraction) -> tuple[str, str]:
    """Two numbers in as few digits as show that they differ.

    >>> apart(Fraction(3, 4), Fraction(20, 27))
    ('0.75', '0.741')
    """
    for digits in range(3, MOST_DIGITS):
        texts = significant(larger, digits), significant(smaller, digits)
        if texts[0] != texts[1]:
            break
    return texts


PAGE = PageForm(
    file="falsify",
    specialist=specialist,
    controls=settings,
    scene=trials,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    formula=formula,
    recipe=scenes.tried,
    arguments=lambda scene: dict(
        zip(("kind", "name", "members", "runs"), scene.question.settings, strict=True)
    ),
    closers=(
        Closer(
            label="Find the broken one: a game", inside=game, key="falsify_game", with_scene=False
        ),
        Closer(
            label="Can your own noise do this?", inside=own, key="falsify_own", with_scene=False
        ),
    ),
    badges=badges,
    facts=facts,
)
