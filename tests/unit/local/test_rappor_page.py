"""The page RAPPOR: every number that it claims by another way, and what its figures show."""

import math
from contextlib import nullcontext
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpviz.charts.local.rappor import one_text
from dpviz.charts.local.rappor_bits import SET, bit_rows
from dpviz.charts.local.rappor_frame import ESTIMATES, TEXT, bits_frame, estimates_frame
from dpviz.charts.local.rappor_inks import TRUTH
from dpviz.errors import ParameterError
from dpviz.palette import COLOURS, GREY, TierStyle
from dpviz.ui.kit import parts
from dpviz.ui.rappor import controls, scenes, words
from dpviz.ui.rappor.examples import SHARES, SUSPICIOUS, browsers
from dpviz.workspace.workspace import Workspace
from tests.conftest import FULL
from tests.figure_frames import HOSTILE, texts
from tests.visiting import Visit, check_words, plain

SETTINGS = [
    {},
    {"rappor_clients": 10_000, "rappor_h": 3, "rappor_f1": 0.9, "rappor_f2": 0.2},
    {"rappor_clients": 30_000, "rappor_p": 0.1, "rappor_q": 0.9, "rappor_bits": 32},
    {"rappor_decoys": 500, "rappor_cohorts": 16, "rappor_clients": 10_000},  # a lasso
]


@pytest.fixture
def visit(monkeypatch):
    return Visit(monkeypatch)


def by_plain_least_squares(reports, candidates):
    """Estimates of an unweighted fit, with the filters asked for one by one."""
    bloom, asked = reports.bloom, reports.rappor
    n, total = reports.clients, reports.clients.sum()
    low = asked.f / 2 * (asked.p + asked.q) + (1 - asked.f) * asked.p
    high = asked.f / 2 * (asked.p + asked.q) + (1 - asked.f) * asked.q
    values = (reports.ones - low * n[:, None]) / (high - low)
    columns = []
    for text in candidates:
        column = np.zeros((bloom.cohorts, bloom.bits))
        for cohort in range(bloom.cohorts):
            column[cohort, list(bloom.positions(text, cohort))] = n[cohort] / total
        columns.append(column.ravel())
    other = np.repeat(n / total, bloom.bits) * bloom.hashes / bloom.bits
    return np.linalg.lstsq(np.array([*columns, other]).T, values.ravel(), rcond=None)[0]


def half_width(asked, bloom, n):
    """1.96 standard errors, if all bits were zeros and all filters apart but for chance."""
    low = asked.f / 2 * (asked.p + asked.q) + (1 - asked.f) * asked.p
    spread = n * low * (1 - low) / (bloom.hashes * (1 - bloom.hashes / bloom.bits))
    return 1.959964 * math.sqrt(spread) / ((1 - asked.f) * (asked.q - asked.p))


def best_guesses(hashes, *fs):
    """Right guesses of 1,000 between two filters that differ in 2h bits, by all outcomes."""
    law = {0: 1.0}  # by how many bits speak for the right filter, a count for each f
    for place, f in enumerate(fs):
        for _ in range(2 * hashes):
            more = {}
            for (key, chance), kept in product(law.items(), (0, 1)):
                key += kept * 100**place
                more[key] = more.get(key, 0.0) + chance * (1 - f / 2 if kept else f / 2)
            law = more
    turned = sum(2 * hashes * 100**place for place in range(len(fs)))
    return 500 * sum(max(chance, law[turned - key]) for key, chance in law.items())


