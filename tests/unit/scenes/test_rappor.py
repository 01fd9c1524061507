"""Every number of the page RAPPOR by another way, its sentences, and what its figures show."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpviz.charts.rappor import ANSWERS, FOUND_FROM, bit_rows, bits_and_estimates, interval_ends
from dpviz.errors import ParameterError
from dpviz.palette import COLOURS
from dpviz.scenes import rappor as scenes
from dpviz.scenes.rappor import HIJACKED
from dpviz.ui import rappor
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_form import Missing
from dpviz.ui.kit.source import NOTHING
from dpviz.workspace.workspace import Workspace
from tests.conftest import few, for_each, full_run
from tests.figure_frames import HOSTILE, texts
from tests.visiting import check_words, plain

SETTINGS = [
    {},
    {"rappor_h": 3, "rappor_f1": 0.9, "rappor_f2": 0.2},
    {"rappor_p": 0.1, "rappor_q": 0.9, "rappor_bits": 32},
    {"rappor_cohorts": 16},
]

SCENES = {}  # of fresh workspaces: simulated once


@pytest.fixture
def come(visit, monkeypatch):
    """Return the scene of somebody who gives these answers; or what is missing."""

    def came(ws=None, **answers):
        known = None if ws else tuple(answers.items())
        if known in SCENES:
            return SCENES[known]
        visit.come(**answers)
        ws = ws or Workspace.fresh()
        monkeypatch.setattr(rappor, "workspace", lambda: ws)
        scene = rappor.settings(ws, rappor.fine(ws))
        if known is not None and not isinstance(scene, Missing):
            SCENES[known] = scene
        return scene

    return came


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


@pytest.mark.parametrize("answers", few(SETTINGS, 4), ids=str)
def test_the_scene_by_another_way(come, answers):
    scene = come(**answers)
    asked, n = scene.question, scene.clients
    found = [scenes.reported(hijacked, asked.bloom, asked.kinds, 0) for hijacked in (True, False)]
    worlds = ((scene.kinds, n * 18 // 1000), (scene.kinds_without, 0))
    for (kinds, true), held in zip(worlds, found, strict=True):
        assert [kind.f for kind in kinds] == [each.rappor.f for each in held]
        for kind, each in zip(kinds, held, strict=True):
            wanted = half_width(each.rappor, asked.bloom, n)
            assert 0.85 * wanted < kind.half < 1.5 * wanted
            assert abs(kind.value - true) < 2 * kind.half
            fitted = by_plain_least_squares(each, asked.candidates)
            at = asked.candidates.index(HIJACKED)
            assert abs(kind.value - fitted[at]) < 0.3 * kind.half
            sure = stats.norm.isf(0.05 / len(asked.candidates)) / stats.norm.isf(0.025)
            assert kind.needed == pytest.approx(sure * kind.half)
            assert kind.found == (kind.value >= kind.needed)
    for kind in scene.kinds:
        chance = stats.norm.sf(kind.needed, n * 18 // 1000, kind.half / stats.norm.isf(0.025))
        assert scene.chance(kind) == pytest.approx(chance, rel=1e-9)
    assert not any(kind.found for kind in scene.kinds_without)
    if not answers:  # what a first visitor reads
        assert [kind.found for kind in scene.kinds] == [False, True]
    h, f1, f2 = asked.bloom.hashes, asked.first.f, asked.second.f
    once, linked, separate = (
        scene.right(*kinds).value for kinds in ((asked.first,), (asked.second,), asked.kinds)
    )
    assert (once, linked) == pytest.approx([best_guesses(h, f1), best_guesses(h, f2)], rel=1e-9)
    both = best_guesses(h, f1, f2)
    assert both * (1 - 1e-9) <= separate <= both * (1 + 1e-4)  # of a grid: at most


def test_every_number_of_a_sentence_is_claimed(come):
    for answers in few(SETTINGS, 4):
        scene = come(**answers)
        told = (rappor.headline(scene), rappor.costs(scene))
        for said in (*told, *rappor.beside(scene)):
            shares = f"{100 * scene.question.first.f:g} {100 * scene.question.second.f:g} 1,000"
            check_words(said.text, said.claims, shares)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ((True, True), "shows up though browsers answer at random three times in four."),
        (
            (False, True),
            "hide a hijacked home page; once answers are random only one time in two, it shows up "
            "here.",
        ),
        ((False, False), "three times in four, and even one time in two."),
    ],
)
def test_each_verdict_has_its_headline_and_its_price(come, found, says):
    scene = come()
    at = dict(zip((0.75, 0.5), found, strict=True))
    seen = replace(scene, says=scene.says.assign(found=scene.says["f"].map(at)))
    said = rappor.headline(seen)
    assert says in plain(said.text)
    once, linked = (scene.right(kind).value for kind in scene.question.kinds)
    assert rappor.beside(seen)[-1].values == (linked, once, 500)
    titles = [picture.alt.split(".")[0].split(": ")[1] for picture in rappor.picture(seen)]
    assert titles == ["found" if each else "not found" for each in found]


@full_run
def test_it_shows_up_as_often_as_is_said(come):
    scene, runs = come(), 300
    asked, clients = scene.question, scenes.browsers(scene.clients)
    found = np.zeros(2)
    for run in range(runs):
        rng = np.random.default_rng(run)
        made = scenes.survey(clients, asked.bloom, asked.kinds, asked.candidates, rng=rng)
        found += made[made["text"] == HIJACKED]["found"].to_numpy()
    said = np.array([scene.chance(kind) for kind in scene.kinds])
    assert np.all(np.abs(found / runs - said) < 4 * np.sqrt(said * (1 - said) / runs) + 0.02)


@pytest.mark.parametrize("f", few([0.75, 0.5], 2))
def test_a_column_that_reported_at_one_f_says_what_that_tells(come, f):
    ws = Workspace.fresh()
    answers = {"rappor_column": "sex", "rappor_candidates": "male\nfemale"}
    come(ws, rappor_source="my column", **answers).own.draw(ws, f)
    scene = come(ws, rappor_source="my column", **answers)
    assert [kind.f for kind in scene.kinds] == [f]
    said = rappor.headline(scene)
    check_words(said.text, said.claims)
    assert (scene.truth, scene.true) == (None, None)
    (made,) = rappor.picture(scene)
    assert "truth:" not in made.figure.to_json()


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"rappor_q": 0.1}, "swap them"),
        ({"rappor_f2": 0.75}, "fewer random answers"),
        ({"rappor_bits": 8, "rappor_cohorts": 1, "rappor_h": 1}, "told apart"),
    ],
    ids=str,
)
def test_nonsense_is_refused_with_one_sentence(come, monkeypatch, answers, says):
    refused = []
    monkeypatch.setattr(parts, "refusal", refused.append)
    assert come(**answers) is NOTHING
    (sentence,) = refused
    assert says in sentence


def test_candidates_that_cannot_be_looked_for_are_missing(come):
    nothing = come(rappor_source="my column", rappor_candidates="")
    assert "no candidates yet" in nothing.sentence
    many = "\n".join("x" * n for n in range(1, 1002))
    assert come(rappor_source="my column", rappor_candidates=many) is NOTHING
    with pytest.raises(ParameterError, match="at most 1,000"):
        rappor._candidates()


def drawn(*, title="At first", noun="browsers", true=1800.0, **changes):
    row = ("“ash”", 1409.0, 1935.0, False, 2900.0, False)
    rows = pd.DataFrame([row, (*row[:3], True, 2900.0, True)], columns=list(ANSWERS)).assign(
        **changes
    )
    ends = interval_ends(rows, true)
    return bits_and_estimates(rows, title=title, random=75, noun=noun, true=true, ends=ends)


def test_the_picture_shows_what_was_estimated_and_hides_what_is_hidden():
    made = drawn()
    flips, truly, first, second = made.figure.data[-4:]
    assert (len(flips.x), len(truly.x)) == (75, 25)
    assert first.x == second.x == (1409.0 - 1935.0, 1409.0, 1409.0 + 1935.0)
    assert (first.marker.symbol, second.marker.symbol) == ("diamond-open", "diamond")
    assert any("truth: 1,800" in text for text in texts(made.figure))
    assert made.alt.endswith("Found from 2,900 on. In truth: 1,800.")
    (needed,) = [trace for trace in made.figure.data if trace.name == FOUND_FROM]
    assert {*needed.x} == {2900.0}
    (words,) = [each for each in made.figure.layout.annotations if each.text == FOUND_FROM]
    assert (words.x, words.xanchor) == (2900.0, "right")
    assert not any("truth:" in text for text in texts(drawn(true=None).figure))
    assert not [c for c in COLOURS if c in made.figure.to_json()]  # no mark looks like a tier’s


@for_each("name", few(HOSTILE, 3))
def test_hostile_texts_stay_text(name):
    made = drawn(who=name, title=name, noun=name)
    assert not any("<a href" in text or "<extra>" in text for text in texts(made.figure))


def test_rows_of_bits():
    own, told = np.array([0, 1, 0, 1]), np.array([1, 1, 0, 0])
    made = bit_rows({"filter": own, "a report": told}, own)
    counts = [len(trace.x) for trace in made.figure.data]
    assert counts == [3, 1, 1, 3]  # others 0 and 1, then those of the text
    assert made.alt == "Rows of 4 bits, of which the text sets 2. filter: 2 ones; a report: 2 ones."


def test_one_client_has_the_bits_of_its_text(come):
    question = come().question
    stages, own = scenes.one_client(question, 0)
    assert own.sum() == question.bloom.hashes
    assert len(stages) == 5
    assert all(map(np.array_equal, stages.values(), scenes.one_client(question, 0)[0].values()))
