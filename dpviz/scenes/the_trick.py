"""How the trick works: one session of the made-up town, its path, and many runs.

Who asks are the tiers of the cast, in its order. The town is invented, so its truth may be shown.
What might have been drawn is drawn by forks of the session, and what many runs would give by one
session of equal counts. The numbers are those of the front page: one draw, not a typical one.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.accounting.levels import gaussian_level
from dpviz.noise.bridge_law import release_law
from dpviz.palette import TierStyle
from dpviz.planning import cast
from dpviz.planning.cast import ASKING, AUDIT, ILL, PARTNERS, PUBLIC, RESEARCH
from dpviz.release import MultipleRelease
from dpviz.scenes.lessons import SEED, USUAL, Settings, joint, session_on
from dpviz.scenes.threads import (
    GAUSSIAN,
    HELD,
    LARGE,
    SD,
    VALUE,
    Mark,
    State,
    half_of,
    hanging_frame,
    threads_frame,
)
from dpviz.words import pm, rounded_up

TIERS = (AUDIT, RESEARCH, PARTNERS, PUBLIC)  # the sharpest first
COURT, MAYOR = "the court", "the mayor"  # who may ask later
LATER = (COURT, MAYOR)
# They are no tiers of the cast, and do not look like them.
RHO = cast.RHO | {COURT: 1.0, MAYOR: 0.15}
STYLE = cast.STYLES | {COURT: TierStyle(12, 5), MAYOR: TierStyle(1, 11)}
TRUTH = (f"the truth: {ILL}", float(ILL))
ERASED = "erased"
STEP, COARSE = 0.022, 0.045  # of the path, in sd; of a possible one, which is to be seen through
OTHERS, RUNS = 12, 10_000  # possible paths; runs of the town
ORDERS = {"audit first": TIERS, "public first": TIERS[::-1]}
FIRST, OTHER = ORDERS
BLURS = {pm(half_of(RHO[name])): name for name in TIERS}  # how far a path goes
CONE = half_of(0.5)  # its half width, in standard deviations: at this budget one is 1
CLOSE = 1e-9  # between noise levels that are one
STRAND = "strand"
STRANDS = (STRAND, SD, VALUE)
ORDER, PLACE, COUNT = "order", "place", "runs"
HEAPS = (ORDER, PLACE, COUNT)
BINS, REACH = 35, 3.5  # of a heap; standard deviations to each side
Floats = NDArray[np.float64]
Path = dict[float, float]  # noise level → number


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One draw of all that the lesson shows.

    Attributes:
        here: each tier's number, from one session.
        path: its path, from the truth to the public's number.
        free: other paths from the truth.
        runs: numbers of the tiers in many runs, by the order of asking.
    """

    here: dict[str, float]
    path: Path
    free: list[Path]
    runs: dict[str, dict[str, Floats]]


def level(name: str) -> float:
    """Noise level of one who asks."""
    return gaussian_level(RHO[name], 1.0)


def sd(name: str) -> float:
    """Standard deviation of the noise of one who asks."""
    return math.sqrt(level(name))


def draw(seed: int) -> Draw:
    """Draw everything, from sessions below one seed."""
    session = session_on(float(ILL), seed, 0)
    free = _others(session)
    for name in ASKING:
        session.release(level(name))
    here = {name: float(session.held[level(name)][0]) for name in TIERS}
    path = _path(session, STEP)
    runs = {order: _runs(order, seed, k) for k, order in enumerate(ORDERS)}
    return Draw(here=here, path=path, free=free, runs=runs)


def _path(session: MultipleRelease, step: float) -> Path:
    """What a session draws at every level up to the public's; the truth is at level 0."""
    end = sd(PUBLIC)
    for at in np.linspace(0.0, end, round(end / step))[1:-1].tolist():
        session.release(at**2)
    held: Mapping[float, Floats] = session.held
    return {0.0: float(ILL)} | {at: float(x[0]) for at, x in held.items()}


def _others(session: MultipleRelease) -> list[Path]:
    """How the path might go, before anything is drawn."""
    forks = [session.fork(independent_noise=True) for _ in range(OTHERS)]
    for fork in forks:
        fork.release(level(PUBLIC))
    return [_path(fork, COARSE) for fork in forks]


