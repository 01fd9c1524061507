"""Call every public function of the library with what nobody should pass, and say what went wrong.

Run by `tests/unit/test_extremes.py` as a process of its own, with SEED CALLS NOTE.
It prints one line for each kind of failure. A call may return a right answer or raise
`ParameterError`; anything else is a failure: another exception, a warning, NaN or an infinity from
finite arguments, more than `LIMIT` seconds of processor time, more memory than `MEMORY`. What is
called is found by looking: new public functions are called without being listed here, as far as
the names of their arguments are known; a name that is not known gets numbers.

The limit counts processor time of this thread, and is longer where the processor is slower, by a
loop that is timed first; so load cannot break it. The call at work is written to NOTE, so that one
that never returns to Python is known, too.
"""

import dataclasses
import inspect
import json
import math
import os
import random
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpviz import (
    accounting,
    counting,
    data,
    gradual,
    linear,
    local,
    parameters,
    queries,
    sparse,
    streams,
    top_k,
)
from dpviz.accounting import levels, privacy_loss, skellam_levels
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES, bridge_law
from dpviz.release import MultipleRelease

LIMIT = 3.0  # seconds of processor time, on a processor that needs `LOOP` for the loop below
LOOP = 0.13
MEMORY = 6 * 2**30

NUMBERS = (
    *(0.1, 0.5, 1.0, 2, 3, 7.0, 40.0, 1e-6, 1e-3, 100, 1e4, 1e6, 1e9),
    *(Fraction(1, 3), Decimal("0.1")),
)
SMALL_WHOLE = (1, 2, 3, 5, 10, 40, 100, 1000)
WRONG = (
    *(math.nan, math.inf, -math.inf, -0.0, 0.0, 0, 5e-324, -5e-324, 1e-308, 1e-300, 1e-150, 1e-17),
    *(1e150, 1e154, 1e300, 1.7e308, -1, -0.5, -1e300, -1.7e308, 2**31, 2**53 + 1, 2**63),
    *(10**12, 10**18, 10**400, -(10**400), True, False, None, "", "0.5", "abc", b"1"),
    *("0." + 5000 * "1", 5000 * "1"),  # Python writes no whole number of more than 4300 digits
    *("rho", "\ud800", "x" * 1000, [], [1], [0.5, math.nan], (), {}, {1}, 1 + 2j, range(3)),
    *(object(), int, len, Fraction(1, 3), Fraction(10**400), Fraction(1, 10**400)),
    *map(Decimal, ("0.25", "NaN", "sNaN", "Infinity", "1e-400", "1e400")),
    *(np.float32(0.1), np.float64(1e300), np.int8(3), np.int64(7), np.uint64(2**63)),
    *(np.bool_(True), np.longdouble(1.5), np.str_("x"), np.datetime64("2020-01-01")),
    *map(np.array, (0.5, [1.0, 2.0], [math.nan], [[1, 2]], ["a"], [1 + 2j])),
    np.array([], dtype=int),
)
TABLE = data.read_csv(
    b"person,g,num,when\n1,a,2.5,2020-01-01\n2,b,70,2020-02-03\n2,a,3,2020-03-01\n", name="t"
)
ITEMS = {"a": 90, "b": 40, "c": 3, "d": 0}
GRAPH = local.read_edges("a b\nb c\nx y")
GAUSS, LAPLACE, DISCRETE = (FAMILIES[n] for n in ("gaussian", "laplace", "discrete_laplace"))
ONE_BIT = queries.Count(queries.ByColumn("g", ["a", "b"]))


class TooLong(BaseException):
    """No `Exception`, so that no handler in the library takes it."""


def rng(r: random.Random) -> np.random.Generator:
    return streams.hardened() if r.random() < 0.2 else streams.teaching(r.randrange(10**6))


def whole_array(r: random.Random) -> Any:
    size = r.choice((0, 1, 2, 3, 3, 3, 50, 3000))
    span = r.choice((1, 10, 1000, 10**6, 2**40, 2**62))
    return np.array([r.randrange(-span, span + 1) for _ in range(size)], dtype=np.int64)


def real_array(r: random.Random) -> Any:
    return whole_array(r) * r.choice((1.0, 0.1, 1e-300, 1e200))


