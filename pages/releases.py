"""Releases: every tier's release, drawn once, in any order."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data import reading_check, table_controls
from dpviz.ui.kit import looking, project_box, source
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.releases.drawing import waits_for_table
from dpviz.ui.releases.page import PAGE

page_setup()
ws, top = workspace(), st.container()
source.choose_statistic(ws)
table_controls.bring_again(ws, waits_for_table)
project_box.show_elsewhere(ws, ws.statistic.table)
looking.warn(ws, ws.statistic)
reading_check.before_draw(ws, ws.statistic, ws.round)
PAGE.show(ws, top)
