"""Variances: what separate noise would cost every tier, at the same promise for all together.

`variances` and `ways` make the numbers; the drawer of the page shows their source. `Question` asks
for measured variances: from the exact law of Gaussian noise at once, else by a worker (`jobs.py`).
"""

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from dpviz import streams
from dpviz.accounting import scheme_budgets, scheme_levels, scheme_rule, scheme_variances
from dpviz.accounting.guarantees import Guarantee, Setting, guarantee_of
from dpviz.accounting.scheme_variances import CONVOLVED
from dpviz.accounting.schemes import AVERAGED, DOUBLING, INDEPENDENT, LOSSLESS, SPLITTING
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances, exact_law_variances, interval
from dpviz.noise.family import NORMAL
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.scenes.jobs import SEED
from dpviz.workspace import account
from dpviz.workspace.guesses import CorrectGuesses, right_of_epsilon, right_of_rho
from dpviz.workspace.takeaways import unit_after
from dpviz.workspace.workspace import Workspace

LINES = (LOSSLESS, SPLITTING, INDEPENDENT, DOUBLING)  # [LMR25, Figure 2]
WAYS = (LOSSLESS, SPLITTING, INDEPENDENT)  # the page draws the first and the last
COLUMNS = ("scheme", "place", "budget", "part", "level", "variance", "factor")
MEASURED = ("scheme", "place", "budget", "variance", "low", "high", "factor")
EXACT, DIRECT = "exact", "direct"  # how variances are measured
SAME = 1e-9  # relative, between two numbers that are equal but for rounding


def variances(
    losses: Sequence[float], setting: Setting, schemes: Sequence[str] = LINES
) -> pd.DataFrame:
    """Return the noise of every tier under each scheme, at the same joint promise.

    Args:
        losses: the budget of each tier, ascending; the largest is that of all together.
        setting: the family whose budgets they are, and the statistic.
        schemes: which, in which order.

    Returns:
        A row per scheme and tier. part: what the tier's own release keeps of the joint budget;
        variance: in squared units; factor: by that of lossless release.

    Raises:
        ParameterError: budgets descend, or the family has no noise for a part of them.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> variances([0.1, 0.4], ONE_NUMBER)["factor"].round(2).tolist()
    [1.0, 1.0, 1.0, 1.33, 1.25, 1.25, 1.75, 1.75]
    """
    if list(losses) != sorted(losses):
        raise ParameterError("tiers must ascend by budget; sort them first")
    ours, frames = scheme_variances(losses, LOSSLESS, setting=setting), []
    for scheme in schemes:
        levels = scheme_levels(losses, scheme, setting=setting)
        noise = scheme_variances(losses, scheme, setting=setting)
        parts = [float(part) for part in scheme_budgets(losses, scheme)]
        if scheme_rule(losses, scheme, setting=setting) == CONVOLVED:
            parts = [guarantee_of(setting.family).loss(t, setting) for t in levels.tolist()]
        tiers = pd.DataFrame({"scheme": scheme, "place": range(len(losses)), "budget": losses})
        frames.append(tiers.assign(part=parts, level=levels, variance=noise, factor=noise / ours))
    return pd.concat(frames, ignore_index=True)


def ways(losses: Sequence[float], setting: Setting) -> pd.DataFrame:
    """Return the noise of every tier three ways, and how far off 95 % of its numbers are at most.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> ways([0.1, 0.4], ONE_NUMBER)["half_width"].round(2).tolist()
    [4.38, 2.19, 4.38, 2.53, 4.9, 2.45]
    """
    made = variances(losses, setting, WAYS)
    half = [usual_half_width(setting.family, t, setting.step) for t in made["level"].tolist()]
    return made.assign(half_width=half)


