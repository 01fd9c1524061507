"""Ready plans to begin with: five settings in which people have different clearances.

Each is a story in one line and three to five tiers, the sharpest first, with who holds them.
Limits: the amounts are examples of a sensible order of size for counts of people, no
recommendation; "±" is never so small that a noise family has no guarantee for it.
"""

from dataclasses import dataclass

from dpviz.planning.tiers import ANYONE, FIRST_PLAN, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A plan with its story."""

    name: str
    story: str
    tiers: tuple[Tier, ...]


_HOSPITAL = (
    Tier(name="quality team", amount="3, 1e-7", kind="(ε, δ)", people="6", note="own staff"),
    Tier(name="research", amount="1", kind="ε", people="60", note="studies with approval"),
    Tier(name="health office", amount="0.3", kind="ε", people="25", note="regional planning"),
    Tier(name="annual report", amount="0.1", kind="ε", people=ANYONE, note="on the web"),
)
_COMPANY = (
    Tier(name="controlling", amount="50", kind="±a 95 %", people="5", note="decides with them"),
    Tier(name="departments", amount="100", kind="±a 95 %", people="120", note="monthly figures"),
    Tier(name="partners", amount="200", kind="±a 95 %", people="30", note="under contract"),
    Tier(
        name="press",
        amount="400",
        kind="±a 95 %",
        people=ANYONE,
        note="round figures for everybody",
    ),
)
_MARKET = (
    Tier(name="premium", amount="100", kind="±a 90 %, all", people="15", note="pays the most"),
    Tier(name="basic", amount="400", kind="±a 90 %, all", people="200", note="yearly licence"),
    Tier(name="free sample", amount="1000", kind="±a 90 %, all", people=ANYONE, note="to look at"),
)
_SCIENCE = (
    Tier(name="project team", amount="1", kind="μ", people="9", note="own analyses"),
    Tier(name="reviewers", amount="0.3", kind="μ", people="3", note="check the results"),
    Tier(name="course", amount="0.2", kind="μ", people="40", note="students of one term"),
    Tier(name="registered users", amount="0.1", kind="μ", people="300", note="terms accepted"),
    Tier(name="open data", amount="0.05", kind="μ", people=ANYONE, note="with the preprint"),
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
