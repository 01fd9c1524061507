"""What each tier learns by all statistics of a plan of several, and what it would cost less by."""

import pandas as pd
import streamlit as st

from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import guess_row, guess_scale
from dpviz.charts.forms.picture import Picture
from dpviz.scenes.tiers import Tiers, largest_part
from dpviz.ui.kit import parts, sharing_table
from dpviz.words import capitalised, join, loss, percent
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.markdown import literal
from dpviz.workspace.account import InAll
from dpviz.workspace.guesses import ALL, right_in_all
from dpviz.workspace.takeaways import counted, letter_of
from dpviz.workspace.workspace import Workspace

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
            sharing_table.show(ws, found)


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
