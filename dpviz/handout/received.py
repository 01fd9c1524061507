"""Check what a recipient got: a single table, a tier's folder, or a pack, packed again or not.

Nothing but the files is needed. A table that was handed out alone is signed in itself
(`dpviz.handout.single`); each folder has a signed list (`SIGNED.json`), also that of a tier with
folders in it, a pack one more (`MANIFEST.json`), and every file below a list must stand in it,
unchanged. Anybody can sign
anything with a key of their own, so the check names the fingerprint, and says what it cannot know.
A release that was committed to lies beside its opening (`dpviz.handout.committed`), which can also
be checked alone, and against the commitment as it was published or as another tier got it.
Findings name files and never say what is written there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dpviz.errors import DataError, ParameterError
from dpviz.handout.agreement import disagreements
from dpviz.handout.committed import (
    CommitmentFile,
    OpeningFile,
    about,
    faults,
    folder_faults,
    read_committed,
)
from dpviz.handout.contents import (
    MANIFEST,
    SIGNED,
    STATED,
    AnyList,
    FolderList,
    TierList,
    digests,
    read_list,
)
from dpviz.handout.pack_zip import contradictions
from dpviz.handout.packs import OPENING, README
from dpviz.handout.signing import fingerprint, read_fingerprint
from dpviz.handout.single import MADE, may_be_table, read_signed
from dpviz.handout.unpacking import Unpacked, beginning, is_added, opened, unpacked
from dpviz.handout.verify import Finding
from dpviz.words import join
from dpviz.words.names import visible

FORMAT = "Format and version are known"
FILES = "Every listed file is there, unchanged"
NO_OTHER = "No unsigned file is there, and nothing around the files"
FACTS = "All files of a folder say the same"
SIGNATURE = "The signature is right for the key in it"
TABLE = "The table and every line above it are as they were signed"
NAMED_KEY = "The key is the one that you named"
COMMITTED = "The numbers are those that were committed to before the first release"
ONE_PATH = "All that a session released is of one commitment, so it lies on one path"
NAMED_COMMITMENT = "The commitment is the one that you named"
WHOSE = (
    "Whose key this is. Anybody can sign changed files again with another key, which has another "
    "fingerprint: compare all of it with the one on the report, or ask the sender for it by "
    "another way than the one on which the files came."
)
WHOSE_NAMED = (
    "Whether the fingerprint that you named is the sender’s: it must have come another way."
)
NOT_CHECKED = (
    "Whether the numbers were drawn as the files say. Only the sender’s ledger tells that.",
    "Whether there are other releases of the same data. Their losses add to this one’s.",
)
NOT_CHECKED_COMMITTED = (
    "Whether the exact answer was counted rightly. An auditor who has it and the seed can tell.",
    "Whether the noise was chosen among many. Only a pledge that was published before its beacon "
    "was known rules that out.",
)
PUBLISHED = (
    "Whether the commitment is the published one. Name that one, or the opening that another tier "
    "got, to have both compared."
)
NOT_CHECKED_ALONE = (
    "Whether other files belong to it. A single file speaks for itself; a pack lists its files.",
)
_CHANGED = (
    "was changed after signing, be it by a program that opened and saved it; ask for it again"
)
_CHANGED_ENDS = (
    "has other line ends than when it was signed, and is the same otherwise; a program for mail or "
    "versions does that, so ask for it as a zip"
)
_UNSIGNED = (
    "has no SIGNED.json: it was packed by a dpviz that did not sign yet, or that file was taken "
    "away; only the workspace that made it can check it"
)
_NOTHING = "holds no hand-out of dpviz; choose a tier’s folder, the pack, or a single CSV file"
_OTHER_KEY = "is signed with another key than the one that you named"
_OTHER_COMMITMENT = "belongs to another commitment than the one that you named"
_NO_NUMBERS = "is a commitment, and opens no number of it"
_NO_OPENING = f"holds no {OPENING}, so nothing shows that its numbers were committed to"
_ADDED = (
    "is not signed: computers add files of such a name, but it may hold anything; take it away, "
    "and check again"
)
_AROUND = (
    "has bytes {} that nobody signed, and another program may show them; unpack it, and check the "
    "folder"
)
_SHOWN = 100  # letters of a path


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and everything that was found wrong with it."""

    about: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Handout:
    """What one folder says it is: its facts, by name."""

    folder: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Promised:
    """What all releases in a tier's folder tell together, sentence by sentence."""

    folder: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Received:
    """What was checked, by which keys it is signed, and what no file can tell.

    Attributes:
        checks: in order; those that could not be done are not among them.
        keys: fingerprints of the keys of all lists that can be read.
        handouts: what is handed out, as its signed lists state it.
        promises: what a tier with several of these is told by all together, as its list states it.
        added: empty files that a computer added by itself.
        not_checked: sentences.
    """

    checks: tuple[Check, ...]
    keys: tuple[str, ...]
    handouts: tuple[Handout, ...]
    promises: tuple[Promised, ...]
    added: tuple[str, ...]
    not_checked: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing was found wrong."""
        return not any(check.findings for check in self.checks)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list with the path of its folder, which ends with a slash or is empty."""

    folder: str
    name: str
    content: AnyList

    @property
    def path(self) -> str:
        return f"{self.folder}{self.name}"


