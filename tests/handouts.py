"""Releases as a ledger would give them, for the tests of hand-outs."""

import datetime

import numpy as np

from dpviz import streams
from dpviz.handout import SigningKey, TierRelease
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease

DAY = datetime.date(2026, 11, 21)
KEY = SigningKey.from_private_bytes(bytes(range(32)))
VERSIONS = (("numpy", "2.4.6"), ("dpviz", "0.1.0"))
EXACT = {"gaussian": np.array([812.0, 40.0, 3.0]), "discrete_laplace": np.array([812, 40, 3])}
TIERS = {"public": 400.0, "partners": 25.0, "audit": 1.0}


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
