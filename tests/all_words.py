"""Every sentence that may come on screen, into a hand-out or out of an error: `make words`.

Read by somebody who did not write them. Docstrings and comments are left out; what is filled in
stands in braces.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("dpviz", "pages")


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """Line and words of each text with more than one word, docstrings left out.

    >>> list(sentences('def f(x):\\n    "Not this."\\n    return f"{x} people, " "each once"'))
    [(3, '{x} people, each once')]
    """
    tree = ast.parse(source)
    hidden = {
        id(node.value)
        for parent in ast.walk(tree)
        if isinstance(parent, (ast.Module, ast.ClassDef, ast.FunctionDef))
        for node in parent.body[:1]
        if isinstance(node, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden |= {id(inside) for inside in ast.walk(node)} - {id(node)}
    for node in ast.walk(tree):
        words = _text(node) if id(node) not in hidden else ""
        if len(words.split()) > 1 and any(letter.isalpha() for letter in words):
            yield node.lineno, " ".join(words.split())


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else _filled(part)
            for part in node.values
        )
    return ""


def _filled(part: ast.expr) -> str:
    assert isinstance(part, ast.FormattedValue)
    return f"{{{ast.unparse(part.value)}}}"


def main() -> None:
    """Print them all, file by file."""
    for file in sorted(f for folder in FOLDERS for f in (ROOT / folder).rglob("*.py")):
        found = sorted(sentences(file.read_text(encoding="utf-8")))
        if found:
            print(f"\n## {file.relative_to(ROOT)}\n")
            print("\n".join(f"{line}: {words}" for line, words in found))


if __name__ == "__main__":
    main()