def verify_folder(
    source: bytes | Path, *, key: str | None = None, commitment: bytes | None = None
) -> Received:
    """Check a table, a folder, a pack, a commitment or an opening by itself, as its recipient can.

    Args:
        source: the bytes of a zip or of a single file, or the path of either or of a folder; a
            zip that another program has packed is as good.
        key: the fingerprint of the key that must have signed it, as somebody told it.
        commitment: the commitment that it must belong to: the file as it was published, or the
            opening that another tier got.

    Raises:
        DataError: one sentence, if it cannot be read at all.
        ParameterError: if `key` is no fingerprint, or `commitment` no such file.

    >>> empty = verify_folder(bytes.fromhex("504b0506" + 18 * "00"))
    >>> empty.passed, empty.checks[0].about
    (False, 'Format and version are known')
    """
    named = read_fingerprint(key) if key is not None else None
    published = None if commitment is None else _named_commitment(commitment)
    where = source.name if isinstance(source, Path) else "the file"
    if may_be_table(beginning(source)):
        return _of_tables({where: opened(source)}, named)
    if beginning(source).startswith(b"{"):
        return _of_committed(where, opened(source), named, published)
    got = unpacked(source)
    tables = {path: content for path, content in got.files.items() if not is_added(path)}
    if tables and all(map(may_be_table, tables.values())):
        return _of_tables(tables, named, got)
    places = [path for path in got.files if path.rpartition("/")[2] in (SIGNED, MANIFEST)]
    lists: list[_Listed] = []
    wrong: dict[str, list[Finding]] = {FORMAT: []}
    for path in places:
        folder = path.rpartition("/")[0]
        try:
            content = read_list(got.files[path])
            at = f"{folder}/" if folder else ""
            lists.append(_Listed(at, path.removeprefix(at), content))
        except DataError as error:
            wrong[FORMAT].append(_finding(path, str(error)))
    if not any(isinstance(one.content, FolderList) for one in lists) and not wrong[FORMAT]:
        ours = any(path.endswith(("release.json", MANIFEST)) for path in got.files)
        wrong[FORMAT].append(Finding("the pack", _UNSIGNED if ours else _NOTHING))
    openings: dict[str, OpeningFile] = {}
    if lists:
        wrong |= _looked_at(got.files, places, lists)
        openings = _note_openings(wrong, got.files, lists)
    _note_published(wrong, openings, published)
    _note_unsigned(wrong, got)
    keys = Counter(fingerprint(one.content.key) for one in lists)
    if named and lists:
        others = [one for one in lists if fingerprint(one.content.key) != named]
        wrong[NAMED_KEY] = [_finding(one.path, _OTHER_KEY) for one in others]
    return Received(
        checks=tuple(Check(about, tuple(found)) for about, found in wrong.items()),
        keys=tuple(keys),
        handouts=tuple(map(_handout, (x for x in lists if isinstance(x.content, FolderList)))),
        promises=tuple(
            Promised(visible(one.folder.rstrip("/")), tuple(map(visible, one.content.promise)))
            for one in lists
            if isinstance(one.content, TierList)
        ),
        added=tuple(_short(path) for path in got.added),
        not_checked=(
            WHOSE_NAMED if named else WHOSE,
            *_untold(published is not None, committed=bool(openings)),
        ),
    )


def _named_commitment(content: bytes) -> CommitmentFile:
    """The commitment that somebody names, by itself or in an opening.

    Raises:
        ParameterError: it cannot be read, or was changed.
    """
    try:
        said = read_committed(content)
    except DataError as error:
        raise ParameterError(f"The commitment that you named {error}") from None
    for what in faults(said):
        raise ParameterError(f"The commitment that you named {what}; ask for it again")
    return said if isinstance(said, CommitmentFile) else said.commitment


