"""The dashboard as a visitor drives it and reads it: text, figures decoded, code samples run."""

import base64
import contextlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
from streamlit.testing.v1 import AppTest

from dpviz.ui.kit import shell
from dpviz.ui.kit.bound_controls import COLUMN as BY_COLUMN  # noqa: F401 - for the tests
from dpviz.ui.kit.bound_controls import ROW as NO
from dpviz.ui.kit.bound_controls import UNKNOWN  # noqa: F401 - for the tests
from dpviz.ui.kit.page_form import PageForm
from dpviz.ui.releases.drawing import CLOSES
from dpviz.workspace.workspace import Workspace
from tests.serving import PATIENCE, ROOT
from tests.visiting import plain

LISTED = "Groups to publish, one per line"
SEVERAL = "Can "  # how the question begins: a person, or an aircraft, have several rows


class App(AppTest):
    """A tab with the dashboard."""

    @classmethod
    def opened(cls, **asked: str) -> Self:
        """A new tab, whose address asks for this; it is not run yet."""
        app = cls(ROOT / "app.py", default_timeout=PATIENCE)
        for name, value in asked.items():
            app.query_params[name] = value
        return app

    def workspace(self) -> Workspace:
        return self.session_state["workspace"]

    def shelf(self, name: str) -> dict[Any, Any]:
        """What the session keeps on a shelf: things by what was asked."""
        every = self.session_state["shelves"].items()
        return {key: thing for (where, key), thing in every if where == name}

    def words(self) -> str:
        """All text of the page, plain: without Markdown escapes and narrow spaces."""
        kinds = ("title", "header", "subheader", "markdown", "caption", "error", "warning", "info")
        found = [element.value for kind in kinds for element in getattr(self, kind)]
        return plain("\n".join(found))

    def in_use(self) -> bool:
        """Whether the other pages show what stands on the page Data: nothing is to be pressed."""
        return "use_statistic" not in self.buttons()

    def saving(self) -> Self:
        """Open the box of the eyebrow in which work is saved and projects are opened."""
        self.session_state[shell.BOX] = True
        return self.run()

    def later(self) -> Self:
        """Open what comes after the plan on the page Releases, which each act in it shuts."""
        self.session_state[CLOSES] = True
        return self.run()

    def saved(self) -> str:
        """What the eyebrow says of whether the work is saved."""
        labels = [plain(box.proto.popover.label) for box in self.get("popover")]
        return next(label for label in labels if "aved" in label)

    def errors(self) -> list[str]:
        return [plain(e.value) for e in self.error]

    def labelled(self, label: str) -> Any:
        """The first button with this in its label."""
        return next(b for b in self.button if label in b.label)

    def labels(self) -> list[str]:
        """What stands on all buttons, toggles and ticks."""
        return [w.label for kind in (self.button, self.toggle, self.checkbox) for w in kind]

    def buttons(self) -> list[str]:
        """The keys of all buttons."""
        return [b.key for b in self.button]

    def head(self) -> str:
        """The headline."""
        return plain(self.header[0].value)

    def go(self, page: str) -> Self:
        """Go to a page, as by the menu."""
        return self.switch_page(f"pages/{page}.py").run()

    def press(self, key: str) -> Self:
        """Press the button of this key."""
        return self.button(key=key).click().run()

    def type(self, key: str, text: str) -> Self:
        """Type into the field of this key."""
        return self.text_input(key=key).set_value(text).run()

    def segment(self, key: str, value: Any) -> Self:
        """Choose this segment of the control of this key."""
        return self.segmented_control(key=key).set_value(value).run()

    def choose(self, label: str, value: Any) -> Self:
        """Choose in the box of this label."""
        return next(s for s in self.selectbox if s.label == label).set_value(value).run()

    def fill(self, answers: Mapping[str, Any]) -> Self:
        """Answer the questions with these labels, all at once, then run the page."""
        for label, value in answers.items():
            self.widget(label).set_value(value)
        return self.run()

    def widget(self, label: str) -> Any:
        """The one question with this label, or else the one whose label begins so."""
        kinds = (
            *(self.selectbox, self.text_input, self.text_area),
            *(self.radio, self.checkbox, self.toggle),
        )
        asked = [w for kind in kinds for w in kind]
        (found,) = [w for w in asked if w.label == label] or [
            w for w in asked if w.label.startswith(label)
        ]
        return found

    def field(self, label: str) -> Any:
        """The text field of this label."""
        return next(t for t in self.text_input if t.label == label)

    def upload(self, content: bytes, name: str = "visits.csv", rows: str | None = NO) -> Self:
        """Upload a table on the page Data, and say whether a person can have several rows."""
        self.file_uploader[0].upload(name, content, "text/csv").run()
        if rows is not None:
            self.say_rows(rows)
        return self

    def say_rows(self, rows: str = NO) -> None:
        """Answer whether a person can have several rows, if that is asked and not answered yet."""
        for asked in self.radio:
            if re.fullmatch("Can an? .* have several .*[?]", asked.label) and asked.value is None:
                asked.set_value(rows).run()

    def specs(self) -> list[dict[str, Any]]:
        """Every figure of the page, of a test that asks for `pictured`."""
        assert PageForm._show_pictures.__name__ == "_show_pictures", "no figure is made: `pictured`"
        return [json.loads(chart.proto.spec) for chart in self.get("plotly_chart")]

    def everything(self) -> str:
        """All that a page says: its text, tables and code, and every word in its figures."""
        tables = [str(cell) for t in self.table for cell in t.value.to_numpy().ravel()]
        alts = [chart.proto.alt for chart in self.get("plotly_chart")]
        code = [sample.value for sample in self.code]
        return "\n".join([self.words(), *tables, *alts, *code, *texts_in(self.specs())])

    def run_sample(self) -> dict[str, Any]:
        """Execute the page's code sample and return its names."""
        names: dict[str, Any] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(self.code[-1].value, names)
        return names

    def sample_draws_the_same(self) -> None:
        """Whether the sample of the page Releases gives what every tier reads, to the last bit."""
        one = self.workspace().round
        session, read = one.mechanism, one.statistic.query.estimate
        again = self.run_sample()["numbers"]
        assert sorted(again) == sorted(session.levels)
        for level, numbers in again.items():
            held = read(session.release(level) - session.family.mean(level))
            np.testing.assert_array_equal(numbers, held)

    def linked(self) -> set[str]:
        """Files of the pages that are linked; the front page has no name in an address."""
        return {link.proto.page or "start" for link in self.get("page_link")}


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
