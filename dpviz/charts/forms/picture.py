"""A figure with the text for those who do not see it, both made from one frame."""

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go


@dataclass(frozen=True, slots=True)
class Picture:
    """What a form gives."""

    figure: go.Figure
    alt: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Show the figure in a notebook, with the text for those who do not see it."""
        shown: dict[str, Any] = self.figure._repr_mimebundle_(include, exclude) or {}
        return {**shown, "text/plain": self.alt}
