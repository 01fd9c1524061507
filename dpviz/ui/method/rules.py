"""What the pages rest on: each rule, whose it is, where it is in the code, and what watches it.

A test imports every place in the code and finds every check; a second one compares the sections and
the papers with docs/MATHEMATICS.md; a third one, `make mutants`, breaks every rule in a copy of the
library, in each way that it names, and sees its check fail.
"""

import pandas as pd

from dpviz.charts.method.alarms import ALARMS
from dpviz.ui.method.rule import TOPICS, Rule
from dpviz.ui.method.rules_costs import COUNTED
from dpviz.ui.method.rules_draws import DRAWN

RULES = tuple(sorted(DRAWN + COUNTED, key=lambda rule: TOPICS.index(rule.topic)))


def checks() -> int:
    """How many different checks watch them.

    >>> checks() > 25
    True
    """
    return len({rule.check for rule in RULES})


def broken() -> int:
    """In how many ways a rule was broken, to see its check fail.

    >>> broken() >= len(RULES)
    True
    """
    return sum(len(rule.mistakes) for rule in RULES)


def alarms_frame() -> pd.DataFrame:
    """Every mistake made on purpose: topic, rule, mistake, where the rule is from, its test.

    >>> len(alarms_frame()) == broken()
    True
    """
    rows = [
        (rule.topic, rule.says, each, _source(rule), f"tests/{rule.check}")
        for rule in RULES
        for each in rule.mistakes
    ]
    return pd.DataFrame(rows, columns=list(ALARMS))


def _source(rule: Rule) -> str:
    """Where a rule is from, and where it is in the code."""
    return f"{rule.source} (mathematics {rule.section}), dpviz.{rule.code}"
