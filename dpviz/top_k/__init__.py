"""The most common items, when the list itself is private: which ones, and how many each.

- `Reach`: what one person can do to the counts: Δ∞ (`linf`), Δ₀ (`l0`, None: unbounded),
  `both_ways`; `Reach.of(query)` by the bounds of an `ItemCounts`.
- `choose`: which of four mechanisms disturbs a list least at one (ε, δ), a `Choice` with its noise,
  threshold and reason; `MECHANISMS` is the table, by (known, restricted).
- `TopK`: a list by Gumbel noise, of a known domain, or with `unknown=Unknown(seen=…, log_delta=…)`
  of an unknown one. `rank(k)` gives a `Ranking` (items, asked, ended, cost); `values(family,
  rng=…)` a `MultipleRelease` of the counts on it, for any number of tiers.
- `ListCost`: what a list costs: `epsilon(log_delta)`, `hidden` (δ of an unknown domain), `event`;
  `step_for`: the ε of one draw that a budget leaves.
- `Prepaid`: pay what you get: K draws and ℓ calls, on whatever lists.
- `TruncatedHistogram`: common items of an unknown domain with their counts in one release, where
  Δ₀ is bounded; `Found` is the release, `truncation` the cut T, `truncated_divergence` its law.
- `in_order`: noisy counts fitted to the order of the list (post-processing).
"""

from dpviz.top_k.choice import MECHANISMS, Choice, choose
from dpviz.top_k.costs import ListCost, step_for
from dpviz.top_k.fit import in_order
from dpviz.top_k.prepaid import Prepaid
from dpviz.top_k.ranking import Ranking, TopK
from dpviz.top_k.reach import Reach
from dpviz.top_k.truncated import truncated_divergence, truncation
from dpviz.top_k.truncated_histogram import Found, TruncatedHistogram
from dpviz.top_k.unknown import Unknown

__all__ = [
    "MECHANISMS",
    "Choice",
    "Found",
    "ListCost",
    "Prepaid",
    "Ranking",
    "Reach",
    "TopK",
    "TruncatedHistogram",
    "Unknown",
    "choose",
    "in_order",
    "step_for",
    "truncated_divergence",
    "truncation",
]
