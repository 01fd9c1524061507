"""Whatever is passed: an answer, or one sentence of what to pass instead, and soon."""

import itertools
import math
import random
import time
from fractions import Fraction as F

from dpviz import lossless
from dpviz.errors import ParameterError

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
LONGEST = 5.0  # seconds of processor time


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
        if time.process_time() - began > LONGEST:
            wrong.append((use.__qualname__, given, "too long"))
    assert wrong == []
