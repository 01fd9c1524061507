"""Documents agree with the code: docstrings, README, citations, quotations, notes for teachers.

The notebooks run as they stand and find what they say; README and the index point to them.
"""

import ast
import importlib
import re
import runpy
from functools import cache
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import numpy as np
import pytest
from scipy import stats

from dpviz.noise import FAMILIES
from dpviz.planning.cast import ILL, KNOWN, RHO
from dpviz.scenes import the_promise
from dpviz.scenes.lessons import Settings
from dpviz.scenes.quiz import numbers
from dpviz.ui.kit.lesson import RIGHT
from dpviz.ui.kit.lesson_link import KEPT, asked_for, option
from dpviz.ui.kit.page_table import PAGES
from dpviz.words import pm
from tests.conftest import FULL, few, for_each
from tests.guessing import overlap
from tests.sources import statements, tree
from tests.unit.test_architecture import LAYERS
from tests.visiting import plain

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


@for_each("family", FAMILIES.values())
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


# README's library example runs, and its picture is there.


README = (ROOT / "README.md").read_text(encoding="utf-8")
RUN = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def example(place):
    names: dict[str, object] = {}
    exec(RUN[place], names)
    return names


def test_the_library_example_runs_in_any_order():
    names = example(0)
    session, public = names["session"], names["public"]
    assert len(session.levels) == 3
    np.testing.assert_array_equal(session.release(session.levels[-1]), public)


def test_the_example_of_several_statistics_runs_and_costs_what_it_says():
    names = example(1)
    assert names["told"] == names["account"].in_all(names["ws"]).tiers["audit"].value == 2.0
    assert [e.tier for e in names["ws"].ledger] == ["audit", "public"] * 2
    with ZipFile(BytesIO(names["folder"])) as archive:
        assert {n.split("/")[0] for n in archive.namelist()} == {"audit"}
        assert len({n.split("/")[1] for n in archive.namelist() if n.count("/") == 2}) == 2
    assert RUN[1].strip().count("\n") < 16


def test_the_structured_example_runs():
    names = example(2)
    (level,) = names["answers"].levels
    assert names["answers"].release(level).shape == (7,)
    assert {4, 10**8} <= set(names["items"].tolist())
    assert min(names["counts"]) > names["threshold"]
    assert names["counter"].taken == 1
    assert abs(names["research"] - 120) < 60
    assert len(names["ranking"].items) == names["listed"].dimension == 3


def test_the_picture_is_there():
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert (ROOT / picture).stat().st_size > 10_000


def test_make_test_runs_every_folder_of_tests():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^test:.*\n((?:\t.*\n)+)", makefile, flags=re.MULTILINE)[1]
    folders = {file.relative_to(ROOT).parts[1] for file in ROOT.glob("tests/*/**/test_*.py")}
    seldom = {"load"}  # as it says itself
    assert {*re.findall(r"tests/(\w+)", recipe)} == folders - seldom
    assert " dpviz " in recipe  # the doctests
    assert "static docs" in recipe


def test_every_command_that_is_named_is_a_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for document in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", text, flags=re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_the_readme_stays_short():
    assert len(README.splitlines()) <= 145


# Every citation in a docstring or comment leads somewhere that a reader of the repository can go.


HERE = Path(__file__).resolve()
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


def written_numbers(text):
    return re.findall(r"\d+\.\d+", text or "")


def unknown_sections(text):
    """Citations that lead to no section; one without a number is unknown as well."""
    found = []
    for match in CITED.finditer(text):
        if not written_numbers(match[1]) or not set(written_numbers(match[1])) <= set(SECTIONS):
            found.append(match[0])
        for ends in re.findall(r"\d+\.\d+ to\s+\d+\.\d+", match[1] or ""):
            first, last = (
                [int(part) for part in number.split(".")] for number in written_numbers(ends)
            )
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
    cited = [written_numbers(match[1]) for file in FILES for match in CITED.finditer(prose(file))]
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
        n
        for file in FILES
        for match in CITED.finditer(prose(file))
        for n in written_numbers(match[1])
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


# What the documents put between quotation marks: a paper's very words, or a name of our own.


