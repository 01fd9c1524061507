"""Numbers at the ends of floats, and whatever else is passed: a right answer or one sentence."""

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpviz import accounting, streams
from dpviz.accounting import search
from dpviz.accounting.moves import LARGEST_GROUPS
from dpviz.counting import ContinualCounter, CountedStream
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES, counts, unimodal
from dpviz.noise.counts import MOST_PIECES
from dpviz.sparse.printed_law import printed_leak
from tests.conftest import FULL, for_each
from tests.fuzzing import ENDLESS, targets

LARGEST, TINY = 1.7e308, 5e-324


def test_square_roots_of_the_largest_numbers():
    convert = accounting.rho_to_mu
    assert convert(LARGEST) == pytest.approx(math.sqrt(2) * math.sqrt(LARGEST), rel=1e-15)
    assert convert(TINY) == pytest.approx(math.sqrt(2 * TINY), rel=1e-15)
    assert [convert(x) for x in (0.5, 2, 8)] == [1, 2, 4]


@pytest.mark.parametrize(
    ("convert", "arguments"),
    [
        (accounting.mu_to_rho, (1e300,)),
        (accounting.zcdp_epsilon, (LARGEST, -LARGEST)),
        (accounting.zcdp_epsilon_textbook, (LARGEST, -LARGEST)),
    ],
)
def test_what_no_float_holds_is_refused(convert, arguments):
    with pytest.raises(ParameterError, match="no float can hold this result"):
        convert(*arguments)


def test_gaussian_curve_at_the_smallest_mu():
    found = accounting.gaussian_log_delta(0, TINY)  # δ = 2Φ(μ/2) - 1 = μ/√(2π)
    assert found == pytest.approx(math.log(TINY) - math.log(2 * math.pi) / 2, rel=1e-15)
    assert accounting.gaussian_log_delta(1e-150, 1e-300) == pytest.approx(-5e299, rel=1e-12)


def test_gaussian_epsilon_of_next_to_no_noise():
    """Newton's method left the floats: ε was infinite, and a page fell over it."""
    for mu in (1e27, 1e60, 1e149):
        found = accounting.gaussian_epsilon(math.log(1e-6), mu)
        assert found == pytest.approx(mu * mu / 2, rel=1e-14)
        assert accounting.gaussian_log_delta(found, mu) <= math.log(1e-6)


def test_pure_composition_beyond_its_sum():
    assert accounting.pure_composition_log_delta(100, 7, 1e6) == -math.inf
    assert accounting.pure_composition_log_delta(100, 7, 700) == -math.inf
    assert accounting.pure_composition_log_delta(100, 7, 699) > -math.inf


@for_each("family", ADDITIVE.values())
def test_the_smallest_half_width(family):
    if family.name in ("discrete_laplace", "skellam"):  # most of their noise is 0
        level = accounting.level_for_half_width(family, TINY, 0.95)
        assert accounting.half_width(family, level, 0.95) == 0
        return
    with pytest.raises(ParameterError, match="half width"):
        accounting.level_for_half_width(family, TINY, 0.95)


def test_gaussian_half_width_at_the_smallest_chance():
    """Half of it is no float: the half width was infinite."""
    found = FAMILIES["gaussian"].unit_half_width(TINY)
    assert found == pytest.approx(38.4854083355673, rel=1e-12)
    assert found > FAMILIES["gaussian"].unit_half_width(2 * TINY)


def test_a_leak_at_an_epsilon_whose_power_is_no_float():
    taus = [1.5 * math.sqrt(0.5 / rho) for rho in (0.1, 0.2)]
    leak = printed_leak((0.1, 0.2), taus, 1e6, l2_sensitivity=1.0)
    assert 0 <= leak.right <= leak.printed < 1e-15
    assert (leak.gaussian, leak.zcdp) == (0.0, math.exp(-700))


def test_draws_that_would_take_minutes_are_refused_before_they_begin():
    poisson, skellam = FAMILIES["poisson"], FAMILIES["skellam"]
    many, rng = np.zeros(10_000, dtype=np.int64), streams.teaching(7)
    with pytest.raises(ParameterError, match=f"at most {MOST_PIECES:,}"):
        poisson.extend(many, 0, 1e13, rng=rng)
    with pytest.raises(ParameterError, match=f"at most {MOST_PIECES:,}"):
        poisson.bridge(many, many + 10**13, 0, 5e12, 1e13, rng=rng)
    with pytest.raises(ParameterError, match="not two releases of"):
        poisson.bridge(many, many + 2**62, 0, 1, 1e13, rng=rng)
    with pytest.raises(ParameterError, match="not two releases of"):
        skellam.bridge(many, many + 2**39, 0, 1, 1e10, rng=rng)
    untouched = streams.teaching(7).random()
    assert rng.random() == untouched


