"""Colours can be told apart and read; tiers keep theirs."""

from itertools import pairwise

import pytest

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
from tests.oracles_colour import VISIONS, contrast, difference


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


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_differ_for_every_vision(vision):
    """Those of neighbours, and of up to six tiers those of all pairs."""
    for count in range(2, 13):
        used = [COLOURS[slot - 1] for slot in slots_for(count)]
        assert min(difference(a, b, vision) for a, b in pairwise(used)) >= 14.0, count
        apart = [difference(a, b, vision) for i, a in enumerate(used) for b in used[:i]]
        assert count > 6 or min(apart) >= 9.6, count


@pytest.mark.parametrize("count", range(1, 13))
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
