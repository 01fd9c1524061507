"""Laws over budgets against the vectors that were worked out beforehand, and by other ways."""

import math

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, optimize

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.gradual import fill_in, gradual_correlation, gradual_law, jump_law, relax, tighten
from dpviz.noise import FAMILIES
from tests.conftest import for_each
from tests.papers.gradual import (
    AFTER,
    FIGURES,
    GRADUAL_FIGURE,
    SAID,
    SETTING,
    both_combined,
    gradual_paper_chart,
    gradual_paper_frame,
    staircase,
)

LAPLACE, WHOLE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]


def relaxed(x, e1, e2, family=LAPLACE):
    return gradual_law({e1: x}, e2, exact=0.0, family=family)


@pytest.mark.parametrize(
    ("x", "e1", "e2", "opposite", "between", "atom", "beyond"),
    [
        (0.75, 1.0, 2.0, 0.25, 0.39572508544423897, 0.23618327637050735, 0.11809163818525368),
        (
            *(-5.0, 0.1, 3.0, 0.48333333333333333, 0.51666640608704101),
            *(1.6811588752262937e-8, 2.4376803690781258e-7),
        ),
        (
            *(20.0, 0.5, 0.500001, 9.9999800003275554e-7, 1.9999780002148425e-5),
            *(0.99997800024399755, 9.9997800027275258e-7),
        ),
    ],
)
def test_vectors_of_the_pieces(x, e1, e2, opposite, between, atom, beyond):
    law = relaxed(x, e1, e2)
    found = (law.away, law.toward, law.rest, law.beyond)
    assert_allclose(found, (opposite, between, atom, beyond), rtol=1e-9)
    assert law.atoms[-1] == (x, law.rest)
    assert law.stay == 0  # of the exact value


def test_vectors_of_the_sampler_are_quantiles_of_the_pieces():
    """Algorithm 1 draws a piece by u and a place in it by v, from the far end of the piece."""
    law = relaxed(0.75, 1.0, 2.0)
    places = np.array([-0.30543024395805167, 0.14145799594817894, 1.1513242681086453])
    chances = [0.25 * 0.4, 0.25 + 0.25 * law.toward, 1 - 0.3 * law.beyond]
    assert_allclose(law.cdf(places), chances, rtol=1e-14)
    assert_allclose(law.quantile(np.array(chances)), places, rtol=1e-13)
    assert law.quantile(np.array([0.7, 0.8])).tolist() == [0.75, 0.75]  # the atom


def test_relaxing_against_fifty_digits():
    with mpmath.workdps(50):
        for x, e1, e2 in ((0.75, 1.0, 2.0), (-5.0, 0.1, 3.0), (1e-6, 0.3, 0.3000001)):
            a, b, v = mpmath.mpf(e1), mpmath.mpf(e2), mpmath.mpf(x)
            for y in (-7.0, -0.2, 1e-7, 0.4, 9.0):
                density = (
                    (b**2 - a**2) / (2 * b) * mpmath.exp(-a * abs(v - y) - b * abs(y) + a * abs(v))
                )
                assert_allclose(relaxed(x, e1, e2).density(np.array(y)), float(density), rtol=1e-8)


def test_vectors_of_the_correlation():
    assert gradual_correlation(1.0, 2.0) == gradual_correlation(2.0, 1.0) == 0.5
    assert gradual_correlation(0.1, 3.0) == pytest.approx(0.033333333333333335, rel=1e-15)
    sinh = math.sinh(0.25) / math.sinh(0.75)
    assert gradual_correlation(0.5, 1.5, family=WHOLE) == pytest.approx(sinh, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "mean", "none", "three"),
    [
        (0.5, 5.0, 4.6051701859880914, 0.01, 0.1627742873834781),
        (0.1, 10.0, 9.2103403719761826, 0.00010000000000000001, 0.013021942990678249),
        (1.0, 1.01, 0.019900661706336183, 0.98029604940692087, 1.2876817882427908e-6),
    ],
)
def test_vectors_of_the_number_of_jumps(a, b, mean, none, three):
    law = jump_law(a, b)
    found = (law.mean, law.probability(0), law.probability(3))
    assert_allclose(found, (mean, none, three), rtol=1e-12)
    assert jump_law(a, b, dimension=7).mean == pytest.approx(7 * mean, rel=1e-12)
    assert jump_law(10 * a, 10 * b, l1_sensitivity=10.0).mean == pytest.approx(mean, rel=1e-12)


