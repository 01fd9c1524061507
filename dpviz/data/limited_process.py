"""The process that reads a file for a reader in C, and nothing else: memory and time are limited.

A workbook of a few kilobytes may ask for hundreds of gigabytes, by one cell in its last corner, and
a file of a statistics program may hold whatever somebody wrote into it; the reader then ends its
process, which must not be the one that serves everybody.

From the standard input: a line of JSON with what is asked, then the file. To the standard output: a
line of JSON with what was found, then the rows as CSV, UTF-8, without a line end at the end. Run as
a file, so it imports nothing of this package; the reader is another file beside it.

Limits: memory is limited on Linux; on Windows and macOS only the time is.
"""

import contextlib
import json
import os
import runpy
import sys
from pathlib import Path
from typing import IO

TOO_MUCH = 2  # how it ends where the file takes more than it may
NOT_THERE = 3  # and where the library of the reader is not installed


def limit(memory: int, seconds: int) -> None:
    """No more than this for the process, and no image of its memory on the disk when it ends."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):  # a system without, or with a lower one
            resource.setrlimit(what, (most, most))


def main(given: IO[bytes], taken: IO[bytes]) -> None:
    """Answer one question; no more bytes than were asked for."""
    asked = json.loads(given.readline())
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread of numpy's would reserve memory
    limit(asked["memory"], asked["seconds"])
    left = asked["most"]
    try:
        reader = runpy.run_path(str(Path(__file__).with_name(asked["reader"])))
        for piece in reader["answer"](asked, given.read()):
            left -= len(piece)
            if left < 0:
                sys.exit(TOO_MUCH)
            taken.write(piece)
    except ModuleNotFoundError:
        sys.exit(NOT_THERE)
    except (MemoryError, ImportError):  # the latter where there is no room for a library
        sys.exit(TOO_MUCH)


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
