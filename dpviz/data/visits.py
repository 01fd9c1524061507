"""The synthetic sample: a million visits to the clinics of a made-up city, written by a program.

Nobody in it exists. It is there to try what one row per person cannot show: people with many rows
in several groups, times, costs with a heavy tail, and size. Each call makes the table again,
the same each time: whole-number arithmetic on a counter (SplitMix64 [SLF14]) and square roots,
which every machine rounds alike. No privacy rests on these numbers.

[SLF14] Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
"""

import hashlib
import types
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.data import engine
from dpviz.data.engines.duck import Embedded
from dpviz.data.read import columns_of
from dpviz.data.sample import Sample
from dpviz.data.table import Table

if TYPE_CHECKING:
    import pandas as pd

ROWS: Final = 1_000_000
PEOPLE: Final = 200_000
VERSION: Final = 1  # a new one whenever a single cell changes: caches go by the digest made of it
DIGEST: Final = hashlib.sha256(f"dpviz visits {VERSION}".encode()).hexdigest()

DISTRICTS = (
    "Altmarkt",
    "Birkenau",
    "Canal Side",
    "Docklands",
    "Eastgate",
    "Fairhill",
    "Greenfield",
    "Harbour",
    "Ironbridge",
    "Kingsmead",
    "Lakeview",
    "Millbank",
)
CLINICS = ("general", "dental", "eye", "children", "emergency", "physio")
AGES = ("0 to 17", "18 to 34", "35 to 49", "50 to 64", "65 to 79", "80 and over")

VISITS = Sample(
    title="Visits to the clinics of a made-up city, 2025 (synthetic)",
    source="made by a program of dpviz; nobody in it exists",
    licence="free for any use: these are nobody's data",
    row="one visit of a made-up person to a clinic; most people have several",
    file="visits",
    person="person",
    column="district",
    groups=types.MappingProxyType({"district": DISTRICTS, "clinic": CLINICS, "age group": AGES}),
    bounds=types.MappingProxyType({"minutes": (0.0, 120.0), "cost (euros)": (0.0, 500.0)}),
    times=types.MappingProxyType({"time": ("2025-01-01", "2026-01-01")}),
    loading="load_visits()",
    synthetic=True,
)

_COLUMNS = ("person", "time", "district", "clinic", "age group", "minutes", "cost (euros)")
_TYPES = ("int64", "timestamp", "string", "string", "string", "int64", "float64")
_TEXTS = (  # SQL: the text of each column; all that is missing is NULL
    "CAST(100000 + person AS VARCHAR)",
    "left(CAST(TIMESTAMP '2025-01-01' + to_minutes(minute) AS VARCHAR), 16)",
    "CAST(district AS VARCHAR)",
    "CAST(clinic AS VARCHAR)",
    "CAST(age AS VARCHAR)",
    "CASE WHEN lasting > 0 THEN CAST(lasting AS VARCHAR) END",
    "CASE WHEN cents > 0 THEN CAST(CAST(cents / 100 AS DECIMAL(12, 2)) AS VARCHAR) END",
)
_BY_DISTRICT = (9, 4, 7, 12, 10, 6, 8, 14, 3, 5, 11, 2)  # shares, of their sum
_BY_CLINIC = (45, 18, 8, 12, 10, 7)
_BY_AGE = (17, 22, 21, 20, 15, 5)
_BY_HOUR = (2, 1, 1, 1, 1, 2, 6, 20, 60, 90, 95, 80, 50, 65, 85, 80, 60, 35, 15, 8, 6, 5, 4, 3)
_BY_WEEKDAY = (10, 11, 9, 3, 2, 12, 11)  # from Wednesday, the first of January 2025
_BY_MONTH = (13, 12, 11, 9, 9, 8, 7, 6, 9, 10, 11, 11)  # January to December
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SHORTEST = np.array([5, 15, 10, 10, 20, 20])  # minutes of a visit, by clinic
_USUAL = np.array([15, 30, 20, 15, 100, 25])  # minutes that may come on top
_MIXING = tuple(
    (np.uint64(factor), np.uint64(shift))
    for factor, shift in (
        (0x9E3779B97F4A7C15, 30),
        (0xBF58476D1CE4E5B9, 27),
        (0x94D049BB133111EB, 31),
    )
)
_SPARE = np.uint64(11)  # 53 bits are left, as many as a float holds
_PRICE = np.array([1800, 3500, 2200, 2000, 6500, 2600])  # cents at least, by clinic


