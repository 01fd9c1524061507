"""The signed lists: what is in one release's folder, in one tier's, and in the whole pack.

A folder's list goes to the tier with the folder: its files with their digests, and the facts that
every file of it must agree on. A tier with several releases has one more list, of all their
folders, with what is promised of all of them together. The pack's list stays with the maker: the
digest of a short file lets its reader test guesses about the numbers in it. Each is JSON in one
form only (see `dpviz.handout.signing`), so that not even a blank can be changed in it.
"""

import datetime
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dpviz.errors import DataError
from dpviz.handout.packs import tier_files
from dpviz.handout.signing import SigningKey, canonical, is_signed, signed
from dpviz.handout.tier_release import PRACTICE, TierRelease
from dpviz.words.names import visible

MANIFEST, SIGNED = "MANIFEST.json", "SIGNED.json"
# The facts that a folder's list states, in the order in which they are told.
STATED = (
    *(PRACTICE, "tier", "drawn before", "statistic", "definition", "budget", "unit", "noise"),
    *("kind", "mode"),
)
_LARGEST = 4_000_000  # bytes; a list has about 1,000 for each tier
_FORM = "is not one of the lists of signed files that dpviz writes"

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Strict(BaseModel):
    """No field but its own, each of its type and no other."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SignedFile(Strict):
    """What all signed files have."""

    made: str
    key: Digest
    signature: Annotated[str, Field(pattern="^[0-9a-f]{128}$")]

    @property
    def is_genuine(self) -> bool:
        """Whether the signature is right for the key in it."""
        return is_signed(self.model_dump())


class SignedList(SignedFile):
    """What all lists have."""

    files: dict[str, Digest]


class FolderList(SignedList):
    """The list of one release's folder, version 1."""

    format: Literal["dpviz hand-out"]
    version: Literal[1]
    session: int
    level: str  # a float as text, to its last digit
    facts: dict[str, str]


class PackEntry(Strict):
    """What the list of several releases says of one: whose it is, and no released number."""

    folder: str
    tier: str
    session: int
    level: str
    estimates: list[str]


class TierList(SignedList):
    """The list of the folder of a tier with several releases, each in a folder there."""

    format: Literal["dpviz tier"]
    version: Literal[1]
    releases: list[PackEntry]
    promise: list[str]  # what all of them tell together, sentence by sentence


class PackList(SignedList):
    """The list of a whole pack; packs of version 2 and older were not signed."""

    format: Literal["dpviz pack"]
    version: Literal[3]
    note: str
    releases: list[PackEntry]


AnyList = FolderList | TierList | PackList
_KINDS: dict[str, type[AnyList]] = {
    "dpviz hand-out": FolderList,
    "dpviz tier": TierList,
    "dpviz pack": PackList,
}
_NEWEST = {"dpviz hand-out": 1, "dpviz tier": 1, "dpviz pack": 3}


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of each file.

    >>> digests({"a.txt": b""})["a.txt"][:8]
    'e3b0c442'
    """
    return {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def folder_files(release: TierRelease, made: datetime.date, *, key: SigningKey) -> dict[str, bytes]:
    """All files of one release's folder, by name, with their signed list at the end.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> key = SigningKey.from_private_bytes(bytes(32))
    >>> list(folder_files(one, datetime.date(2020, 1, 1), key=key))
    ['README.txt', 'release.csv', 'release.json', 'SIGNED.json']
    """
    files = tier_files(release, made)
    facts = dict(release.facts)
    content = {
        "format": "dpviz hand-out",
        "version": 1,
        "made": made.isoformat(),
        "session": release.session,
        "level": repr(release.level),
        "facts": {name: visible(facts[name]) for name in STATED if name in facts},
        "files": digests(files),
    }
    return {**files, SIGNED: signed(content, key)}


def read_list(content: bytes) -> AnyList:
    """A signed list from anybody; whether it is true is not looked at yet.

    Raises:
        DataError: half a sentence that follows the name of the file: why it cannot be read.

    >>> read_list(b"[]")
    Traceback (most recent call last):
    dpviz.errors.DataError: is not one of the lists of signed files that dpviz writes
    """
    if len(content) > _LARGEST:
        raise DataError(_FORM)
    try:
        found = json.loads(content)
        of_one_form = canonical(found) == content
    except (ValueError, RecursionError):
        raise DataError(_FORM) from None
    with suppress(ValidationError, TypeError, KeyError):
        if of_one_form:
            return _KINDS[found["format"]].model_validate(found)
    raise DataError(_why_unread(found))


def _why_unread(found: Any) -> str:
    """Why a list that is JSON is no list of ours; a newer one is told from a wrong one."""
    if not isinstance(found, dict):
        return _FORM
    if str(found.get("schema", "")).startswith("dpviz-pack/"):
        return (
            "is of a dpviz that did not sign its packs yet; only the workspace that made this "
            "pack can check it"
        )
    newest, version = _NEWEST.get(str(found.get("format"))), found.get("version")
    if newest and type(version) is int and version > newest:
        return f"is of a newer version than this dpviz reads ({newest}); update dpviz to check it"
    return _FORM
