"""Every widget of the dashboard, one function for each kind.

A page says what is its own: label, choices, key, help. What widgets share is said here: a field
keeps its content for the session, so that a visitor who comes back to a page finds it as it
was (`lasting=False`: it begins afresh at each visit); of several options one is always chosen;
icons go by their names; a download does not run the page again.

Every widget has a key, and each key is used once. A field whose choices depend on something has
that in its key.
"""

import zlib
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, Unpack

import pandas as pd
import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

from dpviz.ui.kit import admitted, state
from dpviz.ui.kit.state import Slot

T = TypeVar("T")
Width = Literal["content", "stretch"]


class Look(TypedDict, total=False):
    """What a button may have."""

    icon: str
    icon_position: Literal["left", "right"]
    help: str | None
    type: Literal["primary", "secondary", "tertiary"]
    width: Width
    disabled: bool
    shortcut: str


class Options(TypedDict, total=False):
    """What a choice may say: how its options are called, and what it is for."""

    format_func: Callable[[Any], str]
    help: str | None


class Typed(TypedDict, total=False):
    """What a field for text may say: what it shows while it is empty, and what it is for."""

    placeholder: str
    help: str | None
    width: int


def keyed(name: str, what: object) -> str:
    """The key of a field whose choices depend on something: for others it begins afresh."""
    return f"{name}_{zlib.crc32(repr(what).encode())}"


def _kept(key: str, lasting: bool = True) -> dict[str, Any]:
    return {"key": key, "persist_state": "session" if lasting else None}


def button(
    label: str, act: Callable[..., Any] | None = None, *args: object, key: str, **look: Unpack[Look]
) -> bool:
    """A button that runs its act with arguments of the render before: see `press.button`."""
    if "icon" in look:
        look["icon"] = f":material/{look['icon']}:"
    return st.button(label, key=key, on_click=admitted.guarded(act), args=args, **look)


def download_button(
    label: str,
    data: bytes | Callable[[], bytes],
    *,
    key: str,
    file_name: str,
    mime: str = "text/csv",
    icon: str = "download",
    width: Width = "content",
    help: str | None = None,
) -> None:
    """A button that hands out a file, made when it is pressed if `data` is a function."""
    shown = f":material/{icon}:"
    made = admitted.guarded_file(data)
    file: dict[str, Any] = {"data": made, "file_name": file_name, "mime": mime}
    look: dict[str, Any] = {"icon": shown, "width": width, "help": help}
    st.download_button(label, key=key, on_click="ignore", **look, **file)


def page_link(path: str, label: str, **asked: str) -> None:
    """A link to another page, and what its address asks for."""
    look: dict[str, Any] = {"icon": ":material/arrow_forward:", "icon_position": "right"}
    st.page_link(path, label=label, query_params=asked or None, **look)


_CLOSED = Slot[set[str]]("popovers_closed", set)


def shut(key: str) -> None:
    """Shut the popover or fold of this key when it is shown next: what it is for is done."""
    _CLOSED.get().add(key)


def shut_if_done(key: str) -> None:
    """Shut a popover or fold, just before it is shown, if an act in it was done."""
    if key in _CLOSED.get():
        _CLOSED.get().remove(key)
        state.fill(key, False)


OPEN_AT_FIRST: Container[str] = ()  # keys of folds: tests open those that they look into


def fold(label: str, *, key: str, icon: str = "zoom_in") -> Any:
    """A fold that knows whether it is open: `.open`; what is inside may wait for that."""
    shown = f":material/{icon}:"
    shut_if_done(key)
    return st.expander(label, key in OPEN_AT_FIRST, key=key, icon=shown, on_change="rerun")


def toggle(
    label: str,
    *,
    key: str,
    value: bool = False,
    help: str | None = None,
    wrap: bool | None = None,
    lasting: bool = True,
) -> bool:
    """A switch, for what is shown."""
    return st.toggle(label, value, help=help, wrap=wrap, **_kept(key, lasting))


def checkbox(
    label: str, *, key: str, value: bool = False, help: str | None = None, lasting: bool = True
) -> bool:
    """A tick, for what is meant."""
    return st.checkbox(label, value, help=help, **_kept(key, lasting))


def radio(
    label: str, options: Sequence[T], *, key: str, index: int = 0, **said: Unpack[Options]
) -> T:
    """One of few options, one below the other."""
    chosen: T = st.radio(label, options, index, **said, **_kept(key))
    return chosen


def optional_radio(
    label: str, options: Sequence[T], *, key: str, index: int | None, **said: Unpack[Options]
) -> T | None:
    """One of few options, one below the other; none where there is no usual answer."""
    chosen: T | None = st.radio(label, options, index, **said, **_kept(key))
    return chosen


def selectbox(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    index: int = 0,
    lasting: bool = True,
    label_visibility: Literal["visible", "collapsed"] = "visible",
    **said: Unpack[Options],
) -> T:
    """One of many options; None without options."""
    look: dict[str, Any] = {"label_visibility": label_visibility, **_kept(key, lasting)}
    chosen: T = st.selectbox(label, options, index, **said, **look)
    return chosen


def optional_selectbox(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    index: int | None,
    placeholder: str,
    lasting: bool = True,
    **said: Unpack[Options],
) -> T | None:
    """One of many options, or none."""
    look: dict[str, Any] = {"placeholder": placeholder, **_kept(key, lasting)}
    chosen: T | None = st.selectbox(label, options, index, **said, **look)
    return chosen


