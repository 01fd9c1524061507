"""What `make docs` makes of a docstring, and documents that agree with the code."""

import importlib
import re
import runpy
from pathlib import Path

import pytest

from dpviz.noise import FAMILIES
from tests.unit.test_architecture import LAYERS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("dpviz/*.md")])
GUIDES = [
    ROOT / name
    for name in (
        *("README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/DECISIONS.md"),
        *("docs/LOSSLESS.md", "docs/RELIABILITY.md", "docs/SECURITY.md"),
    )
]
FLOOR = re.compile(r"^│ ([^│]+) │[^│]+│$", re.MULTILINE)
EXAMPLES = ("rose", "waiting_times", "the_price", "quantiles")  # what CONTRIBUTING.md adds
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")


def read(*lines):
    """The docstring as Sphinx gets it."""
    read_docstring = runpy.run_path(str(ROOT / "docs" / "conf.py"))["read_docstring"]
    text = list(lines)
    read_docstring(None, "function", "name", None, None, text)
    return text


def test_a_formula_stands_as_it_is_set():
    assert read("Draw:", "", "    Y = a * b", "", "Then.") == [
        *("Draw:", "", "::", "", "    Y = a * b", "", "Then.")
    ]
    in_a_list = read("- one:", "", "      Y = |k|", "", "  and so on.")
    assert in_a_list == ["- one:", "", "  ::", "", "      Y = |k|", "", "  and so on."]


def test_arguments_and_examples_are_no_formulas():
    said = [
        "Add.",
        "",
        "Args:",
        "    x: a number.",
        "",
        "    More of it.",
        "",
        ">>> f(",
        "...  1)",
        "2",
    ]
    assert read(*said) == said
    assert read("Returns:", "    A zip: all.") == ["Returns:", "    : A zip: all."]


def test_marks_are_what_they_are():
    (line,) = read("*Lossless* is 2 * |k| of x_ and `a * b`.")
    assert line == r"*Lossless* is 2 \* \|k\| of x\_ and `a * b`."


def test_a_cited_section_is_a_link():
    (line,) = read("Source: MATHEMATICS 2.1, 3.12; more.")
    assert line == "Source: MATHEMATICS :ref:`2.1 <s2-1>`, :ref:`3.12 <s3-12>`; more."


def broken(document, text):
    """Links of a document to a file or a section that is not there."""
    found = []
    for target, anchor in LINK.findall(text):
        if target.startswith("https://"):
            continue
        file = (document.parent / target).resolve() if target else document
        if not file.exists() or (anchor and f'<a id="{anchor}">' not in file.read_text("utf-8")):
            found.append(f"{target}#{anchor}")
    return found


def test_links_between_documents_lead_somewhere():
    wrong = {d.name: broken(d, d.read_text(encoding="utf-8")) for d in DOCUMENTS}
    assert {name: found for name, found in wrong.items() if found} == {}
    assert broken(ROOT / "README.md", "[a](docs/NONE.md) [b](docs/MATHEMATICS.md#s99)") == [
        "docs/NONE.md#",
        "docs/MATHEMATICS.md#s99",
    ]


def test_the_floors_of_the_document_are_those_of_the_code():
    rows = FLOOR.findall((ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    floors = [floor for row in reversed(rows) for floor in row.split()]
    assert [floor.strip("/") for floor in floors] == [*LAYERS[1:], "pages"], (
        "the picture of the floors in docs/ARCHITECTURE.md and LAYERS of test_architecture.py name "
        "the same rooms in the same order: the lowest row first, and each row from the left"
    )
    for floor in floors[:-1]:
        place = ROOT / "dpviz" / floor
        assert place.is_dir() if floor.endswith("/") else place.with_suffix(".py").is_file(), floor


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_noise_family_is_in_the_documents(family):
    """A section of the mathematics, and a line of the notation."""
    label = family.label.casefold()
    noise = "" if family.categories else " noise"
    headings = re.findall(r"^### .*", (ROOT / "docs/MATHEMATICS.md").read_text("utf-8"), re.M)
    wanted = f"part 2 of docs/MATHEMATICS.md lacks a section “{family.label}{noise}, level …”"
    assert any(re.search(rf"</a>2\.\d+ {label}{noise}, level", h.casefold()) for h in headings), (
        wanted
    )
    line = f"| {family.level_name} | {family.level_symbol} | "
    lines = (ROOT / "dpviz/NOTATION.md").read_text("utf-8").splitlines()
    assert any(x.startswith(line) and f"{label} family" in x.casefold() for x in lines), (
        f"dpviz/NOTATION.md lacks a line “{line}…” that names the {family.label} family"
    )


def test_the_commands_of_the_document_name_tests_that_are_there():
    text = (ROOT / "docs" / "RELIABILITY.md").read_text(encoding="utf-8")
    named = re.findall(r"\btests/[\w/]+\.py\b", text)
    assert len(named) > 10
    assert [file for file in named if not (ROOT / file).is_file()] == []


def resolved(name):
    """What a dotted name means; an AttributeError if there is nothing."""
    *home, last = name.split(".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return getattr(resolved(".".join(home)), last)


def test_names_and_files_in_documents_are_in_the_code():
    for document in GUIDES:
        text = document.read_text(encoding="utf-8")
        for name in re.findall(r"`(dpviz(?:\.\w+)+)`", text):
            assert resolved(name) is not None
        for file in re.findall(r"`((?:dpviz|docs|tests|pages)/[\w./]*)`", text):
            assert (ROOT / file).exists() or any(name in file for name in EXAMPLES), file
