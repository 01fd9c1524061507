"""What every page and every hand-out of a workspace must say at its end."""

from dataclasses import replace

from dpviz import words
from dpviz.accounting.guarantees import guarantee_of
from dpviz.data import SAMPLES
from dpviz.workspace.facts import Facts, page_facts
from dpviz.workspace.promises import notes
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace


def footer_facts(ws: Workspace, statistic: Statistic | None = None) -> Facts:
    """Definition, unit, neighbours, sensitivity and data, and what was read off the data."""
    shown = statistic or ws.statistic
    sample = SAMPLES.get(shown.loading)
    origin = ": nobody in it exists" if sample and sample.synthetic else " (real, public domain)"
    data = f"{sample.title}{origin}" if sample else shown.table.name
    setting = shown.setting(ws.family_name, ws.delta)
    known = ws.seen.of(shown)
    if ws.mode == "teaching":  # which claims nothing that a look could weaken
        known = replace(known, looked=False)
    return (
        *page_facts(shown.query, setting, guarantee_of(ws.family).definition, data),
        *((words.capitalised(name), text) for name, text in notes(known)),
    )
