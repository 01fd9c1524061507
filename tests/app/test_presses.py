"""A press acts on what is in the fields now: they change in the same run as the press."""

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest

from dpviz.data import Reading
from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.scenes.variances import DIRECT
from dpviz.sparse import threshold_for
from dpviz.workspace import account
from dpviz.workspace.projects import PLACE, Projects
from dpviz.workspace.takeaways import cost_words
from tests.app.test_plan import edit
from tests.app.test_variances import finished
from tests.cast import RHO
from tests.conftest import few, full_run
from tests.sources import nodes
from tests.visiting import plain

UI = Path(__file__).resolve().parents[2] / "dpviz" / "ui"
PLAN = {t.name: t.amount for t in DEFAULT_TIERS}
WALKED: dict[str, object] = {}  # beginning of a button's key → the walk that presses it
ELSEWHERE = {  # walked where two tabs, tables or plans are, or several statistics
    **dict.fromkeys(
        (
            *("draw_all_", "draw_all_rest", "share_out", "share_all", "share_nearest_"),
            *("linear_plan", "counting_plan", "sparse_plan", "topk_plan", "topk_counts_plan"),
            "topic_off_",
        ),
        "test_several.py",
    ),
    **dict.fromkeys(("plan_turn_", "plan_a_keep", "plan_a_back", "plan_a_forget"), "test_plan.py"),
    **dict.fromkeys(("plan_take", "plan_keep_mine", "second_ledger", "open_"), "test_projects.py"),
    **dict.fromkeys(("class_open", "class_join"), "test_classroom.py"),
    "read_so_": "test_readings.py",
    "use_connection": "test_connections.py",
}
# Buttons whose arguments come from no field of the page: each says what they are instead.
NO_FIELDS = {
    **dict.fromkeys(
        (
            *("_leave_out", "_count_again", "_suggest", "_halt", "_make_salt", "_move", "_fill"),
            *("fill", "_stop"),
        ),
        "what is on screen, or the field beside it, which the act reads itself; it draws nothing",
    ),
    **dict.fromkeys(
        ("_go", "_do", "_skip_opening", "_reopen", "_draw", "_ask", "_guess", "_another_round"),
        "a screen, a draw, a question, a town or a round of a lesson, by its number",
    ),
    **dict.fromkeys(
        ("_begin_second", "_shuffle_class", "_end_class", "_tell", "_draw_own"),
        "the class, the question and the student on screen",
    ),
    **dict.fromkeys(("_STEP.set", "_ROUND.set", "again"), "a step of a story, a round of a game"),
    "_use_sample": "a ready sample",
    "start": "what the page itself asks for; it has no result yet",
    "_replace": "the table that waits for confirmation",
    "_put": "a plan from a file or the example of the sample, which replaces what fields hold",
    "_turn": "a step from the page of groups that the field holds, which it reads itself",
    "_leave": "the screen of one tier, which the address names",
    "remove": "a row, by its number",
    "load": "what was released, which no field changes",
}


PRESSED = {
    "press.button",
    *(f"panel.{name}" for name in ("draw", "draw_once", "draw_rest", "start_over", "plan_topic")),
    "session_box.start_over",
}


def walks(*keys):
    def listed(walk):
        WALKED.update(dict.fromkeys(keys, walk))
        return walk

    return listed


def amounts(app):
    return {t.name: t.amount for t in app.workspace().plan.tiers}


@walks("draw_", "draw_rest")
def test_tiers_of_the_plan_are_drawn_each_once(open_page):
    app = open_page("releases")
    app.press("draw_research")
    assert app.button(key="draw_research").disabled
    app.press("draw_rest")
    drawn = [e.tier for e in app.workspace().ledger]
    assert drawn[0] == "research"
    assert sorted(drawn) == sorted(PLAN)
    assert not [b for b in app.button if b.key == "draw_rest"]
    assert "All four drawn" in app.words()


