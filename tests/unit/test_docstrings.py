"""What a public function tells its reader: what it refuses, an example, who brings the randomness.

What is refused counts as said where the text says "Raises:" or "refuse"; members of a noise family
and of an operator are described once, by their protocol.
"""

import ast
import re
from pathlib import Path

from dpviz.linear.operators import Operator
from dpviz.noise import Family
from tests.sources import tree

ROOT = Path(__file__).resolve().parents[2] / "dpviz"
FILES = sorted(ROOT.rglob("*.py"))
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


def public(text, members=True):
    return [f for f in functions(tree(text), members) if not f.name.startswith("_")]


def silent(text):
    """Functions that refuse by themselves and do not say so."""
    lines = text.splitlines()
    return [
        f.name
        for f in public(text)
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
        for f in public(text)
        for place, default in zip(f.args.kwonlyargs, f.args.kw_defaults, strict=True)
        if place.arg == "rng" and default is not None
    ] + [f.name for f in public(text) if "rng" in {place.arg for place in f.args.args}]


def test_functions_say_what_they_refuse():
    found = {str(f.relative_to(ROOT)): silent(f.read_text("utf-8")) for f in FILES}
    assert {file: names for file, names in found.items() if names} == {}


def test_the_library_shows_examples():
    texts = [f.read_text("utf-8") for f in FILES if f.relative_to(ROOT).parts[0] not in ABOVE]
    found = [f for text in texts for f in public(text, members=False)]
    shown = [f for f in found if ">>>" in (ast.get_docstring(f) or "")]
    assert len(found) > 300
    assert len(shown) / len(found) >= EXAMPLES, {f.name for f in found} - {f.name for f in shown}


def test_a_generator_is_named_and_required():
    wrong = {f.relative_to(ROOT).as_posix(): handed(f.read_text("utf-8")) for f in FILES}
    assert {name: names for name, names in wrong.items() if names} == {
        "noise/arguments.py": ["drawing"],  # a check of the generator
        "streams.py": ["child_for_simulation", "mode_of"],  # it is what they are about
    }


def test_the_search_finds_them():
    assert silent('def f(x):\n    """It."""\n    checks.positive(x=x)') == ["f"]
    assert silent('def f(x):\n    """It, refused if."""\n    checks.positive(x=x)') == []
    assert silent("def f(x):\n    raise ParameterError") == ["f"]
    assert handed("def f(rng): ...\ndef g(*, rng=None): ...\ndef h(*, rng): ...") == ["g", "f"]
