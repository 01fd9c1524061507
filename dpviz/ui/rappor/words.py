"""Sentences of the page RAPPOR: take-away, claims, how to read, and the footer; pure functions."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from dpviz.charts.local.rappor_frame import REACH
from dpviz.charts.local.rappor_losses import upward
from dpviz.local.couplings import COUPLINGS, rappor_reports_loss
from dpviz.local.decoding import Decoded
from dpviz.ui.rappor import own
from dpviz.ui.rappor.view import Scene
from dpviz.words import NO_BREAK, number, percent, pm, rounded_down, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.rappor import NEIGHBOURS
from dpviz.workspace.takeaways import counted

NOTHING = "Correct what is chosen, and clients will report their texts with noise."
EXACT_LOSS = "ε∞ = 2h·ln((2 − f)/f) at the smaller f, which the bit chain keeps (MATHEMATICS 15.2)"
BY_FIT = "weighted least squares on the sums of reports, after a lasso if there are many "
BY_FIT += "candidates (MATHEMATICS 15.2)"
BITS_READING = (
    "The frames mark the bits that the suspicious text sets. The kept bits are drawn once; every "
    "report is drawn from them afresh."
)
WIDE = 1.1  # a misfit that is worth a sentence
WAYS = {"chain": "linked as here", "recast": "linked as in the paper", "fresh": "separate noise"}


def take_away(scene: Scene) -> str:
    """What the reports say about the suspicious text, and what they cost."""
    first, second = (percent(each.f) for each in (scene.asked.first, scene.asked.second))
    chain, fresh = _written(scene.losses["chain"], scene.losses["fresh"])
    cost = (
        "cost no more privacy than the second alone "
        f"({literal(f'ε{NO_BREAK}={NO_BREAK}{chain}')}, with separate noise about {fresh})."
    )
    if not scene.reports:
        return (
            f"Nobody has reported yet. Reports with {first} and {second} random answers, however "
            f"many, will together {cost}"
        )
    said = [_at(scene, place) for place in range(len(scene.reports))]
    shares = [percent(each.rappor.f) for each in scene.reports]
    start = (
        f"{_question(scene)} With {shares[0]} random answers {scene.reports[0].total:,} reports "
        f"{said[0] or 'cannot say'}"
    )
    if len(said) == 1:
        up = significant(rounded_up(_alone(scene)), 2)
        alone = f"at most {literal(f'ε{NO_BREAK}={NO_BREAK}{up}')} of privacy"
        if scene.reports[0].rappor == scene.asked.second:
            return (
                f"{start}. However many, they cost {alone}, even together with the other kind; "
                f"with separate noise both would cost about {fresh}."
            )
        return (
            f"{start}. However many, they cost {alone}; together with the other kind at most "
            f"{chain}, with separate noise about {fresh}."
        )
    if said[1]:
        then = f"; with {shares[1]} they {said[1]}"
    else:
        then = f"; with {shares[1]} they cannot say" if said[0] else f", nor with {shares[1]}"
    return f"{start}{then}. Both kinds of report together, however many, {cost}"


def _question(scene: Scene) -> str:
    name = literal(scene.asked.suspicious)
    return f"Do browsers open {name}?" if scene.own is None else f"Does anybody have “{name}”?"


def _written(chain: float, fresh: float) -> tuple[str, str]:
    """What is promised, rounded up, and what it is compared with, rounded down.

    With two digits, or with more where they would look the same.

    >>> _written(4.39445, 6.43775), _written(51.29, 52.69)
    (('4.4', '6.4'), ('51.3', '52.6'))
    """
    for digits in (2, 3, 4):
        up, down = rounded_up(chain, digits), rounded_down(fresh, digits)
        if up < down:
            break
    return significant(up, digits), significant(down, digits)


def _alone(scene: Scene) -> float:
    """What any number of reports at the first f that was asked for tells."""
    return scene.reports[0].rappor.epsilon_forever(scene.asked.bloom.hashes)


def _at(scene: Scene, place: int) -> str:
    """What the reports at one f find; "" if they do not find the text."""
    decoded = scene.decoded[place]
    if not decoded.found[scene.place]:
        return ""
    estimate, half = spoken(decoded, scene.place)
    return f"find about {number(estimate)}, give or take {number(half)}"


def spoken(decoded: Decoded, place: int) -> tuple[float, float]:
    """An estimate and its ± as one says them: two digits of the ±, rounded up."""
    half = rounded_up(REACH * float(decoded.errors[place]))
    step = 10.0 ** max(math.floor(math.log10(half)) - 1, 0)
    return round(float(decoded.counts[place]) / step) * step, math.ceil(half / step) * step


def about(decoded: Decoded, place: int) -> str:
    """An estimate with its ±."""
    half = REACH * float(decoded.errors[place])
    return f"{number(float(decoded.counts[place]), step=half)} {pm(half)}"


def claims(scene: Scene | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are true."""
    return (*_of_estimates(scene), *_of_losses(scene)) if scene else ()


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
        estimate, half = (number(each) for each in spoken(decoded, scene.place))
        yield Claim(
            what=what,
            value=float(decoded.counts[scene.place]),
            unit=scene.noun,
            fixed=f"{at}; said as about {estimate}",
            method=BY_FIT,
            kind="simulated",
        )
        yield Claim(
            what=f"half width of the interval of {what}",
            value=REACH * float(decoded.errors[scene.place]),
            unit=scene.noun,
            fixed=f"{at}, 95 % confidence; said as {half}",
            method=f"1.96 standard errors of that fit, widened by {decoded.misfit:.3f} "
            "(MATHEMATICS 15.2)",
            assumes="there are enough clients for the estimate to be normal",
            kind="simulated",
        )


