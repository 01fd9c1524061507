"""Noise so small that nearly every number stays exact: ± rounds to 0, and every page still shows.

Discrete Laplace noise is 0 in 98.7 % of all draws at ε = 5 and a sensitivity of 1, Skellam noise in
most at ε = 20.
"""

import math
import re

import pytest

from dpviz.planning.presets import Preset
from dpviz.planning.tiers import Tier
from tests.app.reading import everything, numbers_in, specs, workspace
from tests.conftest import FULL, few, full_run

OF_A_PLAN = ("tiers", "bridge_paths", "variances", "collusion", "releases")  # before a draw
OF_RELEASES = ("tiers", "present", "collusion", "releases")  # after it
PLANS = {
    "some at 0": ("0.1", "5", "30"),
    "a wide ladder": ("0.01", "1", "30"),
    "all at 0": ("30", "45"),
    "one at 0": ("30",),
}


def planned(open_page, mode, family, amounts):
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value(mode).run()
    app.radio(key=f"family_{mode}").set_value(family).run()
    tiers = tuple(Tier(name=f"tier {amount}", amount=amount, kind="ε") for amount in amounts)
    ws = workspace(app)
    ws.plan.use_preset(Preset(name="tiny", story="tiny noise", tiers=tiers), ws.setting)
    app.run()
    least = ws.planned()[0][-1].budget.half_width
    assert least == 0, least
    return app


@full_run
@pytest.mark.usefixtures("pictured", "unfolded")
@pytest.mark.parametrize(
    ("mode", "family"), few([("teaching", "discrete_laplace"), ("hardened", "skellam")], 2)
)
@pytest.mark.parametrize("name", PLANS if FULL else ["some at 0"])
def test_every_page_shows_a_plan_without_noise_to_speak_of(open_page, mode, family, name):
    amounts = PLANS[name]
    app = planned(open_page, mode, family, amounts)
    for drawn, pages in ((False, OF_A_PLAN), (True, OF_RELEASES)):
        for page in few(pages, 2):
            app.switch_page(f"pages/{page}.py").run()
            assert not any(map(math.isinf, numbers_in(specs(app)))), (page, drawn)
            text = everything(app)
            assert "nan" not in text.lower().split(), (page, drawn)
            assert "±∞" not in text, (page, drawn)
            assert not re.search(r"±\s?0(?![.\d])", text), (page, drawn)
            if page == "tiers":
                assert "usually exact" in text
        if not drawn:
            for tick in [c for c in app.checkbox if c.label == "I mean this budget"]:
                tick.check()
            app.button(key="draw_rest").click().run()
            assert len(workspace(app).round.mechanism.levels) == len(amounts)
