"""Words of the page Linear queries: take-away, badges, readings and footer, with the numbers."""

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.linear.bars import DIGITS
from dpviz.linear.workloads import FITTED, LEAST
from dpviz.noise.family import NORMAL
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import parts
from dpviz.ui.linear_queries.names import DATA, attained, compared, name_of, names
from dpviz.ui.linear_queries.view import Answers, View
from dpviz.words import after, loss_with_delta, percent, rounded_down, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.linear.subject import sensitivity_words
from dpviz.workspace.takeaways import counted

WEIGHTED = (LEAST, FITTED, "square root")  # ways whose noise is on sums with weights
NOTHING = "Nothing can be asked yet: the red sentence says why."
MADE_UP = "made up: visits to a clinic that does not exist"


def take_away(shown: View) -> str:
    """The result in one sentence."""
    noun, other = literal(after(shown.numbers.noun)), compared(shown)
    who = "A clinic publishes" if shown.own is None else "You publish"
    whose = "its weekly visits" if shown.own is None else "your statistic"
    off = "it is" if shown.asked.workload.shape[0] == 1 else "they are"
    off = f"{off} typically off by"
    first = f"{who} {shown.asked.words} of {whose}"
    ours = significant(shown.way.typical, DIGITS)
    if other is None:
        end = ", and no way does better" if attained(shown) else ""
        return f"{first}: {off} {ours} {noun}{end}."
    instead, theirs = name_of(shown, other.name), significant(other.typical, DIGITS)
    first = f"{first}: with {instead}, {off} {theirs} {noun}"
    return f"{first}; {_how(shown)}, just as private, by {ours}."


def _how(shown: View) -> str:
    """The way in use, in a sentence."""
    way, found = shown.way, shown.comparison
    weighted = way.name in WEIGHTED
    if attained(shown, way):
        return f"with noise on {_sums(shown)}" if weighted else "in the best possible way"
    if way is found.best:
        return f"with noise on {_sums(shown)}" if weighted else "in the best way known"
    return f"with {name_of(shown, way.name)}"


def _sums(shown: View) -> str:
    """What has the noise, where it is on sums with weights."""
    return f"weighted sums of the {literal(shown.numbers.many)}"


def so(shown: View) -> str:
    """Why noise on each total, or on each number, is bad; "" where that is not asked."""
    if shown.asked.key != "totals" or shown.way.name not in WEIGHTED:
        return ""
    many, numbers = shown.asked.workload.shape[0], literal(shown.numbers.many)
    return (
        f"**So:** one {shown.nouns.one} in the first {shown.numbers.one} moves all {many:,} "
        f"totals, so each needs much noise. Noise on each {shown.numbers.one} is smaller, but adds "
        f"up in the totals. Sums in which some {numbers} count more than others keep both small; "
        "the totals are worked out from these."
    )


def claims(shown: View) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    way, found = shown.way, shown.comparison
    own = shown.way.budget
    at = own.delta if guarantee_of(shown.family).with_delta else 0.0
    fixed = f"{loss_with_delta(own.letter, own.loss, at)}, and what one {shown.nouns.one} moves"
    other = compared(shown)
    named = {way.name: way} | ({} if other is None else {other.name: other})
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
    return (
        *errors,
        Claim(
            what="answers",
            value=shown.asked.workload.shape[0],
            fixed="what is asked",
            method="the rows of A, counted (MATHEMATICS 6.1)",
        ),
    )


def badges(shown: View, given: Answers | None) -> list[parts.Badge]:
    """Lossless, and whether somebody’s exact answers are on screen."""
    revealed = shown.own is not None and given is not None and given.exact is not None
    return [parts.LOSSLESS, *([parts.REVEALED] if revealed else [])]


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


def bars_reading(shown: View) -> str:
    """How to read the bars."""
    asked = shown.asked
    many = asked.workload.shape[0]
    who = f"the {many:,} {asked.one}s are" if many > 1 else f"the {asked.one} is"
    return (
        f"How far {who} typically off (root mean square error). Shorter is better. "
        "A forecast: it shows no released number."
    )