def at(frame: pd.DataFrame, scheme: str, place: int) -> "pd.Series[float]":
    """The row of one scheme and tier.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> float(at(variances([0.1, 0.4], ONE_NUMBER), "splitting", 1)["part"])
    0.3
    """
    return frame[(frame["scheme"] == scheme) & (frame["place"] == place)].iloc[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Tiers, most private first, and what their budgets refer to."""

    names: tuple[str, ...]
    losses: tuple[float, ...]
    styles: tuple[TierStyle, ...]
    setting: Setting
    unit: str  # after a number
    one: str  # what is protected, such as "person"

    @property
    def promise(self) -> Guarantee:
        """What the noise of these tiers promises."""
        return guarantee_of(self.setting.family)

    @property
    def delta(self) -> float:
        """The δ at which the budgets hold; 0 where they hold without one."""
        return self.setting.delta if self.promise.with_delta else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Variances:
    """What each way of serving the tiers costs one of them, and what all ways promise alike."""

    ladder: Ladder
    place: int  # of the tier, from 0 at the most private one
    ways: pd.DataFrame  # as `ways` gives it
    times: float  # by how much its standard deviation is larger with separate noise
    averaged: float  # the same where tiers average independent pieces
    right: CorrectGuesses  # guesses about one person from the numbers of all tiers together

    @property
    def tier(self) -> str:
        """Name of the tier."""
        return self.ladder.names[self.place]

    def half(self, scheme: str, place: int | None = None) -> float:
        """How far off 95 % of a tier's numbers are at most, by default of this one."""
        return float(at(self.ways, scheme, self.place if place is None else place)["half_width"])

    def rule(self, scheme: str) -> str:
        """How a scheme is held to the joint budget, as `scheme_rule` says it."""
        return scheme_rule(self.ladder.losses, scheme, setting=self.ladder.setting)


def plan_of(ws: Workspace) -> tuple[Ladder, list[str]]:
    """The tiers of a visitor's plan, and a sentence on each that cannot be compared."""
    planned, problems = ws.planned()
    known, left_out = account.at_plan(ws, planned)
    query = ws.statistic.query
    ladder = Ladder(
        names=tuple(p.name for p, _ in known),
        losses=tuple(loss for _, loss in known),
        styles=tuple(ws.plan.style_of(p.name) for p, _ in known),
        setting=ws.setting,
        unit=unit_after(query),
        one=query.nouns.one,
    )
    return ladder, [*problems[:1], *left_out]


def scene(ladder: Ladder, place: int) -> Variances:
    """All numbers of the page for one tier of a ladder of two or more.

    Raises:
        ParameterError: the family has no noise for one of the parts.
    """
    losses, setting = ladder.losses, ladder.setting
    made = ways(losses, setting)
    pieces = scheme_variances(losses, AVERAGED, setting=setting)[place]
    ours = scheme_variances(losses, LOSSLESS, setting=setting)[place]
    exact = ladder.promise.letter == "ρ" and setting.family.shape == NORMAL
    right = right_of_rho(losses[-1]) if exact else right_of_epsilon(losses[-1], ladder.delta)
    return Variances(
        ladder=ladder,
        place=place,
        ways=made,
        times=math.sqrt(float(at(made, INDEPENDENT, place)["factor"])),
        averaged=math.sqrt(float(pieces) / float(ours)),
        right=right,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One measurement: two lists of levels, how often, and how.

    Each has a stream of its own, so that the same question shows the same marks. No data enters.
    """

    family_name: str = field(repr=False)  # its stream does not depend on it
    lossless: tuple[float, ...]
    baseline: tuple[float, ...]
    repetitions: int
    method: str

    @property
    def path(self) -> int:
        """The number of the stream below `SEED` that belongs to this question."""
        return zlib.crc32(repr(self).encode())

    def exact(self) -> SampleVariances:
        """Draw from the exact law of Gaussian noise: instant."""
        rng = streams.teaching(SEED, self.path)
        return exact_law_variances(self.lossless, self.baseline, self.repetitions, rng=rng)

    @property
    def settings(self) -> tuple[str, tuple[float, ...], tuple[float, ...], int, int]:
        """What `jobs.measurement` needs to draw every repetition through the sampler."""
        return self.family_name, self.lossless, self.baseline, self.repetitions, self.path


def measured(
    frame: pd.DataFrame, baseline: str, found: SampleVariances, setting: Setting
) -> pd.DataFrame:
    """Sample variances with their 95 % intervals, lossless first, columns `MEASURED`.

    Args:
        frame: as `variances` gives it.
        baseline: the scheme that was measured beside the lossless one.
        found: the sample variances in squared steps, tiers ascending.
        setting: that of the frame.

    Returns:
        Factors are by the lossless variance of the formula.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> found = SampleVariances(np.array([5.1]), np.array([5.1]), 10_000)
    >>> measured(variances([0.1], ONE_NUMBER), "splitting", found, ONE_NUMBER)["factor"].tolist()
    [1.02, 1.02]
    """
    family, unit, parts = setting.family, setting.step**2, []
    for scheme, steps in ((LOSSLESS, found.lossless), (baseline, found.baseline)):
        rows, sample = frame[frame["scheme"] == scheme], steps * unit
        kurtosis = np.array(
            [family.fourth_moment(x) / family.variance(x) ** 2 for x in rows["level"].tolist()]
        )
        low, high = interval(sample, found.repetitions, ACCURACY_CONFIDENCE, kurtosis=kurtosis)
        ours = rows["variance"].to_numpy() / rows["factor"].to_numpy()
        own = {"variance": sample, "low": low, "high": high, "factor": sample / ours}
        parts.append(rows.assign(**own))
    return pd.concat(parts, ignore_index=True)[list(MEASURED)]
