"""Whatever is passed to a public function: a right answer, or one sentence, and soon.

The calls are made by `tests.fuzzing` in a process of its own, with a limit of memory, so that a
call that hangs or takes all memory is known by its arguments. The same calls in every run.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FULL
from tests.fuzzing import ENDLESS, targets

ROOT = Path(__file__).resolve().parents[2]
CALLS = 5000 if FULL else 150  # for each seed: 20 of them in the full run


@pytest.mark.timeout(1500)
def test_only_answers_and_sentences(seed, tmp_path):
    note = tmp_path / "call.txt"
    command = [sys.executable, "-m", "tests.fuzzing", str(seed), str(CALLS), str(note)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"this call never came back: {note.read_text(encoding='utf-8')}")
    last = note.read_text(encoding="utf-8") if note.exists() else ""
    assert done.returncode == 0, f"{done.stderr[-2000:]}\nThe last call: {last}"
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert not found, "\n".join(f"{each['call']}\n    {each['wrong']}" for each in found)


def test_every_public_function_is_called():
    """What is called is found by looking, so a new function cannot be forgotten."""
    names = {name for name, _ in targets()}
    assert len(names) > 250
    assert {
        *("dpviz.accounting.half_width", "dpviz.counting.ContinualCounter"),
        *("dpviz.queries.BoundedSum", "dpviz.streams.teaching", "skellam.bridge"),
        *("MultipleRelease[poisson].release", "DELTA.read_exact", "SparseHistogram.release"),
    } <= names
    assert all(ENDLESS.values())  # every infinity that is right has its reason
