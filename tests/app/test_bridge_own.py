"""The user's own statistic on the Bridge paths page: sums, means, sealed, hardened sessions."""

import numpy as np
import pytest

from dpviz.ui.data.query_controls import MEAN, SUM
from tests.app.reading import button, errors, everything, numbers_in, specs, words, workspace
from tests.app.test_bridge_paths import slider
from tests.app.test_statistics import COLUMN, opened_with_table
from tests.app.test_statistics import use as use_statistic
from tests.conftest import few


def on_own(app):
    app.switch_page("pages/bridge_paths.py").run()
    app.segmented_control(key="bridge_source").set_value("my statistic").run()
    return app


def exact_is_nowhere(app):
    """No number of any figure is an exact one, in steps or in units; nor is one written down."""
    ws, said = workspace(app), everything(app)
    shown = np.array([x for spec in specs(app) for x in numbers_in(spec)])
    assert shown.size
    for value in ws.exact().astype(float):
        for exact in (value, value * ws.statistic.query.step):
            assert np.abs(shown - exact).min() > 1e-9 * max(1.0, abs(exact)), exact
            assert f"{exact:,.0f}" not in said
            assert f"{exact:.0f}" not in said


@pytest.mark.usefixtures("unfolded", "pictured")
@pytest.mark.parametrize("kind", few([SUM, MEAN], 2))
def test_the_exact_numbers_of_sums_and_means_are_in_no_figure(
    open_page, tmp_path, monkeypatch, kind
):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    query = use_statistic(app, kind, COLUMN)
    assert query.step != 1
    on_own(app)
    button(app, "Draw the release of").click().run()
    slider(app).set_value(slider(app).options[8]).run()
    button(app, "’s number").click().run()
    assert errors(app) == []
    assert len(workspace(app).ledger) == 2
    for place in (0, 20, -1):
        slider(app).set_value(slider(app).options[place]).run()
        exact_is_nowhere(app)
    assert "The chance of this number is hidden: it would tell the exact number" in words(app)
    released = float(workspace(app).held[-1].values[0]) * query.step
    assert np.abs(np.array(list(numbers_in(specs(app)[0]))) - released).min() < 1e-6
    app.toggle(key="bridge_reveal").set_value(True).run()
    with pytest.raises(AssertionError):  # the check itself can fail
        exact_is_nowhere(app)


def test_a_sealed_session_says_so_in_one_sentence_and_still_draws_noisier_tiers(open_page):
    app = open_page("releases")
    ws = workspace(app)
    ws.draw("partners")
    ws.seal(ws.held[-1])
    on_own(app)
    assert not any(t.key == "bridge_reveal" for t in app.toggle)
    options = slider(app).options
    slider(app).set_value(options[-1]).run()
    button(app, "’s number").click().run()
    assert len(errors(app)) == 1
    assert errors(app)[0].count(". ") <= 1
    slider(app).set_value(options[0]).run()
    button(app, "’s number").click().run()
    assert errors(app) == []
    assert len(ws.ledger) == 2


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize("family", few(["discrete_laplace", "poisson", "skellam"], 3))
def test_a_hardened_session_works_and_reveals_nothing(open_page, family):
    app = open_page("releases")
    ws = workspace(app)
    ws.use_mode("hardened")
    ws.family_name = family
    ws.restyle()
    ws.draw("public", "research")
    on_own(app)
    assert "Hardened" in "".join(b.label for b in getattr(app, "badge", [])) + words(app)
    assert not any(t.key == "bridge_reveal" for t in app.toggle)
    button(app, "’s number").click().run()
    assert errors(app) == []
    assert len(ws.ledger) == 3
    names = {t.get("name") for t in specs(app)[0]["data"]}
    assert {"held", "thread"} <= names
    first = min(t.level for t in ws.held)
    noise = np.sqrt(ws.family.variance(first)) * ws.statistic.query.step
    for trace in specs(app)[0]["data"]:
        at = [y for y in numbers_in(trace["y"]) if y == y]
        assert min(at, default=noise) >= noise * (1 - 1e-9)  # nothing above the least noisy one
