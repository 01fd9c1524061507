"""The form of a page: who fills it in writes what the page says, and nothing of how it is laid out.

Eyebrow (above every page, by `shell`), title, headline, picture with its controls beside it, the
way on, at most two closers, and the drawer for specialists.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

from dpviz.charts.forms.picture import Picture
from dpviz.errors import ParameterError
from dpviz.ui.kit import code, parts
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.workspace import Workspace

Asked = TypeVar("Asked")  # what the controls say
Scene = TypeVar("Scene")  # every number of the page
MOST_CLOSERS = 2
WIDTHS = (2, 1)  # of the picture, and of what is beside it
REFUSED = Said("These settings cannot be used: the reason stands below.")


@dataclass(frozen=True, slots=True)
class Missing:
    """What a page lacks to show anything: one sentence that says what to do, and on which page."""

    sentence: str
    file: str = "tiers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closer:
    """A box that a reader opens: its label, and what is made once it is open."""

    label: str
    inside: Callable[[Workspace], object]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageForm(Generic[Asked, Scene]):
    """A page.

    Attributes:
        file: its file in `pages/`, which `page_table.PAGES` has.
        controls: asks the visitor, or says what is missing.
        scene: makes every number of the page; refuses settings that cannot be used.
        headline: the sentence below the title, with the page’s number.
        picture: the figure and its alt text.
        reading: how to read the picture, in a sentence.
        beside: sentences beside the picture, below the controls.
        formula: behind the numbers, as Markdown.
        recipe: the function of `dpviz.scenes` that makes the numbers; the drawer shows its source.
        settings: with which the recipe makes the numbers of a scene, by the name of its argument.
        closers: at most two.
        badges: what is true of the page’s numbers.
    """

    file: str
    controls: Callable[[Workspace], Asked | Missing]
    scene: Callable[[Asked], Scene]
    headline: Callable[[Scene], Said]
    picture: Callable[[Scene], Picture]
    reading: str
    beside: Callable[[Scene], Sequence[Said]]
    formula: Callable[[Scene], str]
    recipe: Callable[..., Any]
    settings: Callable[[Scene], Mapping[str, object]]
    closers: tuple[Closer, ...] = ()
    badges: tuple[parts.Badge, ...] = ()

    def __post_init__(self) -> None:
        if len(self.closers) > MOST_CLOSERS:
            raise ParameterError(f"a page has at most {MOST_CLOSERS} closers; leave one out")

    def show(self, ws: Workspace) -> None:
        """Lay the page out."""
        top = st.container()
        picture, side = st.columns(WIDTHS, gap="large")
        with side:
            asked = self.controls(ws)
        scene = None
        if isinstance(asked, Missing):
            said = Said(asked.sentence)
            with picture:
                parts.link(asked.file)
        else:
            with picture:
                scene = parts.usable(lambda: self.scene(asked))
            said = REFUSED if scene is None else self.headline(scene)
        with top:
            parts.head(self.file, said, self.badges)
        if scene is not None:
            said = self._show_scene(scene, said, picture, side)
        parts.onward(self.file)
        for closer in self.closers:
            parts.look_closer(closer.label, partial(closer.inside, ws), key=closer.key)
        parts.Drawer().fill(
            self.file,
            said,
            formula=lambda: said.text if scene is None else self.formula(scene),
            code=lambda: (
                "" if scene is None else code.recipe_code(self.recipe, **self.settings(scene))
            ),
            facts=footer_facts(ws),
        )

    def _show_scene(self, scene: Scene, headline: Said, picture: Any, side: Any) -> Said:
        """Show the picture and the sentences beside it; the headline with all claims."""
        with picture:
            made = self.picture(scene)
            parts.chart(
                made.figure, heading="", reading=self.reading, alt=made.alt, key=f"{self.file}_main"
            )
        claims = headline.claims
        with side:
            for sentence in self.beside(scene):
                st.markdown(sentence.text)
                claims += sentence.claims
        return Said(headline.text, claims)
