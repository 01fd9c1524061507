"""Continual counting: a noisy running count of data that keeps coming."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dpviz.charts.counting import walk_chart, walk_frame
from dpviz.charts.forms.lines import Axis, Look, lines
from dpviz.charts.forms.picture import Picture
from dpviz.errors import ParameterError
from dpviz.palette import GREY
from dpviz.planning.budgets import ACCURACY_CONFIDENCE as SURE
from dpviz.planning.cast import with_article
from dpviz.planning.typed import whole
from dpviz.queries import ByTime, Count
from dpviz.scenes import continual_counting as scenes
from dpviz.scenes.continual_counting import HOURS, OPENS, SEED, Counting, Reader
from dpviz.ui.kit import (
    bound_controls,
    code,
    controls,
    group_controls,
    looking,
    panel,
    parts,
    source,
)
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.parts import Field
from dpviz.ui.kit.state import workspace
from dpviz.words import capitalised, clean, number, percent, pm, significant, within
from dpviz.words.claims import Claim, Name, Number, Said, plus_minus, say
from dpviz.words.grammar import times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace.counting import (
    Branching,
    Stream,
    Subject,
    of_counts,
    of_query,
    read_counts,
    sensitivity_words,
    subject,
)
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import PUBLIC
from dpviz.workspace.takeaways import counted_with
from dpviz.workspace.workspace import Workspace

EXAMPLE, TABLE, LIST = "made-up", "my table", "my counts"
MOST_MOVED = 1_000_000
DAY = 24  # hours; steps of the enlarged part
SEES = (
    "{whose}{At}, {tier} {sees} the total to {near}, because noise is put on sums of "
    "several {every}s (blocks)"
)
NO_TIMES = Missing(
    "This table has no column of times, such as 2025-01-31 13:05. Load the sample visits on the "
    "page Data, upload a table with one, or type counts here.",
    "data",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The stream and who reads it; either the example or the visitor's own.

    Attributes:
        counting: the stream with its readers.
        branching: how its blocks lie in one another.
        own: the visitor's; None: the made-up stream.
        reader: the tier whose count is drawn.
        step: that has come.
    """

    counting: Counting
    branching: Branching
    own: Subject | None
    reader: HeldTier
    step: int

    @property
    def read(self) -> HeldTier | None:
        """What the reader has read by now; None if it has read nothing."""
        held = (t for t in self.counting.tiers if t.name == self.reader.name)
        return next((t for t in held if t.values is not None and len(t.values)), None)


# --- which stream ---


def specialist(_: Workspace) -> Branching:
    """Ask for the tree in the drawer."""

    def read(text: str, *, where: str) -> int | None:
        return whole(text, where=where, least=2, most=100) if text.strip() else None

    arity = Field(
        label="Branches k: smaller blocks in a larger one",
        default="",
        help="2 to 100. Left empty: the k with the least mean squared error, computed exactly.",
        reader=read,
        key="counting_arity",
    ).value()
    subtraction = controls.toggle(
        "Blocks may be subtracted",
        value=True,
        wrap=True,
        key="counting_subtraction",
        help="A step just short of the end of a wide block is then that block minus a few small "
        "ones.",
    )
    st.caption("Changing the tree starts a new session, and the example, with new noise.")
    return Branching(arity, bool(subtraction))


def settings(ws: Workspace, branching: Branching) -> View | Missing:
    """Ask whose stream, and whose count of it."""
    chosen = controls.look_at(EXAMPLE, TABLE, LIST, key="counting_source")
    return source.value_or_missing(lambda: _view(ws, chosen, branching))


def _view(ws: Workspace, chosen: str, branching: Branching) -> View | Missing:
    """The made-up stream, or the visitor's, whose tiers draw by buttons.

    Raises:
        ParameterError: what is asked cannot be used.
    """
    if chosen == EXAMPLE:
        own, counting = None, scenes.of_example(ws, branching)
    else:
        found = _own(ws, chosen, branching)
        if isinstance(found, Missing):
            return found
        own, branching, noun = found, found.branching, found.stream.noun
        panel.draw_subject(
            ws,
            "continual_counting",
            own,
            lambda p: (
                f"Each running count {within(found.half_width(p.budget.level), noun)} "
                f"({percent(SURE)} confidence)"
            ),
            key="counting",
        )
        shown = looking.reveal(ws, own.stream.table, key="counting_reveal")
        counting = scenes.of_stream(ws, own, revealed=shown)
    if not counting.readers:
        return Missing("No tier has an ε for a stream: give one an ε or a ρ on Tiers.")
    return View(
        counting=counting,
        branching=branching,
        own=own,
        reader=_reader(counting),
        step=_step(counting),
    )


