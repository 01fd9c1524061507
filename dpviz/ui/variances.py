"""Variances: what separate noise would cost, at the same promise for all tiers together."""

import pandas as pd
import streamlit as st

from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.scheme_variances import ADDED, ALONE, BOUND, CONVOLVED, ONE_NUMBER
from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS, SCHEMES
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import HERE
from dpviz.charts.forms.picture import Picture
from dpviz.charts.variances import figure_2
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import SampleVariances
from dpviz.noise.family import NORMAL
from dpviz.palette import GREY, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes import variances as scenes
from dpviz.scenes.jobs import measurement
from dpviz.scenes.variances import LINES, WAYS, Ladder, Question, Variances, at
from dpviz.ui.kit import controls, parts, press, work
from dpviz.ui.kit.page_form import WIDTHS, Closer, Missing, PageForm
from dpviz.words import loss, loss_with_delta, pm, rounded_up, significant
from dpviz.words.claims import Claim, Name, Number, Said, plus_minus, say, times
from dpviz.words.grammar import times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import A_COIN
from dpviz.workspace.workspace import Workspace

ENLARGED = "Separate noise for each, equal protection"
JUST_AS_EXACT = "as exact as with shared noise"
PALE = rgba(GREY, 0.45)  # of extra noise
HELD = {  # how the joint budget is kept, by the rule of the accounting
    ALONE: "its own budget",
    ADDED: "budgets that add up to the joint one",
    CONVOLVED: "the convolved privacy losses of all releases, rounded up",
    BOUND: "adding ε and δ of all releases, which is a bound",
}


# --- who is asked about, and the sentences ---


def settings(ws: Workspace) -> tuple[Ladder, int] | Missing:
    """Ask whose numbers the page is about."""
    ladder, left_out = scenes.plan_of(ws)
    for problem in left_out:
        st.caption(literal(problem))
    if len(ladder.names) < 2:
        what = "a second tier to compare" if ladder.names else "two tiers or more to compare"
        return Missing(f"Add {what}: say on Tiers who may see how much.")
    return ladder, parts.choose_tier(
        "Whose numbers?", ladder.names, ladder.styles, key="variance_whose"
    )


def headline(scene: Variances) -> Said:
    """How much farther off the tier's numbers would be."""
    if scene.half(LOSSLESS) == 0:  # of so little noise no ± tells anything
        return say(
            "Separate noise for {tier} would have to be {times} times as large, for equal "
            "protection.",
            tier=Name(scene.tier),
            times=_times(scene),
        )
    return say(
        "Separate noise would widen {tier}’s {ours} to {theirs}, for equal protection.",
        tier=Name(scene.tier),
        theirs=plus_minus(_half(scene, INDEPENDENT)),
        ours=plus_minus(_half(scene, LOSSLESS), unit=False),
    )


def beside(scene: Variances) -> tuple[Said, ...]:
    """What both ways promise alike, why separate noise is larger, and what the fair rival costs."""
    ladder = scene.ladder
    right = scene.right.times("right by all tiers together", _joint(ladder), ladder.one)
    return (
        say(
            "**All tiers together learn the same either way:** a guess about one {one} is right "
            "{right} ({coin}).",
            one=Name(ladder.one),
            right=right,
            coin=A_COIN,
        ),
        Said(
            "Separate noise partly cancels when tiers compare notes. So at equal protection it has "
            "to be larger, as here, and larger again for every tier that joins later. At equal "
            "size it protects less: see Collusion."
        ),
    )


def _times(scene: Variances) -> Number:
    """How many times the noise of lossless release separate noise needs."""
    claim = Claim(
        what=f"times the standard deviation of {scene.tier}, by separate noise",
        value=scene.times,
        fixed=_joint(scene.ladder),
        method=f"{HELD[scene.rule(INDEPENDENT)]} (MATHEMATICS 5.5; [LMR25] section 1.2)",
        kind="at most" if scene.ladder.promise.with_delta else "exact",
    )
    return times(claim)


def _averaged(scene: Variances) -> str:
    """How noisy averages of separate numbers are, beside lossless release."""
    bound = scene.ladder.promise.with_delta
    many = significant(rounded_up(scene.averaged, 2) if bound else scene.averaged, 2)
    far = f"{'up to ' * bound}{many} times as noisy" if many != "1" else JUST_AS_EXACT
    normal = scene.ladder.setting.family.shape == NORMAL
    same = " Together they have the same distribution as here." * normal
    return (
        "Averages of separate numbers, one number for each step between tiers ([LMR25] section "
        f"1.2): {literal(scene.tier)}’s would be {far}, if all budgets are known before the first "
        f"draw, or each new one is the largest.{same}"
    )


