"""The dashboard's entry, which `dpviz run` starts.

`streamlit run app.py` starts it for development alone: without the gate of dpviz/ui/kit/login.py.
"""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import run_app

run_app()
