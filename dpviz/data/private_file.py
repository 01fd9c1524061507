"""A file that nobody else can open, for the engine to read people's rows from.

On Linux it has no name, so that nothing is left of it even if the process is killed while reading.
Elsewhere it has one until it was read, and the next process that starts removes what a killed one
left behind.
"""

import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

OPEN_FILES = "/proc/self/fd"  # where Linux shows a process the files that it has open
_PREFIX = "dpviz-rows-"
_LEFT = re.compile(rf"{_PREFIX}(\d+)-")


@contextmanager
def private_file(content: bytes | memoryview, suffix: str) -> Iterator[str]:
    """Write the bytes to a private file and lend its path, valid within the `with` block only.

    Args:
        content: what to write.
        suffix: how the name ends, where the file has one.

    Raises:
        OSError: if the temporary folder cannot hold it.

    >>> with private_file(b"a;b", ".csv") as path:
    ...     Path(path).read_bytes()
    b'a;b'
    """
    _sweep_once()
    if os.path.isdir(OPEN_FILES):
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            yield f"{OPEN_FILES}/{file.fileno()}"
        return
    handle, path = tempfile.mkstemp(prefix=f"{_PREFIX}{os.getpid()}-", suffix=suffix)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        yield path
    finally:
        os.unlink(path)


def sweep() -> None:
    """Remove the files that killed processes of this user left in the temporary folder.

    Only plain files of this user are removed, by their name, which has the number of a process that
    is no longer there.
    """
    if not hasattr(os, "getuid"):  # Windows: asking whether a process lives would end it
        return
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        found = _LEFT.match(path.name)
        try:
            kind = path.lstat()
            mine = stat.S_ISREG(kind.st_mode) and kind.st_uid == os.getuid()
            if found and mine and not _lives(int(found[1])):
                path.unlink()
        except OSError:  # somebody else was faster
            continue


@cache
def _sweep_once() -> None:
    sweep()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)  # only asks
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # of another user, or no number of a process
    return True
