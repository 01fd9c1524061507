"""A social network in which members answer questions about themselves, the less the farther away.

User i has a value u and draws one lossless path of noise for it; somebody d hops away is answered
from that path at ε(d), a function that never rises. However many are in a coalition, it learns what
its best informed member knows alone; with separate noise for each the budgets would add.
What is promised covers the value, not the graph: that two answers are equal, or not, tells whether
two members are equally far away, and who is answered at all tells who is near.
Limits: at most `graphs.MOST_EDGES` edges, and edges are added only, as what was answered stays
known.
Source: MATHEMATICS 15.3; [KHP15] section 4.2.
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data under Differential
Privacy, arXiv:1504.00429.
"""

import threading
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz import checks
from dpviz.accounting.inputs import Number
from dpviz.errors import ParameterError
from dpviz.local.graphs import MOST_EDGES, hops, known, own_graph
from dpviz.local.person import NextDraw, Person
from dpviz.local.trust import CoalitionBudget, Trust
from dpviz.noise.family import Array, Family

if TYPE_CHECKING:
    import networkx as nx

MEASURED = 32  # members whose distances are kept


class SocialNetwork:
    r"""Members of a graph who answer each other at the ε of their distance.

    >>> from dpviz import streams
    >>> from dpviz.local import halving_trust, read_edges
    >>> from dpviz.noise import FAMILIES
    >>> town = SocialNetwork(
    ...     read_edges("Maria Ana\nMaria Bo\nBo Cleo\nCleo Dan"),
    ...     halving_trust(1, rings=3),
    ...     values={"Maria": 142},
    ...     family=FAMILIES["discrete_laplace"],
    ...     rng=streams.teaching(7),
    ... )
    >>> int(town.answer("Maria", "Ana")), int(town.answer("Maria", "Bo"))  # one ring, one number
    (142, 142)
    >>> int(town.answer("Maria", "Cleo")), int(town.answer("Maria", "Maria"))
    (142, 142)
    >>> both = town.together("Maria", ["Ana", "Bo", "Cleo"])
    >>> float(both.largest), float(both.added)
    (1.0, 2.5)
    >>> town.join("Eve", ["Dan"])
    >>> town.answer("Maria", "Eve") is None  # four hops away
    True
    """

    def __init__(
        self,
        graph: "nx.Graph",
        trust: Trust,
        *,
        values: Mapping[Hashable, Any],
        family: Family,
        sensitivity: Number = 1,
        rng: np.random.Generator,
    ) -> None:
        """Take a copy of a graph and the values of those who answer.

        Args:
            graph: undirected and simple; see `read_edges` and `classic_network`.
            trust: the ε of each ring.
            values: member → a number, or a vector of them; whole numbers for an integer family.
            family: Laplace, or discrete Laplace for whole numbers.
            sensitivity: how far apart two values of one member may lie and still be hidden from
                each other, in their unit.
            rng: the generator from which each member's own is made when the member is first asked.

        Raises:
            ParameterError: an argument is of another kind, or a value is of nobody in the graph.
            HardenedModeError: a float family with a hardened generator, at the first answer.
        """
        checks.instance(Trust, trust=trust)
        checks.instance(Mapping, values=values)
        checks.instance(np.random.Generator, rng=rng)
        self._graph, self._trust = own_graph(graph), trust
        known(self._graph, *values)
        self._values = dict(values)
        self._family, self._sensitivity, self._rng = family, sensitivity, rng
        self._people: dict[Hashable, Person] = {}
        self._lock = threading.Lock()
        self._own: dict[tuple[Hashable, Hashable], Fraction] = {}
        self._hops: dict[Hashable, dict[Any, int]] = {}

    @property
    def trust(self) -> Trust:
        """The ε of each ring."""
        return self._trust

    @property
    def members(self) -> tuple[Any, ...]:
        """All members, in the order of the graph."""
        return tuple(self._graph)

    def neighbours(self, member: Hashable) -> tuple[Any, ...]:
        """Those who are one hop away, in the order in which they were joined.

        Raises:
            ParameterError: nobody of this name is there.
        """
        known(self._graph, member)
        return tuple(self._graph[member])

    def distances(self, user: Hashable) -> dict[Any, int]:
        """Hops from a user to each that it is connected with, nearest first; itself at 0.

        Raises:
            ParameterError: nobody of this name is there.
        """
        known(self._graph, user)
        if user not in self._hops:
            if len(self._hops) >= MEASURED:
                self._hops.clear()
            self._hops[user] = hops(self._graph, user)
        return self._hops[user]

    def epsilon(self, user: Hashable, viewer: Hashable) -> Fraction | None:
        """The ε at which a viewer is answered about a user; None: not at all.

        Raises:
            ParameterError: nobody of this name is there, or the two are one, who knows the value.
        """
        known(self._graph, viewer)
        distance = self.distances(user).get(viewer)
        if distance == 0:
            raise ParameterError("a member knows its own value; ask for another viewer")
        own, ring = self._own.get((user, viewer)), self._trust.at(distance)
        return max((each for each in (own, ring) if each is not None), default=None)

    def answer(self, user: Hashable, viewer: Hashable) -> Array | None:
        """What a viewer is told about a user; drawn once, and the same number for equal ε.

        Returns:
            An array of the shape of the value: exact for the user; None: no answer.

        Raises:
            ParameterError: nobody of this name is there, or the user has no value.
        """
        known(self._graph, user, viewer)
        person = self._person(user)
        if user == viewer:
            own = np.array(self._values[user])
            own.setflags(write=False)
            return own
        epsilon = self.epsilon(user, viewer)
        return None if epsilon is None else person.answer(viewer, epsilon)

    def level(self, user: Hashable, epsilon: Number) -> float:
        """Noise level of an ε in a user's answers.

        Raises:
            ParameterError: nobody of this name is there, the user has no value, or the ε is no
                number above 0 of ordinary size.
        """
        return self._person(user).level(epsilon)

    def next_draw(self, user: Hashable, viewer: Hashable) -> NextDraw | None:
        """How the answer to a viewer would be drawn now; None if this viewer gets none.

        Nothing is drawn.

        Raises:
            ParameterError: nobody of this name is there, or the user has no value.
        """
        epsilon = self.epsilon(user, viewer)
        return None if epsilon is None else self._person(user).next_draw(epsilon)

    def together(self, user: Hashable, viewers: Iterable[Hashable]) -> CoalitionBudget | None:
        """What a coalition can learn about a user: the largest ε in it, and the naive sum.

        Returns:
            None where nobody in it gets an answer.

        Raises:
            ParameterError: nobody of this name is there, or the user is in the coalition.
        """
        found = [self.epsilon(user, viewer) for viewer in checks.keys(viewers=viewers)]
        held = [epsilon for epsilon in found if epsilon is not None]
        return CoalitionBudget.of(held) if held else None

    def grant(self, user: Hashable, viewer: Hashable, epsilon: Number) -> None:
        """Answer a viewer at an ε of its own, whatever the distance.

        Raises:
            ParameterError: nobody of this name is there, the ε is no number above 0 of ordinary
                size, or it is less than the viewer has already.
        """
        already, (wanted,) = self.epsilon(user, viewer), Trust((epsilon,)).epsilons  # type: ignore[arg-type]
        if already is not None and wanted < already:
            raise ParameterError(
                f"this viewer has ε = {float(already):g} already, and what is known cannot be "
                "taken back; grant at least as much"
            )
        self._own[user, viewer] = wanted

    def connect(self, one: Hashable, other: Hashable) -> None:
        """Join two members by an edge: those who come nearer by it are answered at a larger ε.

        Raises:
            ParameterError: nobody of this name is there, the two are one, or there are too many
                edges.
        """
        known(self._graph, one, other)
        if one == other:
            raise ParameterError("a member cannot be joined to itself; pass two members")
        self._room(1)
        self._graph.add_edge(one, other)
        self._hops.clear()

    def join(self, name: Hashable, friends: Iterable[Hashable], *, value: Any = None) -> None:
        """Add a member with edges to others.

        Args:
            name: of the new member.
            friends: those that it is joined to, at least one.
            value: what the member answers about itself; None: nothing.

        Raises:
            ParameterError: the name is taken, there is no friend, one is nobody, or there are too
                many edges.
        """
        checks.key(name=name)
        if name is None or name in self._graph:
            raise ParameterError("a member of this name is there already; pass another name")
        listed = checks.listed(friends=friends)
        if not listed:
            raise ParameterError("a new member needs a friend; pass one who is there already")
        known(self._graph, *listed)
        self._room(len(listed))
        self._graph.add_edges_from((name, friend) for friend in listed)
        self._hops.clear()
        if value is not None:
            self._values[name] = value

    def _room(self, more: int) -> None:
        """Refuse edges beyond the limit."""
        if self._graph.number_of_edges() + more > MOST_EDGES:
            raise ParameterError(
                f"a network may have at most {MOST_EDGES:,} edges; open one without those far away"
            )

    def _person(self, user: Hashable) -> Person:
        """A user with the own session, opened when it is first needed."""
        known(self._graph, user)
        if user not in self._values:
            raise ParameterError("this member has no value; pass one in values")
        with self._lock:  # two sessions of one value would be independent releases of it
            if user not in self._people:
                self._people[user] = Person(
                    self._values[user],
                    family=self._family,
                    sensitivity=self._sensitivity,
                    rng=self._rng.spawn(1)[0],
                )
            return self._people[user]

    def __repr__(self) -> str:
        """Sizes; never a name nor a value."""
        return (
            f"SocialNetwork(members={len(self._graph)}, edges={self._graph.number_of_edges()}, "
            f"rings={self._trust.rings}, family={self._family.name!r})"
        )
