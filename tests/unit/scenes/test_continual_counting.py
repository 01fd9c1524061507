"""Every number that the page Continual counting claims, computed again over a grid of settings.

How many noise terms a running count has, by the digits of all steps; the chance that their sum is
within a distance, by turning back its characteristic function.
"""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from dpviz.scenes.continual_counting import OPENS
from dpviz.ui import continual_counting as page
from dpviz.ui.kit import parts
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import MOST_GROUPS, workspace_of
from tests.visiting import check_words, plain

OWN_NOISE = {"teaching": "laplace", "hardened": "discrete_laplace"}
TYPED = {"counting_source": page.LIST, "counting_typed": "1\n2\n0\n" * 40}
TREES = [{}, {"counting_arity": "3"}, {"counting_arity": "7", "counting_subtraction": False}]
GRID = [(m, c, i) for m in OWN_NOISE for c in MOST_GROUPS for i in range(len(TREES))]


def within(family, scale, terms, distance):
    """P(|S| <= distance) of a sum of independent terms.

    Of whole noise by a Fourier series over more whole numbers than S reaches; else by the integral
    of sin(tx)/t times the characteristic function, over all t where that is not 0.
    """
    if family == "laplace":
        t = (np.arange(400_000) + 0.5) * 40 / (400_000 * scale)
        turned = np.exp(-terms * np.log1p((scale * t) ** 2))
        return float(2 / np.pi * np.sum(np.sin(t * distance) / t * turned) * (t[1] - t[0]))
    points, a = 2**16, np.exp(-1 / scale)
    angles = 2 * np.pi * np.arange(points) / points
    turned = ((1 - a) ** 2 / (1 - 2 * a * np.cos(angles) + a * a)) ** terms
    chances = np.fft.fft(turned).real / points
    half = int(distance)
    return float(chances[: half + 1].sum() + chances[-half:].sum() * (half > 0))


def check(view):
    """Each distance is that of as many terms as there are: no less would hold 95 of 100 draws."""
    for step in (view.counting.steps // 2, view.counting.steps):
        check_at(view, step)


def check_at(view, step):
    """The numbers of one step."""
    c, said = view.counting, page.headline(replace(view, step=step))
    for sentence in page.beside(view):
        check_words(sentence.text, sentence.claims, "1,000")
    text, claims = said.text, said.claims
    check_words(text, claims)
    assert page.walk_heading(c, step).startswith(
        f"This count carries the noise of {counted(sum(map(abs, c.tree.digits(step))))} block"
    )
    assert len(claims) == 1 + ("; separate noise every" in text)
    for claim in claims:
        tier = view.reader
        assert claim.what.endswith(f", {tier.name}")
        terms, scale = sum(map(abs, c.tree.digits(step))), c.tree.height * c.moved / tier.loss
        if claim.what.startswith("the same with the noisy"):
            terms, scale = step, c.moved / tier.loss
            assert claim.value > claims[0].value
        family = c.family.name
        less = claim.value - 1 if c.family.integer else claim.value * 0.9999
        assert within(family, scale, terms, claim.value) >= 0.95 - 1e-6
        assert within(family, scale, terms, less) < 0.95


def visited(visit, mode, **answers):
    family = OWN_NOISE[mode]
    ws = workspace_of((family, mode), "add/remove", 1, "count")
    visit.come(**answers)
    return page.asked(ws, nullcontext())


@pytest.mark.parametrize(("mode", "moved", "tree"), GRID)
def test_typed_counts(visit, mode, moved, tree):
    answers = {"counting_typed_moved": str(moved), **TYPED, **TREES[tree]}
    check(visited(visit, mode, **answers))


@pytest.mark.parametrize(
    ("mode", "form"), [(m, f) for m in OWN_NOISE for f in ("live counter", "whole stream")]
)
def test_the_made_up_stream(visit, mode, form):
    check(visited(visit, mode, counting_form=form))


def test_a_long_stream_of_single_counts(visit):
    """Of 5,000 Laplace terms the sum is exact, too; of as many whole ones it is not said."""
    typed = {"counting_source": page.LIST, "counting_typed": "1 " * 5000}
    view = visited(visit, "teaching", counting_typed_moved="1", **typed)
    check(view)
    said = plain(page.headline(replace(view, step=5000)).text)
    assert "; separate noise every step, just as private, would make it ± 99" in said
    whole = visited(visit, "hardened", counting_typed_moved="1", **typed)
    assert "; separate noise every" not in page.headline(replace(whole, step=5000)).text
    check(whole)


def test_what_a_first_visitor_reads(visit):
    visit.come()
    view = page.asked(Workspace.fresh(), nullcontext())
    assert view.step == OPENS
    assert plain(page.headline(view).text) == (
        "Noise on blocks of hours keeps audit’s total within ± 32 calls; separate noise every "
        "hour, just as private, would make it ± 72."
    )
    (beside,) = page.beside(view)
    assert plain(beside.text) == (
        "Guessing whether one call was counted, audit is right at most 710 times in 1,000 (a coin: "
        "500), by its budget on this page, ε = 0.8945."
    )
    view.example.advance(OPENS)
    (picture,) = page.picture(view)
    told = [plain(note.text) for note in picture.figure.layout.annotations]
    for words in ("separate noise every hour, ± 72", "noise on blocks, ± 32: audit reads 3,807"):
        assert any(text.endswith(words) for text in told)
    assert picture.figure.layout.xaxis2.range == (OPENS - 23, OPENS)
    assert page.walk_heading(view.counting, OPENS).endswith(
        f"noise of 11 blocks, not of {OPENS} hours"
    )
    text = plain(page.reading(view))
    assert text.startswith(
        f"Calls so far at hour {OPENS}. The coloured band holds the true count 95 "
    )
    assert "holds the true count at least 95" in page.reading(visited(visit, "hardened"))


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"counting_source": page.TABLE}, "This table has no column of times"),
        ({"counting_source": page.LIST}, "Nothing is typed yet"),
        ({"counting_source": page.LIST, "counting_typed": "5"}, "at least two steps"),
        ({"counting_source": page.LIST, "counting_typed": "3\n-1\n2"}, "entry 2 is below 0"),
        ({"counting_source": page.LIST, "counting_typed": "3\n1.5"}, "entry 2 is a fraction"),
        ({"counting_source": page.LIST, "counting_typed": "3\nx"}, "entry 2 cannot be used"),
        ({"counting_arity": "101"}, "Type a whole number from 2 to 100"),
    ],
    ids=str,
)
def test_what_cannot_be_counted_gets_one_sentence(visit, monkeypatch, answers, says):
    refused = []
    monkeypatch.setattr(parts, "refusal", refused.append)
    missing = visited(visit, "teaching", **answers)
    (said,) = refused or [missing.sentence]
    assert says in said
