"""Linear queries: running totals, ranges, marginals and any matrix, with noise that they share.

The made-up year is nobody's, so its true totals may be shown, and no tier draws from it. The
visitor's statistic draws into the ledger.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.lines import Axis, Look, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.releases import release_chart
from dpviz.linear import Contribution
from dpviz.linear.comparison import Comparison, Way, compare
from dpviz.linear.contribution import Summed, contribution_of
from dpviz.noise import ADDITIVE, Array
from dpviz.noise.family import NORMAL, Family
from dpviz.palette import GREY, TEAL
from dpviz.parameters import USUAL_DELTA
from dpviz.planning import cast
from dpviz.planning.amounts import Amount, Kind
from dpviz.planning.budgets import ACCURACY_CONFIDENCE as SURE
from dpviz.scenes import linear_queries as scenes
from dpviz.scenes.linear_queries import ANSWERS, DATA, SEED, Linear
from dpviz.ui.kit import code, controls, looking, panel, parts, source
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.state import Shelf, workspace
from dpviz.words import after, capitalised, loss_with_delta, number, rounded_down, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import numbered, times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace import linear, structured
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear import YEAR, Numbers, Queries, Subject
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

TRUE = "the true totals"
MADE_UP, OWN = "made-up year", "my statistic"
INVENTED = "made up: visits to a clinic that does not exist"
TYPED = "your own matrix"
RHOS = ("0.001", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "1")
EPSILONS = ("0.05", "0.1", "0.2", "0.3", "0.5", "1", "1.5", "2", "3", "5", "10")
DIGITS = 2  # of an error that is typical
ENLARGED = 3  # totals, the last ones
LAST = f"the last {counted(ENLARGED)}"
USED = TEAL  # the way in use
OTHERS = (
    "Other questions, another noise or another factorization start a session of their own, "
    "and the losses of sessions add up."
)
_MATRICES = Shelf[Queries]("linear_matrices")  # their errors are not computed in every run


# --- what is asked ---


def specialist(_: Workspace) -> DeltaGenerator:
    """Keep a place in the drawer for the noise, the person and the way."""
    return st.container()


def settings(ws: Workspace, drawer: DeltaGenerator) -> Linear | Missing:
    """Ask for the questions, whose numbers, and the budget; in the drawer, for all else."""
    mine = controls.look_at(MADE_UP, OWN, key="linear_source") == OWN
    return source.value_or_missing(
        lambda: _scene(ws, drawer, *(linear.statistic_of(ws) if mine else (None, None)))
    )


def _scene(
    ws: Workspace, drawer: DeltaGenerator, statistic: Statistic | None, query: Summed | None
) -> Linear:
    """What is chosen, of the made-up year or of the visitor's statistic.

    Raises:
        ParameterError: it cannot be used.
    """
    numbers = YEAR if query is None else linear.of_query(query)
    about, what, spent = st.container(), _queries(numbers), st.container()
    with drawer:
        family = ADDITIVE[_noise(ws, own=query is not None)]
        if query is not None:
            st.caption(f"{literal(query.contribution)} Neighbours: {literal(query.neighbours)}.")
            parts.link("data")
    person = Contribution() if query is None else contribution_of(query)
    if query is None:
        about.caption("A year of visits to a clinic, all invented. Each patient visits once.")
    delta, letter = USUAL_DELTA if query is None else ws.delta, guarantee_of(family).letter
    with spent:
        amount = _budget(letter)
    comparison = compare(
        what.workload,
        family,
        letter,
        Amount(Fraction(amount)),
        contribution=person,
        delta=delta,
        step=numbers.step,
    )
    with drawer:
        way = _way(what, family, person, comparison)
    own = None
    if statistic is not None and query is not None:
        own = Subject(
            statistic=statistic,
            query=query,
            queries=what,
            family=family,
            factorization=way.factorization,
        )
    return Linear(
        queries=what,
        family=family,
        person=person,
        amount=amount,
        delta=delta,
        comparison=comparison,
        way=way,
        own=own,
    )


def _queries(numbers: Numbers) -> Queries:
    """The questions.

    Raises:
        ParameterError: if a typed matrix cannot be used.
    """
    offered = linear.offered(numbers)
    names = (*offered, TYPED)
    first = names[0] if numbers.ordered or numbers.crossed is None else numbers.crossed.words
    chosen = controls.selectbox(
        "What is asked",
        names,
        index=names.index(first),
        key=_keyed("linear_asked", numbers, names),
        help=f"You ask all of these questions at once, about {len(numbers.labels):,} "
        f"{numbers.many}. “All ranges” is offered for up to {linear.MOST_RANGED}.",
    )
    if chosen in offered:
        if not numbers.ordered and offered[chosen] in linear.IN_ORDER:
            st.caption("Summed in the order of the list on the page Data.")
        return offered[chosen](numbers)
    text = controls.text_area(
        f"Matrix: a row per question, a column per {numbers.one}",
        linear.matrix_to_begin_with(numbers),
        height=130,
        key=_keyed("linear_matrix", numbers, numbers.labels),
        help=f"Numbers set apart by spaces or commas. 1 adds the {numbers.one}, −1 subtracts it, 0 "
        f"leaves it out. At most {linear.MOST_QUESTIONS} rows and {len(numbers.labels):,} "
        "columns.",
    )
    rows = linear.read_matrix(text, numbers)
    return _MATRICES.take((rows, numbers), lambda: linear.of_matrix(rows, numbers))


def _keyed(name: str, numbers: Numbers, what: object) -> str:
    """The key of a widget: what was chosen for other numbers does not fit these."""
    return name if numbers.made_up else controls.keyed(name, what)


def _noise(ws: Workspace, *, own: bool) -> str:
    """The noise; on the user's data what the mode allows, at first that of the workspace."""
    allowed = ws.offered if own else offered()
    names = [n for n in allowed if ADDITIVE[n].symmetric]
    usual = ws.family_name if own and ws.family_name in names else names[0]
    return str(
        controls.selectbox(
            "Noise",
            names,
            index=names.index(usual),
            format_func=lambda name: capitalised(ADDITIVE[name].label),
            key=f"linear_noise_{ws.mode}" if own else "linear_noise",
            help="Gaussian and Laplace noise fit any factorization. The other two need whole "
            "numbers, and so an R of whole numbers. Poisson noise is not offered: it only adds, so "
            "different sums are off by different amounts.",
        )
    )


