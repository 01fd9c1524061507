"""Files for tests: workbooks as another program writes them and as none would, Stata, SPSS.

Those of Stata and SPSS have a codebook: labels, and values that mean missing.
"""

import io
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyreadstat

_SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_SHEET = '<sheet name="S" sheetId="1" r:id="r1"/>'
_BOOK = f'<workbook xmlns="{_SPREADSHEET}" xmlns:r="{_LINKS}"><sheets>{_SHEET}</sheets></workbook>'


def written(sheets: Mapping[str, Sequence[Sequence[Any]]], hidden: Sequence[str] = ()) -> bytes:
    """A workbook with these sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        if name in hidden:
            sheet.sheet_state = "hidden"
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    """The bytes of a workbook."""
    memory = io.BytesIO()
    book.save(memory)
    return memory.getvalue()


def by_hand(rows: str, *, before: str = "", book: str = _BOOK) -> bytes:
    """A workbook of one sheet, whose rows are given in XML."""
    links = f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" Type="{_LINKS}/%s"/></%s>'
    sheet = f'<worksheet xmlns="{_SPREADSHEET}"><sheetData>{rows}</sheetData></worksheet>'
    parts = {
        "_rels/.rels": links % ('officeDocument" Target="xl/workbook.xml', "Relationships"),
        "xl/_rels/workbook.xml.rels": links
        % ('worksheet" Target="worksheets/sheet1.xml', "Relationships"),
        "xl/workbook.xml": book,
        "xl/worksheets/sheet1.xml": f"{before}{sheet}",
    }
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return memory.getvalue()


PEOPLE = pd.DataFrame({"sex": [1.0, 2.0, 2.0, 9.0, 2.0], "pay": [10.5, 20.0, 99.0, 30.0, 40.0]})
LABELS = {"sex": {1: "men", 2: "women", 3: "other, or none", 9: "no answer"}}


def spss() -> bytes:
    """Sex 1 to 3 and pay; 9 and 99 mean missing."""
    return _written(
        pyreadstat.write_sav,
        variable_value_labels=LABELS,
        missing_ranges={"sex": [9], "pay": [{"lo": 90, "hi": 99}]},
    )


def stata() -> bytes:
    """The same, where nothing means missing."""
    return _written(pyreadstat.write_dta, variable_value_labels=LABELS)


def _written(writer: object, **more: object) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people"
        writer(PEOPLE, path, **more)  # type: ignore[operator]
        return path.read_bytes()
