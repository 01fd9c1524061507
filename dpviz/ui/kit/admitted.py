"""Who may come in: where the person who runs the server asks for a login, and nowhere else.

A login is asked for where `secrets.toml` has a section [auth] or DPVIZ_ACCOUNTS names a file of
accounts; unless both are right, nobody comes in. Streamlit does the login (OpenID Connect) and
keeps it in a signed cookie, which it reads when a tab connects. What the person may see is looked
up again in every run, at every press and at every download, so that who is taken out is out at
once. Presses and downloads need that, because Streamlit runs their functions before app.py, or
beside it.
"""

import logging
import os
import time
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from importlib.util import find_spec
from typing import Any, TypeVar
from urllib.parse import urlsplit

import streamlit as st
from streamlit.auth_util import get_secrets_auth_section

from dpviz.errors import ParameterError
from dpviz.workspace.accounts import (
    ACCOUNTS,
    LOG_IN_AGAIN,
    Accounts,
    EndedError,
    Person,
    Reader,
    accounts_at,
    name_in,
)
from dpviz.workspace.keeping import InMemory, Keeper
from dpviz.workspace.projects import PLACE, Projects, place_from

CLOSED = (
    "The login of this dashboard is not set up right, so nobody can come in. Tell the person who "
    "runs it: the reason is in the log of the server"
)
NOT_YOURS = "This page is not open to your account. Open the address of the dashboard again"
_NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
_OTHERS = ("client_kwargs", "expose_tokens")
_SHORTEST = 32  # letters of the secret that signs the cookie
_HERE = ("localhost", "127.0.0.1", "::1")
T = TypeVar("T")
_log = logging.getLogger(__name__)


class ClosedError(ParameterError):
    """The login of the dashboard is not set up right; why is in the log."""


def asked() -> bool:
    """Whether this dashboard asks for a login."""
    return bool(os.environ.get(ACCOUNTS)) or has_auth(int(time.monotonic()))


@lru_cache(maxsize=1)
def has_auth(_second: int) -> bool:
    """Whether `secrets.toml` asks for a login; looked for once a second, as each widget asks.

    Args:
        _second: in which it is asked.
    """
    return bool(get_secrets_auth_section())


def person() -> Person | None:
    """Who uses this tab; None where no login is asked for, and everybody may do everything.

    Raises:
        EndedError: if nobody has logged in, or too long ago.
        StrangerError: if the account may see nothing here.
        ClosedError: if the login is not set up right.
    """
    return who_is(dict(st.user)) if asked() else None


def who_is(claims: Mapping[str, Any]) -> Person:
    """Who has logged in, by what the provider says.

    Raises:
        ParameterError: as for `person`.
    """
    people = accounts()
    if not claims.get("is_logged_in"):
        raise EndedError(LOG_IN_AGAIN)
    return people.person(claims, time.time())


def accounts() -> Accounts:
    """The accounts as they are now.

    Raises:
        ClosedError: if they or the login are not set up right.
    """
    try:
        check_login(get_secrets_auth_section())
        _place()
        return _accounts()
    except ParameterError as error:
        _log.error("Nobody can log in: %s.", error)
        raise ClosedError(CLOSED) from None


def check_start() -> None:
    """Refuse to start where a file of accounts is named and cannot be used.

    Raises:
        ParameterError: why.
    """
    if os.environ.get(ACCOUNTS):
        _accounts()
        _place()
        _check_installed()


