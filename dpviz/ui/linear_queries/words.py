"""Words of the page Linear queries: take-away, badges, readings and footer, with the numbers."""

from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear.workloads import FITTED, LEAST
from dpviz.noise.family import NORMAL
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import parts
from dpviz.ui.linear_queries.view import Answers, View
from dpviz.words import after, loss_with_delta, percent, rounded_down, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.linear.subject import sensitivity_words

NOTHING = "Nothing can be asked yet: the red sentence says why."
MADE_UP = "made up: visits to a clinic that does not exist"
DATA = "noise on data"


def take_away(shown: View) -> str:
    """The result in two sentences."""
    way, found = shown.way, shown.comparison
    first = (
        f"At {shown.budget} {shown.asked.words} is typically off by "
        f"{significant(way.typical)} {literal(after(shown.numbers.noun))} through “{way.name}”"
    )
    other = found.ways.get(DATA)
    if other is not None and other is not way:
        first += f", by {significant(other.typical)} with noise on every {shown.numbers.one}"
    if found.bound is None:
        return f"{first}."
    if found.bound > 0.999 * way.typical:
        return f"{first}. No factorization does better by more than one in a thousand."
    return f"{first}. No factorization gets below {significant(rounded_down(found.bound, 3))}."


def claims(shown: View) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    way, found = shown.way, shown.comparison
    own = shown.way.budget
    at = own.delta if guarantee_of(shown.family).with_delta else 0.0
    fixed = f"{loss_with_delta(own.letter, own.loss, at)}, and what one person moves"
    named = {way.name: way} | ({DATA: found.ways[DATA]} if DATA in found.ways else {})
    errors = [
        Claim(
            what=f"typical error through “{name}”",
            value=each.typical,
            unit=after(shown.numbers.noun),
            fixed=fixed,
            method="the root of the mean variance of all answers (MATHEMATICS 6.1)",
        )
        for name, each in named.items()
    ]
    if found.bound is not None:
        errors.append(
            Claim(
                what="typical error of any factorization",
                value=found.bound,
                unit=after(shown.numbers.noun),
                fixed=fixed,
                method="a bound by singular values (MATHEMATICS 6.2)",
                kind="at least",
            )
        )
    return tuple(errors)


def badges(shown: View, given: Answers | None) -> list[parts.Badge]:
    """Lossless, whether L can be undone, and whether somebody’s exact answers are on screen."""
    if shown.way.factorization.has_left_inverse:
        words, icon = "L has a left inverse", "undo"
        sentence = "Anyone with the answers can work out the noisy numbers that they were made of."
    else:
        words, icon = "L has no left inverse", "block"
        sentence = (
            "The noisy numbers cannot be worked out from the answers alone. It is lossless anyway."
        )
    revealed = shown.own is not None and given is not None and given.exact is not None
    shown_exact = [parts.REVEALED] if revealed else []
    return [parts.LOSSLESS, (words, icon, "gray", sentence), *shown_exact]


def inverse_sentence(shown: View) -> str:
    """Left inverse, rank of a typed matrix, and why that does not matter to losslessness."""
    made = shown.way.factorization
    m, inner = made.left.shape
    if made.has_left_inverse:
        text = (
            f"**Lossless, and L has a left inverse:** the {inner:,} noisy numbers can be recovered "
            f"from the {m:,} answers."
        )
    else:
        text = (
            f"**Lossless, though L has no left inverse:** the {inner:,} noisy numbers cannot be "
            f"recovered from the {m:,} answers, and need not be. Summing is linear, so a noisier "
            "tier’s answers are a less noisy tier’s answers plus noise that is independent of "
            "the data."
        )
    return f"{text} {_rank(shown)}".strip()


def _rank(shown: View) -> str:
    """What the rank of a typed matrix says."""
    if not isinstance(shown.asked.key, tuple):
        return ""
    rank, tolerance = shown.asked.workload.factorization(DATA).rank_and_tolerance
    n = shown.asked.workload.shape[1]
    if rank == n:
        return f"The matrix has rank {rank}: the answers determine every {shown.numbers.one}."
    return (
        f"The matrix has rank {rank} and {n} columns (singular values above "
        f"{significant(tolerance, 2)} count): the answers do not determine every "
        f"{shown.numbers.one}."
    )


