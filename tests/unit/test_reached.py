"""Nothing is there for its own tests alone: what no page or notebook reaches is deleted."""

import ast
import re
from pathlib import Path

from dpviz import public
from tests.sources import nodes, tree

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "dpviz").rglob("*.py"))
NOTEBOOKS, PAPERS = ROOT / "docs" / "notebooks", ROOT / "tests" / "papers"  # `make docs`, `papers`
FILES = [
    *SOURCES,
    *(
        file
        for folder in (ROOT / "pages", NOTEBOOKS, PAPERS)
        for file in sorted(folder.glob("*.py"))
    ),
    ROOT / "app.py",
]
TEMPLATES = [*(ROOT / "dpviz").rglob("*.jinja")]
GUIDES = [
    *(file for file in ROOT.glob("*.md") if file.name != "CHANGELOG.md"),
    *(ROOT / "docs" / name for name in ("conf.py", "LOSSLESS.md", "PAPERS.md")),
]
OFFERED = {  # for users of the library: why
    "_repr_html_": "a notebook asks for it",
    "Loss": "what any object must have to stand for a privacy loss",
    "wrongly_shown": "the items that a list has instead",
    "composed_pure_log_delta": "the curve of `composed_pure_epsilon`",
    "posterior": "what ε leaves of a belief (MATHEMATICS 5.6), for a notebook",
    "posterior_of_test": "the same after a test",
    "pure_composition_log_delta": "the curve of `pure_composition_epsilon`",
    "would_exceed": "an odometer is asked before a release",
    "refutes": "what a search for a list is for",
    "numbers_kept": "what a counter takes of memory",
}


def defined(text):
    """Functions and classes of a module, and public members of these classes."""
    kinds = ast.FunctionDef | ast.ClassDef
    for node in tree(text).body:
        if isinstance(node, kinds):
            yield node.name
            if isinstance(node, ast.ClassDef):
                yield from (each.name for each in node.body if isinstance(each, kinds))


def used(text):
    """Names that a module uses, but for its imports and lists of exports."""
    for node in nodes(text):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def unreached(modules, others):
    names = {name for text in modules for name in defined(text) if not name.startswith("__")}
    return sorted(names - {name for text in modules for name in used(text)} - others)


def test_everything_is_reached():
    texts = [file.read_text(encoding="utf-8") for file in (*TEMPLATES, *GUIDES)]
    others = {*public.__all__, *(word for text in texts for word in re.findall(r"\w+", text))}
    modules = [file.read_text(encoding="utf-8") for file in FILES]
    assert unreached(modules, others) == sorted(OFFERED)


def unused_here(text):
    """Private functions and classes that their own module does not use, though another may."""
    here = {*used(text)}
    for node in tree(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
            yield from ({node.name} - here if re.match("_[^_]", node.name) else ())


def test_private_functions_are_used_where_they_are():
    found = [(file.name, name) for file in FILES for name in unused_here(file.read_text("utf-8"))]
    assert not found


def test_the_search_finds_what_is_not_reached():
    text = "__all__ = ['f']\ndef f(): ...\ndef h(): ...\nclass C:\n  def m(x): h()"
    assert unreached([text], {"C"}) == ["f", "m"]
    text = "def _f(): ...\ndef _g(): ...\n@register\ndef _h(): ...\n_g()"
    assert list(unused_here(text)) == ["_f"]


def twice(text):
    """Constants in capitals that a module gives a second value without using the first."""
    found = {}
    for node in tree(text).body:
        if isinstance(node, ast.Assign):
            used_here = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            for name in node.targets:
                if isinstance(name, ast.Name) and name.id.isupper() and name.id not in used_here:
                    found.setdefault(name.id, []).append(node.lineno)
    return {name: lines for name, lines in found.items() if len(lines) > 1}


def test_no_sentence_is_hidden_by_a_second_one_of_its_name():
    seen = {
        file.relative_to(ROOT).as_posix(): twice(file.read_text(encoding="utf-8")) for file in FILES
    }
    assert not {name: names for name, names in seen.items() if names}
    assert twice("A = 1\nB = A\nA = 2\n") == {"A": [1, 3]}
    assert twice("A = 1\nA = A + 1\n") == {}