@pytest.mark.parametrize(
    ("released", "epsilon", "third"),
    [
        ({0.5: 1.0, 4.0: -0.5}, 1.0, 0.7274444986947549),
        ({1.0: 0.2, 9.0: 0.25}, 3.0, 0.62854877458921212),
    ],
)
def test_vectors_of_filling_in(released, epsilon, third):
    law = gradual_law(released, epsilon)
    same = sum(chance for _, chance in law.atoms)
    assert 1 - same == pytest.approx(third, rel=1e-12)
    assert law.away + law.toward + law.beyond == pytest.approx(third, rel=1e-12)
    assert float(law.cdf(np.array(1e9))) == pytest.approx(1, rel=1e-12)


def test_tightening_is_a_step_that_knows_nothing_of_the_value():
    for e1, e2 in ((1.0, 2.0), (0.1, 3.0)):
        law = gradual_law({e2: 4.0}, e1)
        assert law.atoms[0][1] == pytest.approx((e1 / e2) ** 2, rel=1e-14)
        x = np.linspace(0, 900, 400_001)
        second = np.trapezoid(x * x * law.density(4 + x), x)
        assert 2 * second == pytest.approx(2 / e1**2 - 2 / e2**2, rel=1e-8)


@pytest.mark.parametrize(
    ("e1", "e2", "atom", "event"),
    [
        (0.5, 1.5, 0.094369312202372727, 0.90563068779762727),
        (0.05, 0.06, 0.6943807931899633, 0.3056192068100367),
    ],
)
def test_vectors_of_whole_numbers(e1, e2, atom, event):
    none = math.exp(-jump_law(e1, e2, family=WHOLE).mean)
    assert none == pytest.approx(atom, rel=1e-11)
    assert 1 - none == pytest.approx(event, rel=1e-11)
    stays = gradual_law({e2: 0.0}, e1, family=WHOLE).atoms[0][1]
    still = float(WHOLE.density(0, 1 / e1))  # an event may move nothing
    assert stays == pytest.approx(atom + event * still, rel=1e-11)


@for_each(("e1", "e2", "x"), [(0.5, 1.5, 0), (0.5, 1.5, 4), (0.05, 0.06, 0), (0.05, 0.06, 4)])
def test_relaxing_whole_numbers_piece_by_piece(e1, e2, x):
    law = relaxed(x, e1, e2, WHOLE)
    assert law.density(np.arange(-3000.0, 3000.0)).sum() == pytest.approx(1, abs=1e-11)
    p1, p2 = math.exp(-e1), math.exp(-e2)  # MATHEMATICS 14.3, piece by piece
    c = (p1 - p2) * (1 - p1 * p2) / (p1 * (1 - p2 * p2))
    for y in (-3, 0, 2, x, x + 5):
        inside = (p2 / p1) ** min(max(y, 0), x)
        mass = c * inside * (p1 * p2) ** (max(-y, 0) + max(y - x, 0))
        rests = math.sinh(e1) / math.sinh(e2) * (p2 / p1) ** x if y == x else 0.0
        assert law.density(np.array(float(y))) == pytest.approx(mass + rests, rel=1e-10)


@pytest.mark.parametrize(
    ("e1", "e2", "z", "mass"),
    [(0.5, 1.5, 3, 0.054648740365478838), (0.05, 0.06, 0, 0.024994792968420689)],
)
def test_vectors_of_whole_noise_and_one_step(e1, e2, z, mass):
    """A sharper number and the step from it have the noisier law, summed over all of them."""
    start = np.arange(-1500, 1501)
    steps = gradual_law({e2: 0.0}, e1, family=WHOLE).density((z - start).astype(float))
    assert (WHOLE.density(start, 1 / e2) * steps).sum() == pytest.approx(mass, rel=1e-10)
    assert WHOLE.density(z, 1 / e1) == pytest.approx(mass, rel=1e-10)


def test_a_holder_tightens_without_the_data(seed):
    release = np.full(4000, 62.0)
    found = tighten(release, 2.0, 1.0, rng=streams.teaching(seed))
    kept = int((found == 62.0).sum())
    assert abs(kept - 1000) < 6 * math.sqrt(4000 * 0.25 * 0.75)
    assert (release == 62.0).all()
    same = tighten(np.array([62]), 1.0, 0.5, family=WHOLE, rng=streams.hardened())
    assert same.dtype == np.int64  # exact, so in hardened mode, too


