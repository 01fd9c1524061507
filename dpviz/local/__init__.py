"""People who report noisy values of their own: RAPPOR, circles, hospitals, buyers.

- RAPPOR: `Bloom` filters, the probabilities of `Rappor`, one `RapporClient`; a `RapporSurvey` of
  many, or `collect_rappor` of up to a million; `decode_rappor` estimates who has which candidate.
  `rappor_joint_loss` and `rappor_reports_loss` say what two reports at different f tell together,
  by the bit chain and by two other couplings, whose `rappor_law` is exact. `LaplaceBits` and
  `laplace_response` are the recast of [KHP15]; `instantaneous_response` draws a single response.
- `estimate_frequencies`: how common each category is, from many randomised responses, with errors.
- `SocialNetwork`: members of a graph answer each other at an ε that falls with distance; a graph
  comes from `read_edges` or `classic_network`, the ε of each ring from `Trust`, `read_trust`,
  `inverse_trust`, `halving_trust` or `threshold_trust`. `attack_errors` is how near a coalition
  gets by its members' answers, `best_estimate` how.
- `Person`: one person's value or vector, with viewers that come in any order, each at a budget of
  its own; `Patients`: many of them, and what a hospital can tell of all by `population_mean`.
- `DataMarket`: an owner sells a value by its ε, on `MarketTerms` with a `PriceCurve`: `sell(buyer,
  epsilon)` is a first purchase or an upgrade, `ledger` who holds what, what came in, what was lost.
"""

from dpviz.local.averaging import attack_errors, best_estimate
from dpviz.local.bloom import Bloom
from dpviz.local.data_market import DataMarket, MarketTerms
from dpviz.local.decoding import decode_rappor
from dpviz.local.frequencies import estimate_frequencies
from dpviz.local.graphs import CLASSIC_NETWORKS, classic_network, read_edges
from dpviz.local.hospitals import Patients, population_mean
from dpviz.local.person import Person
from dpviz.local.prices import PriceCurve
from dpviz.local.rappor import (
    LaplaceBits,
    Rappor,
    RapporClient,
    instantaneous_response,
    laplace_response,
    rappor_joint_loss,
    rappor_law,
    rappor_reports_loss,
)
from dpviz.local.social_network import SocialNetwork
from dpviz.local.survey import RapporSurvey, collect_rappor
from dpviz.local.trust import (
    CoalitionBudget,
    Trust,
    halving_trust,
    inverse_trust,
    read_trust,
    threshold_trust,
)

__all__ = [
    "CLASSIC_NETWORKS",
    "Bloom",
    "CoalitionBudget",
    "DataMarket",
    "LaplaceBits",
    "MarketTerms",
    "Patients",
    "Person",
    "PriceCurve",
    "Rappor",
    "RapporClient",
    "RapporSurvey",
    "SocialNetwork",
    "Trust",
    "attack_errors",
    "best_estimate",
    "classic_network",
    "collect_rappor",
    "decode_rappor",
    "estimate_frequencies",
    "halving_trust",
    "instantaneous_response",
    "inverse_trust",
    "laplace_response",
    "population_mean",
    "rappor_joint_loss",
    "rappor_law",
    "rappor_reports_loss",
    "read_edges",
    "read_trust",
    "threshold_trust",
]
