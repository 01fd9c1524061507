"""The files of a pack from anybody: a zip, packed again or not, a folder, or one file.

Nothing is written to the disk. Before a file is read, its name and size are looked at: whatever
leads out of the pack, links elsewhere, is there twice, or would fill the memory is refused with one
sentence. Empty files that computers add by themselves are left aside, and named; an empty folder
is told, as its name may say something. Bytes of a zip that belong to no file of it are told, as
another program may read them.
Limits: what zip programs note of times and owners beside a file is not looked at.
"""

import io
import os
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dpviz.data import quoted
from dpviz.data.read import up_to
from dpviz.errors import DataError

MOST_FILES = 4_000
MOST_BYTES = 300_000_000  # of all files together; 100,000 groups take 20 million for each tier
_ADDED = re.compile(r"(?:.*/)?(?:__MACOSX/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)")
_OUTSIDE = re.compile(r"/|[A-Za-z]:|(?:.*/)?\.{0,2}(?:/|$)|.*[\\\0]", re.DOTALL)
_BEGINNING = 8  # bytes, by which a table is told from a zip
_ENTRY = b"PK\x01\x02"  # begins each entry of a zip's directory
_LISTED = struct.Struct("<4s24x3H12x")  # such an entry, up to its name
_LOCAL = struct.Struct("<26x2H")  # what comes before a file in a zip, up to its name
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"  # begin the end of a zip
_END_SIZE, _END_64_SIZE = 22, 76
_AFTERWARDS = (12, 16, 20, 24)  # bytes after a file that was written before its size was known
_LATER = 0x8  # the flag of such a file
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_UTF8, _ENCRYPTED = 0x800, 0x1  # flags of a file in a zip
_TOO_MANY = f"It holds more than {MOST_FILES:,} files, far more than a pack; choose the pack alone"
_TOO_LARGE = (
    f"Its files would take more than {MOST_BYTES // 1_000_000} MB; check one folder of it at a time"
)
_BROKEN = (
    "It is not a zip that can be read to its end, nor a table as dpviz writes it; choose a tier’s "
    "folder, its zip or its CSV as it was downloaded, or ask for it again"
)
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What was unpacked.

    Attributes:
        files: by path.
        added: paths of empty files that a computer added by itself.
        around: where in a zip there are bytes that belong to no file.
    """

    files: dict[str, bytes]
    added: tuple[str, ...]
    around: tuple[str, ...] = ()


def unpacked(source: bytes | Path) -> Unpacked:
    """The files of a zip or a folder.

    Args:
        source: the bytes of a zip, or the path of a zip or a folder.

    Raises:
        DataError: one sentence: why it cannot be read, and what to do instead.

    >>> unpacked(bytes.fromhex("504b0506" + 18 * "00"))  # an empty zip
    Unpacked(files={}, added=(), around=())
    """
    if isinstance(source, bytes):
        return _from_zip(source)
    with _said_plainly(source):
        return _from_folder(source) if source.is_dir() else _from_zip(_read(source, MOST_BYTES))


def opened(source: bytes | Path) -> bytes:
    """The bytes of one file.

    Raises:
        DataError: if it cannot be opened or is too large.
    """
    if isinstance(source, bytes):
        return source
    with _said_plainly(source):
        return _read(source, MOST_BYTES)


def beginning(source: bytes | Path) -> bytes:
    """The first bytes of a file; none of a folder, or of what cannot be opened.

    >>> beginning(b"PK, and so on")
    b'PK, and '
    """
    if isinstance(source, bytes):
        return source[:_BEGINNING]
    with suppress(OSError):
        if source.is_file():
            with source.open("rb") as stream:
                return stream.read(_BEGINNING)
    return b""


@contextmanager
def _said_plainly(source: Path) -> Iterator[None]:
    try:
        yield
    except OSError:
        raise DataError(
            f"{quoted(source.name)} cannot be opened; see whether it is there and you may read it"
        ) from None


def _from_zip(content: bytes) -> Unpacked:
    if content.count(_ENTRY) > MOST_FILES:
        raise DataError(_TOO_MANY)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = {_checked(info): info for info in archive.infolist() if not info.is_dir()}
            _check_all(names, sum(not info.is_dir() for info in archive.infolist()))
            if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
                raise DataError(_TOO_LARGE)
            files = {name: archive.read(info) for name, info in names.items()}
            folders = [info for info in archive.infolist() if info.is_dir()]
            files |= {info.filename: archive.read(info) for info in folders if info.file_size}
            files |= _empty((info.filename for info in folders), files)
            return _parted(files, tuple(_around(content, archive)))
    except DataError:
        raise
    except _FAULTS:
        raise DataError(_BROKEN) from None


def _around(content: bytes, archive: zipfile.ZipFile) -> Iterator[str]:
    """Where a zip has bytes that belong to none of its files."""
    at, gaps = 0, []
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        gaps.append(info.header_offset - at)
        at = info.header_offset
        at += _LOCAL.size + sum(_LOCAL.unpack_from(content, at)) + info.compress_size
        if info.flag_bits & _LATER:
            at += _written_later(content, at)
    gaps.append(archive.start_dir - at)
    if gaps[0]:
        yield "before its first file"
    if any(gaps[1:]):
        yield "between its files"
    yield from _behind(content, archive.start_dir)


def _behind(content: bytes, at: int) -> Iterator[str]:
    """The same of what comes after the files: the directory, from `at` on, and the end."""
    notes = 0
    while content[at : at + len(_ENTRY)] == _ENTRY:
        _, name, more, note = _LISTED.unpack_from(content, at)
        at, notes = at + _LISTED.size + name + more + note, notes + note
    if notes:
        yield "in a note on a file"
    if content[at : at + len(_END_64)] == _END_64:
        at += _END_64_SIZE
    if content[at : at + len(_END)] != _END or len(content) != at + _END_SIZE:
        yield "after its last file"


def _written_later(content: bytes, at: int) -> int:
    """How many bytes follow a file whose size was not known when it was begun."""
    starts = (b"PK\x03\x04", _ENTRY)
    return next((n for n in _AFTERWARDS if content[at + n : at + n + 4] in starts), 0)


def _checked(info: zipfile.ZipInfo) -> str:
    """The path of a file in a zip, once it is known that it can be read and stays inside."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        with suppress(UnicodeError):  # some programs write UTF-8 and do not say so
            name = name.encode("cp437").decode("utf-8")
    if _OUTSIDE.match(name):
        raise DataError(
            f"It holds {quoted(name)}, which is no path inside a pack; do not unpack it"
        )
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _link(name)
    if info.flag_bits & _ENCRYPTED:
        raise DataError("It is locked with a password; unpack it and choose the folder")
    if info.compress_type not in _METHODS:
        raise DataError("It is packed in an unusual way; unpack it and choose the folder")
    return unicodedata.normalize("NFC", name)


