"""Grammar of words that people typed: the article before one, and its number.

Limits: English, and by how a word is written; a word that is spoken otherwise ("MRI") gets the
article of its first letter.
"""

import re

# Written with a vowel and spoken with a consonant, and the other way round.
_AS_CONSONANT = re.compile(r"(?i)(eu|ewe|one\b|once|uni(?!n|m)|us[aeu]|uti|ura|ubi)")
_AS_VOWEL = re.compile(r"(?i)(hour|heir|honest|honou?r|[aeiou])")


def a(noun: str) -> str:
    """A noun with its article.

    >>> a("aircraft"), a("person"), a("hour"), a("user"), a("uninsured driver")
    ('an aircraft', 'a person', 'an hour', 'a user', 'an uninsured driver')
    """
    vowel = _AS_VOWEL.match(noun) and not _AS_CONSONANT.match(noun)
    return f"{'an' if vowel else 'a'} {noun}"


def several(n: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> several(1, "aircraft", "aircraft"), several(1200, "person", "people")
    ('1 aircraft', '1,200 people')
    """
    return f"{n:,} {one if n == 1 else many}"
