"""The tests of what changed since a commit, the nearest first, until the time is up: make quick.

A changed file is 0 steps away, a file that imports it 1. A file also uses what it names: a test
that says "README.md" uses it, and one that says "*.py" reads every source. Of the tests that open
pages those run that name one of the nearest pages which show what changed.

    python -m tests.quick [COMMIT]

Limits: imports are followed by name, so what is loaded by a text in a variable is not seen.
"""

import ast
import inspect
import os
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHOWN = ("dpviz/ui/", "dpviz/scenes/", "pages/", "app.py")  # what a page is made of
BY_PAGE = ("tests/app/", "tests/browser/")  # tests that open pages, the cheaper first
SELDOM = ("tests/load/", "tests/benchmarks/")
TABLE = "dpviz.ui.kit.page_table"  # whose PAGES are all of them
ALL_SOURCES = "*.py"
FILES, PAGES, OPENED = 40, 3, 5  # at most: files of tests, pages, files of tests that open them
SECONDS, AT_LEAST = 20, 4  # after which no test begins, since the loop and since the first test
TOO_LATE = "the time is up"
_END, _PAGES = "DPVIZ_QUICK_END", "DPVIZ_QUICK_PAGES"
Uses = Mapping[str, set[str]]  # the files that a file uses
Read = tuple[set[tuple[str, str]], set[str]]  # what it imports, and its texts


def uses_of(
    texts: Mapping[str, str], others: Iterable[str] = (), over: Callable[..., Iterable[Read]] = map
) -> Uses:
    """What each Python file uses, by their texts; `others` are files that they may name."""
    read = dict(zip(texts, over(_read, texts.values()), strict=True))
    files = {*texts, *others}
    modules = {_module(path): path for path in files if path.endswith(".py")}
    named = {PurePosixPath(path).name: path for path in files if not path.endswith(".py")}
    pages = {PurePosixPath(path).stem: path for path in texts if path.startswith("pages/")}
    handed = {
        (_module(path), name): (module, name)
        for path, (imports, _) in read.items()
        if path.endswith("/__init__.py")
        for module, name in imports
    }

    def home(module: str, name: str) -> str | None:
        """The file where a name of a module is made."""
        if f"{module}.{name}" in modules:
            return modules[f"{module}.{name}"]
        return home(*handed[module, name]) if (module, name) in handed else modules.get(module)

    found: dict[str, set[str]] = {}
    for path, (imports, said) in read.items():
        used = {home(module, name) for module, name in imports}
        used |= {named.get(PurePosixPath(text).name) for text in said}
        if ALL_SOURCES in said:
            used |= {p for p in texts if not p.startswith("tests/")}
        if path.startswith(BY_PAGE):
            used |= {pages.get(text.lower().replace(" ", "_")) for text in said}
            used |= {*pages.values()} if (TABLE, "PAGES") in imports else set()
        if _is_test(path):
            used |= {str(folder / "conftest.py") for folder in PurePosixPath(path).parents} & files
        found[path] = {each for each in used if each and each != path}
    return found


def steps_from(
    uses: Uses, changed: Collection[str], within: tuple[str, ...] = ("",)
) -> dict[str, int]:
    """How far each file is from the nearest changed one, over the files that begin so."""
    found = {path: 0 for path in changed if path.startswith(within)}
    edge, step = {*found}, 0
    while edge:
        step += 1
        edge = {p for p in uses if p.startswith(within) and p not in found and edge & uses[p]}
        found |= dict.fromkeys(edge, step)
    return found


def choose(uses: Uses, changed: Collection[str]) -> tuple[list[str], list[str]]:
    """Files of tests, the nearest first, and what a test of pages must name: page or file."""
    steps, shown = steps_from(uses, changed), steps_from(uses, changed, SHOWN)
    pages = sorted((p for p in shown if p.startswith("pages/")), key=lambda p: (shown[p], p))

    def distance(path: str) -> tuple[int, int, str]:
        """A test that keeps a rule of all sources is no nearer to one than to another."""
        of_all = steps[path] and len(uses[path]) > len(uses) / 4
        return (2 if of_all else steps[path]), len(uses[path]), path

    tests = [path for path in steps if _is_test(path) and not path.startswith(SELDOM)]
    own = [path for path in tests if path.startswith(BY_PAGE) and path in changed]
    named = {*pages[:PAGES]}
    of_pages = [p for p in tests if p.startswith(BY_PAGE) and (p in own or uses[p] & named)]
    near = sorted((p for p in tests if not p.startswith(BY_PAGE)), key=distance)[:FILES]
    nearest = [path for path in near if distance(path) < (2,)]
    doctests = [path for path in sorted(changed) if path.startswith("dpviz/") and path in uses]
    of_pages.sort(key=lambda p: (sum(each.startswith("pages/") for each in uses[p]), p))
    app, browser = ([p for p in of_pages if p.startswith(folder)][:OPENED] for folder in BY_PAGE)
    run = [*nearest, *app, *near[len(nearest) :], *doctests, *browser]
    return run, [*(PurePosixPath(page).stem for page in pages[:PAGES]), *own]


def _read(text: str) -> Read:
    """What a file imports, as module and name (none where it is the module), and its texts."""
    imports, said = set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imports |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports |= {(node.module or "", alias.name) for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.add(node.value)
    return imports, said


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests that open pages keep those that name one of these, in name, fixture or text."""
    left_out = [item for item in items if not _kept(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _kept(item: pytest.Item) -> bool:
    path = item.path.relative_to(ROOT).as_posix()
    pages = os.environ.get(_PAGES, "").split()
    if not (path.startswith(BY_PAGE) and isinstance(item, pytest.Function) and pages):
        return True
    said = [path, item.name, *item.fixturenames, inspect.getsource(item.function)]
    return any(page in text for page in pages for text in said)


def pytest_collection_finish() -> None:
    """However long it took to come this far on a busy machine, the nearest tests run."""
    if _END in os.environ:
        os.environ[_END] = str(max(float(os.environ[_END]), time.time() + AT_LEAST))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin no test after the end, nor its fixtures."""
    if time.time() > float(os.environ.get(_END, "inf")):
        pytest.skip(TOO_LATE)


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Such a test is not called skipped: the last line says how many were left out."""
    late = report.skipped and TOO_LATE in str(report.longrepr)
    return ("left out, as the time was up", "", "") if late else None


def _git(*words: str) -> set[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"What changed cannot be found: {done.stderr.strip()}")
    return {*done.stdout.split("\0")} - {""}


def main(since: str = "HEAD") -> int:
    """Choose and run; returns the status of pytest."""
    began = time.time()
    new = _git("ls-files", "-z", "--others", "--exclude-standard")
    changed = new | _git("diff", "-z", "--name-only", "--no-renames", since, "--")
    files = {f for f in new | _git("ls-files", "-z") if (ROOT / f).is_file()}
    texts = {f: (ROOT / f).read_text(encoding="utf-8") for f in files if f.endswith(".py")}
    with ProcessPoolExecutor() as pool:
        uses = uses_of(texts, files | changed, partial(pool.map, chunksize=25))
    run, pages = choose(uses, changed)
    print(f"Changed since {since}: {len(changed)} files; {len(run)} files of tests and examples.")
    if not run:
        return 0
    told = os.environ | {_END: str(began + SECONDS), _PAGES: " ".join(pages)}
    each = str(os.cpu_count())  # one more worker would collect longer than it helps
    workers = ["-n", each, "--maxschedchunk", "8"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.quick", *workers, *run]
    return subprocess.run(command, cwd=ROOT, env=told, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
