"""Read what a page shows: text, figures decoded, code samples run."""

import base64
import contextlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from dpviz.ui.kit import shell
from dpviz.ui.kit.bound_controls import COLUMN as BY_COLUMN  # noqa: F401 - for the tests
from dpviz.ui.kit.bound_controls import ROW as NO
from dpviz.ui.kit.bound_controls import UNKNOWN  # noqa: F401 - for the tests
from dpviz.ui.kit.page_form import PageForm
from dpviz.ui.releases.drawing import CLOSES
from dpviz.workspace.workspace import Workspace
from tests.visiting import plain


def workspace(app: AppTest) -> Workspace:
    return app.session_state["workspace"]


def shelf(app, name):
    """What the session keeps on a shelf: things by what was asked."""
    every = app.session_state["shelves"].items()
    return {key: thing for (where, key), thing in every if where == name}


def words(app: AppTest) -> str:
    """All text of the page, plain: without Markdown escapes and narrow spaces."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "error", "warning", "info")
    found = [element.value for kind in kinds for element in getattr(app, kind)]
    return plain("\n".join(found))


def in_use(app: AppTest) -> bool:
    """Whether the other pages show what stands on the page Data: then nothing is to be pressed."""
    return "use_statistic" not in [b.key for b in app.button]


def saving(app: AppTest) -> AppTest:
    """Open the box of the eyebrow in which work is saved and projects are opened."""
    app.session_state[shell.BOX] = True
    app.run()
    return app


def later(app: AppTest) -> AppTest:
    """Open what comes after the plan on the page Releases, which each act in it shuts."""
    app.session_state[CLOSES] = True
    app.run()
    return app


def saved(app: AppTest) -> str:
    """What the eyebrow says of whether the work is saved."""
    labels = [plain(box.proto.popover.label) for box in app.get("popover")]
    return next(label for label in labels if "aved" in label)


def errors(app: AppTest) -> list[str]:
    return [plain(e.value) for e in app.error]


def button(app: AppTest, label: str) -> Any:
    return next(b for b in app.button if label in b.label)


def labels(app: AppTest) -> list[str]:
    """What stands on all buttons, toggles and ticks."""
    return [w.label for kind in (app.button, app.toggle, app.checkbox) for w in kind]


def head(app: AppTest) -> str:
    """The headline."""
    return plain(app.header[0].value)


def go(app: AppTest, page: str) -> AppTest:
    """Go to a page, as by the menu."""
    return app.switch_page(f"pages/{page}.py").run()


def press(app: AppTest, key: str) -> None:
    """Press the button of this key."""
    app.button(key=key).click().run()


def segment(app: AppTest, key: str, value: Any) -> None:
    """Choose this segment of the control of this key."""
    app.segmented_control(key=key).set_value(value).run()


def choose(app: AppTest, label: str, value: Any) -> None:
    """Choose in the box of this label."""
    next(s for s in app.selectbox if s.label == label).set_value(value).run()


def fill(app: AppTest, answers: Mapping[str, Any]) -> None:
    """Answer the questions with these labels, all at once, then run the page."""
    for label, value in answers.items():
        widget(app, label).set_value(value)
    app.run()


def widget(app: AppTest, label: str) -> Any:
    """The one question with this label, or else the one whose label begins so."""
    kinds = (app.selectbox, app.text_input, app.text_area, app.radio, app.checkbox, app.toggle)
    asked = [w for kind in kinds for w in kind]
    (found,) = [w for w in asked if w.label == label] or [
        w for w in asked if w.label.startswith(label)
    ]
    return found


SEVERAL = "Can "  # how the question begins: a person, or an aircraft, have several rows


def upload(
    app: AppTest, content: bytes, name: str = "visits.csv", rows: str | None = NO
) -> AppTest:
    """Upload a table on the page Data, and say whether a person can have several rows of it."""
    app.file_uploader[0].upload(name, content, "text/csv").run()
    if rows is not None:
        say_rows(app, rows)
    return app


def say_rows(app: AppTest, rows: str = NO) -> None:
    """Answer whether a person can have several rows, if that is asked and not answered yet."""
    for asked in app.radio:
        if re.fullmatch("Can an? .* have several .*[?]", asked.label) and asked.value is None:
            asked.set_value(rows).run()


def field(app: AppTest, label: str) -> Any:
    """The text field of this label."""
    return next(t for t in app.text_input if t.label == label)


def specs(app: AppTest) -> list[dict[str, Any]]:
    """Every figure of the page, of a test that asks for `pictured`."""
    assert PageForm._show_pictures.__name__ == "_show_pictures", "no figure is made: `pictured`"
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def numbers_in(value: Any) -> Iterator[float]:
    """Every number of a figure, typed arrays decoded."""
    if isinstance(value, dict) and "bdata" in value:
        yield from np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"]).tolist()
    elif isinstance(value, dict):
        for part in value.values():
            yield from numbers_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def everything(app: AppTest) -> str:
    """All that a page says: its text, tables and code, and every word in its figures."""
    tables = [str(cell) for t in app.table for cell in t.value.to_numpy().ravel()]
    alts = [chart.proto.alt for chart in app.get("plotly_chart")]
    code = [sample.value for sample in app.code]
    return "\n".join([words(app), *tables, *alts, *code, *texts_in(specs(app))])


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a figure; arrays of numbers hold none."""
    if isinstance(value, dict) and "bdata" not in value:
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)
    elif isinstance(value, str):
        yield value


def run_sample(app: AppTest) -> dict[str, Any]:
    """Execute the page's code sample and return its names."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(app.code[-1].value, names)
    return names


def sample_draws_the_same(app: AppTest) -> None:
    """Whether the sample of the page Releases gives what every tier reads, to the last bit."""
    session, read = workspace(app).round.mechanism, workspace(app).round.statistic.query.estimate
    again = run_sample(app)["numbers"]
    assert sorted(again) == sorted(session.levels)
    for level, numbers in again.items():
        held = read(session.release(level) - session.family.mean(level))
        np.testing.assert_array_equal(numbers, held)


def linked(app):
    """Files of the pages that are linked; the front page has no name in an address."""
    return {link.proto.page or "start" for link in app.get("page_link")}
