"""What `make docs` makes of a docstring, and links between documents that lead somewhere."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("dpviz/*.md")])
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")


def read(*lines):
    """The docstring as Sphinx gets it."""
    read_docstring = runpy.run_path(str(ROOT / "docs" / "conf.py"))["read_docstring"]
    text = list(lines)
    read_docstring(None, "function", "name", None, None, text)
    return text


def test_a_formula_stands_as_it_is_set():
    assert read("Draw:", "", "    Y = a * b", "", "Then.") == [
        *("Draw:", "", "::", "", "    Y = a * b", "", "Then."),
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