@pytest.mark.parametrize("name", ["laplace", "discrete_laplace"])
def test_one_more_release_has_the_law_that_is_said_before(name, seed):
    """Relaxed from the value, and filled in between two releases: both by their laws."""
    family, many = FAMILIES[name], 20_000
    zeros, held = (np.full(many, x, dtype=np.int64) for x in (0, 3))
    drawn = relax(zeros, held, 0.4, 0.9, family=family, rng=streams.teaching(seed))
    between = fill_in(zeros, held, (0.4, 0.9), 0.6, family=family, rng=streams.teaching(seed, 1))
    for found, law in (
        (drawn, gradual_law({0.4: 3.0}, 0.9, exact=0.0, family=family)),
        (between, gradual_law({0.4: 3.0, 0.9: 0.0}, 0.6, family=family)),
    ):
        for x in (-2.0, -0.5, 0.0, 1.0, 2.5, 3.0, 4.0):
            share, chance = (found <= x).mean(), float(law.cdf(np.array(x)))
            assert abs(share - chance) < 6 * 0.5 / math.sqrt(many)
        for value, chance in law.atoms:
            assert abs((found == value).mean() - chance) < 6 * 0.5 / math.sqrt(many)


def test_one_more_release_is_refused_where_it_cannot_be():
    two, rng = np.zeros(2), streams.teaching(1)
    for ask, said in (
        (lambda: relax(two, two, 2.0, 1.0, rng=rng), "must ascend, got 2 and then 1"),
        (lambda: relax(two + math.nan, two, 1.0, 2.0, rng=rng), "finite"),
        (lambda: relax(two, np.zeros(3), 1.0, 2.0, rng=rng), "same length"),
        (lambda: relax(two, two, 1.0, 2.0, rng=streams.hardened()), "teaching only"),
        (lambda: fill_in(two, two, (1.0, 3.0), 4.0, rng=rng), "must ascend, got 4 and then 3"),
        (lambda: fill_in(two, two, (1.0, 3.0), 0.5, rng=rng), "must ascend, got 1 and then 0.5"),
        (lambda: fill_in(two, two, (1.0,), 0.5, rng=rng), "must be two budgets"),
    ):
        with pytest.raises(ParameterError, match=said):
            ask()


@for_each("bad", [0.0, -1.0, math.nan, math.inf])
def test_budgets_that_are_none_are_refused(bad):
    for ask in (
        lambda: jump_law(bad, 2.0),
        lambda: jump_law(0.5, bad),
        lambda: gradual_law({1.0: 3.0}, bad),
        lambda: gradual_law({bad: 3.0}, 1.0),
        lambda: gradual_correlation(bad, 1.0),
        lambda: tighten(np.zeros(2), 1.0, bad, rng=streams.teaching(1)),
        lambda: relax(np.zeros(2), np.zeros(2), bad, 1.0, rng=streams.teaching(1)),
        lambda: fill_in(np.zeros(2), np.zeros(2), (0.5, 1.0), bad, rng=streams.teaching(1)),
    ):
        with pytest.raises(ParameterError, match="finite number above 0"):
            ask()


def test_orders_and_kinds_are_refused():
    for ask, said in (
        (lambda: jump_law(2.0, 1.0), "must ascend, got 2 and then 1"),
        (lambda: tighten(np.zeros(2), 1.0, 2.0, rng=streams.teaching(1)), "must ascend"),
        (lambda: gradual_law({1.0: 3.0}, 1), "there already"),
        (lambda: gradual_law({1.0: 3.0}, 2.0), "only its owner has"),
        (lambda: gradual_law({}, 2.0), "only its owner has"),
        (lambda: jump_law(0.5, 1.0, family=FAMILIES["gaussian"]), "no path with single jumps"),
        (lambda: jump_law(0.5, 1.0, family=FAMILIES["poisson"]), "no path with single jumps"),
        (lambda: gradual_law({1.0: 3.5}, 0.5, family=WHOLE), "whole numbers"),
        (lambda: jump_law(1e-3, 1.0, dimension=10**18), "too many jumps"),
    ):
        with pytest.raises(ParameterError, match=said):
            ask()


# --- The figures of the paper on gradual release, their numbers found by another way ---


