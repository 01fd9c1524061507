"""Top-k: which items are the most common, when the list itself is private."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from dpviz.charts.forms.picture import Picture
from dpviz.charts.releases import release_chart
from dpviz.charts.top_k import two_rankings
from dpviz.parameters import DELTA, DELTA_MEANING, EPSILON
from dpviz.planning import typed
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import Count, TextCounts
from dpviz.scenes import top_k as scenes
from dpviz.scenes.top_k import FATE, ITEM, MISSED, SEED, SEEN, TOLD, WRONG, Own, Settings, TopList
from dpviz.top_k import Reach
from dpviz.top_k.choice import MECHANISMS
from dpviz.ui.kit import bound_controls, code, controls, looking, panel, parts, source
from dpviz.ui.kit.page_form import Missing, PageForm
from dpviz.ui.kit.source import EXAMPLE, OWN
from dpviz.ui.kit.state import Slot, workspace
from dpviz.words import capitalised, delta, loss_with_delta, percent, pm, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import numbered, times_in_100, uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN, right_of_epsilon
from dpviz.workspace.takeaways import counted
from dpviz.workspace.top_k import Common, Source, Subject
from dpviz.workspace.workspace import Workspace

PRIVATE, PUBLIC = "private", "public"
LONGEST = 50  # of a list
MOST_REACHED, MOST_TEXTS = 10**9, 1_000_000
_AGAIN = Slot("topk_again", lambda: 0)
IN_ITEMS = "Items of one person, at most"
NO_GROUPS = Missing(
    "The statistic of the page Data has no public list of groups. Choose a number per group there, "
    "or a private list here.",
    "data",
)
HARDENED = (
    "Hardened mode draws the list exactly, item by item, and whole-number noise for its counts; "
    "truncated noise is not offered."
)


# --- what is asked ---


class Fine(NamedTuple):
    """What only specialists change."""

    known: bool  # whether the list of all items is public
    mechanism: str
    delta: str  # as typed


def fine(ws: Workspace) -> Fine:
    """Ask whether the items are known, for the way to draw, and for δ."""
    chosen = controls.segmented_control(
        "The list of all items is",
        (PRIVATE, PUBLIC),
        default=PRIVATE,
        key="topk_domain",
        help="Public: written down without looking at the data, such as all countries. Private: an "
        "item is known only because somebody, or something, has it, so naming it gives that away.",
    )
    known = chosen == PUBLIC
    names = [scenes.BEST, *(name for (listed, _), name in MECHANISMS.items() if listed == known)]
    return Fine(
        known=known,
        mechanism=controls.selectbox(
            "Way to draw",
            names,
            format_func=capitalised,
            key=controls.keyed("topk_mechanism", tuple(names)),
            help="At first the way that disturbs the list least.",
        ),
        delta=controls.text_input(
            "δ",
            delta(ws.delta),
            key=f"topk_delta_{ws.delta!r}",
            help=f"δ, delta: {DELTA_MEANING}. It begins at the δ of your plan.",
        ),
    )


def settings(ws: Workspace, fine: Fine) -> TopList | Missing:
    """Ask whose counts, how long a list, and at which budget."""
    if controls.look_at(EXAMPLE, OWN, key="topk_source") == EXAMPLE:
        st.caption(TOLD)
        return source.value_or_missing(
            lambda: scenes.of_example(_list(fine, len(scenes.CITIES)), fine.mechanism, _AGAIN.get())
        )
    of = _own(ws, fine.known)
    if isinstance(of, Missing):
        return of
    return source.value_or_missing(lambda: _of_column(ws, of, fine))


def _of_column(ws: Workspace, of: Source, fine: Fine) -> TopList:
    """Ask for the list of the visitor’s column.

    Raises:
        ParameterError: what is typed cannot be used.
    """
    most = len(of.query.labels) if isinstance(of.query, Count) else LONGEST
    what = _list(fine, most, of.reach, whole=ws.mode != "hardened")
    revealed = looking.reveal(ws, of.table, key="topk_reveal")
    if not what.whole:
        st.caption(HARDENED)
    return scenes.of_column(ws, of, what, fine.mechanism, revealed=revealed)


def _list(fine: Fine, items: int, reach: Reach | None = None, *, whole: bool = True) -> Settings:
    """Ask for length and budget, and of the example what one person can do to the counts.

    Raises:
        ParameterError: what is typed cannot be used.
    """
    most = min(LONGEST, items)
    usual = str(min(10, most))
    length = controls.text_input(
        "How many items",
        usual,
        key=f"topk_k_{usual}",
        help="k, the most items on the list. On a longer list each place gets less of the budget.",
    )
    amount = controls.text_input(
        "Budget ε (larger: sharper, less private)",
        "1",
        key="topk_epsilon",
        help="A bound on the privacy loss of the list and one release of its counts together, "
        "half for each.",
    )
    if reach is None:
        limit = controls.text_input(
            IN_ITEMS,
            placeholder="any number, if left empty",
            key="topk_l0",
            help="ℓ₀: in how many items one person may be counted. With a small limit, noise in "
            "every count is cheaper; without one, only a list of bounded length is private.",
        ).strip()
        l0 = typed.whole(limit, where=IN_ITEMS, least=1, most=MOST_REACHED) if limit else None
        reach = Reach(l0=l0)
    return Settings(
        k=typed.whole(length, where="How many items", least=1, most=most),
        epsilon=EPSILON.read_exact(amount, where="Budget ε"),
        delta=DELTA.read_exact(fine.delta, where="δ"),
        reach=reach,
        known=fine.known,
        whole=whole,
    )


def _own(ws: Workspace, known: bool) -> Source | Missing:
    """Ask what is counted of the visitor's: the groups of the statistic, or a column of texts."""
    if known:
        statistic, query = ws.statistic, ws.statistic.query
        if not isinstance(query, Count):
            return NO_GROUPS
        st.caption(f"Counted: {literal(query.statistic)}, as on the page Data.")
        return source.value_or_missing(lambda: Source(table=statistic.table, query=query))
    held = source.kept(ws, _listed_of, lambda of: of.query.statistic, key="topk_held")
    if held is not None:
        return held
    return source.of_table(ws, lambda: _column(ws), texts=True)