@pytest.mark.parametrize("answers", SETTINGS if FULL else SETTINGS[:1] + SETTINGS[3:], ids=str)
def test_claims_by_another_way(visit, answers):
    visit.come(**answers)
    scene = controls.scene(Workspace.fresh(), nullcontext())
    asked, said = scene.asked, words.claims(scene)
    values = iter([claim.value for claim in said])
    for reports in scene.reports:
        estimate, half = next(values), next(values)
        wanted = half_width(reports.rappor, asked.bloom, reports.total)
        assert 0.85 * wanted < half < 1.5 * wanted
        if asked.decoys < 100:
            plain = by_plain_least_squares(reports, asked.candidates)[scene.place]
            assert abs(estimate - plain) < 0.3 * half
        assert abs(estimate - browsers(reports.total)[SUSPICIOUS]) < 2 * half
    h, f1, f2 = asked.bloom.hashes, asked.first.f, asked.second.f
    if scene.reports:
        assert next(values) == pytest.approx(best_guesses(h, f1), rel=1e-9)
    assert next(values) == pytest.approx(best_guesses(h, f2), rel=1e-9)
    assert list(values) == []
    found = [best_guesses(h, *fs) for fs in ((f1,), (f2,), (f1, f2))]
    once, linked, separate = words.right_of(scene)
    assert (once, linked) == pytest.approx(found[:2], rel=1e-9)
    assert found[2] * (1 - 1e-9) <= separate <= found[2] * (1 + 1e-4)  # of a grid: at most
    assert [*scene.alone, sum(scene.alone)] == pytest.approx(
        [*(2 * h * math.log((2 - f) / f) for f in (f1, f2)), scene.losses["fresh"]], rel=1e-12
    )
    given = f"{scene.clients:,} {100 * f1:g} {100 * f2:g}"
    check_words(words.take_away(scene), said, given)


def test_what_is_found_and_what_is_not_is_said(visit):
    visit.come(rappor_clients=10_000)
    scene = controls.scene(Workspace.fresh(), nullcontext())
    assert [bool(each.found[scene.place]) for each in scene.decoded] == [False, False]
    story = "A thief gave some of 10,000 browsers a fake home page. "
    neither = "With three quarters or half of the answers random, their reports do not reveal it."
    assert words.take_away(scene) == story + neither
    nobodys = [each.found[len(SHARES) :] for each in scene.decoded]
    assert words.false_discoveries(scene) == [int(each.sum()) for each in nobodys] == [0, 0]
    assert "Of 20 pages that nobody has, none is found." in words.text_reading(scene)
    assert words.others(scene) == ""
    disturbed = replace(scene.decoded[-1], misfit=2.0, others=300.0)
    said = words.others(replace(scene, decoded=(disturbed,)))
    assert "About 300 browsers have texts that you do not look for" in said
    assert "every ± is 2 times as wide" in said
    assert "at most 684 are right, with 50 % at most 844" in plain(words.costs_reading(scene))
    assert "with separate noise they would give 883" in words.costs_reading(scene)
    rows = words.losses_table(scene)
    assert rows.iloc[1, 1] == rows.iloc[2, 1] == "4.395"  # the chain costs what f₂ costs alone
    assert [float(x) for x in rows.iloc[2:, 2]] == sorted(float(x) for x in rows.iloc[2:, 2])
    visit.come(rappor_clients=1_000_000)
    waiting = controls.scene(Workspace.fresh(), nullcontext())
    assert waiting.reports == ()
    assert "Nobody has reported yet" in words.take_away(waiting)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ((True, True), "10,000 browsers a fake home page. With half the answers random, their "
        "reports reveal it; with three quarters they do, too."),
        ((False, True), "With half the answers random, their reports reveal it; with three "
        "quarters they do not. The price: at most 844 of 1,000 guesses about one browser are "
        "right, instead of 684 (a coin: 500)."),
        ((True, False), "With three quarters of the answers random, their reports reveal it; "
        "with half they do not."),
    ],
)  # fmt: skip
def test_each_verdict_has_its_sentence(visit, found, says):
    visit.come(rappor_clients=10_000)
    scene = controls.scene(Workspace.fresh(), nullcontext())
    every = range(len(scene.asked.candidates))
    told = [
        replace(each, found=np.array([yes and n == scene.place for n in every]))
        for each, yes in zip(scene.decoded, found, strict=True)
    ]
    assert says in words.take_away(replace(scene, decoded=tuple(told)))


