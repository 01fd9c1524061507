"""Which tests make quick chooses, on a small tree."""

import textwrap

import pytest

from tests import quick
from tests.conftest import for_each

LIBRARY = {
    "app.py": "import dpviz.ui.kit.parts",
    "dpviz/__init__.py": "",
    "dpviz/checks.py": "",
    "dpviz/noise/__init__.py": """
        from dpviz.noise.bell import Bell
        from dpviz.noise.peak import Peak

        FAMILIES = {"bell": Bell, "peak": Peak}
        """,
    "dpviz/noise/bell.py": "from dpviz import checks",
    "dpviz/noise/peak.py": "",
    "dpviz/data.py": "FILE = 'people.csv'",
    "dpviz/ui/__init__.py": "",
    "dpviz/ui/kit/__init__.py": "",
    "dpviz/ui/kit/parts.py": "from dpviz.noise import FAMILIES",
    "dpviz/ui/tree_words.py": "from dpviz.ui.kit import parts",
    "pages/long_tree.py": "from dpviz.ui import tree_words",
    "pages/start.py": "from dpviz.ui.kit import parts",
}
TESTS = {
    "tests/conftest.py": "",
    "tests/helper.py": "from dpviz.noise.peak import Peak",
    "tests/unit/test_bell.py": "from dpviz.noise import Bell",
    "tests/unit/test_peak.py": "from tests.helper import peak",
    "tests/unit/test_families.py": "from dpviz.noise import FAMILIES",
    "tests/unit/test_people.py": "import dpviz.data",
    "tests/unit/test_house.py": "SOURCES = ROOT.rglob('*.py')",
    "tests/unit/test_readme.py": "TEXT = (ROOT / 'README.md').read_text()",
    "tests/load/test_load.py": "import dpviz.noise.bell",
    "tests/app/test_pages.py": """
        import pytest
        from dpviz.ui.kit.page_table import PAGES
        from tests.app.reading import words

        EDGE = "long_tree"

        @pytest.fixture
        def tree(open_page):
            return open_page("long_tree")

        def opened(open_page):
            return open_page(EDGE)

        def test_by_fixture(tree):
            assert tree

        def test_by_helper(open_page):
            assert opened(open_page)

        def test_start(open_page):
            open_page("start").switch_page("pages/start.py")

        @pytest.mark.parametrize("page", PAGES)
        def test_every(open_page, page):
            assert open_page(page)
        """,
    "tests/app/reading.py": "",
    "tests/browser/test_walk.py": """
        def test_walk(tab):
            go(tab, "Long tree")
        """,
}
OTHERS = ("README.md", "dpviz/people.csv")
APP, WALK = "tests/app/test_pages.py", "tests/browser/test_walk.py"


def planted() -> quick.Tree:
    texts = {path: textwrap.dedent(text) for path, text in (LIBRARY | TESTS).items()}
    return quick.plant(texts, OTHERS)


def chosen(*changed: str) -> list[str]:
    return list(quick.choose(planted(), changed).run)


@for_each(
    ("changed", "first"),
    [
        ("tests/unit/test_bell.py", ["tests/unit/test_bell.py"]),
        ("tests/helper.py", ["tests/unit/test_peak.py"]),
        ("README.md", ["tests/unit/test_readme.py"]),
        ("dpviz/people.csv", ["tests/unit/test_people.py"]),
        ("tests/load/test_load.py", []),
        (".gitignore", []),
    ],
)
def test_what_uses_a_file_is_tested(changed, first):
    assert [path for path in chosen(changed) if "house" not in path] == first


def test_a_name_handed_on_by_a_package_leads_to_the_file_that_makes_it():
    assert chosen("dpviz/noise/peak.py") == [
        "tests/unit/test_house.py",
        "tests/unit/test_families.py",
        "tests/unit/test_peak.py",
        "dpviz/noise/peak.py",
    ]
    assert "tests/unit/test_bell.py" in chosen("dpviz/noise/bell.py")


def test_a_changed_package_is_near_to_all_that_name_it():
    assert {"tests/unit/test_bell.py", "tests/unit/test_families.py"} < {
        *chosen("dpviz/noise/__init__.py")
    }


