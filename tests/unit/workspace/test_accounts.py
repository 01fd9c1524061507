"""The file of accounts: who somebody is by what the provider says, and one sentence a mistake."""

import pytest

from dpviz.errors import ParameterError
from dpviz.workspace.accounts import (
    UNKNOWN,
    UNVERIFIED,
    Custodian,
    EndedError,
    Reader,
    StrangerError,
    accounts_at,
    accounts_in,
    name_in,
)
from tests import people
from tests.conftest import for_each
from tests.people import HEAD, READER, SUBJECT
from tests.project_workers import PROJECT

NOW = 1_900_000_000.0
ACCOUNTS = accounts_in(people.ACCOUNTS)


def said(**claims):
    return {"iat": NOW - 60, "sub": "x", **claims}


def test_a_verified_address_or_a_subject_says_who_somebody_is():
    head = said(email=HEAD.upper(), email_verified=True)
    assert ACCOUNTS.person(head, NOW) == Custodian(HEAD)
    anna = said(email=READER, email_verified=True)
    assert ACCOUNTS.person(anna, NOW) == Reader(READER, PROJECT, "public")
    carla = said(sub=SUBJECT, email=HEAD, email_verified=False)  # the subject alone counts
    assert ACCOUNTS.person(carla, NOW) == Reader(SUBJECT, PROJECT, "partners")


@for_each(
    ("claims", "why"),
    [
        ({"email": HEAD}, UNVERIFIED),
        *(({"email": HEAD, "email_verified": v}, UNVERIFIED) for v in (False, "true", 1, None)),
        ({"email": "x" + HEAD, "email_verified": True}, UNKNOWN),
        ({"email": HEAD + " ", "email_verified": True}, UNKNOWN),
        ({"email": "KELVIN@x.org".replace("K", "\u212a"), "email_verified": True}, UNKNOWN),
        ({"sub": HEAD}, UNKNOWN),  # an address is no subject
        ({"sub": None, "email": None}, UNKNOWN),
        ({"email": SUBJECT, "email_verified": True}, UNKNOWN),  # nor a subject an address
        ({"sub": [SUBJECT], "email": {"a": 1}}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_nobody_else_is_anybody(claims, why):
    with pytest.raises(StrangerError) as refused:
        ACCOUNTS.person(said(**claims), NOW)
    assert str(refused.value) == why


@for_each("begun", [NOW - 8 * 3600, NOW - 1e9, NOW + 301, float("nan"), None, True, str(NOW)])
def test_a_login_ends_after_its_hours(begun):
    claims = said(email=HEAD, email_verified=True, iat=begun)
    with pytest.raises(EndedError):
        ACCOUNTS.person(claims, NOW)
    assert ACCOUNTS.person(claims | {"iat": NOW - 8 * 3600 + 1}, NOW)
    assert ACCOUNTS.person(claims | {"iat": NOW + 299}, NOW)


def account(**fields):
    return "[[account]]\n" + "\n".join(f'{name} = "{text}"' for name, text in fields.items())


ROLE = {"role": "custodian"}
MISTAKES = {
    "hours = \n": "at line 1, column 9: there it is no TOML",
    "": "lists nobody",
    "account = 3": "lists nobody",
    "account = [3]": "lists nobody",
    "users = 3\n" + account(email=HEAD, **ROLE): "“users” that means nothing here",
    account(email=HEAD, **ROLE, tiers="a"): "Account 1 has a field “tiers”",
    account(**ROLE): "Account 1 needs one name",
    account(email=HEAD, subject="x", **ROLE): "Account 1 needs one name",
    account(email="head", **ROLE): "Account 1 has no usable e-mail",
    account(email="a b@x.org", **ROLE): "Account 1 has no usable e-mail",
    account(email="hеad@x.org", **ROLE): "Account 1 has no usable e-mail",  # Cyrillic
    account(email=HEAD): "Account 1 lacks what it may see",
    account(email=HEAD, tier="a"): "Account 1 lacks one of project and tier",
    account(email=HEAD, role="admin"): "Account 1 has a role that does not exist",
    account(email=HEAD, role="reader", project="p", tier="a"): "a role that does not exist",
    account(email=HEAD, **ROLE, tier="a"): "leave project and tier out, or the role",
    account(email=HEAD, tier="", project="p"): "tier of account 1 is no short text",
    "[[account]]\nsubject = 3\nrole = 'custodian'": "subject of account 1 is no short text",
    account(email=HEAD, **ROLE) + "\n" + account(email=HEAD.upper(), tier="a", project="p"): (
        "Account 2 is there twice"
    ),
    "hours = 0\n" + account(email=HEAD, **ROLE): "hours in the file",
    "hours = inf\n" + account(email=HEAD, **ROLE): "hours in the file",
    "hours = true\n" + account(email=HEAD, **ROLE): "hours in the file",
    "hours = 721\n" + account(email=HEAD, **ROLE): "hours in the file",
}


@for_each("text", MISTAKES)
def test_each_mistake_has_one_sentence(text):
    with pytest.raises(ParameterError) as refused:
        accounts_in(text)
    sentence = str(refused.value)
    assert MISTAKES[text] in sentence
    assert "\n" not in sentence


def test_the_file_is_read_only_if_nobody_else_may_write_it(tmp_path):
    file = people.write(tmp_path / "accounts.toml")
    assert accounts_at(file) == ACCOUNTS
    file.chmod(0o644)
    assert accounts_at(file) == ACCOUNTS
    for mode, why in ((0o664, "Others may write"), (0o646, "Others may write")):
        file.chmod(mode)
        with pytest.raises(ParameterError, match=why):
            accounts_at(file)
    file.chmod(0o600)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ParameterError, match="is no text"):
        accounts_at(file)
    file.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ParameterError, match="above 1 MB"):
        accounts_at(file)
    for missing in (tmp_path, tmp_path / "none", "a\0b"):
        with pytest.raises(ParameterError, match="cannot be read"):
            accounts_at(missing)


def test_strangers_have_a_name_in_the_record():
    assert name_in({"sub": "s\u202e1"}) == "subject s⟨U+202E⟩1"
    assert name_in({"email": "a@b.org", "email_verified": False}) == "a@b.org (not verified)"
    assert len(name_in({"email": "a" * 10_000})) < 400
    assert name_in({"sub": 3}) == "an account without a name"
