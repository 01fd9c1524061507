"""All hand-outs as one zip: a signed folder per tier, and a manifest for who holds them all.

The same releases on the same day give the same bytes, on every machine: the files are stored as
they are, because a compressed file can be written in many ways, which differ between builds of the
library that compresses and could carry a message. 100,000 groups take about 20 MB for each tier.
The manifest names tiers and files with their SHA-256 and holds no released number. It stays with
the maker: the digest of a short file lets its reader test guesses about the numbers in it, so a
tier gets its own folder and no more, which may be a zip by itself, without the manifest. Folders
and manifest are signed (`dpviz.handout.contents`).

What stands in the folder of a tier beside those of its releases: a README and a signed list.

The README names what is in each folder, and what all of them tell together. The list signs it with
every file below, so that no folder can be taken away, or exchanged with one of another pack. What
they tell together is said by who knows the ledger, in sentences that both files have.
"""

import datetime
import io
import re
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from dpviz.errors import ParameterError
from dpviz.handout.contents import (
    MANIFEST,
    SIGNED,
    FolderList,
    PackEntry,
    TierList,
    digests,
    folder_files,
)
from dpviz.handout.packs import README, fact_of_line, one_line, paired
from dpviz.handout.signing import SigningKey, signed
from dpviz.handout.tier_release import PRACTICE, TierRelease
from dpviz.words.names import visible

_CHECKING = (
    "    a signed list of all files here; “dpviz verify” with the name of this folder checks them"
)


def tier_folder(
    releases: Mapping[str, TierRelease],
    entries: Sequence[PackEntry],
    files: Mapping[str, bytes],
    promise: Sequence[str],
    made: datetime.date,
    *,
    key: SigningKey,
) -> dict[str, bytes]:
    """A tier's folder with several releases: README.txt, those of the releases, and the list.

    Args:
        releases: by the name of their folder.
        entries: what the list says of them.
        files: those of the releases, by path.
        promise: what all of them tell together, sentence by sentence.
        made: the day.
        key: signs the list.

    >>> import numpy as np
    >>> facts = (("statistic", "pay"), ("budget", "ρ = 1"), ("accuracy", "within ±2"))
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=facts, labels=("a",))
    >>> key = SigningKey.from_private_bytes(bytes(32))
    >>> files = tier_folder({"pay": one}, [], {}, ["In all: ρ = 1."], one.drawn, key=key)
    >>> files["README.txt"].decode("utf-8-sig").splitlines()[3]
    'pay/  pay: ρ = 1; within ±2'
    """
    said = [one_line(sentence) for sentence in promise]
    files = {README: _readme(releases, said, made), **files}
    content = {
        "format": "dpviz tier",
        "version": 1,
        "made": made.isoformat(),
        "releases": [entry.model_dump() for entry in entries],
        "promise": said,
        "files": digests(files),
    }
    return {**files, SIGNED: signed(content, key)}


def _readme(
    releases: Mapping[str, TierRelease], promise: Sequence[str], made: datetime.date
) -> bytes:
    each = [dict(release.facts) for release in releases.values()]
    title = _title(next(iter(releases.values())).tier, each[0])
    told = [
        (f"{folder}/", f"{_about(facts)}; {facts['accuracy']}")
        for folder, facts in zip(releases, each, strict=True)
    ]
    lines = [title, "=" * len(title), "", *paired(told), "", *_together(promise), "-----", ""]
    lines += [SIGNED, _CHECKING, "", _day(made.isoformat()), ""]
    return "\r\n".join(lines).encode("utf-8-sig")


def _title(tier: str, facts: Mapping[str, str]) -> str:
    if PRACTICE in facts:
        return f"Practice releases for {one_line(tier)}: do not publish these numbers"
    return f"Releases for {one_line(tier)}"


def _about(facts: Mapping[str, str]) -> str:
    """What a release is of, and its budget."""
    return f"{facts.get('statistic', '')}: {facts.get('budget', '')}"


def _together(promise: Sequence[str]) -> list[str]:
    return ["Together", "--------", "", *promise, "", "Files"]


def _day(made: str) -> str:
    return f"Made on {made} with dpviz."


