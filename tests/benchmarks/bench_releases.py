"""A hundred thousand groups at ten tiers, from the counts to the picture: at most 2 s.

Beside it, in the same run, what numpy needs to draw as many independent normals.
Run with `python -m tests.benchmarks.bench_releases`.
"""

import numpy as np

from dpviz.charts.releases import release_chart
from dpviz.data import read_csv
from dpviz.queries import ByColumn, Count
from dpviz.scenes.releases import releases_frame
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests.benchmarks.table import heading, line, seconds

GROUPS, TIERS, GOAL = 100_000, 10, 2.0  # seconds


def main() -> None:
    groups = tuple(f"group {i:06d}" for i in range(GROUPS))
    lines = [groups[i] for i in np.random.default_rng(1).integers(0, GROUPS, 5 * GROUPS)]
    table = read_csv("\n".join(["group", *lines]).encode(), name="many.csv")
    names = [f"tier {i}" for i in range(TIERS)]
    heading(f"{GROUPS:,} groups at {TIERS} tiers, drawn and shown")
    reference = seconds(
        lambda: [np.random.default_rng(i).normal(size=GROUPS) for i in range(TIERS)]
    )
    for family in ("gaussian", "discrete_laplace"):
        ws = Workspace.fresh()
        ws.family_name = family
        ws.use(Statistic(table, Count(ByColumn("group", groups)), ""))
        ws.use_tiers(
            [{"tier": n, "budget": str(0.01 * (i + 1)), "as": "ρ"} for i, n in enumerate(names)]
        )
        drawn = seconds(lambda ws=ws: ws.draw(*names[::2], *names[1::2]))
        shown = seconds(lambda ws=ws: _picture(ws))
        parts = f"drawn {drawn:.2f}, shown {shown:.2f}"
        line(family, drawn + shown, "s", GOAL, floor=reference, beside=parts)


def _picture(ws: Workspace) -> None:
    query = ws.statistic.query
    frame = releases_frame(query, ws.held, ws.family, 0.95)
    release_chart(frame, what=query.statistic, noun=query.noun, confidence=0.95)


if __name__ == "__main__":
    main()
