"""Copies of noise under other names: whatever asks for a name instead of a fact fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from dpviz.accounting.guarantees import GUARANTEES, register
from dpviz.noise import ADDITIVE, FAMILIES, Family
from dpviz.noise.gaussian import Gaussian
from dpviz.noise.laplace import Laplace

LIKE = {"tulip": "gaussian", "daisy": "laplace"}  # which oracle of the tests is that of the copy


@dataclass(frozen=True, slots=True)
class Tulip(Gaussian):
    """Gaussian noise, but for its name."""

    name: str = "tulip"
    label: str = "Tulip"


@dataclass(frozen=True, slots=True)
class Daisy(Laplace):
    """Laplace noise, but for its name."""

    name: str = "daisy"
    label: str = "Daisy"


TULIP, DAISY = Tulip(), Daisy()
Copy = TypeVar("Copy", bound=Family)


@contextmanager
def registered(copy: Copy = TULIP) -> Iterator[Copy]:
    """The copy stands in both tables, as if somebody had added its two lines."""
    register(copy, GUARANTEES[LIKE[copy.name]])
    try:
        yield copy
    finally:
        del FAMILIES[copy.name], ADDITIVE[copy.name], GUARANTEES[copy.name]
