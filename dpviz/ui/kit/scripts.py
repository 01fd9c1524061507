"""The dashboard's pieces of JavaScript: a few lines each, for what Streamlit lacks.

The browser asks before a reload or a closed tab loses releases that no project keeps; what it asks
is only whether there is something to lose, which each run tells it. A phone's menu, which covers
the page, shuts when a page is chosen in it. The keys of undo and redo press these buttons of the
page Tiers, unless they belong to a field in which somebody types. And a visitor of another day is
offered to go on with a lesson where the same browser left it: it keeps one number for each lesson,
the screen that was reached, and the server never gets it. The first screen has a link to each later
one, of which that of the kept number is shown; a browser that keeps nothing shows none.
"""

import json
from collections.abc import Collection, Mapping

import streamlit as st

from dpviz.ui.kit import controls, state
from dpviz.ui.kit.page_table import path

MENU_COVERS = 768  # pixels: up to this width Streamlit's menu covers the page
LINK_FOR_SKIP = 640  # pixels: up to this width the link stands in the place of "Skip"
_LISTENING = """
if (!("dpvizWouldLose" in window)) {
  window.addEventListener("beforeunload", event => {
    if (window.dpvizWouldLose) { event.preventDefault(); event.returnValue = true; }
  });
}
"""
_SCRIPTS = {
    lose: f"<script>{_LISTENING}window.dpvizWouldLose = {str(lose).lower()};</script>"
    for lose in (True, False)
}
_SHUT = f"""<script>
if (!window.dpvizShutsMenu) {{
  window.dpvizShutsMenu = true;
  const at = name => `[data-testid="${{name}}"]`;
  document.addEventListener("click", event => {{
    const chosen = event.target.closest?.(at("stSidebarNavLink"));
    if (!chosen || !matchMedia("(max-width: {MENU_COVERS}px)").matches) return;
    setTimeout(() => document.querySelector(`${{at("stSidebarCollapseButton")}} button`)?.click());
  }}, true);
}}
</script>"""
_UNDO = """<script>
if (!window.dpvizUndoes) {
  window.dpvizUndoes = true;
  const typed = new WeakSet();  // fields with something of their own to undo
  document.addEventListener("focusin", event => typed.delete(event.target), true);
  document.addEventListener("input", event => event.inputType && typed.add(event.target), true);
  let waits;  // the grid sends an edit a moment late, and the button is shut until then
  document.addEventListener("keydown", event => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !/^z$/i.test(event.key)) return;
    if (typed.has(event.target) || event.target.closest?.("#portal")) return;
    const turn = event.shiftKey ? "redo" : "undo";
    const find = () => document.querySelector(`.st-key-plan_turn_${turn} button`);
    const press = looks => {
      if (find()?.disabled && looks) waits = setTimeout(press, 150, looks - 1);
      else find()?.click();
    };
    if (!find()) return;
    event.preventDefault();
    clearTimeout(waits);
    press(8);
  }, true);
}
</script>"""
_KEEP = """<script>
try {
  const name = "dpviz lesson %s", step = %d;
  const had = Math.floor(Number(localStorage.getItem(name))) || 1;
  document.documentElement.dataset.dpvizReached = had;
  if (step > had) localStorage.setItem(name, step);
} catch (error) { delete document.documentElement.dataset.dpvizReached; }
</script>"""
CLASS = "dpviz_class"  # the cookie of a teacher
_CLASS = """<script>
document.cookie = "%s=%s; Max-Age=%d; Path=/; SameSite=Strict"
  + (location.protocol === "https:" ? "; Secure" : "");
</script>"""
_ADDRESS = """<script>
try {  // of the screen %s
  const at = new URL(location.href), asked = %s;
  for (const name of %s) {
    if (name in asked) at.searchParams.set(name, asked[name]); else at.searchParams.delete(name);
  }
  if (asked.step) at.searchParams.set("step", asked.step);
  if (at.href !== location.href) history.replaceState(history.state, "", at);
} catch (error) {}
</script>"""
_LINKS, _LINK = "lesson_return", "lesson_return_to_"


def ask_before_leaving() -> None:
    """Let the browser ask from now on, if releases would be lost, and not if nothing would be."""
    st.html(_SCRIPTS[state.would_lose()], unsafe_allow_javascript=True)


def shut_menu_when_chosen() -> None:
    """From now on a click on a page shuts the menu of a narrow window."""
    st.html(_SHUT, unsafe_allow_javascript=True)


def undo_by_keys() -> None:
    """From now on the usual keys press the buttons of undo and redo, where these are shown."""
    st.html(_UNDO, unsafe_allow_javascript=True)


def keep_screen(file: str, step: int) -> None:
    """Let the browser keep that the lesson of this page has come to a screen, if it is further."""
    st.html(_KEEP % (file, step), unsafe_allow_javascript=True)


def keep_class(code: str, secret: str, seconds: float) -> None:
    """Let the browser keep for a while by which a class knows its teacher."""
    st.html(_CLASS % (CLASS, f"{code}.{secret}", seconds), unsafe_allow_javascript=True)


def forget_class() -> None:
    """Let the browser forget it."""
    st.html(_CLASS % (CLASS, "", 0), unsafe_allow_javascript=True)


def keep_in_address(screen: str, asked: Mapping[str, str], names: Collection[str]) -> None:
    """Let the address of the page keep what is on screen.

    Args:
        screen: which one.
        asked: what the address asks for, by name.
        names: which of them go where they are not asked for.
    """
    script = _ADDRESS % (screen, json.dumps(dict(asked)), json.dumps([*names]))
    st.html(script, unsafe_allow_javascript=True)


def offer_return(file: str, screens: int) -> None:
    """A link to the screen that was reached on another day, if there was one."""
    steps = range(2, screens + 1)
    st.html(_link_styles(steps))
    with st.container(key=_LINKS, width="content", gap=None):
        for step in steps:
            with st.container(key=f"{_LINK}{step}", width="content"):
                controls.page_link(path(file), f"Welcome back: go on at {step}", step=str(step))


def _link_styles(steps: range) -> str:
    """Styles: no link, but that to the screen which the browser knows."""
    reached = [f'html[data-dpviz-reached="{step}"]' for step in steps]
    known = f":is({', '.join(reached)})"
    links = ", ".join(
        f"{root} .st-key-{_LINK}{step}" for root, step in zip(reached, steps, strict=True)
    )
    return f"""<style>
div:has(> .st-key-{_LINKS}), [class*="st-key-{_LINK}"] {{ display: none }}
{known} div:has(> .st-key-{_LINKS}), {links} {{ display: flex }}
@media (max-width: {LINK_FOR_SKIP}px) {{
  {known} :is(.st-key-lesson_skip, .st-key-lesson_link) {{ display: none }}
}}
</style>"""