def numbers_of_people(r: random.Random) -> Any:
    return [r.randrange(0, r.choice((2, 100, 10**9))) for _ in range(r.choice((0, 1, 3, 100)))]


def ladder(r: random.Random) -> Any:
    found = sorted({r.choice(NUMBERS[:9]) for _ in range(r.choice((1, 2, 3, 5)))})
    return found if r.random() < 0.7 else found[::-1]


def events(r: random.Random) -> Any:
    kinds = ("ρ-zCDP", "ε-DP", "(ε, δ)-DP")
    made = []
    for _ in range(r.choice((0, 1, 2, 5))):
        kind = r.choice(kinds)
        delta = {"delta": 1e-9} if kind == kinds[2] else {}
        budget = r.choice((*NUMBERS, 5e-324, 1e300, 1.7e308))
        made.append(
            accounting.ReleaseEvent(session=r.randrange(3), definition=kind, budget=budget, **delta)
        )
    return made


def budget_list(r: random.Random) -> Any:
    return [r.choice(NUMBERS[:9]) for _ in range(r.choice((0, 1, 1, 2, 5, 100)))]


def number_or_list(r: random.Random) -> Any:
    return r.choice((0, 1, 2, 3, 10, 100, 1000, 10**6)) if r.random() < 0.6 else budget_list(r)


def kinds(r: random.Random) -> Any:
    return r.choices(
        (accounting.PURE, accounting.BOUNDED_RANGE), k=r.choice((1, 2, 3, 5, 30, 1000))
    )


def pick(*values: Any) -> Callable[[random.Random], Any]:
    return lambda r: r.choice(values)


def tree(r: random.Random) -> Any:
    return accounting.Tree(r.choice((2, 3, 19, 10**9)), r.choice((1, 2, 5, 60)), r.random() < 0.5)


grouping = pick(
    queries.Everybody(),
    queries.ByColumn("g", ["a", "b"]),
    queries.ByBins("num", [0, 1, 5]),
    queries.ByTime("when", "month", "2020-01-01", "2020-06-01"),
)
laplace, any_family = pick(LAPLACE, DISCRETE), pick(LAPLACE, DISCRETE, GAUSS)
SQUARE = (np.eye(2), [[1, 0], [1, 1]], np.tri(3), [[1e200, 0], [0, 1e-200]], np.zeros((2, 2)))
matrix = pick(*SQUARE, np.ones((2, 3)))


def pair(_: random.Random) -> Any:
    return accounting.Pair(np.array([0.7, 0.3]), np.array([0.2, 0.8]))


def pairs(r: random.Random) -> Any:
    return [(pair(r), r.choice((1, 2, 100)))]


