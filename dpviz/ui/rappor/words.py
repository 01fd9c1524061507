"""Sentences of the page RAPPOR: take-away, claims, how to read, and the footer; pure functions."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from dpviz.charts.local.rappor_frame import REACH
from dpviz.local.couplings import COUPLINGS, rappor_reports_loss
from dpviz.local.decoding import Decoded
from dpviz.local.rappor import Rappor
from dpviz.ui.rappor import examples, own
from dpviz.ui.rappor.view import Scene
from dpviz.words import number, percent, pm, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal, unbroken
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.rappor import NEIGHBOURS
from dpviz.workspace.takeaways import counted

NOTHING = "Correct what is chosen, and browsers will report their pages with noise."
ALIKE = "the home page of one browser is replaced; which browsers take part is public"
BY_FIT = "weighted least squares on the sums of reports, after a lasso if there are many "
BY_FIT += "candidates (MATHEMATICS 15.2)"
BITS_READING = (
    "The frames mark the bits that the suspicious text sets. The kept bits are drawn once; every "
    "report is drawn from them afresh."
)
WIDE = 1.1  # a misfit that is worth a sentence
WAYS = {
    "chain": "linked as here",
    "recast": "linked through Laplace noise",
    "fresh": "with separate noise",
}
WEAKLY = (
    "Weakly lossless: the kept bits of the first kind add nothing to those of the second. Each "
    "report is drawn from them afresh, so one report of each kind tells more than one of the "
    "second kind; all of them stay within the loss of the second kind’s kept bits."
)
WAYS_TOLD = (
    "Bounds on the privacy loss, rounded up. Koufogiannis, Han and Pappas (2015) propose linking "
    "through Laplace noise: it keeps the larger loss that such noise promises, and costs a little "
    "more here."
)


def take_away(scene: Scene) -> str:
    """Which kinds of report show the suspicious text: what noisier ones show may fail, too."""
    if not scene.reports:
        return "Nobody has reported yet."
    total = f"{scene.reports[0].total:,} {scene.noun}"
    given, who, what = "", total, f"“{literal(scene.asked.suspicious)}”"
    if scene.own is None and scene.asked.suspicious == examples.SUSPICIOUS:
        given = f"A thief gave some of {total} a fake home page. "
        who, what = "their reports", "it"
    kinds = [
        (share(reports.rappor.f), bool(decoded.found[scene.place]))
        for reports, decoded in zip(scene.reports, scene.decoded, strict=True)
    ]
    found = [name for name, yes in kinds if yes]
    missed = [name for name, yes in kinds if not yes]
    if not found:
        without = " or ".join(missed)
        return f"{given}With {_answers(without)} random, {who} do not reveal {what}."
    text = f"{given}With {_answers(found[-1])} random, {who} reveal {what}"
    if missed:
        return f"{text}; with {missed[0]} they do not.{_price(scene)}"
    return f"{text}; with {found[0]} they do, too." if len(found) > 1 else f"{text}."


def told(scene: Scene) -> str:
    """The story of the made-up browsers."""
    first, second = (scene.asked.first.f, scene.asked.second.f)
    return (
        f"The fake page is {unbroken(examples.SUSPICIOUS)}. Each browser tells its home page in "
        f"yes-or-no answers. At first chance decides {_in_many(first, ' answers')}; once something "
        f"looks wrong, {_in_many(second)}. All of it is invented."
    )


def _in_many(f: float, answers: str = "") -> str:
    """How many answers are random, as a person counts them.

    >>> _in_many(0.75, " answers"), _in_many(0.5)
    ('three answers in four', 'one in two')
    """
    few = {0.25: "one{} in four", 0.5: "one{} in two", 0.75: "three{} in four"}
    one = answers.removesuffix("s") if f < 0.75 else answers
    return few[f].format(one) if f in few else f"{percent(f)} of them"


def _price(scene: Scene) -> str:
    """What the reports that find more than the others give away about one, with what those do."""
    before, after = (scene.guesses(reports.rappor).value for reports in scene.reports)
    if not scene.decoded[-1].found[scene.place]:
        return ""
    return (
        f" The price: at most {right(after):,} of 1,000 guesses about {_unit(scene)} are right, "
        f"instead of {right(before):,} (a coin: 500)."
    )


def _answers(named: str) -> str:
    return f"{named} the answers" if named == "half" else f"{named} of the answers"


def _unit(scene: Scene) -> str:
    """Whose text is hidden."""
    return "one browser" if scene.own is None else scene.own.query.bounds.unit


def share(f: float) -> str:
    """How many answers are random, in words where one says them.

    >>> share(0.5), share(0.75)
    ('half', 'three quarters')
    """
    return {0.25: "a quarter", 0.5: "half", 0.75: "three quarters"}.get(f, percent(f))


def about(decoded: Decoded, place: int) -> str:
    """An estimate with its ±."""
    half = REACH * float(decoded.errors[place])
    return f"{number(float(decoded.counts[place]), step=half)} {pm(half)}"


def claims(scene: Scene | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are true."""
    return (*_of_estimates(scene), *_of_guesses(scene)) if scene else ()