def _budget(letter: Kind) -> str:
    """The budget of the comparison, at first that of the tier public."""
    return controls.select_slider(
        f"Budget {letter} (larger: sharper, less private)",
        RHOS if letter == "ρ" else EPSILONS,
        value=cast.amounts(letter)[cast.PUBLIC],
        key=f"linear_budget_{letter}",
        help=f"The privacy budget {letter}, the same for every way: only the errors differ. "
        "Further right: less noise, less private. Moving it draws nothing.",
    )


def _way(queries: Queries, family: Family, person: Contribution, comparison: Comparison) -> Way:
    """The factorization that is used; at first the one of least error."""
    names = list(comparison.ways)
    what = (queries.key, queries.workload.shape, family.name, person)
    chosen = controls.selectbox(
        "Factorization used",
        names,
        index=names.index(comparison.best.name),
        format_func=lambda n: f"{n} (error {significant(comparison.ways[n].typical)})",
        key=controls.keyed("linear_way", what),
        help="How the questions are split into numbers that get noise (R) and sums of them (L). "
        "In brackets the typical error.",
        lasting=False,
    )
    return comparison.ways[chosen]


def where(scene: Linear, way: Way) -> str:
    """Where a way puts its noise, to go on a sentence; technical names are in the drawer."""
    one, many = scene.numbers.one, scene.numbers.many
    if way.name == DATA:
        single = scene.queries.key == "singles"
        return "noise on the number itself" if single else f"noise on each {one}, then added"
    if way.name == ANSWERS:
        return f"noise on each {scene.queries.one}"
    best = way is scene.comparison.best
    return f"noise on weighted sums of {many}" if best else f"noise placed by “{way.name}”"


# --- the sentences ---


