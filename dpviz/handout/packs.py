"""The files of one tier's folder: CSV, estimates, JSON and a plain README.

All are written from one `TierRelease` and so hold nothing else; floats read back to the same
double. Text from people is neutralised, so that no spreadsheet runs it as a formula, and shows
hidden characters by their code; the JSON keeps it as it was typed.
Limits: the signed list of a folder is `dpviz.handout.contents`, a pack of several tiers
`dpviz.handout.pack_zip`.
"""

import csv
import datetime
import io
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dpviz.handout.tier_release import DERIVED_COLUMNS, PRACTICE, Columns, TierRelease
from dpviz.words.names import visible

RELEASE_CSV, ESTIMATES_CSV = "release.csv", "estimates.csv"
RELEASE_JSON, README = "release.json", "README.txt"
OPENING = "OPENING.json"  # see `dpviz.handout.committed`
SCHEMA = "dpviz-release/1"
PARAMETERS = ("noise", "sensitivity")  # facts in steps: not above a table of means or sums
READING = (
    "What is computed from these numbers alone adds no privacy loss to the budget above.",
    "The accuracy speaks of the bounded statistic, not of what was cut off by the bounds.",
    "An empty cell means that the release has too few rows there to tell.",
)
_CHECKING = (  # a pack adds this file to each folder
    "SIGNED.json",
    "    a signed list of these files; “dpviz verify” with the name of the folder checks them",
)
_COMMITTED = (OPENING, "    shows that these numbers were committed to before the first release")
_IN_UNITS = ("estimate", "low", "high")
_SIGNS = frozenset("=+-@\u2212")  # a formula begins with one of them, narrow, wide or small
_BEFORE = re.compile(r'^[\s"]+')
_LINE = re.compile(r"(\S.*?) {2,}(.*)")  # of a README: a fact and its text


def neutral(text: str) -> str:
    """Text that a spreadsheet shows and never runs; plain numbers stay as they are.

    Some spreadsheets cut a line at semicolons, also between quotation marks, so each part of the
    text may become a cell.

    >>> neutral("=1+1"), neutral("-5"), neutral("plain"), neutral("a;=1")
    ("'=1+1", '-5', 'plain', "a;'=1")
    """
    if text[:1].isalnum() and text.isascii() and text.isprintable() and ";" not in text:
        return text  # most text, told fast
    line = visible(text)
    harmless = ";".join(map(_defused, line.split(";")))
    return f"'{harmless}" if line.startswith(("#", "'")) else harmless


def _defused(cell: str) -> str:
    """Text that begins no formula; blanks and quotation marks before a sign make no difference."""
    sign = unicodedata.normalize("NFKC", _BEFORE.sub("", cell)[:1])
    return f"'{cell}" if sign in _SIGNS and not _is_plain_number(cell) else cell


def tier_csv(release: TierRelease) -> bytes:
    r"""Write the released coordinates.

    Returns:
        UTF-8 text: lines `# name,text`, an empty line, and a table with columns `entry`, `value`
        (as released), `debiased` (where the noise has a mean) and `in_units` (where a step is not
        one unit). Floats are written so that they read back to the same double. A byte order mark
        comes first, without which spreadsheets take ρ for something else.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> print(tier_csv(one).decode("utf-8-sig").replace("\r", ""))
    # unit,one row
    # column entry,name of the released number
    # column value,the number as released
    <BLANKLINE>
    entry,value
    a,1.5
    <BLANKLINE>
    """
    return _csv(release, release.released, _released_about(release))


def estimates_csv(release: TierRelease) -> bytes:
    """Write the numbers that are read, with the same header block; empty where none is derived."""
    columns = release.estimates
    return _csv(release, columns, _derived_about(release)) if columns else b""


def reader_csv(release: TierRelease) -> bytes:
    r"""Write the one table of a release for people: the means or sums, or the numbers as released.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",), step=0.25,
    ...     values=np.array([6]), facts=(("noise", "in steps"),), labels=("a",),
    ...     derived=(("estimate", np.array([1.5])),), measure="minutes")
    >>> print(reader_csv(one).decode("utf-8-sig").replace("\r", ""))
    # column group,"name of the group, or of the total"
    # column estimate,"estimate of the bounded statistic, from the release alone, in minutes"
    <BLANKLINE>
    group,estimate
    a,1.5
    <BLANKLINE>
    """
    return estimates_csv(release) if release.measure else tier_csv(release)


def tier_json(release: TierRelease, made: datetime.date) -> bytes:
    """Write both tables for programs, as plain JSON of one line.

    Args:
        release: what the tier may have.
        made: the day.

    Returns:
        ASCII. The tables are objects of columns with the names of the CSV files; whole numbers are
        exact, floats read back to the same double, a missing number is null and an endless one
        the text "inf" or "-inf".

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> json.loads(tier_json(one, datetime.date(2020, 1, 1)))["released"]
    {'entry': ['a'], 'value': [1.5]}
    """
    content = {
        "schema": SCHEMA,
        "made": made.isoformat(),
        "versions": dict(release.versions),
        "tier": release.tier,
        "session": release.session,
        "level": release.level,
        "step": release.step,
        "noise_mean": release.mean,
        "measure": release.measure,
        "facts": dict(release.facts),
        "released": _json_columns(release.released),
        "estimates": _json_columns(release.estimates),
    }
    return json.dumps(content, allow_nan=False).encode("ascii")


