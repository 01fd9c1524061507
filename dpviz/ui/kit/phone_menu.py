"""The menu of a phone shuts when a page is chosen in it; Streamlit leaves it open over the page.

On a narrow window the menu is a drawer that covers the page. A few lines of JavaScript, which are
constant, press its own button for shutting it after a click on a link in it.
"""

import streamlit as st

NARROW = 768  # pixels: up to this width Streamlit's menu covers the page
_SHUT = f"""<script>
if (!window.dpvizShutsMenu) {{
  window.dpvizShutsMenu = true;
  const at = name => `[data-testid="${{name}}"]`;
  document.addEventListener("click", event => {{
    const chosen = event.target.closest?.(at("stSidebarNavLink"));
    if (!chosen || !matchMedia("(max-width: {NARROW}px)").matches) return;
    setTimeout(() => document.querySelector(`${{at("stSidebarCollapseButton")}} button`)?.click());
  }}, true);
}}
</script>"""


def shut_when_chosen() -> None:
    """From now on a click on a page shuts the menu of a narrow window."""
    st.html(_SHUT, unsafe_allow_javascript=True)
