"""Sentences of the page RAPPOR: take-away, claims, how to read, and the footer; pure functions."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from dpviz.charts.local.rappor_frame import REACH
from dpviz.charts.local.rappor_losses import upward
from dpviz.local.couplings import COUPLINGS, rappor_reports_loss
from dpviz.local.decoding import Decoded
from dpviz.ui.rappor import own
from dpviz.ui.rappor.view import Scene
from dpviz.words import budget as written_budget
from dpviz.words import number, percent, pm, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.rappor import NEIGHBOURS
from dpviz.workspace.takeaways import counted

NOTHING = "Correct what is chosen, and clients will report their texts with noise of their own."
EXACT_LOSS = "ε∞ = 2h·ln((2 − f)/f) at the smaller f, which the bit chain keeps (MATHEMATICS 15.2)"
BY_FIT = "weighted least squares on the sums of reports, after a lasso if there are many "
BY_FIT += "candidates (MATHEMATICS 15.2)"
BITS_READING = (
    "Made up: one client with the suspicious text. Framed in colour: the bits that the text sets. "
    "The kept bits are drawn once; every report is drawn from them afresh."
)
WIDE = 1.1  # a misfit that is worth a sentence
WAYS = {"chain": "bit chain", "recast": "Laplace number, cut", "fresh": "fresh coins"}


def take_away(scene: Scene) -> str:
    """What the reports say about the suspicious text, and what they cost."""
    name, losses = f"“{literal(scene.asked.suspicious)}”", scene.losses
    chain, fresh = (literal(written_budget("ε", losses[each])) for each in ("chain", "fresh"))
    cost = (
        "All reports of one person tell no more than those with fewer coins alone: their privacy "
        f"loss is at most {chain}; with independent coins it would be {fresh}."
    )
    if not scene.reports:
        return f"Nobody has reported yet. {cost}"
    (verb, estimate, found), *later = (_at(scene, place) for place in range(len(scene.reports)))
    start = (
        f"With {percent(scene.reports[0].rappor.f)} of all bits replaced by coins, "
        f"{scene.reports[0].total:,} reports {verb} {name} ({estimate})"
    )
    if not later:
        alone = literal(written_budget("ε", _alone(scene)))
        return (
            f"{start}. The privacy loss by any number of such reports of one person is at most "
            f"{alone}; by reports at both shares of coins {chain}, and {fresh} with independent "
            "coins."
        )
    ((_, again, now),) = later
    change = "the estimate is" if now == found else "they can:" if now else "they cannot:"
    return f"{start}; with {percent(scene.asked.second.f)} {change} {again}. {cost}"


def _alone(scene: Scene) -> float:
    """What any number of reports at the first f that was asked for tells."""
    return scene.reports[0].rappor.epsilon_forever(scene.asked.bloom.hashes)


def _at(scene: Scene, place: int) -> tuple[str, str, bool]:
    """What the reports at one f do, the estimate, and whether the text is found."""
    decoded = scene.decoded[place]
    found = bool(decoded.found[scene.place])
    verb = "can tell that somebody has" if found else "cannot tell whether anybody has"
    return verb, f"{about(decoded, scene.place)} {scene.noun}", found


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
        what="privacy loss of any number of them if the coins were independent",
        value=scene.losses["fresh"],
        fixed=f"{both}, {_settings(scene)}",
        method="the ε∞ of both f, added: independent responses (MATHEMATICS 15.2)",
    )


def text_reading(scene: Scene) -> str:
    """How to read the intervals of the suspicious text."""
    if scene.truth is None:
        return "Each bar holds the true number 95 times in 100. That number stays hidden."
    return (
        "Each bar holds the true number 95 times in 100. “Found”: too far from “nobody” to be "
        "chance, by the chosen test."
    )


def text_alternative(scene: Scene) -> str:
    """The intervals in words."""
    said = [
        f"at f = {significant(r.rappor.f)}: {about(d, scene.place)}"
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
    start = "Bars: 95 % intervals. "
    if scene.truth is not None:
        start += "Grey marks: the true numbers. "
    many = len(scene.asked.candidates)
    end = f"In bold: found among {many:,} candidates, after {scene.asked.correction}."
    false = false_discoveries(scene)
    if scene.asked.decoys:
        found = counted(max(false)) if any(false) else "none"
        verb = "is" if max(false) < 2 else "are"
        end += f" Of the {scene.asked.decoys:,} that nobody has, {found} {verb} found."
    return start + end


def texts_alternative(scene: Scene) -> str:
    """The picture of all texts in words."""
    found = [int(each.found.sum()) for each in scene.decoded]
    at = " and ".join(
        f"{many:,} at f = {significant(r.rappor.f)}"
        for many, r in zip(found, scene.reports, strict=True)
    )
    return f"Estimates of all texts with 95 % intervals. Found: {at}."


def losses_reading(scene: Scene) -> str:
    """What the three couplings cost."""
    recast = scene.losses["recast"] - scene.alone
    return (
        "What any number of reports at both f tells about one text; exact. The chain costs what "
        f"the second f costs alone. The paper’s way costs {significant(recast, 2)} more, because a "
        "cut number tells less than it costs."
    )


def losses_alternative(scene: Scene) -> str:
    """The bars in words."""
    said = ", ".join(f"{WAYS[each]} {upward(scene.losses[each])}" for each in COUPLINGS)
    return (
        f"Privacy loss of all reports at both f: {said}; the second f alone {upward(scene.alone)}."
    )


def losses_table(scene: Scene) -> pd.DataFrame:
    """What reports tell: any number of them, or one at each f."""
    first, second, h = scene.asked.first, scene.asked.second, scene.asked.bloom.hashes
    rows = [
        (
            f"f = {significant(r.f)} alone",
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
    return pd.DataFrame(rows, columns=["reports at", "any number: ε", "one at each f: ε"])


def table(scene: Scene) -> pd.DataFrame:
    """All candidates as numbers."""
    columns: dict[str, list[str]] = {"text": list(scene.asked.candidates)}
    truth = scene.truth
    if truth is not None:
        columns["true"] = [f"{truth.get(text, 0):,}" for text in scene.asked.candidates]
    for reports, decoded in zip(scene.reports, scene.decoded, strict=True):
        at = f"f = {significant(reports.rappor.f)}"
        columns[f"estimate at {at}"] = [
            about(decoded, place) for place in range(len(decoded.counts))
        ]
        columns[f"found at {at}"] = ["yes" if each else "no" for each in decoded.found]
    return pd.DataFrame(columns)


def others(scene: Scene) -> str:
    """What the fit says about texts that are no candidates."""
    decoded = scene.decoded[-1]
    f = significant(scene.reports[-1].rappor.f)
    wide = ""
    if decoded.misfit > WIDE:
        wide = (
            f" They disturb the fit, so every ± is {significant(decoded.misfit, 2)} times as wide "
            "as by the noise alone."
        )
    return (
        f"Texts that are no candidates: about {number(max(decoded.others, 0.0))} {scene.noun} by "
        f"the reports at f = {f}.{wide}"
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
