"""Can a mechanism be released at several levels without loss? Decided, with a proof either way.

    noise given by a table of chances       decide_noise, bridge_between
    noise that is jumps and Gaussian noise  decide_jumps
    noise by its characteristic function    refute_noise
    mechanisms of a few outcomes            decide_kernel, joint_loss

Nothing here draws and no data are involved; docs/LOSSLESS.md has the results.
"""

from dpviz.lossless.characteristic import Refutation, refute_noise
from dpviz.lossless.convolution import NoiseDecision, adds_up, bridge_between, decide_noise
from dpviz.lossless.finite import (
    FiniteMechanism,
    clipped_geometric,
    exponential_mechanism,
    noisy_max,
    response,
)
from dpviz.lossless.joint_loss import JointLoss, joint_loss
from dpviz.lossless.jumps import JumpDecision, JumpLaw, decide_jumps
from dpviz.lossless.kernels import KernelDecision, blurs, decide_kernel
from dpviz.lossless.lattice import LatticeLaw

__all__ = [
    "FiniteMechanism",
    "JointLoss",
    "JumpDecision",
    "JumpLaw",
    "KernelDecision",
    "LatticeLaw",
    "NoiseDecision",
    "Refutation",
    "adds_up",
    "blurs",
    "bridge_between",
    "clipped_geometric",
    "decide_jumps",
    "decide_kernel",
    "decide_noise",
    "exponential_mechanism",
    "joint_loss",
    "noisy_max",
    "refute_noise",
    "response",
]
