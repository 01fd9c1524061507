"""The rows of an upload are in no file that outlives the process, however it ends."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dpviz.data import engine, read_csv
from tests.conftest import full_run

pytestmark = pytest.mark.usefixtures("own_engine")

ROOT = Path(__file__).resolve().parents[3]
NO_NAME = os.path.isdir(engine.OPEN_FILES)
KILLED = """
import os, signal
from dpviz.data import engine, read_csv
{setting}
def halfway(*_):
    os.kill(os.getpid(), signal.SIGKILL)
engine._read_csv = halfway
read_csv(b"a,b\\n" + b"canary,1\\n" * 100_000)
"""
NAMED = 'engine.OPEN_FILES = "/nowhere"'


def kill_while_reading(folder: Path, setting: str) -> list[Path]:
    """What a process that is killed in the middle of an upload leaves in the temporary folder."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(setting=setting)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(folder)},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    return list(folder.iterdir())


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system where open files are not shown, and a temporary folder of its own."""
    monkeypatch.setattr(engine, "OPEN_FILES", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(not NO_NAME, reason="open files are shown by Linux only")
def test_a_killed_process_leaves_nothing(tmp_path: Path) -> None:
    assert kill_while_reading(tmp_path, "") == []


@full_run
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
def test_where_files_need_a_name_the_next_process_removes_what_is_left(named: Path) -> None:
    (left,) = kill_while_reading(named, NAMED)
    assert b"canary" in left.read_bytes()
    engine.sweep()
    assert list(named.iterdir()) == []


def test_a_named_file_is_private_and_short_lived(named: Path) -> None:
    with engine.private_file(b"a\n1\n", ".csv") as path:
        assert Path(path).parent == named
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert Path(path).read_bytes() == b"a\n1\n"
        engine.sweep()  # this process lives
        assert os.path.exists(path)
    assert list(named.iterdir()) == []
    assert read_csv(b"a\n1\n").rows() == 1
    assert list(named.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
def test_only_own_leftovers_are_swept(named: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    kept = [
        *(named / f"dpviz-rows-{os.getpid()}-x.csv", named / "dpviz-rows-x.csv"),
        named / f"dpviz-rows-{10**30}-x.csv",
        *(named / f"other-{dead.pid}-x.csv", named / "precious"),
    ]
    for path in kept:
        path.write_bytes(b"")
    (named / f"dpviz-rows-{dead.pid}-folder").mkdir()
    (named / f"dpviz-rows-{dead.pid}-link").symlink_to(named / "precious")
    (named / f"dpviz-rows-{dead.pid}-left.csv").write_bytes(b"rows")
    engine.sweep()
    assert not (named / f"dpviz-rows-{dead.pid}-left.csv").exists()
    assert len(list(named.iterdir())) == len(kept) + 2
