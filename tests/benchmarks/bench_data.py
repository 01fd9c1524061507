"""From a file of a million rows to its counts: at most 5 s with the first release.

As CSV, as Parquet, and the synthetic sample of as many rows, which must load in 3 s. Beside them,
in the same run, what pandas needs to read the same CSV and count the same column. Each case has a
process of its own: memory that an earlier one gave back would hide what the next one takes.
Run with `python -m tests.benchmarks.bench_data`.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from dpviz.data import VISITS, Table, load_sample, load_visits, read_table
from dpviz.queries import Bounds, ByColumn, Count

ROWS = 1_000_000
GOAL = 5.0  # seconds, file to first release
SAMPLE_GOAL = 3.0  # seconds, to load the synthetic sample
REGIONS = tuple(f"region {i:02d}" for i in range(20))


def people() -> pd.DataFrame:
    """Ten columns of every kind that the readers know."""
    rng = np.random.default_rng(1)
    days = pd.Timestamp("1940-01-01") + pd.to_timedelta(rng.integers(0, 25_000, ROWS), unit="D")
    return pd.DataFrame(
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
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def memory(of: str) -> float:
    """Megabytes that this process holds (VmRSS) or held at most since the last reset (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{of}:")[1].split()[0]) / 1024


def loaded(what: str, load: Callable[[], Table], goal: str = "") -> tuple[Table, float]:
    """The table, and the seconds that it took; prints them with the memory they added at most."""
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = memory("VmRSS")
    start = time.perf_counter()
    table = load()
    took = time.perf_counter() - start
    peak = memory("VmHWM") - before
    print(
        f"{what}\n  load                        {took:6.2f} s   (+{peak:.0f} MB at the peak){goal}"
    )
    return table, took


def counted(what: str, query: Count, table: Table) -> float:
    took = seconds(lambda: query.values(table))
    print(f"  {what:28}{took:6.2f} s   {len(query.labels):,} groups")
    return took


def sample() -> None:
    load_sample().rows()  # imports and first connection
    what = f"Synthetic sample, {ROWS:,} rows × 7 columns"
    table, _ = loaded(what, load_visits, f"   goal: {SAMPLE_GOAL:.0f} s, 250 MB")
    by = ByColumn(VISITS.column, VISITS.groups[VISITS.column])
    counted("count, a column names them", Count(by, Bounds(person=VISITS.person)), table)


def file(path: Path) -> None:
    load_sample().rows()
    data = path.read_bytes()
    what = f"{path.name} of {ROWS:,} rows × 10 columns, {len(data) / 2**20:.0f} MB"
    table, took = loaded(what, lambda: read_table(data))
    regions, incomes = ByColumn("region", REGIONS), tuple(map(str, range(100_000)))
    total = took + counted("count, a row is a person", Count(regions), table)
    bounds = Bounds(person="id", groups_per_person=2)
    counted("count, a column names them", Count(regions, bounds), table)
    counted("count, a row is a person", Count(ByColumn("income", incomes)), table)
    print(f"  load + count                {total:6.2f} s   goal: {GOAL:.0f} s")
    if path.suffix == ".csv":
        other = seconds(lambda: pd.read_csv(path)["region"].value_counts())
        print(f"  pandas, the same            {other:6.2f} s   ratio {total / other:.2f}")


def write(folder: Path) -> None:
    frame = people()
    frame.to_csv(folder / "people.csv", index=False)
    frame.to_parquet(folder / "people.parquet")


def alone(work: Callable[..., None], *given: Path) -> None:
    """Run in a fresh process."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=given)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        alone(write, Path(folder))
        alone(sample)
        for name in ("people.parquet", "people.csv"):
            alone(file, Path(folder) / name)


if __name__ == "__main__":
    main()
