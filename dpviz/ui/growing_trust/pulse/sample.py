"""Formulas and code of the story of a pulse, with its numbers.

Sources: MATHEMATICS 14.1 to 14.3.
"""

from dpviz.ui.growing_trust.pulse.controls import View
from dpviz.ui.kit.code import HARDENED
from dpviz.words import significant
from dpviz.workspace.gradual import LEAST, MOST, PATH

HEAD = (
    r"Noise at $\varepsilon$ has the scale $b=\Delta_1/\varepsilon$. Towards smaller $\varepsilon$ "
    r"jumps come by chance at rate $2/\varepsilon$, each a Laplace number of scale $b$ at the "
    r"$\varepsilon$ of the jump; between $\varepsilon_1$ and $\varepsilon_2$ their number is "
    r"Poisson with mean $2\ln(\varepsilon_2/\varepsilon_1)$, so the number stays with chance "
    r"$(\varepsilon_1/\varepsilon_2)^2$."
)
WHOLE = (
    r"Whole numbers: the rate is $\frac1{\Delta_1}\coth\frac{\varepsilon}{2\Delta_1}$, a jump is "
    r"discrete Laplace and may be 0, and the mean is $2\ln\frac{\sinh(\varepsilon_2/2\Delta_1)}"
    r"{\sinh(\varepsilon_1/2\Delta_1)}$."
)
RELAX = (
    r"Relaxing from noise $x$ at $\varepsilon_1$ to $\varepsilon_2$, for $\Delta_1=1$: it stays "
    r"with chance $\frac{\varepsilon_1}{\varepsilon_2}e^{-(\varepsilon_2-\varepsilon_1)|x|}$, else "
    r"its density is $\frac{\varepsilon_2^2-\varepsilon_1^2}{2\varepsilon_2}"
    r"e^{-\varepsilon_1|x-y|-\varepsilon_2|y|+\varepsilon_1|x|}$."
)

PICKED = "The path on screen was picked because its jumps are easy to see; few are as tidy."
_SESSION = (
    "from dpviz import MultipleRelease, laplace_level",
    "",
    "session = MultipleRelease([value], noise, rng=streams.hardened())",
    HARDENED,
    "",
    "",
    "def told(epsilon):",
    "    return session.release(laplace_level(epsilon, step))",
    "",
    "",
)


def formula(view: View | None) -> str:
    """The formulas, and the same with the numbers on screen."""
    if view is None:
        return f"{HEAD}\n\n{RELAX}"
    one = view.one
    lines = [
        f"Here $\\Delta_1$ = {view.reading.step:g} {view.reading.unit}, so at $\\varepsilon$ = "
        f"{view.epsilon:g} $b$ = {significant(one.level(view.epsilon), 5)}.",
        f"Between {view.least:g} and {view.most:g} "
        f"{significant(one.jumps(view.least, view.most).mean, 6)} jumps are expected.",
        *([PICKED] if view.picked else []),
    ]
    kind = WHOLE if one.family.integer else HEAD
    return "\n\n".join([HEAD] * (kind is WHOLE) + [kind, " ".join(lines), RELAX])


def code(view: View | None) -> str:
    """A program that gives the numbers on screen: defines `number`, `released` and `law`."""
    if view is None:
        return "# Correct the field whose sentence says what is wrong.\n"
    one, reading = view.one, view.reading
    whole = one.family.integer
    value = f"{reading.value:.0f}" if whole else repr(reading.value)
    seed = ", ".join(map(str, one.seed))
    lines = [
        "from dpviz import FAMILIES, LaplacePath, streams",
        "",
        f'value, step, noise = {value}, {reading.step!r}, FAMILIES["{one.family.name}"]',
        "path = LaplacePath(",
        f"    [value], {LEAST!r}, {MOST!r},",
        f"    l1_sensitivity=step, family=noise, rng=streams.teaching({seed}, {PATH}),",
        ")",
        *(_grown(epsilon) for epsilon in one.grown),
        f"number = path.at({view.epsilon!r}).item()",
        f"jumps = path.jumps({view.least!r}, {view.most!r}).item()",
        'print("read at this ε:", number, "; jumps:", jumps)',
        "",
        *(_SESSION if one.mode == "hardened" else ["told = path.at"]),
        f"released = {{epsilon: told(epsilon).item() for epsilon in {list(one.released)!r}}}",
        "print(released)",
    ]
    if view.wanted is not None and view.wanted not in one.released:
        lines += [
            "from dpviz import gradual_law",
            "",
            "law = gradual_law(",
            f"    released, {view.wanted!r}, exact=value, l1_sensitivity=step, family=noise",
            ")",
            'print("chances to stay:", law.atoms)',
        ]
    return "\n".join([*lines, ""])


def _grown(epsilon: float) -> str:
    act = "tighten_to" if epsilon < LEAST else "relax_to"
    return f"path.{act}({epsilon!r})"
