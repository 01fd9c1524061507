"""What the address of a lesson keeps: what is put into it comes out again, nonsense does not."""

import importlib

import pytest

from dpviz.ui.kit.lesson_link import MOST_DRAWS, OnScreen, asked_for, option, place
from dpviz.ui.kit.page_table import PAGES

SCREENS = [
    screen
    for page in PAGES
    if page.is_lesson
    for told in importlib.import_module(f"dpviz.ui.{page.file}").LESSON.screens
    for screen in (told, told.opening)
    if screen and screen.choice
]
NONSENSE = ("", "-1", "+1", "1.0", "x", "²", "٣", " 1", f"{10 * MOST_DRAWS}", "9" * 5000, "<b>")


@pytest.mark.parametrize("choice", [0, 3])
@pytest.mark.parametrize("draw", [0, 12])
@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True)])
def test_what_is_in_an_address_is_what_was_on_screen(choice, draw, flags):
    done, told = flags
    shown = OnScreen(step=4, choice=choice, draw=draw, done=done, told=told)
    assert asked_for(shown.asked, 4) == shown


@pytest.mark.parametrize("text", NONSENSE, ids=lambda text: text[:4])
def test_nonsense_is_as_if_it_were_not_there(text):
    asked = dict.fromkeys(("choice", "draw", "done", "told"), text)
    assert asked_for(asked, 2) == OnScreen(step=2)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.title)
def test_each_option_has_a_number_and_the_first_seen_has_none(screen):
    for chosen in screen.choice.options:
        number = place(screen, chosen)
        assert (number == 0) == (chosen == screen.choice.default)
        assert chosen == screen.choice.default or option(screen, number) == chosen
    assert place(screen, "") == 0
    assert option(screen, 0) is option(screen, len(screen.choice.options) + 1) is None
