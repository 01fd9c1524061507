"""A figure with the text for those who do not see it, both made from one frame."""

from dataclasses import dataclass

import plotly.graph_objects as go


@dataclass(frozen=True, slots=True)
class Picture:
    """What a form gives."""

    figure: go.Figure
    alt: str
