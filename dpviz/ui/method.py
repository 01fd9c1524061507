"""Method: why this should be believed, and how far.

What is promised and what is not is told at length in docs/PROMISES.md. A rule of a paper is called
wrong only with its words, its place, a counterexample, and what may have been meant; all other
corrections are in docs/MATHEMATICS.md, section 11, by kind.
"""

import math
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dpviz.charts.forms.bar_rows import INK, Scale, Tick, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.method import ALARMS, alarm_squares
from dpviz.palette import BEYOND
from dpviz.scenes import method as scenes
from dpviz.scenes.method import EPSILON, RHOS, SCALES, Method
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_form import Closer, PageForm
from dpviz.words import significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

# --- the rules that are wrong as printed ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Misprint:
    """One rule that is wrong as printed.

    Attributes:
        name: in `dpviz.scenes.method.misprints`.
        paper: its key, title and authors.
        place: paper and place in it.
        rule: what it is for, a few words.
        measure: what of it the number is about, for readers who know no formula.
        about: what a reader of the numbers would notice, a few words.
        of: what the number multiplies.
        quote: the words of the paper.
        told: what they do, and a counterexample; with a place for each of its numbers.
        meant: what the authors may have meant, which is right.
        section: of the mathematics.
    """

    name: str
    paper: tuple[str, str]
    place: str
    rule: str
    measure: str
    about: str
    of: str
    quote: str
    told: str
    meant: str
    section: str


LMR25 = ("LMR25", "“Private Lossless Multiple Release” (Andersson et al., 2025)")
MISPRINTED = 8  # lines of the table of corrections whose surroundings have them right
MISPRINTS = (
    Misprint(
        name="Lemma F.5",
        paper=LMR25,
        place="Multiple release, appendix F, Lemma F.5",
        rule="A reader joins later",
        measure="the new number comes out too exact",
        about="A reader who joins later gets a number that is too exact",
        of="the precision",
        quote="let μ₁ = b²/b₁² and μ₂ = b₂²/b² […] X₁ = 0 if D₁ = 1, Lap(0, b) otherwise, and X₂ = "
        "0 if D₂ = 1, Lap(0, b₂) otherwise",
        told="The lemma draws a Laplace release of scale b between two others, b₂ < b < b₁. With "
        "the scales {low}, {level} and {high} the new number should have the variance {right}; as "
        "printed it has {printed}, so it comes nearer to the exact number than its tier may. (The "
        "lemma leaves open which part comes first; the other way round the noise comes out too "
        "large.)",
        meant="The same two parts with the scales b₁ and b; Claim F.3 of the same paper has it so.",
        section="2.3",
    ),
    Misprint(
        name="Algorithm 6",
        paper=LMR25,
        place="Multiple release, Algorithm 6, lines 18 to 22",
        rule="A new answer appears on the list",
        measure="it shows too surely that somebody gave it",
        about="A newly listed item makes it too obvious that someone has it",
        of="the δ",
        quote="Draw fresh noise […] conditioned on Z̃ ≤ ρₖτₖ − Z […] Draw fresh noise […] "
        "conditioned on Z̃ > ρₖτₖ − Z",
        told="The algorithm for sparse histograms draws the hidden past of an item round by round, "
        "as if that past did not know that the item shows up now. A reader who sees an item show "
        "up in the second round can tell a count of 0 from 1 so well that δ = {printed} is needed "
        "at ε = {epsilon}, where the promise allows {right}.",
        meant="All rounds drawn at once, given that the item stays hidden until now: the chance "
        "in line 13 is that of this event, and the slower Algorithm 3 draws it right.",
        section="8.4",
    ),
)

# --- the sentences ---

NOT_HERE = "As printed in the paper, not used here"
PROMISED = Tick(
    at=1.0,
    words="what the rule promises",
    end="1 ×",
    detail="Up to here a rule tells what it promises.",
)
EXAMPLE = "The noise is 10 % too small."
READING = (
    f"Squares: mistakes, such as “{EXAMPLE}” Point at one, or tap it, to see the test that caught "
    "it. Bars: precision (1 / variance) and δ of printed rules, over those promised, for the "
    "setting under “For specialists”; brown is beyond the promise."
)