@pytest.mark.opens("later")
def test_what_a_press_draws_and_costs_is_said_before_it(open_page):
    app = open_page("releases")
    assert re.findall(r"\b[67]\d\d\b", app.words().partition("After all four")[2])[:2] == [
        "673",
        "760",
    ]
    told = plain(app.button(key="draw_public").help)
    assert "of all: ρ = 0.1 (none so far)." in told
    app.press("draw_audit")
    assert "Guesses right by all together, of 1,000: 673 (ρ = 0.4)." in app.words()  # as it was
    app.type("upgrade_amount", "0.5")
    assert "Privacy loss at most **ρ = 0.1 → ρ = 0.5**" in app.words()
    assert "Of all together **ρ = 0.4 → ρ = 0.5**" in app.words()
    app.press("upgrade_draw")
    assert "by all together, of 1,000: 691 (ρ = 0.5)." in app.words()


@full_run
def test_where_sessions_meet_a_press_says_what_all_together_cost_if_few_wait(open_page):
    app = open_page("releases")
    ws = app.workspace()
    ws.draw("public")
    ws.use_family("laplace")
    app.run()
    told = plain(app.button(key="draw_audit").help)
    assert "; of all: ρ = 0.1 → " in told
    assert told.endswith(f"{plain(cost_words(account.with_plan(ws)[0]))}."), "it is the sharpest"
    rows = [{"tier": f"t{i}", "budget": f"0.{i}", "as": "ε"} for i in range(1, 10)]
    app = open_page("releases")
    ws = app.workspace()
    ws.draw("public")
    ws.use_family("laplace")
    ws.start_over()
    ws.draw("public")
    assert ws.use_tiers(rows) == []
    app.run()
    assert "; of all: not computed, as more than eight" in plain(app.button(key="draw_t1").help)
    assert "Guesses right by all together, of 1,000: " in app.words()


@pytest.mark.opens("specialists")
@pytest.mark.parametrize(
    "page", few(["continual_counting", "linear_queries", "sparse_histograms"], 3)
)
def test_structured_pages_say_what_a_press_costs_and_ask_for_a_tick(open_page, page):
    app = open_page(page)
    rows = [{"tier": "few", "budget": "0.1", "as": "ρ"}, {"tier": "all", "budget": "80", "as": "ρ"}]
    assert app.workspace().use_tiers(rows) == []
    ws = app.workspace()
    ws.draw("few")  # of the statistic: its loss adds
    if page == "linear_queries":
        app.segment("linear_source", "my statistic")
    elif page == "sparse_histograms":
        app.segment("sparse_source", "my column")
    else:
        app.segment("counting_source", "my counts")
        app.text_input(key="counting_typed_moved").set_value("1")
        app.text_area(key="counting_typed").set_value("1\n2\n3\n4").run()
    assert "(ρ = 0.1 → " in app.words()
    few = next(b for b in app.button if b.key.endswith("_few"))
    key, told = few.key.removesuffix("few"), plain(few.help)
    assert "Bound on the privacy loss: " in told
    assert "; of all: ρ = 0.1 → " in told
    app.press(f"{key}few")  # of this one no tick is asked
    assert [e.tier for e in ws.ledger] == ["few", "few"]
    app.press(f"{key}all")
    assert len(ws.ledger) == 2
    app.widget("I mean this budget").check().run()
    app.press(f"{key}all")
    assert ws.ledger[-1].tier == "all"
    assert not app.errors()
    assert "Guesses right by all together" not in app.words().replace("**", "")


@walks("use_better_noise")
@pytest.mark.opens("noise")
def test_the_noise_that_needs_least_is_put_to_use_and_stays(open_page):
    app = open_page("tiers")
    assert "**Skellam noise would need less**: 29 % to 67 %" in app.words()
    app.press("use_better_noise")
    assert app.workspace().family_name == "skellam"
    assert app.radio(key="family_teaching").value == "skellam"
    assert "No offered noise needs less than Skellam" in app.words()
    app.type("delta", "2")
    assert "δ: 2 is too large. Type a number between" in app.errors()[0]
    assert (app.workspace().family_name, app.workspace().delta) == ("skellam", 1e-6)


@walks("upgrade_draw")
@pytest.mark.opens("later")
def test_an_upgrade_draws_the_amount_that_stands_there(open_page):
    app = open_page("releases")
    app.type("upgrade_amount", "0.15")
    app.text_input(key="upgrade_amount").set_value("0.25")
    app.press("upgrade_draw")
    assert amounts(app) == PLAN | {"public": "0.25"}
    assert [float(e.event.budget) for e in app.workspace().ledger] == [0.25]
    app.later().text_input(key="upgrade_amount").set_value("0.35").run()
    app.text_input(key="upgrade_amount").set_value("abc")
    app.press("upgrade_draw")
    assert amounts(app) == PLAN | {"public": "0.25"}
    assert len(app.workspace().ledger) == 1
    assert "abc" in app.errors()[0]


