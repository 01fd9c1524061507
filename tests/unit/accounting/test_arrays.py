"""One rule for arrays: numbers in, a float out; arrays in, float64 of their common shape out."""

import importlib
import inspect
import math
import pkgutil
from fractions import Fraction

import numpy as np
import pytest

import dpviz
from dpviz import accounting, public
from dpviz.accounting import privacy_loss
from dpviz.errors import ParameterError

LEVELS = {
    "gaussian_level": {"rho": 0.5, "l2_sensitivity": 2.0},
    "gaussian_rho": {"level": 0.5, "l2_sensitivity": 2.0},
    "laplace_level": {"epsilon": 0.5, "l1_sensitivity": 2.0},
    "laplace_epsilon": {"level": 0.5, "l1_sensitivity": 2.0},
}
CALLS = LEVELS | {  # a call with numbers, and which arguments become arrays
    "gaussian_log_delta": {"epsilon": 1.0, "mu": 0.5},
    "gaussian_epsilon": {"log_delta": -9.0, "mu": 0.5},
    "gaussian_sigma": {"epsilon": 1.0, "log_delta": -9.0, "l2_sensitivity": 2.0},
    "gaussian_rho_for": {"epsilon": 1.0, "log_delta": -9.0},
    "rho_to_mu": {"rho": 0.5},
    "mu_to_rho": {"mu": 0.5},
    "zcdp_epsilon": {"rho": 0.5, "log_delta": -9.0},
    "zcdp_epsilon_textbook": {"rho": 0.5, "log_delta": -9.0},
    "laplace_log_delta": {"epsilon": 0.5, "level": 1.0, "l1_sensitivity": 1.0},
    "laplace_scale": {"epsilon": 0.5, "log_delta": -9.0, "l1_sensitivity": 1.0},
    "laplace_l2_scale": {"epsilon": 0.5, "log_delta": -9.0, "l2_sensitivity": 1.0},
    "pure_composition_log_delta": {"epsilon": 0.5, "epsilon_total": 1.0},
    "pure_composition_epsilon": {"epsilon": 0.5, "log_delta": -9.0},
    "gaussian_trade_off": {"mu": 0.5, "alpha": 0.1},
    "laplace_trade_off": {"epsilon": 0.5, "alpha": 0.1},
    "gaussian_advantage": {"mu": 0.5},
    "laplace_advantage": {"epsilon": 0.5},
    "posterior": {"prior": 0.5, "epsilon": 0.5},
    "posterior_of_test": {"prior": 0.5, "alpha": 0.1, "beta": 0.5},
}
SINGLE = {"pure_composition_log_delta": {"count": 3}, "pure_composition_epsilon": {"count": 3}}


def answers(name, arguments):
    """All that a call returns, as a tuple."""
    found = getattr(public if name in LEVELS else accounting, name)(
        **arguments, **SINGLE.get(name, {})
    )
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("name", CALLS)
def test_arrays_are_taken_element_by_element(name):
    numbers = CALLS[name]
    for found in answers(name, numbers):
        assert type(found) is float
    for found in answers(name, {key: np.array(value) for key, value in numbers.items()}):
        assert type(found) is float
    scales = np.array([[1.0], [0.5], [0.25]])
    for chosen in numbers:
        for found, *single in zip(
            answers(name, numbers | {chosen: scales * numbers[chosen]}),
            *(answers(name, numbers | {chosen: s * numbers[chosen]}) for s in scales.flat),
            strict=True,
        ):
            assert (found.shape, found.dtype) == ((3, 1), np.float64)
            assert found.ravel().tolist() == pytest.approx(single, rel=1e-14)
    together = {key: value * np.ones(2) for key, value in numbers.items()}
    first, *_ = together
    together[first] = together[first][:, np.newaxis]
    for found in answers(name, together):
        assert found.shape == ((2, 2) if len(numbers) > 1 else (2, 1))


def test_refusals_name_the_argument():
    with pytest.raises(ParameterError, match="rho must hold numbers"):
        accounting.rho_to_mu(["a"])
    with pytest.raises(ParameterError, match="rho must be a finite number of at least 0, got"):
        accounting.rho_to_mu([0.5, -1.0])
    with pytest.raises(ParameterError, match="must have shapes that fit together"):
        accounting.zcdp_epsilon([0.1, 0.2], [-1.0, -2.0, -3.0])
    with pytest.raises(ParameterError, match="must have shapes that fit together"):
        accounting.gaussian_trade_off([0.1, 0.2], [0.1, 0.2, 0.3])
    assert accounting.rho_to_mu([Fraction(1, 2), 2]).tolist() == [1.0, 2.0]
    assert accounting.rho_to_mu([]).shape == (0,)


def test_no_number_names_a_method_that_is_always_the_same():
    for name in CALLS:
        assert "Stated" not in str(
            inspect.signature(
                getattr(public if name in LEVELS else accounting, name)
            ).return_annotation
        )


def offered():
    """(name, where, what) of everything that dpviz offers: in one import, and in each room."""
    rooms = [
        importlib.import_module(f"dpviz.{each.name}")
        for each in pkgutil.iter_modules(dpviz.__path__)
    ]
    for room in (public, *rooms):
        for name in getattr(room, "__all__", ()):
            yield name, room.__name__, getattr(room, name)
    for name, value in vars(privacy_loss).items():
        own = getattr(value, "__module__", "") == privacy_loss.__name__
        if own and inspect.isfunction(value) and not name.startswith("_"):
            yield name, privacy_loss.__name__, value


def test_one_name_is_one_thing():
    places = {}
    for name, where, what in offered():
        places.setdefault(name, {}).setdefault(id(what), []).append(where)
    assert {name: list(found.values()) for name, found in places.items() if len(found) > 1} == {}


def test_losses_follow_the_rule():
    loss = privacy_loss.gaussian(1.0)
    for asked, argument in ((loss.delta, 1.0), (loss.log_delta, 1.0), (loss.epsilon, 1e-6)):
        assert type(asked(argument)) is float
        assert asked([argument] * 2).shape == (2,)
    assert loss.epsilon(1e-6) == accounting.gaussian_epsilon(math.log(1e-6), 1.0)
