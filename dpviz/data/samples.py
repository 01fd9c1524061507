"""The ready samples, by the expression that loads them."""

import types
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

from dpviz.data.declaration import DECLARATION, load_declaration
from dpviz.data.read import digest_of
from dpviz.data.sample import SAMPLE, Sample, load_sample
from dpviz.data.table import Table
from dpviz.data.visits import DIGEST as VISITS_DIGEST
from dpviz.data.visits import VISITS, load_visits
from dpviz.errors import DataError

SAMPLES: Mapping[str, Sample] = types.MappingProxyType(
    {s.loading: s for s in (SAMPLE, VISITS, DECLARATION)}
)
_LOADERS: Mapping[str, Callable[[], Table]] = {
    SAMPLE.loading: load_sample,
    VISITS.loading: load_visits,
    DECLARATION.loading: load_declaration,
}


def is_sample(table: Table) -> bool:
    """Whether a table is a ready sample, which everybody may have, also where it was uploaded.

    >>> is_sample(load(SAMPLES["load_sample()"]))
    True
    """
    return table.digest in _digests()


@cache
def _digests() -> frozenset[str]:
    packaged = (resources.files("dpviz.data") / s.file for s in (SAMPLE, DECLARATION))
    return frozenset([*(digest_of(file.read_bytes()) for file in packaged), VISITS_DIGEST])


def load(sample: Sample) -> Table:
    """Load a ready sample into a table with an engine of its own.

    Raises:
        DataError: if it is not one of `SAMPLES`.

    >>> load(SAMPLES["load_sample()"])
    Table(“nhefs.csv”, 16 columns)
    """
    if sample not in SAMPLES.values():
        raise DataError("there is no such sample; choose one of SAMPLES")
    return _LOADERS[sample.loading]()
