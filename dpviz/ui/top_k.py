"""Top-k: which items are the most common, when the list itself is private."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import pandas as pd
import streamlit as st

from dpviz.charts.forms.picture import Picture
from dpviz.charts.releases.chart import release_chart
from dpviz.charts.top_k import tiers_frame, two_rankings
from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.experiments.top_k import Repetitions
from dpviz.parameters import DELTA, DELTA_MEANING, EPSILON
from dpviz.planning import typed
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import Count, TextCounts
from dpviz.scenes import top_k as scenes
from dpviz.scenes.top_k import (
    EXAMPLES,
    FATE,
    ITEM,
    MISSED,
    REPETITIONS,
    SEED,
    SEEN,
    WRONG,
    Asked,
    Example,
    Found,
    Own,
    TopList,
)
from dpviz.top_k import Reach
from dpviz.top_k.choice import HISTOGRAM, MECHANISMS, TRUNCATED, Choice
from dpviz.ui.kit import bound_controls, code, controls, looking, panel, parts, press
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.state import Shelf, Slot, fill, workspace
from dpviz.words import (
    budget,
    capitalised,
    delta,
    join,
    loss_with_delta,
    percent,
    shorten,
    significant,
    within,
)
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import numbered, uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace import account, structured
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN, right_of_epsilon
from dpviz.workspace.held import HeldTier
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.sessions import Asking
from dpviz.workspace.takeaways import counted, loss_words
from dpviz.workspace.top_k.common import Common
from dpviz.workspace.top_k.lists import Subject
from dpviz.workspace.top_k.source import Source
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "example", "my column"
PRIVATE, PUBLIC = "private", "public"
BEST = "the best here"
LONGEST = 50  # of a list
MOST_REACHED, MOST_TEXTS = 10**9, 1_000_000
LIMIT, LIMITED = 3, "topk_l0"  # items of one person, as a next step; the key of its field
MOST_NAMED = 2  # items that a headline names, of those missing
_AGAIN = Slot("topk_again", lambda: 0)
_DRAWN = Shelf[Found]("topk_drawn")
_REPEATED = Shelf[Repetitions]("topk_repeated")
WRONG_FIELDS = Missing("Correct what is typed: the red sentences say how.", "")
NO_TEXT = "This table has no column of texts. Upload or load a table that has one, on the page Data"
HARDENED = (
    "Hardened mode draws the list exactly, item by item, and whole-number noise for its counts; "
    "truncated noise is not offered."
)
SAME_AGAIN = (
    "With the length, the budget and the settings of a list that was drawn, it is here again, and "
    "if its counts are sealed, they are drawn on without the table."
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
    names = [BEST, *(name for (listed, _), name in MECHANISMS.items() if listed == known)]
    return Fine(
        known=known,
        mechanism=controls.selectbox(
            "Way to draw",
            names,
            format_func=capitalised,
            key=controls.keyed("topk_mechanism", tuple(names)),
            help="See “Which of four ways fits here?” on the page.",
        ),
        delta=controls.text_input(
            "δ",
            delta(ws.delta),
            key=f"topk_delta_{ws.delta!r}",
            help=f"δ, delta: {DELTA_MEANING}. It begins at the δ of your plan.",
        ),
    )


def asked(ws: Workspace, fine: Fine) -> Callable[[], TopList] | Missing:
    """Ask whose counts, how long a list, and at which budget."""
    left, right = st.columns(2)
    with left:
        chosen = controls.look_at(
            EXAMPLE,
            OWN,
            key="topk_source",
            help="The examples are made up or a public text, so the page can show everything. "
            "Your own column keeps its exact counts hidden.",
        )
    example: Example | None = None
    of: Source | None = None
    with right:
        if chosen == EXAMPLE:
            first = next(iter(EXAMPLES))
            name = controls.pill("Example", list(EXAMPLES), default=first, key="topk_which")
            example = EXAMPLES[name]
            st.caption(example.told)
        else:
            counted_here = _source(ws, fine.known)
            if isinstance(counted_here, Missing):
                return counted_here
            of = counted_here
    what = _asked(ws, fine, example, of)
    if what is None:
        return WRONG_FIELDS
    if of is None:
        return lambda: of_example(example or next(iter(EXAMPLES.values())), what, fine.mechanism)
    revealed = looking.reveal(
        ws,
        of.table,
        "Reveal the exact counts: not private",
        key="topk_reveal",
        help_text="For teaching: then the picture shows what is missed and what is wrong.",
    )
    if not what.whole:
        st.caption(HARDENED)
    return lambda: of_column(ws, of, what, fine.mechanism, revealed)


def _asked(ws: Workspace, fine: Fine, example: Example | None, of: Source | None) -> Asked | None:
    """What is typed; None, with one sentence for each field that cannot be used."""
    most = min(LONGEST, len(example.make())) if example else LONGEST
    if of is not None and isinstance(of.query, Count):
        most = min(LONGEST, len(of.query.labels))
    usual = str(min(10, most))
    places = st.columns(3)
    with places[0]:
        length = controls.text_input(
            "How many items",
            usual,
            key=f"topk_k_{usual}",
            help="k, the most items on the list. On a longer list each place gets less of the "
            "budget.",
        )
        k = parts.usable(lambda: typed.whole(length, where="How many items", least=1, most=most))
    with places[1]:
        amount = controls.text_input(
            "Budget ε (larger: sharper, less private)",
            "1",
            key="topk_epsilon",
            help="A bound on the privacy loss of the list and one release of its counts together, "
            "half for each.",
        )
        epsilon = parts.usable(lambda: EPSILON.read_exact(amount, where="Budget ε"))
        delta_ = parts.usable(lambda: DELTA.read_exact(fine.delta, where="δ"))
    with places[2]:
        reach = parts.usable(lambda: of.reach) if of else parts.usable(_reach())
    if k is None or epsilon is None or delta_ is None or reach is None:
        return None
    hardened = of is not None and ws.mode == "hardened"
    return Asked(
        k=k, epsilon=epsilon, delta=delta_, reach=reach, known=fine.known, whole=not hardened
    )


def _reach() -> Callable[[], Reach]:
    """Ask what one person of an example can do to the counts."""
    where = "Items of one person, at most"
    text = controls.text_input(
        where,
        "",
        placeholder="no limit",
        key=LIMITED,
        help="ℓ₀: in how many items one person may be counted. With a small limit, noise in "
        "every count is cheaper; without one, only a list of bounded length is private.",
    )
    if not text.strip():
        return Reach
    return lambda: Reach(l0=typed.whole(text, where=where, least=1, most=MOST_REACHED))


def _source(ws: Workspace, known: bool) -> Source | Missing:
    """What is counted of the visitor's; or why nothing can be."""
    if not known:
        return _column(ws)
    statistic = ws.statistic
    if not isinstance(statistic.query, Count):
        return Missing(
            "The statistic of the page Data has no public list of groups. Choose a number per "
            "group there, or a private list here.",
            "data",
        )
    st.caption(f"Counted: {literal(statistic.query.statistic)}, as on the page Data.")
    return Source(table=statistic.table, query=statistic.query)


