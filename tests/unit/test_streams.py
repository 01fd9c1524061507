import copy
import os
import pickle

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from dpviz import streams
from dpviz.errors import ParameterError
from tests.conftest import for_each


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
