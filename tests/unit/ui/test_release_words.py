"""Why a tier may have the same numbers as another one, in a plain sentence."""

import numpy as np
import pytest

from dpviz.noise import ADDITIVE
from dpviz.ui.releases.words import same_numbers
from dpviz.words.markdown import plain_text
from dpviz.words.numbers import NARROW
from dpviz.workspace import Workspace
from tests.conftest import full_run


def drawn(family, seed):
    ws = Workspace.fresh()
    ws.seed = seed
    ws.use_family(family)
    ws.draw("partners", "research")
    return ws


def said(ws):
    return plain_text(same_numbers(ws.held, ws.family, ws.statistic.query))


@pytest.mark.parametrize("family", ["discrete_laplace", pytest.param("laplace", marks=full_run)])
def test_equal_numbers_are_counted_and_their_chance_is_the_one_that_is_seen(family):
    """One group in as many as said is equal over 40 seeds; each sentence counts its own."""
    equal, chances = [], set()
    for seed in range(40):
        ws = drawn(family, seed)
        noisy, sharp = (t.values for t in ws.held)
        count = int((noisy == sharp).sum())
        equal.append(count)
        text = said(ws)
        assert (f"Partners has the same number as research in {count} of 5 groups." in text) == (
            count > 0
        )
        if count:
            chances.add(text.partition("noisier one is in ")[2].partition(NARROW)[0])
    (chance,) = chances
    share = np.sum(equal) / 200
    spread = 4 * np.sqrt(share * (1 - share) / 200)
    assert abs(float(chance) / 100 - share) < spread < 0.15


def test_nothing_is_said_where_numbers_differ_or_one_release_is_shared():
    assert said(drawn("gaussian", 7)) == ""
    ws = Workspace.fresh()
    rows = [{**r, "budget": "0.2"} for r in ws.plan.typed_rows]
    ws.use_tiers(rows)
    ws.draw("audit", "public")
    assert same_numbers(ws.held, ws.family, ws.statistic.query) == ""
    assert same_numbers([], ADDITIVE["laplace"], ws.statistic.query) == ""


def test_noise_in_whole_numbers_is_sometimes_zero():
    found = (said(drawn("skellam", seed)) for seed in range(30))
    assert any(text.endswith("is sometimes exactly 0.") for text in found)
