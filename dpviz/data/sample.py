"""The ready sample: 1,629 people of a US health survey, real and free to use.

NHEFS, the follow-up study of NHANES I by the US National Center for Health Statistics, in the cut
of Hernán and Robins, "Causal Inference: What If" (2020), section 12: smokers at the first visit.
`nhefs.csv` was made from the file nhefs.dta of the package causaldata 0.1.5: sixteen of its columns
under plain names, codes replaced by the labels of its nhefs_codebook, age groups added (ten years
each from 25, the survey's youngest), lengths rounded to 0.1 cm and weights to 0.01 kg.
"""

import types
from collections.abc import Mapping
from dataclasses import dataclass

from dpviz import checks
from dpviz.data.read import read_packaged
from dpviz.data.table import Table
from dpviz.errors import ParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a person should know about a sample before using it.

    Lists, bounds and times are public: from a code book, a design or common knowledge, not from
    the data.
    """

    title: str
    source: str
    licence: str
    row: str  # what one row is
    file: str
    person: str  # the column that names the person
    column: str  # the column to begin with
    groups: Mapping[str, tuple[str, ...]]  # of the columns of text
    bounds: Mapping[str, tuple[float, float]]  # of the columns of numbers: where to clip
    times: Mapping[
        str, tuple[str, str]
    ]  # of the columns of times: first day, and day after the last
    loading: str  # how the library loads it, a Python expression
    synthetic: bool  # made by a program: nobody in it exists

    def __post_init__(self) -> None:
        for low, high in self.bounds.values():
            checks.finite(low=low, high=high)
            if not low < high:
                raise ParameterError(f"bounds must ascend, got {low} and {high}")


SAMPLE = Sample(
    title="NHEFS: health survey of US smokers, 1971 to 1982",
    source=(
        "National Center for Health Statistics (US), NHANES I Epidemiologic Follow-up Study, "
        "wwwn.cdc.gov/nchs/nhanes/nhefs; as prepared for Hernán and Robins, "
        "“Causal Inference: What If”, by way of the Python package causaldata 0.1.5"
    ),
    licence=(
        "public-use data of the US government, in the public domain, for statistics only: nobody "
        "may try to identify a person; the package is under the MIT licence (Nick Huntington-Klein)"
    ),
    row="one person, a smoker of 25 to 74 years in 1971, seen again in 1982",
    file="nhefs.csv",
    person="person",
    column="education",
    groups=types.MappingProxyType(
        {
            "sex": ("male", "female"),
            "age group": ("25 to 34", "35 to 44", "45 to 54", "55 to 64", "65 to 74"),
            "education": (
                "8th grade or less",
                "high school dropout",
                "high school",
                "college dropout",
                "college or more",
            ),
            "marital status": (
                "under 17",
                "married",
                "widowed",
                "never married",
                "divorced",
                "separated",
                "unknown",
            ),
            "family income (US dollars)": (
                "under 1,000",
                "1,000 to 1,999",
                "2,000 to 2,999",
                "3,000 to 3,999",
                "4,000 to 4,999",
                "5,000 to 5,999",
                "6,000 to 6,999",
                "7,000 to 9,999",
                "10,000 to 14,999",
                "15,000 to 19,999",
                "20,000 to 24,999",
                "25,000 or more",
            ),
            "exercise": ("much exercise", "moderate exercise", "little or no exercise"),
            "activity": ("very active", "moderately active", "inactive"),
            "alcohol": (
                "almost every day",
                "2 to 3 times a week",
                "1 to 4 times a month",
                "less than 12 times a year",
                "none last year",
                "unknown",
            ),
            "quit smoking by 1982": ("yes", "no"),
        }
    ),
    bounds=types.MappingProxyType(
        {
            "age": (25.0, 74.0),  # the survey's design; the others are common knowledge, in round
            "cigarettes per day": (0.0, 60.0),  # numbers: three packs
            "years of smoking": (0.0, 60.0),
            "height (cm)": (140.0, 200.0),
            "weight 1971 (kg)": (40.0, 140.0),
            "weight 1982 (kg)": (40.0, 140.0),
        }
    ),
    times=types.MappingProxyType({}),
    loading="load_sample()",
    synthetic=False,
)


def load_sample() -> Table:
    """Load the sample into a table with an engine of its own.

    >>> load_sample()
    Table(“nhefs.csv”, 16 columns)
    >>> SAMPLE.groups["sex"]
    ('male', 'female')
    """
    return read_packaged(SAMPLE.file)