def _column(ws: Workspace) -> Source | Missing:
    """A column of texts, of which nobody has made a list."""
    if is_absent(ws.table) and (held := _kept(ws)) is not None:
        return held
    if looking.is_away(ws):
        return Missing("This list comes from a table that is not loaded.", "")
    names = [c.name for c in ws.table.columns if c.kind == "text"]
    if not names:
        return Missing(f"{NO_TEXT}.", "data")
    digest = ws.table.digest[:12]
    column = str(
        controls.selectbox(
            "Column of items",
            names,
            index=names.index("word") if "word" in names else 0,
            key=f"topk_column_{digest}",
            help="Each text in the column is an item. Which texts there are is as secret as their "
            "counts.",
        )
    )
    with bound_controls.place(ws, None):
        bounds = bound_controls.choose(ws, None)
    try:
        return Source(table=ws.table, query=TextCounts(column, bounds(MOST_TEXTS)))
    except ParameterError as error:
        parts.problem(error)
        return Missing("Nothing can be drawn yet: the sentence beside says why.", "")


def _kept(ws: Workspace) -> Source | None:
    """What lists were drawn of that a project holds, where their table is not loaded."""
    held: dict[int, Source] = {}
    for one in ws.sessions:
        of = None if isinstance(one.asking.kept, str) else one.asking.kept.subject
        if isinstance(of, Subject) and not of.source.known and ws.find(of.key) is one:
            held[one.number] = of.source
    if not held:
        return None
    number = controls.selectbox(
        "Session",
        list(held),
        format_func=lambda n: f"session {n}: {shorten(held[n].query.statistic)}",
        key=controls.keyed("topk_held", list(held)),
        lasting=False,
    )
    st.caption(f"{literal(quoted(ws.table.name))} is not loaded. {SAME_AGAIN}")
    return held[number or min(held)]


