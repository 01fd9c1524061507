"""The laws of the local model: what one user's answers follow, in every order of asking."""

from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.local import Patients, Person, SocialNetwork, Trust, read_edges
from dpviz.noise import FAMILIES
from tests.conftest import FULL, few
from tests.statistical import DRAWS, broken_promises

EPSILONS = (2.0, 1.0, 0.4)
RINGS = ("a", "b", "c")
NAMES = ("laplace", "discrete_laplace")
ORDERS = list(permutations(RINGS))
FEW = 6000 if FULL else 1500


class Forgetful(Person):
    """It answers each viewer with fresh noise, as if nobody else had been answered."""

    def answer(self, _viewer, budget):
        exact, family = self._session._exact, self.family
        zeros = np.zeros(exact.size, dtype=exact.dtype)
        return family.extend(zeros, 0, self.level(budget), rng=self._session._rng)


def circle(family, order, *, seed, kind=Person):
    """Noise of the answers in three rings, asked in this order, in ascending order of level."""
    zeros = np.zeros(DRAWS, dtype=np.int64 if family.integer else np.float64)
    town = SocialNetwork(
        read_edges("u a\na b\nb c"),
        Trust(EPSILONS),
        values={"u": zeros},
        family=family,
        rng=streams.teaching(seed),
    )
    if kind is not Person:
        town._people["u"] = kind(zeros, family=family, rng=streams.teaching(seed))
    found = {viewer: town.answer("u", viewer) for viewer in order}
    return np.stack([found[viewer] for viewer in RINGS])


@pytest.mark.parametrize("order", ORDERS if FULL else ORDERS[::2], ids="".join)
@pytest.mark.parametrize("name", NAMES)
def test_answers_in_three_rings_follow_one_path_in_every_order(name, order, seed):
    family = FAMILIES[name]
    levels = [1 / epsilon for epsilon in EPSILONS]
    assert broken_promises(family, levels, circle(family, order, seed=seed)) == []


@pytest.mark.parametrize("name", NAMES)
def test_independent_answers_are_found_out(name):
    family = FAMILIES[name]
    noise = circle(family, RINGS, seed=7, kind=Forgetful)
    found = broken_promises(family, [1 / epsilon for epsilon in EPSILONS], noise)
    assert any("covariance" in each for each in found)
    assert not any(each.startswith("law at") for each in found)  # each by itself looks right


@pytest.mark.parametrize(
    "together", few([True, False], 2), ids=lambda one: "one session" if one else "each"
)
@pytest.mark.parametrize("name", NAMES if FULL else NAMES[1:])
def test_patients_who_trust_alike_are_one_session_of_the_same_law(name, together, seed):
    """Levels in the order high, low, middle: it begins, goes nearer, and bridges."""
    family = FAMILIES[name]
    zeros = np.zeros(FEW, dtype=np.int64 if family.integer else np.float64)
    budgets = (EPSILONS[2], EPSILONS[0], EPSILONS[1])
    rng = streams.teaching(seed)
    if together:
        town = Patients(zeros, groups=["one"] * FEW, family=family, rng=rng)
        drawn = {e: town.join(e, {"one": e}) for e in budgets}
    else:
        people = [Person(zeros[:1], family=family, rng=rng.spawn(1)[0]) for _ in range(FEW)]
        drawn = {e: np.concatenate([p.answer(e, e) for p in people]) for e in budgets}
    noise = np.stack([drawn[e] for e in EPSILONS])
    assert broken_promises(family, [1 / e for e in EPSILONS], noise) == []
