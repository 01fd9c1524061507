"""Graphs of who knows whom: read from an edge list, taken from the literature, measured in hops.

A graph is undirected, simple and of at most `MOST_EDGES` edges. Names of an edge list are those of
strangers, and a line of it is data: refusals say the line's number, never what stands on it.
Limits: the classics come with networkx, which is loaded when the first graph is made.
"""

import csv
import io
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpviz import checks
from dpviz.errors import DataError, ParameterError

if TYPE_CHECKING:
    import networkx as nx

MOST_EDGES = 100_000
MOST_LETTERS = 100  # of a name
SEPARATORS = (",", ";", "\t")
HEADERS = ({"source", "target"}, {"from", "to"})
EXAMPLE_LINE = "“Maria, Ana”"


@dataclass(frozen=True, slots=True)
class Classic:
    """A graph of the literature: what it is, its source, and a member to begin with."""

    name: str
    title: str
    source: str
    somebody: str


CLASSIC_NETWORKS = {
    each.name: each
    for each in (
        Classic(
            "karate_club",
            "a karate club of 34",
            "Zachary, An Information Flow Model for Conflict and Fission in Small Groups, 1977",
            "1",
        ),
        Classic(
            "les_miserables",
            "77 characters of “Les Misérables”",
            "Knuth, The Stanford GraphBase, 1993",
            "Cosette",
        ),
        Classic(
            "florentine_families",
            "15 families of Florence",
            "Breiger and Pattison, Cumulated Social Roles, 1986",
            "Medici",
        ),
    )
}


def classic_network(name: str) -> "nx.Graph":
    """A graph of `CLASSIC_NETWORKS`, its nodes as text; members of the karate club are 1 to 34.

    Raises:
        ParameterError: there is no classic network of this name.

    >>> graph = classic_network("karate_club")
    >>> len(graph), graph.number_of_edges(), sorted(graph["12"])
    (34, 78, ['1'])
    """
    checks.one_of(CLASSIC_NETWORKS, name=name)
    import networkx as nx

    found = getattr(nx, f"{name}_graph")()
    counted = all(isinstance(node, int) for node in found)
    return nx.Graph(
        (str(a + 1), str(b + 1)) if counted else (str(a), str(b)) for a, b in found.edges
    )


def read_edges(edge_list: str | bytes) -> "nx.Graph":
    r"""Read an edge list: on each line two names, with a comma, semicolon, tab or blank between.

    A separator other than a blank is that of the whole list, and names may then hold blanks and be
    quoted. Empty lines, lines that begin with # and a first line “source,target” or “from,to” are
    passed over; an edge that comes twice counts once.

    Args:
        edge_list: as text, or as bytes in UTF-8.

    Raises:
        DataError: the list is no text in UTF-8, has no edge or more than `MOST_EDGES`, or a line
            has not two names, the same name twice, or a name of more than `MOST_LETTERS` letters.

    >>> read_edges("Maria, Ana\nAna, Bo\n").number_of_edges()
    2
    >>> read_edges("Maria Ana\nBo Bo\n")
    Traceback (most recent call last):
    dpviz.errors.DataError: Line 2 joins a name to itself. Write two names, such as “Maria, Ana”.
    """
    import networkx as nx

    graph, count = nx.Graph(), 0
    for line, names in _pairs(_text(edge_list)):
        first, second = _two(names, line)
        count += not graph.has_edge(first, second)
        if count > MOST_EDGES:
            raise DataError(_too_many())
        graph.add_edge(first, second)
    if not graph:
        raise DataError(
            f"There is no edge in this list. Write two names on each line, such as {EXAMPLE_LINE}."
        )
    return graph


