"""Tables as people have them, and one that stays on a server: from upload to verified packs."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psycopg
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpviz.data import read_table
from dpviz.queries import ByColumn, Count
from dpviz.ui.kit.group_controls import HOW_READ
from dpviz.ui.kit.plan_file import FILES
from dpviz.ui.releases.drawing import LATER
from dpviz.workspace.plan_file import opened
from tests.browser.driving import (
    BY_COLUMN,
    GROUPS,
    PEOPLE,
    SEVERAL,
    button,
    change_table,
    choose,
    code_stream,
    download,
    draw,
    drawn,
    expect_in_use,
    go,
    harden,
    listen,
    on_screen,
    open_page,
    pick,
    press,
    say_rows,
    settled,
    unfold,
    write,
)
from tests.cast import RHO
from tests.conftest import full_run
from tests.postgres import running_postgres
from tests.serving import running_app
from tests.three_tables import (
    EURO,
    ORIGINS,
    PLACES,
    TABLES,
    TIERS,
    check_numbers,
    verified,
    walk_by_command,
)

LISTED = "Groups to publish, one per line"


def flights(tab: Page) -> None:
    """How many flights leave from each airport, where the unit is the aircraft."""
    unfold(tab, HOW_READ)
    choose(tab, "Column to correct", "tailnum")
    write(tab, "Marks for a missing value", "NA")
    press(tab, "Read the column this way")
    choose(tab, "Column of the groups", "origin")
    write(tab, LISTED, "\n".join(ORIGINS))
    pick(tab, SEVERAL, BY_COLUMN)
    expect(tab.get_by_text("Column that names the person: nothing is chosen.")).to_be_visible()
    expect(button(tab, "Use this statistic")).to_be_disabled()
    choose(tab, "Column that names the person", "tailnum")
    write(tab, "Groups per person (ℓ₀)", "3")
    write(tab, "Rows per group (ℓ∞)", "100")


def wages(tab: Page) -> None:
    """The mean wage of men and women, where one person is replaced by another."""
    choose(tab, "What", "Mean of a number")
    choose(tab, "Number", "wage")
    write(tab, "Lower clip bound", "0")
    write(tab, "Upper clip bound", "20")
    choose(tab, "Column of the groups", "female")
    write(tab, LISTED, "0\n1")
    pick(tab, "Neighbouring tables differ by", "one person replaced")


def sales(tab: Page) -> None:
    """The sum of a column with decimal commas, which is text until somebody says how to read it."""
    unfold(tab, HOW_READ)
    choose(tab, "Column to correct", EURO)
    choose(tab, "Read as", "number")
    tab.get_by_text("comma: 12,5").click()
    settled(tab)
    choose(tab, "Mark between thousands", "point: 1.234")
    write(tab, "Marks for a missing value", "-")
    press(tab, "Read the column this way")
    choose(tab, "What", "Sum of a number")
    choose(tab, "Number", EURO)
    write(tab, "Lower clip bound", "0")
    write(tab, "Upper clip bound", "2000")
    choose(tab, "Column of the groups", "Ort")
    write(tab, LISTED, "\n".join(PLACES))
    pick(tab, SEVERAL, BY_COLUMN)
    choose(tab, "Column that names the person", "Kunde")
    write(tab, "Groups per person (ℓ₀)", "2")
    write(tab, "Rows per group (ℓ∞)", "2")


def by_keyboard(tab: Page, name: str) -> None:
    """Press a button by Enter."""
    button(tab, name).press("Enter")
    settled(tab)


def drawn_and_sealed(tab: Page) -> None:
    """The third tier first, then the most private one; a seal draws the sharpest; then the rest."""
    draw(tab, "research")
    draw(tab, "public")
    unfold(tab, LATER)
    tab.get_by_role("tab", name="Seal").click()
    by_keyboard(tab, "Erase and seal")
    expect(tab.get_by_text("Sealed").first).to_be_visible()
    by_keyboard(tab, "Draw the last tier’s numbers")
    expect(tab.get_by_text("All four drawn")).to_be_visible()


def checked_pack(tab: Page) -> bytes:
    """The pack of all tiers, checked on the page."""
    press(tab, "More files …")
    pack = download(tab, "download_pack").read_bytes()
    tab.locator(".st-key-pack_to_check input[type=file]").set_input_files(
        {"name": "pack.zip", "mimeType": "application/zip", "buffer": pack}
    )
    expect(tab.get_by_text("The pack holds what its tiers may have")).to_be_visible()
    expect(tab.get_by_text("and is signed: any change shows")).to_be_visible()
    return pack


@full_run  # tests/unit/test_project_commands.py goes the same way by command, in every run
@pytest.mark.parametrize(
    ("name", "state", "real"),
    [
        ("Windows-1252", sales, False),
        ("wages", wages, True),
        ("flights", flights, True),
    ],
)
def test_a_table_goes_from_upload_to_verified_packs(
    tab: Page, app_url: str, tmp_path: Path, name: str, state: Callable[[Page], None], real: bool
):
    table, content = TABLES[name], TABLES[name].content(real)
    file, plan = tmp_path / table.file, tmp_path / "plan.json"
    file.write_bytes(content)
    open_page(tab, app_url, "tiers")
    harden(tab)
    go(tab, "Data")
    change_table(tab)
    tab.locator("input[type=file]").set_input_files(file)  # 34 MB of flights go by their path
    expect(tab.get_by_text(f"Loaded: {table.file}, ")).to_be_visible()
    settled(tab)
    say_rows(tab)
    state(tab)
    by_keyboard(tab, "Use this statistic")
    expect_in_use(tab)
    go(tab, "Tiers")
    press(tab, FILES)
    plan.write_bytes(download(tab, "save_plan").read_bytes())
    saved = opened(plan.read_bytes())
    assert (saved.query, saved.readings) == (table.query, table.readings)
    go(tab, "Releases")
    drawn_and_sealed(tab)
    pack = tmp_path / "pack.zip"
    pack.write_bytes(checked_pack(tab))
    handed_out = verified(pack)
    assert sorted(handed_out) == sorted(TIERS)
    for handed in handed_out.values():
        check_numbers(table, content, handed)
    for tier, handed in walk_by_command(tmp_path, file, plan).items():  # with the plan of the pages
        assert handed["tier"] == tier
        check_numbers(table, content, handed)


# A table on a real Postgres server, in a browser: chosen, watched, stopped, counted, released.


SECRET = "only-the-server-knows-this"
MADE = """
    CREATE TABLE people (region TEXT, age INTEGER);
    CREATE VIEW endless AS SELECT region, age FROM people, LATERAL pg_sleep(600 + age) AS waits;
