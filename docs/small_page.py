"""The smallest page that is whole: one control, one picture, one sentence with its claims.

On the dashboard its first half would be a module of `dpviz/scenes/`, its second half one of
`dpviz/ui/`: see "Add a page" in CONTRIBUTING.md. A test shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from dpviz.accounting import coalition_rho
from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS
from dpviz.charts.forms.bar_rows import BAR_ROWS, INK, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.palette import GREY
from dpviz.ui.kit import controls
from dpviz.ui.kit.page_form import PageForm
from dpviz.words import budget
from dpviz.words.claims import Claim, Number, Said, say
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.workspace import Workspace

# --- dpviz/scenes/: every number of the page, from what its control says ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """What readers learn together: ρ with shared noise, and with separate noise."""

    rhos: Sequence[float]
    shared: float
    separate: float


def together(rhos: Sequence[float]) -> Readers:
    """Return what readers with these budgets learn together. The drawer shows this source."""
    shared, separate = (coalition_rho(rhos, scheme).value for scheme in (LOSSLESS, INDEPENDENT))
    return Readers(rhos=rhos, shared=shared, separate=separate)


# --- dpviz/ui/: what the page asks, says and shows ---


def settings(_: Workspace) -> list[float]:
    """Ask how many readers there are."""
    key, each = "small_page_readers", "Each of them has ρ = 0.1."
    return [0.1] * controls.slider("How many readers", 2, 20, 5, key=key, help=each)


def headline(scene: Readers) -> Said:
    """What all learn together."""
    return say(
        "All readers together learn {shared}, instead of {separate} with separate noise.",
        shared=_joint(scene, scene.shared, "the greatest of their budgets"),
        separate=_joint(scene, scene.separate, "the sum of their budgets"),
    )


def _joint(scene: Readers, rho: float, method: str) -> Number:
    fixed = f"{len(scene.rhos)} readers with {budget('ρ', scene.rhos[0])} each"
    claim = Claim(what="joint ρ of all readers", value=rho, fixed=fixed, method=method)
    return Number(budget("ρ", rho), claim)


def picture(scene: Readers) -> Picture:
    """A bar for shared noise, and one for separate noise."""
    rows = [
        ("", "One shared noise", scene.shared, INK, budget("ρ", scene.shared), "", ""),
        (
            "",
            "Separate noise for each",
            scene.separate,
            GREY,
            budget("ρ", scene.separate),
            "",
            "",
        ),
    ]
    return bar_rows(pd.DataFrame(rows, columns=list(BAR_ROWS)), what="What all readers learn.")


def facts(_: Readers) -> Facts:
    """The definitions in the drawer, where nothing of the visitor's plan is shown."""
    return footer(
        "ρ-zCDP",
        unit="one person",
        neighbours="add or remove one person",
        sensitivity="part of each budget",
        data="none: only budgets, which are public",
    )


PAGE = PageForm(
    file="variances",  # its line in `PAGES`; here that of a page that is there
    controls=settings,
    scene=together,
    headline=headline,
    picture=picture,
    reading="Shorter is more private.",
    beside=lambda _: (Said("Separate noise partly cancels when readers compare notes."),),
    formula=lambda _: r"Shared: $\max_i\rho_i$. Separate: $\sum_i\rho_i$.",
    recipe=together,
    arguments=lambda scene: {"rhos": scene.rhos},
    facts=facts,
)
