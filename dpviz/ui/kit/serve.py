"""The dashboard's server: it answers when everything is loaded, and turns away what holds it up.

Before Streamlit looks at it, the gate turns away

- a websocket from a page of another site. Streamlit compares its origin with the outside address of
  this computer, which it asks another host for, in the loop that answers everybody: two seconds for
  each stranger where nothing goes out. And it lets in every port of this computer.
- a request that does not arrive in time: it would keep its connection for ever.
- `/_stcore/metrics`, which tells anyone how many visitors there are and what they hold in memory.

A tab that leaves while Streamlit writes to it leaves no trace in the log: Streamlit closes its
websocket once more, which is an error.

Limits: `streamlit run app.py` starts a server without any of this, for development.
"""

import asyncio
import logging
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import h11
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose, WebSocketDisconnected
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_app, starlette_server
from uvicorn.protocols.http.h11_impl import H11Protocol

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, before anybody comes
from dpviz.errors import ParameterError
from dpviz.ui.kit import admitted, workers

SECONDS = 10.0  # from when the server waits for a request until it must be there
BYTES_A_SECOND = 1_000  # that give a request a second more, so that an upload has its time
METRICS = "/_stcore/metrics"
_POLICY = 1008  # why the websocket is closed: its origin may not
_log = logging.getLogger(__name__)


def serve(entry: Path, *options: str) -> None:
    """Run the dashboard until it is stopped.

    Args:
        entry: where app.py lies.
        options: of Streamlit's own command, such as `--server.port=8600`.

    Raises:
        SystemExit: at the end, and at once if the number of workers or the accounts of those who
            log in cannot be used.
    """
    try:
        admitted.check_start()
        workers.shared()
    except ParameterError as error:
        sys.exit(str(error))
    put_up()
    PagesManager.uses_pages_directory = False  # app.py alone knows addresses without a file
    cli.main(["run", str(entry), *options], prog_name="streamlit")


def put_up() -> None:
    """Put the gate before the server of this process, which is not started yet."""
    middleware, options = (
        starlette_app.create_streamlit_middleware,
        starlette_server._get_uvicorn_config_kwargs,
    )
    starlette_app.create_streamlit_middleware = lambda: [Middleware(Gate), *middleware()]
    starlette_server._get_uvicorn_config_kwargs = lambda: options() | {"http": PunctualHTTP}
    net_util.get_external_ip = _no_address


def _no_address() -> None:
    """Ask no other host for the outside address of this computer."""


def is_own_origin(origin: str | None, host: str) -> bool:
    """Whether a websocket comes from a page of this dashboard, or from a site that the owner named.

    Args:
        origin: as the browser says it; None from what is no browser, for which nobody is logged in.
        host: the name and port by which the server was called.

    >>> is_own_origin("http://localhost:8501", "localhost:8501"), is_own_origin(None, "localhost")
    (True, True)
    >>> is_own_origin("http://127.0.0.1:9999", "127.0.0.1:8501")
    False
    """
    if origin is None or server_util.allow_all_cross_origin_requests():
        return True
    try:
        called = urlsplit(origin).netloc
    except ValueError:
        return False
    return called.lower() == host.lower() or server_util.is_allowed_origin(origin)


class Gate:
    """The outermost part of the server: what it turns away, nothing behind it hears of."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._told = app, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a stranger, and pass everybody else on."""
        app = self._app
        if scope["type"] == "websocket" and not self._may(Headers(scope=scope)):
            app = WebSocketClose(_POLICY)
        elif scope["type"] == "http" and scope["path"].endswith(METRICS):
            app = PlainTextResponse("Not Found", 404)
        with suppress(WebSocketDisconnected):  # the tab has gone, and with it who would be answered
            await app(scope, receive, send)

    def _may(self, headers: Headers) -> bool:
        """Whether the origin is one's own; the first that is not is in the log, for the owner."""
        origin, host = headers.get("origin"), headers.get("host", "")
        if is_own_origin(origin, host):
            return True
        if not self._told:
            self._told = True
            _log.warning(
                "A page of another site, %.100r, asked for a connection to %.100r and was refused; "
                "others that follow are not logged. If that is your own address, let the proxy "
                "pass on the header Host, as docs/DEPLOYMENT.md says.",
                origin,
                host,
            )
        return False


class PunctualHTTP(H11Protocol):
    """HTTP that ends a connection whose next request does not arrive in time, or stops midway."""

    _due = 0.0  # when the request must be there, by the clock of the loop
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        super().connection_lost(exc)
        self._watch(waits=False)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived, for which there is more time."""
        self._due += len(data) / BYTES_A_SECOND
        super().data_received(data)

    def handle_events(self) -> None:
        """Handle what has arrived, and wait for what is missing."""
        super().handle_events()
        on = self.transport.get_protocol() is self  # else it is a websocket now
        self._watch(waits=on and self.conn.their_state in (h11.IDLE, h11.SEND_BODY))

    def _watch(self, *, waits: bool = True) -> None:
        """Begin to wait for a request, or end it; waiting already, it goes on."""
        if not waits and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        elif waits and self._timer is None:
            self._due = self.loop.time() + SECONDS
            self._timer = self.loop.call_later(SECONDS, self._end_if_late)

    def _end_if_late(self) -> None:
        """End the connection, unless more has arrived meanwhile, or the server is the slow one."""
        now = self.loop.time()
        if self.flow.read_paused:
            self._due = now + SECONDS
        if self._due <= now:
            self._timer = None
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(self._due - now, self._end_if_late)