@walks("add_draw")
@pytest.mark.opens("later")
def test_an_added_tier_has_the_name_and_amount_that_stand_there(open_page):
    app = open_page("releases")
    app.text_input(key="added_tier").set_value("court")
    app.type("added_amount", "0.02")
    app.text_input(key="added_tier").set_value("press")
    app.text_input(key="added_amount").set_value("0.03")
    app.press("add_draw")
    assert amounts(app) == PLAN | {"press": "0.03"}
    assert [e.tier for e in app.workspace().ledger] == ["press"]


@walks("limit_use", "limit_lift", "start_over")
@pytest.mark.opens("specialists", "later")
def test_the_limit_is_the_one_that_stands_there_and_a_draw_beyond_it_changes_nothing(open_page):
    app = open_page("releases")
    app.type("limit_amount", "0.4")
    app.text_input(key="limit_amount").set_value("0.15")  # more than public's, less than the next
    app.press("limit_use")
    app.press("draw_public")
    app.press("draw_rest")  # one press too much: nothing of it is drawn
    assert [e.tier for e in app.workspace().ledger] == ["public"]
    said = [e.value for e in app.error]
    assert any("is spent" in text and "is left" in text for text in said)
    left = float(Fraction("0.15") - Fraction(PLAN["public"]))
    assert f"Left: ρ = {left:g}." in app.words()
    app.press("limit_lift")
    app.press("draw_rest")
    assert len(app.workspace().ledger) == len(PLAN)
    app.press("start_over")
    assert app.workspace().round is None
    assert len(app.workspace().ledger) == len(PLAN)


@walks("seal")
@pytest.mark.opens("later")
def test_the_seal_is_the_one_that_is_chosen_now(open_page):
    app = open_page("releases")
    app.press("draw_public")
    (box,) = [s for s in app.selectbox if s.label.startswith("Least private release")]
    place = next(i for i, option in enumerate(box.options) if option.startswith("partners"))
    box.select_index(place)
    app.press("seal")
    ws = app.workspace()
    level = {p.name: p.budget.level for p in ws.planned()[0]}["partners"]
    assert ws.round.mechanism.sealed_at == level


@walks("use_statistic", "add_statistic", "statistic_up", "statistic_off")
def test_the_statistic_that_is_used_added_moved_or_taken_off_is_the_one_on_screen(open_page):
    app = open_page("data")

    def groups():
        return next(t for t in app.text_area if t.label.startswith("Groups to publish"))

    groups().set_value("1\n2").run()
    groups().set_value("1\n2\n3")
    app.press("use_statistic")
    assert app.workspace().statistic.query.by.groups == ("1", "2", "3")
    groups().set_value("1\n4").run()
    groups().set_value("")  # no list: what is in use stays
    app.press("use_statistic")
    first = app.workspace().statistic.query
    assert first.by.groups == ("1", "2", "3")
    groups().set_value("1\n2").run()
    groups().set_value("1\n2\n4")
    app.press("add_statistic")
    added = app.workspace().statistic.query
    assert added.by.groups == ("1", "2", "4")
    assert [s.query for s in app.workspace().statistics] == [first, added]
    app.press("statistic_up")
    assert [s.query for s in app.workspace().statistics] == [added, first]
    app.press("statistic_off")
    assert [s.query for s in app.workspace().statistics] == [first]


@walks("use_reading")
@pytest.mark.opens("reading")
def test_the_reading_that_is_used_is_the_one_on_screen(open_page):
    app = open_page("data").upload(b"a;when;x\n" + b"A;01/02/2025;1\n" * 3)
    app.choose("Column to correct", "when")
    app.press("suggest_reading")
    assert "Several readings fit every value" in app.words()
    app.choose("Read as", "date")
    app.choose("Order of day, month and year", "mm/dd/yyyy")
    app.widget("Order of day, month and year").set_value("dd/mm/yyyy")
    app.press("use_reading")
    assert dict(app.workspace().table.readings) == {
        "when": Reading(kind="date", dates="dd/mm/yyyy")
    }
    assert app.button(key="use_reading").disabled
    app.choose("Column to correct", "x")
    app.choose("Read as", "number")
    app.choose("Mark between thousands", ".")  # as the decimal mark
    assert "both a point; choose another one" in app.errors()[0]
    assert app.button(key="use_reading").disabled
    app.choose("Column to correct", "when")
    app.choose("Read as", "")
    app.press("use_reading")
    assert app.workspace().table.readings == ()


