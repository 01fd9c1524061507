"""Plain English: words that a reader stumbles over stay out of code, documents and tests."""

import io
import re
import tokenize
from functools import cache
from pathlib import Path

from tests.all_words import sentences
from tests.conftest import for_each
from tests.unit.test_docs import ROOT

INSTEAD = {  # what stays out, and what to write
    r"(?i)\banew\b": "again, or afresh",
    r"(?i)\bwhoever\b": "anyone who, or the people who",
    r"\bnoises\b": "noise, noise terms, or kinds of noise",
    r"(?i)\bstands?\s+there\b": "is there, or is shown",
    r"(?i)\bso\s+many\b": "this many, or the number itself",
    r"(?i)\bthat\s+which\b": "what",
    r"(?<!there )\b(is|are)\s+none\b(?!\s+else)": "is not one, or cannot be used",
    r"(?i)\bhow\s+far:": "Limits:",
    r"(?i)\bthe\s+very\s+(same|number|run)": "the same, or exactly the number",
    r"(?i)\b(hence|thereof|wherein|whence|lest)\b": "so, or of it",
    r"(?i)\bmend(s|ed)?\b": "correct",
    r"(?i)\bof\s+his\s+own\b": "of their own, or independent",
    r"\bExpected are\b": "Write, or needed are",
    r"(?i)\bthe\s+way\s+stands\b": "what it has come to",
}
LOOSELY = re.compile(  # the same words, whatever is between them, in small letters
    "|".join(re.sub(r"\(\?i\)|\(\?<!there \)", "", pattern).lower() for pattern in INSTEAD)
    .replace(r"\s+", r"\W+")
    .replace(" ", r"\W+")
)
FILES = sorted(
    file
    for file in [
        *ROOT.glob("*.md"),
        *ROOT.glob("*.py"),
        *(f for d in ("docs", "dpviz", "pages", "tests") for f in (ROOT / d).rglob("*.*")),
    ]
    if file.suffix in {".py", ".md", ".toml"} and file.name != "test_plain_words.py"
)
PROSE = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


@cache
def prose(file: Path) -> str:
    """A document; of a module its comments and strings, line by line, without their marks."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return text
    lines = [""] * (text.count("\n") + 1)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in PROSE:
            for place, part in enumerate(token.string.split("\n"), token.start[0] - 1):
                lines[place] += " " + part.strip().strip("\"'#")
    return "\n".join(lines)


def test_plain_words():
    found = [
        f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, hit.start()) + 1}: "
        f"instead of “{hit.group()}” write {instead}"
        for file in FILES
        if LOOSELY.search(file.read_text(encoding="utf-8").replace("None", "").lower())
        for text in [prose(file)]
        for pattern, instead in INSTEAD.items()
        for hit in re.finditer(pattern, text)
    ]
    assert not found, "\n".join(found)


@for_each(
    ("text", "caught"),
    [
        ("whoever asks for this level", True),
        ("one person moves at most so\nmany groups", True),
        ("number 3 is none. Type", True),
        ("both noises have the same variance", True),
        ("open the session if there is none", False),
        ("the noise is drawn again", False),
    ],
)
def test_the_patterns_find_what_they_are_for(text, caught):
    assert any(re.search(pattern, text) for pattern in INSTEAD) == caught
    assert bool(LOOSELY.search(text.lower())) >= caught


# The list of all sentences leaves none out, and has no docstring in it.


SOURCE = '''
"""Not this one."""
class A:
    """Nor this one."""
    LABEL = "Who sees what"
    def f(self, x):
        """Nor that."""
        raise ValueError(f"{x + 1} people, " "each once")
    async def key(self):
        return "key", "two words", f"{self}"
'''


def test_texts_of_several_words_are_found_where_they_stand():
    assert sorted(sentences(SOURCE)) == [
        (5, "Who sees what"),
        (8, "{x + 1} people, each once"),
        (10, "two words"),
    ]
