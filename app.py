"""The dashboard's entry: `streamlit run app.py`."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import run_app

run_app()