@walks("state_", "sort_rows", "preset_")
def test_acts_on_the_whole_plan_begin_with_the_rows_on_screen(open_page):
    app = open_page("tiers")
    edit(app, {3: {"budget": "0.004"}}, run=False)
    app.press("state_ε")
    app.press("state_ρ")
    assert amounts(app) == PLAN | {"public": "0.004"}
    edit(app, {2: {"budget": "0.02"}}, run=False)
    app.press("sort_rows")
    assert amounts(app) == PLAN | {"public": "0.004", "partners": "0.02"}
    edit(app, {1: {"budget": "lots"}}, run=False)
    app.press(f"preset_{PRESETS[0].name}")
    assert app.workspace().plan.tiers == PRESETS[0].tiers
    assert app.errors() == []


@walks("recolour")
def test_a_colour_is_given_to_the_tier_that_is_chosen(open_page):
    app = open_page("tiers")
    next(f for f in app.button_group if f.key.startswith("tier_colour")).set_value("blue")
    app.press("recolour")
    ws = app.workspace()
    assert {t.name: t.colour for t in ws.plan.tiers}["research"] == "blue"
    assert ws.plan.style_of("research").name == "blue" != ws.plan.style_of("public").name


@walks("bridge_draw", "bridge_over")
def test_a_bridge_is_drawn_where_the_slider_stands(open_page):
    app = open_page("bridge_paths")
    slider = next(s for s in app.select_slider if s.key.startswith("bridge_budget"))
    slider.set_value(slider.options[10]).run()
    slider = next(s for s in app.select_slider if s.key.startswith("bridge_budget"))
    wanted = slider.options[13]
    slider.set_value(wanted)
    app.press("bridge_draw")
    tiers = app.session_state["bridge_examples"]["gaussian"].tiers
    assert len(tiers) == 3
    assert list(tiers.values())[-1].loss == float(wanted)
    app.selectbox(key="bridge_family").set_value("laplace")
    app.press("bridge_over")
    examples = app.session_state["bridge_examples"]
    assert (examples["gaussian"].again, examples["laplace"].again) == (0, 1)


@walks("linear_draw_", "linear_rest")
@pytest.mark.opens("specialists", "linear_answers")
def test_own_answers_are_drawn_for_the_noise_on_screen(open_page):
    app = open_page("linear_queries")
    app.segment("linear_source", "my statistic")
    next(s for s in app.selectbox if "noise" in s.label.casefold()).set_value("laplace")
    app.press("linear_draw_public")
    (one,) = app.workspace().sessions
    assert one.mechanism.inner.family.name == "laplace"
    app.press("linear_rest")
    assert sorted(e.tier for e in app.workspace().ledger) == sorted(PLAN)


@walks("counting_draw_", "counting_rest")
@pytest.mark.opens("specialists")
def test_running_counts_are_drawn_with_the_tree_on_screen(open_page):
    app = open_page("continual_counting")
    app.segment("counting_source", "my counts")
    app.text_input(key="counting_typed_moved").set_value("1")
    app.text_area(key="counting_typed").set_value("1\n2\n3\n4\n5\n6\n7\n8\n9").run()
    app.type("counting_arity", "4")
    app.text_input(key="counting_arity").set_value("2")
    app.press("counting_draw_public")
    (one,) = app.workspace().sessions
    assert one.mechanism.tree.arity == 2
    app.text_input(key="counting_arity").set_value("4")
    app.press("counting_rest")
    assert [s.mechanism.tree.arity for s in app.workspace().sessions] == [2, 4]


