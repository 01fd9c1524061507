"""Start: what this is, in thirty seconds, and three ways in."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.charts.start.frame import has_hills, hills_frames
from dpviz.charts.start.hills import hills
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import code, formulas, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.kit.summary import state_of, thin_out
from dpviz.workspace import takeaways
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
tiers = [t for t in ws.values_of_tiers if ws.possible(t.level)]
shown = thin_out([t for t in tiers if t.values is not None] or tiers)
held = any(t.values is not None for t in tiers)
query = ws.statistic.query

said = takeaways.start(tiers, ws.family, query)
parts.head("start", said, ws.mode, [parts.LOSSLESS, *looking.badges(ws)])
left, right = st.columns([3, 1], gap="medium")
with right:
    parts.door(
        "school",
        "Teach",
        "Draw the tiers one by one, in any order, and watch what each draw leans on.",
        "releases",
    )
    parts.door(
        "co_present",
        "Show",
        "Load a table, release it to every clearance, and hand out what each may have.",
        "data",
    )
    parts.door(
        "straighten",
        "Plan",
        "Type how exact each tier must be; read off the privacy loss, and back.",
        "tiers",
    )
    state_of(ws)
with left:
    if shown and not has_hills(query):
        parts.ladder(shown, ws.family, query, key="ladder")
    elif shown:
        curves, marks = hills_frames(
            query,
            shown,
            ws.family,
            ACCURACY_CONFIDENCE,
            group=0,
            describe=takeaways.centre_words,
        )
        parts.chart(
            hills(
                curves,
                marks,
                axis_title=query.noun if held else f"distance from the exact number, {query.noun}",
                noun=query.noun,
                discrete=ws.family.integer,
            ),
            heading=f"What each tier sees: {parts.literal(f'{query.noun}, {query.labels[0]}')}"
            if held
            else "How far from the exact number each tier’s release will fall",
            reading="Each hill stands on the number that the tier received; the thick bar is where "
            "the exact number lies with 95 % confidence. More clearance, narrower hill."
            if held
            else "No number has been released yet. Each hill shows how far off it may be: 95 times "
            "in 100 within the thick bar. More clearance, narrower hill.",
            alt=f"{len(shown)} hills, one per tier, from the most to the least private. "
            + takeaways.plain_text(said.text),
            key="hills",
        )
    st.markdown(takeaways.WHAT_THIS_IS)
    st.caption(takeaways.RELOAD)
parts.folds(formulas.plan(ws.planned()[0], ws.setting, query), code.release_code(ws))
parts.footer("start", footer_facts(ws))
