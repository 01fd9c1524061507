"""Rules of all sources: said once, reached by a page or a notebook, and told to a reader."""

import ast
import re
from pathlib import Path

import pytest

from dpviz import public
from dpviz.linear.operators import Operator
from dpviz.noise import Family
from dpviz.palette import COLOURS, GREY, INKS
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit.page_table import PAGES
from tests.sources import nodes, tree

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = [file for room in ("dpviz", "pages") for file in sorted((ROOT / room).rglob("*.py"))]
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
    found = {f.relative_to(ROOT).as_posix(): given(f.read_text("utf-8"), word) for f in WRITTEN}
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
    for file in WRITTEN:
        if file.name != "palette.py":
            found = [n.value for n in nodes(file.read_text("utf-8")) if isinstance(n, ast.Constant)]
            texts = [text for text in found if isinstance(text, str)]
            assert not [text for text in texts if PATTERN.fullmatch(text)], file


PAGE = re.compile(r"\bthe pages? (?=[A-Z])")


def test_a_page_that_is_named_is_in_the_table():
    titles = tuple(page.title for page in PAGES)
    named = 0
    for file in WRITTEN:
        for node in nodes(file.read_text(encoding="utf-8")):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for found in PAGE.finditer(node.value):
                    named += 1
                    assert node.value[found.end() :].startswith(titles), (file, node.value)
    assert named > 20


CHARTS = [file for file in WRITTEN if "charts" in file.parts]


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


# Nothing is there for its own tests alone: what no page or notebook reaches is deleted.


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
    "has_left_inverse": "whether answers of a way to place noise give its noisy numbers back",
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


# What a public function tells its reader: what it refuses, an example, who brings the randomness.


LIBRARY = Path(__file__).resolve().parents[2] / "dpviz"
MODULES = sorted(LIBRARY.rglob("*.py"))
ABOVE = ("charts", "scenes", "workspace", "ui", "command")  # shown by pages, and by their tests
DESCRIBED = {name for kind in (Family, Operator) for name in vars(kind)}
REFUSES = re.compile(r"\bchecks\.(?!told\b|number\b|listed\b|known\b)\w+\(")
ASKED = re.compile(r"\bchecks\.").search
SAID = re.compile(r"Raises:|[Rr]efuse")
EXAMPLES = 0.94  # of the public functions of the library; the rest ask engines or work in a loop


def functions(module, members=True):
    """Public functions of a module and, if asked for, of its public classes."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif members and isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from (each for each in node.body if isinstance(each, ast.FunctionDef))


def public_functions(text, members=True):
    return [f for f in functions(tree(text), members) if not f.name.startswith("_")]


def silent(text):
    """Functions that refuse by themselves and do not say so."""
    lines = text.splitlines()
    return [
        f.name
        for f in public_functions(text)
        if (raised(f) or (any(map(ASKED, lines[f.lineno - 1 : f.end_lineno])) and checked(f)))
        and not SAID.search(ast.get_docstring(f) or "")
        and f.name not in DESCRIBED
        and not any(ast.unparse(mark).endswith(".setter") for mark in f.decorator_list)
    ]


def checked(function):
    return REFUSES.search(ast.unparse(function))


def raised(function):
    """Whether it raises an error of ours, in its own lines."""
    own, left = [], list(function.body)
    while left:
        node = left.pop()
        own.append(node)
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            left += ast.iter_child_nodes(node)
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in own)


def handed(text):
    """Functions that take a generator by its place, or without being told to."""
    return [
        f.name
        for f in public_functions(text)
        for place, default in zip(f.args.kwonlyargs, f.args.kw_defaults, strict=True)
        if place.arg == "rng" and default is not None
    ] + [f.name for f in public_functions(text) if "rng" in {place.arg for place in f.args.args}]


def test_functions_say_what_they_refuse():
    found = {str(f.relative_to(LIBRARY)): silent(f.read_text("utf-8")) for f in MODULES}
    assert {file: names for file, names in found.items() if names} == {}


def test_the_library_shows_examples():
    texts = [f.read_text("utf-8") for f in MODULES if f.relative_to(LIBRARY).parts[0] not in ABOVE]
    found = [f for text in texts for f in public_functions(text, members=False)]
    shown = [f for f in found if ">>>" in (ast.get_docstring(f) or "")]
    assert len(found) > 300
    assert len(shown) / len(found) >= EXAMPLES, {f.name for f in found} - {f.name for f in shown}


def test_a_generator_is_named_and_required():
    wrong = {f.relative_to(LIBRARY).as_posix(): handed(f.read_text("utf-8")) for f in MODULES}
    assert {name: names for name, names in wrong.items() if names} == {
        "noise/arguments.py": ["drawing"],  # a check of the generator
        "streams.py": ["child_for_simulation", "mode_of"],  # it is what they are about
    }


def test_the_search_finds_them():
    assert silent('def f(x):\n    """It."""\n    checks.positive(x=x)') == ["f"]
    assert silent('def f(x):\n    """It, refused if."""\n    checks.positive(x=x)') == []
    assert silent("def f(x):\n    raise ParameterError") == ["f"]
    assert handed("def f(rng): ...\ndef g(*, rng=None): ...\ndef h(*, rng): ...") == ["g", "f"]
