"""Logins in a real browser by a local provider, and a reader who speaks without a browser."""

import json
import random
import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
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

from dpviz.ui.kit.login import LOG_IN
from dpviz.ui.kit.page_table import PAGES
from dpviz.workspace.projects import Projects
from tests import people
from tests.browser.driving import button, listen, settled
from tests.browser.test_hand_out import numbers_and_words
from tests.conftest import FULL, full_run
from tests.people import AUTH, HEAD, OTHER, READER, claims
from tests.project_workers import NAMES
from tests.serving import PATIENCE, ROOT, Server, free_port, running

STRANGER = "stranger@example.org"
VERIFIED = [HEAD, READER, OTHER, STRANGER]
UNVERIFIED = "sub of somebody who claims to be the head"


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An OpenID provider with these people, on this computer."""
    port, log = free_port(), tmp_path_factory.mktemp("provider") / "log"
    users = [{"sub": f"sub of {e}", "email": e, "email_verified": True} for e in VERIFIED]
    users.append({"sub": UNVERIFIED, "email": HEAD, "email_verified": False})
    told = [part for user in users for part in ("--user-claims", json.dumps(user))]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "-p", str(port), *told]
    with running(command, log, port, cwd=ROOT, health="/.well-known/openid-configuration") as found:
        yield found.url


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, provider: str) -> Iterator[Server]:
    """A dashboard with a project that has released all tiers but one."""
    folder = tmp_path_factory.mktemp("login")
    people.keep(folder / "kept")
    with people.server(folder, free_port(), provider) as found:
        yield found


def folder_of(served: Server) -> Path:
    return served.log.parent


@contextmanager
def browser_of(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of one person: with cookies of its own."""
    made = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    made.set_default_timeout(1000 * PATIENCE)
    expect.set_options(timeout=1000 * PATIENCE)
    yield made
    made.close()


def log_in(context: BrowserContext, served: Server, who: str, file: str = "") -> Page:
    """Come to the door, log in with the provider, and come back."""
    tab = context.new_page()
    tab.goto(f"{served.url}/{file}")
    tab.get_by_role("heading", name=LOG_IN).wait_for()
    settled(tab)
    button(tab, "Log in").click()
    tab.locator(f"button[value='{who}']").click()
    tab.wait_for_url(f"{served.url}/**")
    button(tab, "Log out").wait_for()
    settled(tab)
    return tab


def assert_got_only(frames: list[bytes], served: Server, tier: str) -> None:
    """The numbers of one tier arrived, and no number and no name of another tier."""
    numbers, text = numbers_and_words(frames)
    held = people.held(folder_of(served) / "kept")
    assert numbers >= held.pop(tier)
    for name, others in held.items():
        assert not numbers & others, name
    assert not numbers & people.EXACT
    for name in {*NAMES} - {tier}:
        assert not re.search(rf"\b{name}\b(?!-)", text), name


@full_run
def test_two_tabs_of_a_browser_have_the_account_that_each_came_with(browser, served, provider):
    with browser_of(browser) as shared:
        first = log_in(shared, served, f"sub of {HEAD}")
        button(first, "Log out").click()
        first.wait_for_url(f"{provider}/**")  # it asks whether to end the login there, too
        second = log_in(shared, served, f"sub of {READER}")
        expect(second.get_by_role("heading", level=1)).to_contain_text("public sees")
        frames = listen(first)
        first.goto(f"{served.url}/releases")  # it has the cookie of the reader now
        button(first, "Log out").wait_for()
        settled(first)
        assert_got_only(frames, served, "public")


# A reader who speaks to the server without a browser, and says what no browser would say.


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """A dashboard with a login; no provider is asked, as the cookies are made here."""
    folder = tmp_path_factory.mktemp("attacked")
    people.keep(folder / "kept")
    with people.server(folder, free_port(), "http://127.0.0.1:9") as found:
        yield found


@pytest.fixture
def come(attacked):
    """Connect with an account; all connections end with the test."""
    with ExitStack() as stack:
        yield partial(Tab, stack, attacked)


class Tab:
    """A connection with what the server said, and what was asked of it."""

    def __init__(self, stack, attacked, user, secret=AUTH["cookie_secret"], session=""):
        said = json.dumps({"origin": attacked.url, **user})
        cookie = create_signed_value(secret, "_streamlit_user", said).decode()
        token = generate_xsrf_token_string()
        way = connect(
            attacked.url.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=["streamlit", token, *([session] if session else [])],
            additional_headers={"Cookie": f"_streamlit_user={cookie}; _streamlit_xsrf={token}"},
            origin=attacked.url,
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


def recorded(attacked):
    return [(a.what, a.who) for a in Projects(attacked.log.parent / "kept").acts()]


def assert_got_nothing_of_others(tab, attacked, own=()):
    numbers, text = tab.got
    for name, others in people.held(attacked.log.parent / "kept").items():
        assert name in own or not numbers & others, name
    assert not numbers & people.EXACT
    for name in {*NAMES} - {*own}:
        assert f"{name} " not in text, name
        assert f"“{name}”" not in text, name


def test_no_message_of_a_reader_gets_anything_of_others(come, attacked):
    head = come(claims(HEAD))
    head.ask(page_name="releases")
    assert len(head.buttons) > 4
    reader = come(claims(READER))
    reader.ask(page_name="present", query_string="tier=audit")
    numbers, text = reader.got
    own = people.held(attacked.log.parent / "kept")["public"]
    assert numbers >= own
    assert "public" in text
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.deferred_file.file_id = reader.files[-1]
    for session, made in ((head.session, False), (reader.session, True)):
        message.backend_operation_request.session_id = session
        reader.send(message)
        assert (b"/media/" in reader.frames[-1]) == made
    assert recorded(attacked)[-1] == ("hand-out", READER)
    pages = random.Random(7).sample(PAGES, 5 if FULL else 1)
    for each in [*pages, PAGES[0]]:
        for asked in ({"page_script_hash": calc_hash(each.file)}, {"page_name": each.file}):
            reader.ask(query_string="tier=audit&lecture=on&plan=x", **asked)
    presses = [WidgetState(id=name, trigger_value=True) for name in head.buttons]
    reader.ask(*presses, page_script_hash=calc_hash("releases"))
    assert head.fragments
    for fragment in head.fragments:  # the server has no such fragment here, and says nothing
        state = ClientState(fragment_id=fragment, page_script_hash=calc_hash("releases"))
        reader.socket.send(BackMsg(rerun_script=state).SerializeToString())
    reader.ask(page_name="present")
    assert_got_nothing_of_others(reader, attacked, own=("public",))
    assert not {what for what, who in recorded(attacked) if who == READER} - {
        "log in",
        "view",
        "hand-out",
    }
    assert "draw" not in [what for what, _ in recorded(attacked)]
    taken = come(claims(READER), session=head.session)  # the custodian's, if it could
    head.socket.close()
    again = come(claims(READER), session=head.session)
    for tab in (taken, again):
        tab.ask(page_name="releases")
        assert tab.session not in ("", head.session)
        assert_got_nothing_of_others(tab, attacked, own=("public",))


def test_a_cookie_of_another_server_is_no_login(come, attacked):
    for tab in (
        come(claims(HEAD), secret="f" * 64),
        come({**claims(HEAD), "origin": "http://127.0.0.1:1"}),
        come({**claims(HEAD), "is_logged_in": False}),
        come(claims(HEAD, email_verified=False)),
    ):
        tab.ask(page_name="releases")
        assert_got_nothing_of_others(tab, attacked)
        assert not tab.files
        assert len(tab.buttons) == 1
