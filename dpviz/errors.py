"""The one family of errors: every refusal of the library is a `ParameterError`.

A message is one sentence: what is wrong, where, and what to type instead. It never carries a value
read from the data, because the server log keeps messages.
"""


class ParameterError(ValueError):
    """Something that was passed in cannot be used; the message says what to pass instead."""


class DataError(ParameterError):
    """A table cannot be read or does not hold what was asked of it."""


class NoGuaranteeError(ParameterError):
    """No theorem gives a guarantee for these parameters, so there is no number to return."""


class NoLossError(ParameterError):
    """Noise so strong that a δ alone covers it: its ε is 0, which adds up to nothing."""


class SealedError(ParameterError):
    """The session was sealed, and the exact values that this request needs are erased."""


class HardenedModeError(ParameterError):
    """A floating-point family was combined with a hardened generator."""


class UnsureError(ParameterError):
    """A budget promises next to nothing, and nobody has said that it is meant.

    A page, a command and a script have their own way to say it, so each tells its own.
    """

    def __init__(self, caution: str) -> None:
        """Keep why, which ends with a point; a script is told to pass `sure=True`."""
        self.caution = caution
        super().__init__(self.told("Pass sure=True"))

    def told(self, how: str) -> str:
        """Why, and how to say that it is meant.

        Args:
            how: what to do, as the beginning of a sentence.

        >>> UnsureError("audit: this promises little.").told("Add --sure")
        'audit: this promises little. Add --sure to draw it, or type a smaller budget'
        """
        return f"{self.caution} {how} to draw it, or type a smaller budget"


class OverBudgetError(ParameterError):
    """A release would cost more than the limit that the owner has set, so it is not made."""


class SecondLedgerError(ParameterError):
    """A table has a ledger elsewhere, and nobody has said that a second one is meant."""