@walks("sparse_draw_", "sparse_rest")
def test_a_histogram_is_drawn_with_the_phantoms_on_screen(open_page):
    app = open_page("sparse_histograms")
    app.segment("sparse_source", "my column")
    app.type("sparse_phantoms", "3")
    app.text_input(key="sparse_phantoms").set_value("2")
    app.press("sparse_draw_public")
    (one,) = app.workspace().sessions
    assert one.mechanism.releases == ((RHO["public"], line_at(one, "public", 2.0)),)
    app.text_input(key="sparse_phantoms").set_value("1")
    app.press("sparse_rest")
    assert dict(one.mechanism.releases)[RHO["research"]] == line_at(one, "research", 1.0)


def line_at(one, tier, phantoms):
    """The threshold with this many phantoms, where one person moves one count by 1."""
    size = one.mechanism.domain_size
    return threshold_for(RHO[tier], phantoms, cells=size, l2_sensitivity=1.0)


@walks("topk_list", "topk_counts_draw_", "topk_counts_rest", "topk_over")
def test_a_list_has_the_length_and_the_budget_on_screen(open_page):
    app = open_page("top_k")
    app.press("topk_over")
    assert app.session_state["topk_again"] == 1
    app.segment("topk_source", "my column")
    app.choose("Column of items", "education")
    app.choose("Way to draw", "Gumbel list that can end")
    app.type("topk_k_10", "2")
    app.text_input(key="topk_k_10").set_value("3")
    app.press("topk_list")
    (entry,) = app.workspace().ledger
    assert entry.tier == "list of 3"
    app.press("topk_counts_draw_public")
    assert [e.tier for e in app.workspace().ledger] == ["list of 3", "public"]


@walks("network_join")
@pytest.mark.opens("network_add")
def test_who_joins_a_circle_has_the_name_and_the_budget_that_stand_there(open_page):
    app = open_page("growing_trust")
    app.segment("trust_story", "circle")
    app.text_input(key="network_new_Zoe").set_value("Ida")
    app.text_input(key="network_granted").set_value("1.5")
    app.press("network_join")
    assert "Ida is 3 hops away: told" in app.words().replace("*", "")
    assert "at ε = 1.5. The number was drawn between two" in app.words().replace("*", "")


@walks("rappor_ask_", "rappor_over")
@pytest.mark.opens("specialists")
def test_reports_are_those_of_the_fields_at_the_press(open_page):
    app = open_page("rappor")
    app.press("rappor_over")
    assert app.session_state["rappor_again"] == 1
    app.segment("rappor_source", "my column")
    app.text_area(key="rappor_candidates").set_value("male\nfemale").run()
    app.text_area(key="rappor_candidates").set_value("male\nnobody")
    app.select_slider(key="rappor_f1").set_value(0.5)
    app.select_slider(key="rappor_f2").set_value(0.25)
    app.press("rappor_ask_0")
    assert [e.tier for e in app.workspace().ledger] == ["reports at f = 0.5"]
    app.press("rappor_ask_1")
    assert [e.tier for e in app.workspace().ledger][1:] == ["reports at f = 0.25"]


@walks("variance_draw")
@pytest.mark.opens("variance_lines")
def test_a_measurement_is_that_of_the_settings_on_screen(open_page):
    app = open_page("variances")
    app.segment("variance_method", DIRECT)
    app.segmented_control(key="variance_repetitions").set_value(10**5)
    app.press("variance_draw")
    finished(app)
    results = app.shelf("work_results")
    (found,) = [key for key in results if getattr(key, "method", "") == DIRECT]
    assert found.repetitions == 10**5


@walks("falsify_guess")
@pytest.mark.opens("falsify_game")
def test_a_guess_is_that_of_the_field_on_screen(open_page):
    app = open_page("falsify")
    app.segmented_control(key="falsify_door").set_value("C")
    app.press("falsify_guess")
    assert app.session_state["falsify_round"] == (0, "C")


@walks("market_sell", "market_over")
@pytest.mark.opens("specialists", "market_add")
def test_a_market_sells_what_is_typed_and_starts_over_with_the_terms_on_screen(open_page):
    app = open_page("growing_trust")
    app.segment("trust_story", "market")
    stall = app.session_state["market_stall"]
    app.type("market_buyer", "ada")
    app.text_input(key="market_buyer").set_value("zoe")
    app.text_input(key="market_epsilon").set_value("0.25")
    app.press("market_sell")
    assert stall.ledger.held["zoe"] == Fraction(1, 4)
    assert "ada" not in stall.ledger.held
    lost = stall.loss
    app.text_input(key="market_rate").set_value("5")
    app.press("market_over")
    assert stall.loss == lost
    assert stall.ledger.terms.curve.price(1) == 5
    app.press("market_sell")
    assert stall.ledger.revenue == Fraction(5, 4)
    assert stall.loss == lost + Fraction(1, 4)


