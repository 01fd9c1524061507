"""What weakens the promise of the statistic in use, and what its report would else leave out.

Each is a fact of the ledger, of the plan, or of what this workspace has shown. Limits: who has
looked at the data elsewhere is not known, nor what was released elsewhere.
"""

from collections.abc import Iterable, Sequence

from dpviz.planning.cautions import warning
from dpviz.queries import Query
from dpviz.release import Provenance, software
from dpviz.words import capitalised, join
from dpviz.words.names import visible
from dpviz.workspace.facts import Facts
from dpviz.workspace.former import called
from dpviz.workspace.promises import LOOKED_AT, checked_words, groups_words, known_words
from dpviz.workspace.workspace import Workspace

TEACHING = (
    "Drawn in practice mode, from a seed that repeats it, in floating point: no promise stands "
    "behind these numbers. They are for practice; do not publish them."
)
SEVERAL = (
    "One {one} is protected by itself, and no column says whose it is: somebody with ten {many} is "
    "protected less than somebody with one."
)
MEANS = (
    "A mean is made of two released numbers. A coalition learns no more than its least private "
    "member could work out, but perhaps more than that member’s mean says."
)


def caveats(ws: Workspace) -> Facts:
    """Pairs of a few words and a sentence or two; empty if nothing is known.

    >>> [name for name, _ in caveats(Workspace.fresh())]
    ['Practice numbers']
    """
    drawn = ws.entries_of(ws.round)
    known = [ws.seen.of(ws.statistic), *(e.known for e in drawn)]
    found = [("Practice numbers", TEACHING)] if ws.mode == "teaching" else []
    found += _of_data(known)
    for tier in ws.known_of_tiers:
        budget = next(p.budget for p in ws.known() if p.name == tier.name)
        caution = warning(budget)
        if caution is not None:
            meant = " Who drew it confirmed that it is meant." if tier.values is not None else ""
            name = visible(tier.name)
            found.append((f"Weak promise to {name}", f"{name}: {caution}{meant}"))
    return (*found, *_of_query(ws.statistic.query), *_beside(ws))


def _of_query(query: Query) -> Facts:
    """What the statistic itself promises less of."""
    found, nouns = [], query.nouns
    if query.bounds.several_rows:
        found.append(("Several of one person", SEVERAL.format(one=nouns.row, many=nouns.rows)))
    if query.per_value > 1:
        found.append(("Weakly lossless", MEANS))
    return tuple(found)


def _of_data(known: Sequence[Provenance]) -> list[tuple[str, str]]:
    """What was read off the data, or was on screen."""
    found = []
    if columns := _columns(one.read_off for one in known):
        found.append(
            (
                "Read off the data",
                f"{capitalised(groups_words(columns))} was read off the data. No noise hides that "
                "a group exists, so no promise covers that, and hand-outs carry no guarantee.",
            )
        )
    if columns := _columns(one.known_before for one in known):
        found.append(("Known before", f"{capitalised(known_words(columns))}."))
    if any(one.looked for one in known):
        found.append(("Looked at", f"{capitalised(LOOKED_AT)}."))
    if columns := _columns(one.checked for one in known):
        found.append(("Reading checked", f"{capitalised(checked_words(columns))}."))
    return found


def _columns(listed: Iterable[Sequence[str]]) -> list[str]:
    """Columns of several lists, each once."""
    return [*dict.fromkeys(column for columns in listed for column in columns)]


def _beside(ws: Workspace) -> Facts:
    """What was handed out and is not, or not like this, in the plan of now."""
    drawn = ws.entries_of(ws.round)
    now = {(p.name, p.budget.level) for p in ws.known()}
    others = [e for e in drawn if (e.tier, e.level) not in now]
    found = []
    if others:
        told = [
            f"{called(visible(e.tier), ws.former(e))}, on {e.drawn.isoformat()}" for e in others
        ]
        found.append(
            ("Released before the plan changed", f"{join(told)}. They cannot be recalled.")
        )
    versions = {e.versions for e in drawn} - {software()}
    if versions:
        lists = [", ".join(f"{name} {text}" for name, text in one) for one in sorted(versions)]
        found.append(("Drawn with other versions", f"{'; '.join(lists)}."))
    return tuple(found)