# --- what was drawn ---


def _chosen(what: Asked, mechanism: str) -> tuple[Choice, Choice]:
    """The best mechanism, and the one in use; refused if that one does not fit."""
    best = what.choose()
    fits = [best.mechanism, *(other.mechanism for other in best.others)]
    if mechanism not in (BEST, *fits):
        raise ParameterError(
            f"The {mechanism} does not fit here. Under “For specialists”, choose another way to "
            f"draw, such as {fits[0]}"
        )
    return best, best if mechanism == BEST else best.named(mechanism)


def of_example(example: Example, what: Asked, mechanism: str) -> TopList:
    """An example with the list that was drawn of it; drawn once and kept."""
    best, choice = _chosen(what, mechanism)
    counts, again = example.make(), _AGAIN.get()
    key = example.things, what, choice.mechanism, again
    made = TopList(
        things=example.things,
        thing=example.thing,
        noun="people",
        asked=what,
        best=best,
        choice=choice,
        found=_DRAWN.take(key, lambda: scenes.drawn(counts, what, choice, again)),
        counts=counts,
        example=example,
        again=again,
    )
    return _repeated(made, example.things)


def _repeated(made: TopList, key: object) -> TopList:
    """The same with the list drawn a hundred times, where the counts may be shown."""
    counts, what = made.counts, replace(made.asked, k=made.true_k)
    if not counts:
        return made
    held = _REPEATED.take(
        (key, what, made.choice.mechanism), lambda: scenes.repeated(counts, what, made.choice)
    )
    return replace(made, repeated=held)


def of_column(ws: Workspace, of: Source, what: Asked, mechanism: str, revealed: bool) -> TopList:
    """The list of a column with what was drawn of it."""
    best, choice = _chosen(what, mechanism)
    own, found = _drawn(ws, of, _listing(of, what, choice), what.k)
    query, name = of.query, "group"
    if isinstance(query, TextCounts):
        name = f"value of “{query.column}”"
    made = TopList(
        things=name.replace("value", "values") if name != "group" else "groups",
        thing=name,
        noun=query.noun,
        asked=what,
        best=best,
        choice=choice,
        found=found,
        counts=of.counts() if revealed else None,
        own=own,
    )
    return _repeated(made, of.key)


def _listing(of: Source, what: Asked, choice: Choice) -> Subject | Common | None:
    """What draws the list; None where it is read off a release of the page Releases."""
    if choice.step is not None:
        return Subject(source=of, k=what.k, step=choice.step, unknown=scenes.unknown(choice))
    if choice.mechanism != TRUNCATED or choice.log_hidden is None or choice.log_used is None:
        return None
    return Common(
        source=of,
        sigma=choice.scale,
        log_delta=choice.log_hidden,
        log_delta_used=choice.log_used,
    )


def _drawn(
    ws: Workspace, of: Source, listing: Subject | Common | None, k: int
) -> tuple[Own, Found | None]:
    """What was drawn; draws nothing."""
    own = Own(source=of, listing=listing, values=None, tiers=())
    if isinstance(listing, Common):
        common = listing.found(ws)
        if common is None:
            return own, None
        items = tuple(map(str, common.items[:k]))
        return own, Found(items=items, values=common.values[:k], asked=k, ended=len(items) < k)
    ranking = listing.ranking(ws) if listing else None
    if listing is None or ranking is None:
        return own, None
    items = tuple(map(str, ranking.items))
    values = listing.values(ws) if items else None
    tiers: tuple[HeldTier, ...] = ()
    if values is not None:
        held = structured.held_tiers(ws, values.asking, values.tiers(ws)[0])
        tiers = tuple(tier for tier, _ in held)
    sharpest = None
    if tiers and tiers[-1].values is not None:
        sharpest = tiers[-1].values - ws.family.mean(tiers[-1].level)
    found = Found(items=items, values=sharpest, asked=ranking.asked, ended=ranking.ended)
    return replace(own, values=values, tiers=tiers), found


