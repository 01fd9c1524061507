"""RAPPOR as the paper recasts it: a bit plus a Laplace number, cut at a threshold.

Right for every single response; what two of them tell together is in couplings.py.
[KHP15] Gradual Release of Sensitive Data, arXiv:1504.00429, section 4.1.
"""

import math

import numpy as np

from dpviz import checks
from dpviz.local.rappor import Rappor
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array
from dpviz.release import MultipleRelease


class LaplaceBits:
    """Permanent responses by a Laplace path on every bit: 1 where bit + noise is at least ½.

    The scale of the noise is 1/(2·ln(1/f)), so that a bit is turned with probability f/2. The path
    is kept, not the cut bits: these alone do not say how it goes on. Practice mode only.

    >>> from dpviz import streams
    >>> bits = LaplaceBits(np.array([0, 1, 0, 1]), rng=streams.teaching(7))
    >>> bits.permanent(0.75), bits.permanent(0.5)
    (array([1, 1, 1, 0], dtype=uint8), array([0, 1, 0, 0], dtype=uint8))
    """

    __slots__ = ("_session",)

    def __init__(self, bits: Array, *, rng: np.random.Generator) -> None:
        """Open the session.

        Args:
            bits: zeros and ones.
            rng: generator of the paths.
        """
        self._session = MultipleRelease(bits, ADDITIVE["laplace"], rng=rng)

    def permanent(self, f: float) -> Array:
        """The permanent response at f, drawn once.

        Args:
            f: chance that a coin would be tossed for a bit, strictly between 0 and 1.

        Raises:
            ParameterError: for another f.
        """
        checks.probability(f=f)
        return (self._session.release(-0.5 / math.log(f)) >= 0.5).astype(np.uint8)


def laplace_response(p: float, q: float) -> tuple[float, float]:
    """The instantaneous response as a Laplace number cut at θ [KHP15, section 4.1].

        1 if bit + Laplace(1/ε) >= θ, else 0

    Args:
        p: chance of a one where the bit is 0.
        q: chance of a one where the bit is 1; more than p.

    Returns:
        ε and θ.

    >>> [round(x, 6) for x in laplace_response(0.1, 0.3)]
    [1.098612, 1.464974]
    """
    asked = Rappor(f=0.5, p=p, q=q)
    zero, one = (
        math.log(2 * chance) if chance <= 0.5 else -math.log(2 * (1 - chance))
        for chance in (asked.p, asked.q)
    )
    return one - zero, -zero / (one - zero)
