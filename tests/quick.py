"""The tests of what changed since a commit, the nearest first, until the time is up: make quick.

A changed file is 0 steps away, a file that imports it 1. A file also uses what it names: a test
that says "README.md" uses it, and one that says "*.py" reads every source. Tests that open pages
run only if a page or its parts changed, and then those of its pages, before the tests that read
every source; those in the browser come last.

    python -m tests.quick [COMMIT] [SECOND THAT THE LOOP BEGAN]

Limits: imports are followed by name, so what is loaded by a text in a variable is not seen.
"""

import ast
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = "dpviz/"
SHOWN = ("dpviz/ui/", "pages/", "app.py")  # what a page is made of
ENTRY = "app.py"  # runs every page
BY_PAGE = ("tests/app/", "tests/browser/")  # tests that open pages, the cheaper first
SELDOM = ("tests/load/", "tests/benchmarks/")
ALL_PAGES = "PAGES"  # a test that uses this name opens every page
ALL_SOURCES = "*.py"
STEPS, FILES, PAGES = 2, 40, 3  # at most: from a change to its test; files of tests; pages
SECONDS, AT_LEAST = 50, 10  # after which no test begins, since the loop and since the first test
TOO_LATE = "the time is up"
_END = "DPVIZ_QUICK_END"


@dataclass(frozen=True)
class Tree:
    """What uses what.

    Attributes:
        parsed: the Python files by their paths from the root.
        uses: the files that each of them uses.
        packages: the packages by which it names them; these only pass a name on.
    """

    parsed: Mapping[str, ast.Module]
    uses: Mapping[str, set[str]]
    packages: Mapping[str, set[str]]

    def steps_from(
        self, changed: Collection[str], within: tuple[str, ...] = ("",)
    ) -> dict[str, int]:
        """How far each file is from the nearest changed one, over the files that begin so."""
        found = {path: 0 for path in changed if path.startswith(within)}
        edge, step = set(found), 0
        while edge:
            step += 1
            near = {
                user
                for user, used in self.uses.items()
                if user.startswith(within)
                and user not in found
                and (edge & used or (step == 1 and edge & self.packages[user]))
            }
            found |= dict.fromkeys(near, step)
            edge = near
        return found


@dataclass(frozen=True)
class Choice:
    """What pytest is told to run, in this order, and what is left out, in sentences."""

    run: tuple[str, ...]
    left_out: tuple[str, ...]


