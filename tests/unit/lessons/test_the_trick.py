"""The lesson on the trick: its draws, its numbers by other ways, each "of 1,000" by simulation."""

import itertools
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import SealedError
from dpviz.planning.cast import ASKING, AUDIT, ILL, PARTNERS, PUBLIC, RESEARCH
from dpviz.release import MultipleRelease
from dpviz.scenes import the_trick as town
from dpviz.scenes.lessons import SEED, Settings, correct_guesses
from dpviz.scenes.threads import GAUSSIAN
from dpviz.ui import the_trick as words
from dpviz.ui.the_trick import LESSON
from dpviz.words import pm
from tests.conftest import few
from tests.guessing import WITHIN, guessed, truths
from tests.visiting import plain


@pytest.fixture(scope="module")
def first():
    return town.draw(SEED)


def shown(step, *, done=False, chosen="", draw=0):
    screen = LESSON.screens[step]
    frame = screen.scene(Settings(done=done, chosen=chosen, draw=draw))
    return frame, screen.side(frame)


def side(*args, **kwargs):
    return shown(*args, **kwargs)[1]


def asked(session, names):
    return {name: float(session.release(town.level(name))[0]) for name in names}


# The draws


def test_the_numbers_are_those_of_one_session_asked_in_the_order_of_the_cast(first):
    session = MultipleRelease([float(ILL)], GAUSSIAN, rng=streams.teaching(SEED, 0))
    assert asked(session, ASKING) == first.here
    assert list(first.here) == ["audit", "research", "partners", "public"]
    assert [f"{x:.1f}" for x in first.here.values()] == ["311.4", "310.6", "309.7", "308.3"]
    distances = [abs(x - ILL) for x in first.here.values()]
    assert distances == sorted(distances)  # the more trusted, the nearer in this draw


def test_the_path_begins_at_the_truth_and_goes_through_every_number(first):
    assert first.path[0.0] == ILL
    for name, x in first.here.items():
        assert first.path[town.level(name)] == x
    assert max(first.path) == town.level(PUBLIC)


def test_other_paths_share_the_truth_and_nothing_else(first):
    assert len(first.free) == town.OTHERS
    for path in first.free:
        assert min(path) == 0.0
        assert path[0.0] == ILL
        assert max(path) == town.level(PUBLIC)
    loose = [x for path in first.free for at, x in path.items() if at]
    assert len(loose) == len(set(loose))


def test_a_draw_is_made_once_and_repeats_by_its_seed(first):
    assert words.drawn(0) is words.drawn(0)
    again, other = town.draw(SEED), town.draw(SEED + 1)
    assert (again.here, again.path, again.free) == (first.here, first.path, first.free)
    assert not set(other.here.values()) & set(first.here.values())


# The string and walking on


def test_walking_on_adds_noise_of_the_difference_of_the_variances():
    wanted = stats.norm.ppf(0.975) * math.sqrt(1 / 0.2 - 1 / 0.6)
    assert town.noise_between(RESEARCH, PUBLIC) == pytest.approx(wanted, rel=1e-9)
    assert (side(1).value, side(1).claims) == ("?", ())
    done = side(1, done=True)
    assert (done.value, done.note) == ("308.3", "research’s 310.6 plus noise of −2.3")
    assert "2.6² + 3.6² ≈ 4.4²" in done.caption


def test_the_string_is_the_precision_weighted_mean_of_its_ends(first):
    level = {name: 1 / (2 * town.RHO[name]) for name in town.TIERS}
    up, down = level[PARTNERS] - level[RESEARCH], level[PUBLIC] - level[PARTNERS]
    mean = (first.here[RESEARCH] / up + first.here[PUBLIC] / down) / (1 / up + 1 / down)
    half = stats.norm.ppf(0.975) / math.sqrt(1 / up + 1 / down)
    _, middle, falls = side(2, done=True).claims
    assert (middle.value, falls.value) == pytest.approx((mean, half), rel=1e-9)
    assert down / up == pytest.approx(3)
    assert (side(2).value, side(2, done=True).value) == ("?", "309.7")


def test_partners_number_is_usually_nearer_to_researchs():
    """As the screen answers: at any two ends, and not only in the mean."""
    rng = np.random.default_rng(3)
    up, down = (
        town.level(PARTNERS) - town.level(RESEARCH),
        town.level(PUBLIC) - town.level(PARTNERS),
    )
    research = rng.normal(0, town.sd(RESEARCH), 20_000)
    partners = research + rng.normal(0, math.sqrt(up), 20_000)
    public = partners + rng.normal(0, math.sqrt(down), 20_000)
    assert np.mean(np.abs(partners - research) < np.abs(partners - public)) > 0.6


def test_a_number_is_on_the_path_once_the_noise_has_come_to_it(first):
    blurs = (words.NONE, *town.BLURS)
    for count, blur in enumerate(blurs):
        frame, _ = shown(0, chosen=blur)
        assert frame.frame["value"].notna().sum() == 1 + count
        assert frame.path["value"].iloc[-1] == [ILL, *first.here.values()][count]
        assert frame.possible["strand"].nunique() == town.OTHERS


# The order of asking


