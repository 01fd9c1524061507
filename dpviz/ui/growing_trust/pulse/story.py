"""The story of a pulse on its page: the cone, a reader who is added, what the next one may get."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.ui.growing_trust.pulse import controls, pictures, sample, words
from dpviz.ui.growing_trust.stories import Closer, Told, show_meter
from dpviz.words.claims import Said
from dpviz.workspace.workspace import Workspace


def show(ws: Workspace, left: DeltaGenerator, right: DeltaGenerator) -> Told:
    """Show the story, its picture at the left, and return what the frame says of it."""
    path, slide, same = (left.container() for _ in range(3))
    asking, meter, own = (right.container() for _ in range(3))
    with right:
        view = controls.view(ws, own, slide, asking)
    with path:
        if view is None:
            pictures.nothing()
        else:
            pictures.thread(view)
            same.markdown(words.stays(view))
            if ws.mode == "hardened":
                st.caption(words.HARDENED)
    closers: tuple[Closer, ...] = ()
    if view is not None:
        with asking:
            pictures.ask(view)
        with meter:
            show_meter(words.meter(view))
        closers = ((words.NEXT, partial(pictures.next_release, view), "gradual_next"),)
    return Told(
        said=Said(words.take_away(view), words.claims(view)),
        formula=partial(sample.formula, view),
        code=partial(sample.code, view),
        facts=words.facts(view),
        closers=closers,
    )
