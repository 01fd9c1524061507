"""A look at the table of the workspace."""

import pandas as pd
import streamlit as st

from dpviz.ui.kit import controls, looking, parts
from dpviz.workspace.workspace import Workspace

PREVIEW = 20  # rows of the table, shown on request


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
