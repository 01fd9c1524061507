"""The two folds of the page Method: the definitions, and the numbers of the picture in Python."""

from dpviz.ui.method import errata

FORMULA = (
    r"Two tables are neighbours if they differ in one person. $M$ is **ε-DP** if "
    r"$P(M(x)\in S)\le e^\varepsilon P(M(x')\in S)$ for all neighbours and all $S$; **(ε, δ)-DP** "
    r"if $P(M(x)\in S)\le e^\varepsilon P(M(x')\in S)+\delta$; **ρ-zCDP** if "
    r"$D_\alpha(M(x)\,\|\,M(x'))\le\rho\alpha$ for all $\alpha>1$."
    "\n\n"
    r"Noise of a family has the **convolution preorder** if $D(l) * C(l,h)=D(h)$ for all levels "
    r"$l<h$. Releases at the levels $\ell_1<\dots<\ell_m$ are **lossless** if each has the law "
    r"$f(x)+D(\ell_i)$ of a single one, and each set of them can be made from the sharpest in it "
    r"without the data. Then a set costs what its sharpest release costs."
)


def code() -> str:
    """A program that gives the numbers of the picture; defines `times`."""
    low, level, high = errata.SCALES
    return f"""\
import math

from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.sparse.printed_law import printed_leak

right, printed = (
    bridged_variance({low}, {level}, {high}, printed=printed) for printed in (False, True)
)
rhos = {errata.RHOS}
thresholds = [{errata.FAR_UP} * math.sqrt(0.5 / rho) for rho in rhos]
leak = printed_leak(rhos, thresholds, {errata.EPSILON}, l2_sensitivity=1.0)
times = {{
    "Lemma F.5": right / printed,
    "Algorithm 6": leak.printed / leak.zcdp,
}}
print(times)
"""