def lines_reading(shown: View) -> str:
    """How to read the lines."""
    one = shown.numbers.one
    text = (
        "Lower is better; the vertical axis is stretched near 0. Every line is one way to get the "
        f"same answers at the same budget. Noise on data: every {one} gets noise, and noisy {one}s "
        "are summed. Noise on answers: every answer gets independent noise. The others put noise "
        "on sums in between. This is a forecast; nothing has been released for it."
    )
    if shown.comparison.bound is not None:
        text += " Pale and thick: no way is below this on average (root mean square)."
    return text


def lines_alt(shown: View) -> str:
    """The lines in words, for those who cannot see them."""
    ways = shown.comparison.ways.values()
    worst = max(ways, key=lambda way: way.typical)
    best = shown.comparison.best
    return (
        f"{len(ways)} lines of error, one per factorization. Least on average: {best.name}, "
        f"{significant(best.typical)} {shown.numbers.noun}; most: {worst.name}, "
        f"{significant(worst.typical)}."
    )


def bars_reading(shown: View) -> str:
    """How to read the bars."""
    text = "Root mean square over all answers: the square root of the total error per answer."
    simple = shown.person.groups == 1 and shown.person.relation != "replace"
    if (
        shown.comparison.bound is not None
        and not simple
        and not shown.asked.workload.fits(shown.person)
    ):
        text += f" The pale line is for a person who comes or goes with one {shown.numbers.one}; "
        text += "for the person chosen it could lie higher."
    for fitted in {LEAST, FITTED} & shown.comparison.ways.keys():
        if guarantee_of(shown.family).norm != "l2":
            text += f" “{fitted}” is made for Gaussian noise, not for this one."
        elif fitted == FITTED:
            text += (
                f" “{FITTED}” is what a search found for this person; nothing proves that no "
                "other way is better."
            )
    return text


def bars_alt(shown: View) -> str:
    """The bars in words, for those who cannot see them."""
    best = shown.comparison.best
    bound = shown.comparison.bound
    floor = ""
    if bound is not None:
        floor = f" No factorization is below {significant(rounded_down(bound, 3))}."
    return f"A bar per factorization. Shortest: {best.name}, {significant(best.typical)}.{floor}"


def sensitivity_rule(shown: View) -> str:
    """Which rule gave the sensitivities of the way used."""
    found, one = shown.way.factorization.moves, shown.numbers.one
    return (
        f"“{shown.way.name}”: Δ₁ = {found.l1.method}, Δ₂ = {found.l2.method}. "
        f"M: most that one person adds to one {one}, here {shown.most}; ℓ₀: {one}s per "
        f"person. Never too small; exact where a person is in one {one}."
        + ("" if shown.numbers.step == 1 else " Δ₁ and Δ₂ are in steps.")
    )


def answers_reading(shown: View, given: Answers, *, off: bool) -> str:
    """How to read what the tiers hold."""
    sure = percent(ACCURACY_CONFIDENCE)
    how = "" if shown.family.shape == NORMAL else " (computed, to the safe side)"
    text = (
        f"Bands and bars: intervals for one answer at a time; on average {sure} of them hold the "
    )
    if shown.own is None:
        return (
            f"{text}grey {'0' if off else 'exact answer'}{how}. The year is made up, so its "
            "exact answers are public; on real data they would not be here."
        )
    grey = "" if given.exact is None else " Grey: the exact answer, not private."
    return f"{text}exact answer{how}.{grey}"


def facts(shown: View | None, data: str | None) -> Facts:
    """The footer; `data` is the name of the user’s table, None for the made-up year."""
    if shown is None:
        return (("Data", data or MADE_UP),)
    if shown.own is not None:
        unit, neighbours = shown.own.query.unit, shown.own.query.neighbours
    else:
        weeks = shown.person.groups
        unit = f"one person, who visits once in at most {weeks} week{'s' * (weeks > 1)}"
        replaced = shown.person.relation == "replace"
        neighbours = f"{'replace' if replaced else 'add or remove'} one person"
    return footer(
        guarantee_of(shown.family).definition,
        unit=unit,
        neighbours=neighbours,
        sensitivity=sensitivity_words(shown.way, shown.family, shown.numbers.step),
        data=data or f"{MADE_UP}; seeded noise",
    )
