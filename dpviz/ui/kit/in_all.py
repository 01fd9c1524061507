"""What each tier learns by all statistics of a plan of several, and what it would cost less by.

The table of statistics and tiers: each budget typed, or a share of what a tier may lose in all.

What was typed is kept in the tab until it is put to use; what shares goes on sharing then, so that
another total or weight needs one cell and one press.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import guess_row, guess_scale
from dpviz.charts.forms.picture import Picture
from dpviz.errors import ParameterError
from dpviz.parameters import WEIGHT, exact
from dpviz.planning.amounts import Kind, read_amount
from dpviz.planning.budgets import warning
from dpviz.planning.sharing import (
    SHARES,
    Outcome,
    Part,
    Request,
    cell_of,
    letter_of_all,
    read_cell,
    searched,
)
from dpviz.planning.tiers import Budgets, PlannedTier, text_of
from dpviz.planning.typed import NothingTyped
from dpviz.scenes.jobs import shared_budgets
from dpviz.scenes.tiers import Tiers, largest_part
from dpviz.ui.kit import controls, parts, press, work
from dpviz.ui.kit.state import Slot, field
from dpviz.words import budget, capitalised, join, loss, percent, pm, rounded_down
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.markdown import literal
from dpviz.workspace.account import InAll
from dpviz.workspace.guesses import ALL, right_in_all
from dpviz.workspace.takeaways import counted, letter_of, loss_claim, loss_words
from dpviz.workspace.workspace import Workspace

TOTAL, WEIGHTS = "in all", ""  # the last row, and the column of weights: no tier has this name
ONE = "1"  # a weight, if nobody types another one
Cell = tuple[Hashable, str]  # row: a statistic by its key, or `TOTAL`; column: a tier, or `WEIGHTS`

_TYPED = Slot[dict[Cell, str]]("sharing_typed", dict)  # what differs from the plan
_EDITION = Slot[int]("sharing_edition", int)  # counts the rewrites by anything but the grid
_BASE = Slot("sharing_base", pd.DataFrame)


def show_table(ws: Workspace, found: InAll) -> None:
    """Ask for budgets, weights and totals, and put what follows to use at a press.

    Args:
        ws: the workspace.
        found: its statistics of one unit, and what their budgets refer to.
    """
    st.markdown("**Set the budgets of all statistics at once**")
    now = _in_use(ws, found)
    typed = _edit(ws, found, now)
    st.caption(
        "Type budgets, such as 0.1 or ±20. Cells left empty share the rest of the tier’s total: "
        "weight 2 may lose twice as much as weight 1. Without a total, typed budgets just add up."
    )
    requests: list[Request] = []
    try:
        requests += _requests(ws, found, now, typed)
        outcomes = _worked_out(requests)
    except ParameterError as error:
        outcomes = (error,)
    if outcomes is None:  # what was pressed is done once the budgets are there
        return
    ready = [one for one in outcomes if isinstance(one, Outcome) and one.needed is None]
    for one in outcomes:
        if isinstance(one, Outcome) and one.needed is not None:
            _show_nearest(ws, found, one)
        elif isinstance(one, ParameterError) and not isinstance(one, NothingTyped):
            parts.refusal(str(one))
    waiting = [r.tier for r in requests if r.total is None and None in [p.typed for p in r.parts]]
    if waiting:
        st.info(
            f"{literal(join(waiting))}: type a total for the empty cells to share.",
            icon=":material/edit:",
        )
    unsure = [one for one in ready if not _is_meant(ws, found, one)]  # each asks for its ticks
    with st.container(horizontal=True, gap="xsmall"):
        press.button(
            "Work out the budgets",
            _use,
            ws,
            found,
            ready if len(ready) == len(outcomes) and not unsure else (),
            key="share_out",
            type="primary",
        )
        press.button("Let all cells share", _let_share, found, now, key="share_all")


def _in_use(ws: Workspace, found: InAll) -> dict[Cell, str]:
    """All cells as the plan has them."""
    cells: dict[Cell, str] = {(TOTAL, WEIGHTS): ""}
    for statistic in found.statistics:
        cells[statistic.key, WEIGHTS] = ONE
        for tier in ws.tiers_of(statistic):
            cells[statistic.key, tier.name] = cell_of(tier.kind, tier.amount)
    return cells | {(TOTAL, tier.name): "" for tier in ws.plan.tiers}


def _edit(ws: Workspace, found: InAll, now: Mapping[Cell, str]) -> dict[Cell, str]:
    """Show the grid; what is typed in it and differs from the plan, also from earlier on."""
    rows: list[Hashable] = [*(s.key for s in found.statistics), TOTAL]
    tiers = [tier.name for tier in ws.plan.tiers]
    columns = {WEIGHTS: "weight"} | {name: f"tier_{n}" for n, name in enumerate(tiers)}
    names = [*(s.name for s in found.statistics), f"Total ({_letter(found)})"]
    known = (names, tiers, hash((*rows, found.settings)), [*now.values()])
    key = controls.keyed(f"sharing_{_EDITION.get()}", known)
    if field(key) is None:  # a first visit, another plan, or back from another page
        shown = {**now, **{cell: text for cell, text in _TYPED.get().items() if cell in now}}
        content = {"name": names} | {
            column: [_shown(found, row, name, shown[row, name]) for row in rows]
            for name, column in columns.items()
        }
        _BASE.set(pd.DataFrame(content, dtype="str"))
    edited = controls.data_editor(
        _BASE.get(),
        key=key,
        alt="A row for each statistic and one for all: weight, and the budget of each tier.",
        column_config=_columns(tiers),
        num_rows="fixed",
    )
    texts = {
        (row, name): text_of(text)
        for name, column in columns.items()
        for row, text in zip(rows, edited[column], strict=True)
    }
    typed = {cell: text for cell, text in texts.items() if text != now[cell]}
    _TYPED.set(typed)
    return typed


def _columns(tiers: Sequence[str]) -> dict[str, Any]:
    text = st.column_config.TextColumn
    named = {f"tier_{n}": text(name, width=96) for n, name in enumerate(tiers)}
    weight = text("Weight", width=64, help="Of what is left: weight 2 may lose twice as much.")
    return {
        "name": text("Statistic", disabled=True, pinned=True, width=150),
        "weight": weight,
    } | named


def _shown(found: InAll, row: Hashable, column: str, text: str) -> str:
    """A cell as it stands at first: one that shares with what it has by now."""
    budgets = found.budgets.get(column)
    if row == TOTAL or column == WEIGHTS or not _is_open(text) or budgets is None:
        return text
    keys: list[Hashable] = [s.key for s in found.statistics]
    place = keys.index(row)
    return f"{SHARES} {pm(budgets[place].half_width)}"


def _is_open(text: str) -> bool:
    return read_cell(text, "ρ") is None


def _letter(found: InAll) -> Kind:
    besides = [event for events in found.besides.values() for event in events]
    return letter_of_all(found.settings, besides)


def _requests(
    ws: Workspace, found: InAll, now: Mapping[Cell, str], typed: Mapping[Cell, str]
) -> Iterator[Request]:
    """What is asked for each tier of which something was typed.

    Raises:
        ParameterError: if a weight or a total cannot be used.
    """
    cells, letter = {**now, **typed}, _letter(found)
    if cells[TOTAL, WEIGHTS]:
        raise ParameterError("The last row has no weight: leave that cell empty.")
    weights = [
        WEIGHT.read_exact(cells[s.key, WEIGHTS] or ONE, where=f"Weight of the {s.name}")
        for s in found.statistics
    ]
    kinds = {(s.key, t.name): t.kind for s in found.statistics for t in ws.tiers_of(s)}
    for tier in dict.fromkeys(t.name for t in ws.plan.tiers):
        if not any(column == tier for _, column in typed):
            continue
        yield Request(
            tier=tier,
            parts=tuple(
                Part(
                    statistic=s.name,
                    setting=setting,
                    typed=read_cell(cells[s.key, tier], kinds[s.key, tier]),
                    weight=weight,
                )
                for s, setting, weight in zip(
                    found.statistics, found.settings, weights, strict=True
                )
            ),
            total=_total(cells[TOTAL, tier], letter, where=f"Total of {tier}"),
            besides=found.besides.get(tier, ()),
        )


def _total(text: str, letter: Kind, *, where: str) -> Fraction | None:
    """The most that a tier may lose by all statistics, as it is typed; None: nothing is."""
    if (typed := read_cell(text, letter)) is None:
        return None
    if typed[0] != letter:
        raise ParameterError(f"{where}: type the total as {letter}, for example {letter} 0.5.")
    return exact(read_amount(letter, typed[1], where=where).value)


def _worked_out(requests: Sequence[Request]) -> tuple[Outcome | ParameterError, ...] | None:
    """The budgets of each tier; None while they are searched."""
    if any(
        r.total is not None and searched([p.setting for p in r.parts], r.besides) for r in requests
    ):
        key = ("shares", *requests)
        found: tuple[Outcome | ParameterError, ...] | None = work.result_or_progress(
            key, shared_budgets, *requests, what="The budgets"
        )
        return found
    *_, (_, done) = shared_budgets(*requests)
    return done


def _is_meant(ws: Workspace, found: InAll, outcome: Outcome) -> bool:
    """Whether each new budget that promises next to nothing is said to be meant."""
    meant = []
    for place, (statistic, p) in enumerate(zip(found.statistics, outcome.planned, strict=True)):
        known = {(t.name, t.kind, t.amount) for t in ws.tiers_of(statistic)}
        if warning(p.budget) and (p.name, p.tier.kind, p.tier.amount) not in known:
            who = f"{p.name}, {statistic.name}"
            meant.append(parts.confirm_weak_budget(p.budget, f"share_{place}_{p.name}", who=who))
    return all(meant)


def _use(ws: Workspace, found: InAll, outcomes: Sequence[Outcome]) -> None:
    """Put these budgets to use; cells that were typed are the plan's now, the others share on."""
    if not outcomes:  # what is missing stands above
        return
    budgets: dict[Hashable, Budgets] = {
        statistic.key: {
            one.request.tier: (one.planned[n].tier.kind, one.planned[n].tier.amount)
            for one in outcomes
        }
        for n, statistic in enumerate(found.statistics)
    }
    ws.use_budgets(budgets)
    done = {one.request.tier for one in outcomes}
    _TYPED.set(
        {
            (row, column): text
            for (row, column), text in _TYPED.get().items()
            if row == TOTAL or column not in done or _is_open(text)
        }
    )
    _EDITION.set(_EDITION.get() + 1)


