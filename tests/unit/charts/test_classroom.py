"""The picture of a class: every number once, in the row of its tier, and what all come to."""

import pytest

from dpviz.charts.classroom import TOGETHER, numbers, own
from dpviz.charts.threads import number_of
from dpviz.errors import ParameterError
from dpviz.planning.cast import RHO
from dpviz.scenes import classroom as scenes
from dpviz.scenes.classroom import TRUTH
from dpviz.words import pm
from dpviz.workspace.classroom import AUDITORS, FOUR_TIERS, ONE_PATH, Register, Student
from tests.conftest import few, for_each
from tests.visiting import plain

COUNTS = (1, 4, 13, 200)


def pictures(count, tiers=FOUR_TIERS, seed=7):
    """Each round with its picture."""
    order = tuple(range(count))
    students = tuple(Student(f"Owl <{k}>", tiers[k % len(tiers)]) for k in order)
    asked = (order, order)
    register = Register(
        code="", seed=seed, tiers=tiers, students=students, asked=asked, round=ONE_PATH
    )
    board = scenes.board(register)
    return [
        (
            each,
            numbers(
                each.frame,
                board.rows,
                each.pool,
                is_one_path=each.which == ONE_PATH,
                is_told=board.is_told,
                reach=board.reach,
            ),
        )
        for each in board.rounds
    ]


def trace(made, name):
    return next(each for each in made.figure.data if each.name == name)


def words(made):
    return [plain(each.text) for each in made.figure.layout.annotations]


@for_each("count", COUNTS)
def test_every_number_is_there_once_in_the_row_of_its_tier(count):
    for each, made in pictures(count):
        for tier in {x.tier for x in each.drawn}:
            own = [x.value for x in each.drawn if x.tier == tier]
            assert list(trace(made, tier).x) == own
            assert {round(y**2, 12) for y in trace(made, tier).y} == {
                round(1 / (2 * RHO[tier]), 12)
            }
        assert trace(made, TOGETHER).x == (each.pool.value,)
        assert trace(made, TOGETHER).y == (each.pool.sd,)


@for_each("count", COUNTS)
def test_separate_numbers_hang_from_the_truth_and_a_path_goes_from_number_to_number(count):
    (separate, first), (path, second) = pictures(count)
    assert list(trace(first, "threads").x[::3]) == count * [TRUTH]
    assert list(trace(first, "threads").x[1::3]) == [x.value for x in separate.drawn]
    held = {x.tier: x.value for x in path.drawn}
    assert list(trace(second, "path").x) == [TRUTH, *(held[t] for t in FOUR_TIERS if t in held)]
    assert list(trace(second, "path").y) == sorted(trace(second, "path").y)


@for_each(("count", "seed"), [(count, seed) for count in COUNTS for seed in few(range(20), 5)])
def test_all_numbers_are_inside_the_picture_and_both_have_the_same_scale(count, seed):
    (separate, first), (path, second) = pictures(count, seed=seed)
    low, high = first.figure.layout.xaxis.range
    assert first.figure.layout.xaxis.range == second.figure.layout.xaxis.range
    assert low < min(x.value for each in (separate, path) for x in each.drawn)
    assert high > max(x.value for each in (separate, path) for x in each.drawn)


def test_how_many_hold_a_number_is_said_in_each_row():
    (_, first), (_, second) = pictures(13)
    assert [row.split(" <span")[0] for row in rows(first)] == ["4 ×", *3 * ["3 ×"]]
    assert [row.split(" <span")[0] for row in rows(second)] == ["1 for 4:", *3 * ["1 for 3:"]]
    for _, made in pictures(1):
        sharpest, *others = rows(made)
        assert sharpest.startswith("1 × ")
        assert all(row.startswith("<span") for row in others)


def rows(made):
    """What stands left of each row, the sharpest first."""
    return [plain(text) for text in made.figure.layout.yaxis.ticktext[1:]]


@for_each("count", COUNTS)
def test_the_number_of_all_stands_in_a_corner_where_no_number_is(count):
    for each, made in pictures(count):
        large = [n for n in made.figure.layout.annotations if n.xref == "paper"]
        assert [plain(n.text) for n in large] == [
            f"○ together, {plain(pm(each.pool.half))}",
            f"<b>{plain(number_of(each.pool.value))}</b>",
        ]
        assert {(n.x, n.y, n.yanchor) for n in large} == {(0, 1, "top")}


def test_the_truth_is_on_no_axis_before_it_is_told():
    each, _ = pictures(3)[0]
    rows_ = [scenes.row_of(tier) for tier in FOUR_TIERS]
    made = numbers(each.frame, rows_, each.pool, is_one_path=False, is_told=False)
    assert "the truth: ?" in " ".join(words(made))
    assert "312" not in " ".join(words(made)).replace(number_of(each.pool.value), "")
    assert made.figure.layout.xaxis.showticklabels is False
    assert "312," not in made.alt


def test_a_student_s_number_is_a_dot_within_its_reach():
    drawn = scenes.Drawn(who="Wise Owl", tier="public", value=309.5)
    made = own(drawn)
    line, dot = made.figure.data
    assert list(line.x) == [drawn.value - drawn.half, drawn.value + drawn.half]
    assert list(dot.x) == [309.5]
    low, high = made.figure.layout.xaxis.range
    assert low < line.x[0] < line.x[1] < high


def test_names_are_shown_as_they_are():
    for _, made in pictures(1):
        assert "Owl &lt;0&gt;" in trace(made, "audit").hovertemplate[0]


def test_the_text_says_the_same():
    (separate, first), (path, second) = pictures(5, AUDITORS)
    held = [x.value for x in separate.drawn]
    assert plain(first.alt) == (
        f"Below the truth, 312, a cone with audit 5 numbers, {min(held):.1f} to {max(held):.1f}. "
        f"Together they come to {sum(held) / 5:.1f}, ± 0.98."
    )
    assert "audit 5 numbers, " in second.alt
    assert f"come to {path.drawn[0].value:.1f}, " in second.alt


def test_an_empty_cone_says_that_nobody_has_drawn():
    made = numbers(
        scenes.Round(which=0, drawn=()).frame,
        [scenes.row_of("audit")],
        None,
        is_one_path=False,
        is_told=False,
    )
    assert "nobody has drawn yet" in made.alt
    assert TOGETHER not in [each.name for each in made.figure.data]


def test_a_frame_without_its_columns_is_refused():
    each, _ = pictures(1)[0]
    rows = [scenes.row_of("audit")]
    with pytest.raises(ParameterError, match="tier"):
        numbers(each.frame.drop(columns="tier"), rows, None, is_one_path=False, is_told=True)
    with pytest.raises(ParameterError, match="reach"):
        numbers(each.frame, rows, None, is_one_path=False, is_told=True, reach=-1.0)
