"""Continual counting by AppTest: own data, refusals, code samples; nothing leaks."""

import math

import numpy as np
import pytest

from dpviz.counting.counted_stream import CountedStream
from dpviz.data import read_csv
from dpviz.queries import ByTime, Count
from dpviz.workspace.counting import of_query
from tests.app.reading import numbers_in
from tests.cast import RHO

EPSILON_OF_AUDIT = math.sqrt(2 * RHO["audit"])  # the largest ε whose ρ it has


def lines(app):
    """What the main picture shows of each tier, by name."""
    found = {}
    for trace in app.specs()[0]["data"]:
        if trace.get("mode") == "lines" and not trace.get("fill"):
            x, y = (list(numbers_in({"a": trace[axis]})) for axis in "xy")
            found.setdefault(trace["name"], {}).update(zip(x, y, strict=True))
    return found


def whose(app, name):
    """The picture of this tier."""
    next(s for s in app.selectbox if s.label == "Whose count?").set_value(name).run()
    return app


def typed(app, text, moved="1"):
    app.segment("counting_source", "my counts")
    app.text_input(key="counting_typed_moved").set_value(moved)
    app.text_area(key="counting_typed").set_value(text).run()
    return app


def step(app, to):
    slider = next(s for s in app.slider if s.label.endswith("s so far"))
    slider.set_value(to).run()


VISITS = b"when,who\n" + b"".join(
    f"2025-01-{1 + n * 7 % 30:02d} {n % 24:02d}:00,{n % 40}\n".encode() for n in range(4019)
)


def own(open_page):
    app = open_page("data").upload(VISITS, name="visits.csv").go("continual_counting")
    app.segment("counting_source", "my table")
    app.segment(f"every_{app.workspace().table.digest[:12]}", "day")
    app.fill({"From (year": "2025-01-01", "Until, not": "2025-01-31"})
    assert app.errors() == []
    return app


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_own_data_draws_by_buttons_in_any_order_and_hides_the_exact(open_page):
    app = own(open_page)
    app.fill({"From (year": "1990-01-01", "Until, not": "1990-01-31"})
    assert app.errors() == [
        "No row is in your days of “when”. Every number would be noise around 0."
    ]
    app.fill({"From (year": "2025-01-01", "Until, not": "2025-01-31"})
    assert "would see" in app.head()
    assert app.workspace().ledger == []
    for name in ("research", "public", "audit"):
        app.press(f"counting_draw_{name}")
    ws = app.workspace()
    assert [e.tier for e in ws.ledger] == ["research", "public", "audit"]
    assert "would" not in app.head()
    step(app, 30)
    shown = {name: lines(whose(app, name))[name] for name in ("research", "public", "audit")}
    noisy = run_sample_own(app)
    for name, line in shown.items():
        assert all(noisy[name][int(x) - 1] == y for x, y in line.items())
    sums = np.cumsum(own_stream(app).exact())
    assert sums[-1] == 4019
    hidden = {float(x) for x in sums if x > 1000}
    assert not hidden & set(numbers_in(app.specs()))
    app.toggle(key="counting_reveal").set_value(True).run()
    assert hidden <= set(numbers_in(app.specs()))
    assert lines(whose(app, "public"))["public"] == shown["public"]
    assert app.button(key="counting_draw_public").disabled
    facts = dict(ws.facts_of(ws.ledger[-1]))
    assert "running count" in facts["statistic"]
    assert facts["sensitivity"].startswith("Δ₁ = h·c = ")
    assert len({e.session for e in ws.ledger}) == 1
    ws.use_tiers([{"tier": "public", "budget": "0.5", "as": "ε"}])
    app.run()
    assert not app.button(key="counting_draw_public").disabled
    names = next(s for s in app.selectbox if s.label == "Whose count?").options
    (former,) = (name for name in names if name.startswith("public (") and "before" in name)
    assert lines(whose(app, former))[former] == shown["public"]


def own_stream(app):
    (one,) = app.workspace().sessions
    assert isinstance(one.mechanism, CountedStream)
    return of_query(app.workspace(), Count(ByTime("when", "day", "2025-01-01", "2025-01-31")))


def run_sample_own(app):
    """The sample, with the upload in place of a file on the disk."""
    code = app.code[-1].value.replace("from dpviz.data import read_table\n", "")
    names = {"read_table": lambda name: read_csv(VISITS, name=name)}
    exec(code, names)
    return names["numbers"]


@pytest.mark.usefixtures("pictured")
def test_typed_counts_draw_and_larger_contributions_need_more_noise(open_page):
    app = typed(open_page("continual_counting"), "3\n1.5")
    assert len(app.errors()) == 1
    assert app.text_area(key="counting_typed").value == "3\n1.5"
    typed(app, "3\n0\n12\n7", moved="2")
    assert app.errors() == []
    app.press("counting_draw_audit")
    one = app.workspace().sessions[0].mechanism
    assert one.levels == pytest.approx((2 * one.tree.height / EPSILON_OF_AUDIT,))
    typed(app, "3\n0\n12\n7", moved="1")
    assert not app.button(key="counting_draw_audit").disabled  # another session
    typed(app, "3 4")  # the shortest stream
    app.press("counting_draw_public")
    assert lines(app)["public"].keys() == {1.0, 2.0}