def headline(scene: Linear) -> Said:
    """How far off all answers are by the plain way, and by the one in use."""
    other, noun = scene.compared, Name(after(scene.numbers.noun))
    count = Claim(
        what="answers",
        value=scene.count,
        fixed="what is asked",
        method="the rows of A, counted (MATHEMATICS 6.1)",
    )
    what = say(
        "A clinic publishes {what}" if scene.own is None else "You publish {what}",
        what=Number(literal(scene.queries.words), count),
    )
    ours = _typical(scene, scene.way)
    if other is None:
        return say("{what}: typically off by {ours} {noun}.", what=what, ours=ours, noun=noun)
    return say(
        "{what}. With {other}, {they} typically off by {theirs} {noun}; with {where}, just as "
        "private, by {ours}.",
        what=what,
        other=Name(where(scene, other)),
        they="it is" if scene.count == 1 else "they are",
        theirs=_typical(scene, other),
        noun=noun,
        where=Name(where(scene, scene.way)),
        ours=ours,
    )


def _typical(scene: Linear, way: Way) -> Number:
    claim = Claim(
        what=f"typical error through “{way.name}”",
        value=way.typical,
        unit=after(scene.numbers.noun),
        fixed=_fixed(scene),
        method="the root of the mean variance of all answers (MATHEMATICS 6.1)",
    )
    return Number(significant(way.typical, DIGITS), claim)


def _fixed(scene: Linear) -> str:
    own = scene.way.budget
    at = own.delta if guarantee_of(scene.family).with_delta else 0.0
    return f"{loss_with_delta(own.letter, own.loss, at)}, and what one {scene.nouns.one} moves"


def beside(scene: Linear) -> tuple[Said, ...]:
    """How often an attacker guesses right, and why spread noise is smaller."""
    right, one = scene.right, Name(scene.nouns.one)
    protects = say(
        "{A} guess about one {one} is right {right} ({coin}).",
        A="A" if scene.compared is None else "All ways keep the same limit: at the worst, a",
        one=one,
        right=right.times("right by all answers", _fixed(scene), scene.nouns.one),
        coin=A_COIN,
    )
    if scene.queries.key != "totals":
        return (protects,)
    spread = say(
        " Noise on weighted sums of {many} avoids both: one {one} moves these sums less, and less "
        "noise adds up in a total.",
        many=Name(scene.numbers.many),
        one=one,
    )
    why = say(
        "One {one} in the first {number} moves all totals, so noise on each must be large. Noise "
        "on each {number} is smaller, but adds up.{spread}",
        one=one,
        number=Name(scene.numbers.one),
        spread=spread if scene.spread else "",
    )
    return protects, why


def charted(scene: Linear) -> Way | None:
    """The way that the picture of the totals compares with; None where there is no such picture."""
    return scene.compared if scene.own is None and scene.queries.key == "totals" else None


def limit(scene: Linear) -> str:
    """What no way is below, as far as anybody knows."""
    if scene.comparison.bound is None:
        return "Nobody knows how well other ways could do."
    least = significant(rounded_down(scene.comparison.bound, 3))
    return f"No way of placing this noise has a typical error below {least} (MATHEMATICS 6.2)."


def facts(scene: Linear) -> Facts:
    """The definitions, and what one person adds."""
    own, step = scene.own, scene.numbers.step
    most, reached = linear.most_words(scene.person, step), counted(scene.person.groups)
    return footer(
        guarantee_of(scene.family).definition,
        unit="one person, who visits once" if own is None else own.query.unit,
        neighbours="add or remove one person" if own is None else own.query.neighbours,
        sensitivity=f"one {scene.nouns.one} adds at most {most} to each of at most {reached} of "
        f"the {scene.numbers.many}",
        data=INVENTED if own is None else own.statistic.data,
        symbols=linear.sensitivity_words(scene.way.factorization, scene.family, step),
    )


# --- the pictures ---


def picture(scene: Linear) -> Picture:
    """The totals of the year with the noise of both ways, or else a bar for each way."""
    other = charted(scene)
    return bars(scene) if other is None else totals(scene, other)


def aside(scene: Linear) -> Picture | None:
    """A bar for each way, beside the totals of the year."""
    return None if charted(scene) is None else bars(scene)


def reading(scene: Linear) -> str:
    """How to read the pictures."""
    forecast = "What to expect; no number is drawn yet."
    if charted(scene) is None:
        return forecast
    normal = scene.family.shape == NORMAL
    least, twice = ("", ", about twice the typical error") if normal else ("at least ", "")
    return (
        f"Bands: where a total lands {least}{times_in_100(SURE)}{twice}. Typical error: the root "
        f"mean square over all totals. {forecast}"
    )


