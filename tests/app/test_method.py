"""The page Method: its program gives its numbers, and the drawer tells both rules in full."""

from dpviz.ui.method import errata, words
from dpviz.ui.method.rules import broken
from dpviz.words.markdown import literal
from tests.app.reading import run_sample
from tests.app.reading import words as shown


def test_its_program_gives_the_numbers_of_the_picture(open_page):
    times = run_sample(open_page("method"))["times"]
    found = [each.times for each in errata.mistakes()]
    assert all(min(abs(each - other) for other in found) < 1e-9 for each in times.values())


def test_every_story_is_told_with_what_may_be_meant(open_page):
    app = open_page("method")
    assert app.header[0].value.startswith(f"We broke our own code in {broken()} ways;")
    said = shown(app)
    assert all(literal(each.quote) in words.formula() for each in errata.mistakes())
    assert said.count("Perhaps meant: ") == len(errata.mistakes())
    tables = " ".join(cell for table in app.table for cell in table.value.to_numpy().ravel())
    assert "Tiers that compare notes" in tables
    assert "Which noise is best for many numbers at once" in said
