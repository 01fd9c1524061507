"""The owner's limit of a workspace: how it is typed, and how its releases are counted against it.

The limit is a loss for everything together, in ρ, in ε without a δ, or in (ε, δ). The book keeps
it in every act that draws (book.py); here is what a release tells in its currency. The account
(account.py) adds as ρ or as ε where all releases are stated so, and as (ε, δ) where they differ;
only a limit in (ε, δ) takes releases of every noise. In place of a loss the owner may give a plan,
which is a `Register` (plan_limits.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from dpviz.accounting.composition import APPROXIMATE, PURE, ZCDP, ReleaseEvent
from dpviz.accounting.guarantees import points_of
from dpviz.accounting.odometer import Limit, left_of
from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.planning.amounts import PAIR, Kind, read_amount
from dpviz.planning.budgets import Budget, at_level
from dpviz.release import event_of
from dpviz.streams import Mode
from dpviz.workspace.sessions import Asking

OWNER = "DPVIZ_LIMIT"  # in the environment: that of the person who started the dashboard
LETTERS = {
    **{"rho": "ρ", "ρ": "ρ", "epsilon": "ε", "ε": "ε", "delta": "δ", "δ": "δ"},
    **{"mu": "μ", "μ": "μ"},
}
_KINDS: dict[frozenset[str], Kind] = {
    frozenset("ρ"): "ρ",
    frozenset("ε"): "ε",
    frozenset("μ"): "μ",
    frozenset("εδ"): PAIR,
}
LIMITS: dict[Kind, str] = {"ρ": ZCDP, "ε": PURE, PAIR: APPROXIMATE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A release, drawn or asked for, as a register looks at it.

    Attributes:
        tier: who has it, or asks for it.
        mode: of its session.
        asking: what the session is asked for.
        event: what it costs, and the number of the session in the book.
    """

    tier: str
    mode: Mode
    asking: Asking
    event: ReleaseEvent


class Register(Protocol):
    """A limit that lists what may be released, in the place of a loss that may be spent."""

    @property
    def words(self) -> str:
        """The limit as people write it."""

    def check(
        self,
        made: Sequence[Drawn],
        others: Sequence[ReleaseEvent],
        asked: Sequence[Drawn],
        *,
        more: str,
    ) -> None:
        """Refuse what is not on the list, or used.

        Args:
            made: what was released here.
            others: what was released of the same rows elsewhere, where that counts, too.
            asked: what is asked for.
            more: how to get more, to end the sentence.

        Raises:
            OverBudgetError: what is not registered, what is left, and what to do instead.
        """

    def said(self, made: Sequence[Drawn], others: Sequence[ReleaseEvent]) -> str:
        """How far it is used, as a sentence; the arguments are those of `check`."""


Most = Limit | Register  # that everything together may cost, or be


def read_limit(kind: Kind, text: str) -> Limit:
    """A limit as it is typed.

    Args:
        kind: "ρ", "ε" (without a δ) or "(ε, δ)".
        text: what was typed, for example "0.5", or "2, 1e-6" for "(ε, δ)".

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_limit("(ε, δ)", "2, 1e-6")
    Limit(definition='(ε, δ)-DP', budget=Fraction(2, 1), delta=1e-06)
    """
    if kind not in LIMITS:
        raise ParameterError(f"Limit: type it as ρ, as ε or as (ε, δ), not as {kind}.")
    amount = read_amount(kind, text, where="Limit")
    delta = 0.0 if amount.delta is None else float(amount.delta)
    return Limit(definition=LIMITS[kind], budget=amount.value, delta=delta)


def owner_limit(text: str | None) -> Limit | None:
    """The limit of the person who starts the dashboard, as typed there; None without a limit.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> owner_limit("rho=0.5").budget, owner_limit("epsilon=2, delta=1e-6").delta
    (Fraction(1, 2), 1e-06)
    """
    if not text:
        return None
    typed = assigned(text)
    if typed is None or typed[0] not in LIMITS:
        raise ParameterError(
            "Limit: type rho=0.5, or epsilon=1, or epsilon=2,delta=1e-6, with your own numbers, or "
            "the name of a plan file such as plan.json."
        )
    return read_limit(*typed)


