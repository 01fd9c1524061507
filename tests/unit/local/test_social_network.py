"""Social networks, whose releases fade with the distance, and patients who tell hospitals."""

import math
import threading
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import DataError, HardenedModeError, ParameterError
from dpviz.local import (
    CLASSIC_NETWORKS,
    Patients,
    Person,
    SocialNetwork,
    Trust,
    classic_network,
    graphs,
    halving_trust,
    inverse_trust,
    population_mean,
    read_edges,
    read_trust,
    threshold_trust,
)
from dpviz.local.graphs import MOST_EDGES, MOST_LETTERS, hops, own_graph
from dpviz.local.hospitals import MOST_GROUPS
from dpviz.local.person import BRIDGE, EXTEND, FIRST, KNOWN, NEARER
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from dpviz.workspace.local.social_network import Circle, read_value
from tests.conftest import FULL, for_each

# --- Who is told what: rings, coalitions, members that join; answers leak no more than is said ---

LAPLACE, WHOLE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]


def network(graph=None, trust=None, *, family=LAPLACE, seed=7, **rest):
    graph = classic_network("karate_club") if graph is None else graph
    return SocialNetwork(
        graph,
        trust or Trust((2, 1, 0.5)),
        **{"values": dict.fromkeys(graph, 142), **rest},
        family=family,
        rng=streams.teaching(seed),
    )


def test_epsilon_by_distance():
    assert halving_trust(1, 3).epsilons == (1, Fraction(1, 2), Fraction(1, 4))
    assert inverse_trust(Fraction(9, 10), 3).epsilons[2] == Fraction(3, 10)
    assert threshold_trust(1, 4).epsilons == (1,) * 4
    assert read_trust(" 2; 1, 0.1").epsilons == (2, 1, Fraction(1, 10))
    assert [Trust((2, 1)).at(d) for d in (1, 2, 3, None)] == [2, 1, None, None]


@for_each(
    ("text", "message"),
    [
        ("1, 2", "ring 2 would learn more than the ring before it"),
        ("", "from 1 to 30 rings"),
        ("1, x", "ε of ring 2: “x” is not a number"),
        ("1, 0", "ε of ring 2: 0 is not a budget"),
        ("nan", "is not a"),
        ("1e-13", "too small"),
        ("1 " * 31, "more than 30 rings"),
    ],
)
def test_lists_of_epsilon_that_are_refused(text, message):
    with pytest.raises(ParameterError, match=message):
        read_trust(text)


@pytest.mark.parametrize("curve", [halving_trust, inverse_trust, threshold_trust])
@pytest.mark.parametrize("wrong", [(0, 3), (math.nan, 3), (1, 0), (1, 31), (1, 1.5), (-1, 3)])
def test_curves_that_are_refused(curve, wrong):
    with pytest.raises(ParameterError):
        curve(*wrong)


def test_equal_epsilon_identical_numbers_and_none_beyond():
    graph = nx.path_graph(6)
    town = network(graph, Trust((2, 0.5, 0.5)))
    answers = [town.answer(0, viewer) for viewer in range(1, 6)]
    assert answers[1] is answers[2]  # equal ε for hops 2 and 3
    assert answers[0] != answers[1]
    assert answers[3:] == [None, None]
    assert town.answer(0, 0) == 142
    assert town.answer(0, 1) is answers[0]  # asked again


def test_each_member_has_a_path_of_its_own():
    town = network(nx.complete_graph(40))
    assert len({float(town.answer(n, (n + 1) % 40)) for n in range(40)}) == 40


def test_noise_scale_is_sensitivity_over_epsilon():
    person = Person(3, family=WHOLE, sensitivity=20, rng=streams.teaching(7))
    assert person.level(Fraction(1, 10)) == 200
    assert person.level(0.1) == person.level(Fraction(1, 10))
    vector = Person(
        np.zeros(4),
        family=FAMILIES["gaussian"],
        sensitivity=Sensitivity.bounded(4),
        rng=streams.teaching(7),
    )
    assert vector.level(0.5) == 4  # t = Δ₂²/(2ρ)
    assert vector.answer("a", 0.5).shape == (4,)
    assert vector.letter == "ρ"


def test_coalitions():
    graph = read_edges("u a\nu b\na c\nc d\nd e\nx y")
    town = network(graph, Trust((1, 0.5, 0.25)))
    both = town.together("u", ["a", "b", "c", "d", "a", "x", "e"])
    assert (both.largest.value, both.added.value) == (1, 2.75)
    assert town.together("u", ["x", "e"]) is None  # another component, too far away
    assert town.answer("u", "x") is None
    with pytest.raises(ParameterError, match="knows its own value"):
        town.together("u", ["u", "a"])


