"""The dashboard's server: it answers when everything is loaded, so no visitor waits for that."""

from pathlib import Path

from streamlit.web import cli

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, before anybody comes


def serve(entry: Path, *options: str) -> None:
    """Run the dashboard until it is stopped.

    Args:
        entry: where app.py lies.
        options: of Streamlit's own command, such as `--server.port=8600`.
    """
    cli.main(["run", str(entry), *options], prog_name="streamlit")