def totals(scene: Linear, other: Way) -> Picture:
    """The totals, and around them where 95 of 100 land by both ways, the last weeks enlarged."""
    wide = Look(width=0, colour=GREY, band=0.5)
    looks, frames = {TRUE: Look(width=1.5)}, []
    for way, look in ((other, wide), (scene.way, replace(wide, colour=USED, on=wide))):
        name = where(scene, way)
        looks[name] = look
        frames.append(_totals_line(scene, name, scene.reaches(way)))
    frames.append(_totals_line(scene, TRUE, np.full(scene.count, math.nan)))
    return lines(
        pd.concat(frames),
        what=f"{scene.queries.words} of visits, and where 95 of 100 land by two ways.",
        x=Axis(title=scene.numbers.one),
        y=Axis(title=f"{scene.numbers.noun} so far"),
        looks=looks,
        enlarged=(scene.count - ENLARGED + 1, scene.count),
        part=f"{LAST} {scene.numbers.many}",
    )


def _totals_line(scene: Linear, name: str, reach: Array) -> pd.DataFrame:
    """The true totals with a band."""
    values = scene.exact
    detail = [
        f"{number(value)} {scene.numbers.noun} {asked}."
        for value, asked in zip(values, scene.queries.names, strict=True)
    ]
    made = pd.DataFrame({"line": name, "x": np.arange(1, len(values) + 1), "y": values})
    return made.assign(low=values - reach, high=values + reach, detail=detail)


def bars(scene: Linear) -> Picture:
    """How far off all answers typically are: by the way in use, the best and both plain ones."""
    best, rows = scene.comparison.best, []
    plain_ways = (scene.comparison.ways.get(name) for name in (ANSWERS, DATA))
    kept = {way.name: way for way in (best, scene.way, *plain_ways) if way is not None}
    for way in sorted(kept.values(), key=lambda way: way.typical):
        rows.append(
            {
                "group": f"Typical error over all {scene.queries.one}s",
                "row": capitalised(where(scene, way)),
                "length": way.typical,
                "colour": USED if way is scene.way else GREY,
                "end": significant(way.typical, DIGITS),
                "unit": scene.numbers.noun,
                "detail": f"“{way.name}”: {significant(way.typical / best.typical)} times the "
                "least of all ways.",
            }
        )
    return bar_rows(pd.DataFrame(rows), what="Less is better.")


# --- the formulas, and the same in Python ---


def formula(scene: Linear) -> str:
    """Formulas with the numbers put in, and what is known about all ways."""
    way = scene.way
    made, level = way.factorization, way.budget.level
    (m, n), many = made.shape, scene.numbers.many
    promise = guarantee_of(scene.family)
    delta2, delta1 = significant(made.l2_sensitivity, 6), significant(made.l1_sensitivity, 6)
    loss = significant(way.budget.loss, 6)
    if promise.norm == "l2":
        noise = rf"$t=\Delta_2^2/(2\rho)$ = {delta2}² / (2 · {loss})"
    elif promise.with_delta:
        noise = f"the least rate with (ε, δ) = ({loss}, {scene.delta:g}) for Δ₁ = {delta1}"
    else:
        noise = rf"$b=\Delta_1/\varepsilon$ = {delta1} / {loss}"
    step = scene.numbers.step
    times = "" if step == 1 else rf"{significant(step)}\cdot"
    text = (
        rf"$A=L\,R$: {m:,} answers, {made.inner:,} numbers with noise, {n:,} {many}. A release is "
        r"$L\,(R\,x+Z)$, so answer $q$ has the variance $\mathrm{Var}\,Z\cdot\|L_q\|^2$."
        "\n\n"
        f"- noise: {noise} = {significant(level, 6)}, variance "
        f"{significant(scene.family.variance(level), 6)}\n"
        rf"- $\|L\|^2$ = {significant(made.row_squares.sum(), 6)}; typical error "
        rf"${times}\sqrt{{\mathrm{{Var}}\,Z\cdot\|L\|^2/m}}$ = **{significant(way.typical, 6)}**"
        "\n\nLossless for every linear $L$: $L\\,Y_h=L\\,Y_\\ell+L\\,(N_h-N_\\ell)$, and the "
        "increment is independent of the data. $L$ needs no left inverse."
    )
    return "\n\n".join([text, *remarks(scene)])


