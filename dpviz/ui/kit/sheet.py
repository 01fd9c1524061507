"""The exercise sheet of a class and its answer key, to be downloaded by its teacher."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dpviz.scenes import exercises
from dpviz.ui.kit import controls

FILES = ((False, "Download the sheet", "exercises"), (True, "Download the answer key", "answers"))


def downloads(code: str, *, key: str, dealt: Sequence[str] = ()) -> None:
    """Show the buttons that hand out both.

    Args:
        code: six letters.
        key: with which the keys of the buttons begin.
        dealt: tiers of the students of the class.
    """
    with st.container(horizontal=True, gap="small"):
        for answers, label, name in FILES:
            controls.download_button(
                label,
                data=partial(_page, code, answers, tuple(dealt)),
                file_name=f"{name}-{code}.html",
                key=f"{key}_{name}",
                mime="text/html",
            )


def _page(code: str, answers: bool, dealt: Sequence[str]) -> bytes:
    return exercises.sheet(code, answers=answers, dealt=dealt).encode()
