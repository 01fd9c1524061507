"""Commit to the path of a statistic before its first release, and open it for tiers afterwards.

A workspace that has committed reads each release of that statistic off the path, in the order in
which tiers ask, and hands out the opening beside it. What that proves: `dpviz.release.commitment`.
Limits: the seed is the caller's to keep; a project keeps none, so it takes no committed session.
"""

from typing import Any

from dpviz.errors import ParameterError
from dpviz.handout.committed import commitment_json
from dpviz.noise.family import Array
from dpviz.queries.reading_check import refuse_misread
from dpviz.release import commitment, today
from dpviz.release.commitment import Seed
from dpviz.words import join
from dpviz.workspace.keeping import alone
from dpviz.workspace.sessions import Committed, Statistic
from dpviz.workspace.workspace import Workspace

_HARDENED = (
    "Only hardened releases are committed to, as anyone can repeat those of a practice seed. "
    "Choose hardened mode"
)
_TOO_LATE = (
    "This statistic has been drawn from or committed to already, so a commitment would come too "
    "late. Start over, and commit before the first release of the next session, whose loss adds"
)
_PROJECT = (
    "A project keeps no seed, so nothing in it can be committed to. Open the plan in a workspace "
    "without a project"
)
_SEVERAL = (
    "A commitment is about one statistic, and this plan has several. Take the others off, and "
    "commit to each in a workspace of its own"
)


@alone
def pledge(ws: Workspace, *, seed: Seed) -> str:
    """64 digits to be published before the beacon is known; they fix all but the beacon.

    Args:
        ws: with the statistic, the plan and hardened mode.
        seed: for `commit` later.

    Raises:
        ParameterError: as `commit` says.
    """
    return commitment.pledge_of(**_committed(ws), seed=seed)


@alone
def commit(ws: Workspace, *, seed: Seed, beacon: str = "") -> bytes:
    """Commit to the path of the statistic in use, at all tiers' levels and a ladder between them.

    From then on `ws.draw` reads its releases off this path, and hand-outs have their opening.

    Args:
        ws: with the statistic, the plan and hardened mode.
        seed: of this path alone; keep it as the data.
        beacon: a public number that nobody could foresee when the pledge was published.

    Returns:
        COMMITMENT.json, to be published before the first release.

    Raises:
        ParameterError: if the workspace is in practice mode, in a project, has several statistics,
            or the statistic in use has been drawn from.

    >>> ws = Workspace.fresh()
    >>> ws.use_mode("hardened")
    >>> published = commit(ws, seed=Seed())
    >>> ws.draw("public", "audit")
    >>> from dpviz.handout import verify_folder
    >>> from dpviz.workspace.packing import hand_out
    >>> verify_folder(hand_out(ws, tier="audit"), commitment=published).passed
    True
    """
    path = commitment.commit(**_committed(ws), seed=seed, beacon=beacon)
    published = commitment_json(path.commitment, today(), key=ws.signing_key())
    ws.committed[ws.asking_of(ws.statistic).key] = Committed(path=path, published=published)
    return published


def audit(ws: Workspace, published: commitment.Commitment, *, seed: Seed) -> tuple[str, ...]:
    """What is wrong with a commitment by table and plan, as an auditor finds it.

    Args:
        ws: with the table and the plan as the auditor has them.
        published: the commitment.
        seed: as the holder hands it over.

    Returns:
        Nothing if all is right. Else the path is not the one that answer and seed give; the noise
        is scaled to another statistic, so that its budgets are others; or a tier of the plan has
        no level.

    Raises:
        ParameterError: if the statistic has another number of entries than the commitment.
    """
    found = list(
        commitment.audit(
            published, _exact(ws.statistic), seed=seed, names=ws.statistic.query.entries
        )
    )
    if published.setting != ws.setting_of(ws.statistic):
        found.append(
            "noise, sensitivities or δ are not those of this plan, so its budgets are others"
        )
    lacking = [
        p.name for p in ws.planned_of(ws.statistic) if p.budget.level not in published.levels
    ]
    if lacking:
        found.append(f"no level is that of {join(lacking)} in this plan")
    return tuple(found)


def _committed(ws: Workspace) -> dict[str, Any]:
    """What is committed to: answer, setting, levels and names; refused where nothing can be."""
    if ws.mode != "hardened":
        raise ParameterError(_HARDENED)
    if ws.keeper.name:
        raise ParameterError(_PROJECT)
    if len(ws.statistics) > 1 or ws.topics:
        raise ParameterError(_SEVERAL)
    asking = ws.asking_of(ws.statistic)
    if ws.find(asking.key) is not None or asking.key in ws.committed:
        raise ParameterError(_TOO_LATE)
    if unsaid := ws.unsaid(asking):
        raise ParameterError(unsaid)
    query = ws.statistic.query
    tiers = [planned.budget.level for planned in ws.planned_of(ws.statistic)]
    return {
        "values": _exact(ws.statistic),
        "setting": ws.setting_of(ws.statistic),
        "levels": commitment.ladder(min(tiers), max(tiers), also=tiers),
        "about": query.statistic,
        "names": query.entries,
    }


def _exact(statistic: Statistic) -> Array:
    """The exact answer in whole steps: not private."""
    refuse_misread(statistic.query, statistic.table)
    return statistic.query.values(statistic.table)
