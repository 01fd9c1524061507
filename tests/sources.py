"""Source texts as syntax trees: each is parsed once for all tests that read them."""

import ast
from collections.abc import Iterator
from functools import cache


@cache
def tree(text: str) -> ast.Module:
    """The syntax tree of a module; nobody changes it."""
    return ast.parse(text)


@cache
def nodes(text: str) -> list[ast.AST]:
    """All nodes of a module."""
    return [*ast.walk(tree(text))]


def statements(module: ast.Module) -> Iterator[ast.AST]:
    """A module and all its statements, those inside others included."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, [])
