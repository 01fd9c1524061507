"""From sums of reports to counts: unbiased, with right errors, and few false discoveries."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.local import Bloom, Rappor, RapporSurvey, collect_rappor, decode_rappor
from dpviz.local.decoding import _passed
from dpviz.local.survey import Reports, collected_rappor
from tests.conftest import FULL

TRUTH = {"a.example": 4000, "b.example": 2500, "c.example": 1500, "d.example": 600}
NOBODY = [f"nobody{i}.example" for i in range(26)]
BLOOM = Bloom(bits=16, hashes=2, cohorts=8)
ASKED = Rappor(f=0.25, p=0.25, q=0.75)
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


@pytest.mark.parametrize("asked", [ASKED, Rappor(f=0.05, p=0.02, q=0.98)], ids=["noisy", "sharp"])
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


@pytest.mark.parametrize(
    ("correction", "most"), [("Bonferroni", 0.05), ("Benjamini–Hochberg", 0.05)]
)
def test_false_discoveries_are_as_rare_as_is_said(correction, most, seed):
    """Of any text that nobody has, and as a share of all that is found."""
    rng, names = streams.teaching(seed), [*TRUTH, *NOBODY]
    wrong = []
    for _ in range(RUNS):
        found = decode_rappor(sums(TRUTH, BLOOM, ASKED, rng), names, correction=correction).found
        false, all_found = found[len(TRUTH) :].sum(), found.sum()
        wrong.append(float(false > 0) if correction == "Bonferroni" else false / max(1, all_found))
        assert found[0]
    assert np.mean(wrong) < most + 4 * np.std(wrong) / np.sqrt(RUNS) + 0.01


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
    found = [decode_rappor(sums(TRUTH, BLOOM, ASKED, rng), crowd) for _ in range(3)]
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
    truth, asked = {"x": 300, "y": 100}, [Rappor(f=0.8, p=0.3, q=0.7), ASKED]
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
    truth, told = {"x": 700, "y": 300, "z": 0}, []
    monkeypatch.setattr("dpviz.local.survey.BLOCK", 16 * 128)
    both_asked = [ASKED, Rappor(f=0.1, p=0.25, q=0.75)]
    for share, found in collected_rappor(truth, BLOOM, both_asked, rng=streams.teaching(7)):
        told.append(share)
        assert (found is None) == (share < 1)
    first, both = (
        collect_rappor(truth, BLOOM, asked, rng=streams.teaching(7))
        for asked in ([ASKED], both_asked)
    )
    assert_array_equal(found[1].ones, both[1].ones)
    assert_array_equal(first[0].ones, both[0].ones)  # what is asked later changes nothing
    assert both[1].total == 1000
    assert told == [0.128, 0.256, 0.384, 0.512, 0.64, 0.768, 0.896, 1.0]
    survey = RapporSurvey(truth, BLOOM, rng=streams.hardened())
    assert survey.report(ASKED) is survey.report(ASKED)


def test_reports_of_one_client_and_of_empty_cohorts_can_be_decoded():
    (reports,) = collect_rappor({"a": 1}, BLOOM, [ASKED], rng=streams.teaching(7))
    assert decode_rappor(reports, ["a"]).counts.shape == (1,)


def refused(**changed):
    reports = sums(TRUTH, changed.pop("bloom", BLOOM), ASKED, streams.teaching(7))
    given = {"reports": reports, "candidates": ["a"]} | changed
    return lambda: decode_rappor(given.pop("reports"), given.pop("candidates"), **given)


SILENT = Reports(
    bloom=BLOOM,
    rappor=Rappor(f=1, p=0.25, q=0.75),
    ones=np.zeros((8, 16), int),
    clients=np.ones(8, int),
)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (refused(candidates=[]), "no candidates"),
        (refused(candidates=["a", "a"]), "there twice"),
        (refused(candidates=[1]), "candidates"),
        (refused(candidates=[str(i) for i in range(1001)]), "at most 1,000"),
        (refused(correction="none"), "one of"),
        (refused(miss=0), "strictly between"),
        (refused(reports=SILENT), "f = 1"),
        (
            refused(bloom=Bloom(bits=2, hashes=1, cohorts=1), candidates=["a", "b", "c"]),
            "told apart",
        ),
        (lambda: collect_rappor({}, BLOOM, [ASKED], rng=streams.teaching(7)), "between 1 and"),
        (
            lambda: collect_rappor({"a": 10**6 + 1}, BLOOM, [ASKED], rng=streams.teaching(7)),
            "1,000,000 clients",
        ),
        (lambda: collect_rappor({"a": -1}, BLOOM, [ASKED], rng=streams.teaching(7)), "at least 0"),
        (
            lambda: RapporSurvey({"a": 10**6}, BLOOM, rng=streams.teaching(7)),
            "too many to be asked again",
        ),
        (
            lambda: collect_rappor(
                {"a": 5}, BLOOM, [Rappor(f=1, p=0.1, q=0.2)], rng=streams.teaching(7)
            ),
            "forgets all",
        ),
    ],
)
def test_what_cannot_be_decoded_is_refused_with_a_sentence(act, says):
    with pytest.raises(ParameterError, match=says):
        act()
