"""Linear queries: running totals, ranges, marginals and any matrix, with noise that they share.

The made-up year is nobody's: who holds which answers about it lives with the browser tab, and two
tiers draw when it is looked at. The visitor's statistic draws into the ledger.
"""

import math
import re
from collections.abc import Hashable, Mapping, Sequence
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
from dpviz.charts.linear import answers_frame
from dpviz.charts.releases import release_chart
from dpviz.linear import Contribution
from dpviz.linear.accuracy import half_widths
from dpviz.linear.comparison import Comparison, Way, compare
from dpviz.linear.statistic import Summed, contribution_of
from dpviz.linear.workloads import FITTED, LEAST
from dpviz.noise import ADDITIVE, Array
from dpviz.noise.family import NORMAL, Family
from dpviz.palette import COLOURS, GREY
from dpviz.parameters import USUAL_DELTA
from dpviz.planning import cast
from dpviz.planning.amounts import Amount, Kind
from dpviz.planning.budgets import ACCURACY_CONFIDENCE as SURE
from dpviz.queries import Relation
from dpviz.scenes import linear_queries as scenes
from dpviz.scenes.linear_queries import ANSWERS, DATA, Linear, YearSession, guesses_at
from dpviz.ui.kit import code, controls, looking, panel, parts, source
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.state import Shelf, Slot, workspace
from dpviz.words import (
    after,
    budget,
    capitalised,
    join,
    loss_with_delta,
    number,
    rounded_down,
    significant,
)
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import numbered, several, times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace import linear, structured
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear import (
    YEAR,
    Numbers,
    Queries,
    Subject,
    most_words,
    of_query,
    sensitivity_words,
    statistic_of,
)
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

TRUE = "the true totals"
MADE_UP, OWN = "made-up year", "my statistic"
INVENTED = "made up: visits to a clinic that does not exist"
TYPED = "your own matrix"
RHOS = ("0.001", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "1")
EPSILONS = ("0.05", "0.1", "0.2", "0.3", "0.5", "1", "1.5", "2", "3", "5", "10")
GROUPS = (1, 2, 4, 8, 13, 26, 52)
DIGITS = 2  # of an error that is typical
ENLARGED = 3  # totals, the last ones
RELATION_WORDS: dict[Relation, str] = {"add/remove": "comes or goes", "replace": "is replaced"}
WEIGHTED = (LEAST, FITTED, "square root")  # ways whose noise is on sums with weights
USED = COLOURS[0]  # the way in use: no tier of the cast has this colour
TREE = re.compile(r"(\d+)-ary tree( ±)?")
OTHERS = (
    "Other questions, another noise or another factorization start a session of their own, "
    "and the losses of sessions add up."
)
_MATRICES = Shelf[Queries]("linear_matrices")  # their errors are not computed in every run
_HELD = Shelf[YearSession]("linear_sessions")
_AGAIN = Slot("linear_again", lambda: 0)


# --- what is asked ---


def specialist(_: Workspace) -> DeltaGenerator:
    """Keep a place in the drawer for the noise, the person and the way."""
    return st.container()


def settings(ws: Workspace, drawer: DeltaGenerator) -> Linear | Missing:
    """Ask for the questions, whose numbers, and the budget; in the drawer, for all else."""
    chosen = controls.look_at(
        MADE_UP,
        OWN,
        key="linear_source",
        help="All visits of the year are invented: its answers are public, so the page can show "
        "the errors. Your own statistic keeps its exact numbers hidden.",
    )
    mine = chosen == OWN
    return source.value_or_missing(
        lambda: _scene(ws, drawer, *(statistic_of(ws) if mine else (None, None)))
    )


def _scene(
    ws: Workspace, drawer: DeltaGenerator, statistic: Statistic | None, query: Summed | None
) -> Linear:
    """What is chosen, of the made-up year or of the visitor's statistic.

    Raises:
        ParameterError: it cannot be used.
    """
    numbers = YEAR if query is None else of_query(query)
    about, what, spent = st.container(), _queries(numbers), st.container()
    with drawer:
        family = ADDITIVE[_noise(ws, own=query is not None)]
        person = _person(what) if query is None else _own_person(query)
    if numbers.made_up:
        about.caption(
            f"{len(numbers.labels)} weeks of visits to a clinic, all invented. One patient "
            f"counts in at most {several(person.groups, 'week', 'weeks')}."
        )
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


