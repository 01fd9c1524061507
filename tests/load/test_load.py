"""Many visitors at once, on every page: the server lives, answers, and stays within its memory.

Not part of `make test`: run by `make test-full` (10 visitors, two minutes) and `make load` (25, an
act every 5 seconds). The waits that are printed end when the server has answered; they are of this
machine, with the visitors on the same processors, and decide nothing. All visitors come in the same
moment: what their first page takes is printed by itself.
"""

import os
import random
import threading
import time
from collections import Counter

import pytest

from dpviz.ui.kit.page_table import PAGES
from tests.load.visitor import Visitor
from tests.serving import running_app

VISITORS = int(os.environ.get("DPVIZ_VISITORS", "10"))
SECONDS = float(os.environ.get("DPVIZ_LOAD_SECONDS", "120"))
PAUSE = float(os.environ.get("DPVIZ_LOAD_PAUSE", "0"))
BASE, EACH = 600, 40  # megabytes: of the server, and for each tab, which walks all pages


@pytest.mark.load
@pytest.mark.timeout(900 + 4 * SECONDS)
def test_visitors_of_every_page_share_one_server(tmp_path):
    with running_app(tmp_path / "load.log") as server:
        until = time.monotonic() + SECONDS
        visitors = [
            Visitor(server.url, until, random.Random(seed), PAUSE) for seed in range(VISITORS)
        ]
        threads = [threading.Thread(target=each.visit) for each in visitors]
        for thread in threads:
            thread.start()
        most = 0.0
        while any(thread.is_alive() for thread in threads):
            time.sleep(1)
            if server.process.poll() is None:
                most = max(most, server.megabytes())
        runs = sum((each.runs for each in visitors), start=Counter[str]())
        tabs, pressed = (sum(getattr(v, kind) for v in visitors) for kind in ("tabs", "pressed"))
        print(
            f"{VISITORS} visitors: {tabs} tabs, {runs.total()} runs, {pressed} presses, "
            f"{most:.0f} MB at most"
        )
        came = sorted(wait for each in visitors for wait in each.arrivals)
        print(f"  at once      {_at(came, 0.5):6.2f} s in the middle, {_at(came, 0.95):6.2f} s p95")
        waits = [wait for each in visitors for wait in each.waits]
        for group in dict.fromkeys(p.group or p.title for p in PAGES):
            files = {p.file for p in PAGES if (p.group or p.title) == group}
            took = sorted(seconds for file, seconds in waits if file in files)
            print(
                f"  {group:12} {_at(took, 0.5):6.2f} s in the middle, {_at(took, 0.95):6.2f} s p95"
            )
        assert server.process.poll() is None, "the server died"
        assert server.healthy()
        assert not [failure for each in visitors for failure in each.failures]
        assert set(runs) == {p.file for p in PAGES}
        assert most < BASE + EACH * tabs


def _at(ordered: list[float], share: float) -> float:
    """The wait that this share of all waits does not exceed."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
