"""RAPPOR: filters, chances and costs of responses, and from sums of reports back to counts."""

import itertools
import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate, stats

from dpviz import FAMILIES, streams
from dpviz.accounting.levels import randomised_response_epsilon
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.local import (
    Bloom,
    LaplaceBits,
    Rappor,
    RapporClient,
    RapporSurvey,
    collect_rappor,
    decode_rappor,
    instantaneous_response,
    laplace_response,
    rappor_joint_loss,
    rappor_law,
    rappor_reports_loss,
)
from dpviz.local.decoding import _passed
from dpviz.local.frequencies import estimate_frequencies
from dpviz.local.rappor import COUPLINGS, _table
from dpviz.local.survey import Reports
from dpviz.noise.randomised_response import RandomisedResponse
from tests.conftest import FULL, few, for_each

LAPLACE = FAMILIES["laplace"]
ASKED = Rappor(f=0.5, p=0.5, q=0.75)
RNG = streams.teaching(7)  # of what is refused
PAIRS = [(0.75, 0.5), (0.9, 0.1), (0.3, 0.29), (0.999, 1e-6)]


def test_a_text_sets_the_same_bits_on_every_machine():
    bloom = Bloom(bits=64, hashes=3, cohorts=8)
    assert bloom.positions("weather.example", 5) == (0, 13, 53)
    assert bloom.positions("", 0) == (17, 38, 56)
    assert bloom.positions("\ud800 é", 7) == (2, 12, 52)  # also what is no valid UTF-8
    other = Bloom(bits=64, hashes=3, cohorts=8, key="another")
    assert other.positions("weather.example", 5) != bloom.positions("weather.example", 5)


def test_every_text_sets_exactly_h_bits_and_all_bits_alike():
    bloom = Bloom(bits=16, hashes=15, cohorts=64)
    texts = [f"site {i}" for i in range(20)]
    design = bloom.design(texts).toarray().reshape(64, 16, 20)
    assert set(design.sum(axis=1).ravel()) == {15}
    few = Bloom(bits=16, hashes=2, cohorts=1024)
    seen = few.design(texts).sum(axis=1).reshape(1024, 16).sum(axis=0)
    assert abs(seen / (1024 * 20 * 2 / 16) - 1).max() < 0.1
    for cohort, text in product((0, 63), range(20)):
        assert_array_equal(
            design[cohort, :, text], bloom.filters([texts[text]], np.array([cohort]))[0]
        )


@pytest.mark.parametrize("f", [0.0, 0.1, 0.5, 0.75, 1.0])
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.75), (0.1, 0.3), (0.05, 0.99)])
def test_chances_and_costs_are_those_of_enumeration(f, p, q):
    asked = Rappor(f=f, p=p, q=q)
    f, p, q = map(Fraction, (f, p, q))
    permanent = {0: (1 - f / 2, f / 2), 1: (f / 2, 1 - f / 2)}
    once = {bit: law[0] * p + law[1] * q for bit, law in permanent.items()}
    assert_allclose(asked.one_if_zero, float(once[0]), rtol=1e-15)
    assert_allclose(asked.one_if_one, float(once[1]), rtol=1e-15)
    assert_allclose(asked.contrast, float(once[1] - once[0]), rtol=1e-14)

    def worst(law, hashes):
        """Texts that share no bit: all outcomes of h bits that rise and h that fall."""
        odds = [math.log(law[1][o] / law[0][o]) for o in (0, 1)]
        sets = product(odds, repeat=hashes), product([-x for x in odds], repeat=hashes)
        return sum(max(sum(each) for each in one) for one in sets)

    for hashes in (1, 2, 3):
        law = {bit: (1 - chance, chance) for bit, chance in once.items()}
        assert_allclose(asked.epsilon_once(hashes), worst(law, hashes), rtol=1e-12, atol=1e-12)
        if f:
            forever = worst(permanent, hashes)
            assert_allclose(asked.epsilon_forever(hashes), forever, rtol=1e-12, atol=1e-12)
        else:
            assert asked.epsilon_forever(hashes) == math.inf


