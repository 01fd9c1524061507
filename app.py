"""The dashboard's entry: `streamlit run app.py`."""

from dpviz.ui.shell import run_app

run_app()
