"""One page for stakeholders: tiers, who sees what, what collusion would give, how exact it is.

A single HTML file with its style and pictures inside: no script, no link, no request, no font from
elsewhere; it prints on A4 and follows the reader's dark mode on screen. Every number comes from
`ReportFacts`, which has no place for a released number, an exact one or a seed.
"""

import datetime
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.figures.report_style import STYLE
from dpviz.figures.report_svg import Rung, Total, is_compressed, ladder_svg, text_of, totals_svg
from dpviz.palette import TierStyle
from dpviz.words import NO_BREAK, clean, percent, pm, significant

LIMITS = (
    "The accuracy speaks of the bounded statistic described above: what the bounds cut off is not "
    "in the numbers and not in the ±.",
    "A privacy loss bounds what these releases add to what somebody knows, and says nothing about "
    "other sources or about releases made elsewhere from the same data.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTier:
    """One tier, as the report shows it."""

    name: str
    style: TierStyle
    note: str = ""  # who sees it
    people: int | None = None  # how many have this clearance
    budget: str  # as stated to people, e.g. "ρ = 0.1, ε = 2.1 at δ = 1e-6"
    half_width: float  # in units of the statistic; NaN: no guarantee
    released: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFacts:
    """Everything that the report says.

    Attributes:
        title: of the page.
        takeaway: the sentence that must be read if no other is.
        badges: in words, e.g. "teaching mode: no privacy claim".
        kind: of the releases; weakly lossless if they are processed by rounding or cutting.
        tiers: most private first, at least one.
        noun: unit of the accuracies.
        confidence: of the accuracies, between 0 and 1.
        definition: of the privacy loss, in words.
        lossless: loss of all tiers together as released; not finite: no guarantee.
        lossless_stated: the same in words, e.g. "ρ = 0.5".
        independent: what it would have been with noise of its own for each tier.
        independent_stated: the same in words.
        sessions: how many sessions these losses run over; sessions add.
        facts: pairs of name and text: unit, neighbours, sensitivity, data.
        made: the day.
        versions: pairs of name and version of the software.

    Raises:
        ParameterError: if there is no tier, or `confidence` or `sessions` is out of range.
    """

    title: str
    takeaway: str
    badges: tuple[str, ...]
    kind: Literal["lossless", "weakly lossless"]
    tiers: tuple[ReportTier, ...]
    noun: str
    confidence: float
    definition: str
    lossless: float
    lossless_stated: str
    independent: float
    independent_stated: str
    sessions: int = 1
    facts: tuple[tuple[str, str], ...]
    made: datetime.date
    versions: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        """Refuse a report about nobody."""
        if not self.tiers:
            raise ParameterError("a report needs at least one tier; add one")
        checks.probability(confidence=self.confidence)
        checks.whole(1, sessions=self.sessions)


def report_html(facts: ReportFacts) -> str:
    """Write the report.

    Returns:
        A whole HTML document; save it in UTF-8.
    """
    body = [
        _head(facts),
        _section("Who sees what", _table(facts)),
        _section("How exact each tier’s numbers are", _ladder(facts)),
        _section("What collusion would give", _collusion(facts)),
        _section("What these numbers are", _definitions(facts)),
        _section("Limits", f"<p>{text_of(' '.join(LIMITS))}</p>"),
        f"<footer><p>{text_of(_made(facts))}</p></footer>",
    ]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{text_of(facts.title)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            *body,
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def collusion_words(facts: ReportFacts) -> str:
    """What all tiers together learn, against what independent releases would have told them."""
    if len(facts.tiers) == 1 and facts.sessions == 1:
        return f"There is one tier, so nobody to compare notes with: {facts.lossless_stated}."
    if not math.isfinite(facts.lossless):
        return "No guarantee stands behind these releases, so none stands behind them together."
    everybody = f"If all {len(facts.tiers)} tiers" if len(facts.tiers) > 1 else "If anybody"
    least = f"“{clean(facts.tiers[-1].name)}”"
    if facts.sessions > 1:
        learnt = (
            f"put the releases of all {facts.sessions} sessions together, what they learn is "
            f"bounded by {facts.lossless_stated}: in each session the largest loss counts, and "
            "sessions add."
        )
    elif facts.kind == "lossless":
        learnt = (
            f"put their releases together, they learn what {least} learns alone, "
            f"{facts.lossless_stated}, and no more."
        )
    else:
        learnt = (
            "put their processed releases together, they learn at most what the unprocessed "
            f"release of {least} says: {facts.lossless_stated}."
        )
    return f"{everybody} {learnt} {_otherwise(facts)}"


def _otherwise(facts: ReportFacts) -> str:
    start = "Had each tier been given noise of its own, they would together hold"
    if not math.isfinite(facts.independent):
        return f"{start} something without any guarantee."
    more = facts.independent / facts.lossless if facts.lossless else 1.0
    times = f", {significant(more, 2)}{NO_BREAK}times as much" if more > 1.005 else ""
    return f"{start} {facts.independent_stated}{times}."


def _head(facts: ReportFacts) -> str:
    badges = "".join(f"<li>{text_of(badge)}</li>" for badge in facts.badges)
    return (
        f'<header><h1>{text_of(facts.title)}</h1><p class="takeaway">{text_of(facts.takeaway)}</p>'
        f'<ul class="badges" aria-label="Badges">{badges}</ul></header>'
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{text_of(title)}</h2>{''.join(parts)}</section>"


def _table(facts: ReportFacts) -> str:
    accuracy = f"Accuracy in {facts.noun}, {percent(facts.confidence)} confidence"
    columns = ("Tier", "Who sees it", "People", "Privacy loss", accuracy, "Released")
    head = "".join(f'<th scope="col">{text_of(column)}</th>' for column in columns)
    rows = "".join(_row(tier) for tier in facts.tiers)
    caption = f"Most private first. Privacy loss: {facts.definition}."
    return (  # wider than a phone, it scrolls by itself, by keyboard as well
        '<div class="scroll" tabindex="0" role="region" aria-label="Tiers"><table>'
        f"<caption>{text_of(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(tier: ReportTier) -> str:
    mark = f'<span style="color:{tier.style.colour}" aria-hidden="true">{tier.style.glyph}</span>'
    known = math.isfinite(tier.half_width)
    cells = (
        tier.note.strip() or "–",
        "–" if tier.people is None else f"{tier.people:,}",
        tier.budget,
        pm(tier.half_width) if known else "no guarantee",
        "yes" if tier.released else "not yet",
    )
    rest = "".join(f"<td>{text_of(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{mark}&nbsp;{text_of(tier.name)}</th>{rest}</tr>'


def _ladder(facts: ReportFacts) -> str:
    rungs = [Rung(name=t.name, style=t.style, half_width=t.half_width) for t in facts.tiers]
    caption = (
        f"The bar is where a tier’s number lies around the exact one, in {facts.noun}, with "
        f"{percent(facts.confidence)} confidence. The shorter, the more exact and the less private."
    )
    if is_compressed(rungs):
        caption += " Long bars are drawn shortened, on a logarithmic scale; the ± is what counts."
    return _figure(ladder_svg(rungs, noun=facts.noun, confidence=facts.confidence), caption)


def _collusion(facts: ReportFacts) -> str:
    picture = totals_svg(
        Total(
            name="As released: the largest loss counts",
            loss=facts.lossless,
            stated=facts.lossless_stated,
            colour=facts.tiers[-1].style.colour,
        ),
        Total(
            name="With noise of its own for each tier: losses add",
            loss=facts.independent,
            stated=facts.independent_stated,
        ),
    )
    return f"<p>{text_of(collusion_words(facts))}</p>" + _figure(
        picture, "Privacy loss of all tiers together; the longer the bar, the less private."
    )


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{text_of(caption)}</figcaption></figure>"


def _definitions(facts: ReportFacts) -> str:
    pairs: Iterable[tuple[str, str]] = (("Definition", facts.definition), *facts.facts)
    inside = "".join(f"<dt>{text_of(name)}</dt><dd>{text_of(text)}</dd>" for name, text in pairs)
    return f"<dl>{inside}</dl>"


def _made(facts: ReportFacts) -> str:
    software: Sequence[str] = [f"{name} {version}" for name, version in facts.versions]
    end = f" with {', '.join(software)}" if software else ""
    return f"Made on {facts.made.isoformat()}{end}."
