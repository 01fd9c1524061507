"""What is written once: defaults of what people type, columns of frames, titles of pages."""

import ast
import re
from pathlib import Path

import pytest

from dpviz.palette import COLOURS, GREY, INKS
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit.page_table import PAGES
from tests.sources import nodes, tree

ROOT = Path(__file__).resolve().parents[2]
FILES = [file for room in ("dpviz", "pages") for file in sorted((ROOT / room).rglob("*.py"))]
USUAL = {
    "delta": (USUAL_DELTA, "dpviz/parameters.py"),
    "confidence": (ACCURACY_CONFIDENCE, "dpviz/planning/budgets.py"),
}


def given(text, word):
    """Lines that give the usual number to a name that ends in `word`."""
    if word not in text.lower():
        return []
    pairs = []
    for node in nodes(text):
        if isinstance(node, ast.FunctionDef):
            names, later = node.args.posonlyargs + node.args.args, node.args.kwonlyargs
            pairs += zip(names[::-1], node.args.defaults[::-1], strict=False)
            pairs += zip(later, node.args.kw_defaults, strict=True)
        elif isinstance(node, ast.Call):
            pairs += [(each, each.value) for each in node.keywords]
        elif isinstance(node, ast.AnnAssign):
            pairs.append((node.target, node.value))
        elif isinstance(node, ast.Assign):
            pairs += [(target, node.value) for target in node.targets]
    return [
        value.lineno
        for name, value in pairs
        if isinstance(value, ast.Constant)
        and value.value == USUAL[word][0]
        and str(getattr(name, "arg", getattr(name, "id", ""))).lower().endswith(word)
    ]


@pytest.mark.parametrize("word", USUAL)
def test_what_is_usual_is_said_once(word):
    found = {f.relative_to(ROOT).as_posix(): given(f.read_text("utf-8"), word) for f in FILES}
    assert [name for name, lines in found.items() for _ in lines] == [USUAL[word][1]]


def test_the_search_finds_numbers():
    for line in (
        *("DELTA = 1e-6", "def f(a, *, delta=1e-6): ...", "f(delta=1e-6)", "delta: float = 1e-6"),
    ):
        assert given(line, "delta") == [1]
    assert not given("delta = 0.0; delta = DELTA; f(delta=usual); other = 1e-6", "delta")


HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")
PATTERN = re.compile(r"\d+px \d+px")
TINT = "#F4F5F7"  # below rows of the report


def test_colours_and_patterns_of_lines_are_those_of_the_palette():
    known = {*COLOURS, GREY, TINT, *(ink for inks in INKS.values() for ink in inks.values())}
    drawn = [*(ROOT / "dpviz").rglob("*.svg"), *(ROOT / "dpviz").rglob("*.jinja")]
    assert len(drawn) > 2
    for file in drawn:
        assert known.issuperset(HEX.findall(file.read_text("utf-8"))), file
    for file in FILES:
        if file.name != "palette.py":
            found = [n.value for n in nodes(file.read_text("utf-8")) if isinstance(n, ast.Constant)]
            texts = [text for text in found if isinstance(text, str)]
            assert not [text for text in texts if PATTERN.fullmatch(text)], file


PAGE = re.compile(r"\bthe pages? (?=[A-Z])")


def test_a_page_that_is_named_is_in_the_table():
    titles = tuple(page.title for page in PAGES)
    named = 0
    for file in FILES:
        for node in nodes(file.read_text(encoding="utf-8")):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for found in PAGE.finditer(node.value):
                    named += 1
                    assert node.value[found.end() :].startswith(titles), (file, node.value)
    assert named > 20


CHARTS = [file for file in FILES if "charts" in file.parts]


def constants(text):
    """Lists of names that a module declares: pairs of the constant and what it holds."""
    for node in tree(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            names = [each.value for each in node.value.elts if isinstance(each, ast.Constant)]
            if len(names) > 2 and len(names) == len(node.value.elts):
                yield tuple(names)


def spelled(text):
    """Lines that ask for more than two columns by their names instead of by the frame's list."""
    return [
        node.lineno
        for node in nodes(text)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "require_columns"
        and sum(isinstance(each, ast.Constant) for each in node.args) > 2
    ]


def test_columns_are_listed_beside_their_frame():
    lists = [each for file in CHARTS for each in constants(file.read_text("utf-8"))]
    assert len(lists) == len(set(lists)) > 5
    assert not [file for file in CHARTS if spelled(file.read_text("utf-8"))]
    assert spelled('require_columns(frame, "a", "b", "c")') == [1]
    assert not spelled("require_columns(frame, *ALL, 'a')")
