"""Tiers: who may see how much, as a budget or as an accuracy."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.axes import probability
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import (
    BOUND,
    ELSEWHERE,
    guess_row,
    guess_scale,
    together_rows,
)
from dpviz.charts.forms.picture import Picture
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.exponential import WARNING
from dpviz.parameters import DELTA, DELTA_MEANING
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, warning
from dpviz.planning.tiers import (
    PlannedTier,
    as_rows,
    equal_budgets,
    never_as_large,
    out_of_order,
    read_sizes,
)
from dpviz.queries import Query
from dpviz.scenes import tiers as scenes
from dpviz.scenes.tiers import (
    DELTA_OF,
    LOSSES,
    PLAN,
    Advice,
    Tiers,
    better_noise,
    plan_frame,
    readable_cells,
    readable_frame,
)
from dpviz.ui.kit import (
    controls,
    formulas,
    in_all,
    looking,
    noise_words,
    parts,
    plan_compare,
    plan_file,
    plan_grid,
    press,
    source,
)
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.plan_file import noise_key
from dpviz.ui.kit.state import field, fill
from dpviz.words import (
    capitalised,
    delta,
    join,
    loss,
    percent,
    pm,
    rounded_up,
    significant,
)
from dpviz.words.claims import Said
from dpviz.words.grammar import numbered, times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.guesses import ALL, GUESSER
from dpviz.workspace.takeaways import NO_TIER
from dpviz.workspace.workspace import Workspace

LARGE_UP_TO = 12  # tiers; of more only what all learn together is large
# A phone has room for short names only; the caption says them in full.
NARROW_NAMES = dict(zip(PLAN[-4:], ("δ", "± one", "± all", "level"), strict=True))
LIMITS = (0.05, 0.1, 0.2, 0.5)
USUAL_ROWS = 100


# --- the plan, and the numbers it makes ---


def plan_of(ws: Workspace, settings: object) -> Workspace | Missing:
    """Ask for the plan; what is done to all rows stands among the settings."""
    plan_file.take(ws)  # before the fields, which it fills
    keep_sizes(ws)  # before the sentence, which speaks of them
    source.choose_statistic(ws)
    problems, files = plan_grid.edit(ws, settings)
    parts.problem_of_last_act()
    with files:
        plan_file.show(ws)
    planned = ws.planned()[0]
    remarks(ws, planned, problems)
    return ws if planned else Missing(NO_TIER, file="")


def headline(scene: Tiers) -> Said:
    """How near the tiers come, and that together they learn no more."""
    return takeaways.tiers(
        scene.held, scene.setting.family, scene.query, scene.joint, scene.alone, scene.size
    )


def picture(scene: Tiers) -> Picture:
    """A bar of right guesses for every tier, the sharpest on top, and for all of them together."""
    query, sharpest, rows = scene.query, scene.held[-1], []
    for planned, held, right in reversed(
        list(zip(scene.planned, scene.held, scene.rights, strict=True))
    ):
        budget = planned.budget
        near = pm(budget.half_width, unit=query.noun_released * bool(budget.half_width))
        detail = f"{budget.letter} = {loss(budget.loss)}."
        colour = held.style.colour
        rows.append(guess_row(right, group=held.name, aside=near, colour=colour, detail=detail))
    if scene.compared:
        rows += together_rows(
            scene.everybody,
            (scene.joint, scene.together),
            (scene.alone, scene.apart),
            colour=sharpest.style.colour,
        )
    many = len(scene.held) > LARGE_UP_TO
    return bar_rows(
        pd.DataFrame(rows),
        what=f"How often the best guess about one {query.nouns.one} is right, of {ALL:,}.",
        large=(scene.everybody if scene.compared else sharpest.name) if many else None,
        scale=guess_scale(scene.together) if scene.compared else guess_scale(),
        styles={tier.name: tier.style for tier in scene.held},
    )


def reading(scene: Tiers) -> str:
    """What the bars are, and whose the ticks are."""
    nouns = scene.query.nouns
    mean = f" The mean is the sum over the {nouns.rows}." if scene.query.per_value > 1 else ""
    bound = f" {BOUND}" if any(right.kind == "at most" for right in scene.rights) else ""
    line = f" Upright line: {scene.everybody} with shared noise." if scene.compared else ""
    sure = times_in_100(ACCURACY_CONFIDENCE)
    return (
        f"Bars: how often somebody who guesses whether a given {nouns.one} is in the table will be "
        f"right. {GUESSER} How many right guesses are safe, you decide. ±: {sure} a number is no "
        f"farther off, rounded up.{line}{bound}{mean} {ELSEWHERE}"
    )


def formula(scene: Tiers) -> str:
    """Budget to level to accuracy."""
    return formulas.plan(scene.planned, scene.setting, scene.query)


def arguments(scene: Tiers) -> dict[str, object]:
    """The rows as they are typed, and what they refer to."""
    rows = as_rows([tier.tier for tier in scene.planned])
    return {
        "rows": [{column: text for column, text in row.items() if text} for row in rows],
        "setting": scene.setting,
    }


def below(ws: Workspace, scene: Tiers) -> None:
    """How to approve it, what all statistics tell together, and the plan beside plan A."""
    st.caption(
        "**Not safe enough?** Lower a budget. **To publish:** choose Hardened, save the plan, then "
        "draw the numbers."
    )
    in_all.show(ws, scene)
    plan_compare.show(ws)


def decision(scene: Tiers) -> str:
    """Whether the numbers are to be drawn, by what the least and the most private tiers get."""
    return takeaways.close_and_safe(
        scene.held[0], scene.setting.family, scene.query, scene.together, scene.size
    )


# --- what to know about the plan ---


def remarks(ws: Workspace, planned: Sequence[PlannedTier], problems: Sequence[str]) -> None:
    """What to know about this plan, in words."""
    if problems and planned and len(planned) == len(ws.plan.tiers):
        st.warning("The plan in use is the last one without a problem.", icon=":material/history:")
    impossible = [p.name for p in planned if not ws.possible(p.budget.level)]
    if impossible:
        st.info(
            f"The session is sealed: {literal(join(impossible))} cannot be drawn in it any more."
        )
    if beyond := ws.beyond_limit():
        st.warning(f"The whole plan is beyond the limit: {literal(beyond)}.")
    for names in equal_budgets(planned):
        who = literal(join(names))
        st.info(f"{who} have equal budgets, so they get the same numbers.")
    _cautions(planned)
    if ws.plan.spread_anew:
        st.caption("The colours of all tiers have changed, to make room for the new tier.")


def _cautions(planned: Sequence[PlannedTier]) -> None:
    """Budgets that promise next to nothing, and an order that the noise contradicts."""
    for p in planned:
        if (sentence := warning(p.budget)) is not None:
            st.warning(f"{literal(p.name)}: {literal(sentence)}", icon=":material/warning:")
    for low, high in out_of_order(planned):
        st.info(
            f"{literal(low)} is below {literal(high)} in the order and yet gets less noise. "
            "Exchange their budgets, or their places in the order."
        )


# --- the closers: which noise, and which groups stay readable ---


def noise(ws: Workspace) -> None:
    """Which noise, and the δ of the plan."""
    advise(ws)
    choose_family(ws)
    choose_delta(ws)
    of_family(ws, ws.planned()[0])


def choose_family(ws: Workspace) -> None:
    """Which noise; another family starts a new session."""
    names = ws.offered
    chosen = controls.radio(
        "Noise",
        names,
        index=names.index(ws.family_name),
        format_func=lambda name: ADDITIVE[name].label,
        key=noise_key(ws.mode),
        help=f"{noise_words.promised()} Exponential noise is not offered for tiers: {WARNING}",
    )
    if chosen != ws.family_name:
        with st.spinner("Finding the noise level of each budget …"):
            ws.use_family(str(chosen))
        st.rerun()  # the picture above shows the noise of before
    if ws.ledger and ws.round is None:
        st.caption("Another noise starts a new session; the loss of earlier releases still counts.")


def advise(ws: Workspace) -> None:
    """Which noise would need less for this statistic, mode and plan, and a button to use it."""
    with st.spinner("Comparing every noise …"):
        found = better_noise(ws)
    if found is None:
        st.caption(f"No offered noise needs less than {ws.family.label} for these budgets.")
        return
    least, most = percent(round(found.least, 2)), percent(round(found.most, 2))
    share = least if least == most else f"{least} to {most}"
    st.markdown(
        f"**{capitalised(found.family.label)} noise would need less**: {share} of the standard "
        "deviation of the noise in use, with every budget kept as it is typed."
        + _only_epsilon(ws, found)
    )
    press.button(
        f"Use {found.family.label} noise", _use_noise, ws, found.family.name, key="use_better_noise"
    )


def _only_epsilon(ws: Workspace, found: Advice) -> str:
    """What is given up with a noise that has no ρ."""
    if not (noise_words.typed_as_rho(ws.plan.tiers) and guarantee_of(found.family).with_delta):
        return ""
    return " It keeps the ε that a typed ρ gives at δ, and not the ρ itself."


def _use_noise(ws: Workspace, name: str) -> None:
    fill(noise_key(ws.mode), name)
    ws.use_family(name)


def _what_stays(ws: Workspace) -> str:
    """What a change of noise holds fixed, and what that does to the size of the noise."""
    kept, s = noise_words.kept_as_typed(ws.plan.tiers), ws.statistic.query.sensitivity
    if not noise_words.typed_as_rho(ws.plan.tiers):
        return kept
    if ws.mode == "hardened":
        return f"{kept} {noise_words.READ_AS_EPSILON}"
    same_rho = noise_words.at_the_same_rho((s.l1 / s.l2) ** 2 if s.l2 else 1.0)
    return (
        f"{noise_words.WHY_GAUSSIAN} {kept} {same_rho}; at the same ε and δ, for one release, it "
        "may have less: see Laplace or Gauss."
    )


def choose_delta(ws: Workspace) -> None:
    """One δ for the whole plan, beside every ε that needs one."""
    nouns = ws.statistic.query.nouns
    typed = controls.text_input(
        "δ of the plan",
        delta(ws.delta),
        key="delta",
        help=f"δ, delta: {DELTA_MEANING}. Rule of thumb, no more: at most 1 / number of "
        f"{nouns.many}. Publishing all about one {nouns.one} at random would pass this rule, too; "
        "1e-6 is usual. Laplace noise needs none.",
    )
    before = ws.delta
    try:
        ws.delta = DELTA.read(str(typed), where="δ")
        if ws.delta != before:
            st.rerun()  # the picture above shows the noise of before
    except ParameterError as error:
        parts.refusal(str(error))
    if guarantee_of(ws.family).pure:
        st.caption(f"{capitalised(ws.family.label)} noise keeps ε without any δ.")


def of_family(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """What the noise in use makes of budgets typed in another currency."""
    if planned:
        st.caption(_what_stays(ws))
    typed = noise_words.typed_as_rho([p.tier for p in planned])
    if typed and guarantee_of(ws.family).pure:
        st.caption(
            f"{capitalised(ws.family.label)} noise: a typed ρ means ε = √(2ρ), since ε-DP gives "
            "ε²/2-zCDP. So the tier keeps its ρ, but not the ε of Gaussian noise."
        )
    if typed and guarantee_of(ws.family).with_delta:
        st.caption(
            f"{ws.family.label} noise has no ρ: a typed ρ or μ means the ε that Gaussian noise of "
            "it has at δ."
        )
    if below := never_as_large(planned, ws.setting):
        least = f"{literal(join(below))}: even the least {ws.family.label} noise that keeps this δ"
        st.caption(f"{least} has a smaller ε than was typed, so the smaller one is shown.")
    if ws.family.never_falls:
        symbol = ws.family.level_symbol
        st.caption(
            f"{ws.family.label} noise is never negative and has mean {symbol}; pictures subtract "
            f"{symbol}."
        )


def readable_groups(ws: Workspace) -> None:
    """Typed sizes, a limit of relative error, and the picture; nothing is drawn for it."""
    planned = ws.planned()[0]
    query = ws.statistic.query
    if query.per_value > 1:
        st.caption("A mean is as readable as its number of rows; sizes are numbers of rows.")
    left, right = st.columns([3, 1], gap="medium")
    with right:
        text, limit = _asked(ws, query)
    typed = parts.value_or_refusal(lambda: read_sizes(text, query.labels))
    if typed is None:
        return
    tiers = [(p.name, p.budget.half_width) for p in planned]
    if not tiers:
        return
    frame = readable_frame(list(typed), np.fromiter(typed.values(), float), tiers, limit)
    with left:
        parts.table(
            readable_cells(frame),
            alt=f"{numbered(len(typed), 'groups')} by {numbered(len(tiers), 'tiers')}: relative "
            f"error, and which exceed {percent(limit)}.",
        )
        st.caption(
            "Each cell: the error with 95 % confidence as a share of the typed size. In brackets: "
            "too small to be read at that tier."
        )


def _asked(ws: Workspace, query: Query) -> tuple[str, float]:
    """The sizes as typed, which the plan keeps, and the limit of relative error."""
    text = controls.text_area(
        f"Expected sizes ({literal(query.noun_released)})",
        ws.plan.sizes.get(query.counted, _usual(query)),
        key=plan_file.sizes_key(query),
        help="One number for all groups, or a line for each: “north: 120”. What everybody may "
        "expect, not what the table says.",
    )
    keep_sizes(ws)
    limit = controls.selectbox(
        "Readable means within",
        LIMITS,
        index=1,
        format_func=lambda share: f"± {percent(share)}",
        key="readable_limit",
    )
    return text, float(limit)


def keep_sizes(ws: Workspace) -> None:
    """Keep the sizes as they are typed now, also before their field is shown in this run."""
    query, sizes = ws.statistic.query, ws.plan.sizes
    text = field(plan_file.sizes_key(query))
    if text is not None and (text != _usual(query) or query.counted in sizes):
        sizes[query.counted] = text


def _usual(query: Query) -> str:
    """What the field says before anybody types: a hundred rows for every group."""
    one_row = query.clip.farthest if query.clip is not None and query.per_value == 1 else 1
    return f"{USUAL_ROWS * one_row:.6g}"


# --- for specialists ---


def currencies(scene: Tiers) -> None:
    """Every tier's budget in every currency."""
    query, family = scene.query, scene.setting.family
    frame = plan_frame(scene.planned, family, query.dimension, query.step)
    shown = frame.astype(object)
    for name in PLAN[1:]:
        written: Callable[[float], str] = partial(significant, digits=4)
        if name in LOSSES:
            written = loss
        if name == DELTA_OF:
            written = _delta
        if name.startswith("±"):
            written = _up
        shown[name] = [written(x) if x == x else "–" for x in frame[name]]
    parts.table(
        shown.rename(columns=NARROW_NAMES),
        alt="Each tier’s budget as ρ, μ, ε with its δ, and as accuracy, 95 % confidence.",
    )
    steps = "" if query.step == 1 else f", in steps of {significant(query.step, 4)}"
    st.caption(
        f"± in {literal(query.noun_released)}, with 95 % confidence: for one group, and for all "
        f"groups at once. Levels: {family.level_name} {family.level_symbol}{steps}. "
        "Changing the noise keeps the budget as typed, and changes the other columns."
    )


def _delta(at: float) -> str:
    """A δ for a narrow column, which breaks no line within it."""
    return probability(math.log(at)) if at else "0"


def _up(half_width: float) -> str:
    """A half width for a table, rounded up: its confidence holds for what is written.

    A budget that is typed another way has seven digits, so ±25 may come back as 25.0000004: what is
    above by less than a millionth is not rounded up.
    """
    return significant(rounded_up(half_width * (1 - 1e-6), 4), 4) if half_width else pm(half_width)


PAGE = PageForm(
    file="tiers",
    controls=plan_of,
    scene=scenes.scene,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=lambda _: (),
    below=below,
    decision=decision,
    formula=formula,
    recipe=scenes.budgets,
    arguments=arguments,
    closers=(
        Closer(
            label="Which groups stay readable?",
            inside=readable_groups,
            key="readable",
            with_scene=False,
        ),
        Closer(label="Which noise?", inside=noise, key="noise", with_scene=False),
    ),
    badges=lambda scene: [looking.READ_OFF] * scene.read_off,
    specialist=lambda _: st.container(),
    more=currencies,
)
