"""The command `dpviz`: its commands, which are read with click, by what they do.

What ends well returns 0. Each command says its other codes in its help; what is mistyped is 2, as
everywhere on a command line. A command takes no secret, since other people see what is typed.
"""

from collections.abc import Sequence

import click

from dpviz import __version__
from dpviz.command import acts, commitment, plan, project, release, run, sheet, status, verify


@click.group(name="dpviz", help="Private lossless multiple release.")
@click.version_option(__version__, message="dpviz %(version)s")
def commands() -> None:
    """The group of all commands."""


_ALL = (
    run.run,
    plan.plan,
    project.project,
    release.release,
    release.upgrade,
    status.status,
    acts.record,
    acts.limit,
    acts.start_over,
    acts.seal,
    release.pack,
    verify.verify,
    commitment.commitment,
    sheet.sheet,
)
for _command in _ALL:
    commands.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what was typed after `dpviz`; what is wrong with it is said in one sentence.

    Args:
        arguments: words after the command; those of the process by default.

    Raises:
        SystemExit: at the end, with what the shell gets: 0 if all went well.

    >>> main(["run", "--port", "0"])
    Traceback (most recent call last):
    SystemExit: 2
    """
    commands.main(arguments, prog_name="dpviz")
