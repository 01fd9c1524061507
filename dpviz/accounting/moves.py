"""How far one person moves a whole-number statistic: the checked sensitivities, in one record."""

from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting.inputs import LARGEST_SHIFT, Number, non_negative
from dpviz.errors import ParameterError

NO_NOISE = (
    "the sensitivities are 0: nobody can move the statistic, so it needs no noise; "
    "publish it as it is or pass sensitivities above 0"
)
SLACK = 1 + 1e-9  # of typed square roots


@dataclass(frozen=True, slots=True)
class Moves:
    """How one person can move the statistic; all 0, or all above 0 and in the order of norms.

    Raises:
        ParameterError: a number is out of range, or they are not in this order.

    >>> Moves(3.0, 3**0.5, 1.0, dimension=10).groups(most=100)
    3
    """

    l1: float
    l2: float
    linf: float
    dimension: int
    same_direction: bool

    def __init__(
        self,
        l1_sensitivity: Number,
        l2_sensitivity: Number,
        linf_sensitivity: Number,
        dimension: int,
        same_direction: bool = True,
    ) -> None:
        dimension = checks.integer(1, dimension=dimension)
        l1 = non_negative(l1_sensitivity=l1_sensitivity)
        l2 = non_negative(l2_sensitivity=l2_sensitivity)
        linf = non_negative(linf_sensitivity=linf_sensitivity)
        if not linf <= l2 * SLACK <= l1 * SLACK * SLACK or (l1 > 0) != (linf > 0):
            raise ParameterError(
                "sensitivities must satisfy linf_sensitivity <= l2_sensitivity <= l1_sensitivity, "
                f"got {linf:g}, {l2:g}, {l1:g}"
            )
        checks.instance(bool, same_direction=same_direction)
        found = (l1, l2, linf, dimension, same_direction)
        for name, value in zip(self.__slots__, found, strict=True):
            object.__setattr__(self, name, value)

    @property
    def shift(self) -> int | None:
        """Units by which the one coordinate that moves is moved, or None; at most LARGEST_SHIFT."""
        by = min(self.l1, self.linf) if self.dimension == 1 else self.l1
        one = self.dimension == 1 or self.l1 == 1
        return int(by) if one and by == int(by) <= LARGEST_SHIFT else None

    def groups(self, most: int) -> int | None:
        """Coordinates that move by one, all the same way, or None."""
        whole = self.l1 == int(self.l1) and self.linf == 1
        moved = int(min(self.l1, self.dimension)) if whole and self.same_direction else None
        return moved if moved is not None and moved <= most else None
