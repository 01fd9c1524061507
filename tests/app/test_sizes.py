"""Sums up to 1e15 with an accuracy of ±1e-12: sizes that people may type, on every page."""

import pytest

from dpviz.parameters import SIZE
from dpviz.planning.presets import Preset
from dpviz.planning.tiers import Tier
from dpviz.planning.typed import LARGEST
from dpviz.ui.data.query_controls import MEAN, SUM
from dpviz.ui.kit.group_controls import COLUMN
from dpviz.ui.tiers import USUAL_ROWS
from tests.app.reading import (
    button,
    errors,
    everything,
    fill,
    upload,
    workspace,
)
from tests.app.test_statistics import LISTED
from tests.conftest import few, full_run

OF_A_PLAN = ("tiers", "bridge_paths", "variances", "collusion", "releases")  # before a draw
OF_RELEASES = ("tiers", "present", "data", "start", "releases")  # after it
TABLE = "g,num\n" + "".join(f"{'ab'[i % 2]},{i * 10**14}\n" for i in range(10))
TIERS = {"exact": ("1e-12", "±a 95 %"), "less": ("1e-9", "±a 99 %"), "far": ("1e12", "±a 90 %")}


@full_run
@pytest.mark.parametrize(
    ("family", "kind"), few([("gaussian", SUM), ("laplace", SUM), ("laplace", MEAN)], 3)
)
def test_large_sums_with_little_noise(open_page, tmp_path, monkeypatch, family, kind):
    (tmp_path / "t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    app = open_page("data")
    upload(app, TABLE.encode(), "t.csv")
    fill(app, {"What": kind, "For": COLUMN})
    fill(app, {"Number": "num"})
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "1e15", LISTED: "a\nb"})
    assert errors(app) == []
    button(app, "Use this statistic").click().run()
    app.switch_page("pages/tiers.py").run()
    app.radio(key="family_teaching").set_value(family).run()
    ws = workspace(app)
    tiers = tuple(Tier(name=n, amount=a, kind=k) for n, (a, k) in TIERS.items())
    ws.plan.use_preset(Preset(name="sizes", story="sizes", tiers=tiers), ws.setting)
    app.run()
    for drawn, pages in ((False, OF_A_PLAN), (True, OF_RELEASES)):
        for page in pages:
            app.switch_page(f"pages/{page}.py").run()
            assert errors(app) == [], (page, drawn)
            assert not {"nan", "inf"} & set(everything(app).lower().split()), (page, drawn)
        if not drawn:
            app.button(key="draw_rest").click().run()


def test_the_size_that_a_page_suggests_can_be_typed():
    assert SIZE.read(f"{USUAL_ROWS * LARGEST:.6g}", where="Size of a group") == USUAL_ROWS * LARGEST
