"""No figure changes what it is handed or has an exact answer: each, as the pages call it."""

import ast
import copy
import importlib
import sys
from dataclasses import fields, is_dataclass
from functools import wraps

import numpy as np
import pandas as pd
import pytest

from dpviz.data import SAMPLE, load
from dpviz.queries import ByColumn, Count
from dpviz.ui.growing_trust.stories import STORIES
from dpviz.ui.kit.insurer import NOISY
from dpviz.ui.kit.page_table import PAGES
from tests.app.reading import numbers_in
from tests.conftest import FULL, full_run
from tests.serving import ROOT

FOLDED = ("bounding_reveal", "collusion_losses")  # pictures behind a toggle
COUNTS = {"a": 2711, "b": 3313, "c": 4127}  # no pixel and no position has such a number
OF_A_PLAN = ("data", "tiers", "releases", "present", "start", "bridge_paths", "collusion")
NEXT, AGAIN, GUESS = "lesson_next", "lesson_again", "lesson_guess_I"
SKIP = "lesson_skip_opening"
NOTEBOOKS = "".join(
    file.read_text(encoding="utf-8") for file in sorted((ROOT / "docs/notebooks").glob("*.py"))
)  # `make docs` draws theirs
CHARTS = sorted((ROOT / "dpviz/charts").rglob("*.py"))


def figure_functions():
    """Every public function of dpviz/charts that gives a figure or a picture: module and name."""
    return [
        (".".join(file.relative_to(ROOT).with_suffix("").parts), node.name)
        for file in CHARTS
        if file.name != "theme.py"  # `dress` finishes a figure, and says so
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if node.returns is not None and ast.unparse(node.returns) in ("go.Figure", "Picture")
    ]


def same(before, after):
    """Whether two arguments are alike, down to the last cell."""
    if isinstance(before, pd.DataFrame):
        return before.equals(after) and list(before.dtypes) == list(after.dtypes)
    if isinstance(before, np.ndarray):
        return before.dtype == after.dtype and before.tobytes() == after.tobytes()
    if isinstance(before, dict):
        return list(before) == list(after) and same([*before.values()], [*after.values()])
    if isinstance(before, list | tuple):
        return len(before) == len(after) and all(map(same, before, after))
    if is_dataclass(before):
        return all(same(getattr(before, f.name), getattr(after, f.name)) for f in fields(before))
    return True


@pytest.fixture
def called(monkeypatch):
    """Figure functions that were called; a call compares its arguments before and after.

    Each call does in the full run, here the first, at which a function is asked twice, too, and
    gives two figures.
    """
    seen = set()
    for file in (ROOT / "dpviz/ui").rglob("*.py"):  # what is loaded later would keep the watch
        importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    for module, name in figure_functions():
        real = getattr(importlib.import_module(module), name)

        def watched(*args, _real=real, _name=name, **kwargs):
            if _name in seen and not FULL:
                return _real(*args, **kwargs)
            before = copy.deepcopy((args, kwargs))
            fig = _real(*args, **kwargs)
            assert same(before, (args, kwargs)), _name
            if _name not in seen:
                assert fig is not _real(*args, **kwargs), _name
            seen.add(_name)
            return fig

        for used in [m for key, m in sys.modules.items() if key.startswith("dpviz.")]:
            if getattr(used, name, None) is real:
                monkeypatch.setattr(used, name, wraps(real)(watched))
    return seen


@pytest.fixture
def app(open_page):
    """The dashboard with a table of three groups."""
    content = "g\n" + "".join(f"{group}\n" * n for group, n in COUNTS.items())
    app = open_page("data").upload(content.encode(), "primes.csv")
    app.labelled("groups found in the data").click().run()
    app.press("use_statistic")
    assert set(app.workspace().exact().tolist()) == set(COUNTS.values())
    return app


def look(app):
    """A run without an error, and no figure has an exact answer."""
    assert not {*COUNTS.values()} & {*numbers_in(app.specs())}


@pytest.mark.usefixtures("pictured", "unfolded", "called")
def test_no_figure_of_a_plan_changes_what_it_is_handed_or_has_an_exact_answer(app):
    for drawn in ((), ("public", "audit")):
        app.workspace().draw(*drawn)
        for file in ("data", "tiers", "releases"):
            look(app.go(file))


@full_run
@pytest.mark.usefixtures("pictured", "unfolded")
def test_no_figure_changes_what_it_is_handed_or_has_an_exact_answer(app, called):
    for file in OF_A_PLAN:
        look(app.go(file))
    app.workspace().draw("public", "audit")
    for page in PAGES:
        app.query_params.clear()  # a lesson begins at its first screen
        look(app.go(page.file))
        for toggle in [t for t in app.toggle if t.key.startswith(FOLDED)]:
            look(toggle.set_value(True).run())
        if any(b.key == AGAIN for b in app.button):  # the front page, for one who has drawn
            look(app.button(key=AGAIN).click().run())
        if page.file == "linear_queries":
            look(app.selectbox(key="linear_asked").set_value("every week by itself").run())
        for story in STORIES if page.file == "growing_trust" else ():
            look(app.segmented_control(key="trust_story").set_value(story).run())
        while on := [b.key for b in app.button if b.key in (SKIP, NEXT)]:  # screen by screen
            look(app.button(key=on[0]).click().run())
            if any(b.key == GUESS for b in app.button):  # a round of the insurer's game
                look(app.segmented_control(key="start_2_opening_choice").set_value(NOISY).run())
            while any(b.key == GUESS for b in app.button):
                look(app.button(key=GUESS).click().run())
    app.go("falsify")
    app.text_area(key="falsify_own_table").set_value("0 1/2 1/3\n1 1/2 1/3\n2 0 1/3").run()
    app.query_params["lecture"] = "on"
    app.go("trust_grows")
    app.query_params.clear()
    app.workspace().bring(load(SAMPLE), SAMPLE.loading)
    app.workspace().state(Count(ByColumn("education", tuple("abcdefghijklm"))))  # no rulers
    app.workspace().draw("public")
    app.go("releases")
    others = {name for _, name in figure_functions()} - called
    assert not {name for name in others if name not in NOTEBOOKS}


def test_only_dress_is_handed_a_figure():
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in CHARTS]
    for node in [node for tree in trees for node in ast.walk(tree)]:
        if isinstance(node, ast.FunctionDef) and node.name != "dress":
            given = [*node.args.args, *node.args.kwonlyargs]
            assert not [a for a in given if a.annotation and "Figure" in ast.unparse(a.annotation)]
