"""How `make docs` turns the documents and the docstrings into pages; every warning is an error.

The documents are Markdown that reads as well on a code host, docstrings are plain text with
formulas: what Sphinx would misread in either is put into its own words here, as each is read.
"""

import importlib
import pkgutil
import re
from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.domains.python import ObjectEntry, PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

import dpviz

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "build" / "reference"
DASHBOARD = {"ui", "charts", "scenes", "words", "command", "__main__"}  # no library

project, author, version = "dpviz", "the dpviz developers", dpviz.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "dpviz/*.md", "build/reference/*.rst"]
exclude_patterns = [".*", "build/docs", "build/doctrees", "tests"]  # not walked through
html_theme = "furo"
html_title = f"dpviz {version}"
html_math_renderer = "mathml"  # by the browser itself: no script, nothing from elsewhere
html_show_copyright = False
default_role = "py:obj"
add_module_names = False
toc_object_entries = False  # modules only: every name would make each page list 1,000
autodoc_default_options = {"members": True}
autodoc_use_type_comments = False  # there are none; looking for them takes a tenth
autodoc_member_order = "bysource"
napoleon_use_ivar = True
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 3

LATEX = {
    r"\lt": "<",
    r"\gt": ">",
    r"\big/": "/",
    r"\dots": r"\ldots",
}  # what docutils writes in another way
SECTION = re.compile(r"(Args|Returns|Yields|Raises|Attributes|Examples?|Notes?):$")
RETURNS = re.compile("(Returns|Yields):$")
ANCHOR = re.compile(r'^(#+) <a id="([\w-]+)"></a>', re.MULTILINE)
CITED = re.compile(r"\bMATHEMATICS\b(?!\.md)(?:\s+\d+\.\d+(?:(?:,| to| and)\s+\d+\.\d+)*)")
MARKUP = re.compile(r"`[^`]*`|(?<!\S)\*[A-Za-z][^*]*\*(?!\w)|([*|\\])|(?<=\w)(_)(?!\w)")


def write_reference(_app: Sphinx, _config: Config) -> None:
    """A page for what `dpviz` offers, and one for each room that offers more."""
    REFERENCE.mkdir(parents=True, exist_ok=True)
    pages = {"dpviz": offered("dpviz"), "dpviz.streams": offered("dpviz.streams")}
    rooms = {module.name for module in pkgutil.iter_modules(dpviz.__path__)}
    for room in sorted(rooms - DASHBOARD):
        names = {*getattr(importlib.import_module(f"dpviz.{room}"), "__all__", ())}
        if names.difference(dpviz.__all__):
            pages[f"dpviz.{room}"] = offered(f"dpviz.{room}", names.intersection(dpviz.__all__))
    for title, text in pages.items():
        page = REFERENCE / f"{title}.rst"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
    for page in REFERENCE.glob("*.rst"):
        if page.stem not in pages:
            page.unlink()


def offered(module: str, elsewhere: Collection[str] = ()) -> str:
    """The page of a module: the names in its `__all__`, but for those described elsewhere."""
    lines = [module, "=" * len(module), "", f".. automodule:: {module}"]
    if hasattr(importlib.import_module(module), "__all__"):
        lines.append("   :imported-members:")
    if elsewhere:
        lines.append(f"   :exclude-members: {', '.join(sorted(elsewhere))}")
    return "\n".join(lines) + "\n"


def name_sections(_app: Sphinx, _name: str, text: list[str]) -> None:
    """Give a heading of a document the name that its anchor has on a code host."""
    text[0] = ANCHOR.sub(r"(\2)=\n\1 ", text[0])


def plain(line: str) -> str:
    """A line of a docstring whose marks stand for themselves."""
    return MARKUP.sub(lambda found: "\\" + found[0] if found[1] or found[2] else found[0], line)


def read_docstring(
    _app: Sphinx, _what: str, _name: str, _item: object, _options: object, lines: list[str]
) -> None:
    """Let formulas stand as they are set, link the sections cited, let marks be what they are."""
    text: list[str] = []
    section = formula = example = False
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line:
            section = bool(SECTION.match(line)) or (section and indent > 0)
            example = line.lstrip().startswith(">>>") or (example and bool(text[-1]))
            starts = indent >= 4 and not section and not example and not (text and text[-1])
            if starts and not formula:
                text += [" " * (indent - 4) + "::", ""]
            formula = starts or (formula and indent >= 4)
        if text and RETURNS.match(text[-1]):  # what it is, not its type: that is in the signature
            line = line.replace("    ", "    : ", 1)
        text.append(line if formula or example else plain(line))
    lines[:] = CITED.sub(linked, "\n".join(text)).split("\n")


def linked(cited: re.Match[str]) -> str:
    """The sections cited, each as a link."""
    return re.sub(r"(\d+)\.(\d+)", r":ref:`\1.\2 <s\1-\2>`", cited[0])


class QuickPython(PythonDomain):
    """Python's names; for one that is not ours, as `float`, Sphinx would search all ours."""

    def find_obj(
        self,
        env: BuildEnvironment,
        modname: str,
        classname: str,
        name: str,
        type: str | None,
        searchmode: int = 0,
    ) -> list[tuple[str, ObjectEntry]]:
        """Find a name as Sphinx does, if any of ours ends with its last word."""
        if _last_word(name.removesuffix("()")) not in self._last_words:
            return []
        return super().find_obj(env, modname, classname, name, type, searchmode)

    @cached_property
    def _last_words(self) -> set[str]:
        """All that is described; asked first when all documents are read."""
        return {_last_word(name) for name in self.objects}


def _last_word(name: str) -> str:
    return name.rpartition(".")[2]


def find_public(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Link a name that `dpviz` itself offers to its page."""
    name = node["reftarget"]
    if name not in dpviz.__all__:
        return None
    python, page = env.get_domain("py"), node["refdoc"]
    return python.resolve_xref(env, page, app.builder, "obj", f"dpviz.{name}", node, text)


def mathml(node: nodes.Element, *, as_block: bool) -> str:
    """A formula for the browser; a warning if docutils cannot read it."""
    text = re.sub(r"(\\\\)\[\w+\]", r"\1", node.astext())  # the height of a line
    for said, meant in LATEX.items():
        text = text.replace(said, meant)
    try:
        return tex2mathml(text, as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("%s in %s", error, text, location=node)
        return text


def inline_formula(self: HTML5Translator, node: nodes.Element) -> None:
    """Set a formula within a line."""
    self.body.append(mathml(node, as_block=False))
    raise nodes.SkipNode


def formula(self: HTML5Translator, node: nodes.Element) -> None:
    """Set a formula on lines of its own."""
    self.body.append(
        f'<div class="math" style="overflow-x: auto">{mathml(node, as_block=True)}</div>'
    )
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the above."""
    app.connect("config-inited", write_reference)
    app.connect("source-read", name_sections)
    app.connect("missing-reference", find_public)
    app.connect("autodoc-process-docstring", read_docstring, priority=100)
    app.add_domain(QuickPython, override=True)
    app.add_html_math_renderer("mathml", (inline_formula, None), (formula, None))
