"""Budgets of releases that were really made, to compare a plan with; each with its source.

Limits: ε alone does not compare releases. What one neighbour may change (a person, a day of a
person), how often data are released and who adds the noise differ; each entry says what is
protected.
"""

from dataclasses import dataclass

from dpviz import checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """One published release: who, what, and what it promises to whom."""

    name: str  # in few words, for a picture
    who: str
    what: str
    unit: str  # what is protected: what two neighbouring tables differ in
    budget: str  # in words, as published
    epsilon: float
    source: str  # authors, title, place
    year: int  # of the release
    delta: float | None = None  # None: a pure guarantee, or none was published
    rho: float | None = None

    def __post_init__(self) -> None:
        checks.positive(epsilon=self.epsilon)
        checks.known(checks.positive, delta=self.delta, rho=self.rho)
        checks.whole(1, year=self.year)

    @property
    def authors(self) -> str:
        """Who wrote the source, as one cites them.

        >>> PRACTICE[1].authors, PRACTICE[-1].authors
        ('Adeleye et al.', 'U.S. Census Bureau')
        """
        return self.source.split(", ")[0]


PRACTICE = (
    Deployment(
        name="Google symptom searches",
        who="Google",
        what="COVID-19 Search Trends symptoms, daily and weekly",
        unit="one person’s symptom searches of a day",
        budget="ε = 1.68",
        epsilon=1.68,
        source="Bavadekar et al., Google COVID-19 Search Trends Symptoms Dataset: Anonymization "
        "Process Description, arXiv:2009.01265",
        year=2020,
    ),
    Deployment(
        name="Wikipedia page views",
        who="Wikimedia Foundation",
        what="Wikipedia page views per country and page, daily",
        unit="the first ten pages that a device views in a day",
        budget="ρ = 0.015, about ε = 1 at δ = 1e-7",
        epsilon=1.0,
        delta=1e-7,
        rho=0.015,
        source="Adeleye et al., Publishing Wikipedia Usage Data with Strong Privacy Guarantees, "
        "arXiv:2308.16298; parameters from the data set’s own README",
        year=2023,
    ),
    Deployment(
        name="Google vaccine searches",
        who="Google",
        what="COVID-19 Vaccination Search Insights",
        unit="one person’s vaccination searches of a day",
        budget="ε = 2.19 at δ = 1e-5",
        epsilon=2.19,
        delta=1e-5,
        source="Bavadekar et al., Google COVID-19 Vaccination Search Insights: Anonymization "
        "Process Description, arXiv:2107.01179",
        year=2021,
    ),
    Deployment(
        name="Apple emoji",
        who="Apple",
        what="popular emoji; noise is added on each phone",
        unit="one person’s contributions of a day",
        budget="ε = 4",
        epsilon=4.0,
        source="Apple Differential Privacy Team, Learning with Privacy at Scale, 2017; per day as "
        "in Desfontaines, A List of Real-World Uses of Differential Privacy",
        year=2017,
    ),
    Deployment(
        name="Israel’s births 2014",
        who="Israel’s Ministry of Health",
        what="synthetic records of the live births of 2014",
        unit="one birth: a mother and her newborn",
        budget="ε = 9.98",
        epsilon=9.98,
        source="Hod and Canetti, Differentially Private Release of Israel’s National Registry of "
        "Live Births, arXiv:2405.00267",
        year=2024,
    ),
    Deployment(
        name="US Census 2020",
        who="U.S. Census Bureau",
        what="2020 Census redistricting data",
        unit="one person’s or housing unit’s record, replaced by another",
        budget="ε = 19.61: persons 17.14 and housing units 2.47, at δ = 1e-10",
        epsilon=19.61,
        delta=1e-10,
        source="U.S. Census Bureau, Census Bureau Sets Key Parameters to Protect Privacy in 2020 "
        "Census Results, June 2021",
        year=2021,
    ),
)
