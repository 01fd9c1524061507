"""Every check of the page Method fails when its rule is broken: with each mistake, in a copy."""

import ast
import functools

import pytest

from dpviz.scenes.method import rules
from tests.conftest import few, full_run
from tests.mutants import MUTANTS
from tests.mutants.copies import ROOT, Change, Failure, copied, failed, failures

CASES = [(rule.check, mistake) for rule in rules() for mistake in rule.mistakes]
CHEAP = "crossover-constant"  # its check needs no table
HARMLESS = Change("accounting/crossover.py", '"""Where Laplace', '"""At which delta Laplace')
NO_IMPORT = Change("accounting/crossover.py", "import math\n", "import no_such_module\n")


@pytest.fixture
def copy(tmp_path):
    return copied(tmp_path)


def test_every_rule_has_mistakes_and_each_mistake_belongs_to_one_rule():
    names = [name for rule in rules() for name in rule.mistakes]
    told = [said for rule in rules() for said in rule.mistakes.values()]
    assert all(rule.mistakes for rule in rules())
    assert sorted(names) == sorted(MUTANTS)
    assert len(set(told)) == len(told)
    assert all(each.endswith(".") and each.count(". ") == 0 for each in told)


@functools.cache
def dumped(text):
    """The syntax tree of a file in words, once for all mistakes in it."""
    return ast.dump(ast.parse(text))


def test_every_mistake_still_applies_near_the_code_of_its_rule():
    for rule in rules():
        for mistake in rule.mistakes:
            change = MUTANTS[mistake]
            right = (ROOT / "dpviz" / change.file).read_text(encoding="utf-8")
            assert ast.dump(ast.parse(change.applied(right))) != dumped(right), mistake
            assert change.file.split("/")[0] == rule.code.split(".")[0], mistake


def functions_of(check):
    """The functions of a check, by name: one of a file, or all of them."""
    file, _, name = check.partition(" ")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    found = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    return [each for each in found if name in ("", each.name)]


def in_full_run_only(test):
    return any(isinstance(d, ast.Name) and d.id == "full_run" for d in test.decorator_list)


def test_every_check_runs_in_every_build():
    """A rule that is checked once a month is one that the page Method must not name."""
    for rule in rules():
        tests = [each for each in functions_of(rule.check) if each.name.startswith("test_")]
        assert tests, rule.check
        waiting = [each.name for each in tests if in_full_run_only(each)]
        assert len(waiting) * 3 < len(tests), (rule.check, waiting)
    here = functions_of("unit/method/test_mutants.py")
    assert in_full_run_only(next(each for each in here if each.name.endswith("_fails")))


def test_a_text_that_is_not_there_once_is_refused():
    with pytest.raises(LookupError, match="2 times"):
        Change("a.py", "x", "y").applied("x x")


def test_errors_of_other_kinds_are_not_seen_by_the_check():
    assert Failure("t", "call", "AssertionError").asserted
    for phase, error in (("call", "NameError"), ("setup", "AssertionError"), ("collect", "Failed")):
        assert not Failure("t", phase, error).asserted


@full_run
def test_a_check_sees_a_mistake_that_is_put_into_a_copy(copy):
    (check,) = (check for check, mistake in CASES if mistake == CHEAP)
    change = MUTANTS[CHEAP]
    found = failed(copy, change, check)
    assert [each.asserted for each in found] == [True]  # and stops there
    left, right = (folder / "dpviz" / change.file for folder in (copy, ROOT))
    assert left.read_bytes() == right.read_bytes()


@full_run
def test_what_breaks_nothing_and_what_breaks_everything_are_told_apart(copy):
    check = "unit/accounting/test_crossover.py"
    assert failed(copy, HARMLESS, check) == []
    found = failed(copy, NO_IMPORT, check)
    assert found
    assert not any(each.asserted for each in found)


@full_run
def test_every_check_passes_in_a_copy_without_a_mistake(copy):
    assert failures(copy, sorted({rule.check for rule in rules()})) == []


@full_run
@pytest.mark.parametrize(("check", "mistake"), few(CASES, len(CASES)))
def test_the_check_of_a_broken_rule_fails(check, mistake, copy):
    found = failed(copy, MUTANTS[mistake], check)
    assert found, "it lives: the check passes"
    assert any(each.asserted for each in found), found
