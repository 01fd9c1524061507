"""Ask a reader in a process of its own, whose memory and time are limited.

See `dpviz.data.limited_process`, which is that process.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from dpviz.data.read import MAX_UNPACKED
from dpviz.errors import DataError

MAX_MEMORY = 2 << 30  # bytes that the process may take
MAX_SECONDS = 60  # of a processor
_PROCESS = Path(__file__).with_name("limited_process.py")
# An error in the reader, or in the processor under it; all other ends are for want of room or time.
_DAMAGED = (1, -4, -8, -11)  # the latter by SIGILL, SIGFPE, SIGSEGV
_NOT_THERE = 3


class Answer(NamedTuple):
    """What a reader found: what it says of the file, the whole answer, and where rows begin."""

    found: dict[str, Any]
    text: bytes  # from `start` on CSV in UTF-8
    start: int


def ask(
    reader: str, data: bytes, *, files: str, damaged: str, instead: str, **asked: Any
) -> Answer:
    """Let a reader answer; it may be ended for what it takes, or for what its library does.

    Args:
        reader: file of the reader, beside this one.
        data: the bytes of the file.
        files: what it reads, in a refusal: "workbooks".
        damaged: the sentence on a file that the reader cannot read.
        instead: what to do where it cannot: "save the sheet as CSV and use that file".
        asked: what else it is told, as JSON.

    Raises:
        DataError: if it was ended, or cannot be started.
    """
    asked |= {"reader": reader, "unpacked": MAX_MEMORY, "most": MAX_UNPACKED}
    asked |= {"memory": MAX_MEMORY + len(data), "seconds": MAX_SECONDS}
    fault, lacking = None, f"the process that reads {files} cannot be started here; {instead}"
    try:
        done = subprocess.run(
            [sys.executable, "-I", _PROCESS],
            input=json.dumps(asked).encode() + b"\n" + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it may quote values
            timeout=4 * MAX_SECONDS,
            check=False,
        )
        if done.returncode:
            known = {**dict.fromkeys(_DAMAGED, damaged), _NOT_THERE: lacking}
            fault = known.get(done.returncode, too_large(instead))
    except subprocess.TimeoutExpired:
        fault = too_large(instead)
    except (OSError, subprocess.SubprocessError):
        fault = lacking
    if fault is not None:  # raised here, so that an error with the file in it is not kept
        raise DataError(fault)
    end = (done.stdout.find(b"\n") + 1) or len(done.stdout)
    return Answer(json.loads(done.stdout[:end]), done.stdout, end)


def too_large(instead: str) -> str:
    """The sentence on a file that takes more memory or time than it may.

    >>> too_large("split it")
    'the file unpacks to more than can be held; keep only the columns and rows that you need, or \
split it'
    """
    return (
        "the file unpacks to more than can be held; keep only the columns and rows that you need, "
        f"or {instead}"
    )
