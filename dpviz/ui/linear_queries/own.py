"""Linear queries about the user's statistic: its session, what tiers hold, and the facts.

The exact numbers are made when the first tier draws, inside the mechanism, and again only for
"reveal". Every draw is a button, stands in the ledger, and is kept.
"""

import numpy as np

from dpviz.accounting.guarantees import guarantee_of
from dpviz.errors import ParameterError
from dpviz.handout import TierRelease
from dpviz.linear.accuracy import half_widths
from dpviz.linear.answers import LinearAnswers
from dpviz.linear.comparison import setting_of
from dpviz.linear.statistic import numbers_of
from dpviz.planning.amounts import ACCURACIES
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry
from dpviz.streams import Mode
from dpviz.ui.kit import parts
from dpviz.ui.linear_queries.view import Answers, Own, View
from dpviz.words import percent, pm, significant
from dpviz.workspace import structured
from dpviz.workspace.facts import DEFINITION_WORDS, MODE_WORDS, Facts, stated
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import Statistic, Structured
from dpviz.workspace.workspace import Workspace


def own_of(ws: Workspace) -> Own | None:
    """The statistic in use; None, with the reason on screen, if its numbers do not add up."""
    used = ws.statistic
    try:
        query = numbers_of(used.query)
    except ParameterError as error:
        parts.refusal(str(error))
        parts.link("data")
        return None
    return Own(statistic=Statistic(used.table, query, used.loading), query=query)


def planned(ws: Workspace, shown: View) -> tuple[list[PlannedTier], list[str]]:
    """The plan's tiers for this way, most private first, and who is left out.

    A tier typed by its accuracy is left out: its ± was meant for one number, not for a sum.
    """
    setting = setting_of(shown.way.factorization, shown.family, ws.delta, shown.numbers.step)
    found = [p for p in ws.plan.planned(setting)[0] if p.tier.kind not in ACCURACIES]
    names = {p.name for p in found}
    return found, [t.name for t in ws.plan.tiers if t.name not in names]


def draw(ws: Workspace, shown: View, own: Own, name: str) -> None:
    """Draw a tier's answers and put them into the ledger; again changes nothing.

    Raises:
        ParameterError: the tier is not in the plan, or the data cannot be used.
    """
    mine = [p for p in planned(ws, shown)[0] if p.name == name]
    if not mine:
        raise ParameterError("There is no tier of this name now. Choose one of the list.")
    structured.draw(ws, _asking(shown, own), mine[0])


def _asking(shown: View, own: Own) -> structured.Asking:
    made, family, table = shown.way.factorization, shown.family, own.statistic.table

    def mechanism(rng: np.random.Generator) -> LinearAnswers:
        return made.session(own.query.values(table), family, rng=rng)

    def release(answers: LinearAnswers, tier: PlannedTier) -> float:
        answers.release(tier.budget.level)
        return tier.budget.level

    return structured.Asking(
        key=shown.key,
        statistic=f"{shown.asked.workload.name} of: {own.query.statistic}",
        data=table.name,
        family=family,
        kind="lossless",
        mechanism=mechanism,
        release=release,
        facts=lambda tier, mode: hand_out_facts(shown, own, tier, mode),
        about=own.statistic,
    )


def held_tiers(ws: Workspace, shown: View) -> list[tuple[HeldTier, LedgerEntry]]:
    """Every release of the session in use, most private first, with its entry in the ledger.

    One whose tier has left the plan, or has another budget now, says so in its name.
    """
    one = structured.find(ws, shown.key)
    if one is None:
        return []
    now = {(p.name, p.budget.level) for p in planned(ws, shown)[0]}
    held, found = one.mechanism.held, []
    for e in ws.entries_of(one):
        style, loss = ws.plan.style_of(e.tier), float(e.event.budget)
        is_now = (e.tier, e.level) in now
        tier = HeldTier(
            name=e.tier if is_now else f"{e.tier} (before, {e.budget})",
            level=e.level,
            budget=e.budget,
            loss=loss,
            slot=style.slot,
            symbol=style.symbol,
            values=held[e.level],
        )
        found.append((tier, e))
    return sorted(found, key=lambda pair: -pair[0].level)


