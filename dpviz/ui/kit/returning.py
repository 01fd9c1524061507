"""A visitor of another day is offered to go on with a lesson where the same browser left it.

The browser keeps one number for each lesson, the screen that was reached; nothing else, and the
server never gets it. Streamlit keeps nothing beyond a tab. So each run tells the page, in a few
lines of JavaScript that are constant for a screen, what to keep; and the first screen has a link to
each later one, of which that of the kept number is shown. A browser that keeps nothing shows none.
"""

import streamlit as st

from dpviz.ui.kit import controls
from dpviz.ui.kit.page_table import path

NARROW = 640  # pixels: up to this width the link stands in the place of "Skip"
_KEEP = """<script>
try {
  const name = "dpviz lesson %s", step = %d;
  const had = Math.floor(Number(localStorage.getItem(name))) || 1;
  document.documentElement.dataset.dpvizReached = had;
  if (step > had) localStorage.setItem(name, step);
} catch (error) { delete document.documentElement.dataset.dpvizReached; }
</script>"""
_LINKS, _LINK = "lesson_return", "lesson_return_to_"


def keep(file: str, step: int) -> None:
    """Let the browser keep that the lesson of this page has come to a screen, if it is further."""
    st.html(_KEEP % (file, step), unsafe_allow_javascript=True)


def offer(file: str, screens: int) -> None:
    """A link to the screen that was reached on another day, if there was one."""
    steps = range(2, screens + 1)
    st.html(_shown(steps))
    with st.container(key=_LINKS, width="content", gap=None):
        for step in steps:
            with st.container(key=f"{_LINK}{step}", width="content"):
                controls.page_link(path(file), f"Welcome back: go on at {step}", step=str(step))


def _shown(steps: range) -> str:
    """Styles: no link, but that to the screen which the browser knows."""
    reached = [f'html[data-dpviz-reached="{step}"]' for step in steps]
    known = f":is({', '.join(reached)})"
    links = ", ".join(
        f"{root} .st-key-{_LINK}{step}" for root, step in zip(reached, steps, strict=True)
    )
    return f"""<style>
div:has(> .st-key-{_LINKS}), [class*="st-key-{_LINK}"] {{ display: none }}
{known} div:has(> .st-key-{_LINKS}), {links} {{ display: flex }}
@media (max-width: {NARROW}px) {{ {known} .st-key-lesson_skip {{ display: none }} }}
</style>"""
