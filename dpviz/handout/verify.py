"""Check a pack by writing it again from the ledger, byte for byte.

A pack follows from the ledger and four choices: which releases it holds, in which folders, how they
were post-processed, and the day. These are read from its manifest, and nothing else is: the pack is
written again, with its signatures, and every byte must be the same. So nothing can hide in a file,
between two files or in the zip around them, and no number is compared with anything but the ledger.
Findings name files, lines and tiers, and never say what is written there. A pack from before groups
were renamed is written again by the names in it: then these are all that is found.
The zip of one tier's folder has no manifest: the list of this folder stands in for it. What was
promised of several releases together was true of the ledger on the day of the pack, so its words
are taken from the pack, too: only the holder of the key can have signed them.
Limits: any day from the last draw to today passes. A pack that another program has packed again is
refused, even if its files are as they were; `dpviz.handout.received` checks one by its signature.
"""

import datetime
import json
import re
import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any

from dpviz.errors import DataError, ParameterError
from dpviz.handout.contents import MANIFEST, SIGNED, TierList, read_list
from dpviz.handout.pack_zip import manifest_entry, pack_files, zipped
from dpviz.handout.packs import RELEASE_JSON
from dpviz.handout.signing import SigningKey
from dpviz.handout.tier_release import TierRelease
from dpviz.words.names import visible

