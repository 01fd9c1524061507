"""Is noisier noise sharper noise plus more? Known answers, near misses, and proofs checked again.

Each proof is checked here from its definition, by sums over fractions that share no code with the
search: a convolution point by point, a bet by all shifts.
"""

import re
from fractions import Fraction as F
from itertools import product
from math import comb, prod
from pathlib import Path

import pytest

from dpviz.errors import ParameterError
from dpviz.lossless import LatticeLaw, SeriesLaw, adds_up, bridge_between, decide_noise
from dpviz.lossless.convolution import Bet, NoiseDecision
from tests.conftest import few
from tests.oracles_discrete import Bridge, step_mass

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "LOSSLESS.md"
FAR = 60  # numbers on either side that a sum over tails is cut at


def uniform(count):
    return LatticeLaw.of(dict.fromkeys(range(count), 1))


def two_sided(a):
    """Discrete Laplace noise of a = exp(-1/b)."""
    return LatticeLaw.of({0: 1}, left=a, right=a)


def geometric(a):
    return LatticeLaw.of({0: 1}, right=a)


def binomial(n, p=F(1, 2)):
    return LatticeLaw.of({k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)})


def bounded(a, most):
    """Discrete Laplace noise that is drawn again until it is within ±most."""
    return LatticeLaw.of({k: F(a) ** abs(k) for k in range(-most, most + 1)})


