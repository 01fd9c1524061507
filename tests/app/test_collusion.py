"""The Collusion page by AppTest: its sentence is the library's, and its sample reproduces it."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import coalition_rho, gaussian_advantage, gaussian_trade_off, rho_to_mu
from dpviz.accounting.guarantees import offered
from dpviz.charts.collusion.frame import SCHEMES
from dpviz.noise import FAMILIES
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows
from dpviz.ui.kit import controls
from dpviz.words import loss, percent
from dpviz.workspace import account
from dpviz.workspace.guesses import right_by
from dpviz.workspace.sessions import Statistic
from tests.app.reading import (
    errors,
    everything,
    numbers_in,
    plain,
    run_sample,
    specs,
    texts_in,
    words,
    workspace,
)
from tests.conftest import few

CAST = {"public": (0.1, 1), "partners": (0.2, 6), "research": (0.3, 3), "audit": (0.4, 2)}


def tick(app, *names):
    app.pills(key=next(p.key for p in app.pills if "ticked" in p.key)).set_value(list(names)).run()
    assert not app.exception


def mine(app):
    key = next(s.key for s in app.segmented_control if s.label == "Whose tiers?")
    app.segmented_control(key=key).set_value("own").run()
    assert not app.exception


def count(app, how):
    app.segmented_control(key="collusion_persons").set_value(how).run()
    assert not app.exception


def pick(app, how):
    app.segmented_control(key="collusion_picked").set_value(how).run()
    assert not app.exception


def group(app):
    """What is said of the group that is picked."""
    return plain(next(m.value for m in app.markdown if "a privacy loss bounded by" in m.value))


def figure(app, key):
    """The figure of this key."""
    return next(
        json.loads(c.proto.spec) for c in app.get("plotly_chart") if c.proto.id.endswith(key)
    )


def held_by(**joining):
    return [CAST[name][0] for name, many in joining.items() for _ in range(many)]


def test_the_page_opens_on_the_cast_of_the_made_up_town(open_page):
    app = open_page("collusion")
    assert plain(app.header[0].value) == (
        "They gain nothing. All four tiers together guess right 673 times in 1,000, as often as "
        "audit alone; with separate noise, 760."
    )
    text = words(app)
    assert "One reader of each tier. Both ways use the same amount of noise." in text
    assert "Averaged pieces: if all budgets are known beforehand" in text
    assert "none: the made-up town" in text
    assert not workspace(app).rounds


def test_readers_are_counted_one_by_one(open_page):
    app = open_page("collusion")
    count(app, "everybody")
    assert plain(app.header[0].value) == (
        "They gain nothing. All 12 readers together guess right 673 times in 1,000, as often as "
        "audit alone; with separate noise for each, 890."
    )
    assert "12 readers: 2 audit, 3 research, 6 partners and public as 1 (its number" in words(app)


@pytest.mark.parametrize("family", offered())
def test_the_page_opens_with_the_numbers_of_the_page_tiers(open_page, family):
    app = open_page("tiers")
    app.radio(key="family_teaching").set_value(family).run()
    joint, alone = (right_by(loss).said for loss in account.plan(workspace(app)))
    assert {joint, alone} <= set(re.findall(r"at most [\d,]+|\b\d{3}\b", plain(everything(app))))
    app.switch_page("pages/collusion.py").run()
    mine(app)
    said = plain(app.header[0].value)
    assert f"together guess right {joint} times in 1,000" in said
    assert said.endswith(f"; with separate noise, {alone}.")


def test_the_sample_reproduces_bars_curve_and_squares(open_page):
    app = open_page("collusion")
    count(app, "everybody")
    names = run_sample(app)
    bars = figure(app, "collusion_bars")["data"]
    for bar, scheme in zip(bars, SCHEMES, strict=True):
        base, long = (np.array(list(numbers_in(bar[part]))) for part in ("base", "x"))
        assert max(base + long) == pytest.approx(names["learned"][scheme], rel=1e-12)
    curve = np.array(list(numbers_in(figure(app, "collusion_members"))))
    for value in names["members"].values():
        assert min(abs(curve - value)) < 1e-12
    assert names["members"]["global"] == pytest.approx(0.32, abs=1e-4)
    for scheme, share in names["success"].items():
        assert f"{scheme.capitalize()}: {round(1000 * share)} of 1,000 right" in words(app)
    assert f"The simulated attacker: {1000 * names['apart'].success():.0f} (±" in words(app)
    errors_shown = np.array(list(numbers_in(figure(app, "collusion_errors"))))
    for value in (*names["together"].joining, *names["apart"].joining):
        assert min(abs(errors_shown - value)) < 1e-12


def test_picking_a_group_changes_what_is_said_of_it_and_nobody_is_an_empty_state(open_page):
    app = open_page("collusion")
    head = app.header[0].value
    pick(app, "one")
    tick(app, "public", "research")
    together = round(500 * (1 + gaussian_advantage(rho_to_mu(0.4))))
    assert group(app).startswith(
        "**They gain nothing. Public and research together guess right 651 times in 1,000, as "
        f"often as research alone; with separate noise, {together}.**"
    )
    assert "exactly what research learns alone" in group(app)
    assert app.header[0].value == head  # it goes on speaking of all
    tick(app, "audit")
    assert "Audit alone guesses right 673 times in 1,000 (a coin: 500)" in group(app)
    tick(app)
    assert "Nobody is ticked." in words(app)
    assert figure(app, "collusion_members")  # does not depend on it


def test_everybody_of_a_group_joins_by_head_count(open_page):
    app = open_page("collusion")
    tick(app, "public", "partners", "research")
    held = held_by(public=1, partners=6, research=3)
    assert "10 persons" in words(app)
    right = round(
        500 * (1 + gaussian_advantage(rho_to_mu(coalition_rho(held, "independent").value)))
    )
    assert "The ten readers of public, partners and research together" in group(app)
    assert f"with separate noise for each, {right}.**" in group(app)
    own = coalition_rho(held, "global", global_rho=0.4).value
    assert max(numbers_in(figure(app, "collusion_bars")["data"][2]["x"])) < own
    assert f"ρ {own:.3f}" in plain(" ".join(texts_in(figure(app, "collusion_bars"))))


def test_head_counts_are_typed(open_page):
    app = open_page("collusion")
    tick(app, "public", "partners", "research")
    pick(app, "typed")
    fields = {f.label.split()[-1]: f for f in app.number_input}
    assert {name: field.value for name, field in fields.items()} == {
        "public": 1,
        "partners": 6,
        "research": 3,
    }
    fields["partners"].set_value(2).run()
    assert not app.exception
    held = held_by(public=1, partners=2, research=3)
    assert "6 persons" in words(app)
    assert f"{coalition_rho(held, 'independent').value:.3g}" in group(app)


def test_a_belief_before_becomes_one_after(open_page):
    app = open_page("collusion")
    app.select_slider(key="collusion_prior").set_value(0.1).run()
    assert not app.exception
    text = next(m.value for m in app.markdown if "does to a belief" in m.value)
    assert "1 : 9" in text
    for yes, no in run_sample(app)["belief"].values():
        assert f"**{percent(yes)}** likely after" in text
        assert f"**{percent(no)}** after" in text
    alpha, beta = 0.05, float(gaussian_trade_off(rho_to_mu(0.4), 0.05))
    exact = 0.1 * (1 - beta) / (0.1 * (1 - beta) + 0.9 * alpha)
    assert run_sample(app)["belief"]["lossless"][0] == pytest.approx(exact, rel=1e-6)


def test_many_members_of_one_tier(open_page):
    app = open_page("collusion")
    for count in (2, 16):
        app.select_slider(key="collusion_count").set_value(count).run()
        value = coalition_rho([0.2] * count, "global", global_rho=0.4).value
        assert f"separate noise **{loss(value)}**" in words(app)
        assert run_sample(app)["members"]["global"] == value


def test_a_global_budget_below_a_tier_is_refused_in_one_sentence(open_page):
    app = open_page("collusion")
    count(app, "everybody")
    before = figure(app, "collusion_bars")
    field = next(t for t in app.text_input if t.label.startswith("Global release"))
    for typed in ("0.3", "x", "-1"):
        field.set_value(typed).run()
        assert not app.exception
        assert len(errors(app)) == 1
        assert figure(app, "collusion_bars") == before
        field = next(t for t in app.text_input if t.label.startswith("Global release"))
    field.set_value("4").run()
    assert not errors(app)
    own = coalition_rho(
        held_by(public=1, partners=6, research=3, audit=2), "global", global_rho=4
    ).value
    assert run_sample(app)["learned"]["global"] == pytest.approx(own)


def test_closed_folds_compute_nothing_and_the_sample_stays_whole(open_page, monkeypatch):
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", False)
    app = open_page("collusion")
    assert len(specs(app)) == 2
    app.session_state["closer_specialists"] = True
    app.run()
    assert set(run_sample(app)) >= {"learned", "members", "success", "belief"}


def test_the_page_opens_on_the_tiers_of_a_visitor_who_has_some(open_page):
    app = open_page("tiers")
    workspace(app).use_tiers([{"tier": n, "budget": b, "as": "ρ"} for n, b in (("a", 1), ("b", 2))])
    app.switch_page("pages/collusion.py").run()
    assert not app.exception
    assert "Both tiers together guess right" in plain(app.header[0].value)
    assert "as often as b alone" in plain(app.header[0].value)


@pytest.mark.parametrize("family", few(offered(), 2))
def test_own_tiers_in_every_family(open_page, family):
    app = open_page("tiers")
    app.radio(key="family_teaching").set_value(family).run()
    app.switch_page("pages/collusion.py").run()
    mine(app)
    least = workspace(app).planned()[0][-1].name  # of Poisson noise three tiers share one level
    assert f"as often as {least} alone" in plain(app.header[0].value)
    assert run_sample(app)["learned"]["lossless"] == workspace(app).planned()[0][-1].budget.loss
    names = run_sample(app)
    for scheme, worlds in (("lossless", names["together"]), ("independent", names["apart"])):
        assert worlds.success() == pytest.approx(names["success"][scheme], abs=0.015)
    assert ("if a person makes the numbers smaller" in str(figure(app, "collusion_trade_off"))) == (
        not FAMILIES[family].symmetric
    )
    assert not workspace(app).rounds  # nothing of the data is touched
    exact = workspace(app).exact()
    answers = {*exact.tolist(), *workspace(app).statistic.query.estimate(exact).tolist()}
    assert len(answers) > 1
    assert not answers & set(numbers_in(specs(app)))
    told = re.sub(r"\d+ together learn [ρε] = [\d,.]+", "", everything(app))  # 200 × 0.63 is 126
    assert not [n for n in answers if re.search(rf"(?<![\d.,]){n:,.0f}(?![\d,])", told)]


def test_what_a_tier_holds_counts_though_its_row_says_less(open_page):
    app = open_page("releases")
    app.button(key="draw_audit").click().run()
    ws = workspace(app)
    rows = as_rows(DEFAULT_TIERS)
    rows[-1]["budget"] = "0.03"
    assert ws.use_tiers(rows) == []
    app.switch_page("pages/collusion.py").run()
    tick(app, "public", "audit")
    assert "what audit learns alone: a privacy loss bounded by ρ = 0.4" in words(app)


def test_the_same_question_shows_the_same_simulation(open_page):
    one, other = open_page("collusion"), open_page("collusion")
    for key in ("collusion_errors", "collusion_trade_off"):
        assert figure(one, key) == figure(other, key)


def test_no_tier_at_all_says_what_to_do(open_page):
    app = open_page("collusion")
    workspace(app).plan.tiers = ()
    mine(app)
    assert "No tier yet." in words(app)
    assert not specs(app)


def test_the_table_lists_every_coalition_under_every_scheme(open_page):
    app = open_page("collusion")
    assert not app.dataframe
    app.toggle(key="collusion_as_table").set_value(True).run()
    assert not app.exception
    table = app.dataframe[0].value.set_index("coalition")
    assert len(table) == 15
    row = table.loc["public, research"]
    assert row["lossless"] == 0.3
    assert row["independent"] == pytest.approx(0.4)
    own = coalition_rho([0.1, 0.3], "global", global_rho=0.4).value
    assert row["global"] == pytest.approx(own, rel=1e-12)


def test_a_name_in_the_table_never_runs_as_a_formula(open_page):
    app = open_page("tiers")
    workspace(app).use_tiers(
        [{"tier": name, "budget": "0.1", "as": "ρ"} for name in ("=1+1", "@SUM(1)", "plain")]
    )
    app.switch_page("pages/collusion.py").run()
    mine(app)
    app.toggle(key="collusion_as_table").set_value(True).run()
    frame = app.dataframe[0].value
    cells = [*frame["coalition"], *frame["least private"]]
    assert any("=1+1" in cell for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_a_person_who_moves_the_total_too_is_looked_for_in_all_numbers(open_page):
    app = open_page("collusion")
    ws = workspace(app)
    ws.use(Statistic(ws.table, replace(ws.statistic.query, total=True), ws.loading))
    ws.family_name = "poisson"
    mine(app)
    assert "from one number" not in words(app)
    assert "This person moves 2 numbers by 1 each. The attacker knows all except whether" in plain(
        words(app)
    )
    success = run_sample(app)["success"]["lossless"]
    assert f"Lossless: {1000 * success:.0f} of 1,000 right" in words(app)


@pytest.mark.parametrize("family", few(["laplace", "poisson"], 2))
def test_where_one_replaces_another_the_page_asks_which_of_two(open_page, family):
    app = open_page("collusion")
    ws = workspace(app)
    bounds = replace(ws.statistic.query.bounds, relation="replace")
    ws.use(Statistic(ws.table, replace(ws.statistic.query, bounds=bounds), ws.loading))
    ws.family_name = family
    mine(app)
    text = plain(words(app))
    assert "Is person A or person B in the table?" in text
    assert "1,000 guesses “A” or “B”" in text
    assert "Putting B in the place of A moves 2 numbers by 1 each (1 up, 1 down)" in text
    for old in ("“in”", "“out”", "one who is in", "this person is in"):
        assert old not in everything(app), old
    names = run_sample(app)
    assert names["moved"].shifts == ((1.0, 1), (-1.0, 1))
    assert names["together"].success() == pytest.approx(names["success"]["lossless"], abs=0.015)
