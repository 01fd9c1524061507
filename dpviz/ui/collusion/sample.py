"""Formula and code sample of the Collusion page: pure functions, and the sample is executed."""

from dpviz.charts.collusion.frame import (
    DOUBLING,
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    SPLITTING,
    Holder,
    persons,
)
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.words import sides
from dpviz.words import significant


def formula(shown: View) -> str:
    """The joint budget of every scheme with the numbers of this coalition."""
    plan, losses = shown.plan, persons(shown.members)
    letter = r"\rho" if plan.letter == "ρ" else r"\varepsilon"
    value = {
        s: significant(plan.learned(losses, s).value, 5)
        for s in (LOSSLESS, INDEPENDENT, GLOBAL, SPLITTING, DOUBLING)
    }
    few = [significant(loss, 5) for loss in losses[:5]]
    listed = few + (["…"] if len(losses) > len(few) else [])
    text = (
        f"Coalition $C$ of persons with budgets ${letter}_i$; together they learn\n\n"
        rf"- lossless $\max_{{i\in C}}{letter}_i$ = max({', '.join(listed)}) = "
        f"**{value[LOSSLESS]}**\n"
        rf"- independent $\sum_{{i\in C}}{letter}_i$ = {' + '.join(listed)} = "
        f"**{value[INDEPENDENT]}**\n"
        rf"- budget split: the sum of ${letter}_i-{letter}_{{i-1}}$ over the tiers in $C$ = "
        f"**{value[SPLITTING]}**\n"
        rf"- doubling: the sum of the pieces ${letter}_1 2^j$ held, each once = "
        f"**{value[DOUBLING]}**\n"
    )
    if plan.letter == "ρ":
        return text + (
            r"- global release + separate noise $\Big(g+\frac1{\sum_{i\in C}1/(t_i-g)}\Big)^{-1}$ "
            rf"with $t_i=1/\rho_i$, $g=1/\rho_{{\rm global}}$ = **{value[GLOBAL]}**"
            "\n\n" + _test_formula(shown)
        )
    return text + (
        "- global release + separate noise: two members who hold equal numbers hold the global "
        f"release = **{value[GLOBAL]}**\n\n" + _test_formula(shown)
    )


def _test_formula(shown: View) -> str:
    """The best membership test of all that one person moves."""
    family, two = shown.plan.setting.family, sides(shown)
    belief = (
        r" A belief with odds $o$ has the odds $o\,(1-\beta)/\alpha$ after "
        rf"“{two.yes}” and $o\,\beta/(1-\alpha)$ after “{two.no}”."
    )
    several = (
        " Several numbers, or several independent releases: the logarithms of the ratios add, and "
        "their distributions are convolved on a grid."
    )
    if family.shape == NORMAL:
        return (
            "Membership test: for false alarms $\\alpha$ it misses at least "
            r"$\beta=\Phi(\Phi^{-1}(1-\alpha)-\mu)$, $\mu=\sqrt{2\rho}$; at even odds it is right "
            r"with probability at most $\Phi(\mu/2)$." + belief
        )
    if family.shape == DOUBLE_EXPONENTIAL and not family.integer:
        return (
            r"Membership test of one Laplace release of one number, $\varepsilon=\Delta/b$: it "
            r"misses at least $\beta=1-e^\varepsilon\alpha$ up to $\alpha=e^{-\varepsilon}/2$, "
            r"then $e^{-\varepsilon}/(4\alpha)$, from $\alpha=\frac12$ on "
            r"$e^{-\varepsilon}(1-\alpha)$; at even odds it is right with probability at most "
            r"$1-e^{-\varepsilon/2}/2$." + several + belief
        )
    return (
        rf"Membership test: “{two.yes}” for the outcomes of the largest $P(y-\Delta)/P(y)$ first, "
        r"summed over all outcomes $y$; at even odds it is right with probability "
        r"$\frac12+\frac14\sum_y|P(y-\Delta)-P(y)|$." + several + belief
    )


def code(shown: View, tier: Holder, count: int) -> str:
    """The same with the library; defines `learned` and `members`."""
    plan = shown.plan
    name, word = (
        ("coalition_rho", "rho") if plan.letter == "ρ" else ("coalition_epsilon", "epsilon")
    )
    held = " + ".join(f"[{m.loss!r}] * {m.joining}" for m in shown.members)
    return (
        f"from dpviz.accounting import SCHEMES, {name}\n\n"
        f"tiers = {[t.loss for t in plan.tiers]!r}\n"
        f"held = {held}  # one budget per person\n"
        f"more = {{'tiers': tiers, 'global_{word}': {plan.whole!r}}}\n"
        f"learned = {{s: {name}(held, s, **more).value for s in SCHEMES}}\n"
        f"members = {{\n    s: {name}([{tier.loss!r}] * {count}, s, **more).value\n"
        f"    for s in ('lossless', 'independent', 'global')\n}}\n"
        "print(learned, members)\n"
    )