def _settings(scene: Scene) -> str:
    asked = scene.asked
    return (
        f"p = {significant(asked.first.p)}, q = {significant(asked.first.q)}, "
        f"{asked.bloom.hashes} of {asked.bloom.bits} bits, {asked.bloom.cohorts} cohorts"
    )


def _of_estimates(scene: Scene) -> Iterator[Claim]:
    for reports, decoded in zip(scene.reports, scene.decoded, strict=True):
        f = f"f = {significant(reports.rappor.f)}"
        at = f"{f}, {_settings(scene)}, {reports.total:,} reports"
        what = f"{scene.noun} with {scene.asked.suspicious}, estimated at {f}"
        yield Claim(
            what=what,
            value=float(decoded.counts[scene.place]),
            unit=scene.noun,
            fixed=at,
            method=BY_FIT,
            kind="simulated",
        )
        yield Claim(
            what=f"half width of the interval of {what}",
            value=REACH * float(decoded.errors[scene.place]),
            unit=scene.noun,
            fixed=f"{at}, 95 % confidence",
            method=f"1.96 standard errors of that fit, widened by {decoded.misfit:.3f} "
            "(MATHEMATICS 15.2)",
            assumes="there are enough reports for the estimate to be normal",
            kind="simulated",
        )


def _of_guesses(scene: Scene) -> Iterator[Claim]:
    first, second = scene.asked.first, scene.asked.second
    both = f"f = {significant(first.f)} and then {significant(second.f)}"
    if len(scene.reports) == 1:
        mine = scene.reports[0].rappor
        yield _claim(scene, "", f"f = {significant(mine.f)}", mine)
    elif scene.reports:
        yield _claim(scene, " at the first f", f"f = {significant(first.f)}", first)
    yield _claim(scene, " at both f", both, second)


def _claim(scene: Scene, which: str, at: str, sharpest: Rappor) -> Claim:
    """Right guesses by linked reports, and why."""
    found = scene.guesses(sharpest)
    return Claim(
        what=f"right guesses of 1,000 by any number of reports of {_unit(scene)}{which}",
        value=found.value,
        fixed=f"two texts, equally likely beforehand; {at}, {_settings(scene)}; a coin: 500",
        method=f"{found.method}; linked bits of the first f add nothing (15.2)",
        kind="at most",
    )


def text_reading(scene: Scene) -> str:
    """How to read the intervals of the suspicious text."""
    if scene.truth is None:
        return "Each bar holds the true number 95 times in 100. That number stays hidden."
    said = (
        "Each bar holds the true number 95 times in 100; noise may take it below zero. Found: so "
        "far above zero that chance would hardly explain it."
    )
    if not scene.asked.decoys:
        return said
    false = max(false_discoveries(scene))
    found, verb = (counted(false) if false else "none"), ("is" if false < 2 else "are")
    return f"{said} Of {scene.asked.decoys:,} pages that nobody has, {found} {verb} found."