def _check_all(names: dict[str, zipfile.ZipInfo], count: int) -> None:
    """Refuse a zip in which two files would be one when it is unpacked."""
    if len({name.casefold() for name in names}) < count:
        raise DataError("It holds two files of one name, so it has two readings; ask for it again")


def _empty(folders: Iterable[str], files: Collection[str]) -> dict[str, bytes]:
    """Folders without a file, as empty files: a name may say something, too."""
    used = {str(parent) for name in files for parent in PurePosixPath(name).parents}
    return {name: b"" for name in folders if str(PurePosixPath(name)) not in used}


def _from_folder(top: Path) -> Unpacked:
    files: dict[str, bytes] = {}
    folders: list[str] = []
    left, bytes_left = [top], MOST_BYTES
    while left:
        for entry in sorted(os.scandir(left.pop()), key=lambda e: e.name):
            name = Path(entry.path).relative_to(top).as_posix()
            if entry.is_symlink():
                raise _link(name)
            if entry.is_dir():
                left.append(Path(entry.path))
                folders.append(f"{name}/")
                continue
            if len(files) == MOST_FILES:
                raise DataError(_TOO_MANY)
            files[unicodedata.normalize("NFC", name)] = content = _read(Path(entry), bytes_left)
            bytes_left -= len(content)
    return _parted(files | _empty(folders, files))


def _read(path: Path, most: int) -> bytes:
    """A plain file, and no device, of at most `most` bytes."""
    if not path.is_file():
        raise DataError(f"{quoted(path.name)} is not a plain file; choose the pack")
    with path.open("rb") as stream:
        content = up_to(stream, most + 1)
    if len(content) > most:
        raise DataError(_TOO_LARGE)
    return content


def _link(name: str) -> DataError:
    return DataError(
        f"It holds {quoted(name)}, a link to somewhere else, which no pack does; ask for it again"
    )


def _parted(files: dict[str, bytes], around: tuple[str, ...] = ()) -> Unpacked:
    added = [name for name in files if not files[name] and is_added(name)]
    return Unpacked({n: c for n, c in files.items() if n not in added}, tuple(added), around)


def is_added(name: str) -> bool:
    """Whether computers add files of this path by themselves.

    >>> is_added("audit/.DS_Store"), is_added("audit/release.csv")
    (True, False)
    """
    return _ADDED.fullmatch(name) is not None
