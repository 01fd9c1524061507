"""Edge lists as people have them, classics, distances; what is no graph is refused by its line."""

import networkx as nx
import pytest

from dpviz.errors import DataError, ParameterError
from dpviz.local import CLASSIC_NETWORKS, classic_network, graphs, read_edges
from dpviz.local.graphs import MOST_EDGES, MOST_LETTERS, hops, own_graph


@pytest.mark.parametrize(
    "text",
    [
        "Maria,Ana\nAna,Bo",
        "source,target\r\nMaria,Ana\r\n\r\n# a comment\r\nAna,Bo\r\nBo,Ana",
        "From;To\n Maria ; Ana \nAna;Bo",
        "Maria\tAna\nAna\tBo",
        "Maria Ana\nAna Bo\n",
        b"\xef\xbb\xbfMaria,Ana\nAna,Bo",
        '"Maria","Ana"\n"Ana", "Bo"',
    ],
)
def test_lists_of_many_kinds(text):
    assert {frozenset(e) for e in read_edges(text).edges} == {
        frozenset(("Maria", "Ana")),
        frozenset(("Ana", "Bo")),
    }


def test_names_may_hold_blanks_quotes_and_separators():
    graph = read_edges('"de la Cruz, Maria",Jean Valjean\n=1+1,<b>x</b>')
    assert "de la Cruz, Maria" in graph
    assert graph.has_edge("=1+1", "<b>x</b>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no edge"),
        ("# nobody\n\n", "no edge"),
        ("a,b\nsecret", "Line 2 must have two names"),
        ("a,b\na,b,secret", "Line 2 must have two names"),
        ("a,b\n,secret", "Line 2 must have two names"),
        ('a,b\n"secret,c', "Line 2 must have two names"),
        ("a,b\n\nsecret,secret", "Line 3 joins a name to itself"),
        ("a,b\na," + "x" * (MOST_LETTERS + 1), "Line 2 has a name of more than 100 letters"),
        (b"\xff\xfe\x00", "UTF-8"),
        ("a\0b", "zero bytes"),
        (7, "is text"),
    ],
)
def test_refusals_name_the_line_and_repeat_nothing(text, message):
    with pytest.raises(DataError, match=message) as caught:
        read_edges(text)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_hundred_thousand_edges():
    """A path, whose end is as far away as can be; at first each edge took as long as all before."""
    text = "\n".join(f"{n},{n + 1}" for n in range(MOST_EDGES))
    assert hops(own_graph(read_edges(text)), "0")[str(MOST_EDGES)] == MOST_EDGES


def test_one_edge_more_is_refused(monkeypatch):
    monkeypatch.setattr(graphs, "MOST_EDGES", 3)
    assert len(read_edges("a b\nb c\nb a\nc d").edges) == 3  # one of them came twice
    with pytest.raises(DataError, match="more than 3 edges"):
        read_edges("a b\nb c\nc d\nd e")
    with pytest.raises(ParameterError, match="more than 3 edges"):
        own_graph(nx.path_graph(5))


@pytest.mark.parametrize(
    ("name", "members", "edges"),
    [("karate_club", 34, 78), ("les_miserables", 77, 254), ("florentine_families", 15, 20)],
)
def test_classics(name, members, edges):
    graph = classic_network(name)
    assert (len(graph), graph.number_of_edges()) == (members, edges)
    assert all(isinstance(node, str) for node in graph)
    assert CLASSIC_NETWORKS[name].somebody in graph
    with pytest.raises(ParameterError, match="must be one of karate_club"):
        classic_network("a town")


def test_what_is_no_simple_graph_is_refused():
    loop = nx.Graph([("a", "a"), ("a", "b")])
    for graph, message in (
        (loop, "joins a node to itself"),
        (nx.DiGraph([("a", "b")]), "undirected"),
        (nx.MultiGraph([("a", "b")]), "undirected"),
        (nx.Graph(), "no node"),
        ("a,b", "undirected"),
    ):
        with pytest.raises(ParameterError, match=message):
            own_graph(graph)


def test_a_copy_keeps_nothing_but_nodes_and_edges():
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=3)
    graph.add_node("c", diagnosis="x")
    copy = own_graph(graph)
    assert list(copy.nodes(data=True)) == [("a", {}), ("b", {}), ("c", {})]
    assert list(copy.edges(data=True)) == [("a", "b", {})]


def test_distances_by_another_way():
    graph = classic_network("les_miserables")
    matrix = nx.floyd_warshall(graph)
    for node in ("Cosette", "Napoleon"):
        assert hops(graph, node) == {n: int(d) for n, d in matrix[node].items()}
