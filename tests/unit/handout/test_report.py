"""The report: all of its numbers, nothing from elsewhere, names without effect, pictures in XML."""

import datetime
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from dpviz.errors import ParameterError
from dpviz.handout.report import ReportFacts, ReportStatistic, ReportSum, ReportTier, report_html
from dpviz.palette import GREY, GRID, INKS, assign_styles
from tests.conftest import for_each

VOID = {"meta", "br", "rect", "line"}
HOSTILE = [
    *("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</svg></title></style><b>x"),
    *("a & b &amp; c", "http://example.org", "\u202egnp.exe", "\ud800", "\0", ""),
    *("公衆" * 40, "x" * 500),
]
DAY = datetime.date(2026, 11, 20)
ROWS = [
    ("public", "everybody", None, "ρ = 0.02", 9.8, DAY),
    ("partners", "hospitals", 340, "ρ = 0.1", 4.4, DAY),
    ("audit", "", 1, "ρ = 1", 1.4, None),
]


def tiers_of(rows=ROWS):
    styles, _ = assign_styles({}, [row[0] for row in rows])
    return tuple(
        ReportTier(
            name=name,
            colour=styles[name].colour,
            glyph=styles[name].glyph,
            note=note,
            people=people,
            budget=budget,
            half_width=half,
            drawn=drawn,
        )
        for name, note, people, budget, half, drawn in rows
    )


def facts_of(**other):
    given = {
        "title": "Who sees what of “ward”?",
        "takeaway": "Public sees each group to within ±10 people.",
        "badges": ("practice mode: no privacy claim", "lossless"),
        "kind": "lossless",
        "tiers": tiers_of(),
        "noun": "people",
        "confidence": 0.95,
        "definition": "ρ-zCDP (larger = less private)",
        "lossless": 1.0,
        "lossless_stated": "ρ = 1",
        "independent": 1.12,
        "independent_stated": "ρ = 1.12",
        "groups": ("north", "south"),
        "caveats": (("Looked at", "Rows have been on screen."),),
        "facts": (("Unit", "one person = one row"), ("Sensitivity", "Δ₂ = 1")),
        "key": "1a2b 3c4d",
        "made": datetime.date(2026, 11, 21),
        "versions": (("dpviz", "0.1.0"), ("numpy", "2.4.6")),
    }
    return ReportFacts(**(given | other))


