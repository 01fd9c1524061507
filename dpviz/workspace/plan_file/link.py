"""A plan in an address: tiers, noise, mode and δ, the seed of practice numbers; no data, no column.

    ?tiers=audit,ρ,0.4;public,ρ,0.1,anyone&noise=gaussian&mode=teaching&delta=1e-6&seed=7

Commas stand between the name of a tier, the kind of its budget, the amount, who holds it, and the
colour that was chosen for it; semicolons between tiers. Within one of these, both are written as
%2C and %3B. The statistic is not in the address, so the tiers are for the one in use where it is
opened.
"""

from collections.abc import Mapping
from typing import cast
from urllib.parse import quote, unquote, urlencode

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.parameters import seed_from
from dpviz.planning.amounts import KINDS, Kind
from dpviz.planning.tiers import Tier
from dpviz.streams import Mode
from dpviz.words import visible
from dpviz.workspace.plan_file.record import PlanFile
from dpviz.workspace.plan_file.use import plan_of, typed_delta
from dpviz.workspace.workspace import Workspace

TIERS, NOISE, MODE, DELTA, SEED = "tiers", "noise", "mode", "delta", "seed"  # in the address
LONGEST = 4000  # letters of all tiers: browsers and servers cut longer addresses
_PARTS = (3, 4, 5)
_MARKS = {ord(mark): quote(mark) for mark in "%,;"}


def address_of(ws: Workspace) -> str:
    """What stands after the question mark of an address that opens the plan of a workspace.

    Raises:
        ParameterError: if the rows as typed have a problem, or are too long for an address.

    >>> address_of(Workspace.fresh()).partition("anyone")[2]
    '&noise=gaussian&mode=teaching&delta=1e-6&seed=7'
    """
    plan = plan_of(ws)
    text = ";".join(_written(tier) for tier in plan.tiers)
    if len(text) > LONGEST:
        raise ParameterError("The plan is too long for an address; save it as a file instead")
    asked = {TIERS: text, NOISE: plan.family_name, MODE: plan.mode, DELTA: plan.delta}
    asked |= {} if plan.seed is None else {SEED: str(plan.seed)}
    return urlencode(asked, safe=",;", quote_via=quote)


def plan_in(asked: Mapping[str, str], ws: Workspace) -> PlanFile:
    """The plan that an address asks for, for the statistic in use.

    Args:
        asked: what the address asks for, by name; what is missing is as in the workspace.
        ws: the workspace that it will be put to use in.

    Raises:
        ParameterError: one sentence: what of the address cannot be used.
    """
    try:
        return PlanFile(
            table=ws.statistic.table.name,
            query=ws.statistic.query,
            tiers=_read(asked[TIERS]),
            family_name=asked.get(NOISE, ws.family_name),
            mode=cast("Mode", asked.get(MODE, ws.mode)),
            delta=asked.get(DELTA, typed_delta(ws)),
            seed=seed_from(asked[SEED]) if SEED in asked else None,
        )
    except ParameterError as error:
        raise ParameterError(f"The plan in this address cannot be used: {visible(error)}") from None


def _written(tier: Tier) -> str:
    last = [tier.people, tier.colour] if tier.colour else [tier.people] if tier.people else []
    parts = [tier.name, tier.kind, tier.amount, *last]
    return ",".join(part.translate(_MARKS) for part in parts)


def _read(text: str) -> tuple[Tier, ...]:
    if len(text) > LONGEST:
        raise ParameterError(f"its tiers are longer than {LONGEST:,} letters; open a plan file")
    tiers = []
    for number, row in enumerate(text.split(";"), start=1):
        parts = [unquote(part).strip() for part in row.split(",")]
        if len(parts) not in _PARTS:
            raise ParameterError(
                f"tier {number} is not a name, a kind and an amount with commas between them, such "
                "as audit,ρ,0.4"
            )
        checks.one_of(KINDS, **{f"the kind of tier {number}": parts[1]})
        name, kind, amount, people, colour = [*parts, "", ""][:5]
        tiers.append(
            Tier(name=name, amount=amount, kind=cast("Kind", kind), people=people, colour=colour)
        )
    return tuple(tiers)
