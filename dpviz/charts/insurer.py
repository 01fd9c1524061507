"""Be the insurer: the number of a town between two piles of towns that were guessed, and scores.

Left and right is the number; a town piles up above the line if its Maria was ill, and below it if
she was not. A right guess is filled.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import dotted, note, rule
from dpviz.charts.threads import BOTTOM, TOP, number_of
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.planning.cast import TOWNS
from dpviz.scenes.insurer import GAMES, HALFWAY, MINE, RIGHT, SCORES, Game, Town
from dpviz.words import fixed

HEIGHT = 300  # pixels: below it stand two large buttons
COLUMN = 1.0  # people that share a pile: none has both of what is nearer to either count
LEAST = 6  # towns in a pile for which there is room anyway
MARK, LARGE = 11, 20  # pixels: a town that was guessed at most, the one that waits
LANE = 176  # pixels of the plot within which the piles stand, both together
BAR = 0.35  # opacity
YOURS, ONE_OF_YOURS = "your rounds", "one round of yours"
LINE = 0.86  # of the plot: the line ends below what the town says, which is not about it
FIRST = 1.6  # towns from the line to the middle of the first of a pile


def piles(game: Game, *, reach: float, ticks: Mapping[float, str]) -> go.Figure:
    """Draw the town that waits for a guess, and those of the round that were guessed.

    Args:
        game: what was played.
        reach: people to either side of the middle between the two counts.
        ticks: words at places of the horizontal axis.

    Raises:
        ParameterError: `reach` is not positive.

    >>> from dpviz.scenes.insurer import game
    >>> fig = piles(game(7, None, [True, False]), reach=9.0, ticks={312.0: "312"})
    >>> [trace.name for trace in fig.data]
    ['Maria ill', 'Maria not ill', 'the town']
    """
    checks.positive(reach=reach)
    shown = [(game.towns[k], game.hits[k]) for k in game.round]
    places = _piled([town for town, _ in shown])
    high = max([LEAST, *(abs(y) for _, y in places)]) + FIRST
    size = min(MARK, 0.9 * LANE / (2 * high))
    right = f"right: <b>{game.right} of {len(game.round)}</b>"
    drawn = [_lane(shown, places, ill, size) for ill in (True, False)]
    notes = [
        note(words, 0, y, xref="paper", yanchor=anchor, font={"size": 15})
        for words, y, anchor in (
            ("towns where Maria was <b>ill</b>", high, "top"),
            ("towns where Maria was <b>not ill</b>", -high, "bottom"),
        )
    ]
    edge = {"xref": "paper", "xanchor": "right", "yanchor": "top", "font": {"size": 15}}
    notes += [note(right, 1, high, **edge)] if game.round else []
    if game.waits:
        said = game.towns[len(game.guesses)].said
        drawn.append(_waiting(said))
        beyond = (said - HALFWAY) / reach
        side = "right" if beyond > 0.5 else "left" if beyond < -0.5 else "center"
        words = f"the town says <b>{written(said, game.rho)}</b>"
        place = {"xanchor": side, "yanchor": "bottom", "yref": "paper", "font": {"size": 18}}
        notes.append(note(words, said, 1, **place))
    hidden = {"visible": False, "fixedrange": True, "range": (-high, high)}
    across = {"range": (HALFWAY - reach, HALFWAY + reach), "showgrid": False, "fixedrange": True}
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(0), dotted(HALFWAY) | {"y1": LINE}],
        "xaxis": across | {"tickvals": list(ticks), "ticktext": list(ticks.values())},
        "yaxis": hidden,
    }
    return go.Figure(data=drawn, layout=layout)


def written(said: float, rho: float | None) -> str:
    """The number as a town reports it: without noise a whole one.

    >>> written(312.0, None), written(312.0, 0.1)
    ('312', '312.0')
    """
    return number_of(said) if rho is not None else fixed(said, 0)


def _piled(played: Sequence[Town]) -> list[tuple[float, float]]:
    """Where each town stands: in the column of its number, beyond those before it."""
    heights: dict[tuple[bool, int], int] = {}
    places = []
    for town in played:
        column = round(town.said / COLUMN)
        above = heights[town.ill, column] = heights.get((town.ill, column), 0) + 1
        y = above - 1 + FIRST
        places.append((column * COLUMN, y if town.ill else -y))
    return places


def _lane(
    shown: Sequence[tuple[Town, bool]],
    places: Sequence[tuple[float, float]],
    ill: bool,
    size: float,
) -> go.Scatter:
    """The towns on one side of the line; ink if Maria is ill there, grey if not."""
    rows = [
        (x, y, hit, town)
        for (town, hit), (x, y) in zip(shown, places, strict=True)
        if town.ill == ill
    ]
    marker: dict[str, Any] = {
        "opacity": 1,
        "size": [size if hit else size - 2 for *_, hit, _ in rows],  # its line is outside
        "symbol": ["circle" if hit else "circle-open" for *_, hit, _ in rows],
        "line": {"width": [0 if hit else 2 for *_, hit, _ in rows]},
    }
    words = [
        f"{number_of(town.said)}: Maria was {'ill' if ill else 'not ill'}; "
        f"the guess was {'right' if hit else 'wrong'}"
        for *_, hit, town in rows
    ]
    return go.Scatter(
        x=[x for x, *_ in rows],
        y=[y for _, y, *_ in rows],
        mode="markers",
        name="Maria ill" if ill else "Maria not ill",
        marker=marker if ill else marker | {"color": GREY},
        text=words,
        hovertemplate="%{text}<extra></extra>",
    )


def _waiting(said: float) -> go.Scatter:
    """The number that the town reports."""
    says = f"The town says {number_of(said)}.<extra></extra>"
    look = {"size": LARGE, "symbol": "circle"}
    at = {"x": [said], "y": [0.0], "mode": "markers", "name": "the town", "cliponaxis": False}
    return go.Scatter(**at, marker=look, hovertemplate=says)


def scores(frame: pd.DataFrame, *, whose: str = YOURS, one: str = ONE_OF_YOURS) -> go.Figure:
    """Draw how often each score comes up in theory, and a mark for each round that was played.

    A mark is as high as one game in 100, so that after 100 rounds by the best guess marks would
    about fill the bars.

    Args:
        frame: as `scores_frame` makes it.
        whose: what the marks are.
        one: what one of them is.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.scenes.insurer import scores_frame
    >>> fig = scores(scores_frame([13, 13, 9], 0.588))
    >>> [trace.name for trace in fig.data], [int(x) for x in fig.data[1].x]
    (['theory', 'mine'], [9, 13, 13])
    """
    require_columns(frame, *SCORES)
    mine = frame.loc[frame.index.repeat(frame[MINE])]
    stacked = mine.groupby(RIGHT).cumcount().to_numpy(float) + 0.5
    top = 1.15 * max(float(frame[GAMES].max()), float(frame[MINE].max()))
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 6}
    key = f'<span style="color:{GREY}">■</span>'
    size = min(MARK, 0.9 * (HEIGHT - TOP - BOTTOM) / top)
    traces = [
        go.Bar(
            x=frame[RIGHT],
            y=frame[GAMES],
            name="theory",
            marker={"color": rgba(GREY, BAR), "line": {"width": 0}},
            hovertemplate="%{x} right: %{y:.1f} games in 100<extra></extra>",
        ),
        go.Scatter(
            x=mine[RIGHT],
            y=stacked,
            mode="markers",
            name="mine",
            marker={"size": size, "symbol": "circle"},
            hovertemplate=f"{one}: %{{x}} right<extra></extra>",
        ),
    ]
    ticks, middle = np.arange(0, TOWNS + 1, 5), {TOWNS // 2: f"<br>right guesses, of {TOWNS}"}
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": [
            note(f"{key} 100 games by the best rule", 0, 1, **place),
            note(f"● {whose}", 1, 1, **place) | {"xanchor": "right"},
        ],
        "bargap": 0.12,
        "shapes": [rule(0)],
        "xaxis": {"range": (-0.6, TOWNS + 0.6), "showgrid": False, "fixedrange": True}
        | {"tickvals": ticks, "ticktext": [f"{k}{middle.get(k, '')}" for k in ticks.tolist()]},
        "yaxis": {"visible": False, "range": (0, top), "fixedrange": True},
    }
    return go.Figure(data=traces, layout=layout)
