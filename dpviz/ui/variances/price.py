"""What separate releases would cost one tier of the plan: sentence, claims, and how to read it."""

import math
from typing import Any

import pandas as pd

from dpviz.accounting import scheme_variances
from dpviz.charts.variances.bars import DIGITS, HALF, NAMES, TIMES, times_texts
from dpviz.charts.variances.frame import FACTOR, LOSSLESS, SCHEME, SCHEMES, TIER, of_scheme
from dpviz.noise.family import NORMAL
from dpviz.ui.variances.controls import Ladder, Reading
from dpviz.ui.variances.words import held_by
from dpviz.words import join, loss, pm, rounded_up, significant
from dpviz.words.claims import Claim, Said
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import right_of_epsilon, right_of_rho

SAME = 1e-9  # relative, between two standard deviations that are equal
IF_SEPARATE = "if each tier got one separate number of its own"


def dearest(frame: pd.DataFrame, place: int) -> Reading:
    """The way that costs this tier most, of those that have a bar, read off at it."""
    costs = {s: float(of_scheme(frame, s).iloc[place][FACTOR]) for s in NAMES if s != LOSSLESS}
    return Reading(compared=max(costs, key=lambda s: costs[s]), marked=place, relative=False)


def take_away(frame: pd.DataFrame, bars: pd.DataFrame, shown: Ladder, place: int) -> str:
    """How much farther off this tier's numbers would be, at the same joint promise."""
    name = literal(of_scheme(frame, LOSSLESS).iloc[place][TIER])
    if len(shown.tiers) == 1:
        return f"With one tier every way is the same: add a tier to see what {name} would pay."
    way = dearest(frame, place).compared
    ours, worst = _row(bars, LOSSLESS), _row(bars, way)
    times = f"about {significant(worst[TIMES], DIGITS)}"
    if shown.promise.with_delta:
        times = f"up to {significant(rounded_up(worst[TIMES], DIGITS), DIGITS)}"
    if worst[HALF] > 0 and ours[HALF] > 0:
        far = pm(worst[HALF], DIGITS, literal(shown.noun))
        if shown.promise.with_delta:
            far = f"up to {far}"
        elif (cheaper := _cheaper(bars, worst)) is not None:
            far = f"{pm(cheaper[HALF], DIGITS)} to {far}"
        return (
            f"For the same privacy, {name}’s numbers would be off by {far} instead of "
            f"{pm(ours[HALF], DIGITS)}, {IF_SEPARATE}."
        )
    return f"For the same privacy, {name} would need {times} times the noise, {IF_SEPARATE}."


