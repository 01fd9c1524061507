"""Is noisier noise sharper noise plus more? Known answers, near misses, and proofs checked again.

Each proof is checked here from its definition, by sums over fractions that share no code with the
search: a convolution point by point, a bet by all shifts.
"""

import itertools
import math
import random
import re
import time
from fractions import Fraction as F
from itertools import product
from math import comb, prod
from pathlib import Path

import mpmath
import pytest

from dpviz import lossless
from dpviz.errors import ParameterError
from dpviz.lossless import (
    LatticeLaw,
    SeriesLaw,
    adds_up,
    bridge_between,
    decide_noise,
    read_mechanism,
    read_noise,
)
from dpviz.lossless.convolution import Bet, NoiseDecision
from dpviz.lossless.typed import LONGEST, MOST_ROWS, MOST_SETS
from tests.conftest import few, for_each, full_run
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


@for_each(("sharper", "noisier", "verdict"), few(KNOWN.values(), 2))
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


@for_each(
    "use",
    [
        lambda: LatticeLaw.of({}),
        lambda: LatticeLaw.of({0: 0}),
        lambda: LatticeLaw.of({0: -1, 1: 2}),
        lambda: LatticeLaw.of({0: float("nan")}),
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


# --- What is typed or handed over as noise: read exactly, or refused, however hostile ---


# --- Tables as they are typed: read exactly as they stand, or refused in one sentence ------------

PLAIN = "0, 1/2, 1/4\n1, 1/2, 1/2\n2, 0, 1/4"
SAME = (
    "value sharper noisier\n0 0.5 0.25\n1 0.5 0.5\n2 0 .25",
    "\n  0;1/2;1/4\t\n\n1;1/2;1/2\n2;0;1/4\n",
    "+2\t0\t2.5e-1\n1\t5E-1\t5e-01\n0\t0.5\t25e-2\n",
    "0, 2, 1\n1, 2, 2\n2, 0, 1",
)


@for_each("text", [PLAIN, *SAME])
def test_however_a_table_is_written_it_is_the_same_noise(text):
    sharper, noisier, sums = read_noise(text)
    assert sharper == LatticeLaw.of({0: 1, 1: 1})
    assert noisier == LatticeLaw.of({0: 1, 1: 2, 2: 1})
    assert sums == ((1, 1) if "2, 2" not in text else (4, 4)), "what was divided by its sum is told"


def test_dots_are_tails_of_the_side_they_stand_on():
    sharper, noisier, sums = read_noise("... 1/3 0\n−1 1/6 1/4\n0 2/3 3/4\n… 0 1/2")
    assert (sharper.left, sharper.right, noisier.left, noisier.right) == (F(1, 3), 0, 0, F(1, 2))
    assert sums == (F(1, 6) / (1 - F(1, 3)) + F(2, 3), F(1, 4) + F(3, 4) / (1 - F(1, 2)))
    assert sharper.mass(-3) == F(1, 9) * sharper.mass(-1)


NONSENSE = {
    "": "no row yet",
    "value sharper noisier": "no row yet",
    "... 1/3 1/2\n... 1/3 1/2": "no row yet",
    "hello": "line 1 has 1 entry; type three",
    "0 1/2 1/4 1/4": "line 1 has 4 entries; type three",
    "0, 0,5, 0,5": "line 1 has 5 entries; type three",
    "0 1 1\nx 1 1": "line 2: “x” is not a whole number",
    "0.5 1 1": "line 1: “0.5” is not a whole number",
    "99999999 1 1": "is not a whole number up to 1,000,000",
    "0 1 1\n0 1 1": "line 2: the number 0 has a row already",
    "0 -1/2 1": "line 1: a chance is below 0",
    "0 −1/2 1": "line 1: a chance is below 0",
    "0 50% 1": "“50%” is not a chance",
    "0 1e999999999 1": "is not a chance",
    "0 1/0 1": "“1/0” is not a chance",
    "0 nan inf": "“nan” is not a chance",
    "0 0 1": "the sharper noise has no chance above 0",
    "0 1 0": "the noisier noise has no chance above 0",
    "0 1 1\n... 1 1/2": "line 2: chances that go on for ever must fall",
    "0 1 1\n... 1/2 1/2\n1 1 1": "line 2: dots stand in the first or the last row only",
    "0 1 1\n1 0 1\n... 1/2 1/2": "goes on from a chance of 0 in the sharper noise",
    f"0 1 1\n{MOST_ROWS} 1 1": f"keep to {MOST_ROWS} whole numbers",
    "0 1 1\n" * LONGEST: "longer than",
    "<b>0</b> 1 1": "“<b>0</b>” is not a whole number",
}


def refused(read, *given):
    with pytest.raises(ParameterError) as error:
        read(*given)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert len(sentence) < 250
    return sentence


def test_nonsense_is_refused_in_one_sentence():
    for text, said in NONSENSE.items():
        assert said in refused(read_noise, text), text[:40]
    assert "text" in refused(read_noise, 3)


def test_a_mechanism_has_a_row_for_each_data_set():
    found, sums = read_mechanism("3/4, 1/4\n1 3", "sharper")
    assert found.rows == ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))
    assert sums == (1, 4)
    for text, said in {
        "": "the sharper table has no row yet; type 2 to 8",
        "1 2": "the sharper table has 1 row; type 2 to 8",
        "1 1\n" * (MOST_SETS + 1): f"the sharper table has {MOST_SETS + 1} rows",
        "1 1\n1 1 1": "line 2 of the sharper table has 3 entries",
        "1\n1": "line 1 of the sharper table has 1 entry",
        "1 1\n0 0": "line 2 of the sharper table has no chance above 0",
        "1 1\n1 a": "line 2: “a” is not a chance",
    }.items():
        assert said in refused(read_mechanism, text, "sharper"), text