def _of_losses(scene: Scene) -> Iterator[Claim]:
    asked = scene.asked
    if len(scene.reports) == 1:
        yield Claim(
            what="privacy loss of any number of such reports of one person",
            value=_alone(scene),
            fixed=f"f = {significant(scene.reports[0].rappor.f)}, {_settings(scene)}",
            method="ε∞ = 2h·ln((2 − f)/f) (MATHEMATICS 15.2)",
        )
    both = f"f = {significant(asked.first.f)} and then {significant(asked.second.f)}"
    yield Claim(
        what="privacy loss of any number of reports of one person at both f",
        value=scene.losses["chain"],
        fixed=f"{both}, {_settings(scene)}",
        method=EXACT_LOSS,
    )
    yield Claim(
        what="privacy loss of any number of them with separate noise",
        value=scene.losses["fresh"],
        fixed=f"{both}, {_settings(scene)}",
        method="the ε∞ of both f, added: independent responses (MATHEMATICS 15.2)",
    )


def text_reading(scene: Scene) -> str:
    """How to read the intervals of the suspicious text."""
    if scene.truth is None:
        return "Each bar holds the true number 95 times in 100. That number stays hidden."
    return (
        "Each bar holds the true number 95 times in 100. “Found” means: too far above zero to be "
        "chance, by the chosen test."
    )


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


def texts_reading(scene: Scene) -> str:
    """What to notice in the picture of all texts."""
    many = len(scene.asked.candidates)
    if scene.asked.correction == "Bonferroni" and many > 2:
        said = (
            "A text counts as found only beyond a stricter limit than its bar, because "
            f"{many:,} texts are tested at once."
        )
    else:
        said = (
            "The test for “found” allows for the number of texts, and its limit is not the end of "
            f"a bar ({scene.asked.correction})."
        )
    false = false_discoveries(scene)
    if scene.asked.decoys:
        found = counted(max(false)) if any(false) else "none"
        verb = "is" if max(false) < 2 else "are"
        said += f" Of the {scene.asked.decoys:,} that nobody has, {found} {verb} found."
    return said


def texts_alternative(scene: Scene) -> str:
    """The picture of all texts in words."""
    found = [int(each.found.sum()) for each in scene.decoded]
    at = " and ".join(
        f"{many:,} with {percent(r.rappor.f)} random answers"
        for many, r in zip(found, scene.reports, strict=True)
    )
    return f"Estimates of all texts with 95 % intervals. Found: {at}."


def losses_reading(scene: Scene) -> str:
    """What the three couplings cost."""
    recast = scene.losses["recast"] - scene.alone
    return (
        "The most that any number of reports can reveal about one text. Linked as here, both cost "
        f"no more than the second alone; the paper’s way costs {significant(recast, 2)} more."
    )


def losses_alternative(scene: Scene) -> str:
    """The bars in words."""
    said = ", ".join(f"{WAYS[each]} {upward(scene.losses[each], 3)}" for each in COUPLINGS)
    return (
        f"Privacy loss of all reports of both kinds: {said}; the second kind alone "
        f"{upward(scene.alone, 3)}."
    )


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


def table(scene: Scene) -> pd.DataFrame:
    """All candidates as numbers."""
    columns: dict[str, list[str]] = {"text": list(scene.asked.candidates)}
    truth = scene.truth
    if truth is not None:
        columns["true"] = [f"{truth.get(text, 0):,}" for text in scene.asked.candidates]
    for reports, decoded in zip(scene.reports, scene.decoded, strict=True):
        at = f"{percent(reports.rappor.f)} random answers"
        columns[f"estimate at {at}"] = [
            about(decoded, place) for place in range(len(decoded.counts))
        ]
        columns[f"found at {at}"] = ["yes" if each else "no" for each in decoded.found]
    return pd.DataFrame(columns)


def others(scene: Scene) -> str:
    """What the fit says about texts that are no candidates."""
    decoded = scene.decoded[-1]
    share = percent(scene.reports[-1].rappor.f)
    wide = ""
    if decoded.misfit > WIDE:
        wide = (
            f" They disturb the fit, so every ± is {significant(decoded.misfit, 2)} times as wide "
            "as by the noise alone."
        )
    return (
        f"Texts that are no candidates: about {number(max(decoded.others, 0.0))} {scene.noun} by "
        f"the reports with {share} random answers.{wide}"
    )


def facts(scene: Scene | None) -> Facts:
    """The footer: for made-up browsers, or for the visitor's column."""
    hashes = scene.asked.bloom.hashes if scene else 2
    column = scene.own if scene else None
    return footer(
        "ε-DP",
        unit="one browser" if column is None else column.query.bounds.unit,
        neighbours=NEIGHBOURS,
        sensitivity=f"two texts differ in at most 2h = {2 * hashes} bits of a filter",
        data="made up: the home pages of browsers" if column is None else own.told(column),
    )