def test_any_number_of_values_at_1e10():
    """The limit is on draws for each stretch of values, so long arrays are served."""
    assert 1e10 / 2**counts.LARGE * counts.STRIDE <= MOST_PIECES


def test_no_table_is_made_for_no_value(monkeypatch):
    monkeypatch.setattr(counts, "poisson_law", None)  # it would be called
    empty = np.empty(0, dtype=np.int64)
    assert FAMILIES["poisson"].extend(empty, 0, 2**31, rng=streams.teaching(7)).size == 0


def test_the_weights_of_a_law_are_walked_once(monkeypatch):
    """A bridge of the noisiest Skellam releases took twice as long."""
    walked, walk = [], unimodal.Unimodal._walk
    monkeypatch.setattr(
        unimodal.Unimodal, "_walk", lambda *args: walked.append(args[1:]) or walk(*args)
    )
    counts.poisson_law.__wrapped__(Fraction(12345, 7))
    assert sorted(walked) == [(0, 64), (1, 64)]


def test_a_search_asks_for_no_point_twice():
    asked = []

    def excess(x):
        asked.append(x)
        return 2.0 - x * x

    search.least(excess, 1.0)
    assert len(asked) == len(set(asked))


def test_a_billion_coordinates_are_refused():
    for ask in (
        lambda n: accounting.poisson_groups_level(3, -1, move=((n, 1),)),
        lambda n: accounting.poisson_groups_epsilon(-1, 1e6, move=((n, 1),)),
        lambda n: accounting.poisson_groups_log_delta(3, 1e6, move=((n, 1),)),
    ):
        with pytest.raises(ParameterError, match=f"at most {LARGEST_GROUPS:,}"):
            ask(10**9)


def test_counters_of_a_huge_arity_are_refused():
    with pytest.raises(ParameterError, match="arity must be at most 100,000"):
        ContinualCounter(1000, [1.0], arity=10**9, rng=streams.teaching(7))
    with pytest.raises(ParameterError, match="arity must be at most 100,000"):
        CountedStream([1, 2], arity=10**9, rng=streams.teaching(7))
    assert accounting.tree_error(1000, 10**9, 1) > 0  # its error is only a number


def test_refusals_quote_no_array_and_are_one_line():
    arrays = np.array([123456, -654321]), -np.ones((3, 3)), [-123456], [123456, "x" * 1000]
    for bad in (*arrays, "x" * 1000, 10**5000):
        with pytest.raises(ParameterError) as caught:
            accounting.poisson_log_delta(bad, 1.0)
        assert "123456, " not in str(caught.value)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 150


def test_a_half_width_whose_levels_are_many_teeth_apart():
    """Every tooth of the saw fits up to a level of 1e11, and each was tried in turn."""
    poisson = FAMILIES["poisson"]
    level = accounting.level_for_half_width(poisson, 0.1, 1e-6)
    assert accounting.half_width(poisson, level, 1e-6) <= 0.1
    assert accounting.half_width(poisson, level * 1.01, 1e-6) > 0.1


# Whatever is passed to a public function: a right answer, or one sentence, and soon.


ROOT = Path(__file__).resolve().parents[2]
CALLS = 5000 if FULL else 60  # for each seed: 20 of them in the full run


@pytest.mark.timeout(1500)
def test_only_answers_and_sentences(seed, tmp_path):
    note = tmp_path / "call.txt"
    command = [sys.executable, "-m", "tests.fuzzing", str(seed), str(CALLS), str(note)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"this call never came back: {note.read_text(encoding='utf-8')}")
    last = note.read_text(encoding="utf-8") if note.exists() else ""
    assert done.returncode == 0, f"{done.stderr[-2000:]}\nThe last call: {last}"
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert not found, "\n".join(f"{each['call']}\n    {each['wrong']}" for each in found)


def test_every_public_function_is_called():
    """What is called is found by looking, so a new function cannot be forgotten."""
    names = {name for name, _ in targets()}
    assert len(names) > 250
    assert {
        *("dpviz.accounting.half_width", "dpviz.counting.ContinualCounter"),
        *("dpviz.queries.BoundedSum", "dpviz.streams.teaching", "skellam.bridge"),
        *("MultipleRelease[poisson].release", "DELTA.read_exact", "SparseHistogram.release"),
    } <= names
    assert all(ENDLESS.values())  # every infinity that is right has its reason
