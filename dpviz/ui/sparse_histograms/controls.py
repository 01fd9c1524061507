"""Controls of the page Sparse histograms: what is looked at, thresholds, draw in any order."""

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.planning import typed
from dpviz.planning.budgets import Setting
from dpviz.sparse import threshold_for
from dpviz.ui.kit import controls, panel, parts
from dpviz.ui.kit.panel import Offer
from dpviz.ui.kit.state import Slot
from dpviz.ui.sparse_histograms import own
from dpviz.ui.sparse_histograms.scenes import CODING, EXAMPLE_SETTING, example_scene, start_over
from dpviz.ui.sparse_histograms.view import Scene
from dpviz.words import pm, significant
from dpviz.words.markdown import literal
from dpviz.workspace.sparse import ItemTier, Wanted
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "made-up town", "my column"
PHANTOMS, TYPED = "phantoms allowed", "a typed count"
_KEPT = Slot("sparse_allowed_kept", lambda: "5.0")


def scene(ws: Workspace) -> Scene | None:
    """Which histogram; None, with the reason, while the user's column cannot be used."""
    chosen = controls.look_at(
        EXAMPLE,
        OWN,
        key="sparse_source",
        help="The example counts people who do not exist: its truth is public, so that everything "
        "can be drawn. Your own column keeps its exact counts hidden.",
    )
    if chosen == OWN:
        return own.scene(ws, thresholds)
    return example_scene(ws, thresholds(ws, EXAMPLE_SETTING, CODING.size))


def thresholds(ws: Workspace, setting: Setting, size: int) -> Wanted:
    """From how many phantoms the thresholds follow, or the thresholds as typed."""
    how = controls.segmented_control(
        "What sets the dotted line?",
        (PHANTOMS, TYPED),
        default=PHANTOMS,
        key="sparse_how",
        help="An item shows only if its noisy count is above the threshold τ. A phantom is an "
        "item that nobody has, lifted over τ by noise alone.",
    )
    return _typed(ws, setting, size) if how == TYPED else _allowed(size)


def _allowed(size: int) -> Wanted:
    """One number of phantoms for every tier; one that cannot be used leaves the last in use."""
    text = controls.text_input(
        "Phantoms allowed, on average",
        "5",
        key="sparse_phantoms",
        help="Fewer: a higher threshold, and more true items are hidden. More: a lower one, and "
        "more of what is shown is untrue.",
    )
    kept = _KEPT.get()
    try:
        allowed = typed.number(text, where="Phantoms", example="1")
        if allowed <= 0:
            raise ParameterError("Phantoms: type a number above 0, for example 0.1 or 1.")
        if allowed >= size > float(kept):
            raise ParameterError(
                f"Phantoms: there are {size:,} items in all. Type fewer, for example 1."
            )
        if allowed < size:
            _KEPT.set(str(allowed))
        return Wanted(allowed=str(allowed))  # too many for every tier: that is refused there, once
    except ParameterError as error:
        parts.refusal(str(error))
    return Wanted(allowed=kept)


def _typed(ws: Workspace, setting: Setting, size: int) -> Wanted:
    """A threshold for each tier; a tier whose threshold cannot be used is left out."""
    found = {}
    for p in reversed(ws.plan.planned(setting)[0]):
        usual = threshold_for(
            p.budget.loss, min(1.0, size / 2), cells=size, l2_sensitivity=setting.sensitivity.l2
        )
        found[p.name] = controls.text_input(
            f"Threshold of {literal(p.name)}",
            f"{usual:.4g}",
            key=f"sparse_tau_{size}_{p.name}",
            help="An item shows only if its noisy count is above this number.",
        )
    return Wanted(typed=found)


def refusals(shown: Scene) -> None:
    """Which tiers cannot be used."""
    for sentence in shown.problems:
        parts.refusal(sentence)


def _drawn(shown: Scene, tier: ItemTier) -> str:
    """What a press for a tier draws, as the beginning of a sentence."""
    return (
        f"Draws the items whose noisy count is above {significant(tier.threshold)} {shown.noun}. "
        f"Noise {pm(tier.planned.budget.half_width, 3)} (95 %), "
        f"{significant(tier.phantoms)} phantoms expected"
    )


def _offer(ws: Workspace, shown: Scene) -> Offer | None:
    """What the tiers may still draw of the visitor's column; nothing is asked of the example."""
    if shown.asking is None:
        return None
    tiers = {t.name: t for t in shown.tiers}
    planned = [t.planned for t in shown.tiers]
    return panel.offer(
        ws, shown.asking, planned, lambda p: _drawn(shown, tiers[p.name]), key="sparse"
    )


def _singly(shown: Scene, offered: Offer | None) -> None:
    """One button per tier, and start over for the example."""
    rows = [
        panel.Row(
            name=t.name,
            label=_label(shown, t),
            waiting=t.released is None,
            help=offered.each.get(t.name)
            if offered
            else f"{literal(_drawn(shown, t))}, at {t.words} (larger = less private).",
        )
        for t in reversed(shown.tiers)
    ]
    act = offered.draw if offered else shown.draw
    panel.draw(rows, act, key=f"sparse_draw_{shown.size}_")
    st.caption("In any order. Asking again gives the same items and numbers.")
    if shown.again is not None:
        panel.start_over("Start the example over", start_over, key="sparse_over")


def _verb(shown: Scene) -> str:
    """What a button does: a made-up release is only shown."""
    return "Draw" if shown.query else "Show"


def _label(shown: Scene, tier: ItemTier) -> str:
    """What the button of a tier does, or did."""
    name, verb = parts.chip(tier.name, tier.style), _verb(shown)
    return f"{verb} {name}" if tier.released is None else f"{name}: {panel.SHOWN[verb]}"


def rest(ws: Workspace, shown: Scene) -> None:
    """All tiers that remain, or single ones, at the picture; what it costs, what went wrong."""
    offered = _offer(ws, shown)
    act = offered.draw if offered else shown.draw
    waiting = [t.name for t in shown.tiers if t.released is None]
    label = panel.rest(_verb(shown), len(waiting), len(shown.tiers))
    over = "" if shown.again is None else ", or start over"
    with st.container(horizontal=True):
        panel.draw_rest(waiting, act, key="sparse_all", label=label, width="content")
        with panel.one_by_one(f"{_verb(shown)} one tier{over}."):
            _singly(shown, offered)
    parts.problem_of_last_act()
    if offered and offered.all:
        st.caption(offered.all)


def badges(shown: Scene) -> list[parts.Badge]:
    """What kind of release it is, and whether exact counts of real people are on screen."""
    revealed = shown.query is not None and shown.truth is not None
    return [parts.WEAKLY_LOSSLESS, *([parts.REVEALED] if revealed else [])]