@pytest.mark.parametrize("f", [0.75, 0.5])
def test_a_column_that_reported_at_one_f_says_what_that_tells(visit, f):
    ws = Workspace.fresh()
    visit.come(rappor_source="my column", rappor_column="sex", rappor_candidates="male\nfemale")
    controls.scene(ws, nullcontext()).own.draw(ws, f)
    scene = controls.scene(ws, nullcontext())
    said = words.claims(scene)
    losses = [claim.value for claim in said[2:]]
    assert losses == pytest.approx([best_guesses(2, f), best_guesses(2, 0.5)], rel=1e-9)
    check_words(words.take_away(scene), said, f"{scene.clients:,} {100 * f:g}")
    assert scene.truth is None


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"rappor_q": 0.25}, "unless p and q differ"),
        ({"rappor_q": 0.1}, "swap them"),
        ({"rappor_q": 1.0}, "strictly between 0 and 1"),
        ({"rappor_f1": 1.0}, "forgets all of them"),
        ({"rappor_f2": 0.0}, "keeps every bit"),
        ({"rappor_f2": 0.75}, "fewer random answers"),
        ({"rappor_h": 8, "rappor_bits": 8}, "fewer than the 8 bits"),
        ({"rappor_bits": 8, "rappor_cohorts": 1, "rappor_decoys": 500}, "told apart"),
        ({"rappor_source": "my column"}, "no candidates yet"),
        (
            {
                "rappor_source": "my column",
                "rappor_candidates": "\n".join("x" * n for n in range(1, 1002)),
            },
            "at most 1,000",
        ),
    ],
    ids=str,
)
def test_nonsense_is_refused_with_one_sentence(visit, monkeypatch, answers, says):
    told = []
    monkeypatch.setattr(parts, "problem", lambda error: told.append(str(error)))
    visit.come(rappor_clients=10_000, **answers)
    assert controls.scene(Workspace.fresh(), nullcontext()) is None
    assert len(told) == 1
    assert says in told[0]


@pytest.fixture
def frame(visit):
    visit.come(rappor_clients=10_000, rappor_decoys=0)
    scene = controls.scene(Workspace.fresh(), nullcontext())
    pairs = [(r.rappor.f, d) for r, d in zip(scene.reports, scene.decoded, strict=True)]
    return estimates_frame(pairs, scene.truth), estimates_frame(pairs, None)


def test_intervals_hold_what_was_estimated_and_hidden_truth_is_absent(frame):
    known, hidden = frame
    one = known[known[TEXT] == SUSPICIOUS]
    fig = one_text(one, noun="browsers", first=0.75)
    drawn = np.array([trace.x for trace in fig.data])
    np.testing.assert_array_equal(drawn, one[["low", "estimate", "high"]])
    assert any("truth: 180" in text for text in texts(fig))
    hollow = [trace.marker.symbol.endswith("-open") for trace in fig.data]
    assert hollow == [not found for found in one["found"]]
    assert not any("truth" in t for t in texts(one_text(hidden[:1], noun="browsers", first=0.75)))
    assert list(known.columns) == list(ESTIMATES)


def test_hostile_texts_stay_text(frame):
    known, _ = frame
    for name in HOSTILE:
        fig = one_text(known.head(1).assign(**{TEXT: name}), noun=name, first=0.75)
        assert not any("<a href" in text or "<extra>" in text for text in texts(fig))


def test_rows_of_bits():
    own = np.array([0, 1, 0, 1])
    rows = bits_frame({"filter": own, "a report": np.array([1, 1, 0, 0])}, own)
    fig = bit_rows(rows)
    assert [list(row.marker.color).count(SET) for row in fig.data] == [2, 1]
    with pytest.raises(ParameterError, match="lacks"):
        bit_rows(rows.drop(columns="bit"))


def test_a_colour_means_one_thing_and_none_is_that_of_a_tier(frame):
    """The first kind is grey, the second ink, the truth has the one hue; no circle is drawn."""
    known, _ = frame
    fig = one_text(known.head(2), noun="x", first=0.75)
    assert {trace.line.color for trace in fig.data} <= {None, GREY}
    assert "circle" not in fig.to_json()
    assert not {c for c in COLOURS if c in fig.to_json()} - {TRUTH}
    later = one_text(known[known["f"] == 0.5].head(1), noun="x", first=0.75)
    assert (later.data[0].line.color, later.data[0].marker.symbol[:7]) == (None, "diamond")
    assert TRUTH not in {TierStyle(slot, 0).colour for slot in (2, 3, 5, 8, 11)}  # the cast


def test_one_client_is_drawn_once(visit):
    visit.come(rappor_clients=10_000)
    asked = controls.scene(Workspace.fresh(), nullcontext()).asked
    stages, own = scenes.one_client(asked, 0)
    assert own.sum() == asked.bloom.hashes
    assert len(stages) == 5
    assert scenes.one_client(asked, 0)[0] is stages
