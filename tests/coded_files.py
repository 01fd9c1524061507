"""Files of Stata and SPSS for tests, with a codebook: labels, and values that mean missing."""

import tempfile
from pathlib import Path

import pandas as pd
import pyreadstat

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
