"""Sentence, formulas and code sample of the Variances page: pure functions, each tested."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.charts.variances.frame import (
    BUDGET,
    FACTOR,
    LOSSLESS,
    SCHEMES,
    TIER,
    VARIANCE,
    of_scheme,
    price_frame,
)
from dpviz.experiments.covariance import CHANCE
from dpviz.ui.kit import parts
from dpviz.ui.variances.controls import Ladder, Reading
from dpviz.ui.variances.measure import EXACT, SEED, Measurement
from dpviz.ui.variances.together import PLANTS, Together
from dpviz.words import NO_BREAK, capitalised, significant
from dpviz.words.markdown import literal

NO_TIERS = "No tier can be drawn yet: say on the page Tiers who may see how much."
_LONG_NAMES = {
    "splitting": "splitting the budget",
    "independent": "independent releases",
    "doubling": "independent releases at doubling budgets",
}


def take_away(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> str:
    """What the compared scheme costs the tier that is read off, beside lossless release."""
    row = of_scheme(frame, reading.compared).iloc[reading.marked]
    one = literal(row[TIER])
    if len(shown.tiers) == 1:
        return f"With one tier every scheme is the same: add a tier to see what {one} would pay."
    named, times = _LONG_NAMES[reading.compared], significant(row[FACTOR])
    lossless = f"Lossless release costs none of the {len(shown.tiers)} tiers anything."
    if row[FACTOR] < 1 + 5e-4:  # what three digits show as 1
        return (
            f"{capitalised(named)} would have cost {one} nothing (variance × 1); move the slider "
            f"to see who pays. {lossless}"
        )
    return (
        f"{capitalised(named)} would have given {one} a noise variance {times} times as large, "
        f"for the same joint privacy loss of {shown.joint}. {lossless}"
    )


def reading_words(shown: Ladder, reading: Reading, measured: Measurement) -> str:
    """How to read the picture, and how its marks were made."""
    what = "your plan’s sensitivity" if shown.own else "one person moves the number by at most 1"
    text = (
        "Variance: the mean squared distance of a release from the exact number. "
        f"Lines: formulas at the tiers, between them only a guide to the eye; all schemes at the "
        f"same joint privacy loss, {shown.joint} (larger = less private); {what}. "
    )
    if measured.found is None:
        text += "Marks appear once you draw. "
    else:
        text += (
            f"Marks with 95 % intervals: {measured.how}, lossless and {SCHEMES[reading.compared]}. "
        )
    return text + "Only noise is measured, on an exact number that is 0: no data is touched."


def alternative(frame: pd.DataFrame, reading: Reading) -> str:
    """The picture in words, for those who cannot see it."""
    ours = of_scheme(frame, LOSSLESS).iloc[reading.marked]
    other = of_scheme(frame, reading.compared).iloc[reading.marked]
    return (
        f"Four falling lines of noise variance against budget, lossless lowest. At {ours[TIER]} it "
        f"has {significant(ours[VARIANCE])}, {SCHEMES[reading.compared]} "
        f"{significant(other[VARIANCE])}: {significant(other[FACTOR])} times."
    )


def price_table(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> None:
    """All schemes at the tier that is read off."""
    row = of_scheme(frame, LOSSLESS).iloc[reading.marked]
    price = price_frame(frame, reading.marked)
    table = pd.DataFrame(
        {
            "scheme": price["scheme"],
            f"variance, {shown.unit}": [significant(v, 4) for v in price["variance"]],
            "times lossless": [f"× {significant(f)}" for f in price["factor"]],
            "± becomes": [f"× {significant(w)}" for w in price["wider"]],
        }
    )
    st.markdown(
        f"**At {literal(row[TIER])}**, ρ{NO_BREAK}={NO_BREAK}{significant(row[BUDGET], 4)}, each "
        "scheme would have"
    )
    parts.table(table, alt=f"Variance of four schemes at {row[TIER]}, and its price.")


def formula(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> str:
    """The four variances and the covariance, with the numbers of the tier that is read off."""
    rows = {scheme: of_scheme(frame, scheme).iloc[reading.marked] for scheme in SCHEMES}
    ours, place = rows[LOSSLESS], reading.marked
    below = shown.tiers[place - 1].budget if place else 0.0
    total = sum(t.budget for t in shown.tiers)
    rho, most = significant(ours[BUDGET], 5), significant(shown.tiers[-1].budget, 5)
    l2 = significant(shown.l2_sensitivity, 5)
    variance = {scheme: significant(row[VARIANCE], 5) for scheme, row in rows.items()}
    return (
        "All four schemes cost $\\max\\rho$ together. Tiers ascend; variance of tier $i$:\n\n"
        rf"- lossless $\dfrac{{\Delta_2^2}}{{2\rho_i}}$ = {l2}² / (2 · {rho}) = "
        f"**{variance[LOSSLESS]}**\n"
        r"- budget split $\dfrac{\Delta_2^2}{2(\rho_i-\rho_{i-1})}$ = "
        f"{l2}² / (2 · ({rho} − {significant(below, 5)})) = **{variance['splitting']}**\n"
        r"- independent, scaled down $\dfrac{\Delta_2^2\sum\rho}{2\rho_i\max\rho}$ = "
        f"{l2}² · {significant(total, 5)} / (2 · {rho} · {most}) = **{variance['independent']}**\n"
        r"- doubling, scaled down $\dfrac{\Delta_2^2\sum g}{2g_i\max\rho}$ with the grid "
        r"$g=\rho_1,2\rho_1,4\rho_1,\dots$ = "
        f"**{variance['doubling']}**: less than 4 times lossless, however many tiers\n\n"
        "Sample variance $s^2$ of $n$ draws with known mean: "
        r"$n s^2/\sigma^2\sim\chi^2_n$; 95 % interval $n s^2/\chi^2_{n}$. Exact law of all of them "
        "together: Bartlett’s decomposition of a Wishart matrix, for Gaussian noise only.\n\n"
        r"Two tiers: $\mathrm{Cov}(N_l,N_h)=\mathrm{Var}\,N_l$ for levels $l\le h$, since "
        r"$N_h-N_l$ is independent of $N_l$; correlation "
        r"$\sqrt{\mathrm{Var}\,N_l/\mathrm{Var}\,N_h}$, for Laplace $l/h$. Band: "
        r"$\pm z\sqrt{(m_4+v(v_h-v)-v^2)/n}$ with $v$, $m_4$ the second and fourth moment at $l$, "
        rf"$z$ for a chance of at most {CHANCE:g} that a right sampler leaves any band. For noise "
        "that is not Gaussian covariances do not prove independence, so shares of draws are "
        r"compared, too, each with its exact chance and a binomial band: $N_h-N_l\le x$, "
        r"$N_h=N_l$, and both together with $N_l$ near its middle or above its median, where "
        "independence multiplies the chances."
    )


def code(shown: Ladder, reading: Reading, measured: Measurement, together: Together | None) -> str:
    """The same with the library; defines `variances`, `factor`, `measured` and `check`."""
    asked = measured.question
    law = "exact_law_variances" if asked.method == EXACT else "simulate_variances"
    module = "exact" if asked.method == EXACT else "simulation"
    lines = [
        "from dpviz import streams",
        "from dpviz.accounting import scheme_variances",
        f"from dpviz.experiments.{module} import {law}",
    ]
    if not shown.own:
        lines.append("from dpviz.experiments.ladders import spaced_budgets")
    lines += [
        "",
        f"rhos = {shown.written}",
        "variances = {",
        f"    scheme: scheme_variances(rhos, scheme, l2_sensitivity={shown.l2_sensitivity!r})",
        f'    for scheme in ("{LOSSLESS}", "{reading.compared}")',
        "}",
        f'factor = (variances["{reading.compared}"] / variances["{LOSSLESS}"])[{reading.marked}]',
        "print(factor)",
        "",
        f"rng = streams.teaching({SEED}, {asked.path})",
        f'both = variances["{LOSSLESS}"], variances["{reading.compared}"]',
        *_drawn(measured, law),
        "print(measured.repetitions, measured.lossless, measured.baseline)",
        *(_together(together) if together else ()),
        "",
    ]
    return "\n".join(lines)


def _drawn(measured: Measurement, law: str) -> Sequence[str]:
    asked = measured.question
    call = f"{law}(*both, {asked.repetitions}, rng=rng)"
    if asked.method == EXACT:
        return [f"measured = {call}"]
    wanted = measured.found.repetitions if measured.found else asked.repetitions
    return [
        f"for measured in {call}:",
        f"    if measured.repetitions >= {wanted}:",
        "        break",
    ]


def _together(together: Together) -> Sequence[str]:
    """Theory and simulation of the covariance matrix and of the joint law."""
    asked = together.matrix
    _, opened, module = PLANTS[asked.planted]
    name = getattr(opened, "__name__", "")
    return [
        "",
        "from dpviz.experiments.covariance import (",
        "    check_covariances,",
        "    simulate_covariances,",
        ")",
        "from dpviz.noise import FAMILIES",
        f"from dpviz.{module} import {name}",
        "",
        f"family, levels = FAMILIES[{asked.family_name!r}], {list(asked.levels)!r}",
        f"rng = streams.teaching({SEED}, {asked.path})",
        "for sample in simulate_covariances(",
        f"    family, levels, {asked.repetitions}, rng=rng, open_releases={name}",
        "):",
        f"    if sample.repetitions >= {together.sample.repetitions}:",
        "        break",
        f"check = check_covariances(family, levels, sample, scaled={together.scaled})",
        "print(check.passed, check.theory, check.sample)",
        "for event, share in zip(check.events, check.shares, strict=True):",
        "    print(event, share)",
    ]
