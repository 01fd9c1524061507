"""The two folds of the page Linear queries: the formula with its numbers, and the code."""

from dpviz.accounting.guarantees import guarantee_of
from dpviz.ui.kit.code import HARDENED, query_code
from dpviz.ui.linear_queries import example
from dpviz.ui.linear_queries.view import Answers, View
from dpviz.words import significant


def formula(shown: View) -> str:
    """Formulas with the numbers put in."""
    way = shown.way
    made, level = way.factorization, way.budget.level
    (m, n), many = made.shape, shown.numbers.many
    promise = guarantee_of(shown.family)
    delta2, delta1 = significant(made.l2_sensitivity, 6), significant(made.l1_sensitivity, 6)
    loss = significant(way.budget.loss, 6)
    if promise.norm == "l2":
        noise = rf"$t=\Delta_2^2/(2\rho)$ = {delta2}² / (2 · {loss})"
    elif promise.with_delta:
        noise = f"the least rate with (ε, δ) = ({loss}, {shown.delta:g}) for Δ₁ = {delta1}"
    else:
        noise = rf"$b=\Delta_1/\varepsilon$ = {delta1} / {loss}"
    bound, step = shown.comparison.bound, shown.numbers.step
    times = "" if step == 1 else rf"{significant(step)}\cdot"
    text = (
        rf"$A=L\,R$: {m:,} answers, {made.inner:,} numbers with noise, {n:,} {many}. A release is "
        r"$L\,(R\,x+Z)$, so answer $q$ has the variance $\mathrm{Var}\,Z\cdot\|L_q\|^2$."
        "\n\n"
        f"- noise: {noise} = {significant(level, 6)}, variance "
        f"{significant(shown.family.variance(level), 6)}\n"
        rf"- $\|L\|^2$ = {significant(made.row_squares.sum(), 6)}; typical error "
        rf"${times}\sqrt{{\mathrm{{Var}}\,Z\cdot\|L\|^2/m}}$ = **{significant(way.typical, 6)}**"
        "\n"
    )
    if bound is not None:
        text += (
            rf"- no factorization is below ${times}\sqrt{{\mathrm{{Var}}\,Z_1\cdot"
            r"\|A\sqrt{W}\|_*^2/m}$ = "
            f"**{significant(bound, 6)}**, with the sum of singular values, "
            r"$W=\sum_kw_kv_kv_k^{\mathsf T}$ for the best weights of what the bounds let move "
            f"the {many}, and $Z_1$ the noise of a single number (Li and Miklau 2013; Denisov "
            "and others 2022)\n"
        )
    if step != 1:
        text += f"- noise and Δ are in whole steps of {significant(step)}; errors times a step\n"
    return text + (
        "\nLossless for every linear $L$: $L\\,Y_h=L\\,Y_\\ell+L\\,(N_h-N_\\ell)$, and the "
        "increment is independent of the data."
    )


def code(shown: View, given: Answers | None) -> str:
    """A program that gives the page's numbers; defines `way` and `answers`, in steps."""
    own, call = shown.own, shown.asked.sample
    person = f"Contribution(groups={shown.person.groups}, relation={shown.person.relation!r})"
    loaded, query = query_code(own.statistic).split("\n\n") if own else ("", "")
    lines = [
        *(["import numpy as np", ""] if own is None else []),
        "from dpviz import streams",
        *(["from dpviz.linear import Contribution"] if own is None else [loaded]),
        "from dpviz.planning.amounts import Amount",
        "from dpviz.linear.comparison import compare",
        *(["from dpviz.linear.statistic import contribution_of"] if own else []),
        f"from dpviz.linear.workloads import {call.split('(')[0]}",
        "from dpviz.noise import FAMILIES",
        "",
        *([query] if own else []),
        f"family = FAMILIES[{shown.family.name!r}]",
        f"questions = {call}",
        "found = compare(",
        "    questions,",
        "    family,",
        f"    {guarantee_of(shown.family).letter!r},",
        f"    Amount({shown.amount}),",
        f"    contribution={'contribution_of(query)' if own else person},",
        *([f"    delta={shown.delta!r},", "    step=query.step,"] if own else []),
        ")",
        f"way = found.ways[{shown.way.name!r}]",
        "print(way.typical, found.bound)",
        *(_draws(shown, given) if given is not None else []),
    ]
    return "\n".join([*lines, ""])


def _draws(shown: View, given: Answers) -> list[str]:
    """The session, and its releases in the order of asking."""
    made_up = f"np.array({example.data(shown).tolist()!r})  # made up"
    times = "" if shown.numbers.step == 1 else "query.step * "
    return [
        "",
        f"data = {'query.values(table)' if shown.own else made_up}",
        *([HARDENED] if "hardened" in given.generator else []),
        *given.remarks,
        f"rng = {given.generator}",
        f"answers = way.factorization.session(data, family, rng=rng{given.ordered})",
        *[f"print({name!r}, {times}answers.release({level!r}))" for name, level in given.asked],
    ]
