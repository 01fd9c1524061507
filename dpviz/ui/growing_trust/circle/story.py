"""The story of a circle on its page: who is told what, who compares notes, who joins later."""

from functools import partial

from streamlit.delta_generator import DeltaGenerator

from dpviz.ui.growing_trust.circle import controls, picture_words, pictures, sample, words
from dpviz.ui.growing_trust.stories import Told, show_meter
from dpviz.ui.kit import parts
from dpviz.workspace.workspace import Workspace


def show(ws: Workspace, left: DeltaGenerator, right: DeltaGenerator) -> Told:
    """Show the story, its picture at the left, and return what the frame says of it."""
    pooling, meter, own = (right.container() for _ in range(3))
    with right:
        asked = controls.asked(ws, own)
        view = None if asked is None else controls.view(asked, pooling)
    with left:
        if view is None or asked is None:
            pictures.nothing()
        else:
            pictures.circle(view)
            pictures.joining(asked, view)
    found = None if view is None else picture_words.meter(view)
    with meter:
        if found is not None:
            show_meter(found)
        elif view is not None:
            parts.empty("Nothing to compare.", "Choose somebody who was told a number.")
    return Told(
        said=words.take_away(view),
        formula=partial(sample.formula, view),
        code=partial(sample.code, view),
        facts=words.facts(view),
    )
