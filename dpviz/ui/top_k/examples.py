"""Made-up counts of the page Top-k, and one text: nobody's data, so that the truth may be shown."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpviz.data import load_declaration
from dpviz.queries import TextCounts

CITIES = {
    **{"Paris": 1240, "London": 1115, "Rome": 982, "Madrid": 801, "Vienna": 766, "Berlin": 640},
    **{"Lisbon": 588, "Athens": 531, "Prague": 466, "Dublin": 448, "Oslo": 437, "Warsaw": 421},
    **{"Helsinki": 398, "Budapest": 342, "Zurich": 287, "Seville": 214, "Porto": 151, "Kraków": 96},
    **{"Tartu": 48, "Bergen": 31, "Ghent": 22, "Lund": 9, "Trogir": 3, "Hallstatt": 1},
}
DIAGNOSES = {
    **{"high blood pressure": 1310, "back pain": 1122, "common cold": 1018, "asthma": 734},
    **{"diabetes": 701, "depression": 655, "migraine": 540, "eczema": 512, "anaemia": 455},
    **{"arthritis": 449, "hay fever": 441, "bronchitis": 430, "sinusitis": 371, "gout": 290},
    **{"shingles": 205, "epilepsy": 118, "glaucoma": 92, "psoriasis": 61, "lupus": 17},
    **{"tetanus": 2, "cholera": 1},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Counts that may be shown.

    Attributes:
        things: what the items are, plural.
        thing: singular.
        told: where the counts come from, one sentence.
        make: the counts.
        code: the same as Python; defines `counts`.
    """

    things: str
    thing: str
    told: str
    make: Callable[[], Mapping[str, int]]
    code: str


@functools.lru_cache(maxsize=1)
def _words() -> Mapping[str, int]:
    return TextCounts("word").values(load_declaration())


def _written(counts: Mapping[str, int]) -> str:
    pairs = [f"    {name!r}: {count}," for name, count in counts.items()]
    return "\n".join(["counts = {", *pairs, "}"])


EXAMPLES = {
    example.things: example
    for example in (
        Example(
            things="destinations",
            thing="destination",
            told="Made up: where travellers of an invented agency went. Nobody stands behind it.",
            make=lambda: CITIES,
            code=_written(CITIES),
        ),
        Example(
            things="diagnoses",
            thing="diagnosis",
            told="Made up: what patients of an invented hospital have. Nobody stands behind it.",
            make=lambda: DIAGNOSES,
            code=_written(DIAGNOSES),
        ),
        Example(
            things="words",
            thing="word",
            told="The words of the United States Declaration of Independence, as if each had been "
            "typed by a person. A public text, nobody’s data.",
            make=_words,
            code="from dpviz.data import load_declaration\n"
            "from dpviz.queries import TextCounts\n\n"
            'counts = TextCounts("word").values(load_declaration())',
        ),
    )
}
