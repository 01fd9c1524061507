"""What weakens the promise of the statistic in use, and what its report would else leave out.

Each is a fact of the ledger, of the plan, or of what this workspace has shown. Limits: who has
looked at the data elsewhere is not known, nor what was released elsewhere.
"""

from dpviz.planning.cautions import warning
from dpviz.release import Provenance, software
from dpviz.words import capitalised, join
from dpviz.words.names import visible
from dpviz.workspace.facts import Facts, entry_budget
from dpviz.workspace.promises import LOOKED_AT, groups_words
from dpviz.workspace.workspace import Workspace

TEACHING = (
    "Drawn in teaching mode, from a seed that repeats it, in floating point: no promise stands "
    "behind these numbers. They are for practice; do not publish them."
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
    columns = tuple(dict.fromkeys(c for one in known for c in one.read_off))
    found = []
    if ws.mode == "teaching":
        found.append(("Practice numbers", TEACHING))
    if columns:
        listed = capitalised(groups_words(Provenance(read_off=columns)))
        found.append(
            (
                "Read off the data",
                f"{listed} was read off the data. No noise hides that a group exists, so no "
                "promise covers that, and hand-outs carry no guarantee.",
            )
        )
    if any(one.looked for one in known):
        found.append(("Looked at", f"{capitalised(LOOKED_AT)}."))
    for tier in ws.known_of_tiers:
        budget = next(p.budget for p in ws.known() if p.name == tier.name)
        caution = warning(budget)
        if caution is not None:
            meant = " Who drew it confirmed that it is meant." if tier.values is not None else ""
            name = visible(tier.name)
            found.append((f"Weak promise to {name}", f"{name}: {caution}{meant}"))
    if ws.statistic.query.per_value > 1:
        found.append(("Weakly lossless", MEANS))
    return (*found, *_beside(ws))


def _beside(ws: Workspace) -> Facts:
    """What was handed out and is not, or not like this, in the plan of now."""
    drawn = ws.entries_of(ws.round)
    now = {(p.name, p.budget.level) for p in ws.known()}
    others = [e for e in drawn if (e.tier, e.level) not in now]
    found = []
    if others:
        told = [f"{visible(e.tier)}, {entry_budget(e)}, on {e.drawn.isoformat()}" for e in others]
        found.append(
            ("Released before the plan changed", f"{join(told)}. They cannot be recalled.")
        )
    versions = {e.versions for e in drawn} - {software()}
    if versions:
        lists = [", ".join(f"{name} {text}" for name, text in one) for one in sorted(versions)]
        found.append(("Drawn with other versions", f"{'; '.join(lists)}."))
    return tuple(found)
