"""The sample is the survey it claims to be, and its group lists are those of the code book."""

from importlib import resources

import pytest

from dpviz.data import SAMPLE, Table, engine, load_declaration, load_sample, read, read_csv
from dpviz.data.same_rows import rows_mark
from dpviz.errors import DataError
from dpviz.queries import Bounds, ByColumn, Count
from tests.conftest import few

pytestmark = pytest.mark.usefixtures("own_engine")


@pytest.fixture(scope="module")
def sample() -> Table:
    return load_sample()


# Counted in the published file nhefs.dta with another program, by code; the code book's order.
PUBLISHED = {
    "sex": [799, 830],
    "age group": [466, 371, 445, 255, 92],
    "education": [311, 351, 659, 126, 182],
    "marital status": [0, 1279, 97, 96, 99, 57, 1],
    "family income (US dollars)": [29, 60, 68, 63, 83, 78, 65, 284, 417, 220, 114, 86],
    "exercise": [317, 677, 635],
    "activity": [729, 738, 162],
    "alcohol": [336, 231, 506, 344, 207, 5],
    "quit smoking by 1982": [428, 1201],
}


@pytest.mark.parametrize("column", few(SAMPLE.groups, 2))
def test_counts_are_the_published_ones(sample: Table, column: str) -> None:
    groups = SAMPLE.groups[column]
    by_row = Count(ByColumn(column, groups)).values(sample)
    assert by_row.tolist() == PUBLISHED[column]
    by_person = Count(ByColumn(column, groups), Bounds(person=SAMPLE.person)).values(sample)
    assert by_person.tolist() == PUBLISHED[column]  # one row is one person
    assert set(sample.distinct(column, 50)) <= set(groups)


def test_what_it_is(sample: Table) -> None:
    assert sample.rows() == 1629
    assert len(sample.distinct(SAMPLE.person, 5000)) == 1629
    assert 5 <= len(SAMPLE.groups[SAMPLE.column]) <= 8
    assert set(PUBLISHED) == set(SAMPLE.groups)
    kinds = {column.name: column.kind for column in sample.columns}
    assert kinds["age"] == "whole number"
    assert kinds["weight 1982 (kg)"] == "number"
    assert set(SAMPLE.groups) == {name for name, kind in kinds.items() if kind == "text"}
    numbers = {name for name, kind in kinds.items() if kind in ("number", "whole number")}
    assert set(SAMPLE.bounds) == numbers - {SAMPLE.person}
    assert dict(SAMPLE.times) == {}
    assert not SAMPLE.synthetic


def test_source_and_licence_are_named() -> None:
    assert "National Center for Health Statistics" in SAMPLE.source
    assert "public domain" in SAMPLE.licence
    for text in (SAMPLE.title, SAMPLE.row):
        assert text


def test_the_lists_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        SAMPLE.groups["sex"] = ("x",)  # type: ignore[index]


def test_mean_weights_are_the_published_ones(sample: Table) -> None:
    """71.05 kg and 73.47 kg in the published file, the latter of 1,566 people."""
    frame = sample.preview(2000)
    assert frame["weight 1971 (kg)"].mean() == pytest.approx(71.05213, abs=1e-3)
    assert frame["weight 1982 (kg)"].mean() == pytest.approx(73.46922, abs=1e-3)
    assert frame["weight 1982 (kg)"].notna().sum() == 1566
    assert frame["age"].between(25, 74).all()


def test_types_of_packaged_files_are_found_once_and_of_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    find = engine._types

    def spied(connection: object, width: int) -> tuple[str, ...]:
        looks.append(width)
        return find(connection, width)

    monkeypatch.setattr(engine, "_types", spied)
    monkeypatch.setattr(read, "_PACKAGED", {})
    first, second = load_sample(), load_sample()
    assert looks == [16]
    assert first.types == second.types
    assert first.connection is not second.connection
    load_declaration()
    for _ in range(2):
        read_csv(b"a\n1\n", name=SAMPLE.file)
    assert looks == [16, 5, 1, 1]


def test_rows_of_a_sample_are_read_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    load_sample()
    reads: list[object] = []
    real = engine.load_csv
    monkeypatch.setattr(
        engine, "load_csv", lambda *asked, **how: reads.append(asked) or real(*asked, **how)
    )
    table, other = load_sample(), load_sample()
    table.stop()
    assert table.share() is None
    assert reads == []
    assert table.expression.count().execute() == 1629
    assert rows_mark(table) == rows_mark(
        read_csv(resources.files("dpviz.data").joinpath(SAMPLE.file).read_bytes())
    )
    assert len(reads) == 2  # of the table, and of the upload
    for each in (table, other):
        each.close()
        with pytest.raises(DataError, match="closed"):
            _ = each.expression
    assert len(reads) == 2
