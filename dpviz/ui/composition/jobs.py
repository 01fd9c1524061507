"""The lines of the page Composition, as workers compute them: questions in, rows out."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from dpviz.charts.composition import points
from dpviz.charts.composition.points import Point
from dpviz.parameters import exact
from dpviz.workspace.composition import ANSWERS, Part

ALONG, CHOICES, DELTA = "answers given", "best of a list", "δ"

Row = tuple[str, Fraction, Fraction, int]  # kind of answer, budget, δ of each, how many


def rows_of(parts: Iterable[Part]) -> tuple[Row, ...]:
    """The parts without their notes, as a worker takes them."""
    return tuple((p.answer.name, exact(p.budget), exact(p.delta), p.count) for p in parts)


def lines(
    over: str, rows: tuple[Row, ...], epsilon: Fraction | None, delta: Fraction, granted: str
) -> Iterator[tuple[float, tuple[Point, ...]]]:
    """Compute the total over one thing that changes.

    Args:
        over: what changes.
        rows: the sequence, as `rows_of` gives it.
        epsilon: of each answer that is or is not the best of a list; without one over others only.
        delta: of all together.
        granted: what may depend on earlier answers.
    """
    kinds = {answer.name: answer for answer in ANSWERS}
    parts = [
        Part(answer=kinds[name], budget=budget, delta=own, count=count)
        for name, budget, own, count in rows
    ]
    if over == DELTA:
        yield 1.0, points.over_delta(parts, delta, granted)
    elif over == CHOICES and epsilon is not None:
        many = sum(part.count for part in parts)
        yield 1.0, points.over_choices(epsilon, many, delta, granted)
    else:
        yield 1.0, points.along(parts, delta, granted)
