"""What a privacy loss means: how often somebody who sees all releases guesses right, at most."""

import math

from dpviz.accounting import JointLoss, gaussian_advantage, right_guesses
from dpviz.accounting.composition import ZCDP
from dpviz.accounting.tradeoff import promised_advantage
from dpviz.words import number
from dpviz.words.claims import Claim

COIN = 500  # guesses right of 1,000


def guesses(loss: JointLoss) -> float:
    """Guesses right of 1,000 whether one person is in the table, at even odds, at most.

    ρ is that of Gaussian noise (`Guarantee.definition`), whose best test is known; of any other
    loss only what its promise says is used.

    >>> round(guesses(JointLoss(0.4, 0.0, ZCDP, "max"))), guesses(JointLoss(0.0, 0.0, ZCDP, "max"))
    (673, 500.0)
    """
    if loss.definition == ZCDP:
        return right_guesses(gaussian_advantage(math.sqrt(2 * loss.value)))
    return right_guesses(promised_advantage(loss.value, loss.delta))


def at_most(loss: JointLoss) -> str:
    """The same as it is written: a whole number, rounded up.

    >>> at_most(JointLoss(0.4, 0.0, ZCDP, "max"))
    '673'
    """
    return number(float(math.ceil(guesses(loss))))


def about(loss: JointLoss) -> str:
    """The same to the nearest, for what is only set beside it.

    >>> about(JointLoss(1.0, 0.0, ZCDP, "sum"))
    '760'
    """
    return number(float(round(guesses(loss))))


def claim(what: str, loss: JointLoss) -> Claim:
    """Why a number of right guesses is what it is."""
    exact = loss.definition == ZCDP
    return Claim(
        what=f"right guesses of 1,000, {what}",
        value=guesses(loss),
        fixed="in or out is equally likely beforehand",
        method=("the best test of Gaussian noise" if exact else "what the loss promises")
        + " (MATHEMATICS 5.6)",
        assumes="one person counts no further than the bounds say",
        kind="at most",
    )
