"""People who report noisy values of their own: RAPPOR, circles, hospitals, buyers.

- RAPPOR: `Bloom` filters, the probabilities of `Rappor`, one `RapporClient`; a `RapporSurvey` of
  many, or `collect_rappor` of up to a million; `decode_rappor` estimates who has which candidate.
  `rappor_joint_loss` and `rappor_reports_loss` say what two reports at different f tell together,
  by the bit chain and by two other couplings, whose `rappor_law` is exact. `LaplaceBits` and
  `laplace_response` are the recast of [KHP15]; `instantaneous` draws a single response.
- `estimate_frequencies`: how common each category is, from many randomised responses, with errors.
"""

from dpviz.local.bloom import Bloom
from dpviz.local.couplings import rappor_joint_loss, rappor_law, rappor_reports_loss
from dpviz.local.decoding import decode_rappor
from dpviz.local.frequencies import estimate_frequencies
from dpviz.local.rappor import Rappor, RapporClient, instantaneous
from dpviz.local.recast import LaplaceBits, laplace_response
from dpviz.local.survey import RapporSurvey, collect_rappor

__all__ = [
    "Bloom",
    "LaplaceBits",
    "Rappor",
    "RapporClient",
    "RapporSurvey",
    "collect_rappor",
    "decode_rappor",
    "estimate_frequencies",
    "instantaneous",
    "laplace_response",
    "rappor_joint_loss",
    "rappor_law",
    "rappor_reports_loss",
]