def contradictions(
    readme: bytes | None, said: TierList, below: Mapping[str, FolderList]
) -> Iterator[str]:
    """What the README of a tier says otherwise than its list, and those of its folders.

    Args:
        readme: from anybody; one that is missing is found already.
        said: the list.
        below: the lists of the folders, by name.

    Yields:
        Half a sentence that follows the name of the README.

    >>> said = TierList(format="dpviz tier", version=1, made="2020-01-01", releases=[],
    ...     promise=["In all: ρ = 1."], files={}, key="00" * 32, signature="00" * 64)
    >>> list(contradictions(b"In all: nothing.", said, {}))
    ['says another promise or day than SIGNED.json']
    """
    if readme is None:
        return
    lines = readme.decode("utf-8-sig", "replace").splitlines()
    facts = dict(filter(None, map(fact_of_line, lines)))
    for folder, one in below.items():
        if not facts.get(f"{folder}/", "").startswith(one_line(_about(one.facts))):
            yield f"says another statistic or budget than {folder}/{SIGNED}"
    if {name for name in facts if name.endswith("/")} != {f"{x.folder}/" for x in said.releases}:
        yield f"names other folders than {SIGNED}"
    tier = said.releases[0].tier if said.releases else ""
    titles = {_title(tier, one.facts) for one in below.values()}
    if titles and {*lines[:1]} != titles:
        yield f"says another tier than {SIGNED}"
    block = _together(said.promise)
    start = lines.index(block[0]) if block[0] in lines else 0
    if lines[start : start + len(block)] != block or _day(said.made) not in lines:
        yield f"says another promise or day than {SIGNED}"


NOTE = (
    "Hand out single folders. Keep this file: a digest lets its reader test guesses about the "
    "numbers of other tiers."
)
# What must stand beside every number.
REQUIRED_FACTS = (
    "statistic",
    "definition",
    "budget",
    "unit",
    "neighbours",
    "sensitivity",
    "accuracy",
    "kind",
    "mode",
)
Promises = Mapping[str, Sequence[str]]  # sentences, by the folder of a tier with several releases
NONE: Promises = MappingProxyType({})
Thing = TypeVar("Thing")
_LONGEST = 40  # letters of a folder's name
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)  # by Windows
_YEARS = range(1980, 2108)  # that a zip can write


def pack_zip(
    releases: Sequence[TierRelease],
    *,
    made: datetime.date,
    key: SigningKey,
    promises: Promises = NONE,
    alone: bool = False,
) -> bytes:
    """Write the hand-outs of these releases as one zip.

    Args:
        releases: one for each tier, session and level.
        made: the day; it is in every file and is the time of every file in the zip.
        key: signs the list of each folder and the manifest.
        promises: what a tier with `several_of` these releases learns by all, by its folder.
        alone: whether the zip is for a tier: without the manifest, if it is one folder with a list.

    Returns:
        A zip: MANIFEST.json and a folder per tier with README.txt, release.csv, release.json,
        SIGNED.json and, where estimates are derived, estimates.csv. A tier with several releases
        has a folder in its folder for each of them, with the name of the statistic; where there is
        a promise of them, a README.txt and a SIGNED.json of them all stand beside these.

    Raises:
        ParameterError: if there is no release, one is there twice, one lacks a fact that must
            stand beside its numbers, or the day cannot be written or lies before a draw.
    """
    files = pack_files(releases, made, key=key, promises=promises)
    if alone and len(promises) == 1 and {MANIFEST, *promises} == {p.split("/")[0] for p in files}:
        del files[MANIFEST]
    return zipped(files, made)


def pack_files(
    releases: Sequence[TierRelease],
    made: datetime.date,
    *,
    key: SigningKey,
    folders: Sequence[str] | None = None,
    promises: Promises = NONE,
) -> dict[str, bytes]:
    """All files of a pack by path, the manifest first; arguments and refusals of `pack_zip`.

    Args:
        releases: one for each tier, session and level.
        made: the day.
        key: signs the lists.
        folders: the path of each release's folder, if not that of `folders_of`.
        promises: of tiers with several releases.
    """
    _check(releases, made)
    files: dict[str, bytes] = {}
    folders = folders or folders_of(releases)
    for folder, release in zip(folders, releases, strict=True):
        for name, content in folder_files(release, made, key=key).items():
            files[f"{folder}/{name}"] = content
    for top, promise in sorted(promises.items()):
        held = _below(top, dict(zip(folders, releases, strict=True)))
        entries = [manifest_entry(release, folder) for folder, release in held.items()]
        whole = tier_folder(held, entries, _below(top, files), promise, made, key=key)
        files |= {f"{top}/{name}": content for name, content in whole.items()}
    stated = {
        "format": "dpviz pack",
        "version": 3,
        "note": NOTE,
        "made": made.isoformat(),
        "releases": [
            manifest_entry(release, folder).model_dump()
            for folder, release in zip(folders, releases, strict=True)
        ],
        "files": digests(files),
    }
    return {MANIFEST: signed(stated, key), **files}


def _below(folder: str, paths: Mapping[str, Thing]) -> dict[str, Thing]:
    """What lies in a folder, by its path there."""
    start = f"{folder}/"
    return {p.removeprefix(start): thing for p, thing in paths.items() if p.startswith(start)}


