"""People who log in, for tests: a file of accounts, and what a provider says of each account."""

import time
from pathlib import Path
from typing import Any

from tests.project_workers import PROJECT

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