def headline(scene: Method) -> Said:
    """How many mistakes our tests caught, and what was found in the papers."""
    wrong = Claim(
        what="rules in the papers that as printed give more away than promised",
        value=len(scene.misprints),
        fixed="the settings of the counterexamples in this drawer",
        method="computing what each does as printed, counted (docs/MATHEMATICS.md, section 11)",
    )
    many = Number(str(scene.broken), _planted(scene))
    return say(
        "We planted {planted} mistakes in our own code, one at a time, and our tests caught all "
        "{caught}. The results of the paper behind this site hold, but {rules} of its rules give "
        "too much away as printed; we corrected them.",
        planted=many,
        caught=many,
        rules=Number(counted(len(scene.misprints)), wrong),
    )


def _planted(scene: Method) -> Claim:
    return Claim(
        what="mistakes that were planted, each caught by its test",
        value=scene.broken,
        fixed=f"one mistake at a time in a copy of the code, near one of {len(scene.rules)} rules",
        method="running the test that its square names (make mutants), "
        f"{len({rule.check for rule in scene.rules})} different tests, counted",
    )


def beside(scene: Method) -> tuple[Said, ...]:
    """What the tests prove, and how serious the mistakes of the paper are."""
    rest = Claim(
        what="further misprints in that paper",
        value=MISPRINTED,
        fixed="the four papers behind this dashboard, in the versions that we have",
        method="reading them line by line: all are in the table of section 11 of "
        "docs/MATHEMATICS.md, and none of the other three papers has one, counted",
    )
    return (
        say(
            "**What do the {planted} prove?** We chose them ourselves, so only that these cannot "
            "slip in unseen. There may be others, and as far as we know nobody but its makers has "
            "reviewed this site: have it reviewed before you publish with it.",
            planted=Number(str(scene.broken), _planted(scene)),
        ),
        say(
            "**Are the paper’s results wrong?** No. In other places the paper itself, {paper}, has "
            "both rules right, and its theorems hold with them. {rest} more slips in it are "
            "misprints that change nothing.",
            paper=Name(LMR25[1]),
            rest=Number(counted(MISPRINTED).capitalize(), rest),
        ),
    )


# --- the pictures ---


def pictures(scene: Method) -> tuple[Picture, Picture]:
    """Every mistake made on purpose; and what the paper as printed would have done."""
    rows = []
    for each in MISPRINTS:
        many = scene.times(each.name)
        row = {
            "group": NOT_HERE,
            "row": f"{each.rule} ({each.name}): {each.measure}",
            "end": f"{significant(many)} times",
            "unit": each.of,
            "detail": f"It is {significant(many)} times {each.of} promised. {each.place}.",
        }
        rows += [
            row | {"length": length, "colour": colour}
            for length, colour in ((1.0, INK), (many - 1.0, BEYOND))
        ]
    most = math.ceil(max(scene.times(each.name) for each in MISPRINTS))
    bars = bar_rows(
        pd.DataFrame(rows),
        what="The precision and the δ of printed rules, over those promised.",
        scale=Scale(
            low=0.0,
            high=most,
            title="as printed, over what is promised",
            low_words="none",
            high_words=f"{most} times",
            ticks=(PROMISED,),
            line=1.0,
        ),
    )
    alarms = [
        (
            rule.topic,
            rule.says,
            mistake,
            f"{rule.source} (mathematics {rule.section}), dpviz.{rule.code}",
            f"tests/{rule.check}",
        )
        for rule in scene.rules
        for mistake in rule.mistakes.values()
    ]
    return alarm_squares(pd.DataFrame(alarms, columns=list(ALARMS))), bars


# --- the closers ---