def frame_of(figure):
    return gradual_paper_frame(figure, rng=streams.teaching(7, figure))


def test_every_figure_is_drawn_and_named():
    assert set(FIGURES) == set(SETTING) == set(SAID)
    for figure in FIGURES:
        frame = frame_of(figure)
        assert tuple(frame.columns) == GRADUAL_FIGURE
        assert np.isfinite(frame[["at", "height"]].to_numpy(float)).all()
        drawn = gradual_paper_chart(frame, across="ε", up="noise")
        assert len(drawn.data) == len(frame.groupby(["line", "kind"]))
    with pytest.raises(ParameterError, match="from 1 to 4"):
        frame_of(5)


def test_samples_stay_jump_and_come_to_nought():
    frame = frame_of(1)
    assert frame["line"].nunique() == 5
    for _, rows in frame.groupby("line"):
        assert rows["at"].iloc[0] == 0.1
        assert rows["at"].iloc[-1] == 5.0
        assert rows["at"].is_monotonic_increasing
    ends = frame.groupby("line")["height"]
    assert ends.first().abs().mean() > 4 * ends.last().abs().mean()
    assert frame.equals(frame_of(1))  # by its seed


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_the_staircase_has_the_error_of_the_closed_form(epsilon):
    gamma, error = staircase(epsilon)
    b = math.exp(-epsilon)
    closed = (2 ** (-2 / 3) * (b * (1 + b)) ** (2 / 3) + b) / (1 - b) ** 2
    assert error == pytest.approx(closed, rel=1e-8)
    assert error < 2 / epsilon**2
    place = -b / (1 - b) + (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3) / (
        2 ** (1 / 3) * (1 - b) ** 2
    )
    assert gamma == pytest.approx(place, abs=1e-4)


def test_the_stairs_are_a_density_that_is_private_for_whole_steps():
    stairs = frame_of(2).query("kind == 'steps'")
    x, height = stairs["at"].to_numpy(), stairs["height"].to_numpy()
    inside = (height[:-1] * np.diff(x)).sum()
    assert inside == pytest.approx(1 - math.exp(-5), rel=1e-9)  # beyond ±5 lies the rest
    at = np.linspace(-4.97, 2.97, 800)
    moved = np.array([height[np.searchsorted(x, [y, y + 1], side="right") - 1] for y in at])
    assert np.abs(np.log(moved[:, 0] / moved[:, 1])).max() <= 1 + 1e-12
    assert {n.split(",")[0] for n in frame_of(2)["line"]} == {"Laplace", "staircase"}


@pytest.mark.parametrize("after", AFTER)
def test_the_second_response_given_the_first_adds_up(after):
    frame = frame_of(3)
    frame = frame[frame["line"] == f"ε₂ = {after:g}"]
    stays = frame.query("kind == 'atom'")["height"].item()
    assert stays == pytest.approx(math.exp(1 - after) / after, rel=1e-12)
    rest = integrate.quad(
        lambda y: (after**2 - 1) / (2 * after) * math.exp(-abs(1 - y) - after * abs(y) + 1),
        -30,
        30,
        points=[0, 1],
    )[0]
    assert stays + rest == pytest.approx(1, abs=1e-9)
    curve = frame.query("kind == 'curve'")
    for x, density in curve.iloc[::40][["at", "height"]].to_numpy():
        right = (after**2 - 1) / (2 * after) * math.exp(-abs(1 - x) - after * abs(x) + 1)
        assert density == pytest.approx(right, rel=1e-9)


def test_the_price_of_a_first_response():
    frame = frame_of(4)
    for _, ratio, height in frame[["line", "at", "height"]].iloc[::60].itertuples(index=False):
        assert height >= 1
        assert height <= 5.01 or ratio < 1.25
    for ratio in (1.1, 2.0, 3.3):
        first, second = 2 * ratio**2, 2 / (1 - 1 / ratio) ** 2  # squared errors, ε₂ = 1

        def error(weight, first=first, second=second):
            return math.sqrt(weight**2 * first + (1 - weight) ** 2 * second)

        best = optimize.minimize_scalar(error, bounds=(0, 1), method="bounded").fun
        assert both_combined(ratio) == pytest.approx(best / math.sqrt(2), rel=1e-9)
        assert both_combined(ratio) <= math.sqrt(2) + 1e-15