def answers(ws: Workspace, shown: View, own: Own, revealed: bool) -> Answers:
    """What was drawn; the exact answers only after "reveal"."""
    one, exact = structured.find(ws, shown.key), None
    if revealed:
        data = own.query.values(own.statistic.table)
        exact = np.asarray(shown.asked.workload.exact(data) * shown.numbers.step)
    seed, number = (one.seed, one.number) if one else (ws.seed, ws.next_number)
    seeded = f"streams.teaching({seed}, {number})"
    return Answers(
        tiers=tuple(tier for tier, _ in held_tiers(ws, shown)),
        exact=exact,
        generator=seeded if ws.mode == "teaching" else "streams.hardened()",
        asked=tuple((e.tier, e.level) for e in ws.entries_of(one)) if one else (),
    )


def release_of(shown: View, one: Structured, tier: HeldTier, entry: LedgerEntry) -> TierRelease:
    """What the tier of one ledger entry may have."""
    return TierRelease(
        tier=entry.tier,
        session=one.number,
        level=entry.level,
        entries=shown.asked.names,
        values=np.asarray(tier.values),
        step=shown.numbers.step,
        facts=entry.facts,
        labels=shown.asked.names,
    )


def hand_out_facts(shown: View, own: Own, tier: PlannedTier, mode: Mode) -> Facts:
    """The header block of one tier's answers."""
    made, family, query, b = shown.way.factorization, shown.family, own.query, tier.budget
    numbers = shown.numbers
    most = float(half_widths(made, family, b.level, ACCURACY_CONFIDENCE).max()) * numbers.step
    return (
        ("tier", tier.name),
        ("statistic", f"{shown.asked.workload.name} of: {query.statistic}"),
        *_questions(shown),
        ("data", own.statistic.table.name),
        ("definition", DEFINITION_WORDS[guarantee_of(family).definition]),
        ("budget", f"{stated(b)}, for all {len(shown.asked.names):,} answers together"),
        ("unit", query.unit),
        ("neighbours", query.neighbours),
        ("bounds", query.contribution),
        ("sensitivity", sensitivity_words(shown)),
        (
            "noise",
            f"{family.label}, {family.level_name} {b.level!r}, on each of {made.inner:,} numbers "
            f"R·x, of which L makes the answers; factorization A = L·R: {shown.way.name}",
        ),
        (
            "accuracy",
            f"with {percent(ACCURACY_CONFIDENCE)} confidence each answer by itself is within "
            f"{pm(most)} ({numbers.noun}) of the bounded one; most are nearer",
        ),
        ("kind", "lossless: a coalition learns what its least private member learns alone"),
        ("mode", MODE_WORDS[mode]),
    )


def _questions(shown: View) -> Facts:
    """A typed matrix in full: nobody could read the answers without it."""
    if not isinstance(shown.asked.key, tuple):
        return ()
    rows = shown.asked.sample.removeprefix("typed(").removesuffix(")")
    listed = "; ".join(shown.numbers.labels)
    return (("questions", f"row by row {rows}, times the numbers of: {listed}"),)


def sensitivity_words(shown: View) -> str:
    """The norm of R·x that counts, and the rule that gave it."""
    moves, numbers = shown.way.factorization.moves, shown.numbers
    norm, found = ("Δ₂", moves.l2) if guarantee_of(shown.family).norm == "l2" else ("Δ₁", moves.l1)
    steps = "" if numbers.step == 1 else f" steps of {significant(numbers.step)}"
    return (
        f"{norm} of R·x = {significant(found.value, 4)}{steps}: {found.method}, with "
        f"M = {shown.most}"
    )
