"""The front page: its town, its numbers by other ways, and each "of 1,000" by simulation."""

import json
import re

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.planning import cast
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.release import MultipleRelease
from dpviz.scenes import start as town
from dpviz.scenes.lessons import SEED, Settings
from dpviz.scenes.threads import GAUSSIAN, half_of
from dpviz.ui import start as words
from dpviz.ui.start import LESSON
from dpviz.ui.trust_grows import LESSON as TRUST_GROWS
from dpviz.words import pm
from tests import guessing
from tests.conftest import few, for_each
from tests.guessing import WITHIN, guessed, overlap
from tests.visiting import plain


@pytest.fixture(scope="module")
def first():
    return town.draw(SEED)


def frame_of(step, *, done=False, chosen="", draw=0):
    return LESSON.screens[step].scene(Settings(done=done, chosen=chosen, draw=draw))


def side(step, **asked):
    return LESSON.screens[step].side(frame_of(step, **asked))


# The town


def test_the_cast_is_that_of_the_default_plan():
    assert [*reversed(town.RHO)] == [tier.name for tier in DEFAULT_TIERS]
    assert [*town.RHO.values()] == [0.4, 0.3, 0.2, 0.1]
    assert town.COUNCIL_RHO == 0.15
    assert town.READERS.first == next(iter(town.RHO)) == cast.AUDIT


@pytest.mark.parametrize("maria", [True, False])
def test_everybody_but_maria_is_known(maria):
    ill = town.ill(maria)
    assert len(ill) == cast.PEOPLE
    assert (ill[0], sum(ill[1:])) == (maria, cast.KNOWN)
    assert ill[1:] == town.ill(not maria)[1:]


def test_audit_has_one_number_on_every_screen(first):
    assert {*first.here.values()} & {*first.usual.values()} == {first.here[cast.AUDIT]}
    assert list(first.here) == list(first.usual) == list(town.RHO)


def test_the_council_needs_no_look_at_the_town():
    """Its number leans on the two around it, and a session that forgot the truth can draw it."""
    session = MultipleRelease([town.TRUTH], GAUSSIAN, rng=streams.teaching(SEED, 0))
    for name in cast.ASKING:
        session.release(gaussian_level(town.RHO[name], 1.0))
    level = gaussian_level(town.COUNCIL_RHO, 1.0)
    around = [gaussian_level(town.RHO[name], 1.0) for name in town.PINS]
    assert [*session.neighbours(level)] == around
    session.seal(gaussian_level(town.RHO[cast.AUDIT], 1.0))
    assert np.isfinite(session.release(level)).all()


# Each "of 1,000", simulated: 312 or 311 equally likely, the best guess


@pytest.fixture(scope="module")
def worlds():
    here = {**{name: town.RHO[name] for name in cast.ASKING}, "council": town.COUNCIL_RHO}
    return guessing.worlds(cast.KNOWN, here, town.RHO)


@pytest.mark.parametrize(("step", "who"), [(3, "usual"), (4, "here")])
def test_together_separate_noise_gains_and_here_gains_nothing(worlds, step, who):
    numbers = {name: x for name, x in getattr(worlds, who).items() if name in town.RHO}
    wanted = int(side(step, done=True).value)
    assert wanted == (760 if who == "usual" else 673)
    assert guessed(worlds.truth, [*numbers.values()]) == pytest.approx(wanted, abs=WITHIN + 0.5)


def test_the_council_tells_those_around_it_more_only_if_made_from_the_auditors(worlds):
    """With separate noise beyond the auditors' number, it brings them closer to that number."""
    said = side(5, done=True)
    here, instead = (round(claim.value) for claim in said.claims)
    assert (said.value, here, instead) == ("624", 624, 637)
    assert f"**{instead}**" in said.lines[0]
    numbers = {name: worlds.here[name] for name in (cast.AUDIT, *town.PINS, "council")}
    audit = numbers.pop(cast.AUDIT)
    assert guessed(worlds.truth, [*numbers.values()]) == pytest.approx(here, abs=WITHIN + 0.5)
    levels = (gaussian_level(rho, 1.0) for rho in (town.COUNCIL_RHO, town.RHO[cast.AUDIT]))
    more = np.random.default_rng(3).normal(0, np.sqrt(np.subtract(*levels)), len(audit))
    numbers["council"] = audit + more
    assert guessed(worlds.truth, [*numbers.values()]) == pytest.approx(instead, abs=WITHIN + 0.5)


