"""Right guesses of 1,000: exact for Gaussian noise, at most for an ε, and never below a coin."""

import math

import pytest
from scipy import stats

from dpviz.accounting import JointLoss
from dpviz.accounting.composition import APPROXIMATE, PURE, ZCDP
from dpviz.errors import ParameterError
from dpviz.planning.cast import amounts
from dpviz.workspace.guesses import Right, right_at, right_by
from dpviz.workspace.workspace import Workspace


def test_each_tier_of_the_cast_has_the_guesses_of_the_story():
    ws = Workspace.fresh()
    said = {p.name: right_at(p.budget).said for p in ws.planned()[0]}
    assert said == {"public": "588", "partners": "624", "research": "651", "audit": "673"}
    for p in ws.planned()[0]:
        rho = float(amounts("ρ")[p.name])
        exact = 1000 * stats.norm.cdf(math.sqrt(2 * rho) / 2)
        assert right_at(p.budget).value == pytest.approx(exact)


@pytest.mark.parametrize(
    ("loss", "value"),
    [
        (JointLoss(1.0, 0.0, ZCDP, "a sum"), 1000 * stats.norm.cdf(math.sqrt(2) / 2)),
        (JointLoss(1.0, 0.0, PURE, "a sum"), 1000 * math.e / (1 + math.e)),
        (JointLoss(1.0, 1e-3, APPROXIMATE, "a sum"), 1000 * (math.e + 1e-3) / (1 + math.e)),
    ],
)
def test_a_loss_bounds_the_guesses(loss, value):
    found = right_by(loss)
    assert found.value == pytest.approx(value)
    assert found.count == (round(value) if loss.definition == ZCDP else math.ceil(value))
    assert found.said.startswith("at most") is (loss.definition != ZCDP)


def test_a_bound_is_rounded_to_its_own_side():
    kinds = ("exact", "at most", "at least")
    said = [Right(value=673.4, kind=kind).said for kind in kinds]
    assert said == ["673", "at most 674", "at least 673"]


def test_a_number_of_guesses_is_one_of_a_thousand():
    for value in (-1.0, 1000.1, math.nan):
        with pytest.raises(ParameterError):
            Right(value=value)