def staircase(a, plateau):
    """Steps of the staircase mechanism on a grid: plateaus of one width, falling by a."""
    span = range(-4 * plateau, 4 * plateau + 1)
    return LatticeLaw.of({k: F(a) ** ((abs(k) + plateau // 2) // plateau) for k in span})


def mixture(*parts):
    """Shares of laws without tails."""
    found = {}
    for share, law in parts:
        for x in range(law.first, law.last + 1):
            found[x] = found.get(x, 0) + share * law.mass(x)
    return LatticeLaw.of(found)


def convolved(one, other, x):
    """P(one + other = x), term by term; tails are cut where nothing of a fraction is left."""
    return sum(one.mass(y) * other.mass(x - y) for y in range(x - FAR, x + FAR + 1))


KNOWN = {
    "uniform, twice as wide": (uniform(4), uniform(8), "yes"),
    "uniform, three times as wide": (uniform(4), uniform(12), "yes"),
    "uniform, one and a half times as wide": (uniform(4), uniform(6), "no"),
    "uniform, the other way": (uniform(8), uniform(4), "no"),
    "discrete Laplace": (two_sided(F(1, 3)), two_sided(F(1, 2)), "yes"),
    "discrete Laplace, close": (two_sided(F(1, 3)), two_sided(F(1, 3) + F(1, 10**9)), "yes"),
    "discrete Laplace, the other way": (two_sided(F(1, 2)), two_sided(F(1, 3)), "no"),
    "the same": (two_sided(F(1, 2)), two_sided(F(1, 2)), "yes"),
    "one-sided geometric": (geometric(F(1, 3)), geometric(F(1, 2)), "yes"),
    "one-sided geometric, the other way": (geometric(F(1, 2)), geometric(F(1, 3)), "no"),
    "one-sided is no part of binomial": (geometric(F(1, 3)), binomial(9), "no"),
    "binomial, more trials": (binomial(3), binomial(7), "yes"),
    "binomial, other chance": (binomial(3, F(1, 3)), binomial(3), "no"),
    "bounded": (bounded(F(1, 3), 4), bounded(F(1, 2), 4), "no"),
    "bounded, wider": (bounded(F(1, 3), 4), bounded(F(1, 2), 8), "no"),
    "staircase": (staircase(F(1, 4), 3), staircase(F(1, 2), 3), "no"),
    "a lazy step": (uniform(3), mixture((F(1, 3), uniform(3)), (F(2, 3), uniform(6))), "yes"),
    "other plateaus, one tail": (
        LatticeLaw.of({0: 1, 1: 2}, left="1/3", right="1/3"),
        LatticeLaw.of({0: 1, 1: 1}, left="1/2", right="1/2"),
        "yes",
    ),
}


KNOWN_SERIES = decide_noise(*KNOWN["other plateaus, one tail"][:2]).added


@pytest.mark.parametrize(
    ("sharper", "noisier", "verdict"), few(KNOWN.values(), 2), ids=few(KNOWN, 2)
)
def test_known_answers_and_their_proofs(sharper, noisier, verdict):
    found = decide_noise(sharper, noisier)
    assert found.verdict == verdict
    assert found.sentence.casefold().startswith(verdict)
    if verdict == "yes":
        for x in range(noisier.first - 3, noisier.last + 4):
            exact, cut = noisier.mass(x), convolved(sharper, found.added, x)
            rounded = F(isinstance(found.added, SeriesLaw), 10**15)  # its chances are no fractions
            assert -rounded <= exact - cut <= F(1, 10**12)
            assert exact == cut or not (sharper.finite and found.added.finite)
    if verdict == "no":
        assert found.bet is not None or found.negative is not None
    if found.bet is not None:
        check_bet(found.bet, sharper, noisier)


def check_bet(bet, sharper, noisier):
    """By every shift at which the sharper noise could still be paid more than what is claimed."""
    pays = dict(enumerate(bet.payoffs, start=bet.first))
    assert set(map(type, pays.values())) == {F}
    assert sum(v * noisier.mass(x) for x, v in pays.items()) == bet.noisier > bet.sharper
    ends = bet.first - sharper.last - FAR, bet.first + len(pays) - sharper.first + FAR
    paid = [sum(v * sharper.mass(x - c) for x, v in pays.items()) for c in range(*ends)]
    assert max(paid) == bet.sharper
    tails = (
        sharper.mass(sharper.last + FAR) / (1 - sharper.right),
        sharper.mass(sharper.first - FAR) / (1 - sharper.left),
    )
    assert sum(tails) < bet.sharper  # further away no more than this is left


def test_the_negative_chance_is_that_of_the_quotient():
    """Dividing power by power from below gives the same chance; so it is the only candidate."""
    for name in ("one-sided geometric, the other way", "binomial, more trials"):
        sharper, noisier, verdict = KNOWN[name]
        series = []
        for n in range(8):
            known = sum(series[k] * sharper.mass(n - k) for k in range(n))
            series.append((noisier.mass(n) - known) / sharper.mass(0))
        found = decide_noise(sharper, noisier)
        if verdict == "no":
            place, chance = found.negative
            assert series[place] == chance < 0
        else:
            assert [found.added.mass(n) for n in range(8)] == series


@pytest.mark.parametrize("a", [F(1, 5), F(1, 3), F(4, 9)])
def test_discrete_laplace_is_the_family_of_the_house(a):
    """What is added, and the draw between two releases, in its closed forms."""
    level, high = F(1, 2), F(4, 5)
    first = decide_noise(two_sided(a), two_sided(level)).added
    second = decide_noise(two_sided(level), two_sided(high)).added
    for apart in (-3, 0, 1, 4):
        exact, found = Bridge(a, level, high, apart), bridge_between(first, second, apart)
        for x in range(-9, 10):
            assert first.mass(x) == step_mass(x, a, level)
            assert found.mass(x) == exact.mass(x)


def test_a_bridge_is_the_joint_law():
    """With finite laws: what is added in two steps, given their sum, for every sum."""
    first, second = (decide_noise(binomial(n), binomial(n + 2)).added for n in (2, 4))
    whole = decide_noise(binomial(2), binomial(6)).added
    for apart in range(5):
        between = bridge_between(first, second, apart)
        for w in range(-1, 6):
            joint = first.mass(w) * second.mass(apart - w)
            assert joint == whole.mass(apart) * between.mass(w)
    with pytest.raises(ParameterError, match="not two releases of one session"):
        bridge_between(first, second, 5)


def test_every_small_law_against_all_its_candidates():
    """All laws of weights 0 to 2 on three numbers plus all on two, and near misses of each."""
    small = [LatticeLaw.of(dict(enumerate(w))) for w in product((1, 2), (0, 1, 2), (1, 2))]
    added = [LatticeLaw.of(dict(enumerate(w))) for w in product((1, 2), repeat=2)]
    for sharper, more in few(product(small, added), 5):
        table = {x: convolved(sharper, more, x) for x in range(4)}
        noisier = LatticeLaw.of(table)
        assert decide_noise(sharper, noisier).added == more
        near = LatticeLaw.of({**table, 1: table[1] + F(1, 10**6), 2: table[2] - F(1, 10**6)})
        assert decide_noise(sharper, near).verdict == "no"
        assert not adds_up(sharper, more, near)


def test_a_miss_too_small_for_a_bet_leaves_a_remainder():
    miss = F(1, 10**15)
    found = decide_noise(uniform(2), LatticeLaw.of({0: 1 + miss, 1: 2, 2: 1}))
    assert (found.verdict, found.negative, found.bet) == ("no", None, None)
    assert found.sentence.endswith("is a quotient that leaves a remainder.")


def test_what_never_ends_is_no_part_of_what_does_and_heavy_tails_are_decided_soon():
    rough = LatticeLaw.of({0: 1, 1: 2}, left="1/3", right="1/3")
    assert decide_noise(rough, uniform(2)).verdict == "no"
    heavy, heavier = (
        LatticeLaw.of({0: 1, 1: 2, 5: k}, left=tail, right=tail)
        for k, tail in ((1, "0.9999999"), (2, "0.99999995"))
    )
    found = decide_noise(heavy, heavier)
    assert found.verdict == "no"
    assert found.negative[1] < 0


def test_the_example_of_the_document_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), flags=re.DOTALL)
    exec(example, {})
    said = capsys.readouterr().out
    assert said.startswith("No: ")
    assert "it pays 2/3 on average under the noisier noise, and at most 1/2" in said


def test_floats_and_texts_are_the_fractions_that_they_are():
    assert LatticeLaw.of({0: 0.1, 1: "0.1"}).masses[0] != F(1, 2)
    assert LatticeLaw.of({0: "0.1", 1: F(1, 10)}).masses == (F(1, 2), F(1, 2))
    assert prod(LatticeLaw.of({0: 0.5, 1: 1, 2: 0}).masses) == F(2, 9)


@pytest.mark.parametrize(
    "use",
    [
        lambda: LatticeLaw.of({}),
        lambda: LatticeLaw.of({0: 0}),
        lambda: LatticeLaw.of({0: -1, 1: 2}),
        lambda: LatticeLaw.of({0: float("nan")}),
        lambda: LatticeLaw.of({0: float("inf")}),
        lambda: LatticeLaw.of({0: "1e999999999"}),
        lambda: LatticeLaw.of({0: True}),
        lambda: LatticeLaw.of({0.5: 1}),
        lambda: LatticeLaw.of({0: 1}, right=1),
        lambda: LatticeLaw.of({0: 1, 10**9: 1}),
        lambda: LatticeLaw(0, (F(1, 2),)),
        lambda: LatticeLaw(0, (0.5, 0.5)),
        lambda: decide_noise(uniform(2), "uniform"),
        lambda: Bet(0, (F(1),), F(1, 2), F(1, 2)),
        lambda: NoiseDecision("yes"),
        lambda: NoiseDecision("no", negative=(0, F(1, 2))),
        lambda: NoiseDecision("perhaps"),
        lambda: bridge_between(KNOWN_SERIES, KNOWN_SERIES, 1),
    ],
)
def test_refuses_what_is_no_law(use):
    with pytest.raises(ParameterError):
        use()
