"""How the file of a table is read, as part of a plan and back."""

from dpviz.data import HowRead
from dpviz.workspace.plan_file.schema import FilePart


def file_part(how: HowRead) -> FilePart | None:
    """How a file is read, as part of a plan; None where nobody chose anything.

    >>> file_part(HowRead(header=3)), file_part(HowRead())
    (FilePart(encoding=None, sheet=None, header=3, leave_out=[]), None)
    """
    if not how.chosen:
        return None
    return FilePart(
        encoding=how.encoding, sheet=how.sheet, header=how.header, leave_out=list(how.leave_out)
    )


def how_in(part: FilePart | None) -> HowRead:
    """How a file is read, from a part of a plan.

    Raises:
        ParameterError: if a value cannot be used.

    >>> how_in(FilePart(header=3)).chosen
    {'header': 3}
    """
    return HowRead() if part is None else HowRead(**dict(part))
