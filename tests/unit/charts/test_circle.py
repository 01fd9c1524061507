"""The picture of a circle: where members stand, how many, names of strangers."""

import math

import networkx as nx
import numpy as np
import pytest

from dpviz import streams
from dpviz.charts.circle import (
    GAP,
    HOPS,
    LINE,
    MOST_DRAWN,
    NAME,
    NEW,
    POOLS,
    X,
    Y,
    around,
    circle_frames,
    circle_picture,
    radius,
    sides,
)
from dpviz.local import SocialNetwork, Trust, classic_network
from dpviz.noise import FAMILIES
from dpviz.palette import COLOURS
from dpviz.ui.kit.parts import _clicked
from tests.figure_frames import HOSTILE, texts

LAPLACE = FAMILIES["laplace"]


def frames(graph, user, reach=4, **more):
    network = SocialNetwork(
        graph, Trust((2, 1, 0.5)), values={}, family=LAPLACE, rng=streams.teaching(7)
    )
    return circle_frames(network, user, reach=reach, told=lambda n, d: f"{n} {d}", **more)


@pytest.mark.parametrize("name", ["karate_club", "les_miserables", "florentine_families"])
def test_members_stand_on_the_ring_of_their_distance_and_out_of_the_gap(name):
    graph = classic_network(name)
    user = next(iter(graph))
    nodes, edges = frames(graph, user)
    hops = nx.single_source_shortest_path_length(graph, user, cutoff=4)
    assert dict(zip(nodes[NAME], nodes[HOPS], strict=True)) == hops
    assert (nodes.iloc[0][NAME], nodes.iloc[0][X], nodes.iloc[0][Y]) == (user, 0, 0)
    others = nodes.iloc[1:]
    far = np.hypot(others[X], others[Y])
    assert np.allclose(far, [radius(d) for d in others[HOPS]])
    angle = np.degrees(np.arctan2(others[X], others[Y]))  # from the top
    assert (np.abs(angle) >= math.degrees(GAP) / 2 - 1e-9).all()
    assert len(edges) == graph.subgraph(hops).number_of_edges()
    assert len(set(zip(nodes[X].round(9), nodes[Y].round(9), strict=True))) == len(nodes)
    again, _ = frames(graph, user)
    assert again.equals(nodes)  # the same graph, the same picture


def test_a_large_graph_is_drawn_in_part_and_who_is_new_always():
    graph = nx.star_graph(2000)
    graph.add_edge(2000, "new")
    nodes, _ = frames(graph, 0, new={"new"})
    assert len(nodes) == MOST_DRAWN + 2  # with the friend by whom there is a path
    graph.add_edge(1, "new")
    nodes, edges = frames(graph, 0, new={"new"}, pools={1, 2})
    assert len(nodes) == MOST_DRAWN + 1 == len(edges) + 1
    assert nodes[nodes[NEW]][NAME].tolist() == ["new"]
    assert nodes[nodes[POOLS]][NAME].tolist() == [1, 2]


def test_names_of_strangers_are_shown_and_never_run():
    graph = nx.Graph([("me", name) for name in HOSTILE])
    nodes, edges = frames(graph, "me")
    answers = {1: ("1 hop", "3")}
    fig = circle_picture(nodes, edges, answered=1, answers=answers, value="<b>4</b>").figure
    for text in texts(fig):
        assert not any(bad in text for bad in ("<a", "%{", "\n", "$x", "\u202e")), text
    assert max(map(len, fig.data[1].text)) < 80
    assert not any(colour in fig.to_json() for colour in COLOURS)  # no tier’s
    rings = {trace.name: trace.marker for trace in fig.data}
    assert rings["1 away"].symbol == "circle"
    none = {1: ("1 hop", "no answer")}
    empty = circle_picture(nodes, edges, answered=0, answers=none, value="4")
    assert empty.alt.endswith("Told: 1 hop: no answer.")
    assert {t.name: t.marker for t in empty.figure.data}["1 away"].symbol == "circle-open"


def test_names_keep_clear_of_marks_and_labels_and_inside_a_phone():
    places = [(0, 0), (0, 20), (0, 36), (174, 0), (40, 36)]
    label = around(0, 60, 80, 16)
    found = sides(places, [9] * 5, [20, 30, 30, 30, 0], taken=[label], edge=(175, 187))
    assert found[0] == "bottom center"
    assert "center" not in found[1]  # above and below it are marks
    assert "center" not in found[2]  # above is the label, below the mark before it
    assert found[3].endswith("left")  # beyond the right edge nothing is seen
    assert LINE > 12  # a name is as high as its letters


def test_a_click_is_run_once_for_the_mark_it_hit(monkeypatch):
    seen, points = [], [{"customdata": 3}, {"customdata": 4}]
    monkeypatch.setattr("dpviz.ui.kit.state.field", lambda _: {"selection": {"points": points}})
    _clicked("key", seen.append)
    points[:] = [{"x": 0}]  # a mark that stands for nothing
    _clicked("key", seen.append)
    points.clear()
    _clicked("key", seen.append)
    assert seen == [3]