def acts(scene: TopList) -> None:
    """Another list of the example; of a column, its list and its tiers."""
    if scene.own is not None:
        _act_on(workspace(), scene, scene.own)
        return
    hint = next_step(scene)
    if hint is not None:
        st.caption(hint.text)
        controls.button(
            f"Limit each person to {LIMIT} items",
            lambda: fill(LIMITED, str(LIMIT)),
            key="topk_limit",
            type="primary",
            icon="person",
        )
    with st.columns(3)[0]:
        _again(blue=hint is None)


def _again(*, blue: bool) -> None:
    panel.start_over(
        "Draw another list",
        lambda: _AGAIN.set(_AGAIN.get() + 1),
        key="topk_over",
        why="Fresh noise on the same public counts. This data is made up or public, so draw as "
        "often as you like; for real people it would cost privacy again.",
        blue=blue,
    )


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

    def draw(_name: str, *, sure: bool) -> None:
        listing.draw(ws, sure=sure)

    offered = panel.offer(
        ws, _asking(ws, listing), [listing.planned], lambda _: "", key="topk_list", act=draw
    )
    press.button(
        "Draw the list" if scene.found is None else "The list is drawn",
        offered.draw,
        listing.planned.name,
        key="topk_list",
        type="primary",
        icon="format_list_numbered",
        disabled=scene.found is not None,
        help="Drawn once and kept, the same for all tiers. Other settings make another list, and "
        "the two costs add up.",
    )
    if scene.found is None:
        st.caption(offered.all)
    if isinstance(listing, Common):
        st.caption(
            "All tiers get one and the same list and counts. To give each tier counts of its own "
            "accuracy, choose the Gumbel list that can end."
        )
    if own.values is not None:
        tiers, left_out = own.values.tiers(ws)
        noun = own.source.query.noun
        counts = panel.offer(
            ws, own.values.asking, tiers, lambda p: panel.near(p.budget, noun), key="topk_counts"
        )
        st.caption(
            "Its counts, for tiers in any order: together they learn what the sharpest learns. "
            + counts.all
        )
        panel.draw_own(
            ws,
            tiers,
            counts,
            key="topk_draw_",
            label=lambda p, held: f": {within(p.budget.half_width)}" + (", held" if held else ""),
        )
        panel.left_out(left_out)
    parts.problem_of_last_act()


def _asking(ws: Workspace, listing: Subject | Common) -> Asking:
    """What the mechanism of a list is asked for."""
    return listing.asking if isinstance(listing, Common) else listing.asking(ws.family)


def badges(scene: TopList) -> list[parts.Badge]:
    """That the counts of the tiers are lossless, and whether exact counts are on screen."""
    if scene.own is None:
        return []
    revealed = [parts.REVEALED] if scene.counts is not None else []
    return ([parts.LOSSLESS] if scene.own.values is not None else []) + revealed


# --- the sentences ---


def headline(scene: TopList) -> Said:
    """What the list finds, in a sentence or two."""
    return Said(_told(scene), claims(scene))


def _told(scene: TopList) -> str:
    things = literal(scene.things)
    if scene.found is None:
        return _forecast(scene)
    shown = len(scene.found.items)
    if not shown:
        return (
            f"The list ended before its first item: about {_threshold(scene)} {scene.noun} must "
            f"have a {literal(scene.thing)} before it can be named. A limit on the items of one "
            f"{scene.nouns.one}, a public list or a larger ε lowers that."
        )
    if scene.counts is None:
        ended = ", then it ended" if scene.found.ended else ""
        return (
            f"The noisy list names {counted(shown)} {things}{ended}. It cost a privacy loss "
            f"bounded by {_cost(scene)}; what it misses stays hidden."
        )
    average = ""
    if scene.missed_on_average is not None:
        mean, _ = scene.missed_on_average
        often = significant(mean, 1 if mean < 1 else 2)
        average = f" On average, such a list misses {often} of the {counted(scene.true_k)}."
    return f"This list gets {_right(scene)}.{average}"


