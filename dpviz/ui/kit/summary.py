"""What several pages say about the workspace: its footer, its state, a look at the table."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.ui.kit import controls, looking, parts
from dpviz.words.markdown import literal
from dpviz.workspace import account
from dpviz.workspace.held import HeldTier
from dpviz.workspace.takeaways import counted, loss_words
from dpviz.workspace.workspace import Workspace

HILLS = 6  # more would be too thin to read
PREVIEW = 20  # rows of the table, shown on request


def thin_out(tiers: Sequence[HeldTier]) -> list[HeldTier]:
    """At most `HILLS` tiers, evenly chosen; the most and the least private stay."""
    n = len(tiers)
    if n <= HILLS:
        return list(tiers)
    return [tiers[round(i * (n - 1) / (HILLS - 1))] for i in range(HILLS)]


def state_of(ws: Workspace) -> None:
    """What this workspace holds now."""
    drawn = ws.levels_of(ws.round)
    lines = [
        f"**Table** {literal(ws.statistic.table.name)}",
        f"**Statistic** {literal(ws.statistic.query.statistic)}",
        f"**Noise** {ws.family.label}, {counted(len(ws.plan.tiers))} tiers",
        f"**Releases** {counted(len(drawn)) if drawn else 'none yet'} in this session",
    ]
    if ws.ledger:
        lines.append(f"**Privacy loss so far** bounded by {loss_words(account.joint(ws))}")
    with st.container(border=True, gap="xsmall"):
        st.markdown("**Your workspace**")
        st.caption("  \n".join(lines))
        st.caption(
            "A second browser tab is a workspace of its own: its releases are separate, "
            "and their privacy loss adds to this one."
        )


def look_at_table(ws: Workspace) -> None:
    """Columns and source of the table; its first rows on request and marked.

    Another table begins with its rows out of sight, whatever was asked of the one before.
    """
    parts.table(
        pd.DataFrame([(c.name, c.kind) for c in ws.table.columns], columns=["column", "type"]),
        alt="Columns of the table and the types that the engine found.",
    )
    if (sample := ws.sample) is not None:
        st.caption(
            f"**Sample** {sample.title}. **One row** {sample.row}. **Source** {sample.source}. "
            f"**Licence** {sample.licence}."
        )
    wanted = controls.toggle(
        "Look at the table: not private",
        help="The raw rows, for people who may see them.",
        lasting=False,
        key=f"look_at_table_{ws.table.digest[:12]}",
    )
    if wanted and looking.sure_of_rows(ws):
        looking.note(ws, ws.table)
        st.badge("Raw rows on screen: not private", icon=":material/visibility:", color="red")
        parts.table(
            ws.table.preview(PREVIEW), alt=f"First {PREVIEW} rows of the table, not private."
        )
        st.caption(f"First {PREVIEW} of {ws.table.rows():,} rows.")