def check_login(auth: Mapping[str, Any]) -> None:
    """Refuse a section [auth], or an option of the server, by which somebody could come in wrongly.

    Args:
        auth: the section of `secrets.toml`.

    Raises:
        ParameterError: what is wrong, and what to write instead.

    >>> check_login({"client_id": "dpviz"})
    Traceback (most recent call last):
    dpviz.errors.ParameterError: [auth] in secrets.toml lacks redirect_uri; write it there
    """
    missing = [name for name in _NEEDED if not auth.get(name)]
    if missing:
        raise ParameterError(f"[auth] in secrets.toml lacks {missing[0]}; write it there")
    others = [name for name in auth if name not in (*_NEEDED, *_OTHERS)]
    if others:
        raise ParameterError(
            f"[auth] in secrets.toml has {others[0]}, which dpviz does not know: it takes one "
            "provider; leave it out"
        )
    if len(str(auth["cookie_secret"])) < _SHORTEST:
        raise ParameterError(
            f"cookie_secret of [auth] has fewer than {_SHORTEST} letters, so it could be guessed; "
            "write a random one, such as that of: openssl rand -hex 32"
        )
    back = urlsplit(str(auth["redirect_uri"]))
    if not back.path.endswith("/oauth2callback") or not (
        back.scheme == "https" or (back.scheme == "http" and back.hostname in _HERE)
    ):
        raise ParameterError(
            "redirect_uri of [auth] is the https address of the dashboard with /oauth2callback at "
            "its end; write that"
        )
    _check_installed()
    if st.get_option("server.trustedUserHeaders"):
        raise ParameterError(
            "The option server.trustedUserHeaders lets headers say who somebody is; leave it out"
        )
    if not st.get_option("server.enableXsrfProtection"):
        raise ParameterError("The option server.enableXsrfProtection is off; switch it on")


def guarded(act: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """An act of a widget, which does nothing once the person who was shown the widget may not.

    Streamlit runs such an act before app.py, which would find out.

    Args:
        act: the act, if there is one.
    """
    if act is None or not asked():
        return act
    before = person()

    def checked(*args: object) -> Any:
        return act(*args) if _is_still(before) else None  # app.py, which runs next, says why

    return checked


def _is_still(before: Person | None) -> bool:
    """Whether the same person uses this tab, and may see as much."""
    try:
        return person() == before
    except ParameterError:
        return False


def guarded_part(inside: Callable[[], T]) -> Callable[[], T]:
    """What is inside a fragment, which Streamlit runs without app.py; else the whole page is run.

    Args:
        inside: what shows the fragment.
    """
    if not asked():
        return inside
    before = person()

    @wraps(inside)
    def checked() -> T:
        if not _is_still(before):
            st.rerun()
        return inside()

    return checked


def guarded_file(data: bytes | Callable[[], bytes]) -> bytes | Callable[[], bytes]:
    """A file that is made when it is asked for, if the person still may have it.

    Args:
        data: the file, or what makes it.
    """
    if not callable(data) or not asked():
        return data
    before, claims = person(), dict(st.user)  # the file is made where Streamlit knows no user

    def checked() -> bytes:
        if who_is(claims) != before:
            raise ParameterError(NOT_YOURS)
        return data()

    return checked


def check_custodian() -> None:
    """Refuse a workspace to everybody who may not see everything.

    Raises:
        ParameterError: to a reader, or as for `person`.
    """
    if isinstance(person(), Reader):
        raise ParameterError(NOT_YOURS)


def keeper() -> Keeper:
    """Where a new workspace is kept: in memory, with a record of what is done where people log in.

    Raises:
        ParameterError: if there can be no record.
    """
    return InMemory(record=projects().note) if asked() else InMemory()


def projects(place: str | None = None) -> Projects:
    """The projects of a place, for the person who uses this tab.

    Args:
        place: a folder, or the URL of a database; None for that of this dashboard.

    Raises:
        ParameterError: if they cannot be opened.
    """
    who = person()
    return Projects(place or _place(), who=None if who is None else who.who)


def note_stranger() -> None:
    """Write down that somebody who had logged in was turned away.

    Raises:
        ParameterError: if it cannot be written.
    """
    Projects(_place(), who=name_in(dict(st.user))).note("turned away")


def _place() -> str:
    place = place_from(os.environ, shared=True)
    if place is None:
        raise ParameterError(
            f"With a login, releases and the record of who did what are kept; name their place in "
            f"{PLACE}"
        )
    return place


def _accounts() -> Accounts:
    path = os.environ.get(ACCOUNTS)
    if not path:
        raise ParameterError(
            "There is a section [auth] in secrets.toml, but no file says who may see what; name "
            f"one in {ACCOUNTS}, or take [auth] out"
        )
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return accounts_at(path)  # refuses, and says why
    return _read(path, (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=1)
def _read(path: str, _state: tuple[int, ...]) -> Accounts:
    """A file of accounts, read once for each state that it is in."""
    return accounts_at(path)


def _check_installed() -> None:
    if find_spec("authlib") is None or find_spec("httpx") is None:
        raise ParameterError('A login needs two more packages; type: pip install "dpviz[login]"')