def _right(scene: TopList) -> str:
    """How many of the most common items the list has, and what is wrong with it."""
    k, (missed, wrong) = scene.true_k, scene.outcomes
    if not missed:
        return f"all {counted(k)} right"
    some = counted(k - missed) if k > missed else "none"
    gets = f"{some} of the {counted(k)} right"
    if scene.own is None and missed == wrong <= MOST_NAMED:
        frame = scene.frame
        shown, missing = (frame.loc[frame[FATE] == fate, ITEM].tolist() for fate in (WRONG, MISSED))
        if wrong == 1:
            return f"{gets}: {literal(shown[0])} takes {literal(missing[0])}’s place"
        return f"{gets}: {literal(join(shown))} take the places of {literal(join(missing))}"
    if not wrong:
        return f"{gets} and misses {counted(missed)}"
    place = f"{counted(wrong)} that {'is' if wrong == 1 else 'are'} less common"
    return f"{gets}, misses {counted(missed)} and shows {place}"


def _forecast(scene: TopList) -> str:
    start = (
        f"No list has been drawn yet. A list of {scene.k:,} would cost a privacy loss bounded by "
    )
    if scene.choice.threshold is None:
        return f"{start}{_cost(scene)}; counts that are near each other may change places."
    return (
        f"{start}{_cost(scene)} and name only what about {_threshold(scene)} {scene.noun} or more "
        "have."
    )


def _cost(scene: TopList) -> str:
    return literal(loss_with_delta("ε", scene.list_cost.value, scene.list_delta))


def _threshold(scene: TopList) -> str:
    return f"{math.ceil(scene.choice.threshold or 0.0):,}"


def claims(scene: TopList) -> tuple[Claim, ...]:
    """Why the numbers of the headline are true."""
    choice, fixed = scene.choice, _settings(scene)
    of_list = "" if scene.in_one else f", δ = {delta(scene.list_delta)} for the list"
    found = [
        Claim(
            what="privacy loss of the list" + " and its counts" * scene.in_one,
            value=scene.list_cost.value,
            fixed=f"{fixed}{of_list}",
            method=f"{scene.list_cost.method} (MATHEMATICS 5.3, 13.1, 13.4)",
            kind="at most",
        )
    ]
    if choice.threshold is not None:
        found.append(
            Claim(
                what="noisy count above which an item can be named",
                value=choice.threshold,
                unit=scene.noun,
                fixed=fixed,
                method="the sign that the list has ended, or the cut of the noise (MATHEMATICS "
                "13.2, 13.4)",
            )
        )
    if scene.counts is None or not scene.found or not scene.found.items:
        return tuple(found)
    missed, wrong = scene.outcomes
    compared = "the list compared with the exact counts, of equal ones in alphabetical order"
    found += [
        Claim(what="items missed by this list", value=missed, fixed=fixed, method=compared),
        Claim(what="items shown instead", value=wrong, fixed=fixed, method=compared),
    ]
    if scene.missed_on_average is not None:
        mean, error = scene.missed_on_average
        found.append(
            Claim(
                what="items missed on average",
                value=mean,
                fixed=fixed,
                method=f"{REPETITIONS} independent lists, which make it known to about "
                f"±{significant(2 * error, 2)} (MATHEMATICS 13.1, 13.2, 13.4)",
                kind="simulated",
            )
        )
    return tuple(found)


def _settings(scene: TopList) -> str:
    """What is held fixed, in words."""
    reach = scene.asked.reach
    moved = "any number of counts" if reach.l0 is None else f"at most {reach.l0:,} counts"
    return (
        f"{scene.choice.mechanism}, {scene.k:,} items, ε = {significant(scene.asked.epsilon, 4)} "
        f"and δ = {delta(float(scene.asked.delta))} for list and counts, one "
        f"{scene.nouns.one} moves {moved} by at most {reach.linf:,}"
    )


def beside(scene: TopList) -> tuple[Said, ...]:
    """What list and counts give away about one person, and what all releases have cost."""
    what, after = "list and counts", ""
    if scene.in_one:
        what = "this release of list and counts"
    elif scene.own is not None:
        what = "the list"
        after = " Its counts cost what each tier may have; together, the largest of these."
    right = right_of_epsilon(*scene.spent)
    said = say(
        "Somebody who guesses from {what} whether one {one} is in the data is right **{right}** "
        "({coin}).{after}",
        what=what,
        one=Name(scene.nouns.one),
        right=right.times(f"right by {what}", _settings(scene), scene.nouns.one),
        coin=A_COIN,
        after=Said(after),
    )
    return (said, *(() if scene.own is None else (Said(ledger(workspace())),)))


