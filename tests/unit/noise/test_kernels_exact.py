"""Machine-checked kernels: extend and bridge of the whole-number families, in exact fractions.

For all whole numbers of a box and all levels of a grid, a small one in every run:

    two steps are one        Σ_y E_lm(x, y) E_mh(y, z) = E_lh(x, z)
    a bridge turns it round  E_lm(x, y) E_mh(y, z) = E_lh(x, z) B_lmh(y; x, z)
    in any order             B_lmh(y; x, z) B_mnh(w; y, z) = B_lnh(w; x, z) B_lmn(y; x, w)

where E is what `extend` draws from and B what `bridge` does. Chances that are no fractions, such as
exp(-λ), have their rational part checked, and the tables of hardened draws enclose them at 50
digits; the laws in floats are compared with those. `test_discrete_laplace.py`, `test_skellam.py`
and `test_poisson.py` have the cells of further tables.
"""

from fractions import Fraction as F
from itertools import combinations, product
from math import comb, factorial

import mpmath
import numpy as np
import pytest

from dpviz.lossless import LatticeLaw, adds_up
from dpviz.noise import FAMILIES, counts, skellam_draws
from dpviz.noise import discrete_laplace_law as law
from dpviz.noise.randomised_response import RandomisedResponse, _Bridge, _extension
from tests import oracles_discrete, oracles_skellam
from tests.conftest import FULL, few, full_run
from tests.oracles_noise import response, response_bridge, response_steps
from tests.unit.noise.test_bits import Script
from tests.unit.noise.test_discrete_laplace import bridge_mass
from tests.unit.noise.test_poisson import assert_cells, masses

DIGITS = 50
BITS = 160  # of a table: 48 digits
BOX = 12 if FULL else 4  # whole numbers on either side of 0
RATIOS = [F(0), F(1, 5), F(1, 2), F(4, 5)]  # a of discrete Laplace noise; 0 is the exact value
RATES = [F(0), F(1, 3), F(2), F(7, 2)]  # λ of Poisson and Skellam noise
LEVELS = [0.5, 1.0, 1.0000001, 2.75]  # floats, as sessions have them; two are close
CATEGORIES = [2, 3]
if FULL:
    RATIOS += [F(3, 10), F(2, 3), F(9, 10), F(99, 100)]
    RATES += [F(22, 7), F(9)]
    LEVELS += [7.3, 30.0]
    CATEGORIES += [5, 9]
SPAN = range(-BOX, BOX + 1)


def grids(levels, count):
    """All ascending choices of this many levels."""
    return list(combinations(sorted(levels), count))


def step(low, high):
    """What `extend` of discrete Laplace noise draws from, by the formula of its table."""
    side = law.extend_side(low, high, low / high)
    ends = side * (1 - high)
    return LatticeLaw(-1, (ends, 1 - 2 * side, ends), left=high, right=high)


def test_two_steps_of_discrete_laplace_noise_are_one_for_all_whole_numbers():
    """As generating functions, so not in the box alone."""
    for low, level, high in grids(RATIOS, 3):
        assert adds_up(step(low, level), step(level, high), step(low, high))
        assert not adds_up(step(low, level), step(low, high), step(level, high))


def test_a_bridge_of_discrete_laplace_noise_turns_the_steps_round():
    for low, level, high in grids(RATIOS, 3):
        first, second, whole = step(low, level), step(level, high), step(low, high)
        for k, x in product(SPAN, SPAN):
            joint = first.mass(x) * second.mass(k - x)
            assert joint == whole.mass(k) * bridge_mass((low, level, high), k, x)