def _half(scene: Variances, scheme: str) -> Claim:
    bound = scheme != LOSSLESS and scene.ladder.promise.with_delta
    return Claim(
        what=f"half width of {scene.tier}, {SCHEMES[scheme].name}",
        value=scene.half(scheme),
        unit=scene.ladder.unit,
        fixed=f"95 % confidence; {_joint(scene.ladder)}",
        method=f"quantile of the noise (MATHEMATICS 4.1), by {HELD[scene.rule(scheme)]} (5.5)",
        kind="at most" if bound else "exact",
    )


def _joint(ladder: Ladder) -> str:
    """What is held fixed."""
    budget = loss_with_delta(ladder.promise.letter, ladder.losses[-1], ladder.delta)
    return f"the joint budget of {budget}, and {ladder.setting.family.label} noise"


# --- the picture, and its formulas ---


def picture(scene: Variances) -> Picture:
    """All tiers, each two ways; the chosen one large, what separate noise adds fainter.

    The other separate ways, whose costs fall on other tiers, are in the drawer and in Figure 2.
    """
    ladder, rows, letter = scene.ladder, [], scene.ladder.promise.letter
    for place in reversed(range(len(ladder.names))):
        ours = scene.half(LOSSLESS, place)
        for scheme in (LOSSLESS, INDEPENDENT):
            half, shared = scene.half(scheme, place), scheme == LOSSLESS
            row = at(scene.ways, scheme, place)
            instead = "" if shared else f" instead of {loss(row['budget'])}"
            bar = {
                "group": ladder.names[place],
                "row": HERE if shared else ENLARGED,
                "end": _end(half),
                "unit": ladder.unit,
                "detail": f"Its budget: {letter} = {loss(row['part'])}{instead}.",
            }
            lengths = {GREY: min(half, ours), PALE: max(half - ours, 0.0)}
            lengths = {ladder.styles[place].colour: half} if shared else lengths
            rows += [{**bar, "colour": ink, "length": length} for ink, length in lengths.items()]
    return bar_rows(
        pd.DataFrame(rows),
        what=f"How far off each tier’s numbers are, in {ladder.unit}.",
        large=scene.tier,
        styles=dict(zip(ladder.names, ladder.styles, strict=True)),
    )


def _end(half: float) -> str:
    """A ± with a decimal where its neighbours have one.

    >>> [_end(half)[2:] for half in (6.93, 4.86, 7.0, 14.6)]  # without ± and its space
    ['7.0', '4.9', '7', '15']
    """
    text = pm(half)
    short = 1 < half < 9.5 and not float(half).is_integer()
    return f"{text}.0" if short and "." not in text else text


def formula(scene: Variances) -> str:
    """The part of the joint budget and the noise of each way, and how variances are measured."""
    ladder, family = scene.ladder, scene.ladder.setting.family
    x = r"\rho" if ladder.promise.letter == "ρ" else r"\varepsilon"
    lines = [f"| way | budget | ${family.level_symbol}$ | ± | held by |", "|---|---|---|---|---|"]
    for scheme in WAYS:
        row = at(scene.ways, scheme, scene.place)
        rule = SCHEMES[scheme].part.format(x=x)
        by = "" if scene.rule(scheme) == CONVOLVED else f"${rule}$ = "
        part, level = (significant(row[name], 5) for name in ("part", "level"))
        lines.append(
            f"| {SCHEMES[scheme].name} | {by}{part} | {level} | {pm(row['half_width'])} | "
            f"{HELD[scene.rule(scheme)]} |"
        )
    return "\n\n".join(
        [
            rf"Tiers ascend; all ways cost $\max {x}$ together. For {literal(scene.tier)}:",
            "\n".join(lines),
            _averaged(scene),
            f"{family.label} noise: {ladder.promise.formula}. "
            f"{times_in_100(ACCURACY_CONFIDENCE)}: {family.half_width_formula}.",
            r"Measured variances of $n$ draws: $n s^2/\sigma^2\sim\chi^2_n$ for Gaussian noise, "
            "all together a Wishart matrix (Bartlett’s decomposition); for other noise about "
            r"$\chi^2_k$ with $k=2n/(\kappa-1)$, $\kappa$ the fourth moment by the squared "
            "variance.",
        ]
    )


# --- the closer: Figure 2 of the paper ---

COUNTS, FEW = (2, 10, 30, 100), (2, 10)  # few, where each level is searched for
ENDS = {"ρ": (0.001, 5.0), "ε": (0.05, 5.0)}  # of ρ: those of [LMR25, Figure 2]
REPETITIONS = {10**5: "100,000", 10**6: "1 million", 10**7: "10 million"}
METHODS = {scenes.EXACT: "exact distribution", scenes.DIRECT: "simulation"}


