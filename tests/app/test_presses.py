"""A press acts on what is in the fields now: they change in the same run as the press."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from dpviz.data import Reading
from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.scenes.variances import DIRECT
from dpviz.ui import falsify, rappor
from dpviz.ui.data import table_controls
from dpviz.ui.sparse_histograms import TYPED
from dpviz.workspace import account
from dpviz.workspace.projects import PLACE, Projects
from dpviz.workspace.takeaways import cost_words
from tests.app.reading import choose, errors, later, press, saving, shelf, widget, words, workspace
from tests.app.test_upload import upload
from tests.app.test_variances import finished
from tests.cast import RHO
from tests.conftest import few, full_run
from tests.visiting import plain

UI = Path(__file__).resolve().parents[2] / "dpviz" / "ui"
PLAN = {t.name: t.amount for t in DEFAULT_TIERS}
LONG = 20_000  # runs of a trial
WALKED: dict[str, object] = {}  # beginning of a button's key → the walk that presses it
ELSEWHERE = {  # walked where two tabs, tables or plans are, or several statistics
    **dict.fromkeys(("draw_all_", "draw_all_rest"), "test_several.py"),
    **dict.fromkeys(
        (
            "linear_plan",
            "counting_plan",
            "sparse_plan",
            "topk_plan",
            "topk_counts_plan",
            "topic_off_",
        ),
        "test_topics.py",
    ),
    **dict.fromkeys(("share_out", "share_all", "share_nearest_"), "test_sharing.py"),
    **dict.fromkeys(
        ("plan_turn_", "plan_a_keep", "plan_a_back", "plan_a_forget"), "test_what_if.py"
    ),
    **dict.fromkeys(("plan_take", "plan_keep_mine"), "test_projects.py"),
    **dict.fromkeys(("second_ledger", "open_"), "test_ledgers.py"),
    **dict.fromkeys(("class_open", "class_join"), "test_classroom.py"),
    "read_so_": "test_readings.py",
}
# Buttons whose arguments come from no field of the page: each says what they are instead.
NO_FIELDS = {
    "_use_sample": "a ready sample",
    "_leave_out": "what the sentence above names, of a table not in use yet; it draws nothing",
    "_count_again": "the table on screen; it draws nothing",
    "_suggest": "the column that the button stands under; it draws nothing",
    "start": "what the page itself asks for; it has no result yet",
    "_halt": "the long work on screen; it draws nothing",
    "_make_salt": "the field beside the button, which it fills; it draws nothing",
    "_move": "the list beside the button, which the act reads itself; it draws nothing",
    "_fill": "the column that the button stands under; it draws nothing",
    "fill": "the rings of a choice, which is sent before any press; it draws nothing",
    "_toggle": "the stream on screen; it draws nothing",
    "_STEP.set": "a step of a story that was told",
    "_stop": "what is being counted; it draws nothing",
    "_replace": "the table that waits for confirmation",
    "_put": "a plan from a file or the example of the sample, which replaces what fields hold",
    "move": "a row, by its number; it changes no field",
    "_ROUND.set": "the round on screen, and the answer whose button it is",
    **dict.fromkeys(("_begin_second", "_shuffle_class", "_end_class"), "the class on screen"),
    "_tell": "the class and the question on screen",
    "_draw_own": "the class and the student on screen",
    "_go": "a screen of a lesson, by its number",
    "_draw": "how often the made-up example of a lesson was drawn",
    "_turn": "a step from the page of groups that the field holds, which it reads itself",
    "_leave": "the screen of one tier, which the address names",
    "_do": "a screen of a lesson, and whether its act is done",
    "_skip_opening": "the screen of a lesson that is on screen",
    "_reopen": "the screen of a lesson that is on screen",
    "_ask": "a question of the quiz, by its number",
    "_guess": "the made-up town on screen, by its number, and the answer whose button it is",
    "_another_round": "the made-up round on screen, and what the button says it goes on with",
    "remove": "a row, by its number",
    "again": "the round of the game; it changes no field",
    "load": "what was released, which no field changes",
}


PRESSED = {
    "press.button",
    *(
        f"panel.{name}"
        for name in ("draw", "draw_once", "draw_rest", "draw_own", "start_over", "plan_topic")
    ),
    "session_box.start_over",
}


def walks(*keys):
    def listed(walk):
        WALKED.update(dict.fromkeys(keys, walk))
        return walk

    return listed


def amounts(app):
    return {t.name: t.amount for t in workspace(app).plan.tiers}


@walks("draw_", "draw_rest")
def test_tiers_of_the_plan_are_drawn_each_once(open_page):
    app = open_page("releases")
    press(app, "draw_research")
    assert app.button(key="draw_research").disabled
    press(app, "draw_rest")
    drawn = [e.tier for e in workspace(app).ledger]
    assert drawn[0] == "research"
    assert sorted(drawn) == sorted(PLAN)
    assert not [b for b in app.button if b.key == "draw_rest"]
    assert "All four drawn" in words(app)


@pytest.mark.opens("later")
def test_what_a_press_draws_and_costs_is_said_before_it(open_page):
    app = open_page("releases")
    assert (
        "After all four, 673 guesses of 1,000 are right. With separate noise it would "
        "be 760." in words(app)
    )
    told = plain(app.button(key="draw_public").help)
    assert "of all: ρ = 0.1 (none so far)." in told
    press(app, "draw_audit")
    assert "Guesses right by all together, of 1,000: 673 (ρ = 0.4)." in words(app)  # as it was
    app.text_input(key="upgrade_amount").set_value("0.5").run()
    assert "Privacy loss at most **ρ = 0.1 → ρ = 0.5**" in words(app)
    assert "Of all together **ρ = 0.4 → ρ = 0.5**" in words(app)
    press(app, "upgrade_draw")
    assert "by all together, of 1,000: 691 (ρ = 0.5)." in words(app)


@full_run
def test_where_sessions_meet_a_press_says_what_all_together_cost_if_few_wait(open_page):
    app = open_page("releases")
    ws = workspace(app)
    ws.draw("public")
    ws.use_family("laplace")
    app.run()
    told = plain(app.button(key="draw_audit").help)
    assert "; of all: ρ = 0.1 → " in told
    assert told.endswith(f"{plain(cost_words(account.with_plan(ws)[0]))}."), "it is the sharpest"
    rows = [{"tier": f"t{i}", "budget": f"0.{i}", "as": "ε"} for i in range(1, 10)]
    app = open_page("releases")
    ws = workspace(app)
    ws.draw("public")
    ws.use_family("laplace")
    ws.start_over()
    ws.draw("public")
    assert ws.use_tiers(rows) == []
    app.run()
    assert "; of all: not computed, as more than eight" in plain(app.button(key="draw_t1").help)
    assert "Guesses right by all together, of 1,000: " in words(app)


def test_a_tier_that_promises_next_to_nothing_is_drawn_when_it_is_ticked(open_page):
    app = open_page("releases")
    rows = workspace(app).plan.typed_rows
    assert workspace(app).use_tiers([*rows, {"tier": "all", "budget": "40", "as": "ρ"}]) == []
    app.run()
    assert "all: a privacy loss this large promises little" in words(app)
    press(app, "draw_public")  # of the others none asks for a tick
    press(app, "draw_rest")
    assert [e.tier for e in workspace(app).ledger] == ["public"]
    assert "Tick “I mean this budget”" in errors(app)[0]
    next(c for c in app.checkbox if c.label == "I mean this budget").check().run()
    press(app, "draw_rest")
    assert len(workspace(app).ledger) == len(PLAN) + 1
    assert not app.warning


def draws_when_ticked(app, key, who):
    """A press of this button is refused until the tick is there, and then draws; who draws last."""
    press(app, key)
    assert [e.tier for e in workspace(app).ledger].count(who) == 0
    assert "Tick “I mean this budget” to draw it" in errors(app)[0]
    next(c for c in app.checkbox if c.label == "I mean this budget").check().run()
    press(app, key)
    assert workspace(app).ledger[-1].tier == who
    assert not errors(app)


@pytest.mark.opens("specialists")
@pytest.mark.parametrize(
    "page", few(["continual_counting", "linear_queries", "sparse_histograms"], 3)
)
def test_structured_pages_say_what_a_press_costs_and_ask_for_a_tick(open_page, page):
    app = open_page(page)
    rows = [{"tier": "few", "budget": "0.1", "as": "ρ"}, {"tier": "all", "budget": "80", "as": "ρ"}]
    assert workspace(app).use_tiers(rows) == []
    ws = workspace(app)
    ws.draw("few")  # of the statistic: its loss adds
    if page == "linear_queries":
        app.segmented_control(key="linear_source").set_value("my statistic").run()
    elif page == "sparse_histograms":
        app.segmented_control(key="sparse_source").set_value("my column").run()
    else:
        app.segmented_control(key="counting_source").set_value("my counts").run()
        app.text_input(key="counting_typed_moved").set_value("1")
        app.text_area(key="counting_typed").set_value("1\n2\n3\n4").run()
    assert "(ρ = 0.1 → " in words(app)
    few = next(b for b in app.button if b.key.endswith("_few"))
    key, told = few.key.removesuffix("few"), plain(few.help)
    assert "Bound on the privacy loss: " in told
    assert "; of all: ρ = 0.1 → " in told
    press(app, f"{key}few")  # of this one no tick is asked
    assert [e.tier for e in ws.ledger] == ["few", "few"]
    draws_when_ticked(app, f"{key}all", "all")
    assert "Guesses right by all together" not in words(app).replace("**", "")


@walks("bridge_first")
def test_the_first_release_of_a_statistic_is_drawn_on_the_page_of_bridges(open_page):
    app = open_page("bridge_paths")
    app.segmented_control(key="bridge_source").set_value("my statistic").run()
    assert "of all: ρ = 0.1 (none so far)." in words(app)
    press(app, "bridge_first")
    assert [e.tier for e in workspace(app).ledger] == ["public"]
    assert "; of all: ρ = 0.1." in words(app), "what a tier more private than that would cost"


@walks("use_better_noise")
@pytest.mark.opens("noise")
def test_the_noise_that_needs_least_is_put_to_use_and_stays(open_page):
    app = open_page("tiers")
    assert "**Skellam noise would need less**: 29 % to 67 %" in words(app)
    press(app, "use_better_noise")
    assert workspace(app).family_name == "skellam"
    assert app.radio(key="family_teaching").value == "skellam"
    assert "No offered noise needs less than Skellam" in words(app)
    app.run()
    assert workspace(app).family_name == "skellam"


@walks("upgrade_draw")
@pytest.mark.opens("later")
def test_an_upgrade_draws_the_amount_that_stands_there(open_page):
    app = open_page("releases")
    app.text_input(key="upgrade_amount").set_value("0.15").run()
    app.text_input(key="upgrade_amount").set_value("0.25")
    press(app, "upgrade_draw")
    assert amounts(app) == PLAN | {"public": "0.25"}
    assert [float(e.event.budget) for e in workspace(app).ledger] == [0.25]
    later(app).text_input(key="upgrade_amount").set_value("0.35").run()
    app.text_input(key="upgrade_amount").set_value("abc")
    press(app, "upgrade_draw")
    assert amounts(app) == PLAN | {"public": "0.25"}
    assert len(workspace(app).ledger) == 1
    assert "abc" in errors(app)[0]


@walks("add_draw")
@pytest.mark.opens("later")
def test_an_added_tier_has_the_name_and_amount_that_stand_there(open_page):
    app = open_page("releases")
    app.text_input(key="added_tier").set_value("court")
    app.text_input(key="added_amount").set_value("0.02").run()
    app.text_input(key="added_tier").set_value("press")
    app.text_input(key="added_amount").set_value("0.03")
    press(app, "add_draw")
    assert amounts(app) == PLAN | {"press": "0.03"}
    assert [e.tier for e in workspace(app).ledger] == ["press"]


@walks("limit_use", "limit_lift")
def test_the_limit_is_the_one_that_stands_there_and_a_draw_beyond_it_changes_nothing(open_page):
    app = open_page("releases")
    app.text_input(key="limit_amount").set_value("0.4").run()
    app.text_input(key="limit_amount").set_value("0.15")  # more than public's, less than the next
    press(app, "limit_use")
    press(app, "draw_public")
    press(app, "draw_rest")  # one press too much: nothing of it is drawn
    assert [e.tier for e in workspace(app).ledger] == ["public"]
    said = [e.value for e in app.error]
    assert any("is spent" in text and "is left" in text for text in said)
    left = float(Fraction("0.15") - Fraction(PLAN["public"]))
    assert f"Left: ρ = {left:g}." in words(app)
    press(app, "limit_lift")
    press(app, "draw_rest")
    assert len(workspace(app).ledger) == len(PLAN)


@walks("start_over")
@pytest.mark.opens("specialists", "later")
def test_starting_over_closes_the_session_in_use(open_page):
    app = open_page("releases")
    press(app, "draw_public")
    press(app, "start_over")
    ws = workspace(app)
    assert ws.round is None
    assert len(ws.ledger) == 1


@walks("seal")
@pytest.mark.opens("later")
def test_the_seal_is_the_one_that_is_chosen_now(open_page):
    app = open_page("releases")
    press(app, "draw_public")
    (box,) = [s for s in app.selectbox if s.label.startswith("Least private release")]
    place = next(i for i, option in enumerate(box.options) if option.startswith("partners"))
    box.select_index(place)
    press(app, "seal")
    ws = workspace(app)
    level = {p.name: p.budget.level for p in ws.planned()[0]}["partners"]
    assert ws.round.mechanism.sealed_at == level


@walks("use_statistic")
def test_the_statistic_that_is_used_is_the_one_on_screen(open_page):
    app = open_page("data")

    def groups():
        return next(t for t in app.text_area if t.label.startswith("Groups to publish"))

    groups().set_value("1\n2").run()
    groups().set_value("1\n2\n3")
    press(app, "use_statistic")
    assert workspace(app).statistic.query.by.groups == ("1", "2", "3")
    groups().set_value("1\n4").run()
    groups().set_value("")  # no list: what is in use stays
    press(app, "use_statistic")
    assert workspace(app).statistic.query.by.groups == ("1", "2", "3")


@walks("add_statistic", "statistic_up", "statistic_off")
def test_a_statistic_is_added_moved_and_taken_off_as_it_stands_on_screen(open_page):
    app = open_page("data")
    first = workspace(app).statistic.query

    def groups():
        return next(t for t in app.text_area if t.label.startswith("Groups to publish"))

    groups().set_value("1\n2").run()
    groups().set_value("1\n2\n3")
    press(app, "add_statistic")
    added = workspace(app).statistic.query
    assert added.by.groups == ("1", "2", "3")
    assert [s.query for s in workspace(app).statistics] == [first, added]
    press(app, "statistic_up")
    assert [s.query for s in workspace(app).statistics] == [added, first]
    press(app, "statistic_off")
    assert [s.query for s in workspace(app).statistics] == [first]


@walks("use_reading")
@pytest.mark.opens("reading")
def test_the_reading_that_is_used_is_the_one_on_screen(open_page):
    app = upload(open_page("data"), b"a;when;x\n" + b"A;01/02/2025;1\n" * 3)
    choose(app, "Column to correct", "when")
    press(app, "suggest_reading")
    assert "Several readings fit every value" in words(app)
    choose(app, "Read as", "date")
    choose(app, "Order of day, month and year", "mm/dd/yyyy")
    widget(app, "Order of day, month and year").set_value("dd/mm/yyyy")
    press(app, "use_reading")
    assert dict(workspace(app).table.readings) == {"when": Reading(kind="date", dates="dd/mm/yyyy")}
    assert app.button(key="use_reading").disabled
    choose(app, "Column to correct", "x")
    choose(app, "Read as", "number")
    choose(app, "Mark between thousands", ".")  # as the decimal mark
    assert "both a point; choose another one" in errors(app)[0]
    assert app.button(key="use_reading").disabled
    choose(app, "Column to correct", "when")
    choose(app, "Read as", "")
    press(app, "use_reading")
    assert workspace(app).table.readings == ()


def type_amount(app, row, amount):
    """Type into the grid, without a run."""
    app.session_state[f"tier_editor_{workspace(app).plan.edition}"] = {
        "edited_rows": {row: {"budget": amount}},
        "added_rows": [],
        "deleted_rows": [],
    }


@walks("state_", "sort_rows", "preset_")
def test_acts_on_the_whole_plan_begin_with_the_rows_on_screen(open_page):
    app = open_page("tiers")
    type_amount(app, 3, "0.004")
    press(app, "state_ε")
    press(app, "state_ρ")
    assert amounts(app) == PLAN | {"public": "0.004"}
    type_amount(app, 2, "0.02")
    press(app, "sort_rows")
    assert amounts(app) == PLAN | {"public": "0.004", "partners": "0.02"}
    type_amount(app, 1, "lots")
    press(app, f"preset_{PRESETS[0].name}")
    assert workspace(app).plan.tiers == PRESETS[0].tiers
    assert errors(app) == []


@walks("recolour")
def test_a_colour_is_given_to_the_tier_that_is_chosen(open_page):
    app = open_page("tiers")
    next(f for f in app.button_group if f.key.startswith("tier_colour")).set_value("blue")
    press(app, "recolour")
    ws = workspace(app)
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
    press(app, "bridge_draw")
    tiers = app.session_state["bridge_examples"]["gaussian"].tiers
    assert len(tiers) == 3
    assert list(tiers.values())[-1].loss == float(wanted)
    app.selectbox(key="bridge_family").set_value("laplace")
    press(app, "bridge_over")
    examples = app.session_state["bridge_examples"]
    assert (examples["gaussian"].again, examples["laplace"].again) == (0, 1)


@walks("bridge_add")
def test_a_tier_is_handed_over_with_the_budget_of_the_slider(open_page):
    app = open_page("bridge_paths")
    slider = next(s for s in app.select_slider if s.key.startswith("bridge_budget"))
    wanted = slider.options[9]
    slider.set_value(wanted)
    press(app, "bridge_add")
    added = workspace(app).plan.tiers[-1]
    assert (added.amount, added.kind) == (wanted, "ρ")


@walks("linear_draw_", "linear_rest", "linear_over")
@pytest.mark.opens("specialists", "linear_answers")
def test_answers_are_drawn_for_the_questions_on_screen(open_page):
    app = open_page("linear_queries")
    family = next(s for s in app.selectbox if "noise" in s.label.casefold())
    family.set_value("laplace")
    press(app, "linear_draw_audit")
    held = shelf(app, "linear_sessions")
    drawn = {one.answers.inner.family.name: one.drawn for one in held.values()}
    assert "audit" not in drawn["gaussian"]
    assert "audit" in drawn["laplace"]
    first = [one for one in held.values() if one.answers.inner.family.name == "gaussian"]
    next(s for s in app.selectbox if "noise" in s.label.casefold()).set_value("gaussian")
    press(app, "linear_over")
    held = shelf(app, "linear_sessions").values()
    assert not any(one is first[0] for one in held)
    press(app, "linear_rest")
    held = shelf(app, "linear_sessions").values()
    fresh = next(o.drawn for o in held if o.answers.inner.family.name == "gaussian")
    assert sorted(fresh) == sorted(PLAN)
    assert "audit" in next(o.drawn for o in held if o.answers.inner.family.name == "laplace")


@walks("linear_own_draw_", "linear_own_rest")
@pytest.mark.opens("specialists", "linear_answers")
def test_own_answers_are_drawn_for_the_noise_on_screen(open_page):
    app = open_page("linear_queries")
    app.segmented_control(key="linear_source").set_value("my statistic").run()
    next(s for s in app.selectbox if "noise" in s.label.casefold()).set_value("laplace")
    press(app, "linear_own_draw_public")
    (one,) = workspace(app).sessions
    assert one.mechanism.inner.family.name == "laplace"
    press(app, "linear_own_rest")
    assert sorted(e.tier for e in workspace(app).ledger) == sorted(PLAN)


@walks("counting_draw_", "counting_rest")
@pytest.mark.opens("specialists")
def test_running_counts_are_drawn_with_the_tree_on_screen(open_page):
    app = open_page("continual_counting")
    app.segmented_control(key="counting_source").set_value("my counts").run()
    app.text_input(key="counting_typed_moved").set_value("1")
    app.text_area(key="counting_typed").set_value("1\n2\n3\n4\n5\n6\n7\n8\n9").run()
    app.text_input(key="counting_arity").set_value("4").run()
    app.text_input(key="counting_arity").set_value("2")
    press(app, "counting_draw_public")
    (one,) = workspace(app).sessions
    assert one.mechanism.tree.arity == 2
    app.text_input(key="counting_arity").set_value("4")
    press(app, "counting_rest")
    assert [s.mechanism.tree.arity for s in workspace(app).sessions] == [2, 4]


@walks("counting_join", "counting_over")
@pytest.mark.opens("specialists", "counting_late")
def test_a_tier_joins_a_stream_with_the_budget_that_stands_there(open_page):
    app = open_page("continual_counting")
    app.text_input(key="counting_joining").set_value("0.25").run()
    app.text_input(key="counting_joining").set_value("0.75")
    press(app, "counting_join")
    ((joined, _),) = app.session_state["counting_example"].joined
    assert joined.epsilon == 0.75
    press(app, "counting_over")
    assert app.session_state["counting_example"].joined == []


@walks("sparse_draw_", "sparse_all", "sparse_over")
def test_a_histogram_is_drawn_at_the_thresholds_on_screen(open_page):
    app = open_page("sparse_histograms")
    held = dict(app.session_state["sparse_example"].histogram.releases)
    app.segmented_control(key="sparse_how").set_value(TYPED).run()
    tau = next(t for t in app.text_input if t.label == "Threshold of public")
    tau.set_value("120").run()
    next(t for t in app.text_input if t.label == "Threshold of public").set_value("130")
    key = next(b.key for b in app.button if (b.key or "").endswith("_public"))
    press(app, key)
    after = dict(app.session_state["sparse_example"].histogram.releases)
    assert after[RHO["public"]] == 130.0
    assert held.items() <= after.items()
    rest = next(t for t in app.text_input if t.label == "Threshold of research")
    rest.set_value("31")
    press(app, "sparse_all")
    last = dict(app.session_state["sparse_example"].histogram.releases)
    assert last[RHO["research"]] == 31.0
    press(app, "sparse_over")
    assert app.session_state["sparse_example"].histogram.releases == ()


@walks("topk_list", "topk_draw_", "topk_over")
def test_a_list_has_the_length_and_the_budget_on_screen(open_page):
    app = open_page("top_k")
    press(app, "topk_over")
    assert app.session_state["topk_again"] == 1
    app.segmented_control(key="topk_source").set_value("my column").run()
    choose(app, "Column of items", "education")
    choose(app, "Way to draw", "Gumbel list that can end")
    app.text_input(key="topk_k_10").set_value("2").run()
    app.text_input(key="topk_k_10").set_value("3")
    press(app, "topk_list")
    (entry,) = workspace(app).ledger
    assert entry.tier == "list of 3"
    press(app, "topk_draw_public")
    assert [e.tier for e in workspace(app).ledger] == ["list of 3", "public"]


@walks("network_join")
@pytest.mark.opens("network_add")
def test_who_joins_a_circle_has_the_name_and_the_budget_that_stand_there(open_page):
    app = open_page("growing_trust")
    app.segmented_control(key="trust_story").set_value("circle").run()
    app.text_input(key="network_new_Zoe").set_value("Ida")
    app.text_input(key="network_granted").set_value("1.5")
    press(app, "network_join")
    assert "Ida is 3 hops away: told" in words(app).replace("*", "")
    assert "at ε = 1.5. The number was drawn between two" in words(app).replace("*", "")


@walks("rappor_ask_", "rappor_collect", "rappor_over")
@pytest.mark.opens("specialists", "rappor_inside")
def test_reports_are_those_of_the_fields_at_the_press(open_page, monkeypatch):
    monkeypatch.setattr(rappor, "AT_ONCE", 0)  # few reports wait for the press, too
    app = open_page("rappor")
    app.select_slider(key="rappor_bits").set_value(8)
    app.select_slider(key="rappor_clients").set_value(30_000).run()
    app.select_slider(key="rappor_f2").set_value(0.25)
    press(app, "rappor_collect")
    assert "30,000 browsers" in words(app)
    assert "with 25" in words(app).replace("\u202f", "")
    press(app, "rappor_over")
    assert "rappor_collect" in [b.key for b in app.button], "nothing is left of what is drawn again"
    app.segmented_control(key="rappor_source").set_value("my column").run()
    app.text_area(key="rappor_candidates").set_value("male\nfemale").run()
    app.text_area(key="rappor_candidates").set_value("male\nnobody")
    app.select_slider(key="rappor_f1").set_value(0.5)
    press(app, "rappor_ask_0")
    assert [e.tier for e in workspace(app).ledger] == ["reports at f = 0.5"]
    press(app, "rappor_ask_1")
    assert [e.tier for e in workspace(app).ledger][1:] == ["reports at f = 0.25"]


@walks("variance_draw")
@pytest.mark.opens("variance_lines")
def test_a_measurement_is_that_of_the_settings_on_screen(open_page):
    app = open_page("variances")
    app.segmented_control(key="variance_method").set_value(DIRECT).run()
    app.segmented_control(key="variance_repetitions").set_value(10**5)
    press(app, "variance_draw")
    finished(app)
    results = shelf(app, "work_results")
    (found,) = [key for key in results if getattr(key, "method", "") == DIRECT]
    assert found.repetitions == 10**5


@walks("falsify_play", "falsify_guess")
@pytest.mark.opens("falsify_game", "specialists")
def test_a_trial_and_a_guess_are_those_of_the_fields_on_screen(open_page, monkeypatch):
    monkeypatch.setattr(falsify.scenes, "LONG", LONG)  # in place of a million
    app = open_page("falsify")
    app.button_group(key="falsify_members").set_value(["research"])
    press(app, "falsify_play")
    finished(app)
    long = [key for key in shelf(app, "work_results") if getattr(key, "runs", 0) == LONG]
    assert [key.members for key in long] == [("research",)]
    app.segmented_control(key="falsify_door").set_value("C")
    press(app, "falsify_guess")
    assert app.session_state["falsify_round"] == (0, "C")


@walks("market_sell", "market_over")
@pytest.mark.opens("specialists", "market_add")
def test_a_market_sells_what_is_typed_and_starts_over_with_the_terms_on_screen(open_page):
    app = open_page("growing_trust")
    app.segmented_control(key="trust_story").set_value("market").run()
    stall = app.session_state["market_stall"]
    app.text_input(key="market_buyer").set_value("ada").run()
    app.text_input(key="market_buyer").set_value("zoe")
    app.text_input(key="market_epsilon").set_value("0.25")
    press(app, "market_sell")
    assert stall.ledger.held["zoe"] == Fraction(1, 4)
    assert "ada" not in stall.ledger.held
    lost = stall.loss
    app.text_input(key="market_rate").set_value("5")
    press(app, "market_over")
    assert stall.loss == lost
    assert stall.ledger.terms.curve.price(1) == 5
    press(app, "market_sell")
    assert stall.ledger.revenue == Fraction(5, 4)
    assert stall.loss == lost + Fraction(1, 4)


@walks("gradual_draw", "gradual_over")
@pytest.mark.opens("specialists", "gradual_add")
def test_a_made_up_value_is_released_at_the_budget_that_stands_there(open_page):
    app = open_page("growing_trust")
    app.text_input(key="gradual_wanted_3").set_value("0.25").run()
    app.text_input(key="gradual_wanted_3").set_value("0.4")
    press(app, "gradual_draw")
    (one,) = shelf(app, "gradual_values").values()
    assert list(one.released)[3:] == [0.4]
    press(app, "gradual_over")
    assert [[*each.released][3:] for each in shelf(app, "gradual_values").values()] == [[0.4], []]


@walks("project_keep", "project_rename", "project_delete", "project_open")
def test_a_project_has_the_name_that_is_typed_at_the_press(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv(PLACE, str(tmp_path))
    app = saving(open_page("start"))
    app.text_input(key="project_name").set_value("first").run()
    app.text_input(key="project_name").set_value("second")
    press(app, "project_keep")
    saving(app).text_input(key="project_new_name").set_value("third")
    press(app, "project_rename")
    assert Projects(tmp_path).names() == ["third"]
    saving(app).text_input(key="project_gone").set_value("second")
    press(app, "project_delete")
    assert "“second” is not “third”, so nothing was deleted" in errors(app)[0]
    other = saving(open_page("releases"))
    other.selectbox(key="project_chosen").set_value("third")
    press(other, "project_open")
    assert workspace(other).keeper.name == "third"
    saving(app).text_input(key="project_gone").set_value("third")
    press(app, "project_delete")
    assert Projects(tmp_path).names() == []
    assert workspace(app).keeper.name == ""


@pytest.mark.opens("later")
def test_a_press_that_another_run_cut_short_is_not_lost_and_leaving_the_page_drops_it(open_page):
    app = open_page("releases")
    app.text_input(key="upgrade_amount").set_value("0.15").run()
    app.session_state["pressed"] = {"upgrade_draw": 1}
    app.run()
    assert len(workspace(app).ledger) == 1
    app.session_state["pressed"] = {"upgrade_draw": 1}
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/releases.py").run()
    assert len(workspace(app).ledger) == 1
    assert not app.session_state["pressed"]


def pressed_buttons():
    """Keys of all `press.button`, as far as they are fixed; acts of all other buttons with args.

    The panel is pressed under the keys that its pages give it.
    """
    keys, acts = set(), set()
    for file in UI.rglob("*.py"):
        if file.name in ("panel.py", "press.py", "session_box.py"):
            continue
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            given = {k.arg: k.value for k in call.keywords if k.arg}
            if ast.unparse(call.func) == "panel.draw_tiers":
                keys |= {f"{given['key'].value}_{button}" for button in ("draw_", "rest")}
            elif ast.unparse(call.func) in PRESSED:
                key = given["key"]
                start = key.values[0] if isinstance(key, ast.JoinedStr) else key
                keys.add(start.value)
            elif ast.unparse(call.func) == "controls.button" and len(call.args) > 2:
                act = ast.unparse(call.args[1])
                acts.add(ast.unparse(call.args[2]) if act == "attempt" else act)
    return keys, acts


@walks("use_connection")
def test_the_table_of_the_server_that_is_chosen_now_is_read(open_page, tmp_path, monkeypatch):
    told = ""
    for name in ("first", "second"):
        (tmp_path / f"{name}.csv").write_text(f"id,{name}\n1,A\n")
        told += f"[connections.dpviz.{name}]\naddress = '{tmp_path}/{name}.csv'\n"
    (tmp_path / "secrets.toml").write_text(told)
    monkeypatch.setattr(table_controls, "places", lambda: [tmp_path / "secrets.toml"])
    app = open_page("data")
    widget(app, "A table on this server").set_value("second")
    press(app, "use_connection")
    assert [c.name for c in workspace(app).table.columns] == ["id", "second"]


def test_every_button_with_arguments_from_fields_is_walked():
    keys, acts = pressed_buttons()
    for key, file in ELSEWHERE.items():
        assert f'"{key}' in Path(__file__).with_name(file).read_text(encoding="utf-8")
    walked = set(WALKED) | set(ELSEWHERE)
    assert keys == walked, "press each of these buttons here, in a test with @walks(its key)"
    assert acts == set(NO_FIELDS), "say in NO_FIELDS what the arguments of these acts are"
