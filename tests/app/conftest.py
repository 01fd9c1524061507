"""AppTest re-detects pages/ before each run and would skip app.py; this keeps app.py in charge."""

import functools
from collections.abc import Callable, Iterator

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from dpviz.ui.kit import controls, workers
from tests.serving import PATIENCE, ROOT


@pytest.fixture(autouse=True)
def _entry_script_always_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_script_always_runs(monkeypatch.setattr)


def entry_script_always_runs(change: Callable[[type, str, object], None]) -> None:
    """Keep app.py in charge.

    Args:
        change: sets an attribute of a class, for the time of a test or of a process.
    """
    real = PagesManager.__init__

    def init(self, *args, **kwargs):
        PagesManager.uses_pages_directory = False
        real(self, *args, **kwargs)

    change(PagesManager, "__init__", init)


@pytest.fixture(autouse=True, scope="session")
def _installed_packages_are_read_once() -> Iterator[None]:
    """Each AppTest looks for components in all that is installed, longer than a page takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner,
            "scan_component_manifests",
            functools.cache(manifest_scanner.scan_component_manifests),
        )
        yield


@pytest.fixture(autouse=True)
def _folds_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is inside a fold is tested like all else; `test_folds.py` looks at them closed."""
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", True)


@pytest.fixture(autouse=True)
def _long_work_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppTest has no clock that would ask for results; `processes` computes as the server does."""
    monkeypatch.setattr(workers, "shared", functools.partial(workers.Pool, 0))


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Long work goes to a worker, and ends with the test."""
    monkeypatch.setattr(workers, "shared", _one_worker)
    yield
    for visitor in list(_one_worker()._jobs):
        _one_worker().leave(visitor)


@functools.cache
def _one_worker() -> workers.Pool:
    return workers.Pool(1)


@pytest.fixture
def open_page() -> Callable[[str], AppTest]:
    """Open a page of a fresh workspace, as by its address, and check that it ran."""

    def opened(file: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        app.switch_page(f"pages/{file}.py").run()
        assert not app.exception
        return app

    return opened