def remarks(scene: Linear) -> list[str]:
    """What no way is below, whether the best one attains it, and what is not offered."""
    told = [limit(scene)]
    if scene.attained:
        told.append("The best way attains the bound by singular values, up to one in a thousand.")
    left_out = scene.comparison.left_out.items()
    told += [f"Not offered here: {name}, because {why}." for name, why in left_out]
    return [literal(each) for each in told]


def arguments(scene: Linear) -> Mapping[str, object]:
    """With what the sample makes the numbers: data, generator and the levels drawn so far."""
    workload = scene.queries.sample
    needs = f"from dpviz.linear.workloads import {workload.split('(')[0]}"
    if scene.own is None:
        data = code.Text(f"np.array({scene.data.tolist()!r})  # made up")
        draws: dict[str, object] = {"rng": code.seeded(SEED, 0), "levels": []}
    else:
        ws = workspace()
        one = ws.find(scene.own.key)
        query = code.query_code(scene.own.statistic)
        data = code.Text("query.values(table)", before=(query,))
        draws = code.drawn_again(ws, scene.own.asking, one)
        draws["levels"] = [entry.level for entry in ws.entries_of(one)]
    return {
        "questions": code.Text(workload, before=(needs,)),
        "family": scene.family,
        "contribution": scene.person,
        "amount": scene.amount,
        "delta": scene.delta,
        "step": scene.numbers.step,
        "way": scene.way.name,
        "data": data,
        **draws,
    }


# --- the closer: what every tier gets ---


def each_tier(ws: Workspace, scene: Linear) -> None:
    """What every tier gets of the visitor's statistic, drawn in any order."""
    own = scene.own
    if own is None:
        st.markdown(f"The year is invented: to draw, choose “{OWN}” above.")
        return
    panel.draw_subject(
        ws,
        "linear_queries",
        own,
        lambda p: f"Answers {_typically(scene, p.budget.level)}",
        key="linear",
    )
    st.caption(OTHERS)
    tiers, _ = own.tiers(ws)
    revealed = looking.reveal(ws, own.statistic.table, key="linear_reveal")
    if revealed:
        parts.show_badges([parts.REVEALED])
    held = tuple(tier for tier, _ in structured.held_tiers(ws, own.asking, tiers))
    if held:
        _show_answers(scene, held, own.exact if revealed else None)
    else:
        parts.empty(
            "No answers in this session yet.",
            "Draw a tier: its answers appear here, with a 95 % interval for each exact one.",
        )
    panel.hand_out(ws, own.asking, tiers, key="linear_file_")


def _typically(scene: Linear, level: float) -> str:
    return f"typically off by {significant(scene.typical_at(level), DIGITS)}"


def _show_answers(scene: Linear, held: tuple[HeldTier, ...], exact: Array | None) -> None:
    """The answers of every tier with their intervals; the sharpest tier on top."""
    noun, names = scene.numbers.noun, scene.queries.names
    made = release_chart(
        scenes.answers_frame(scene, held[::-1]),
        what=f"{numbered(len(held), 'tiers')} with {numbered(len(names), 'noisy answers')} each.",
        noun=noun,
        axis_title=noun,
        confidence=SURE,
        exact=None if exact is None else pd.DataFrame({"group": list(names), "value": exact}),
        group_title=f"{len(names):,} {scene.queries.one}s",
        truth="the exact answer",
        beside={t.name: _typically(scene, t.level) for t in held},
    )
    how = "" if scene.family.shape == NORMAL else " (computed, to the safe side)"
    truth = "" if exact is None else " Thin: the exact answer, not private."
    parts.picture(
        made,
        heading=f"What each tier gets: {scene.count:,} {scene.queries.one}s, in {literal(noun)}",
        reading=f"On average {times_in_100(SURE)} an interval holds its exact answer{how}.{truth}",
        key="linear_answers",
    )


PAGE = PageForm(
    file="linear_queries",
    specialist=specialist,
    controls=settings,
    headline=headline,
    picture=picture,
    aside=aside,
    reading=reading,
    beside=beside,
    formula=formula,
    recipe=scenes.answers,
    arguments=arguments,
    facts=facts,
    closers=(Closer(label="Draw it for each tier", inside=each_tier, key="linear_answers"),),
)
