"""Copies of the library with one mistake each, and the check of the page Method run in them.

A check is run as it is run in every build: one seed, few cases. It must pass in a copy without a
mistake, and in one with a mistake it must fail by an assertion: what ends in errors of other kinds
alone, such as a name that is not there, was not seen by the check.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("dpviz", "tests")
SETTINGS = "pyproject.toml"
WITNESS, FIRST = "DPVIZ_WITNESS", "DPVIZ_WITNESS_FIRST"  # told to the plugin
LEFT_OUT = ("DPVIZ_SEEDS", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTHONPATH")
QUIET = ("-q", "-p", "no:cacheprovider", "-p", "tests.mutants.witness")
ASSERTED = ("AssertionError", "Failed")  # the second: pytest.raises saw nothing


@dataclass(frozen=True, slots=True)
class Change:
    """One mistake: a text that a file of dpviz has once, and the text in its place."""

    file: str
    old: str
    new: str

    def applied(self, text: str) -> str:
        """The text of the file with the mistake in it."""
        found = text.count(self.old)
        if found != 1:
            raise LookupError(f"{self.file} has this text {found} times, not once: {self.old}")
        return text.replace(self.old, self.new)


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that failed: where, in which phase (setup, call, collect), by which error."""

    test: str
    phase: str
    error: str

    @property
    def asserted(self) -> bool:
        """Whether an assertion of the test itself failed."""
        return self.phase == "call" and self.error in ASSERTED


def copied(folder: Path) -> Path:
    """A copy of the library and its tests, compiled files included, in an empty folder."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy2(ROOT / SETTINGS, folder / SETTINGS)
    return folder


def failures(folder: Path, checks: Iterable[str], *, first: bool = False) -> list[Failure]:
    """Run checks, as the page Method names them, in a copy.

    Args:
        folder: the copy.
        checks: a file below tests, or a file and a test in it.
        first: whether to stop at the first assertion that fails.

    Raises:
        RuntimeError: pytest failed without a test that did, or none was run.
    """
    told = folder / "witness.json"
    told.unlink(missing_ok=True)
    names = [f"tests/{'::'.join(check.split(' '))}" for check in checks]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *QUIET, *names],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        | {WITNESS: str(told), FIRST: str(int(first)), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = [Failure(*each) for each in json.loads(told.read_text())] if told.exists() else []
    if done.returncode not in (0, 1, 2) or bool(found) != bool(done.returncode):
        raise RuntimeError(done.stdout[-3000:] + done.stderr[-3000:])
    return found


def failed(folder: Path, change: Change, check: str) -> list[Failure]:
    """How the check fails in a copy with this mistake, which is then taken out; [] if it passes."""
    place = folder / "dpviz" / change.file
    right, times = place.read_text(encoding="utf-8"), place.stat()
    place.write_text(change.applied(right), encoding="utf-8")
    try:
        return failures(folder, [check], first=True)
    finally:
        place.write_text(right, encoding="utf-8")
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
