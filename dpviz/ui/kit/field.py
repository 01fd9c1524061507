"""Fields for typed values: what is in use, and in one sentence why something typed is not.

What was typed stays on screen; while it cannot be used, what was usable last is in use.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot
from dpviz.words import join
from dpviz.words.markdown import literal

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_KEPT = Slot[dict[str, tuple[tuple[str, ...], tuple[Any, ...]]]]("fields_kept", dict)


class Reader(Protocol[T_co]):
    """What makes a value of a typed text, or refuses it in one sentence."""

    def __call__(self, text: str, *, where: str) -> T_co:
        """Read the text of the field with this label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(Generic[T]):
    """A value that somebody types.

    Attributes:
        label: which also begins the sentence of a refusal.
        default: what is typed there at first; it must be usable.
        help: what the value is, on hover.
        reader: such as `dpviz.parameters.RHO.read`.
        key: of the widget.
    """

    label: str
    default: str
    help: str
    reader: Reader[T]
    key: str

    def value(self) -> T:
        """Show the field and return the value in use."""
        (value,) = in_use(self)
        return value


def in_use(
    *fields: Field[T], check: Callable[[tuple[T, ...]], object] = lambda _: None
) -> tuple[T, ...]:
    """Show fields side by side and return the values in use.

    Args:
        fields: which are used together or not at all.
        check: refuses values that do not go together.
    """
    typed = []
    for field, place in zip(fields, st.columns(len(fields)), strict=True):
        with place:
            typed.append(
                controls.text_input(field.label, field.default, key=field.key, help=field.help)
            )
    kept, name = _KEPT.get(), " ".join(field.key for field in fields)
    try:
        values = _read(fields, typed)
        check(values)
    except ParameterError as error:
        parts.refusal(str(error))
        defaults = [field.default for field in fields]
        texts, values = kept.get(name) or (defaults, _read(fields, defaults))
        st.caption(f"Still in use: {literal(join([text for text in texts if text.strip()]))}.")
        return values
    _KEPT.set({**kept, name: (tuple(typed), values)})
    return values


def _read(fields: tuple[Field[T], ...], texts: list[str]) -> tuple[T, ...]:
    return tuple(f.reader(text, where=f.label) for f, text in zip(fields, texts, strict=True))
