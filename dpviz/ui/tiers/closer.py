"""The closers of the page Tiers: which noise, and which groups stay readable."""

from collections.abc import Sequence

from dpviz.planning.tiers import PlannedTier
from dpviz.ui.kit import parts
from dpviz.ui.tiers import controls, readable_controls
from dpviz.workspace.workspace import Workspace


def noise(ws: Workspace) -> None:
    """Which noise, and the δ of the plan."""
    parts.look_closer(f"Which noise? {ws.family.label}", lambda: _noise(ws), key="noise")


def _noise(ws: Workspace) -> None:
    controls.advise(ws)
    controls.choose_family(ws)
    controls.choose_delta(ws)
    controls.of_family(ws, ws.planned()[0])


def readable(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """How large a group must be, for each tier."""
    parts.look_closer(
        "Which groups stay readable?",
        lambda: readable_controls.readable_groups(ws, planned),
        key="readable",
    )