def ledger(ws: Workspace) -> str:
    """What everything in the workspace costs so far."""
    if not ws.ledger:
        return "Nothing has been released in this workspace yet."
    units = account.by_unit(ws)
    if len(units) < 2:
        (loss,) = units.values() or (account.joint(ws),)
        return f"Everything released in this workspace so far: {loss_words(loss)}."
    each = [f"{loss_words(loss)} where {literal(unit)}" for unit, loss in units.items()]
    return f"Everything released in this workspace so far, unit by unit: {join(each)}."


def next_step(scene: TopList) -> Said | None:
    """What a limit on the items of one person would change in this list; None: nothing."""
    what, least = scene.asked, scene.choice.threshold
    if what.reach.l0 is not None or what.known or least is None:
        return None
    common = sorted((scene.counts or {}).values(), reverse=True)[: scene.true_k]
    short = sum(count < least for count in common)
    if not short:
        return None
    other = replace(what, reach=replace(what.reach, l0=LIMIT)).choose()
    if other.threshold is None or other.threshold >= least:
        return None

    def count(claimed: str, value: float, text: str) -> Number:
        method = (
            "the sign that the list has ended, or the cut of the noise (MATHEMATICS 13.2, 13.4)"
        )
        return Number(text, Claim(what=claimed, value=value, fixed=_settings(scene), method=method))

    return say(
        "The list can name only what about {least} {noun} or more have, and {short} of the {k} "
        "have fewer. With a limit of {limit} items for each {one}, {enough} are enough.",
        least=count("noisy count above which an item can be named", least, _threshold(scene)),
        noun=Name(scene.noun),
        short=Name(counted(short)),
        k=Name(counted(scene.true_k)),
        limit=Name(str(LIMIT)),
        one=Name(scene.nouns.one),
        enough=count(
            "the same with that limit", other.threshold, f"{math.ceil(other.threshold):,}"
        ),
    )


# --- the pictures ---


def picture(scene: TopList) -> Picture | tuple[()]:
    """The true ranking and the noisy list side by side."""
    frame = scene.frame
    if frame.empty:
        return ()
    shown = len(scene.found.items) if scene.found else 0
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
    if scene.found is None:
        return "The true ranking: not private. Draw the list to see what it finds."
    shared = ""
    if scenes.averaged(scene.frame):
        shared = (
            " Equal counts in a row: their noisy counts contradicted the order of the list, so "
            "each shows their average."
        )
    return (
        f"Each line joins the same {literal(scene.thing)}. The numbers are counts of "
        f"{scene.noun}, on the right with noise.{shared}"
    )


def below(ws: Workspace, scene: TopList) -> None:
    """Show what each tier holds of a visitor's list, and files of the list and of its counts."""
    own, found = scene.own, scene.found
    if own is None:
        return
    if found is not None and own.tiers:
        frame = tiers_frame(found.items, own.tiers, ws.family, ACCURACY_CONFIDENCE)
        parts.chart(
            release_chart(
                frame,
                noun=scene.noun,
                axis_title=f"{scene.noun} per item",
                confidence=ACCURACY_CONFIDENCE,
                truth="bounded number",
            ),
            heading="The counts of the list, tier by tier",
            reading=f"One list for all; its counts at the exactness of each tier, with intervals "
            f"that hold the bounded number {percent(ACCURACY_CONFIDENCE)} of the time.",
            alt=f"Counts of {numbered(len(found.items), 'items')} for "
            f"{numbered(len(own.tiers), 'tiers')}, with intervals that are narrower for less "
            "private tiers.",
            key="topk_tiers",
        )
    if own.listing is not None:
        panel.hand_out(
            ws,
            _asking(ws, own.listing),
            [own.listing.planned],
            key="topk_list_file_",
            caption="The file holds the list as everybody may see it, and what it cost.",
        )
    if own.values is not None:
        panel.hand_out(
            ws,
            own.values.asking,
            own.values.tiers(ws)[0],
            key="topk_file_",
            caption="Each file holds the counts of one tier: no other tier’s, no exact ones.",
        )


