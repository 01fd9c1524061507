"""Names from a file that mean something in Markdown or HTML are literal on every page."""

import io

import pandas as pd
import pytest

from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.group_controls import COLUMN, TWO
from tests.app.reading import (
    BY_COLUMN,
    SEVERAL,
    button,
    errors,
    fill,
    specs,
    texts_in,
    workspace,
)
from tests.app.test_upload import upload
from tests.conftest import FULL, few

HOSTILE = [
    ("![](http://host.invalid/x.png)", "**bold**", "`code`"),
    ("<script>alert(1)</script>", '<a href="http://host.invalid">go</a>', "<b>x"),
]
RENDERED = ("title", "markdown", "caption", "header", "subheader", "error", "warning", "info")
LABELLED = ("button", "selectbox", "text_input", "text_area", "radio", "checkbox", "toggle")
LISTED = "Groups to publish, one per line"
MARKUP = ("<script", "<a href", "<b>x")  # what a figure would make of a name


def assert_literal(app, signs):
    """No text that renders has one of the signs as it was written, no figure has its markup."""
    rendered = [e.value for kind in RENDERED for e in getattr(app, kind)]
    rendered += [w.label for kind in LABELLED for w in getattr(app, kind)]
    for table in app.table:
        rendered += [str(c) for c in (*table.value.columns, *table.value.to_numpy().ravel())]
    assert not [text for text in rendered if any(sign in text for sign in signs)]
    assert not [text for text in texts_in(specs(app)) if any(sign in text for sign in MARKUP)]


def table_of(name):
    """A table whose every column name and group is hostile."""
    columns = {f"{name} {role}": [f"{name}{i % 2}" for i in range(6)] for role in ("g", "h")}
    frame = pd.DataFrame({**columns, f"{name} n": range(6), f"{name} p": [1, 1, 2, 2, 3, 3]})
    sink = io.StringIO()
    frame.to_csv(sink, index=False)
    return sink.getvalue().encode()


ASKED = ((SUM, TWO), (MEAN, COLUMN), (COUNT, COLUMN))


@pytest.mark.usefixtures("pictured", "unfolded")
@pytest.mark.parametrize(
    ("signs", "first"), [(HOSTILE[0], 0), (HOSTILE[1], 1)] if FULL else [(sum(HOSTILE, ()), 1)]
)
def test_hostile_names_are_literal_everywhere(open_page, signs, first):
    name = " ".join(signs)
    app = upload(open_page("data"), table_of(name), name="t.csv")
    assert_literal(app, signs)
    groups = f"{name}0\n{name}1"
    for kind, split in ASKED if FULL else ASKED[first : first + 1]:
        fill(app, {"What": kind, "For": split, SEVERAL: BY_COLUMN})
        questions = {"Column that names the person": f"{name} p"}
        if split == TWO:
            questions |= {"First column": f"{name} g", "Second column": f"{name} h"}
        else:
            questions |= {"Column of the groups": f"{name} h"}
        fill(app, questions | ({"Number": f"{name} n"} if kind != COUNT else {}))
        for area in app.text_area:
            assert area.label.startswith(LISTED)
            area.set_value(groups)
        fill(app, {"Lower clip": "0", "Upper clip": "5", "Rows": "1"} if kind != COUNT else {})
        assert errors(app) == []
        assert_literal(app, signs)
        button(app, "Use this statistic").click().run()
        query = workspace(app).statistic.query
        assert query.bounds.person == f"{name} p"
        assert query.labels[0] == (f"{name}0 × {name}0" if split == TWO else f"{name}0")
        for page in few(("releases", "tiers", "present", "start", "data"), 2):
            app.switch_page(f"pages/{page}.py").run()
            for rest in [b for b in app.button if b.key == "draw_rest"]:
                rest.click().run()
            assert_literal(app, signs)