# --- Whatever is passed: an answer, or one sentence of what to pass instead, and soon ------------

HOSTILE = [
    *(None, 0, 1, -1, 0.5, math.nan, math.inf, 10**400, -(10**400), 1e308, 5e-324, True),
    *("x", "1/0", "0.5", "1e999999999", b"x", F(1, 3), F(10**500), F(1, 10**500), object()),
    *([], {}, set(), (0, 1), [1, 2], [[1, 2], [3]], [[]], [[0]], [[1]], [(0, 1)], [(0, 0)]),
    *({0: 1}, {0: -1}, {"a": 1}, {1: 1, 2: 10**400}, range(3), itertools.count()),
    *(lambda *_: 1, lambda t, _: t, ((F(1),),), ((F(1, 2), F(1, 2)),)),
    *(lossless.LatticeLaw.of({0: 1}), lossless.JumpLaw({1: 1}), lossless.response("1/2", 2)),
]
USES = [getattr(lossless, name) for name in lossless.__all__]
USES += [lossless.LatticeLaw.of, lossless.FiniteMechanism.of]
CALLS = 3000
TOO_LONG = 5.0  # seconds of processor time


def test_only_answers_and_sentences():
    picks, wrong = random.Random(7), []
    for _ in range(CALLS):
        use, given = picks.choice(USES), picks.choices(HOSTILE, k=picks.choice([1, 2, 2, 3]))
        began = time.process_time()
        try:
            use(*given)
        except ParameterError as error:
            if "\n" in str(error) or not str(error):
                wrong.append((use.__qualname__, given, "no sentence"))
        except Exception as error:
            if "positional argument" not in str(error):  # how many there are, Python says
                wrong.append((use.__qualname__, given, repr(error)))
        if time.process_time() - began > TOO_LONG:
            wrong.append((use.__qualname__, given, "too long"))
    assert wrong == []


# --- Student's t is self-decomposable ---


DEGREES = [3.0, 1.0, 2.5, 8.0]


def rate(order, u):
    """K_{μ-1}(u) / (u K_μ(u)): up to a factor minus the slope of ln E exp(-sV)."""
    return mpmath.besselk(order - 1, u) / (u * mpmath.besselk(order, u))


def mixture_of_normals(order, u):
    """The same as a mixture_of_normals of 1/(x² + u²) with weights that are nowhere negative."""

    def weighed(x):
        size = mpmath.besselj(order, x) ** 2 + mpmath.bessely(order, x) ** 2
        return 1 / (x * size * (x * x + u * u))

    return 4 / mpmath.pi**2 * mpmath.quad(weighed, [0, 1, 8, mpmath.inf])


@full_run
@for_each("degrees", DEGREES)
def test_the_slope_is_a_mixture_of_simple_fractions(degrees):
    with mpmath.workdps(18):
        for u in (0.3, 2.0):
            assert mpmath.almosteq(
                rate(degrees / 2, u), mixture_of_normals(degrees / 2, u), rel_eps=1e-12
            )


@full_run
@for_each("degrees", DEGREES)
def test_the_transform_of_reciprocal_gamma_variances_is_that_of_students_t(degrees):
    """φ(t) = E exp(-t²V/2) with V = ν/χ², and what is added has a transform that falls."""
    with mpmath.workdps(20):
        order = mpmath.mpf(degrees) / 2

        def transform(s):
            u = mpmath.sqrt(2 * degrees * s)
            return u**order * mpmath.besselk(order, u) * 2 ** (1 - order) / mpmath.gamma(order)

        for s in (mpmath.mpf("0.1"), mpmath.mpf(3)):
            slope = mpmath.diff(lambda x: mpmath.log(transform(x)), s)
            assert mpmath.almosteq(
                -slope, degrees * rate(order, mpmath.sqrt(2 * degrees * s)), 1e-9
            )
        t = mpmath.mpf("0.7")
        if degrees == 3:  # known: (1 + √3·t) exp(-√3·t)
            known = (1 + mpmath.sqrt(3) * t) * mpmath.exp(-mpmath.sqrt(3) * t)
            assert mpmath.almosteq(transform(t * t / 2), known)
        added = [transform(s) / transform(s / 4) for s in (0.01, 0.1, 1, 10)]  # c = 1/2
        assert added == sorted(added, reverse=True)
        assert added[0] < 1
