"""What other processes do on a project: they draw, tell what they show, and may be killed."""

import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import Bounds, ByColumn, Count
from dpviz.workspace import Workspace
from dpviz.workspace.projects import Projects
from tests import structured_sessions
from tests.serving import PATIENCE

ROWS = b"id,ward\n1,A\n2,B\n3,A\n4,B\n5,B\n"
WARDS = Count(ByColumn("ward", ("A", "B", "C")), Bounds(several_rows=False))
NAMES = ("public", "partners", "research", "audit")
PROJECT = "visits"


def workspace(rows: bytes = ROWS, query: Count = WARDS) -> Workspace:
    """A workspace in hardened mode that has released nothing."""
    ws = Workspace.load(rows, name="visits.csv")
    ws.use_mode("hardened")
    ws.state(query)
    return ws


def opened(places: tuple[Path | str, Path], rows: bytes | None = ROWS) -> Workspace:
    """The project in a process that has just begun, with its table loaded."""
    ws = Projects(places[0], keys=places[1]).open(PROJECT)
    if rows is not None:
        ws.bring(read_csv(rows, name="the same.csv"))
    return ws


def begun(
    places: tuple[Path | str, Path], query: Count = WARDS, rows: bytes = ROWS, many: int = 0
) -> None:
    """Make the project, with a plan and no release; `many`: of that many tiers with numbers."""
    ws = workspace(rows, query)
    tiers = [Tier(name=n, amount=f"0.{i}", kind="ε") for i, n in enumerate(NAMES, start=1)]
    if many:
        amounts = [f"{0.1 + 0.001 * i:.3f}" for i in range(many)]
        tiers = [Tier(name=f"tier {i}", amount=a, kind="ε") for i, a in enumerate(amounts)]
    assert ws.use_tiers(as_rows(tiers)) == []
    Projects(places[0], keys=places[1]).create(PROJECT, ws)


def shown(ws: Workspace) -> dict[str, list[int]]:
    """What stands on the screen of a tab, by level."""
    return {t.level.hex(): t.values.tolist() for t in ws.held if t.values is not None}


def in_turn(act: Callable[[], object]) -> None:
    """Do what the sentence says if somebody else is writing: try again in a moment."""
    for _ in range(PATIENCE):
        try:
            act()
        except ParameterError as error:
            if "Try again in a moment" not in str(error):
                raise
        else:
            return
    raise TimeoutError("the projects were busy all the time")


def draw_all(
    places: tuple[Path | str, Path], order: list[str], rows: bytes = ROWS
) -> tuple[dict[str, list[int]], list[tuple[int, str, str]]]:
    """Draw tiers one after the other; what is shown then, and the ledger."""
    ws = opened(places, rows)
    for name in order:
        in_turn(lambda name=name: ws.draw(name))
    in_turn(ws.catch_up)
    return shown(ws), [(e.number, e.tier, e.level.hex()) for e in ws.ledger]


def draw_on(places: tuple[Path | str, Path], out: int, most: int) -> None:
    """Draw sharper and sharper releases, and tell of each as soon as it would be on screen."""
    ws = opened(places)
    while len(ws.ledger) < most:
        ws.upgrade("public", "ε", f"{0.11 + 0.001 * len(ws.ledger):.3f}")
        os.write(out, (json.dumps(shown(ws)) + "\n").encode())


def commanded(places: tuple[Path | str, Path], _out: int, most: int) -> None:
    """Release tier after tier as `dpviz release --json` does, which tells of it by itself."""
    from dpviz.command import commands

    table = places[1] / "visits.csv"
    table.write_bytes(ROWS)
    begin = len(opened(places, rows=None).ledger)
    for number in range(max(0, begin - 1), most):  # the last one is asked for again
        words = ["release", "--json", "--project", PROJECT, "--tier", f"tier {number}"]
        where = ["--table", str(table), "--projects", str(places[0])]
        commands.main([*words, *where], standalone_mode=False)


def paged(places: tuple[Path | str, Path], out: int, most: int) -> None:
    """Press the button of the page Releases again and again, in the process of the page."""
    from tests.app.conftest import entry_script_always_runs
    from tests.app.reading import App

    entry_script_always_runs(setattr)
    app = App.opened()
    ws = app.session_state["workspace"] = opened(places)
    app.switch_page("pages/releases.py").run()
    while len(ws.ledger) < most:
        app.later().selectbox(key="upgrade_tier").set_value("public")
        app.text_input(key="upgrade_amount").set_value(f"{0.11 + 0.001 * len(ws.ledger):.3f}")
        app.button(key="upgrade_draw").click().run()
        assert not app.exception
        os.write(out, (json.dumps(shown(ws)) + "\n").encode())


def structured(places: tuple[Path | str, Path], out: int, most: int) -> None:
    """Draw every structured kind again and again, and tell of all that would be on screen then."""
    ws = Projects(places[0], keys=places[1]).open(PROJECT)
    ws.bring(read_csv(structured_sessions.ROWS.encode(), name=structured_sessions.TABLE))
    for number in range(most):
        for kind in structured_sessions.KINDS.values():
            kind.draws[number](ws)
            os.write(out, (json.dumps(structured_sessions.released(ws)) + "\n").encode())


def structured_at_once(places: tuple[Path | str, Path], out: str) -> list[dict[str, object]]:
    """The same; what is on screen at the end."""
    with open(out, "wb") as file:
        structured(places, file.fileno(), 3)
    ws = Projects(places[0], keys=places[1]).open(PROJECT)
    return structured_sessions.released(ws)


def at_once(
    count: int, work: Callable[..., object], *arguments: tuple[object, ...]
) -> list[object]:
    """Results of as many processes as there are sets of arguments, all begun together."""
    with context().Pool(count) as pool:
        return pool.starmap(work, arguments, chunksize=1)


def context() -> multiprocessing.context.ForkServerContext:
    """Processes of a server that has loaded everything and opened no table."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["tests.project_workers"])
    return made


def in_threads(*acts: Callable[[], object]) -> list[object]:
    """Results of acts in threads of this process that all begin together."""
    gate = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        gate.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


if __name__ == "__main__":  # so that it can be killed: python -m tests.project_workers …
    place, keys, most, by = sys.argv[1:]
    draw = {"library": draw_on, "command": commanded, "page": paged, "structured": structured}[by]
    draw((place if "://" in place else Path(place), Path(keys)), 1, int(most))
