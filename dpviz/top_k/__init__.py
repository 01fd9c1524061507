"""The most common items, when the list itself is private: which ones, and how many each.

- `Reach`: what one person can do to the counts: Δ∞ (`linf`), Δ₀ (`l0`, None: unbounded),
  `both_ways`; `Reach.of(bounds)` by the bounds of a query.
- `choose_top_k`: which of the four mechanisms of `choice.MECHANISMS` disturbs a list least at one
  (ε, δ); the answer has its noise, threshold, cost and reason, and the others.
- `TopK`: a list by Gumbel noise, of a known domain, or with `unknown=UnknownDomain(seen=…,
  log_delta=…)` of an unknown one. `rank(k)` gives items, whether the list has ended, and its cost;
  `values(family, rng=…)` a `MultipleRelease` of the counts on it, for any number of tiers.
- `ListCost`: what a list costs: `epsilon(log_delta)`, `hidden` (δ of an unknown domain), `event`;
  `list_step`: the ε of one draw that a budget leaves.
- `PrepaidDraws`: pay what you get: K draws and ℓ calls, on whatever lists.
- `TruncatedHistogram`: common items of an unknown domain with their counts in one release, where
  Δ₀ is bounded; `truncation` is where its noise is cut, `truncated_divergence` its exact loss.
- `fit_in_order`: noisy counts fitted to the order of the list (post-processing).

In a workspace: `Source`, `Subject` and `Common` of `dpviz.workspace.top_k`.
"""

from dpviz.top_k.choice import choose_top_k
from dpviz.top_k.costs import ListCost, PrepaidDraws, list_step
from dpviz.top_k.ranking import TopK, fit_in_order
from dpviz.top_k.reach import Reach, UnknownDomain
from dpviz.top_k.truncated import truncated_divergence, truncation
from dpviz.top_k.truncated_histogram import TruncatedHistogram

__all__ = [
    "ListCost",
    "PrepaidDraws",
    "Reach",
    "TopK",
    "TruncatedHistogram",
    "UnknownDomain",
    "choose_top_k",
    "fit_in_order",
    "list_step",
    "truncated_divergence",
    "truncation",
]