def bars_alt(shown: View) -> str:
    """The bars in words, for those who cannot see them."""
    found, named = shown.comparison, names(shown)
    each = "; ".join(
        f"{named[way.name]}, {significant(way.typical, DIGITS)}"
        for way in sorted(found.ways.values(), key=lambda way: way.typical)
        if way.name in named
    )
    return f"{len(named)} bars of typical error in {shown.numbers.noun}, shortest first: {each}."


def limit(shown: View) -> str:
    """What no factorization is below, of whom that is known, and what fitted ones are."""
    bound = shown.comparison.bound
    if bound is None:
        text = "Nothing is known about how well other factorizations could do."
    elif attained(shown):
        text = "No factorization does better than the best by more than one in a thousand."
    else:
        text = f"No factorization gets below {significant(rounded_down(bound, 3))}."
    simple = shown.person.groups == 1 and shown.person.relation != "replace"
    if bound is not None and not simple and not shown.asked.workload.fits(shown.person):
        text += f" That is for {shown.nouns.a_unit} that comes or goes with one "
        text += f"{shown.numbers.one}; for the bounds chosen it could lie higher."
    for fitted in {LEAST, FITTED} & shown.comparison.ways.keys():
        if guarantee_of(shown.family).norm != "l2":
            text += f" “{fitted}” is made for Gaussian noise, not for this one."
        elif fitted == FITTED:
            text += (
                f" “{FITTED}” is what a search found for these bounds; nothing proves that no "
                "other way is better."
            )
    return text


def sensitivity_rule(shown: View) -> str:
    """Which rule gave the sensitivities of the way used."""
    found, one = shown.way.factorization.moves, shown.numbers.one
    unit = shown.nouns.one
    return (
        f"“{shown.way.name}”: Δ₁ = {found.l1.method}, Δ₂ = {found.l2.method}. "
        f"M: most that one {unit} adds to one {one}, here {shown.most}; ℓ₀: {one}s per "
        f"{unit}. Never too small; exact where {shown.nouns.a_unit} is in one {one}."
        + ("" if shown.numbers.step == 1 else " Δ₁ and Δ₂ are in steps.")
    )


def answers_reading(shown: View, given: Answers, *, off: bool) -> str:
    """How to read what the tiers hold."""
    how = "" if shown.family.shape == NORMAL else " (computed, to the safe side)"
    made_up = shown.own is None
    first = ""
    if off:
        first = "Lines: noisy answer minus true one; the visits are invented. "
    elif made_up:
        first = "Grey: the true numbers, which are made up and may be shown. "
    held = "grey 0, no error" if off else "grey true one" if made_up else "exact answer"
    revealed = "" if made_up or given.exact is None else " Grey: the exact answer, not private."
    return (
        f"{first}On average {percent(ACCURACY_CONFIDENCE)} of the shaded intervals, one for each "
        f"answer, hold the {held}{how}.{revealed}"
    )


def facts(shown: View | None, data: str | None) -> Facts:
    """The footer; `data` is the name of the user’s table, None for the made-up year."""
    if shown is None:
        return (("Data", data or MADE_UP),)
    groups = shown.person.groups
    reached = f"each of at most {counted(groups)} {shown.numbers.many}"
    reached = f"one {shown.numbers.one}" if groups == 1 else reached
    if shown.own is not None:
        unit, neighbours = shown.own.query.unit, shown.own.query.neighbours
    else:
        unit = f"one person, who visits once in at most {groups} week{'s' * (groups > 1)}"
        replaced = shown.person.relation == "replace"
        neighbours = f"{'replace' if replaced else 'add or remove'} one person"
    return footer(
        guarantee_of(shown.family).definition,
        unit=unit,
        neighbours=neighbours,
        sensitivity=f"one {shown.nouns.one} adds at most {shown.most} to {reached}",
        data=data or f"{MADE_UP}; seeded noise",
        symbols=sensitivity_words(shown.way.factorization, shown.family, shown.numbers.step),
    )