def _own_person(query: Summed) -> Contribution:
    """What one person adds to the statistic, as the page Data bounds it."""
    st.caption(f"{literal(query.contribution)} Neighbours: {literal(query.neighbours)}.")
    parts.link("data")
    return contribution_of(query)


def _person(queries: Queries) -> Contribution:
    """What one person adds to the weeks."""
    most = queries.workload.shape[1]
    offered = [count for count in GROUPS if count < most] + [most]
    groups = 1
    if most > 1:
        groups = controls.select_slider(
            "Weeks that one person visits in, at most",
            offered,
            key=f"linear_groups_{most}",
            help="One visit in each of them. More weeks per person need more noise.",
        )
    relation: Relation = controls.segmented_control(
        "A person",
        RELATION_WORDS,
        default="add/remove",
        key="linear_relation",
        help="The two tables that the noise must make hard to tell apart: with and without a "
        "person, or with another person in their place.",
    )
    return Contribution(groups=groups, relation=relation)


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


# --- what the ways are called ---


def name_of(scene: Linear, way: str) -> str:
    """What gets the noise in this way, to go on a sentence after "with"."""
    one, many = scene.numbers.one, scene.numbers.many
    if found := TREE.fullmatch(way):
        return (
            f"noise on {_blocks(scene, int(found[1]))}{', added and taken away' * bool(found[2])}"
        )
    gauss = guarantee_of(scene.family).norm == "l2"
    each = "the number itself" if scene.queries.key == "singles" else f"each {one}, then added"
    return {
        LEAST: f"noise on weighted sums{': best weights' if gauss else ' made for Gaussian noise'}",
        FITTED: "noise on weighted sums: weights from a search",
        DATA: f"noise on {each}",
        ANSWERS: f"noise on each {scene.queries.one}",
        "square root": f"noise on weighted sums: later {many} weigh more",
        "binary tree": f"noise on {_blocks(scene, 2)}",
        "Haar wavelet": "noise on differences of halves",
    }[way]


def _blocks(scene: Linear, arity: int) -> str:
    """How many numbers the blocks of a tree have."""
    most = scene.queries.workload.shape[1]
    sizes = [f"{arity**power:,}" for power in range(3) if arity**power <= most]
    said = join(sizes) if len(sizes) < 3 else f"{', '.join(sizes)} …"
    return f"blocks of {said} {scene.numbers.many}"


def where(scene: Linear, way: Way) -> str:
    """Where a way puts its noise, to go on a sentence; technical names are in the drawer."""
    is_best = way is scene.comparison.best and way.name not in (DATA, ANSWERS)
    return f"noise spread over all {scene.numbers.many}" if is_best else name_of(scene, way.name)


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
    """How often an attacker guesses right, why noise on each total is bad, and the limit."""
    right = guesses_at(scene.family, float(scene.amount), scene.delta)
    one = Name(scene.nouns.one)
    said = [
        say(
            "{A} guess about one {one} is right {right} ({coin}).",
            A="A" if scene.compared is None else "Both ways protect alike: a",
            one=one,
            right=right.times("right by all answers", _fixed(scene), scene.nouns.one),
            coin=A_COIN,
        )
    ]
    if scene.queries.key == "totals" and scene.way.name in WEIGHTED:
        said.append(
            say(
                "One {one} in the first {number} moves all totals, so noise on each must be large. "
                "Noise on each {number} is smaller, but adds up{far}.",
                one=one,
                number=Name(scene.numbers.one),
                far=_added_up(scene),
            )
        )
    return tuple(said) if scene.attained(scene.way) else (*said, limit(scene))


def _added_up(scene: Linear) -> Said:
    """How far off sums of noisy numbers are, if that is not one of the two ways in the headline."""
    way = scene.comparison.ways.get(DATA)
    if way is None or way in (scene.way, scene.compared):
        return Said("")
    return say(", to {far} {noun}", far=_typical(scene, way), noun=Name(after(scene.numbers.noun)))


