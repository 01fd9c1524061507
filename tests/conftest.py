"""Fixtures for every test: one seed here, twenty in the full run."""

import atexit
import functools
import gc
import inspect
import logging
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from hypothesis import settings

from dpviz import streams
from tests import shared_engine

FULL = os.environ.get("DPVIZ_SEEDS") == "all"  # make test-full
SEEDS = range(20) if FULL else [7]
LAWS = Path(__file__).parent / "law"
ENGINES = Path(__file__).parent / "engines"
full_run = pytest.mark.skipif(not FULL, reason="in the full run; a quicker test says the same")
MANY_EXAMPLES = 500  # of modules: more than make quick runs
LAST_DIGITS = 1e-12  # relative: processors and mathematical libraries differ by far less


def few(cases, step):
    """Every `step`-th case, from the first; all of them in the full run."""
    return list(cases) if FULL else list(cases)[::step]


def for_each(names, cases):
    """Run a test for each of many quick cases, as `parametrize` does, but all of them in one item.

    An item takes longer to begin than such a case to run. Fixtures are made once for all cases.
    """
    names = (names,) if isinstance(names, str) else names

    def over(test):
        def run(**fixtures):
            for case in cases:
                given = dict(zip(names, case if len(names) > 1 else (case,), strict=True))
                try:
                    test(**fixtures, **given)
                except pytest.skip.Exception:
                    pytest.fail(f"{given!r} is skipped, and all after it: use parametrize.")
                except BaseException as error:
                    error.add_note(f"The case: {given!r}")
                    raise

        signature = inspect.signature(test)
        kept = [p for name, p in signature.parameters.items() if name not in names]
        wrapped = functools.update_wrapper(run, test)
        del wrapped.__wrapped__
        wrapped.__signature__ = signature.replace(parameters=kept)
        return wrapped

    return over


def pytest_configure(config: pytest.Config) -> None:
    """Rewrite the assertions of all tests before workers begin: each would do it by itself."""
    if not getattr(config.option, "numprocesses", None) or sys.dont_write_bytecode:
        return
    tests = Path(__file__).parent
    files = [*tests.rglob("test_*.py"), *tests.rglob("conftest.py")]
    forked = multiprocessing.get_context("fork")
    with forked.Pool(initializer=_rewritten.append, initargs=(config,)) as pool:
        pool.map(_rewrite, files, chunksize=4)


_rewritten: list[pytest.Config] = []  # in a process that rewrites: by which settings


def _rewrite(file: Path) -> None:
    """Keep a test file with its assertions rewritten, where pytest looks for it."""
    kept = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(file, kept) is not None or not rewrite.try_makedirs(kept.parent):
        return
    (config,) = _rewritten
    with suppress(SyntaxError, ValueError):  # which the workers report, with the place
        source, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, kept)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected, a million objects, stays: the collector of garbage leaves it alone."""
    gc.disable()
    try:
        return (yield)
    finally:
        _pass_on_logs()
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)  # it is asked a twentieth of the time, and seldom finds
        atexit.register(gc.unfreeze)  # else the engine reports all of it as leaked


def _pass_on_logs() -> None:
    """Loggers that keep to themselves, Streamlit's 65, pass on: else each test listens to each."""
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run each value of stacked parameters once; all combinations in the full run, laws here, too.

    A test of five families, four losses and three moves takes five items in place of sixty. Of the
    examples of all modules a third is run; those of a changed module are run by make quick.
    """
    if FULL:
        return
    stacked: dict[object, list[pytest.Function]] = {}
    for item in items:
        marks = len([*item.iter_markers("parametrize")])
        if isinstance(item, pytest.Function) and marks > 1 and LAWS not in item.path.parents:
            stacked.setdefault((item.path, item.originalname), []).append(item)
    left_out = {
        item for group in stacked.values() for item in {*group}.difference(each_value_once(group))
    }
    examples = [item for item in items if isinstance(item, pytest.DoctestItem)]
    if len(examples) > MANY_EXAMPLES:
        left_out |= {*examples}.difference(few(examples, 3))
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def each_value_once(group: list[pytest.Function]) -> list[pytest.Function]:
    """Choose few items of a test that together have every value of every parameter."""
    values = {item: {(n, id(v)) for n, v in item.callspec.params.items()} for item in group}
    wanted, chosen = set[tuple[str, int]]().union(*values.values()), []
    while wanted:
        chosen.append(max(group, key=lambda item: len(values[item] & wanted)))
        wanted -= values[chosen[-1]]
    return chosen


@pytest.fixture(params=SEEDS)
def seed(request: pytest.FixtureRequest) -> int:
    """A statistical test that takes `seed` promises to pass for every seed in 0..19."""
    return int(request.param)


@pytest.fixture(autouse=True)
def _a_server_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test is a server that nobody has visited. One fixture, as each takes time in each item.

    A tab begins with a seed that the test can say again. A page that is run is `__main__`
    meanwhile; a process started later must not run it again. Tabs share what they have released
    of a table. Tables are in one engine, but where engines are tested; each has its own in the
    full run.
    """
    monkeypatch.setattr(streams, "any_seed", lambda: 7)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    own = FULL or ENGINES in request.path.parents or "own_engine" in request.fixturenames
    if not own:
        shared_engine.share(monkeypatch)
    if tally := sys.modules.get("dpviz.ui.kit.tally"):
        monkeypatch.setattr(tally, "SERVER", type(tally.SERVER)(tally.kept))
        tally._opened.cache_clear()


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch):
    """A visitor of pages without a browser."""
    from tests.visiting import Visit  # here, because it loads streamlit

    return Visit(monkeypatch)


@pytest.fixture
def own_engine() -> None:
    """Each table of this test has an engine of its own, as in the dashboard."""


# The same cases in every run: a found counter-example becomes a test of its own, not a coin toss.
settings.register_profile("same cases", derandomize=True, deadline=None)
settings.load_profile("same cases")

# Pages, and servers that a test starts, have projects in a folder of the run, not in the user's.
_PROJECTS = tempfile.TemporaryDirectory(prefix="dpviz-projects-")
os.environ["DPVIZ_PROJECTS"] = str(Path(_PROJECTS.name) / "kept")

# Else hypothesis' callback keeps what is loaded alive when Python ends, which the engine reports.
atexit.register(gc.callbacks.clear)
