"""Method: mistakes found in the papers, and mistakes made on purpose in our own code.

`rules.toml` has what the pages rest on. A test imports every place in the code and finds every
check, another one compares the sections and the papers with docs/MATHEMATICS.md, and `make mutants`
breaks every rule in a copy of the library, in each way that it names, and sees its check fail.

`misprints` has the rules that are wrong as printed in a paper, each with one number: what a reader
would learn by it, over what is promised.
"""

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.sparse.printed_law import printed_leak

DATA = Path(__file__).with_name("rules.toml")
SCALES = (1.0, 3.0, 10.0)  # of three Laplace releases
RHOS, EPSILON = (0.1, 0.2), 2.0  # two rounds of a sparse histogram, and where δ is asked for
FAR_UP = 1.5  # standard deviations from 0 to the threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule that the pages rest on.

    Attributes:
        topic: by which rules are shown.
        says: the rule in one sentence.
        source: paper and theorem, or "ours".
        section: of the mathematics.
        code: where it is, a module of dpviz and a name in it.
        check: file of the tests, and perhaps a test in it, which fails when the rule is broken.
        mistakes: by their names; each breaks the rule, and `make mutants` sees the check fail.
    """

    topic: str
    says: str
    source: str
    section: str
    code: str
    check: str
    mistakes: dict[str, str]


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, by topic.

    >>> len(rules()) > 30, rules()[0].topic
    (True, 'Drawing releases')
    """
    found = tomllib.loads(DATA.read_text(encoding="utf-8"))["rules"]
    return tuple(Rule(**each) for each in found)


def broken() -> int:
    """In how many ways a rule was broken, to see its check fail.

    >>> broken() >= len(rules())
    True
    """
    return sum(len(rule.mistakes) for rule in rules())


def misprints(
    scales: tuple[float, float, float], rhos: tuple[float, float], epsilon: float
) -> dict[str, tuple[float, float]]:
    """Return what each rule should give, and what it gives as printed.

    Args:
        scales: of three Laplace releases; Lemma F.5 of [LMR25] draws the one in the middle, and the
            variance of its noise should be the first number.
        rhos: of two rounds of a sparse histogram by Algorithm 6 of [LMR25]; both numbers are the δ
            that a reader of the second round needs.
        epsilon: where that δ is asked for.

    >>> found = misprints(SCALES, RHOS, EPSILON)
    >>> {name: round(max(pair) / min(pair), 3) for name, pair in found.items()}
    {'Lemma F.5': 4.038, 'Algorithm 6': 2.133}
    """
    right, printed = (bridged_variance(*scales, printed=each) for each in (False, True))
    thresholds = [FAR_UP * math.sqrt(0.5 / rho) for rho in rhos]
    leak = printed_leak(rhos, thresholds, epsilon, l2_sensitivity=1.0)
    return {"Lemma F.5": (right, printed), "Algorithm 6": (leak.zcdp, leak.printed)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """All rules, and the numbers of those that are wrong as printed."""

    rules: tuple[Rule, ...]
    misprints: dict[str, tuple[float, float]]

    def times(self, name: str) -> float:
        """By how much more a rule gives away, as printed, than it promises."""
        right, printed = self.misprints[name]
        return max(right, printed) / min(right, printed)

    @property
    def broken(self) -> int:
        """In how many ways a rule was broken."""
        return broken()


@cache
def scene() -> Method:
    """All that the page shows: the same for everybody."""
    return Method(rules=rules(), misprints=misprints(SCALES, RHOS, EPSILON))
