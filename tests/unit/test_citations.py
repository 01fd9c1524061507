"""Every citation in a docstring or comment leads somewhere that a reader of the repository can go.

`MATHEMATICS 2.3` is a section of docs/MATHEMATICS.md, a key in brackets is a paper that is listed
there or in the module's own docstring, and a file that is named exists.
"""

import ast
import re
from functools import cache
from pathlib import Path

from tests.conftest import FULL
from tests.sources import statements, tree

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
DOCUMENT = ROOT / "docs" / "MATHEMATICS.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
FOLDERS = ("dpviz", "docs", "pages", "tests")
READ = FOLDERS if FULL else FOLDERS[:3]  # tests cite as well, and are long
FILES = [
    ROOT / "app.py",
    *(file for name in READ for file in sorted((ROOT / name).rglob("*.py")) if file != HERE),
]
HEADING = re.compile(r'^#{2,3} <a id="s([\d-]+)"></a>(\d+(?:\.\d+)?) \S', re.MULTILINE)
CITED = re.compile(r"\bMATHEMATICS\b(?!\.md)(?:\s+(\d+\.\d+(?:(?:,| to| and)\s+\d+\.\d+)*))?")
SOURCE = re.compile(r"^- \*\*\[(\w+)\]\*\* (.+)$", re.MULTILINE)
KEY = re.compile(r"(?:\[|; )([A-Z][A-Za-z]*\d{2})(?=[],;])")
FINDABLE = re.compile(r"arXiv:\d{4}\.\d{4,5}|\b(19|20)\d\d\b|#\d+")
# Another document, by its name in capitals: "NAME section 4", "NAME-2, section 4", "Goals: NAME 8".
ELSEWHERE = re.compile(
    r"\b([A-Z]{4,}(?:-\d+)*),?\s+sections?\s+\d|\b(?:Sources?|Goals?):\s+([A-Z]{4,}),?\s+P?\d"
)
NAMED_FILE = re.compile(r"(?<![\w./-])((?:[\w-]+/)*[\w-]+\.(?:md|py))\b")
FORMULA = re.compile(r"```math\n(.*?)```", re.DOTALL)
INLINE = re.compile(r"\$([^$]+)\$")
SECTIONS = [number for _, number in HEADING.findall(TEXT)]
SOURCES = dict(SOURCE.findall(TEXT))