@pytest.mark.parametrize("lesson", few([LESSON, TRUST_GROWS], 2), ids=lambda one: one.file)
def test_what_is_compared_with_has_one_name_and_is_not_called_usual(lesson):
    """An expert knows better ways than separate noise: no lesson may call that the usual one."""
    for screen in lesson.screens:
        for done in (False, True):
            scene = screen.scene(
                Settings(done=done, chosen=screen.choice.default if screen.choice else "")
            )
            side = screen.side(scene)
            made = screen.picture(scene)
            picture = json.dumps(made.figure.to_plotly_json(), default=str)
            for text in (screen.title, screen.sentence, made.alt, str(side), picture):
                assert "usual way" not in text.lower()
                assert "usually, comparing" not in text.lower()


def test_how_often_together_is_nearer_than_audit(worlds):
    pooled = town.READERS.pooled(worlds.usual)
    nearer = np.abs(pooled - worlds.truth) < np.abs(worlds.usual[cast.AUDIT] - worlds.truth)
    assert 100 * nearer.mean() == pytest.approx(town.READERS.nearer(), abs=WITHIN / 10)
    said = side(3, done=True)
    (claimed,) = (claim.value for claim in said.claims if "closer" in claim.what)
    assert claimed == town.READERS.nearer() > 50
    assert "More often than not" in said.caption
    assert "separate errors partly cancel" in LESSON.screens[3].said(frame_of(3, done=True))


# What stands beside the pictures


@for_each("blur", words.BLURS)
def test_each_blur_claims_its_own_guesses(blur):
    (claim,) = side(1, chosen=blur).claims
    assert claim.value == pytest.approx(overlap(words.BLURS[blur]), rel=1e-7)


@pytest.mark.parametrize(("reported", "left"), [(words.WITH, 1), (words.WITHOUT, 0)])
def test_an_exact_count_leaves_maria(reported, left):
    frame = frame_of(0, chosen=reported)
    (claim,) = LESSON.screens[0].side(frame).claims
    assert claim.value == left
    shown = [note.text for note in LESSON.screens[0].picture(frame).figure.layout.annotations]
    large = [text for text in shown if re.fullmatch(r"<b>\d+</b>", text)]
    assert large == [f"<b>{n}</b>" for n in (cast.KNOWN + left, cast.KNOWN, left)]
    assert (LESSON.screens[0].said(frame) == words.GIVEN_AWAY) == bool(left)


def test_without_noise_every_guess_is_right():
    frame = frame_of(1, chosen=words.EXACT)
    assert LESSON.screens[1].said(frame) == words.KNOWS
    assert side(1, chosen=words.EXACT).value == "1,000"


def test_the_side_of_the_four_blurs_has_their_numbers_once_they_are_drawn(first):
    before, after = (plain(" ".join(side(2, done=done).lines)) for done in (False, True))
    for name, x in first.usual.items():
        number = f"**{x:.1f}** {plain(pm(half_of(town.RHO[name])))}"
        assert name in before
        assert (number in before, number in after) == (False, True)


def test_before_one_has_guessed_the_picture_does_not_say_whose_line_is_where():
    before, after = (
        LESSON.screens[2].picture(frame_of(2, done=done)).figure for done in (False, True)
    )
    assert {*before.layout.yaxis.ticktext[1:]} == {"<b>?</b>"}
    assert not [name for name in town.RHO if name in before.to_json()]
    assert all(name in after.to_json() for name in town.RHO)


def test_hills_of_every_noise_have_one_area_and_one_scale():
    ranges, areas = [], []
    for blur in words.BLURS:
        figure = LESSON.screens[1].picture(frame_of(1, chosen=blur)).figure
        ranges.append(figure.layout.yaxis.range)
        (ill,) = (trace for trace in figure.data if trace.name == "yes")
        areas.append(np.trapezoid(ill.y, ill.x))
    assert len({*ranges}) == 1
    assert areas == pytest.approx([1.0] * len(areas), rel=1e-3)


def test_the_council_hangs_from_nothing_before_it_is_drawn(first):
    before, after = (frame_of(5, done=done) for done in (False, True))
    value = before.frame.set_index("who")["value"]
    assert np.isnan(value[cast.COUNCIL.name])
    assert after.frame.set_index("who")["value"][cast.COUNCIL.name] == first.council
    assert list(after.string["low"])[-1] == first.here[cast.PUBLIC]
