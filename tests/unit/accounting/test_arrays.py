"""One rule for arrays: numbers in, a float out; arrays in, float64 of their common shape out."""

import importlib
import inspect
import math
import pkgutil
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import dpviz
from dpviz import accounting, public
from dpviz.accounting import Pair, Tree, privacy_loss
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from tests.conftest import few, for_each

ONE = {"l1_sensitivity": 1.0, "l2_sensitivity": 1.0}
FLAT = {"l1_sensitivity": 2, "l2_sensitivity": 2**0.5, "linf_sensitivity": 1, "dimension": 3}
FIVE = {"move": ((2, 1), (1, -1))}
ROUNDS = {"l0_sensitivity": 3, "rounds": 2}
ROOT = {"steps": 100}
# a call with numbers, which become arrays; and what stays a single one
CALLS = {
    "gaussian_level": ({"rho": 0.5, "l2_sensitivity": 2.0}, {}),
    "gaussian_rho": ({"level": 0.5, "l2_sensitivity": 2.0}, {}),
    "laplace_level": ({"epsilon": 0.5, "l1_sensitivity": 2.0}, {}),
    "laplace_epsilon": ({"level": 0.5, "l1_sensitivity": 2.0}, {}),
    "right_guesses": ({"advantage": 0.25}, {}),
    "gaussian_right_guesses": ({"rho": 0.5}, {}),
    "randomised_response_level": ({"epsilon": 0.5}, {"categories": 4}),
    "randomised_response_epsilon": ({"level": 0.5}, {"categories": 4}),
    "discrete_laplace_level": ({"epsilon": 0.5, "l1_sensitivity": 2.0}, {}),
    "discrete_laplace_epsilon": ({"level": 0.5, "l1_sensitivity": 2.0}, {}),
    "poisson_level": ({"epsilon": 2.0, "delta": 1e-3}, FLAT),
    "poisson_epsilon": ({"level": 50.0, "delta": 1e-3}, FLAT),
    "skellam_level": ({"epsilon": 2.0, "delta": 1e-3}, FLAT),
    "skellam_epsilon": ({"level": 50.0, "delta": 1e-3}, FLAT),
    "gaussian_log_delta": ({"epsilon": 1.0, "mu": 0.5}, {}),
    "gaussian_epsilon": ({"log_delta": -9.0, "mu": 0.5}, {}),
    "gaussian_sigma": ({"epsilon": 1.0, "log_delta": -9.0, "l2_sensitivity": 2.0}, {}),
    "gaussian_rho_for": ({"epsilon": 1.0, "log_delta": -9.0}, {}),
    "rho_to_mu": ({"rho": 0.5}, {}),
    "mu_to_rho": ({"mu": 0.5}, {}),
    "zcdp_epsilon": ({"rho": 0.5, "log_delta": -9.0}, {}),
    "zcdp_epsilon_textbook": ({"rho": 0.5, "log_delta": -9.0}, {}),
    "laplace_log_delta": ({"epsilon": 0.5, "level": 1.0, "l1_sensitivity": 1.0}, {}),
    "laplace_scale": ({"epsilon": 0.5, "log_delta": -9.0, "l1_sensitivity": 1.0}, {}),
    "laplace_l2_scale": ({"epsilon": 0.5, "log_delta": -9.0, "l2_sensitivity": 1.0}, {}),
    "pure_composition_log_delta": ({"epsilon": 0.5, "epsilon_total": 1.0}, {"count": 3}),
    "pure_composition_epsilon": ({"epsilon": 0.5, "log_delta": -9.0}, {"count": 3}),
    "mixed_composition_log_delta": (
        {"epsilon": 0.5, "epsilon_total": 1.0},
        {"pure": 2, "bounded_range": 3},
    ),
    "mixed_composition_epsilon": (
        {"epsilon": 0.5, "log_delta": -9.0},
        {"pure": 2, "bounded_range": 3},
    ),
    "bounded_range_log_delta": ({"epsilon": 0.5, "epsilon_total": 0.25}, {}),
    "bounded_range_mean_loss": ({"epsilon": 0.5}, {}),
    "pure_mean_loss": ({"epsilon": 0.5}, {}),
    "setwise_epsilon": ({"log_delta": -9.0}, {"pure": [0.5, 0.25], "concentrated": [(0.5, 1.0)]}),
    "approximate_zcdp_epsilon": ({"log_delta": -9.0}, {"parts": [(-20.0, 0.0, 0.5)]}),
    "approximate_zcdp_epsilon_textbook": ({"log_delta": -9.0}, {"parts": [(-20.0, 0.0, 0.5)]}),
    "composed_laplace_log_delta": ({"epsilon": 0.5}, {"epsilons": [0.5, 0.25], "times": 2}),
    "composed_laplace_epsilon": ({"log_delta": -9.0}, {"epsilons": [0.5, 0.25], "times": 2}),
    "gaussian_trade_off": ({"mu": 0.5, "alpha": 0.1}, {}),
    "laplace_trade_off": ({"epsilon": 0.5, "alpha": 0.1}, {}),
    "gaussian_advantage": ({"mu": 0.5}, {}),
    "laplace_advantage": ({"epsilon": 0.5}, {}),
    "pair_trade_off": ({"alpha": 0.1}, {"pair": Pair([0.5, 0.5], [0.3, 0.7])}),
    "posterior": ({"prior": 0.5, "epsilon": 0.5}, {}),
    "posterior_of_test": ({"prior": 0.5, "alpha": 0.1, "beta": 0.5}, {}),
    "group_rho": ({"rho": 0.5}, {"people": 2}),
    "half_width": ({"level": 4.0, "confidence": 0.9}, {"family": FAMILIES["poisson"]}),
    "level_for_half_width": (
        {"half_width": 4.0, "confidence": 0.9},
        {"family": FAMILIES["laplace"]},
    ),
    "poisson_log_delta": ({"epsilon": 0.5, "level": 9.0}, {"shift": 2}),
    "poisson_coordinate_epsilon": ({"log_delta": -5.0, "level": 50.0}, {}),
    "poisson_coordinate_level": ({"epsilon": 1.0, "log_delta": -5.0}, {}),
    "poisson_groups_log_delta": ({"epsilon": 0.5, "level": 9.0}, FIVE),
    "poisson_groups_epsilon": ({"log_delta": -5.0, "level": 90.0}, FIVE),
    "poisson_groups_level": ({"epsilon": 1.0, "log_delta": -5.0}, FIVE),
    "poisson_theorem_limit": ({"log_delta": -9.0, "linf_sensitivity": 2.0}, {"dimension": 3}),
    "poisson_theorem_epsilon": ({"level": 5e3, "log_delta": -9.0}, FLAT),
    "poisson_theorem_level": ({"epsilon": 0.5, "log_delta": -9.0}, FLAT),
    "skellam_log_delta": ({"epsilon": 0.5, "level": 9.0}, {"shift": 2}),
    "skellam_coordinate_epsilon": ({"log_delta": -9.0, "level": 9.0}, {}),
    "skellam_coordinate_level": ({"epsilon": 1.0, "log_delta": -9.0}, {}),
    "skellam_groups_log_delta": ({"epsilon": 0.5, "level": 9.0}, FIVE),
    "skellam_groups_epsilon": ({"log_delta": -9.0, "level": 9.0}, FIVE),
    "skellam_groups_level": ({"epsilon": 1.0, "log_delta": -9.0}, FIVE),
    "skellam_renyi_epsilon": ({"level": 9.0, "log_delta": -9.0, **ONE}, {}),
    "skellam_renyi_level": ({"epsilon": 1.0, "log_delta": -9.0, **ONE}, {}),
    "crossover_log_delta": ({"epsilon": 0.5, "l1_sensitivity": 9.0, "l2_sensitivity": 2.0}, {}),
    "crossover_dimension": ({"epsilon": 0.5, "log_delta": -9.0}, {"gaussian": "classical"}),
    "classical_gaussian_sigma": ({"epsilon": 0.5, "log_delta": -9.0, "l2_sensitivity": 2.0}, {}),
    "histogram_gaussian_epsilon": (
        {"log_delta": -9.0, "sigma": 9.0, "linf_sensitivity": 2.0},
        ROUNDS,
    ),
    "histogram_loose_epsilon": ({"log_delta": -9.0, "sigma": 9.0, "linf_sensitivity": 2.0}, ROUNDS),
    "histogram_laplace_epsilon": (
        {"log_delta": -9.0, "scale": 9.0, "linf_sensitivity": 2.0},
        ROUNDS,
    ),
    "tree_error": ({"epsilon": 0.5, "sensitivity": 2.0}, {"steps": 100, "arity": 3}),
    "honaker_error": ({"epsilon": 0.5, "sensitivity": 2.0}, ROOT),
    "vertex_variance": ({"epsilon": 0.5, "sensitivity": 2.0}, {"tree": Tree(3, 2, True)}),
    "square_root_error": ({"epsilon": 0.5, "log_delta": -9.0, "sensitivity": 2.0}, ROOT),
    "counting_crossover_log_delta": ({"epsilon": 0.5}, ROOT | {"gaussian": "root_two"}),
}
# what has no number that could be an array, or answers with more than one number for each
THREE, COIN = Tree(3, 2, True), Pair([0.5, 0.5], [0.3, 0.7])
SPLIT = {"losses": [0.5, 1.0], "scheme": "splitting"}
MIXTURE = {"pure": [0.5], "bounded_range": [0.5], "concentrated": [(0.5, 1.0)]}
OTHERWISE = {
    # a bound with its theorem, or all of them
    "adaptive_composition_log_delta": {"order": ["pure"], "epsilon": 0.5, "epsilon_total": 0.25},
    "adaptive_composition_epsilon": {"order": ["pure"], "epsilon": 0.5, "log_delta": -9.0},
    "composed_pure_log_delta": {"epsilons": [0.5, 0.25], "epsilon": 0.5},
    "composed_pure_epsilon": {"epsilons": [0.5, 0.25], "log_delta": -9.0},
    "best_epsilon": MIXTURE | {"log_delta": -9.0},
    # whole numbers in; kinds, numbers of steps and trees out
    "worst_order": {"pure": 2, "bounded_range": 3},
    "best_arity": {"steps": 9},
    "chosen_tree": {"steps": 9},
    "smallest_tree": {"steps": 9, "arity": 3},
    "square_root_factor": {"steps": 9},
    "square_root_factor_bound": {"steps": 9},
    # one number for each step or tier, or one of all of them together
    "step_variances": {"tree": THREE, "steps": 3, "epsilon": 0.5},
    "scheme_budgets": SPLIT,
    "scheme_levels": SPLIT,
    "scheme_pieces": SPLIT,
    "scheme_variances": SPLIT,
    # of laws, of a list of releases, and of a list of persons, with its method
    "joint_pair": {"pairs": [(COIN, 2)]},
    "pair_advantage": {"pair": COIN},
    "joint_loss": {"events": []},
    "independent_loss": {"events": []},
    "coalition_rho": {"rhos": [0.5], "scheme": "lossless"},
    "coalition_epsilon": {"epsilons": [0.5], "scheme": "lossless"},
    # the name of a method, or a choice of two
    "scheme_rule": SPLIT,
    "poisson_rule": {"level": 50.0} | FLAT,
    "skellam_rule": {"level": 50.0} | FLAT,
    "l2_mechanism": {"epsilon": 0.5, "log_delta": -9.0, "l2_sensitivity": 1.0, "l1_sensitivity": 2},
}