WHO_DECIDES = (
    "How many right guesses are acceptable? You decide, before you draw: each tier’s budget sets a "
    "limit, and we know of no law that names one."
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
        "In practice mode the noise can be computed from the seed: nothing is promised there.",
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


def limits(_: Workspace) -> None:
    """Who decides how much may be told, what holds against whom, and what does not."""
    st.markdown(WHO_DECIDES)
    frame = pd.DataFrame(PROTECTS, columns=["Against", "What holds", "What does not"])
    parts.table(frame, alt="Who might want to know; what holds; what does not.")


def unknown(_: Workspace) -> None:
    """Questions that nobody has answered."""
    st.markdown("\n".join(f"- {literal(each)}" for each in UNKNOWN))


# --- for specialists ---

FORMULA = (
    r"Two tables are neighbours if they differ in one person. $M$ is **ε-DP** if "
    r"$P(M(x)\in S)\le e^\varepsilon P(M(x')\in S)$ for all neighbours and all $S$; **(ε, δ)-DP** "
    r"if $P(M(x)\in S)\le e^\varepsilon P(M(x')\in S)+\delta$; **ρ-zCDP** if "
    r"$D_\alpha(M(x)\,\|\,M(x'))\le\rho\alpha$ for all $\alpha>1$."
    "\n\n"
    r"Noise of a family has the **convolution preorder** if $D(l) * C(l,h)=D(h)$ for all levels "
    r"$l<h$. Releases at the levels $\ell_1<\dots<\ell_m$ are **lossless** if each has the law "
    r"$f(x)+D(\ell_i)$ of a single one, and each set of them can be made from the sharpest in it "
    r"without the data. Then a set costs what its sharpest release costs."
)
OTHERS = (
    "Section 11 of docs/MATHEMATICS.md has all other corrections by their kind: misprints, "
    "statements that hold in the limit or under a condition, and bounds that can be tightened. "
    "The numbers of the papers stand beside ours in docs/PAPERS.md; `make papers` draws their "
    "figures again. `make mutants` plants the mistakes of the squares in the source and shows "
    "which test fails; `make unit` also compares our formulas with Google’s library for privacy "
    "accounting."
)


def formula(scene: Method) -> str:
    """The definitions, and of each wrong rule its words, a counterexample and what may be meant."""
    return "\n\n".join([FORMULA, *(story(scene, each) for each in MISPRINTS), OTHERS])


def story(scene: Method, each: Misprint) -> str:
    """One wrong rule in full, as Markdown."""
    right, printed = scene.misprints[each.name]
    numbers = zip(
        ("low", "level", "high", "epsilon", "right", "printed"),
        (*SCALES, EPSILON, right, printed),
        strict=True,
    )
    told = each.told.format(**{name: significant(number) for name, number in numbers})
    return (
        f"**{literal(each.about)}** ({literal(each.place)}: {significant(scene.times(each.name))} "
        f"times {literal(each.of)} promised). Printed: “{literal(each.quote)}”. {literal(told)} "
        f"Perhaps meant: {literal(each.meant)} (MATHEMATICS {each.section})"
    )


def facts(_: Method) -> Facts:
    """Definitions; the page is about no table."""
    return footer(
        "ρ-zCDP",
        unit="one person",
        neighbours="two tables that differ in one person",
        sensitivity="how far one person moves the numbers",
        data="none: formulas, and what they give",
    )


PAGE = PageForm(
    file="method",
    controls=lambda _: (),
    scene=lambda _: scenes.scene(),
    headline=headline,
    picture=pictures,
    reading=READING,
    beside=beside,
    formula=formula,
    recipe=scenes.misprints,
    arguments=lambda _: {"scales": SCALES, "rhos": RHOS, "epsilon": EPSILON},
    facts=facts,
    closers=(
        Closer(
            label="What is protected, against whom?",
            inside=limits,
            key="method_who",
            with_scene=False,
        ),
        Closer(
            label="What nobody knows yet", inside=unknown, key="method_unknown", with_scene=False
        ),
    ),
    wide=True,
)
