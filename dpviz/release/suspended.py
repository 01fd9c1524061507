"""A session as bytes and back: arrays of numbers (NPZ) and one head (JSON), never code.

Reading takes nothing for granted: names, shapes, kinds and orders are checked, and pickled objects
are refused. The bytes of a session that is not sealed hold the exact values, and in practice mode
the state of the generator: keep them as the data. A hardened generator is never written; what comes
back has a fresh key from the operating system.
"""

import hashlib
import io
import json
import secrets
import zipfile
import zlib
from typing import Any, NamedTuple

import numpy as np

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.noise import named
from dpviz.noise.family import Array, Process
from dpviz.release.values import own_copy

FORMAT = 1
ARRAYS = ("exact", "head", "levels", "releases")
NO_SESSION = (
    "data must be the bytes that MultipleRelease.suspend returned, and these are not; "
    "pass them unchanged"
)
_BROKEN = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError),
    *(RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error),
)


class Suspended(NamedTuple):
    """The whole state of a session; `exact` is None once it is sealed."""

    family: Process
    mode: streams.Mode
    forked: bool
    rng: np.random.Generator
    exact: Array | None
    held: list[tuple[float, Array]]  # ascending
    any_order: bool = False  # whether a release is that of seed and level alone


def ticket_of(data: bytes) -> str:
    """What a store knows the bytes by: their digest, in which a secret number hides the values.

    >>> len(ticket_of(b"any bytes"))
    64
    """
    return hashlib.sha256(data).hexdigest()


def written(kept: Suspended) -> bytes:
    """The session as bytes, different ones each time.

    Raises:
        ParameterError: the family is not one of `FAMILIES`, or the generator cannot be written.

    >>> from dpviz.noise import FAMILIES
    >>> rng = streams.teaching(7)
    >>> kept = Suspended(FAMILIES["poisson"], "teaching", False, rng, np.array([3, 5]), [])
    >>> read(written(kept)).exact
    array([3, 5])
    """
    name = kept.family.name
    if named(name) != kept.family:
        raise ParameterError(
            f"the noise family {checks.told(name)} is not known by this name, so a suspended "
            "session could not find it again; register it first"
        )
    head = {
        "format": FORMAT,
        "family": name,
        "mode": kept.mode,
        "fork": kept.forked,
        "sealed": kept.exact is None,
        "any_order": kept.any_order,
        "generator": streams.written(rng=kept.rng),
        "secret": secrets.token_hex(16),
    }
    shape = (kept.held[0][1] if kept.exact is None else kept.exact).shape
    kind = np.int64 if kept.family.integer else np.float64
    file = io.BytesIO()
    np.savez(
        file,
        allow_pickle=False,
        head=np.frombuffer(json.dumps(head).encode(), np.uint8),
        levels=np.array([level for level, _ in kept.held], np.float64),
        releases=np.array([v for _, v in kept.held], kind).reshape(len(kept.held), *shape),
        exact=np.empty(0, kind) if kept.exact is None else kept.exact,
    )
    return file.getvalue()


def read(data: bytes) -> Suspended:
    """The session that the bytes hold.

    Raises:
        ParameterError: they do not hold one, or one of a family that is not known here.

    >>> read(b"something else")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: data must be the bytes that MultipleRelease.suspend returned, and \
these are not; pass them unchanged
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            if tuple(sorted(file.files)) != ARRAYS:
                raise ParameterError(NO_SESSION)
            exact, head, levels, releases = (file[name] for name in ARRAYS)
        stated = json.loads(head.tobytes())
        name = stated["family"]
        family = named(name)
        kept = _checked(stated, family, exact, levels, releases) if family else None
    except _BROKEN:
        raise ParameterError(NO_SESSION) from None
    if kept is None:
        raise ParameterError(
            f"the suspended session has noise of the family {checks.told(name)}, which is not "
            "known here; register it first"
        )
    return kept


def _checked(
    head: dict[str, Any], family: Process, exact: Array, levels: Array, releases: Array
) -> Suspended:
    """The parts put together, if they are of the right kinds and fit."""
    mode, forked, sealed, any_order = (
        head[each] for each in ("mode", "fork", "sealed", "any_order")
    )
    kind = np.dtype(np.int64 if family.integer else np.float64)
    good = (
        head["format"] == FORMAT,
        mode in ("teaching", "hardened") and (family.integer or mode == "teaching"),
        type(forked) is type(sealed) is type(any_order) is bool,
        not any_order or (mode == "teaching" and not sealed and not forked),
        levels.dtype == np.float64 and levels.ndim == 1,
        bool(np.all(levels > 0) and np.all(levels < np.inf) and np.all(np.diff(levels) > 0)),
        releases.dtype == exact.dtype == kind and bool(np.isfinite(releases).all()),
        np.array_equal(own_copy(exact, family), exact),
        releases.shape == (levels.size, *(releases.shape[1:] if sealed else exact.shape)),
        levels.size > 0 and exact.size == 0 if sealed else True,
        (head["generator"] is None) == (sealed or mode == "hardened"),
    )
    if not all(good):
        raise ParameterError(NO_SESSION)
    held = [(float(level), np.array(row)) for level, row in zip(levels, releases, strict=True)]
    for _, row in held:
        row.setflags(write=False)
    rng = streams.again(head["generator"])
    return Suspended(family, mode, forked, rng, None if sealed else exact, held, any_order)