def segmented_control(
    label: str,
    options: Sequence[T] | Mapping[T, str],
    *,
    key: str,
    default: T,
    label_visibility: Literal["visible", "collapsed"] = "visible",
    **said: Unpack[Options],
) -> T:
    """One of few options, side by side; the keys of a mapping go by what it calls them."""
    if isinstance(options, Mapping):
        said["format_func"] = options.__getitem__
    always: dict[str, Any] = {"required": True, "label_visibility": label_visibility}
    chosen: T = st.segmented_control(
        label, list(options), default=default, **always, **said, **_kept(key)
    )
    return chosen


def look_at(
    *options: str,
    key: str,
    help: str = "The example is made up, so its exact numbers may be shown. Yours stay hidden.",
) -> str:
    """Whose numbers a page shows: at first the made-up ones, which are named first."""
    return segmented_control("Look at", options, default=options[0], key=key, help=help)


def pill(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    default: T,
    lasting: bool = True,
    **said: Unpack[Options],
) -> T:
    """One of several options that need more than a line."""
    kept = {"required": True, "wrap": True, **_kept(key, lasting)}
    chosen: T = st.pills(label, options, default=default, **said, **kept)
    return chosen


def pills(
    label: str, options: Sequence[T], *, key: str, default: Sequence[T], **said: Unpack[Options]
) -> list[T]:
    """Any of several options."""
    kept = {"selection_mode": "multi", "wrap": True, **_kept(key)}
    chosen: list[T] = st.pills(label, options, default=default, **said, **kept)
    return chosen


def multiselect(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    default: Sequence[T] = (),
    placeholder: str | None = None,
    **said: Unpack[Options],
) -> list[T]:
    """Any of many options."""
    shown: dict[str, Any] = {"placeholder": placeholder, "wrap": True}
    chosen: list[T] = st.multiselect(label, options, default, **shown, **said, **_kept(key))
    return chosen


def slider(
    label: str, least: int, most: int, value: int | None = None, *, key: str, help: str
) -> int:
    """A whole number between two ends."""
    return int(st.slider(label, least, most, value, help=help, **_kept(key)))


def select_slider(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    value: T | None = None,
    lasting: bool = True,
    **said: Unpack[Options],
) -> T:
    """One of several steps on a scale."""
    chosen: T = st.select_slider(label, options, value, **said, **_kept(key, lasting))
    return chosen


def text_input(
    label: str,
    value: str = "",
    *,
    key: str,
    lasting: bool = True,
    changed: Callable[[], None] | None = None,
    **typed: Unpack[Typed],
) -> str:
    """A line of text; numbers are typed as text, so that a refusal can say what to type instead.

    What is typed may be put to use at once, by `changed`, before the page is shown again.
    """
    kept = _kept(key, lasting)
    return st.text_input(label, value, on_change=admitted.guarded(changed), **typed, **kept) or ""


def text_area(
    label: str, value: str = "", *, key: str, height: int | None = None, **typed: Unpack[Typed]
) -> str:
    """Lines of text."""
    return st.text_area(label, value, height, **typed, **_kept(key)) or ""


def number_input(label: str, least: int, most: int, value: int, *, key: str) -> int:
    """A whole number that is typed or counted up and down."""
    return int(st.number_input(label, least, most, value, 1, **_kept(key)))


def data_editor(
    rows: pd.DataFrame,
    *,
    key: str,
    alt: str,
    column_config: Mapping[str, Any],
    column_order: Sequence[str] | None = None,
    num_rows: Literal["dynamic", "fixed"] = "dynamic",
) -> pd.DataFrame:
    """A grid that is edited, with rows that come and go; columns outside the order stay unseen."""
    grid: dict[str, Any] = {
        "num_rows": num_rows,
        "placeholder": "",  # of a cell that was emptied
        "hide_index": True,
        "column_config": column_config,
        "column_order": column_order,
    }
    return st.data_editor(rows, key=key, alt=alt, **grid)


def file_uploader(
    label: str,
    *,
    key: str,
    help: str | None = None,
    type: Sequence[str] | None = None,
    max_upload_size: int | None = None,
) -> UploadedFile | None:
    """A file from the visitor's machine, of at most `max_upload_size` megabytes."""
    return st.file_uploader(label, type, key=key, help=help, max_upload_size=max_upload_size)


def new_upload(key: str, seen: Slot[str | None], *told: Slot[Any]) -> tuple[str, bytes] | None:
    """Name and bytes of an upload, once; None from then on, and where there is no upload.

    From the next run on the field has a `DeletedFile` in it: its bytes are not kept.

    Args:
        key: of the field.
        seen: keeps which upload was taken.
        told: what was kept of an upload; forgotten, with `seen`, once the upload is gone.
    """
    upload: UploadedFile | DeletedFile | None = state.field(key)
    if upload is None:
        for slot in (seen, *told):
            slot.pop()
    if not isinstance(upload, UploadedFile) or seen.get() == upload.file_id:
        return None
    seen.set(upload.file_id)
    return upload.name, _content_once(upload)


def _content_once(upload: UploadedFile) -> bytes:
    """The bytes of an upload; Streamlit, which would hold them while its field shows, lets go."""
    content = upload.getvalue()
    upload.truncate(0)
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, upload.file_id)
    return content