def function_of(name):
    """The function of this name that dpviz or dpviz.accounting offers."""
    return getattr(accounting, name, None) or getattr(public, name)


def answers(name, arguments):
    """All that a call returns, as a tuple."""
    found = function_of(name)(**arguments, **CALLS[name][1])
    return found if isinstance(found, tuple) else (found,)


def test_every_public_function_of_accounting_is_under_the_rule():
    functions = {
        name
        for name in (*accounting.__all__, *public.__all__)
        if inspect.isfunction(function := function_of(name))
        and function.__module__.startswith("dpviz.accounting")
    }
    assert functions == set(CALLS) | set(OTHERWISE)
    assert not set(CALLS) & set(OTHERWISE)


@for_each("name", few(CALLS, 7))
def test_arrays_are_taken_element_by_element(name):
    numbers, _ = CALLS[name]
    for found in answers(name, numbers):
        assert type(found) is float
    for found in answers(name, {key: np.array(value) for key, value in numbers.items()}):
        assert type(found) is float
    for exact in (Fraction, Decimal):
        given = {key: exact(value) for key, value in numbers.items()}
        assert answers(name, given) == answers(name, numbers)
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


NONSENSE = [math.nan, math.inf, -math.inf, "abc", None, True, Decimal("NaN")]
WHOLE = "steps arity shift people rounds count times categories dimension l0_sensitivity"
REFUSED = {  # finite numbers, too; if not named here, those that are not above 0
    **dict.fromkeys(WHOLE.split(), (0, -1, 1.5, "2")),
    **dict.fromkeys(("delta", "confidence", "prior"), (-0.5, 0.0, 1.0)),
    **dict.fromkeys(("alpha", "beta", "advantage"), (-0.1, 1.1)),
    "log_delta": (0.0, 1e-3, 1),
    "epsilon_total": (),
}
ANY_SIGN = {"gaussian_log_delta", "laplace_log_delta"}  # of an epsilon
OR_NONE = {  # what may be 0, where
    "rho": "rho_to_mu zcdp_epsilon zcdp_epsilon_textbook gaussian_right_guesses group_rho",
    "mu": "gaussian_log_delta gaussian_epsilon mu_to_rho gaussian_trade_off gaussian_advantage",
    "epsilon": "gaussian_sigma gaussian_rho_for laplace_scale composed_laplace_log_delta posterior "
    "laplace_trade_off laplace_advantage poisson_log_delta poisson_groups_log_delta "
    "skellam_log_delta skellam_groups_log_delta composed_pure_log_delta",
    "l1_sensitivity": "laplace_epsilon discrete_laplace_epsilon skellam_renyi_epsilon",
    "l2_sensitivity": "gaussian_rho skellam_renyi_epsilon",
    "pure": "mixed_composition_log_delta mixed_composition_epsilon worst_order",
    "bounded_range": "mixed_composition_log_delta mixed_composition_epsilon worst_order",
}


