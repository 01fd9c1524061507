"""The page Falsify by AppTest: ours holds, each broken copy is caught, the game has an answer."""

from dpviz.experiments.broken.table import AUDITOR, LAW, TWINS
from dpviz.ui.falsify import words
from dpviz.ui.falsify.controls import LONG
from dpviz.ui.falsify.games import BROKEN
from tests.app.reading import choose, run_sample, shelf, specs, workspace
from tests.app.reading import words as shown
from tests.app.test_variances import finished
from tests.conftest import few


def segment(app, key, value):
    app.segmented_control(key=key).set_value(value).run()
    assert not app.exception


def badges(app):
    return [m.value for m in app.markdown if "Auditor:" in m.value or "Distribution:" in m.value]


def test_ours_holds_for_whoever_compares_notes(open_page):
    app = open_page("falsify")
    assert app.header[0].value.startswith("It holds: 100,000 runs prove")
    assert words.HOLDS in badges(app)[0]
    assert words.LAW_PASSES in badges(app)[1]
    app.button_group(key="falsify_members").set_value(["audit", "partners"]).run()
    assert "audit’s number" in app.subheader[0].value.casefold()
    choose(app, "Noise", "discrete_laplace")
    assert app.header[0].value.startswith("It holds")
    app.button_group(key="falsify_members").set_value([]).run()
    assert not app.exception
    assert "Choose at least one tier" in shown(app)
    assert workspace(app).ledger == []


def test_every_broken_copy_is_caught_and_explained(open_page):
    app = open_page("falsify")
    segment(app, "falsify_kind", BROKEN)
    for key in few(TWINS, 3):
        choose(app, "The mistake", key)
        head = app.header[0].value
        assert head.startswith("Caught: "), key
        assert head.endswith(words.WRONG[key])
        assert AUDITOR in TWINS[key].caught_by
        assert any(words.LAW_FAILS in each for each in badges(app)) == (LAW in TWINS[key].caught_by)


def test_the_sample_finds_what_the_page_says(open_page):
    app = open_page("falsify")
    segment(app, "falsify_kind", BROKEN)
    choose(app, "The mistake", "Algorithm 6")
    found = run_sample(app)["found"].epsilon(1e-3)
    assert words.significant(words.rounded_down(found, 3)) in app.header[0].value
    assert "dpviz.experiments.broken" in app.code[-1].value


def test_a_million_runs_prove_more_and_can_be_asked_for_once(open_page):
    app = open_page("falsify")
    segment(app, "falsify_kind", BROKEN)
    choose(app, "The mistake", "copying bridge")
    app.button(key="falsify_play").click().run()
    finished(app)
    assert app.header[0].value.startswith("Caught: 1,000,000 runs prove")
    assert app.button(key="falsify_play").disabled
    kept = [key for key in shelf(app, "work_results") if getattr(key, "runs", 0) == LONG]
    assert len(kept) == 1


def test_the_game_says_who_is_right_and_goes_on(open_page):
    app = open_page("falsify")
    (round_,) = shelf(app, "falsify_drawn").values()
    wrong = next(door for door in "ABCD" if door != round_.broken)
    for door, answer in ((wrong, f"Not {wrong}."), (round_.broken, f"Yes, {round_.broken}:")):
        segment(app, "falsify_door", door)
        app.button(key="falsify_guess").click().run()
        assert answer in shown(app)
    before = specs(app)[-1]
    app.button(key="falsify_again").click().run()
    assert not app.exception
    assert specs(app)[-1] != before
    assert "Yes, " not in shown(app)
