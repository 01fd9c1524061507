"""Tiers: who may see how much, as a budget or as an accuracy."""

import streamlit as st

from dpviz import frames
from dpviz.figures.tiers import accuracy_ladder
from dpviz.ui import code, formulas, parts, takeaways, tier_controls
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
top, picture, plan = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    tier_controls.choose_family(ws)
    tier_controls.choose_delta(ws)
with plan:
    problems = tier_controls.edit(ws)
tiers, planned = ws.values_of_tiers, ws.planned()[0]
with right:
    tier_controls.remarks(ws, planned, problems)
with plan:
    tier_controls.currencies(ws, planned)
with top:
    joint, summed = tier_controls.plan_losses(planned)
    parts.head("tiers", takeaways.tiers(tiers, ws.family, joint, summed), [parts.LOSSLESS])
with left:
    if tiers:
        parts.chart(
            accuracy_ladder(
                frames.ladder_frame(tiers, ws.family, 0.95),
                noun="people",
                axis_title="distance from the exact number, people",
            ),
            heading="How near the exact number each tier’s release falls",
            reading="Bar: 95 % of the noise of one group. Nothing is drawn for this picture.",
            alt=f"{len(tiers)} bars, one per tier, narrower for less private tiers. "
            + takeaways.range_of_tiers(tiers, ws.family, 0.95).replace("\\", ""),
            key="ladder",
        )
levels = [t.level for t in tiers]
parts.folds(formulas.plan(planned, ws.setting), code.levels_code(ws.family_name, levels))
parts.footer(footer_facts(ws))