error_probability = pick(0.0, 0.05, 0.5, 1.0, [0.0, 0.05, 1.0], np.linspace(0, 1, 5))
sizes = pick(1, 2, 3, 10, 1000, 10**6, 10**9, 10**12, 10**30)
words = pick("ab", queries.LETTERS, "abc")
ORDINARY: dict[str, Callable[[random.Random], Any]] = {
    **dict.fromkeys(("log_delta",), pick(-1e-9, -0.01, -1.0, -13.8, -40, -300.0, -1e4, -1e100)),
    **dict.fromkeys(
        ("delta", "confidence", "prior", "probability"),
        pick(1e-300, 1e-6, 0.05, 0.5, 0.95, 1 - 1e-16),
    ),
    **dict.fromkeys(("alpha", "beta", "alphas", "betas"), error_probability),
    **dict.fromkeys(
        ("steps", "step", "cells", "domain_size", "dimension", "coordinates", "k"), sizes
    ),
    "groups": pick(*SMALL_WHOLE, 10**6, ["a", "b"], ["a"]),
    **dict.fromkeys(
        (
            *("count", "shift", "l0_sensitivity", "rounds", "l0", "rows_per_group", "seed"),
            *("groups_per_person", "items_per_person", "path", "times"),
        ),
        pick(*SMALL_WHOLE, 10**6),
    ),
    "arity": pick(2, 3, 18, 19, 100, 1000, 10**6, None),
    "height": pick(1, 2, 5, 60, 1000),
    "subtraction": pick(True, False),
    "directions": pick(None, (1, 0), (2, 2), (5, 0)),
    "move": pick(((1, 1),), ((5, 1), (5, -1)), ((3, 2), (100, 1)), ((10**6, 1),)),
    "gaussian": pick(*accounting.COUNTING_GAUSSIANS),
    "scheme": pick(*accounting.SCHEMES),
    "family": pick(*ADDITIVE.values()),
    "tree": tree,
    "events": events,
    "rng": rng,
    **dict.fromkeys(("rhos", "tiers", "budgets"), ladder),
    **dict.fromkeys(("values", "below", "above"), whole_array),
    "data": pick([1, 2], [1, 2, 3], [0.5, 2]),
    "indices": numbers_of_people,
    "counts": lambda r: ITEMS if r.random() < 0.3 else numbers_of_people(r),
    "thresholds": pick([1.0, 2.0], [0.0], [math.inf]),
    "threshold": pick(0.0, 1.0, 10, 1e6, -5, math.inf),
    "phantoms": pick(0.5, 1, 100),
    "x": lambda r: r.choice((0, 1, -1.5, 1e9, real_array(r))),
    "out": pick(None),
    **dict.fromkeys(("user", "viewer", "one", "other", "friend"), pick("a", "b", "c", "x", "new")),
    **dict.fromkeys(("viewers", "friends"), pick(["a"], ["b", "c"], ["x"], [])),
    "hospital": pick("clinic", 7),
    "hospitals": pick(["clinic"], []),
    "graph": pick(GRAPH, local.classic_network("karate_club")),
    "trust": pick(local.Trust((2, 1)), local.Trust((1,))),
    "edge_list": pick("a b\nb c", b"a,b", "a"),
    "answers": budget_list,
    "variances": budget_list,
    "level": pick(*NUMBERS),
    "released": pick({}, {0.5: 3}, {0.1: 4, 2.0: 7}),
    "exact": pick(None, 0, 3),
    "coordinate": pick(0, 1, 2),
    "epsilons": lambda r: (0.5, 2.0) if r.random() < 0.2 else ladder(r),
    **dict.fromkeys(("release", "sharper", "noisier"), whole_array),
    "table": pick(TABLE),
    "query": pick(ONE_BIT),
    "by": grouping,
    "bounds": pick(queries.Bounds()),
    **dict.fromkeys(("column", "person"), pick("g", "num", "person", "when")),
    **dict.fromkeys(
        ("first", "second"),
        pick(queries.ByColumn("g", ["a"]), queries.ByColumn("person", ["1", "2"])),
    ),
    "labels": pick(["a", "b"], ["a"]),
    "edges": pick([0, 1, 2], [0.5, 100]),
    "relation": pick(*queries.RELATIONS),
    "every": pick(*queries.SPANS),
    "start": pick("2020-01-01"),
    "stop": pick("2020-06-01"),
    "norm": pick("l0", "l1", "l2", "linf"),
    "lower": pick(0, -1.0, 1e-9),
    "upper": pick(1, 100.0, 1e15),
    "alphabet": words,
    "longest": pick(1, 3, 8),
    "low": pick(0, 1, 0.5, 1e-6),
    "high": pick(3, 10.0, 1e9, 1e10, None),
    "method": pick("auto", "sparse", "dense"),
    **dict.fromkeys(("left", "right"), matrix),
    "pair": pair,
    "pairs": pairs,
    "text": pick("0.1", "1e-6", "3"),
    "where": pick("Budget"),
    "word": pick("a", "ab"),
    "coding": pick(queries.WholeNumbers(0, 5), queries.Words(3)),
    "session": pick(1, 2),
    "definition": pick("ρ-zCDP", "ε-DP"),
    **dict.fromkeys(("pure", "bounded_range"), number_or_list),
    "concentrated": pick([], [(0.5, 1.0)], [(0, 0)], [(1e-3, 0.1)] * 100, [(1e9, 1e-9)]),
    "parts": pick([(-20.0, 0, 0.1)], [(-math.inf, 0.0, 1.0)] * 30, [(-0.5, 1, 2)]),
    "order": kinds,
    "fixed_in_advance": pick(True, False),
    "number": pick(0.1, Fraction(1, 3)),
    "reach": pick(top_k.Reach(), top_k.Reach(l0=3, linf=2), top_k.Reach(l0=1, both_ways=True)),
    "unknown": pick(None, top_k.UnknownDomain(seen=3, log_delta=-9.0)),
    "prepaid": pick(None),
    **dict.fromkeys(("known", "whole", "both_ways", "non_negative"), pick(True, False)),
    **dict.fromkeys(("seen", "draws", "calls", "linf"), pick(*SMALL_WHOLE)),
}
# Functions that write our own limits, as text.
WRITERS = ("plain", "round_number", "power_of_ten")
# Halves of an item's coding that the engine calls: with its own columns, and with checked indices.
# The half of `release_law` that is a family's: with checked levels and neighbours.
# Moments, which need not exist: with the weights of a matrix that was checked.
ENGINE = ("position", "names", "placed", "law_between", "log_moments")
# Infinities that are right answers, by the name of the function: why.
ENDLESS = {
    "gaussian_log_delta": "ln δ = −∞: with μ = 0 nothing is disclosed",
    "laplace_log_delta": "ln δ = −∞ from ε = Δ₁/b on: the noise is purely private",
    "composed_laplace_log_delta": "ln δ = −∞ from the sum of all ε on",
    "pure_composition_log_delta": "ln δ = −∞ from the sum of all ε on",
    "composed_pure_log_delta": "ln δ = −∞ from the sum of all ε on",
    "mixed_composition_log_delta": "ln δ = −∞ from the sum of all ε on",
    "adaptive_composition_log_delta": "ln δ = −∞ from the sum of all ε on",
    "bounded_range_log_delta": "ln δ = −∞ from ε on",
    "gradual_law": "the neighbour is infinitely far where nothing noisier was released",
    "fourth_moment": "beyond the largest float, from a standard deviation of 1e77 on",
    "crossover_log_delta": "ln δ* = −∞ where Laplace noise is never smaller",
    **dict.fromkeys(
        (
            *("poisson_coordinate_level", "poisson_groups_level", "skellam_coordinate_level"),
            *("skellam_groups_level", "skellam_renyi_level", "move_level", "or_infinite", "worst"),
        ),
        "no level that these sums or bounds reach is enough",
    ),
}


