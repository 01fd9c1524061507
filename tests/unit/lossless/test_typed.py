"""What is typed or handed over as noise: read exactly, or refused, however hostile."""

import itertools
import math
import random
import time
from fractions import Fraction as F

import pytest

from dpviz import lossless
from dpviz.errors import ParameterError
from dpviz.lossless import LatticeLaw, read_mechanism, read_noise
from dpviz.lossless.typed import LONGEST, MOST_ROWS, MOST_SETS

# --- Tables as they are typed: read exactly as they stand, or refused in one sentence ------------

PLAIN = "0, 1/2, 1/4\n1, 1/2, 1/2\n2, 0, 1/4"
SAME = (
    "value sharper noisier\n0 0.5 0.25\n1 0.5 0.5\n2 0 .25",
    "\n  0;1/2;1/4\t\n\n1;1/2;1/2\n2;0;1/4\n",
    "+2\t0\t2.5e-1\n1\t5E-1\t5e-01\n0\t0.5\t25e-2\n",
    "0, 2, 1\n1, 2, 2\n2, 0, 1",
)


@pytest.mark.parametrize("text", [PLAIN, *SAME])
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
