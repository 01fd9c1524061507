"""Made-up counts of the page Top-k, and one text: nobody's data, so that the truth may be shown."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpviz.data import load_declaration
from dpviz.queries import TextCounts

CITIES = {
    **{"Paris": 671, "London": 654, "Rome": 609, "Madrid": 571, "Vienna": 562, "Berlin": 549},
    **{"Lisbon": 497, "Athens": 486, "Prague": 471, "Dublin": 449, "Oslo": 441, "Warsaw": 436},
    **{"Helsinki": 424, "Budapest": 401, "Zurich": 342, "Seville": 261, "Porto": 188},
    **{"Kraków": 121, "Tartu": 58, "Bergen": 31, "Ghent": 22, "Lund": 9, "Trogir": 3},
    **{"Hallstatt": 1},
}
DIAGNOSES = {
    **{"high blood pressure": 1130, "back pain": 1112, "common cold": 1018, "asthma": 734},
    **{"diabetes": 711, "depression": 695, "migraine": 540, "eczema": 528, "anaemia": 461},
    **{"arthritis": 449, "hay fever": 441, "bronchitis": 430, "sinusitis": 411, "gout": 290},
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
            told="Made up: where travellers of an invented agency went. None of them is real.",
            make=lambda: CITIES,
            code=_written(CITIES),
        ),
        Example(
            things="diagnoses",
            thing="diagnosis",
            told="Made up: what patients of an invented hospital have. None of them is real.",
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
