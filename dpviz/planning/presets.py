"""Ready plans to begin with: five settings in which people have different clearances.

Each is a story in one line and three to five tiers, the sharpest first, with who holds them.
Limits: the amounts are examples of a sensible order of size for counts of people, no
recommendation; "±" is never so small that a noise family has no guarantee for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.planning.tiers import (
    ANYONE,
    DEFAULT_TIERS,
    FIRST_PLAN,
    NAME,
    NOTE,
    PEOPLE,
    Tier,
    text_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A plan with its story."""

    name: str
    story: str
    tiers: tuple[Tier, ...]


_HOSPITAL = (
    Tier(name="quality team", amount="3, 1e-7", kind="(ε, δ)", people="6"),
    Tier(name="research", amount="1", kind="ε", people="60"),
    Tier(name="health office", amount="0.3", kind="ε", people="25"),
    Tier(name="annual report", amount="0.1", kind="ε", people=ANYONE),
)
_COMPANY = (
    Tier(name="controlling", amount="50", kind="±a 95 %", people="5"),
    Tier(name="departments", amount="100", kind="±a 95 %", people="120"),
    Tier(name="partners", amount="200", kind="±a 95 %", people="30"),
    Tier(name="press", amount="400", kind="±a 95 %", people=ANYONE),
)
_MARKET = (
    Tier(name="premium", amount="100", kind="±a 90 %, all", people="15"),
    Tier(name="basic", amount="400", kind="±a 90 %, all", people="200"),
    Tier(name="free sample", amount="1000", kind="±a 90 %, all", people=ANYONE),
)
_SCIENCE = (
    Tier(name="project team", amount="1", kind="μ", people="9"),
    Tier(name="reviewers", amount="0.3", kind="μ", people="3"),
    Tier(name="course", amount="0.2", kind="μ", people="40"),
    Tier(name="registered users", amount="0.1", kind="μ", people="300"),
    Tier(name="open data", amount="0.05", kind="μ", people=ANYONE),
)
PRESETS = (
    Preset(
        name="Town",
        story="A town's counts: rough for the public, finer for hospitals, research and auditors.",
        tiers=FIRST_PLAN,
    ),
    Preset(
        name="Hospital",
        story="Patients per ward: rough for the public, finer for those who plan and treat.",
        tiers=_HOSPITAL,
    ),
    Preset(
        name="Company",
        story="Customers per region: each circle is told how far the numbers may be off.",
        tiers=_COMPANY,
    ),
    Preset(
        name="Data market",
        story="Accuracy has a price, and buyers who pool their copies gain nothing by it.",
        tiers=_MARKET,
    ),
    Preset(
        name="Open science",
        story="A survey is shared with ever wider circles, from its own team to everybody.",
        tiers=_SCIENCE,
    ),
)
_GIVEN = {  # by a template, and by nobody who typed
    (tier.name, column, text)
    for tier in (*DEFAULT_TIERS, *(t for preset in PRESETS for t in preset.tiers))
    for column, text in ((PEOPLE, tier.people), (NOTE, tier.note))
    if text
}


def without_given(
    rows: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Typed rows; a tier under a new name loses the readers and the note of a ready plan's tier.

    What somebody typed stays. Limits: a name that is gone and one that is new are taken for a
    renaming if they have the same readers, or the same note.

    Args:
        rows: as they are typed now.
        before: as they were typed before.

    >>> before = [{"tier": "audit", "people": "2", "note": "auditors"}]
    >>> without_given([{"tier": "ministry", "people": "2", "note": "auditors"}], before)
    [{'tier': 'ministry', 'people': '', 'note': ''}]
    >>> without_given([{"tier": "ministry", "people": "40", "note": "ours"}], before)
    [{'tier': 'ministry', 'people': '40', 'note': 'ours'}]
    """
    now, then = ([text_of(row.get(NAME)) for row in each] for each in (rows, before))
    gone = [(name, row) for name, row in zip(then, before, strict=True) if name not in now]
    given = {
        (column, text)
        for name, row in gone
        for column in (PEOPLE, NOTE)
        if (name, column, text := text_of(row.get(column))) in _GIVEN
    }
    return [
        {c: "" if name not in then and (c, text_of(x)) in given else x for c, x in row.items()}
        for name, row in zip(now, rows, strict=True)
    ]
