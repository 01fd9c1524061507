"""Words of the page Linear queries: take-away, readings, formula and code, with the numbers."""

from dpviz.figures.words import significant
from dpviz.mechanisms.workloads import LEAST
from dpviz.ui import parts
from dpviz.ui.facts import DEFINITION_WORDS, Facts
from dpviz.ui.linear_controls import View
from dpviz.ui.linear_questions import NOUN
from dpviz.ui.linear_state import DELTA, Held

NOTHING = "Nothing can be asked yet: the matrix cannot be used. See the sentence on the right."
DATA = "noise on data"


def take_away(shown: View) -> str:
    """The result in two sentences."""
    way, found = shown.way, shown.comparison
    first = (
        f"At {shown.budget} {shown.asked.words} is typically off by "
        f"{significant(way.typical)} {NOUN} through “{way.name}”"
    )
    other = found.ways.get(DATA)
    if other is not None and other is not way:
        first += f", by {significant(other.typical)} with noise on every week"
    if found.bound is None:
        return f"{first}."
    if found.bound > 0.999 * way.typical:
        return f"{first}. No factorization does better by more than one in a thousand."
    return f"{first}. No factorization gets below {significant(found.bound)}."


def badges(shown: View) -> list[parts.Badge]:
    """Lossless, and whether L can be undone."""
    if shown.way.factorization.has_left_inverse:
        words, icon = "L has a left inverse", "undo"
        sentence = "Who holds the answers can work out the noisy numbers that they were made of."
    else:
        words, icon = "L has no left inverse", "block"
        sentence = (
            "The noisy numbers cannot be worked out from the answers alone. Lossless all the same."
        )
    return [parts.LOSSLESS, (words, icon, "gray", sentence)]


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
            "tier’s answers are a less noisy tier’s answers plus noise that knows nothing of the "
            "data."
        )
    return f"{text} {_rank(shown)}".strip()


def _rank(shown: View) -> str:
    """What the rank of a typed matrix says."""
    if not isinstance(shown.asked.key, tuple):
        return ""
    rank, tolerance = shown.asked.workload.factorization(DATA).rank_and_tolerance
    n = shown.asked.workload.shape[1]
    if rank == n:
        return f"The matrix has rank {rank}: the answers tell every week."
    return (
        f"The matrix has rank {rank} and {n} columns (singular values above "
        f"{significant(tolerance, 2)} count): the answers do not tell every week."
    )


def lines_reading(shown: View) -> str:
    """How to read the lines."""
    text = (
        "Lower is better; the vertical axis is stretched near 0. Every line is one way to get the "
        "same answers at the same budget. Noise on data: every week gets noise, and noisy weeks "
        "are summed. Noise on answers: every answer gets noise of its own. The others put noise on "
        "sums in between. Nothing is drawn for this picture."
    )
    if shown.comparison.bound is not None:
        text += " Pale and thick: what no way is below on average (root mean square)."
    return text


def lines_alt(shown: View) -> str:
    """The lines for who cannot see them."""
    ways = shown.comparison.ways.values()
    worst = max(ways, key=lambda way: way.typical)
    best = shown.comparison.best
    return (
        f"{len(ways)} lines of error, one per factorization. Least on average: {best.name}, "
        f"{significant(best.typical)} {NOUN}; most: {worst.name}, {significant(worst.typical)}."
    )


def bars_reading(shown: View) -> str:
    """How to read the bars."""
    text = "Root mean square over all answers: the square root of the total error per answer."
    if shown.comparison.bound is not None and shown.person.groups > 1:
        text += " The pale line is for a person in one week; with more it could lie higher."
    if LEAST in shown.comparison.ways and shown.family.name != "gaussian":
        text += f" “{LEAST}” is best for Gaussian noise, not for this one."
    return text


def bars_alt(shown: View) -> str:
    """The bars for who cannot see them."""
    best = shown.comparison.best
    bound = shown.comparison.bound
    floor = "" if bound is None else f" No factorization is below {significant(bound)}."
    return f"A bar per factorization. Shortest: {best.name}, {significant(best.typical)}.{floor}"


def sensitivity_rule(shown: View) -> str:
    """Which rule gave the sensitivities of the way used."""
    found = shown.way.factorization.moves
    return (
        f"“{shown.way.name}”: Δ₁ = {found.l1.method}, Δ₂ = {found.l2.method}. "
        "M: most that one person adds to a week, here 1; ℓ₀: weeks per person. Never too small; "
        "exact where a person is in one week."
    )