def zipped(files: Mapping[str, bytes], made: datetime.date) -> bytes:
    """A zip of these files in this order, each stored as it is.

    >>> content = zipped({"a.txt": b"a"}, datetime.date(2020, 1, 1))
    >>> zipfile.ZipFile(io.BytesIO(content)).read("a.txt")
    b'a'
    """
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, (made.year, made.month, made.day, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, content)
    return sink.getvalue()


def folders_of(releases: Sequence[TierRelease]) -> list[str]:
    """Path of the folder of each release, safe on every system and each its own.

    A tier keeps one folder, and another one for practice; if it has several releases, each has a
    folder there with the name of its statistic: what somebody calls it, or what it is.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit office", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("statistic", "pay per “ward”"),), labels=("a",))
    >>> from dataclasses import replace
    >>> folders_of([one]), folders_of([one, replace(one, session=2)])
    (['audit-office'], ['audit-office/pay-per-ward', 'audit-office/pay-per-ward-2'])
    >>> folders_of([replace(one, name="Pay"), replace(one, session=2)])
    ['audit-office/Pay', 'audit-office/pay-per-ward']
    """
    whose = [(r.practice, r.tier) for r in releases]
    names = [f"{PRACTICE} {tier}" if trial else tier for trial, tier in dict.fromkeys(whose)]
    tops = dict(zip(dict.fromkeys(whose), unique([safe(name) for name in names]), strict=True))
    inner = [safe(r.name or dict(r.facts).get("statistic", "")) for r in releases]
    pairs = zip(whose, inner, strict=True)
    return unique([f"{tops[w]}/{i}" if whose.count(w) > 1 else tops[w] for w, i in pairs])


def several_of(releases: Sequence[TierRelease]) -> dict[str, list[TierRelease]]:
    """The tiers with several releases, by the path of their folder.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("statistic", "pay"),), labels=("a",))
    >>> from dataclasses import replace
    >>> list(several_of([one, replace(one, session=2), replace(one, tier="public")]))
    ['audit']
    """
    found: dict[str, list[TierRelease]] = {}
    for folder, release in zip(folders_of(releases), releases, strict=True):
        top, inside, _ = folder.partition("/")
        if inside:
            found.setdefault(top, []).append(release)
    return found


def manifest_entry(release: TierRelease, folder: str) -> PackEntry:
    """What the manifest says of a release: whose it is, and no released number.

    The columns of its estimates are named because the post-processing is a choice.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> manifest_entry(one, "audit")
    PackEntry(folder='audit', tier='audit', session=1, level='4.0', estimates=[])
    """
    return PackEntry(
        folder=folder,
        tier=visible(release.tier),
        session=release.session,
        level=repr(release.level),
        estimates=[name for name, _ in release.derived],
    )


def _check(releases: Sequence[TierRelease], made: datetime.date) -> None:
    if not releases:
        raise ParameterError("there is no release to pack; draw one first")
    keys = [(release.tier, release.session, release.level) for release in releases]
    if len(set(keys)) < len(keys):
        raise ParameterError("the same release appears twice; pass each tier's release once")
    for release in releases:
        missing = [name for name in REQUIRED_FACTS if name not in dict(release.facts)]
        if missing:
            raise ParameterError(
                f"a release lacks the fact {missing[0]!r}, which must stand beside its numbers; "
                "add it to facts"
            )
    if made.year not in _YEARS:
        raise ParameterError(f"made must lie in the years {_YEARS[0]} to {_YEARS[-1]}")
    if any(made < release.drawn for release in releases):
        raise ParameterError("made lies before the day of a draw; pass the day of the hand-out")


def safe(name: str, longest: int = _LONGEST) -> str:
    """Letters and digits of the name with hyphens between; never empty or a reserved word.

    >>> safe("../../etc"), safe("CON"), safe("top floor"), safe("…")
    ('etc', 'CON-tier', 'top-floor', 'tier')
    """
    letters = unicodedata.normalize("NFKC", visible(name))
    words = "".join(c if c.isalnum() else " " for c in letters).split()
    short = "-".join(words)[:longest].strip("-")
    return f"{short}-tier" if _RESERVED.fullmatch(short) else short or "tier"


def unique(names: Sequence[str]) -> list[str]:
    """The names, numbered from the second on where they are alike; capitals make no difference.

    >>> unique(["a", "A", "a-2"])
    ['a', 'A-2', 'a-2-2']
    """
    taken: set[str] = set()
    found_all = []
    for name in names:
        number, found = 1, name
        while found.casefold() in taken:
            number += 1
            found = f"{name}-{number}"
        taken.add(found.casefold())
        found_all.append(found)
    return found_all
