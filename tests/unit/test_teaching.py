"""docs/TEACHING.md: all screens have notes, all votes are listed, addresses and numbers fit."""

import importlib
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from scipy import stats

from dpviz.planning.cast import ILL, KNOWN, RHO
from dpviz.scenes import the_promise
from dpviz.scenes.lessons import Settings
from dpviz.scenes.quiz import numbers
from dpviz.ui.kit.lesson import RIGHT
from dpviz.ui.kit.lesson_link import KEPT, asked_for, option
from dpviz.ui.kit.page_table import PAGES
from dpviz.words import pm
from tests.guessing import overlap
from tests.visiting import plain

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "TEACHING.md").read_text(encoding="utf-8")
LESSONS = {
    page.file: importlib.import_module(f"dpviz.ui.{page.file}").LESSON
    for page in PAGES
    if page.is_lesson
}
TITLES = {page.file: page.title for page in PAGES}
ADDRESSES = sorted({*re.findall(r"`(/[^`]*)`", TEXT)})


def section(title):
    """The text below a heading, up to the next one."""
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("file", LESSONS)
def test_every_screen_has_notes_under_its_title_in_order(file):
    notes = re.findall(r"^\d\. (.*)", section(f"{TITLES[file]}, screen by screen"), re.MULTILINE)
    assert len(notes) == len(LESSONS[file].screens)
    for note, screen in zip(notes, LESSONS[file].screens, strict=True):
        for told in (screen.opening, screen) if screen.opening else (screen,):
            assert f"**{told.title}" in note
        assert len(note) > 60


def votes():
    """Addresses and right answers of the screens that ask."""
    for file, lesson in LESSONS.items():
        for step, screen in enumerate(lesson.screens, 1):
            if screen.asks:
                said = {
                    chosen: screen.said(screen.scene(Settings(chosen=chosen, done=True)))
                    for chosen in screen.choice.options
                }
                (right,) = (chosen for chosen, told in said.items() if told.startswith(RIGHT))
                yield ("/" if file == "start" else f"/{file}") + f"?step={step}", plain(right)


def test_every_vote_is_listed_with_its_right_answer():
    rows = re.findall(r"^\| .*\? \| (.*) \| `(.*)` \|$", section("Votes"), re.MULTILINE)
    assert [(where, answer) for answer, where in rows] == sorted(
        votes(), key=lambda vote: [*LESSONS].index(urlsplit(vote[0]).path[1:] or "start")
    )


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_leads_to_a_page_and_asks_for_what_is_there(address):
    parts = urlsplit(address)
    file, asked = parts.path[1:] or "start", {k: v[0] for k, v in parse_qs(parts.query).items()}
    assert file in TITLES
    assert {*asked} <= {"step", "lecture", *KEPT}
    if file not in LESSONS:
        assert not asked
        return
    step = int(asked.get("step", "1"))
    screen = LESSONS[file].screens[step - 1]
    shown = asked_for(asked, step)
    assert not shown.done or (screen.act and not screen.act.repeats)
    assert not shown.told or screen.opening
    assert not shown.choice or option(screen, shown.choice)


def test_right_guesses_in_the_text_are_those_of_the_lessons():
    tiers = [RHO[name] for name in ("audit", "research", "partners", "public")]
    known = {f"{overlap(rho):.0f}" for rho in (max(tiers), min(tiers), sum(tiers), 2 * max(tiers))}
    known |= {f"{overlap(RHO['public'], people=4):.0f}", f"{ILL}", f"{KNOWN}", "500"}
    known |= {f"{at:.0f}" for at in (the_promise.AT, the_promise.RARE)}  # numbers in question
    text = TEXT.split("## The exercise sheet")[0]
    assert {*re.findall(r"\b[3-9]\d\d\b", re.sub(r"`[^`]*`|1280 × 800", "", text))} <= known
    made = numbers()
    halves = {plain(pm(half)).lstrip("± ") for half in (made.half, made.share)}
    assert {*re.findall(r"± (\d\.\d+)", text)} == halves


def test_most_scores_of_a_class_are_where_the_plan_says():
    low, high = map(int, re.search(r"most have (\d+) to (\d+) of 20", TEXT).groups())
    inside = stats.binom.cdf(high, 20, share := overlap(RHO["public"]) / 1000)
    inside -= stats.binom.cdf(low - 1, 20, share)
    assert 0.9 < inside < 0.97


def test_commands_of_the_text_are_there():
    from click.testing import CliRunner

    from dpviz.command import commands

    for line in re.findall(r"^dpviz (\w+)", TEXT, re.MULTILINE):
        assert CliRunner().invoke(commands, [line, "--help"]).exit_code == 0
