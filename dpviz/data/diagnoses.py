"""What 1,000 made-up people typed when asked for a diagnosis: 100 answers, most of them rare.

Nobody stands behind these counts, so they may be shown.
"""

import numpy as np
from numpy.typing import NDArray

PEOPLE = 1000
TYPED = """
asthma diabetes migraine allergy flu obesity anxiety insomnia eczema acne
gout anemia angina reflux backache hernia ulcer tinnitus hayfever sciatica
vertigo stroke glaucoma cataract epilepsy dementia rosacea ringworm bursitis cystitis
colitis celiac apnea rhinitis shingles warts hives myopia goiter edema
embolism polyps cyst lipoma fibroma otitis iritis uveitis mastitis croup
pleurisy fibrosis copd crohn lupus melanoma leukemia lymphoma myeloma sarcoma
glioma adenoma aneurysm sepsis jaundice uremia varices scabies herpes zoster
measles mumps rubella malaria dengue typhoid cholera tetanus rabies polio
lyme leprosy syphilis botulism anthrax autism adhd bipolar bulimia anorexia
tourette ataxia dystonia palsy myositis gangrene alopecia vitiligo rickets scurvy
"""


def typed_diagnoses() -> tuple[list[str], NDArray[np.int64]]:
    """Return what was typed, most common first, and how many people typed it.

    Zipf's law rounded down, ⌊200 / r⌋ people for the r-th; the most common one has the rest.

    Returns:
        Words of at most eight letters, all different, and counts of shape (100,) that sum to 1,000.

    >>> names, counts = typed_diagnoses()
    >>> names[:3], counts[:3].tolist(), len(set(names)), int(counts.sum())
    (['asthma', 'diabetes', 'migraine'], [202, 100, 66], 100, 1000)
    """
    names = TYPED.split()
    counts = 200 // np.arange(1, len(names) + 1, dtype=np.int64)
    counts[0] += PEOPLE - counts.sum()
    return names, counts
