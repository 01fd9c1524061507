"""AppTest re-detects pages/ before each run and would skip app.py; this keeps app.py in charge."""

import functools
from collections.abc import Callable, Container, Iterator, Mapping
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest, app_test, element_tree, local_script_runner

from dpviz.charts import theme
from dpviz.data import visits
from dpviz.ui.kit import controls, workers
from dpviz.ui.kit.page_form import PageForm
from dpviz.ui.releases import page as releases
from dpviz.workspace.workspace import Workspace
from tests.app.reading import App
from tests.conftest import FULL


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
def _apptest_is_quick() -> Iterator[None]:
    """What AppTest does around each run takes as long as a small page, and need not."""
    with pytest.MonkeyPatch.context() as patch:
        # dpviz brings no component, for which all installed packages would be searched.
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        patch.setattr(app_test, "ScriptCache", functools.cache(app_test.ScriptCache))
        patch.setattr(local_script_runner, "require_widgets_deltas", _ended)
        patch.setattr(script_run_context, "populate_hash_if_needed", lambda _: None)
        patch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", _heeded)
        patch.setattr(element_tree.Block, "__iter__", _every_node)
        patch.setattr(SafeSessionState, "filtered_state", property(_State))
        patch.setattr(app_test, "MagicMock", lambda spec: MagicMock(spec=_names_of(spec)))
        yield


@pytest.fixture(autouse=True, scope="session")
def _a_traceback_fails_its_test() -> Iterator[None]:
    """Whatever is run, a page that ends in a traceback fails the test: none needs to ask."""
    real = AppTest._run

    def run(app: AppTest, *asked: object, **more: object) -> AppTest:
        real(app, *asked, **more)
        assert not app.exception, [each.value for each in app.exception]
        return app

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AppTest, "_run", run)
        yield


def _ended(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    """Wait until the script has ended, where AppTest would ask a thousand times a second."""
    runner._script_thread.join(timeout)
    assert runner.script_stopped(), f"the page was not there after {timeout} s"


def _heeded(
    runner: ScriptRunner,
    real: Callable[[ScriptRunner], None] = ScriptRunner._maybe_handle_execution_control_request,
) -> None:
    """Look at each element whether the run is to begin again, but no further if it is not."""
    if runner._requests._state is not ScriptRequestType.CONTINUE:
        real(runner)


def _every_node(block: element_tree.Block) -> Iterator[element_tree.Node]:
    """A block and all that is in it, in order, without a generator for every level."""
    waiting: list[element_tree.Node] = [block]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, element_tree.Block):
            waiting += reversed(node.children.values())


class _State(Mapping):
    """What a session keeps, of which a field looks at its own: it need not be copied for each."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __contains__(self, key: object) -> bool:
        return key in self._state

    def __getitem__(self, key: str) -> object:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state._state.filtered_state)

    def __len__(self) -> int:
        return len(self._state._state.filtered_state)


@functools.cache
def _names_of(spec: type) -> tuple[str, ...]:
    return tuple(dir(spec))


@pytest.fixture(autouse=True)
def _visits_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the large sample the fiftieth part; tests of the data make all of it."""
    if not FULL:
        monkeypatch.setattr(visits, "ROWS", visits.ROWS // 50)
        monkeypatch.setattr(visits, "PEOPLE", visits.PEOPLE // 50)


@pytest.fixture(autouse=True)
def _figures_have_no_template(monkeypatch: pytest.MonkeyPatch) -> None:
    """To copy it takes a twelfth of a run; tests of the theme and the browser see figures in it."""
    if not FULL:
        monkeypatch.setattr(theme, "dress", lambda fig, _: fig)


@pytest.fixture(autouse=True)
def _pages_are_bare(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folds are shut, as visitors find them, and no picture is made: each takes half of a run.

    A test says by a mark which folds it `opens`; one that looks into all asks for `unfolded`, one
    that looks at figures for `pictured`. test_quiet.py opens pages with their picture,
    test_pages.py and test_figures.py with their folds open, too.
    """
    asked, opened = request.fixturenames, request.node.iter_markers("opens")
    unfolded = (FULL or "unfolded" in asked) and "shut" not in asked
    folds = {f"closer_{name}" for mark in opened for name in mark.args}
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", _Every() if unfolded else folds)
    if not (FULL or "pictured" in asked):
        monkeypatch.setattr(PageForm, "_show_pictures", no_pictures)
        monkeypatch.setattr(releases, "bar_rows", lambda *_, **__: None)  # its meter


class _Every(Container[str]):
    """The keys of all folds."""

    def __contains__(self, _key: object) -> bool:
        return True


def no_pictures(_page: PageForm, _scene: object) -> None:
    """What a page shows in the place of its pictures where a test does not look at them."""


@pytest.fixture
def unfolded() -> None:
    """Folds are open at first, for a test that looks into them."""


@pytest.fixture
def shut() -> None:
    """Folds are shut at first in the full run, too, for a test that opens them itself."""


@pytest.fixture
def pictured() -> None:
    """Pictures are made, for a test that looks at figures."""


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
def open_page() -> Callable[..., App]:
    """Open a page of a fresh workspace, as by its address, and with this noise if one is named."""

    def opened(file: str, noise: str = "") -> App:
        app = App.opened()
        if noise:
            ws = app.session_state["workspace"] = Workspace.fresh()
            ws.use_family(noise)
        return app.go(file)

    return opened
