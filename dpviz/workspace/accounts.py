"""Who may see what, where people log in: the file of accounts, and what it says of one person.

    hours = 12

    [[account]]
    email = "head@example.org"
    role = "custodian"

    [[account]]
    subject = "a1b2c3"
    project = "visits 2026"
    tier = "public"

The person who runs the server writes it, and it is read again whenever somebody does something; so
who is taken out of it is out. A custodian may do and see everything; anybody else sees the releases
of one tier of one project. An e-mail address counts only if the provider says that it has verified
it; a subject is the provider's own, lasting name of an account.
Limits: it trusts the provider of the logins in what it says of a person.
"""

import math
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dpviz import checks
from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.words.grammar import uncapitalised
from dpviz.words.names import visible

ACCOUNTS = "DPVIZ_ACCOUNTS"  # in the environment: the file of accounts
USUAL_HOURS, MOST_HOURS = 12.0, 720.0  # Streamlit's own cookie lasts 30 days
_AHEAD = 300.0  # seconds by which the provider's clock may be ahead of ours
_LARGEST = 1_000_000  # bytes of the file
_LONGEST = 320  # letters of an address or a subject
_FIELDS = ("email", "subject", "role", "project", "tier")
_ADDRESS = re.compile(r"[!-?A-~]+@[!-?A-~]+", re.ASCII)
_PLACE = re.compile(r"\(at (line \d+, column \d+|end of document)\)")

UNKNOWN = (
    "This account has no access to this dashboard. Ask the person who runs it to add the account, "
    "or log out and use another one"
)
UNVERIFIED = (
    "The e-mail address of this account is not verified, so it opens nothing here. Verify it where "
    "you log in, or ask the person who runs this dashboard to add the account by its subject"
)
LOG_IN_AGAIN = "Your login here has ended. Log in again"

Names = Literal["email", "subject"]


class StrangerError(ParameterError):
    """Somebody has logged in who may see nothing here."""


class EndedError(ParameterError):
    """Somebody logged in too long ago, or at no time that can be told."""


@dataclass(frozen=True, slots=True)
class Custodian:
    """Somebody who may do and see everything."""

    who: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who sees what one tier of one project was given, and nothing else."""

    who: str
    project: str
    tier: str


Person = Custodian | Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """The people of a file of accounts.

    Attributes:
        people: by the kind of their name and the name, as the file has them.
        hours: after so long everybody logs in again.
    """

    people: Mapping[tuple[Names, str], Person]
    hours: float = USUAL_HOURS

    def __post_init__(self) -> None:
        checks.positive(hours=self.hours)

    def person(self, claims: Mapping[str, Any], now: float) -> Person:
        r"""Who has logged in.

        Args:
            claims: what the provider says of the account.
            now: in seconds since 1970.

        Raises:
            EndedError: if the login is too old.
            StrangerError: if the account may see nothing here; the text says why.

        >>> people = accounts_in('[[account]]\nemail = "a@b.org"\nrole = "custodian"')
        >>> claims = {"email": "A@b.org", "email_verified": True, "iat": 1e9}
        >>> people.person(claims, now=1e9 + 60)
        Custodian(who='a@b.org')
        """
        begun = claims.get("iat")
        if isinstance(begun, bool) or not isinstance(begun, int | float):
            raise EndedError(LOG_IN_AGAIN)
        if not -_AHEAD <= now - begun < 3600 * self.hours:
            raise EndedError(LOG_IN_AGAIN)
        subject, email = claims.get("sub"), claims.get("email")
        found = self.people.get(("subject", subject)) if isinstance(subject, str) else None
        if found is not None:
            return found
        if not isinstance(email, str) or not email:
            raise StrangerError(UNKNOWN)
        if claims.get("email_verified") is not True:
            raise StrangerError(UNVERIFIED)
        known = self.people.get(("email", email.lower())) if email.isascii() else None
        if known is None:
            raise StrangerError(UNKNOWN)
        return known


def name_in(claims: Mapping[str, Any]) -> str:
    """What the record calls somebody who has logged in and is in no file of accounts.

    >>> name_in({"sub": "a1", "email": "a@b.org"}), name_in({})
    ('a@b.org (not verified)', 'an account without a name')
    """
    email, subject = claims.get("email"), claims.get("sub")
    if isinstance(email, str) and email:
        sure = claims.get("email_verified") is True
        return visible(email)[:_LONGEST] + ("" if sure else " (not verified)")
    if isinstance(subject, str) and subject:
        return f"subject {visible(subject)[:_LONGEST]}"
    return "an account without a name"


def accounts_at(path: Path | str) -> Accounts:
    """The accounts of a file.

    Raises:
        ParameterError: if it cannot be read, others can write it, or it has a mistake in it.
    """
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        raise ParameterError(
            f"The file of accounts cannot be read; check the path in {ACCOUNTS}, and that the "
            "account that runs this dashboard may read it"
        ) from None
    if stat.S_IMODE(mode) & 0o022:
        raise ParameterError(
            "Others may write the file of accounts, and so let themselves in; type chmod 600 and "
            "its name"
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ParameterError("The file of accounts is no text; save it as UTF-8") from None
    if len(content) > _LARGEST:
        raise ParameterError("The file of accounts is above 1 MB; name the right file")
    return accounts_in(text)


def accounts_in(text: str) -> Accounts:
    r"""The accounts of a text in TOML.

    Raises:
        ParameterError: the first mistake, with its place and what to write instead.

    >>> accounts_in('[[account]]\nemail = "a@b.org"\nsubject = "a1"\nrole = "custodian"')
    Traceback (most recent call last):
    dpviz.errors.ParameterError: Account 1 needs one name; write either email or subject
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        where = f" at {place[1]}" if place else ""
        raise ParameterError(
            f"The file of accounts has a mistake{where}: there it is no TOML; correct that line"
        ) from None
    _check_known(found, ("hours", "account"), "The file of accounts")
    listed = found.get("account")
    if not isinstance(listed, list) or not listed or not all(isinstance(x, dict) for x in listed):
        raise ParameterError(
            "The file of accounts lists nobody; begin each account with a line [[account]]"
        )
    people: dict[tuple[Names, str], Person] = {}
    for number, one in enumerate(listed, start=1):
        name, person = _read(one, f"Account {number}")
        if name in people:
            raise ParameterError(
                f"Account {number} is there twice: {quoted(name[1])}; leave one of the two out"
            )
        people[name] = person
    return Accounts(people=people, hours=_hours(found.get("hours", USUAL_HOURS)))


