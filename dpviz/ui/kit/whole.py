"""Loads the whole dashboard by one thread: app.py and every page import this before anything else.

On a fresh server several visitors come at once, each on a thread of its own. Python locks a module
while it is loaded; two threads that load a package and its parts in different orders would wait for
each other, so Python lets one of them go on with half a module: its visitor gets an ImportError.
Where all threads ask for this module first, the first one loads everything and the others wait.

What is loaded stays, and nobody's data is here yet: all of it is taken out of every collection.
"""

import atexit
import gc
import importlib
import pkgutil

import plotly.io

import dpviz.ui
from dpviz.ui.kit.session_end import overwrite_what_is_freed

for _module in pkgutil.walk_packages(dpviz.ui.__path__, "dpviz.ui."):
    if _module.name != __name__:
        importlib.import_module(_module.name)
plotly.io.templates.default = None  # `theme.dress` gives each figure its own: two were copied
overwrite_what_is_freed()
gc.collect()
gc.freeze()
atexit.register(gc.unfreeze)  # else the engine reports all of it as leaked, page after page
