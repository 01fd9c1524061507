"""From a CSV of a million people to their counts: at most 5 s with the first release.

Beside it, in the same run, what pandas needs to read the same bytes and count the same column.
Run with `python -m tests.benchmarks.bench_data`.
"""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from dpviz.data import read_csv
from dpviz.queries import CountPerGroup

ROWS = 1_000_000
GOAL = 5.0  # seconds, CSV to first release
REGIONS = tuple(f"region {i:02d}" for i in range(20))


def write_csv(path: Path) -> None:
    """Ten columns of every kind that the reader knows."""
    rng = np.random.default_rng(1)
    days = pd.Timestamp("1940-01-01") + pd.to_timedelta(rng.integers(0, 25_000, ROWS), unit="D")
    pd.DataFrame(
        {
            "id": np.arange(ROWS) // 2,
            "sex": rng.choice(["female", "male"], ROWS),
            "age": rng.integers(18, 90, ROWS),
            "region": rng.choice(REGIONS, ROWS),
            "weight": rng.normal(70, 10, ROWS).round(2),
            "height": rng.normal(170, 10, ROWS).round(1),
            "born": days.strftime("%Y-%m-%d"),
            "insured": rng.choice([True, False], ROWS),
            "education": rng.choice(["none", "school", "college", "university"], ROWS),
            "income": rng.integers(0, 100_000, ROWS),
        }
    ).to_csv(path, index=False)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        write_csv(path)
        data = path.read_bytes()
    read_csv(data[:100_000].rsplit(b"\n", 1)[0])  # imports and first connection
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    table = read_csv(data, name="people.csv")
    reading = time.perf_counter() - start
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    by_row = seconds(lambda: CountPerGroup("region", REGIONS).counts(table))
    person = CountPerGroup("region", REGIONS, person="id", groups_per_person=2)
    by_person = seconds(lambda: person.counts(table))
    many = CountPerGroup("income", tuple(map(str, range(100_000))))
    by_income = seconds(lambda: many.counts(table))
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        file.write(data)
        file.flush()
        other = seconds(lambda: pd.read_csv(file.name)["region"].value_counts())
    total = reading + by_row
    print(f"CSV of {ROWS:,} rows × 10 columns, {len(data) / 2**20:.0f} MB")
    print(f"  read                        {reading:6.2f} s   (+{peak:.0f} MB at the peak)")
    print(f"  count, a row is a person    {by_row:6.2f} s   20 groups")
    print(f"  count, a column names them  {by_person:6.2f} s   20 groups, ℓ₀ = 2")
    print(f"  count, a row is a person    {by_income:6.2f} s   100,000 groups")
    print(f"  read + count                {total:6.2f} s   goal to first release: {GOAL:.0f} s")
    print(f"  pandas, the same            {other:6.2f} s   ratio {total / other:.2f}")


if __name__ == "__main__":
    main()
