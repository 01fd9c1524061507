"""How far one person moves bounded sums, with the formulas in words.

A person's part in one sum lies between ℓ∞ l and ℓ∞ u steps, and is 0 where they have no row.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.queries.bounds import Bounds
from dpviz.queries.clip import MOST_STEPS
from dpviz.queries.sensitivity import Move, Norm, Sensitivity, real_moves
from dpviz.queries.words import equation, root, short, symbol


@dataclass(frozen=True, slots=True)
class SumMoves:
    r"""The sensitivities of k bounded sums, in steps.

    With M = ℓ∞ max(|l|, |u|) and W = ℓ∞ (max(0, u) − min(0, l)):

        add or remove   Δ₁ = ℓ₀ M                       Δ₂ = √ℓ₀ M    Δ∞ = M
        replace         Δ₁ = j₀ W + 2(ℓ₀ − j₀) M        Δ∞ = W        j₀ = max(0, 2ℓ₀ − k)
                        Δ₂² = max of j W² + 2(ℓ₀ − j) M² at j = j₀ and j = ℓ₀

    Two persons who meet in j groups move j sums by W and 2(ℓ₀ − j) others by M. Both norms are
    largest at an end of j₀ ≤ j ≤ ℓ₀, since they are linear in j; Δ₁ at j₀, because M ≤ W ≤ 2M.

    Attributes:
        bounds: ℓ₀, ℓ∞ and the neighbouring relation.
        k: number of groups.
        low: l, the smallest value in whole steps.
        high: u, the largest one.
    """

    bounds: Bounds
    k: int
    low: int
    high: int

    def __post_init__(self) -> None:
        checks.whole(1, k=self.k)
        checks.whole(-MOST_STEPS, low=self.low)
        checks.whole(self.low, high=self.high)

    @property
    def alone(self) -> int:
        """M: most by which a person moves a sum that the other one of a pair does not."""
        return self.bounds.rows_per_group * max(abs(self.low), abs(self.high))

    @property
    def swapped(self) -> int:
        """W: most by which a person moves a sum by taking the place of another one."""
        return self.bounds.rows_per_group * (max(0, self.high) - min(0, self.low))

    @property
    def sensitivity(self) -> Sensitivity:
        """All norms, in steps."""
        l0 = self.bounds.groups_per_person
        if self.bounds.relation == "add/remove":
            return Sensitivity.bounded(l0, float(self.alone))
        least = self.bounds.shared(self.k)
        return Sensitivity(
            self.bounds.moved(self.k)[0],
            float(least * self.swapped + 2 * (l0 - least) * self.alone),
            math.sqrt(self._square(self._meet("l2"))),
            float(self.swapped),
        )

    @property
    def moves(self) -> tuple[Move, ...]:
        """The farthest moves: all apart, or as many as can be in the groups of both.

        >>> SumMoves(Bounds(relation="replace"), k=2, low=-3, high=5).moves
        (((5.0, 1), (-5.0, 1)), ((8.0, 1),))
        """
        l0, side = self.bounds.groups_per_person, 1.0 if self.high >= -self.low else -1.0
        alone = side * self.alone
        if self.bounds.relation == "add/remove":
            mixed = ((alone, (l0 + 1) // 2), (-alone, l0 // 2))
            ways: list[Move] = [((alone, l0),), *([mixed] if self.high == -self.low else [])]
        else:
            ways = [
                ((float(self.swapped), meet), (alone, l0 - meet), (-alone, l0 - meet))
                for meet in (self.bounds.shared(self.k), l0)
            ]
        return real_moves(*ways)

    def formula(self, norm: Norm, step: float) -> str:
        """One sensitivity as formula with the numbers in, in units of which a step has `step`.

        Raises:
            ParameterError: for any name but those of the norms.

        >>> pairs = Bounds(person="id", groups_per_person=2, relation="replace")
        >>> print(SumMoves(pairs, k=3, low=0, high=5).formula("linf", 1))
        Δ∞ = ℓ∞ · (max(0, U) − min(0, L)) = 1 · (5 − 0) = 5
        >>> print(SumMoves(pairs, k=4, low=0, high=5).formula("l2", 1))
        Δ₂ = √(2ℓ₀) · ℓ∞ · max(|L|, |U|) = √(2·2) · 1 · 5 = 10
        """
        symbol(norm)  # refuses other names
        l0, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        value = getattr(self.sensitivity, norm) * (1.0 if norm == "l0" else step)
        if norm == "l0":
            return equation(norm, *self.bounds.moved(self.k)[1:], value)
        low, high = short(min(0, self.low) * step), short(max(0, self.high) * step)
        low = f"({low})" if self.low < 0 else low
        alone = ("ℓ∞ · max(|L|, |U|)", f"{rows:,} · {short(self.alone // rows * step)}")
        swapped = ("ℓ∞ · (max(0, U) − min(0, L))", f"{rows:,} · ({high} − {low})")
        if norm == "linf":
            size = swapped if self.bounds.relation == "replace" else alone
            return equation(norm, *size, value, step)
        meet, twice = self._meet(norm), ("2ℓ₀", f"2·{l0}")
        if self.bounds.relation == "add/remove":
            times, size = ("ℓ₀", f"{l0}"), alone
        elif meet == 0:
            times, size = twice, alone
        elif meet == l0:
            times, size = ("ℓ₀", f"{l0}"), swapped
        else:
            return self._mixed(norm, meet, value, step)
        sign = root if norm == "l2" else str
        name, number = (f"{sign(a)} · {b}" for a, b in zip(times, size, strict=True))
        return equation(norm, name, number, value, step)

    def _mixed(self, norm: Norm, meet: int, value: float, step: float) -> str:
        """Where two persons meet in some of their groups, but not in all."""
        apart = 2 * (self.bounds.groups_per_person - meet)
        w, m = (short(size * step) for size in (self.swapped, self.alone))
        name, number = "j · W + 2(ℓ₀ − j) · M", f"{meet} · {w} + {apart} · {m}"
        if norm == "l2":
            name, number = "√(j · W² + 2(ℓ₀ − j) · M²)", f"√({meet} · {w}² + {apart} · {m}²)"
        letters = "j = 2ℓ₀ − k, W = ℓ∞ · (max(0, U) − min(0, L)), M = ℓ∞ · max(|L|, |U|)"
        return f"{equation(norm, name, number, value, step)}, where {letters}"

    def _meet(self, norm: Norm) -> int:
        """In how many groups two persons meet who move the sums farthest."""
        least, most = self.bounds.shared(self.k), self.bounds.groups_per_person
        return most if norm == "l2" and self._square(most) > self._square(least) else least

    def _square(self, meet: int) -> int:
        """The square of the ℓ₂ distance of two persons who meet in `meet` groups."""
        apart = 2 * (self.bounds.groups_per_person - meet)
        return meet * self.swapped**2 + apart * self.alone**2