def test_the_numbers_of_the_paper():
    assert_allclose(ASKED.epsilon_forever(2), 4.3944491546724388, rtol=1e-15)
    assert_allclose(ASKED.epsilon_once(2), 1.0742858641667282, rtol=1e-14)
    for f in (0.5, 0.75, 0.1):  # P(F(0) = 1) and P(B' != B) are f/2
        bits = LAPLACE.cdf(-0.5, -0.5 / math.log(f))
        assert_allclose(bits, f / 2, rtol=1e-14)
    assert_allclose(rappor_law("chain", 0.75, 0.5)[1].sum(), 0.375, rtol=1e-15)
    assert_allclose(rappor_law("recast", 0.75, 0.5)[1, 1], 0.17687968740985547, rtol=1e-14)
    assert_allclose(rappor_joint_loss("chain", 0.75, 0.5), 1.0986122886681098, rtol=1e-15)
    assert_allclose(rappor_joint_loss("recast", 0.75, 0.5), 1.1378602956, atol=5e-11)
    assert rappor_joint_loss("recast", 0.75, 0.5) < 2 * math.log(2)  # what the number promises


@for_each(("p", "q"), [(0.25, 0.75), (0.5, 0.75), (0.1, 0.3), (0.6, 0.9), (0.05, 0.99)])
def test_an_instantaneous_response_as_a_cut_laplace_number(p, q):
    """Both chances fix both numbers: the law rises strictly, in θ and in ε."""
    epsilon, theta = laplace_response(p, q)
    chances = [float(LAPLACE.cdf(bit - theta, 1 / epsilon)) for bit in (0, 1)]
    assert_allclose(chances, (p, q), rtol=1e-13)


def chain_by_steps(first, second):
    """The chain, drawn the other way round: the second bit, blurred again to the first."""
    law, again = np.zeros((2, 2)), 1 - (1 - first) / (1 - second)
    for at_second, at_first in product((0, 1), repeat=2):
        law[at_first, at_second] = (1 - second / 2, second / 2)[at_second] * (
            (1 - again / 2) if at_first == at_second else again / 2
        )
    return law


def recast_by_integration(first, second):
    """The recast of a zero: a Laplace number, relaxed by its own bridge law, both cut at ½."""
    low, high = -0.5 / math.log(second), -0.5 / math.log(first)

    def beyond(x):  # P(V₂ >= ½ | V₁ = x), by the bridge from the exact value
        law = LAPLACE.law_between(0.0, x, 0.0, low, high)
        return 1 - float(law.cdf(np.nextafter(0.5, 0)))

    law = np.zeros((2, 2))
    for ends, place in (((-60 * high, 0.0), 0), ((0.0, 0.5), 0), ((0.5, 60 * high), 1)):
        parts = np.geomspace(1, 60 * high, 12) if place else [*ends]
        cuts = sorted({*ends, *(c for c in parts if ends[0] < c < ends[1])})
        for a, b in pairwise(cuts):
            law[place, 1] += integrate.quad(
                lambda x: float(LAPLACE.density(x, high)) * beyond(x), a, b, epsabs=1e-12
            )[0]
    law[:, 0] = (1 - first / 2, first / 2) - law[:, 1]
    return law


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_joint_laws_and_losses_by_enumeration(first, second):
    laws = {"chain": chain_by_steps(first, second)}
    laws["fresh"] = np.outer([1 - first / 2, first / 2], [1 - second / 2, second / 2])
    if (first, second) == PAIRS[0]:
        laws["recast"] = recast_by_integration(first, second)
    for coupling, law in laws.items():
        assert_allclose(rappor_law(coupling, first, second), law, rtol=1e-7, atol=1e-11)
        loss = max(abs(math.log(law[o] / law[1 - o[0], 1 - o[1]])) for o in np.ndindex(2, 2))
        assert_allclose(rappor_joint_loss(coupling, first, second), loss, rtol=1e-7)
    alone = math.log((2 - second) / second)
    assert_allclose(rappor_joint_loss("chain", first, second), alone, rtol=1e-14)
    assert rappor_joint_loss("recast", first, second) > alone * (1 + 1e-9)
    both = alone + math.log((2 - first) / first)
    assert_allclose(rappor_joint_loss("fresh", first, second), both, rtol=1e-12)
    assert_allclose(alone, randomised_response_epsilon(-math.log1p(-second)), rtol=1e-12)


def test_one_report_of_each_kind_tells_more_than_one_of_the_second():
    """MATHEMATICS 15.2: kept bits are lossless, reports only weakly: 684 and 708 right guesses."""
    seen = np.array([[0.75, 0.25], [0.25, 0.75]])  # 1 - p, p; 1 - q, q
    law = rappor_law("chain", 0.75, 0.5)
    zero, one = (seen.T @ each @ seen for each in (law, law[::-1, ::-1]))

    def right(zero, one):
        """Of two texts that differ in two bits either way, all outcomes written out."""
        first, second = np.ones(1), np.ones(1)
        for a, b in ((zero, one), (one, zero)) * 2:
            first, second = np.outer(first, a).ravel(), np.outer(second, b).ravel()
        return 500 * (1 + np.maximum(first - second, 0).sum())

    assert round(right(zero.sum(0), one.sum(0))) == 684
    assert round(right(zero, one)) == 708
    kept = law, law[::-1, ::-1]
    assert right(*kept) == pytest.approx(right(*(each.sum(0) for each in kept)))