def tier_readme(release: TierRelease, made: datetime.date) -> bytes:
    """Write what the numbers are, for people: every fact, every file and column, date, versions.

    It holds none of the numbers, so nothing in it can contradict them.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> tier_readme(one, datetime.date(2020, 1, 1)).decode("utf-8-sig").splitlines()[0]
    'Release for audit'
    """
    files = {
        RELEASE_CSV: {} if release.measure else _released_about(release),
        ESTIMATES_CSV: _derived_about(release),
    }
    title = readme_title(release.tier, dict(release.facts))
    lines = [title, "=" * len(title), "", *paired(release.facts), "", "Files", "-----", ""]
    for name, columns in files.items():
        if columns:
            lines += [name, *(f"    {line}" for line in paired(columns.items())), ""]
    more = ", with the numbers as they were released, in steps" if release.measure else ""
    lines += [RELEASE_JSON, f"    the same for programs{more}", ""]
    lines += [*_COMMITTED, ""] if release.opening else []
    lines += [*_CHECKING, "", *READING, ""]
    software = ", ".join(f"{name} {version}" for name, version in sorted(release.versions))
    lines += [f"Made on {made.isoformat()} with {software or 'dpviz'}.", ""]
    return "\r\n".join(lines).encode("utf-8-sig")


def readme_title(tier: str, facts: Mapping[str, str]) -> str:
    """The first line of a README.

    >>> readme_title("audit", {}), readme_title("audit", {PRACTICE: "for trying out"})
    ('Release for audit', 'Practice release for audit: do not publish these numbers')
    """
    if PRACTICE in facts:
        return f"Practice release for {one_line(tier)}: do not publish these numbers"
    return f"Release for {one_line(tier)}"


def tier_files(release: TierRelease, made: datetime.date) -> dict[str, bytes]:
    """All files of a tier's folder, by name.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> list(tier_files(one, datetime.date(2020, 1, 1)))
    ['README.txt', 'release.csv', 'release.json']
    """
    files = {
        README: tier_readme(release, made),
        RELEASE_CSV: b"" if release.measure else tier_csv(release),
        ESTIMATES_CSV: estimates_csv(release),
        RELEASE_JSON: tier_json(release, made),
        OPENING: release.opening,
    }
    return {name: content for name, content in files.items() if content}


def one_line(text: str) -> str:
    r"""Text on one line, hidden characters by their code.

    >>> one_line("a\r\n b" + chr(0x202E))
    'a b⟨U+202E⟩'
    """
    return " ".join(visible(text).split())


def paired(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Names and texts below one another, aligned, as a README has them.

    >>> paired([("unit", "one row"), ("step", "1")])
    ['unit  one row', 'step  1']
    """
    known = [(one_line(name), one_line(text)) for name, text in pairs]
    width = max((len(name) for name, _ in known), default=0)
    return [f"{name:<{width}}  {text}" for name, text in known]


def fact_of_line(line: str) -> tuple[str, str] | None:
    """A name with its text, of a line that `paired` may have written; None of any other.

    >>> fact_of_line("unit  one row"), fact_of_line("Files")
    (('unit', 'one row'), None)
    """
    found = _LINE.fullmatch(line)
    return (found[1], found[2]) if found else None


def _json_columns(columns: Columns) -> Columns:
    """A table as it is in the JSON, where NaN is null and an endless number a text."""
    return {
        name: [_json_cell(x) for x in cells] if cells and isinstance(cells[0], float) else cells
        for name, cells in columns.items()
    }


def _json_cell(cell: float) -> float | str | None:
    if math.isfinite(cell):
        return cell
    return None if math.isnan(cell) else repr(cell)


def _csv(release: TierRelease, columns: Columns, explained: Mapping[str, str]) -> bytes:
    sink = io.StringIO(newline="")
    writer = csv.writer(sink)
    columns_about = {f"column {name}": text for name, text in explained.items()}
    facts = dict(release.facts)
    if release.measure:
        facts = {name: text for name, text in facts.items() if name not in PARAMETERS}
    head = csv_facts(facts) | columns_about
    writer.writerows([f"# {name}", text] for name, text in head.items())
    sink.write("\r\n")  # parts the table from its head for a spreadsheet that sorts or filters
    writer.writerow(columns)
    writer.writerows(zip(*(csv_cells(cells) for cells in columns.values()), strict=True))
    return sink.getvalue().encode("utf-8-sig")


def csv_facts(facts: Mapping[str, str]) -> dict[str, str]:
    """The facts as they stand above a table, by name.

    >>> csv_facts({"unit": "=one row"})
    {'unit': "'=one row"}
    """
    return {" ".join(name.split()): neutral(text) for name, text in facts.items()}


def csv_cells(cells: Sequence[Any]) -> list[str]:
    """A column as it is in a CSV: text neutralised, numbers to the last bit, NaN empty.

    >>> csv_cells([0.1, float("nan")]), csv_cells(["=a"])
    (['0.1', ''], ["'=a"])
    """
    if cells and isinstance(cells[0], str):
        return [neutral(cell) for cell in cells]
    return ["" if cell != cell else repr(cell) for cell in cells]  # NaN differs from itself


def _released_about(release: TierRelease) -> dict[str, str]:
    """What each column of the released numbers is, for the head and the README."""
    steps = "" if release.step == 1 else f", in steps of {release.step!r} units"
    texts = {
        "entry": "name of the released number",
        "value": f"the number as released{steps}",
        "debiased": f"value minus the mean of the noise, {release.mean!r}{steps}",
        "in_units": "the same times the step: in units of the statistic"
        if release.labels == release.entries
        else "the same times the step: sums in half-ranges from the middle, and numbers of rows",
    }
    return {name: texts[name] for name in release.released}


def _derived_about(release: TierRelease) -> dict[str, str]:
    """What each column of the estimates is."""
    unit = f", in {release.measure}" if release.measure else ""
    return {
        name: DERIVED_COLUMNS.get(name, "name of the group, or of the total")
        + (unit if name in _IN_UNITS else "")
        for name in release.estimates
    }


def _is_plain_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and text.isascii()
    except ValueError:
        return False