def mechanisms(_ws: Workspace, scene: TopList) -> None:
    """Show the four mechanisms side by side, and why one of them is the best here."""
    parts.table(table(scene), alt="Four ways to draw, by domain and by limit, at this budget.")
    st.caption(
        f"{capitalised(literal(scene.best.mechanism))} is the best here: "
        f"{literal(uncapitalised(scene.best.reason))}. Ways without a limit fit limited data, too."
    )


def table(scene: TopList) -> pd.DataFrame:
    """The four mechanisms at this budget: by domain and by what one person can have."""
    l0, one = scene.asked.reach.l0, scene.nouns.one
    bounded = f"a limit on the items of one {one}"
    if l0 is not None:
        bounded = f"one {one} has at most {numbered(l0, 'items')}"
    rows = []
    for known, domain in ((True, "public list of all items"), (False, "private list")):
        cells = _cells(scene, known)
        rows.append((domain, *(cells[MECHANISMS[known, few]] for few in (True, False))))
    return pd.DataFrame(rows, columns=["", bounded, "no limit"])


def _cells(scene: TopList, known: bool) -> Mapping[str, str]:
    """What each mechanism of one kind of domain would do, or why it cannot."""
    what = scene.asked
    names = [name for (listed, _), name in MECHANISMS.items() if listed == known]
    try:
        best = replace(what, known=known).choose()
    except ParameterError:
        return {name: f"{capitalised(name)}: does not fit these neighbours" for name in names}
    fits = {each.mechanism: each for each in (best, *best.others)}
    cells = {}
    for name in names:
        if name in fits:
            used = "▶ in use: " * (name == scene.choice.mechanism)
            cells[name] = f"{used}{capitalised(name)}: {_harm(fits[name])}"
            continue
        why = "needs a limit" if what.reach.l0 is None else "does not fit these neighbours"
        if name == TRUNCATED and not what.whole:
            why = "not in hardened mode"
        cells[name] = f"{capitalised(name)}: {why}"
    return cells


def _harm(choice: Choice) -> str:
    """What a mechanism does to a list, in a few words."""
    if choice.threshold is None:
        return f"order by noise of ±{significant(choice.spread, 2)}"
    return f"names what about {math.ceil(choice.threshold):,} or more have"


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
    choice, reach = scene.choice, scene.asked.reach
    at = delta(float(scene.asked.delta))
    start = f"Here $k$ = {scene.k:,}, ε = {significant(scene.asked.epsilon, 4)} and δ = {at} for "
    start += "list and counts together. "
    if choice.step is not None:
        line = (
            f"Half of both is for the list: $\\varepsilon_1$ = {significant(choice.step, 5)}, so "
            f"$b$ = {significant(choice.scale, 5)}. The other half is for the counts: Gaussian "
            f"noise with σ = {significant(choice.value_sigma, 5)}, as one {scene.nouns.one} "
            f"moves at most "
            f"{reach.moved(scene.k):,} of them."
        )
        if choice.threshold is not None:
            line += (
                f" $\\bar d$ = {SEEN:,} and a quarter of δ give $h_\\bot$ = "
                f"{significant(choice.threshold, 5)} above the count after the {SEEN:,} largest, "
                "which is 0 where there are fewer items."
            )
    elif choice.mechanism == HISTOGRAM:
        line = (
            f"One {scene.nouns.one} moves at most {reach.l0:,} counts, so Gaussian noise with σ = "
            f"{significant(choice.scale, 5)} in every count keeps the whole budget, and the list "
            "is read off."
        )
    else:
        line = (
            f"One {scene.nouns.one} moves at most {reach.l0:,} counts: Gaussian noise with σ = "
            f"{significant(choice.scale, 5)}, cut at ±T, and what is above Δ∞ + T = "
            f"{significant(choice.threshold or 0.0, 5)} is shown."
        )
    return f"{HEAD}\n\n{start}{line}\n\n{FIT}"


