"""The seed of practice numbers in the address of a tab: there when the tab is loaded again.

Each run tells the page, in a few lines of JavaScript, which seed to keep in its address; so a
change of the page, which begins with an address of its own, keeps it, and "Back" leads as before to
the page before. Lessons, whose answers are public, and the screen of one tier alone keep none.
"""

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.parameters import seed_from
from dpviz.ui.kit import parts, plan_file, state
from dpviz.ui.kit.page_table import PageInfo
from dpviz.ui.kit.state import Slot, nothing
from dpviz.workspace.plan_file.link import SEED

_SEEN = Slot[str | None]("seed_address_seen", nothing)
_KEEP = """<script>
try {  // on the page %s
  const at = new URL(location.href), seed = "%s";
  if ((at.searchParams.get("seed") ?? "") !== seed) {
    if (seed) at.searchParams.set("seed", seed); else at.searchParams.delete("seed");
    history.replaceState(history.state, "", at);
  }
} catch (error) {}
</script>"""


def take_address() -> None:
    """Put the seed to use that the address of the page asks for, once; or say why it cannot be."""
    asked = st.query_params.get(SEED)
    if asked is None or asked == _SEEN.get():
        return
    _SEEN.set(asked)
    ws = state.workspace()
    try:
        ws.seed = seed_from(asked)
    except ParameterError as error:
        parts.refusal(f"The seed in this address cannot be used. {error}")
    plan_file.refill_seed(ws)


def keep_in_address(shown: PageInfo) -> None:
    """Let the browser keep the seed of this tab in the address of the page.

    Args:
        shown: the page on screen.
    """
    if shown.is_lesson:
        return
    ws = state.workspace()
    seed = str(ws.seed) if ws.mode == "teaching" else ""
    st.html(_KEEP % (shown.file, seed), unsafe_allow_javascript=True)
