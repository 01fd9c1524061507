"""The dashboard's entry: `streamlit run app.py`."""

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.shell import run_app

run_app()