def refused(name, argument):
    """Numbers that this function does not take for an argument."""
    if argument == "epsilon" and name in ANY_SIGN:
        return ()
    may_be_0 = name in OR_NONE.get(argument, "").split()
    return REFUSED.get(argument, (-1.0,) if may_be_0 else (-1.0, 0.0))


@for_each("name", few([*CALLS, *OTHERWISE], 4))
def test_each_argument_is_refused_by_name(name):
    """What is no number, and each number out of its range: `epsilon must be …, got …`."""
    numbers, fixed = CALLS[name] if name in CALLS else ({}, OTHERWISE[name])
    call, valid = function_of(name), numbers | fixed
    call(**valid)
    for argument in valid:
        for bad in (*NONSENSE, *refused(name, argument)):
            said = f"{argument}|sensitivities|error probabilities"
            with pytest.raises(ParameterError, match=f"^({said}) (must|is) ") as found:
                call(**valid | {argument: bad})
            assert argument not in REFUSED or str(found.value).startswith((argument, "error"))
    for argument, names in OR_NONE.items():
        if name in names.split():
            call(**valid | {argument: 0})


def test_arrays_are_refused_by_name():
    with pytest.raises(ParameterError, match="rho must hold numbers"):
        accounting.rho_to_mu(["a"])
    with pytest.raises(ParameterError, match="rho must be a finite number of at least 0, got"):
        accounting.rho_to_mu([0.5, -1.0])
    for call in (accounting.zcdp_epsilon, accounting.gaussian_trade_off):  # two and three of them
        with pytest.raises(ParameterError, match="must have shapes that fit together"):
            call([0.1, 0.2], [0.1, 0.2, 0.3])
    with pytest.raises(ParameterError, match="error probabilities must lie"):
        accounting.laplace_trade_off(1.0, [0.5, math.nan])
    assert accounting.rho_to_mu([Fraction(1, 2), 2]).tolist() == [1.0, 2.0]
    assert accounting.rho_to_mu([]).shape == (0,)


def test_only_coalitions_name_their_method():
    """Elsewhere it follows from the name, from the choice typed, or from a function of its own."""
    for name in {*CALLS, *OTHERWISE}:
        returned = inspect.signature(function_of(name)).return_annotation
        assert ("Stated" in str(returned)) == name.startswith("coalition_"), name
        assert "None" not in str(returned), name


def test_no_noise_that_would_do_is_infinite_noise():
    found = accounting.skellam_coordinate_level([1e-6, 1.0], -14.0)
    assert found[0] == math.inf
    assert found[1] == accounting.skellam_coordinate_level(1.0, -14.0)


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
