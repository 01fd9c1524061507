"""The lesson on trust by other ways, and how near a coalition gets by averaging."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpviz import streams
from dpviz.accounting.laplace import laplace_sum_half_width
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.trust_grows import crowd, two_ways
from dpviz.errors import ParameterError
from dpviz.experiments.averaging import ATTACKS, averaging_attacks
from dpviz.local import attack_errors, best_estimate
from dpviz.local.averaging import weighted_half_width
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.release import MultipleRelease
from dpviz.scenes import trust_grows as town
from dpviz.scenes.lessons import HERE, USUAL, Settings, correct_guesses
from dpviz.scenes.threads import GAUSSIAN
from dpviz.scenes.trust_grows import Crowd, crowd_frame
from dpviz.ui import trust_grows as words
from dpviz.ui.kit import state
from dpviz.ui.trust_grows import LESSON
from tests import guessing
from tests.conftest import FULL, few, for_each
from tests.guessing import WITHIN, guessed, overlap
from tests.visiting import plain

STYLE = TierStyle(7, 6)
ALL = tuple(itertools.product(range(6), (False, True)))


@pytest.fixture(autouse=True)
def _session(monkeypatch):
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={}))


@pytest.fixture(scope="module")
def first():
    return town.draw(town.FIRST)


def side(step, *, done=False, chosen="", draw=0):
    screen = LESSON.screens[step]
    return screen.side(screen.scene(Settings(done=done, chosen=chosen, draw=draw)))


# The town


def test_the_groups_are_nested_and_add_up_to_the_cast():
    answers = town.answers()
    assert town.GROUPS[-1][1:] == (1000, 312)
    assert answers.shape == (1000,)
    for _, size, ill in town.GROUPS:
        assert answers[:size].sum() == ill
    assert answers[0] == town.YES  # Maria


def test_a_draw_is_made_once_and_repeats_by_its_seed(first):
    assert words.drawn(0) is words.drawn(0)
    again, other = town.draw(town.FIRST), town.draw(town.FIRST + 1)
    assert (again.here, again.usual, again.trusted) == (first.here, first.usual, first.trusted)
    np.testing.assert_array_equal(again.crowd.reports, first.crowd.reports)
    assert not set(other.here.values()) & set(first.here.values())


def test_the_hospital_has_one_number_on_every_screen(first):
    assert first.here["hospital"] == first.usual["hospital"] == first.crowd.reports[0]
    assert list(first.here) == list(first.usual) == list(town.RHO)
    others = set(first.here.values()) & set(first.usual.values())
    assert others == {first.here["hospital"]}


def test_the_trusted_number_needs_no_look_at_her_answer():
    """It leans on the two numbers around it, and a session that forgot the truth can draw it."""
    session = MultipleRelease([town.YES], GAUSSIAN, rng=streams.teaching(town.FIRST, 0))
    for name in town.ORDER:
        session.release(gaussian_level(town.RHO[name], 1.0))
    around = [gaussian_level(town.RHO[name], 1.0) for name in ("hospital", "city clinic")]
    level = gaussian_level(town.TRUSTED_RHO, 1.0)
    assert [*session.neighbours(level)] == around
    session.seal(gaussian_level(town.RHO["doctor"], 1.0))
    assert np.isfinite(session.release(level)).all()


# Each "of 1,000", simulated: 1 or 0 equally likely, everybody's numbers, the best linear guess,
# which for normal noise is the best of all


@pytest.fixture(scope="module")
def worlds():
    here = {**{name: town.RHO[name] for name in town.ORDER}, "new": town.TRUSTED_RHO}
    return guessing.worlds(0.0, here, town.RHO)


def test_together_separate_noise_gains_and_here_gains_nothing(worlds):
    four = list(town.RHO)
    usual = guessed(worlds.truth, [worlds.usual[n] for n in four])
    assert usual == pytest.approx(760, abs=WITHIN + 0.5)
    assert correct_guesses(town.READERS.together(USUAL)) == 760
    here = guessed(worlds.truth, [worlds.here[n] for n in four])
    assert here == pytest.approx(673, abs=WITHIN + 0.5)
    assert (
        correct_guesses(town.READERS.together(HERE)) == correct_guesses(town.RHO["doctor"]) == 673
    )


def test_the_new_number_tells_638_with_or_without_the_old_one_and_all_five_still_673(worlds):
    assert correct_guesses(town.TRUSTED_RHO) == 638
    for numbers in (["new"], ["new", "far clinic"]):
        found = guessed(worlds.truth, [worlds.here[n] for n in numbers])
        assert found == pytest.approx(638, abs=WITHIN + 0.5)
    assert guessed(worlds.truth, [*worlds.here.values()]) == pytest.approx(673, abs=WITHIN + 0.5)


def test_the_pooled_number_is_the_weighted_mean(first):
    sharpness = np.array([1 / gaussian_level(rho, 1.0) for rho in town.RHO.values()])
    numbers = np.array([first.usual[name] for name in town.RHO])
    assert town.READERS.pooled(first.usual) == pytest.approx(
        (sharpness @ numbers) / sharpness.sum()
    )


# The crowd


def test_the_half_width_of_a_mean_falls_with_the_root(first):
    frame = crowd_frame(first.crowd, [(name, size) for name, size, _ in town.GROUPS])
    one = stats.norm.ppf(0.975) / math.sqrt(2 * first.crowd.rho)
    assert frame["half"].tolist() == pytest.approx(
        [one / math.sqrt(n) for n in (1, 10, 100, 1000)], rel=1e-9
    )
    assert frame["mean"].tolist() == pytest.approx(
        [first.crowd.reports[:n].mean() for n in (1, 10, 100, 1000)]
    )
    assert frame["true"].tolist() == [1.0, 0.4, 0.33, 0.312]


def test_the_noise_of_a_thousand_reports_is_as_wide_as_stated():
    level = gaussian_level(town.RHO["hospital"], 1.0)
    session = MultipleRelease(np.zeros((4000, 1000)), GAUSSIAN, rng=streams.teaching(3))
    sums = session.release(level).sum(axis=1)
    for half, scale in (
        (side(3, done=True).claims[0].value, 1),
        (side(2, done=True).claims[1].value, 1000),
    ):
        within = np.mean(np.abs(sums) <= half * scale)
        assert within == pytest.approx(0.95, abs=4.5 * math.sqrt(0.0475 / 4000))


def test_a_trusted_collector_would_be_thirty_two_times_sharper():
    """Noise of one report on the whole count: one person moves either by 1."""
    local, central, times = (claim.value for claim in side(3, done=True).claims)
    assert central == pytest.approx(stats.norm.ppf(0.975) / math.sqrt(0.6))
    assert local / central == pytest.approx(math.sqrt(1000))
    assert times == pytest.approx(local / central)
    assert (side(3).value, words.farther_answers()[1]) == ("?", "About 32 times as far off")
    said = LESSON.screens[3].picture(LESSON.screens[3].scene(Settings())).alt
    assert plain(said).count("81") == 0, "before one has guessed"


@pytest.mark.parametrize(
    "bad", [{"answers": np.array([0.5])}, {"reports": np.zeros(2)}, {"rho": 0.0}]
)
def test_a_crowd_that_cannot_be_is_refused(bad):
    with pytest.raises(ParameterError):
        Crowd(**({"answers": np.ones(1), "reports": np.ones(1), "rho": 0.3} | bad))


@pytest.mark.parametrize("size", [0, 3, 1.5])
def test_a_group_outside_the_crowd_is_refused(size):
    with pytest.raises(ParameterError):
        crowd_frame(Crowd(np.ones(2), np.ones(2), 0.3), [("few", size)])


def test_before_the_town_is_asked_the_picture_has_her_number_alone(first):
    frame = crowd_frame(first.crowd, [(name, size) for name, size, _ in town.GROUPS])
    shown = [t.name for t in crowd(frame, STYLE, revealed=False).data if t.mode == "markers"]
    assert shown == ["Maria"]
    after = [t for t in crowd(frame, STYLE, revealed=True).data if t.mode == "markers"]
    assert [t.x[0] for t in after] == frame["mean"].tolist()
    before, now = (crowd(frame, STYLE, revealed=done) for done in (False, True))
    assert "truth" not in [t.name for t in before.data]
    assert [text.split("<br>")[1] for text in before.layout.yaxis.ticktext][1:] == 3 * ["<b>?</b>"]
    assert now.data[-1].name == "truth", "above the marks"
    notes = [note.text for note in now.layout.annotations]
    assert f"<b>{first.crowd.reports.mean():.3f}</b>" in notes


# What stands beside the pictures


@for_each("blur", words.BLURS)
def test_each_blur_claims_its_own_guesses(blur):
    said = side(1, chosen=blur)
    (claim,) = said.claims
    assert claim.value == pytest.approx(overlap(words.BLURS[blur]), rel=1e-7)
    assert said.guesses["count"].tolist()[1] == round(claim.value) - 500


def test_the_differences_are_those_of_the_numbers_shown():
    assert side(4, done=True).note == "no more than the doctor alone"
    assert not side(4, done=True).worse
    assert side(5, done=True).note == "50 more than before"


def test_the_share_is_the_average_of_the_reports(first):
    said = side(2, done=True)
    share = first.crowd.reports.mean()
    assert said.claims[0].value == pytest.approx(share)
    assert plain(said.value) == f"{share:.3f} ± 0.081"
    assert said.note == "the truth: 0.312"


def test_a_first_number_is_in_the_cone_from_the_start(first):
    for done in (False, True):
        scene = LESSON.screens[0].scene(Settings())
        fig = two_ways(scene.frame, STYLE, true="yes", revealed=done)
        (mark,) = (trace for trace in fig.data if trace.name == town.HOSPITAL)
        assert mark.x == (first.here[town.HOSPITAL],)
        cone, path = (next(t for t in fig.data if t.name == n) for n in ("cone", "with noise"))
        assert path.x[1:] == mark.x * 2, "what she sends is what is heard: noise ends on her phone"
        assert path.y[1] == max(cone.y) < mark.y[0]
        said = [note.text for note in fig.layout.annotations]
        assert {"<b>the office</b>", "<b>the hospital</b>", "more noise ↓"} <= {*said}
        assert said.count("<b>yes</b>") == 3  # the office has it, too
        told = [w.split("<br>")[-1] for w in said if "her answer" in w]
        assert told == done * ["<b>has her answer</b>", "<b>never sees her answer</b>"]


def test_what_the_new_number_hangs_between_is_not_shown_before_one_has_guessed():
    for done in (False, True):
        scene = LESSON.screens[5].scene(Settings(done=done))
        names = [trace.name for trace in LESSON.screens[5].picture(scene).figure.data]
        assert any(name.startswith("string") for name in names) == done
        assert (town.NEXT in names) == done


@pytest.mark.parametrize("again", range(200 if FULL else 1))
def test_any_draw_can_be_shown(again):
    for step, done in few(ALL, 2):
        screen = LESSON.screens[step]
        frame = screen.scene(Settings(done=done, draw=again))
        assert 20 < len(screen.picture(frame).alt) <= 200


# How near a coalition gets: formulas against brute force, bounds against each other.


LAPLACE, WHOLE, GAUSS = (FAMILIES[n] for n in ("laplace", "discrete_laplace", "gaussian"))
KINDS = (LAPLACE, WHOLE)


def test_equal_levels_are_the_numbers_of_the_paper():
    for k, epsilon in ((1, 0.5), (4, 2.0), (100, 0.1)):
        found = attack_errors(LAPLACE, [1 / epsilon] * k)
        assert found.average == pytest.approx(2 / (k * epsilon**2), rel=1e-14)
        assert found.weighted == pytest.approx(found.average, rel=1e-14)
        assert found.least == pytest.approx(1 / (k * epsilon**2), rel=1e-14)
        assert found.lossless == found.lossless_average == pytest.approx(2 / epsilon**2, rel=1e-14)


@pytest.mark.parametrize("family", [*KINDS, GAUSS], ids=lambda f: f.name)
def test_mixed_levels_against_all_pairs(family):
    levels = [1.0, 4.0, 2.5, 4.0, 9.0]
    v = [family.variance(level) for level in levels]
    found = attack_errors(family, levels)
    pairs = sum(min(a, b) for a, b in itertools.product(v, v)) / 25
    assert found.lossless_average == pytest.approx(pairs, rel=1e-13)
    assert found.weighted == pytest.approx(1 / sum(1 / x for x in v), rel=1e-13)
    assert found.average == pytest.approx(sum(v) / 25, rel=1e-13)
    assert found.lossless == min(v)
    assert found.lossless <= found.lossless_average
    assert found.weighted <= found.average
    assert found.weighted <= found.lossless


def brute_force(family, answers, levels):
    """Mean of the value given the answers, by quadrature or by adding up."""
    a, b = np.array(answers, dtype=float), np.array(levels)

    def density(u):
        return np.exp(-np.abs(a - np.asarray(u)[..., None]).__truediv__(b).sum(-1) + shift)

    shift = (np.abs(a - np.median(a)) / b).sum()
    if family.integer:
        u = np.arange(a.min() - 600, a.max() + 600)
        return float((u * density(u)).sum() / density(u).sum())
    ends = [a.min() - 200, *np.unique(a), a.max() + 200]
    sums = [
        sum(quad(f, p, q, epsabs=1e-300, epsrel=1e-11)[0] for p, q in itertools.pairwise(ends))
        for f in (lambda u: u * float(density(u)), lambda u: float(density(u)))
    ]
    return sums[0] / sums[1]


@pytest.mark.parametrize("family", KINDS, ids=lambda f: f.name)
def test_the_best_estimate_is_the_mean_of_the_value_given_the_answers(family):
    rng = streams.teaching(7)
    for k in (1, 2, 3, 5, 6):
        levels = rng.choice([0.3, 1.0, 2.0, 5.0], k).tolist()
        answers = rng.integers(-8, 9, k)
        found = float(best_estimate(family, answers, levels))
        assert found == pytest.approx(brute_force(family, answers, levels), rel=1e-8, abs=1e-9)


def test_estimates_that_are_known_without_computing():
    assert best_estimate(LAPLACE, [3.5], [2.0]) == 3.5
    assert best_estimate(LAPLACE, [0.0, 10.0], [2.0, 2.0]) == pytest.approx(5)
    assert best_estimate(WHOLE, [4, 4, 4], [2.0] * 3) == pytest.approx(4, abs=1e-12)
    far = best_estimate(LAPLACE, [1e6, 1e6 + 1, -1e6], [1e-3, 1e-3, 1e-3])
    assert 1e6 <= far <= 1e6 + 1  # nothing under- or overflows
    shifted = best_estimate(LAPLACE, np.array([0.3, 2.0, 7.0]) + 100, [1, 2, 3])
    assert shifted == pytest.approx(best_estimate(LAPLACE, [0.3, 2.0, 7.0], [1, 2, 3]) + 100)


@pytest.mark.parametrize("family", KINDS, ids=lambda f: f.name)
def test_simulated_errors_agree_with_the_formulas(family, seed):
    levels = [2.0, 3.0, 3.0, 6.0, 6.0, 6.0, 6.0, 6.0]
    asked = family, levels, [1, 3, 8], 200_000 if FULL else 8000
    found = averaging_attacks(*asked, rng=streams.teaching(seed))
    for k, measured in found.items():
        exact = attack_errors(family, levels[:k])
        values = exact.average, None, exact.lossless_average, exact.lossless
        for attack, value in zip(ATTACKS, values, strict=True):
            if value is not None:
                assert abs(measured[attack].value - value) < 6 * measured[attack].error, attack
        best = measured["independent, best"]
        assert best.value < exact.weighted + 6 * best.error
        if exact.least is not None:
            assert best.value > exact.least - 6 * best.error
    assert found[8]["independent, best"].value < found[1]["independent, best"].value / 2
    best = [found[k]["lossless, best"].value for k in found]
    assert best[0] == best[1] == best[2]  # the same member, however many there are


def test_refusals():
    for act in (
        lambda: attack_errors(LAPLACE, []),
        lambda: attack_errors(LAPLACE, [0.0]),
        lambda: attack_errors("laplace", [1.0]),
        lambda: best_estimate(GAUSS, [1.0], [1.0]),
        lambda: best_estimate(LAPLACE, [1.0, 2.0], [1.0]),
        lambda: best_estimate(LAPLACE, [np.nan], [1.0]),
        lambda: averaging_attacks(GAUSS, [1.0], [1], 10, rng=streams.teaching(7)),
        lambda: averaging_attacks(LAPLACE, [1.0], [2], 10, rng=streams.teaching(7)),
        lambda: averaging_attacks(LAPLACE, [1.0], [1], 10**8, rng=streams.teaching(7)),
    ):
        with pytest.raises(ParameterError):
            act()


@pytest.mark.parametrize("scale", [1e-6, 3.0, 1e6])
@pytest.mark.parametrize("count", [1, 2, 50])
def test_how_near_weighted_averages_are(count, scale):
    """Of equal levels: a share of the sum, whose half width is exact."""
    found = weighted_half_width(FAMILIES["laplace"], [scale] * count, 0.95)
    assert found == pytest.approx(laplace_sum_half_width(count, scale, 0.95) / count, rel=0.005)
    assert weighted_half_width(FAMILIES["discrete_laplace"], [0.01] * count, 0.95) == 0
    with pytest.raises(ParameterError):
        weighted_half_width(FAMILIES["laplace"], [], 0.95)
    with pytest.raises(ParameterError):
        weighted_half_width(FAMILIES["laplace"], [1.0, 1.0], 1.0)
