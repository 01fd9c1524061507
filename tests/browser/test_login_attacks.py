"""A reader who speaks to the server without a browser, and says what no browser would say."""

import json
import random
import time
from contextlib import ExitStack
from functools import partial

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.util import calc_hash
from streamlit.web.server.starlette.starlette_app_utils import (
    create_signed_value,
    generate_xsrf_token_string,
)
from websockets.sync.client import connect

from dpviz.ui.kit.page_table import PAGES
from dpviz.workspace.projects import Projects
from tests import people
from tests.browser.test_hand_out_job import numbers_and_words
from tests.people import AUTH, HEAD, READER, claims
from tests.project_workers import NAMES
from tests.serving import PATIENCE, free_port


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A dashboard with a login; no provider is asked, as the cookies are made here."""
    folder = tmp_path_factory.mktemp("attacked")
    people.keep(folder / "kept")
    with people.server(folder, free_port(), "http://127.0.0.1:9") as found:
        yield found


@pytest.fixture
def come(served):
    """Connect with an account; all connections end with the test."""
    with ExitStack() as stack:
        yield partial(Tab, stack, served)


class Tab:
    """A connection with what the server said, and what was asked of it."""

    def __init__(self, stack, served, user, secret=AUTH["cookie_secret"], session=""):
        said = json.dumps({"origin": served.url, **user})
        cookie = create_signed_value(secret, "_streamlit_user", said).decode()
        token = generate_xsrf_token_string()
        way = connect(
            served.url.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=["streamlit", token, *([session] if session else [])],
            additional_headers={"Cookie": f"_streamlit_user={cookie}; _streamlit_xsrf={token}"},
            origin=served.url,
            max_size=None,
            open_timeout=PATIENCE,
            close_timeout=1,
        )
        self.socket = stack.enter_context(way)
        self.frames, self.session = [], ""
        self.buttons, self.fragments, self.files = set(), set(), []

    def ask(self, *widgets, **state):
        """Ask for a run, and read until it is over."""
        asked = ClientState(**state)
        asked.widget_states.widgets.extend(widgets)
        self.send(BackMsg(rerun_script=asked))

    def send(self, message):
        self.socket.send(message.SerializeToString())
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told = self.socket.recv(timeout=PATIENCE)
            self.frames.append(told)
            found = ForwardMsg.FromString(told)
            self._read(found)
            if found.WhichOneof("type") == "backend_operation_response" or (
                found.WhichOneof("type") == "script_finished"
                and found.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                return

    def _read(self, message):
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
        elif kind == "auto_rerun":
            self.fragments.add(message.auto_rerun.fragment_id)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.HasField("button"):
                self.buttons.add(element.button.id)
            if element.HasField("download_button"):
                self.buttons.add(element.download_button.id)
                self.files.append(element.download_button.deferred_file_id)

    @property
    def got(self):
        return numbers_and_words(self.frames)


def acts(served):
    return [(a.what, a.who) for a in Projects(served.log.parent / "kept").acts()]


def assert_got_nothing_of_others(tab, served, own=()):
    numbers, text = tab.got
    for name, others in people.held(served.log.parent / "kept").items():
        assert name in own or not numbers & others, name
    assert not numbers & people.EXACT
    for name in {*NAMES} - {*own}:
        assert f"{name} " not in text, name
        assert f"“{name}”" not in text, name


def test_no_message_of_a_reader_gets_anything_of_others(come, served):
    head = come(claims(HEAD))
    head.ask(page_name="releases")
    assert len(head.buttons) > 4
    reader = come(claims(READER))
    reader.ask(page_name="present", query_string="tier=audit")
    numbers, text = reader.got
    own = people.held(served.log.parent / "kept")["public"]
    assert numbers >= own
    assert "public" in text
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.deferred_file.file_id = reader.files[-1]
    for session, made in ((head.session, False), (reader.session, True)):
        message.backend_operation_request.session_id = session
        reader.send(message)
        assert (b"/media/" in reader.frames[-1]) == made
    assert acts(served)[-1] == ("hand-out", READER)
    pages = random.Random(7).sample(PAGES, 3)
    for page in [*pages, PAGES[0]]:
        for asked in ({"page_script_hash": calc_hash(page.file)}, {"page_name": page.file}):
            reader.ask(query_string="tier=audit&lecture=on&plan=x", **asked)
    presses = [WidgetState(id=name, trigger_value=True) for name in head.buttons]
    reader.ask(*presses, page_script_hash=calc_hash("releases"))
    assert head.fragments
    for fragment in head.fragments:  # the server has no such fragment here, and says nothing
        state = ClientState(fragment_id=fragment, page_script_hash=calc_hash("releases"))
        reader.socket.send(BackMsg(rerun_script=state).SerializeToString())
    reader.ask(page_name="present")
    assert_got_nothing_of_others(reader, served, own=("public",))
    assert not {what for what, who in acts(served) if who == READER} - {
        "log in",
        "view",
        "hand-out",
    }
    assert "draw" not in [what for what, _ in acts(served)]
    taken = come(claims(READER), session=head.session)  # the custodian's, if it could
    head.socket.close()
    again = come(claims(READER), session=head.session)
    for tab in (taken, again):
        tab.ask(page_name="releases")
        assert tab.session not in ("", head.session)
        assert_got_nothing_of_others(tab, served, own=("public",))


def test_a_cookie_of_another_server_is_no_login(come, served):
    for tab in (
        come(claims(HEAD), secret="f" * 64),
        come({**claims(HEAD), "origin": "http://127.0.0.1:1"}),
        come({**claims(HEAD), "is_logged_in": False}),
        come(claims(HEAD, email_verified=False)),
    ):
        tab.ask(page_name="releases")
        assert_got_nothing_of_others(tab, served)
        assert not tab.files
        assert len(tab.buttons) == 1
