"""The small pictures of the overview show what their pages compute."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.charts.still import Layer, still
from dpviz.ui import more_questions as pictures
from dpviz.ui.kit.page_table import MORE, PAGES
from dpviz.ui.more_questions import STILLS


def test_each_further_question_has_a_card():
    assert list(STILLS) == [p.file for p in PAGES if p.group == MORE and p.file != "more_questions"]


@pytest.mark.parametrize("file", STILLS)
def test_a_still_says_what_it_shows_and_has_no_words_inside(file):
    found = STILLS[file]()
    assert found.alt.endswith(".")
    assert {layer.grey for layer in found.layers} == {True, False}
    fig = still(found.layers, symbol=found.symbol, size=found.size)
    assert len(fig.data) == len(found.layers)
    assert not fig.layout.annotations
    assert not fig.layout.xaxis.visible
    assert fig.layout.hovermode is False


def test_noise_in_the_right_places_is_that_of_the_square_root_of_all_totals():
    wide, narrow, line = pictures.totals().layers
    n = len(line.x)
    half = {}
    for name, layer in (("apart", wide), ("placed", narrow)):
        y = np.array(layer.y)
        half[name] = (y[n:][::-1] - y[:n]) / 2
    sums = np.tril(np.ones((n, n)))
    first = np.array([math.comb(2 * k, k) / 4**k for k in range(n)])
    square_root = np.array([[first[i - j] if i >= j else 0.0 for j in range(n)] for i in range(n)])
    assert np.allclose(square_root @ square_root, sums)
    unit = stats.norm.ppf(0.975) * math.sqrt(pictures.LEVEL)
    apart = np.full(n, unit * np.sqrt((sums**2).sum(axis=0).max()))  # one person moves all totals
    columns = np.sqrt((square_root**2).sum(axis=0).max())
    placed = unit * columns * np.sqrt((square_root**2).sum(axis=1))
    assert half["apart"] == pytest.approx(apart)
    assert half["placed"] == pytest.approx(placed)
    assert half["placed"][-1] < half["apart"][-1] / 2


def test_the_blocks_in_ink_are_those_of_the_first_steps():
    grey, ink = pictures.blocks().layers
    ends = np.array(ink.x).reshape(-1, 2).round()
    covered = sorted(step for left, right in ends for step in range(int(left), int(right)))
    assert covered == list(range(pictures.STEPS))
    boxes = np.array([*grey.x, *ink.x]).reshape(-1, 2)
    assert len(boxes) == 16 + 8 + 4 + 2 + 1


def test_columns_lines_and_browsers_are_all_there():
    grey, ink, threshold = pictures.found().layers
    assert (len(grey.x) + len(ink.x)) / 2 == pictures.ITEMS
    assert min(ink.y[1::2]) > 0
    assert set(threshold.y) == {pictures.THRESHOLD}
    kept, moved = pictures.ranking().layers
    places = sorted([*kept.y[1::3], *moved.y[1::3]])
    assert places == sorted(-float(n) for n in range(len(pictures.RANKED)))
    assert all(a != b for a, b in zip(moved.y[::3], moved.y[1::3], strict=True))
    random, others = pictures.browsers().layers
    assert (len(random.x), len(others.x)) == (75, 25)


def test_the_exact_total_never_exceeds_the_sum():
    straight, total = pictures.added().layers
    assert straight.y == pytest.approx([0.1 * count for count in straight.x])
    assert all(t <= s + 1e-12 for t, s in zip(total.y, straight.y, strict=True))
    assert total.y[-1] < 0.8 * straight.y[-1]


def test_the_line_of_trust_ends_in_its_cone():
    cone, line = pictures.trust().layers
    low, high = np.array(cone.y[:60]), np.array(cone.y[60:])[::-1]
    assert low[-1] < line.y[-1] < high[-1]
    assert (np.diff(high - low) < 0).all()


def test_a_gap_ends_a_line():
    (drawn,) = still([Layer(kind="line", x=(0.0, 1.0, None, 0.0), y=(0.0, 1.0, None, 2.0))]).data
    assert drawn.x[2] is None
