"""COMMITMENT.json and OPENING.json: a commitment as it is published, and what a tier gets of it.

The first is signed and holds no number from the data. The second holds one release, with its salt,
its proof and the whole commitment, so that a tier needs no other file to check it; that the
commitment is the published one, it sees by comparing the two. Both are JSON in one form only
(`dpviz.handout.signing`). What they prove: `dpviz.release.commitment`.
"""

import datetime
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.errors import DataError, ParameterError
from dpviz.handout.contents import Digest, FolderList, SignedFile, Strict
from dpviz.handout.packs import RELEASE_JSON
from dpviz.handout.signing import SigningKey, canonical, signed
from dpviz.noise import ADDITIVE
from dpviz.queries import Sensitivity
from dpviz.release.commitment import Commitment, CommittedPath, Opening, refusal, statement_of
from dpviz.release.ledger import software
from dpviz.words import budget

COMMITMENT = "COMMITMENT.json"
_DRAWN_WITH = ("dpviz", "numpy", "python")
_LARGEST = 64_000_000  # bytes
_FORM = "is neither a commitment nor an opening as dpviz writes them"


class CommitmentFile(SignedFile):
    """A commitment with its day, its key and its signature, version 1."""

    format: Literal["dpviz commitment"]
    version: Literal[1]
    about: str
    family: str
    levels: list[str]
    entries: int
    sensitivity: Annotated[list[str], Field(min_length=4, max_length=4)]
    delta: str
    step: str
    directions: Annotated[list[int], Field(max_length=2)]
    beacon: str
    pledge: Digest
    root: Digest
    drawn_with: dict[str, str]

    @property
    def content(self) -> Commitment:
        """The commitment itself.

        Raises:
            DataError: half a sentence that follows the name of the file: its family is not known
                here, or a number is out of range.
        """
        family = ADDITIVE.get(self.family)
        if family is None:
            raise DataError("is of a noise family that this dpviz does not know")
        l0, l1, l2, linf = self.sensitivity
        try:
            setting = Setting(
                family=family,
                delta=float(self.delta),
                sensitivity=Sensitivity(int(l0), float(l1), float(l2), float(linf)),
                dimension=self.entries,
                step=float(self.step),
                directions=(self.directions[0], self.directions[1]) if self.directions else None,
            )
            return Commitment(
                setting=setting,
                levels=tuple(float(level) for level in self.levels),
                about=self.about,
                beacon=self.beacon,
                pledge=self.pledge,
                root=self.root,
            )
        except (ParameterError, ValueError, IndexError, OverflowError):
            raise DataError("states a level, a sensitivity or δ that cannot be") from None


class OpeningFile(Strict):
    """An opening with the commitment that it belongs to, version 1."""

    format: Literal["dpviz opening"]
    version: Literal[1]
    commitment: CommitmentFile
    place: int
    names: list[str]
    values: list[str]
    salt: Digest
    proof: list[Digest]

    @property
    def content(self) -> Opening:
        """The opening itself.

        Raises:
            DataError: half a sentence that follows the name of the file.
        """
        try:
            values = tuple(int(value) for value in self.values)
            if [str(value) for value in values] != self.values:
                raise ValueError
            return Opening(
                place=self.place,
                names=tuple(self.names),
                values=values,
                salt=self.salt,
                proof=tuple(self.proof),
            )
        except (ParameterError, ValueError):
            raise DataError("holds a text where a whole number belongs") from None

    @property
    def level(self) -> str:
        """The level that it opens, as the commitment states it; "" where that has no such place."""
        levels = self.commitment.levels
        return levels[self.place] if 0 <= self.place < len(levels) else ""


def commitment_json(commitment: Commitment, made: datetime.date, *, key: SigningKey) -> bytes:
    r"""Write a commitment to be published, before the first release.

    Args:
        commitment: of the path.
        made: the day.
        key: signs it; the same as signs the hand-outs.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.release.commitment import Seed, commit
    >>> setting = Setting(family=FAMILIES["discrete_laplace"], delta=1e-6, dimension=1,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> path = commit([312], setting, [1.0, 10.0], seed=Seed.from_bytes(bytes(32)))
    >>> key = SigningKey.from_private_bytes(bytes(32))
    >>> file = commitment_json(path.commitment, datetime.date(2020, 1, 1), key=key)
    >>> read_committed(file).content == path.commitment
    True
    >>> opening = read_committed(opening_json(path, 10.0, file))
    >>> list(faults(opening)), about(opening)["budget"]
    ([], 'ε\xa0=\xa00.1')
    """
    return signed(
        {
            "format": "dpviz commitment",
            "version": 1,
            "made": made.isoformat(),
            **statement_of(commitment.setting, commitment.levels),
            "about": commitment.about,
            "beacon": commitment.beacon,
            "pledge": commitment.pledge,
            "root": commitment.root,
            "drawn_with": {name: dict(software())[name] for name in _DRAWN_WITH},
        },
        key,
    )


