"""A secret key beside the projects, by which they know a table again and keep nothing of it.

With a plain digest of a table, or one with a salt from the same database, a thief of the database
could try guesses: knowing all rows but one, he would try the values of the last. So a project keeps
the digest under a key (HMAC-SHA-256) that lies in a file of its own. Without the key the database
tells nothing about the table, but no table is known again either; what was released is still there.
"""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from dpviz.errors import ParameterError
from dpviz.handout.signing import SigningKey

FILE = "table.key"
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a folder; `secret` is None where it is not there."""

    secret: bytes | None = field(repr=False)

    def mark(self, digest: str) -> str | None:
        """What a table of this digest is known by; None without the key.

        >>> Key(b"k" * 32).mark("0f")[:8], Key(None).mark("0f")
        ('5ee4e37a', None)
        """
        if self.secret is None:
            return None
        return hmac.new(self.secret, digest.encode(), hashlib.sha256).hexdigest()

    def signing(self, project: str) -> SigningKey | None:
        """The key by which a project signs its hand-outs, always the same; None without the key.

        >>> Key(b"k" * 32).signing("1 visits") == Key(None).signing("1 visits")
        False
        """
        if self.secret is None:
            return None
        derived = hmac.new(self.secret, f"sign for project {project}".encode(), hashlib.sha256)
        return SigningKey.from_private_bytes(derived.digest())


def key_in(folder: Path, *, make: bool) -> Key:
    """The key in a folder, made if it is missing and asked for; two that make it share one.

    Args:
        folder: where the file `FILE` lies, mode 0600.
        make: whether to make it, which only new projects do: another key knows no earlier table.

    Raises:
        ParameterError: if it can be neither read nor made.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     made = key_in(Path(name), make=True)
    ...     made == key_in(Path(name), make=True) != key_in(Path(name) / "other", make=False)
    True
    """
    path = folder / FILE
    try:
        if make and not path.exists():
            _make(path)
        secret = path.read_bytes()
    except FileNotFoundError:
        return Key(None)
    except OSError:
        raise ParameterError(
            f"The key of the projects, {FILE}, can be neither read nor made; check that you may "
            "write to their folder"
        ) from None
    return Key(secret if len(secret) == _BYTES else None)


def _make(path: Path) -> None:
    """Write a new key beside the place and link it there; of two at once the first stays."""
    draft = path.with_name(f"{FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)
