"""The player of the page Continual counting."""

from dataclasses import dataclass

from dpviz.ui.continual_counting.example import OPENS, Counting
from dpviz.ui.kit import controls
from dpviz.ui.kit.state import Slot, field, fill

PLAYING = Slot("counting_playing", lambda: 0)  # the step to play to; 0: it stands still
REACHED = Slot("counting_reached", lambda: 0)  # the step of the last tick; 0: nothing played
TOLD = Slot("counting_told", lambda: 0)  # the step that the open fold tells of; 0: none
SPEEDS = (1, 6, 24)  # steps at a tick
USUAL_SPEED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """How the stream is replayed."""

    speed: int  # steps at a time
    until: int  # the step that is played to; 0: it stands still


def player(counting: Counting) -> Player:
    """Speed and place of the replay.

    The made-up stream opens half-way, so that there is something to see; typed counts at their end.
    """
    if field(step_key(counting)) is None:
        fill(step_key(counting), counting.steps if counting.own else OPENS)
        PLAYING.set(0)
    speeds = [n for n in SPEEDS if n == 1 or n < counting.steps]
    speed = controls.segmented_control(
        "Speed",
        speeds,
        default=USUAL_SPEED if USUAL_SPEED in speeds else 1,
        format_func=lambda n: f"{n} {counting.every}{'s' * (n > 1)}",
        key="counting_speed",
        help="How much of the stream comes at each tick, about once a second.",
    )
    return Player(speed=speed, until=PLAYING.get())


def is_playing() -> bool:
    """Whether the stream is being played."""
    return PLAYING.get() > 0


def play_button(counting: Counting) -> None:
    """Play, from the beginning where nothing more comes, or pause."""
    playing, ended = is_playing(), (field(step_key(counting)) or 0) >= counting.steps
    plays = "Play from the start" if ended else f"Play the coming {counting.every}s"
    controls.button(
        "Pause" if playing else plays,
        _toggle,
        counting,
        type="primary",
        icon="pause" if playing else "play_arrow",
        width="stretch",
        key="counting_play",
    )


def _toggle(counting: Counting) -> None:
    """Play or pause; at the end of the stream, play from the beginning."""
    PLAYING.set(0 if is_playing() else counting.steps)
    if is_playing() and (field(step_key(counting)) or 0) >= counting.steps:
        fill(step_key(counting), 1)


def step_key(counting: Counting) -> str:
    """Where the session keeps the step of this stream."""
    return f"counting_step_{counting.steps}_{'own' if counting.own else 'example'}"