VERBATIM = {  # words → where they stand
    "the unique distribution": "[LMR25] appendix A",
    "a sum of truncated Gaussians, which simulate the same event": "[LMR25] appendix C",
    "let $\\mu_1=b^2/b_1^2$ and $\\mu_2=b_2^2/b^2$ […] $X_1=0$ if $D_1=1$, $\\mathrm{Lap}(0,b)$ "
    "otherwise, and $X_2=0$ if $D_2=1$, $\\mathrm{Lap}(0,b_2)$ otherwise": "[LMR25] Lemma F.5",
    "Draw fresh noise […] conditioned on $\\tilde Z\\le\\rho_k\\tau_k-Z$": "[LMR25] Algorithm 6",
    "conditioned on $\\tilde Z\\gt\\rho_k\\tau_k-Z$": "[LMR25] Algorithm 6",
    "multiple uncorrelated releases": "[LMR25] Figure 2",
    "only applies in the non-adaptive setting": "[BCT20] before Theorem 2",
    "for a reasonable number of compositions, Laplace outperforms Gaussian": "[BCT20] section 6.1",
    "how the error scales": "[APT24] before Corollary 4.9",
    "Laplace noise of comparable variance": "[APT24] abstract",
    "only a finite (random) number of points where jumps occur": "[KHP15] section 3.4",
    "privacy level relaxation is achieved by sampling": "[KHP15] section 4.1",
    "as suggested by our results": "[KHP15] section 4.1",
    "by the pound": "[KHP15] section 3",
    "gradually releasing private data can be extended to any query": "[KHP15] section 5",
}
OWN = {  # our own words, set apart
    "read the path",
    "without the spare factor",
    "shows first in round 2",
    "no breach found",
    "only if",
    "Nothing found",
    "DP first",
}
MARKED = re.compile(r'"([^"]+)"|“([^”]+)”')


@pytest.mark.parametrize("name", ["LOSSLESS", "MATHEMATICS", "PAPERS"])
def test_every_quotation_is_a_paper_s_very_words_or_our_own(name):
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    marked = {" ".join((a or b).split()) for a, b in MARKED.findall(text)}
    several = {each for each in marked if len(each.split()) > 1}
    assert several <= VERBATIM.keys() | OWN, "neither compared with its paper, nor our own"


