"""The story of a market on its page: who holds what, one more sale, every purchase so far."""

from functools import partial

from streamlit.delta_generator import DeltaGenerator

from dpviz.ui.growing_trust.market import controls, pictures, sample, words
from dpviz.ui.growing_trust.stories import Told, show_meter
from dpviz.words.claims import Said
from dpviz.workspace.workspace import Workspace


def show(ws: Workspace, left: DeltaGenerator, right: DeltaGenerator) -> Told:
    """Show the story, its picture at the left, and return what the frame says of it."""
    stall = controls.STALL.get()
    meter, own = right.container(), right.container()
    with left:
        place = pictures.holdings(stall)
        controls.acts(stall)
    if stall.ledger.sales:
        with meter:
            show_meter(words.meter(stall))
    pictures.terms(ws, stall, own)
    ledger = (words.LEDGER, partial(pictures.ledger, stall, place), "market_ledger")
    return Told(
        said=Said(words.take_away(stall), words.claims(stall)),
        formula=partial(sample.formula, stall),
        code=partial(sample.code, stall),
        facts=words.facts(stall),
        closers=(ledger,) if stall.ledger.sales else (),
    )
