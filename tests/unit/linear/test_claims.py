"""Every number that the page Linear queries claims, computed again over a grid of settings.

Questions, factors and moves as matrices written from their definitions; noise by scipy's laws; what
no factorization is below, by looking for one that is.
"""

import math
from contextlib import nullcontext

import numpy as np
import pytest

from dpviz.linear.operators import dense
from dpviz.noise import FAMILIES
from dpviz.ui import linear_queries as page
from tests.claim_settings import FULL, LAWS, NOISE, OWN, RELATIONS, in_quick, workspace_of
from tests.oracles_linear import least_by_descent, moves_by_trying, prefix_matrix
from tests.visiting import check_words, plain

BOUND = "typical error of any factorization"
SYMMETRIC = [noise for noise in dict(NOISE) if FAMILIES[noise].symmetric]
EXAMPLES = [(noise, r, g) for noise in SYMMETRIC for r in RELATIONS for g in (1, 4)]
SMALL = "1 1 0\n0 1 1\n1 1 1"


def viewed(visit, ws, **answers):
    visit.come(**answers)
    return page.asked(ws, nullcontext())


def said(shown):
    sentences = (page.headline(shown), *page.beside(shown))
    claims = tuple(claim for sentence in sentences for claim in sentence.claims)
    for sentence in (
        sentences[0],
        sentences[-1],
    ):
        check_words(sentence.text, claims, shown.way.name)
    return {claim.what: claim for claim in claims}


def check(shown, questions):
    """Errors of the ways that are named, by their matrices; a bound that none of the ways beats."""
    found = said(shown)
    assert found["answers"].value == len(questions)
    step, family = shown.numbers.step, shown.family.name
    for way in shown.comparison.ways.values():
        left, right = dense(way.factorization.left), dense(way.factorization.right)
        assert np.allclose(left @ right, questions)
        variance = LAWS[family](way.budget.level).var()
        typical = step * math.sqrt(variance * np.mean((left**2).sum(axis=1)))
        if (claim := found.get(f"typical error through “{way.name}”")) is not None:
            assert claim.value == pytest.approx(typical, rel=1e-9)
            assert claim.kind == "exact"
        if BOUND in found:
            assert found[BOUND].value <= typical * (1 + 1e-9)
    assert f"typical error through “{shown.way.name}”" in found


@pytest.mark.parametrize(("noise", "relation", "groups", "query"), in_quick(OWN, 5))
def test_the_visitors_numbers(visit, noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query)
    shown = viewed(visit, ws, linear_source=page.OWN)
    check(shown, prefix_matrix(12))
    if shown.family.name == "skellam":
        assert "at δ = 1e-6" in plain(page.headline(shown).claims[-1].fixed)


@pytest.mark.parametrize(("family", "relation", "groups"), in_quick(EXAMPLES, 3))
def test_the_made_up_year(visit, family, relation, groups):
    ws = workspace_of(*OWN[0])
    answers = {"linear_noise": family, "linear_relation": relation, "linear_groups": groups}
    check(viewed(visit, ws, **answers), prefix_matrix(52))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("family", ["gaussian", "laplace", "discrete_laplace"])
def test_no_factorization_is_below_the_bound(visit, family, relation, groups):
    """Nor is one that is looked for by descent; and no way spends more than its budget."""
    if not FULL and (family != "gaussian" or groups == 2):
        pytest.skip("of Gaussian noise and one group; the rest in the full run")
    shown = viewed(
        visit,
        workspace_of(*OWN[0]),
        linear_asked=page.TYPED,
        linear_matrix=SMALL,
        linear_noise=family,
        linear_relation=relation,
        linear_groups=groups,
    )
    questions = np.array([[float(n) for n in line.split()] for line in SMALL.splitlines()])
    check(shown, questions)
    found, budget = said(shown), shown.way.budget
    least = least_by_descent(questions, 0.0, 1.0, groups, relation)
    variance = (
        1 / (2 * budget.loss) if family == "gaussian" else LAWS[family](1 / budget.loss).var()
    )
    assert found[BOUND].value <= math.sqrt(variance * least / 3) * (1 + 1e-9)
    for way in shown.comparison.ways.values():
        l1, l2, _ = moves_by_trying(dense(way.factorization.right), groups, 0.0, 1.0, relation)
        spent = l2**2 / (2 * way.budget.level) if family == "gaussian" else l1 / way.budget.level
        assert spent <= way.budget.loss * (1 + 1e-12)


def test_a_bound_from_below_is_written_no_larger_than_it_is(visit):
    """17.68 is not written as 17.7."""
    ws = workspace_of(("gaussian", "teaching"), "replace", 5, "count")
    shown = viewed(visit, ws, linear_source=page.OWN, linear_budget="0.05")
    assert 17.65 < shown.comparison.bound < 17.7
    assert plain(page.limit(shown).text) == "No way gets below 17.6."


def test_the_first_guess_of_a_bound_is_no_better(visit):
    """Equal weights give one, too; the page's is at least that, and near the best way."""
    shown = viewed(visit, workspace_of(*OWN[0]))
    found = said(shown)
    equal = 5**0.5 * np.linalg.svd(prefix_matrix(52), compute_uv=False).sum() / 52
    assert equal * (1 - 1e-9) <= found[BOUND].value <= shown.way.typical
    assert shown.way.typical <= 1.001 * found[BOUND].value
