"""The whole dashboard of a reader who has logged in: the releases of one tier, and their files.

Everything comes from the project by `OfTier`, which reads nothing of another tier; what the address
says makes no difference. No workspace is made for a reader.
"""

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.release import today
from dpviz.ui.kit import admitted, controls, parts
from dpviz.ui.kit.state import Slot, nothing
from dpviz.ui.present import screen
from dpviz.workspace.accounts import Reader
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.of_tier import NothingYetError, OfTier, Own

NOTHING_TITLE = "Nothing to see yet"
_PLACE = Slot[Projects | None]("own_place", nothing)
_SEEN = Slot[set[int]]("own_seen", set)


def show(person: Reader) -> None:
    """What this reader's tier was given, the newest first, and the file of what is on screen.

    Args:
        person: who has logged in.
    """
    try:
        tier = _place().of_tier(person.project, person.tier)
        found = tier.releases()
        names = [screen.named(own.view.statistic, own.entry) for own in found]
        own = found[screen.choose(names, key="own_release")]
        if own.entry.number not in _SEEN.get():
            tier.note("view", own)  # before it is shown
            _SEEN.get().add(own.entry.number)
    except NothingYetError as error:
        parts.bare_head(NOTHING_TITLE, f"{error}.")
        return
    except ParameterError as error:
        parts.refusal(str(error))
        return
    _one(tier, own)


def _place() -> Projects:
    """The projects of this dashboard, looked through for damage once for each tab."""
    found = _PLACE.get()
    if found is None:
        found = admitted.projects()
        _PLACE.set(found)
    return found


def _one(tier: OfTier, own: Own) -> None:
    """One release: its numbers, what they are, and its file."""
    view = own.view
    parts.bare_head(screen.title(view), view.sentence)
    parts.show_badges([parts.MODES[view.mode]])
    picture, bar = st.container(), st.container()
    with picture:
        screen.numbers(view, bar)
    controls.download_button(
        "Download these numbers",
        data=lambda: tier.file(own, today()),
        file_name=own.name,
        key=f"own_file_{own.entry.number}",
    )
    parts.look_closer("What these numbers are", lambda: screen.facts(view), key="one_tier")