def lines(ws: Workspace) -> None:
    """Figure 2 of the paper in the noise of the plan: formulas as lines, measurements as marks."""
    shown, side = st.columns(WIDTHS, gap="medium")
    setting = Setting(
        family=ws.family, delta=ws.delta, sensitivity=ONE_NUMBER.sensitivity, dimension=1
    )
    letter = guarantee_of(ws.family).letter
    with side:
        losses = _ladder(letter, setting)
        frame = parts.value_or_refusal(lambda: scenes.variances(losses, setting))
        if frame is None:
            return
        compared = controls.selectbox(
            "Compare with",
            LINES[1:],
            format_func=lambda scheme: SCHEMES[scheme].name,
            key="variance_compared",
        )
        st.caption(SCHEMES[compared].sentence)
        how, found = _measured(frame, compared, setting)
    marks = None if found is None else scenes.measured(frame, compared, found, setting)
    made = figure_2(frame, marks, compared=compared, letter=letter, how=how)
    with shown:
        parts.picture(
            made,
            heading="Variance of the noise of one number that moves by at most 1",
            reading=f"Lines: formulas; {ws.family.label} noise, as in your plan. Marks: "
            + (f"{how}, with 95 % intervals." if how else "they appear once you draw.")
            + " Only noise is measured: no data is touched.",
            key="variances",
        )


def _ladder(letter: str, setting: Setting) -> list[float]:
    """Budgets between those of the paper’s figure, spaced by equal factors."""
    few = guarantee_of(setting.family).with_delta
    count = controls.segmented_control(
        "How many tiers",
        FEW if few else COUNTS,
        default=10,
        key="variance_few" if few else "variance_count",
    )
    return [float(each) for each in spaced_budgets(*ENDS[letter], count)]


def _measured(
    frame: pd.DataFrame, compared: str, setting: Setting
) -> tuple[str, SampleVariances | None]:
    """How marks were made, in words, and the measured variances, as far as there are any."""
    method = scenes.DIRECT
    if setting.family.shape == NORMAL:
        method = controls.segmented_control(
            "Marks from",
            METHODS,
            default=scenes.EXACT,
            key="variance_method",
            help="Exact distribution: that of the sample variance of Gaussian draws is known, and "
            "one draw from it takes no time. Simulation: every repetition goes through the real "
            "sampler, in random orders.",
        )
    repetitions = controls.segmented_control(
        "Repetitions", REPETITIONS, default=10**6, key="variance_repetitions"
    )
    levels = {s: tuple(frame[frame["scheme"] == s]["level"].tolist()) for s in (LOSSLESS, compared)}
    question = Question(
        family_name=setting.family.name,
        lossless=levels[LOSSLESS],
        baseline=levels[compared],
        repetitions=repetitions,
        method=method,
    )
    found: SampleVariances | None = work.result(question)
    if method == scenes.EXACT:
        found = found or work.keep(question, question.exact())
        how = f"{repetitions:,} repetitions, drawn from their exact distribution"
    else:
        press.button(
            f"Draw {REPETITIONS[repetitions]} repetitions",
            work.start,
            question,
            measurement,
            *question.settings,
            key="variance_draw",
            type="primary",
            icon="casino",
            width="stretch",
            disabled=found is not None or work.pending(question),
        )
        work.watch(
            question, lambda share: f"Drawn {round(share * repetitions):,} of {repetitions:,} times"
        )
        how = f"{found.repetitions:,} repetitions through the sampler" if found else ""
        if found and found.repetitions < repetitions:
            st.caption(f"Stopped after {found.repetitions:,} of {repetitions:,}; these are kept.")
    return how, found


PAGE = PageForm(
    file="variances",
    controls=settings,
    scene=lambda ladder_and_place: scenes.scene(*ladder_and_place),
    headline=headline,
    picture=picture,
    reading="Shorter is better; the faint end is the extra noise. ±: "
    f"{times_in_100(ACCURACY_CONFIDENCE)} a number is no farther off than this, rounded up.",
    beside=beside,
    formula=formula,
    recipe=scenes.ways,
    arguments=lambda scene: {"losses": scene.ladder.losses, "setting": scene.ladder.setting},
    closers=(
        Closer(
            label="From 2 to 100 tiers: Figure 2 of Andersson et al., 2025, beside measurements",
            inside=lines,
            key="variance_lines",
            with_scene=False,
        ),
    ),
    badges=lambda scene: (parts.lossless(scene.ladder.names[-1]),),
)
