"""The house rules that keep the code one-directional, and documents that agree with it."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dpviz.ui.page_table import PAGES, path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = (
    "errors",
    "checks",
    "names",
    "parameters",
    "streams",
    "data",
    "queries",
    "noise",
    "accounting",
    "release",
    "mechanisms",
    "frames",
    "figures",
    "ui",
)
SOURCES = sorted((ROOT / "dpviz").rglob("*.py"))
PAGE_FILES = sorted((ROOT / "pages").glob("*.py"))


def imports_of(file: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            found += [f"{base}.{alias.name}" if base == "dpviz" else base for alias in node.names]
    return found


def imports_between_layers() -> list[tuple[str, str]]:
    pairs = set()
    for file in SOURCES:
        here = file.relative_to(ROOT / "dpviz").with_suffix("").parts[0]
        if here == "__init__":
            continue
        for name in imports_of(file):
            if name.startswith("dpviz."):
                pairs.add((here, name.split(".")[1]))
    return sorted(pairs)


@pytest.mark.parametrize(("here", "target"), imports_between_layers())
def test_imports_point_one_way(here, target):
    assert LAYERS.index(target) <= LAYERS.index(here)


def test_the_layer_test_sees_the_imports():
    assert {("ui", "figures"), ("release", "noise"), ("noise", "checks")} <= set(
        imports_between_layers()
    )


PROBE = """import pkgutil, sys, dpviz
for m in pkgutil.walk_packages(dpviz.__path__, "dpviz."):
    if not m.name.startswith("dpviz.ui"):
        __import__(m.name)
print("probed", len([m for m in sys.modules if m.startswith("dpviz")]))
sys.exit("streamlit" in sys.modules)"""


def test_the_library_never_loads_streamlit():
    done = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) > 20


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda f: f.stem)
def test_every_page_begins_with_its_guard(file):
    body = ast.parse(file.read_text(encoding="utf-8")).body
    statements = [n for n in body[1:] if not isinstance(n, ast.Import | ast.ImportFrom)]
    assert ast.unparse(statements[0]) == "page_setup()"


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda f: f.stem)
def test_pages_are_thin(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 90
    assert not re.search(r"\bnp\.|\brng\b|\*\*|pd\.DataFrame", text)


def test_page_table_and_files_agree():
    assert sorted(path(p.file) for p in PAGES) == [f"pages/{f.name}" for f in PAGE_FILES]


def test_readme_names_every_page_and_its_question():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for p in PAGES:
        assert f"| {p.title} | {p.question} |" in readme


def test_readme_names_every_requirement_with_its_reason():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    names = re.findall(
        r"^([a-z-]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert len(names) > 5
    for name in names:
        assert f"`{name}`" in readme, name


def test_requirements_are_pinned():
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            assert line.startswith("-r ") or re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.]+", line), line


def test_no_global_generator_and_no_hidden_seed():
    for file in SOURCES:
        code = re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "default_rng" not in code, file
        assert not re.search(r"np\.random\.(seed|normal|laplace|poisson|rand|choice)\b", code), file


def test_nothing_that_draws_is_cached():
    for file in [*SOURCES, *PAGE_FILES]:
        assert "cache_data" not in file.read_text(encoding="utf-8"), file


def test_config_keeps_the_server_shut():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["enableCORS"]
    assert config["server"]["enableXsrfProtection"]
    assert config["client"]["showErrorDetails"] == "type"
    assert not config["client"]["showErrorLinks"]
    assert not config["browser"]["gatherUsageStats"]


def test_sizes_stay_readable():
    for file in SOURCES:
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 400, file
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                first = node.body[0]
                documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
                doc = (first.end_lineno - first.lineno + 1) if documented else 0
                assert node.end_lineno - node.lineno + 1 - doc <= 60, (file, node.name)