def test_both_orders_have_the_law_of_the_noise_alone_and_in_pairs(first):
    for one, other in itertools.combinations_with_replacement(town.TIERS, 2):
        spread = [
            run[one] - ILL if one == other else run[other] - run[one] for run in first.runs.values()
        ]
        variance = town.level(one)
        if one != other:
            variance = town.level(other) - variance
        for noise in spread:
            assert stats.kstest(noise / math.sqrt(variance), "norm").pvalue > 1e-4
        assert stats.ks_2samp(*spread).pvalue > 1e-4


def test_an_order_that_forgets_its_neighbours_is_found_out(first):
    """Fresh noise for each: the numbers alone are as before, their gap is not."""
    run = first.runs["audit first"]
    fresh = MultipleRelease(np.full(town.RUNS, float(ILL)), GAUSSIAN, rng=streams.teaching(3))
    gap = fresh.release(town.level(PUBLIC)) - run[RESEARCH]
    spread = math.sqrt(town.level(PUBLIC) - town.level(RESEARCH))
    assert stats.kstest(gap / spread, "norm").pvalue < 1e-4


def test_the_runs_that_are_near_are_counted(first):
    said = side(3, done=True)
    for claim, run in zip(said.claims, first.runs.values(), strict=True):
        off = run[RESEARCH] - ILL
        assert claim.value == np.sum(np.abs(off) <= 2.6)  # as it is printed
        share = 1 - 2 * stats.norm.sf(2.6 * math.sqrt(0.6))
        assert 0.95 < share < 0.96
        spread = math.sqrt(town.RUNS * share * (1 - share))
        assert claim.value == pytest.approx(town.RUNS * share, abs=4.5 * spread)
    assert "within ± 2.6 people" in plain(said.label)
    numbers = re.findall(r"[\d,]{5}", f"{said.value} {said.note}")
    assert numbers == [f"{claim.value:,}" for claim in said.claims]


def test_the_second_order_is_not_given_away_before_one_has_guessed():
    scene, said = shown(3)
    names = [trace.name for trace in words.runs_picture(scene).figure.data]
    assert not [name for name in names if "public" in name]
    assert len(said.claims) == 1
    assert words.runs_sentence(scene).endswith("?")
    assert said.note == "audit first"


# Sealing


def test_open_and_closed_are_what_a_sealed_session_does(first):
    before, after = (shown(4, done=done)[0].can_ask for done in (False, True))
    assert before == dict.fromkeys(town.LATER, True)
    assert after == {town.COURT: False, town.MAYOR: True}
    session = MultipleRelease([float(ILL)], GAUSSIAN, rng=streams.teaching(SEED, 0))
    asked(session, ASKING)
    session.seal(town.level(AUDIT))
    for who, can in after.items():
        if can:
            assert np.isfinite(session.release(town.level(who))).all()
        else:
            with pytest.raises(SealedError):
                session.release(town.level(who))
    assert asked(session, town.TIERS) == first.here  # what was drawn stays


def test_nothing_is_left_of_the_truth_once_it_is_sealed():
    frame, said = shown(4, done=True)
    held = frame.frame[frame.frame["state"] != "truth"]["value"].to_list()
    assert float(ILL) not in held
    names = [trace.name for trace in words.seal_picture(frame).figure.data]
    assert "erased" in names
    assert not [name for name in names if "truth" in name]
    assert (side(4).value, said.value) == ("1,000", "673")


# Each "of 1,000", simulated


@pytest.fixture(scope="module")
def worlds():
    truth = truths()
    sessions = [MultipleRelease(truth, GAUSSIAN, rng=streams.teaching(5, k)) for k in range(3)]
    one = {name: sessions[0].release(town.level(name)) for name in ASKING}
    more = [session.release(town.level(AUDIT)) for session in sessions[1:]]
    return SimpleNamespace(truth=truth, one=one, questions=[one[AUDIT], *more])


@pytest.mark.parametrize(("count", "says"), [(1, 673), (2, 736), (3, 781)])
def test_each_further_question_tells_more(worlds, count, says):
    assert guessed(worlds.truth, worlds.questions[:count]) == pytest.approx(says, abs=WITHIN + 0.5)
    assert correct_guesses(town.questions(count)) == says


def test_the_second_question_is_answered_by_what_two_paths_tell():
    before, after = side(5), side(5, done=True, chosen=words.SOME)
    assert (before.value, after.value, after.note) == (
        "673",
        "736",
        "63 more than with one question",
    )
    assert (words.FEW, words.SOME, words.TWICE) == (
        "673, as before",
        "736, a bit more",
        "846, twice the gain",
    )
    for done, right in ((False, 673), (True, 736)):
        scene, _ = shown(5, done=done)
        assert f"{right} are right" in words.second_picture(scene).alt


# What stands beside the pictures


@pytest.mark.parametrize(("step", "done"), few([(1, True), (1, False), (2, True), (2, False)], 2))
def test_every_number_with_a_blur_has_its_claim(step, done):
    said = side(step, done=done)
    claimed = {f"{claim.value:.1f}" for claim in said.claims}
    claimed |= {plain(pm(claim.value)).lstrip("± ") for claim in said.claims}
    known = {f"{x:.1f}" for x in town.draw(SEED).here.values()} | {"2.3"}
    found = re.findall(r"\d+\.\d+", plain(f"{said.value} {said.note}"))
    assert set(found) <= claimed | known
