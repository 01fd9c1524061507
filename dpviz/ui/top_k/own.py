"""The visitor's own column on the page Top-k: what is counted, its list, tiers and files."""

import streamlit as st

from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.queries import Count, TextCounts
from dpviz.top_k.choice import TRUNCATED, Choice
from dpviz.ui.kit import bound_controls, controls, looking, panel, parts, press
from dpviz.ui.top_k.scenes import unknown
from dpviz.ui.top_k.view import Asked, Found, Own, Scene
from dpviz.words import shorten, within
from dpviz.words.markdown import literal
from dpviz.workspace import structured
from dpviz.workspace.held import HeldTier
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.sessions import Asking
from dpviz.workspace.top_k.common import Common
from dpviz.workspace.top_k.lists import Subject
from dpviz.workspace.top_k.source import Source
from dpviz.workspace.workspace import Workspace

MOST_TEXTS = 1_000_000
NO_TEXT = "This table has no column of texts. Upload or load a table that has one, on the page"

SAME_AGAIN = (
    "With the length, the budget and the settings of a list that was drawn, it is here again, and "
    "if its counts are sealed, they are drawn on without the table."
)
ONE_FOR_ALL = (
    "All tiers get one and the same list and counts. To give each tier counts of its own accuracy, "
    "choose the Gumbel list that can end."
)


def source(ws: Workspace, known: bool) -> Source | None:
    """What is counted; None, with the reason, if nothing can be."""
    try:
        return _statistic(ws) if known else _column(ws)
    except ParameterError as error:
        parts.problem(error)
        if known:
            parts.link("data")
        return None


def _statistic(ws: Workspace) -> Source:
    """The statistic of the page Data, whose groups are a public list."""
    statistic = ws.statistic
    if not isinstance(statistic.query, Count):
        raise ParameterError(
            "The statistic of the page Data has no public list of groups. Choose a "
            "number per group there, or a private list here"
        )
    found = Source(table=statistic.table, query=statistic.query)
    st.caption(f"Counted: {literal(statistic.query.statistic)}, as on the page Data.")
    return found


def _column(ws: Workspace) -> Source | None:
    """A column of texts, of which nobody has made a list."""
    if is_absent(ws.table) and (held := _kept(ws)) is not None:
        return held
    if looking.is_away(ws):
        return None
    names = [c.name for c in ws.table.columns if c.kind == "text"]
    if not names:
        parts.refusal(f"{NO_TEXT} Data")
        return None
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
    return Source(table=ws.table, query=TextCounts(column, bounds(MOST_TEXTS)))


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


def scene(ws: Workspace, of: Source, asked: Asked, best: Choice, choice: Choice) -> Scene | None:
    """The list of a column with what was drawn of it; None, with the reason, if it is refused."""
    shown = looking.reveal(
        ws,
        of.table,
        "Reveal the exact counts: not private",
        key="topk_reveal",
        help_text="For teaching: then the picture shows what is missed and what is wrong.",
    )
    try:
        listing = _listing(of, asked, choice)
        counts = of.counts() if shown else None
        own, found = _drawn(ws, of, listing, asked.k)
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    query = of.query
    name = query.column if isinstance(query, TextCounts) else "group"
    return Scene(
        things=f"values of “{name}”" if isinstance(query, TextCounts) else "groups",
        thing=f"value of “{name}”" if isinstance(query, TextCounts) else "group",
        noun=query.noun,
        asked=asked,
        best=best,
        choice=choice,
        found=found,
        counts=counts,
        own=own,
    )


def _listing(of: Source, asked: Asked, choice: Choice) -> Subject | Common | None:
    """What draws the list; None where it is read off a release of the page Releases."""
    if choice.step is not None:
        return Subject(source=of, k=asked.k, step=choice.step, unknown=unknown(choice))
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
    if isinstance(listing, Common):
        common = listing.found(ws)
        own = Own(source=of, listing=listing, values=None, tiers=())
        if common is None:
            return own, None
        items = tuple(map(str, common.items[:k]))
        values = common.values[:k]
        return own, Found(items=items, values=values, asked=k, ended=len(items) < k)
    ranking = listing.ranking(ws) if listing else None
    if listing is None or ranking is None:
        return Own(source=of, listing=listing, values=None, tiers=()), None
    items = tuple(map(str, ranking.items))
    counted = listing.values(ws) if items else None
    tiers: tuple[HeldTier, ...] = ()
    if counted is not None:
        held = structured.held_tiers(ws, counted.asking, counted.tiers(ws)[0])
        tiers = tuple(tier for tier, _ in held)
    own = Own(source=of, listing=listing, values=counted, tiers=tiers)
    sharpest = None
    if tiers and tiers[-1].values is not None:
        sharpest = tiers[-1].values - ws.family.mean(tiers[-1].level)
    return own, Found(items=items, values=sharpest, asked=ranking.asked, ended=ranking.ended)


def acts(ws: Workspace, shown: Scene) -> None:
    """Draw the list, once for all tiers; then its counts, by tiers in any order."""
    own = shown.own
    if own is None:
        return
    if own.listing is None:
        st.info(
            "Here the list needs no draw of its own: release all counts on the page Releases, and "
            "each tier reads its list off its own numbers.",
            icon=":material/format_list_numbered:",
        )
        parts.link("releases")
        return
    offered = _offer(ws, own.listing)
    press.button(
        "Draw the list" if shown.found is None else "The list is drawn",
        offered.draw,
        own.listing.planned.name,
        key="topk_list",
        type="primary",
        icon="format_list_numbered",
        width="stretch",
        disabled=shown.found is not None,
        help="Drawn once and kept, the same for all tiers. Other settings make another list, and "
        "the two costs add up.",
    )
    if shown.found is None:
        st.caption(offered.all)
    if isinstance(own.listing, Common):
        st.caption(ONE_FOR_ALL)
    if own.values is None:
        parts.problem_of_last_act()
        return
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
    parts.problem_of_last_act()
    panel.left_out(left_out)


def asking_of(ws: Workspace, listing: Subject | Common) -> Asking:
    """What the mechanism of a list is asked for."""
    return listing.asking if isinstance(listing, Common) else listing.asking(ws.family)


def _offer(ws: Workspace, listing: Subject | Common) -> panel.Offer:
    """What a draw of the list costs: it is one for all tiers."""
    asking = asking_of(ws, listing)

    def draw(_name: str, *, sure: bool) -> None:
        listing.draw(ws, sure=sure)

    return panel.offer(ws, asking, [listing.planned], lambda _: "", key="topk_list", act=draw)


def files(ws: Workspace, shown: Scene) -> None:
    """A file for the list, and one for each tier's counts."""
    own = shown.own
    if own is None or own.listing is None:
        return
    panel.hand_out(
        ws,
        asking_of(ws, own.listing),
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