def test_what_comes_later():
    graph = read_edges("u a\na b\nb c\nc d")
    town = network(graph, Trust((1, 0.5, 0.25, 0.1)))
    assert town.next_draw("u", "b").how == FIRST
    held = town.answer("u", "b")
    assert town.next_draw("u", "b").how == KNOWN
    assert town.next_draw("u", "a").how == NEARER
    assert town.next_draw("u", "a").needs_value
    assert town.next_draw("u", "d").how == EXTEND
    town.answer("u", "d")
    draw = town.next_draw("u", "c")
    assert (draw.how, draw.level, draw.below, draw.above) == (BRIDGE, 4, 2, 10)
    assert not draw.needs_value
    town.join("new", ["d"])
    assert town.next_draw("u", "new") is None  # five hops
    town.grant("u", "new", 0.2)
    assert town.next_draw("u", "new").how == BRIDGE
    town.connect("new", "a")  # two hops now: the ring's ε is larger than the own one
    assert town.epsilon("u", "new") == Fraction(1, 2)
    assert town.answer("u", "new") is held


def test_an_edge_brings_nearer_and_what_is_known_stays():
    town = network(read_edges("u a\na b"), Trust((1, 0.5)))
    before = town.answer("u", "b")
    town.connect("u", "b")
    after = town.answer("u", "b")
    assert after is town.answer("u", "a")
    assert before is not after
    with pytest.raises(ParameterError, match="cannot be taken back"):
        town.grant("u", "b", 0.5)


@for_each(
    ("act", "message"),
    [
        (lambda t: t.answer("1", "nobody"), "nobody of this name is among the 34 members"),
        (lambda t: t.answer(["1"], "2"), "must be a name or another key"),
        (lambda t: t.distances("99"), "nobody of this name"),
        (lambda t: t.epsilon("1", "1"), "knows its own value"),
        (lambda t: t.connect("1", "1"), "cannot be joined to itself"),
        (lambda t: t.join("1", ["2"]), "there already"),
        (lambda t: t.join("new", []), "needs a friend"),
        (lambda t: t.join("new", ["nobody"]), "nobody of this name"),
        (lambda t: t.grant("1", "2", 0), "above 0"),
    ],
)
def test_refusals(act, message):
    with pytest.raises(ParameterError, match=message) as caught:
        act(network())
    assert "nobody'" not in str(caught.value)


def test_wrong_beginnings():
    graph = read_edges("a b")
    for begin, said in (
        (lambda: network(graph, values={"c": 1}), "nobody of this name"),
        (lambda: network(graph, (1, 2)), "trust must be a Trust"),
        (lambda: network(graph, values={"a": 1}).answer("b", "a"), "no value"),
        (lambda: network(graph, values={"a": 1.5}, family=WHOLE).answer("a", "b"), "whole numbers"),
        (lambda: Person(1, family=FAMILIES["skellam"], rng=streams.teaching(7)), "need a δ"),
    ):
        with pytest.raises(ParameterError, match=said):
            begin()
    hard = SocialNetwork(
        graph, Trust((1,)), values={"a": 1}, family=LAPLACE, rng=streams.hardened()
    )
    with pytest.raises(HardenedModeError):
        hard.answer("a", "b")


def test_nothing_is_written_out():
    town = network()
    town.answer("1", "2")
    assert "142" not in repr(town)
    assert "142" not in repr(town._people["1"])


def test_two_threads_open_one_session():
    town = network()
    found, gate = [], threading.Barrier(8)

    def ask():
        gate.wait()
        found.append(float(town.answer("1", "2")))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(found)) == 1


def test_the_same_seed_and_order_give_the_same_numbers():
    """In another order of asking the law is the same: tests/law."""
    ask = [("1", "2"), ("1", "17"), ("2", "1")]
    first, second = network(), network()
    assert [float(first.answer(*a)) for a in ask] == [float(second.answer(*a)) for a in ask]


def circle(value=142, rng=None, **more):
    graph = read_edges("Maria a\na b\nb c\nx y")
    return Circle(
        graph,
        "Maria",
        value,
        **{"sensitivity": 20, "trust": Trust((4, 2)), **more},
        rng=rng or streams.teaching(7),
    )


