"""Structured topics on the plan: added on their pages, counted on Tiers, drawn on Releases."""

import pytest

from tests.app.reading import button, choose, press, words, workspace

ADD, OFF = "Add it to the plan", "Take it off the plan"


def names(app):
    return [(topic.page, topic.name.split(" of")[0]) for topic in workspace(app).topics]


@pytest.mark.opens("specialists", "linear_answers")
def test_running_totals_join_the_plan_with_the_noise_on_screen(open_page):
    app = open_page("linear_queries")
    app.segmented_control(key="linear_source").set_value("my statistic").run()
    next(s for s in app.selectbox if "noise" in s.label.casefold()).set_value("laplace")
    press(app, "linear_plan")
    (topic,) = workspace(app).topics
    assert topic.draw(workspace(app)).asking.family.name == "laplace"
    assert app.button(key="linear_plan").label.endswith(OFF)
    said = words(app.switch_page("pages/tiers.py").run())
    assert "Both statistics together" in said
    app.switch_page("pages/releases.py").run()
    app.toggle(key="draw_together").set_value(True).run()
    press(app, "draw_all_public")
    ws = workspace(app)
    assert [e.tier for e in ws.ledger] == ["public", "public"]
    assert [one.asking.family.name for one in ws.sessions] == ["gaussian", "laplace"]
    app.switch_page("pages/linear_queries.py").run()
    assert app.button(key="linear_own_draw_public").disabled, "it is drawn"
    press(app, "linear_plan")
    assert workspace(app).topics == []


def test_a_list_joins_the_plan_with_the_length_on_screen_and_data_takes_it_off(open_page):
    app = open_page("top_k")
    app.segmented_control(key="topk_source").set_value("my column").run()
    choose(app, "Column of items", "education")
    choose(app, "Way to draw", "Gumbel list that can end")
    app.text_input(key="topk_k_10").set_value("3")
    press(app, "topk_plan")
    ws = workspace(app)
    assert [p.name for p in ws.draws()[1].tiers] == ["list of 3"]
    press(app, "topk_list")
    press(app, "topk_counts_plan")
    assert [page for page, _ in names(app)] == ["top_k", "top_k"]
    app.switch_page("pages/data.py").run()
    assert "Also on the plan: most common items by" in words(app)
    press(app, "topic_off_0")
    assert names(app) == [("top_k", "counts")]


def test_a_sparse_histogram_joins_with_the_thresholds_on_screen(open_page):
    app = open_page("sparse_histograms")
    app.segmented_control(key="sparse_source").set_value("my column").run()
    press(app, "sparse_plan")
    draw = workspace(app).draws()[1]
    assert [p.name for p in draw.tiers] == ["public", "partners", "research", "audit"]
    workspace(app).draw_all("audit")
    assert [e.tier for e in workspace(app).ledger] == ["audit", "audit"]


@pytest.mark.opens("specialists")
def test_typed_counts_say_why_they_cannot_join(open_page):
    app = open_page("continual_counting")
    app.segmented_control(key="counting_source").set_value("my counts").run()
    app.text_area(key="counting_typed").set_value("1\n2\n3").run()
    assert "Typed numbers are no statistic of your table" in words(app)
    assert not [b for b in app.button if b.key == "counting_plan"]


def test_a_survey_says_why_it_cannot_join(open_page):
    app = open_page("rappor")
    app.segmented_control(key="rappor_source").set_value("my column").run()
    app.text_area(key="rappor_candidates").set_value("ash\nbirch").run()
    assert "cannot be added to your plan" in words(app)
    with pytest.raises(StopIteration):
        button(app, ADD)
