"""The dashboard's server: it answers when everything is loaded, so no visitor waits for that."""

import sys
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, before anybody comes
from dpviz.errors import ParameterError
from dpviz.ui.kit import admitted, gate, workers


def serve(entry: Path, *options: str) -> None:
    """Run the dashboard until it is stopped.

    Args:
        entry: where app.py lies.
        options: of Streamlit's own command, such as `--server.port=8600`.

    Raises:
        SystemExit: at the end, and at once if the number of workers or the accounts of those who
            log in cannot be used.
    """
    try:
        admitted.check_start()
        workers.shared()
    except ParameterError as error:
        sys.exit(str(error))
    gate.put_up()
    PagesManager.uses_pages_directory = False  # app.py alone knows addresses without a file
    cli.main(["run", str(entry), *options], prog_name="streamlit")