def plant(texts: Mapping[str, str], others: Iterable[str] = ()) -> Tree:
    """The tree of Python files by their texts, and of other files that they may name."""
    parsed = {path: ast.parse(text) for path, text in texts.items()}
    files = {*texts, *others}
    modules = {_module(path): path for path in files if path.endswith(".py")}
    named = {PurePosixPath(path).name: path for path in files if not path.endswith(".py")}
    handed = {
        (_module(path), alias.asname or alias.name): (node.module or "", alias.name)
        for path, body in parsed.items()
        if path.endswith("/__init__.py")
        for node in body.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def home(module: str, name: str) -> str | None:
        """The file where a name of a module is made."""
        if f"{module}.{name}" in modules:
            return modules[f"{module}.{name}"]
        return home(*handed[module, name]) if (module, name) in handed else modules.get(module)

    uses: dict[str, set[str]] = {}
    packages: dict[str, set[str]] = {}
    for path, body in parsed.items():
        nodes = [*ast.walk(body)]
        imported, said = [*_imports(nodes)], _texts(nodes)
        uses[path] = {
            *(home(module, name) if name else modules.get(module) for module, name in imported),
            *(named.get(PurePosixPath(text).name) for text in said),
            *_always(path, files),
            *((p for p in texts if not p.startswith("tests/")) if ALL_SOURCES in said else ()),
        } - {None, path}  # type: ignore[assignment]
        packages[path] = {modules[module] for module, _ in imported if module in modules}
    return Tree(parsed, uses, packages)


def choose(tree: Tree, changed: Collection[str]) -> Choice:
    """The tests of these files, the nearest first."""
    steps = tree.steps_from(changed)
    tests = sorted(
        (p for p in steps if _is_test(p) and not p.startswith((*BY_PAGE, *SELDOM))),
        key=lambda path: (steps[path], len(tree.uses[path]), path),
    )
    near = [path for path in tests if steps[path] <= STEPS]
    rules = next(
        (i for i, path in enumerate(near) if steps[path] and _reads_all(tree, path)), len(near)
    )
    doctests = [p for p in sorted(changed) if p in tree.parsed and p.startswith(LIBRARY)]
    pages, further = _pages(tree, changed)
    app, browser = (_of_pages(tree, changed, pages, folder) for folder in BY_PAGE)
    run = [*near[: min(rules, FILES)], *app, *near[rules:FILES], *doctests, *browser]
    left_out = {
        f"test files more than {STEPS} imports away": len(tests) - len(near),
        f"test files after the nearest {FILES}": len(near[FILES:]),
        f"pages after {', '.join(_stem(p) for p in pages)}": further,
    }
    return Choice(tuple(run), tuple(f"{n} {what}" for what, n in left_out.items() if n))


def _pages(tree: Tree, changed: Collection[str]) -> tuple[list[str], int]:
    """The nearest pages that show what changed, and how many more do."""
    steps = tree.steps_from(changed, SHOWN)
    pages = sorted((p for p in steps if p.startswith("pages/")), key=lambda p: (steps[p], p))
    return pages[:PAGES], len(pages[PAGES:])


def _reads_all(tree: Tree, path: str) -> bool:
    """Whether a test keeps a rule of all sources: it is no nearer to one file than to another."""
    return ALL_SOURCES in _texts(ast.walk(tree.parsed[path]))


def _of_pages(
    tree: Tree, changed: Collection[str], pages: Collection[str], folder: str
) -> list[str]:
    """Files of page tests that changed or whose helpers did, and the functions of these pages."""
    helped = tree.steps_from(changed, ("tests/",))
    files = sorted(p for p in tree.parsed if p.startswith(folder) and _is_test(p))
    whole = [path for path in files if helped.get(path, STEPS) < STEPS]
    functions = [
        (len(opened), f"{path}::{name}")
        for path in files
        if path not in whole
        for name, opened in _opened(tree.parsed[path], _page_files(tree)).items()
        if opened & {*pages}
    ]
    return [*sorted(whole, key=lambda p: (helped[p], p)), *(f for _, f in sorted(functions))]


def _page_files(tree: Tree) -> dict[str, str]:
    return {_stem(path): path for path in tree.parsed if path.startswith("pages/")}


def _opened(body: ast.Module, pages: Mapping[str, str]) -> dict[str, set[str]]:
    """The pages that each test function of a file names, itself or by what it uses of the file."""
    made = {name: node for node in body.body for name in _made(node)}

    def named(name: str, seen: set[str]) -> set[str]:
        seen.add(name)
        if name not in made:
            return {*pages.values()} if name == ALL_PAGES else set()
        said = (_stem(text.lower().replace(" ", "_")) for text in _texts(ast.walk(made[name])))
        found = {pages[stem] for stem in said if stem in pages}
        return found.union(*(named(n, seen) for n in _names(made[name]) if n not in seen))

    return {name: named(name, set()) for name in made if name.startswith("test_")}


def _made(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]


def _names(body: ast.AST) -> list[str]:
    """What is used by name; a fixture is an argument."""
    named = (getattr(n, "id", getattr(n, "arg", None)) for n in ast.walk(body))
    return [name for name in named if name]


def _texts(nodes: Iterable[ast.AST]) -> set[str]:
    found = (n.value for n in nodes if isinstance(n, ast.Constant))
    return {value for value in found if isinstance(value, str)}


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Module and name of everything imported; no name where the module itself is."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def _always(path: str, files: Collection[str]) -> Iterator[str]:
    """What a file uses without saying so."""
    if path.startswith("pages/"):
        yield ENTRY
    if _is_test(path):
        above = [str(folder / "conftest.py") for folder in PurePosixPath(path).parents]
        yield from (file for file in above if file in files)


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _stem(path: str) -> str:
    return PurePosixPath(path).stem


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and _stem(path).startswith("test_")


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


def main(since: str = "HEAD", began: str = "") -> int:
    """Choose and run; returns the status of pytest."""
    new = _git("ls-files", "-z", "--others", "--exclude-standard")
    changed = new | _git("diff", "-z", "--name-only", "--no-renames", since, "--")
    files = {f for f in new | _git("ls-files", "-z") if (ROOT / f).is_file()}
    texts = {f: (ROOT / f).read_text(encoding="utf-8") for f in files if f.endswith(".py")}
    chosen = choose(plant(texts, files | changed), changed)
    print(f"Changed since {since}: {len(changed)} files.", end=" ")
    print(f"Left out: {'; '.join(chosen.left_out) or 'nothing that uses them'}.", end=" ")
    print("make test runs everything.", flush=True)
    if not chosen.run:
        return 0
    end = float(began or time.time()) + SECONDS
    workers = ["-n", "auto", "--maxschedchunk", "8"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.quick", *workers, *chosen.run]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {_END: str(end)}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