def _runs(order: str, seed: int, which: int) -> dict[str, Floats]:
    """The town asked in one order, many times."""
    town = np.full(RUNS, float(ILL))
    session = MultipleRelease(town, GAUSSIAN, rng=streams.teaching(seed, 1 + which))
    return {name: session.release(level(name)) for name in ORDERS[order]}


def strands_frame(paths: Iterable[Mapping[float, float]], blurred: float = np.inf) -> pd.DataFrame:
    """Paths of noise, number by number; columns strand, sd, value.

    Args:
        paths: each has the number at every noise level; level 0 is the truth.
        blurred: the largest standard deviation that is shown.

    >>> strands_frame([{0.0: 312.0, 4.0: 310.5, 9.0: 309.0}], blurred=2.0)["value"].tolist()
    [312.0, 310.5]
    """
    rows = [
        (strand, np.sqrt(at), path[at])
        for strand, path in enumerate(paths)
        for at in sorted(path)
        if np.sqrt(at) <= blurred + CLOSE
    ]
    return pd.DataFrame(rows, columns=list(STRANDS))


# --- a path, and strings between numbers ---


@dataclass(frozen=True, slots=True, kw_only=True)
class PathScene:
    """Numbers, paths and bands, the draw they show, and what the visitor wants to see.

    Attributes:
        frame: the numbers, as `threads_frame` makes them.
        path: what is shown of the path that was drawn.
        possible: other paths.
        string: bands in which one more number may fall.
        drawn: the draw.
        settings: what the visitor wants to see.
    """

    frame: pd.DataFrame
    path: pd.DataFrame
    possible: pd.DataFrame
    string: pd.DataFrame | None = None
    drawn: Draw
    settings: Settings


def mark(name: str, value: float | None = None, state: State = HELD) -> Mark:
    """The mark of one who asks, under its name and with its look and budget."""
    return Mark(who=name, rho=RHO[name], style=STYLE[name], value=value, state=state)


def the_path(made: Draw, settings: Settings) -> PathScene:
    """The path as far as the noise goes, and the tiers that it has passed."""
    end = sd(BLURS[settings.chosen]) if settings.chosen in BLURS else 0.0
    passed = {name: made.here[name] if sd(name) <= end else None for name in TIERS}
    return PathScene(
        frame=threads_frame([mark(name, x) for name, x in passed.items()], TRUTH),
        path=strands_frame([made.path], blurred=end),
        possible=strands_frame(made.free, blurred=end),
        drawn=made,
        settings=settings,
    )


def walking_on(made: Draw, settings: Settings) -> PathScene:
    """Research has a number; the public's is to come, or drawn within bands below research's."""
    here, done = made.here, settings.done
    public = mark(PUBLIC, here[PUBLIC], LARGE) if done else mark(PUBLIC)
    return PathScene(
        frame=threads_frame([mark(RESEARCH, here[RESEARCH]), public], TRUTH),
        path=strands_frame([made.path], blurred=sd(PUBLIC if done else RESEARCH)),
        possible=strands_frame([]),
        string=hanging_frame(RHO[RESEARCH], here[RESEARCH], RHO[PUBLIC]) if done else None,
        drawn=made,
        settings=settings,
    )


def in_between(made: Draw, settings: Settings) -> PathScene:
    """Research and the public have numbers; that of partners is to come, or drawn in between."""
    here, done = made.here, settings.done
    between = mark(PARTNERS, here[PARTNERS], LARGE) if done else mark(PARTNERS)
    held = [mark(name, here[name]) for name in (RESEARCH, PUBLIC)]
    ends = RHO[RESEARCH], here[RESEARCH], RHO[PUBLIC], here[PUBLIC]
    return PathScene(
        frame=threads_frame([held[0], between, held[1]], TRUTH),
        path=strands_frame([made.path], blurred=sd(PUBLIC if done else RESEARCH)),
        possible=strands_frame([]),
        string=hanging_frame(*ends) if done else None,
        drawn=made,
        settings=settings,
    )


def noise_between(top: str, foot: str) -> float:
    """± of the noise from the number of one to that of a noisier one."""
    wide, narrow = (half_of(RHO[name]) for name in (foot, top))
    return math.sqrt(wide**2 - narrow**2)


