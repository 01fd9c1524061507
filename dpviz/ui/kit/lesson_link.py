"""What the address of a lesson keeps of the screen, so that a reload or another person sees it too.

    ?step=4&choice=2&draw=3&done=yes

The choice is the number of its option, the draw how often the numbers were drawn again, `done` that
the act is done, and `told=yes` that what opens the screen was skipped. What is not there is as at
first. The seed is in a link to a screen where one plays, as everybody has towns of their own there.

A link as a picture for the cameras of phones, made without a request to anybody.
"""

import html
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from dpviz.ui.kit import press
from dpviz.ui.kit.lesson import Screen


def qr(link: str) -> str:
    """The link as a picture: dark on white in either theme, as cameras need it.

    >>> qr("http://192.168.1.20:8501/the_trick?step=4")[:30]
    '<img alt="QR picture of http:/'
    """
    picture = segno.make(link, error="m", micro=False).svg_data_uri(scale=6, light="#FFFFFF")
    return f'<img alt="QR picture of {html.escape(link)}" src="{html.escape(picture)}">'


def is_here_only(address: str) -> bool:
    """Whether an address leads nowhere from another computer.

    >>> is_here_only("http://localhost:8501/the_trick"), is_here_only("http://[::1]:8501/")
    (True, True)
    >>> is_here_only("http://192.168.1.20:8501/the_trick"), is_here_only("https://dp.example.org")
    (False, False)
    """
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


STEP, CHOICE, DRAW, DONE, TOLD = "step", "choice", "draw", "done", "told"  # in the address
KEPT = (CHOICE, DRAW, DONE, TOLD)  # of one screen, besides its number
YES = "yes"
MOST_DRAWS = 10**6
BOX = "lesson_link"
HERE_ONLY = "This address works on this computer alone: the dashboard was started for it only."


@dataclass(frozen=True, slots=True, kw_only=True)
class OnScreen:
    """What is on screen of a lesson, as far as an address says it.

    Attributes:
        step: number of the screen.
        choice: number of the option chosen; 0: the one that is seen first, or no answer.
        draw: how often the numbers of the lesson were drawn again.
        done: whether the act is done.
        told: whether what opens the screen was skipped.
    """

    step: int
    choice: int = 0
    draw: int = 0
    done: bool = False
    told: bool = False

    @property
    def asked(self) -> dict[str, str]:
        """What stands in the address.

        >>> OnScreen(step=4, choice=2, done=True).asked
        {'step': '4', 'choice': '2', 'done': 'yes'}
        >>> OnScreen(step=1).asked
        {}
        """
        numbers = {STEP: self.step if self.step > 1 else 0, CHOICE: self.choice, DRAW: self.draw}
        found = {name: str(number) for name, number in numbers.items() if number}
        flags = {DONE: self.done, TOLD: self.told}
        return found | {name: YES for name, flag in flags.items() if flag}


def asked_for(address: Mapping[str, str], step: int) -> OnScreen:
    """What an address asks for of a screen; nonsense is as if it were not there.

    >>> asked_for({"choice": "2", "draw": "x", "done": "yes"}, 4)
    OnScreen(step=4, choice=2, draw=0, done=True, told=False)
    """
    return OnScreen(
        step=step,
        choice=_number(address.get(CHOICE)),
        draw=_number(address.get(DRAW)),
        done=address.get(DONE) == YES,
        told=address.get(TOLD) == YES,
    )


def _number(text: str | None) -> int:
    if text is None or not (
        text.isascii() and text.isdigit() and len(text) <= len(f"{MOST_DRAWS}")
    ):
        return 0
    return int(text)


def option(screen: Screen, number: int) -> str | None:
    """The option of this number; None if there is none."""
    options = screen.choice.options if screen.choice else ()
    return options[number - 1] if 0 < number <= len(options) else None


def place(screen: Screen, chosen: str) -> int:
    """The number of an option; 0 for the one that is seen first, or no answer."""
    choice = screen.choice
    if choice is None or chosen in ("", choice.default):
        return 0
    return choice.options.index(chosen) + 1


def show(shown: OnScreen, seed: int | None) -> None:
    """A box with the address of the screen, and its picture for phones.

    Args:
        shown: what is on screen.
        seed: of the visitor, where the screen depends on it.
    """
    words = "Others who open it see this screen, with the same choice and the same numbers."
    box = press.popover(
        "Link to this screen", key=BOX, icon="qr_code_2", help=words, type="tertiary"
    )
    if not box.open:
        return
    asked = shown.asked | ({} if seed is None else {"seed": str(seed)})
    here = urlsplit(st.context.url or "")
    link = here._replace(path=here.path or "/", query=urlencode(asked), fragment="").geturl()
    with box:
        st.html(
            f'{qr(link)}<p><a style="color: inherit" href="{escape(link)}">{escape(link)}</a></p>'
        )
        if is_here_only(link):
            st.caption(HERE_ONLY)