def public(module: Any) -> Iterator[tuple[str, Any]]:
    """Public names that a module exports or defines."""
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]  # fmt: skip
    for name in names:
        value = getattr(module, name)
        described = inspect.isfunction(value) or inspect.isclass(value)
        if described and not getattr(value, "_is_protocol", False) and name not in WRITERS:
            yield name, value


def methods(thing: Any) -> Iterator[tuple[str, Any]]:
    """Public methods of an object; its properties are read, too."""
    for name in dir(type(thing)):
        if name.startswith("_"):
            continue
        if isinstance(inspect.getattr_static(type(thing), name), property):
            yield name, reader(thing, name)
        elif callable(getattr(thing, name)):
            yield name, getattr(thing, name)


def reader(thing: Any, name: str) -> Callable[[], Any]:
    """A call without arguments that reads a property."""
    return lambda: getattr(thing, name)


def opened() -> Iterator[tuple[str, Callable[[random.Random], Any]]]:
    """Objects whose methods are called, made afresh for each call."""
    for name, family in ADDITIVE.items():
        yield name, lambda _, family=family: family
        yield f"MultipleRelease[{name}]", lambda r, family=family: held(r, family)
    for name in ("RHO", "DELTA", "SIZE", "SENSITIVITY"):
        yield name, lambda _, name=name: getattr(parameters, name)
    yield "Tree", tree
    yield "Grid", lambda r: queries.Grid(r.choice((0.25, 2.0**-1000, 2.0**1000)))
    yield "Sensitivity", lambda _: queries.Sensitivity
    yield "Bounds", lambda _: queries.Bounds(person="person", groups_per_person=2)
    yield "Words", lambda _: queries.Words(3)
    yield "Contribution", lambda _: linear.Contribution()
    yield "Factorization", lambda _: linear.Factorization([[1, 0], [1, 1]], np.eye(2))
    paid = {"epsilon": 0.5, "log_delta": -9.0}
    yield "SparseHistogram", counted
    yield "DenseHistogram", lambda _: sparse.DenseHistogram([1, 5], [3, 9], 6, GAUSS, rng=drawn())
    yield "ContinualCounter", lambda _: counting.ContinualCounter(9, [0.5, 2.0], rng=drawn())
    yield "CountedStream", lambda _: counting.CountedStream([3, 0, 2], rng=drawn())
    yield "TopK", listed
    yield "TruncatedHistogram", common
    yield "PrepaidDraws", lambda _: top_k.PrepaidDraws(draws=9, calls=2, **paid)
    yield "ListCost", lambda _: top_k.ListCost(steps=9, step=0.5, log_hidden=-9.0)
    yield "Reach", lambda _: top_k.Reach(l0=3)
    yield "LaplacePath", grown
    yield "Person", person
    yield "SocialNetwork", network
    yield "Patients", patients
    yield "Trust", lambda _: local.Trust((2, 1))
    yield "UnknownDomain", lambda _: top_k.UnknownDomain(seen=4, log_delta=-9.0)