def load_visits() -> Table:
    """Make the synthetic sample in an engine of its own.

    The columns are person (200,000 of them), time (to the minute), district, clinic, age group,
    minutes and cost (euros). One visit in 50 has no cost, one in 100 no length; one person in 100
    has no age group.

    >>> VISITS.title
    'Visits to the clinics of a made-up city, 2025 (synthetic)'
    >>> VISITS.source
    'made by a program of dpviz; nobody in it exists'
    """
    import pandas as pd

    connection = engine.connect()
    connection.register("made", pd.DataFrame(_made(), copy=False))
    texts = ", ".join(f"{text} AS c{i}" for i, text in enumerate(_TEXTS))
    connection.execute(f"CREATE TABLE {engine.TABLE} AS SELECT {texts} FROM made")
    connection.unregister("made")
    engine.shut(connection)
    return Table(
        name=VISITS.file,
        digest=DIGEST,
        columns=columns_of(_COLUMNS, _TYPES),
        types=_TYPES,
        engine=Embedded(connection),
    )


def _made() -> dict[str, object]:
    """The visits in the order of time, as numbers and as positions in the public lists."""
    home, age = _pick(_BY_DISTRICT, 1, PEOPLE), _pick(_BY_AGE, 2, PEOPLE)
    known_age = np.where(_bits(3, PEOPLE) % 100 > 0, age, -1)
    person = _people()
    stays = _bits(4, ROWS) % 10 < 8  # most visits are in the district where one lives
    child = age[person] == 0
    clinic = _pick(_BY_CLINIC, 6, ROWS)
    clinic = np.where((clinic == 3) & ~child, 0, np.where((clinic == 0) & child, 3, clinic))
    lasting = np.floor(2 * _USUAL[clinic] * _share(7) * _share(8)).astype(np.int64)
    cents = np.floor(_PRICE[clinic] / np.sqrt(1 - _share(9))).astype(np.int64)  # Pareto, shape 2
    return {
        "person": person,
        "minute": _minutes(),
        "district": _named(DISTRICTS, np.where(stays, home[person], _pick(_BY_DISTRICT, 5, ROWS))),
        "clinic": _named(CLINICS, clinic),
        "age": _named(AGES, known_age[person]),
        "lasting": np.where(_bits(10, ROWS) % 100 > 0, _SHORTEST[clinic] + lasting, 0),
        "cents": np.where(_bits(11, ROWS) % 50 > 0, cents, 0),
    }


def _people() -> NDArray[np.int64]:
    """The person of each visit: everybody once, and some far more often than others."""
    share = _share(12)[PEOPLE:]
    again = (PEOPLE * share * np.sqrt(share)).astype(np.int64)
    everybody = np.concatenate([np.arange(PEOPLE), again]) * 48_271 % PEOPLE  # order says nothing
    return everybody[np.argsort(_bits(13, ROWS), kind="stable")]


def _minutes() -> NDArray[np.int64]:
    """Minutes since the year began, ascending."""
    weekday = np.resize(_BY_WEEKDAY, sum(_DAYS))
    by_day = np.repeat(_BY_MONTH, _DAYS) * weekday
    hour = _pick(np.outer(by_day, _BY_HOUR).ravel(), 14, ROWS)
    return np.sort(60 * hour + (_bits(15, ROWS) % 60).astype(np.int64))


def _pick(weights: ArrayLike, stream: int, size: int) -> NDArray[np.int64]:
    """Positions, each as often as its whole weight says."""
    ends = np.cumsum(weights)
    drawn = (_bits(stream, size) % int(ends[-1])).astype(np.int64)
    return np.searchsorted(ends, drawn, side="right").astype(np.int64)


def _share(stream: int) -> NDArray[np.float64]:
    """One number in [0, 1) for each row."""
    return (_bits(stream, ROWS) >> _SPARE).astype(np.float64) * 2.0**-53


def _bits(stream: int, size: int) -> NDArray[np.uint64]:
    """64 bits for each row: SplitMix64 at the places of a stream of its own."""
    z = np.arange(1, size + 1, dtype=np.uint64) + np.uint64(stream << 32)
    for factor, shift in _MIXING:
        z *= factor
        z ^= z >> shift
    return z


def _named(names: tuple[str, ...], positions: NDArray[np.int64]) -> "pd.Categorical":
    """Names by position; −1 is missing."""
    import pandas as pd

    return pd.Categorical.from_codes(positions, categories=list(names))
