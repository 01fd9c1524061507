"""Present: what one tier sees, large, or two tiers side by side."""

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import code, formulas, parts, present_controls, takeaways
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
held, query = ws.held, ws.statistic.query
chosen = present_controls.choose(held)
sentence = takeaways.view(chosen, ws.family, present_controls.CONFIDENCE, query)
parts.head("present", sentence, ws.mode, present_controls.badges(ws))
present_controls.pictures(ws, chosen)
if not chosen:
    parts.link("releases")
elif not present_controls.is_filled():
    parts.folds(formulas.releases(ws), code.release_code(ws))
parts.footer(footer_facts(ws))
