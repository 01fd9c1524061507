"""The picture of the page Data: what one person moves, and the noise around it."""

from dpviz.charts.data.influence import influence_frame, rulers
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.queries import Query
from dpviz.ui.kit import formulas, parts
from dpviz.words.claims import Said
from dpviz.words.markdown import plain_text
from dpviz.workspace import takeaways
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace


def show(ws: Workspace, query: Query, shown: Statistic, said: Said) -> None:
    """The picture; nothing is drawn for it, and no number of the table is in it."""
    sharpest = _sharpest(ws, query, shown)
    noise = (sharpest.name, _reach(ws, query, sharpest)) if sharpest else None
    near = takeaways.within(sharpest, ws.family, ACCURACY_CONFIDENCE, query) if sharpest else ""
    exact = f"exact {takeaways.number_word(query)}"
    frame = influence_frame(query)
    parts.chart(
        rulers(
            frame,
            axis_title=f"{query.noun_released}, more or fewer than the {exact}",
            hidden=f"{exact}, not published",
            noise=noise,
            one=query.nouns.one,
        ),
        heading=_heading(query.nouns.one, float(frame["change"].abs().max()), noise),
        reading=formulas.influence_reading(query, sharpest.name if sharpest else "", near),
        alt=plain_text(said.text),
        key="influence",
    )


def _heading(one: str, moved: float, noise: tuple[str, float] | None) -> str:
    """What the picture shows: where the noise is the larger of the two, that it is."""
    if noise is None:
        return f"The arrow is one {one}"
    if noise[1] > moved:
        return f"The noise (grey band) is larger than what one {one} changes (arrow)"
    return f"The arrow is one {one}; the grey band is noise"


def _sharpest(ws: Workspace, query: Query, shown: Statistic) -> HeldTier | None:
    """The tier with the least noise, where noise is planned for this statistic."""
    tiers = ws.values_of_tiers
    if shown.key != ws.statistic.key or not tiers:
        return None
    least = min(tiers, key=lambda tier: _reach(ws, query, tier))
    return least if _reach(ws, query, least) > 0 else None


def _reach(ws: Workspace, query: Query, tier: HeldTier) -> float:
    return usual_half_width(ws.family, tier.level, query.step)
