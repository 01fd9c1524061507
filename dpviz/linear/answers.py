"""The answers to linear queries: a session of multiple release on R·x, with L applied afterwards.

All noise is drawn by the session; L is public, so everything here is post-processing of it. Linear,
so lossless: see factorization.py.
"""

from collections.abc import Mapping

import numpy as np

from dpviz.linear.operators import LeftFactor
from dpviz.noise import Array
from dpviz.release import MultipleRelease
from dpviz.streams import Mode

LARGEST_WHOLE = 2.0**62  # sums of whole numbers stay exact in 64 bits


class LinearAnswers:
    """The answers to linear queries at any levels, in any order, drawn once each.

    Made by `Factorization.session`. State: a session on R·x, and the answers already read.
    """

    __slots__ = ("_answers", "_left", "_session")

    def __init__(self, left: LeftFactor, session: MultipleRelease) -> None:
        """Keep a session on R·x; use `Factorization.session`."""
        self._left = left
        self._session = session
        self._answers: dict[float, Array] = {}

    @property
    def inner(self) -> MultipleRelease:
        """The session on R·x: levels, mode, sealing, and the noisy R·x themselves."""
        return self._session

    @property
    def levels(self) -> tuple[float, ...]:
        """All levels held, ascending."""
        return self._session.levels

    @property
    def mode(self) -> Mode:
        """Mode of the generator: teaching or hardened."""
        return self._session.mode

    @property
    def held(self) -> Mapping[float, Array]:
        """The answers at every level held; draws nothing."""
        return {level: self.release(level) for level in self.levels}

    def release(self, level: float) -> Array:
        """The answers at a level, L·Y(level), drawing it if it is not held.

        Returns:
            Shape (m,); int64 where L and the family are whole, else float64. Read-only, and the
            same array whenever the same level is asked for.

        Raises:
            ParameterError: if the level is not one that the family admits.
            SealedError: if the session is sealed at a noisier level.
        """
        noisy = self._session.release(level)
        if level not in self._answers:
            answers = np.asarray(self._left.apply(self._fit_for_sums(noisy)))
            answers.setflags(write=False)
            return self._answers.setdefault(level, answers)
        return self._answers[level]

    def _fit_for_sums(self, noisy: Array) -> Array:
        """As floats if sums of these released numbers could leave 64 bits [Cauchy, Schwarz]."""
        row = np.sqrt(self._left.row_squares().max())
        if noisy.dtype.kind == "i" and row * np.linalg.norm(noisy) < LARGEST_WHOLE:
            return noisy
        return noisy.astype(np.float64)

    def seal(self, level: float) -> None:
        """Release at a level and erase the exact R·x: only that level and noisier ones remain.

        Raises:
            ParameterError: if a less noisy level is held already.
        """
        self._session.seal(level)

    def __repr__(self) -> str:
        """Shape and state; never a value."""
        return f"LinearAnswers(answers={self._left.shape[0]}, {self._session!r})"