def _let_share(found: InAll, now: Mapping[Cell, str]) -> None:
    """Empty all budgets; each tier may lose in all what it loses now."""
    emptied = {cell: "" for cell in now if cell[0] != TOTAL and cell[1] != WEIGHTS}
    totals: dict[Cell, str] = {
        (TOTAL, name): f"{rounded_down(joint.value, 4):.4g}" for name, joint in found.tiers.items()
    }
    _TYPED.set({**_TYPED.get(), **emptied, **totals})
    _EDITION.set(_EDITION.get() + 1)


def _show_nearest(ws: Workspace, found: InAll, one: Outcome) -> None:
    """Say what is nearest to a total that cannot be met, and take it at a press."""
    parts.sentence(said_nearest(one, found.statistics[0].query.nouns.one))
    tier, near = one.request.tier, [_cell(p) for p in _typed_of(one)]
    press.button(
        f"Take {literal(join(near))}", _use, ws, found, (one,), key=f"share_nearest_{tier}"
    )


def _cell(planned: PlannedTier) -> str:
    return cell_of(planned.tier.kind, planned.tier.amount)


def _typed_of(one: Outcome) -> list[PlannedTier]:
    """The budgets of the statistics that do not share."""
    return [p for p, part in zip(one.planned, one.request.parts, strict=True) if part.typed]