def of_partners(here: Mapping[str, float]) -> tuple[float, float]:
    """The middle of where partners' number falls, and its ±."""
    ends = (here[RESEARCH], here[PUBLIC])
    law = release_law(GAUSSIAN, *ends, level(RESEARCH), level(PARTNERS), level(PUBLIC))
    low, middle, high = law.quantile(np.array([0.025, 0.5, 0.975])).tolist()
    return middle, (high - low) / 2


# --- the order of asking ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Where research's number lands in many runs, in one order of asking and in the other.

    Attributes:
        frame: as `heaps_frame` makes it.
        half: ± of research's number as it is written, so that at least 95 of 100 runs are within.
        near: runs within ± of the truth, by order.
        single: the number of the first run, by order.
        settings: what the visitor wants to see.
    """

    frame: pd.DataFrame
    half: float
    near: dict[str, int]
    single: dict[str, float]
    settings: Settings


def many_runs(made: Draw, settings: Settings) -> Runs:
    """Research's number in many runs of both orders."""
    x = {order: run[RESEARCH] for order, run in made.runs.items()}
    half = rounded_up(half_of(RHO[RESEARCH]), 2)
    return Runs(
        frame=heaps_frame(x, float(ILL), level(RESEARCH)),
        half=half,
        near={order: int(np.sum(np.abs(each - ILL) <= half)) for order, each in x.items()},
        single={order: float(each[0]) for order, each in x.items()},
        settings=settings,
    )


def heaps_frame(runs: Mapping[str, Floats], middle: float, noise: float) -> pd.DataFrame:
    """How many runs land where, by order of asking.

    Columns: order, place (middle of a bin), runs. Runs beyond the outer bins are counted in no bin.

    Args:
        runs: the numbers of each order, equally many.
        middle: of the exact distribution.
        noise: its noise level, a variance.

    Raises:
        ParameterError: the level is not above 0.

    >>> frame = heaps_frame({"one": np.array([0.0, 0.1])}, 0.0, 1.0)
    >>> int(frame.loc[frame["order"] == "one", "runs"].sum())
    2
    """
    checks.positive(noise=noise)
    reach = REACH * np.sqrt(noise)
    edges = np.linspace(middle - reach, middle + reach, BINS + 1)
    places = (edges[:-1] + edges[1:]) / 2
    parts = [
        pd.DataFrame({ORDER: order, PLACE: places, COUNT: np.histogram(x, edges)[0].astype(float)})
        for order, x in runs.items()
    ]
    return pd.concat(parts, ignore_index=True)


# --- sealing ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What is left of the numbers, and who can still ask.

    Attributes:
        frame: the numbers, as `threads_frame` makes them.
        strings: bands in which later numbers may fall, and the look of whose number it is.
        can_ask: whether each who has no number can be given one.
        drawn: the draw.
        settings: what the visitor wants to see.
    """

    frame: pd.DataFrame
    strings: list[tuple[pd.DataFrame, TierStyle]]
    can_ask: dict[str, bool]
    drawn: Draw
    settings: Settings


def sealing(made: Draw, settings: Settings) -> Sealed:
    """Four numbers, two who may ask later, and what a session would do for them."""
    here, done = made.here, settings.done
    session = session_on(float(ILL), SEED, 0)
    for name in TIERS:
        session.release(level(name))
    if done:
        session.seal(level(AUDIT))
    can_ask = {name: session.neighbours(level(name))[0] is not None for name in LATER}
    strings = {
        COURT: hanging_frame(math.inf, float(ILL), RHO[AUDIT], here[AUDIT]),
        MAYOR: hanging_frame(RHO[PARTNERS], here[PARTNERS], RHO[PUBLIC], here[PUBLIC]),
    }
    rows = [*(mark(name, here[name]) for name in TIERS), *map(mark, LATER)]
    return Sealed(
        frame=threads_frame(rows, (ERASED, TRUTH[1]) if done else TRUTH),
        strings=[(strings[name], STYLE[name]) for name in LATER if can_ask[name]],
        can_ask=can_ask,
        drawn=made,
        settings=settings,
    )


# --- a second question ---


def questions(count: int) -> float:
    """The budget of the auditors' numbers about several questions, each with a path of its own."""
    return joint(count * (RHO[AUDIT],), USUAL)
