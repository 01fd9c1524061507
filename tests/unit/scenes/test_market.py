"""The market of a visitor: its acts, its claims computed again, what its picture and words say."""

import csv
import io
import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats
from scipy.signal import fftconvolve

from dpviz.charts.market import MOST_ROWS, ROW, SIZE
from dpviz.errors import ParameterError
from dpviz.local.data_market import MarketTerms
from dpviz.local.prices import PriceCurve
from dpviz.noise import FAMILIES
from dpviz.scenes import growing_trust as scenes
from dpviz.scenes.growing_trust import Market
from dpviz.ui.growing_trust import market as page
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.guesses import question
from dpviz.workspace.local.data_market import (
    FIRST,
    OFFER,
    OWNER,
    Owner,
    Stall,
    guesses,
    ledger_csv,
    read_owner,
    read_rate,
    terms_of,
)
from tests.conftest import for_each
from tests.figure_frames import texts
from tests.visiting import numbers_of, plain

WHOLE = MarketTerms(
    curve=PriceCurve.linear(4), limit=2, sensitivity=1, family=FAMILIES["discrete_laplace"]
)
STEEP = PriceCurve(points=((1, 2), (2, 8)))


def of(stall, place=0):
    return Market(stall=stall, place=place)


def head(stall):
    return plain(page.headline(of(stall)).text)


def drawn(stall, place=0):
    return page.picture(of(stall, place)).figure


@pytest.fixture
def example():
    return Stall.example()


def claimed(stall):
    scene = of(stall)
    said = (page.headline(scene), *page.beside(scene))
    return {claim.what: claim for each in said for claim in each.claims}


def test_the_example_in_words_and_again_by_hand(example):
    assert head(example) == (
        "Five buyers paid the owner €12.40 for the number of driving days last year, yet together "
        "they know no more than the best informed buyer (bank) alone."
    )
    held = {"insurer": 0.5, "city": 0.4, "car maker": 0.6, "garage": 0.6, "bank": 1.0}
    found = claimed(example)
    assert found["paid by all buyers"].value == pytest.approx(4 * sum(held.values()))
    assert of(example).meter.losses == (1, F("3.3"))  # the largest, and the sum of all
    assert page.beside(of(example))[0].values[:2] == (1, 3.3)
    right = found["right guesses of 1,000"].value  # the threshold half way between two values
    assert right == pytest.approx(1000 * stats.laplace(scale=1).cdf(0.5), rel=1e-9)
    assert found["right guesses of 1,000"].kind == "at most"
    assert found["right guesses of 1,000 with separate noise"].kind == "at most"


