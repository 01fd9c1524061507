"""What the players of the game see of each broken sampler: two numbers a run, one dot.

A scene is a way to look at samplers in which the broken one draws another cloud than the right one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.charts.tidy import Floats
from dpviz.experiments.audit_events import DIGIT, Seen
from dpviz.experiments.audit_histogram import HIDDEN, HistogramCells
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.broken.table import TWINS
from dpviz.noise import ADDITIVE
from dpviz.release import MultipleRelease

SCALES = (1.0, 2.6, 2.0)  # in the order of asking: the last two are equal in 59 % of the runs
ONCE = 2.0  # scale of a number that is asked for twice
CELLS = 20_000  # of a histogram at a time
COARSE, FINE = 6.0, -60.0  # places of a last binary digit that are told apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """How samplers are looked at.

    Attributes:
        across: what the first number of a dot is.
        up: what the second one is.
        reading: what a right sampler looks like.
        hint: where to look, for one who guessed wrong.
        drawn: dots of a sampler, broken or right: shape (runs, 2).
    """

    across: str
    up: str
    reading: str
    hint: str
    drawn: Callable[[str, bool, int, np.random.Generator], Floats]


def _tiers(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    return _held(SCALES, SCALES[:0:-1], twin, broken, size, rng)


def _twice(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    return _held((ONCE,), (ONCE, ONCE), twin, broken, size, rng)


def _held(
    order: tuple[float, ...],
    held: tuple[float, ...],
    twin: str,
    broken: bool,
    size: int,
    rng: np.random.Generator,
) -> Floats:
    """Errors of two numbers of one session."""
    wrong = TWINS[twin].wrong
    opens = wrong.open_releases if broken and isinstance(wrong, Coalition) else MultipleRelease
    game = Coalition(ADDITIVE["laplace"], order, held, open_releases=opens)
    return np.asarray(game(False, size, rng=rng))


def _digits(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    """Numbers, and the place of the last binary digit of each."""
    game = TWINS[twin].wrong if broken else TWINS[twin].right
    numbers = np.asarray(game(True, size, rng=rng))
    places = Seen(DIGIT, (0,)).of(numbers).clip(FINE, COARSE)
    return np.stack([numbers[:, 0], places], axis=1)


def _shown(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    """Items that nobody has, hidden at first, shown then: how far above the threshold; the run."""
    game = TWINS[twin].wrong if broken else TWINS[twin].right
    assert isinstance(game, HistogramCells)
    found = np.empty(0)
    while found.size < size:
        values = np.asarray(game(False, CELLS, rng=rng))
        late = (values[:, 0] == HIDDEN) & (values[:, 1] != HIDDEN)
        found = np.concatenate([found, values[late, 1] - game.thresholds[1]])
    return np.stack([found[:size], np.arange(1.0, size + 1)], axis=1)


_TIERS = Scene(
    across="sharper number’s error",
    up="blurrier number’s error",
    reading="Three noise makers are right: in 6 of 10 runs both tiers get the same number, so the "
    "dots lie on the diagonal. One made a mistake.",
    hint="Count the dots that lie exactly on the diagonal, and look how wide each cloud is.",
    drawn=_tiers,
)
_TWICE = Scene(
    across="first answer’s error",
    up="second answer’s error",
    reading="Each dot is one number that was asked for twice. A right noise maker gives the "
    "same answer again; one of the four does not.",
    hint="Look for dots off the diagonal.",
    drawn=_twice,
)
SCENES = {
    **dict.fromkeys(("small", "fresh", "copying bridge", "straight bridge", "Lemma F.5"), _TIERS),
    **dict.fromkeys(("redraw", "copies"), _TWICE),
    "floats": Scene(
        across="number",
        up="place of its last binary digit",
        reading="Three noise makers draw whole numbers, whose last binary digit stands at 0 or "
        "above. One draws numbers with a long tail of digits.",
        hint="Look for dots far below 0: digits that fine can tell what the exact number was.",
        drawn=_digits,
    ),
    "Algorithm 6": Scene(
        across="above the threshold",
        up="run",
        reading="Each dot is an item that nobody has: hidden in a first release, shown in the "
        "second. The right noise makers spread its number; one does not.",
        hint="Look how near the dots are to the threshold, at the left edge.",
        drawn=_shown,
    ),
}
ROUNDS = (  # the mistakes, in the order in which they are played; neighbours look different
    *("fresh", "redraw", "copying bridge", "floats", "small"),
    *("Algorithm 6", "straight bridge", "copies", "Lemma F.5"),
)
