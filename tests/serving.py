"""A dashboard of its own for a test: a cold server on a free port, in a process of its own."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120  # seconds to wait for what takes a few: a busy machine decides no test


@dataclass(frozen=True)
class Server:
    """A running dashboard: its address, its process, and the file that it logs to."""

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path
    health: str = "/_stcore/health"

    def healthy(self) -> bool:
        """Whether the process lives and answers."""
        if self.process.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(f"{self.url}{self.health}", timeout=PATIENCE) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def megabytes(self) -> float:
        """What the process holds in memory now."""
        asked = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
        status = Path(f"/proc/{self.process.pid}/status")
        if status.exists():
            line = next(t for t in status.read_text().splitlines() if t.startswith("VmRSS"))
            return int(line.split()[1]) / 1024
        return int(subprocess.run(asked, capture_output=True, check=True).stdout) / 1024


@contextmanager
def running_app(
    log: Path, before: str = "", port: int | None = None, more: Sequence[str] = ()
) -> Iterator[Server]:
    """Start a server; fails if it died, or if anything was logged with a traceback or a stack.

    Args:
        log: where the server writes.
        before: Python that the server's process runs first, to slow something down.
        port: where it listens; a free port by default.
        more: further options of the server.
    """
    port = port or free_port()
    options = [f"--server.port={port}", *more]
    start = f"{before}\nfrom dpviz.ui.kit.serve import serve\nserve(*{['app.py', *options]})"
    with running([sys.executable, "-c", start], log, port, cwd=ROOT) as server:
        yield server


@contextmanager
def running(
    command: Sequence[str],
    log: Path,
    port: int,
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    health: str = Server.health,
) -> Iterator[Server]:
    """Start a server by a command that makes it listen at `port`; fails as `running_app` does."""
    with log.open("wb") as sink:
        process = subprocess.Popen(command, cwd=cwd, env=env, stdout=sink, stderr=sink)
        server = Server(f"http://127.0.0.1:{port}", process, log, health)
        try:
            _wait_until_healthy(server)
            yield server
            died = process.poll()
        finally:
            _stop(process)
    assert died is None, f"the server died with {died}: {log.read_text()[-2000:]}"
    said = log.read_text()
    assert "Traceback" not in said, said[-4000:]
    assert "Stack (most recent call" not in said, said[-4000:]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def _wait_until_healthy(server: Server) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.process.poll() is None:
        if server.healthy():
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {server.log.read_text()}")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask it to end; a busy machine may need it forced, which decides no test."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
