"""Releases as a ledger would give them, and packs as a recipient or a forger handles them."""

import datetime
import hashlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np

from dpviz import streams
from dpviz.handout import SigningKey, TierRelease, verify_folder
from dpviz.handout.contents import SIGNED
from dpviz.handout.signing import fingerprint, signed
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease

DAY = datetime.date(2026, 11, 21)
KEY = SigningKey.from_private_bytes(bytes(range(32)))
OTHER = SigningKey.from_private_bytes(bytes(32))
OWN, OTHERS = fingerprint(KEY.public), fingerprint(OTHER.public)
VERSIONS = (("numpy", "2.4.6"), ("dpviz", "0.1.0"))
EXACT = {"gaussian": np.array([812.0, 40.0, 3.0]), "discrete_laplace": np.array([812, 40, 3])}
TIERS = {"public": 400.0, "partners": 25.0, "audit": 1.0}
HOSTILE = [
    *("..", "../../etc/passwd", "/", "\\\\server\\share", "CON", "con", "COM1.txt", "COM¹", ""),
    *("…", "a:b", "a/b", "A b", "tier", "x" * 300, "公衆", "\ud800", "cafe\u0301", "café"),
    *("straße", "STRASSE", "a\0b", "=1+1"),
]


def release_of(values, **other):
    """A release with a name for each value and no more than it must have."""
    names = tuple(f"g{i}" for i in range(len(values)))
    given = {
        "tier": "audit",
        "session": 1,
        "level": 4.0,
        "entries": names,
        "values": np.array(values),
        "facts": (("unit", "one row"), ("neighbours", "add or remove one person")),
        "labels": names,
        "drawn": DAY,
        "versions": VERSIONS,
    }
    return TierRelease(**(given | other))


def facts_of(tier, budget):
    return (
        ("tier", tier),
        ("statistic", "number of people per group of “ward”"),
        ("definition", "ρ-zCDP (ρ, rho: bounds the privacy loss; larger = less private)"),
        ("budget", budget),
        ("unit", "one person = one row"),
        ("neighbours", "add or remove one person"),
        ("sensitivity", "Δ₂ = √ℓ₀ · ℓ∞ = 1"),
        ("accuracy", "with 95 % confidence value is within ±20 of the bounded statistic"),
        ("kind", "lossless: a coalition learns what its least private member learns alone"),
        ("mode", "practice: seeded, reproducible, floating point, no privacy claim"),
    )


def ledger(family="gaussian", *, step=1.0, derived=True, session=1, tiers=TIERS):
    """One release per tier of one statistic, drawn in one session."""
    noise = FAMILIES[family]
    drawn = MultipleRelease(EXACT[family], noise, rng=streams.teaching(7, session))
    releases = []
    for tier, level in tiers.items():
        values = drawn.release(level)
        estimates = (("estimate", values * step), ("clipped", np.maximum(values * step, 0)))
        releases.append(
            release_of(
                values,
                tier=tier,
                session=session,
                level=level,
                step=step,
                mean=noise.mean(level),
                facts=facts_of(tier, f"ρ = {0.5 / level:g}"),
                derived=estimates if derived else (),
            )
        )
    return releases


def opened(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {info.filename: archive.read(info) for info in archive.infolist()}


def closed(files, method=zipfile.ZIP_DEFLATED):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


def folder(files, tier):
    return {n.removeprefix(f"{tier}/"): c for n, c in files.items() if n.startswith(f"{tier}/")}


def found(source, **other):
    """What is found, as check → where → what."""
    result = verify_folder(source if isinstance(source, bytes | Path) else closed(source), **other)
    wrong = {c.about: {f.where: f.what for f in c.findings} for c in result.checks if c.findings}
    assert result.passed == (not wrong)
    return wrong


def signed_again(files, key=KEY, **other):
    """A folder whose list is made to fit its files, and is signed by a key."""
    named = json.loads(files[SIGNED])
    others = {n: c for n, c in files.items() if n != SIGNED}
    digests = {n: hashlib.sha256(c).hexdigest() for n, c in others.items()}
    return {**others, SIGNED: signed({**unsigned(named), "files": digests, **other}, key)}


def unsigned(named):
    return {n: v for n, v in named.items() if n not in ("key", "signature")}


def swapped(content, old, new):
    assert old.encode() in content
    return content.replace(old.encode(), new.encode())


def unpacked(files, place):
    """The files of a pack or a folder, in a folder of the disk."""
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return place
