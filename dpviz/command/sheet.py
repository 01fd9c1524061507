"""`dpviz sheet`: an exercise sheet for a class, and its answer key, from the code of the class."""

from pathlib import Path

import click

from dpviz.command.kept import JSON, REFUSED, UNREADABLE, ending, in_json, out_option, write_new


@click.command()
@click.argument("code")
@out_option("the web page to write, which prints on one sheet of paper")
@click.option("--answers", is_flag=True, help="write the answer key of the sheet")
@click.option(
    "--students",
    type=click.IntRange(min=0),
    default=0,
    help="how many read for the four tiers in turn on the class board, for a question about it",
)
@JSON
def sheet(code: str, out: Path, answers: bool, students: int, as_json: bool) -> None:
    """Write an exercise sheet whose numbers follow from CODE, six letters, or its answer key.

    The same code and number of students give the same sheet on every computer. Its towns are
    made up.

    Ends with 0, with 1 if the file cannot be written, and with 2 if CODE cannot be read or
    a class cannot have this many students.
    """
    from dpviz.scenes import exercises
    from dpviz.scenes.classroom import dealt_to

    with ending(UNREADABLE, as_json):
        code = exercises.read_code(code, where="CODE")
        written = exercises.sheet(code, answers=answers, dealt=dealt_to(students))
    with ending(REFUSED, as_json):
        write_new(out, written.encode())
    what = "answer key" if answers else "exercise sheet"
    done = f"Wrote the {what} of class {code} to {out}."
    told = {"code": code, "answers": answers, "file": str(out)}
    click.echo(in_json(told) if as_json else done)