"""


def offered(folder: Path, url: str) -> Path:
    """A file that offers the table, and a view of it which takes hours."""
    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        connection.execute(MADE)
        rows = [line.split(",") for line in PEOPLE.splitlines()[1:]]
        connection.cursor().executemany("INSERT INTO people VALUES (%s, %s)", rows)
    address = f"{url.replace('@', f':{SECRET}@')}/postgres"
    lines = [
        f'[connections.dpviz.{name}]\naddress = "{address}"\ntable = "{name}"\nseconds = 300'
        for name in ("people", "endless")
    ]
    (folder / "secrets.toml").write_text("\n".join(lines))
    return folder / "secrets.toml"


@full_run
def test_a_table_on_a_server_is_chosen_watched_stopped_and_released(
    context: BrowserContext, tmp_path: Path
) -> None:
    tab = context.new_page()
    sent = listen(tab)
    with running_postgres() as url:
        more = [f"--secrets.files={offered(tmp_path, url)}"]
        with running_app(tmp_path / "log", more=more) as server:
            open_page(tab, server.url, "data")
            change_table(tab)
            choose(tab, "A table on this server", "endless")
            press(tab, "Use this table of the server")
            say_rows(tab)
            write(tab, "Groups to publish, one per line", "\n".join(GROUPS))
            press(tab, "Use this statistic")
            go(tab, "Releases")
            tab.locator(".st-key-draw_public button:visible").click()
            said = tab.get_by_text("Counting in “endless”, which stays on the server")
            expect(said.first).to_be_visible()
            go(tab, "Tiers")  # the other pages stay usable
            go(tab, "Releases")
            expect(said.first).to_contain_text(re.compile(r" [1-9]\d* s; a step may take 300 s"))
            button(tab, "Stop").click()
            expect(tab.get_by_text("The computation was stopped; ask again.")).to_be_visible()
            go(tab, "Data")
            change_table(tab)
            choose(tab, "A table on this server", "people")
            press(tab, "Use this table of the server")
            say_rows(tab)
            write(tab, "Groups to publish, one per line", "\n".join(GROUPS))
            press(tab, "Use this statistic")
            go(tab, "Releases")
            draw(tab, "public")
            found, stream = on_screen(tab)["public"], code_stream(tab)
            tab.close()
    table = read_table(PEOPLE.encode(), name="people")
    expected = drawn(Count(ByColumn("region", GROUPS)), table, RHO, stream)["public"]
    np.testing.assert_allclose(sorted(found), sorted(expected))
    frames = b"".join(sent)
    assert b"Counting in" in frames
    assert SECRET.encode() not in frames + (tmp_path / "log").read_bytes()
