"""The two folds of the page Laplace or Gauss: the formulas with the numbers put in, and the code.

Sources: MATHEMATICS 3.3 to 3.7, 9.1.
"""

import math

from dpviz.charts.axes import probability
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.ui.laplace_or_gauss.words import star_of
from dpviz.words import significant


def formula(view: View | None) -> str:
    """The formulas, and the same with the query's numbers."""
    text = (
        r"With $L=\ln(1/\delta)$: pure Laplace $b=\Delta_1/\varepsilon$, variance $2b^2$, no "
        r"$\delta$. Laplace that uses $\delta$, one coordinate: $b=\Delta_1/(\varepsilon-2\ln(1-"
        r"\delta))$; $R^2$ coordinates moved alike: the least $b$ whose losses, added up, keep "
        r"$\delta$, exactly. "
        r"Gaussian: the least $\sigma$ with $\Phi\!\left(\frac{\Delta_2}{2\sigma}-\frac{\varepsilon"
        r"\sigma}{\Delta_2}\right)-e^{\varepsilon}\,\Phi\!\left(-\frac{\Delta_2}{2\sigma}-"
        r"\frac{\varepsilon\sigma}{\Delta_2}\right)\le\delta$, exactly. Classical: "
        r"$\sigma=\Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon$, for $\varepsilon\le1$. "
        r"ℓ2 Laplace: $b_2=\Delta_2\,\frac{\sqrt{\varepsilon+L}+\sqrt L}{\sqrt2\,\varepsilon}$."
        "\n\n"
        r"$\delta^*$: with own budget $e$ of each coordinate, the first root of "
        r"$\delta_{\text{Laplace}}(\varepsilon;e)=\delta_{\text{Gauss}}(\varepsilon;\ "
        r"\mu=e\sqrt{R^2/2})$, found numerically. With pure Laplace noise, the paper’s line, equal "
        r"variance is at $\sigma=\sqrt2\,\Delta_1/\varepsilon$, so with $R=\Delta_1/\Delta_2$"
        r": $\delta^*=\delta_{\text{Gauss}}\!\left(\varepsilon;\ \mu=\frac{\varepsilon}"
        r"{\sqrt2\,R}\right)$, and against the classical formula $\delta^*=1.25\,e^{-R^2}$. "
        r"$b_2$ is the smaller Laplace scale from $\ln\delta=-(2R^2-\varepsilon)^2/(8R^2)$ on, if "
        r"$2R^2>\varepsilon$; it is never below the exact $\sigma$."
    )
    return text if view is None else f"{text}\n\n{_with_numbers(view)}"


def _with_numbers(view: View) -> str:
    """The numbers of the query."""
    c, q = view.choice, view.question
    lines = [
        f"$R^2$ = {significant(q.moved, 4)}, $\\mu$ = "
        f"{significant(q.epsilon / math.sqrt(2 * q.moved), 5)}: "
        f"$\\ln\\delta^*$ = {significant(c.crossover_pure, 6)}, δ\\* = "
        f"{probability(c.crossover_pure, 3)} for pure Laplace noise.",
        f"By both exact curves δ\\*: {star_of(c.gauss_between)}."
        if c.exact
        else "The exact curve of Laplace noise is not known here: it is counted by its pure ε.",
        f"Standard deviations: Laplace {significant(c.laplace, 6)}, pure Laplace "
        f"{significant(c.laplace_pure, 6)}, Gaussian "
        f"{significant(c.gaussian, 6)}, ℓ2 Laplace {significant(c.laplace_l2, 6)}.",
    ]
    lines.append(
        f"At equal ρ, not ε and δ: Tiers reads a ρ for Laplace noise as ε = √(2ρ); it then has "
        f"$2R^2$ = {significant(view.held.ratio_bound)} times the variance of Gaussian noise."
    )
    if c.switch < 0:
        lines.append(f"The ℓ2 scale is the smaller one from δ = {probability(c.switch, 3)} on.")
    if c.crossover_classical is not None and c.gaussian_classical is not None:
        lines.append(
            f"Classical formula: {significant(c.gaussian_classical, 6)}, δ\\* = "
            f"{probability(c.crossover_classical, 3)}: more noise than is needed, so a δ\\* too "
            "large."
        )
    return "- " + "\n- ".join(lines)


def code(view: View | None) -> str:
    """A program that gives the page's numbers; defines `choice`."""
    if view is None:
        return "# Type a query on the page first.\n"
    q = view.question
    return "\n".join(
        [
            "from dpviz.planning.choice import Question, choose, same_rho",
            "",
            "question = Question(",
            f"    epsilon={q.epsilon!r},",
            f"    log_delta={q.log_delta!r},  # δ = {probability(q.log_delta)}",
            f"    l1={q.l1!r},",
            f"    l2={q.l2!r},",
            f"    alike={q.alike!r},  # R² numbers move by the same amount",
            ")",
            "choice = choose(question)",
            'print(choice.better.label, "noise has the smaller variance")',
            "print(choice.laplace, choice.gaussian, choice.laplace_l2)",
            'print("Gaussian is smaller for ln δ between", choice.gauss_between)',
            'print("pure Laplace: ln δ* =", choice.crossover_pure)',
            "",
            "held = same_rho(choice)  # at the ρ of that Gaussian noise",
            "print(held.rho, held.laplace, held.gaussian)",
            "",
        ]
    )
