"""Tables that are offered by name: what may stand in secrets.toml, and what is said of mistakes."""

import re
from pathlib import Path

import pytest

from dpviz.data import connection_names, open_connection
from dpviz.data.source import connection
from dpviz.errors import ParameterError

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
