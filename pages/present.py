"""Present: what one tier sees, large, or two tiers side by side."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import code, formulas, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.present import controls
from dpviz.workspace import takeaways
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
held, query = ws.held, ws.statistic.query
chosen = controls.choose(held)
sentence = takeaways.view(chosen, ws.family, ACCURACY_CONFIDENCE, query)
parts.head("present", sentence, ws.mode, controls.badges(ws))
controls.pictures(ws, chosen)
if not chosen:
    parts.link("releases")
elif not controls.is_filled():
    parts.folds(formulas.releases(ws), code.release_code(ws))
if not controls.is_filled():
    controls.lectures()
parts.footer("present", footer_facts(ws))