def charted(scene: Linear) -> Way | None:
    """The way that the picture of the totals compares with; None where there is no such picture."""
    return scene.compared if scene.own is None and scene.queries.key == "totals" else None


def limit(scene: Linear) -> Said:
    """What no way is below, as far as anybody knows."""
    bound = scene.comparison.bound
    if bound is None:
        return Said("Nobody knows how well other ways could do.")
    claim = Claim(
        what="typical error of any factorization",
        value=bound,
        unit=after(scene.numbers.noun),
        fixed=_fixed(scene),
        method="a bound by singular values (MATHEMATICS 6.2)",
        kind="at least",
    )
    return say(
        "No way of placing this noise has a typical error below {least}.",
        least=Number(significant(rounded_down(bound, 3)), claim),
    )


def facts(scene: Linear) -> Facts:
    """The definitions, and what one person adds."""
    groups, one = scene.person.groups, scene.numbers.one
    reached = f"one {one}" if groups == 1 else f"each of at most {counted(groups)} {one}s"
    if scene.own is not None:
        unit, neighbours = scene.own.query.unit, scene.own.query.neighbours
    else:
        unit = f"one person, who visits once in at most {several(groups, 'week', 'weeks')}"
        replaced = scene.person.relation == "replace"
        neighbours = f"{'replace' if replaced else 'add or remove'} one person"
    step = scene.numbers.step
    return footer(
        guarantee_of(scene.family).definition,
        unit=unit,
        neighbours=neighbours,
        sensitivity=f"one {scene.nouns.one} adds at most {most_words(scene.person, step)} to "
        f"{reached}",
        data=f"{INVENTED}; seeded noise" if scene.own is None else scene.own.statistic.data,
        symbols=sensitivity_words(scene.way.factorization, scene.family, step),
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
    bars = f"bars: how far off the {scene.queries.one}s typically are."
    if charted(scene) is not None:
        normal = scene.family.shape == NORMAL
        least, twice = ("", " (about twice the typical error)") if normal else ("at least ", "")
        bars = f"bands: where a total lands {least}{times_in_100(SURE)}{twice}; {bars}"
    return f"{capitalised(bars)} A forecast: no number is released yet."


def totals(scene: Linear, other: Way) -> Picture:
    """The totals, and around them where 95 of 100 land by both ways, the last weeks enlarged."""
    looks, frames = {TRUE: Look(width=1.5)}, []
    for way, colour in ((other, GREY), (scene.way, USED)):
        name = where(scene, way)
        looks[name] = Look(width=0, colour=colour, band=0.5)
        frames.append(_answers_line(scene, name, scene.exact, scene.reaches(way)))
    return _so_far(scene, frames, looks, "{} of visits, and where 95 of 100 land by two ways.")


def bars(scene: Linear) -> Picture:
    """How far off all answers typically are: by the way in use, the best and both plain ones."""
    best, rows = scene.comparison.best, []
    plain_ways = (scene.comparison.ways.get(name) for name in (ANSWERS, DATA))
    kept = {way.name: way for way in (best, scene.way, *plain_ways) if way is not None}
    for way in sorted(kept.values(), key=lambda way: way.typical):
        rows.append(
            {
                "row": capitalised(where(scene, way)),
                "length": way.typical,
                "colour": USED if way is scene.way else GREY,
                "end": significant(way.typical, DIGITS),
                "unit": scene.numbers.noun,
                "detail": f"“{way.name}”: {significant(way.typical / best.typical)} times the "
                "least of all ways.",
            }
        )
    return bar_rows(
        pd.DataFrame(rows),
        what=f"How far off all {scene.queries.one}s typically are.",
    )


# --- the formulas, and the same in Python ---


def formula(scene: Linear) -> str:
    """Formulas with the numbers put in, and all ways as a table."""
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
    bound, step = scene.comparison.bound, scene.numbers.step
    times = "" if step == 1 else rf"{significant(step)}\cdot"
    text = (
        rf"$A=L\,R$: {m:,} answers, {made.inner:,} numbers with noise, {n:,} {many}. A release is "
        r"$L\,(R\,x+Z)$, so answer $q$ has the variance $\mathrm{Var}\,Z\cdot\|L_q\|^2$."
        "\n\n"
        f"- noise: {noise} = {significant(level, 6)}, variance "
        f"{significant(scene.family.variance(level), 6)}\n"
        rf"- $\|L\|^2$ = {significant(made.row_squares.sum(), 6)}; typical error "
        rf"${times}\sqrt{{\mathrm{{Var}}\,Z\cdot\|L\|^2/m}}$ = **{significant(way.typical, 6)}**"
        "\n"
    )
    if bound is not None:
        text += (
            rf"- no factorization is below ${times}\sqrt{{\mathrm{{Var}}\,Z_1\cdot"
            r"\|A\sqrt{W}\|_*^2/m}$ = "
            f"**{significant(bound, 6)}**, with the sum of singular values, "
            r"$W=\sum_kw_kv_kv_k^{\mathsf T}$ for the best weights of what the bounds let move "
            f"the {many}, and $Z_1$ the noise of a single number (Li and Miklau 2013; Denisov "
            "and others 2022)\n"
        )
    if step != 1:
        text += (
            f"- noise, Δ₁ and Δ₂ are in whole steps of {significant(step)}; errors times a step\n"
        )
    text += (
        "\nLossless for every linear $L$: $L\\,Y_h=L\\,Y_\\ell+L\\,(N_h-N_\\ell)$, and the "
        "increment is independent of the data. $L$ needs no left inverse."
    )
    return "\n\n".join([text, ways_table(scene), *remarks(scene)])


def ways_table(scene: Linear) -> str:
    """The sensitivities and errors of every way, as Markdown."""
    names = ("way", "factorization", "numbers with noise", "Δ₁", "Δ₂", "typical error")
    rows = [f"| {' | '.join((*names, 'left inverse'))} |", "|" + "---|" * (len(names) + 1)]
    for name, way in scene.comparison.ways.items():
        made = way.factorization
        told = (made.l1_sensitivity, made.l2_sensitivity, way.typical)
        cells = [literal(name_of(scene, name)), name, f"{made.inner:,}"]
        cells += [significant(each, 4) for each in told]
        cells.append("yes" if made.has_left_inverse else "no")
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def remarks(scene: Linear) -> list[str]:
    """What is known about all ways, which rule gave the sensitivities, and what is not offered."""
    found, made, step = scene.comparison, scene.way.factorization, scene.numbers.step
    one, unit = scene.numbers.one, scene.nouns.one
    told = [limit(scene).text]
    if scene.attained():
        told.append("The best way attains the bound by singular values, up to one in a thousand.")
    simple = scene.person.groups == 1 and scene.person.relation != "replace"
    if found.bound is not None and not simple and not scene.queries.workload.fits(scene.person):
        told.append(
            f"That is for {scene.nouns.a_unit} that comes or goes with one {one}; for the bounds "
            "chosen it could lie higher."
        )
    if FITTED in found.ways and guarantee_of(scene.family).norm == "l2":
        told.append(
            f"“{FITTED}” is what a search found; nothing proves that no other way is better."
        )
    told.append(
        f"“{scene.way.name}”: Δ₁ = {made.moves.l1.method}, Δ₂ = {made.moves.l2.method}. M: most "
        f"that one {unit} adds to one {one}, here {most_words(scene.person, step)}; ℓ₀: {one}s per "
        f"{unit}. Never too small; exact where {scene.nouns.a_unit} is in one {one}."
    )
    told += [f"Not offered here: {name}, because {why}." for name, why in found.left_out.items()]
    if isinstance(scene.queries.key, tuple):  # a matrix that was typed
        (_, n), data = scene.queries.workload.shape, scene.queries.workload.factorization(DATA)
        rank, tolerance = data.rank_and_tolerance
        told.append(
            f"The matrix has rank {rank} and {numbered(n, 'columns')} (singular values above "
            f"{significant(tolerance, 2)} count): the answers {'do not ' * (rank < n)}determine "
            f"every {one}."
        )
    return [literal(each) for each in told]


def arguments(scene: Linear) -> Mapping[str, object]:
    """With what the sample makes the numbers: data, generator and the levels drawn so far."""
    workload = scene.queries.sample
    needs = f"from dpviz.linear.workloads import {workload.split('(')[0]}"
    data = code.Text(f"np.array({scene.data.tolist()!r})  # made up")
    draws = _draws(scene)
    if scene.own is not None:
        query = code.query_code(scene.own.statistic)
        data = code.Text("query.values(table)", before=(query,))
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


def _draws(scene: Linear) -> dict[str, object]:
    """The generator of the session, and the levels of the tiers that drew, in that order."""
    if scene.own is None:
        held, rng = _HELD.get(scene.key), code.seeded(*scenes.seed_of(scene, _AGAIN.get()))
        levels = [] if held is None else [held.budgets[name].level for name in held.drawn]
        return {"rng": rng, "levels": levels}
    ws = workspace()
    one = ws.find(scene.own.key)
    levels = [entry.level for entry in ws.entries_of(one)]
    return {**code.drawn_again(ws, scene.own.asking, one), "levels": levels}


# --- the closer: what every tier gets ---


def each_tier(ws: Workspace, scene: Linear) -> None:
    """What every tier gets, drawn in any order; exact answers where they are public."""
    own = scene.own
    tiers, exact = _made_up(scene) if own is None else _own(ws, scene, own)
    if tiers:
        st.subheader(
            f"What each tier gets: {scene.count:,} {scene.queries.one}s, in "
            f"{literal(scene.numbers.noun)}",
            anchor=False,
        )
        _show_answers(scene, tiers, exact)
    else:
        parts.empty(
            "No answers in this session yet.",
            "Draw a tier: its answers appear here, with a 95 % interval for each exact one.",
        )
    if own is not None:
        panel.hand_out(
            ws,
            own.asking,
            own.tiers(ws)[0],
            key="linear_file_",
            caption="Each file holds and explains one tier’s answers: no other tier’s, no exact "
            "ones.",
        )


def _typically(scene: Linear, level: float) -> str:
    return f"typically off by {significant(scene.typical_at(level), DIGITS)}"


def _made_up(scene: Linear) -> tuple[tuple[HeldTier, ...], Array | None]:
    """What the tiers of the made-up year hold, drawn by buttons, and its exact answers."""
    one = _HELD.take(scene.key, lambda: YearSession.of(scene, _AGAIN.get()))
    waiting = {name: one.budgets[name] for name in cast.ASKING if name not in one.drawn}
    each = {
        name: f"Answers {_typically(scene, found.level)}; {_right(scene, found.loss)} guesses "
        f"about one person right (a coin: 500), at {budget(found.letter, found.loss)}."
        for name, found in waiting.items()
    }

    def over() -> None:
        panel.start_over(
            "Start this session over",
            _start_over,
            scene.key,
            key="linear_over",
            why="New noise. Only a made-up year may be asked again like this.",
        )

    panel.draw_tiers(
        {name: cast.STYLES[name] for name in reversed(one.budgets)},
        panel.offer_made_up(each, one.draw),
        verb="Show",
        key="linear",
        over=over,
    )
    return one.tiers, scene.exact


def _start_over(key: Hashable) -> None:
    """Forget a session: the next one has other noise."""
    _AGAIN.set(_AGAIN.get() + 1)
    _HELD.drop(key)


def _own(ws: Workspace, scene: Linear, own: Subject) -> tuple[tuple[HeldTier, ...], Array | None]:
    """What the tiers of the visitor's statistic hold, drawn by buttons, and what was revealed."""
    tiers, left_out = own.tiers(ws)
    offered = panel.offer(
        ws,
        own.asking,
        tiers,
        lambda p: f"Answers {_typically(scene, p.budget.level)}",
        key="linear_own",
    )
    styles = {p.name: ws.plan.style_of(p.name) for p in reversed(tiers)}
    panel.draw_tiers(styles, offered, verb="Draw", key="linear_own")
    panel.plan_topic(ws, "linear_queries", own.asked, key="linear_plan")
    st.caption(OTHERS)
    panel.left_out(left_out)
    revealed = looking.reveal(ws, own.statistic.table, key="linear_reveal")
    if revealed:
        parts.show_badges([parts.REVEALED])
    held = tuple(tier for tier, _ in structured.held_tiers(ws, own.asking, tiers))
    return held, own.exact if revealed else None


def _show_answers(scene: Linear, held: tuple[HeldTier, ...], exact: Array | None) -> None:
    """The answers of every tier with their intervals; the sharpest tier on top."""
    split, step, noun = scene.way.factorization, scene.numbers.step, scene.numbers.noun
    tiers = [replace(t, values=step * np.asarray(t.values)) for t in reversed(held)]
    reaches = [step * half_widths(split, scene.family, t.level, SURE) for t in tiers]
    names = scene.queries.names
    truth = ""
    if exact is not None:
        truth = " Thin: the exact answer, not private." if scene.own else " Thin: the true numbers."
    if scene.own is None and scene.queries.key == "totals":
        made = tier_lines(scene, tiers, reaches)
    else:
        answers = numbered(len(names), "noisy answers")
        made = release_chart(
            answers_frame(tiers, names, reaches),
            what=f"{numbered(len(tiers), 'tiers')} with {answers} each.",
            noun=noun,
            axis_title=noun,
            confidence=SURE,
            exact=None if exact is None else pd.DataFrame({"group": list(names), "value": exact}),
            group_title=f"{len(names):,} {scene.queries.one}s",
            truth="the exact answer",
            beside={
                t.name: f"{_typically(scene, t.level)} ({_right(scene, t.loss)} guesses right)"
                for t in tiers
            },
        )
    how = "" if scene.family.shape == NORMAL else " (computed, to the safe side)"
    parts.picture(
        made,
        reading=f"On average {times_in_100(SURE)} an interval holds its exact answer{how}.{truth}",
        key="linear_answers",
    )


def _right(scene: Linear, loss: float) -> str:
    return f"{guesses_at(scene.family, loss, scene.delta).said} of 1,000"


def tier_lines(scene: Linear, tiers: Sequence[HeldTier], reaches: Sequence[Array]) -> Picture:
    """What the tiers got of the totals of the year, sharpest first, with the true ones."""
    looks, frames = {TRUE: Look(width=1.5)}, []
    for tier, reach in zip(tiers, reaches, strict=True):
        style, right = tier.style, _right(scene, tier.loss)
        words = f"{tier.name}: {_typically(scene, tier.level)} ({right} right)"
        looks[tier.name] = Look(colour=style.colour, symbol=style.marker, words=words)
        frames.append(_answers_line(scene, tier.name, np.asarray(tier.values, dtype=float), reach))
    return _so_far(scene, frames, looks, f"{numbered(len(tiers), 'tiers')} with {{}} each.")


def _so_far(
    scene: Linear, frames: list[pd.DataFrame], looks: Mapping[str, Look], what: str
) -> Picture:
    """Lines and bands of the totals of the year, the true ones last, the last weeks enlarged."""
    true = _answers_line(scene, TRUE, scene.exact, np.full(scene.count, math.nan))
    many = scene.count > 3 * ENLARGED
    return lines(
        pd.concat([*frames, true]),
        what=what.format(scene.queries.words),
        x=Axis(title=scene.numbers.one),
        y=Axis(title=f"{scene.numbers.noun} so far"),
        looks=looks,
        enlarged=(scene.count - ENLARGED + 1, scene.count) if many else None,
    )


def _answers_line(scene: Linear, name: str, values: Array, reach: Array) -> pd.DataFrame:
    """A line of answers with its band."""
    detail = [
        f"{number(value)} {scene.numbers.noun} {asked}."
        for value, asked in zip(values, scene.queries.names, strict=True)
    ]
    made = pd.DataFrame({"line": name, "x": np.arange(1, len(values) + 1), "y": values})
    return made.assign(low=values - reach, high=values + reach, detail=detail)


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
