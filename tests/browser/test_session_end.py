"""When a tab is closed, its table leaves the server's memory and its files leave their address."""

import re
import string
import sys
import urllib.error
import urllib.request
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.driving import download, go, open_page, press, upload
from tests.conftest import full_run
from tests.serving import Server, running_app

PEOPLE = 100_000
VALUE = re.compile(rb"q[0-9A-Za-z]{20}z")
SIGNS = np.frombuffer((string.digits + string.ascii_letters).encode(), np.uint8)
SHORT = ["--server.disconnectedSessionTTL=2"]
HELD = 0.03  # of the values can be read before, though the rows are packed: 0.086 were measured
REACHED = 0.005  # of the values may be left


@cache
def names() -> list[str]:
    """Values that nothing else in a process holds, each once; by chance, so hardly packed."""
    signs = np.random.default_rng(7).choice(SIGNS, (PEOPLE, 20))
    return [f"q{row.tobytes().decode()}z" for row in signs]


def table() -> str:
    """One person in each row."""
    sides = ("north", "south")
    return "region,person\n" + "".join(f"{sides[i % 2]},{n}\n" for i, n in enumerate(names()))


def share_in_memory(pid: int) -> float:
    """Share of the values that can be read in what a process has written to its memory."""
    found: set[bytes] = set()
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            if rights.startswith("rw"):
                found |= values_between(memory, *(int(end, 16) for end in span.split("-")))
    return len(found & {name.encode() for name in names()}) / PEOPLE


def values_between(memory, low: int, high: int) -> set[bytes]:
    found: set[bytes] = set()
    tail = b""
    try:
        memory.seek(low)
        while low < high:
            read = memory.read(min(high - low, 1 << 24))
            if not read:
                break
            found |= set(VALUE.findall(tail + read))
            tail, low = read[-24:], low + len(read)
    except OSError:  # a region that cannot be read, as the kernel's own
        pass
    return found


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read in /proc")
@full_run
def test_table_and_files_are_gone_soon_after_the_tab(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running_app(tmp_path / "server.log", more=SHORT) as server:
        try:
            open(f"/proc/{server.process.pid}/mem", "rb").close()
        except PermissionError:
            pytest.skip("this machine lets nobody read a child's memory")
        tab = context.new_page()
        fetched: list[str] = []
        tab.on("request", lambda r: fetched.append(r.url))
        open_page(tab, server.url, "start")
        go(tab, "Data")
        upload(tab, table())
        press(tab, "Use the groups found in the data")
        press(tab, "Use this statistic")
        go(tab, "Releases")
        press(tab, "Draw all four tiers’ numbers")
        expect(tab.locator(".st-key-download_4 button")).to_be_visible()
        press(tab, "More files …")
        download(tab, "download_pack")
        pack = next(url for url in fetched if url.startswith(f"{server.url}/media/"))
        # a run later, the file is still there, and made again
        assert download(tab, "download_pack").stat().st_size > 0
        assert share_in_memory(server.process.pid) > HELD
        tab.close()
        wait_until_gone(context, server, pack)
        assert status(pack) == 404


def wait_until_gone(context: BrowserContext, server: Server, pack: str) -> None:
    """Wait for the timers of the server, with much time for a busy machine."""
    other = context.new_page()  # only its clock is used: the server sees no other visitor
    left = 1.0
    for _ in range(60):
        if status(pack) == 404:  # asked first: to read all of the memory takes a second
            left = share_in_memory(server.process.pid)
            if left <= REACHED:
                break
        other.wait_for_timeout(1000)
    other.close()
    assert left <= REACHED
