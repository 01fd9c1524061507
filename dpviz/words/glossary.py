"""The words of the field, each in one plain sentence: one list, shown on hover beside sentences."""

import re

from dpviz.parameters import DELTA_MEANING
from dpviz.words.markdown import literal

GLOSSARY = {
    "bound": "Bound: how far one person’s value counts at most; what is larger is cut off.",
    "budget": "Budget: how much of one person a release may give away at most; "
    "a larger one means less noise.",
    "clearance": "Clearance: how exact a number somebody may see.",
    "coalition": "Coalition: people who pool all the numbers that they got.",
    "coordinate": "Coordinate: one number of a statistic that has several, such as one group.",
    "lossless": "Lossless: each release has the noise of a single one at its own budget, "
    "and comparing them tells no more than the sharpest of them alone.",
    "mode": "Mode: teaching noise comes from a seed and hides nobody; hardened noise is real.",
    "new noise": "New noise: random errors that do not depend on any before.",
    "noise": "Noise: a random error, added on purpose so that no single person shows.",
    "phantom": "Phantom: an item that shows up in a release although nobody has it.",
    "privacy loss": "Privacy loss: how much surer a reader can become that one person is in the "
    "table; what a budget bounds.",
    "release": "Release: numbers with noise, as a tier gets them.",
    "sealed": "Sealed: the exact numbers are erased, so that nothing sharper can be drawn.",
    "sensitivity": "Sensitivity: how far one person can move the published numbers.",
    "separate noise": "Separate noise: each number has a random error of its own, so that some of "
    "the errors cancel when numbers are averaged.",
    "threshold": "Threshold: an item shows only if its noisy count lies above it.",
    "tier": "Tier: a group of readers, who all get the same numbers.",
    "variance": "Variance: the average squared error of the noise.",
    "ρ": "ρ (rho): a budget; with Gaussian noise, 588 of 1,000 guesses are right at 0.1 and 760 at "
    "1 (a coin: 500).",
    "ε": "ε (epsilon): a budget, on another scale than ρ; any chance changes by at most the "
    "factor eᵋ through one person.",
    "δ": "δ (delta): the small chance by which the promise of ε may fail; exactly: "
    f"{DELTA_MEANING}.",
    "±": "±: the exact number lies within it in 95 of 100 releases.",
}
_PLURAL = "(?:s|es|d)?"


def terms_in(*texts: str) -> tuple[str, ...]:
    """Which of the terms stand in the texts, in the order of the list.

    >>> terms_in("Two tiers get one release, at ρ = 0.1.")
    ('release', 'tier', 'ρ')
    >>> terms_in("The frontier of noisy tables")
    ()
    """
    whole = " ".join(texts).lower()
    return tuple(term for term in GLOSSARY if re.search(_pattern(term), whole))


def explained(*texts: str) -> str:
    r"""What the terms in the texts mean, a paragraph of Markdown for each; "" without a term.

    >>> print(explained("a sealed phantom"))
    Phantom\: an item that shows up in a release although nobody has it\.
    <BLANKLINE>
    Sealed\: the exact numbers are erased, so that nothing sharper can be drawn\.
    """
    return "\n\n".join(literal(GLOSSARY[term]) for term in terms_in(*texts))


def _pattern(term: str) -> str:
    return (
        rf"\b{re.escape(term)}{_PLURAL}\b"
        if term.isalpha() and term.isascii()
        else (re.escape(term).replace(r"\ ", r"\s") + (_PLURAL if " " in term else ""))
    )
