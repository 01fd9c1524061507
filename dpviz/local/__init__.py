"""People who report noisy values of their own: RAPPOR, circles, hospitals, buyers."""

from dpviz.local.data_market import DataMarket, MarketTerms
from dpviz.local.prices import PriceCurve

__all__ = [
    "DataMarket",
    "MarketTerms",
    "PriceCurve",
]
