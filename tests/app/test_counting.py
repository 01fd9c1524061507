"""Continual counting by AppTest: example, own data, refusals, code samples; nothing leaks."""

import csv
import io
import math

import numpy as np
import pytest

from dpviz.accounting.guarantees import float_below
from dpviz.accounting.laplace_sums import laplace_sum_half_width
from dpviz.accounting.tree_errors import chosen_tree, vertices_used
from dpviz.counting.counted_stream import CountedStream
from dpviz.data import hourly_events, read_csv
from dpviz.handout import tier_csv
from dpviz.parameters import exact
from dpviz.planning.cast import COUNCIL, amounts
from dpviz.queries import ByTime, Count
from dpviz.scenes.continual_counting import OPENS
from dpviz.words import pm
from dpviz.workspace.counting import Branching, of_query, read_counts, subject
from dpviz.workspace.structured import held_tiers, release_of
from tests.app.reading import (
    button,
    errors,
    fill,
    numbers_in,
    plain,
    run_sample,
    specs,
    words,
    workspace,
)
from tests.app.test_upload import upload
from tests.cast import RHO

EPSILON_OF_AUDIT = math.sqrt(2 * RHO["audit"])  # the largest ε whose ρ it has


def segment(app, key, value):
    next(s for s in app.get("button_group") if s.key == key).set_value(value).run()
    assert not app.exception


def lines(app):
    """What the main picture shows of each tier, by name."""
    found = {}
    for trace in specs(app)[0]["data"]:
        if trace.get("mode") == "lines" and not trace.get("fill"):
            x, y = (list(numbers_in({"a": trace[axis]})) for axis in "xy")
            found.setdefault(trace["name"], {}).update(zip(x, y, strict=True))
    return found


def whose(app, name):
    """The picture of this tier."""
    next(s for s in app.selectbox if s.label == "Whose count?").set_value(name).run()
    assert not app.exception
    return app


def head(app):
    return plain(app.header[0].value)


def typed(app, text, moved="1"):
    segment(app, "counting_source", "my counts")
    app.text_input(key="counting_typed_moved").set_value(moved)
    app.text_area(key="counting_typed").set_value(text).run()
    assert not app.exception
    return app


def step(app, to):
    slider = next(s for s in app.slider if s.label.startswith("The stream has come"))
    slider.set_value(to).run()
    assert not app.exception


def test_it_opens_in_the_midst_of_the_stream_and_stands_still(open_page):
    app = open_page("continual_counting")
    assert button(app, "Play the coming hours")
    app.run()
    assert f"Calls so far at hour {OPENS}" in words(app)
    assert f"noise of 11 blocks, not of {OPENS} hours" in words(app)
    right = math.ceil(1000 / (1 + math.exp(-EPSILON_OF_AUDIT)))  # at most, with pure ε
    (told,) = [line for line in words(app).split("\n") if "whether one call was counted" in line]
    assert f"audit is right at most {right} times in 1,000 (a coin: 500), by its budget on " in told
    assert set(lines(app)) == {"audit", "exact"}
    assert min(lines(app)["audit"]) == 1  # from zero to now, and the last day below it
    assert specs(app)[0]["layout"]["xaxis2"]["range"] == [OPENS - 23, OPENS]


def test_the_example_plays_and_going_back_draws_nothing_new(open_page):
    app = open_page("continual_counting")
    step(app, 705)
    whose(app, "public")
    sums = np.cumsum(hourly_events(1008))
    before = lines(app)
    assert set(before) == {"public", "exact"}
    assert all(value == sums[int(x) - 1] for x, value in before["exact"].items())
    step(app, 900)
    step(app, 705)
    assert lines(app) == before
    assert workspace(app).ledger == []
    app.button(key="counting_play").click().run()
    assert "hour 900 of 1,008 has come" in words(app)
    assert button(app, "Pause")
    app.run()
    app.button(key="counting_play").click().run()
    after = lines(app)["public"]
    assert max(after) > 705
    assert all(before["public"][x] == after[x] for x in before["public"] if x in after)


def test_a_tier_joins_live_from_the_next_hour_and_the_sample_says_the_same(open_page):
    app = open_page("continual_counting")
    step(app, 705)
    assert app.text_input(key="counting_joining").value == "0.5"  # round, and keeps its ρ of 0.15
    app.text_input(key="counting_joining").set_value(amounts("ε")[COUNCIL.name]).run()
    app.button(key="counting_join").click().run()
    assert not app.exception
    assert "Council reads from hour 706 on and no hour before" in words(app)
    assert COUNCIL.name not in lines(app)
    step(app, 720)
    shown = lines(app)
    assert min(shown[COUNCIL.name]) == 706
    noisy = run_sample(app)["numbers"]
    for name in ("public", "audit"):
        of_tier = lines(whose(app, name))[name]
        assert all(noisy[name][int(x) - 1] == value for x, value in of_tier.items())
    assert all(noisy[COUNCIL.name][int(x) - 706] == y for x, y in shown[COUNCIL.name].items())


