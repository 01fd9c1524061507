"""The page Collusion by AppTest: whose tiers, who compares notes, which group, what is refused."""

import json
import re

import pytest

from dpviz.accounting import coalition_rho
from dpviz.accounting.guarantees import offered
from dpviz.workspace import account
from dpviz.workspace.guesses import right_by
from tests.app.reading import numbers_in, plain, texts_in
from tests.conftest import few

CAST = {"public": (0.1, 1), "partners": (0.2, 6), "research": (0.3, 3), "audit": (0.4, 2)}
SAID = (
    "They gain nothing over audit alone. All four tiers together guess right 673 times in 1,000 "
    "(a coin: 500); with separate noise, 760."
)


def tick(app, *names):
    app.pills(key=next(p.key for p in app.pills if "ticked" in p.key)).set_value(list(names)).run()


def mine(app):
    key = next(s.key for s in app.segmented_control if s.key.startswith("collusion_whose"))
    app.segment(key, "own")


def group(app):
    """What is said of the group that is picked."""
    return plain(next(m.value for m in app.markdown if m.value.startswith("**They gain nothing")))


def figure(app, key):
    """The figure of this key."""
    return next(
        json.loads(c.proto.spec) for c in app.get("plotly_chart") if c.proto.id.endswith(key)
    )


def held_by(**joining):
    return [CAST[name][0] for name, many in joining.items() for _ in range(many)]


@pytest.mark.usefixtures("pictured", "unfolded")
@pytest.mark.parametrize("family", few(offered(), 8))
def test_own_tiers_have_the_numbers_of_the_page_tiers_and_tell_nothing_exact(open_page, family):
    app = open_page("tiers")
    app.radio(key="family_teaching").set_value(family).run()
    joint, alone = (right_by(loss).said for loss in account.plan(app.workspace()))
    drawn = plain(app.everything()).replace("≤ ", "at most ")
    assert {joint, alone} <= set(re.findall(r"at most [\d,]+|\b\d{3}\b", drawn))
    app.go("collusion")
    mine(app)
    least = app.workspace().planned()[0][-1].name  # of Poisson noise three tiers share one level
    assert f"They gain nothing over {least} alone." in app.head()
    assert app.head().endswith(f"; with separate noise, {alone}.")
    names = {trace["name"] for trace in figure(app, "collusion_trade_off")["data"]}
    assert {"shared", "separate", "tossing a coin"} <= names
    assert not app.workspace().rounds  # nothing of the data is touched
    exact = app.workspace().exact()
    answers = {*exact.tolist(), *app.workspace().statistic.query.estimate(exact).tolist()}
    assert len(answers) > 1
    assert not answers & set(numbers_in(app.specs()))
    told = app.everything().replace("<br>", " ")
    told = re.sub(r"\d+ together learn [ρε] = [\d,.]+", "", told)  # 200 × 0.63 is 126
    assert not [n for n in answers if re.search(rf"(?<![\d.,]){n:,.0f}(?![\d,])", told)]


@pytest.mark.opens("collusion_group")
def test_a_group_is_picked(open_page):
    app = open_page("collusion")
    tick(app, "public", "research")
    assert "Public and research together guess right 651 times in 1,000" in group(app)
    assert app.head() == SAID
    tick(app, "public", "partners", "research")
    app.segment("collusion_persons", "everybody")
    held = held_by(public=1, partners=6, research=3)
    assert f"{coalition_rho(held, 'independent').value:.3g}" in group(app)
    own = coalition_rho(held, "global", global_rho=0.4).value
    assert f"ρ {own:.3f}" in plain(" ".join(texts_in(figure(app, "collusion_bars"))))
    tick(app)
    assert "Nobody is ticked." in app.words()
    app.select_slider(key="collusion_count").set_value(20).run()  # does not depend on it
    assert "20 readers of partners together learn ρ = 0.2" in plain(app.words())


def test_the_page_opens_on_the_tiers_of_a_visitor_who_has_some(open_page):
    app = open_page("tiers")
    app.workspace().use_tiers(
        [{"tier": n, "budget": b, "as": "ρ"} for n, b in (("a", 1), ("b", 2))]
    )
    app.go("collusion")
    assert "Both tiers together guess right" in app.head()
    assert "nothing over b alone" in app.head()