def _listed_of(subject: object) -> Source | None:
    """A column of which a project holds a list."""
    return subject.source if isinstance(subject, Subject) and not subject.source.known else None


def _column(ws: Workspace) -> Source:
    """A column of texts, of which nobody has made a list."""
    column = source.column(
        ws,
        "Column of items",
        key="topk_column",
        help="Each text in the column is an item. Which texts there are is as secret as their "
        "counts.",
        texts=True,
    )
    with bound_controls.place(ws, None):
        bounds = bound_controls.choose(ws, None)
    return Source(table=ws.table, query=TextCounts(column, bounds(MOST_TEXTS)))


# --- what is drawn ---


def acts(scene: TopList) -> None:
    """Another list of the example; of a column, its list and its tiers."""
    if scene.own is not None:
        _act_on(workspace(), scene, scene.own)
        return
    panel.start_over("Draw another list", _AGAIN.set, scene.again + 1, key="topk_over", blue=True)


def _act_on(ws: Workspace, scene: TopList, own: Own) -> None:
    """Draw the list, once for all tiers; then its counts, by tiers in any order."""
    listing = own.listing
    if listing is None:
        st.info(
            "Here the list needs no draw of its own: release all counts on the page Releases, and "
            "each tier reads its list off its own numbers.",
            icon=":material/format_list_numbered:",
        )
        parts.link("releases")
        return
    offered = panel.draw_once(
        ws,
        listing.asking(ws.family),
        listing.planned,
        "Draw the list" if scene.drawn is None else "The list is drawn",
        key="topk_list",
        done=scene.drawn is not None,
        means="Drawn once and kept, the same for all tiers. Other settings make another list, "
        "and the two costs add up.",
        icon="format_list_numbered",
    )
    if scene.drawn is None:
        st.caption(offered.all)
    panel.plan_topic(ws, "top_k", listing.asked, key="topk_plan")
    if isinstance(listing, Common):
        st.caption(
            "All tiers get one and the same list and counts. To give each tier counts of its own "
            "accuracy, choose the Gumbel list that can end."
        )
    if own.values is not None:
        st.caption(
            "Its counts, for tiers in any order: together they learn what the sharpest learns."
        )
        noun = own.source.query.noun
        panel.draw_subject(
            ws, "top_k", own.values, lambda p: panel.near(p.budget, noun), key="topk_counts"
        )
    parts.problem_of_last_act()


