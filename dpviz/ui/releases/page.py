"""Releases: every tier's release, drawn once, in any order."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from dpviz.accounting.composition import ZCDP
from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.forms.bar_rows import BAR_ROWS, bar_rows
from dpviz.charts.forms.guess_scale import BOUND, ELSEWHERE, guess_row, guess_scale
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.rulers import alike, suits
from dpviz.charts.releases import ROWS_UP_TO, is_thinned, release_chart
from dpviz.errors import ParameterError
from dpviz.handout.post_processing import PROCESSINGS, Processing
from dpviz.noise import ADDITIVE
from dpviz.palette import GREY
from dpviz.parameters import seed_from
from dpviz.planning.amounts import PAIR
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Kind
from dpviz.scenes import releases as scenes
from dpviz.scenes.releases import (
    MANY,
    STATISTICS,
    WIDE_ROWS,
    Choice,
    Order,
    Releases,
    View,
    ledger_frame,
    sharpest_first,
    wide_frame,
)
from dpviz.ui.kit import code, controls, hand_out, looking, parts, plan_file, press
from dpviz.ui.kit.page_form import Closer, PageForm
from dpviz.ui.kit.state import workspace
from dpviz.ui.releases import drawing
from dpviz.words import after, capitalised, join, percent, pm, significant
from dpviz.words.claims import Number, Said, say
from dpviz.words.grammar import times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace import account, takeaways
from dpviz.workspace.guesses import ALL, GUESSER
from dpviz.workspace.limits import LIMITS, read_limit
from dpviz.workspace.takeaways import (
    cost_words,
    everybody,
    loss_claim,
    loss_words,
    range_of_tiers,
)
from dpviz.workspace.workspace import Workspace

CONFIDENCES = (0.90, 0.95, 0.99)
QUOTIENT = (
    "A mean is the quotient of two released numbers, which cannot be undone. The sums and numbers "
    "of rows themselves, which are in the files, are a lossless release."
)
SHOWN = (20, 50, 1000, 100_000)  # of many groups
ORDERS: dict[Order, str] = {
    "list": "as listed",
    "largest": "largest first",
    "smallest": "smallest first",
}
LONG = 12  # entries; a longer ledger scrolls
LEDGER = "What was drawn, and from what?"


# --- what is asked: draws, and how they are looked at ---


def ask(ws: Workspace, view: View) -> tuple[Workspace, View, Choice | None]:
    """Offer the draws, and what can be handed out."""
    drawing.ask(ws)
    parts.problem_of_last_act()
    choice = _choice(ws) if ws.held and len(ws.statistic.query.labels) > MANY else None
    hand_out.hand_out(ws, view.processing)
    return ws, view, choice


def _choice(ws: Workspace) -> Choice:
    """Of many groups those that are looked for, or the first in some order."""
    key = f"{ws.statistic.table.digest[:8]}_{len(ws.statistic.query.labels)}"
    search = controls.text_input("Search a group", key=f"search_{key}")
    order: Order = controls.selectbox(
        "Order", list(ORDERS), format_func=ORDERS.__getitem__, key="order"
    )
    show = controls.selectbox("Show", SHOWN, format_func="{:,} groups".format, key="show")
    return Choice(search=search, order=order, show=show)


def settings_of(ws: Workspace) -> View:
    """What specialists change: how the numbers are looked at, the limit, and the seed."""
    look, most, seed = st.columns(3, gap="medium")
    with look:
        view = _view(ws)
    with most:
        _limit(ws)
    with seed:
        _seed(ws)
    return view


def _view(ws: Workspace) -> View:
    """How the releases are looked at."""
    confidence = controls.segmented_control(
        "Confidence of the intervals",
        CONFIDENCES,
        default=ACCURACY_CONFIDENCE,
        format_func=percent,
        key="confidence",
    )
    processing = _processing(ws)
    revealed = looking.reveal(
        ws,
        ws.statistic.table,
        key="releases_reveal",
        help_text="For teaching. They enter no download and no other tier’s view.",
    )
    return View(confidence=confidence, processing=processing, revealed=revealed)


def _processing(ws: Workspace) -> Processing:
    """How the numbers are shown: as released or post-processed, each with its badge."""
    query = ws.statistic.query
    offered = [key for key, p in PROCESSINGS.items() if p.offered(query)]
    chosen = controls.selectbox(
        "Show the numbers",
        offered,
        format_func=lambda key: PROCESSINGS[key].label,
        key=f"processing_{type(query).__name__}_{query.dimension > len(query.by.labels)}",
        help="Post-processing changes what is shown and added to the pack; never the release.",
    )
    made = PROCESSINGS[chosen]
    if made.key != "released" or query.per_value > 1:
        why = made.reason if query.per_value == 1 else QUOTIENT
        st.caption(f"**{capitalised(made.kind_for(query))}.** {literal(why)}")
    return made


def _limit(ws: Workspace) -> None:
    """Set the most that everything together may cost: every act keeps it."""
    left, right = st.columns(2)
    usual = "ρ" if guarantee_of(ws.family).definition == ZCDP else PAIR
    with left:
        kind: Kind = controls.selectbox(
            "Limit as",
            list(LIMITS),
            index=list(LIMITS).index(usual),
            key=f"limit_kind_{usual}",
            lasting=False,
            help="A limit in ρ can count only Gaussian noise, one in ε only noise without a δ. One "
            "in (ε, δ) counts every noise, at the δ typed here.",
        )
    with right:
        amount = controls.text_input(
            "Limit", key="limit_amount", placeholder=drawing.EXAMPLES[kind], lasting=False
        )
    st.caption("For everything released here together. A draw that would exceed it is refused.")
    press.button(
        "Keep this limit", _use_limit, ws, kind, amount, key="limit_use", closes=parts.DRAWER
    )
    if ws.limit is not None and ws.owner is None:
        press.button("Lift the limit", ws.use_limit, None, key="limit_lift", closes=parts.DRAWER)


def _use_limit(ws: Workspace, kind: Kind, amount: str) -> None:
    ws.use_limit(read_limit(kind, amount))


def _seed(ws: Workspace) -> None:
    """The seed of practice mode: on screen, in the address, and in a plan that is saved."""
    if not ws.keeper.name:  # all tabs on a project share its sessions
        st.caption(
            "Another tab, or another seed, draws independent noise: together they tell more."
        )
    if ws.mode == "hardened":
        st.caption("Hardened mode: randomness comes from the operating system, there is no seed.")
        return
    typed = controls.text_input(
        "Seed of the next session",
        str(ws.seed),
        key=plan_file.SEED_FIELD,
        help="The same seed, table and question give the same numbers, in any tab and any order; "
        "sparse histograms and reports differ from tab to tab. Anyone who knows the seed can "
        "subtract the noise: the address and the plan file have it, hand-outs never do.",
    )
    try:
        ws.seed = seed_from(typed)
    except ParameterError as error:
        parts.refusal(str(error))
    if ws.round is not None:
        st.caption("The session in use keeps the seed that it began with.")


# --- the sentences ---


def headline(scene: Releases) -> Said:
    """What the tiers that hold a release see, and what all together can guess."""
    family, query, size = scene.family, scene.query, scene.size
    if scene.held:
        return takeaways.tiers(
            *(scene.held, family, query, scene.together, scene.apart, size),
            verb="sees",
            confidence=scene.view.confidence,
            right=scene.right,
        )
    if scene.together.value:
        what = "bound on the privacy loss of all together"
        cost = loss_claim(what, scene.together, query.nouns.one)
        return say(
            "Nothing is released in this session yet; earlier sessions have cost {cost}, and more "
            "will add.",
            cost=Number(cost_words(scene.together), cost),
        )
    if not scene.planned:
        return say("Nothing is drawn yet. Ask for the tiers in any order.")
    will = range_of_tiers(scene.planned, family, scene.view.confidence, query, "will see", size)
    return say("Nothing is drawn yet. {will}.", will=will)


def beside(scene: Releases) -> tuple[Said, ...]:
    """What the guesses beside are, and whatever a reader has to know of this session."""
    found = []
    if scene.loss is not None and _is_forecast(scene):
        sure = times_in_100(scene.view.confidence)
        found.append(
            Said(
                f"Expected, before anything is drawn: {sure} a number is at most this far from the "
                "exact one; shorter: more exact."
            )
        )
    elif scene.loss is not None:
        bound = f" {BOUND}" if scene.right.kind == "at most" else ""
        found.append(
            Said(
                f"Bar: right guesses whether one {literal(scene.query.nouns.one)} is in the table. "
                f"{GUESSER}{bound} {ELSEWHERE}"
            )
        )
    if scene.limit:
        found.append(Said(scene.limit))
    found += _equal(scene)
    if scene.earlier:
        several = "One session" if scene.sessions == 1 else f"{scene.sessions} sessions"
        found.append(
            Said(
                f"{several}: within one only the largest loss counts; losses of sessions compose. "
                f"Method: {literal(scene.together.method)}."
            )
        )
    for unit, loss in scene.other_units.items():
        found.append(
            Said(
                f"Besides, where {literal(unit)}: {cost_words(loss)}. Losses of different units "
                "are never added."
            )
        )
    return tuple(found)


def _equal(scene: Releases) -> list[Said]:
    """Why a tier has the same number as a sharper one, if it has."""
    if not scene.equal:
        return []
    return [
        Said(
            f"That tiers share a number is no mistake: with {scene.family.label} noise, what is "
            "added to a sharper number to make a noisier one is sometimes nothing at all."
        )
    ]


# --- the pictures ---


def picture(scene: Releases) -> tuple[Picture, ...]:
    """Every held release with its interval; nothing before the first draw."""
    if not scene.held:
        return ()
    frame, noun, few = _frame(scene), scene.query.noun, suits(scene.numbers)
    scale = f"arsinh of {noun}" if scene.view.processing.key == "asinh" else noun
    made = release_chart(
        frame,
        what=f"{capitalised(scene.query.statistic)}: what each tier received.",
        noun=noun,
        confidence=scene.view.confidence,
        axis_title="" if few else scale,
        exact=scene.exact,
        group_title=scene.query.by.title,
    )
    return (made,)


def _frame(scene: Releases) -> pd.DataFrame:
    return sharpest_first(scene.numbers)


def reading(scene: Releases) -> str:
    """What the numbers are, and how to read the picture, whichever it is."""
    view, frame = scene.view, _frame(scene)
    groups, sure = frame["group"].nunique(), times_in_100(view.confidence)
    lies = "holds the exact number"
    marks = f"Mark: the number released; bar: {lies} {sure}, for each group."
    if groups > ROWS_UP_TO:
        marks = f"Line: the numbers released; band: {lies} {sure}, for each group."
    said = [f"**{literal(capitalised(scene.query.statistic))}.** {marks}"]
    if suits(frame) and groups > 1:
        steps = "equal" if alike(frame, scene.exact) else "unequal"
        said.append(f"The scales start at different numbers, with {steps} steps.")
    if scene.query.clip is None and not (scene.family.integer or view.processed):
        said.append("Tenths come from the noise; the count itself is whole.")
    if view.processed:
        said.append("The mark is post-processed, the line is not.")
    if view.revealed:
        said.append("Thin line: the exact number, not private.")
    if is_thinned(frame):
        said.append("Thinned to 2,000 groups on screen.")
    if scene.lost:
        said.append("No group has this in its name: all are shown.")
    return " ".join(said)


def meter(scene: Releases) -> Picture | None:
    """How often all with a release guess right together; before a draw, how near each comes."""
    if scene.loss is None:
        return None
    if _is_forecast(scene):
        return _forecast(scene)
    names, who = scene.sharers, "All releases so far"
    if not scene.earlier:
        together = f"{everybody(len(names)).text} together"
        who = together if len(names) > 1 else capitalised("".join(names))
    adds = "Earlier sessions add to the largest." if scene.earlier else "Only the largest counts."
    row = guess_row(
        scene.right,
        row=who,
        colour=GREY if scene.earlier else scene.colour,
        detail=f"{adds} {capitalised(loss_words(scene.loss))}.",
    )
    what = f"Right guesses about one {scene.query.nouns.one}, of {ALL:,}."
    return bar_rows(pd.DataFrame([row]), what=what, scale=guess_scale())


def _is_forecast(scene: Releases) -> bool:
    """Whether nothing is drawn yet, in this session or in one before it."""
    return not scene.held and not scene.together.value


def _forecast(scene: Releases) -> Picture:
    """How far off the numbers of each tier may be: a bar each, the sharpest on top."""
    unit = after(scene.query.noun)
    rows = [
        (tier.name, "", half, tier.style.colour, pm(half), unit, "")
        for tier, half in zip(reversed(scene.planned), reversed(scene.halves), strict=True)
    ]
    return bar_rows(
        pd.DataFrame(rows, columns=list(BAR_ROWS)),
        what="How far off each tier’s numbers may be. Nothing is drawn yet.",
        styles={tier.name: tier.style for tier in scene.planned},
    )


def badges(scene: Releases) -> Sequence[parts.Badge]:
    """The kind of what is shown, groups read off the data, a seal, and exact numbers."""
    holds = (scene.held or scene.planned)[-1:]
    found = [parts.lossless(tier.name, weakly=scene.kind != "lossless") for tier in holds]
    found += [looking.READ_OFF] * scene.read_off + [parts.SEALED] * scene.sealed
    return [*found, parts.REVEALED] if scene.view.revealed else found


# --- for specialists ---


def formula(scene: Releases) -> str:
    """How the last draw leaned on its neighbours, with numbers."""
    family, last = scene.family, scene.last
    text = (
        f"Between two releases that were drawn, at levels $l<h$: {family.bridge_formula}. Beyond "
        "the noisiest one, new noise is added."
    )
    if last is None:
        return text
    weights = ", ".join(
        f"{percent(n.weight)} at level {significant(n.level, 4)}" for n in last.neighbours
    )
    exact = "on screen now, and not private." if scene.view.revealed else "not shown."
    return (
        f"{text}\n\n{literal(last.tier)}, at level {significant(last.level, 4)}, was drawn from: "
        f"{weights} ({family.weight_meaning}). Level 0 is the exact number: {exact}"
    )


def arguments(_: Releases) -> Mapping[str, object]:
    """With what the sample draws the same releases in the same order.

    After sealing the exact numbers are gone, so it says that it draws afresh.
    """
    ws = workspace()
    one = ws.round
    statistic = one.statistic if one else ws.statistic
    asking = one.asking if one else statistic.asking(ws.family_name)
    load, table = code.table_code(statistic.table, statistic.loading, statistic.query.columns)
    return {
        "table": code.Text(table.removeprefix("table = "), before=(load,)),
        "query": statistic.query,
        "family": asking.family,
        "levels": tuple(ws.levels_of(one)),
        **code.drawn_again(ws, asking, one),
    }


# --- the closer: numbers and ledger ---


def ledger(ws: Workspace, scene: Releases) -> None:
    """The released numbers as a table, and what each draw looked at and cost."""
    if not ws.ledger:
        st.caption("Nothing has been drawn yet.")
        return
    if scene.held:
        alt = "Released numbers: a row per group, a column per tier."
        parts.table(wide_frame(scene.numbers), alt=alt)
        if scene.numbers["group"].nunique() > WIDE_ROWS:
            st.caption(f"The first {WIDE_ROWS:,} groups; the files above hold all.")
    entries = ledger_frame(ws.ledger, percent)
    alike = [name for name in ("kind", "session") if entries[name].nunique() == 1]  # fits a phone
    with st.container(height=460 if len(ws.ledger) > LONG else "content", border=False):
        parts.table(
            entries.drop(columns=alike),
            alt="Ledger: order of asking, tier, budget, neighbours and weights, noise.",
        )
    meanings = " / ".join(dict.fromkeys(ADDITIVE[e.family].weight_meaning for e in ws.ledger))
    st.caption(f"Per cent: {meanings}. These depend on the noise levels alone.")
    _statistics(ws)


def _statistics(ws: Workspace) -> None:
    """Every statistic that was released, with its loss, and the total over all."""
    found = account.by_statistic(ws)
    if len(found) < 2:
        return
    st.subheader("All statistics of this workspace", anchor=False)
    units = {unit: cost_words(loss) for unit, loss in account.by_unit(ws).items()}
    rows = [(said, table, join(names), cost_words(loss)) for said, table, names, loss in found]
    for unit, total in units.items():
        whose = "" if len(units) == 1 else f", where {unit}"
        rows.append((f"all together{whose}", "", "", total))
    parts.table(
        pd.DataFrame(rows, columns=list(STATISTICS)),
        alt="Each statistic with its table, its tiers and its privacy loss; in total "
        f"{join([*units.values()])}.",
    )


PAGE = PageForm(
    file="releases",
    controls=ask,
    scene=lambda asked: scenes.scene(*asked),
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    formula=formula,
    recipe=scenes.drawn,
    arguments=arguments,
    closers=(
        Closer(label=drawing.LATER, inside=drawing.later, key=drawing.BOX, with_scene=False),
        Closer(label=LEDGER, inside=ledger, key="ledger"),
    ),
    badges=badges,
    specialist=settings_of,
    aside=meter,
    ready=lambda scene: bool(scene.held),
    before=lambda ws: not ws.held,
)
