"""A table on a real Postgres server, in a browser: chosen, watched, stopped, counted, released."""

import re
from pathlib import Path

import numpy as np
import psycopg
from playwright.sync_api import BrowserContext, WebSocket, expect

from dpviz.data import read_table
from dpviz.queries import ByColumn, Count
from tests.browser.driving import (
    button,
    change_table,
    choose,
    code_stream,
    draw,
    go,
    on_screen,
    open_page,
    press,
    say_rows,
    write,
)
from tests.browser.example import GROUPS, PEOPLE, drawn
from tests.cast import RHO
from tests.conftest import full_run
from tests.postgres import running_postgres
from tests.serving import running_app

SECRET = "only-the-server-knows-this"
TABLES = """
    CREATE TABLE people (region TEXT, age INTEGER);
    CREATE VIEW endless AS SELECT region, age FROM people, LATERAL pg_sleep(600 + age) AS waits;
"""


def offered(folder: Path, url: str) -> Path:
    """A file that offers the table, and a view of it which takes hours."""
    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        connection.execute(TABLES)
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
    sent: list[str | bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: sent.append(frame))

    tab = context.new_page()
    tab.on("websocket", listen)
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
    frames = b"".join(f if isinstance(f, bytes) else f.encode() for f in sent)
    assert b"Counting in" in frames
    assert SECRET.encode() not in frames + (tmp_path / "log").read_bytes()
