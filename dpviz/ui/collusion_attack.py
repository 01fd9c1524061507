"""The coalition attacks: simulated worlds, the membership test, and what it means in 1,000 guesses.

The exact numbers of these worlds are made up (0, or 0 plus one person), so errors alone are shown
and the data is not touched. Every simulation has a teaching stream named by what is asked; its
result is kept by the same name.
"""

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz import streams
from dpviz.accounting import (
    gaussian_advantage,
    gaussian_trade_off,
    laplace_advantage,
    laplace_trade_off,
    rho_to_mu,
)
from dpviz.figures.collusion_attack import error_chart, squares, trade_off_chart
from dpviz.figures.palette import TierStyle
from dpviz.figures.words import fixed, percent, significant
from dpviz.frames.collusion import INDEPENDENT, LOSSLESS, persons
from dpviz.mechanisms.attack import ATTACKED, MOST_PERSONS, Worlds, attack_worlds
from dpviz.mechanisms.budgets import Amount, resolve
from dpviz.ui import parts
from dpviz.ui.collusion_controls import View
from dpviz.ui.text import literal

Floats = NDArray[np.float64]
SEED = 7  # of everything simulated here; it is public
DRAWS, MOST_WORLDS = 400_000, 20_000
_KEPT, KEPT = "collusion_attacks", 6
AT = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
CURVE = np.concatenate([np.geomspace(1e-4, 0.02, 40), np.linspace(0.025, 1, 160)])
GREY_LOOK = TierStyle(0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """The simulated worlds of one coalition, and the noise levels of its persons."""

    levels: tuple[float, ...]
    worlds: int
    lossless: Worlds
    independent: Worlds


def section(shown: View) -> None:
    """Both attacks, or why there is none."""
    st.subheader("The attack made real", anchor=False)
    if shown.plan.setting.family.name not in ATTACKED:
        st.caption(
            "The attack is worked out for Gaussian and Laplace noise: choose one of them on the "
            "page Tiers, or look at the made-up example."
        )
    elif shown.persons > MOST_PERSONS:
        st.caption(
            f"Up to {MOST_PERSONS} persons are simulated, and {shown.persons:,} collude: switch "
            "off “Everybody of these tiers joins”, or tick fewer tiers."
        )
    else:
        found = attack(shown)
        left, right = st.columns(2, gap="medium")
        with left:
            _errors(shown, found)
        with right:
            _membership(shown, found)
        _squares(shown, found)


def simulated(shown: View) -> bool:
    """Whether this coalition can be simulated."""
    known = shown.plan.setting.family.name in ATTACKED
    return known and shown.persons <= MOST_PERSONS


def _question(shown: View) -> tuple[str, tuple[float, ...], float, int]:
    """Family, levels of the persons (the least private first), Δ and number of worlds."""
    setting = shown.plan.setting
    levels = tuple(
        resolve(shown.plan.letter, Amount(loss), setting).level
        for loss in persons(shown.members)[::-1]
    )
    moved = setting.sensitivity.l2 if shown.plan.letter == "ρ" else setting.sensitivity.l1
    return setting.family.name, levels, float(moved), min(MOST_WORLDS, DRAWS // len(levels))


def _path(shown: View) -> int:
    """The number of the stream below `SEED` that belongs to this question."""
    return zlib.crc32(repr(_question(shown)).encode())


def attack(shown: View) -> Attack:
    """Simulate, or take what was simulated for the same question."""
    key = _, levels, moved, worlds = _question(shown)
    kept: dict[Any, Attack] = st.session_state.setdefault(_KEPT, {})
    if key not in kept:
        rng, family = streams.teaching(SEED, _path(shown)), shown.plan.setting.family
        both = [
            attack_worlds(family, levels, moved, worlds, lossless=how, rng=rng)
            for how in (True, False)
        ]
        kept[key] = Attack(levels, worlds, *both)
    while len(kept) > KEPT:
        kept.pop(next(iter(kept)))
    return kept[key]


def code(shown: View) -> str:
    """The simulation with the library; defines `together` and `apart`. Empty if there is none."""
    if not simulated(shown):
        return ""
    name, levels, moved, worlds = _question(shown)
    return (
        "\nfrom dpviz import streams\nfrom dpviz.mechanisms.attack import attack_worlds\n"
        "from dpviz.noise import FAMILIES\n\n"
        f"rng = streams.teaching({SEED}, {_path(shown)})\n"
        f"levels = {list(levels)!r}  # of the persons, the least private first\n"
        "together, apart = (\n"
        f"    attack_worlds(FAMILIES[{name!r}], levels, {moved!r}, {worlds}, lossless=how, "
        "rng=rng)\n"
        "    for how in (True, False)\n)\n"
        "print(together.joining, apart.joining, together.success(), apart.success())\n"
    )


def _errors(shown: View, found: Attack) -> None:
    family, step = shown.plan.setting.family, shown.plan.setting.step
    variance = np.array([family.variance(level) for level in found.levels])
    theory = (
        step * np.sqrt(np.minimum.accumulate(variance)),
        step / np.sqrt(np.cumsum(1 / variance)),
    )
    seen = (step * found.lossless.joining, step * found.independent.joining)
    parts.chart(
        error_chart(
            (theory[0], seen[0]),
            (theory[1], seen[1]),
            style=shown.look(shown.last),
            noun=shown.noun,
        ),
        heading=f"Error of their best estimate, {literal(shown.noun)}",
        reading=f"Symbols: root mean square of estimate − exact number in {found.worlds:,} "
        "simulated worlds, weighted by 1/variance; lines: the formula. Lossless: nobody who joins "
        f"makes it smaller than {significant(theory[0][0])}. Independent: it falls to "
        f"{significant(theory[1][-1])}. The numbers looked for are made up.",
        alt=f"Error against persons. Lossless stays at {significant(theory[0][-1])}, independent "
        f"releases fall to {significant(theory[1][-1])}.",
        key="collusion_errors",
    )


def _membership(shown: View, found: Attack) -> None:
    plan, look = shown.plan, shown.look(shown.last)
    apart = plan.learned(persons(shown.members), INDEPENDENT).value
    curves = [(LOSSLESS, _trade_off(shown, shown.last.loss), look)]
    if plan.letter == "ρ":  # the joint curve of several Laplace releases has no closed form
        curves.append((INDEPENDENT, _trade_off(shown, apart), GREY_LOOK))
    marks = [
        (LOSSLESS, found.lossless.misses(AT), look),
        (INDEPENDENT, found.independent.misses(AT), GREY_LOOK),
    ]
    if shown.persons == 1:
        curves, marks = curves[:1], marks[:1]
    only = "" if plan.letter == "ρ" else " Independent Laplace releases: simulated only."
    parts.chart(
        trade_off_chart(CURVE, curves, AT, marks),
        heading="Is one certain person in the table? Misses against false alarms",
        reading="Lines: the best possible test; symbols: the simulated attacker. Misses: says "
        f"“out” of one who is in. Nearer to the dotted line: more private.{only}",
        alt=f"Trade-off curves. At 5 % false alarms the test misses "
        f"{percent(float(np.interp(0.05, CURVE, curves[0][1])))} under lossless release.",
        key="collusion_trade_off",
    )


def _trade_off(shown: View, loss: float) -> Floats:
    if shown.plan.letter == "ρ":
        return gaussian_trade_off(rho_to_mu(loss), CURVE)
    return laplace_trade_off(loss, CURVE)


def success(shown: View, loss: float) -> float:
    """Share of right guesses of the best membership test at even odds, at a joint budget."""
    if shown.plan.letter == "ρ":
        return (1 + gaussian_advantage(rho_to_mu(loss)).value) / 2
    return (1 + laplace_advantage(loss).value) / 2


def rights(shown: View, found: Attack) -> tuple[float, float]:
    """Share of right guesses, lossless and independent; the latter simulated for Laplace noise."""
    ours = success(shown, shown.last.loss)
    if shown.persons == 1:
        return ours, ours
    if shown.plan.letter == "ρ":
        return ours, success(shown, plan_sum(shown))
    return ours, found.independent.success()


def plan_sum(shown: View) -> float:
    """Joint budget of the coalition had its releases been independent."""
    return shown.plan.learned(persons(shown.members), INDEPENDENT).value


def _squares(shown: View, found: Attack) -> None:
    ours, theirs = rights(shown, found)
    look = shown.look(shown.last)
    st.markdown("**1,000 guesses “in” or “out”, for people of whom half are in**")
    columns = st.columns(2, gap="medium")
    each = ((LOSSLESS, ours, found.lossless), (INDEPENDENT, theirs, found.independent))
    for column, (name, share, worlds) in zip(columns, each, strict=True):
        count = round(1000 * share)
        with column:
            parts.chart(
                squares(count, style=look),
                heading="",
                reading=f"**{name.capitalize()}: {count} of 1,000 right**, {count - 500} more than "
                f"a coin. The simulated attacker: {fixed(1000 * worlds.success(), 0)}.",
                alt=f"{name}: {count} of 1,000 guesses are right, 500 of them by luck alone.",
                key=f"collusion_squares_{name}",
            )
    st.caption(
        "Grey: right, as a coin would be. Coloured: right because of the releases. Faint: wrong. "
        "The attacker knows all but whether this one person is in: nobody can do better."
    )
