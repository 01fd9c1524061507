"""Objects that draw and live in one process: every copy would draw noise of its own.

Thirty copies that are asked for the same level give thirty releases, whose mean has less noise than
any of them (MATHEMATICS 1.2), and a child process has a copy of all that its parent holds. The
refusal is a guard rail: it cannot hold those who mean to copy.
"""

import os
from typing import Any, NoReturn, Self, SupportsIndex

from dpviz.errors import ParameterError


class Uncopied:
    """Base of what draws; `copy.copy`, `copy.deepcopy` and `pickle` are refused."""

    __slots__ = ("_process",)

    _process: int  # in which it was opened
    _instead = "use the one there is, in the process that opened it"
    _here = ""  # what else one can do in a child process

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Note the process, in which alone it draws."""
        made = super().__new__(cls)
        made._process = os.getpid()
        return made

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        """Refuse.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(
            f"a {type(self).__name__} is neither copied nor pickled, because every copy would draw "
            "separate noise, and the mean of their releases would have less noise than each; "
            f"{self._instead}"
        )

    def _refuse_in_child(self) -> None:
        """Refuse to draw, or to spend, in a child process; what is held already may be read there.

        Raises:
            ParameterError: this process is a fork of the one that opened the object.
        """
        if self._process != os.getpid():
            raise ParameterError(
                f"this {type(self).__name__} was opened by another process, of which this one is "
                f"a fork, and both would draw; go on there{self._here}"
            )
