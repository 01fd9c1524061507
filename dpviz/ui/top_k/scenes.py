"""The examples of the page Top-k, drawn; and lists of either kind drawn a hundred times.

What is drawn here is made up, or simulated from counts that are on screen; a list of the visitor's
is drawn in the workspace.
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace

import numpy as np

from dpviz import streams
from dpviz.charts.top_k.frame import ranked
from dpviz.experiments.top_k import Repetitions, repeated_histograms, repeated_lists
from dpviz.release import MultipleRelease
from dpviz.top_k import TopK, TruncatedHistogram, UnknownDomain, truncation
from dpviz.top_k.choice import HISTOGRAM, TRUNCATED, Choice
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.ui.top_k.examples import Example
from dpviz.ui.top_k.view import GAUSSIAN, SEED, SEEN, Asked, Found, Scene

REPETITIONS = 100
_AGAIN = Slot("topk_again", lambda: 0)
_DRAWN = Shelf[Found]("topk_drawn")
_REPEATED = Shelf[Repetitions]("topk_repeated")


def example_scene(example: Example, asked: Asked, best: Choice, choice: Choice) -> Scene:
    """An example with the list that was drawn of it; drawn once and kept."""
    counts, again = example.make(), _AGAIN.get()
    key = example.things, asked, choice.mechanism, again
    found = _DRAWN.take(key, lambda: drawn(counts, asked, choice, again))
    return Scene(
        things=example.things,
        thing=example.thing,
        noun="people",
        asked=asked,
        best=best,
        choice=choice,
        found=found,
        counts=counts,
        example=example,
        again=again,
    )


def draw_again() -> None:
    """Another list of the example, by fresh noise."""
    _AGAIN.set(_AGAIN.get() + 1)


def drawn(counts: Mapping[str, int], asked: Asked, choice: Choice, again: int) -> Found:
    """One list and its counts."""
    rng = streams.teaching(SEED, again)
    if choice.mechanism == HISTOGRAM:
        names = sorted(counts)
        session = MultipleRelease(np.array([counts[name] for name in names]), GAUSSIAN, rng=rng)
        values = session.release(choice.value_sigma**2)
        best = np.argsort(-values, kind="stable")[: asked.k]
        return Found(
            items=tuple(names[place] for place in best),
            values=values[best],
            asked=asked.k,
            ended=False,
        )
    if choice.mechanism == TRUNCATED and choice.log_hidden is not None:
        histogram = TruncatedHistogram(
            counts,
            sigma=choice.scale,
            log_delta=choice.log_hidden,
            reach=asked.reach,
            whole=True,
            rng=rng,
        )
        common = histogram.release()
        items = tuple(map(str, common.items[: asked.k]))
        return Found(
            items=items,
            values=common.values[: asked.k],
            asked=asked.k,
            ended=len(items) < asked.k,
        )
    top = TopK(
        counts, epsilon=choice.step or 1, reach=asked.reach, unknown=unknown(choice), rng=rng
    )
    ranking = top.rank(asked.k)
    items = tuple(map(str, ranking.items))
    if not items:
        return Found(items=items, values=None, asked=asked.k, ended=ranking.ended)
    counted = top.values(GAUSSIAN, rng=streams.teaching(SEED, again, 1))
    noisy = counted.release(choice.value_sigma**2)
    return Found(items=items, values=noisy, asked=asked.k, ended=ranking.ended)


def unknown(choice: Choice) -> UnknownDomain | None:
    """How a list that can end is drawn; None of another."""
    if choice.log_hidden is None or choice.step is None:
        return None
    return UnknownDomain(seen=SEEN, log_delta=choice.log_hidden)


def repeated(scene: Scene, key: Hashable) -> Repetitions | None:
    """The list drawn a hundred times at the same settings; None where there are no counts.

    Args:
        scene: whose counts may be shown.
        key: what the counts are of.
    """
    counts = scene.counts
    if not counts:
        return None
    asked = replace(scene.asked, k=scene.true_k)
    whole_key = key, asked, scene.choice.mechanism
    return _REPEATED.take(whole_key, lambda: _repeated(counts, asked, scene.choice))


def _repeated(counts: Mapping[str, int], asked: Asked, choice: Choice) -> Repetitions:
    falling = np.array([counts[item] for item in ranked(counts)], dtype=float)
    rng = streams.teaching(SEED, 0, 2)
    if choice.step is None:
        cut = None
        if choice.log_hidden is not None:
            cut = truncation(choice.scale, asked.reach.linf, choice.log_hidden)
        return repeated_histograms(
            falling,
            asked.k,
            sigma=choice.scale,
            repetitions=REPETITIONS,
            rng=rng,
            cut=cut,
            threshold=choice.threshold,
        )
    end = None
    if choice.threshold is not None:
        beyond = float(falling[SEEN]) if falling.size > SEEN else 0.0
        end, falling = beyond + choice.threshold, falling[: max(SEEN, asked.k)]
    return repeated_lists(
        falling,
        asked.k,
        scale=choice.scale,
        family=GAUSSIAN,
        level=choice.value_sigma**2,
        repetitions=REPETITIONS,
        rng=rng,
        end=end,
    )


def average_missed(made: Repetitions) -> tuple[float, float]:
    """How many of the true k most common items such a list misses: mean, and of it the error."""
    missed = made.missed
    return float(missed.mean()), float(missed.std()) / math.sqrt(missed.size)
