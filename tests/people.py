"""People who log in, for tests: accounts, what a provider says of them, what there is to see."""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpviz.planning.tiers import Tier, as_rows
from dpviz.workspace import Workspace
from dpviz.workspace.accounts import ACCOUNTS as NAMED
from dpviz.workspace.projects import PLACE, Projects
from tests.project_workers import NAMES, PROJECT
from tests.project_workers import workspace as made
from tests.serving import ROOT, Server, running

HEAD, READER, OTHER = "head@example.org", "anna@example.org", "bruno@example.org"
SUBJECT = "subject of Carla"
ACCOUNTS = f"""
hours = 8

[[account]]
email = "{HEAD}"
role = "custodian"

[[account]]
email = "{READER}"
project = "{PROJECT}"
tier = "public"

[[account]]
email = "{OTHER}"
project = "{PROJECT}"
tier = "research"

[[account]]
subject = "{SUBJECT}"
project = "{PROJECT}"
tier = "partners"
"""
ROWS = b"id,ward\n" + b"".join(
    b"%d,%s\n" % (i, b"A" if i < 1723 else b"B" if i < 4911 else b"C") for i in range(9009)
)
EXACT = {1723.0, 3188.0, 4098.0}
BUDGETS = ("1e-11", "1e-8", "1e-7", "1e-5")  # so far apart that no two numbers are alike by chance
AUTH = {
    "redirect_uri": "http://127.0.0.1:8501/oauth2callback",
    "cookie_secret": "0123456789abcdef" * 4,
    "client_id": "dpviz",
    "client_secret": "a secret of the provider",
    "server_metadata_url": "http://127.0.0.1:9400/.well-known/openid-configuration",
}


def claims(email: str, **more: Any) -> dict[str, Any]:
    """What Streamlit knows of somebody who logged in a minute ago with a verified address."""
    said = {"sub": f"sub of {email}", "email": email, "email_verified": True}
    return {"is_logged_in": True, "iat": time.time() - 60, **said, **more}


def write(path: Path, text: str = ACCOUNTS) -> Path:
    """A file of accounts that only its owner may write."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path


def keep(folder: Path) -> Workspace:
    """A project that has released all tiers but one, in this folder."""
    ws = made(ROWS)
    tiers = [Tier(name=n, amount=a, kind="ε") for n, a in zip(NAMES, BUDGETS, strict=True)]
    assert ws.use_tiers(as_rows(tiers)) == []
    Projects(folder).create(PROJECT, ws)
    ws.draw("audit", "public", "partners")
    return ws


def held(folder: Path) -> dict[str, set[float]]:
    """The numbers of each tier of the project."""
    return {t.name: set(map(float, t.values)) for t in Projects(folder).open(PROJECT).held}


@contextmanager
def server(folder: Path, port: int, provider: str, secret: str = "") -> Iterator[Server]:
    """The dashboard with a login by this provider, as `dpviz run` starts it; projects in `kept`."""
    auth = {
        **AUTH,
        "redirect_uri": f"http://127.0.0.1:{port}/oauth2callback",
        "server_metadata_url": f"{provider}/.well-known/openid-configuration",
    }
    if secret:
        auth["cookie_secret"] = secret
    lines = ["[auth]", *(f"{name} = {json.dumps(text)}" for name, text in auth.items())]
    (folder / ".streamlit").mkdir(parents=True, exist_ok=True)
    (folder / ".streamlit" / "secrets.toml").write_text("\n".join(lines))
    env = {**os.environ, "PYTHONPATH": str(ROOT), PLACE: str(folder / "kept")}
    env[NAMED] = str(write(folder / "accounts.toml"))
    command = [sys.executable, "-m", "dpviz", "run", f"--port={port}"]
    with running(command, folder / "log", port, cwd=folder, env=env) as found:
        yield found