def badges(scene: TopList) -> list[parts.Badge]:
    """That the counts of the tiers are lossless, and whether exact counts are on screen."""
    if scene.own is None:
        return []
    revealed = [parts.REVEALED] if scene.counts is not None else []
    together = [parts.lossless(tier.name) for tier in scene.own.tiers[-1:]]
    return (together if scene.own.values is not None else []) + revealed


# --- the sentences ---


def headline(scene: TopList) -> Said:
    """Whether a list can be published, and how much of it is right."""
    if scene.drawn is None:
        can = "counts that are near each other may change places"
        return say(
            "Not yet: no list has been drawn. One of {k} would cost a privacy loss bounded by "
            "{cost}; {can}.",
            k=Name(f"{scene.k:,}"),
            cost=_cost(scene),
            can=can if scene.choice.threshold is None else _names_only(scene),
        )
    if not scene.drawn.items:
        return say(
            "Not at this budget: the list ended before its first item, as {names}. A limit on the "
            "items of one {one}, a public list or a larger ε lowers that.",
            names=_names_only(scene),
            one=Name(scene.nouns.one),
        )
    if scene.counts is None:
        return say(
            "Yes: the noisy list names {many} {things}{ended}. It cost a privacy loss bounded by "
            "{cost}; what it misses stays hidden.",
            many=Name(counted(len(scene.drawn.items))),
            things=Name(scene.things),
            ended=", then it ended" if scene.drawn.ended else "",
            cost=_cost(scene),
        )
    return say("Yes. This list names {right}. {guess}", right=_right(scene), guess=_guess(scene))


def _right(scene: TopList) -> Said:
    """How many of the most common items the list has, and what is wrong with it."""
    k, (missed, wrong) = Name(counted(scene.true_k)), scene.outcomes
    if not missed:
        return say("all of the true {k}", k=k)
    compared = "the list compared with the exact counts, of equal ones in alphabetical order"
    claim = _claim(scene, "items that this list has right", scene.true_k - missed, compared)
    right = Number(counted(scene.true_k - missed) if claim.value else "none", claim)
    instead: Said | str = ""
    if scene.own is None and missed == wrong == 1:
        frame = scene.frame
        there, gone = (frame.loc[frame[FATE] == fate, ITEM].item() for fate in (WRONG, MISSED))
        instead = say("; {there} takes {gone}’s place", there=Name(there), gone=Name(gone))
    return say("{right} of the true {k}{instead}", right=right, k=k, instead=instead)


def _names_only(scene: TopList) -> Said:
    """What a list that can end is able to name."""
    least = scene.choice.threshold or 0.0
    how = "the sign that the list has ended, or the cut of the noise (MATHEMATICS 13.2, 13.4)"
    what = "noisy count above which an item can be named"
    return say(
        "it can name only what about {least} {noun} or more have",
        least=Number(f"{math.ceil(least):,}", _claim(scene, what, least, how, unit=scene.noun)),
        noun=Name(scene.noun),
    )


