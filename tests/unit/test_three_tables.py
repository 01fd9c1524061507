"""Flights, wages and a German spreadsheet's export: by command from the table to verified packs."""

import pytest

from tests.conftest import few, full_run
from tests.three_tables import TABLES, check_numbers, walk_by_command

REAL = [pytest.param(name, True, marks=full_run) for name in ("flights", "wages")]


@pytest.mark.parametrize(("name", "real"), [*((name, False) for name in few(TABLES, 4)), *REAL])
def test_a_table_goes_to_verified_packs_by_command(tmp_path, name, real):
    table = TABLES[name]
    content, file, plan = table.content(real), tmp_path / table.file, tmp_path / "plan.json"
    file.write_bytes(content)
    plan.write_bytes(table.plan())
    handed = walk_by_command(tmp_path, file, plan)
    for tier, found in handed.items():
        assert found["tier"] == tier
        check_numbers(table, content, found)
    assert handed["research"]["lost"] == pytest.approx(0.7746, rel=1e-3), "that of the sharpest"