def test_bridges_of_discrete_laplace_noise_are_drawn_in_any_order():
    near = range(-BOX // 2, BOX // 2 + 1)
    for low, one, two, high in grids(RATIOS, 4):
        for k, x, y in product(near, near, near):
            upwards = bridge_mass((low, one, high), k, x) * bridge_mass((one, two, high), k - x, y)
            downwards = bridge_mass((low, two, high), k, x + y) * bridge_mass(
                (low, one, two), x + y, x
            )
            assert upwards == downwards


def weight(rate, x):
    """P(Poisson(rate) = x) without its factor exp(-rate), which two steps share with one."""
    return rate**x / factorial(x)


def thinned(k, x, share):
    """P(Binomial(k, share) = x)."""
    return comb(k, x) * share**x * (1 - share) ** (k - x)


def share(low, level, high):
    return (level - low) / (high - low)


def test_poisson_noise_is_lossless_in_fractions():
    for low, level, high in grids(RATES, 3):
        for k in range(2 * BOX + 1):
            joint = [weight(level - low, x) * weight(high - level, k - x) for x in range(k + 1)]
            assert sum(joint) == weight(high - low, k)
            for x, each in enumerate(joint):
                assert each == weight(high - low, k) * thinned(k, x, share(low, level, high))
    for low, one, two, high in grids(RATES, 4):
        for k in range(BOX + 1):
            for x in range(k + 1):
                for y in range(k - x + 1):
                    upwards = thinned(k, x, share(low, one, high)) * thinned(
                        k - x, y, share(one, two, high)
                    )
                    assert upwards == thinned(k, x + y, share(low, two, high)) * thinned(
                        x + y, x, share(low, one, two)
                    )


def test_the_share_of_a_bridge_is_the_fraction_of_its_floats():
    for low, level, high in grids([0.0, *LEVELS], 3):
        assert counts.share(low, level, high) == share(F(low), F(level), F(high))


@pytest.mark.parametrize(
    ("levels", "bits", "most"),
    [((1.0, 2.0, 5.0), 2, 5 if FULL else 3), ((0.0, 1.5, 2.0), 2, 3), ((0.0, 0.5, 4.0), 3, 3)],
)
def test_a_poisson_bridge_from_every_word_of_bits(levels, bits, most):
    """The whole draw, from uniform bits to the release: each word is as likely as any other."""
    low, level, high = levels
    for k in range(1, most + 1):
        drawn = [
            FAMILIES["poisson"].bridge(
                np.array([3]), np.array([3 + k]), low, level, high, rng=Script([word])
            )[0]
            for word in range(2 ** (bits * k))
        ]
        seen = np.bincount(np.array(drawn) - 3, minlength=k + 1).tolist()
        q = share(F(low), F(level), F(high))
        assert [F(n, len(drawn)) for n in seen] == [thinned(k, x, q) for x in range(k + 1)]


def hidden(rate, up, down):
    """P of two Poisson(rate) counts without exp(-2·rate)."""
    return weight(rate, up) * weight(rate, down)


def test_skellam_noise_is_lossless_in_fractions():
    """Of its hidden counts: steps up and down are thinned, and what is left is a step."""
    few = range(max(3, BOX // 2) + 1)
    for low, level, high in grids(RATES, 3):
        q = share(low, level, high)
        for ups, downs in product(few, few):
            whole = hidden(high - low, ups, downs)
            total = F(0)
            for up, down in product(range(ups + 1), range(downs + 1)):
                joint = hidden(level - low, up, down) * hidden(high - level, ups - up, downs - down)
                assert joint == whole * thinned(ups, up, q) * thinned(downs, down, q)
                total += joint
            assert total == whole


def exact(value):
    """A number of mpmath as the fraction that it is."""
    mantissa, exponent = mpmath.mpf(value).man_exp
    return F(int(mantissa)) * F(2) ** int(exponent)


def assert_enclosed(pairs, wanted, bits=BITS):
    """Thresholds enclose what they stand for, and leave at most one unit."""
    pairs = list(pairs)
    assert len(pairs) == len(wanted)
    for (low, high), value in zip(pairs, wanted, strict=True):
        assert low <= value * mpmath.mpf(2) ** bits < high + 1
        assert high - low <= 1


def test_tables_of_poisson_and_skellam_noise_enclose_their_kernels():
    with mpmath.workdps(2 * DIGITS):
        for low, high in few(grids(RATES, 2), 2):
            rate = high - low
            level = mpmath.mpf(rate.numerator) / rate.denominator
            poisson = [
                exact(mpmath.exp(-level) * level**x / mpmath.factorial(x)) for x in range(200)
            ]
            assert_cells(counts.poisson_law(rate), poisson.__getitem__, BITS)
            end = skellam_draws.reach(rate, skellam_draws.FURTHER)
            each = [oracles_skellam.mass(x, level) for x in range(end + 60)]
            below = [mpmath.fsum(each[end + 1 :])]
            for x in range(-end, end):
                below.append(below[-1] + each[abs(x)])
            assert_enclosed(skellam_draws._table(rate)._thresholds(BITS), below[1:])
        for low, level, high in grids(RATES, 3):
            q = share(low, level, high)
            for k in range(1, BOX + 1):
                assert_cells(counts.binomial_law(k, q), lambda x, k=k, q=q: thinned(k, x, q), BITS)


def test_a_skellam_bridge_by_its_hidden_counts_is_the_joint_law():
    """Bessel counts from the library's own table, thinned, against two steps, at 40 digits."""
    few = range(BOX // 2 + 1)
    with mpmath.workdps(DIGITS):
        for low, level, high in grids(RATES[1:], 3):
            q, whole = share(low, level, high), high - low
            for k in few:
                table = skellam_draws.bessel_law(k, whole)
                cells = dict(zip(table._lowest.tolist(), masses(table, BITS)[1:-1], strict=True))
                for w in few:
                    first, second, total = (
                        oracles_skellam.mass(x, mpmath.mpf(r.numerator) / r.denominator)
                        for x, r in ((w, level - low), (k - w, high - level), (k, whole))
                    )
                    drawn = sum(
                        high_end * thinned(v + k, up, q) * thinned(v, up - w, q)
                        for v, (_, high_end) in cells.items()
                        for up in range(max(w, 0), min(v + k, v + w) + 1)
                    )
                    wanted = first * second / total
                    got = mpmath.mpf(drawn.numerator) / drawn.denominator
                    assert abs(got - wanted) < mpmath.mpf(10) ** -18  # what the table leaves out


def two_sided(cells, sides, ratios):
    """P(draw < x) at every cell of a table but the first, at mpmath's precision."""
    return oracles_discrete.cumulative(cells, sides, ratios)


def test_tables_of_discrete_laplace_noise_enclose_their_kernels():
    with mpmath.workdps(2 * DIGITS):
        for low, level, high in grids([0.0, *LEVELS], 3):
            a_low, a, a_high = (
                mpmath.exp(-1 / mpmath.mpf(b)) if b else mpmath.mpf(0) for b in (low, level, high)
            )
            for fine in (True, False):
                steps = law.extension(low, level, fine=fine)
                side = (1 - oracles_discrete.step_mass(0, a_low, a)) / 2
                assert_enclosed(
                    steps.thresholds(BITS), two_sided(steps.cells, (side, side), (a, a))
                )
                laws = law.bridge(low, level, high, fine=fine)
                between = oracles_discrete.Bridge(a_low, a, a_high, 1)
                outer, inner = a * a_high, a / a_high
                away = between.mass(-1) / (1 - outer)
                sides = away, 1 - away - between.mass(0)
                assert_enclosed(
                    laws.step.thresholds(BITS), two_sided(laws.step.cells, sides, (outer, inner))
                )
                past = (sides[1] - between.mass(1)) / sides[1]
                assert_enclosed(
                    laws.beyond.thresholds(BITS),
                    two_sided(laws.beyond.cells, (0, past), (0, outer)),
                )
                rest = (1 - oracles_discrete.Bridge(a_low, a, a_high, 0).mass(0)) / 2
                assert_enclosed(
                    laws.rest.thresholds(BITS),
                    two_sided(laws.rest.cells, (rest, rest), (outer, outer)),
                )


def test_randomised_response_is_lossless_in_fractions():
    """Chances to keep multiply; the bridge as `law_between` defines it."""
    kept = [F(9, 10), F(1, 2), F(1, 7)]
    for categories in CATEGORIES:
        for one, two in product(kept, kept):
            first, second, whole = (response(p, categories) for p in (one, two, one * two))
            for x, z in product(range(categories), repeat=2):
                joint = [first[x][y] * second[y][z] for y in range(categories)]
                assert sum(joint) == whole[x][z]


def test_tables_of_randomised_response_enclose_their_kernels():
    with mpmath.workdps(2 * DIGITS):
        for categories in CATEGORIES:
            for low, level, high in grids([0.0, *LEVELS], 3):
                steps = response_steps(categories, (low, level, high))
                table = _extension(low, level, categories)
                assert_enclosed(table._thresholds(BITS), partial_sums(steps[0][0]))
                laws = _Bridge.of(low, level, high, categories)
                for above in range(categories):
                    mass = response_bridge(steps, 0, above)
                    if not above:
                        assert_enclosed(laws.equal._thresholds(BITS), partial_sums(mass))
                        continue
                    others = [mass[y] for y in range(1, categories) if y != above]
                    order = [mass[0], mass[above], *others]
                    assert_enclosed(laws.unequal._thresholds(BITS), partial_sums(order))


def partial_sums(mass):
    """P(draw < i) of every cell but the first."""
    return [mpmath.fsum(mass[:i]) for i in range(1, len(mass))]


def at_rest(name, x, low, high):
    """P(step = x), at mpmath's precision, from levels as floats."""
    start, end = mpmath.mpf(low), mpmath.mpf(high)
    if name == "poisson":
        rate = end - start
        return mpmath.exp(-rate) * rate**x / mpmath.factorial(x) if x >= 0 else mpmath.mpf(0)
    if name == "skellam":
        return oracles_skellam.mass(x, end - start)
    ratios = (mpmath.exp(-1 / each) if each else mpmath.mpf(0) for each in (start, end))
    return oracles_discrete.step_mass(x, *ratios)


@full_run
@pytest.mark.parametrize(  # masses of the lazy path are differences of its distribution function
    ("name", "least"), [("poisson", 1e-300), ("skellam", 1e-300), ("discrete_laplace", 1e-15)]
)
def test_the_laws_in_floats_against_50_digits(name, least):
    family, near = FAMILIES[name], range(0, BOX + 1) if name == "poisson" else SPAN
    with mpmath.workdps(DIGITS):
        for low, level, high in grids([0.0, *LEVELS], 3):
            for k in near:
                wanted = {
                    x: at_rest(name, x, low, level) * at_rest(name, k - x, level, high)
                    for x in near
                }
                total = at_rest(name, k, low, high)
                between = family.law_between(0.0, float(k), low, level, high)
                got = between.density(np.array([*wanted], float))
                np.testing.assert_allclose(
                    got, [float(each / total) for each in wanted.values()], rtol=1e-11, atol=least
                )
            alone = family.law_between(0.0, None, low, level, None)
            steps = [float(at_rest(name, x, low, level)) for x in near]
            np.testing.assert_allclose(
                alone.density(np.array([*near], float)), steps, rtol=1e-11, atol=least
            )


def test_the_law_of_a_response_in_floats_against_50_digits():
    with mpmath.workdps(DIGITS):
        for categories, levels in product(CATEGORIES, grids([0.0, *LEVELS], 3)):
            family, steps = RandomisedResponse(categories), response_steps(categories, levels)
            for ends in product(range(categories), repeat=2):
                wanted = [float(p) for p in response_bridge(steps, *ends)]
                got = family.law_between(*ends, *levels)
                np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("wrong", ["share", "stay", "mirror"])
def test_a_wrong_kernel_is_found(wrong):
    """Each identity fails for a near miss, or it would say nothing."""
    low, level, high = F(1, 5), F(1, 2), F(4, 5)
    if wrong == "share":
        joint = weight(level - low, 1) * weight(high - level, 2)
        assert joint != weight(high - low, 3) * thinned(3, 1, share(low, level, high) + F(1, 10**9))
    elif wrong == "stay":
        miss = F(1, 10**9)
        near = LatticeLaw.of({-1: 1, 0: 1 + miss, 1: 1}, left=high, right=high)
        assert not adds_up(step(low, level), near, step(low, high))
    else:
        pairs = [(bridge_mass((low, level, high), k, -2), step(low, high).mass(k)) for k in (3, -3)]
        joints = [step(low, level).mass(-2) * step(level, high).mass(k + 2) for k in (3, -3)]
        assert joints[0] == pairs[0][0] * pairs[0][1] != joints[1]
