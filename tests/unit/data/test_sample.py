"""Tables that are ready: samples that are what they claim to be, and connections by name."""

import hashlib
import re
from importlib import resources
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from dpviz.data import (
    DECLARATION,
    SAMPLE,
    SAMPLES,
    VISITS,
    Table,
    connection_names,
    engine,
    load,
    load_declaration,
    load_sample,
    load_visits,
    open_connection,
    read_csv,
    visits,
)
from dpviz.data.source import connection
from dpviz.errors import DataError, ParameterError
from dpviz.queries import Bounds, ByColumn, Count
from tests.conftest import FULL, few

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


@pytest.mark.parametrize("column", few(SAMPLE.groups, 9))
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
    assert not SAMPLE.synthetic


def test_mean_weights_are_the_published_ones(sample: Table) -> None:
    """71.05 kg and 73.47 kg in the published file, the latter of 1,566 people."""
    frame = sample.preview(2000)
    assert frame["weight 1971 (kg)"].mean() == pytest.approx(71.05213, abs=1e-3)
    assert frame["weight 1982 (kg)"].mean() == pytest.approx(73.46922, abs=1e-3)
    assert frame["weight 1982 (kg)"].notna().sum() == 1566
    assert frame["age"].between(25, 74).all()


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
    content = resources.files("dpviz.data").joinpath(SAMPLE.file).read_bytes()
    assert table.preview(2000).equals(read_csv(content).preview(2000))
    assert len(reads) == 2  # of the table, and of the upload
    for each in (table, other):
        each.close()
        with pytest.raises(DataError, match="closed"):
            _ = each.expression
    assert len(reads) == 2


# The words are those of the text: its beginning, its length, its public lists.


@pytest.fixture(scope="module")
def words() -> list[str]:
    table = load_declaration()
    kept = table.expression.select(place=table.turns()["place"], word=table.text("word")).order_by(
        "place"
    )
    return list(table.collect(kept)["word"].to_pylist())


def test_it_is_the_text(words):
    assert len(words) == 1322
    assert words[:6] == ["when", "in", "the", "course", "of", "human"]
    assert words[71:78] == ["we", "hold", "these", "truths", "to", "be", "self"]
    assert words[-4:] == ["and", "our", "sacred", "honor"]
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)


@pytest.mark.parametrize("column", DECLARATION.groups)
def test_lists_are_public_and_those_of_parts_complete(column):
    table = load(DECLARATION)
    listed = DECLARATION.groups[column]
    counts = Count(ByColumn(column, listed)).values(table)
    if column == "part":
        assert counts.sum() == 1322
        assert counts.min() > 50
    else:
        assert 300 < counts.sum() < 800  # the commonest words of English, not of this text
        assert counts.min() == 0


def test_columns_are_those_of_the_record(sample: Table, table: Table) -> None:
    for one, read_in in ((SAMPLE, sample), (VISITS, table), (DECLARATION, load_declaration())):
        kinds = {column.name: column.kind for column in read_in.columns}
        assert kinds[one.person] == "whole number"
        assert set(one.groups) == {n for n, kind in kinds.items() if kind == "text"}
        assert set(one.times) == {n for n, kind in kinds.items() if kind == "time"}
        numbers = {n for n, kind in kinds.items() if kind in ("number", "whole number")}
        assert set(one.bounds) == numbers - {one.person}
        assert one.column in one.groups
    assert "public domain" in DECLARATION.licence
    assert "National Archives" in DECLARATION.source
    assert not DECLARATION.synthetic


# The synthetic sample is what its record says, the same everywhere, and labelled as made up.


# SHA-256 of all cells. If a cell changes, so must `visits.VERSION`, and then this.
CELLS = {1: "d7dc1d7beafeaff0db643737255494163b7173113d0e7d2514c3e76d273629ef"}
FIRST = {1: "20a62801d90bb8be08de22d029d727c9bd5abc738cf925497ca28ead899473a9"}  # 20,000 rows alone


@pytest.fixture(scope="module")
def table() -> Table:
    return load_visits()


