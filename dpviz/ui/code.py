"""The same in Python: code samples that reproduce, with the library, what a page shows.

Each is a complete program; a test executes it and compares the numbers.
"""

from collections.abc import Sequence

from dpviz.mechanisms.tiers import PlannedTier
from dpviz.queries import CountPerGroup
from dpviz.ui.rounds import FROM_SAMPLE, Statistic
from dpviz.ui.workspace import Workspace


def query_code(statistic: Statistic) -> str:
    """Load the table, count, and print the sensitivity; defines `table` and `query`."""
    loader = "load_sample" if statistic.loading == FROM_SAMPLE else "read_csv"
    return "\n".join(
        [
            f"from dpviz.data import {loader}",
            "from dpviz.queries import CountPerGroup",
            "",
            f"table = {statistic.loading}",
            f"query = {_query(statistic.query)}",
        ]
    )


def sensitivity_code(statistic: Statistic) -> str:
    """What the Data page shows; defines `sensitivity`."""
    return query_code(statistic) + "\nsensitivity = query.sensitivity\nprint(sensitivity)\n"


def plan_code(ws: Workspace, planned: Sequence[PlannedTier]) -> str:
    """From what was typed to noise levels and accuracies; defines `budgets`."""
    tiers = [f"    ({p.name!r}, {p.tier.kind!r}, {float(p.tier.amount)!r})," for p in planned]
    s = ws.setting
    return "\n".join(
        [
            "from dpviz.mechanisms.budgets import Setting, resolve",
            "from dpviz.noise import FAMILIES",
            "from dpviz.queries import Sensitivity",
            "",
            "setting = Setting(",
            f'    family=FAMILIES["{ws.family_name}"],',
            f"    delta={s.delta!r},",
            f"    sensitivity=Sensitivity.bounded({s.sensitivity.l0}),",
            f"    dimension={s.dimension},",
            ")",
            "tiers = [",
            *tiers,
            "]",
            "budgets = {name: resolve(kind, amount, setting) for name, kind, amount in tiers}",
            "for name, budget in budgets.items():",
            "    print(name, budget.letter, budget.loss, budget.level, budget.half_width)",
            "",
        ]
    )


def release_code(ws: Workspace) -> str:
    """Draw the same releases in the same order; defines `session`.

    After sealing the exact numbers are gone, so the sample says that it draws afresh.
    """
    one = ws.round
    statistic = one.statistic if one else ws.statistic
    seed, number = (one.seed, one.number) if one else (ws.seed, len(ws.rounds) + 1)
    family, asked = (one.family_name, one.asked) if one else (ws.family_name, [])
    seeded = f"streams.teaching({seed}, {number})"
    stream = seeded if ws.mode == "teaching" else "streams.hardened()"
    sealed_at = one.session.sealed_at if one else None
    imports, body = query_code(statistic).split("\n\n")
    lines = [
        "from dpviz import streams",
        imports,
        "from dpviz.noise import FAMILIES",
        "from dpviz.release import MultipleRelease",
        "",
        body,
        "session = MultipleRelease(",
        "    query.counts(table),",
        f'    FAMILIES["{family}"],',
        f"    rng={stream},",
        ")",
    ]
    if ws.mode == "hardened":
        lines.append("# Hardened draws cannot be repeated: these are fresh ones, of the same law.")
    if sealed_at is not None:
        lines.append("# The session on screen is sealed; this one draws afresh, from the table.")
    lines += [f"session.release({level!r})" for level in asked]
    if sealed_at is not None:
        lines.append(f"session.seal({sealed_at!r})")
    lines.append("for level in session.levels:")
    lines.append("    print(level, session.release(level) - session.family.mean(level))")
    return "\n".join([*lines, ""])


def _query(query: CountPerGroup) -> str:
    parts = [f"    column={query.column!r},", f"    groups={tuple(query.groups)!r},"]
    if query.person is not None:
        parts.append(f"    person={query.person!r},")
        parts.append(f"    groups_per_person={query.groups_per_person},")
    return "\n".join(["CountPerGroup(", *parts, ")"])