def drawn() -> np.random.Generator:
    return streams.teaching(1)


def counted(r: random.Random) -> sparse.SparseHistogram:
    cells = r.choice((6, 10**9))
    return sparse.SparseHistogram([1, 5], [3, 9], cells, l2_sensitivity=1.0, rng=drawn())


def common(_: random.Random) -> top_k.TruncatedHistogram:
    asked = {"sigma": 2.0, "log_delta": -9.0, "reach": top_k.Reach(l0=2), "whole": True}
    return top_k.TruncatedHistogram(ITEMS, **asked, rng=drawn())


def listed(r: random.Random) -> top_k.TopK:
    hidden = r.choice((None, top_k.UnknownDomain(seen=2, log_delta=-3.0)))
    top = top_k.TopK(ITEMS, epsilon=0.5, reach=top_k.Reach(), unknown=hidden, rng=rng(r))
    if r.random() < 0.7:
        top.rank(2)
    return top


def grown(r: random.Random) -> gradual.LaplacePath:
    path = gradual.LaplacePath([3, 5], 0.1, 2.0, family=laplace(r), rng=drawn())
    if r.random() < 0.3:
        path.seal()
    return path


def person(r: random.Random) -> local.Person:
    one = local.Person(3, family=any_family(r), rng=drawn())
    for budget in r.sample((0.5, 2.0, 9.0), r.randrange(3)):
        one.answer("a", budget)
    return one


def network(r: random.Random) -> local.SocialNetwork:
    typed = {"values": {"a": 3, "b": 5}, "family": laplace(r)}
    found = local.SocialNetwork(GRAPH, local.Trust((2, 1)), **typed, rng=drawn())
    if r.random() < 0.5:
        found.answer("a", "b")
    return found


def patients(r: random.Random) -> local.Patients:
    groups = ["one", "one", "two"]
    return local.Patients([3, 5, 9], groups=groups, family=any_family(r), rng=drawn())


def held(r: random.Random, family: Any) -> MultipleRelease:
    session = MultipleRelease([3, 5], family, rng=drawn())
    for level in r.sample((1.0, 10.0, 300.0), r.randrange(3)):
        session.release(level)
    if r.random() < 0.2 and session.levels:
        session.seal(session.levels[0])
    return session


def targets() -> list[tuple[str, Callable[[random.Random], Any]]]:
    """Everything that is called: a name, and how to get it."""
    found: list[tuple[str, Callable[[random.Random], Any]]] = []
    for module in (
        *(accounting, levels, skellam_levels, privacy_loss, bridge_law, linear),
        *(sparse, counting, top_k, gradual, local, queries, parameters, streams),
    ):
        for name, value in public(module):
            found.append((f"{module.__name__}.{name}", lambda _, value=value: value))
    found.append(("dpviz.release.MultipleRelease", lambda _: MultipleRelease))
    for place, make in opened():
        for name, _ in methods(make(random.Random(1))):
            if not (name == "state" or name in (*WRITERS, *ENGINE)):
                bound = lambda r, make=make, name=name: dict(methods(make(r)))[name]  # noqa: E731
                found.append((f"{place}.{name}", bound))
    return found


