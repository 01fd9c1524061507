"""A secret key beside the projects, by which they know a table again and keep nothing of it.

With a plain digest of a table, or one with a salt from the same database, a thief of the database
could try guesses: knowing all rows but one, he would try the values of the last. So a project keeps
the digest under a key (HMAC-SHA-256) that lies in a file of its own. Without the key the database
tells nothing about the table, but no table is known again either; what was released is still there.

The same key makes the one that a project signs with. A workspace that has signed before it became a
project takes its own along: the database has it locked by the key (AES-256-GCM), for this project.
"""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.errors import ParameterError
from dpviz.handout.signing import SigningKey
from dpviz.workspace.projects.database import DAMAGED

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FILE = "table.key"
_BYTES = 32
_NONCE = 12  # bytes


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

    def signing(self, project: int, name: str, own: str) -> SigningKey | None:
        """The key by which a project signs its hand-outs, always the same; None without the key.

        Args:
            project: its row.
            name: its first name.
            own: the key that its workspace took along, as `locked` gave it; "" if it had none.

        Raises:
            ParameterError: if `own` is damaged, or that of another project.

        >>> Key(b"k" * 32).signing(1, "visits", ""), Key(None).signing(1, "visits", "")
        (SigningKey(8223 fe50…), None)
        """
        if self.secret is None:
            return None
        if not own:
            return SigningKey.from_private_bytes(self._made(f"sign for project {project} {name}"))
        from cryptography.exceptions import InvalidTag

        try:
            content = bytes.fromhex(own)
            secret = self._lock(project).decrypt(content[:_NONCE], content[_NONCE:], None)
        except (ValueError, InvalidTag):
            raise ParameterError(DAMAGED) from None
        return SigningKey.from_private_bytes(secret)

    def locked(self, project: int, own: SigningKey) -> str:
        """A key that a workspace takes along, as the database keeps it; see `signing`.

        >>> key, own = Key(b"k" * 32), SigningKey.from_private_bytes(bytes(32))
        >>> key.signing(1, "visits", key.locked(1, own))
        SigningKey(3b6a 27bc…)
        """
        nonce = secrets.token_bytes(_NONCE)
        return (nonce + self._lock(project).encrypt(nonce, own.private_bytes(), None)).hex()

    def _lock(self, project: int) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._made(f"lock the signing key of project {project}"))

    def _made(self, purpose: str) -> bytes:
        """A key for one purpose, made from this one."""
        assert self.secret is not None
        return hmac.new(self.secret, purpose.encode(), hashlib.sha256).digest()


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
