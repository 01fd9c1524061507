"""What the server turns away before Streamlit looks: by the clock of a loop that the tests turn."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h11
import pytest
from starlette.websockets import WebSocket
from streamlit import config
from uvicorn.config import Config
from uvicorn.server import ServerState

from dpviz.ui.kit import serve
from dpviz.ui.kit.serve import SECONDS, Gate, PunctualHTTP, is_own_origin
from tests.conftest import for_each

HERE = "127.0.0.1:8501"


@for_each(
    ("origin", "host", "own"),
    [
        (f"http://{HERE}", HERE, True),
        ("https://dp.example.org", "dp.example.org", True),
        ("https://DP.example.org", "dp.example.ORG", True),
        ("http://[::1]:8501", "[::1]:8501", True),
        (None, HERE, True),
        ("http://127.0.0.1:9999", HERE, False),
        ("http://127.0.0.1", HERE, False),
        ("http://localhost:8501", HERE, False),
        ("http://0.0.0.0:8501", HERE, False),
        ("https://dp.example.org.evil.org", "dp.example.org", False),
        (f"http://{HERE}@evil.org", HERE, False),
        (f"http://evil.org/{HERE}", HERE, False),
        ("null", HERE, False),
        ("", "", True),  # what is no browser says nothing at all
        ("", HERE, False),
        ("http://[", HERE, False),
    ],
)
def test_only_pages_of_the_dashboard_itself_are_its_own(origin, host, own):
    assert is_own_origin(origin, host) == own


def test_the_owner_can_name_other_sites_letter_by_letter(monkeypatch):
    named = {"server.corsAllowedOrigins": ["https://a.example.org"], "server.enableCORS": True}
    known = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: named.get(name, known(name)))
    assert is_own_origin("https://a.example.org", HERE)
    assert not is_own_origin("http://a.example.org", HERE)
    assert not is_own_origin("https://a.example.org:444", HERE)
    named["server.enableCORS"] = False
    assert is_own_origin("https://evil.org", HERE)


async def _leaves_while_written_to(scope, receive, send):
    """What Streamlit does to a tab that has gone: it waits for more, and closes again."""
    tab = WebSocket(scope, receive, send)
    await tab.accept()
    await tab.close()
    try:
        await tab.receive_bytes()
    except RuntimeError:
        await tab.close()


async def _fails(*_):
    raise RuntimeError("a fault of ours")


def _passed_on(app):
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message["type"])

    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": []}
    with ThreadPoolExecutor(1) as pool:  # this thread has a browser's loop in some orders of tests
        pool.submit(asyncio.run, Gate(app)(scope, receive, send)).result()
    return sent


def test_who_leaves_while_a_page_is_written_leaves_no_trace_and_other_faults_do():
    assert _passed_on(_leaves_while_written_to) == ["websocket.accept", "websocket.close"]
    with pytest.raises(RuntimeError, match="a fault of ours"):
        _passed_on(_fails)


class _Loop:
    """A loop whose clock the test turns; it runs no application."""

    def __init__(self):
        self.now, self.waiting = 0.0, []

    def time(self):
        return self.now

    def call_later(self, seconds, act):
        self.waiting.append(_Handle(self, self.now + seconds, act))
        return self.waiting[-1]

    def create_task(self, run, **_):
        run.close()
        return _Task()

    def turn(self, seconds):
        end = self.now + seconds
        while due := [one for one in self.waiting if one.when <= end]:
            first = min(due, key=lambda one: one.when)
            self.waiting.remove(first)
            self.now = first.when
            first.act()
        self.now = end


class _Handle:
    def __init__(self, loop, when, act):
        self.loop, self.when, self.act = loop, when, act

    def cancel(self):
        if self in self.loop.waiting:
            self.loop.waiting.remove(self)


class _Task:
    def add_done_callback(self, _):
        pass


class _Transport:
    def __init__(self):
        self.ended, self.protocol = False, None

    def get_extra_info(self, _, default=None):
        return default

    def get_protocol(self):
        return self.protocol

    def set_protocol(self, protocol):
        self.protocol = protocol

    def is_closing(self):
        return self.ended

    def pause_reading(self):
        pass

    resume_reading = pause_reading

    def write(self, _):
        pass

    def abort(self):
        if not self.ended:
            self.ended = True
            self.protocol.connection_lost(None)

    close = abort


class _Websocket:
    def __init__(self, **_):
        pass

    def connection_made(self, _):
        pass

    data_received = connection_made


async def _no_application(_scope, _receive, _send):
    raise AssertionError


@pytest.fixture
def line():
    """A connection that was just made: its loop, its transport, and what the client sends."""
    loop, transport = _Loop(), _Transport()
    options = Config(app=_no_application, ws=_Websocket, log_config=None)
    made = PunctualHTTP(options, ServerState(), {}, _loop=loop)
    transport.protocol = made
    made.connection_made(transport)
    return loop, transport, made


WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
PUT = b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"
UPGRADE = WHOLE[:-2] + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: ",
        PUT % 9 + b"12345678",
        WHOLE + PUT % 9,  # the second waits behind the first
        UPGRADE[:-2],
    ],
)
def test_what_does_not_arrive_in_time_is_ended(line, begun):
    loop, transport, made = line
    if begun:
        made.data_received(begun)
    if begun.startswith(WHOLE):
        _answer(made)
    loop.turn(SECONDS - 0.5)
    assert not transport.ended
    loop.turn(1)
    assert transport.ended
    assert not loop.waiting


@pytest.mark.parametrize("begun", [b"GET / HTTP/1.1\r\nX: ", PUT % 10**9])
def test_who_sends_a_byte_now_and_then_is_ended_too(line, begun):
    loop, transport, made = line
    made.data_received(begun)
    for _ in range(int(SECONDS)):
        assert not transport.ended
        made.data_received(b"x")
        loop.turn(1.02)
    assert transport.ended


def test_a_second_request_that_comes_by_halves_is_ended(line):
    loop, transport, made = line
    made.data_received(WHOLE)
    loop.turn(100)  # a page that takes its time is not the visitor's fault
    assert not transport.ended
    _answer(made)
    loop.turn(1)
    made.data_received(WHOLE[:9])
    loop.turn(SECONDS)
    assert transport.ended


@pytest.mark.parametrize("asked", [WHOLE, PUT % 3 + b"abc", UPGRADE])
def test_what_has_arrived_is_waited_for_no_more(line, asked):
    loop, transport, made = line
    for at in range(0, len(asked), 7):
        made.data_received(asked[at : at + 7])
        loop.turn(0.1)
    loop.turn(10 * SECONDS)
    assert not transport.ended
    assert (transport.protocol is made) == (asked is not UPGRADE)


def test_an_upload_over_a_slow_line_has_its_time(line):
    loop, transport, made = line
    size, piece = 100_000_000, 250_000
    made.data_received(PUT % size)
    for _ in range(size // piece):
        loop.turn(5)  # 50,000 bytes a second: 33 minutes in all
        made.data_received(bytes(piece))
        assert not transport.ended
        made.cycle.body.clear()
        made.flow.resume_reading()
    assert not loop.waiting


def test_a_client_that_is_not_read_from_is_not_late(line):
    loop, transport, made = line
    made.data_received(PUT % 200_000 + bytes(100_000))
    assert made.flow.read_paused
    loop.turn(500)
    assert not transport.ended
    made.flow.resume_reading()
    loop.turn(300)
    assert transport.ended


def _answer(made):
    """The application has answered the request that arrived."""
    made.conn.send(h11.Response(status_code=200, headers=[("content-length", "0")]))
    made.conn.send(h11.EndOfMessage())
    made.cycle.response_complete = True
    made.on_response_complete()


def test_the_time_is_the_one_that_the_documents_name():
    page = (Path(__file__).resolve().parents[3] / "docs/DEPLOYMENT.md").read_text("utf-8")
    (said,) = re.findall(r"not there in (\d+) seconds", page)
    assert int(said) == SECONDS == serve.SECONDS