def settings(scene: TopList) -> dict[str, object]:
    """With what `scenes.listed` gives the list on screen."""
    what, own = scene.asked, scene.own
    before = (
        "import math",
        "from fractions import Fraction",
        "from dpviz import streams",
        "from dpviz.top_k import choose_top_k",
        f"reach = {what.reach!r}",
    )
    epsilon, delta_ = (
        f"Fraction({x.numerator}, {x.denominator})" for x in (what.epsilon, what.delta)
    )
    choice = (
        f"choose_top_k(\n    {what.k}, epsilon={epsilon}, log_delta=math.log({delta_}),\n"
        f"    reach=reach, known={what.known}, seen={SEEN},\n).named({scene.choice.mechanism!r})"
    )
    levels: tuple[float, ...] = (scene.choice.value_sigma**2,)
    rng = values_rng = f"streams.teaching({SEED}, {scene.again})"
    values_rng = f"streams.teaching({SEED}, {scene.again}, 1)"
    family, any_order = scenes.GAUSSIAN, False
    notes: tuple[str, ...] = ()
    if own is not None:
        ws = workspace()
        rng = values_rng = f"streams.teaching({ws.seed})"
        levels, any_order = (), ws.mode == "teaching"
        notes = (code.HARDENED,) if ws.mode == "hardened" else ()
        if own.listing is not None:
            rng = values_rng = code.generator(ws, _asking(ws, own.listing))
        if own.values is not None:
            one, family = ws.find(own.values.asking.key), own.values.family
            levels = tuple(entry.level for entry in ws.entries_of(one))
            values_rng = code.generator(ws, own.values.asking)
            notes = (*notes, *code.if_sealed(one))
    return {
        "counts": _counts(scene),
        "k": scene.k,
        "choice": code.Text(choice, before),
        "reach": what.reach,
        "rng": code.Text(rng, tuple(notes)),
        "values_rng": code.Text(values_rng),
        "levels": levels,
        **({"family": family} if family is not scenes.GAUSSIAN else {}),
        **({"any_order": True} if any_order else {}),
    }


def _counts(scene: TopList) -> code.Text | dict[str, int]:
    """The counts as Python: of an example, or of the visitor's table."""
    if scene.own is None:
        return dict(scene.counts or {})
    ws, query, of = workspace(), scene.own.source.query, scene.own.source.table
    loading, names = ws.loading, {type(query).__name__, "Bounds", "Nouns"}
    text = f"{query!r}.values(table)"
    before: tuple[str, ...] = ()
    if isinstance(query, Count):
        loading, names = ws.statistic.loading, names | {type(query.by).__name__}
        before = (f"query = {query!r}",)
        text = "dict(zip(query.labels, query.values(table).tolist()))"
    load, table = code.table_code(of, loading, query.columns)
    imports = f"from dpviz.queries import {', '.join(sorted(names))}"
    return code.Text(text, (load, imports, table, *before))


def facts(scene: TopList) -> Facts:
    """The footer: for a column of the table, or for an example."""
    name, meant = _about(scene)[0]
    loss, at = scene.spent
    spent = f"; here {budget('ε', loss)}" + f", δ = {significant(at)}" * bool(at)
    return ((name, meant + spent), *_about(scene)[1:])


def _about(scene: TopList) -> Facts:
    reach = scene.asked.reach
    if scene.own is None:
        told = scene.example.told if scene.example else "nothing yet"
        moved = "any number of" if reach.l0 is None else f"at most {reach.l0:,}"
        return footer(
            "(ε, δ)-DP",
            unit="one person",
            neighbours="add or remove one person",
            sensitivity=f"one person moves {moved} counts, each by at most 1",
            data=uncapitalised(told),
            symbols="Δ∞ = 1",
        )
    query = scene.own.source.query
    return footer(
        "(ε, δ)-DP",
        unit=query.bounds.unit,
        neighbours=query.bounds.neighbours,
        sensitivity=f"one {query.bounds.nouns.one} moves at most {reach.l0:,} counts, each by at "
        f"most {reach.linf:,}",
        data=f"{scene.own.source.table.described(query.columns)}; {query.statistic}",
        symbols=f"Δ∞ = {reach.linf:,}",
    )


PAGE = PageForm(
    file="top_k",
    specialist=fine,
    controls=asked,
    scene=lambda make: make(),
    acts=acts,
    headline=headline,
    badges=badges,
    picture=picture,
    reading=reading,
    below=below,
    beside=beside,
    formula=formula,
    recipe=scenes.listed,
    settings=settings,
    facts=facts,
    closers=(
        Closer(
            label="Which of four ways fits here?",
            inside=mechanisms,
            key="topk_mechanisms",
        ),
    ),
    wide=True,
)