def formula(shown: View) -> str:
    """Formulas with the numbers put in."""
    way = shown.way
    made, level = way.factorization, way.budget.level
    m, n = made.shape
    name = shown.family.name
    delta2, delta1 = significant(made.l2_sensitivity, 6), significant(made.l1_sensitivity, 6)
    loss = significant(way.budget.loss, 6)
    if name == "gaussian":
        noise = rf"$t=\Delta_2^2/(2\rho)$ = {delta2}² / (2 · {loss})"
    elif name == "skellam":
        noise = f"the least rate with (ε, δ) = ({loss}, {DELTA:g}) for Δ₁ = {delta1}"
    else:
        noise = rf"$b=\Delta_1/\varepsilon$ = {delta1} / {loss}"
    bound = shown.comparison.bound
    text = (
        rf"$A=L\,R$: {m:,} answers, {made.inner:,} numbers with noise, {n:,} weeks. A release is "
        r"$L\,(R\,x+Z)$, so answer $q$ has the variance $\mathrm{Var}\,Z\cdot\|L_q\|^2$."
        "\n\n"
        f"- noise: {noise} = {significant(level, 6)}, variance "
        f"{significant(shown.family.variance(level), 6)}\n"
        rf"- $\|L\|^2$ = {significant(made.row_squares.sum(), 6)}; typical error "
        rf"$\sqrt{{\mathrm{{Var}}\,Z\cdot\|L\|^2/m}}$ = **{significant(way.typical, 6)}**"
        "\n"
    )
    if bound is not None:
        text += (
            r"- no factorization is below $\sqrt{\mathrm{Var}\,Z_1\cdot\|A\sqrt{W}\|_*^2/m}$ = "
            f"**{significant(bound, 6)}**, with the sum of singular values for the best weights "
            "$W$ of the weeks and $Z_1$ the noise of a single number (Li and Miklau 2013; "
            "Denisov and others 2022)\n"
        )
    return text + (
        "\nLossless for every linear $L$: $L\\,Y_h=L\\,Y_\\ell+L\\,(N_h-N_\\ell)$, and the "
        "increment knows nothing of the data."
    )


def code(shown: View, held: Held | None) -> str:
    """A program that gives the page's numbers; defines `way` and `answers`."""
    call = shown.asked.sample
    person = f"Contribution(groups={shown.person.groups}, relation={shown.person.relation!r})"
    lines = [
        "import numpy as np",
        "",
        "from dpviz import streams",
        "from dpviz.mechanisms import Contribution",
        "from dpviz.mechanisms.amounts import Amount",
        "from dpviz.mechanisms.linear_comparison import compare",
        f"from dpviz.mechanisms.workloads import {call.split('(')[0]}",
        "from dpviz.noise import FAMILIES",
        "",
        f"family = FAMILIES[{shown.family.name!r}]",
        f"questions = {call}",
        "found = compare(",
        "    questions,",
        "    family,",
        f"    {'ρ' if shown.way.budget.letter == 'ρ' else 'ε'!r},",
        f"    Amount({shown.amount}),",
        f"    contribution={person},",
        ")",
        f"way = found.ways[{shown.way.name!r}]",
        "print(way.typical, found.bound)",
    ]
    if held is not None:
        lines += [
            "",
            f"data = np.array({list(shown.asked.data)!r})  # made up",
            f"rng = streams.teaching{held.seed!r}",
            "answers = way.factorization.session(data, family, rng=rng)",
            *[
                f"print({name!r}, answers.release({held.budgets[name].level!r}))"
                for name in held.drawn
            ],
        ]
    return "\n".join([*lines, ""])


def facts(shown: View | None) -> Facts:
    """The footer."""
    if shown is None:
        return (("Data", "made up: visits to a clinic that does not exist"),)
    definition = {"gaussian": "ρ-zCDP", "skellam": "(ε, δ)-DP"}.get(shown.family.name, "ε-DP")
    moves = shown.way.factorization.moves
    norm, value, rule = (
        ("Δ₂", moves.l2.value, moves.l2.method)
        if shown.family.name == "gaussian"
        else ("Δ₁", moves.l1.value, moves.l1.method)
    )
    weeks = shown.person.groups
    return (
        ("Definition", DEFINITION_WORDS[definition]),
        ("Unit", f"one person, who visits once in at most {weeks} week{'s' * (weeks > 1)}"),
        (
            "Neighbours",
            "replace one person"
            if shown.person.relation == "replace"
            else "add or remove one person",
        ),
        ("Sensitivity", f"{norm} of R·x = {significant(value, 4)}: {rule}, with M = 1 visit"),
        ("Data", "made up: visits to a clinic that does not exist; seeded noise"),
    )
