"""Hardened mode through the pages: whole numbers, no look at the data, nothing to reveal."""

import numpy as np

from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.group_controls import COLUMN
from tests.app.reading import button, errors, fill, numbers_in, run_sample, specs, words, workspace
from tests.app.test_statistics import CLIPS, LISTED, ROWS, TABLE, exact_numbers
from tests.app.test_upload import upload


def labels(app):
    kinds = (app.button, app.toggle, app.checkbox)
    return [w.label for kind in kinds for w in kind]


def nothing_looks_at_the_data(app):
    offered = " ".join(labels(app))
    for act in ("groups found in the data", "bounding costs", "Reveal the exact"):
        assert act not in offered
    assert "Hardened" in words(app)
    assert "Practice mode" not in words(app)


def test_every_kind_of_statistic(open_page, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value("hardened").run()
    app.switch_page("pages/data.py").run()
    upload(app, TABLE.encode(), name="t.csv")
    for kind in (COUNT, SUM, MEAN):
        fill(app, {"What": kind, "For": COLUMN})
        if kind != COUNT:
            fill(app, {"Number": "num"})
        fill(app, {LISTED: "\n".join(ROWS), **(CLIPS if kind != COUNT else {})})
        assert errors(app) == []
        nothing_looks_at_the_data(app)
        button(app, "Use this statistic").click().run()
        exact = exact_numbers(app)
        app.switch_page("pages/releases.py").run()
        assert not exact & set(numbers_in(specs(app)))  # afterwards a noise of 0 could be there
        assert [t.label for t in app.text_input if "Seed" in t.label] == []
        app.button(key="draw_rest").click().run()
        assert not app.exception
        nothing_looks_at_the_data(app)
        session = workspace(app).round.mechanism
        assert (session.mode, session.family.integer, len(session.levels)) == ("hardened", True, 4)
        assert all(session.release(level).dtype == np.int64 for level in session.levels)
        assert sorted(run_sample(app)["numbers"]) == sorted(session.levels)
        app.switch_page("pages/data.py").run()
        nothing_looks_at_the_data(app)
    assert len(workspace(app).rounds) == 3
