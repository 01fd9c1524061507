"""Objects that draw and are neither copied nor pickled: every copy would draw noise of its own.

Thirty copies that are asked for the same level give thirty releases, whose mean has less noise than
any of them (MATHEMATICS 1.2). The refusal is a guard rail: it cannot hold those who mean to copy.
"""

from typing import NoReturn, SupportsIndex

from dpviz.errors import ParameterError


class Uncopied:
    """Base of what draws; `copy.copy`, `copy.deepcopy` and `pickle` are refused."""

    __slots__ = ()

    _instead = "use the one there is, in the process that opened it"

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        """Refuse.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(
            f"a {type(self).__name__} is neither copied nor pickled, because every copy would draw "
            "its own noise, and the mean of their releases would have less noise than each; "
            f"{self._instead}"
        )
