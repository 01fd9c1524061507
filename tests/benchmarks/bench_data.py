"""From a file of a million rows to its counts: at most 5 s with the first release.

As CSV, as Parquet, and the synthetic sample of as many rows, which must load in 3 s. Beside them,
in the same run, what DuckDB's own reader takes for the same file, and what pandas needs to read the
same CSV and count the same column; and the memory that each visitor's table keeps. Each case has a
process of its own: memory that an earlier one gave back would hide what the next one takes.
Run with `python -m tests.benchmarks.bench_data`.
"""

import math
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

from dpviz.data import VISITS, Table, engine, load_sample, load_visits, read_table
from dpviz.queries import Bounds, ByColumn, Count
from tests.benchmarks.table import heading, line, seconds

ROWS = 1_000_000
GOAL = 5.0  # seconds, file to first release
SAMPLE_GOAL = 3.0  # seconds, to load the synthetic sample
PARQUET_GOAL = 1.0  # seconds, to load 12 MB of it
RATIO_GOAL = 1.5  # times DuckDB's own reader
MEMORY_GOAL = 60.0  # megabytes that a visitor's million rows keep
ROUNDS = 3
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


def memory(of: str) -> float:
    """Megabytes that this process holds (VmRSS) or held at most since the last reset (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{of}:")[1].split()[0]) / 1024


def loaded(load: Callable[[], Table], goal: float) -> tuple[Table, float]:
    """The table, and the seconds that it took; prints them with the memory they added at most."""
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = memory("VmRSS")
    start, worked = time.perf_counter(), time.process_time()
    table = load()
    took, worked = time.perf_counter() - start, time.process_time() - worked
    peak = memory("VmHWM") - before
    line("load", took, "s", goal, beside=f"{worked:.2f} s of CPU, +{peak:.0f} MB at the peak")
    return table, took


def counted(what: str, query: Count, table: Table) -> float:
    took = seconds(lambda: query.values(table))
    line(what, took, "s", beside=f"{len(query.labels):,} groups")
    return took


def kept(table: Table, before: float, query: Count) -> None:
    """What the table of one visitor keeps of the memory, packed as the dashboard does it."""
    line("pack", seconds(table.pack), "s")
    line("memory of a visitor, packed", memory("VmRSS") - before, "MB", MEMORY_GOAL)
    counted("the first count again, packed", query, table)


def sample() -> None:
    load_sample().rows()  # imports and first connection
    heading("Sample of 1,629 rows × 16 columns, for another visitor")
    took, bare = work_of([load_sample, lambda: engine.connect().close()])
    line("load, CPU", 1000 * took, "ms", floor=1000 * bare)
    heading(f"Synthetic sample, {ROWS:,} rows × 7 columns")
    before = memory("VmRSS")
    table, _ = loaded(load_visits, SAMPLE_GOAL)
    by = ByColumn(VISITS.column, VISITS.groups[VISITS.column])
    query = Count(by, Bounds(person=VISITS.person))
    counted("count, a column names them", query, table)
    kept(table, before, query)


def work_of(works: list[Callable[[], object]]) -> list[float]:
    """Processor seconds of each, least of several rounds in turn: other work hardly shows."""
    least = [math.inf] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            least[i] = min(least[i], seconds(work, time.process_time))
    return least


def by_the_engine(path: Path, *, options: str = "") -> None:
    """What DuckDB needs by itself, finding the types as it does."""
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        reader = f"read_{path.suffix.removeprefix('.')}('{path}'{options})"
        connection.execute(f"CREATE TABLE data AS SELECT * FROM {reader}")


def ratios(path: Path, data: bytes) -> None:
    """Our reader against DuckDB's own, in CPU; over all rows is how we find types."""

    def ours() -> None:
        read_table(data).close()

    def own() -> None:
        by_the_engine(path)

    def over_all() -> None:
        by_the_engine(path, options=", sample_size = -1")

    if path.suffix == ".csv":
        took, floor, slow = work_of([ours, own, over_all])
        line("load, CPU: ratio to DuckDB’s own", took / floor, "times", RATIO_GOAL)
        line("… with types over all rows, as we find", took / slow, "times", RATIO_GOAL)
    else:
        took, floor = work_of([ours, own])
        line("load, CPU: ratio to DuckDB’s own", took / floor, "times")


def file(path: Path) -> None:
    load_sample().rows()
    data = path.read_bytes()
    csv = path.suffix == ".csv"
    heading(f"{path.name} of {ROWS:,} rows × 10 columns, {len(data) / 2**20:.0f} MB")
    before = memory("VmRSS")
    table, took = loaded(lambda: read_table(data), GOAL if csv else PARQUET_GOAL)
    regions, incomes = ByColumn("region", REGIONS), tuple(map(str, range(100_000)))
    by_row = Count(regions)
    total = took + counted("count, a row is a person", by_row, table)
    line("load + count", total, "s", GOAL)
    kept(table, before, by_row)
    bounds = Bounds(person="id", groups_per_person=2)
    counted("count, a column names them", Count(regions, bounds), table)
    counted("count, a row is a person", Count(ByColumn("income", incomes)), table)
    table.close()
    ratios(path, data)
    if csv:
        other = seconds(lambda: pd.read_csv(path)["region"].value_counts())
        line("load + count: ratio to pandas", total / other, "times")


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
