"""A Postgres server of its own for a test, from Debian's package: make postgres installs it."""

import contextlib
import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import free_port

DEBIAN = "/usr/lib/postgresql"
ACCOUNT = "postgres"  # of the package: the server does not run as root


def programs() -> Path | None:
    """The folder of initdb and pg_ctl; None if Postgres is not installed."""
    on_path = shutil.which("initdb")
    found = sorted(Path(DEBIAN).glob("*/bin/initdb"), key=lambda p: int(p.parts[-3].split(".")[0]))
    return Path(on_path).parent if on_path else found[-1].parent if found else None


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of a fresh server without a database name, until the end of the block."""
    home, bin_folder = Path(tempfile.mkdtemp(prefix="dpviz-pg-")), programs()
    assert bin_folder is not None
    user = ACCOUNT if os.geteuid() == 0 else None
    if user:
        shutil.chown(home, user)
    port = free_port()

    def run(program: str, *words: str) -> None:
        asked = [str(bin_folder / program), "-D", str(home / "data"), *words]
        done = subprocess.run(
            asked, user=user, cwd=home, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    try:
        name = user or getpass.getuser()
        run("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8", f"--username={name}")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {home} -c shared_buffers=16MB"
        # pg_ctl's child keeps what it inherits open, so its output goes to a file
        run("pg_ctl", "start", "-w", "-l", str(home / "log"), "-o", options)
        try:
            yield f"postgresql://{name}@127.0.0.1:{port}"
        finally:
            run("pg_ctl", "stop", "-w", "-m", "immediate")
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(home)
