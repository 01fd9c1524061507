"""One rule that the pages rest on, and the topics by which they are shown."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        topic: one of `TOPICS`.
        says: the rule in one sentence.
        source: paper and theorem, or "ours".
        section: of the mathematics.
        code: where it is, a module of dpviz and a name in it.
        check: file of the tests, and perhaps a test in it, which fails when the rule is broken.
        mistakes: each breaks the rule, and `make mutants` sees the check fail with each.
    """

    topic: str
    says: str
    source: str
    section: str
    code: str
    check: str
    mistakes: tuple[str, ...]


RELEASES, KINDS, COSTS = "Drawing releases", "Kinds of noise", "Adding up privacy losses"
TOGETHER, STRUCTURED = "Many questions at once", "Top lists, running totals"
LOCAL = "Noise on one’s own device"
TOPICS = (RELEASES, KINDS, COSTS, TOGETHER, STRUCTURED, LOCAL)
