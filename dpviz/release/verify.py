"""Check a pack by provenance: every file, column, fact and number against the ledger's releases.

A number may stand in a tier's folder only because it is that tier's release or follows from it
alone. So each cell is compared with the release, and where it differs the finding says whose number
it is, if it is another tier's or the exact one. For integer noise a release may equal the exact
answer, which proves nothing; for floats no cell may.
How far: names, facts, columns and numbers are read, not how a zip or a CSV happens to be packed.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from dpviz.errors import DataError
from dpviz.release.folder_check import (
    Finding,
    Folder,
    Source,
    check_folder,
    columns_of,
    exact_columns,
)
from dpviz.release.pack_reading import read_json, read_pack
from dpviz.release.pack_zip import (
    MANIFEST,
    NOTE,
    PACK_SCHEMA,
    VERSION,
    digest,
    folders_of,
    manifest_entry,
)
from dpviz.release.tier_release import TierRelease

Exact = Mapping[int, NDArray[Any]]  # session → exact statistic, in steps
_STRAY = 100  # files that do not belong are listed up to about so many
_FIELDS = ["schema", "note", "made", "versions", "releases", "files"]


def verify_pack(
    content: bytes, releases: Sequence[TierRelease], exact: Exact | None = None
) -> tuple[Finding, ...]:
    """Find everything in a pack that its tiers may not have, or that is not as released.

    Args:
        content: the zip, from anybody.
        releases: every release of the ledger; the pack may hold only some of them.
        exact: exact statistics by session, shape (d,), in steps, to name what was planted; and for
            float noise no cell may equal them. Without it they count as any other wrong number.

    Returns:
        The findings; none if the pack is as it was made.
    """
    try:
        files = read_pack(
            content,
            most_files=4 * len(releases) + 1 + _STRAY,
            most_bytes=sum(map(_room, releases), 1_000_000),
        )
    except DataError as error:
        return (Finding("the pack", str(error)),)
    try:
        manifest = _Manifest(files, releases)
    except DataError as error:
        return (Finding(MANIFEST, str(error)),)
    return tuple(_findings(files, manifest, releases, exact or {}))


class _Manifest:
    """A manifest whose form is right: day, versions, digests, and the ledger's releases it names.

    Raises:
        DataError: if the form is wrong or it names a release that the ledger does not have.
    """

    def __init__(self, files: Mapping[str, bytes], releases: Sequence[TierRelease]) -> None:
        if MANIFEST not in files:
            raise DataError("is missing, so nothing says what the pack holds")
        found = read_json(files[MANIFEST])
        if not isinstance(found, dict) or list(found) != _FIELDS:
            raise DataError("does not have the fields of a manifest, or has others as well")
        if found["schema"] != PACK_SCHEMA or found["note"] != NOTE:
            raise DataError("was changed, or is of another version of dpviz")
        self.made = _day(found["made"])
        self.versions = _texts(found["versions"])
        self.digests = _texts(found["files"])
        if not all(VERSION.fullmatch(text) for pair in self.versions.items() for text in pair):
            raise DataError("has a version that is none")
        self.entries = found["releases"]
        known = {(r.tier, r.session, r.level): r for r in releases}
        try:
            self.releases = [known[e["tier"], e["session"], e["level"]] for e in self.entries]
        except (KeyError, TypeError):
            raise DataError("names a release that is not in the ledger") from None
        if len(set(map(id, self.releases))) < len(self.releases):
            raise DataError("names a release twice")
        self.folders = folders_of(self.releases)


def _findings(
    files: Mapping[str, bytes],
    manifest: _Manifest,
    releases: Sequence[TierRelease],
    exact: Exact,
) -> Iterator[Finding]:
    known = list(zip(manifest.folders, manifest.releases, strict=True))
    if manifest.entries != [manifest_entry(*pair) for pair in known]:
        yield Finding(MANIFEST, "names a folder that is not its release’s")
    belonging = [MANIFEST]
    for path, release in known:
        folder = Folder(
            path=path,
            release=release,
            made=manifest.made,
            versions=manifest.versions,
            sources=_sources(release, releases, exact),
            exact=_forbidden(release, exact),
        )
        belonging += [f"{path}/{name}" for name in folder.files]
        yield from check_folder(folder, files)
    for path in files:
        if path not in belonging:
            yield Finding(path, "does not belong in the pack")
    yield from _digests(files, manifest.digests)


def _digests(files: Mapping[str, bytes], digests: Mapping[str, str]) -> Iterator[Finding]:
    found = {path: digest(content) for path, content in files.items() if path != MANIFEST}
    for path in dict.fromkeys([*found, *digests]):
        if found.get(path) != digests.get(path):
            yield Finding(MANIFEST, f"the digest of “{path}” is not that of the file")


def _sources(
    release: TierRelease, releases: Sequence[TierRelease], exact: Exact
) -> tuple[Source, ...]:
    """Whose numbers a cell may turn out to be: less private tiers' first, then the exact ones."""
    others = [r for r in releases if r is not release]
    less = [r for r in others if r.session == release.session and r.level < release.level]
    sources = [_source("the less private tier", r) for r in less]
    if release.session in exact:
        columns = partial(exact_columns, exact[release.session], release.step)
        sources.append(Source(whose="the exact answer", columns=columns))
    return (*sources, *(_source("the tier", r) for r in others if r not in less))


def _source(kind: str, release: TierRelease) -> Source:
    return Source(whose=f"those of {kind} “{release.tier}”", columns=partial(columns_of, release))


def _forbidden(release: TierRelease, exact: Exact) -> tuple[Any, ...]:
    """The exact numbers where equality would prove something: for float noise."""
    floats = release.values.dtype.kind == "f" and release.session in exact
    return tuple(exact[release.session].tolist()) if floats else ()


def _room(release: TierRelease) -> int:
    """More bytes than the files of a release can take, unpacked."""
    names = [*release.entries, *release.labels, release.tier]
    names += [text for fact in release.facts for text in fact]
    cells = 3 * len(release.entries) + len(release.derived) * len(release.labels)
    return 100_000 + 60 * sum(map(len, names)) + 200 * cells


def _day(text: Any) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except (TypeError, ValueError):
        raise DataError("has no day on which it was made") from None


def _texts(found: Any) -> dict[str, str]:
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise DataError("does not have the fields of a manifest")
    return found
