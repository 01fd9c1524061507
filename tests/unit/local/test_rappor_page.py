"""The page RAPPOR: every number that it claims by another way, and what its figures show."""

import math

import numpy as np
import pytest

from dpviz.charts.local.rappor import all_texts, one_text
from dpviz.charts.local.rappor_bits import SET, bit_rows
from dpviz.charts.local.rappor_frame import ESTIMATES, TEXT, bits_frame, estimates_frame
from dpviz.charts.local.rappor_losses import HERE, loss_bars, losses_frame
from dpviz.errors import ParameterError
from dpviz.ui.kit import parts
from dpviz.ui.rappor import controls, scenes, words
from dpviz.ui.rappor.examples import SHARES, SUSPICIOUS, browsers
from dpviz.workspace.workspace import Workspace
from tests.conftest import FULL
from tests.figure_frames import HOSTILE, texts
from tests.visiting import Visit, check_words

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


@pytest.mark.parametrize("answers", SETTINGS if FULL else SETTINGS[:1] + SETTINGS[3:], ids=str)
def test_claims_by_another_way(visit, answers):
    visit.come(**answers)
    scene = controls.scene(Workspace.fresh())
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
    assert next(values) == pytest.approx(2 * h * math.log((2 - f2) / f2), rel=1e-12)
    both = 2 * h * (math.log((2 - f1) / f1) + math.log((2 - f2) / f2))
    assert next(values) == pytest.approx(both, rel=1e-12)
    given = f"{scene.clients:,} {100 * f1:g} {100 * f2:g}"
    check_words(words.take_away(scene), said, given)
    for decoded in scene.decoded:  # what is said is never nearer than what was found
        count, half = decoded.counts[scene.place], 1.959964 * decoded.errors[scene.place]
        about, wide = words.spoken(decoded, scene.place)
        assert half <= wide <= 1.1 * half + 1
        assert abs(about - count) <= 0.05 * wide + 0.5


def test_what_is_found_and_what_is_not_is_said(visit):
    visit.come(rappor_clients=10_000)
    scene = controls.scene(Workspace.fresh())
    assert [bool(each.found[scene.place]) for each in scene.decoded] == [False, False]
    assert "cannot say, nor with 50\u202f%. Both" in words.take_away(scene)
    nobodys = [each.found[len(SHARES) :] for each in scene.decoded]
    assert words.false_discoveries(scene) == [int(each.sum()) for each in nobodys] == [0, 0]
    assert "that nobody has, none is found" in words.texts_reading(scene)
    assert len(words.table(scene)) == len(SHARES) + 20
    rows = words.losses_table(scene)
    assert rows.iloc[1, 1] == rows.iloc[2, 1] == "4.395"  # the chain costs what f₂ costs alone
    assert [float(x) for x in rows.iloc[2:, 2]] == sorted(float(x) for x in rows.iloc[2:, 2])
    visit.come(rappor_clients=1_000_000)
    waiting = controls.scene(Workspace.fresh())
    assert waiting.reports == ()
    assert "Nobody has reported yet" in words.take_away(waiting)


@pytest.mark.parametrize("f", [0.75, 0.5])
def test_a_column_that_reported_at_one_f_says_what_that_tells(visit, f):
    ws = Workspace.fresh()
    visit.come(rappor_source="my column", rappor_column="sex", rappor_candidates="male\nfemale")
    controls.scene(ws).own.draw(ws, f)
    scene = controls.scene(ws)
    said = words.claims(scene)
    losses = [claim.value for claim in said[2:]]
    second, both = 4 * math.log(3), 4 * math.log(3) + 4 * math.log(5 / 3)
    assert losses == pytest.approx([4 * math.log((2 - f) / f), second, both], rel=1e-12)
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
        ({"rappor_f2": 0.75}, "second f must be below the first"),
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
    assert controls.scene(Workspace.fresh()) is None
    assert len(told) == 1
    assert says in told[0]


@pytest.fixture
def frame(visit):
    visit.come(rappor_clients=10_000, rappor_decoys=0)
    scene = controls.scene(Workspace.fresh())
    pairs = [(r.rappor.f, d) for r, d in zip(scene.reports, scene.decoded, strict=True)]
    return estimates_frame(pairs, scene.truth), estimates_frame(pairs, None)


def test_intervals_hold_what_was_estimated_and_hidden_truth_is_absent(frame):
    known, hidden = frame
    one = known[known[TEXT] == SUSPICIOUS]
    fig = one_text(one, noun="browsers")
    assert [trace.x[0] for trace in fig.data] == one["estimate"].tolist()
    ends = [trace.x[0] + trace.error_x.value for trace in fig.data]
    np.testing.assert_allclose(ends, one["high"])
    assert "truth: 180" in texts(fig)
    every = all_texts(known, noun="browsers")
    assert len(every.data) == 2 * len(SHARES)
    bars = [shape for shape in every.layout.shapes if shape.line.width == 3]
    assert [bar.x0 for bar in bars] == list(browsers(10_000).values())
    assert not any(bar.line.width == 3 for bar in all_texts(hidden, noun="browsers").layout.shapes)
    hollow = [trace.marker.symbol.endswith("-open") for trace in every.data]
    found = known.set_index([TEXT, "f"])["found"]
    assert hollow == [not found[text, f] for text in SHARES for f in (0.75, 0.5)]
    assert "<b>bees.example</b>: not found" in texts(every)
    assert not any("truth" in t for t in texts(one_text(hidden[:1], noun="browsers")))
    assert list(known.columns) == list(ESTIMATES)


def test_hostile_texts_stay_text(frame):
    known, _ = frame
    rows = known.head(len(HOSTILE)).copy()
    rows[TEXT] = HOSTILE
    for fig in (all_texts(rows, noun="people"), one_text(rows.head(1), noun="people")):
        assert not any("<a href" in text or "<extra>" in text for text in texts(fig))


def test_bars_of_losses_and_rows_of_bits():
    bars = loss_bars(
        losses_frame({"chain": 4.394, "recast": 4.551, "fresh": 6.438}), alone=4.394, second="0.5"
    )
    assert [bar.x[0] for bar in bars.data] == [4.394, 4.551, 6.438]
    assert bars.data[0].marker.color == HERE.colour
    assert bars.layout.shapes[0].x0 == 4.394
    own = np.array([0, 1, 0, 1])
    fig = bit_rows(bits_frame({"filter": own, "a report": np.array([1, 1, 0, 0])}, own))
    assert [list(row.marker.color).count(SET) for row in fig.data] == [2, 1]
    with pytest.raises(ParameterError, match="lacks"):
        bit_rows(losses_frame({"chain": 1.0, "recast": 1.0, "fresh": 1.0}))


def test_one_client_is_drawn_once(visit):
    visit.come(rappor_clients=10_000)
    asked = controls.scene(Workspace.fresh()).asked
    stages, own = scenes.one_client(asked, 0)
    assert own.sum() == asked.bloom.hashes
    assert len(stages) == 5
    assert scenes.one_client(asked, 0)[0] is stages