def test_every_cell_is_the_same_each_time(table: Table) -> None:
    cells = hashlib.sha256()
    rows = table.expression.order_by(table.turns()["place"]).drop("place")
    for column in table.collect(rows if FULL else rows.limit(20_000)).columns:
        texts = pc.fill_null(column, "").combine_chunks()
        of_one = pa.ListArray.from_arrays([0, len(texts)], texts)
        cells.update(pc.binary_join(of_one, "\n")[0].as_buffer())
    assert cells.hexdigest() == (CELLS if FULL else FIRST)[visits.VERSION]
    assert table.digest == hashlib.sha256(b"dpviz visits 1").hexdigest()


@pytest.mark.parametrize("column", few(VISITS.groups, 3))
def test_the_lists_are_complete(table: Table, column: str) -> None:
    assert sorted(table.distinct(column, 50)) == sorted(VISITS.groups[column])


def test_the_table_of_samples() -> None:
    assert list(SAMPLES.values()) == [SAMPLE, VISITS, DECLARATION]
    assert all(loading == one.loading for loading, one in SAMPLES.items())
    assert load(SAMPLE).rows() == 1629
    assert load(DECLARATION).rows() == 1322
    with pytest.raises(DataError, match="no such sample"):
        load(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda s: s.loading)
def test_what_is_public_makes_sense(sample: object) -> None:
    for low, high in sample.bounds.values():  # type: ignore[attr-defined]
        assert low < high
    for start, stop in sample.times.values():  # type: ignore[attr-defined]
        assert start < stop
    for public in (sample.groups, sample.bounds, sample.times):  # type: ignore[attr-defined]
        with pytest.raises(TypeError):
            public["x"] = ()


# Tables that are offered by name: what may stand in secrets.toml, and what is said of mistakes.


ENGINES = Path(__file__).resolve().parents[3] / "docs" / "ENGINES.md"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "secrets.toml"


def test_the_entry_of_the_document_is_a_source(file):
    (example,) = re.findall(r"```toml\n(.*?)```", ENGINES.read_text(encoding="utf-8"), re.DOTALL)
    file.write_text(example)
    assert connection_names([file]) == ("visits",)
    found = connection("visits", [file])
    assert (found.name, found.table, found.order, found.seconds) == (
        *("visits", "public.visits", "arrived", 60),
    )
    assert found.columns == ("patient", "ward", "arrived")
    assert found.address.scheme == "postgresql"


def test_the_later_file_wins_and_a_missing_one_offers_nothing(file, tmp_path):
    other = tmp_path / "other.toml"
    file.write_text(
        "[connections.dpviz.a]\naddress = '/a.csv'\n[connections.dpviz.b]\naddress = '/b.csv'\n"
    )
    other.write_text("[connections.dpviz.a]\naddress = 'sqlite:///a.db'\ntable = 't'\n")
    assert connection_names([file, other, tmp_path / "none.toml"]) == ("a", "b")
    assert connection("a", [file, other]).table == "t"
    assert connection("a", [other, file]).table == ""
    for nothing in ("", "connections = 3", "[connections]\ndpviz = 3", "[auth]\nclient_id = 'a'"):
        file.write_text(nothing)
        assert connection_names([file]) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[connections.dpviz]\na = 'SECRET'", r"\[connections.dpviz.a\] .* must be a section"),
        ("[connections.dpviz.a]\nurl = 'SECRET'", "has “url”; it may have address, table"),
        ("[connections.dpviz.a]\ntable = 'SECRET'", "lacks an address"),
        ("[connections.dpviz.a]\naddress = ['SECRET']", "the address of a source must be a path"),
        ("[connections.dpviz.a]\naddress = 'SECRET'\nseconds = 'SECRET'", "seconds must be"),
        ("[connections.dpviz.a]\naddress = 'SECRET'\ncolumns = 'SECRET'", "columns must be a list"),
        ("[connections.dpviz.a]\naddress = 'SECRET'\ntable = ['SECRET']", "table must be a str"),
        ("[connections.dpviz.a]\naddress = 'SECRET'\ntable = 't'", "files need no table's name"),
        ("[connections.dpviz.a]\naddress = 'postgresql://SECRET'", "any other source needs one"),
        ("[connections.dpviz.a]\naddress = SECRET", "cannot be read; check that it is TOML"),
        ("\xff", "cannot be read"),
    ],
)
def test_a_mistake_is_one_sentence_that_shows_nothing_of_the_entry(file, text, said):
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ParameterError, match=said) as caught:
        open_connection("a", [file])
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