def test_two_reports_tell_no_more_than_their_permanent_responses():
    first = Rappor(f=0.75, p=0.5, q=0.75)
    told = [rappor_reports_loss(each, first, ASKED, 2) for each in COUPLINGS]
    assert told[0] < told[1] < told[2]
    assert_allclose(told[2], first.epsilon_once(2) + ASKED.epsilon_once(2), rtol=1e-12)
    assert ASKED.epsilon_once(2) < told[0] < ASKED.epsilon_forever(2)
    sharp = [Rappor(f=f, p=1e-9, q=1 - 1e-9) for f in (0.75, 0.5)]  # as if bits were shown
    for coupling in COUPLINGS:
        bits = 4 * rappor_joint_loss(coupling, 0.75, 0.5)
        assert_allclose(rappor_reports_loss(coupling, *sharp, 2), bits, rtol=1e-6)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.75), (0.1, 0.3), (1 / 3, 2 / 3)])
def test_an_instantaneous_response_is_exact_on_whole_bits(p, q):
    """The thresholds at 200 bits are those of the two floats, to the last bit."""
    pairs = _table(Rappor(f=0.5, p=p, q=q))._thresholds(200)
    assert [Fraction(low, 2**200) for low, _ in pairs] == [Fraction(p), Fraction(q)]
    for rng in (streams.teaching(7), streams.hardened()):
        told = instantaneous_response(
            np.repeat([0, 1], 40_000).reshape(2, -1), Rappor(f=0.5, p=p, q=q), rng=rng
        )
        assert told.dtype == np.uint8
        assert set(told.ravel().tolist()) == {0, 1}
        assert abs(told.mean(axis=1) - [p, q]).max() < 6 * 0.5 / 200


def test_a_client_keeps_what_it_drew_and_tosses_fresh_coins_for_reports():
    client = RapporClient("Rome", Bloom(bits=1000, cohorts=2), rng=streams.hardened())
    assert client.filter.sum() == 2
    later = Rappor(f=0.2, p=0.25, q=0.75)
    first = client.permanent(ASKED).copy()
    sharper = client.permanent(later)
    assert_array_equal(client.permanent(ASKED), first)
    assert (sharper != first).any()
    assert (client.report(ASKED) != client.report(ASKED)).any()


