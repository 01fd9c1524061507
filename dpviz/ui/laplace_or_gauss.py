"""Laplace or Gauss: which noise is smaller for the same promise, and when that turns round."""

import math

import pandas as pd
import streamlit as st

from dpviz.charts.axes import probability
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.laplace_or_gauss import COLOURS, crossover_map, rounds_lines
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA_AXIS, DELTA_MEANING
from dpviz.planning.choice import LAPLACE, Question
from dpviz.scenes import laplace_or_gauss as scenes
from dpviz.scenes.laplace_or_gauss import (
    LAPLACE_BOUND,
    LN_10,
    LaplaceOrGauss,
    Rounds,
    Settings,
)
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_form import WORST_CASE, Closer, Missing, PageForm
from dpviz.words import NO_BREAK, budget, capitalised, rounded_up, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace.facts import DEFINITION_WORDS, SYMBOLS, Facts
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.guesses import A_COIN, right_of_epsilon
from dpviz.workspace.takeaways import unit_after
from dpviz.workspace.workspace import Workspace

TOWN, OWN = "A town", "Mine"
COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100)  # of the town, for one person
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
EXPONENTS = (*range(300, 100, -50), *range(100, 50, -10), *range(50, 20, -5), *range(20, 3, -1))
DELTAS = (*(float(f"1e-{e}") for e in EXPONENTS), 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
DIGITS = (2, 3)  # of a size; the second where the first does not tell both kinds apart


# --- what is asked ---


def promise(ws: Workspace) -> tuple[bool, float, float]:
    """Ask whose numbers are on the map, and for which promise: what only specialists change."""
    chosen = controls.segmented_control(
        "Whose counts?",
        [TOWN, OWN],
        default=TOWN,
        key="crossover_query",
        help="A made-up town, or your own statistic. What is compared depends on how far one "
        "person, or whatever is protected, can move the numbers: on Δ₁, the sum of all changes, "
        "and Δ₂, their Euclidean length. Both are public.",
    )
    one = ws.statistic.query.nouns.one if chosen == OWN else "person"
    epsilon = controls.select_slider(
        "Right guesses of 1,000 allowed (ε)",
        EPSILONS,
        value=1.0,
        format_func=lambda each: f"{right_of_epsilon(each).said} (ε = {each:g})",
        key="crossover_epsilon",
        help=f"Guesses about one {one} by somebody who knows all the others. Further right: "
        "a larger ε, less noise, less private.",
    )
    delta = controls.select_slider(
        capitalised(DELTA_AXIS),
        sorted({*DELTAS, ws.delta}),
        value=ws.delta,
        format_func=_power,
        key=f"crossover_delta_{ws.delta!r}",
        help=f"δ, delta: {DELTA_MEANING}. Laplace noise needs none, but is a little smaller with "
        "one. It begins at the δ of your plan; moving it changes no plan.",
    )
    return chosen == OWN, float(epsilon), math.log(float(delta))


def settings(ws: Workspace, promised: tuple[bool, float, float]) -> Settings | Missing:
    """Ask how far one person moves the numbers; of the visitor's own that is known."""
    own, epsilon, log_delta = promised
    query, s = ws.statistic.query, ws.statistic.query.sensitivity
    if not own:
        count = controls.select_slider(
            "One person is in at most",
            COUNTS,
            value=5,
            format_func=lambda n: numbered(n, "counts"),
            key="crossover_counts",
            help="A made-up town counts each illness. Maria has several, so she is in several "
            "counts.",
        )
        asked = Question(epsilon=epsilon, log_delta=log_delta, l1=float(count), l2=math.sqrt(count))
        return Settings(question=asked, town=True, footer=footer_facts(ws))
    if not (s.l1 > 0 and s.l2 > 0):
        return Missing("Nothing can move this statistic, so it needs no noise.", "data")
    st.caption(
        f"{literal(query.statistic)}: {literal(query.formula('l1'))}; "
        f"{literal(query.formula('l2'))}; d = {query.dimension:,} numbers."
    )
    l1, l2 = s.l1 * query.step, s.l2 * query.step
    asked = Question(epsilon=epsilon, log_delta=log_delta, l1=l1, l2=l2, alike=s.alike)
    return Settings(
        question=asked,
        footer=footer_facts(ws),
        unit=unit_after(query),
        noun=query.noun_released,
        nouns=query.nouns,
    )


def _power(delta: float) -> str:
    """A δ as the map writes it.

    >>> _power(1e-6), _power(0.001), _power(0.03)
    ('10⁻⁶', '10⁻³', '0.03')
    """
    return "10⁻³" if delta == 1e-3 else probability(math.log(delta))


# --- what is said ---


def headline(scene: LaplaceOrGauss) -> Said:
    """Which noise is smaller for the query, how large both are, and where that turns."""
    kinds = list(zip(COLOURS, _written(scene), strict=True))
    (name, mine), (_, other) = kinds if scene.choice.better == LAPLACE else kinds[::-1]
    unit = literal(scene.settings.unit)
    return say(
        "{where}, {name} noise is smaller: typically off by {mine}, not {other}, for the same "
        "promise.{turns}",
        where=_where(scene),
        name=name,
        mine=Number(f"{mine.text} {unit}".rstrip(), mine.claim),
        other=other,
        turns=_turns(scene),
    )


def _where(scene: LaplaceOrGauss) -> Said:
    """For whom: in how many counts a person of the made-up town is."""
    if not scene.settings.town:
        return Said("For your statistic")
    return say("If one person is in {many}", many=Name(_mark(scene)))


def _mark(scene: LaplaceOrGauss) -> str:
    """What the query is called on the map."""
    town = scene.settings.town
    return numbered(round(scene.question.moved), "counts") if town else "your statistic"


def _turns(scene: LaplaceOrGauss) -> Said:
    """At how many numbers of one person the smaller noise is the other one."""
    if scene.turn is None:
        return Said("")
    many = "counts" if scene.settings.town else f"numbers per {scene.settings.nouns.one}"
    claim = Claim(
        what=f"{many} from which on Gaussian noise has the smaller variance",
        value=scene.turn,
        fixed=f"{_point(scene)}, one release, each number moved by the same amount",
        method="both exact curves compared (MATHEMATICS 9.1)",
    )
    ends = " From {turn} {many} on, Gaussian noise is."
    if scene.choice.better != LAPLACE:
        ends = " Below {turn} {many}, Laplace noise is."
    return say(ends, turn=_count(claim), many=Name(many))


def _sizes(scene: LaplaceOrGauss) -> tuple[Claim, Claim]:
    """The standard deviations: the yardstick of the bars, of the headline and of the map."""
    exact, fixed = scene.choice.exact, f"{_point(scene)}, one release"
    laplace, gauss = scene.deviations
    by = "its exact curve (9.1)" if exact else "its pure ε (3.1)"
    return (
        Claim(
            what="standard deviation of Laplace noise",
            value=laplace,
            unit=scene.settings.unit,
            fixed=fixed,
            method=f"the least scale by {by}; MATHEMATICS 9",
            kind="exact" if exact else "at most",
        ),
        Claim(
            what="standard deviation of Gaussian noise",
            value=gauss,
            unit=scene.settings.unit,
            fixed=fixed,
            method="the least scale by its exact curve (MATHEMATICS 3.3)",
        ),
    )


def _written(scene: LaplaceOrGauss) -> tuple[Number, Number]:
    """Both standard deviations, of Laplace and of Gaussian noise; a bound is rounded up."""
    laplace, gauss = _sizes(scene)
    for digits in DIGITS:
        texts = [
            significant(rounded_up(c.value, digits) if c.kind == "at most" else c.value, digits)
            for c in (laplace, gauss)
        ]
        if texts[0] != texts[1]:
            break
    return Number(texts[0], laplace), Number(texts[1], gauss)


def _point(scene: LaplaceOrGauss) -> str:
    """ε and δ of the query, as "ε = 1 and δ = 1e-6"."""
    q = scene.question
    return f"{budget('ε', q.epsilon)} and δ{NO_BREAK}={NO_BREAK}{probability(q.log_delta)}"


def beside(scene: LaplaceOrGauss) -> tuple[Said, ...]:
    """What both kinds of noise promise at this point of the map."""
    one = scene.settings.nouns.one
    return (
        say(
            "Both keep this promise, {point}: a guess about one {one} is right {right} ({coin}).",
            point=Name(_point(scene)),
            one=Name(one),
            right=scene.right.times("right guesses by either kind of noise", _point(scene), one),
            coin=A_COIN,
        ),
    )


# --- the pictures, and their formulas ---


def picture(scene: LaplaceOrGauss) -> Picture:
    """Where the smaller noise changes: numbers per person, δ, and where the query is."""
    q, settings = scene.question, scene.settings
    one = settings.nouns.one
    return crossover_map(
        scene.border,
        here=(q.moved, q.log_delta / LN_10),
        turn=scene.turn,
        across=f"counts that one {one} is in" if settings.town else f"numbers per {one}",
        mark=_mark(scene),
    )


def reading(scene: LaplaceOrGauss) -> str:
    """What the map says."""
    epsilon = scene.question.epsilon
    factor = significant(rounded_up(math.exp(epsilon), 3), 3)
    pure = "" if scene.choice.exact else " Laplace noise is counted by its pure ε here."
    return (
        "Gaussian noise has the normal curve; Laplace noise a sharper peak and longer tails. On "
        "the line both are equally large. Typically off by: the standard deviation. At "
        f"{budget('ε', epsilon)} one {scene.settings.nouns.one} changes any probability by at most "
        f"a factor of {factor}, plus δ: higher up the promise is weaker.{pure}"
    )


def bars(scene: LaplaceOrGauss) -> Picture:
    """How large each noise is for the query."""
    rows = [
        {
            "row": f"{name} noise, typically off by",
            "length": size,
            "colour": COLOURS[name],
            "end": text.text,
            "unit": scene.settings.unit,
            "detail": "Its standard deviation.",
        }
        for name, size, text in zip(COLOURS, scene.deviations, _written(scene), strict=True)
    ]
    return bar_rows(pd.DataFrame(rows), what="The standard deviation of both kinds of noise.")


def formula(scene: LaplaceOrGauss) -> str:
    """The formulas, and the same with the query's numbers."""
    c, q = scene.choice, scene.question
    lines = [
        f"{_point(scene)}; $R^2$ = {significant(q.moved, 4)}, $\\mu$ = "
        f"{significant(q.epsilon / math.sqrt(2 * q.moved), 5)}: "
        f"$\\ln\\delta^*$ = {significant(c.crossover_pure, 6)}, δ\\* = "
        f"{probability(c.crossover_pure, 3)} for pure Laplace noise, the paper’s line.",
        f"By both exact curves δ\\*: {star_of(c.gauss_between)}."
        if c.exact
        else "The exact curve of Laplace noise is not known here: it is counted by its pure ε.",
        f"Standard deviations: Laplace {significant(c.laplace, 6)}, pure Laplace "
        f"{significant(c.laplace_pure, 6)}, Gaussian {significant(c.gaussian, 6)}, ℓ2 Laplace "
        f"{significant(c.laplace_l2, 6)}.",
        f"At equal ρ, not ε and δ: Tiers reads a ρ for Laplace noise as ε = √(2ρ); it then has "
        f"$2R^2$ = {significant(scene.held.ratio_bound)} times the variance of Gaussian noise.",
    ]
    if c.switch < 0:
        lines.append(f"The ℓ2 scale is the smaller one from δ = {probability(c.switch, 3)} on.")
    if c.crossover_classical is not None and c.gaussian_classical is not None:
        lines.append(
            f"Classical formula: {significant(c.gaussian_classical, 6)}, δ\\* = "
            f"{probability(c.crossover_classical, 3)}: more noise than is needed, so a δ\\* too "
            "large."
        )
    return f"{FORMULAS}\n\n- " + "\n- ".join(lines)


FORMULAS = (
    r"With $L=\ln(1/\delta)$: pure Laplace $b=\Delta_1/\varepsilon$, variance $2b^2$, no $\delta$. "
    r"Laplace that uses $\delta$, one number: $b=\Delta_1/(\varepsilon-2\ln(1-\delta))$; $R^2$ "
    r"numbers moved alike: the least $b$ whose losses, added up, keep $\delta$, exactly. "
    r"Gaussian: the least $\sigma$ with $\Phi\!\left(\frac{\Delta_2}{2\sigma}-\frac{\varepsilon"
    r"\sigma}{\Delta_2}\right)-e^{\varepsilon}\,\Phi\!\left(-\frac{\Delta_2}{2\sigma}-"
    r"\frac{\varepsilon\sigma}{\Delta_2}\right)\le\delta$, exactly. Classical: "
    r"$\sigma=\Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon$, for $\varepsilon\le1$. "
    r"ℓ2 Laplace: $b_2=\Delta_2\,\frac{\sqrt{\varepsilon+L}+\sqrt L}{\sqrt2\,\varepsilon}$."
    "\n\n"
    r"$\delta^*$: with own budget $e$ of each number, the first root of "
    r"$\delta_{\text{Laplace}}(\varepsilon;e)=\delta_{\text{Gauss}}(\varepsilon;\ "
    r"\mu=e\sqrt{R^2/2})$, found numerically. With pure Laplace noise equal variance is at "
    r"$\sigma=\sqrt2\,\Delta_1/\varepsilon$, so with $R=\Delta_1/\Delta_2$: "
    r"$\delta^*=\delta_{\text{Gauss}}\!\left(\varepsilon;\ \mu=\frac{\varepsilon}{\sqrt2\,R}"
    r"\right)$, and against the classical formula $\delta^*=1.25\,e^{-R^2}$. $b_2$ is the smaller "
    r"Laplace scale from $\ln\delta=-(2R^2-\varepsilon)^2/(8R^2)$ on, if $2R^2>\varepsilon$; it "
    r"is never below the exact $\sigma$."
)


def star_of(between: tuple[float, float] | None) -> str:
    """The δ* of a query, or both of them.

    >>> star_of(None), star_of((math.log(0.01), math.log(0.5)))
    ('none up to 0.5', '0.01')
    >>> star_of((math.log(0.31), math.log(0.46)))
    '0.31 to 0.46'
    """
    if between is None:
        return "none up to 0.5"
    begin, end = between
    return probability(begin) + (f" to {probability(end)}" if end < math.log(0.5) else "")


def facts(scene: LaplaceOrGauss) -> Facts:
    """The definitions: two kinds of noise are compared in (ε, δ)."""
    q, about = scene.question, scene.settings
    unit = "" if about.noun == about.nouns.many else about.unit
    far = f"{significant(q.l1, 4)} {unit}".rstrip()
    named = dict(about.footer) | {
        "Definition": DEFINITION_WORDS["(ε, δ)-DP"],
        SYMBOLS: f"Δ₁ = {significant(q.l1, 4)}, Δ₂ = {significant(q.l2, 4)} {about.unit}",
        "Sensitivity": f"one {about.nouns.one} moves the numbers, added up, by at most {far}",
    }
    if about.town:
        named |= {
            "Unit": "one person of the town",
            "Neighbours": "the town with and without one person",
            "Data": "none: a made-up town",
        }
    return tuple(named.items())


# --- the closer: the same counts, released again and again ---


def again_and_again(_: Workspace, scene: LaplaceOrGauss) -> None:
    """What releasing the counts again and again would cost."""
    try:
        made = scenes.rounds(scene.question)
    except ParameterError as error:
        parts.empty("No rounds to compare.", f"{str(error)[0].upper()}{str(error)[1:]}.")
        return
    parts.sentence(cheaper(scene, made))
    drawn = rounds_lines(made.lines)
    parts.picture(
        drawn,
        heading="Total ε of equally large noise, round after round",
        reading=lines_words(scene),
        key="crossover_rounds",
    )


def cheaper(scene: LaplaceOrGauss, made: Rounds) -> Said:
    """From how many rounds on Gaussian noise costs less."""
    if made.exact == 1:
        return Said("Gaussian noise costs less, however often the counts are released.")
    claim = Claim(
        what="rounds from which on Gaussian noise costs less"
        if made.exact
        else "rounds in which Laplace noise costs less",
        value=made.exact or made.most,
        fixed=f"noise as large as pure Laplace noise of {budget('ε', scene.question.epsilon)} in "
        f"one round; δ = {probability(scene.question.log_delta)} for all rounds",
        method="the losses of all rounds added up, compared (MATHEMATICS 9.2)",
        kind="exact" if made.exact else "at least",
    )
    if made.exact is None:
        return say("Laplace noise costs less for {most} rounds.", most=_count(claim))
    return say("From {first} rounds on, Gaussian noise costs less.", first=_count(claim))


def _count(claim: Claim) -> Number:
    return Number(f"{claim.value:,.0f}", claim)


def lines_words(scene: LaplaceOrGauss) -> str:
    """What the lines are."""
    known = scenes.laplace_line(scene.question) != LAPLACE_BOUND
    exact = "Solid: exact" + ("" if known else "; that of Laplace noise is not known here")
    return (
        f"{exact}. Dashed and dotted: upper bounds from papers. Lossless releases of the same "
        "counts need no rounds: together they cost what the largest costs."
    )


PAGE = PageForm(
    file="laplace_or_gauss",
    controls=settings,
    scene=scenes.scene,
    headline=headline,
    picture=picture,
    reading=reading,
    guesses=WORST_CASE,
    specialist=promise,
    aside=bars,
    beside=beside,
    formula=formula,
    recipe=scenes.sizes,
    arguments=lambda scene: {"question": scene.question},
    closers=(
        Closer(
            label="What if the same counts are released again and again?",
            inside=again_and_again,
            key="crossover_rounds",
        ),
    ),
    facts=facts,
)
