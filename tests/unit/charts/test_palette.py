"""Colours can be told apart, figures bring no ink of their own, and texts on axes fit.

How people see colour is written out from the definitions: contrast by WCAG 2.2; simulation of
colour blindness by Machado, Oliveira, Fernandes 2009, severity 1; CIEDE2000 by Sharma, Wu, Dalal
2005, equations 2 to 22.
"""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.charts import labels, theme
from dpviz.charts.releases import release_chart
from dpviz.charts.tidy import Intervals, extent, half_widths, require_columns, tiers
from dpviz.charts.two_hills import two_hills
from dpviz.errors import ParameterError
from dpviz.palette import (
    COLOUR_NAMES,
    COLOURS,
    GREY,
    INKS,
    TierStyle,
    assign_styles,
    slots_for,
)
from dpviz.scenes.lessons import hills_frame
from tests.conftest import for_each
from tests.figure_frames import releases

VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour: str) -> np.ndarray:
    """Linear-light sRGB of "#RRGGBB"."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    bright, dark = sorted(
        (float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other)), reverse=True
    )
    return (bright + 0.05) / (dark + 0.05)


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    """CIELAB under D65 of a colour as somebody with this vision sees it."""
    rgb = np.clip(VISIONS[vision] @ linear(colour), 0, 1)
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    xyz = to_xyz @ rgb / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def difference(one: str, other: str, vision: str) -> float:
    """CIEDE2000 between two colours."""
    (l1, a1, b1), (l2, a2, b2) = lab(one, vision), lab(other, vision)
    c_mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(c_mean**7 / (c_mean**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for b, a in ((b1, a1), (b2, a2)))
    dh = (h2 - h1 + 180) % 360 - 180
    big_dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else ((h1 + h2 + 360) / 2) % 360
    t = 1
    for weight, times, shift in ((-0.17, 1, 30), (0.24, 2, 0), (0.32, 3, -6), (-0.20, 4, 63)):
        t += weight * math.cos(math.radians(times * hm - shift))
    s_l = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    s_c, s_h = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    turn = 30 * math.exp(-(((hm - 275) / 25) ** 2))
    r_t = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * math.sin(math.radians(2 * turn))
    dl, dc, dh = (l2 - l1) / s_l, (c2 - c1) / s_c, big_dh / s_h
    return math.sqrt(dl**2 + dc**2 + dh**2 + r_t * dc * dh)


def names(count):
    return [f"tier {i}" for i in range(count)]


def slots(styles):
    return [style.slot for style in styles.values()]


def symbols(styles):
    return [style.symbol for style in styles.values()]


@pytest.mark.parametrize("mode", INKS)
def test_every_colour_and_every_text_reads_on_the_paper(mode):
    paper = INKS[mode]["paper"]
    assert min(contrast(colour, paper) for colour in (*COLOURS, GREY)) >= 3.0
    assert contrast(INKS[mode]["text"], paper) >= 4.5
    assert contrast(INKS[mode]["text"], INKS[mode]["box"]) >= 4.5


def test_the_oracle_knows_a_published_contrast_and_a_published_difference():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#2196B4", "#FFFFFF") == pytest.approx(3.45, abs=0.01)
    assert difference("#2196B4", "#385FC2", "normal") == pytest.approx(25.3, abs=0.1)
    assert difference("#2196B4", "#385FC2", "deuteranopia") == pytest.approx(16.6, abs=0.1)


@for_each("vision", VISIONS)
def test_colours_differ_for_every_vision(vision):
    """Those of neighbours, and of up to six tiers those of all pairs."""
    for count in range(2, 13):
        used = [COLOURS[slot - 1] for slot in slots_for(count)]
        assert min(difference(a, b, vision) for a, b in pairwise(used)) >= 14.0, count
        apart = [difference(a, b, vision) for i, a in enumerate(used) for b in used[:i]]
        assert count > 6 or min(apart) >= 9.6, count


@for_each("count", range(1, 13))
def test_up_to_twelve_tiers_are_all_distinct_and_run_from_cool_to_warm(count):
    styles, changed = assign_styles({}, names(count))
    assert slots(styles) == sorted(set(slots(styles))) == list(slots_for(count))
    assert symbols(styles) == list(range(count))
    assert not changed


def test_everybody_known_keeps_everything_whatever_goes_and_however_the_order_turns():
    before, _ = assign_styles({}, names(6))
    kept = ["tier 5", "tier 2", "tier 0"]
    after, changed = assign_styles(before, kept)
    assert after == {name: before[name] for name in kept}
    assert list(after) == kept
    assert not changed


@pytest.mark.parametrize(
    ("place", "slot"), [(0, 1), (1, 6), (2, 11 + 1)], ids=["first", "between", "last"]
)
def test_a_new_tier_takes_the_middle_free_slot_and_the_first_free_symbol(place, slot):
    before, _ = assign_styles({}, ["public", "audit"])  # slots 2 and 11
    order = ["public", "audit"]
    order.insert(place, "new")
    after, changed = assign_styles(before, order)
    assert after["new"] == TierStyle(slot, 2)
    assert {name: after[name] for name in before} == before
    assert not changed


def test_two_new_tiers_at_once_and_a_symbol_given_back():
    before, _ = assign_styles({}, ["a", "b", "c"])  # slots 2 7 12, symbols 0 1 2
    after, changed = assign_styles(before, ["a", "new", "newer", "c"])
    assert slots(after) == [2, 7, 9, 12]
    assert symbols(after) == [0, 1, 3, 2]
    assert not changed


def test_no_free_slot_between_the_neighbours_spreads_all_anew_and_says_so():
    before = {"a": TierStyle(4, 0), "b": TierStyle(5, 7)}
    after, changed = assign_styles(before, ["a", "new", "b"])
    assert slots(after) == list(slots_for(3))
    assert symbols(after) == [0, 1, 7]  # the second channel stays
    assert changed


def test_a_new_tier_between_neighbours_whose_order_was_turned():
    before = {"a": TierStyle(9, 0), "b": TierStyle(3, 1)}
    after, changed = assign_styles(before, ["a", "new", "b"])
    assert 3 < after["new"].slot < 9
    assert not changed


def test_more_than_twelve_share_colours_with_neighbours_only_and_come_back_distinct():
    before, _ = assign_styles({}, names(12))
    many, changed = assign_styles(before, names(30))
    assert changed
    assert slots(many) == [1 + 12 * rank // 30 for rank in range(30)]
    assert symbols(many) == [rank % 12 for rank in range(30)]
    few, changed = assign_styles(many, names(12))
    assert changed
    assert len(set(slots(few))) == len(set(symbols(few))) == 12


def test_a_name_twice_is_refused_and_no_names_give_nothing():
    with pytest.raises(ParameterError, match="the same name"):
        assign_styles({}, ["a", "a"])
    assert assign_styles({}, []) == ({}, False)


@pytest.mark.parametrize("count", [1, 4, 12])
def test_a_colour_that_was_chosen_is_kept_and_the_others_stay_distinct(count):
    before, _ = assign_styles({}, names(count))
    chosen = {"tier 0": COLOUR_NAMES[11]}
    for known in (before, {}):
        after, changed = assign_styles(known, names(count), chosen)
        assert after["tier 0"].colour == COLOURS[11]
        assert len(set(slots(after))) == count
        assert not changed
        for name, style in known.items():
            assert after[name].symbol == style.symbol
            if style.slot != 12 and name not in chosen:
                assert after[name] == style


def test_two_tiers_may_be_given_one_colour_and_many_tiers_keep_theirs():
    alike, _ = assign_styles({}, names(3), dict.fromkeys(names(2), "rust"))
    assert [alike[name].name for name in names(2)] == ["rust", "rust"]
    many, _ = assign_styles({}, names(30), {"tier 29": "teal"})
    assert many["tier 29"].name == "teal"
    with pytest.raises(ParameterError):
        assign_styles({}, names(2), {"tier 0": "#385FC2"})


# Figures carry no ink of their own; `dress` gives them one, and another when asked again.


WORDS = {"what": "People.", "noun": "people", "confidence": 0.95}


def every_figure():
    many = [f"g{i}" for i in range(40)]
    return {
        "rows": release_chart(releases(["a", "b"], ["x"]), **WORDS).figure,
        "strips": release_chart(releases(["a", "b"], many), **WORDS).figure,
        "hills": two_hills(
            hills_frame(0.4), 0.5, TierStyle(0, 0), names=("a", "b"), says="a", ticks={}
        ),
    }


@pytest.mark.parametrize("name", every_figure())
def test_no_figure_brings_ink_or_paper(name):
    plain = every_figure()[name].to_plotly_json()
    plain["layout"].pop("template", None)  # Plotly's default, until `dress` replaces it
    written = str(plain["layout"])
    assert not any(
        "color" in (note.get("font") or {}) for note in plain["layout"].get("annotations", ())
    )
    assert "bgcolor" not in written
    for axis in ("xaxis", "yaxis"):
        assert "color" not in plain["layout"][axis].get("tickfont", {})


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_dress_puts_on_the_template_and_the_halo(mode):
    fig = every_figure()["rows"]
    assert theme.dress(fig, mode) is fig
    ink = theme.INKS[mode]
    template = fig.layout.template.layout
    assert template.font.color == template.xaxis.tickfont.color == ink["text"]
    assert template.yaxis.tickfont.color == template.hoverlabel.font.color == ink["text"]
    assert template.hoverlabel.bgcolor == ink["box"]
    shadow = ", ".join(2 * [f"0 0 1px {ink['paper']}"] + 2 * [f"0 0 2px {ink['paper']}"])
    shadow += f", 0 0 3px {ink['paper']}, 0 0 3px {ink['paper']}"
    assert fig.layout.template.data.scatter[0].textfont.shadow == shadow
    assert template.annotationdefaults.font.shadow == shadow


def test_dressing_again_replaces():
    fig = theme.dress(theme.dress(every_figure()["rows"], "light"), "dark")
    assert fig == theme.dress(every_figure()["rows"], "dark")


def test_a_figure_shares_its_template_with_no_other():
    one = theme.dress(every_figure()["rows"], "light")
    one.layout.template.layout.font.color = "#000000"
    other = theme.dress(every_figure()["rows"], "light")
    assert other.layout.template.layout.font.color == theme.INKS["light"]["text"]


# --- Ticks are round and fit, ranges hold everything ---


sizes = st.floats(min_value=1e-9, max_value=1e12)


@example(low=1.192092896e-07, width=1e-09, most=3)
@given(low=st.floats(min_value=-1e12, max_value=1e12), width=sizes, most=st.integers(3, 7))
def test_ticks_lie_inside_differ_and_fit(low, width, most):
    high = low + max(width, 1e-4 * abs(low))
    made = labels.ticks(low, high, most=most)
    values, texts = made["tickvals"], made["ticktext"]
    slack = 1e-6 * (high - low)
    assert np.all((values >= low - slack) & (values <= high + slack))
    assert len(values) == len(set(texts)) == len(texts)
    assert 2 <= len(texts) <= most + 1
    if len(texts) > 3:
        assert sum(labels.pixels(text, 12) + 12 for text in texts) <= 230


@for_each(
    ("low", "high", "texts"),
    [
        (0, 2500, ["0", "500", "1,000", "1,500", "2,000", "2,500"]),
        (0, 1.5, ["0", "0.5", "1", "1.5"]),
        (-300, 300, ["−300", "−200", "−100", "0", "100", "200", "300"]),
        (0, 2.6e6, ["0", "0.5M", "1M", "1.5M", "2M", "2.5M"]),
        (0, 3e-7, ["0", "10⁻⁷", "2×10⁻⁷", "3×10⁻⁷"]),
        (1e9, 1e9 + 1000, ["1,000,000,000", "1,000,000,500", "1,000,001,000"]),
    ],
)
def test_tick_texts(low, high, texts):
    assert labels.ticks(low, high)["ticktext"] == texts


@given(low=st.floats(-1e9, 1e9), width=st.floats(0, 1e9))
def test_a_range_holds_what_has_to_be_seen(low, width):
    start, end = labels.span(low, low + width)
    assert start <= low <= low + width <= end
    assert start < end


def test_a_range_starts_at_zero_unless_values_are_far_from_it():
    assert labels.span(10.0, 100.0)[0] == 0
    assert labels.span(-10.0, 100.0)[0] < -10
    assert labels.span(1000.0, 1010.0)[0] > 990
    assert labels.span(0.0, 0.0) == (0.0, 1.0)
    assert labels.span(5.0, 5.0) == (0.0, pytest.approx(5.15))


@for_each(("low", "high"), [(-5.0, 0.0), (0.0, 5.0), (-9.0, 5.0), (0.0, 0.0)])
def test_a_text_beyond_a_bar_is_not_cut(low, high):
    text, width = "+12,345", 250.0
    start, end = labels.beyond(low, high, [text], width)
    pixel = width / (end - start)
    high = high if low < high else 1.0
    assert (low - start) * pixel >= (labels.pixels(text) + 23 if low else 3)
    assert (end - high) * pixel >= (labels.pixels(text) + 23 if high else 3)


def test_wrapped_lines_are_short_and_escaped():
    text, width = labels.wrapped("<b>first</b> second third fourth fifth sixth")
    assert text == "&lt;b&gt;first&lt;/b&gt;<br>second third f…"
    assert 60 < width < 120
    assert labels.wrapped("")[0] == "(no name)"


def test_columns_are_asked_for_by_name():
    frame = releases(["a"], ["x"])
    with pytest.raises(ParameterError, match="lacks budget"):
        require_columns(frame.drop(columns="budget"), "tier", "budget")
    with pytest.raises(ParameterError, match="no rows"):
        require_columns(frame.iloc[:0], "tier")
    require_columns(frame, "tier", "budget")


def test_tiers_come_in_order_of_appearance_with_their_looks():
    found = tiers(releases(["z", "a", "m"], ["x", "y"]))
    assert [tier.key for tier in found] == ["z", "a", "m"]
    assert [tier.style.slot for tier in found] == [2, 7, 12]
    assert [len(tier.rows) for tier in found] == [2, 2, 2]


def test_no_guarantee_is_no_interval():
    half = pd.DataFrame({"half_width": [math.nan, math.inf, 3.0]})
    assert np.isnan(half_widths(half)).tolist() == [True, True, False]
    ends = {"low": [math.nan, -math.inf, -1.0], "high": [math.nan, 9.0, 5.0]}
    frame = pd.DataFrame({"value": [1.0, 5.0, 2.0]} | ends)
    before = frame.copy(deep=True)
    marks = Intervals.of(frame)
    assert np.isnan(marks.low).tolist() == np.isnan(marks.high).tolist() == [True, True, False]
    assert extent(frame) == (-1.0, 5.0)
    assert extent(frame, pd.DataFrame({"value": [-9.0]})) == (-9.0, 5.0)
    assert extent(frame.iloc[:0]) == (0.0, 0.0)
    too_few = frame.assign(value=[1.0, 5.0, math.nan])
    assert extent(too_few) == (1.0, 5.0)  # what may be anything does not stretch the axis
    pd.testing.assert_frame_equal(frame, before)


@for_each(
    ("value", "low", "high", "common", "centred"),
    [
        ([1e6, 7.0], [1e6 - 0.3, 6.7], [1e6 + 0.3, 7.3], 0.3, [True, True]),
        ([5.0, 0.0], [3.0, -6.0], [7.0, -2.0], 2.0, [True, False]),
        ([5.0, 5.0], [3.0, 4.0], [7.0, 6.0], math.nan, [True, True]),
        ([5.0, 5.0], [3.0, math.nan], [7.0, math.nan], math.nan, [True, False]),
        ([math.nan, 5.0], [math.nan, 3.0], [math.nan, 7.0], 2.0, [False, True]),
        ([], [], [], math.nan, []),
    ],
)
def test_intervals_know_what_they_have_in_common(value, low, high, common, centred):
    marks = Intervals(*(np.array(x, dtype=float) for x in (value, low, high)))
    np.testing.assert_allclose(marks.common_half, common)
    assert marks.centred.tolist() == centred
