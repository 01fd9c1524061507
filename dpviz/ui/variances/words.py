"""Sentence, formulas and code sample of the Variances page: pure functions, each tested."""

from collections.abc import Sequence
from dataclasses import fields

import pandas as pd
import streamlit as st

from dpviz.accounting import scheme_pieces, scheme_rule
from dpviz.accounting.guarantees import Setting
from dpviz.accounting.scheme_variances import BOUND, CONVOLVED
from dpviz.charts.variances.frame import (
    BASELINES,
    BUDGET,
    FACTOR,
    LEVEL,
    LOSSLESS,
    PART,
    SCHEMES,
    TIER,
    VARIANCE,
    of_scheme,
    price_frame,
)
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL
from dpviz.ui.kit import parts
from dpviz.ui.variances.controls import Ladder, Reading
from dpviz.ui.variances.jobs import SEED
from dpviz.ui.variances.measure import EXACT, Measurement
from dpviz.words import budget, capitalised, join, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal

NO_NOISE = "These budgets cannot be compared: the reason stands beside the picture’s place."
NO_TIERS = "No tier can be drawn yet: say on the page Tiers who may see how much."
_LONG_NAMES = {
    "splitting": "splitting the budget",
    "independent": "independent releases",
    "doubling": "independent releases at doubling budgets",
}


_PART = "the part of the joint budget that each scheme leaves it"
_TOGETHER = {  # the rule where losses are convolved
    "splitting": "the least noise with which the slices up to the tier keep its own budget",
    "independent": "every lossless level times one factor, the least with which all keep it",
    "doubling": "the same factor rule for the levels of the grid of doubling budgets",
}


def take_away(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> str:
    """What the compared scheme costs the tier that is read off, beside lossless release."""
    row = of_scheme(frame, reading.compared).iloc[reading.marked]
    one = literal(row[TIER])
    if len(shown.tiers) == 1:
        return f"With one tier every scheme is the same: add a tier to see what {one} would pay."
    named, times = _LONG_NAMES[reading.compared], significant(row[FACTOR])
    if shown.promise.with_delta:
        times = f"up to {significant(rounded_up(row[FACTOR], 3))}"
    lossless = f"Lossless release costs none of the {len(shown.tiers)} tiers anything."
    if row[FACTOR] < 1 + 5e-4:  # what three digits show as 1
        cost = "nothing" if row[FACTOR] < 1 + 1e-9 else "next to nothing"
        return (
            f"{capitalised(named)} would have cost {one} {cost} (variance × 1); move the slider "
            f"to see who pays. {lossless}"
        )
    return (
        f"{capitalised(named)} would have given {one} a noise variance {times} times as large, "
        f"within the same joint budget of {shown.joint}. {lossless}"
    )


def claims(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> tuple[Claim, ...]:
    """Why the number of the take-away is what it is; none where there is nothing to compare."""
    if len(shown.tiers) == 1:
        return ()
    row = of_scheme(frame, reading.compared).iloc[reading.marked]
    own = float(of_scheme(frame, LOSSLESS).iloc[reading.marked][LEVEL])
    least = not shown.promise.with_delta or shown.promise.is_least(own, shown.setting)
    return (
        Claim(
            what=f"times the variance that {row[TIER]} would have had",
            value=float(row[FACTOR]),
            fixed=f"the joint budget of {shown.joint}, and {shown.setting.family.label} noise",
            method=f"{held_by(shown, reading.compared)} (MATHEMATICS 5.5)",
            assumes="" if least else "the noise of lossless release, too, is that of a bound",
            kind="at most" if shown.promise.with_delta else "exact",
        ),
    )


def reading_words(shown: Ladder, reading: Reading, measured: Measurement) -> str:
    """How to read the picture, and how its marks were made."""
    what = "your plan’s sensitivity" if shown.own else "one person moves the number by at most 1"
    text = (
        "Variance: the mean squared distance of a release from the exact number. "
        f"Lines: formulas at the tiers, between them only a guide to the eye; "
        f"{shown.setting.family.label} noise; all schemes at the same joint budget, "
        f"{shown.joint} (larger = less private); {what}. "
    )
    if shown.promise.with_delta:
        rules = {held_by(shown, scheme) for scheme in BASELINES}
        text += f"The other schemes keep it by {join(sorted(rules))}. "
    if measured.found is None:
        text += "Marks appear once you draw. "
    else:
        about = "95 %" if measured.question.method == EXACT else _interval(shown)
        text += (
            f"Marks with {about} intervals: {measured.how}, lossless and "
            f"{SCHEMES[reading.compared]}. "
        )
    return text + "Only noise is measured, on an exact number that is 0: no data is touched."


def held_by(shown: Ladder, scheme: str) -> str:
    """How a scheme is held to the joint budget."""
    rule = scheme_rule([t.budget for t in shown.tiers], scheme, setting=shown.setting)
    return {
        BOUND: "adding ε and δ of all its releases, which is a bound",
        CONVOLVED: "the convolved privacy losses of all its releases, rounded up",
    }.get(rule, _PART)


def _interval(shown: Ladder) -> str:
    return "95 %" if shown.setting.family.shape == NORMAL else "about 95 %"


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
            "standard deviation becomes": [f"× {significant(w)}" for w in price["wider"]],
        }
    )
    st.markdown(
        f"**At {literal(row[TIER])}**, {budget(shown.letter, row[BUDGET])}, each scheme would have"
    )
    parts.table(table, alt=f"Variance of four schemes at {row[TIER]}, and its price.")


