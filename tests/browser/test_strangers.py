"""Strangers who come before any login and want to hold up everybody else: sockets, no browser."""

import select
import socket
import urllib.error
import urllib.request
from contextlib import ExitStack, nullcontext

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.serving import PATIENCE, running_app

SHORT = 1.0  # seconds for a request to arrive in, here
WHOLE = "GET /_stcore/health HTTP/1.1\r\nHost: {0}\r\n\r\n"
HANDSHAKE = (
    "GET /_stcore/stream HTTP/1.1\r\nHost: {0}\r\nOrigin: {1}\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {2}\r\n\r\n"
)
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


@pytest.fixture(scope="module")
def silent():
    """Where everything goes that the server asks of others: a socket that never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as never:
        yield never


@pytest.fixture(scope="module")
def served(silent, tmp_path_factory):
    """A dashboard that must not be talked out of the house, with little time for requests."""
    out = f"http://127.0.0.1:{silent.getsockname()[1]}"
    before = (
        "import os\n"
        f"os.environ |= dict.fromkeys(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'], {out!r})\n"
        "os.environ.pop('NO_PROXY', 0)\n"
        f"from dpviz.ui.kit import gate\ngate.SECONDS = {SHORT}"
    )
    log = tmp_path_factory.mktemp("strangers") / "log"
    with running_app(log, before=before) as server:
        yield server


@pytest.fixture
def call(served):
    """Open a connection and send this; all are closed with the test."""
    host = served.url.removeprefix("http://")
    with ExitStack() as stack:

        def sent(text, *more):
            made = socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), PATIENCE)
            stack.enter_context(made)
            made.sendall(text.format(host, *more).encode())
            return made

        yield sent


def first_line(connection):
    with connection.makefile("rb") as answer:
        return answer.readline().decode().strip()


def test_ten_foreign_handshakes_ask_nobody_and_hold_up_nobody(call, silent, served):
    evil = [call(HANDSHAKE, "http://evil.example", KEY) for _ in range(10)]
    health = call(WHOLE)
    assert first_line(health) == "HTTP/1.1 200 OK"
    asked, _, _ = select.select([silent], [], [], 0)
    assert not asked, "the server asks another host, and waits for its answer"
    assert [first_line(one) for one in evil] == ["HTTP/1.1 403 Forbidden"] * 10
    asked, _, _ = select.select([silent], [], [], 0)
    assert not asked
    log = served.log.read_text()
    assert log.count("A page of another site") == 1, "or they fill the log"
    assert "http://evil.example" in log


@pytest.mark.parametrize(
    ("origin", "enters"),
    [
        ("http://{0}", True),
        (None, True),
        ("http://127.0.0.1:9999", False),
        ("http://localhost:8501", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_pages_of_the_dashboard_itself_enter_and_no_others(served, origin, enters):
    host = served.url.removeprefix("http://")
    own = origin and origin.format(host)
    way = {"origin": own, "subprotocols": ["streamlit"], "open_timeout": PATIENCE}
    refusal = nullcontext() if enters else pytest.raises(InvalidStatus)
    with refusal as found, connect(f"ws://{host}/_stcore/stream", **way):
        pass
    assert enters or found.value.response.status_code == 403


@pytest.mark.parametrize("path", ["_stcore/metrics", "_stcore/%6detrics", "_stcore/metrics?a=b"])
def test_the_server_counts_its_visitors_for_nobody(served, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{served.url}/{path}", timeout=PATIENCE)
    with refused.value as answer:
        assert answer.status == 404


def test_half_open_requests_are_ended_and_nobody_else_is(call, served):
    begun = ["", "GET /", "GET / HTTP/1.1\r\nHost: {0}\r\nX: ", HANDSHAKE[:-2]]
    host = served.url.removeprefix("http://")
    with connect(f"ws://{host}/_stcore/stream", origin=served.url, open_timeout=PATIENCE) as tab:
        late = [call(text, served.url, KEY) for text in begun * 20]
        again = call(WHOLE)
        assert first_line(again) == "HTTP/1.1 200 OK"
        again.sendall(b"GET /")
        for one in [*late, again]:
            while one.recv(4096):  # until the server ends it
                pass
        assert tab.ping().wait(PATIENCE)
    assert served.healthy()
