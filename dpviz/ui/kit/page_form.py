"""The form of a page: who fills it in writes what the page says, and nothing of how it is laid out.

Eyebrow (above every page, by `shell`), title, headline, what there is to decide, picture with its
controls beside it, the way on, at most two closers, and the drawer for specialists, where its
settings are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.charts.forms.picture import Picture
from dpviz.errors import ParameterError
from dpviz.ui.kit import code, controls, parts
from dpviz.ui.kit.page_table import after
from dpviz.words.claims import Claim, Said
from dpviz.workspace.facts import Facts
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.workspace import Workspace

Settings = TypeVar("Settings")  # what the controls say
Scene = TypeVar("Scene")  # every number of the page
MOST_CLOSERS = 2
WIDTHS = (2, 1)  # of the picture, and of what is beside it
REFUSED = Said("These settings cannot be used: the reason stands below.")
COMPUTED = "Right guesses: computed for the noise of this page. For your own plan, see Tiers."
WORST_CASE = (
    "Right guesses: the most that any noise with this promise allows, rounded up. For your own "
    "plan, see Tiers."
)


@dataclass(frozen=True, slots=True)
class Missing:
    """What a page lacks to show anything: one sentence that says so, and the page that has it.

    Attributes:
        sentence: the headline.
        file: the page that has it; "" where it is no page, such as a result that is still computed.
        instead: shows in the place of the picture what helps to go on.
    """

    sentence: str
    file: str = "tiers"
    instead: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Closer:
    """A box that a reader opens.

    Attributes:
        label: a question that the reader has.
        inside: what is made once it is open, from the workspace and the scene.
        key: of the box.
        with_scene: False where `inside` takes the workspace alone: then there is a box even while
            there is no scene.
    """

    label: str
    inside: Callable[..., object]
    key: str
    with_scene: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PageForm(Generic[Settings, Scene]):
    """A page.

    Attributes:
        file: its file in `pages/`, which `page_table.PAGES` has.
        controls: asks the visitor, or says what is missing. Takes the workspace, and what the
            settings say, if there are any.
        headline: the sentence below the title, with the page’s number.
        picture: the figure and its alt text; several stand side by side.
        reading: how to read the picture, in a sentence.
        beside: sentences beside the picture, below the controls.
        formula: behind the numbers, as Markdown.
        recipe: the function of `dpviz.scenes` that makes the numbers; the drawer shows its source.
        scene: makes every number of the page, or says what it waits for; refuses settings that
            cannot be used. By default the controls say the scene.
        arguments: with which the recipe makes the numbers of a scene, by the name of its argument.
        closers: at most two.
        badges: what is true of the page’s numbers.
        specialist: asks, in the drawer, what only specialists change.
        acts: buttons below the controls, and how far their work is.
        aside: a small picture below them, which says the headline’s number.
        facts: the definitions in the drawer; None where they are those of the visitor’s plan.
        below: what is below the picture, such as a second one, or files.
        pressed: what a click on a mark of the picture does, by its `customdata`.
        more: shows in the drawer, below the formula, what only specialists read.
        ready: whether the next page goes on with this scene; else no way on is shown.
        decision: under which condition numbers are to be drawn, below the headline, with a button
            that leads there. Where that is the next page no other way on is shown.
        wide: whether the picture has the whole width, controls above it and sentences below.
        guesses: what its right guesses are, where they are not those of the
            plan, so that the numbers are others than on Tiers.
        before: whether there is nothing to show yet: then the controls have the large place, and
            what is beside the picture the small one.
    """

    file: str
    controls: Callable[..., Settings | Missing]
    headline: Callable[[Scene], Said]
    picture: Callable[[Scene], Picture | Sequence[Picture]]
    reading: str | Callable[[Scene], str]
    beside: Callable[[Scene], Sequence[Said]]
    formula: Callable[[Scene], str]
    recipe: Callable[..., Any]
    arguments: Callable[[Scene], Mapping[str, object]]
    scene: Callable[[Any], Any] = lambda settings: settings
    closers: tuple[Closer, ...] = ()
    badges: tuple[parts.Badge, ...] | Callable[[Scene], Sequence[parts.Badge]] = ()
    specialist: Callable[[Workspace], object] | None = None
    acts: Callable[[Scene], object] | None = None
    aside: Callable[[Scene], Picture | None] | None = None
    facts: Callable[[Scene], Facts | None] | None = None
    below: Callable[[Workspace, Scene], object] | None = None
    pressed: Callable[[Scene, int], None] | None = None
    more: Callable[[Scene], object] | None = None
    ready: Callable[[Scene], bool] | None = None
    decision: Callable[[Scene], str | None] | None = None
    wide: bool = False
    guesses: str = ""
    before: Callable[[Workspace], bool] | None = None

    def __post_init__(self) -> None:
        if len(self.closers) > MOST_CLOSERS:
            raise ParameterError(f"a page has at most {MOST_CLOSERS} closers; leave one out")

    def show(self, ws: Workspace, top: DeltaGenerator | None = None) -> None:
        """Lay the page out; title and headline go to `top`, where something is to follow them."""
        top = top or st.container()
        body, end = st.container(), st.container()
        drawer = parts.Drawer(settings=self.specialist is not None)
        side, picture, words = self._places(ws, body)
        chosen: list[object] = []
        if self.specialist is not None and drawer.settings is not None:
            with drawer.settings:
                chosen.append(self.specialist(ws))
        with side:
            settings = self.controls(ws, *chosen)
        with picture:
            found = (
                settings
                if isinstance(settings, Missing)
                else parts.value_or_refusal(lambda: self.scene(settings))
            )
            if isinstance(found, Missing) and found.file:
                parts.link(found.file)
            if isinstance(found, Missing) and found.instead:
                found.instead()
        missing = Said(found.sentence) if isinstance(found, Missing) else REFUSED
        scene = None if isinstance(found, Missing) else found
        said = self._show_head(top, scene, missing)
        if scene is not None:
            if self.acts is not None:
                with side:
                    self.acts(scene)
            with picture:
                self._show_pictures(scene)
                if self.below is not None:
                    self.below(ws, scene)
            with words:
                small = None if self.aside is None else self.aside(scene)
                if small is not None:
                    key = f"{self.file}_aside"
                    parts.picture(small, key=key)
                said = Said(said.text, said.claims + self._show_sentences(scene))
        with end:
            self._show_closers(ws, scene)
        own = None if scene is None or self.facts is None else self.facts(scene)
        drawer.fill(
            self.file,
            said,
            formula=lambda: said.text if scene is None else self.formula(scene),
            code=lambda: (
                "" if scene is None else code.recipe_code(self.recipe, **self.arguments(scene))
            ),
            facts=footer_facts(ws) if own is None else own,
            more=None if self.more is None or scene is None else partial(self.more, scene),
        )

    def _places(self, ws: Workspace, body: Any) -> tuple[Any, Any, Any]:
        """Where controls, picture and sentences stand."""
        if self.wide:
            return body.container(), body.container(), body.container()
        large, small = body.columns(WIDTHS, gap="large")
        if self.before is not None and self.before(ws):
            return large, small, small.container()
        return small.container(), large, small.container()

    def _show_head(self, place: DeltaGenerator, scene: Scene | None, missing: Said) -> Said:
        """Show title, headline and badges; what the headline says."""
        said, badges = missing if scene is None else self.headline(scene), self.badges
        if callable(badges):
            badges = () if scene is None else tuple(badges(scene))
        with place.container():  # in an empty place: what a fragment writes there is not added
            parts.head(self.file, said, badges)
            if (decision := self._decision(scene)) is not None:
                parts.decide(decision)
        return said

    def _decision(self, scene: Scene | None) -> str | None:
        """Under which condition numbers are to be drawn, if there is something to decide."""
        return None if scene is None or self.decision is None else self.decision(scene)

    def _show_pictures(self, scene: Scene) -> None:
        """Show the picture, or several side by side, and how to read them."""
        made = self.picture(scene)
        pictures = (made,) if isinstance(made, Picture) else tuple(made)
        places = st.columns(len(pictures), gap="medium") if len(pictures) > 1 else [st.container()]
        for number, (place, one) in enumerate(zip(places, pictures, strict=False), start=1):
            key = f"{self.file}_main" + (f"_{number}" if number > 1 else "")
            pressed = None
            if self.pressed is not None:  # what was pressed in another picture is not pressed here
                key, pressed = controls.keyed(key, one.alt), partial(self.pressed, scene)
            with place:
                parts.chart(
                    one.figure, heading="", reading="", alt=one.alt, key=key, pressed=pressed
                )
        if pictures:
            st.caption(self.reading if isinstance(self.reading, str) else self.reading(scene))

    def _show_sentences(self, scene: Scene) -> tuple[Claim, ...]:
        """Show the sentences beside the picture; their claims."""
        claims: tuple[Claim, ...] = ()
        for sentence in self.beside(scene):
            st.markdown(sentence.text)
            claims += sentence.claims
        if self.guesses:
            st.caption(self.guesses)
        return claims

    def _show_closers(self, ws: Workspace, scene: Scene | None) -> None:
        """Show the way on, and the boxes."""
        decision, ready = self._decision(scene), self.ready
        leads = decision is not None and after(self.file).file == parts.DRAWN_ON
        if not leads and (ready is None or (scene is not None and ready(scene))):
            parts.onward(self.file)
        for closer in self.closers:
            if not closer.with_scene:
                parts.look_closer(closer.label, partial(closer.inside, ws), key=closer.key)
            elif scene is not None:
                parts.look_closer(closer.label, partial(closer.inside, ws, scene), key=closer.key)
