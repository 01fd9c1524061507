"""The page Data market by AppTest: what cannot be sold, prices that are drawn, nothing is lost."""

from fractions import Fraction

import numpy as np

from dpviz.ui.growing_trust.market import words as view
from tests.app.reading import errors, everything, run_sample, specs, words

BAD = [
    ("epsilon", "3", "ε = 3 is more than the owner will ever sell; type at most 2."),
    ("epsilon", "0", "ε: 0 is not a budget. Type a number above 0"),
    ("epsilon", "0,5", "Type 0.5, with a point."),
    ("buyer", " ", "The buyer has no name; type one, such as insurer."),
    ("buyer", "Bank", "Bank looks like the buyer bank; type exactly that name to upgrade"),
    ("rate", "-1", "-1 is not a price; type a number from 0"),
    ("limit", "abc", "Most ε that will ever be sold: “abc” is not a number."),
    ("value", "", "Value: nothing is typed."),
    ("moves", "0", "One change moves it by: 0 is not a sensitivity above 0."),
]


def head(app):
    return app.header[0].value.replace("\xa0", " ")


def press(app, key):
    app.button(key=f"market_{key}").click().run()
    assert not app.exception


def table(app, rows):
    """Type into the grid, as the browser reports it."""
    edited = {n: {"price": price} for n, price in rows.items()}
    unchanged = {"edited_rows": edited, "added_rows": [], "deleted_rows": []}
    app.session_state["market_table_rows"] = unchanged
    app.run()
    assert not app.exception


def test_what_cannot_be_sold_gets_one_sentence_and_changes_nothing(open_page):
    app = open_page("data_market")
    stall = app.session_state["market_stall"]
    before = stall.ledger
    assert "Five buyers paid me €12.40" in head(app)
    for key, text, sentence in BAD:
        box = app.text_input(key=f"market_{key}")
        usual = box.value
        box.set_value(text)
        if key in ("epsilon", "buyer"):
            press(app, "sell")
        assert not app.run().exception
        (said,) = errors(app)
        assert sentence in said
        assert app.text_input(key=f"market_{key}").value == text
        assert stall.ledger is before
        app.text_input(key=f"market_{key}").set_value(usual)
    app.text_input(key="market_buyer").set_value("bank")
    app.text_input(key="market_epsilon").set_value("0.5").run()
    assert not errors(app)
    assert "bank holds ε = 1 now." in words(app)
    press(app, "sell")
    assert "bank already holds a better number, at ε = 1" in errors(app)[0].lower()
    again = run_sample(app)["market"]
    for sale in stall.ledger.sales:
        np.testing.assert_array_equal(again.number(sale), stall.market.number(sale))


def test_a_price_curve_is_drawn_point_by_point_and_stays_as_it_was_typed(open_page):
    app = open_page("data_market")
    app.segmented_control(key="market_prices").set_value("a table").run()
    assert "two of ε = 1 add up to ε = 2 for €10.00 instead of €16.00" in words(app)
    assert specs(app)[-1]["data"][0]["name"] == "price"
    table(app, {3: "1"})
    assert "ε = 2 costs 1, less than the 5 of ε = 1; type at least 5." in errors(app)[0]
    table(app, {3: "20"})
    assert not errors(app)
    assert "These terms are for the next market" in words(app)
    app.text_input(key="market_value").set_value("147, 20").run()
    press(app, "over")
    assert "Nothing is sold yet." in words(app)
    assert "Markets before this one cost ε = 1: ε = 1 in all." in head(app)
    press(app, "sell")  # newspaper, ε = 1.5
    stall = app.session_state["market_stall"]
    assert stall.ledger.revenue == Fraction(25, 2)
    app.selectbox(key="market_coordinate_2").set_value(1).run()
    assert "true value 20" in everything(app)
    assert "number 2" in app.table[0].value.columns
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/data_market.py").run()
    assert not app.exception
    assert app.session_state["market_table"][0]["price"].tolist() == ["0.5", "1.5", "5", "20"]
    assert "One buyer paid me €12.50 for my numbers of driving days" in head(app)
    assert "newspaper" in everything(app)


def test_first_comes_one_picture_then_folds_and_the_way_on(open_page):
    app = open_page("data_market")
    folds = [fold.label for fold in app.expander]
    assert folds[:3] == [view.RUNNING_FOLD, view.LEDGER_FOLD, view.TERMS_FOLD]
    inside = [chart for fold in app.expander for chart in fold.get("plotly_chart")]
    assert (len(specs(app)), len(inside)) == (5, 3)
    (onward,) = app.get("page_link")
    assert onward.proto.label == "Can you break it?"