def said_nearest(one: Outcome, unit: str) -> Said:
    """What the typed budgets of a tier need, and what is nearest to its total.

    Args:
        one: what was worked out for the tier.
        unit: what the unit of privacy is called.
    """
    tier, total, need = one.request.tier, one.request.total, one.needed
    assert need is not None
    assert total is not None
    mine = [part for part in one.request.parts if part.typed]
    others = [part.statistic for part in one.request.parts if not part.typed]
    near = [
        Number(
            literal(_cell(p)),
            Claim(
                what=f"nearest budget of {tier} for the {part.statistic}",
                value=float(read_amount(p.tier.kind, p.tier.amount, where=p.name).value),
                fixed=f"the total of {tier}",
                method="the least more noise, by one factor for all that was typed",
            ),
        )
        for p, part in zip(_typed_of(one), mine, strict=True)
    ]
    return say(
        ":material/warning: {tier}: {typed} {need} {needed}. At {total} the nearest is "
        "{nearest}{others}.",
        tier=Name(tier),
        typed=Name(join([cell_of(*part.typed) for part in mine if part.typed])),
        need="need" if len(mine) > 1 else "needs",
        needed=Number(loss_words(need), loss_claim("loss by what was typed", need, unit)),
        total=Name(budget(letter_of(need), total)),
        nearest=Said(join([each.text for each in near]), tuple(each.claim for each in near)),
        others=say(", which leaves a share to the {others}", others=Name(join(others)))
        if others
        else "",
    )


