"""Every sentence of the page Method: why this should be believed, and how far.

What is promised and what is not is told at length in docs/PROMISES.md.
"""

import pandas as pd

from dpviz.ui.method.errata import Mistake, mistakes
from dpviz.ui.method.rule import TOPICS
from dpviz.ui.method.rules import RULES, broken, checks
from dpviz.ui.method.sample import FORMULA
from dpviz.words import significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts
from dpviz.workspace.takeaways import counted

EXAMPLE = "The noise is 10 % too small."
ALARMS_READING = (
    f"A square is one mistake in our own code, such as “{EXAMPLE}” Point at one, or tap it, to see "
    "the rule that it breaks, whose it is, and the test that caught it."
)
READING = (
    "Outline: what the paper promises. Bar: what its rule does, as printed. Each row has its own "
    "measure. Allowance (δ): how far a chance may go beyond the promise."
)
ALT = (
    "In each row an outline for what is promised, and a bar for what the rule does; each bar goes "
    "beyond it."
)
ABOUT_MISTAKES = (
    "Section 11 of docs/MATHEMATICS.md has all other corrections by their kind: misprints, "
    "statements that hold in the limit or under a condition, and bounds that can be tightened. "
    "The numbers of the papers stand beside ours in docs/PAPERS.md; `make papers` draws their "
    "figures again."
)
PROTECTS = (
    (
        "A reader of one tier",
        "Guesses no better about one person than that tier’s budget allows, whatever else is known "
        "about that person.",
        "What is true of the whole group, such as that smokers are ill more often.",
    ),
    (
        "Tiers that compare notes",
        "Together they learn what the sharpest of them learns alone, within one session.",
        "Sharing with the sharpest tier: all then know what it knows. Losses of different "
        "sessions add.",
    ),
    (
        "Somebody who repeats a question",
        "A release is drawn once; asked again, it is the same number.",
        "A second tab or a new session: its losses add, and it says so.",
    ),
    (
        "Somebody who knows the code",
        "In hardened mode the noise comes from the operating system, in whole numbers.",
        "In teaching mode the noise can be computed from the seed: nothing is promised there.",
    ),
    (
        "Somebody who watches the server",
        "Exact numbers enter no file, log, address or cache that visitors share.",
        "How long a draw takes; the memory of the server before a session is sealed; the people "
        "who run it.",
    ),
    (
        "Somebody who hands on a changed file",
        "A pack is signed; a changed digit fails the check.",
        "Whose key it is: compare its fingerprint by another way.",
    ),
)
UNKNOWN = (
    "Whether lists of the most common items can be given out at several exactnesses without loss. "
    "A list is drawn once, for all tiers.",
    "Whether the exponential mechanism and noisy maximum can always be given out twice at the cost "
    "of the sharper one. Between two candidates no blur of the sharper report makes the noisier "
    "one, once the lead takes three values of one sign (proved, docs/LOSSLESS.md); among three "
    "some tables have a blur. In every table that was tried both together cost no more.",
    "Whether a top list that is filled place by place ever costs more than the formula for rounds "
    "that are fixed in advance. The theorem does not cover rounds that are chosen as results come "
    "in, and some such rounds cost more; no list is known that does.",
    "Which noise is best for many numbers at once under ε alone, without δ.",
    "How much less several bounded-range mechanisms of different sizes cost, in an order that is "
    "chosen as results come in; what is shown is a bound.",
    "How well sparse histograms can be hardened: whole noise has no first crossing in closed form.",
)


def take_away() -> str:
    """The sentence below the title."""
    return (
        f"We broke our own code in {broken()} ways; the tests caught all {broken()}. In "
        f"{_papers()} behind it we found {counted(len(mistakes()))} printed rules that give too "
        "much of a person away; here they are corrected."
    )


def _papers() -> str:
    """How many papers have such a rule: those whose rules are told."""
    papers = len({each.paper for each in mistakes()})
    return "one of the papers" if papers == 1 else f"{counted(papers)} of the papers"


def alarms_heading() -> str:
    """What the squares show."""
    return f"{broken()} of {broken()} mistakes that we made on purpose were caught"


def alarms_alt() -> str:
    """The squares in words."""
    topics = ", ".join(TOPICS)
    return f"{broken()} squares, one per mistake, all of which a test saw, by topic: {topics}."


def heading() -> str:
    """What the picture of the papers shows."""
    return f"In {_papers()}, {counted(len(mistakes()))} printed rules give too much away"


def how_bad() -> str:
    """How serious both are, and what the paper has right."""
    most, *_, least = (significant(each.times) for each in mistakes())
    return (
        f"{most} and {least} times are both serious. The paper has each of them right in another "
        "place, and what it proves holds with the corrected rules."
    )


def formula() -> str:
    """The definitions, and of each rule its words, a counterexample and what may be meant."""
    return "\n\n".join([FORMULA, *map(_story, mistakes()), ABOUT_MISTAKES])


def _story(each: Mistake) -> str:
    return (
        f"**{literal(each.about)}** ({literal(each.where)}: {each.said}). Printed: "
        f"“{literal(each.quote)}”. {literal(each.told)} Perhaps meant: {literal(each.meant)} "
        f"(MATHEMATICS {each.section})"
    )


def claims() -> tuple[Claim, ...]:
    """Why its numbers are what they are."""
    return (
        Claim(
            what="rules on this page",
            value=len(RULES),
            fixed="this version of dpviz",
            method=f"counting them; {checks()} different checks watch them",
        ),
        Claim(
            what="ways in which a rule was broken, each seen by its test",
            value=broken(),
            fixed="one mistake at a time in a copy of the code, by hand, near the rule",
            method="running the test that its square names (make mutants)",
        ),
        Claim(
            what="rules in the papers that as printed give more away than promised",
            value=len(mistakes()),
            fixed="the settings of the counterexamples in the drawer",
            method="computing what each does as printed (docs/MATHEMATICS.md, section 11)",
        ),
    )


def protects_frame() -> pd.DataFrame:
    """Who might want to know, what holds, and what does not."""
    return pd.DataFrame(PROTECTS, columns=["Against", "What holds", "What does not"])


def facts(footer: Facts) -> Facts:
    """The footer's fields for this page, which is about no table."""
    return tuple((dict(footer) | {"Data": "none: formulas, and what they give"}).items())
