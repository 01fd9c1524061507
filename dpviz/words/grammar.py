"""Grammar of words, such as those that people typed: an article, a number, how often, case.

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


# Words of several that are written as one is, or that are no plural though they end so.
_AS_ONE = re.compile(r"(?i)(.*(ss|us|is)|series|species|means|news|lens|gas)$")
_ENDINGS = ((r"(?i)people$", "person"), (r"ies$", "y"), (r"(ch|sh|x|z|ss)es$", r"\1"), (r"s$", ""))


def one_of(many: str) -> str:
    """One of what a word names several of, by how it is written; a unit such as "km" stays.

    >>> [one_of(word) for word in ("minutes", "people", "hospital stays", "days of stay", "km")]
    ['minute', 'person', 'hospital stay', 'day of stay', 'km']
    >>> [one_of(word) for word in ("aircraft", "“costs”", "of “costs”", "glass", "batches")]
    ['aircraft', '“costs”', 'of “costs”', 'glass', 'batch']
    """
    noun, of, rest = many.partition(" of ")
    if len(noun) < 3 or _AS_ONE.match(noun) or "“" in noun or noun == "of":
        return many
    for ending, instead in _ENDINGS:
        if re.search(ending, noun):
            return re.sub(ending, instead, noun) + of + rest
    return many


def with_noun(number: str, many: str) -> str:
    """A number as it is written, with what it is a number of.

    >>> with_noun("1", "flights"), with_noun("12", "flights"), with_noun("1", "")
    ('1 flight', '12 flights', '1')
    """
    return f"{number} {one_of(many) if number == '1' else many}".rstrip(" ")


def numbered(n: int, many: str) -> str:
    """How many there are of what a word names several of.

    >>> numbered(1, "tiers"), numbered(1200, "tiers")
    ('1 tier', '1,200 tiers')
    """
    return with_noun(f"{n:,}", many)


def several(n: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> several(1, "aircraft", "aircraft"), several(1200, "person", "people")
    ('1 aircraft', '1,200 people')
    """
    return f"{n:,} {one if n == 1 else many}"


def times_in_100(share: float) -> str:
    """A confidence as it is said, by how often it is right.

    >>> times_in_100(0.95), times_in_100(0.999)
    ('95 times in 100', '99.9 times in 100')
    """
    return f"{100 * share:g} times in 100"


def uncapitalised(text: str) -> str:
    """A sentence as it goes on after a colon or inside of another one.

    >>> uncapitalised("Made up: Oslo.")
    'made up: Oslo.'
    """
    return text[:1].lower() + text[1:]