def _cost(scene: TopList) -> Number:
    """The bound on the privacy loss of the list, with its counts where both are one release."""
    cost, at = scene.list_cost, scene.list_delta
    of = f"the list{' and its counts' * scene.in_one} at δ = {delta(at)}"
    claim = _claim(
        scene,
        f"bound on the privacy loss, ε, of {of}",
        cost.value,
        f"{cost.method} (MATHEMATICS 5.3, 13.1, 13.4)",
        kind="at most",
    )
    return Number(literal(loss_with_delta("ε", cost.value, at)), claim)


def _claim(scene: TopList, what: str, value: float, method: str, **more: Any) -> Claim:
    return Claim(what=what, value=value, fixed=_settings(scene), method=method, **more)


def _settings(scene: TopList) -> str:
    """What is held fixed, in words."""
    reach = scene.settings.reach
    moved = "any number of counts" if reach.l0 is None else f"at most {reach.l0:,} counts"
    return (
        f"{scene.choice.mechanism}, {scene.k:,} items, "
        f"ε = {significant(scene.settings.epsilon, 4)} and "
        f"δ = {delta(float(scene.settings.delta))} for list and counts, one {scene.nouns.one} "
        f"moves {moved} by at most {reach.linf:,}"
    )


def beside(scene: TopList) -> tuple[Said, ...]:
    """How good lists are on average; of a list that is not compared, what a guess is."""
    if not (scene.drawn and scene.drawn.items and scene.counts is not None):
        return (_guess(scene),)
    return (_usually(scene),) if scene.own is None else ()


def _usually(scene: TopList) -> Said:
    """How many items a list has right on average, and how many of this one keep their place."""
    mean = scenes.usually_right(scene.settings, scene.choice.mechanism)
    what, how = "items that a list has right, on average", f"counted in {scenes.LISTS:,} lists"
    claim = _claim(scene, what, mean, how, kind="simulated")
    kept = _claim(scene, "items of this list at their true place", scene.in_place, "counted")
    return say(
        "Lists differ by chance: on average over many, {mean} of the true {k} are named. Their "
        "order is less sure: here {kept} in the right place.",
        mean=Number(significant(mean, 2), claim),
        k=Name(counted(scene.true_k)),
        kept=Number(f"{counted(scene.in_place)} {'is' if scene.in_place == 1 else 'are'}", kept),
    )


def _guess(scene: TopList) -> Said:
    """How often a guess about one person is right, from all that is drawn here."""
    what = "the list" if scene.own is not None and not scene.in_one else "list and counts"
    right, one = right_of_epsilon(*scene.spent), scene.nouns.one
    anybody = scene.settings.reach.l0 is None and scene.choice.step is not None and scene.k > 1
    return say(
        "A guess about one {one}{anybody} is right {guess} ({coin}).",
        one=Name(one),
        anybody=Name(f", even one counted on all {scene.k:,} lines," if anybody else ""),
        guess=right.times(f"right by {what}", _settings(scene), one),
        coin=A_COIN,
    )


# --- the pictures ---


def picture(scene: TopList) -> Picture | tuple[()]:
    """The true ranking and the noisy list side by side."""
    frame = scene.frame
    if frame.empty:
        return ()
    shown = len(scene.drawn.items) if scene.drawn else 0
    missed, wrong = scene.outcomes
    alt = (
        f"The {scene.true_k:,} truly most common {scene.things} beside the noisy list of "
        f"{shown:,}: {missed:,} missing, {wrong:,} shown instead."
    )
    if scene.counts is None:
        listed = numbered(shown, "items")
        alt = f"The noisy list of {listed} in its order; the true ranking is hidden."
    return Picture(two_rankings(frame, k=scene.k, noun=scene.noun), alt)


