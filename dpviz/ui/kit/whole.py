"""Loads the whole dashboard by one thread: app.py and every page import this before anything else.

On a fresh server several visitors come at once, each on a thread of its own. Python locks a module
while it is loaded; two threads that load a package and its parts in different orders would wait for
each other, so Python lets one of them go on with half a module: its visitor gets an ImportError.
Where all threads ask for this module first, the first one loads everything and the others wait.
"""

import importlib
import pkgutil

import dpviz.ui

for _module in pkgutil.walk_packages(dpviz.ui.__path__, "dpviz.ui."):
    if _module.name != __name__:
        importlib.import_module(_module.name)