@cache
def docstrings(file):
    """Of the module, which comes first, and of what it defines."""
    return [
        ast.get_docstring(node) or ""
        for node in statements(tree(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]


@cache
def prose(file):
    """Docstrings and comments of a file: what its author tells a reader."""
    comments = re.findall(r"(?:^|\s)# .*", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "\n".join([*docstrings(file), *comments])


def everywhere(check):
    """What `check` finds wrong in the prose of a file, by the file."""
    found = {file.relative_to(ROOT).as_posix(): check(file) for file in FILES}
    return {name: wrong for name, wrong in found.items() if wrong}


def numbers(text):
    return re.findall(r"\d+\.\d+", text or "")


def unknown_sections(text):
    """Citations that lead to no section; one without a number is unknown as well."""
    found = []
    for match in CITED.finditer(text):
        if not numbers(match[1]) or not set(numbers(match[1])) <= set(SECTIONS):
            found.append(match[0])
        for ends in re.findall(r"\d+\.\d+ to\s+\d+\.\d+", match[1] or ""):
            first, last = ([int(part) for part in number.split(".")] for number in numbers(ends))
            if first[0] != last[0] or first >= last:
                found.append(match[0])
    return found


def defined(text):
    """Keys that a docstring defines itself: authors or title, and a year or a number to find it."""
    parts = re.split(r"\[([A-Z][A-Za-z]*\d{2})\] ", text)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {key for key, said in pairs if len(said) > 30 and FINDABLE.search(said)}


def test_every_section_cited_is_in_the_document():
    found = everywhere(lambda file: unknown_sections(prose(file)))
    assert found == {}, "cite a section by its number, or the page as docs/MATHEMATICS.md"


def test_every_key_has_a_source():
    def without(file):
        own = defined(docstrings(file)[0])
        return set(KEY.findall(prose(file))) - set(SOURCES) - own

    assert everywhere(without) == {}


def test_nothing_is_cited_that_is_not_in_the_repository():
    here = {file.name for name in FOLDERS for file in (ROOT / name).rglob("*.*")}

    def missing(file):
        files = {name for name in NAMED_FILE.findall(prose(file)) if not (ROOT / name).is_file()}
        documents = {one or other for one, other in ELSEWHERE.findall(prose(file))}
        return {name for name in files if "/" in name or name not in here} | {
            name for name in documents if f"{name}.md" not in here
        }

    assert everywhere(missing) == {}


def test_the_code_cites_the_document():
    cited = [numbers(match[1]) for file in FILES for match in CITED.finditer(prose(file))]
    assert len(cited) > 100
    assert len({number for one in cited for number in one}) > 40


def test_a_wrong_citation_is_found_out():
    for wrong in ("MATHEMATICS 2.99", "MATHEMATICS 3.1, 99.1", "MATHEMATICS 2", "MATHEMATICS"):
        assert unknown_sections(f"Source: {wrong}; more."), wrong
    assert unknown_sections("MATHEMATICS 2.7 to 2.1")
    assert (
        unknown_sections("Source: MATHEMATICS 2.1 to\n    2.7, 3.1. See docs/MATHEMATICS.md") == []
    )
    for wrong in (
        *("NOTES section 2", "NOTES, section 6", "NOTES-002 sections 2.1", "Goals: NOTES 8"),
    ):
        assert ELSEWHERE.search(wrong), wrong
    assert KEY.findall("[ABC12, Theorem 1; DEF34, Lemma 2], [GHI56]") == ["ABC12", "DEF34", "GHI56"]
    assert defined("[ABC12] Andersson and Others, A title of some length, 2012.")
    for wrong in ("[ABC12] Andersson.", "[ABC12] Andersson and Others, a title without a year"):
        assert not defined(wrong), wrong


def test_sections_are_numbered_in_order_and_anchored_by_their_number():
    assert all(anchor == number.replace(".", "-") for anchor, number in HEADING.findall(TEXT))
    assert len(SECTIONS) == len(re.findall(r"^##+ ", TEXT, flags=re.MULTILINE))
    expected, part, piece = [], 0, 0
    for number in SECTIONS:
        part, piece = (part, piece + 1) if "." in number else (part + 1, 0)
        expected.append(f"{part}.{piece}" if piece else f"{part}")
    assert expected == SECTIONS


def test_links_of_the_document_lead_somewhere():
    anchors = {f"#s{anchor}" for anchor, _ in HEADING.findall(TEXT)}
    for text, target in re.findall(r"\[([^\]]+)\]\(([^)\s]+)\)", TEXT):
        if not target.startswith("#"):
            assert (DOCUMENT.parent / target).is_file(), target
            continue
        assert target in anchors, target
        if re.fullmatch(r"[\d.]+", text):
            assert target == f"#s{text.replace('.', '-')}"
    for name in re.findall(r"`((?:\w+/)?test_\w+\.py)`", TEXT):
        assert list(ROOT.glob(f"tests/**/{name}")), name


def test_every_source_has_a_title_and_a_place_and_is_used():
    assert list(SOURCES) == sorted(SOURCES, key=str.lower)
    body = SOURCE.sub("", TEXT)
    cited = {key for text in (body, *map(prose, FILES)) for key in KEY.findall(text)}
    assert set(KEY.findall(body)) <= set(SOURCES) <= cited
    for key, said in SOURCES.items():
        assert re.search(r"\*[^*]{10,}\*", said), key
        assert FINDABLE.search(said), key


def test_what_is_not_in_the_library_says_so():
    waiting = TEXT.split('<a id="s10">')[1].split('<a id="s11">')[0]
    sections = waiting.split("\n### ")[1:]
    assert sections
    for section in sections:  # one that has come into the library keeps its number
        assert re.search(
            r"^\*\*(Not in the library yet\.\*\*|In the library: see \[)", section, re.MULTILINE
        ), section.splitlines()[0]
    cited = {
        n for file in FILES for match in CITED.finditer(prose(file)) for n in numbers(match[1])
    }
    assert not [number for number in cited if number.startswith("10.")]


def test_formulas_are_written_as_the_page_is_rendered():
    """Inline: no escaped signs, which Markdown takes away, none that a table or a tag would eat."""
    rest = FORMULA.sub("", TEXT)
    assert "```" not in rest
    for line in rest.splitlines():
        assert line.count("$") % 2 == 0, line
        for match in INLINE.finditer(line):
            eaten = re.search(r"\\[^A-Za-z]|[<>*]|^\s|\s$", match[1])
            assert not eaten, f"Markdown would eat {eaten[0]!r} of ${match[1]}$: {line}"
            assert not (line.startswith("|") and "|" in match[1]), line
            beside = line[: match.start()][-1:] + line[match.end() :][:1]
            assert not re.search(r"\w", beside), line
    for formula in FORMULA.findall(TEXT) + INLINE.findall(rest):
        for one, other in ((r"\{", r"\}"), (r"\\left\b", r"\\right\b"), (r"\\begin\b", r"\\end\b")):
            assert len(re.findall(one, formula)) == len(re.findall(other, formula)), formula