class Reader(HTMLParser):
    """Checks that every element is closed in order, and collects text, tags and attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def read(facts):
    reader = Reader()
    reader.feed(report_html(facts))
    reader.close()
    assert reader.open == []
    return reader


def pictures(text):
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def test_it_is_one_page_with_everything_inside():
    text = report_html(facts_of())
    assert not re.search(r"https?:|src|href|<script|javascript|url\(|@import|<link|<base", text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert "@page { size: A4" in text
    assert "@media print" in text
    assert "prefers-color-scheme: dark" in text
    for colour in (INKS["light"]["paper"], INKS["dark"]["paper"], GRID):
        assert colour in text, "papers and lines as in the figures"


def test_its_headings_and_pictures_can_be_heard():
    reader = read(facts_of())
    headings = [tag for tag in reader.tags if re.fullmatch(r"h\d", tag)]
    assert headings == ["h1", *["h2"] * 8]
    assert reader.tags.count("caption") == 1
    assert reader.tags.count("svg") == reader.tags.count("figcaption") == 2
    names = dict(reader.attributes)
    assert names["lang"] == "en"
    for picture in pictures(report_html(facts_of())):
        title = picture.find("title")
        assert picture.get("role") == "img"
        assert picture.get("aria-labelledby") == title.get("id")
        assert len(title.text) > 20


def test_every_number_and_word_is_there():
    text = " ".join("".join(read(facts_of()).texts).replace("\u202f", "").split())
    wanted = ["±9.8", "±4.4", "±1.4", "95%", "340", "ρ = 0.02", "ρ = 1.12", "everybody"]
    wanted += ["practice mode: no privacy claim", "one person = one row", "Δ₂ = 1", "2026-11-21"]
    wanted += ["not yet", "dpviz 0.1.0, numpy 2.4.6", "they learn what “audit” learns alone"]
    wanted += ["2026-11-20", "north", "south", "The 2 numbers", "Rows have been on screen."]
    wanted += ["the key whose fingerprint is 1a2b 3c4d"]
    wanted += ["Public sees each group to within ±10 people."]
    for part in wanted:
        assert part in text, part
    without = "".join(read(facts_of(caveats=())).texts)
    assert "Nothing that would weaken the promises above is known" in without


def several(name="persons by site"):
    """A plan of two statistics, the second one for one tier alone."""
    named = tiers_of([(name, name, 5, name, 4.0, DAY), *ROWS[1:]])
    return facts_of(
        statistics=(
            ReportStatistic(name=name, noun="people", tiers=tiers_of()),
            ReportStatistic(name=name, noun=name, tiers=named[:1]),
        ),
        sums=(ReportSum(name=name, stated="ρ = 0.3", right="at most 651"),),
        not_added=(name,),
        one=name,
    )


def test_every_statistic_of_a_plan_is_named_with_what_each_tier_gets():
    text = " ".join("".join(read(several()).texts).replace("\u202f", "").split())
    for said in (
        *("The plan has 2 statistics.", "±9.8 people 2026-11-20", "±1.4 people not yet", "ρ = 0.3"),
        *("at most 651", "Not added, as another unit is protected: persons by site."),
    ):
        assert said in text, said
    assert text.count("±4 persons by site 2026-11-20") == 1
    assert "statistics of the plan" not in report_html(facts_of())
    assert [p.tag for p in pictures(report_html(several()))] == ["svg", "svg"]


def test_no_guarantee_is_said_in_words():
    rows = [("public", "", None, "ρ = 0.02", math.nan, DAY), *ROWS[1:]]
    facts = facts_of(tiers=tiers_of(rows), independent=math.inf, independent_stated="no guarantee")
    text = "".join(read(facts).texts)
    assert "no guarantee" in text
    assert "nan" not in text
    assert "inf" not in text
    ladder, totals = pictures(report_html(facts))
    assert len(ladder.findall("rect")) == 2
    assert [bar.get("fill") for bar in totals.findall("rect")][1] == "none"


@for_each("name", HOSTILE)
def test_names_from_outside_and_of_statistics_have_no_effect(name):
    innocent = read(several())
    rows = [(name, name, 5, name, 4.0, DAY), *ROWS[1:]]
    facts = replace(
        several(name),
        title=name,
        takeaway=name,
        badges=(name, name),
        noun=name,
        definition=name,
        lossless_stated=name,
        independent_stated=name,
        tiers=tiers_of(rows),
        groups=(name, name),
        caveats=((name, name),),
        facts=((name, name), (name, name)),
        versions=((name, name),),
    )
    hostile = read(facts)
    assert hostile.tags == innocent.tags
    assert {n for n, _ in hostile.attributes} == {n for n, _ in innocent.attributes}
    text = report_html(facts)
    assert not set(text) & {"\u202e", "\ud800", "\0"}
    text.encode()
    assert len(pictures(text)) == 2


WORDS = [
    ({}, "If all 3 tiers put their releases together, they learn what “audit” learns alone, ρ = 1"),
    ({}, "hold ρ = 1.12, 1.1_times as much."),
    ({"independent": 1.0, "independent_stated": "ρ = 1"}, "hold ρ = 1."),
    ({"kind": "weakly lossless"}, "at most what the unprocessed release of “audit” says: ρ = 1."),
    ({"sessions": 2}, "releases of all 2 sessions together, what they learn is bounded by ρ = 1:"),
    ({"independent": math.inf}, "hold something without any guarantee."),
    ({"lossless": math.nan}, "No guarantee stands behind these releases"),
    ({"tiers": tiers_of(ROWS[:1])}, "There is one tier, so nobody to compare notes with: ρ = 1."),
    ({"tiers": tiers_of(ROWS[:1]), "sessions": 2}, "If anybody put the releases of all 2 sessions"),
]


@for_each(("other", "words"), WORDS)
def test_the_sentence_on_collusion_follows_the_numbers(other, words):
    assert words in facts_of(**other).collusion.replace("\u00a0", "_")


def bars(**other):
    """The bars of both pictures: colours and widths."""
    return [
        [(bar.get("fill"), float(bar.get("width"))) for bar in picture.findall("rect")]
        for picture in pictures(report_html(facts_of(**other)))
    ]


def as_exact_as(*half_widths):
    rows = [(*row[:4], half, DAY) for row, half in zip(ROWS, half_widths, strict=True)]
    return {"tiers": tiers_of(rows)}


def test_bars_are_as_long_as_the_accuracies():
    found, _ = bars(**as_exact_as(8.0, 4.0, 1.0))
    longest = found[0][1]
    assert [width / longest for _, width in found] == pytest.approx([1, 1 / 2, 1 / 8], abs=1e-3)
    assert [colour for colour, _ in found] == [t.colour for t in tiers_of()]
    assert "logarithmic" not in report_html(facts_of(**as_exact_as(8.0, 4.0, 1.0)))
    found, _ = bars(**as_exact_as(0.0, 0.0, 0.0))
    assert [width for _, width in found] == [0, 0, 0], "nothing but exact numbers"


@pytest.mark.parametrize("least", [1.0, 0.0])
def test_very_different_accuracies_are_all_seen(least):
    tiers = as_exact_as(4000.0, 1.0, least)
    found, _ = bars(**tiers)
    longest, unit = found[0][1], math.asinh(4000.0)
    shares = [1, math.asinh(1.0) / unit, math.asinh(least) / unit]
    assert [width / longest for _, width in found] == pytest.approx(shares, abs=1e-3)
    assert "logarithmic" in report_html(facts_of(**tiers))


@for_each("count", [1, 6, 40, 1_000])
def test_all_groups_are_named_each_once_and_the_page_stays_light(count):
    groups = tuple(f"group {i}" for i in range(count))
    text = report_html(facts_of(groups=groups))
    named = re.findall(r"<li>(group \d+)</li>", text)
    assert tuple(named) == groups
    assert len(text.encode()) < 20_000 + 40 * count
    assert ("<h2>The number</h2>" if count == 1 else f"<h2>The {count:,} numbers</h2>") in text


def test_the_totals_are_to_scale():
    _, (lossless, independent) = bars(lossless=1.0, independent=4.0)
    assert lossless[1] / independent[1] == pytest.approx(1 / 4, abs=2e-3)
    assert (lossless[0], independent[0]) == (tiers_of()[-1].colour, GREY)


@for_each("colour", ["red", "#12345", "url(//example.org)", "#123456;x", ""])
def test_nothing_but_a_colour_enters_a_style(colour):
    with pytest.raises(ParameterError, match="#RRGGBB"):
        replace(tiers_of()[0], colour=colour)