_STRAY = 100  # about how many files that do not belong are listed
_ENTRY = 4_000  # more bytes than the manifest needs for one release
_HEAD = struct.Struct("<4s5H3L2H")  # what comes before each file of a zip
_NAMED = 5  # groups with another name that are listed
_SHOWN = 100  # letters of the name of a file that does not belong
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NO_ZIP = "it is not a zip that can be read; choose the zip that was downloaded here"
_PACKED_AGAIN = (
    "it was packed again by another program, or something was added around its files; choose the "
    "zip as it was downloaded here"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong in a pack, and where: a path in it, and half a sentence.

    Both may hold names from outside (a tier's, a file's), never a number from the data.
    """

    where: str
    what: str


def verify_pack(
    content: bytes,
    ledgers: Sequence[Sequence[TierRelease]],
    *,
    today: datetime.date,
    key: SigningKey,
    said: Callable[[TierRelease, Mapping[str, str]], TierRelease] = lambda release, _: release,
) -> tuple[Finding, ...]:
    """Find everything in a pack that is not as the ledger has it, and the releases it lacks.

    Args:
        content: the zip, from anybody. At most about five files for each release are looked at.
        ledgers: every release of the ledger, once for each post-processing that may be packed; of
            the folder of one tier, only its own are missed.
        today: the last day on which the pack can have been made.
        key: signed it; another key's signature is a finding.
        said: a release as it was when a file that states these facts was made.

    Returns:
        The findings; none if the pack is as `pack_zip` writes it and holds every release.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> (found,) = verify_pack(b"no zip", [[one]], today=datetime.date(2020, 1, 1),
    ...     key=SigningKey.from_private_bytes(bytes(32)))
    >>> found.where
    'the pack'
    """
    count = len(ledgers[0])
    try:
        files = _stored(content, most=6 * count + 1 + _STRAY)
    except DataError as error:
        return (Finding("the pack", str(error)),)
    try:
        named, day, lists = _stated(files, most_bytes=_ENTRY * (count + 1))
        held, missing = _chosen(named, ledgers)
        if MANIFEST not in files:
            whose = held[0].tier, held[0].practice
            missing = [r for r in missing if (r.tier, r.practice) == whose]
        made = _day(day, max(r.drawn for r in held), today)
    except DataError as error:
        return (Finding(MANIFEST, str(error)),)
    folders = [named[_told(manifest_entry(r, "").model_dump())] for r in held]
    held = [
        said(release, _facts(files.get(f"{folder}/{RELEASE_JSON}", b"")))
        for folder, release in zip(folders, held, strict=True)
    ]
    lists &= _tops(folders)
    told = {top: _tier_list(files.get(f"{top}/{SIGNED}", b"")) for top in lists}
    promises = {top: found.promise if found else () for top, found in told.items()}

    def written(releases: Sequence[TierRelease]) -> dict[str, bytes]:
        whole = pack_files(releases, made, key=key, folders=folders, promises=promises)
        return {path: text for path, text in whole.items() if path != MANIFEST or path in files}

    expected = written(held)
    found = [*_missing(missing), *_differences(files, expected)]
    if called := _as_called(files, held, folders):
        again = written(called)
        if files == again and content == zipped(again, made):
            return (*_missing(missing), *renamed(held, called))
    if len(found) == len(missing) and content != zipped(expected, made):
        found.append(Finding("the pack", _PACKED_AGAIN))
    return tuple(found)


def _stored(content: bytes, most: int) -> dict[str, bytes]:
    """The files of a zip whose files are stored as they are, from the first on, by path.

    Raises:
        DataError: if the zip does not begin with such files, or there are more than `most`.
    """
    files: dict[str, bytes] = {}
    at = 0
    while content[at : at + 4] == b"PK\x03\x04":
        if len(files) == most:
            raise DataError("it holds far more files than these releases have")
        try:
            _, _, _, method, _, _, _, packed, size, name, extra = _HEAD.unpack_from(content, at)
        except struct.error:
            raise DataError(_NO_ZIP) from None
        start = at + _HEAD.size
        at = start + name + extra + size
        path = content[start : start + name].decode("utf-8", "replace")
        if method or packed != size or path in files:
            raise DataError(_PACKED_AGAIN)
        files[path] = content[at - size : at]
    if not files:
        raise DataError(_NO_ZIP)
    return files


def _stated(files: Mapping[str, bytes], most_bytes: int) -> tuple[dict[str, str], Any, set[str]]:
    """What the manifest says of each release, as JSON, with its folder; the day; tiers with a list.

    Nothing else in it is read here: it is compared later, with the other files. Without a manifest
    the list of the only tier's folder says it.
    """
    top = "" if MANIFEST in files else next(iter(files)).split("/")[0]
    path = f"{top}/{SIGNED}" if top else MANIFEST
    if top and _tier_list(files.get(path, b"")) is None:
        raise DataError("is missing, so nothing says what the pack holds")
    try:
        if len(files[path]) > most_bytes:
            raise ValueError
        stated = json.loads(files[path])
        named = {
            _told({n: e[n] for n in e}): str(PurePosixPath(top, e["folder"]))
            for e in stated["releases"]
        }
        lists = {t for t in _tops(named.values()) if t == top or f"{t}/{SIGNED}" in stated["files"]}
        return named, stated["made"], lists
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DataError("is not the manifest of a pack of these releases") from None


def _tops(folders: Iterable[str]) -> set[str]:
    """The folders that have folders in them."""
    return {folder.split("/")[0] for folder in folders if "/" in folder}


def _told(entry: dict[str, Any]) -> str:
    """What the manifest says of one release, but for its folder."""
    return json.dumps({**entry, "folder": ""}, sort_keys=True)


def _chosen(
    named: Collection[str], ledgers: Sequence[Sequence[TierRelease]]
) -> tuple[list[TierRelease], list[TierRelease]]:
    """The releases that the manifest names, and the others; under the processing it names."""

    def parted(ledger: Sequence[TierRelease]) -> tuple[list[TierRelease], list[TierRelease]]:
        held = [r for r in ledger if _told(manifest_entry(r, "").model_dump()) in named]
        return held, [r for r in ledger if r not in held]

    held, missing = max(map(parted, ledgers), key=lambda parts: len(parts[0]))
    if not held:
        raise DataError("names no release that is in the ledger")
    return held, missing


def _tier_list(content: bytes) -> TierList | None:
    """The list of a tier's folder, if it is one; what it says is compared later."""
    with suppress(DataError):
        found = read_list(content)
        return found if isinstance(found, TierList) else None
    return None


def _day(text: Any, first: datetime.date, last: datetime.date) -> datetime.date:
    """The day on which the pack says it was made."""
    try:
        day = datetime.date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except (TypeError, ValueError):
        day = None
    if day is None or not first <= day <= last:
        raise DataError("states no day on which this pack can have been made")
    return day


def _facts(content: bytes) -> dict[str, str]:
    """The facts that a file for programs states; none if it is no such file."""
    try:
        facts = json.loads(content)["facts"]
        return {str(name): str(text) for name, text in facts.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _as_called(
    files: Mapping[str, bytes], held: Sequence[TierRelease], folders: Sequence[str]
) -> list[TierRelease]:
    """The same releases by the names of groups in the pack; empty if these are those of now."""
    found = []
    for folder, release in zip(folders, held, strict=True):
        try:
            told = json.loads(files[f"{folder}/{RELEASE_JSON}"])
            entries, labels = told["released"]["entry"], told["estimates"]["group"]
            if not all(isinstance(name, str) for name in (*entries, *labels)):
                return []
            found.append(replace(release, entries=tuple(entries), labels=tuple(labels)))
        except (ValueError, TypeError, KeyError, RecursionError, ParameterError):
            return []
    same = all(a.labels == b.labels for a, b in zip(found, held, strict=True))
    return [] if same else found


def renamed(held: Sequence[TierRelease], called: Sequence[TierRelease]) -> Iterator[Finding]:
    """Which groups have another name now, session by session.

    Args:
        held: the releases, by the names of now.
        called: the same, by earlier names.
    """
    said: dict[str, None] = {}
    for now, then in zip(held, called, strict=True):
        pairs = [
            f"“{visible(old)}” is “{visible(new)}” now"
            for old, new in zip(then.labels, now.labels, strict=True)
            if old != new
        ]
        if pairs:
            more = f", and {len(pairs) - _NAMED:,} more" if len(pairs) > _NAMED else ""
            said[f"in session {now.session} {', '.join(pairs[:_NAMED])}{more}"] = None
    for what in said:
        yield Finding(
            "names of groups",
            f"have changed since: {what}. Everything else, each number included, is as the ledger "
            "has it",
        )


def _missing(releases: Sequence[TierRelease]) -> Iterator[Finding]:
    for r in releases:
        budget = dict(r.facts).get("budget", "")
        what = f"its release of session {r.session} ({budget}) is missing from the pack"
        yield Finding(f"tier “{r.tier}”", what)


def _differences(files: Mapping[str, bytes], expected: Mapping[str, bytes]) -> Iterator[Finding]:
    """Files that are missing, differ, or do not belong in the pack."""
    for path, right in expected.items():
        if path not in files:
            yield Finding(path, "is missing")
        elif files[path] != right:
            line = _first_difference(files[path], right)
            yield Finding(path, f"line {line:,} is not what the ledger says it must be")
    for path in files:
        if path not in expected:
            yield Finding(path[:_SHOWN], "does not belong in the pack")


def _first_difference(found: bytes, right: bytes) -> int:
    """Number of the first line that differs."""
    pairs = zip_longest(found.split(b"\n"), right.split(b"\n"))
    return next(number for number, (a, b) in enumerate(pairs, start=1) if a != b)