def arguments(r: random.Random, call: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for one call, most of them ordinary."""
    try:
        asked = inspect.signature(call).parameters.values()
    except ValueError:
        return [], {}
    spoilt = r.choice((0.0, 0.1, 0.3, 0.8))
    positional, named = [], {}
    for one in asked:
        if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            continue
        if one.default is not one.empty and r.random() < 0.5:
            if one.kind is not one.KEYWORD_ONLY:
                positional.append(one.default)
            continue
        wrong = r.random() < spoilt and one.name != "where"
        value = any_value(r, one.name) if wrong else ordinary(r, one.name)
        if one.kind is one.KEYWORD_ONLY:
            named[one.name] = value
        else:
            positional.append(value)
    return positional, named


def ordinary(r: random.Random, name: str) -> Any:
    return ORDINARY.get(name, pick(*NUMBERS))(r)


def any_value(r: random.Random, name: str) -> Any:
    chance = r.random()
    if chance < 0.7:
        return r.choice(WRONG)
    if chance < 0.8:
        return 10 ** r.uniform(-320, 308)
    if chance < 0.9:
        return r.choice(list(ORDINARY.values()))(r)
    return [r.choice(WRONG), ordinary(r, name)]


def numbers(value: Any, depth: int = 0) -> Iterator[float]:
    """Every float in an argument or a result."""
    if isinstance(value, float | np.floating | Decimal):
        yield math.nan if isinstance(value, Decimal) and value.is_snan() else float(value)
    elif isinstance(value, np.ndarray):
        yield from value.ravel()[:5000].tolist() if value.dtype.kind == "f" else ()
    elif depth < 4:
        for part in parts(value):
            yield from numbers(part, depth + 1)


def parts(value: Any) -> list[Any]:
    """What a record, a mapping or a list holds."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        return list(value.values())
    return list(value)[:1000] if isinstance(value, list | tuple | set) else []


def finite(values: Iterable[float]) -> bool:
    return all(map(math.isfinite, values))


def told(name: str, positional: list[Any], named: dict[str, Any]) -> str:
    parts = [repr(value)[:90] for value in positional]
    parts += [f"{key}={value!r}"[:90] for key, value in named.items()]
    return f"{name}({', '.join(parts)})"


def tried(
    name: str, call: Callable[..., Any], positional: list[Any], named: dict[str, Any]
) -> str | None:
    """What is wrong with this call, or None."""
    before = finite(numbers([positional, named]))
    try:
        found = call(*positional, **named)
    except ParameterError as error:
        text = str(error)
        return None if text and "\n" not in text else "a refusal without a sentence"
    except MemoryError:
        return "too much memory"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:150]}"
    if before and name.rpartition(".")[2] not in ENDLESS and not finite(numbers(found)):
        return f"not finite: {found!r}"[:200]
    return None


def loop() -> float:
    """Seconds that this processor needs for a fixed piece of work."""
    started, number = time.thread_time(), 3**3000
    for i in range(1, 60_000):
        number += number // (i * i) >> 7
        if number.bit_length() > 6000:
            number >>= 1500
    return time.thread_time() - started


def main(seed: int, calls: int, note: str) -> None:
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "fetch_arrow_table", DeprecationWarning)  # as in pyproject
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    limit = LIMIT * max(1.0, min(loop(), loop()) / LOOP)
    r, everything, seen = random.Random(seed), targets(), set()

    def ring(*_: Any) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, ring)
    with open(note, "w", encoding="utf-8", errors="replace") as file:
        for i in range(calls):
            name, make = everything[i % len(everything)]
            call = make(r)
            positional, named = arguments(r, call)
            words = told(name, positional, named)
            file.seek(0)
            file.truncate()
            file.write(words)
            file.flush()
            try:
                signal.setitimer(signal.ITIMER_PROF, 3 * limit)
                started = time.thread_time()
                wrong = tried(name, call, positional, named)
                taken = time.thread_time() - started
                signal.setitimer(signal.ITIMER_PROF, 0)
            except TooLong:
                wrong, taken = None, 3 * limit
            if taken > limit:
                wrong = f"{taken:.1f} s, at most {limit:.1f} s are allowed"
            kind = (name, (wrong or "")[:12])
            if wrong and kind not in seen:
                seen.add(kind)
                print(json.dumps({"call": words, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
