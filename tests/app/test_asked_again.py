"""From a count to a mean on the pages: every ± is asked again, and headlines speak of my groups."""

from dpviz.planning.tiers import Tier, as_rows
from dpviz.ui.data.query_controls import MEAN
from dpviz.ui.kit.group_controls import COLUMN
from tests.app.reading import button, errors, fill, plain, upload, words, workspace

ROWS = b"ward,cost\n" + b"".join(b"%s,%d\n" % (b"A" if i % 4 else b"B", i % 50) for i in range(800))
TIERS = (
    Tier(name="audit", amount="0.4", kind="ρ"),
    Tier(name="press", amount="50", kind="±a 95 %"),
)


def test_a_half_width_of_people_is_asked_again_for_a_mean(open_page):
    app = upload(open_page("data"), ROWS)
    fill(app, {"For": COLUMN, "Column of the groups": "ward"})
    fill(app, {"Groups to publish, one per line": "A\nB"})
    button(app, "Use this statistic").click().run()
    assert workspace(app).use_tiers(as_rows(TIERS)) == []
    fill(app, {"What": MEAN})
    fill(app, {"Number": "cost"})
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "50"})
    assert "The page Tiers will ask for the ± of press again" in words(app)
    button(app, "Use this statistic").click().run()
    assert "will ask for the ±" not in words(app)
    app.switch_page("pages/tiers.py").run()
    assert errors(app) == ["Budget of press is empty. Type a number above 0, for example 50."]
    (told,) = [plain(each.value) for each in app.info]
    assert told.startswith("A ± of one statistic says nothing of another")
    assert told.endswith("now in rows. Before: press ±50 people (95 %).")
    app.switch_page("pages/releases.py").run()
    assert "Some tiers cannot be used: the page Tiers says why." in words(app)
    keys = {button.key for button in app.button}
    assert keys >= {"draw_audit"}
    assert "draw_press" not in keys


def test_the_headline_of_a_mean_speaks_of_the_sizes_that_are_typed(open_page):
    app = upload(open_page("data"), ROWS)
    fill(app, {"What": MEAN, "For": COLUMN, "Column of the groups": "ward"})
    fill(app, {"Number": "cost", "Groups to publish, one per line": "A\nB"})
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "50"})
    button(app, "Use this statistic").click().run()
    app.switch_page("pages/tiers.py").run()
    assert "Public will see each mean of 100 rows within" in words(app)
    fill(app, {"Expected sizes": "A: 600\nB: 200"})
    assert "Public will see each mean of at least 200 rows within" in words(app)
    app.switch_page("pages/releases.py").run()
    assert "Public will see each mean of at least 200 rows within" in words(app)
    assert "of “cost” for each mean of at least 200 rows" in "".join(
        plain(b.help or "") for b in app.button
    )
    app.button(key="draw_rest").click().run()
    assert "Public sees each mean of at least 200 rows within" in words(app)
