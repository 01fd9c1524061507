"""What may be done with a session of the visitor's data as a whole: seal it, or start over.

Both change what can be drawn from then on, and neither draws: a session is sealed at its sharpest
release. On Releases, where a seal may draw first, the same words are used.
"""

from collections.abc import Sequence

import streamlit as st

from dpviz.planning.tiers import PlannedTier
from dpviz.ui.kit import press
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.workspace import Workspace

ABOUT = "Seal this session, or start over with new noise, which adds to the privacy loss."
IS_SEALED = "Sealed: the exact numbers are erased from this session."
STAYS = "The table itself stays loaded until you replace it or close the tab."
ADDS = (
    "A new session draws new noise on the same data. What was released stays released: "
    "the privacy losses of both sessions add up."
)
FILES = "The files of its releases are then on the page Releases."


def show(ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier], *, key: str) -> None:
    """A box with both acts; nothing before the first release.

    Args:
        ws: the workspace.
        asking: what the session was asked for.
        tiers: who may draw from it.
        key: beginning of the keys.
    """
    one = ws.find(asking.key)
    if one is None:
        return
    box = f"{key}session"
    with press.popover("This session …", key=box, icon="more_horiz", help=ABOUT):
        _seal(ws, one, tiers, key=f"{key}seal", box=box)
        start_over(ws, one, key=f"{key}start_over", box=box)
        st.caption(FILES)


def sealed_away(ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier]) -> tuple[str, ...]:
    """Who can get no release any more, as the session is sealed at a noisier one.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        tiers: who may draw from it.
    """
    one = ws.find(asking.key)
    sealed = one.sealed_at if one else None
    return tuple(p.name for p in tiers if sealed is not None and p.budget.level < sealed)


def erases(lost: Sequence[str], between: str) -> str:
    """What a seal does for good.

    Args:
        lost: who can get no release from then on.
        between: what else is said of it.

    >>> erases(["audit"], "Research stays the sharpest.").partition("generator. ")[2]
    'Research stays the sharpest. Impossible from then on: audit.'
    """
    gone = f"Impossible from then on: {join(list(lost))}." if lost else "Every tier stays possible."
    return (
        "This erases the exact numbers from this session, for good, and replaces its random "
        f"generator. {between} {gone}"
    )


def start_over(ws: Workspace, one: Session, *, key: str, box: str) -> None:
    """New noise on the same data; says that it costs, and asks.

    Args:
        ws: the workspace.
        one: the session in use.
        key: of the button.
        box: key of the popover that it is in.
    """
    st.markdown(f"**Start over.** {ADDS}")
    press.button("Start over, and add", ws.close_session, one, key=key, closes=box)


def _seal(ws: Workspace, one: Session, tiers: Sequence[PlannedTier], *, key: str, box: str) -> None:
    """Erase the exact numbers; says what becomes impossible, or why it cannot be done."""
    if one.sealed_at is not None:
        st.caption(IS_SEALED)
        return
    if one.asking.never_sealed:
        st.caption(literal(f"{one.asking.never_sealed}."))
        return
    sharpest = min(ws.entries_of(one), key=lambda e: e.level)
    lost = [p.name for p in tiers if p.budget.level < sharpest.level]
    between = f"Its sharpest release, {sharpest.tier}’s, stays the sharpest."
    st.markdown(f"**Seal it.** {literal(erases(lost, between))}")
    st.caption(STAYS)
    level = sharpest.level
    press.button("Erase and seal", ws.seal_session, one, level, key=key, closes=box, icon="lock")
