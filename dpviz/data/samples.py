"""The ready samples, by the expression that loads them.

The long-tailed sample: the 1,322 words of the Declaration of Independence, in their order.

Nobody's data, and still like many tables of people: a few items are common, most occur once, and no
list of all possible items is at hand. `declaration.csv` was made from the transcription of the
United States National Archives: one row per word, in small letters, hyphens and apostrophes parting
words and a possessive ’s dropped; the 32 paragraphs are numbered and named by the usual five parts.

What 1,000 made-up people typed when asked for a diagnosis: 100 answers, most of them rare.

Nobody stands behind these counts, so they may be shown. What could be typed is every such
diagnosis, how severe it is, and how it goes: far more than anybody would write down.
"""

import types
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from dpviz.data.read import digest_of, read_packaged
from dpviz.data.sample import SAMPLE, Sample, load_sample
from dpviz.data.table import Table
from dpviz.data.visits import DIGEST as VISITS_DIGEST
from dpviz.data.visits import VISITS, load_visits
from dpviz.errors import DataError

COMMON = (  # the twenty most frequent words of English in the Brown corpus [Kučera, Francis 1967]
    *("the", "of", "and", "to", "a", "in", "that", "is", "was", "he"),
    *("for", "it", "with", "as", "his", "on", "be", "at", "by", "i"),
)

DECLARATION = Sample(
    title="Words of the United States Declaration of Independence, 1776",
    source=(
        "Declaration of Independence, 4 July 1776, as transcribed by the United States National "
        "Archives, archives.gov/founding-docs/declaration-transcript"
    ),
    licence="in the public domain",
    row="one word, in its place in the text; nobody’s data",
    file="declaration.csv",
    person="place",
    column="part",
    groups=types.MappingProxyType(
        {"part": ("introduction", "preamble", "charges", "appeals", "conclusion"), "word": COMMON}
    ),
    bounds=types.MappingProxyType({"paragraph": (1.0, 32.0), "letters": (1.0, 20.0)}),
    times=types.MappingProxyType({}),
    loading="load_declaration()",
    synthetic=False,
)


def load_declaration() -> Table:
    """Load the words into a table with an engine of its own.

    >>> load_declaration()
    Table(“declaration.csv”, 5 columns)
    """
    return read_packaged(DECLARATION.file)


PEOPLE = 1000
TYPED = """
asthma, diabetes, migraine, allergy, flu, obesity, anxiety, insomnia, eczema, acne,
gout, anemia, angina, reflux, backache, hernia, ulcer, tinnitus, hay fever, sciatica,
mild vertigo, stroke, glaucoma, cataract, early dementia, epilepsy, chronic bronchitis, ringworm,
severe acne, cystitis, recurrent migraine, celiac disease, sleep apnea, rhinitis, shingles,
chronic backache, hives, myopia, goitre, edema, embolism, nasal polyps, mild asthma, lipoma,
recurrent cystitis, otitis, iritis, acute sinusitis, mastitis, croup, pleurisy, severe migraine,
chronic gout, lupus, melanoma, leukemia, lymphoma, myeloma, early glaucoma, sarcoma, persistent
hives, adenoma, aneurysm, sepsis, jaundice, mild anemia, varices, scabies, herpes, severe eczema,
measles, mumps, rubella, malaria, dengue, recurrent tinnitus, cholera, tetanus, rabies, polio,
lyme disease, leprosy, syphilis, chronic hepatitis, anthrax, autism, mild scoliosis, bulimia,
anorexia, late epilepsy, ataxia, dystonia, palsy, acute myositis, gangrene, alopecia, vitiligo,
rickets, severe psoriasis, scurvy
"""
SEVERITY = (
    *("mild", "moderate", "severe", "slight", "advanced", "borderline", "suspected", "atypical"),
    *("minor", "untreated", "secondary", "serious", "congenital", "complicated"),
)
COURSE = (
    *("acute", "chronic", "recurrent", "early", "late", "sudden", "persistent", "progressive"),
    *("juvenile", "adult", "intermittent", "relapsing", "transient", "recent", "prolonged"),
    *("lingering", "repeated", "lifelong"),
)


def typed_diagnoses() -> tuple[list[str], NDArray[np.int64]]:
    """Return what was typed, most common first, and how many people typed it.

    Zipf's law rounded down, ⌊200 / r⌋ people for the r-th; the most common one has the rest.

    Returns:
        Different names, and counts of shape (100,) that sum to 1,000.

    >>> names, counts = typed_diagnoses()
    >>> names[:3], counts[:3].tolist(), len(set(names)), int(counts.sum())
    (['asthma', 'diabetes', 'migraine'], [202, 100, 66], 100, 1000)
    """
    names = [" ".join(name.split()) for name in TYPED.split(",")]
    counts = 200 // np.arange(1, len(names) + 1, dtype=np.int64)
    counts[0] += PEOPLE - counts.sum()
    return names, counts


@cache
def possible_diagnoses() -> tuple[str, ...]:
    """Return all that could be typed: a diagnosis, how severe it is, and how it goes.

    >>> names = possible_diagnoses()
    >>> set(typed_diagnoses()[0]) <= set(names), "mild recurrent scurvy" in names
    (True, True)
    """
    bare = dict.fromkeys(_bare(name) for name in typed_diagnoses()[0])
    words = [
        (how, goes, name) for how in ("", *SEVERITY) for goes in ("", *COURSE) for name in bare
    ]
    return tuple(" ".join(filter(None, each)) for each in words)


def _bare(name: str) -> str:
    """A diagnosis without its severity and course."""
    return " ".join(word for word in name.split() if word not in (*SEVERITY, *COURSE))


SAMPLES: Mapping[str, Sample] = types.MappingProxyType(
    {s.loading: s for s in (SAMPLE, VISITS, DECLARATION)}
)
_LOADERS: Mapping[str, Callable[[], Table]] = {
    SAMPLE.loading: load_sample,
    VISITS.loading: load_visits,
    DECLARATION.loading: load_declaration,
}


def is_sample(table: Table) -> bool:
    """Whether a table is a ready sample, which everybody may have, also where it was uploaded.

    >>> is_sample(load(SAMPLES["load_sample()"]))
    True
    """
    return table.digest in _digests()


@cache
def _digests() -> frozenset[str]:
    packaged = (resources.files("dpviz.data") / s.file for s in (SAMPLE, DECLARATION))
    return frozenset([*(digest_of(file.read_bytes()) for file in packaged), VISITS_DIGEST])


def load(sample: Sample) -> Table:
    """Load a ready sample into a table with an engine of its own.

    Raises:
        DataError: if it is not one of `SAMPLES`.

    >>> load(SAMPLES["load_sample()"])
    Table(“nhefs.csv”, 16 columns)
    """
    if sample not in SAMPLES.values():
        raise DataError("there is no such sample; choose one of SAMPLES")
    return _LOADERS[sample.loading]()
