"""The pictures of the page Social network: where members stand, how many, names of strangers."""

import math

import networkx as nx
import numpy as np
import pytest

from dpviz import streams
from dpviz.charts.local.network import MOST_NAMED, circle_chart
from dpviz.charts.local.network_attack import (
    AVERAGED,
    AVERAGED_HALF,
    BEST,
    MEMBERS,
    OURS,
    OURS_HALF,
    attack_chart,
    attack_frame,
    sizes_of,
)
from dpviz.charts.local.network_frame import (
    GAP,
    HOPS,
    MOST_DRAWN,
    NAME,
    NEW,
    POOLS,
    X,
    Y,
    circle_frames,
    radius,
)
from dpviz.charts.local.network_names import LINE, around, sides
from dpviz.charts.local.network_population import (
    BY_NOISE,
    HALF,
    MEAN,
    WEIGHTS,
    population_chart,
    population_frame,
)
from dpviz.local import SocialNetwork, Trust, attack_errors, classic_network
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.ui.kit.parts import _clicked
from dpviz.workspace.local.hospitals import made_up_town
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
    fig = circle_chart(
        nodes, edges, styles={1: TierStyle(2, 0)}, answers={1: ("1 hop", "3")}, value="<b>4</b>"
    )
    for text in texts(fig):
        assert not any(bad in text for bad in ("<a", "%{", "\n", "$x", "\u202e")), text
    assert max(map(len, fig.data[1].text)) < 80


def test_a_crowd_has_no_names_but_hovers():
    nodes, edges = frames(nx.star_graph(MOST_NAMED + 1), 0)
    fig = circle_chart(nodes, edges, styles={}, answers={}, value="1")
    assert [t for t in fig.data[1].text if t] == ["<b>0</b>"]
    assert fig.data[3].hovertext[0] == "1 1"
    assert list(fig.data[3].customdata) == nodes.index[1:].tolist()


def test_names_keep_clear_of_marks_and_labels_and_inside_a_phone():
    places = [(0, 0), (0, 20), (0, 36), (174, 0), (40, 36)]
    label = around(0, 60, 80, 16)
    found = sides(places, [9] * 5, [20, 30, 30, 30, 0], taken=[label], edge=(175, 187))
    assert found[0] == "bottom center"
    assert "center" not in found[1]  # above and below it are marks
    assert "center" not in found[2]  # above is the label, below the mark before it
    assert found[3].endswith("left")  # beyond the right edge nothing is seen
    assert LINE > 12  # a name is as high as its letters


def test_members_ticks_end_with_all_of_them():
    for count, kind in ((2, "linear"), (8, "linear"), (23, "linear"), (100, "log")):
        axis = attack_chart(attack_frame(LAPLACE, [5.0] * count, {}), unit="").layout.xaxis
        assert (axis.type, axis.tickvals[0], axis.tickvals[-1]) == (kind, 1, count)
        assert axis.title.text.endswith("(log scale)") == (kind == "log")


def test_a_click_is_run_once_for_the_mark_it_hit(monkeypatch):
    seen, points = [], [{"customdata": 3}, {"customdata": 4}]
    monkeypatch.setattr("dpviz.ui.kit.state.field", lambda _: {"selection": {"points": points}})
    _clicked("key", seen.append)
    points[:] = [{"x": 0}]  # a mark that stands for nothing
    _clicked("key", seen.append)
    points.clear()
    _clicked("key", seen.append)
    assert seen == [3]


def test_errors_by_size():
    levels = [5.0, 5.0, 10.0, 10.0, 10.0]
    frame = attack_frame(LAPLACE, levels, {})
    assert frame[MEMBERS].tolist() == [1, 2, 3, 4, 5]
    assert frame[OURS].tolist() == pytest.approx([math.sqrt(50)] * 5)
    for k, found in zip(frame[MEMBERS], frame[AVERAGED], strict=True):
        assert found == pytest.approx(math.sqrt(attack_errors(LAPLACE, levels[:k]).weighted))
    assert frame[BEST].isna().all()
    assert frame[OURS_HALF].tolist() == pytest.approx([-5 * math.log(0.05)] * 5)
    assert frame[AVERAGED_HALF][0] == pytest.approx(frame[OURS_HALF][0])
    ratio = frame[AVERAGED_HALF] / frame[AVERAGED]
    assert ratio.is_monotonic_decreasing  # towards that of normal noise
    assert 1.96 < ratio.iloc[-1] < 2.12
    fig = attack_chart(frame, unit="<b>")
    assert [trace.name for trace in fig.data] == ["here", "separate noise"]
    assert all("<b>.</b>" not in text for text in texts(fig))
    assert sizes_of(100_000)[-1] == 100_000


def test_those_who_join_later_are_named_where_the_line_bends():
    frame = attack_frame(LAPLACE, [5.0] * 8 + [10.0] * 11, {})
    near = [("2 hops away", 8), ("3 hops away", 11)]
    fig = attack_chart(frame, unit="", joining=near)
    assert [shape.x0 for shape in fig.layout.shapes] == [8]
    assert {"2 hops away", "then 3 hops away"} <= {*texts(fig)}
    assert not attack_chart(frame, unit="", joining=near[:1]).layout.shapes
    crowd = attack_frame(LAPLACE, [5.0] * 8 + [10.0] * 92, {})
    few = attack_chart(crowd, unit="", joining=[("near", 1), ("far", 99)])
    assert [a.x for a in few.layout.annotations if a.text == "then far"] == [pytest.approx(1.0)]


def test_the_town():
    town = made_up_town(
        2000,
        132.0,
        [4, 2],
        family=FAMILIES["discrete_laplace"],
        sensitivity=20,
        rng=streams.teaching(7),
    )
    assert [told.distance for told in town.told] == [1, 2]
    assert town.spread == pytest.approx(math.sqrt(18**2 + 1 / 12))
    frame = population_frame(town, {1: "clinic", 2: "<b>register</b>"})
    ours = frame[frame[WEIGHTS] == BY_NOISE]
    assert (ours[HALF].to_numpy() < frame[frame[WEIGHTS] != BY_NOISE][HALF].to_numpy()).all()
    near = np.abs(frame[MEAN] - 132) < 3 * frame[HALF]
    assert near.all()
    styles = {1: TierStyle(12, 0), 2: TierStyle(2, 1)}
    fig = population_chart(frame, truth=132.0, styles=styles, unit="mmHg")
    assert any("&lt;b&gt;register" in text for text in texts(fig))