def text_alternative(scene: Scene) -> str:
    """The intervals in words."""
    said = [
        f"with {percent(r.rappor.f)} random answers {about(d, scene.place)}, "
        + ("found" if d.found[scene.place] else "not found")
        for r, d in zip(scene.reports, scene.decoded, strict=True)
    ]
    return f"Estimated {scene.noun} with {scene.asked.suspicious}, {'; '.join(said)}."


def false_discoveries(scene: Scene) -> list[int]:
    """How many of the candidates that nobody has are found, at each f; none where it is hidden."""
    truth = scene.truth
    if truth is None:
        return []
    nobodys = np.array([not truth.get(text) for text in scene.asked.candidates])
    return [int((each.found & nobodys).sum()) for each in scene.decoded]


def costs_heading(scene: Scene) -> str:
    """What the table is of."""
    return f"What do the reports reveal about {_unit(scene)}?"


def costs_reading(scene: Scene) -> str:
    """What a guess is, and why the first reports add nothing to the later ones."""
    before, after = (percent(r.f) for r in (scene.asked.first, scene.asked.second))
    once, linked, separate = (f"{right(each):,}" for each in right_of(scene))
    what = "pages one browser" if scene.own is None else f"texts {_unit(scene)}"
    return (
        f"A guess says which of two {what} has, after any number of its reports (a coin: 500 of "
        f"1,000). With {before} random answers at most {once} are right, with {after} at most "
        f"{linked}. Both together still give {linked}, because the {before} answers are made from "
        f"the {after} ones; with separate noise they would give {separate}."
    )


def right_of(scene: Scene) -> tuple[float, float, float]:
    """Right guesses by the first kind of report, by the second, and by both separate."""
    first, second = scene.asked.first, scene.asked.second
    once, linked, separate = (
        scene.guesses(*each).value for each in ((first,), (second,), (first, second))
    )
    return once, linked, separate


def upward(epsilon: float) -> str:
    """An ε as it is written: never smaller than it is.

    >>> upward(4.39444915), upward(0.5)
    ('4.395', '0.5')
    """
    return significant(rounded_up(epsilon, 4), 4)


def right(guessed: float) -> int:
    """Right guesses of 1,000 as they are written: never fewer than there may be.

    >>> right(843.2), right(500.0)
    (844, 500)
    """
    return math.ceil(round(guessed, 6))


def losses_table(scene: Scene) -> pd.DataFrame:
    """What reports tell: any number of them, or one at each f."""
    first, second, h = scene.asked.first, scene.asked.second, scene.asked.bloom.hashes
    rows = [
        (
            f"{percent(r.f)} random answers alone",
            upward(r.epsilon_forever(h)),
            upward(r.epsilon_once(h)),
        )
        for r in (first, second)
    ]
    rows += [
        (
            f"both, {WAYS[each]}",
            upward(scene.losses[each]),
            upward(rappor_reports_loss(each, first, second, h)),
        )
        for each in COUPLINGS
    ]
    return pd.DataFrame(rows, columns=["reports", "any number: ε", "one of each kind: ε"])


def others(scene: Scene) -> str:
    """What the fit says about texts that nobody looks for; "" while they do not disturb it."""
    decoded = scene.decoded[-1]
    if decoded.misfit <= WIDE:
        return ""
    return (
        f"About {number(max(decoded.others, 0.0))} {scene.noun} have texts that you do not look "
        f"for. They disturb the fit: every ± is {significant(decoded.misfit, 2)} times as wide as "
        "from the noise alone."
    )


def facts(scene: Scene | None) -> Facts:
    """The footer: for made-up browsers, or for the visitor's column."""
    hashes = scene.asked.bloom.hashes if scene else 2
    column = scene.own if scene else None
    return footer(
        "ε-DP",
        unit=_unit(scene) if scene else "one browser",
        neighbours=NEIGHBOURS if column else ALIKE,
        sensitivity=f"another {'text' if column else 'home page'} changes at most {2 * hashes} of "
        "the yes-or-no answers (bits) before noise",
        data="made up: the home pages of browsers" if column is None else own.told(column),
        symbols=f"2h = {2 * hashes}, with h bits for a text",
    )
