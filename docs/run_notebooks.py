"""Execute every notebook of docs/notebooks and keep its figure: build/docs/notebooks/NAME.html.

A notebook is plain Python with cells (`# %%`); its last cell leaves a Plotly figure in `figure`.
"""

import runpy
import sys
from pathlib import Path

import plotly.graph_objects as go

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "docs" / "notebooks"


def run(file: Path) -> go.Figure:
    """Execute a notebook and return its figure.

    Raises:
        TypeError: it leaves no figure with marks.
    """
    figure = runpy.run_path(str(file)).get("figure")
    if not isinstance(figure, go.Figure) or not figure.data:
        raise TypeError(f"{file.name} leaves no figure")
    return figure


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file in sorted((ROOT / "docs" / "notebooks").glob("*.py")):
        run(file).write_html(FOLDER / f"{file.stem}.html", include_plotlyjs="directory")
        print(f"{file.stem}: {FOLDER.relative_to(ROOT) / file.stem}.html")