def assigned(text: str) -> tuple[Kind, str] | None:
    """A budget as it is typed on a command line: its kind, and its amount as on a page.

    Args:
        text: such as "rho=0.5"; None stands for what is no budget.

    >>> assigned("epsilon=2, delta=1e-6"), assigned("rho")
    (('(ε, δ)', '2, 1e-6'), None)
    """
    pairs = [part.partition("=") for part in text.split(",")]
    typed = {LETTERS.get(name.strip(), ""): value.strip() for name, _, value in pairs}
    kind = _KINDS.get(frozenset(typed))
    if kind is None or len(typed) < len(pairs) or "" in typed.values():
        return None
    return kind, ", ".join(typed[letter] for letter in ("ρ", "ε", "μ", "δ") if letter in typed)


def stated(session: int, asking: Asking, budget: Budget) -> ReleaseEvent:
    """A release as the ledger states it."""
    if asking.selection is not None:
        return asking.selection(session).cost
    return event_of(session, asking.family.name, budget)


def counted(limit: Limit, session: int, asking: Asking, budget: Budget) -> ReleaseEvent:
    """A release as it counts against a limit: at the δ of the limit, with its curve around it."""
    event, name, plain = stated(session, asking, budget), asking.family.name, asking.plain
    if asking.selection is not None:
        return event
    if limit.definition != APPROXIMATE or event.definition == ZCDP or plain is None:
        return event
    setting = plain.setting(name, limit.delta)
    if event.definition == APPROXIMATE:
        try:
            budget = at_level(budget.level, setting)
        except NoGuaranteeError:  # it keeps no ε at this δ, so it counts as it was stated
            return event
        if budget.exact:  # else its ε is 0 there, which is no budget: its curve tells that
            event = event_of(session, name, budget)
    return replace(event, points=points_of(budget, setting))


def limit_words(
    limit: Limit, made: Sequence[ReleaseEvent], others: Sequence[ReleaseEvent] = ()
) -> str:
    """How far the limit is used, as a sentence.

    Args:
        limit: the limit.
        made: what was released here.
        others: what was released of the same rows elsewhere, where the limit counts that, too.
    """
    cost = limit.cost([*made, *others])
    spent = limit.said(cost, up=True)
    left = limit.said(left_of(limit, [*made, *others]), up=False)
    of = "everything together"
    if others:
        of = "everything released of these rows"
        spent += f", of which other tabs and projects {limit.said(limit.cost(others), up=True)}"
    return f"Limit for {of}: {limit.words}. Spent: {spent}. Left: {left}."


def refuse_above(limit: Most | None, owner: Most) -> None:
    """Refuse to lift the limit of the owner, or to raise it.

    A register beside the loss that an owner has set does neither: the book keeps the two.

    Raises:
        ParameterError: one sentence with what to type instead.
    """
    if not isinstance(owner, Limit):
        if limit != owner:
            raise ParameterError(
                "Limit: the owner of this dashboard lets out what a plan registers and nothing "
                "else, so no other limit can be set here. Ask the owner for another plan."
            )
        return
    if limit is not None and not isinstance(limit, Limit):
        return
    same = limit is not None and (limit.definition, limit.delta) == (owner.definition, owner.delta)
    if limit is None or not same or limit.budget > owner.budget:
        raise ParameterError(
            f"Limit: the owner of this dashboard set {owner.words}, which stays. Type a smaller "
            "one in the same currency."
        )


def refuse_below(limit: Limit, made: Sequence[ReleaseEvent]) -> None:
    """Refuse a limit that is below what is spent.

    Raises:
        ParameterError: one sentence with what to type instead.
    """
    spent = limit.cost(made)
    if spent is None:
        raise ParameterError(
            f"Limit: {limit.definition} cannot count everything released here. Type it as "
            "(ε, δ), with a δ such as 1e-6."
        )
    if spent > limit.budget:
        said = limit.said(spent, up=True)
        raise ParameterError(
            f"Limit: {limit.words} is below {said}, which is spent and cannot be taken back. Type "
            f"at least {said}."
        )