def reading(scene: TopList) -> str:
    """How to read the two rankings, and why some noisy counts are equal."""
    if scene.counts is None:
        return (
            f"What the noisy list names, in its order. The true ranking is of real "
            f"{scene.nouns.many} and stays hidden."
        )
    if scene.drawn is None:
        return "The true ranking: not private. Draw the list to see what it finds."
    shared = ""
    if scenes.averaged(scene.frame):
        shared = " Counts are drawn after the order: where two contradict it, both show their mean."
    noise = "with noise"
    if scene.count_half is not None:
        sure = times_in_100(ACCURACY_CONFIDENCE)
        noise += f" ({pm(scene.count_half)}, {sure})"
    return (
        f"Each line joins the two ranks of one {literal(scene.thing)}. The numbers are counts of "
        f"{scene.noun}, on the right {noise}.{shared}"
    )


def below(ws: Workspace, scene: TopList) -> None:
    """Show what each tier holds of a visitor's list, and files of the list and of its counts."""
    own, drawn = scene.own, scene.drawn
    if own is None:
        return
    if drawn is None and scene.frame.empty:
        parts.empty("No list yet.", "It is drawn once, and then the same for everybody.")
    if drawn is not None and own.tiers:
        frame = scenes.tiers_frame(drawn.items, own.tiers, ws.family)
        parts.picture(
            release_chart(
                frame,
                what="Counts of the items of the list.",
                noun=scene.noun,
                confidence=ACCURACY_CONFIDENCE,
                truth="bounded number",
            ),
            heading="The counts of the list, tier by tier",
            reading=f"One list for all; its counts at the exactness of each tier, with intervals "
            f"that hold the bounded number {percent(ACCURACY_CONFIDENCE)} of the time.",
            key="topk_tiers",
        )
    if own.listing is not None:
        panel.hand_out(
            ws,
            own.listing.asking(ws.family),
            [own.listing.planned],
            key="topk_list_file_",
            caption="The file holds the list as everybody may see it, and what it cost.",
        )
    if own.values is not None:
        panel.hand_out(ws, own.values.asking, own.values.tiers(ws)[0], key="topk_file_")


def why_this_way(scene: TopList) -> None:
    """Say in the drawer which of the four ways to draw is the best, and why."""
    st.caption(
        f"{capitalised(literal(scene.best.mechanism))} is the best here: "
        f"{literal(uncapitalised(scene.best.reason))}. Ways without a limit fit limited data, too."
    )


# --- the drawer ---

HEAD = (
    r"A list: Gumbel noise of scale $b=\Delta_\infty/\varepsilon_1$ once in every count, the $k$ "
    r"largest in order; $\varepsilon_1$ is what one place may cost. All places together cost "
    r"$k\varepsilon_1$ without a $\delta$, and are $\tfrac18k\varepsilon_1^2$-zCDP. Where the "
    r"list of all items is private, the sign that the list has ended competes with the count "
    r"$h_\bot=h_{(\bar d+1)}+\Delta_\infty+\dfrac{\Delta_\infty}{\varepsilon_1}"
    r"\ln\dfrac{\min(\Delta_0,\bar d)}{\delta_1}$."
)
FIT = (
    r"Counts fitted to the order of the list: $\min_x\sum_j(x_j-y_j)^2$ such that "
    r"$x_1\ge x_2\ge\dots\ge x_k\ge0$. It reads no data, so it costs nothing."
)