@for_each(
    ("arguments", "message"),
    [
        (("new", "a", 1), "ε = 2 is granted to everybody"),  # two hops away
        (("new", "a", 0), "above 0"),
        (("new", "x", 1e-13), "must lie between"),
        (("", "a"), "has no name"),
        (("a", "b"), "there already"),
        (("new", "nobody", 3), "nobody of this name"),
        (("Maria", "a"), "there already"),
    ],
)
def test_who_is_refused_has_not_joined(arguments, message):
    found = circle()
    before = found.network.members
    with pytest.raises(ParameterError, match=message):
        found.join(*arguments)
    assert found.network.members == before
    assert found.joined == ()


def test_an_epsilon_whose_noise_no_float_holds_lets_nobody_join():
    found = circle(142.5, sensitivity=1e140)
    with pytest.raises(ParameterError):
        found.join("new", "x", 1e-12)
    assert "new" not in found.network.members


def test_modes_and_values():
    assert float(circle(rng=streams.hardened()).rings[0].answer).is_integer()
    assert circle(142.5).family is LAPLACE
    with pytest.raises(ParameterError, match="type the value without a decimal point"):
        circle(142.5, rng=streams.hardened())
    assert (read_value(" -3 ", where="x"), read_value("1e2", where="x")) == (-3, 100.0)
    assert isinstance(read_value("1e2", where="x"), float)


def test_who_is_told_nothing():
    found = circle()
    assert found.unanswered == 3  # c is too far away, x and y are not connected
    assert found.join("new", "x", 1).epsilon == 1
    assert found.unanswered == 3  # a grant is an answer
    assert found.join("other", "x").epsilon is None
    assert found.unanswered == 4
    assert found.coalition(["new", "x"]).viewers == ("new",)
    assert circle(trust=Trust((4,))).members_at(2) == ("b",)


# --- Edge lists as people have them, classics, distances; what is no graph is refused by its line -


