"""The exercise sheet of a class: every answer again from what is printed, by other formulas."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from dpviz.errors import ParameterError
from dpviz.scenes.classroom import board, dealt_to
from dpviz.scenes.exercises import BUDGETS, exercises, questions, read_code, sheet, table
from dpviz.workspace.classroom import ONE_PATH, Register, Student
from tests.conftest import FULL, for_each
from tests.guessing import overlap
from tests.visiting import plain

CODES = [
    "KXRTMP",
    "BCDFGH",
    "AAAAAA",
    *("".join(np.random.default_rng(k).choice([*"BCDFGHJKLM"], 6)) for k in range(200 * FULL + 20)),
]
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers(text):
    return [float(x) for x in NUMBER.findall(plain(text).replace("1,000", "").replace(",", ""))]


def normal(mean, rho):
    return stats.norm(mean, math.sqrt(1 / (2 * rho)))


@pytest.fixture(params=CODES)
def asked(request):
    """Questions and answers of a code, as they are printed."""
    return questions(exercises(request.param))


def test_the_count_is_the_known_and_maria(asked):
    reported, known = numbers(asked[0].question)
    assert reported - known in (0, 1)
    assert asked[0].answer.startswith("Yes" if reported > known else "No")


def test_the_half_width_holds_95_of_100_draws(asked):
    (half,) = numbers(asked[1].answer)
    rho = numbers(asked[1].question)[0]
    exact = normal(0, rho).ppf(0.975)
    assert exact <= half <= 1.1 * exact  # rounded up, to two digits


def test_the_better_guess_is_the_higher_hill_and_by_so_much(asked):
    known, rho, said = numbers(asked[2].question)
    well, ill = (normal(truth, rho).pdf(said) for truth in (known, known + 1))
    assert ill != well
    assert asked[2].answer.startswith("“ill”" if ill > well else "“not ill”")
    (times,) = numbers(asked[2].answer)
    assert times == pytest.approx(max(ill, well) / min(ill, well), rel=6e-3)


def test_separate_numbers_are_pooled_by_least_squares_and_their_budgets_add(asked):
    printed = numbers(asked[3].question)
    said, rhos = np.array(printed[0::2]), np.array(printed[1::2])
    pooled = np.linalg.lstsq(np.sqrt(2 * rhos)[:, None], np.sqrt(2 * rhos) * said, rcond=None)[0]
    best, right = numbers(asked[3].answer)
    assert best == pytest.approx(pooled[0], abs=0.0501)
    assert right == round(overlap(rhos.sum()))


def test_on_one_path_the_sharpest_number_counts(asked):
    rhos = numbers(asked[4].question)
    assert numbers(asked[4].answer) == [round(overlap(max(rhos)))]


def test_the_late_number_falls_where_two_normal_steps_say(asked):
    """Given the sharp one, the middle one adds a step and the blurred one a further step."""
    sharp, high, blurred, low, rho = numbers(asked[5].question)
    first, second = (1 / (2 * a) - 1 / (2 * b) for a, b in ((rho, high), (low, rho)))
    middle, half = numbers(asked[5].answer)[:2]
    assert middle == pytest.approx(sharp + (blurred - sharp) * first / (first + second), abs=0.0501)
    spread = 1.959964 * math.sqrt(first * second / (first + second))
    assert spread <= half <= 1.1 * spread


def test_the_table_is_the_overlap_of_two_hills_and_has_every_sum():
    found = {float(rho): int(right) for rho, right in table()}
    for rho, right in found.items():
        assert right == round(overlap(rho))
    sums = {round(a + b + c, 2) for a in BUDGETS for b in BUDGETS for c in BUDGETS if a < b < c}
    assert sums <= found.keys()


def test_a_code_alone_makes_a_sheet_and_another_code_makes_another():
    assert sheet("KXRTMP") == sheet(" kxrtmp")
    assert len({sheet(code) for code in CODES}) == len({*CODES})
    made, key = sheet("KXRTMP"), sheet("KXRTMP", answers=True)
    for each in questions(exercises("KXRTMP")):
        assert each.question in made
        assert each.answer not in made
        assert each.answer in key
    assert not re.search(r"https?:|<script|<link|src=", made + key)


@for_each(
    "dealt",
    [("public", "audit"), dealt_to(12), dealt_to(30), 5 * ("audit",), dealt_to(60)],
)
def test_the_question_about_the_board_adds_budgets_or_takes_the_largest(dealt):
    """From what it prints, and as the board of a class of these students has it."""
    asked = questions(exercises("KXRTMP", dealt))
    assert asked[:6] == questions(exercises("KXRTMP"))
    printed = re.findall(r"([\d,]+) numbers? of ρ = ([\d.]*\d)", plain(asked[6].question))
    rhos = [float(rho) for count, rho in printed for _ in range(int(count))]
    assert len(rhos) == len(dealt)
    apart, right, together, alone = numbers(asked[6].answer)
    assert (apart, together) == (pytest.approx(sum(rhos)), max(rhos))
    assert (right, alone) == (round(overlap(sum(rhos))), round(overlap(max(rhos))))
    order = tuple(range(len(dealt)))
    students = tuple(Student(f"Owl {k}", tier) for k, tier in enumerate(dealt))
    both = {"asked": (order, order), "round": ONE_PATH}
    tiers = tuple(dict.fromkeys(dealt))
    shown = board(Register(code="KXRTMP", seed=7, tiers=tiers, students=students, **both))
    assert [each.right.count for each in shown.rounds] == [right, alone]


def test_a_class_that_cannot_be_is_refused():
    with pytest.raises(ParameterError, match="students"):
        dealt_to(201)
    with pytest.raises(ParameterError, match="students"):
        exercises("KXRTMP", 201 * ("audit",))
    with pytest.raises(ParameterError, match="tier"):
        exercises("KXRTMP", ("board",))


def test_only_the_sheet_of_a_class_asks_about_its_board():
    made, key = (sheet("KXRTMP", answers=k, dealt=dealt_to(12)) for k in (False, True))
    assert "3 numbers of ρ = 0.4" in plain(made)
    assert "890" not in made
    assert "890 of 1,000" in plain(key)
    assert "the students of the class" in key
    assert "the students of the class" not in sheet("KXRTMP", answers=True)
    assert questions(exercises("KXRTMP", dealt_to(1))) == questions(exercises("KXRTMP"))


@pytest.mark.parametrize("text", ["", "ABCDE", "ABCDEFG", "ABC1EF", "ÄBCDEF", "AB CDE", "<b>abc"])
def test_what_is_no_code_is_refused(text):
    with pytest.raises(ParameterError, match="six letters from A to Z"):
        read_code(text)
