"""Private lossless multiple release: several clearance tiers, any order, one budget.

Everything that a notebook needs is in this one import; each name is loaded when it is first used:

>>> import dpviz
>>> query = dpviz.Count(dpviz.ByColumn("sex", ("male", "female")))
>>> counts = query.values(dpviz.load_sample())
>>> session = dpviz.MultipleRelease(
...     counts, dpviz.FAMILIES["discrete_laplace"], rng=dpviz.streams.teaching(7)
... )
>>> level = dpviz.discrete_laplace_level(0.5, query.sensitivity.l1)  # ε = 0.5 for one tier
>>> research = session.release(level)
>>> dpviz.half_width(session.family, level, 0.95)  # 95 times in 100 within ±6 people
6.0
>>> public = session.release(dpviz.discrete_laplace_level(0.1, query.sensitivity.l1))
>>> len(session.levels)
2

In the order of use:

- a table: `read_table` for a file of CSV, Excel, Parquet, Stata, SPSS, SAS or JSON Lines;
  `open_source` for a `TableSource` at an `Address`, whose rows stay in their files, database or
  engine, and `open_connection` for one that
  `.streamlit/secrets.toml` names; `load_sample`, `load_visits`,
  `load_declaration` for the ready samples, which `SAMPLES` describes; `Table.read_as` a `Reading`
  per column, for a decimal comma, another order of dates, or marks for what is missing;
- a query on it: `Count`, `BoundedSum`, `BoundedMean` by `Everybody`, `ByColumn`, `ByTwoColumns`,
  `ByThreeColumns`, `ByBins`, `ByTime` or `ByCycle`, with the `Bounds` of one person; `ItemCounts`
  of `Words` or `WholeNumbers`, `TextCounts` of whatever is written in a column;
- a generator: `streams.teaching` with a seed, `streams.hardened` without;
- a noise: one of `FAMILIES`, by name;
- a level for a budget, a budget for a level, and the accuracy: `gaussian_level`, `gaussian_rho` and
  their siblings for each family; `gaussian_rho_for` an (ε, δ); `half_width` and
  `level_for_half_width`;
- what releases with separate noise cost together, of any family: the losses of `privacy_loss`,
  as in `privacy_loss.gaussian(1.0).compose(privacy_loss.laplace(2.0, 3.0)).epsilon(1e-6)`;
- what a draw follows: `release_law` given the releases next to it, and `joint_log_density` of all
  releases of a session given exact values;
- the releases: `MultipleRelease` for the numbers themselves, `Factorization` for sums of them,
  `SparseHistogram` and `DenseHistogram` for huge domains, `ContinualCounter` and `CountedStream`
  for counts over time;
- the most common items, where the list itself is private: `choose_top_k` among the mechanisms,
  `TopK` for a list by `Reach` and `UnknownDomain`, with its `ListCost` (`list_step` for a budget,
  `PrepaidDraws` for several lists), `fit_in_order` for the counts on it, and `TruncatedHistogram`
  with `truncation` and `truncated_divergence`;
- people who answer for themselves: a `SocialNetwork` on a graph of `read_edges` or
  `classic_network` (one of `CLASSIC_NETWORKS`), with `Trust` by distance (`read_trust`,
  `inverse_trust`, `halving_trust`, `threshold_trust`); a `CoalitionBudget`, and what a coalition
  makes of its numbers by `attack_errors` and `best_estimate`; a `Person` whose viewers come in any
  order, and `Patients` of many hospitals with their `population_mean`;
- reports that people made noisy themselves: `estimate_frequencies` of categories; for texts `Bloom`
  filters, the probabilities of `Rappor`, a `RapporClient`, a `RapporSurvey` of many clients or
  `collect_rappor` of a million, `decode_rappor` for who has what; `rappor_law`,
  `rappor_joint_loss` and `rappor_reports_loss` for two reports of one client, `LaplaceBits` and
  `laplace_response` for the paper's way, `instantaneous_response` for a single response;
- a `DataMarket`, where an owner sells a value by its ε, with `MarketTerms` and a `PriceCurve`;
- one value at every budget at once: `LaplacePath`, which its owner keeps, `jump_law` for how often
  it changes, `gradual_law` for the next release given the earlier ones; `relax` by the owner of the
  values, `tighten` and `fill_in` by anyone who holds releases;
- whether noise or a mechanism of your own can be released without loss, with a proof either way:
  `lossless`, as in `lossless.decide_noise(lossless.LatticeLaw.of({0: 1, 1: 1}), ...)`;
- an auditor: `audit` certifies a lower bound on the privacy loss of whatever draws, by its outputs
  alone, as in `audit(Coalition(FAMILIES["skellam"], (40.0, 20.0), (20.0,)), 100_000, rng=...)`,
  where a `Coalition` of one session compares notes;
- open problems to try: `lossless.least_joint_loss` of three and more reports; and a list with
  Gumbel noise against rounds that are fixed in advance, by `peeling_curves` of groups of alike
  items, each an `ItemGroup`, and `search_peeling`, which looks for a list that costs more;
- a place for tickets: `FileStore` or `MemoryStore`, so that a session that was suspended goes on
  once.

What is refused raises a `ParameterError`.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from dpviz.public import *  # noqa: F403
else:  # `import dpviz` itself is quick; Python asks here for a name when it is first used

    def __getattr__(name: str) -> object:
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module 'dpviz' has no attribute {name!r}")
        if find_spec(f"dpviz.{name}"):
            return import_module(f"dpviz.{name}")
        try:
            return getattr(import_module("dpviz.public"), name)
        except AttributeError as error:
            raise AttributeError(f"module 'dpviz' has no attribute {name!r}") from error

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
