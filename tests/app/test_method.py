"""The page Method: its program gives its numbers, and every topic and fold has something to say."""

from dpviz.ui.method import errata
from dpviz.ui.method.rules import RULES, TOPICS
from tests.app.reading import run_sample, words


def test_its_program_gives_the_numbers_of_the_picture(open_page):
    times = run_sample(open_page("method"))["times"]
    shown = [each.times for each in errata.mistakes()]
    assert all(min(abs(each - other) for other in shown) < 1e-9 for each in times.values())


def test_every_rule_is_shown_and_every_story_told(open_page):
    app = open_page("method")
    for topic in TOPICS:
        app.segmented_control(key="method_topic").set_value(topic).run()
        assert not app.exception
        shown = words(app)
        for rule in (rule for rule in RULES if rule.topic == topic):
            assert rule.code in shown
            assert all(mistake in shown for mistake in rule.mistakes)
    assert all(each.where in shown for each in errata.mistakes())
    assert all(each.quote in shown for each in errata.mistakes())
    assert shown.count("Perhaps meant: ") == len(errata.mistakes())
    tables = " ".join(cell for table in app.table for cell in table.value.to_numpy().ravel())
    assert all(
        name in tables
        for name in ("Koufogiannis", "bounds the privacy loss", "an item that shows up")
    )