def claims(frame: pd.DataFrame, bars: pd.DataFrame, shown: Ladder, place: int) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are; none where nothing is compared."""
    if len(shown.tiers) == 1:
        return ()
    asked = dearest(frame, place)
    ours, worst = _row(bars, LOSSLESS), _row(bars, asked.compared)
    held = held_by(shown, asked.compared)
    fixed = f"the joint budget of {shown.joint}, and {shown.setting.family.label} noise"
    bound = "at most" if shown.promise.with_delta else "exact"
    name = shown.tiers[place].name
    found = [
        Claim(
            what=f"times the standard deviation that {name} would have had, by "
            f"{SCHEMES[asked.compared]}",
            value=float(worst[TIMES]),
            fixed=fixed,
            method=f"{held} (MATHEMATICS 5.5)",
            kind=bound,  # type: ignore[arg-type]
        )
    ]
    if not (worst[HALF] > 0 and ours[HALF] > 0):
        return tuple(found)
    rows = [(SCHEMES[asked.compared], worst), (SCHEMES[LOSSLESS], ours)]
    if not shown.promise.with_delta and (cheaper := _cheaper(bars, worst)) is not None:
        rows.append((SCHEMES[str(cheaper[SCHEME])], cheaper))
    for what, row in rows:
        found.append(
            Claim(
                what=f"half width of {name}, {what}",
                value=float(row[HALF]),
                unit=shown.noun,
                fixed=f"95 % confidence; {fixed}",
                method="quantile of the noise (MATHEMATICS 4.1)",
            )
        )
    return tuple(found)


def reading(shown: Ladder) -> str:
    """What the bars and the letter of a budget are."""
    return (
        f"Shorter is better; the faint end is extra noise. {shown.letter} is the budget: how much "
        "the numbers of a tier (group of readers) may give away. ±: 95 times in 100 the noise is "
        "no larger."
    )


def harm(shown: Ladder) -> str:
    """How often all tiers together guess right about one person, and under which promise."""
    setting, joint = shown.setting, shown.tiers[-1].budget
    if shown.letter == "ρ" and setting.family.shape == NORMAL:
        right = right_of_rho(joint).said
    else:
        delta = setting.delta if shown.promise.with_delta else 0.0
        right = f"at most {right_of_epsilon(joint, delta).count:,}"
    return (
        f"{_why(shown)}All three ways promise the same: {right} of 1,000 guesses about one "
        f"{shown.one} are right from the numbers of all tiers together (a coin: 500)."
    )


def _why(shown: Ladder) -> str:
    """Why separate noise must be larger; "" where no budgets are simply added."""
    losses = [tier.budget for tier in shown.tiers]
    if len(losses) == 1 or shown.promise.with_delta:
        return ""
    return (
        "Separate noise partly cancels when tiers compare notes, so budgets add up: both ways cut "
        f"them from {shown.letter} = {loss(sum(losses))} in all to {loss(losses[-1])}. "
    )


def pieces(shown: Ladder, place: int) -> Said:
    """What the fair rival costs: pieces of the budget that each tier averages itself.

    Its noise is lossless release's only where precision adds as budgets do. With Poisson noise it
    is less, and that is said.
    """
    if len(shown.tiers) == 1:
        return Said("")
    name, setting = shown.tiers[place].name, shown.setting
    losses = [tier.budget for tier in shown.tiers]
    ours, theirs = (
        float(scheme_variances(losses, scheme, setting=setting)[place])
        for scheme in (LOSSLESS, "averaged")
    )
    times = math.sqrt(theirs / ours)
    claim = Claim(
        what=f"times the standard deviation that {name} would have, by pieces it averages",
        value=times,
        fixed=f"the joint budget of {shown.joint}, and {setting.family.label} noise",
        method="precisions of independent pieces add (MATHEMATICS 5.5; [LMR25] section 1.2)",
        assumes="all budgets are known before the first draw, or each new one is the largest",
        kind="at most" if shown.promise.with_delta else "exact",
    )
    return Said(
        "If all budgets are known beforehand, or only rise, tiers can instead get independent "
        f"pieces and average those up to their own: then {literal(name)}’s "
        f"{_pieces_noise(times, bound=shown.promise.with_delta)}. Lossless release needs no "
        "budgets and no order beforehand, and gives each tier one number, not several.",
        (claim,),
    )


def _pieces_noise(times: float, *, bound: bool) -> str:
    """How noisy averaged pieces are, beside lossless release."""
    most = rounded_up(times, DIGITS) if bound else times
    if times < 1 - SAME and most < 1:
        return f"have even less noise: at most {significant(most, DIGITS)} times as much"
    if times <= 1 + SAME:
        return "are just as exact" if times > 1 - SAME else "are at least as exact"
    up_to = "up to " if bound else ""
    return f"are {up_to}{significant(most, DIGITS)} times as noisy"


def alternative(bars: pd.DataFrame, shown: Ladder, place: int) -> str:
    """The bars in words."""
    each = [
        f"{SCHEMES[row[SCHEME]]} {times} times, {pm(row[HALF], DIGITS)}"
        for times, row in zip(times_texts(bars), bars.to_dict("records"), strict=True)
    ]
    return (
        f"Three bars, the noise that each way needs for {shown.tiers[place].name} in multiples of "
        f"lossless release: {join(each)} {shown.noun}."
    )


def _row(bars: pd.DataFrame, scheme: str) -> "pd.Series[Any]":
    return bars[bars[SCHEME] == scheme].iloc[0]


def _cheaper(bars: pd.DataFrame, worst: "pd.Series[Any]") -> "pd.Series[Any] | None":
    """The separate way that costs this tier least, if it is written with another number."""
    others = bars[bars[SCHEME] != LOSSLESS]
    least = others.loc[others[HALF].idxmin()]
    return None if pm(least[HALF], DIGITS) == pm(worst[HALF], DIGITS) else least
