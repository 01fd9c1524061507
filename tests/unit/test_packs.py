"""Hand-outs: only allowed columns, the tier's own numbers to the last bit, nothing that runs."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.release import ALLOWED_COLUMNS, MultipleRelease, draw_neighbours, neutral, tier_csv
from dpviz.ui.workspace import Workspace

RISKY = ["=1+1", "+1+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "#x", "'=1", " \n=1"]


@pytest.mark.parametrize("text", RISKY)
def test_text_that_a_spreadsheet_would_run_is_neutralised(text):
    assert not neutral(text).startswith(("=", "+", "-", "@", "\t", "\r", "#"))


@pytest.mark.parametrize("text", ["plain", "-5", "+3.5", "-1e5", "a=b", "", "ähm"])
def test_harmless_text_stays(text):
    assert neutral(text) == text


def test_every_number_reads_back_to_the_same_double():
    values = np.array([0.1 + 0.2, -1e-300, 1e300, np.nextafter(5, 6)])
    content = tier_csv([("unit", "one row")], ["a", "b", "c", "d"], values)
    frame = pd.read_csv(io.BytesIO(content), comment="#")
    assert list(frame.columns) == ["group", "value"]
    np.testing.assert_array_equal(frame["value"], values)


def test_biased_noise_gets_a_debiased_column():
    content = tier_csv([], ["a"], np.array([40]), mean=34.5)
    rows = list(csv.reader(io.StringIO(content.decode())))
    assert rows == [list(ALLOWED_COLUMNS), ["a", "40", "5.5"]]


def test_groups_and_values_must_match():
    with pytest.raises(ParameterError, match="one value for each group"):
        tier_csv([], ["a", "b"], np.array([1.0]))


def test_facts_name_everything_a_reader_needs_and_no_seed():
    ws = Workspace.fresh()
    ws.seed = 424242
    ws.draw("restricted")
    facts = dict(ws.ledger[0].facts)
    assert {
        "tier",
        "statistic",
        "definition",
        "unit",
        "neighbours",
        "sensitivity",
        "budget",
        "accuracy",
        "mode",
        "kind",
    } <= set(facts)
    assert "ε" in facts["budget"]
    assert "δ\xa0=\xa01e-6" in facts["budget"]
    assert "424242" not in repr(facts)


def test_a_draw_leans_on_its_nearest_neighbours():
    session = MultipleRelease(np.zeros(3), FAMILIES["gaussian"], rng=streams.teaching(7))
    family = FAMILIES["gaussian"]
    assert [n.level for n in draw_neighbours(session, family, 4.0)] == [0.0]
    session.release(4.0)
    session.release(1.0)
    found = draw_neighbours(session, family, 2.0)
    assert [(n.level, round(n.weight, 6)) for n in found] == [(1.0, 0.666667), (4.0, 0.333333)]
    assert [(n.level, n.weight) for n in draw_neighbours(session, family, 8.0)] == [(4.0, 1.0)]
    assert draw_neighbours(session, family, 4.0) == ()