def _step(counting: Counting) -> int:
    """How far the stream has come: at first half-way in the made-up one, else to its end."""
    return controls.slider(
        f"{capitalised(counting.every)}s so far",
        1,
        counting.steps,
        counting.steps if counting.own else OPENS,
        key=f"counting_step_{counting.steps}_{'own' if counting.own else 'example'}",
        help="Going back shows what was published then. It draws no new noise.",
    )


def _own(ws: Workspace, chosen: str, branching: Branching) -> Subject | Missing:
    """The visitor's stream, or one that a project holds of a table that is not loaded.

    Raises:
        ParameterError: what is asked cannot be used.
    """
    if chosen == TABLE:
        held = source.kept(
            ws,
            lambda of: of if isinstance(of, Subject) else None,
            lambda of: of.stream.statistic,
            key="counting_held",
        )
        if held is not None:
            return held
    stream = source.of_table(ws, lambda: _of_table(ws)) if chosen == TABLE else _of_list()
    if isinstance(stream, Missing):
        return stream
    if stream.steps < 2:
        raise ParameterError(
            "A stream needs at least two steps. Use a shorter interval or add counts"
        )
    return subject(ws, stream, branching)


def _reader(counting: Counting) -> HeldTier:
    """Whose count is drawn: of those who have read, the sharpest at first."""
    held = {tier.name: tier for tier in counting.tiers}
    everybody = {tier.name: tier for tier in counting.readers} | held
    chosen = controls.selectbox(
        "Whose count?",
        list(everybody),
        index=list(everybody).index(max(held or everybody, key=lambda n: everybody[n].loss)),
        format_func=clean,
        key=controls.keyed("counting_reader", (list(held), list(everybody))),
        lasting=False,
    )
    return everybody[chosen]


def _of_table(ws: Workspace) -> Stream | Missing:
    """The table counted by a column of times.

    Raises:
        ParameterError: what is typed cannot be used.
    """
    mine = ws.statistic.query if ws.statistic.table.digest == ws.table.digest else None
    used = mine.by if mine and isinstance(mine.by, ByTime) else None
    if used is None and not group_controls.columns_of(ws.table, *group_controls.TIMES):
        return NO_TIMES
    by = group_controls.times(ws, used, usual="day")
    bounds = bound_controls.choose(
        ws, mine.bounds if mine else None, rows=None if isinstance(mine, Count) else "1"
    )
    split = by()
    query = Count(split, bounds(len(split.labels)))
    if not query.sensitivity.l1 > 0:
        raise ParameterError(PUBLIC)
    rows = capitalised(query.nouns.rows)
    st.caption(
        f"{rows} may be in any order: each is counted at its time. {rows} whose time cannot be "
        "read, or lies outside, are not counted."
    )
    return of_query(ws, query)


def _of_list() -> Stream | Missing:
    """A list of counts, typed or pasted.

    Raises:
        ParameterError: what is typed cannot be used.
    """
    text = controls.text_area(
        "Counts, one per line",
        placeholder="12\n7\n0\n31",
        height=150,
        key="counting_typed",
        help="New events of each step, in order of time. They are your data: the pictures show "
        "the noisy running counts that tiers draw.",
    )
    where = "One person moves the counts by at most"
    most = controls.text_input(
        where,
        "1",
        key="counting_typed_moved",
        help="c: at how many steps a person may be counted, times how often at each. Larger: more "
        "noise.",
    )
    if not text.strip():
        return Missing("Nothing is typed yet: paste a column of whole numbers.", "")
    return of_counts(read_counts(text), whole(most, where=where, least=1, most=MOST_MOVED))


# --- what is drawn ---


def below(ws: Workspace, view: View) -> None:
    """What is there in place of a picture; a file for each release of the visitor's stream."""
    if view.read is None:
        parts.empty("No running count yet.", "Draw the first one: any tier will do.")
    if view.own is not None:
        panel.hand_out(ws, view.own.asking, view.own.tiers(ws)[0], key="counting_download_")


