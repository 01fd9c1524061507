"""The page Method: its program gives its numbers, and the drawer tells both rules in full."""

import pytest

from dpviz.scenes.method import scene
from dpviz.ui.method import MISPRINTS
from dpviz.words.markdown import literal
from tests.app.reading import run_sample
from tests.app.reading import words as shown


@pytest.mark.opens("specialists")
def test_its_program_gives_the_numbers_of_the_picture(open_page):
    assert run_sample(open_page("method"))["numbers"] == scene().misprints


@pytest.mark.usefixtures("unfolded")
def test_every_story_is_told_with_what_may_be_meant(open_page):
    app = open_page("method")
    said = shown(app)
    markdown = [each.value for each in app.markdown]
    assert all(any(literal(each.quote) in text for text in markdown) for each in MISPRINTS)
    assert said.count("Perhaps meant: ") == len(MISPRINTS)
    tables = " ".join(cell for table in app.table for cell in table.value.to_numpy().ravel())
    assert "Tiers that compare notes" in tables
    assert "Which noise is best for many numbers at once" in said
