"""What 1,000 made-up people typed when asked for a diagnosis: 100 answers, most of them rare.

Nobody stands behind these counts, so they may be shown. What could be typed is every such
diagnosis, how severe it is, and how it goes: far more than anybody would write down.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

PEOPLE = 1000
TYPED = """
asthma, diabetes, migraine, allergy, flu, obesity, anxiety, insomnia, eczema, acne,
gout, anemia, angina, reflux, backache, hernia, ulcer, tinnitus, hay fever, sciatica,
mild vertigo, stroke, glaucoma, cataract, early dementia, epilepsy, chronic bronchitis, ringworm,
severe acne, cystitis, recurrent migraine, celiac disease, sleep apnea, rhinitis, shingles,
chronic backache, hives, myopia, goiter, edema, embolism, nasal polyps, mild asthma, lipoma,
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