@for_each(
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


@for_each(
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
    count = MOST_EDGES if FULL else MOST_EDGES // 5
    text = "\n".join(f"{n},{n + 1}" for n in range(count))
    assert hops(own_graph(read_edges(text)), "0")[str(count)] == count


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


# Patients and hospitals: who gets what, and what many numbers say about a population.


ROUNDS = 400 if FULL else 100


def ward(n=6, *, family=WHOLE, seed=7, **rest):
    values = np.arange(n) + 120
    groups = ["open" if i % 2 else "careful" for i in range(n)]
    return Patients(
        **{"values": values, "groups": groups, **rest}, family=family, rng=streams.teaching(seed)
    )


def test_hospitals_join_in_any_order_and_cost_the_largest():
    town = ward()
    first = town.join("research", {"open": 0.5, "careful": 0.1})
    again = town.join("insurer", {"open": 0.5, "careful": 0.2})
    assert (first[1::2] == again[1::2]).all()  # an equal budget: the identical numbers
    town.join("doctor", {"open": 4, "careful": 2})
    both = town.together("careful", ["research", "insurer", "doctor"])
    assert (both.largest.value, both.added.value) == (2, 2.3)
    assert town.hospitals == ("research", "insurer", "doctor")
    assert town.groups == {"careful": 3, "open": 3}
    assert (town.join("research", {"open": 0.5, "careful": 0.1}) == first).all()


def test_rows_of_numbers():
    rows = np.arange(12).reshape(6, 2)
    town = ward(values=rows, sensitivity=Sensitivity.bounded(2, 5.0))
    assert town.join("a", {"open": 1, "careful": 2}).shape == (6, 2)
    assert town.variances("a").tolist() == [
        WHOLE.variance(10 / (1 + (i % 2 == 0))) for i in range(6)
    ]
    assert town.estimate("a", column=1).patients == 6
    with pytest.raises(ParameterError, match="column must be below 2"):
        town.estimate("a", column=2)
    with pytest.raises(ParameterError, match="given for rows"):
        town.estimate("a")


def test_inverse_variance_weights_by_hand():
    found = population_mean([1.0, 4.0, 10.0], [1.0, 2.0, 4.0])
    assert found.mean == pytest.approx((1 + 2 + 2.5) / 1.75, rel=1e-14)
    assert (
        found.standard_error == found.noise_error == pytest.approx(1 / math.sqrt(1.75), rel=1e-14)
    )
    spread = population_mean([1.0, 4.0, 10.0], [1.0, 2.0, 4.0], spread=3)
    weights = np.array([1 / 10, 1 / 11, 1 / 13])
    assert spread.mean == pytest.approx((weights * [1, 4, 10]).sum() / weights.sum(), rel=1e-14)
    assert spread.standard_error == pytest.approx(1 / math.sqrt(weights.sum()), rel=1e-14)
    noise = math.sqrt((weights**2 * [1, 2, 4]).sum()) / weights.sum()
    assert spread.noise_error == pytest.approx(noise, rel=1e-14)
    plain = population_mean([1.0, 4.0, 10.0], [1.0, 2.0, 4.0], equal=True)
    assert (plain.mean, plain.noise_error) == (5, pytest.approx(math.sqrt(7) / 3))


@pytest.mark.parametrize("name", ["laplace", "gaussian", "discrete_laplace"])
@pytest.mark.parametrize(("spread", "equal"), [(9.0, True), (0.0, False), (9.0, False)])
def test_the_estimate_is_unbiased_and_as_far_off_as_said(name, spread, equal, seed):
    """Patients drawn from a population of mean 130 and deviation 9, each time afresh."""
    rng, errors, told = streams.teaching(seed, 1), [], None
    for _ in range(ROUNDS):
        values = np.round(130 + 9 * rng.standard_normal(40)).astype(np.int64)
        town = Patients(
            values if FAMILIES[name].integer else values.astype(float),
            groups=["a", "b", "b", "b"] * 10,
            family=FAMILIES[name],
            sensitivity=20,
            rng=rng.spawn(1)[0],
        )
        town.join("late", {"a": 0.5, "b": 0.25})
        town.join("clinic", {"a": 2, "b": 1})
        told = town.estimate("clinic", spread=spread, equal=equal)
        errors.append(told.mean - 130)
    errors = np.array(errors)
    v = town.variances("clinic")
    weights = np.ones(40) if equal else 1 / (spread**2 + v)
    total = v + 81 + 1 / 12  # rounded values
    sd = math.sqrt((weights**2 * total).sum()) / weights.sum()
    assert abs(errors.mean()) < 5 * sd / math.sqrt(ROUNDS)
    assert abs(errors.std() / sd - 1) < 5 / math.sqrt(ROUNDS)  # fourth moments are not far from 3
    if spread:
        assert told.standard_error == pytest.approx(sd, rel=1e-3)


@for_each(
    ("change", "message"),
    [
        ({"groups": ["a"]}, "one group for each patient"),
        ({"groups": []}, "one group for each patient"),
        ({"values": [], "groups": []}, "one or more"),
        ({"values": 3}, "a number, or a row of numbers"),
        ({"values": [[1], [2, 3]]}, "a number, or a row of numbers"),
        ({"values": [0.5] * 6}, "whole numbers"),
        ({"sensitivity": 0}, "above 0"),
        ({"values": range(MOST_GROUPS + 1), "groups": range(MOST_GROUPS + 1)}, "at most 1,000"),
        ({"groups": [[1]] * 6}, "must be a name or another key"),
    ],
)
def test_wrong_beginnings_of_hospitals(change, message):
    with pytest.raises(ParameterError, match=message):
        ward(**change)


def test_refusals_of_hospitals():
    town = ward()
    before = town.join("a", {"open": 1, "careful": 1})
    for act, message in (
        (lambda: town.join("b", {"open": 1}), "for each of the 2 groups"),
        (lambda: town.join("b", {"open": 1, "careful": 0}), "above 0"),
        (lambda: town.join("b", {"open": 1, "careful": 1, "x": 1}), "for each of the 2 groups"),
        (lambda: town.join(["b"], {"open": 1, "careful": 1}), "another key"),
        (lambda: town.estimate("b"), "has not joined"),
        (lambda: town.variances(["b"]), "another key"),
        (lambda: town.together("shut", ["a"]), "no group of this name"),
        (lambda: town.together("open", ["b"]), "who were answered"),
        (lambda: town.together("open", []), "who were answered"),
        (lambda: population_mean([], []), "one or more patients"),
        (lambda: population_mean([1.0], [0.0]), "above 0"),
        (lambda: population_mean([1.0], [1.0, 2.0]), "same shape"),
        (lambda: population_mean([math.nan], [1.0]), "numbers from"),
        (lambda: population_mean([1.0], [1.0], spread=-1), "at least 0"),
    ):
        with pytest.raises(ParameterError, match=message):
            act()
    assert town.hospitals == ("a",)
    assert (town.join("a", {"open": 1, "careful": 1}) == before).all()
