"""What stands in the folder of a tier beside those of its releases: a README and a signed list.

The README names what is in each folder, and what all of them tell together. The list signs it with
every file below, so that no folder can be taken away, or exchanged with one of another pack. What
they tell together is said by who knows the ledger, in sentences that both files have.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence

from dpviz.handout.contents import SIGNED, FolderList, PackEntry, TierList, digests
from dpviz.handout.packs import README, fact_of_line, one_line, paired
from dpviz.handout.signing import SigningKey, signed
from dpviz.handout.tier_release import PRACTICE, TierRelease

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