def test_every_quotation_that_was_compared_is_still_quoted():
    names = ("LOSSLESS", "MATHEMATICS", "PAPERS")
    text = " ".join((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in names)
    assert not [each for each in VERBATIM if each not in " ".join(text.split())]


# docs/TEACHING.md: all screens have notes, all votes are listed, addresses and numbers fit.


TEACHING = (Path(__file__).resolve().parents[2] / "docs" / "TEACHING.md").read_text(
    encoding="utf-8"
)
LESSONS = {
    page.file: importlib.import_module(f"dpviz.ui.{page.file}").LESSON
    for page in PAGES
    if page.is_lesson
}
TITLES = {page.file: page.title for page in PAGES}
ADDRESSES = sorted({*re.findall(r"`(/[^`]*)`", TEACHING)})


def section(title):
    """The text below a heading, up to the next one."""
    return TEACHING.split(f"\n## {title}\n")[1].split("\n## ")[0]


@for_each("file", LESSONS)
def test_every_screen_has_notes_under_its_title_in_order(file):
    notes = re.findall(r"^\d\. (.*)", section(f"{TITLES[file]}, screen by screen"), re.MULTILINE)
    assert len(notes) == len(LESSONS[file].screens)
    for note, screen in zip(notes, LESSONS[file].screens, strict=True):
        for told in (screen.opening, screen) if screen.opening else (screen,):
            assert f"**{told.title}" in note
        assert len(note) > 60


def votes():
    """Addresses and right answers of the screens that ask."""
    for file, lesson in LESSONS.items():
        for step, screen in enumerate(lesson.screens, 1):
            if screen.asks:
                said = {
                    chosen: screen.said(screen.scene(Settings(chosen=chosen, done=True)))
                    for chosen in screen.choice.options
                }
                (right,) = (chosen for chosen, told in said.items() if told.startswith(RIGHT))
                yield ("/" if file == "start" else f"/{file}") + f"?step={step}", plain(right)


def test_every_vote_is_listed_with_its_right_answer():
    rows = re.findall(r"^\| .*\? \| (.*) \| `(.*)` \|$", section("Votes"), re.MULTILINE)
    assert [(where, answer) for answer, where in rows] == sorted(
        votes(), key=lambda vote: [*LESSONS].index(urlsplit(vote[0]).path[1:] or "start")
    )


@for_each("address", ADDRESSES)
def test_every_address_leads_to_a_page_and_asks_for_what_is_there(address):
    parts = urlsplit(address)
    file, asked = parts.path[1:] or "start", {k: v[0] for k, v in parse_qs(parts.query).items()}
    assert file in TITLES
    assert {*asked} <= {"step", "lecture", *KEPT}
    if file not in LESSONS:
        assert not asked
        return
    step = int(asked.get("step", "1"))
    screen = LESSONS[file].screens[step - 1]
    shown = asked_for(asked, step)
    assert not shown.done or (screen.act and not screen.act.repeats)
    assert not shown.told or screen.opening
    assert not shown.choice or option(screen, shown.choice)


def test_right_guesses_in_the_text_are_those_of_the_lessons():
    tiers = [RHO[name] for name in ("audit", "research", "partners", "public")]
    known = {f"{overlap(rho):.0f}" for rho in (max(tiers), min(tiers), sum(tiers), 2 * max(tiers))}
    known |= {f"{overlap(RHO['public'], people=4):.0f}", f"{ILL}", f"{KNOWN}", "500"}
    known |= {f"{at:.0f}" for at in (the_promise.AT, the_promise.RARE)}  # numbers in question
    text = TEACHING.split("## The exercise sheet")[0]
    assert {*re.findall(r"\b[3-9]\d\d\b", re.sub(r"`[^`]*`|1280 × 800", "", text))} <= known
    made = numbers()
    halves = {plain(pm(half)).lstrip("± ") for half in (made.half, made.share)}
    assert {*re.findall(r"± (\d\.\d+)", text)} == halves


def test_most_scores_of_a_class_are_where_the_plan_says():
    low, high = map(int, re.search(r"most have (\d+) to (\d+) of 20", TEACHING).groups())
    inside = stats.binom.cdf(high, 20, share := overlap(RHO["public"]) / 1000)
    inside -= stats.binom.cdf(low - 1, 20, share)
    assert 0.9 < inside < 0.97


def test_commands_of_the_text_are_there():
    from click.testing import CliRunner

    from dpviz.command import commands

    for line in re.findall(r"^dpviz (\w+)", TEACHING, re.MULTILINE):
        assert CliRunner().invoke(commands, [line, "--help"]).exit_code == 0


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
FINDS = {  # what is printed, how often
    "covariances_in_any_order": {
        ": 0 of 6 covariances and 0 of": 6,  # every noise
        "each independently: 3 of 6 covariances": 1,  # the near misses fail
        "steps of another noise: 0 of 6 covariances and 26 of 28 chances": 1,
        "l/h within its band: True": 1,
        "its square root: False": 1,
    },
    "figures_of_the_papers": {
        "Private Lossless Multiple Release. ": 3,
        "Gradual Release of Sensitive Data. ": 4,
        "Count on Your Elders. ": 2,
        "Bounding, Concentrating, and Truncating. ": 6,
    },
    "from_upload_to_hand_out": {
        "as it was signed: True": 2,
        "with one digit more: False": 1,
        "ε-DP: 1 together; separate noise: 2.05": 1,
    },
    "growth_of_sparse_histograms": {"1,000,000,000,000 items": 1},
    "sharpen_until_it_is_enough": {
        "this outcome costs ε = 0.125; a ledger counts ε = 2": 1,
        "saved: 49%": 1,
        "saved: 50%": 1,
    },
    "your_own_noise": {
        "rounded Laplace noise: yes": 1,
        "variance times 2: no": 1,
        "variance times 3: yes": 1,
        "noisy max: no": 1,
    },
}


@pytest.fixture(scope="module")
def run():
    return runpy.run_path(str(ROOT / "docs" / "run_notebooks.py"))["run"]


@pytest.mark.parametrize("file", few(NOTEBOOKS, 5), ids=lambda file: file.stem)
def test_a_notebook_runs_and_finds_what_it_says(run, file, capsys):
    run(file)  # refuses one without a figure
    said = capsys.readouterr().out
    assert {text: said.count(text) for text in FINDS[file.stem]} == FINDS[file.stem]


def test_a_notebook_without_a_figure_is_refused(run, tmp_path):
    (tmp_path / "empty.py").write_text("figure = None\n", encoding="utf-8")
    with pytest.raises(TypeError, match="leaves no figure"):
        run(tmp_path / "empty.py")


@pytest.mark.parametrize("guide", ["README.md", "docs/index.md"])
def test_guides_name_every_notebook(guide):
    text = (ROOT / guide).read_text(encoding="utf-8")
    assert [file.name for file in NOTEBOOKS if f"notebooks/{file.name})" not in text] == []