def own_graph(graph: "nx.Graph") -> "nx.Graph":
    """A copy of an undirected simple graph, without what is written on its nodes and edges.

    Raises:
        ParameterError: it is another kind of graph, has no node or too many edges, or joins a node
            to itself.

    >>> own_graph(classic_network("karate_club")).number_of_edges()
    78
    """
    import networkx as nx

    if not isinstance(graph, nx.Graph) or graph.is_directed() or graph.is_multigraph():
        raise ParameterError("graph must be an undirected networkx.Graph; pass networkx.Graph(it)")
    if not len(graph):
        raise ParameterError("the graph has no node; add an edge, such as ('Maria', 'Ana')")
    if graph.number_of_edges() > MOST_EDGES:
        raise ParameterError(_too_many())
    if nx.number_of_selfloops(graph):
        raise ParameterError(
            "the graph joins a node to itself; remove such edges by "
            "graph.remove_edges_from(networkx.selfloop_edges(graph))"
        )
    copy = nx.Graph()
    copy.add_nodes_from(graph)
    copy.add_edges_from(graph.edges)
    return copy


def hops(graph: "nx.Graph", node: Hashable) -> dict[Any, int]:
    r"""Distance in edges from a node to each that it is connected with, nearest first; itself at 0.

    Raises:
        ParameterError: the node is not in the graph.

    >>> hops(read_edges("a b\nb c\nx y"), "a")
    {'a': 0, 'b': 1, 'c': 2}
    """
    import networkx as nx

    known(graph, node)
    return dict(nx.single_source_shortest_path_length(graph, node))


def known(graph: "nx.Graph", *nodes: Hashable) -> None:
    """Refuse what is no node of the graph, without repeating it.

    Raises:
        ParameterError: a node is not in the graph.

    >>> known(read_edges("a b"), "c")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: nobody of this name is among the 2 members of the network; pass \
one of its nodes
    """
    for node in nodes:
        checks.key(node=node)
        if node not in graph:
            raise ParameterError(
                f"nobody of this name is among the {len(graph):,} members of the network; pass one "
                "of its nodes"
            )


def _text(edges: str | bytes) -> str:
    if isinstance(edges, bytes):
        try:
            edges = edges.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError("This file is not UTF-8 text. Save it as CSV in UTF-8.") from None
    if not isinstance(edges, str):
        raise DataError(f"An edge list is text: two names on each line, such as {EXAMPLE_LINE}.")
    if "\0" in edges:
        raise DataError("This file is not text: it has zero bytes in it. Save it as CSV in UTF-8.")
    return edges


def _pairs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of each line that is not passed over."""
    lines = text.splitlines()
    kept = [(n, line) for n, line in enumerate(lines, 1) if (s := line.strip()) and s[0] != "#"]
    if kept and _names(kept[0][1]) in HEADERS:
        kept = kept[1:]
    if kept:
        split = _splitter(kept[0][1])
        yield from ((n, split(line)) for n, line in kept)


def _names(line: str) -> set[str]:
    return {name.strip().lower() for name in _splitter(line)(line)}


def _splitter(first: str) -> Any:
    """How lines are parted into fields: as the first one is."""
    for separator in SEPARATORS:
        if separator in first:
            return lambda line: _quoted(line, separator)
    return str.split


def _quoted(line: str, separator: str) -> list[str]:
    """The fields of a line of CSV; none where its quotes do not close."""
    if '"' not in line:
        return line.split(separator)
    try:
        found = csv.reader(
            io.StringIO(line), delimiter=separator, skipinitialspace=True, strict=True
        )
        return next(found)
    except (csv.Error, StopIteration):
        return []


def _two(names: list[str], line: int) -> tuple[str, str]:
    """The two different names of a line."""
    found = [name.strip() for name in names]
    if len(found) != 2 or not all(found):
        raise DataError(
            f"Line {line:,} must have two names. Write two on each line, such as {EXAMPLE_LINE}."
        )
    if found[0] == found[1]:
        raise DataError(
            f"Line {line:,} joins a name to itself. Write two names, such as {EXAMPLE_LINE}."
        )
    if max(map(len, found)) > MOST_LETTERS:
        raise DataError(
            f"Line {line:,} has a name of more than {MOST_LETTERS} letters. Shorten it."
        )
    return found[0], found[1]


def _too_many() -> str:
    return (
        f"This graph has more than {MOST_EDGES:,} edges. Keep the part that is within a few steps "
        "of the person."
    )
