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


class SealedError(ParameterError):
    """The session was sealed, and the exact values that this request needs are erased."""


class HardenedModeError(ParameterError):
    """A floating-point family was combined with a hardened generator."""


class OverBudgetError(ParameterError):
    """A release would cost more than the limit that the owner has set, so it is not made."""
