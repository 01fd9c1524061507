"""AppTest re-detects pages/ before each run and would skip app.py; this keeps app.py in charge."""

from collections.abc import Callable

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from tests.serving import PATIENCE, ROOT


@pytest.fixture(autouse=True)
def _entry_script_always_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    real = PagesManager.__init__

    def init(self, *args, **kwargs):
        PagesManager.uses_pages_directory = False
        real(self, *args, **kwargs)

    monkeypatch.setattr(PagesManager, "__init__", init)


@pytest.fixture
def open_page() -> Callable[[str], AppTest]:
    """Open a page of a fresh workspace and check that it ran."""

    def opened(file: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
        if file != "start":
            app.switch_page(f"pages/{file}.py").run()
        assert not app.exception
        return app

    return opened
