"""Formulas and code of the story of a circle, with its numbers.

Sources: MATHEMATICS 15.3, 15.4.
"""

from dpviz.parameters import exact
from dpviz.ui.growing_trust.circle.circles import SEED
from dpviz.ui.growing_trust.circle.view import View
from dpviz.words import significant
from dpviz.words.markdown import literal
from dpviz.workspace.composition import typed

FORMULA = (
    r"Somebody $d$ hops away is answered at $\varepsilon(d)$, which never rises with $d$: with the "
    r"value plus noise of scale $b=\Delta/\varepsilon(d)$. All answers lie on one path of noise, "
    r"so a coalition $S$ learns $\max_{i\in S}\varepsilon_i$; with separate noise for each it "
    r"would learn $\sum_{i\in S}\varepsilon_i$."
    "\n\n"
    r"Mean squared errors, with $v_i$ the variance of the noise of member $i$ "
    r"($2b^2$ for Laplace noise): $\min_i v_i$ from answers of one path, however large "
    r"the coalition; $1/\sum_i v_i^{-1}$ by the best weighted average of answers with separate "
    r"noise, which is $2\Delta^2/(k\varepsilon^2)$ for $k$ equal $\varepsilon$ and Laplace noise."
    "\n\n"
    r"Protected is the value, not the graph: that two answers are equal tells that two members are "
    r"equally far away."
)

PICKED = (
    "The seed was picked so that the numbers of the first example are about as far off as is "
    "typical."
)


def formula(view: View | None) -> str:
    """The formulas, and what they give for this circle."""
    if view is None:
        return FORMULA
    lines = [
        f"{r.distance} away: $\\varepsilon$ = {significant(float(r.epsilon), 6)}, "
        f"$b$ = {significant(r.level, 6)}, $\\sqrt v$ = {significant(r.error, 6)}."
        for r in view.circle.rings
    ]
    if view.coalition is not None:
        both, errors = view.coalition.together, view.coalition.errors
        lines += [
            f"Coalition: max {significant(both.largest.value, 6)}, sum "
            f"{significant(both.added.value, 6)}.",
            f"Mean squared error: {significant(errors.lossless, 6)} here; "
            f"{significant(errors.weighted, 6)} with separate noise.",
        ]
    noise = f"Noise: {literal(view.circle.family.label)}."
    if view.asked.mode == "teaching":
        noise += f" {PICKED}"
    return FORMULA + f"\n\n{noise}\n\n- " + "\n- ".join(lines)


def code(view: View | None) -> str:
    """A program that gives the page's numbers; defines `circle`, `told` and `found`."""
    if view is None:
        return "# Type a value and an ε for each ring first.\n"
    asked = view.asked
    reader = asked.network.code.split("= ")[1].split("(")[0]
    epsilons = ", ".join(repr(typed(each)) for each in asked.trust.epsilons)
    hardened = asked.mode == "hardened"
    rng = "streams.hardened()" if hardened else f"streams.teaching({SEED})"
    lines = [
        "from fractions import Fraction",
        "",
        "from dpviz import streams",
        f"from dpviz.local import Trust, {reader}",
        "from dpviz.workspace.local.social_network import Circle",
        "",
        asked.network.code,
        f"epsilons = [{epsilons}]",
        "circle = Circle(",
        "    graph,",
        f"    {asked.user!r},",
        f"    {asked.value!r},",
        f"    sensitivity=Fraction({typed(exact(asked.sensitivity))!r}),",
        "    trust=Trust([Fraction(each) for each in epsilons]),",
        f"    rng={rng},",
        ")",
        "told = {ring.distance: ring.answer for ring in circle.rings}",
        "print(told)",
    ]
    for one in view.circle.joined:
        own = "" if one.epsilon is None else f", Fraction({typed(one.epsilon)!r})"
        friend = view.circle.network.neighbours(one.name)[0]
        lines.append(f"circle.join({one.name!r}, {friend!r}{own})")
    if view.coalition is not None:
        lines += [
            *_pooling(view),
            "found = circle.coalition(pooling)",
            'print("max:", found.together.largest.value, "sum:", found.together.added.value)',
            "print(found.errors)",
        ]
    return "\n".join([*lines, ""])


def _pooling(view: View) -> list[str]:
    """Who is in the coalition: whole rings by their distance, others by name."""
    return [
        f"rings = {[r.distance for r in view.whole_rings]}",
        "pooling = [",
        "    name for r in circle.rings if r.distance in rings for name in r.members",
        "]",
        *([f"pooling += {view.single!r}"] if view.single else []),
    ]
