"""What a file looked like when it was read: if it changes, it is another table."""

import os
from collections.abc import Iterable

from dpviz.errors import DataError

Stamps = tuple[tuple[str, str], ...]
CHANGED = "the file changed after the source was read; read the source again, as another table"


def stamps(paths: Iterable[str]) -> Stamps:
    """Paths with their size, place on the disk, and times of change to the nanosecond.

    The last of these is the system's own: no program that copies a file can set it back. A file
    that is empty or not there has no stamp.

    >>> stamps(["/nowhere/at/all"])
    (('/nowhere/at/all', ''),)
    """
    return tuple((path, _stamp(path)) for path in paths)


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # ValueError: a zero byte in the path
        return ""
    if not found.st_size:
        return ""
    return f"{found.st_size} {found.st_ino} {found.st_mtime_ns} {found.st_ctime_ns}"


def unchanged(before: Stamps) -> None:
    """Refuse files that are not what they were.

    Raises:
        DataError: if one of them changed.

    >>> unchanged(stamps(["/nowhere/at/all"]))
    """
    if stamps(path for path, _ in before) != before:
        raise DataError(CHANGED)