def _of_committed(
    where: str, content: bytes, named: str | None, published: CommitmentFile | None
) -> Received:
    """What a commitment or an opening that came alone says, and what is wrong with it."""
    wrong: dict[str, list[Finding]] = {FORMAT: []}
    keys: tuple[str, ...] = ()
    told: tuple[Handout, ...] = ()
    try:
        said = read_committed(content)
    except DataError as error:
        wrong[FORMAT].append(_finding(where, str(error)))
    else:
        own = said if isinstance(said, CommitmentFile) else said.commitment
        check = COMMITTED if isinstance(said, OpeningFile) else SIGNATURE
        wrong[check] = [_finding(where, what) for what in faults(said)]
        _note_published(wrong, {where: own}, published)
        keys, told = (fingerprint(own.key),), (_told(where, own.made, about(said)),)
        if named:
            wrong[NAMED_KEY] = [] if keys == (named,) else [_finding(where, _OTHER_KEY)]
    return Received(
        checks=tuple(Check(about, tuple(found)) for about, found in wrong.items()),
        keys=keys,
        handouts=told,
        promises=(),
        added=(),
        not_checked=(
            WHOSE_NAMED if named else WHOSE,
            *_untold(published is not None, committed=True),
            *NOT_CHECKED_ALONE,
        ),
    )


def _untold(published: bool, *, committed: bool) -> tuple[str, ...]:
    """What no file can tell of the numbers; less of those that were committed to."""
    if not committed:
        return NOT_CHECKED
    return (*(() if published else (PUBLISHED,)), *NOT_CHECKED_COMMITTED, NOT_CHECKED[-1])


def _note_openings(
    wrong: dict[str, list[Finding]], files: Mapping[str, bytes], lists: list[_Listed]
) -> dict[str, OpeningFile]:
    """Add what is wrong with openings, each beside its release; all that can be read, by path."""
    found: dict[str, OpeningFile] = {}
    of_session: dict[int, set[str]] = {}
    for one in lists:
        path = f"{one.folder}{OPENING}"
        if not isinstance(one.content, FolderList) or path not in files:
            continue
        findings = wrong.setdefault(COMMITTED, [])
        try:
            said = read_committed(files[path])
        except DataError as error:
            findings.append(_finding(path, str(error)))
            continue
        if not isinstance(said, OpeningFile):
            findings.append(_finding(path, _NO_NUMBERS))
            continue
        found[path] = said
        inside = {
            name.removeprefix(one.folder): content
            for name, content in files.items()
            if name.startswith(one.folder)
        }
        whats = [*faults(said), *folder_faults(said, inside, one.content)]
        findings += [_finding(path, what) for what in whats]
        of_session.setdefault(one.content.session, set()).add(said.commitment.root)
    if COMMITTED in wrong:
        wrong[COMMITTED] = _each_once(wrong[COMMITTED])
    if found:
        several = [number for number, roots in of_session.items() if len(roots) > 1]
        what = "has releases of two commitments, so they do not lie on one path"
        wrong[ONE_PATH] = [Finding(f"session {number}", what) for number in several]
    return found


def _note_published(
    wrong: dict[str, list[Finding]],
    said: Mapping[str, CommitmentFile | OpeningFile],
    published: CommitmentFile | None,
) -> None:
    """Add which openings belong to another commitment than the one that somebody named."""
    if published is None:
        return
    others = [
        path
        for path, one in said.items()
        if (one if isinstance(one, CommitmentFile) else one.commitment) != published
    ]
    wrong[NAMED_COMMITMENT] = [_finding(path, _OTHER_COMMITMENT) for path in others]
    if not said:
        wrong[NAMED_COMMITMENT] = [Finding("the pack", _NO_OPENING)]


def _of_tables(
    files: Mapping[str, bytes], named: str | None, got: Unpacked | None = None
) -> Received:
    """What files that were handed out one by one say, and what is wrong with each."""
    wrong: dict[str, list[Finding]] = {FORMAT: []}
    keys: list[str] = []
    told: list[Handout] = []
    for path, content in files.items():
        try:
            table = read_signed(content)
        except DataError as error:
            wrong[FORMAT].append(_finding(path, str(error)))
            continue
        keys.append(fingerprint(table.key))
        told.append(_told(path, table.facts[MADE], table.facts))
        found = wrong.setdefault(TABLE, [])
        if not table.is_genuine:
            found.append(_finding(path, _CHANGED))
        if named:
            others = wrong.setdefault(NAMED_KEY, [])
            if keys[-1] != named:
                others.append(_finding(path, _OTHER_KEY))
    if got is not None:
        _note_unsigned(wrong, got)
    return Received(
        checks=tuple(Check(about, tuple(found)) for about, found in wrong.items()),
        keys=tuple(dict.fromkeys(keys)),
        handouts=tuple(told),
        promises=(),
        added=tuple(_short(path) for path in got.added) if got else (),
        not_checked=(WHOSE_NAMED if named else WHOSE, *NOT_CHECKED, *NOT_CHECKED_ALONE),
    )


