"""What specialists want of the page Tiers, in folds: noise and δ, currencies, readable groups."""

from collections.abc import Sequence

from dpviz.planning.tiers import PlannedTier
from dpviz.ui.kit import parts
from dpviz.ui.tiers import controls, readable_controls
from dpviz.workspace.workspace import Workspace


def noise(ws: Workspace) -> None:
    """Which noise, and the δ of the plan."""
    parts.look_closer(
        f"Noise: {ws.family.label} · choose another kind", lambda: _noise(ws), key="noise"
    )


def _noise(ws: Workspace) -> None:
    controls.advise(ws)
    controls.choose_family(ws)
    controls.choose_delta(ws)
    controls.of_family(ws, ws.planned()[0])


def look(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """The folds of the page, each computed only while it is open."""
    parts.look_closer(
        "Which groups stay readable?",
        lambda: readable_controls.readable_groups(ws, planned),
        key="readable",
    )
    parts.look_closer(
        "The same budgets in other units of privacy (ε, δ)",
        lambda: controls.currencies(ws, planned),
        key="currencies",
    )
    parts.look_closer("Budgets that others have published with", controls.practice, key="practice")