def test_the_nearest_come_first():
    run = chosen("dpviz/noise/bell.py", "tests/unit/test_people.py")
    assert run.index("tests/unit/test_people.py") < run.index("tests/unit/test_bell.py")
    assert run.index("tests/unit/test_bell.py") < run.index("tests/unit/test_families.py")


def test_what_is_far_is_left_out_and_said():
    choice = quick.choose(planted(), ["dpviz/checks.py"])
    assert "tests/unit/test_bell.py" in choice.run
    assert "tests/unit/test_families.py" not in choice.run
    assert choice.left_out == ("1 test files more than 2 imports away",)


def test_what_used_a_file_that_is_gone_is_tested():
    tree = quick.plant({"tests/unit/test_a.py": "import dpviz.gone"}, ["dpviz/gone.py"])
    assert quick.choose(tree, ["dpviz/gone.py"]).run == ("tests/unit/test_a.py",)


def test_pages_are_opened_only_if_they_or_their_parts_changed():
    for far in ("dpviz/noise/bell.py", "README.md", "tests/helper.py"):
        assert not [test for test in chosen(far) if test.startswith(quick.BY_PAGE)]


def test_the_pages_that_show_a_change_and_no_others():
    found = [test for test in chosen("dpviz/ui/tree_words.py") if test.startswith(quick.BY_PAGE)]
    assert found == [f"{APP}::{t}" for t in ("test_by_fixture", "test_by_helper", "test_every")] + [
        f"{WALK}::test_walk"
    ]


def test_a_page_is_opened_before_the_rules_of_all_sources_are_read_and_seen_after():
    run = chosen("pages/long_tree.py")
    house = run.index("tests/unit/test_house.py")
    assert run.index(f"{APP}::test_by_fixture") < house < run.index(f"{WALK}::test_walk")
    run = chosen("pages/long_tree.py", "tests/unit/test_house.py")
    assert run[0] == "tests/unit/test_house.py"  # changed itself


@pytest.mark.parametrize("changed", ["app.py", "dpviz/ui/kit/parts.py"])
def test_what_every_page_shows(changed):
    found = chosen(changed)
    assert {f"{APP}::test_start", f"{APP}::test_by_helper"} < {*found}


def test_the_most_pages(monkeypatch):
    monkeypatch.setattr(quick, "PAGES", 1)
    choice = quick.choose(planted(), ["dpviz/ui/kit/parts.py"])
    assert f"{APP}::test_start" in choice.run
    assert f"{APP}::test_by_helper" not in choice.run
    assert choice.left_out == ("1 pages after start",)


def test_the_most_files(monkeypatch):
    monkeypatch.setattr(quick, "FILES", 1)
    choice = quick.choose(planted(), ["dpviz/noise/peak.py"])
    assert choice.run == ("tests/unit/test_house.py", "dpviz/noise/peak.py")
    assert choice.left_out == ("2 test files after the nearest 1",)


def test_a_changed_page_test_and_those_of_a_changed_helper_run_whole():
    assert chosen(APP) == [APP]
    assert chosen("tests/app/reading.py") == [APP]
    every = chosen("tests/conftest.py")
    assert every.index(APP) < every.index("tests/unit/test_house.py") < every.index(WALK)
    assert every[-1] == WALK


def test_no_test_begins_when_the_time_is_up(monkeypatch):
    monkeypatch.setenv(quick._END, "0")
    with pytest.raises(pytest.skip.Exception, match=quick.TOO_LATE):
        quick.pytest_runtest_setup()
    monkeypatch.delenv(quick._END)
    quick.pytest_runtest_setup()


def test_the_nearest_tests_run_however_late_it_is(monkeypatch):
    monkeypatch.setenv(quick._END, "0")
    monkeypatch.setattr(quick, "AT_LEAST", 3600)
    quick.pytest_collection_finish()
    quick.pytest_runtest_setup()
    monkeypatch.delenv(quick._END)
    quick.pytest_collection_finish()
    assert quick._END not in quick.os.environ
