"""People who report noisy values of their own: RAPPOR, circles, hospitals, buyers.

- `estimate_frequencies`: how common each category is, from many randomised responses, with errors.
"""

from dpviz.local.frequencies import estimate_frequencies

__all__ = ["estimate_frequencies"]
