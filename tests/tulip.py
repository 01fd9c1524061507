"""A copy of Gaussian noise under another name: whatever asks for a name instead of a fact fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dpviz.accounting.guarantees import GUARANTEES, register
from dpviz.noise import FAMILIES
from dpviz.noise.gaussian import Gaussian

LIKE = {"tulip": "gaussian"}  # which oracle of the tests is that of the copy


@dataclass(frozen=True, slots=True)
class Tulip(Gaussian):
    """Gaussian noise, but for its name."""

    name: str = "tulip"
    label: str = "Tulip"


TULIP = Tulip()


@contextmanager
def registered() -> Iterator[Tulip]:
    """The copy stands in both tables, as if somebody had added its two lines."""
    register(TULIP, GUARANTEES["gaussian"])
    try:
        yield TULIP
    finally:
        del FAMILIES["tulip"], GUARANTEES["tulip"]
