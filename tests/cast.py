"""What the tiers of every example cost: no test types these numbers again."""

from fractions import Fraction

from dpviz.planning.tiers import DEFAULT_TIERS

RHO = {tier.name: float(tier.amount) for tier in DEFAULT_TIERS}
MOST = max(RHO.values())  # what all of them together learn
SUM = float(sum(Fraction(tier.amount) for tier in DEFAULT_TIERS))  # with fresh noise for each
