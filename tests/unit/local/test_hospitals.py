"""Patients and hospitals: who gets what, and what many numbers say about a population."""

import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.local import Patients, population_mean
from dpviz.local.hospitals import MOST_GROUPS
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from tests.conftest import FULL

LAPLACE, WHOLE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]
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


def test_a_hundred_thousand_patients():
    n = 100_000
    rng = streams.teaching(7)
    town = Patients(
        rng.integers(100, 180, n),
        groups=np.array(["open", "usual", "careful"])[rng.integers(0, 3, n)].tolist(),
        family=WHOLE,
        sensitivity=20,
        rng=rng,
    )
    for hospital, most in (("a", 0.1), ("c", 2), ("b", 0.5)):
        town.join(hospital, {"open": most, "usual": most / 2, "careful": most / 4})
    found = town.estimate("b", spread=23)
    assert abs(found.mean - 139.5) < 5 * found.standard_error
    assert "patients=100,000" in repr(town)


@pytest.mark.parametrize(
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
def test_wrong_beginnings(change, message):
    with pytest.raises(ParameterError, match=message):
        ward(**change)


def test_refusals():
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
