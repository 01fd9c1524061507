"""People who report noisy values of their own: RAPPOR, circles, hospitals, buyers.

- `estimate_frequencies`: how common each category is, from many randomised responses, with errors.
- `DataMarket`: an owner sells a value by its ε, on `MarketTerms` with a `PriceCurve`: `sell(buyer,
  epsilon)` is a first purchase or an upgrade, `ledger` who holds what, what came in, what was lost.
"""

from dpviz.local.data_market import DataMarket, MarketTerms
from dpviz.local.frequencies import estimate_frequencies
from dpviz.local.prices import PriceCurve

__all__ = ["DataMarket", "MarketTerms", "PriceCurve", "estimate_frequencies"]