def _looked_at(
    files: Mapping[str, bytes], places: list[str], lists: list[_Listed]
) -> dict[str, list[Finding]]:
    """What is wrong with files, facts and signatures of the lists that can be read."""
    found: dict[str, list[Finding]] = {FILES: [], NO_OTHER: [], FACTS: [], SIGNATURE: []}
    sums = digests(files)  # once, as lists may overlap
    for one in lists:
        inside = {
            path.removeprefix(one.folder): content
            for path, content in files.items()
            if path.startswith(one.folder) and path != one.path
        }
        for name, digest in one.content.files.items():
            if name not in inside:
                found[FILES].append(_finding(f"{one.folder}{name}", "is missing"))
            elif sums[f"{one.folder}{name}"] != digest:
                found[FILES].append(_finding(f"{one.folder}{name}", _change(inside[name], digest)))
        for name in inside.keys() - one.content.files.keys():
            found[NO_OTHER].append(_finding(f"{one.folder}{name}", f"is not in {one.path}"))
        found[FACTS] += _contradictions(one, inside, lists)
        if not one.content.is_genuine:
            what = "its signature is wrong: this list was changed, or put together from others"
            found[SIGNATURE].append(_finding(one.path, what))
        elif one.content.key != lists[0].content.key:
            what = f"is signed with another key than {lists[0].path}"
            found[SIGNATURE].append(_finding(one.path, what))
    folders = tuple(path.rpartition("/")[0] + "/" if "/" in path else "" for path in places)
    alone = [path for path in files if not path.startswith(folders)]
    found[NO_OTHER] += [_finding(path, "is in no signed list") for path in alone]
    return {about: _each_once(findings) for about, findings in found.items()}


def _note_unsigned(wrong: dict[str, list[Finding]], got: Unpacked) -> None:
    """Add what is there beside the files of a hand-out, in the first place."""
    found = [_finding(path, _ADDED) for path in got.files if is_added(path)]
    if got.around:
        found.append(Finding("the zip", _AROUND.format(join(got.around))))
    wrong[NO_OTHER] = _each_once([*found, *wrong.get(NO_OTHER, [])])


def _contradictions(
    one: _Listed, inside: Mapping[str, bytes], lists: list[_Listed]
) -> Iterator[Finding]:
    """What the files below a list say otherwise than each other, or than the list."""
    if isinstance(one.content, FolderList):
        for name, what in disagreements(inside, one.content):
            yield _finding(f"{one.folder}{name}", what)
        return
    below = {x.folder: x.content for x in lists if isinstance(x.content, FolderList)}
    for entry in one.content.releases:
        said = below.get(f"{one.folder}{entry.folder}/")
        if said is None:
            continue  # its SIGNED.json is missing or unreadable, which is found already
        stated = (said.facts.get("tier", entry.tier), said.session, said.level, said.made)
        if stated != (entry.tier, entry.session, entry.level, one.content.made):
            path = f"{one.folder}{entry.folder}/{SIGNED}"
            yield _finding(path, f"is of another release than {one.path} says")
    if isinstance(one.content, TierList):
        named = {x.folder: below.get(f"{one.folder}{x.folder}/") for x in one.content.releases}
        said_of = {folder: said for folder, said in named.items() if said is not None}
        for what in contradictions(inside.get(README), one.content, said_of):
            yield _finding(f"{one.folder}{README}", what)


def _change(content: bytes, digest: str) -> str:
    """How a file differs from the one that was signed: by its line ends alone, or otherwise."""
    as_written = content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    same = digests({"": as_written})[""] == digest
    return _CHANGED_ENDS if same else "was changed after signing"


def _handout(one: _Listed) -> Handout:
    assert isinstance(one.content, FolderList)
    return _told(one.folder.rstrip("/"), one.content.made, one.content.facts)


def _told(folder: str, made: str, facts: Mapping[str, str]) -> Handout:
    """What somebody says of a hand-out, harmless to read."""
    told = [(name, visible(facts[name])) for name in STATED if name in facts]
    return Handout(_short(folder), (("made", _short(made)), *told))


def _each_once(findings: list[Finding]) -> list[Finding]:
    """The first finding of each file, in the order of their names."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.where, finding)
    return [first[where] for where in sorted(first)]


def _finding(path: str, what: str) -> Finding:
    return Finding(_short(path), _short(what, 2 * _SHOWN))


def _short(text: str, most: int = _SHOWN) -> str:
    line = visible(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"
