"""Thirty students and a board in a real browser: how soon a press is seen there.

Not part of `make test`: run by `make test-full` and `make load`. The students have no browser: they
speak the websocket as `tests.load.visitor` does, press once a round at random moments, and look
every other second whether the class has gone on, as their pages ask them to. What is measured ends
when the browser of the board has drawn the number.
"""

import random
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dpviz.planning.cast import RHO
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.driving import open_page, press, settled
from tests.serving import PATIENCE, running_app

STUDENTS = 30
SPREAD = 15.0  # seconds in which all of them press
SOON = 1.5  # seconds until a press is seen, p95
LOOK = 0.02  # seconds between two looks at the picture
NEVER = "", float("inf"), float("inf")  # which part of a page is looked at, how often, and when
COUNT = """([round, names]) => {
  const plot = document.querySelector(`.st-key-class_round_${round} .js-plotly-plot`);
  return (plot?._fullData ?? []).filter(part => names.includes(part.name))
    .reduce((sum, part) => sum + part.x.length, 0) }"""
WATCH = f"""([round, names]) => {{ window.seen = []; clearInterval(window.looks);
  const count = {COUNT};
  window.looks = setInterval(() => {{ const now = count([round, names]);
    while (window.seen.length < now) window.seen.push(Date.now() / 1000) }}, {1000 * LOOK}) }}"""


@dataclass
class Student:
    """A student's page without a browser."""

    url: str
    code: str
    press_at: float = float("inf")  # by time.time
    pressed: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)  # seconds until the own number is there
    failures: list[str] = field(default_factory=list)
    there: threading.Event = field(default_factory=threading.Event)
    over: bool = False

    def visit(self) -> None:
        """Stay in the class until it is over; never raises: what went wrong is a failure."""
        self.query, self.button, self.page = f"code={self.code}", "", ""
        self.looks = NEVER
        address = self.url.replace("http", "ws", 1) + "/_stcore/stream"
        try:
            with connect(
                address, subprotocols=["streamlit"], max_size=None, ping_interval=None
            ) as socket:
                self._run(socket)
                while not self.over:
                    self._act(socket)
                    with suppress(TimeoutError):
                        self._read(ForwardMsg.FromString(socket.recv(timeout=LOOK)))
        except (ConnectionClosed, OSError) as error:
            self.failures.append(f"the connection was lost: {error!r}")

    def _run(self, socket: ClientConnection, *widgets: WidgetState, part: str = "") -> None:
        state = ClientState(query_string=self.query, fragment_id=part, page_script_hash=self.page)
        state.page_name = "" if self.page else "classroom"
        state.widget_states.widgets.extend(widgets)
        socket.send(BackMsg(rerun_script=state).SerializeToString())

    def _act(self, socket: ClientConnection) -> None:
        """Press, or look whether the class has gone on, when it is time."""
        now, (part, every, due) = time.time(), self.looks
        if now >= self.press_at and self.button:
            self.press_at = float("inf")
            self.pressed.append(now)
            self._run(socket, WidgetState(id=self.button, trigger_value=True))
            self.button = ""
        elif now >= due:
            self.looks = part, every, now + every
            self._run(socket, part=part)

    def _read(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.page = message.navigation.page_script_hash
        elif kind == "auto_rerun" and message.auto_rerun.interval < PATIENCE:
            every = message.auto_rerun.interval
            self.looks = message.auto_rerun.fragment_id, every, time.time() + every
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._see(message.delta.new_element)

    def _see(self, element: Element) -> None:
        if element.HasField("exception"):
            self.failures.append(element.exception.type)
        elif element.HasField("button"):
            self.button, self.looks = element.button.id, NEVER
            self.there.set()
        elif element.HasField("metric") and len(self.waits) < len(self.pressed):
            self.waits.append(time.time() - self.pressed[-1])


def p95(waits: list[float]) -> float:
    return sorted(waits)[int(0.95 * len(waits))]


@pytest.mark.load
@pytest.mark.timeout(600)
def test_a_press_of_one_of_thirty_students_is_soon_on_the_board(tmp_path):
    rng = random.Random(7)
    with running_app(tmp_path / "class.log") as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        board = browser.new_page(viewport={"width": 1280, "height": 800})
        open_page(board, server.url, "classroom")
        press(board, "Open a class")
        code = board.locator(".st-key-class_code p").inner_text().strip()
        students = [Student(server.url, code) for _ in range(STUDENTS)]
        threads = [threading.Thread(target=student.visit) for student in students]
        for thread in threads:
            thread.start()
        assert all(student.there.wait(60) for student in students)
        for which in (0, 1):
            if which:
                board.locator(".st-key-class_second button").click()
            settled(board)
            board.evaluate(WATCH, [which, list(RHO)])
            time.sleep(2.5)  # students see that the round has begun
            begun = time.time()
            for student in students:
                student.press_at = begun + SPREAD * rng.random()
            until = begun + SPREAD + PATIENCE
            while board.evaluate("window.seen.length") < STUDENTS and time.time() < until:
                time.sleep(0.1)
            waiting = [student for student in students if len(student.waits) <= which]
            assert not waiting, (waiting, board.evaluate("window.seen.length"))
            pressed = sorted(student.pressed[-1] for student in students)
            seen = board.evaluate("window.seen")
            board_waits = [there - at for at, there in zip(pressed, seen, strict=True)]
            own = [student.waits[-1] for student in students]
            print(
                f"round {which + 1}: on the board {sorted(board_waits)[15]:.2f} s in the middle, "
                f"{p95(board_waits):.2f} s p95; on the own page {p95(own):.2f} s p95"
            )
            assert p95(board_waits) <= SOON
        for student in students:
            student.over = True
        for thread in threads:
            thread.join()
        assert not [failure for student in students for failure in student.failures]
        assert [len(student.pressed) for student in students] == [2] * STUDENTS
        browser.close()
