"""The two folds of the page Composition: the formulas with the numbers put in, and the code.

Sources: MATHEMATICS 5.1, 5.2, 5.7 to 5.11.
"""

from dpviz.charts.composition.bounds import titled
from dpviz.parameters import exact
from dpviz.ui.composition.controls import View
from dpviz.words import significant
from dpviz.words.markdown import literal
from dpviz.workspace.composition import Part, typed
from dpviz.workspace.composition_totals import whole_rho

FORMULA = (
    r"The loss of an answer is $\ln\frac{P(\text{answer}\mid\text{with the person})}"
    r"{P(\text{answer}\mid\text{without})}$; losses of answers with independent randomness add."
    "\n\n"
    r"**Sum**: $\sum_i\varepsilon_i$, where an answer with a $\rho$ has its $\varepsilon$ at an "
    r"equal share of $\delta$. **zCDP**: $\rho=\sum_i\rho_i$, with $\rho_i=\varepsilon_i^2/2$ for "
    r"anything that promises ε, $\varepsilon_i^2/8$ for the best of a list, "
    r"$\varepsilon_i+e^{-\varepsilon_i}-1$ for Laplace and $\Delta_2^2/(2\sigma^2)$ for Gaussian "
    r"noise; then $\varepsilon=\inf_{\alpha>1}\alpha\rho+\frac{L+(\alpha-1)\ln(1-1/\alpha)-"
    r"\ln\alpha}{\alpha-1}$ with $L=\ln(1/\delta)$. **Any choice and order**: "
    r"$\varepsilon=\sum_i\mu_i+\sqrt{2L\sum_i\tau_i^2}$, with "
    r"$\mu=\varepsilon\tanh(\varepsilon/2)$, $\tau=\varepsilon$ for anything that promises ε, and "
    r"$\mu=u-1-\ln u$, $u=\varepsilon/(e^\varepsilon-1)$, $\tau=\varepsilon/2$ for the best of a "
    r"list. **Worst losses, privacy losses**: the least $\varepsilon$ with "
    r"$E\big[(1-e^{\varepsilon-\text{loss}})_+\big]\le\delta$ for the sum of all losses. **Fixed "
    r"in advance**: the same with losses $t$ and $t-\varepsilon_i$ for the best of a list, the "
    r"worst $t$ for all. **Chosen as results come in**, **in this order**: a worst $t$ for each, "
    r"which may depend on earlier answers."
)


def formula(view: View | None) -> str:
    """The formulas, and what they give for the sequence."""
    if view is None:
        return FORMULA
    lines = []
    if view.exact_sum is not None:
        added = " + ".join(f"{p.count:,} × {typed(p.amount)}" for p in view.sequence)
        lines.append(f"Sum: {added} = {typed(view.exact_sum)}, exactly.")
    lines.append(f"All ρ added: $\\rho$ = {significant(whole_rho(view.sequence), 6)}.")
    lines += [
        f"{titled(bound.name)}: $\\varepsilon$ = {significant(bound.value, 8)} "
        f"({bound.kind}; {literal(bound.theorem)})."
        for bound in view.totals
    ]
    right = significant(view.guesses.value, 6)
    lines.append(f"Right guesses: $500\\,(1+\\delta(0))$ = {right} of 1,000.")
    return FORMULA + "\n\n- " + "\n- ".join(lines)


def code(view: View | None) -> str:
    """A program that gives the page's numbers; defines `found`."""
    if view is None:
        return "# Say first which answers are given.\n"
    rows = [f"    ({p.answer.name!r}, {_amount(p)!r}, {str(p.count)!r})," for p in view.sequence]
    return "\n".join(
        [
            "from fractions import Fraction",
            "",
            "from dpviz.workspace.composition import ANSWERS, read_part",
            "from dpviz.workspace.composition_totals import totals, usable",
            "from dpviz.workspace.guesses import right_of",
            "",
            "kinds = {answer.name: answer for answer in ANSWERS}",
            "typed = [",
            *rows,
            "]",
            "sequence = [",
            "    read_part(kinds[name], budget, count, where=name)",
            "    for name, budget, count in typed",
            "]",
            f"found = totals(sequence, Fraction({typed(view.delta)!r}))",
            "for bound in found:",
            "    print(bound.name, bound.value, bound.kind, bound.theorem)",
            f"best = usable(found, {view.granted!r})[0]",
            'print("total:", best.value)',
            'print("right guesses of 1,000:", right_of(sequence).value)',
            "",
        ]
    )


def _amount(part: Part) -> str:
    return typed(part.amount) + (f", {typed(exact(part.delta))}" if part.delta else "")
