"""The same in Python: code samples that reproduce, with the library, what a page shows.

Each is a complete program; a test executes it and compares the numbers.
"""

from collections.abc import Sequence

from dpviz.queries import CountPerGroup
from dpviz.ui.rounds import Round, Statistic


def query_code(statistic: Statistic) -> str:
    """Load the table, count, and print the sensitivity; defines `table` and `query`."""
    loader = "load_sample" if statistic.loading == "load_sample()" else "read_csv"
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


def levels_code(family_name: str, levels: Sequence[float]) -> str:
    """The accuracy of given noise levels; defines `accuracies`."""
    return "\n".join(
        [
            "from dpviz.accounting import half_width",
            "from dpviz.noise import FAMILIES",
            "",
            f'family = FAMILIES["{family_name}"]',
            f"levels = {list(levels)!r}",
            "accuracies = [half_width(family, level, 0.95) for level in levels]",
            "print(accuracies)",
            "",
        ]
    )


def release_code(one: Round) -> str:
    """Draw the same releases in the same order; defines `session`.

    After sealing the exact numbers are gone, so the sample says that it draws afresh.
    """
    lines = [
        "from dpviz import streams",
        query_code(one.statistic).split("\n\n")[0],
        "from dpviz.noise import FAMILIES",
        "from dpviz.release import MultipleRelease",
        "",
        query_code(one.statistic).split("\n\n")[1],
        "session = MultipleRelease(",
        "    query.counts(table),",
        f'    FAMILIES["{one.family_name}"],',
        f"    rng=streams.teaching({one.seed}, {one.number}),",
        ")",
    ]
    if one.session.sealed_at is not None:
        lines.append("# The session on screen is sealed; this one draws afresh, from the table.")
    lines += [f"session.release({level!r})" for level in one.asked]
    if one.session.sealed_at is not None:
        lines.append(f"session.seal({one.session.sealed_at!r})")
    return "\n".join([*lines, "print(session)", ""])


def _query(query: CountPerGroup) -> str:
    parts = [f"    column={query.column!r},", f"    groups={tuple(query.groups)!r},"]
    if query.person is not None:
        parts.append(f"    person={query.person!r},")
        parts.append(f"    groups_per_person={query.groups_per_person},")
    return "\n".join(["CountPerGroup(", *parts, ")"])