def picture(view: View) -> tuple[Picture, ...]:
    """The count from zero to now, its last day enlarged; nothing if nobody has read."""
    c, step, tier = view.counting, view.step, view.read
    if tier is None:
        return ()
    own = scenes.stream_frame(tier, c.used, c.family, SURE, moved=c.moved, stop=step)
    looks: dict[str, Look] = {}
    wide, rows = None, []
    last = own.iloc[-1]
    if c.gains(tier, step):
        fresh = f"new noise on every {c.every}"
        rows.append(_points(c, fresh, own, own["fresh"]))
        words = f"{fresh}, {pm(last['fresh'])}"
        wide = looks[fresh] = Look(width=0, colour=GREY, band=0.4, words=words)
    half = (last["high"] - last["low"]) / 2
    read = number(last["value"], step=half)
    words = f"noise on blocks, {pm(half)}: {tier.name} reads {read}"
    rows.append(_points(c, tier.name, own, own["high"] - own["value"]))
    looks[tier.name] = Look(
        colour=tier.style.colour, symbol=tier.style.marker, words=words, on=wide
    )
    if c.counts is not None:
        own = pd.DataFrame({"step": range(1, step + 1), "value": c.counts[:step].cumsum()})
        rows.append(_points(c, "exact", own))
        words = "Exact, not private" if c.own else "true count"
        looks["exact"] = Look(width=1.5, words=f"{words} {own['value'].iloc[-1]:,}")
    made = lines(
        pd.concat(rows),
        what=f"Running counts with noise up to {_at(c, step)}.",
        x=Axis(title=c.every, labels=c.labels),
        y=Axis(title=f"{c.noun} so far"),
        looks=looks,
        enlarged=(step - DAY + 1, step) if step > DAY else None,
        part="the last day" if c.every == "hour" else f"the last {DAY} {c.every}s",
    )
    return (made,)


def _points(
    c: Counting, name: str, own: pd.DataFrame, half: "pd.Series[float] | float" = math.nan
) -> pd.DataFrame:
    """A line of the picture, and its band."""
    value = own["value"].astype(float)
    detail = [
        f"{number(count)} {c.noun} so far at {_at(c, step)}."
        for step, count in zip(own["step"].tolist(), value.tolist(), strict=True)
    ]
    made = pd.DataFrame({"line": name, "x": own["step"], "y": value, "detail": detail})
    return made.assign(low=value - half, high=value + half)


def blocks(_: Workspace, view: View) -> None:
    """The blocks of the step that has come."""
    c, step = view.counting, view.step
    told = "Each block has one random error; filled blocks are added"
    if c.tree.most_negative:
        told += (
            f", hatched ones taken away. {capitalised(literal(c.every))}s to come bring no "
            f"{literal(c.noun)} yet, only random errors drawn ahead"
        )
    parts.picture(
        walk_chart(walk_frame(c.tree, step), arity=c.tree.arity, every=c.every),
        heading=walk_heading(c, step),
        reading=f"{told}.",
        key="counting_walk",
    )
    st.markdown(
        f"One {c.one} lies in at most {counted_with(c.tree.height, 'blocks')}, one in each row: "
        "that is what its privacy costs. The random errors of few blocks add up to little, and "
        "how many there are changes from step to step."
    )


# --- the sentences ---


def headline(view: View) -> Said:
    """How exact the running count of a step is, and how far separate noise would have grown.

    Of the made-up stream, first whose calls these are.
    """
    c, tier, step = view.counting, view.reader, view.step
    drawn = tier.name in {each.name for each in c.tiers}
    who: dict[str, Number | Name | str] = {
        "whose": "" if c.own else "A helpline counts its calls. ",
        "every": Name(c.every),
        "sees": "sees" if drawn else "would see",
        "tier": Name(with_article(tier.name)),
        "At": Name(capitalised(_when(c, step))),
    }
    how = "the distribution of the sum of as many noise terms as this step has"
    what = f"distance from the exact running count, {tier.name}"
    far = c.distance(tier, step)
    ours = _distance(c, tier, step, what, far, how)
    near = Number(within(far, literal(c.noun)), ours)
    theirs = c.naive(tier, step)
    if theirs <= far:
        return say(f"{SEES}.", near=near, **who)
    what = f"the same with the noisy counts of every {c.every} added up, {tier.name}"
    how = "the distribution of the sum of as many noise terms as there were steps"
    fresh = plus_minus(_distance(c, tier, step, what, theirs, how), unit=False)
    return say(
        SEES + ". New noise on every {every} would make it {fresh}{more}.",
        more=" and give more away" * c.gives_more(tier),
        near=near,
        fresh=fresh,
        **who,
    )