def test_where_all_is_kept_a_tier_reads_past_hours(open_page):
    app = open_page("continual_counting")
    segment(app, "counting_form", "whole stream")
    step(app, 705)
    app.button(key="counting_join").click().run()
    shown = lines(app)
    assert min(shown[COUNCIL.name]) == 1
    noisy = run_sample(app)["numbers"]
    assert all(noisy[COUNCIL.name][int(x) - 1] == y for x, y in shown[COUNCIL.name].items())
    button(app, "Start the example over").click().run()
    assert COUNCIL.name not in lines(app)


VISITS = b"when,who\n" + b"".join(
    f"2025-01-{1 + n * 7 % 30:02d} {n % 24:02d}:00,{n % 40}\n".encode() for n in range(4019)
)


def own(open_page):
    app = upload(open_page("data"), VISITS, name="visits.csv")
    app.switch_page("pages/continual_counting.py").run()
    segment(app, "counting_source", "my table")
    segment(app, f"every_{workspace(app).table.digest[:12]}", "day")
    fill(app, {"From (year": "2025-01-01", "Until, not": "2025-01-31"})
    assert errors(app) == []
    return app


def test_own_data_draws_by_buttons_in_any_order_and_hides_the_exact(open_page):
    app = own(open_page)
    assert "No running count yet." in words(app)
    assert "would keep" in head(app)
    assert workspace(app).ledger == []
    for name in ("research", "public", "audit"):
        app.button(key=f"counting_draw_{name}").click().run()
        assert not app.exception
    ws = workspace(app)
    assert [e.tier for e in ws.ledger] == ["research", "public", "audit"]
    assert "would" not in head(app)
    step(app, 30)
    shown = {name: lines(whose(app, name))[name] for name in ("research", "public", "audit")}
    noisy = run_sample_own(app)
    for name, line in shown.items():
        assert all(noisy[name][int(x) - 1] == y for x, y in line.items())
    sums = np.cumsum(own_stream(app).exact())
    assert sums[-1] == 4019
    hidden = {float(x) for x in sums if x > 1000}
    assert not hidden & set(numbers_in(specs(app)))
    app.toggle(key="counting_reveal").set_value(True).run()
    assert hidden <= set(numbers_in(specs(app)))
    assert lines(whose(app, "public"))["public"] == shown["public"]
    assert app.button(key="counting_draw_public").disabled
    assert [p.name for p in ws.planned()[0]][1] == "partners"
    app.button(key="counting_draw_partners").click().run()
    assert lines(whose(app, "public"))["public"] == shown["public"]
    assert len({e.session for e in ws.ledger}) == 1
    ws.use_tiers([{"tier": "public", "budget": "0.5", "as": "ε"}])
    app.run()
    assert not app.button(key="counting_draw_public").disabled
    names = next(s for s in app.selectbox if s.label == "Whose count?").options
    (former,) = (name for name in names if name.startswith("public (") and "before" in name)
    assert lines(whose(app, former))[former] == shown["public"]


def own_stream(app):
    (one,) = workspace(app).sessions
    assert isinstance(one.mechanism, CountedStream)
    return of_query(workspace(app), Count(ByTime("when", "day", "2025-01-01", "2025-01-31")))


def run_sample_own(app):
    """The sample, with the upload in place of a file on the disk."""
    code = app.code[-1].value.replace("from dpviz.data import read_table\n", "")
    names = {"read_table": lambda name: read_csv(VISITS, name=name)}
    exec(code, names)
    return names["numbers"]


def test_times_that_all_lie_outside_are_told_before_they_are_counted_as_0(open_page):
    app = own(open_page)
    fill(app, {"From (year": "1990-01-01", "Until, not": "1990-01-31"})
    assert errors(app) == [
        "No row is in your days of “when”. Every number would be noise around 0."
    ]
    workspace(app).use_mode("hardened")
    workspace(app).seen.readings.clear()
    app.run()
    assert errors(app) == []
    assert "Nobody has checked whether values of “when” are in your days, from 1990" in words(app)


def test_the_file_of_a_tier_holds_its_numbers_and_facts(open_page):
    app = own(open_page)
    app.button(key="counting_draw_partners").click().run()
    ws = workspace(app)

    mine = subject(ws, own_stream(app), Branching())
    ((tier, entry),) = held_tiers(ws, mine.asking, mine.tiers(ws)[0])
    text = tier_csv(release_of(ws, entry)).decode("utf-8-sig")
    top, table = text.split("\r\n\r\n")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [r["entry"] for r in rows][:2] == ["2025-01-01", "2025-01-02"]
    np.testing.assert_array_equal([float(r["value"]) for r in rows], tier.values)
    facts = dict(ws.facts_of(entry))
    assert "running count" in facts["statistic"]
    assert facts["sensitivity"].startswith("Δ₁ = h·c = ")
    assert "whole" not in facts["accuracy"]
    assert "# seed" not in top


