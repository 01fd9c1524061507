"""Forms of pictures, drawn by the browser in the fonts of the dashboard, and measured there."""

import itertools
import json

import pytest
from plotly.offline import get_plotlyjs
from plotly.utils import PlotlyJSONEncoder

from dpviz.charts import theme
from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.palette import TierStyle
from tests import bar_cases, cone_cases, line_cases, ruler_cases
from tests.browser.driving import open_page
from tests.conftest import FULL, few

WIDTHS, MODES = (350, 1280), ("light", "dark")
PAPERS = [*itertools.product(WIDTHS, MODES)] if FULL else [*zip(WIDTHS, MODES, strict=True)]
MEASURED = """async ([spec, wide]) => {
    const box = document.createElement('div');
    box.style = `position: fixed; left: 0; top: 0; z-index: 9999; width: ${wide}px`;
    document.body.append(box);
    await document.fonts.load('16px "Source Sans"');
    await document.fonts.load('bold 16px "Source Sans"');
    const {data, layout} = JSON.parse(spec);
    await Plotly.newPlot(box, data, {...layout, width: wide});
    const rect = node => { const r = node.getBoundingClientRect();
        return [r.left, r.top, r.right, r.bottom].concat(node.textContent); };
    const found = {
        texts: [...box.querySelectorAll('text.annotation-text')].map(rect),
        key: [...box.querySelectorAll('.legendtext')].map(rect),
        words: [...box.querySelectorAll('.textpoint text')].map(rect),
        bars: [...box.querySelectorAll('.bars .point path')].map(rect),
        ticks: [...box.querySelectorAll('.xtick text, .ytick text, .xtitle, .ytitle')].map(rect),
        plot: box._fullLayout._size.w,
        size: rect(box).slice(2, 4),
    };
    box.remove();
    return found;
}"""
SLACK, LEAST = 1.5, 100  # pixels; of a plot on a phone


@pytest.fixture(scope="module")
def paper(context, app_url):
    """A tab with the fonts of the dashboard, and Plotly."""
    tab = context.new_page()
    tab.set_viewport_size({"width": max(WIDTHS), "height": 900})
    open_page(tab, app_url, "method")
    tab.add_script_tag(content=get_plotlyjs())
    yield tab
    tab.close()


def overlap(one, other):
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > SLACK
        and min(one[3], other[3]) - max(one[1], other[1]) > SLACK
    )


def overlapping(pairs):
    """The words of each pair that overlaps."""
    return [(a[4], b[4]) for a, b in pairs if overlap(a, b)]


def measured(paper, picture):
    """The places of all marks and words, at each width and in each mode; no word is cut.

    A mode changes colours alone, so that the other two papers are left to the full run.
    """
    for wide, mode in PAPERS:
        spec = theme.dress(picture.figure, mode).to_json()
        found = paper.evaluate(MEASURED, [spec, wide])
        right, bottom = found["size"]
        assert right == wide
        assert len(found["texts"]) == len(picture.figure.layout.annotations)
        for left, top, end, low, text in found["texts"]:
            assert left >= -SLACK, (wide, text)
            assert top >= -SLACK, (wide, text)
            assert end <= right + SLACK, (wide, text)
            assert low <= bottom + SLACK, (wide, text)
        pairs = itertools.combinations(found["texts"], 2)
        assert not overlapping(pairs), wide
        yield found


@pytest.mark.parametrize(
    ("made", "large", "scale"), few((pytest.param(*c[1:], id=c[0]) for c in bar_cases.cases()), 4)
)
def test_bars_their_words_and_numbers_neither_overlap_nor_are_cut(paper, made, large, scale):
    for found in measured(paper, bar_cases.drawn(made, large, scale)):
        assert len(found["bars"]) >= (made["length"] > 0).sum()
        over = itertools.product(found["texts"], found["bars"])
        assert not [text for text, bar in over if overlap(text, bar)]


@pytest.mark.parametrize(
    ("made", "asked"), few((pytest.param(*c[1:], id=c[0]) for c in line_cases.cases()), 5)
)
def test_names_of_lines_and_other_words_neither_overlap_nor_are_cut(paper, made, asked):
    for found in measured(paper, line_cases.drawn(made, asked)):
        over = itertools.product(found["texts"], found["ticks"])
        assert not overlapping(over)
        assert found["plot"] >= LEAST


@pytest.mark.parametrize("letters", bar_cases.NAMES)
@pytest.mark.parametrize("number", ["673", "at most 1,000"])
@pytest.mark.parametrize("more", [0, 87])
def test_a_thousand_squares_fill_their_place_below_their_words(paper, letters, number, more):
    name = bar_cases.NAMES[letters]
    frame = guesses_frame((name, 173, TierStyle(2, 0), False), ("together", more, None, False))
    for found in measured(paper, squares(frame, key=True, name=name, number=number)):
        (right, bottom), bars = found["size"], found["bars"]
        assert max(end for _, _, end, *_ in found["key"]) <= right
        over = itertools.product(found["key"], [*found["texts"], *bars])
        assert not overlapping(over)
        assert len(bars) == 1000
        assert min(bar[0] for bar in bars) < 0.02 * right
        assert max(bar[2] for bar in bars) > 0.98 * right
        assert bottom - max(bar[3] for bar in bars) < 8, "nothing is left below"


def test_the_measure_sees_what_overlaps_and_what_is_cut(paper):
    _, made, large, scale = next(bar_cases.cases())
    picture = bar_cases.drawn(made, large, scale)
    note = picture.figure.layout.annotations[0].to_plotly_json()
    broken = picture.figure.to_dict()
    broken["layout"]["annotations"] = [note, note, {**note, "xshift": 400}]
    found = paper.evaluate(MEASURED, [json.dumps(broken, cls=PlotlyJSONEncoder), 350])
    one, other, away = found["texts"]
    assert overlap(one, other)
    assert away[2] > 350


@pytest.mark.parametrize(
    ("made", "more"), few((pytest.param(*c[1:], id=c[0]) for c in cone_cases.cases()), 5)
)
def test_words_on_a_cone_neither_overlap_nor_are_cut(paper, made, more):
    for found in measured(paper, cone_cases.drawn(made, more)):
        over = itertools.product(found["texts"], found["ticks"])
        assert not overlapping(over)
        assert found["plot"] >= LEAST


@pytest.mark.parametrize("made", few((pytest.param(c[1], id=c[0]) for c in ruler_cases.cases()), 5))
def test_numbers_and_names_on_rulers_neither_overlap_nor_are_cut(paper, made):
    for found in measured(paper, ruler_cases.drawn(made)):
        words, right = found["words"], found["size"][0]
        assert words
        assert not [text for _, _, end, _, text in words if end > right + SLACK]
        pairs = [*itertools.combinations(words, 2)]
        pairs += [*itertools.product(words, [*found["texts"], *found["ticks"]])]
        assert not overlapping(pairs)
        assert found["plot"] >= LEAST