def _distance(c: Counting, tier: HeldTier, step: int, what: str, value: float, how: str) -> Claim:
    """Why ± of a running count is what it is."""
    return Claim(
        what=what,
        value=value,
        unit=c.noun,
        fixed=f"{_when(c, step)}, {percent(SURE)} confidence, {tier.budget}",
        method=f"{how} (MATHEMATICS 4.2)",
        assumes="one count is read by itself",
    )


def _at(counting: Counting, step: int) -> str:
    """A step by its label or its number."""
    labels = counting.labels
    return f"{counting.every} {step:,}" if labels is None else labels[step - 1]


def _when(counting: Counting, step: int) -> str:
    """When a step is: after this many days, if it ends one of some."""
    days, hours = divmod(step, DAY)
    if counting.labels is None and counting.every == "hour" and days > 1 and not hours:
        return f"after {days:,} days"
    return f"at {_at(counting, step)}"


def badges(view: View) -> list[parts.Badge]:
    """Lossless, and whether exact numbers on screen are somebody's."""
    shown = view.own is not None and view.counting.counts is not None
    return [parts.lossless(view.counting.readers[-1].name), *([parts.REVEALED] if shown else [])]


def beside(view: View) -> tuple[Said, ...]:
    """How often an attacker can be right at most about one call."""
    tier, one, c = view.reader, view.counting.one, view.counting
    fresh = Said("")
    if c.gains(tier, view.step):
        theirs = c.right_naive(tier)
        why = theirs.claim(f"right by new noise on every {c.every}", tier.budget, one)
        fresh = say(
            "; with new noise on every {every}, {many}: there the noise on one {every} is smaller "
            "than a block’s, but it adds up over all {every}s",
            every=Name(c.every),
            many=Number(theirs.said, why),
        )
    return (
        say(
            "Guessing whether a given {one} was counted, {tier} is right {right} "
            "({coin}){fresh}.{several}",
            one=Name(one),
            fresh=fresh,
            tier=Name(with_article(tier.name)),
            several="" if view.own else " A caller with several calls is protected less.",
            right=c.right(tier).times(f"right by {tier.name}", tier.budget, one),
            coin=A_COIN,
        ),
    )


def reading(view: View) -> str:
    """How to read the picture."""
    c, step, sure = view.counting, view.step, times_in_100(SURE)
    text = f"{capitalised(literal(c.noun))} so far at {literal(_at(c, step))}. The coloured band "
    text += f"holds the true count {'at least ' * c.family.integer}{sure}"
    if c.gains(view.reader, step):
        text += f"; grey is how wide it would be with new noise on every {literal(c.every)}"
    text += f". {walk_heading(c, step)}."
    if c.counts is None or c.own:
        return text
    return f"{text} The calls are invented, so the true count may be shown."


def walk_heading(c: Counting, step: int) -> str:
    """Whose noise one count carries: of few blocks, not of all steps."""
    used = int(c.used[step - 1])
    text = f"This count carries the noise of {counted_with(used, 'blocks')}"
    return text + (f", not of {counted_with(step, f'{c.every}s')}" if used < step else "")


def facts(view: View) -> Facts:
    """The definitions of the made-up stream, or of the visitor's."""
    tree, most, own = view.counting.tree, view.counting.moved, view.own
    unit = "one call: somebody who calls once in the whole stream"
    return footer(
        "ε-DP",
        unit=own.stream.unit if own else unit,
        neighbours=own.stream.neighbours if own else "one call more or less",
        sensitivity=f"one {view.counting.one} moves the counts by at most {most:,}, and the sums "
        f"of blocks by at most {tree.height * most:,} in all",
        data=own.stream.data if own else "none: invented calls per hour, of no real person",
        symbols=sensitivity_words(tree, most, view.counting.one),
    )