@walks("gradual_draw", "gradual_over")
@pytest.mark.opens("specialists", "gradual_add")
def test_a_made_up_value_is_released_at_the_budget_that_stands_there(open_page):
    app = open_page("growing_trust")
    app.type("gradual_wanted_3", "0.25")
    app.text_input(key="gradual_wanted_3").set_value("0.4")
    app.press("gradual_draw")
    (one,) = app.shelf("gradual_values").values()
    assert list(one.released)[3:] == [0.4]
    app.press("gradual_over")
    assert [[*each.released][3:] for each in app.shelf("gradual_values").values()] == [[0.4], []]


@walks("project_keep", "project_rename", "project_delete", "project_open")
def test_a_project_has_the_name_that_is_typed_at_the_press(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv(PLACE, str(tmp_path))
    app = open_page("start").saving()
    app.type("project_name", "first")
    app.text_input(key="project_name").set_value("second")
    app.press("project_keep")
    app.saving().text_input(key="project_new_name").set_value("third")
    app.press("project_rename")
    assert Projects(tmp_path).names() == ["third"]
    app.saving().text_input(key="project_gone").set_value("second")
    app.press("project_delete")
    assert "“second” is not “third”, so nothing was deleted" in app.errors()[0]
    other = open_page("releases").saving()
    other.selectbox(key="project_chosen").set_value("third")
    other.press("project_open")
    assert other.workspace().keeper.name == "third"
    app.saving().text_input(key="project_gone").set_value("third")
    app.press("project_delete")
    assert Projects(tmp_path).names() == []
    assert app.workspace().keeper.name == ""


@pytest.mark.opens("later")
def test_a_press_that_another_run_cut_short_is_not_lost_and_leaving_the_page_drops_it(open_page):
    app = open_page("releases")
    app.type("upgrade_amount", "0.15")
    app.session_state["pressed"] = {"upgrade_draw": 1}
    app.run()
    assert len(app.workspace().ledger) == 1
    app.session_state["pressed"] = {"upgrade_draw": 1}
    app.go("tiers")
    app.go("releases")
    assert len(app.workspace().ledger) == 1
    assert not app.session_state["pressed"]


def pressed_buttons():
    """Keys of all `press.button`, as far as they are fixed; acts of all other buttons with args.

    The panel is pressed under the keys that its pages give it.
    """
    keys, acts = set(), set()
    for file in UI.rglob("*.py"):
        if file.name in ("panel.py", "press.py", "session_box.py"):
            continue
        for call in nodes(file.read_text(encoding="utf-8")):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            name = ast.unparse(call.func)
            given = {k.arg: k.value for k in call.keywords if k.arg}
            if name == "panel.draw_tiers":
                keys |= {f"{given['key'].value}_{button}" for button in ("draw_", "rest")}
            elif name == "panel.draw_subject":
                buttons = ("draw_", "rest", "plan")
                keys |= {f"{given['key'].value}_{button}" for button in buttons}
            elif name in PRESSED:
                key = given["key"]
                start = key.values[0] if isinstance(key, ast.JoinedStr) else key
                keys.add(start.value)
            elif name == "controls.button" and len(call.args) > 2:
                act = ast.unparse(call.args[1])
                acts.add(ast.unparse(call.args[2]) if act == "attempt" else act)
    return keys, acts


def test_every_button_with_arguments_from_fields_is_walked():
    keys, acts = pressed_buttons()
    for key, file in ELSEWHERE.items():
        assert f'"{key}' in Path(__file__).with_name(file).read_text(encoding="utf-8")
    walked = set(WALKED) | set(ELSEWHERE)
    assert keys == walked, "press each of these buttons here, in a test with @walks(its key)"
    assert acts == set(NO_FIELDS), "say in NO_FIELDS what the arguments of these acts are"