def test_independent_numbers_are_guessed_as_their_losses_convolved_say():
    grain = 1e-4
    total = np.ones(1)
    for _, epsilon in FIRST:
        steps = round(epsilon / grain)
        x = np.arange(-steps, steps + 1) * grain
        law = 0.25 * np.exp((x - epsilon) / 2) * grain
        law[0] += 0.5 * math.exp(-epsilon)
        law[-1] += 0.5
        total = fftconvolve(total, law / law.sum())
    loss = (np.arange(total.size) - total.size // 2) * grain
    right = 500 * (1 + (total * np.maximum(0, -np.expm1(-loss))).sum())
    found = guesses(OFFER, [F(str(epsilon)) for _, epsilon in FIRST]).value
    assert found == pytest.approx(right, abs=0.05)
    assert claimed(Stall.example())["right guesses of 1,000 with separate noise"].value == found


def test_whole_numbers_are_guessed_as_their_law_says():
    grid = np.arange(-80, 81)
    one, two = (stats.dlaplace(e).pmf(grid) for e in (1.0, 0.5))
    moved = [stats.dlaplace(e).pmf(grid - 1) for e in (1.0, 0.5)]
    both, other = np.outer(one, two), np.outer(*moved)
    right = 500 * (1 + np.maximum(0, both - other).sum())
    assert guesses(WHOLE, [F(1), F(1, 2)]).value == pytest.approx(right, rel=1e-7)
    assert guesses(WHOLE, []).value == 500


def test_too_much_to_convolve_is_still_bounded():
    huge = MarketTerms(curve=PriceCurve.linear(1), limit=10**9, sensitivity=1)
    assert 999 < guesses(huge, [F(10**8), F(10**9)]).value <= 1000


def test_a_market_that_begins_with_one_buyer_and_then_starts_over():
    stall = Stall.opened(OWNER, OFFER, mode="teaching")
    assert head(stall) == "Nobody has bought anything in this market yet."
    assert not claimed(stall)
    assert page.picture(of(stall)) == ()
    stall.sell("ada", F(1, 2))
    said = head(stall)
    assert said.startswith(
        "One buyer paid the owner €2.00 for the number of driving days last year: the buyer guesses"
    )
    assert said.endswith("“147 or 148?” right at most 611 times in 1,000.")
    stall.start_over(OWNER, OFFER, mode="teaching")
    said = head(stall)
    assert said.endswith("Markets before this one cost ε = 0.5: ε = 0.5 in all.")
    stall.sell("ada", 1)
    assert (stall.before, stall.loss) == (F(1, 2), F(3, 2))
    assert claimed(stall)["loss of all markets, ε"].value == 1.5
    stall.start_over(OWNER, WHOLE, mode="hardened")
    assert stall.market.session.mode == "hardened"
    assert stall.loss == F(3, 2)


def test_each_market_has_noise_of_its_own():
    stall, seen = Stall.opened(OWNER, OFFER, mode="teaching"), []
    for again in range(4):
        if again != 2:  # the third one is left without a purchase
            seen.append(float(stall.market.number(stall.sell("ada", 1))[0]))
        stall.start_over(OWNER, OFFER, mode="teaching")
    assert len(set(seen)) == len(seen) == 3


@for_each(
    ("value", "moves", "two"),
    [
        (147.0, 1.0, "147 or 148"),
        (147.0, 0.5, "147.00 or 147.50"),
        (-1.0, 365.0, "−1 or 364"),
        (1e17, 1.0, "this value or one larger by 1"),
    ],
)
def test_one_change_is_two_values_that_an_attacker_tells_apart(value, moves, two):
    owner = Owner(values=(value, 3.0), noun="steps [a](b)", moves=moves)
    terms = MarketTerms(curve=PriceCurve.linear(4), limit=2, sensitivity=moves)
    stall = Stall.opened(owner, terms, mode="teaching")
    stall.sell("ada", 1)
    assert question(value, moves) == of(stall).meter.values == two
    assert f"for the numbers of steps [a](b): the buyer guesses “{two}?” right" in head(stall)
    assert r"\[a\]" in page.headline(of(stall)).text


def test_terms_that_do_not_fit_leave_the_market_open(example):
    before = example.market
    with pytest.raises(ParameterError, match="made of whole numbers"):
        example.start_over(Owner(values=(1.5,), noun="x", moves=1), WHOLE, mode="teaching")
    assert example.market is before
    assert (example.number, example.before) == (0, 0)
    with pytest.raises(ParameterError, match="One change moves it by: discrete Laplace noise"):
        Owner(values=(1,), noun="x", moves=0.5).numbers(FAMILIES["discrete_laplace"])


def test_every_buyer_keeps_a_symbol_of_their_own(example):
    first = dict(example.styles)
    example.sell("ada", F(2))
    assert len({(style.slot, style.symbol) for style in example.styles.values()}) == 6
    assert {name: example.styles[name] for name in first} == first


def test_the_picture_shows_who_has_what(example):
    assert of(example).sales["holds"].tolist() == [False, True, True, True, True, True]
    fig = drawn(example)
    (held,) = (t for t in fig.data if t.name == "held")
    holders = [text.split(" holds ")[0] for text in held.hovertext]
    assert holders == ["bank", "car maker", "garage", "insurer", "city"]  # the sharpest on top
    assert list(held.y) == sorted(held.y, reverse=True)
    assert held.x[1] == held.x[2]  # one number, and neither mark covers the other
    assert held.y[1] - held.y[2] >= SIZE / ROW - 0.01
    market = example.market
    numbers = {s.buyer: market.number(s).item() for s in example.ledger.sales}
    assert list(held.x) == [numbers[name] for name in holders]
    (bars,) = (t for t in fig.data if t.name == "95 %")
    middles = [low + wide / 2 for low, wide in zip(bars.base, bars.x, strict=True)]
    assert middles == pytest.approx(list(dict.fromkeys(held.x)))
    said = " ".join(texts(fig))
    assert "true value 147" in said
    assert "<b>insurer</b>, upgraded" in said
    assert "<b>150.0</b>" in said
    assert "€2.40 each for ± 5" in plain(said)  # its ε is on hover, and in the ledger
    assert "ε = 0.6" in said


def test_a_value_that_is_not_first_is_drawn_and_names_are_harmless():
    owner = Owner(values=(10.0, 20.0), noun="<b>x</b>", moves=1.0)
    stall = Stall.opened(owner, OFFER, mode="teaching")
    stall.sell("<i>a</i> %{x} $y$", 1)
    assert of(stall, 1).sales["number"].item() == stall.market.number(stall.ledger.sales[0])[1]
    said = " ".join(texts(drawn(stall, 1)))
    assert "true value 20" in said
    assert "<i>" not in said
    assert "<b>x" not in said


def test_two_who_hold_one_number_are_said_to():
    stall = Stall.opened(OWNER, OFFER, mode="teaching")
    for name in ("ada", "bob"):
        stall.sell(name, 1)
    said = texts(drawn(stall))
    assert any(", same number" in text for text in said)
    assert any(text.startswith("€4.00 each") for text in said)


def test_of_many_rows_the_sharpest_are_drawn():
    stall = Stall.opened(OWNER, OFFER, mode="teaching")
    for n in range(1, 25):
        stall.sell(f"buyer {n}", F(n, 12))
    fig = drawn(stall)
    assert len(next(t for t in fig.data if t.name == "held").x) == MOST_ROWS
    assert "€8.00 for " in " ".join(texts(fig))  # the dearest
    assert "The 10 sharpest are drawn" in page.reading(of(stall))


def test_numbers_that_are_all_exact_are_drawn_too():
    terms = MarketTerms(
        curve=PriceCurve.linear(4), limit=50, sensitivity=1, family=FAMILIES["discrete_laplace"]
    )
    stall = Stall.opened(OWNER, terms, mode="teaching")
    stall.sell("ada", 40)
    fig = drawn(stall)
    low, high = fig.layout.xaxis.range
    assert low < 147 < high
    assert "usually exact" in " ".join(texts(fig))


def test_what_is_said_of_arbitrage():
    assert page.arbitrage(OFFER).startswith("Buying twice is never cheaper")
    steep = MarketTerms(curve=STEEP, limit=2, sensitivity=1)
    said = plain(page.arbitrage(steep))
    assert "two of ε = 1 add up to ε = 2 for €4.00 instead of €8.00" in said
    assert "Here that gains nothing" in said
    hair = PriceCurve(points=((1, F(999, 1000)), (2, F(1999, 1000))))
    said = page.arbitrage(MarketTerms(curve=hair, limit=2, sensitivity=1))
    assert "save less than prices are rounded by" in said


def test_prices_in_a_few_words():
    assert page.price_words(OFFER.curve) == "€4 × ε"
    cheaper = PriceCurve.with_discount(F("0.5"), 1, F(1, 4))
    assert page.price_words(cheaper) == "€0.5 × ε up to ε = 1, then €0.25 × the rest"
    assert page.price_words(STEEP) == "by a table"


def test_who_holds_the_sharpest_number(example):
    notes = drawn(example).layout.annotations
    prices = [n.text.split(" for ")[0] for n in notes if "€" in n.text]
    assert prices == ["€4.00", "€2.40 each", "€2.00", "€1.60"]
    assert pytest.approx(float(example.ledger.revenue)) == 4 + 2 * 2.4 + 2 + 1.6
    example.sell("a*b", F(3, 2))
    assert r"(a\*b" in page.headline(of(example)).text
    example.sell("zoe", F(3, 2))
    assert "than any of the best informed buyers alone" in head(example)


def test_quotes(example):
    def said(buyer, epsilon):
        return plain(page.quote_of(example, buyer, epsilon))

    assert said("bank", "1.5") == (
        "Price for bank: **€2.00** more, as ε = 1 is held, for a number that is "
        "within ± 2 of the true value, 95 times in 100 (ε = 1.5)."
    )
    assert said("z*e", "1") == (
        "Price for z*e: **€4.00** for a number that is within ± 3 of the true value, 95 times in "
        "100 (ε = 1)."
    )
    assert said(" bank ", "1").startswith("bank holds ε = 1 now.")


@pytest.mark.parametrize("mode", ["teaching", "hardened"])
def test_the_sample_repeats_the_market(mode):
    stall = Stall.opened(OWNER, WHOLE if mode == "hardened" else OFFER, mode=mode)
    for buyer, epsilon in FIRST:
        stall.sell(buyer, epsilon)
    scene = of(stall)
    repeated = numbers_of(recipe_code(scenes.market, **page.arguments(scene)))
    drawn_afresh = ["number"] if mode == "hardened" else []
    again, sales = (each.drop(columns=drawn_afresh) for each in (repeated, scene.sales))
    assert again.equals(sales)
    assert "sum = 3" in page.formula(scene)


def test_the_file_holds_the_ledger_exactly():
    owner = Owner(values=(147.0, 3.0), noun="x", moves=1.0)
    stall = Stall.opened(owner, OFFER, mode="teaching")
    stall.sell("=1+1", F(1, 3))
    stall.sell("ada", F(1, 2))
    rows = list(
        csv.reader(io.StringIO(ledger_csv(stall, page.facts(of(stall))).decode("utf-8-sig")))
    )
    names = {row[0] for row in rows if row and row[0].startswith("#")}
    assert {"# Definition", "# Unit", "# Data"} <= names
    head, first, second = rows[-3:]
    assert len(head) == len(first) == len(second) == 11
    assert first[:8] == ["1", "'=1+1", "0", "1/3", "3.0", "1.34", "1.34", "1/3"]
    assert second[3:9] == ["0.5", "2.0", "2", "3.34", "0.5", "5/6"]
    for sale, row in zip(stall.ledger.sales, (first, second), strict=True):
        assert [float(cell) for cell in row[-2:]] == stall.market.number(sale).tolist()


@for_each(
    ("act", "sentence"),
    [
        (lambda: read_owner("", "x", "1"), "Value: nothing is typed"),
        (lambda: read_owner("1e400", "x", "1"), "Value: “1e400” is not a finite number"),
        (lambda: read_owner(", ".join("1" * 21), "x", "1"), "type 1 to 20 numbers"),
        (lambda: read_owner("1", "x" * 61, "1"), "type at most 60 letters"),
        (lambda: read_owner("1", "x", "0"), "One change moves it by: 0 is not a sensitivity"),
        (lambda: read_rate("four", where="Price"), "Price: “four” is not a finite number"),
        (lambda: PriceCurve.linear(read_rate("-4", where="Price")), "-4 is not a price"),
        (lambda: terms_of(STEEP, "3", OWNER, FAMILIES["laplace"]), "beyond the last price"),
        (lambda: terms_of(STEEP, "x", OWNER, FAMILIES["laplace"]), "Most ε that will ever be sold"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(act, sentence):
    with pytest.raises(ParameterError) as refused:
        act()
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