@for_each(
    ("make", "says"),
    [
        (lambda: Rappor(f=0.5, p=0.5, q=0.5), "unless p and q differ"),
        (lambda: Rappor(f=0.5, p=0.75, q=0.5), "swap them"),
        (lambda: Rappor(f=1.1, p=0.5, q=0.75), "from 0 to 1"),
        (lambda: Rappor(f=math.nan, p=0.5, q=0.75), "from 0 to 1"),
        (lambda: Rappor(f=0.5, p=0, q=0.75), "strictly between"),
        (lambda: Rappor(f=0.5, p=0.5, q=1), "strictly between"),
        (lambda: Rappor(f=0, p=0.5, q=0.75).level, "keeps every bit"),
        (lambda: Rappor(f=1, p=0.5, q=0.75).level, "forgets all"),
        (lambda: Bloom(bits=1), "bits"),
        (lambda: Bloom(bits=1025), "bits"),
        (lambda: Bloom(hashes=0), "hashes"),
        (lambda: Bloom(bits=8, hashes=8), "fewer than the 8 bits"),
        (lambda: Bloom(cohorts=0), "cohorts"),
        (lambda: Bloom(bits=512, cohorts=64), "bits × cohorts"),
        (lambda: Bloom(key="x" * 65), "64 bytes"),
        (lambda: Bloom().positions("a", 32), "cohort"),
        (lambda: Bloom().positions(3, 0), "text"),
        (lambda: rappor_law("chain", 0.5, 0.75), "swap them"),
        (lambda: rappor_law("chain", 1.0, 0.5), "strictly between"),
        (lambda: rappor_law("other", 0.75, 0.5), "one of"),
        *(
            (lambda v=v: instantaneous_response(np.array([v]), ASKED, rng=RNG), "zeros and ones")
            for v in (2, -1, 0.0)
        ),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(make, says):
    with pytest.raises(ParameterError, match=says):
        make()


def test_the_recast_is_for_teaching_only():
    with pytest.raises(HardenedModeError, match="floating-point"):
        LaplaceBits(np.array([0, 1]), rng=streams.hardened())
    with pytest.raises(ParameterError, match="strictly between"):
        LaplaceBits(np.array([0, 1]), rng=streams.teaching(7)).permanent(1.0)


# From sums of reports to counts: unbiased, with right errors, and few false discoveries.


TRUTH = {"a.example": 4000, "b.example": 2500, "c.example": 1500, "d.example": 600}
NOBODY = [f"nobody{i}.example" for i in range(26)]
BLOOM = Bloom(bits=16, hashes=2, cohorts=8)
DECODED = Rappor(f=0.25, p=0.25, q=0.75)
RUNS = 200 if FULL else 30


def sums(truth, bloom, asked, rng):
    """Sums with the law of `collect_rappor`, by binomial numbers: a second way, and quick."""
    even = [1 / bloom.cohorts] * bloom.cohorts
    joined = np.array([rng.multinomial(n, even) for n in truth.values()])
    design = bloom.design([*truth]).toarray().reshape(bloom.cohorts, bloom.bits, -1)
    set_bits = np.einsum("cba,ac->cb", design, joined).astype(int)
    clients = joined.sum(axis=0)
    unset = clients[:, None] - set_bits
    ones = rng.binomial(set_bits, asked.one_if_one) + rng.binomial(unset, asked.one_if_zero)
    return Reports(bloom=bloom, rappor=asked, ones=ones, clients=clients)


@pytest.mark.parametrize("asked", [DECODED, Rappor(f=0.05, p=0.02, q=0.98)], ids=["noisy", "sharp"])
def test_counts_are_unbiased_and_their_errors_right(asked, seed):
    """The second setting has so little noise that chance in the cohorts is most of the error."""
    rng, names = streams.teaching(seed), [*TRUTH, *NOBODY[:4]]
    true = np.array([*TRUTH.values(), 0, 0, 0, 0])
    found = [decode_rappor(sums(TRUTH, BLOOM, asked, rng), names) for _ in range(RUNS)]
    away = np.array([(each.counts - true) / each.errors for each in found])
    assert abs(away.mean(axis=0)).max() < 5 / np.sqrt(RUNS) + 0.1
    spread = away.std(axis=0)
    assert abs(spread - 1).max() < 3 / np.sqrt(RUNS) + 0.03
    covered = (abs(away) < stats.norm.isf(0.025)).mean()
    assert abs(covered - 0.95) < 0.15 / np.sqrt(RUNS) + 0.015


@pytest.mark.parametrize("correction", ["Bonferroni", "Benjamini–Hochberg"])
def test_false_discoveries_are_as_rare_as_is_said(correction, seed):
    """Of any text that nobody has, and as a share of all that is found."""
    rng, names = streams.teaching(seed), [*TRUTH, *NOBODY]
    wrong = []
    for _ in range(RUNS):
        found = decode_rappor(sums(TRUTH, BLOOM, DECODED, rng), names, correction=correction).found
        false, all_found = found[len(TRUTH) :].sum(), found.sum()
        wrong.append(float(false > 0) if correction == "Bonferroni" else false / max(1, all_found))
        assert found[0]
    assert np.mean(wrong) < 0.05 + 4 * np.std(wrong) / np.sqrt(RUNS) + 0.01


def test_the_corrections_are_those_of_scipy():
    rng = streams.teaching(7)
    for _ in range(20):
        p_values = rng.random(40) ** 4
        wanted = stats.false_discovery_control(p_values) <= 0.05
        assert_array_equal(_passed(p_values, "Benjamini–Hochberg", 0.05), wanted)
        assert_array_equal(_passed(p_values, "Bonferroni", 0.05), p_values * 40 <= 0.05)


def test_a_lasso_finds_texts_among_more_candidates_than_bits(seed):
    rng = streams.teaching(seed)
    crowd = [*TRUTH, *(f"decoy{i}" for i in range(196))]  # 200 candidates, 128 sums
    found = [decode_rappor(sums(TRUTH, BLOOM, DECODED, rng), crowd) for _ in range(3)]
    for each in found:
        assert each.found[:3].all()
        assert each.found[4:].sum() <= 1
        assert abs(each.counts[:3] - [*TRUTH.values()][:3]).max() < 6 * each.errors[:3].max()
        assert np.isfinite(each.counts).all()
    assert sum(each.found[4:].any() for each in found) <= 2


def test_texts_that_are_no_candidates_are_counted_as_others_and_widen_the_errors():
    truth = {"a": 40_000, "hidden": 30_000, "b": 5_000}
    sharp = Rappor(f=0.05, p=0.05, q=0.95)
    reports = sums(truth, Bloom(bits=32, cohorts=16), sharp, streams.teaching(7))
    every, some = (decode_rappor(reports, names) for names in (["a", "hidden", "b"], ["a", "b"]))
    assert every.misfit < 1.2
    assert some.misfit > 5
    assert abs(some.others - 30_000) < 6000
    assert abs(every.others) < 1000
    assert (abs(some.counts - [40_000, 5_000]) < 4 * some.errors).all()


def test_a_survey_and_a_collection_agree_with_sums_by_binomial_numbers():
    """Means of the sums, in three ways that share no sampler."""
    truth, asked = {"x": 300, "y": 100}, [Rappor(f=0.8, p=0.3, q=0.7), DECODED]
    bloom = Bloom(bits=4, hashes=1, cohorts=2)
    rng, made = streams.teaching(7), []
    for way in range(3):
        runs = []
        for _ in range(60):
            if way == 0:
                found = [sums(truth, bloom, each, rng) for each in asked]
            elif way == 1:
                found = collect_rappor(truth, bloom, asked, rng=rng)
            else:
                survey = RapporSurvey(truth, bloom, rng=rng)
                found = [survey.report(each) for each in asked[::-1]][::-1]  # sharper first
            runs.append([each.ones for each in found])
        made.append(np.array(runs))
    for other in made[1:]:
        error = np.sqrt((made[0].var(axis=0) + other.var(axis=0)) / 60)
        assert abs((made[0].mean(axis=0) - other.mean(axis=0)) / error).max() < 4.5


def test_collections_are_blocks_of_surveys_and_repeat(monkeypatch):
    truth = {"x": 700, "y": 300, "z": 0}
    monkeypatch.setattr("dpviz.local.survey.BLOCK", 16 * 128)
    both_asked = [DECODED, Rappor(f=0.1, p=0.25, q=0.75)]
    first, both = (
        collect_rappor(truth, BLOOM, asked, rng=streams.teaching(7))
        for asked in ([DECODED], both_asked)
    )
    assert_array_equal(first[0].ones, both[0].ones)  # what is asked later changes nothing
    assert both[1].total == 1000
    survey = RapporSurvey(truth, BLOOM, rng=streams.hardened())
    assert survey.report(DECODED) is survey.report(DECODED)


def test_reports_of_one_client_and_of_empty_cohorts_can_be_decoded():
    (reports,) = collect_rappor({"a": 1}, BLOOM, [DECODED], rng=streams.teaching(7))
    assert decode_rappor(reports, ["a"]).counts.shape == (1,)


def refused(**changed):
    reports = sums(TRUTH, changed.pop("bloom", BLOOM), DECODED, streams.teaching(7))
    given = {"reports": reports, "candidates": ["a"]} | changed
    return lambda: decode_rappor(given.pop("reports"), given.pop("candidates"), **given)


SILENT = Reports(
    bloom=BLOOM,
    rappor=Rappor(f=1, p=0.25, q=0.75),
    ones=np.zeros((8, 16), int),
    clients=np.ones(8, int),
)


@for_each(
    ("act", "says"),
    [
        (refused(candidates=[]), "no candidates"),
        (refused(candidates=["a", "a"]), "there twice"),
        (refused(candidates=[1]), "candidates"),
        (refused(candidates=[str(i) for i in range(1001)]), "at most 1,000"),
        (refused(correction="none"), "one of"),
        (refused(miss=0), "strictly between"),
        (refused(reports=SILENT), "f = 1"),
        (refused(bloom=Bloom(bits=2, hashes=1, cohorts=1), candidates=[*"abc"]), "told apart"),
        (lambda: collect_rappor({}, BLOOM, [DECODED], rng=RNG), "between 1 and"),
        (lambda: collect_rappor({"a": 10**6 + 1}, BLOOM, [DECODED], rng=RNG), "1,000,000 clients"),
        (lambda: collect_rappor({"a": -1}, BLOOM, [DECODED], rng=RNG), "at least 0"),
        (lambda: RapporSurvey({"a": 10**6}, BLOOM, rng=RNG), "too many to be asked again"),
        (lambda: collect_rappor({"a": 5}, BLOOM, [SILENT.rappor], rng=RNG), "forgets all"),
    ],
)
def test_what_cannot_be_decoded_is_refused_with_a_sentence(act, says):
    with pytest.raises(ParameterError, match=says):
        act()


# Frequencies from randomised responses: unbiased, and with the variance that enumeration finds.


SHARES = (0, 0, 1, 2)
LEVELS = {0.3: (0, 2), 1.1: (1, 3)}  # which people report at which level


def every_outcome(family, levels, **options):
    """All reports of the small population, each with its probability and its estimate."""
    level_of = {person: level for level, people in levels.items() for person in people}
    laws = [family.law_between(t, None, 0.0, level_of[i], None) for i, t in enumerate(SHARES)]
    for reports in itertools.product(range(family.categories), repeat=len(SHARES)):
        chance = np.prod([law[y] for law, y in zip(laws, reports, strict=True)])
        given = {level: np.array(reports)[list(people)] for level, people in levels.items()}
        yield chance, estimate_frequencies(given, family, **options)


@pytest.mark.parametrize("levels", [{0.7: (0, 1, 2, 3)}, LEVELS])
def test_unbiased_by_enumeration(levels):
    family = RandomisedResponse(3)
    outcomes = list(every_outcome(family, levels))
    mean = sum(chance * found.shares for chance, found in outcomes)
    assert_allclose(mean, [0.5, 0.25, 0.25], rtol=1e-12)
    assert all(found.shares.sum() == pytest.approx(1) for _, found in outcomes)
    assert all(found.possible.min() >= 0 for _, found in outcomes)
    assert all(found.possible.sum() == pytest.approx(1) for _, found in outcomes)


def test_weights_of_the_least_error_are_biased_where_levels_tell_something():
    """People 1 and 3, at the noisier level, are no picture of all: the sharper count more."""
    family = RandomisedResponse(3)
    outcomes = list(every_outcome(family, LEVELS, alike=True))
    mean = sum(chance * found.shares for chance, found in outcomes)
    part = np.array([2 * np.exp(-2 * level) for level in LEVELS])
    part /= part.sum()
    assert_allclose(mean, part @ [[0.5, 0.5, 0], [0.5, 0, 0.5]], rtol=1e-12)


@pytest.mark.parametrize("alike", few([False, True], 2))
def test_its_error_is_the_one_that_repetitions_have(alike):
    """Reports of 3,000 people at two levels, 2,000 times."""
    family = RandomisedResponse(4)
    truth = np.repeat([0, 1, 2, 3], [1800, 900, 300, 0])
    people = np.arange(truth.size) % 3 == 0
    rng, found = streams.teaching(3), []
    for _ in range(2000):
        given = {
            level: family.extend(truth[chosen], 0.0, level, rng=rng)
            for level, chosen in ((0.4, people), (1.5, ~people))
        }
        found.append(estimate_frequencies(given, family, alike=alike))
    shares = np.array([one.shares for one in found])
    stated = np.array([one.standard_errors for one in found]).mean(axis=0)
    assert_allclose(shares.mean(axis=0), [0.6, 0.3, 0.1, 0.0], atol=5 * stated.max() / 2000**0.5)
    assert_allclose(shares.std(axis=0), stated, rtol=0.08)  # 5 standard errors of a spread
    assert not np.allclose(shares.std(axis=0), 1.15 * stated, rtol=0.08)


def test_possible_shares_are_the_nearest():
    """Against a grid of all possible shares."""
    family = RandomisedResponse(3)
    found = estimate_frequencies({1.5: np.array([0, 0, 0, 1])}, family)
    grid = [(a, b, 100 - a - b) for a in range(101) for b in range(101 - a)]
    grid = np.array(grid) / 100
    nearest = grid[np.argmin(((grid - found.shares) ** 2).sum(axis=1))]
    assert_allclose(found.possible, nearest, atol=0.01)


def test_refuses_what_are_no_reports():
    for reports, said in (
        ({}, "at least one report"),
        ({1.0: np.array([], dtype=int)}, "at least one report"),
        ({1.0: np.array([3])}, "categories from 0 to 2"),
        ({0.0: np.array([1])}, "level"),
        ({1.0: np.array([0.5])}, "whole numbers"),
    ):
        with pytest.raises(ParameterError, match=said):
            estimate_frequencies(reports, RandomisedResponse(3))