def _hours(found: object) -> float:
    if isinstance(found, int | float) and not isinstance(found, bool):
        hours = float(found)
        if math.isfinite(hours) and 0 < hours <= MOST_HOURS:
            return hours
    raise ParameterError(
        "hours in the file of accounts says after how long everybody logs in again; write a number "
        f"above 0 and up to {MOST_HOURS:.0f}, such as 12"
    )


def _read(one: Mapping[str, Any], where: str) -> tuple[tuple[Names, str], Person]:
    """Name and rights of one account."""
    _check_known(one, _FIELDS, where)
    for field, text in one.items():
        if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
            raise ParameterError(
                f"{field} of {uncapitalised(where)} is no short text; write it between "
                "quotation marks"
            )
    name, tier = _name(one, where), {"project", "tier"} & one.keys()
    if "role" not in one and len(tier) == 2:
        return name, Reader(name[1], one["project"].strip(), one["tier"].strip())
    if one.get("role") == "custodian" and not tier:
        return name, Custodian(name[1])
    if one.get("role", "custodian") != "custodian":
        what = "has a role that does not exist"
    elif "role" in one:
        raise ParameterError(
            f"{where} is a custodian, who sees all tiers; leave project and tier out, or the role"
        )
    else:
        what = f"lacks {'what it may see' if not tier else 'one of project and tier'}"
    raise ParameterError(f'{where} {what}; write role = "custodian", or both project and tier')


def _name(one: Mapping[str, Any], where: str) -> tuple[Names, str]:
    """By what an account is known: its e-mail address, or its subject."""
    if ("email" in one) == ("subject" in one):
        raise ParameterError(f"{where} needs one name; write either email or subject")
    if "subject" in one:
        return "subject", one["subject"]
    address = one["email"].strip().lower()
    if not _ADDRESS.fullmatch(address):
        raise ParameterError(
            f"{where} has no usable e-mail address; write one such as anna@example.org, or the "
            "subject of the account instead"
        )
    return "email", address


def _check_known(found: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    for field in found:
        if field not in known:
            raise ParameterError(
                f"{where} has a field {quoted(field)} that means nothing here; leave it out, as "
                f"only these do: {', '.join(known)}"
            )
