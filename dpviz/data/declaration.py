"""The long-tailed sample: the 1,322 words of the Declaration of Independence, in their order.

Nobody's data, and still like many tables of people: a few items are common, most occur once, and no
list of all possible items is at hand. `declaration.csv` was made from the transcription of the
United States National Archives: one row per word, in small letters, hyphens and apostrophes parting
words and a possessive ’s dropped; the 32 paragraphs are numbered and named by the usual five parts.
"""

import types

from dpviz.data.read import read_packaged
from dpviz.data.sample import Sample
from dpviz.data.table import Table

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
        {
            "part": ("introduction", "preamble", "charges", "appeals", "conclusion"),
            "word": COMMON,
        }
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
