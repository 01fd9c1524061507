"""The page Falsify by AppTest: other trials say how far they are, and the game has an answer."""

import pytest

from dpviz.ui import falsify as page
from dpviz.ui.kit import workers
from tests.app.reading import numbers_in


class Endless(workers.Pool):
    """A pool whose jobs go on for ever."""

    def start(self, _visitor, call, *args):
        return workers.Job(call, args)


@pytest.mark.opens("specialists")
def test_only_the_first_trial_is_there_at_once_and_others_say_how_far_they_are(
    open_page, monkeypatch
):
    pool = Endless(0)
    monkeypatch.setattr(workers, "shared", lambda: pool)
    app = open_page("falsify")
    assert "the best bet won" in app.header[0].value
    assert any("**Next:**" in each.value for each in app.markdown)
    app.choose("Noise on trial", "discrete_laplace")
    assert app.header[0].value == page.TOWN
    assert app.button(key="work_stop").label == "Stop"


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("falsify_game")
def test_the_game_says_who_is_right_and_goes_on(open_page):
    app = open_page("falsify")
    (round_,) = app.shelf("falsify_drawn").values()
    wrong = next(door for door in "ABCD" if door != round_.broken)
    for door, answer in ((wrong, f"Not {wrong}."), (round_.broken, f"Yes, {round_.broken}:")):
        app.segment("falsify_door", door)
        app.press("falsify_guess")
        assert answer in app.words()
    assert page.WRONG[round_.twin] in app.words()
    drawn = clouds(app)
    app.press("falsify_again")
    assert clouds(app) != drawn
    assert "Yes, " not in app.words()


def clouds(app):
    """The picture with four doors."""
    (found,) = (spec for spec in app.specs() if [t.get("name") for t in spec["data"]] == [*"ABCD"])
    return found


def type_noise(app, text):
    (area,) = app.text_area
    area.set_value(text).run()
    return answer(app)


def answer(app):
    """The verdict on what the visitor typed, or what stands in its place."""
    said = [each.value for each in app.subheader if each.value[:3] in ("Yes", "No:", "Not")]
    return said[0] if said else ""


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("falsify_own")
def test_noise_of_ones_own_works_or_does_not_or_cannot_be_read(open_page):
    app = open_page("falsify")
    assert answer(app) == page.YES, "the example that a visitor meets first"
    type_noise(app, "0 2 1\n1 2 2\n2 0 1")
    assert answer(app) == page.YES
    assert [*numbers_in(app.specs()[-1]["data"][0]["y"])] == [0.5, 0.5]
    assert "divided by its sum" in app.words()
    assert type_noise(app, "... 1/2 1/3\n0 1/3 1/2\n... 1/2 1/3") == page.NO_CHANCE
    assert min(numbers_in(app.specs()[-1]["data"][1]["y"])) < 0
    dice = "\n".join(f"{x} {'1/4' if x < 5 else 0} 1/6" for x in range(1, 7))
    assert type_noise(app, dice) == page.NO_BET
    for text in ("", "0 1 <b>", "0 1e999999999 1"):
        type_noise(app, text)
        (said,) = app.errors()
        assert said.endswith(".")
        assert "No answer yet." in app.words()
        assert app.text_area[0].value == text, "nothing that was typed is lost"
    assert "the best bet won" in app.header[0].value, "the trial above goes on"
