"""Two releases that were really made with a ρ, to compare a plan with; each with its source.

Of a ρ of Gaussian noise the right guesses are known; an ε bounds them only, often by all of them.
What one neighbour may change (a person, a day of a device) differs: each entry says what is
protected.
"""

from dataclasses import dataclass

from dpviz import checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """One published release: who, and what it promises to whom."""

    name: str  # in few words, for a picture
    who: str
    unit: str  # what is protected: what two neighbouring tables differ in
    rho: float
    budget: str  # in words, as published
    source: str  # authors, title, place
    year: int  # of the release

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho)
        checks.whole(1, year=self.year)


PRACTICE = (  # the most private first
    Deployment(
        name="Wikipedia page views",
        who="Wikimedia Foundation",
        unit="the first ten pages that a device views in a day",
        rho=0.015,
        budget="ρ = 0.015, about ε = 1 at δ = 1e-7",
        source="Adeleye et al., Publishing Wikipedia Usage Data with Strong Privacy Guarantees, "
        "arXiv:2308.16298; parameters from the data set’s own README",
        year=2023,
    ),
    Deployment(
        name="US Census 2020",
        who="U.S. Census Bureau",
        unit="a person’s record and a housing unit’s together, each replaced by another",
        rho=2.63,
        budget="ρ = 2.63: persons 2.56 and housing units 0.07; as ε at δ = 1e-10, 19.61: 17.14 and "
        "2.47",
        source="U.S. Census Bureau, Census Bureau Sets Key Parameters to Protect Privacy in 2020 "
        "Census Results, June 2021; ρ from the scales of its production code, "
        "DAS_2020_Redistricting_Production_Code",
        year=2021,
    ),
)
