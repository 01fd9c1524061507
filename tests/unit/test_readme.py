"""README's library example runs, and its picture is there."""

import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def example(place):
    names: dict[str, object] = {}
    exec(EXAMPLES[place], names)
    return names


def test_the_library_example_runs_in_any_order():
    names = example(0)
    session, public = names["session"], names["public"]
    assert len(session.levels) == 3
    np.testing.assert_array_equal(session.release(session.levels[-1]), public)


def test_the_example_of_several_statistics_runs_and_costs_what_it_says():
    names = example(1)
    assert names["told"] == names["account"].in_all(names["ws"]).tiers["audit"].value == 2.0
    assert [e.tier for e in names["ws"].ledger] == ["audit", "public"] * 2
    with ZipFile(BytesIO(names["folder"])) as archive:
        assert {n.split("/")[0] for n in archive.namelist()} == {"audit"}
        assert len({n.split("/")[1] for n in archive.namelist() if n.count("/") == 2}) == 2
    assert EXAMPLES[1].strip().count("\n") < 16


def test_the_structured_example_runs():
    names = example(2)
    (level,) = names["answers"].levels
    assert names["answers"].release(level).shape == (7,)
    assert {4, 10**8} <= set(names["items"].tolist())
    assert min(names["counts"]) > names["threshold"]
    assert names["counter"].taken == 1
    assert abs(names["research"] - 120) < 60
    assert len(names["ranking"].items) == names["listed"].dimension == 3


def test_the_picture_is_there():
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert (ROOT / picture).stat().st_size > 10_000


def test_make_test_runs_every_folder_of_tests():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^test:.*\n((?:\t.*\n)+)", makefile, flags=re.MULTILINE)[1]
    folders = {file.relative_to(ROOT).parts[1] for file in ROOT.glob("tests/*/**/test_*.py")}
    seldom = {"load"}  # as it says itself
    assert {*re.findall(r"tests/(\w+)", recipe)} == folders - seldom
    assert " dpviz " in recipe  # the doctests
    assert "static docs" in recipe


def test_every_command_that_is_named_is_a_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for document in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", text, flags=re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_the_readme_stays_short():
    assert len(README.splitlines()) <= 145