def test_typed_counts_draw_and_larger_contributions_need_more_noise(open_page):
    app = typed(open_page("continual_counting"), "3\n0\n12\n7", moved="2")
    app.button(key="counting_draw_audit").click().run()
    one = workspace(app).sessions[0].mechanism
    assert one.levels == pytest.approx((2 * one.tree.height / EPSILON_OF_AUDIT,))
    typed(app, "3\n0\n12\n7", moved="1")
    assert not app.button(key="counting_draw_audit").disabled  # another session
    typed(app, "3 4")  # the shortest stream
    app.button(key="counting_draw_public").click().run()
    assert not app.exception
    assert lines(app)["public"].keys() == {1.0, 2.0}


BAD_COUNTS = {
    "3\n-1\n2": "entry 2 is below 0",
    "3\n1.5": "entry 2 is a fraction",
    "3\nx": "entry 2 cannot be used",
    "1e300": "entry 1 cannot be used",
    "5": "A stream needs at least two steps",
}
BAD_NUMBERS = [
    ("counting_arity", "101", "Type a whole number from 2 to 100"),
]


def test_typed_counts_that_cannot_be_get_one_sentence(open_page):
    app = typed(open_page("continual_counting"), "")
    assert "Nothing is typed yet" in words(app)
    for text, sentence in BAD_COUNTS.items():
        app.text_area(key="counting_typed").set_value(text).run()
        assert len(errors(app)) == 1
        assert sentence in errors(app)[0]
        assert app.text_area(key="counting_typed").value == text
    assert read_counts("1, 2;3") == (1, 2, 3)


def test_what_is_typed_wrong_gets_one_sentence(open_page):
    app = open_page("continual_counting")
    for key, text, sentence in BAD_NUMBERS:
        before = app.text_input(key=key).value
        app.text_input(key=key).set_value(text).run()
        assert not app.exception
        assert len(errors(app)) == 1
        assert sentence in errors(app)[0]
        assert app.text_input(key=key).value == text
        app.text_input(key=key).set_value(before).run()
    assert errors(app) == []


def test_a_budget_that_cannot_be_joins_nobody(open_page):
    app = open_page("continual_counting")
    app.text_input(key="counting_joining").set_value("0").run()
    app.button(key="counting_join").click().run()
    assert "is not a budget" in errors(app)[0]
    assert COUNCIL.name not in lines(app)


def test_a_table_without_times_says_so(open_page):
    app = open_page("continual_counting")
    segment(app, "counting_source", "my table")
    assert "no column of times" in head(app)
    assert errors(app) == []


def test_the_head_carries_the_librarys_numbers(open_page):
    app = open_page("continual_counting")
    tree = chosen_tree(1008)
    used, scale = vertices_used(tree, 1008), tree.height / EPSILON_OF_AUDIT
    for hour in (OPENS, 705):  # the sentence, the picture and the slider speak of one hour
        step(app, hour)
        fresh = plain(pm(laplace_sum_half_width(hour, 1 / EPSILON_OF_AUDIT, 0.95)))
        ours = plain(pm(laplace_sum_half_width(int(used[hour - 1]), scale, 0.95)))
        start = f"Noise on blocks of hours keeps audit’s total within {ours} calls;"
        assert head(app).startswith(start)
        assert f"Calls so far at hour {hour}" in words(app)
        assert f"; separate noise every hour, just as private, would make it {fresh}." in head(app)
        told = [plain(note["text"]) for note in specs(app)[0]["layout"]["annotations"]]
        assert any(text.endswith(ours) and "audit" in text for text in told)
        assert any(text.endswith(f"separate noise every hour, {fresh}") for text in told)


def test_hardened_mode_draws_whole_numbers_and_reveals_nothing(open_page):
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value("hardened").run()
    app.switch_page("pages/continual_counting.py").run()
    assert {t.label for t in app.toggle} == {"Blocks may be subtracted"}  # nothing to reveal
    typed(app, "3\n0\n12\n7")
    assert "Practice mode" not in words(app)
    assert {t.label for t in app.toggle} == {"Blocks may be subtracted"}
    app.button(key="counting_draw_public").click().run()
    (one,) = workspace(app).sessions
    values = one.mechanism.release(held_epsilon(app))
    assert (one.mode, values.dtype) == ("hardened", np.int64)
    ws = workspace(app)
    assert "total variation 0" in dict(ws.facts_of(ws.ledger[0]))["guarantee, coalitions"]
    assert "holds the true count at least 95 times in 100" in words(app)
    assert "cannot be repeated" in app.code[-1].value


def held_epsilon(app):
    return float_below(exact(workspace(app).ledger[0].event.budget))
