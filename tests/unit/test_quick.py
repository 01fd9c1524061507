"""Which tests make quick chooses, on a small tree, and that it ends."""

import pytest

from tests import quick
from tests.conftest import for_each

TEXTS = {
    "app.py": "import dpviz.ui.parts",
    "dpviz/__init__.py": "",
    "dpviz/checks.py": "",
    "dpviz/noise/__init__.py": "from dpviz.noise.bell import Bell\nfrom dpviz.noise.peak import P",
    "dpviz/noise/bell.py": "from dpviz import checks",
    "dpviz/noise/peak.py": "",
    "dpviz/data.py": "FILE = 'people.csv'",
    "dpviz/scenes/tree.py": "",
    "dpviz/ui/parts.py": "from dpviz.noise import Bell",
    "dpviz/ui/tree.py": "from dpviz.ui import parts\nfrom dpviz.scenes import tree",
    "pages/long_tree.py": "from dpviz.ui import tree",
    "pages/start.py": "from dpviz.ui import parts",
    **{f"dpviz/more_{i}.py": "" for i in range(9)},
    "tests/conftest.py": "",
    "tests/helper.py": "from dpviz.noise.peak import P",
    "tests/unit/test_bell.py": "from dpviz.noise import Bell",
    "tests/unit/test_peak.py": "from tests.helper import peak",
    "tests/unit/test_people.py": "import dpviz.data",
    "tests/unit/test_rules.py": "SOURCES = ROOT.rglob('*.py')",
    "tests/unit/test_readme.py": "TEXT = (ROOT / 'README.md').read_text()",
    "tests/load/test_load.py": "import dpviz.noise.bell",
    "tests/app/test_pages.py": "PAGE = 'long_tree'",
    "tests/browser/test_walk.py": "from dpviz.ui.kit.page_table import PAGES",
}
USES = quick.uses_of(TEXTS, ("README.md", "dpviz/people.csv", "dpviz/gone.py"))
RULES, APP, WALK = (
    f"tests/{n}.py" for n in ("unit/test_rules", "app/test_pages", "browser/test_walk")
)
BELL, PEAK = "tests/unit/test_bell.py", "tests/unit/test_peak.py"


def chosen(*changed):
    return quick.choose(USES, changed)[0]


@for_each(
    ("changed", "found"),
    [
        (BELL, [BELL]),
        ("tests/helper.py", [PEAK]),
        ("README.md", ["tests/unit/test_readme.py"]),
        ("dpviz/people.csv", ["tests/unit/test_people.py", RULES]),
        ("tests/load/test_load.py", []),
        (".gitignore", []),
        # a name that a package hands on leads to the file that makes it
        ("dpviz/noise/peak.py", [PEAK, RULES, "dpviz/noise/peak.py"]),
        ("dpviz/checks.py", [BELL, RULES, "dpviz/checks.py"]),
        # pages are opened if they or their parts changed, before the rules of all sources
        ("dpviz/scenes/tree.py", [APP, RULES, "dpviz/scenes/tree.py", WALK]),
        ("pages/long_tree.py", [APP, RULES, WALK]),
        ("pages/start.py", [RULES, WALK]),
        (APP, [APP]),
    ],
)
def test_what_uses_a_file_is_tested_the_nearest_first(changed, found):
    assert chosen(changed) == found


def test_the_nearest_pages_that_show_a_change_are_named(monkeypatch):
    assert quick.choose(USES, ["dpviz/ui/parts.py", APP])[1] == ["start", "long_tree", APP]
    assert quick.choose(USES, ["dpviz/noise/bell.py"])[1] == []
    monkeypatch.setattr(quick, "PAGES", 1)
    run, pages = quick.choose(USES, ["dpviz/ui/parts.py"])
    assert run == [RULES, "dpviz/ui/parts.py", WALK]
    assert pages == ["start"]


def test_the_most_files(monkeypatch):
    monkeypatch.setattr(quick, "FILES", 1)
    assert chosen("dpviz/noise/peak.py") == [PEAK, "dpviz/noise/peak.py"]


SAID = {"releases tiers": False, "monkeypatch": True, "of_pages": True, "_kept(": True, "": True}


def test_of_tests_of_pages_those_run_that_name_one_of_them(request, monkeypatch):
    monkeypatch.setattr(quick, "BY_PAGE", ("tests/unit/",))
    for pages, kept in SAID.items():  # as a fixture, in its name, in its text
        monkeypatch.setenv(quick._PAGES, pages)
        assert quick._kept(request.node) == kept, pages


def test_no_test_begins_when_the_time_is_up_but_the_nearest_run_however_late_it_is(monkeypatch):
    monkeypatch.setenv(quick._END, "0")
    with pytest.raises(pytest.skip.Exception, match=quick.TOO_LATE):
        quick.pytest_runtest_setup()
    monkeypatch.setattr(quick, "AT_LEAST", 3600)
    quick.pytest_collection_finish()
    quick.pytest_runtest_setup()
    monkeypatch.delenv(quick._END)
    quick.pytest_collection_finish()
    quick.pytest_runtest_setup()
    assert quick._END not in quick.os.environ