METHOD = "the losses of the statistics, composed as in the ledger"


def show(ws: Workspace, scene: Tiers) -> None:
    """Show what all statistics tell, and share a total among them, where there are several."""
    if (found := scene.in_all) is None:
        return
    with st.container(key="in_all"):
        if found.tiers:
            made = picture(ws, scene, found)
            parts.picture(made, heading=heading(found), key="tiers_in_all")
            st.caption(f"Added up: {literal(join(found.names))}.")
            parts.sentence(said(scene, found))
        if found.left_out:
            names = literal(join(found.left_out))
            st.caption(f"Left out, without a budget for each statistic: {names}.")
        if found.other_units:
            names = literal(join(found.other_units))
            st.caption(f"Not added, as another unit is protected: {names}.")
        if len(found.statistics) > 1:
            show_table(ws, found)


def heading(found: InAll) -> str:
    """How many statistics are added."""
    return f"{capitalised(_all(found))} statistics together"


def _all(found: InAll) -> str:
    many = len(found.names)
    return "both" if many == 2 else f"all {counted(many)}"


def picture(ws: Workspace, scene: Tiers, found: InAll) -> Picture:
    """A bar of right guesses for every tier, by all statistics of the plan."""
    rows = []
    for name, joint in [*found.tiers.items()][::-1]:
        each = join([f"{letter_of(one)} = {loss(one.value)}" for one in found.shares[name]])
        rows.append(
            guess_row(
                right_in_all(joint),
                group=name,
                row=f"{letter_of(joint)} = {loss(joint.value)}",
                colour=ws.plan.style_of(name).colour,
                detail=f"By each statistic: {each}.",
            )
        )
    return bar_rows(
        pd.DataFrame(rows),
        what=f"How often the best guess about one {scene.query.nouns.one} is right at most by all "
        f"statistics together, of {ALL:,}.",
        scale=guess_scale(),
        styles={name: ws.plan.style_of(name) for name in found.tiers},
    )


def said(scene: Tiers, found: InAll) -> Said:
    """How much the least private tier can guess, alone and with all others, and why."""
    name, joint = [*found.tiers.items()][-1]
    right, together = right_in_all(joint), right_in_all(found.together)
    one, fixed = scene.query.nouns.one, f"{letter_of(joint)} = {loss(joint.value)}"
    others: Number | str = "no better"
    if together.count != right.count:
        others = together.times(f"right by all tiers, {METHOD}", fixed, one)
    made = say(
        "By {all} statistics together, {tier} guesses right {right}, and all tiers who compare "
        "notes {others}.",
        all=_all(found),
        tier=Name(name),
        right=right.times(f"right by {name}, {METHOD}", fixed, one),
        others=others,
    )
    place, part = largest_part(found, name)
    if part < 1.01 / len(found.names):
        return made
    statistic = found.names[place]
    claim = Claim(
        what=f"share of {name}’s loss by the statistic that costs most",
        value=100 * part,
        unit="%",
        fixed=statistic,
        method="its loss over the sum of the losses",
    )
    return say(
        "{said} The {statistic} costs most: {share} of {tier}’s loss.",
        said=made,
        statistic=Name(statistic),
        share=Number(percent(round(part, 2)), claim),
        tier=Name(name),
    )
