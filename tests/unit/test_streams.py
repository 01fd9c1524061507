"""Streams of randomness: repeated, secret, and the same numbers on another processor."""

import copy
import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from dpviz import streams
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.data import hourly_events, long_tail
from dpviz.errors import ParameterError
from dpviz.experiments.ladders import spaced_budgets
from dpviz.noise import ADDITIVE
from dpviz.scenes.variances import variances
from tests.conftest import LAST_DIGITS, for_each, full_run
from tests.plain_numpy import dispatched
from tests.serving import ROOT


def head(rng: np.random.Generator) -> bytes:
    return rng.bytes(32)


def test_teaching_repeats_itself_and_paths_differ():
    assert head(streams.teaching(7)) == head(streams.teaching(7))
    heads = {head(streams.teaching(7, *path)) for path in [(), (1,), (2,), (1, 1)]}
    assert len(heads) == 4


@for_each("seed", [-1, 1.5, "7", None, True, float("nan")])
def test_teaching_refuses_what_is_no_seed(seed):
    with pytest.raises(ParameterError, match="seed must be a whole number"):
        streams.teaching(seed)
    with pytest.raises(ParameterError, match="path must be a whole number"):
        streams.teaching(7, seed)


def test_mode_is_read_from_the_generator():
    assert streams.mode_of(streams.teaching(7)) == "teaching"
    assert streams.mode_of(np.random.default_rng(7)) == "teaching"
    assert streams.mode_of(streams.hardened()) == "hardened"


def test_hardened_bits_look_uniform():
    u = streams.hardened().random(100_000)
    assert abs(u.mean() - 0.5) < 6 * np.sqrt(1 / 12 / u.size)
    counts = np.bincount((u * 16).astype(int), minlength=16)
    assert ((counts - u.size / 16) ** 2 / (u.size / 16)).sum() < 80  # chi-square, 15 degrees


def test_unpickled_and_copied_generators_have_a_key_of_their_own():
    rng = streams.hardened()
    others = [pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng), *rng.spawn(2)]
    assert len({head(g) for g in [rng, *others]}) == 5
    assert {streams.mode_of(g) for g in others} == {"hardened"}


def test_a_pickle_holds_neither_key_nor_counter():
    rng = streams.hardened()
    before = pickle.dumps(rng)
    rng.random(1000)
    assert pickle.dumps(rng) == before == pickle.dumps(streams.hardened())


def test_a_hardened_generator_cannot_be_rewound():
    bits = streams.hardened().bit_generator
    with pytest.raises(ParameterError):
        _ = bits.state
    with pytest.raises(ParameterError):
        bits.state = {}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_draws_other_bits():
    rng = streams.hardened()
    rng.random(3)
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(there, head(rng))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(here, 32) != head(rng)
    os.close(here)
    os.close(there)


def test_a_keyed_stream_is_aes_in_counter_mode_by_another_library_too():
    key = bytes(range(16))
    block = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(bytes(16))
    assert head(streams.keyed(key))[:16] == block
    assert head(streams.keyed(key)) == head(streams.keyed(key))
    assert head(streams.keyed(key)) != head(streams.keyed(bytes(16)))


def test_what_comes_of_a_keyed_stream_has_a_key_of_its_own():
    rng = streams.keyed(bytes(16))
    others = [pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng), *rng.spawn(2)]
    assert len({head(g) for g in [streams.keyed(bytes(16)), *others]}) == 5


# Another processor computes the same numbers, but for their last digits.


DRAWS = 500
STRAYED = 0.01  # share of draws that may fall on the other side of a comparison


def drawn() -> dict[str, list[float]]:
    """Noise of every family on one seed: drawn, extended, and bridged between the two."""
    found = {}
    for name, family in ADDITIVE.items():
        rng = streams.teaching(7)
        start = np.zeros(DRAWS, dtype=np.int64 if family.integer else np.float64)
        low = family.extend(start, 0, 2.0, rng=rng)
        high = family.extend(low, 2.0, 9.0, rng=rng)
        between = family.bridge(low, high, 2.0, 4.0, 9.0, rng=rng)
        found[name] = [*low.tolist(), *high.tolist(), *between.tolist()]
    return found


def shown() -> dict[str, list[float]]:
    """Numbers of pages that nobody draws."""
    budgets = spaced_budgets(0.001, 5, 10)
    cells, counts = long_tail(100, 1000, 10**9, rng=streams.teaching(7))
    return {
        "Variances": variances(budgets.tolist(), ONE_NUMBER)["variance"].tolist(),
        "Laplace or Gauss": [gaussian_sigma(1.0, log_delta, 1.0) for log_delta in (-1, -14, -300)],
        "invented events": hourly_events(1008).tolist(),
        "invented items": [*cells.tolist(), *counts.tolist()],
    }


@pytest.fixture(scope="module")
def elsewhere() -> list[dict[str, list[float]]]:
    """The same numbers from a process that has to do without this processor's vector code."""
    asked = (
        "import json; from tests.unit.test_streams import *; print(json.dumps([drawn(), shown()]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=ROOT,
        env=os.environ | {"NPY_DISABLE_CPU_FEATURES": ",".join(dispatched())},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@full_run
@pytest.mark.parametrize("family", ADDITIVE)
def test_a_seed_draws_the_same_noise_on_other_processors(elsewhere, family):
    here, there = np.array(drawn()[family]), np.array(elsewhere[0][family])
    assert (
        ~np.isclose(here, there, rtol=1e3 * LAST_DIGITS, atol=1e3 * LAST_DIGITS)
    ).mean() <= STRAYED


@full_run
def test_pages_show_the_same_numbers_on_other_processors(elsewhere):
    for page, numbers in shown().items():
        assert numbers == pytest.approx(elsewhere[1][page], rel=1e3 * LAST_DIGITS), page
