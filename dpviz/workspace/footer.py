"""What every page and every hand-out of a workspace must say at its end."""

from dataclasses import replace

from dpviz import words
from dpviz.accounting.guarantees import guarantee_of
from dpviz.data import SAMPLES
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.promises import notes
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import moves, unit_after
from dpviz.workspace.workspace import Workspace


def footer_facts(ws: Workspace, statistic: Statistic | None = None) -> Facts:
    """Definition, unit, neighbours, sensitivity and data, and what was read off the data."""
    shown = statistic or ws.statistic
    sample = SAMPLES.get(shown.loading)
    origin = ": nobody in it exists" if sample and sample.synthetic else " (real, public domain)"
    name = f"{sample.title}{origin}" if sample else shown.table.name
    data = name + shown.data.removeprefix(shown.table.name)
    query, promise, known = shown.query, guarantee_of(ws.family), ws.seen.of(shown)
    if ws.mode == "teaching":  # which claims nothing that a look could weaken
        known = replace(known, looked=False, checked=())
    return (
        *footer(
            promise.definition,
            unit=query.unit,
            neighbours=query.neighbours,
            sensitivity=moves(
                query.sensitivity,
                step=query.step,
                unit="" if query.counted == "people" else unit_after(query),
                one=query.nouns.one,
                replaced=query.bounds.relation == "replace",
            ),
            data=data,
            symbols=query.formula(promise.norm or "l1"),
        ),
        *((words.capitalised(name), text) for name, text in notes(known)),
    )
