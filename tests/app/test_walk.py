"""docs/ARCHITECTURE.md follows a visitor from an upload to a picture, and so does the dashboard."""

import re
import threading
from dataclasses import dataclass

from tests.app.reading import (
    button,
    choose,
    say_rows,
)
from tests.serving import ROOT

TEXT = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
VISITS = b"id,ward\n1,A\n1,B\n2,B\n3,A\n3,C\n"
STEP = re.compile(r"^( *)- `(dpviz(?:\.\w+)+)`", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A function of the walk, and the step that it is called within."""

    name: str
    within: str | None


def steps(text):
    """The steps of a part of the walk, in its order."""
    found, above = [], []
    for indent, name in STEP.findall(text):
        del above[len(indent) // 2 :]
        found.append(Step(name, above[-1] if above else None))
        above.append(name)
    return found


WALK = TEXT[TEXT.index("## The walk") : TEXT.index("## Where")]
_, UPLOAD, QUERY, FIRST, LATER, SHOWN = re.split(r"^[A-Z][^\n]*:$", WALK, flags=re.MULTILINE)


def called(act):
    """What the dashboard calls during an act: each function, and all those it is called within."""
    found = []

    def note(frame, event, _):
        if event != "call" or not str(frame.f_globals.get("__name__")).startswith("dpviz"):
            return
        stack = []
        while frame is not None:
            stack.append(f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}")
            frame = frame.f_back
        found.append((stack[0], frozenset(stack[1:])))

    threading.setprofile(note)  # a page runs in a thread of its own
    try:
        act()
    finally:
        threading.setprofile(None)
    return found


def first_not_taken(walk, calls):
    """The first step that does not come, in its order and within its caller; None if all come."""
    left = iter(calls)  # each step goes on where the one before it was found
    for step in walk:
        if not any(
            name == step.name and (step.within is None or step.within in callers)
            for name, callers in left
        ):
            return step.name
    return None


def test_the_dashboard_takes_the_walk(open_page):
    app = open_page("data")
    walk = steps(UPLOAD)
    calls = called(lambda: app.file_uploader[0].upload("v.csv", VISITS, "text/csv").run())
    assert first_not_taken(walk, calls) is None
    assert first_not_taken([walk[1], walk[0]], calls), "another order is another walk"
    assert first_not_taken([Step(walk[0].name, walk[1].name)], calls), "the caller counts"

    say_rows(app)
    choose(app, "Column of the groups", "ward")
    button(app, "groups found in the data").click().run()
    calls = called(lambda: button(app, "Use this statistic").click().run())
    assert first_not_taken(steps(QUERY), calls) is None

    app.switch_page("pages/releases.py").run()
    for key, walk in (("draw_public", FIRST), ("draw_partners", LATER)):
        calls = called(lambda key=key: app.button(key=key).click().run())
        assert first_not_taken([*steps(walk), *steps(SHOWN)], calls) is None
