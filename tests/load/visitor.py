"""A visitor without a browser: speaks the dashboard's websocket, walks pages, presses buttons."""

import random
import time
from collections import Counter
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dpviz.ui.kit.page_table import PAGES

ACTS = 12  # in one tab, beyond its first walk; then the tab is closed and another one opened
IMPATIENT = 0.2  # chance not to wait for the end of a run: the next act interrupts it
PRESS, RERUN = 0.5, 0.2  # chances of what is done on a page; else another page is opened


@dataclass
class Visitor:
    """Walks every page in an order of its own, then acts at random until the time is over."""

    url: str
    until: float  # by time.monotonic
    rng: random.Random
    pause: float = 0.0  # seconds between two acts, on average
    tabs: int = 0
    runs: Counter[str] = field(default_factory=Counter)  # finished, by page
    waits: list[tuple[str, float]] = field(default_factory=list)  # page, seconds until its end
    arrivals: list[float] = field(default_factory=list)  # the same of the first page of each tab
    pressed: int = 0
    failures: list[str] = field(default_factory=list)

    def visit(self) -> None:
        """Open one tab after the other; never raises: what went wrong is a failure."""
        while time.monotonic() < self.until and not self.failures:
            try:
                with connect(
                    self.url.replace("http", "ws", 1) + "/_stcore/stream",
                    subprotocols=["streamlit"],
                    max_size=None,
                    open_timeout=120,
                    close_timeout=1,
                    ping_interval=None,
                ) as socket:
                    _Tab(self, socket).walk()
            except (ConnectionClosed, OSError) as error:
                self.failures.append(f"the connection was lost: {error!r}")


class _Tab:
    """One session of the server, as a browser tab holds it."""

    def __init__(self, visitor: Visitor, socket: ClientConnection) -> None:
        self.visitor, self.socket, self.rng = visitor, socket, visitor.rng
        visitor.tabs += 1
        self.page, self.arrived = PAGES[0].file, False
        self.hashes: dict[str, str] = {}  # of the pages, by file
        self.buttons: set[str] = set()
        self.fragments: set[str] = set()  # that ask to be run again by themselves

    def walk(self) -> None:
        """A deep link, every page once, then acts at random."""
        tour = [p.file for p in PAGES]
        self.rng.shuffle(tour)
        self._open(tour[0])
        for file in tour[1:]:
            self._open(file)
        for _ in range(ACTS):
            if time.monotonic() > self.visitor.until:
                return
            self._act()

    def _act(self) -> None:
        what = self.rng.random()
        if what < PRESS and self.buttons:
            self.visitor.pressed += 1
            self._run(WidgetState(id=self.rng.choice(sorted(self.buttons)), trigger_value=True))
        elif what < PRESS + RERUN:
            self._run(fragment=self.rng.choice(sorted(self.fragments) or [""]))
        else:
            self._open(self.rng.choice(PAGES).file)

    def _open(self, file: str) -> None:
        self.page = file
        self.buttons.clear()
        self.fragments.clear()
        self._run()

    def _run(self, *widgets: WidgetState, fragment: str = "") -> None:
        """Ask for a run of the page, and mostly wait for its end."""
        if time.monotonic() > self.visitor.until:
            return
        state = ClientState(page_script_hash=self.hashes.get(self.page, ""), fragment_id=fragment)
        if not state.page_script_hash and self.page != PAGES[0].file:
            state.page_name = self.page
        state.widget_states.widgets.extend(widgets)
        self.socket.send(BackMsg(rerun_script=state).SerializeToString())
        if self.hashes and self.rng.random() < IMPATIENT:
            return
        self._wait()
        time.sleep(self.visitor.pause * self.rng.uniform(0.5, 1.5))

    def _wait(self) -> None:
        """Read what the server says until the run is over."""
        begun = time.monotonic()
        while time.monotonic() < self.visitor.until:
            try:
                told = self.socket.recv(timeout=1)
            except TimeoutError:
                continue
            message = ForwardMsg.FromString(told)
            self._read(message)
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                self.visitor.runs[self.page] += 1
                took = time.monotonic() - begun
                if self.arrived:
                    self.visitor.waits.append((self.page, took))
                else:
                    self.visitor.arrivals.append(took)
                self.arrived = True
                return

    def _read(self, message: ForwardMsg) -> None:
        """Note the pages, what can be pressed, and what went wrong."""
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.hashes = {
                (p.url_pathname or PAGES[0].file): p.page_script_hash
                for p in message.navigation.app_pages
            }
        elif kind == "auto_rerun":
            self.fragments.add(message.auto_rerun.fragment_id)
        elif kind == "page_not_found":
            self.visitor.failures.append(f"{self.page}: not found")
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.HasField("exception"):
                self.visitor.failures.append(f"{self.page}: {element.exception.type}")
            elif element.HasField("button") and not element.button.disabled:
                self.buttons.add(element.button.id)
