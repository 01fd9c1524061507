"""Every rule of the page Method leads somewhere: to code, to a check, to a section and a paper."""

import ast
import importlib
import re

import pytest

from dpviz.scenes.method import rules
from tests.conftest import for_each
from tests.unit.test_docs import ROOT, SECTIONS, SOURCES


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