def formula(scene: TopList) -> str:
    """The formulas, and the same with the numbers on screen."""
    choice, reach, one = scene.choice, scene.settings.reach, scene.nouns.one
    start = (
        f"Here $k$ = {scene.k:,}, ε = {significant(scene.settings.epsilon, 4)} and δ = "
        f"{delta(float(scene.settings.delta))} for list and counts together. "
    )
    ends = ""
    if choice.step is not None:
        line = (
            f"Half of both is for the list: $\\varepsilon_1$ = {significant(choice.step, 5)}, so "
            f"$b$ = {significant(choice.scale, 5)}. The other half is for the counts: Gaussian "
            f"noise with σ = {significant(choice.value_sigma, 5)}, as one {one} moves at most "
            f"{reach.moved(scene.k):,} of them."
        )
        ends = (
            f" $\\bar d$ = {SEEN:,} and a quarter of δ give $h_\\bot$ = {{}} above the count after "
            f"the {SEEN:,} largest, which is 0 where there are fewer items."
        )
    else:
        line = (
            f"One {one} moves at most {reach.l0:,} counts: Gaussian noise with σ = "
            f"{significant(choice.scale, 5)} in every count, from which the list is read off."
        )
        ends = " The noise is cut at ±T, and what is above Δ∞ + T = {} is shown."
    if choice.threshold is not None:
        line += ends.format(significant(choice.threshold, 5))
    return f"{HEAD}\n\n{start}{line}\n\n{FIT}"


def arguments(scene: TopList) -> dict[str, object]:
    """With what `scenes.listed` gives the list on screen."""
    own, family, notes = scene.own, scenes.GAUSSIAN, tuple[str, ...]()
    levels: tuple[float, ...] = (scene.choice.value_sigma**2,)
    rng, values_rng = code.seeded(SEED, scene.again), code.seeded(SEED, scene.again, 1)
    any_order = False
    if own is not None:
        ws = workspace()
        levels, any_order = (), ws.mode == "teaching"
        rng = values_rng = code.seeded(ws.seed, 0)
        if own.listing is not None:
            rng = values_rng = code.generator(ws, own.listing.asking(ws.family))
        if own.values is not None:
            one, family = ws.find(own.values.asking.key), own.values.family
            levels = tuple(entry.level for entry in ws.entries_of(one))
            values_rng = code.generator(ws, own.values.asking)
            notes = code.if_sealed(one)
    return {
        "counts": _counts(scene),
        "settings": replace(scene.settings, k=scene.k),
        "mechanism": scene.choice.mechanism,
        "rng": code.Text(rng, (*rng.before, *notes)),
        "values_rng": values_rng,
        "levels": levels,
        "family": family,
        "any_order": any_order,
    }


def _counts(scene: TopList) -> code.Text | dict[str, int]:
    """The counts as Python: of an example, or of the visitor's table."""
    if scene.own is None:
        return dict(scene.counts or {})
    ws, query, of = workspace(), scene.own.source.query, scene.own.source.table
    if not isinstance(query, Count):
        return code.values_code(of, ws.loading, query)
    made = code.values_code(of, ws.statistic.loading, query)
    return code.Text(f"dict(zip(query.labels, {made}.tolist()))", made.before)


def facts(scene: TopList) -> Facts:
    """The footer: for a column of the table, or for the example."""
    reach, own = scene.settings.reach, scene.own
    moved = "any number of" if reach.l0 is None else f"at most {reach.l0:,}"
    query, data = None, uncapitalised(TOLD)
    if own is not None:
        query = own.source.query
        data = f"{own.source.table.described(query.columns)}; {query.statistic}"
    (name, meant), *others = footer(
        "(ε, δ)-DP",
        unit=query.bounds.unit if query else "one person",
        neighbours=query.bounds.neighbours if query else "add or remove one person",
        sensitivity=f"one {scene.nouns.one} moves {moved} counts, each by at most {reach.linf:,}",
        data=data,
        symbols=f"Δ∞ = {reach.linf:,}",
    )
    return (name, f"{meant}; here {loss_with_delta('ε', *scene.spent)}"), *others


PAGE = PageForm(
    file="top_k",
    specialist=fine,
    controls=settings,
    acts=acts,
    headline=headline,
    badges=badges,
    picture=picture,
    reading=reading,
    below=below,
    beside=beside,
    formula=formula,
    recipe=scenes.listed,
    arguments=arguments,
    facts=facts,
    more=why_this_way,
)