def formula(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> str:
    """The parts of the joint budget, the noise at each, and the laws of what is measured."""
    return "\n\n".join([_parts(frame, shown, reading), _measured(shown)])


def _parts(frame: pd.DataFrame, shown: Ladder, reading: Reading) -> str:
    """Four schemes: which part of the joint budget the tier has, and the variance at that part."""
    family, place = shown.setting.family, reading.marked
    x = r"\rho" if shown.letter == "ρ" else r"\varepsilon"
    losses = [t.budget for t in shown.tiers]
    below = significant(losses[place - 1] if place else 0.0, 5)
    own, most, total = (significant(v, 5) for v in (losses[place], losses[-1], sum(losses)))
    rules = {
        LOSSLESS: rf"${x}_i$",
        "splitting": rf"${x}_i-{x}_{{i-1}}$ = {own} − {below}",
        "independent": rf"${x}_i\max {x}/\sum {x}$ = {own} · {most} / {total}",
        "doubling": rf"$g_i\max {x}/\sum g$ with the grid $g={x}_1,2{x}_1,4{x}_1,\dots$",
    }
    lines = []
    for scheme, rule in rules.items():
        row = of_scheme(frame, scheme).iloc[place]
        part = f"{rule} = {significant(row[PART], 5)}"
        if scheme_rule(losses, scheme, setting=shown.setting) == CONVOLVED:
            part = f"{_TOGETHER[scheme]}; alone it keeps ${x}$ = {significant(row[PART], 5)}"
        lines.append(
            f"- {SCHEMES[scheme]}: {part}, so "
            f"{family.level_symbol} = {significant(row[LEVEL], 5)} and the variance is "
            f"**{significant(row[VARIANCE], 5)}**"
        )
    if held_by(shown, "doubling") == _PART:
        lines[-1] += "; more than a quarter of the tier’s own budget, however many tiers"
    return (
        rf"All four schemes cost $\max {x}$ together. {_adding(shown)}Tiers ascend; tier $i$ has "
        "one release at this part of it:\n\n"
        + "\n".join(lines)
        + f"\n\n{family.label} noise: {shown.promise.formula}. "
        + _law(shown)
    )


def _adding(shown: Ladder) -> str:
    """How the budgets of independent releases add, and whether that is exact."""
    if not shown.promise.with_delta:
        at = "" if shown.letter == "ρ" else r" at $\delta=0$"
        return f"Budgets of independent releases add, exactly{at}. "
    losses = [t.budget for t in shown.tiers]
    added = [s for s in SCHEMES if scheme_rule(losses, s, setting=shown.setting) == BOUND]
    if not added:
        return "The privacy losses of independent releases are convolved, rounded up. "
    counts = ", ".join(f"{scheme_pieces(losses, s)} for {SCHEMES[s]}" for s in added)
    return (
        "Of independent releases ε and δ add, which is a bound: a finer account may leave the "
        f"alternatives less noise. Each of $k$ releases has δ/k; k is {counts}. "
    )


def _law(shown: Ladder) -> str:
    """The variance at a level, where it has a short formula."""
    family, step = shown.setting.family, shown.setting.step
    units = "" if step == 1 else f" × {significant(step, 5)}², the square of one step"
    if family.shape == DOUBLE_EXPONENTIAL and not family.integer:
        return f"Its variance is $2b^2$, here $2(\\Delta_1/\\varepsilon)^2${units}."
    return f"The variance is that of the noise at this level{units}."


def _measured(shown: Ladder) -> str:
    """The law of a sample variance."""
    text = "Sample variance $s^2$ of $n$ draws with known mean: "
    if shown.setting.family.shape == NORMAL:
        return text + (
            r"$n s^2/\sigma^2\sim\chi^2_n$; 95 % interval $n s^2/\chi^2_{n}$. Exact distribution "
            "of all of them together: Bartlett’s decomposition of a Wishart matrix, for Gaussian "
            "noise only."
        )
    return text + (
        r"about $k s^2/\sigma^2\sim\chi^2_k$ with $k=2n/(\kappa-1)$, $\kappa$ the fourth moment "
        "by the squared variance; so the intervals are approximate. The exact distribution is "
        "known for Gaussian noise only."
    )


def code(shown: Ladder, reading: Reading, measured: Measurement | None) -> str:
    """The same with the library; defines `variances`, `factor`, and what is measured."""
    lines = [
        "from dpviz import streams",
        "from dpviz.accounting import scheme_levels, scheme_variances",
        "from dpviz.accounting.guarantees import Setting",
    ]
    if not shown.own:
        lines.append("from dpviz.experiments.ladders import spaced_budgets")
    lines += [
        "from dpviz.noise import FAMILIES",
        "from dpviz.queries import Sensitivity",
        "",
        f"losses = {shown.written}  # {shown.letter} of each tier",
        *_setting(shown.setting),
        f'schemes = ("{LOSSLESS}", "{reading.compared}")',
        "variances = {",
        "    scheme: scheme_variances(losses, scheme, setting=setting) for scheme in schemes",
        "}",
        f'factor = (variances["{reading.compared}"] / variances["{LOSSLESS}"])[{reading.marked}]',
        "print(factor, factor**0.5)  # of the variance, of the standard deviation",
        *(_drawn(measured) if measured else ()),
        "",
    ]
    return "\n".join(lines)


def _setting(setting: Setting) -> Sequence[str]:
    """What the budgets refer to, written field by field."""
    own = {
        each.name: repr(getattr(setting, each.name))
        for each in fields(setting)
        if each.name != "family"
    }
    return [
        "setting = Setting(",
        f"    family=FAMILIES[{setting.family.name!r}],",
        *(f"    {name}={value}," for name, value in own.items()),
        ")",
    ]


def _drawn(measured: Measurement) -> Sequence[str]:
    """The measured variances, by their exact law or through the sampler."""
    asked = measured.question
    law = "exact_law_variances" if asked.method == EXACT else "simulate_variances"
    module = "exact" if asked.method == EXACT else "simulation"
    lines = [
        "",
        f"from dpviz.experiments.{module} import {law}",
        "",
        f"rng = streams.teaching({SEED}, {asked.path})",
        "both = [scheme_levels(losses, scheme, setting=setting) for scheme in schemes]",
    ]
    if asked.method == EXACT:
        lines.append(f"measured = {law}(*both, {asked.repetitions}, rng=rng)")
    else:
        wanted = measured.found.repetitions if measured.found else asked.repetitions
        lines += [
            f"for measured in {law}(setting.family, *both, {asked.repetitions}, rng=rng):",
            f"    if measured.repetitions >= {wanted}:",
            "        break",
        ]
    said = "print(measured.repetitions, measured.lossless, measured.baseline)"
    return [*lines, f"{said}  # in squared steps"]
