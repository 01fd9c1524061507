"""Controls of the page Top-k: whose counts, how long a list, at which budget, by what mechanism."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.parameters import DELTA, DELTA_MEANING, EPSILON
from dpviz.planning import typed
from dpviz.queries import Count
from dpviz.top_k import Reach
from dpviz.top_k.choice import Choice
from dpviz.ui.kit import controls, panel, parts
from dpviz.ui.kit.state import fill
from dpviz.ui.top_k import own, scenes
from dpviz.ui.top_k.examples import EXAMPLES, Example
from dpviz.ui.top_k.view import Asked, Scene
from dpviz.ui.top_k.words import LIMIT, next_step
from dpviz.words import capitalised, delta
from dpviz.workspace.top_k.source import Source
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "example", "my column"
PRIVATE, PUBLIC = "private", "public"
BEST = "the best here"
LONGEST = 50  # of a list
MOST_REACHED = 10**9
LIMITED = "topk_l0"  # key of the field of the limit on the items of one person
HARDENED = (
    "Hardened mode draws the list exactly, item by item, and whole-number noise for its counts; "
    "truncated noise is not offered."
)


def scene(ws: Workspace, place: DeltaGenerator) -> Scene | None:
    """What is looked at; None, with the reason, while something cannot be used.

    Args:
        ws: the workspace.
        place: of what only specialists change.
    """
    chosen = controls.look_at(
        EXAMPLE,
        OWN,
        key="topk_source",
        help="The examples are made up or a public text, so the page can show everything. "
        "Your own column keeps its exact counts hidden.",
    )
    example = None
    if chosen == EXAMPLE:
        example = EXAMPLES[
            controls.pill("Example", list(EXAMPLES), default=next(iter(EXAMPLES)), key="topk_which")
        ]
        st.caption(example.told)
    fields = st.container()
    with place:
        known = _known()
    with fields:
        of = own.source(ws, known) if example is None else None
        asked = _asked(ws, known, example, of, place)
    if asked is None or (example is None and of is None):
        return None
    return parts.usable(lambda: _scene(ws, asked, example, of, place))


def _known() -> bool:
    """Whether the list of all items is public."""
    chosen = controls.segmented_control(
        "The list of all items is",
        (PRIVATE, PUBLIC),
        default=PRIVATE,
        key="topk_domain",
        help="Public: written down without looking at the data, such as all countries. Private: an "
        "item is known only because somebody, or something, has it, so naming it gives that away.",
    )
    return chosen == PUBLIC


def _scene(
    ws: Workspace,
    asked: Asked,
    example: Example | None,
    of: Source | None,
    place: DeltaGenerator,
) -> Scene | None:
    """The mechanism, and what it found.

    Raises:
        ParameterError: one sentence with what to ask for instead.
    """
    best = asked.choose()
    with place:
        choice = best.named(_mechanism(best))
    if not asked.whole:
        st.caption(HARDENED)
    if of is not None:
        return own.scene(ws, of, asked, best, choice)
    return scenes.example_scene(example, asked, best, choice) if example else None


def _mechanism(best: Choice) -> str:
    """The mechanism to use: the best one, or another that can be used here."""
    names = [best.mechanism, *(other.mechanism for other in best.others)]
    if len(names) == 1:
        st.caption(f"Way to draw: {names[0]}, the only one that fits here.")
        return names[0]
    said = {BEST: f"{BEST}: {names[0]}"} | {name: capitalised(name) for name in names[1:]}
    name = controls.selectbox(
        "Way to draw",
        list(said),
        format_func=said.__getitem__,
        key=controls.keyed("topk_mechanism", names),
        help="See “Which of four ways fits here?” on the page.",
    )
    return names[0] if name == BEST else name


def _asked(
    ws: Workspace, known: bool, example: Example | None, of: Source | None, place: DeltaGenerator
) -> Asked | None:
    """What is typed; None, with one sentence for each field that cannot be used."""
    most = min(LONGEST, len(example.make())) if example else LONGEST
    if of is not None and isinstance(of.query, Count):
        most = min(LONGEST, len(of.query.labels))
    usual = str(min(10, most))
    length = controls.text_input(
        "How many items",
        usual,
        key=f"topk_k_{usual}",
        help="k, the most items on the list. On a longer list each place gets less of the budget.",
    )
    reached = ""
    if example is not None:
        reached = controls.text_input(
            "Items of one person, at most",
            "",
            placeholder="no limit",
            key=LIMITED,
            help="ℓ₀: in how many items one person may be counted. With a small limit, noise in "
            "every count is cheaper; without one, only a list of bounded length is private.",
        )
    budget = controls.text_input(
        "Budget ε (larger: sharper, less private)",
        "1",
        key="topk_epsilon",
        help="A bound on the privacy loss of the list and one release of its counts together, half "
        "for each.",
    )
    with place:
        chance = controls.text_input(
            "δ",
            delta(ws.delta),
            key=f"topk_delta_{ws.delta!r}",
            help=f"δ, delta: {DELTA_MEANING}. It begins at the δ of your plan.",
        )
    k = parts.usable(lambda: typed.whole(length, where="How many items", least=1, most=most))
    epsilon = parts.usable(lambda: EPSILON.read_exact(budget, where="Budget ε"))
    delta_ = parts.usable(lambda: DELTA.read_exact(chance, where="δ"))
    reach = parts.usable(lambda: of.reach if of is not None else _reach(reached))
    if k is None or epsilon is None or delta_ is None or reach is None:
        return None
    hardened = of is not None and ws.mode == "hardened"
    return Asked(k=k, epsilon=epsilon, delta=delta_, reach=reach, known=known, whole=not hardened)


def _reach(text: str) -> Reach:
    """What one person of an example can do to the counts."""
    if not text.strip():
        return Reach()
    where = "Items of one person, at most"
    return Reach(l0=typed.whole(text, where=where, least=1, most=MOST_REACHED))


def acts(ws: Workspace, shown: Scene) -> None:
    """Another list of the example; of a column, its list and its tiers."""
    if shown.own is not None:
        own.acts(ws, shown)
        return
    hint = next_step(shown)
    if hint:
        st.caption(hint)
        controls.button(
            f"Limit each person to {LIMIT} items",
            _limit,
            key="topk_limit",
            type="primary",
            icon="person",
            width="stretch",
        )
    panel.start_over(
        "Draw another list",
        scenes.draw_again,
        key="topk_over",
        why="Fresh noise on the same public counts. For real people it would cost privacy again.",
        blue=not hint,
    )


def _limit() -> None:
    """Fill in the limit that the hint is about."""
    fill(LIMITED, str(LIMIT))


def badges(shown: Scene) -> list[parts.Badge]:
    """That the counts of the tiers are lossless, and whether exact counts are on screen."""
    if shown.own is None:
        return []
    revealed = [parts.REVEALED] if shown.counts is not None else []
    return ([parts.LOSSLESS] if shown.own.values is not None else []) + revealed
