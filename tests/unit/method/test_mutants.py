"""Every rule of the page Method leads to code, a check, a section and a paper; broken, it is seen.

Each check fails when its rule is broken: with each mistake, in a copy.
"""

import ast
import functools
import importlib
import re

import pytest

from dpviz.scenes.method import rules
from tests.conftest import few, for_each, full_run
from tests.mutants import MUTANTS
from tests.mutants.copies import ROOT, Change, Failure, copied, failed, failures
from tests.unit.test_docs import SECTIONS, SOURCES

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


def found(path):
    """What a dotted name within dpviz stands for."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            place = importlib.import_module(".".join(["dpviz", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            place = getattr(place, name)
        return place
    raise AssertionError(path)


def checks_in(file):
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


TOPICS = dict.fromkeys(rule.topic for rule in rules())


@for_each("topic", TOPICS)
def test_every_rule_leads_to_code_a_check_a_section_and_a_paper(topic):
    here = [rule for rule in rules() if rule.topic == topic]
    assert len(here) >= 4
    for rule in here:
        place = found(rule.code)
        assert callable(place) or isinstance(place, property), rule
        file, _, name = rule.check.partition(" ")
        assert not name or name in checks_in(file), rule
        assert any(each.startswith("test_") for each in checks_in(file)), rule
        assert rule.section in SECTIONS, rule
        assert set(re.findall(r"\[(\w+)\]", rule.source)) <= set(SOURCES), rule
        assert "[" in rule.source or rule.source.startswith("ours"), rule


def test_a_place_that_is_not_there_is_found_out():
    with pytest.raises((AssertionError, AttributeError)):
        found("noise.laplace.NoSuchThing")
