"""Draw the visitor's running counts tier by tier, and hand them out: one file for each release."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from dpviz.charts.counting.frame import CountedTier
from dpviz.handout import TierRelease, tier_csv
from dpviz.release import LedgerEntry
from dpviz.ui.continual_counting.own import Own, draw, held_tiers
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.hand_out import file_name
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace import structured
from dpviz.workspace.sessions import Structured
from dpviz.workspace.workspace import Workspace


def buttons(ws: Workspace, own: Own) -> None:
    """One button per tier, and a file for each that is drawn."""
    held = {entry.tier for tier, entry in held_tiers(ws, own) if tier.name == entry.tier}
    for p, _ in own.readers:
        press.button(
            parts.chip(p.name, ws.plan.style_of(p.name)) + (": held" if p.name in held else ""),
            draw,
            ws,
            own,
            p.name,
            key=f"counting_draw_{p.name}",
            width="stretch",
            disabled=p.name in held,
        )
    parts.problem_of_last_act()
    st.caption("In any order, drawn once and kept: asking again gives the same numbers.")
    if own.left_out:
        st.caption(
            f"Left out: {literal(join(own.left_out))}. Give each an ε or a ρ on the page Tiers."
        )


def downloads(ws: Workspace, own: Own) -> None:
    """A file for each release."""
    one = structured.find(ws, own.key)
    held = held_tiers(ws, own)
    if one is None or not held:
        return
    st.subheader("Hand out", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for tier, entry in held:
            controls.download_button(
                parts.chip(tier.name, ws.plan.style_of(entry.tier)),
                data=_file(own, one, tier, entry),
                file_name=f"running-{file_name(entry)}",
                key=f"counting_download_{entry.number}",
            )
    st.caption("Each file holds one tier’s numbers and what they are; no other tier’s, none exact.")


def release_of(own: Own, one: Structured, tier: CountedTier, entry: LedgerEntry) -> TierRelease:
    """What the tier of one ledger entry may have."""
    s = own.stream
    labels = s.labels or tuple(f"{s.every} {n}" for n in range(1, s.steps + 1))
    return TierRelease(
        tier=entry.tier,
        session=one.number,
        level=entry.level,
        entries=labels,
        values=np.asarray(tier.values),
        facts=entry.facts,
        labels=labels,
    )


def _file(own: Own, one: Structured, tier: CountedTier, entry: LedgerEntry) -> Callable[[], bytes]:
    """Writes the file when it is asked for."""
    return lambda: tier_csv(release_of(own, one, tier, entry))
