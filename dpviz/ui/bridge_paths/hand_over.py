"""From the Bridge paths page to the plan: the tier at the slider, added without a draw.

Limits: the plan keeps what was typed; the release is drawn on the page Releases, by its button.
"""

import streamlit as st

from dpviz.accounting.guarantees import guarantee_of
from dpviz.planning.tiers import Tier
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import Scene
from dpviz.ui.kit import parts, press
from dpviz.words import capitalised
from dpviz.words.markdown import literal
from dpviz.workspace.plan import free_name
from dpviz.workspace.workspace import Workspace


def hand_over(ws: Workspace, shown: Scene, asked: Asked) -> None:
    """A button that adds the tier to the plan, or one sentence why it is not needed or possible."""
    tier = offered(ws, shown, asked)
    owner = ws.plan.owner(tier.kind, tier.amount)
    why_not = None if owner else ws.plan.problem_with(tier, ws.setting)
    if owner is not None:
        st.caption(f"{literal(capitalised(owner.name))}, {asked.words}, is a tier of your plan.")
    elif why_not is not None:
        st.caption(f"This tier cannot join your plan: {literal(why_not)}")
    else:
        press.button(
            f"Add {literal(tier.name)}, {asked.words}, to my plan",
            ws.change_plan,
            ws.plan.add,
            tier,
            key="bridge_add",
            icon="playlist_add",
            width="stretch",
            help="Your statistic gets this tier; nothing is drawn until you ask on Releases.",
        )
    parts.link("releases")


def offered(ws: Workspace, shown: Scene, asked: Asked) -> Tier:
    """The tier at the slider's budget, under a name that the plan does not have yet."""
    held = (p.tier for p in shown.held.pins if p.level == asked.budget.level)
    name = next(held, shown.name)
    taken = {t.name.casefold() for t in ws.plan.tiers}
    kind = guarantee_of(shown.held.family).letter
    return Tier(
        name=free_name(taken) if name.casefold() in taken else name, amount=asked.amount, kind=kind
    )