def opening_json(path: CommittedPath, level: float, published: bytes) -> bytes:
    """Write what the tier of a level gets beside its release.

    Args:
        path: that was committed to.
        level: of the tier's release.
        published: what `commitment_json` wrote of this path.

    Raises:
        ParameterError: the level was not committed to, or the commitment is another one.
    """
    said = read_committed(published)
    if not isinstance(said, CommitmentFile) or said.content != path.commitment:
        raise ParameterError("published must be the commitment of this path, as it was published")
    opening = path.opening(level)
    return canonical(
        {
            "format": "dpviz opening",
            "version": 1,
            "commitment": said.model_dump(),
            "place": opening.place,
            "names": list(opening.names),
            "values": [str(value) for value in opening.values],
            "salt": opening.salt,
            "proof": list(opening.proof),
        }
    )


def read_committed(content: bytes) -> CommitmentFile | OpeningFile:
    """A commitment or an opening from anybody; whether it is true is not looked at yet.

    Raises:
        DataError: half a sentence that follows the name of the file: why it cannot be read.

    >>> read_committed(b"{}")
    Traceback (most recent call last):
    dpviz.errors.DataError: is neither a commitment nor an opening as dpviz writes them
    """
    if len(content) > _LARGEST:
        raise DataError(_FORM)
    try:
        found = json.loads(content)
        of_one_form = isinstance(found, dict) and canonical(found) == content
    except (ValueError, RecursionError):
        raise DataError(_FORM) from None
    kinds: dict[Any, type[CommitmentFile | OpeningFile]] = {
        "dpviz commitment": CommitmentFile,
        "dpviz opening": OpeningFile,
    }
    if of_one_form and (kind := kinds.get(str(found.get("format")))) is not None:
        with suppress(ValidationError, TypeError):
            return kind.model_validate(found)
        version = found.get("version")
        if type(version) is int and version > 1:
            raise DataError("is of a newer version than this dpviz reads (1); update dpviz")
    raise DataError(_FORM)


def faults(said: CommitmentFile | OpeningFile) -> Iterator[str]:
    """What is wrong with a commitment or an opening by itself.

    Yields:
        Half a sentence that follows the name of the file.
    """
    commitment = said if isinstance(said, CommitmentFile) else said.commitment
    try:
        if not commitment.is_genuine:
            yield "has a commitment whose signature is wrong: it was changed after it was signed"
        stated = commitment.content
        if isinstance(said, OpeningFile) and (why := refusal(stated, said.content)):
            yield why
    except DataError as error:
        yield str(error)


def folder_faults(
    said: OpeningFile, files: Mapping[str, bytes], folder: FolderList
) -> Iterator[str]:
    """What an opening says otherwise than the release that it lies beside.

    Args:
        said: the opening.
        files: of the folder, by name, from anybody.
        folder: its signed list.

    Yields:
        Half a sentence that follows the name of the opening.
    """
    if said.commitment.key != folder.key:
        yield "has a commitment that is signed with another key than the release"
    if said.commitment.made > folder.made:
        yield "has a commitment that was made after the release"
    if said.level != folder.level:
        yield f"opens another level than that of {RELEASE_JSON}"
    try:
        released = json.loads(files[RELEASE_JSON])["released"]
        numbers, names = [str(value) for value in released["value"]], list(released["entry"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return  # found already
    if numbers != said.values or (said.names and names != said.names):
        yield f"opens other numbers or names than those of {RELEASE_JSON}"


def about(said: CommitmentFile | OpeningFile) -> dict[str, str]:
    """What a commitment or an opening says of itself, by the names of a hand-out's facts.

    An example is at `commitment_json`.
    """
    commitment = said if isinstance(said, CommitmentFile) else said.commitment
    family = ADDITIVE.get(commitment.family)
    costs = _cost(said) if isinstance(said, OpeningFile) else ""
    return {
        "statistic": commitment.about,
        **({"budget": costs} if costs else {}),
        "noise": commitment.family if family is None else family.label,
    }


def _cost(said: OpeningFile) -> str:
    """What the opened level costs by the committed family and sensitivities; "" if unknown."""
    with suppress(DataError, ParameterError, ValueError, IndexError):
        stated = said.commitment.content
        letter = guarantee_of(stated.setting.family).letter
        return budget(letter, stated.loss(stated.levels[said.place]))
    return ""
