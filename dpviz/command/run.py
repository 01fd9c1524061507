"""`dpviz run`: it starts the dashboard, from a checkout or from an installed package.

The entry `app.py`, the pages and the settings lie beside this package in a checkout; a wheel has
them in the folder `_dashboard` (see pyproject.toml).
"""

import ipaddress
import os
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

import click

_HERE = Path(__file__).resolve().parents[1]
_NEEDED = ("streamlit", "plotly")


def _port(_context: click.Context, _option: click.Parameter, text: str) -> int:
    if text.isdecimal() and 1 <= float(text) <= 65_535:  # of more than 4300 digits, too
        return int(text)
    raise click.BadParameter(
        f"the port {text[:20]!r} is not a whole number from 1 to 65535; type one such as 8501"
    )


@click.command("run")
@click.option("--port", default="8501", callback=_port, help="port to listen on; 8501 by default")
@click.option(
    "--limit",
    metavar="LIMIT",
    help="the most that may be released of one table, by all tabs together: rho=0.5, or "
    "epsilon=2,delta=1e-6; or a plan file: what it registers, each once, and nothing else",
)
@click.option(
    "--network",
    metavar="ADDRESS",
    is_flag=False,
    flag_value="",
    help="for a class: let in everybody in the same network, by the address of this computer "
    "there, which is found if you name none; projects stay shut",
)
def run(port: int, limit: str | None, network: str | None) -> None:
    """Start the dashboard on this computer."""
    if not all(map(find_spec, _NEEDED)):
        sys.exit('The dashboard needs Streamlit and Plotly; type: pip install "dpviz[dashboard]"')
    # Matrices here are small: threads of linear algebra spin for each other, ten times the work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded, which is next
    if limit is not None:
        _keep(limit)
    options = [f"--server.port={port}"]
    if network is not None:
        at = _let_in(network)
        options += [f"--server.address={at}", f"--server.allowedHosts={at}"]
        click.echo(f"\n  Open the class board at http://{at}:{port}/classroom")
    from dpviz.ui.kit.serve import serve  # the library alone goes without it

    serve(entry(), *options)


def entry() -> Path:
    """Where app.py lies, with the pages and the folder of settings beside it.

    >>> sorted(p.name for p in entry().parent.iterdir() if p.name in ("app.py", "pages"))
    ['app.py', 'pages']
    """
    installed = _HERE / "_dashboard" / "app.py"
    return installed if installed.exists() else _HERE.parent / "app.py"


def _keep(limit: str) -> None:
    """Hand the owner's limit to the workspaces that the dashboard opens."""
    from dpviz.errors import ParameterError
    from dpviz.workspace.limits import OWNER
    from dpviz.workspace.plan_limits import standing

    try:
        standing(limit)
    except ParameterError as error:
        sys.exit(str(error))
    if os.environ.setdefault(OWNER, limit) != limit:
        sys.exit(f"Limit: {OWNER} is set to another one; unset it, or leave --limit out.")


def _let_in(address: str) -> str:
    """The address at which a class reaches the dashboard, which then offers nothing of the owner's.

    Args:
        address: of this computer in its network; "": to be found.
    """
    from dpviz.data.source import connection_names
    from dpviz.workspace.accounts import ACCOUNTS
    from dpviz.workspace.projects import OFF, PLACE

    try:
        at = str(ipaddress.IPv4Address(address or _own_address()))
        with socket.socket() as probe:
            probe.bind((at, 0))
    except (ValueError, OSError):
        sys.exit(
            f"Network: {address[:20]!r} is no address of this computer in its network; type one "
            "such as 192.168.1.20"
        )
    if os.environ.get(ACCOUNTS):  # people log in, and see what their accounts may
        return at
    if os.environ.setdefault(PLACE, OFF) != OFF:
        sys.exit(f"Network: everybody there could open your projects; set {PLACE} to {OFF}.")
    if connection_names():
        sys.exit(
            "Network: everybody there could ask the tables that secrets.toml offers; take "
            "[connections.dpviz] out of it, or start the class on another computer."
        )
    return at


def _own_address() -> str:
    """The address of this computer in its network; nothing is sent to find it."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
            there.connect(("192.0.2.1", 9))  # that nobody has (RFC 5737): it chooses the way out
            return str(there.getsockname()[0])
    except OSError:
        sys.exit(
            "Network: this computer is in none, or its address was not found; type it, as in "
            "dpviz run --network=192.168.1.20"
        )