# --- the formulas, and the same in Python ---


def formula(view: View) -> str:
    """The formulas, and the same with the numbers of the least private tier."""
    text = (
        r"Step $t=\sum_l d_l k^l$ with digits $-m\le d_l\le k-1-m$ adds or subtracts $|d_l|$ "
        r"blocks of width $k^l$. An event lies in at most one used block of each of the $h$ "
        r"levels, so the blocks move by $\Delta_1=h\,c$ at most, and every block gets Laplace "
        r"noise of scale $b=\dfrac{h\,c}{\varepsilon}$. Right guesses about an event that counts "
        r"once: $500\,(1+\delta(0))$ of $h$ such losses; of one that counts more often, what ε "
        r"allows. Variance of one running count: "
        r"$2b^2\sum_l|d_l|$. Interval: the sum of $n$ such terms has "
        r"$P(|S|>x)=\sum_{j<n}\binom{n-1+j}{j}2^{-(n-1+j)}\,Q(n-j,\,x/b)$, exactly. "
        r"Gaussian noise on the square root: mean squared error $\sigma^2\Gamma_T$, "
        r"$\Gamma_T=S_T\bigl(S_T(1+\tfrac1{4T})-T f_T^2\bigr)$."
    )
    c = view.counting
    tree, last = c.tree, c.readers[-1]
    return (
        f"{text}\n\nHere $T$ = {c.steps:,}, $k$ = {tree.arity}, $m$ = {tree.most_negative}, $h$ = "
        f"{tree.height}, $c$ = {c.moved}. {literal(last.name)}: $\\varepsilon$ = "
        f"{significant(last.loss, 6)} gives $b$ = {significant(last.level, 6)}; a running count "
        f"carries at most {int(c.used.max())} noise terms. The tiers share the noise of each "
        "block: a noisier tier has the noise of a less noisy one and more, so together they "
        f"learn what the least private one learns. A budget $\\rho$ of the plan is read as "
        r"$\varepsilon=\sqrt{2\rho}$ here, which has no larger $\rho$."
    )


def arguments(view: View) -> Mapping[str, object]:
    """With what the numbers on screen are made."""
    if view.own is None:
        c, branching = view.counting, view.branching
        all_ = tuple(Reader(tier.name, tier.loss) for tier in c.readers)
        needs = ("from dpviz.data import hourly_events",)
        return {
            "counts": code.Text(f"hourly_events({HOURS})", before=needs),
            "readers": [(reader.name, reader.epsilon) for reader in all_],
            "arity": branching.arity,
            "subtraction": branching.subtraction,
            "family": c.family,
            "live": True,
            "rng": code.seeded(SEED, scenes.path_of(all_, c.family.name, branching)),
        }
    ws, own = workspace(), view.own
    session = ws.find(own.key)
    epsilons = {r.level: r.loss for r in view.counting.tiers}
    counts = code.Text("[...]  # the list that was typed: it stays on the page")
    if own.stream.counted is not None:
        counts = code.Text("query.values(table)", before=(code.query_code(own.stream.counted),))
    return {
        "counts": counts,
        "readers": [(e.tier, epsilons[e.level]) for e in ws.entries_of(session)],
        "arity": own.branching.arity,
        "subtraction": own.branching.subtraction,
        "family": own.family,
        "sensitivity": own.stream.moved,
        **code.drawn_again(ws, own.asking, session),
    }


def check_reading(before_draw: Callable[..., object], view: View) -> None:
    """Show how the page Data has read a table that is counted, before the first draw."""
    ws = workspace()
    if view.own is not None and view.own.stream.counted is not None:
        before_draw(ws, view.own.stream.counted, ws.find(view.own.key))


PAGE = PageForm(
    file="continual_counting",
    guesses="Right guesses: computed for the Laplace noise of this page, not for that of Tiers.",
    specialist=specialist,
    controls=settings,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    below=below,
    formula=formula,
    recipe=scenes.running_counts,
    arguments=arguments,
    facts=facts,
    closers=(
        Closer(
            label="Why so little noise adds up: the blocks behind one count",
            inside=blocks,
            key="counting_boxes",
        ),
    ),
    badges=badges,
)
