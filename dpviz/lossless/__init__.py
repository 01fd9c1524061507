"""Can a mechanism be released at several levels without loss? Decided, with a proof either way.

    noise given by a table of chances       decide_noise, bridge_between; read_noise reads one
    discrete Gaussian noise                 decide_discrete_gaussian
    noise that is jumps and Gaussian noise  decide_jumps
    noise by its characteristic function    refute_noise
    mechanisms of a few outcomes            decide_kernel; read_mechanism, clipped_noise
    what several reports cost together      least_joint_loss

Nothing here draws and no data are involved; docs/LOSSLESS.md has the results.
"""

from dpviz.lossless.characteristic import Refutation, refute_noise
from dpviz.lossless.convolution import (
    NoiseDecision,
    adds_up,
    bridge_between,
    decide_noise,
    only_candidate,
)
from dpviz.lossless.discrete_gaussian import GaussianDecision, decide_discrete_gaussian
from dpviz.lossless.finite import (
    FiniteMechanism,
    clipped_noise,
    response,
)
from dpviz.lossless.jumps import JumpDecision, JumpLaw, decide_jumps
from dpviz.lossless.kernels import KernelDecision, blurs, decide_kernel
from dpviz.lossless.lattice import LatticeLaw
from dpviz.lossless.least_loss import LeastLoss, least_joint_loss
from dpviz.lossless.series import SeriesLaw
from dpviz.lossless.typed import read_mechanism, read_noise

__all__ = [
    "FiniteMechanism",
    "GaussianDecision",
    "JumpDecision",
    "JumpLaw",
    "KernelDecision",
    "LatticeLaw",
    "LeastLoss",
    "NoiseDecision",
    "Refutation",
    "SeriesLaw",
    "adds_up",
    "blurs",
    "bridge_between",
    "clipped_noise",
    "decide_discrete_gaussian",
    "decide_jumps",
    "decide_kernel",
    "decide_noise",
    "least_joint_loss",
    "only_candidate",
    "read_mechanism",
    "read_noise",
    "refute_noise",
    "response",
]
